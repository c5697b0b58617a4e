package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"sort"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep values may nest. A deeper document is refused, because
// every walk over a value uses a stack frame a level.
const MaxDepth = 512

// ErrTooDeep is the error of a value that nests deeper than MaxDepth.
var ErrTooDeep = fmt.Errorf("the value is nested more than %d levels deep", MaxDepth)

// Decode reads one JSON document. Objects keep the order of their keys (of equal
// keys the last wins), neighbouring objects of one shape share their key list,
// and numbers keep every digit.
func Decode(data []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decode(d, 0, nil)
	if err != nil {
		return nil, jsonError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is text after the JSON value")
	}
	return v, nil
}

func jsonError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON text ends too early")
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("the text is not JSON at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return err
}

// decode reads one value. like is the key list of the object before it in the
// same array, whose order this one most likely repeats.
func decode(d *json.Decoder, depth int, like *Keys) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if depth >= MaxDepth {
			return nil, ErrTooDeep
		}
		if t == '[' {
			return decodeArray(d, depth)
		}
		return decodeObject(d, depth, like)
	case json.Number:
		v, ok := Number(string(t))
		if !ok {
			return nil, fmt.Errorf("%q is not a number", string(t))
		}
		return v, nil
	}
	return t, nil // nil, bool, string
}

func decodeArray(d *json.Decoder, depth int) (Value, error) {
	list := []Value{}
	var like *Keys
	for d.More() {
		v, err := decode(d, depth+1, like)
		if err != nil {
			return nil, err
		}
		if o, ok := v.(*Object); ok {
			like = o.keys
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func decodeObject(d *json.Decoder, depth int, like *Keys) (Value, error) {
	o := &Object{}
	if like != nil {
		o.vals = make([]Value, 0, len(like.names))
	}
	same := like != nil // whether the keys so far repeat like's
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decode(d, depth+1, nil)
		if err != nil {
			return nil, err
		}
		key := t.(string)
		n := len(o.vals)
		if same && n < len(like.names) && like.names[n] == key {
			o.vals = append(o.vals, v)
			continue
		}
		if same || o.keys == nil {
			same = false
			o.keys = &Keys{}
			if like != nil {
				o.keys.names = append(o.keys.names, like.names[:n]...)
			}
		}
		o.Set(key, v)
	}
	if same {
		if len(o.vals) == len(like.names) {
			like.shared.Store(true)
			o.keys = like
		} else {
			o.keys = &Keys{names: append([]string(nil), like.names[:len(o.vals)]...)}
		}
	}
	if o.keys == nil {
		o.keys = &Keys{}
	}
	_, err := d.Token()
	return o, err
}

// MarshalJSON writes the members in order.
func (o *Object) MarshalJSON() ([]byte, error) { return Append(nil, o) }

// UnmarshalJSON reads an object, keeping the order of its keys.
func (o *Object) UnmarshalJSON(data []byte) error {
	v, err := Decode(data)
	if err != nil {
		return err
	}
	read, ok := v.(*Object)
	if !ok {
		return fmt.Errorf("want a JSON object, got %s", Kind(v))
	}
	o.keys, o.vals = read.keys, read.vals
	return nil
}

// Append writes a value as JSON. A number that JSON cannot hold (NaN, infinity)
// is written as a string, never as null.
func Append(dst []byte, v Value) ([]byte, error) { return appendJSON(dst, v, 0) }

func appendJSON(dst []byte, v Value, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return dst, ErrTooDeep
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case float64:
		return AppendFloat(dst, v), nil
	case json.Number:
		return append(dst, v...), nil
	case string:
		return AppendString(dst, v), nil
	case []Value:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendJSON(dst, e, depth+1); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case *Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, v.Key(i)), ':')
			var err error
			if dst, err = appendJSON(dst, v.At(i), depth+1); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	return dst, errors.New("the value is not plain data")
}

// AppendFloat writes a float as JSON: integers below 1e21 without an exponent,
// as ECMA-262 Number::toString does; NaN and the infinities as strings.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if format == 'e' {
		// ECMA-262 writes e-7, Go e-07.
		if n := len(dst); n-start >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
	}
	return dst
}

const hex = "0123456789abcdef"

// AppendString writes a JSON string. Invalid UTF-8 becomes U+FFFD; the line and
// paragraph separators are escaped, so that the text is JavaScript too.
func AppendString(dst []byte, s string) []byte { return AppendEscaped(dst, s, nil) }

// AppendEscaped writes a JSON string as [AppendString] does and writes each rune
// above U+007F that escape reports as \u escapes too. A nil escape reports none.
func AppendEscaped(dst []byte, s string, escape func(rune) bool) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == '\u2028' || r == '\u2029' {
			dst = append(dst, s[start:i]...)
			if r == utf8.RuneError {
				dst = append(dst, "\uFFFD"...)
			} else {
				dst = appendUnit(dst, r)
			}
			i += n
			start = i
			continue
		}
		if escape != nil && escape(r) {
			dst = append(dst, s[start:i]...)
			if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
				dst = appendUnit(appendUnit(dst, hi), lo)
			} else {
				dst = appendUnit(dst, r)
			}
			i += n
			start = i
			continue
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendUnit writes one UTF-16 code unit as a \u escape.
func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}

// From turns a Go value into plain data: maps in the order of their sorted
// keys, structs by their JSON form.
func From(x any) (Value, error) { return from(x, 0) }

func from(x any, depth int) (Value, error) {
	if depth > MaxDepth {
		return nil, ErrTooDeep
	}
	switch x := x.(type) {
	case nil, bool, int64, float64, string:
		return x, nil
	case *Object:
		if x == nil {
			return nil, nil
		}
		return x, nil
	case int:
		return int64(x), nil
	case int32:
		return int64(x), nil
	case uint32:
		return int64(x), nil
	case float32:
		return float64(x), nil
	case *big.Int:
		if x == nil {
			return nil, nil
		}
		return FromBig(x), nil
	case json.Number:
		v, ok := Number(string(x))
		if !ok {
			return nil, fmt.Errorf("%q is not a number", string(x))
		}
		return v, nil
	case json.RawMessage:
		return Decode(x)
	case []Value:
		list := make([]Value, len(x))
		for i, e := range x {
			var err error
			if list[i], err = from(e, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		names := make([]string, 0, len(x))
		for k := range x {
			names = append(names, k)
		}
		sort.Strings(names)
		o := NewObject(len(names))
		for _, k := range names {
			v, err := from(x[k], depth+1)
			if err != nil {
				return nil, err
			}
			o.Set(k, v)
		}
		return o, nil
	}
	data, err := json.Marshal(x)
	if err != nil {
		return nil, errors.New("the result cannot be written as JSON")
	}
	return Decode(data)
}
