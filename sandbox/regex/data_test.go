package regex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/sandbox"
)

// The files under testdata/ecmascript hold blocks of two commands:
//
//	match     every pattern, a line /…/flags, on every subject, any other line;
//	          a subject in double quotes may hold \n, \t, \\, \" and \uHHHH
//	syntax    what is wrong with each pattern
//
// match gives all matches of a pattern with g, else the first, as text and the
// place where it begins, then the captures, - for one that took no part.
func TestData(t *testing.T) {
	datadriven.Walk(t, "testdata/ecmascript", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			patterns, subjects := parseBlock(t, d.Input)
			switch d.Cmd {
			case "match":
				return matchBlock(t, patterns, subjects)
			case "syntax":
				return syntaxBlock(t, patterns)
			}
			t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

// testPattern is a pattern as a test file writes it.
type testPattern struct{ source, flags string }

func (p testPattern) String() string { return "/" + p.source + "/" + p.flags }

func parseBlock(t *testing.T, input string) (patterns []testPattern, subjects [][]uint16) {
	t.Helper()
	for line := range strings.Lines(input) {
		line = strings.TrimSuffix(line, "\n")
		if end := strings.LastIndexByte(line, '/'); strings.HasPrefix(line, "/") && end > 0 {
			patterns = append(patterns, testPattern{line[1:end], line[end+1:]})
			continue
		}
		subjects = append(subjects, parseSubject(t, line))
	}
	return patterns, subjects
}

func parseSubject(t *testing.T, line string) []uint16 {
	t.Helper()
	if !strings.HasPrefix(line, `"`) {
		return utf16.Encode([]rune(line))
	}
	var units []uint16
	text := []rune(strings.Trim(line, `"`))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			units = utf16.AppendRune(units, text[i])
			continue
		}
		i++
		switch text[i] {
		case 'n':
			units = append(units, '\n')
		case 't':
			units = append(units, '\t')
		case 'u':
			u, err := strconv.ParseUint(string(text[i+1:i+5]), 16, 16)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			units = append(units, uint16(u))
			i += 4
		default:
			units = append(units, uint16(text[i]))
		}
	}
	return units
}

// show writes units so that parseSubject reads them.
func show(units []uint16) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(units); i++ {
		r, w := decode(units, i, true)
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case !strconv.IsPrint(r) || isLead(r) || isTrail(r):
			for _, u := range units[i : i+w] {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		default:
			b.WriteRune(r)
		}
		i += w - 1
	}
	b.WriteByte('"')
	return b.String()
}

func matchBlock(t *testing.T, patterns []testPattern, subjects [][]uint16) string {
	t.Helper()
	var b strings.Builder
	var x Matcher
	for _, pattern := range patterns {
		p, err := Compile(pattern.source, pattern.flags, ECMAScript, DefaultLimits())
		if err != nil {
			fmt.Fprintf(&b, "%v\n  %v\n", pattern, err)
			continue
		}
		fmt.Fprintf(&b, "%v\n", pattern)
		for _, s := range subjects {
			var found []string
			for at := 0; at <= len(s); {
				c, ok, err := x.Exec(p, UTF16(s), at, testMeter(t, sandbox.DefaultLimits()))
				if err != nil {
					t.Fatalf("%v: %v", pattern, err)
				}
				if !ok {
					break
				}
				found = append(found, showMatch(s, c))
				if !strings.Contains(pattern.flags, "g") {
					break
				}
				at = afterMatch(p, s, c)
			}
			if found == nil {
				found = []string{"no match"}
			}
			fmt.Fprintf(&b, "  %s: %s\n", show(s), strings.Join(found, "; "))
		}
	}
	return b.String()
}

// afterMatch is where the search for the next match begins.
func afterMatch(p *Program, s []uint16, c []int) int {
	if c[1] > c[0] {
		return c[1]
	}
	if c[1] < len(s) {
		_, w := decode(s, c[1], p.CodePoints())
		return c[1] + w
	}
	return c[1] + 1
}

func showMatch(s []uint16, c []int) string {
	out := fmt.Sprintf("%s at %d", show(s[c[0]:c[1]]), c[0])
	for i := 2; i < len(c); i += 2 {
		if c[i] < 0 {
			out += ", -"
			continue
		}
		out += ", " + show(s[c[i]:c[i+1]])
	}
	return out
}

func syntaxBlock(t *testing.T, patterns []testPattern) string {
	t.Helper()
	var b strings.Builder
	for _, p := range patterns {
		_, err := Compile(p.source, p.flags, ECMAScript, DefaultLimits())
		if err == nil {
			fmt.Fprintf(&b, "%v is right\n", p)
			continue
		}
		var f *sandbox.Fault
		if !errors.As(err, &f) || f.Kind != sandbox.KindSyntax {
			t.Fatalf("%v: %v", p, err)
		}
		fmt.Fprintf(&b, "%s: %s\n  %s\n", f.Name, f.Message, f.Hint)
	}
	return b.String()
}

// TestDataAgainstNode holds the expectations of the files against node.
func TestDataAgainstNode(t *testing.T) {
	files, err := filepath.Glob("testdata/ecmascript/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { compareWithNode(t, fileQuestions(t, file)) })
	}
}

// fileQuestions collects the cases of a file.
func fileQuestions(t *testing.T, file string) []question {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var qs []question
	lines := strings.Split(string(raw), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] != "match" && lines[i] != "syntax" {
			continue
		}
		end := i + slices.Index(lines[i:], "----")
		patterns, subjects := parseBlock(t, strings.Join(lines[i+1:end], "\n"))
		if len(subjects) == 0 {
			subjects = [][]uint16{{}}
		}
		for _, p := range patterns {
			for _, s := range subjects {
				q := question{Pattern: q32(p.source), Flags: strings.ReplaceAll(p.flags, "g", "")}
				for _, u := range s {
					q.Subject = append(q.Subject, int(u))
				}
				qs = append(qs, q)
			}
		}
		i = end
	}
	return qs
}
