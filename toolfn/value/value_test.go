package value

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestDecodeIsExact(t *testing.T) {
	for _, text := range []string{
		`9007199254740993`, `-9223372036854775808`, `123456789012345678901234567890`,
		`{"b":1,"a":[1,2.5,null,true,"x"],"c":{}}`, `[]`, `"é😀\u2028"`, `0.1234567890123456789`,
		`1e400`, `[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"a":7}]`,
	} {
		v, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, err := Append(nil, v)
		if err != nil || string(got) != text {
			t.Errorf("%s came back as %s (%v)", text, got, err)
		}
	}
}

func TestNumberKinds(t *testing.T) {
	big1, _ := new(big.Int).SetString("9223372036854775808", 10)
	for text, want := range map[string]Value{
		"1": int64(1), "1.0": 1.0, "1e3": 1000.0, "0.1": 0.1, "-0": math.Copysign(0, -1), "0.30": 0.3,
		"9223372036854775808": big1, "0.12345678901234567890123": json.Number("0.12345678901234567890123"),
		"5e-324": 5e-324, "1e-400": json.Number("1e-400"), "0e999999999": 0.0,
	} {
		got, ok := Number(text)
		if !ok || Kind(got) != Kind(want) || !Equal(got, want) {
			t.Errorf("Number(%s) = %v (%T), want %v", text, got, got, want)
		}
	}
}

func TestRowsShareKeys(t *testing.T) {
	v, err := Decode([]byte(`[{"a":1,"b":2},{"a":3,"b":4}]`))
	if err != nil {
		t.Fatal(err)
	}
	rows := v.([]Value)
	first, second := rows[0].(*Object), rows[1].(*Object)
	if first.Keys() != second.Keys() {
		t.Fatal("rows of one shape do not share their keys")
	}
	second.Set("c", int64(5))
	if first.Has("c") || first.Len() != 2 || second.Len() != 3 {
		t.Fatal("a key set on one row shows in another")
	}
	first.Delete("a")
	if got, _ := second.Get("a"); got != int64(3) {
		t.Fatal("a key deleted in one row is gone in another")
	}
}

func TestDuplicateKeysLastWins(t *testing.T) {
	v, err := Decode([]byte(`[{"a":1,"b":2},{"a":1,"a":2},{"a":1,"b":2,"a":3}]`))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := Append(nil, v)
	if string(got) != `[{"a":1,"b":2},{"a":2},{"a":3,"b":2}]` {
		t.Fatalf("got %s", got)
	}
}

func TestManyKeys(t *testing.T) {
	o := NewObject(0)
	for i := range 1000 {
		o.Set(strings.Repeat("k", i+1), int64(i))
	}
	for i := range 1000 {
		if v, ok := o.Get(strings.Repeat("k", i+1)); !ok || v != int64(i) {
			t.Fatalf("key %d: %v", i, v)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	if _, err := Decode([]byte(strings.Repeat("[", 100_000))); err == nil {
		t.Fatal("a document of 100,000 levels was accepted")
	}
	var v Value
	for range MaxDepth + 2 {
		v = []Value{v}
	}
	if _, err := Append(nil, v); err == nil {
		t.Fatal("a value past the depth limit was written")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"1", "1.0", true},
		{"9007199254740993", "9007199254740992.0", false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`"1"`, "1", false},
		{"0.1", "0.1000000000000000055511151231257827", false},
		{"[1,[2]]", "[1,[2]]", true},
		{"null", "false", false},
		{"1e5000", "1e5000", true},
		{"1e5000", "10e4999", true},
		{"1e5000", "1e5001", false},
	} {
		a, _ := Decode([]byte(c.a))
		b, _ := Decode([]byte(c.b))
		if Equal(a, b) != c.want {
			t.Errorf("Equal(%s, %s) = %v", c.a, c.b, !c.want)
		}
	}
	if Equal(math.NaN(), math.NaN()) {
		t.Error("NaN equals NaN")
	}
}

func TestFrom(t *testing.T) {
	type row struct {
		ID   int64   `json:"id"`
		Name string  `json:"name"`
		N    float64 `json:"n"`
	}
	v, err := From(map[string]any{"z": []row{{1 << 60, "a", 0.5}}, "a": 1})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := Append(nil, v)
	if string(got) != `{"a":1,"z":[{"id":1152921504606846976,"name":"a","n":0.5}]}` {
		t.Fatalf("got %s", got)
	}
}

func TestFloatText(t *testing.T) {
	for f, want := range map[float64]string{
		1e20: "100000000000000000000", 1e21: "1e+21", 1e-6: "0.000001", 1e-7: "1e-7", 1.5e-10: "1.5e-10", 123.456: "123.456",
		math.Inf(1): `"Infinity"`,
	} {
		if got := string(AppendFloat(nil, f)); got != want {
			t.Errorf("%v is written %s, want %s", f, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.50,{"a":null}],"a":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if err != nil {
			return
		}
		text, err := Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(text)
		if err != nil {
			t.Fatalf("%s does not decode: %v", text, err)
		}
		if !Equal(v, again) && !json.Valid(text) {
			t.Fatalf("%s changed to %s", data, text)
		}
	})
}
