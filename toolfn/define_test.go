package toolfn

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

type everything struct {
	S     string            `json:"s"`
	B     bool              `json:"b,omitempty"`
	I     int64             `json:"i,omitempty"`
	Small int8              `json:"small,omitempty"`
	U     uint64            `json:"u,omitempty"`
	F     float64           `json:"f,omitempty"`
	Big   *big.Int          `json:"big,omitempty"`
	Num   json.Number       `json:"num,omitempty"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
	Any   any               `json:"any,omitempty"`
	Obj   *value.Object     `json:"obj,omitempty"`
	List  []int             `json:"list,omitempty"`
	Map   map[string]string `json:"map,omitempty"`
	Bytes []byte            `json:"bytes,omitempty"`
	At    time.Time         `json:"at,omitzero"`
	In    *inner            `json:"in,omitempty"`
	Rows  []inner           `json:"rows,omitempty"`
	Shared
}

type inner struct {
	Name string `json:"name"`
	N    *int   `json:"n"`
}

// Shared is embedded, so that its fields count as the struct's own.
type Shared struct {
	Extra any `json:"extra,omitempty"`
}

// TestDefineRoundTrip sends plain data through a Go struct and back: what went
// in must come out, to the last digit.
func TestDefineRoundTrip(t *testing.T) {
	f, err := Define("f", func(_ context.Context, in everything) (everything, error) { return in, nil })
	if err != nil {
		t.Fatal(err)
	}
	c := NewCatalog()
	if err := c.Register(f); err != nil {
		t.Fatal(err)
	}
	registered, _ := c.Lookup("f")
	for _, text := range []string{
		`{"s":"x"}`,
		`{"s":"","b":true,"i":9007199254740993,"small":-128,"u":18446744073709551615,"f":0.1}`,
		`{"s":"x","big":123456789012345678901234567890,"num":1.5}`,
		`{"s":"x","raw":{"b":1,"a":[12345678901234567890]},"any":{"z":9007199254740993,"a":null},"obj":{"y":1,"x":2}}`,
		`{"s":"x","list":[1,2],"map":{"a":"b"},"bytes":"aGk=","at":"2025-01-31T12:00:00Z"}`,
		`{"s":"x","extra":{"b":9007199254740993,"a":[]}}`,
		`{"s":"x","in":{"name":"n","n":5},"rows":[{"name":"a","n":null},{"name":"b","n":1}]}`,
	} {
		args := decoded(t, text).(*value.Object)
		checked, err := registered.Check(args)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := registered.Invoke(t.Context(), checked)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		out, _ := value.Append(nil, got)
		if !value.Equal(got, args) {
			t.Errorf("%s came back as %s", text, out)
		}
	}
}

// TestDefineRefuses sends what the schema or the Go type cannot take.
func TestDefineRefuses(t *testing.T) {
	called := false
	f, err := Define("f", func(_ context.Context, in everything) (int, error) { called = true; return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{}`, `{"s":5}`, `{"s":null}`, `{"s":"x","small":128}`, `{"s":"x","u":-1}`, `{"s":"x","i":9223372036854775808}`, `{"s":"x","u":18446744073709551616}`,
		`{"s":"x","unknown":1}`, `{"s":"x","bytes":"not base64!"}`, `{"s":"x","at":"yesterday"}`, `{"s":"x","list":["1"]}`, `{"s":"x","in":{}}`, `{"s":"x","i":1.5}`,
	} {
		args, err := f.Check(decoded(t, text).(*value.Object))
		if err == nil {
			_, err = f.Invoke(t.Context(), args)
		}
		if err == nil || called {
			t.Errorf("%s was taken", text)
		}
	}
}

// TestDefineResults shows what Go values become.
func TestDefineResults(t *testing.T) {
	type row struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	n := 3
	for name, c := range map[string]struct {
		fn   any
		want string
	}{
		"nil slice": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) ([]row, error) { return nil, nil }))
		}, `[]`},
		"nil in a row": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (row, error) { return row{Name: "a"}, nil }))
		}, `{"name":"a","tags":[]}`},
		"nil map": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (map[string]int, error) { return nil, nil }))
		}, `{}`},
		"sorted map": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (map[string]int, error) { return map[string]int{"b": 1, "a": 2}, nil }))
		}, `{"a":2,"b":1}`},
		"nil pointer": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (*row, error) { return nil, nil }))
		}, `null`},
		"pointer": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (*int, error) { return &n, nil }))
		}, `3`},
		"any": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (any, error) { return map[string]any{"x": []int{1}}, nil }))
		}, `{"x":[1]}`},
		"plain data": {func() ToolFn {
			return must(Define("f", func(context.Context, *value.Object) (value.Value, error) {
				return value.Of("z", int64(1), "a", nil), nil
			}))
		}, `{"z":1,"a":null}`},
		"time": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (time.Time, error) {
				return time.Date(2025, 1, 31, 0, 0, 0, 0, time.UTC), nil
			}))
		}, `"2025-01-31T00:00:00Z"`},
		"float32": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) (float32, error) { return 0.1, nil }))
		}, `0.1`},
		"array": {func() ToolFn {
			return must(Define("f", func(context.Context, struct{}) ([2]bool, error) { return [2]bool{true}, nil }))
		}, `[true,false]`},
	} {
		f := c.fn.(func() ToolFn)()
		got, err := f.Invoke(t.Context(), value.NewObject(0))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, _ := value.Append(nil, got); string(text) != c.want {
			t.Errorf("%s: got %s, want %s", name, text, c.want)
		}
	}
}

func must(f ToolFn, err error) ToolFn {
	if err != nil {
		panic(err)
	}
	return f
}

// TestRowsShareTheirKeys keeps lists of structs as cheap as a table.
func TestRowsShareTheirKeys(t *testing.T) {
	f := must(Define("f", func(context.Context, struct{}) ([]inner, error) { return make([]inner, 3), nil }))
	got, err := f.Invoke(t.Context(), value.NewObject(0))
	if err != nil {
		t.Fatal(err)
	}
	list := got.([]value.Value)
	if list[0].(*value.Object).Keys() != list[2].(*value.Object).Keys() {
		t.Error("each row has keys of its own")
	}
}

func TestDefineErrors(t *testing.T) {
	type loop struct{ Next *loop }
	for name, define := range map[string]func() error{
		"a scalar": func() error {
			_, err := Define("f", func(context.Context, int) (int, error) { return 0, nil })
			return err
		},
		"a channel": func() error {
			_, err := Define("f", func(context.Context, struct{ C chan int }) (int, error) { return 0, nil })
			return err
		},
		"a recursive type": func() error {
			_, err := Define("f", func(context.Context, loop) (int, error) { return 0, nil })
			return err
		},
		"no function": func() error { _, err := Define[struct{}, int]("f", nil); return err },
	} {
		if err := define(); err == nil || !strings.Contains(err.Error(), `"f"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	sentinel := errors.New("upstream said no")
	f := must(Define("f", func(context.Context, struct{}) (int, error) { return 0, sentinel }))
	if _, err := f.Invoke(t.Context(), value.NewObject(0)); !errors.Is(err, sentinel) {
		t.Errorf("got %v", err)
	}
}
