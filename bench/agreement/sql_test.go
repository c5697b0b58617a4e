package main

import (
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

func readJSON(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The comparison of rows finds what differs, and nothing else.
func TestSQLComparison(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ordered   bool
		how       string
		differs   bool
		reordered bool
	}{
		{`[[1, "x"], [2, "y"]]`, `[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]`, true, "", false, false},
		{`[[1, "x"], [2, "y"]]`, `[{"a": 2, "b": "y"}, {"a": 1, "b": "x"}]`, false, "", false, true},
		{`[[1, "x"], [2, "y"]]`, `[{"a": 2, "b": "y"}, {"a": 1, "b": "x"}]`, true, "", true, false},
		{`[[1, "x"], [2, "y"]]`, `[{"a": 2, "b": "y"}, {"a": 1, "b": "x"}]`, true, "ties", false, true},
		{`[[1, "x"], [1, "x"]]`, `[{"a": 1, "b": "x"}, {"a": 2, "b": "x"}]`, false, "", true, false},
		{`[[1, "x"]]`, `[{"a": 1, "b": "x"}, {"a": 1, "b": "x"}]`, false, "", true, false},
		{`[[1, "x"]]`, `[{"a": 1, "c": "x"}]`, false, "", true, false},
		{`[["1", "2.50"]]`, `[{"a": 1, "b": 2.5}]`, false, "", false, false},
		{`[["t", "2026-05-01 00:00:00+00"]]`, `[{"a": true, "b": "2026-05-01T00:00:00.000Z"}]`, false, "", false, false},
		{`[["t", "{a,\"b c\",NULL}"]]`, `[{"a": true, "b": ["a", "b c", null]}]`, false, "", false, false},
		{`[["t", "{a,NULL}"]]`, `[{"a": true, "b": ["a", "x"]}]`, false, "", true, false},
		{`[[null, ""]]`, `[{"a": "", "b": ""}]`, false, "", true, false},
		{`[[3, 4]]`, `[{"a": 5, "b": 6}]`, false, "any", false, true},
		{`[[3, 4]]`, `[]`, false, "any", true, false},
	} {
		w := recordedTable(readJSON(t, `["a", "b"]`), readJSON(t, c.want), c.ordered, c.how)
		d, reordered := postgres{}.compare(w, readJSON(t, c.got))
		if (d != "") != c.differs || reordered != c.reordered {
			t.Errorf("want %s, got %s: %q, reordered %t", c.want, c.got, d, reordered)
		}
	}
}

func TestOrdered(t *testing.T) {
	for code, want := range map[string]bool{
		"SELECT a FROM t ORDER BY a":                    true,
		"SELECT a FROM (SELECT a FROM t ORDER BY a) s":  false,
		"SELECT rank() OVER (ORDER BY a) FROM t":        false,
		"SELECT 'order by a' FROM t -- order by a":      false,
		"SELECT a FROM t ORDER BY a; SELECT b FROM t;":  false,
		"WITH s AS (SELECT 1) SELECT a FROM s order by": true,
	} {
		if got := ordered(code); got != want {
			t.Errorf("%s: %t", code, got)
		}
	}
}
