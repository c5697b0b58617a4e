package toolfn

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// binder puts plain data into a Go value of one type. It is made once, when a
// function is defined, because the way through JSON text costs more than most
// functions do.
type binder func(v value.Value, into reflect.Value) error

var (
	typeObjectPointer = reflect.TypeFor[*value.Object]()
	typeBigInt        = reflect.TypeFor[big.Int]()
	typeJSONNumber    = reflect.TypeFor[json.Number]()
	typeRawMessage    = reflect.TypeFor[json.RawMessage]()
	typeBytes         = reflect.TypeFor[[]byte]()
)

func binderOf(t reflect.Type) binder {
	switch t {
	case typeObjectPointer:
		return bindObject
	case typeBigInt:
		return bindBig
	case typeJSONNumber:
		return bindNumberText
	case typeRawMessage:
		return bindRaw
	case typeBytes:
		return bindBytes
	}
	if p := reflect.PointerTo(t); p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return bindJSON
	}
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return bindAny
		}
	case reflect.Bool:
		return bindBool
	case reflect.String:
		return bindString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return bindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return bindUint
	case reflect.Float32, reflect.Float64:
		return bindFloat
	case reflect.Pointer:
		return bindPointer(binderOf(t.Elem()), t.Elem())
	case reflect.Slice:
		return bindSlice(binderOf(t.Elem()), t)
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !t.Key().Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return bindMap(binderOf(t.Elem()), t)
		}
	case reflect.Struct:
		if fields, ok := plainFields(t); ok {
			return bindStruct(fields)
		}
	}
	return bindJSON
}

// misfit is the error of a value that a Go type cannot hold although the schema
// accepts it: an integer beyond the field's size.
func misfit(v value.Value, t reflect.Type) error {
	return fmt.Errorf("%s does not fit %s", literal(v, 40), kindWords(t))
}

func kindWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("a signed integer of %d bits", t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprintf("an unsigned integer of %d bits", t.Bits())
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "a string"
}

// bindJSON goes by way of JSON text, for types with their own reading of it.
func bindJSON(v value.Value, into reflect.Value) error {
	data, err := value.Append(nil, v)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // an any within keeps every digit
	if d.Decode(into.Addr().Interface()) != nil {
		return misfit(v, into.Type())
	}
	return nil
}

func bindAny(v value.Value, into reflect.Value) error {
	if v != nil {
		into.Set(reflect.ValueOf(v))
	}
	return nil
}

func bindObject(v value.Value, into reflect.Value) error {
	o, ok := v.(*value.Object)
	if !ok && v != nil {
		return misfit(v, reflect.TypeFor[struct{}]())
	}
	into.Set(reflect.ValueOf(o))
	return nil
}

func bindRaw(v value.Value, into reflect.Value) error {
	data, err := value.Append(nil, v)
	into.SetBytes(data)
	return err
}

func bindBytes(v value.Value, into reflect.Value) error {
	s, ok := v.(string)
	if !ok {
		return bindJSON(v, into)
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return errors.New("want text in base64")
	}
	into.SetBytes(data)
	return nil
}

func bindBool(v value.Value, into reflect.Value) error {
	b, ok := v.(bool)
	if !ok && v != nil {
		return misfit(v, into.Type())
	}
	into.SetBool(b)
	return nil
}

func bindString(v value.Value, into reflect.Value) error {
	s, ok := v.(string)
	if !ok && v != nil {
		return misfit(v, into.Type())
	}
	into.SetString(s)
	return nil
}

func bindInt(v value.Value, into reflect.Value) error {
	if v == nil {
		return nil
	}
	whole, _ := wholeNumber(v)
	n, ok := whole.(int64)
	if !ok || into.OverflowInt(n) {
		return misfit(v, into.Type())
	}
	into.SetInt(n)
	return nil
}

func bindUint(v value.Value, into reflect.Value) error {
	if v == nil {
		return nil
	}
	whole, _ := wholeNumber(v)
	var n uint64
	switch w := whole.(type) {
	case int64:
		if w < 0 {
			return misfit(v, into.Type())
		}
		n = uint64(w)
	case *big.Int:
		if !w.IsUint64() {
			return misfit(v, into.Type())
		}
		n = w.Uint64()
	default:
		return misfit(v, into.Type())
	}
	if into.OverflowUint(n) {
		return misfit(v, into.Type())
	}
	into.SetUint(n)
	return nil
}

func bindFloat(v value.Value, into reflect.Value) error {
	if v == nil {
		return nil
	}
	f, ok := float(v)
	if !ok || into.OverflowFloat(f) && !math.IsInf(f, 0) {
		return misfit(v, into.Type())
	}
	into.SetFloat(f)
	return nil
}

