package main

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

func TestComparePython(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{`1`, `1.0`, true},
		{`1`, `"1"`, false},
		{`[1,2]`, `[1,2]`, true},
		{`[1,2]`, `[2,1]`, false},
		{`null`, `null`, true},
		{`null`, `0`, false},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`null`, `{"$opaque":"rows is a list: 2 items, first 1"}`, true},
		{`null`, `{"$opaque":"<function f>"}`, false},
		{`{"$repr":"(Decimal('1.5'), [1])"}`, `[{"$opaque":"Decimal('1.5')"},[1]]`, true},
		{`{"$repr":"(Decimal('1.5'), [1])"}`, `[{"$opaque":"Decimal('1.50')"},[1]]`, false},
		{`{"$repr":"defaultdict(<class 'int'>, {'x': 1})"}`, `{"x":1}`, true},
		{`{"$repr":"b'abc'","$type":"bytes"}`, `{"$opaque":"b'abc'"}`, true},
	} {
		difference, _ := cpython{}.compare(decode(t, c.want), decode(t, c.got))
		if (difference == "") != c.same {
			t.Errorf("%s and %s: %q", c.want, c.got, difference)
		}
	}
}

func TestPlainPython(t *testing.T) {
	got := cpython{}.plain([]value.Value{math.NaN(), json.Number("2.0"), int64(1)})
	if brief(got) != `[{"$opaque":"NaN"},2,1]` {
		t.Errorf("%s", brief(got))
	}
}

func TestPythonReadings(t *testing.T) {
	for _, c := range []struct{ program, leniency, reading string }{
		{"[r.title for r in rows]", "a field of a row read as an attribute", "[r['title'] for r in rows]"},
		{"max(d, key=d.get), rows[0].count", "a field of a row read as an attribute", "max(d, key=d['get']), rows[0]['count']"},
		{"max(d, key=d.get), (rows[0]).n", "a field of a row read as an attribute", "max(d, key=d.get), (rows[0])['n']"},
		{"x = 1\nreturn x + 1", "a return at the top level", "x = 1\n(x + 1)"},
		{"x = f()\ny = x", "the value of the last assignment", "x = f()\ny = x\ny"},
	} {
		found := false
		for _, r := range (cpython{}).lenient(c.program) {
			found = found || r.leniency == c.leniency && r.program == c.reading
		}
		if !found {
			t.Errorf("%q has no reading %q: %q", c.program, c.reading, (cpython{}).lenient(c.program))
		}
	}
}

func TestPythonSetsInAnyOrder(t *testing.T) {
	l := cpython{}
	if !l.printed("x {1, 2, 3} y", "x {3, 1, 2} y") || l.printed("{1, 2}", "{1, 3}") || l.printed("[1, 2]", "[2, 1]") {
		t.Error("the order of sets")
	}
	if l.lacking("NameError: name 'rows' is not defined (line 1)") != "rows" {
		t.Error("the name that is lacking")
	}
}
