package pgtype

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// JSONB is a value of the type jsonb in its normal form: the keys of an object
// are unique and ordered by length, then by bytes. It is immutable.
type JSONB struct {
	Kind   JSONKind
	Bool   bool
	Text   string
	Number Numeric
	Keys   []string // of an object
	Items  []*JSONB // of an array, or the values of an object by their keys
	size   int64
}

// The values that need no data.
var (
	JSONBNull  = &JSONB{Kind: JSONNull}
	JSONBTrue  = &JSONB{Kind: JSONBool, Bool: true}
	JSONBFalse = &JSONB{Kind: JSONBool}
)

// JSONBFromBool gives true or false.
func JSONBFromBool(v bool) *JSONB {
	if v {
		return JSONBTrue
	}
	return JSONBFalse
}

// JSONBFromText gives a string.
func JSONBFromText(s string) *JSONB { return &JSONB{Kind: JSONString, Text: s, size: int64(len(s))} }

// JSONBFromNumber gives a number; NaN and the infinities have no JSON form and are
// the caller's matter.
func JSONBFromNumber(n Numeric) *JSONB { return &JSONB{Kind: JSONNumber, Number: n, size: n.Size()} }

// JSONBFromItems gives an array that takes over the slice.
func JSONBFromItems(items []*JSONB) *JSONB {
	v := &JSONB{Kind: JSONArray, Items: items}
	v.measure()
	return v
}

// JSONBFromPairs gives an object; of equal keys the last counts. It takes over the
// slices.
func JSONBFromPairs(keys []string, values []*JSONB) *JSONB {
	v := &JSONB{Kind: JSONObject, Keys: keys, Items: values}
	v.normalise()
	v.measure()
	return v
}

func compareKeys(a, b string) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// normalise orders the keys and drops all but the last of equal ones.
func (v *JSONB) normalise() {
	ordered := true
	for i := 1; i < len(v.Keys); i++ {
		ordered = ordered && compareKeys(v.Keys[i-1], v.Keys[i]) < 0
	}
	if ordered {
		return
	}
	at := make([]int, len(v.Keys))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return compareKeys(v.Keys[i], v.Keys[j]) })
	keys, items := make([]string, 0, len(at)), make([]*JSONB, 0, len(at))
	for k, i := range at {
		if k+1 < len(at) && v.Keys[at[k+1]] == v.Keys[i] {
			continue
		}
		keys, items = append(keys, v.Keys[i]), append(items, v.Items[i])
	}
	v.Keys, v.Items = keys, items
}

const jsonbNodeBytes = 120

func (v *JSONB) measure() {
	for _, k := range v.Keys {
		v.size += int64(len(k)) + 16
	}
	for _, item := range v.Items {
		v.size += item.Size() + 8
	}
}

// Size is what the value takes, in bytes.
func (v *JSONB) Size() int64 { return v.size + jsonbNodeBytes }

// ParseJSONB reads a JSON text.
func ParseJSONB(text string) (*JSONB, *pgerr.Error) {
	n, err := ReadJSON(text, true)
	if err != nil {
		return nil, err
	}
	return jsonbOf(n, text)
}

func jsonbOf(n *JSONNode, source string) (*JSONB, *pgerr.Error) {
	switch n.Kind {
	case JSONNull:
		return JSONBNull, nil
	case JSONBool:
		return JSONBFromBool(source[n.Start] == 't'), nil
	case JSONString:
		s, err := UnquoteJSON(n.Text(source))
		return JSONBFromText(s), err
	case JSONNumber:
		number, err := ParseNumeric(n.Text(source))
		return JSONBFromNumber(number), err
	}
	items := make([]*JSONB, len(n.Items))
	for i, item := range n.Items {
		v, err := jsonbOf(item, source)
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	if n.Kind == JSONArray {
		return JSONBFromItems(items), nil
	}
	keys := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		key, err := UnquoteJSON(k)
		if err != nil {
			return nil, err
		}
		keys[i] = key
	}
	return JSONBFromPairs(keys, items), nil
}

