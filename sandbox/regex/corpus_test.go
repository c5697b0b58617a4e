package regex

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// patternLiteral finds what is very likely a regular expression literal.
var patternLiteral = regexp.MustCompile(`[(,=:!&|?;]\s*/((?:[^/\\\n\[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)/([dgimsuvy]*)`)

// TestPatternsFromPrograms compares with node the patterns that programs in the
// corpus hold, on the lines of those programs. It needs the corpus beside the
// module.
func TestPatternsFromPrograms(t *testing.T) {
	var patterns []question
	var lines []string
	for _, file := range []string{"../../../shared/corpus/js.jsonl", "../../../shared/cases/long/js.jsonl"} {
		f, err := os.Open(file)
		if err != nil {
			t.Skip("there is no corpus beside the module")
		}
		defer f.Close()
		seen := map[string]bool{}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 16<<20)
		for s.Scan() {
			var row any
			if err := json.Unmarshal(s.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			eachText(row, func(text string) {
				for _, m := range patternLiteral.FindAllStringSubmatch(text, -1) {
					if !seen[m[0]] {
						seen[m[0]] = true
						patterns = append(patterns, question{Pattern: q32(m[1]), Flags: strings.ReplaceAll(m[2], "g", "")})
					}
				}
				for line := range strings.SplitSeq(text, "\n") {
					if len(lines) < 1<<16 {
						lines = append(lines, line)
					}
				}
			})
		}
	}
	var qs []question
	for i, q := range patterns {
		for j := range 40 {
			q.Subject = q32(lines[(i*7919+j*104729)%len(lines)])
			qs = append(qs, q)
		}
	}
	t.Logf("%d patterns, %d lines", len(patterns), len(lines))
	compareWithNode(t, qs)
}

// eachText gives every text in a decoded JSON value.
func eachText(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, x := range v {
			eachText(x, f)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			eachText(v[key], f)
		}
	}
}