func bindBig(v value.Value, into reflect.Value) error {
	whole, ok := wholeNumber(v)
	if !ok {
		return misfit(v, reflect.TypeFor[int64]())
	}
	n := into.Addr().Interface().(*big.Int)
	switch w := whole.(type) {
	case int64:
		n.SetInt64(w)
	case *big.Int:
		n.Set(w)
	}
	return nil
}

func bindNumberText(v value.Value, into reflect.Value) error {
	if !isNumber(v) {
		return misfit(v, reflect.TypeFor[float64]())
	}
	text, err := value.Append(nil, v)
	into.SetString(string(text))
	return err
}

func bindPointer(elem binder, t reflect.Type) binder {
	return func(v value.Value, into reflect.Value) error {
		if v == nil {
			return nil
		}
		p := reflect.New(t)
		if err := elem(v, p.Elem()); err != nil {
			return err
		}
		into.Set(p)
		return nil
	}
}

func bindSlice(elem binder, t reflect.Type) binder {
	return func(v value.Value, into reflect.Value) error {
		list, ok := v.([]value.Value)
		if !ok {
			if v == nil {
				return nil
			}
			return misfit(v, t)
		}
		s := reflect.MakeSlice(t, len(list), len(list))
		for i, e := range list {
			if err := elem(e, s.Index(i)); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		into.Set(s)
		return nil
	}
}

func bindMap(elem binder, t reflect.Type) binder {
	return func(v value.Value, into reflect.Value) error {
		o, ok := v.(*value.Object)
		if !ok {
			if v == nil {
				return nil
			}
			return misfit(v, t)
		}
		m := reflect.MakeMapWithSize(t, o.Len())
		for key, e := range o.All() {
			x := reflect.New(t.Elem()).Elem()
			if err := elem(e, x); err != nil {
				return fmt.Errorf("%s: %w", shownKey(key), err)
			}
			m.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), x)
		}
		into.Set(m)
		return nil
	}
}

func bindStruct(fields []plainField) binder {
	return func(v value.Value, into reflect.Value) error {
		o, ok := v.(*value.Object)
		if !ok {
			if v == nil {
				return nil
			}
			return misfit(v, into.Type())
		}
		for i := range fields {
			f := &fields[i]
			if x, ok := o.Get(f.name); ok {
				if err := f.bind(x, into.FieldByIndex(f.index)); err != nil {
					return fmt.Errorf("%s: %w", shownKey(f.name), err)
				}
			}
		}
		return nil
	}
}

// plainField is a field of a struct whose JSON form is simple.
type plainField struct {
	name      string
	index     []int
	omitEmpty bool
	omitZero  bool
	bind      binder
	emit      emitter
}

// plainFields lists the fields that encoding/json reads and writes, those of
// embedded structs among them. It gives up where the rules of encoding/json get
// special: names that hide each other, embedded pointers, fields as strings.
func plainFields(t reflect.Type) ([]plainField, bool) {
	fields, ok := fieldsWithin(t, nil)
	seen := map[string]bool{}
	for _, f := range fields {
		ok = ok && !seen[f.name]
		seen[f.name] = true
	}
	return fields, ok
}

func fieldsWithin(t reflect.Type, path []int) (fields []plainField, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), path...), i)
		if f.Anonymous && f.Tag.Get("json") == "" {
			if f.Type.Kind() != reflect.Struct || writesItself(f.Type) || writesItself(reflect.PointerTo(f.Type)) {
				return nil, false
			}
			inner, ok := fieldsWithin(f.Type, index)
			if !ok {
				return nil, false
			}
			fields = append(fields, inner...)
			continue
		}
		name, visible := jsonName(f)
		if !visible {
			if f.Anonymous && f.IsExported() {
				return nil, false
			}
			continue
		}
		p := plainField{name: name, index: index, bind: binderOf(f.Type), emit: emitterOf(f.Type)}
		if !p.options(f.Tag.Get("json")) {
			return nil, false
		}
		fields = append(fields, p)
	}
	return fields, true
}

// options reads the words of a json tag behind the name, and reports whether
// they are all simple.
func (p *plainField) options(tag string) bool {
	_, rest, _ := strings.Cut(tag, ",")
	for _, word := range strings.Split(rest, ",") {
		switch word {
		case "omitempty":
			p.omitEmpty = true
		case "omitzero":
			p.omitZero = true
		case "string":
			return false
		}
	}
	return true
}
