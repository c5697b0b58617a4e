package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// A result must come back as it was, to the last bit, and JSON does not hold
// everything that plain data does. What it lacks is written as an object whose
// only key no other object in the text has:
//
//	{"\u0001float": "NaN"}          NaN and the infinities
//	{"\u0001bytes": "…"}            a text that is not UTF-8, in base64
//	{"\u0001object": [[key, value]]} an object whose keys would not survive
//
// A float that is a whole number is written with a point, so that it does not
// come back as an integer.
const mark = "\u0001"

const (
	markFloat  = mark + "float"
	markBytes  = mark + "bytes"
	markObject = mark + "object"
)

// written is how the mark looks in JSON.
var written = []byte(`"\u0001`)

// appendExact writes a value so that decodeExact gives the same.
func appendExact(dst []byte, v value.Value) ([]byte, error) { return appendAt(dst, v, 0) }

func appendAt(dst []byte, v value.Value, depth int) ([]byte, error) {
	if depth > value.MaxDepth {
		return dst, value.ErrTooDeep
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
		return appendFloat(dst, v), nil
	case json.Number:
		return append(dst, v...), nil
	case string:
		return appendText(dst, v), nil
	case []value.Value:
		return appendList(dst, v, depth)
	case *value.Object:
		return appendObject(dst, v, depth)
	}
	return dst, errors.New("the value is not plain data")
}

func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		dst = append(dst, `{"\u0001float":`...)
		return append(value.AppendFloat(dst, f), '}')
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
	if bytes.ContainsAny(dst[start:], ".e") {
		return dst
	}
	return append(dst, '.', '0')
}

func appendText(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return value.AppendString(dst, s)
	}
	dst = append(dst, `{"\u0001bytes":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, []byte(s))
	return append(dst, `"}`...)
}

func appendList(dst []byte, list []value.Value, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendAt(dst, e, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, o *value.Object, depth int) ([]byte, error) {
	if o == nil {
		return append(dst, "null"...), nil
	}
	plain := true
	for i := range o.Len() {
		k := o.Key(i)
		plain = plain && utf8.ValidString(k) && (k == "" || k[0] != mark[0])
	}
	if !plain {
		return appendPairs(dst, o, depth)
	}
	dst = append(dst, '{')
	for i := range o.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(value.AppendString(dst, o.Key(i)), ':')
		var err error
		if dst, err = appendAt(dst, o.At(i), depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendPairs(dst []byte, o *value.Object, depth int) ([]byte, error) {
	dst = append(dst, `{"\u0001object":[`...)
	for i := range o.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(append(dst, '['), o.Key(i)), ',')
		var err error
		if dst, err = appendAt(dst, o.At(i), depth+1); err != nil {
			return dst, err
		}
		dst = append(dst, ']')
	}
	return append(dst, `]}`...), nil
}

var errMark = errors.New("the record is damaged: it holds an unknown mark")

// decodeExact reads what appendExact wrote.
func decodeExact(data []byte) (value.Value, error) {
	v, err := value.Decode(data)
	if err != nil || !bytes.Contains(data, written) {
		return v, err
	}
	return unmark(v)
}

func unmark(v value.Value) (value.Value, error) {
	var err error
	switch v := v.(type) {
	case []value.Value:
		for i := range v {
			if v[i], err = unmark(v[i]); err != nil {
				return nil, err
			}
		}
	case *value.Object:
		if v.Len() == 1 && v.Key(0) != "" && v.Key(0)[0] == mark[0] {
			return marked(v.Key(0), v.At(0))
		}
		for i := range v.Len() {
			e, err := unmark(v.At(i))
			if err != nil {
				return nil, err
			}
			v.SetAt(i, e)
		}
	}
	return v, nil
}

func marked(what string, v value.Value) (value.Value, error) {
	text, _ := v.(string)
	switch what {
	case markFloat:
		f, err := strconv.ParseFloat(text, 64)
		return f, err
	case markBytes:
		b, err := base64.StdEncoding.DecodeString(text)
		return string(b), err
	case markObject:
		return unpair(v)
	}
	return nil, errMark
}

func unpair(v value.Value) (value.Value, error) {
	pairs, _ := v.([]value.Value)
	o := value.NewObject(len(pairs))
	for _, p := range pairs {
		pair, _ := p.([]value.Value)
		if len(pair) != 2 {
			return nil, errMark
		}
		k, err := unmark(pair[0])
		if err != nil {
			return nil, err
		}
		name, ok := k.(string)
		if !ok {
			return nil, errMark
		}
		e, err := unmark(pair[1])
		if err != nil {
			return nil, err
		}
		o.Set(name, e)
	}
	return o, nil
}
