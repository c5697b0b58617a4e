package pgtype

import "testing"

func TestJSONErrors(t *testing.T) {
	for _, test := range []struct{ text, detail string }{
		{`{"a":1`, "The input string ended unexpectedly."},
		{`{"a" 1}`, `Expected ":", but found "1".`},
		{`[1 2]`, `Expected "," or "]", but found "2".`},
		{`{1:2}`, `Expected string or "}", but found "1".`},
		{`[1,]`, `Expected JSON value, but found "]".`},
		{`01`, `Token "01" is invalid.`},
		{`"a`, `Token ""a" is invalid.`},
		{`"\v"`, `Escape sequence "\v" is invalid.`},
		{`"\u12"`, `"\u" must be followed by four hexadecimal digits.`},
		{`1 2`, `Expected end of input, but found "2".`},
		{"\"\x01\"", "Character with value 0x01 must be escaped."},
		{`"\ud83d"`, "Unicode low surrogate must follow a high surrogate."},
	} {
		_, err := ParseJSONB(test.text)
		if err == nil || err.Detail != test.detail {
			t.Errorf("%s: got %v, want %s", test.text, err, test.detail)
		}
	}
}

func TestJSONBNormalForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"bb":1,"a":2,"bb":3,"ccc":[1.0, 1e2, "é\n"]}`: `{"a": 2, "bb": 3, "ccc": [1.0, 100, "é\n"]}`,
		` "😀" `: `"😀"`,
		`[]`:    `[]`,
	} {
		v, err := ParseJSONB(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := v.String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzJSONB checks that what is read can be written and read again as the same.
func FuzzJSONB(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,null,true,"x"]}`, `"\ud83d\ude00"`, `[[[]]]`, `{"":{}}`, `-0.0e10`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ReadJSON(text, false); err != nil {
			return
		}
		v, err := ParseJSONB(text)
		if err != nil {
			return
		}
		again, err := ParseJSONB(v.String())
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, v.String(), err)
		}
		if v.Compare(again) != 0 || v.Hash() != again.Hash() {
			t.Errorf("%q and %q differ", text, v.String())
		}
	})
}