// AppendJSONB writes a value as the server does: {"a": 1, "b": [1, 2]}.
func AppendJSONB(dst []byte, v *JSONB) []byte {
	switch v.Kind {
	case JSONNull:
		return append(dst, "null"...)
	case JSONBool:
		if v.Bool {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case JSONString:
		return AppendJSONString(dst, v.Text)
	case JSONNumber:
		return AppendNumeric(dst, v.Number)
	case JSONArray:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = AppendJSONB(dst, item)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, item := range v.Items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(AppendJSONString(dst, v.Keys[i]), ": "...)
		dst = AppendJSONB(dst, item)
	}
	return append(dst, '}')
}

// AppendJSONBPretty writes a value over several lines, as jsonb_pretty does.
func AppendJSONBPretty(dst []byte, v *JSONB, level int) []byte {
	if v.Kind != JSONArray && v.Kind != JSONObject {
		return AppendJSONB(dst, v)
	}
	open, closing := byte('['), byte(']')
	if v.Kind == JSONObject {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	for i, item := range v.Items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = indent(append(dst, '\n'), level+1)
		if v.Kind == JSONObject {
			dst = append(AppendJSONString(dst, v.Keys[i]), ": "...)
		}
		dst = AppendJSONBPretty(dst, item, level+1)
	}
	return append(indent(append(dst, '\n'), level), closing)
}

func indent(dst []byte, level int) []byte {
	for range level {
		dst = append(dst, "    "...)
	}
	return dst
}

// String gives the server's text.
func (v *JSONB) String() string { return string(AppendJSONB(nil, v)) }

// Scalar reports whether the value is neither an array nor an object.
func (v *JSONB) Scalar() bool { return v.Kind != JSONArray && v.Kind != JSONObject }

// Find gives the place of a key of an object.
func (v *JSONB) Find(key string) (int, bool) {
	return slices.BinarySearchFunc(v.Keys, key, compareKeys)
}

// Field gives the value of a key of an object, or nil.
func (v *JSONB) Field(key string) *JSONB {
	if i, ok := v.Find(key); ok && v.Kind == JSONObject {
		return v.Items[i]
	}
	return nil
}

// Element gives the i-th element of an array, from the end for a negative one, or
// nil.
func (v *JSONB) Element(i int) *JSONB {
	if i < 0 {
		i += len(v.Items)
	}
	if v.Kind != JSONArray || i < 0 || i >= len(v.Items) {
		return nil
	}
	return v.Items[i]
}

// Compare orders values as the btree class of jsonb does: by kind, containers by
// their length before their content, save that an empty array is below all
// scalars at the top.
func (v *JSONB) Compare(other any) int {
	w := other.(*JSONB)
	if v.Scalar() != w.Scalar() && (v.Kind == JSONArray || w.Kind == JSONArray) {
		// A scalar at the top is stored as an array of one element.
		if c := cmp.Compare(v.topLength(), w.topLength()); c != 0 {
			return c
		}
		if v.Scalar() {
			return -1
		}
		return 1
	}
	return compareJSONB(v, w)
}

func (v *JSONB) topLength() int {
	if v.Scalar() {
		return 1
	}
	return len(v.Items)
}

func compareJSONB(v, w *JSONB) int {
	if v.Kind != w.Kind {
		return cmp.Compare(v.Kind, w.Kind)
	}
	switch v.Kind {
	case JSONString:
		return strings.Compare(v.Text, w.Text)
	case JSONNumber:
		return CompareNumeric(v.Number, w.Number)
	case JSONBool:
		switch {
		case v.Bool == w.Bool:
			return 0
		case w.Bool:
			return -1
		}
		return 1
	}
	if c := cmp.Compare(len(v.Items), len(w.Items)); c != 0 {
		return c
	}
	for i := range v.Items {
		if v.Kind == JSONObject {
			if c := strings.Compare(v.Keys[i], w.Keys[i]); c != 0 {
				return c
			}
		}
		if c := compareJSONB(v.Items[i], w.Items[i]); c != 0 {
			return c
		}
	}
	return 0
}

var jsonbSeed = maphash.MakeSeed()

// Hash is the same for values that compare equal.
func (v *JSONB) Hash() uint64 {
	h := uint64(v.Kind) * 0x9E3779B97F4A7C15
	switch v.Kind {
	case JSONBool:
		if v.Bool {
			h++
		}
	case JSONString:
		h ^= maphash.String(jsonbSeed, v.Text)
	case JSONNumber:
		h ^= v.Number.Hash()
	}
	for i, item := range v.Items {
		if v.Kind == JSONObject {
			h = h*0x100000001B3 ^ maphash.String(jsonbSeed, v.Keys[i])
		}
		h = h*0x100000001B3 ^ item.Hash()
	}
	return h
}

// Contains reports whether v contains w (@>): an object all of w's pairs, an array
// all of w's elements in any order, an array also a scalar at the top.
func (v *JSONB) Contains(w *JSONB) bool {
	if v.Kind == JSONArray && w.Scalar() {
		return v.hasScalar(w)
	}
	return containsJSONB(v, w)
}

func (v *JSONB) hasScalar(w *JSONB) bool {
	for _, item := range v.Items {
		if item.Kind == w.Kind && compareJSONB(item, w) == 0 {
			return true
		}
	}
	return false
}

func containsJSONB(v, w *JSONB) bool {
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case JSONObject:
		for i, key := range w.Keys {
			item := v.Field(key)
			if item == nil || !containsJSONB(item, w.Items[i]) {
				return false
			}
		}
		return true
	case JSONArray:
		for _, want := range w.Items {
			if !v.containsElement(want) {
				return false
			}
		}
		return true
	}
	return compareJSONB(v, w) == 0
}

func (v *JSONB) containsElement(want *JSONB) bool {
	if want.Scalar() {
		return v.hasScalar(want)
	}
	for _, item := range v.Items {
		if containsJSONB(item, want) {
			return true
		}
	}
	return false
}

// Exists reports whether a text is a key of an object, an element of an array, or
// a scalar string itself (?).
func (v *JSONB) Exists(key string) bool {
	switch v.Kind {
	case JSONObject:
		_, ok := v.Find(key)
		return ok
	case JSONString:
		return v.Text == key
	case JSONArray:
		return slices.ContainsFunc(v.Items, func(item *JSONB) bool { return item.Kind == JSONString && item.Text == key })
	}
	return false
}
