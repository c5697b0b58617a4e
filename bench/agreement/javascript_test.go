package main

import (
	"math"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

func decode(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCompareJavaScript(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{`1`, `1.0`, true},
		{`1`, `"1"`, false},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1,"b":{"$undefined":true}}`, `{"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":{"$undefined":true}}`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[{"$undefined":true}]`, `[null]`, true},
		{`[null]`, `[{"$undefined":true}]`, false},
		{`{"$number":"NaN"}`, `{"$number":"NaN"}`, true},
		{`{"$number":"NaN"}`, `null`, false},
		{`0`, `{"$number":"-0"}`, true},
		{`{"$bigint":"12345678901234567890"}`, `12345678901234567890`, true},
		{`{"$bigint":"5"}`, `{"$bigint":"5"}`, true},
		{`{"$bigint":"5"}`, `6`, false},
		{`{"$map":[["a",1],[2,3]]}`, `{"a":1,"2":3}`, true},
		{`{"$map":[["a",1]]}`, `[["a",1]]`, true},
		{`{"$map":[["a",1]]}`, `{"a":2}`, false},
		{`{"$set":[1,2]}`, `[1,2]`, true},
		{`{"$set":[1,2]}`, `[2,1]`, false},
		{`{"$typed":"Uint8Array","data":[1]}`, `[1]`, true},
		{`{"$ref":1}`, `{"$ref":1}`, true},
	} {
		difference, _ := javascript{}.compare(decode(t, c.want), decode(t, c.got))
		if (difference == "") != c.same {
			t.Errorf("%s and %s: %q", c.want, c.got, difference)
		}
	}
	if _, reordered := (javascript{}).compare(decode(t, `{"a":1,"b":2}`), decode(t, `{"b":2,"a":1}`)); !reordered {
		t.Error("another order of members is not seen")
	}
}

func TestPlainJavaScript(t *testing.T) {
	got := javascript{}.plain([]value.Value{math.NaN(), math.Inf(-1), int64(1)})
	if brief(got) != `[{"$number":"NaN"},{"$number":"-Infinity"},1]` {
		t.Errorf("%s", brief(got))
	}
}

func TestLenientReadings(t *testing.T) {
	for _, c := range []struct{ program, leniency, reading string }{
		{"const a = 1;\n{ a, b: { c: 2 } };", "a trailing object", "const a = 1;\n;({ a, b: { c: 2 } })"},
		{"f(); { n: 1 }", "a trailing object", "f(); ;({ n: 1 })"},
		{"const a = 1;\nreturn { a };\n", "a return at the top level", "const a = 1;\n;( { a })"},
		{"let x = 1;\nconst y = f(x);", "the value of the last declaration", "let x = 1;\nconst y = f(x);\n;y"},
		{"console.log(a, b);", "the value that was printed last", "console.log(a, b);\n;(a, b)"},
	} {
		found := false
		for _, r := range (javascript{}).lenient(c.program) {
			found = found || r.leniency == c.leniency && r.program == c.reading
		}
		if !found {
			t.Errorf("%q has no reading %q: %q", c.program, c.reading, (javascript{}).lenient(c.program))
		}
	}
	for _, r := range trailingObject("if (x) { a: 1 }") {
		t.Errorf("a block is read as an object: %q", r.program)
	}
}

func TestLackingName(t *testing.T) {
	for in, want := range map[string]string{
		"allPRs is not defined":                        "allPRs",
		"ReferenceError: rows is not defined (line 1)": "rows",
		"x.y is not a function":                        "",
	} {
		if got := (javascript{}).lacking(in); got != want {
			t.Errorf("%q lacks %q", in, got)
		}
	}
}
