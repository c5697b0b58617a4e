package toolfn

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// maxRefusal bounds the text of a refusal: message and hint.
const maxRefusal = 4000

// FuzzCheck reads any text as a schema and any JSON as arguments. Nothing may
// panic; the two walks agree; what passes passes again after normalising and
// denotes the same; texts are bounded and valid.
func FuzzCheck(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`, `{"a":5.0}`},
		{`{"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"$ref":"#/$defs/x"}],"$defs":{"x":{"required":["b"]}}}`, `{"b":null}`},
		{`{"properties":{"n":{"$ref":"#"}},"additionalProperties":false}`, `{"n":{"n":{"n":{}}}}`},
		{`{"allOf":[{"$ref":"#/allOf/1"},{"$ref":"#/allOf/0"}]}`, `{}`},
		{`{"properties":{"l":{"type":"array","uniqueItems":true,"contains":{"type":"number"},"prefixItems":[true,false]}}}`, `{"l":[1,1.0,"1",[1],{"a":1}]}`},
		{`{"properties":{"s":{"pattern":"^\\s+[^\\]]$","maxLength":3}},"patternProperties":{"^x":{"not":{"type":"null"}}},"propertyNames":{"minLength":2}}`, `{"s":"  x","xa":null}`},
		{`{"if":{"required":["a"]},"then":{"dependentRequired":{"a":["b"]}},"else":{"oneOf":[{},{}]}}`, `{"a":1}`},
		{`{"properties":{"x":{"multipleOf":0.01,"exclusiveMaximum":1e400}}}`, `{"x":12345678901234567890.5}`},
		{`{"type":["object","nul"],"enum":[{"a":1}],"nullable":true}`, `{"a":1.0}`},
		{`{"$id":"http://x/y.json","properties":{"a":{"$ref":"z.json#b"}},"$defs":{"q":{"$id":"z.json","$anchor":"b","minProperties":1}}}`, `{"a":{}}`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, schema, data string) {
		fn, err := DefineRaw("f", json.RawMessage(schema), nothing)
		if err != nil {
			return
		}
		v, err := value.Decode([]byte(data))
		args, ok := v.(*value.Object)
		if err != nil || !ok {
			return
		}
		checkFuzzed(t, fn, args)
	})
}

func checkFuzzed(t *testing.T, fn ToolFn, args *value.Object) {
	c := NewCatalog()
	if err := c.Register(fn); err != nil {
		t.Fatal(err)
	}
	f, _ := c.Lookup("f")
	before, err := value.Append(nil, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Check(args)
	if after, _ := value.Append(nil, args); string(after) != string(before) {
		t.Errorf("the arguments were changed: %s → %s", before, after)
	}
	told := (&walker{left: checkSteps, report: &report{}}).check(f.contract.root, args)
	if told != (err == nil) {
		t.Errorf("%v with a report, but %v", told, err)
	}
	if err == nil {
		if value.Equal(args, args) && !value.Equal(got, args) { // a number of absurd magnitude equals nothing
			t.Errorf("the arguments came back as something else")
		}
		if _, err := f.Check(got); err != nil {
			t.Errorf("refused after normalising: %v", err)
		}
	} else {
		var fault *sandbox.Fault
		if !errors.As(err, &fault) || fault.Kind != sandbox.KindArgument {
			t.Fatalf("not a fault: %v", err)
		}
		bounded(t, fault.Error(), maxRefusal)
	}
	d := NewDiscovery(c, DiscoveryOptions{Style: Neutral})
	bounded(t, Line(f, Neutral), lineBytes+16)
	text, fault := d.DescribeText(t.Context(), "f")
	if fault != nil {
		t.Fatal(fault)
	}
	bounded(t, text, textBytes+200)
	f.Observe(args)
	f.Observe([]value.Value{args, args, nil})
	bounded(t, Line(f, Neutral), lineBytes+16)
	seen, _ := f.Returns(Neutral)
	bounded(t, seen, 2*returnsBytes)
	if _, fault := d.Description(t.Context(), "f"); fault != nil {
		t.Fatal(fault)
	}
}

func bounded(t *testing.T, text string, most int) {
	t.Helper()
	if len(text) > most {
		t.Errorf("%d bytes, want at most %d: %s", len(text), most, sandbox.Clip(text, 300))
	}
	if !utf8.ValidString(text) {
		t.Errorf("not valid UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && invisible(r) {
			t.Errorf("holds %U: %q", r, text)
			break
		}
	}
}

// FuzzNames derives names from any text.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"", "list-issues", "1x", "größe", "搜索", "a__b", "\xff\xfe", "___"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := SafeName(s); !ValidName(n) || SafeName(n) != n {
			t.Errorf("SafeName(%q) = %q", s, n)
		}
		if n := SafeNamespace(s); !ValidName(n) || SafeNamespace(n) != n {
			t.Errorf("SafeNamespace(%q) = %q", s, n)
		}
		p := Plain(s, 20)
		bounded(t, p, 90)
		if Plain(p, 20) != p {
			t.Errorf("Plain(%q) = %q, and of that %q", s, p, Plain(p, 20))
		}
		words(s)
	})
}
