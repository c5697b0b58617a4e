package jsonpath

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// noRegex stands for the expressions of a caller: a pattern matches as text.
func noRegex(r Regex) (func(string) (bool, *pgerr.Error), *pgerr.Error) {
	return func(s string) (bool, *pgerr.Error) { return strings.Contains(s, r.Pattern), nil }, nil
}

// TestLongPathsEnd in an error, whatever makes them long.
func TestLongPathsEnd(t *testing.T) {
	for _, text := range []string{
		"$" + strings.Repeat(".a", 100_000), strings.Repeat("(", 100_000), strings.Repeat("-", 100_000) + "$", strings.Repeat("!(", 100_000),
		"$" + strings.Repeat("[0", 100_000), "$" + strings.Repeat(" ? (@", 100_000), "1" + strings.Repeat("+1", 100_000), strings.Repeat("exists (", 100_000),
	} {
		if _, err := Parse(text, noRegex); err == nil {
			t.Errorf("%.20s… is a path", text)
		}
	}
	if _, err := Parse("$"+strings.Repeat(".a", maxItems-10), noRegex); err != nil {
		t.Errorf("a path of %d items: %v", maxItems-10, err)
	}
}

// TestChargesStopAnEvaluation that would go on for long.
func TestChargesStopAnEvaluation(t *testing.T) {
	v, err := pgtype.ParseJSONB("[" + strings.Repeat("1,", 2000) + "1]")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("$[*] ? (@ == $[*] && @ != $[*])", noRegex)
	if err != nil {
		t.Fatal(err)
	}
	left, stopped := int64(100_000), pgerr.New(pgerr.StatementTooComplex, "stopped")
	_, err = p.Query(v, Options{Regex: noRegex, Charge: func(work, _ int64) *pgerr.Error {
		if left -= work; left < 0 {
			return stopped
		}
		return nil
	}})
	if err != stopped {
		t.Errorf("ended with %v", err)
	}
}

// FuzzPath reads anything, writes what it read, and evaluates it.
func FuzzPath(f *testing.F) {
	f.Add("strict $.a[*] ? (@.b > 1 && exists(@.c)).keyvalue().id", `{"a": [{"b": 2, "c": null}]}`)
	f.Add(`$.** ? (@ like_regex "^a" flag "i") . size ()`, `["abc", 1]`)
	f.Add(`$[0 to last - 1].datetime("yyyy-mm-dd").type() == "date"`, `["2024-01-01"]`)
	f.Fuzz(func(t *testing.T, text, json string) {
		if strings.Contains(text, "\x00") || !utf8.ValidString(text) {
			return // no text of the server's has these
		}
		p, err := Parse(text, noRegex)
		if err != nil {
			return
		}
		again, err := Parse(p.String(), noRegex)
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q wrote %q, which reads as %v, %v", text, p, again, err)
		}
		v, err := pgtype.ParseJSONB(json)
		if err != nil {
			return
		}
		budget := 100_000
		charge := func(work, _ int64) *pgerr.Error {
			if budget -= int(work); budget < 0 {
				return pgerr.New(pgerr.StatementTooComplex, "enough")
			}
			return nil
		}
		p.Query(v, Options{Regex: noRegex, Charge: charge})
		p.Exists(v, Options{Regex: noRegex, Charge: charge, Silent: true, Zoned: true})
	})
}
