package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// runFile runs the cases of a test file; nil where there is no such file.
func runFile(dir, name string) *report {
	text, err := os.ReadFile(filepath.Join(dir, name+".py"))
	if err != nil {
		return nil
	}
	s := newStage(dir)
	r := &report{}
	if why := s.execute("import unittest\nfrom unittest import run_case as run_case_\nTestCase_ = unittest.TestCase"); why != "" {
		r.failures = append(r.failures, name+": "+why)
		return r
	}
	for _, f := range s.load(string(text)) {
		if strings.HasPrefix(f.name, "class ") {
			r.skips = append(r.skips, skip{f.name, reason(f.why)})
		}
	}
	base, _ := s.m.Get("TestCase_")
	root, _ := base.AsClass()
	for _, name := range s.m.Names() {
		v, _ := s.m.Get(name)
		c, ok := v.AsClass()
		if !ok || root == nil || !c.IsSubclass(root) || c == root || name == "TestCase_" || c.Name == "CTest" {
			continue
		}
		for _, test := range testNames(c) {
			s.runCase(r, name, test)
		}
	}
	return r
}

// testNames are the names of the tests of a class, in order.
func testNames(c *object.Class) []string {
	var names []string
	for _, k := range c.MRO {
		for _, n := range k.Attrs.Names() {
			if strings.HasPrefix(n, "test") && !slices.Contains(names, n) {
				if v, ok := c.Lookup(n); ok && v.Kind() == object.KindFunction {
					names = append(names, n)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// runCase runs one case.
func (s *stage) runCase(r *report, class, test string) {
	full := class + "." + test
	why := s.execute("verdict_, why_ = run_case_(" + class + ", '" + test + "')")
	verdict := "fail"
	if why == "" {
		v, _ := s.m.Get("verdict_")
		w, _ := s.m.Get("why_")
		verdict, why = textOf(v), textOf(w)
	}
	switch {
	case verdict == "pass":
		r.passed++
	case verdict == "skip":
		r.skips = append(r.skips, skip{full, why})
	default:
		if refused := reason(why); refused != why {
			r.skips = append(r.skips, skip{full, refused})
			return
		}
		r.failures = append(r.failures, full+": "+clip(why, 400))
	}
}

func textOf(v object.Value) string {
	s, ok := object.StrOf(v)
	if !ok {
		return ""
	}
	return s.String()
}

func clip(s string, n int) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

// refusals are the errors by which the evaluator refuses by name what it does not
// have: a case that needs it is skipped, not failed.
var refusals = []struct {
	pattern *regexp.Regexp
	reason  string
}{
	{regexp.MustCompile(`NameError: (\w+)\(\) is not available here`), "refused: $1()"},
	{regexp.MustCompile(`ModuleNotFoundError: No module named '([\w.]+)'`), "needs $1"},
	{regexp.MustCompile(`ImportError: cannot import name '(\w+)' from '([\w.]+)'`), "needs $2.$1"},
	{regexp.MustCompile(`AttributeError: module '([\w.]+)' has no attribute '(\w+)'`), "needs $1.$2"},
	{regexp.MustCompile(`\w+: (?s:(.{3,60}?)) (?:is|are) not available`), "refused: $1"},
	{regexp.MustCompile(`type '([\w.]+)' is not an acceptable base type`), "refused: classes derived from $1"},
	{regexp.MustCompile(`metaclasses are not available`), "refused: metaclasses"},
	{regexp.MustCompile(`formatting of bytes is not available`), "refused: % of bytes"},
	{regexp.MustCompile(`'([\w]+)' cannot be reached from a program`), "refused: $1"},
	{regexp.MustCompile(`^the program needs more memory`), "a limit: memory"},
	{regexp.MustCompile(`(?i)^the program (?:used|has used|needs|ran|is) .*(?:fuel|work|steps)`), "a limit: fuel"},
	{regexp.MustCompile(`(?i)^.*calls nest`), "a limit: depth"},
	{regexp.MustCompile(`SkipTest: (.*)`), "$1"},
}

// reason shortens an error that refuses by name; another error stays as it is.
func reason(why string) string {
	for _, k := range refusals {
		if m := k.pattern.FindStringSubmatchIndex(why); m != nil {
			return string(k.pattern.ExpandString(nil, k.reason, why, m))
		}
	}
	return why
}
