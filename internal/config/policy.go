package config

import (
	"fmt"
	"path"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
)

// Policy says which functions may be called. Each list holds names and patterns
// of functions (github.delete_repo, github.delete_*, *.send_*) and marks of
// effects (@write, @destructive, @unknown, @read).
//
// For one function deny comes before stage, stage before ask, ask before allow,
// and allow before read_only: a function named in allow may be called even where
// the rest is read-only. Only what reads is made in spite of stage. A function in
// both stage and ask is staged when it is called and asked about, together with
// all that is pending, when that is committed. What read_only refuses may be
// staged, and its commit asks; what deny names may not even be staged.
type Policy struct {
	ReadOnly                bool
	Allow, Deny, Ask, Stage []string
}

// effects are the marks by name.
var effects = map[string]toolfn.Impact{"read": toolfn.Read, "write": toolfn.Write, "destructive": toolfn.Destructive, "unknown": toolfn.Unknown}

// Build makes the policy for a dispatcher.
func (p Policy) Build() (dispatch.Policy, error) {
	var rules []dispatch.Rule
	for _, l := range []struct {
		list    []string
		verdict dispatch.Verdict
		reason  string
	}{
		{p.Deny, dispatch.Deny, "the configuration denies it"},
		{p.Stage, dispatch.Stage, ""},
		{p.Ask, dispatch.Ask, "the configuration wants it approved"},
		{p.Allow, dispatch.Allow, ""},
	} {
		for _, pattern := range l.list {
			rule := dispatch.Rule{Function: catalogName(pattern), Verdict: l.verdict, Reason: l.reason, Final: l.verdict == dispatch.Deny}
			if word, ok := isEffect(pattern); ok {
				impact, known := effects[word]
				if !known {
					return nil, fmt.Errorf("%s", unknown(pattern, []string{"@read", "@write", "@destructive", "@unknown"}))
				}
				rule.Function, rule.Impacts = "", []toolfn.Impact{impact}
			} else if err := checkPattern(pattern); err != nil {
				return nil, err
			}
			rules = append(rules, rule)
		}
	}
	table, err := dispatch.Rules(rules...)
	if err != nil {
		return nil, err
	}
	if p.ReadOnly {
		return dispatch.First(table, dispatch.ReadOnly()), nil
	}
	return table, nil
}

// catalogName gives a pattern in the catalogue's spelling: github.list_* is
// github__list_*.
func catalogName(pattern string) string { return strings.Replace(pattern, ".", "__", 1) }

func checkPattern(pattern string) error {
	if pattern == "" {
		return fmt.Errorf("an empty pattern matches nothing")
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("the pattern %q cannot be read", shown(pattern))
	}
	return nil
}

// LetsNothingThrough reports whether no effect can come of any program, so that
// there is no use in staging one.
func (p Policy) LetsNothingThrough() bool {
	return p.ReadOnly && len(p.Allow)+len(p.Ask)+len(p.Stage) == 0
}

// Unmatched names the entries that match no function of a catalogue, one line
// each: a misspelt entry of a deny list would otherwise allow in silence.
func (p Policy) Unmatched(cat *toolfn.Catalog) []string {
	var names []string
	for _, f := range cat.All() {
		names = append(names, f.Name)
	}
	var lines []string
	for _, l := range []struct {
		name string
		list []string
	}{{"deny", p.Deny}, {"stage", p.Stage}, {"ask", p.Ask}, {"allow", p.Allow}} {
		for _, pattern := range l.list {
			if _, ok := isEffect(pattern); ok || matchesAny(catalogName(pattern), names) {
				continue
			}
			line := fmt.Sprintf("polyglove.policy.%s: %q matches no function", l.name, shown(pattern))
			if near, ok := sandbox.Nearest(catalogName(pattern), names); ok {
				line += fmt.Sprintf(", did you mean %q", strings.Replace(near, "__", ".", 1))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func matchesAny(pattern string, names []string) bool {
	for _, n := range names {
		if n == pattern {
			return true
		}
		if ok, _ := path.Match(pattern, n); ok {
			return true
		}
	}
	return false
}
