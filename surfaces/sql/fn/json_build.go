package fn

import (
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// appendJSON writes a value as json (to_json). Inside, feeds asks for a line per
// element, as the pretty forms have it.
func (e *Env) appendJSON(dst []byte, d vector.Datum, feeds bool) ([]byte, *pgerr.Error) {
	if d.Null() {
		return append(dst, "null"...), nil
	}
	switch v := d.Value.(type) {
	case bool:
		return strconv.AppendBool(dst, v), nil
	case *vector.Array:
		return e.appendJSONArray(dst, v, feeds)
	case *vector.Record:
		return e.appendJSONRecord(dst, v, feeds)
	case *pgtype.JSONB:
		return pgtype.AppendJSONB(dst, v), nil
	}
	text, err := e.jsonText(d)
	if err != nil {
		return dst, err
	}
	if err := e.Alloc(int64(2*len(text) + 8)); err != nil {
		return dst, err
	}
	switch {
	case d.Type == pgcat.JSON:
		return append(dst, text...), nil
	case isNumber(d.Type) && jsonNumber(text):
		return append(dst, text...), nil
	}
	return pgtype.AppendJSONString(dst, text), nil
}

func isNumber(t pgcat.OID) bool {
	switch t {
	case pgcat.Int2, pgcat.Int4, pgcat.Int8, pgcat.Float4, pgcat.Float8, pgcat.Numeric:
		return true
	}
	return false
}

// jsonNumber tells a number from NaN and the infinities.
func jsonNumber(text string) bool {
	c := text[len(text)-1]
	return c >= '0' && c <= '9'
}

// jsonText gives the text of a value as JSON has it: dates and times in the form
// of ISO 8601.
func (e *Env) jsonText(d vector.Datum) (string, *pgerr.Error) {
	text, err := e.textOf(d)
	if err != nil || d.Type != pgcat.Timestamp && d.Type != pgcat.Timestamptz {
		return text, err
	}
	body, before, _ := cutLast(text, " BC")
	date, time, found := strings.Cut(body, " ")
	if !found {
		return text, nil
	}
	if d.Type == pgcat.Timestamptz {
		if i := strings.LastIndexAny(time, "+-"); i >= 0 && len(time)-i == 3 {
			time += ":00"
		}
	}
	return date + "T" + time + before, nil
}

// cutLast splits a suffix off.
func cutLast(s, suffix string) (body, rest string, ok bool) {
	if strings.HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)], suffix, true
	}
	return s, "", false
}

func (e *Env) appendJSONArray(dst []byte, a *vector.Array, feeds bool) ([]byte, *pgerr.Error) {
	if a.Len() == 0 {
		return append(dst, "[]"...), nil
	}
	if err := e.Charge(int64(a.Len())); err != nil {
		return dst, err
	}
	at := 0
	return e.appendJSONDimension(dst, a, 0, &at, feeds)
}

func (e *Env) appendJSONDimension(dst []byte, a *vector.Array, depth int, at *int, feeds bool) ([]byte, *pgerr.Error) {
	dst = append(dst, '[')
	for i := range a.Dimensions[depth].Length {
		if i > 0 {
			dst = append(dst, ',')
			if feeds {
				dst = append(dst, "\n "...)
			}
		}
		var err *pgerr.Error
		if depth+1 < len(a.Dimensions) {
			dst, err = e.appendJSONDimension(dst, a, depth+1, at, false)
		} else {
			dst, err = e.appendJSON(dst, a.At(*at), false)
			*at++
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// fieldName gives the name of a record's field.
func fieldName(r *vector.Record, i int) string {
	if i < len(r.Names) && r.Names[i] != "" {
		return r.Names[i]
	}
	return "f" + strconv.Itoa(i+1)
}

func (e *Env) appendJSONRecord(dst []byte, r *vector.Record, feeds bool) ([]byte, *pgerr.Error) {
	dst = append(dst, '{')
	for i, f := range r.Fields {
		if i > 0 {
			dst = append(dst, ',')
			if feeds {
				dst = append(dst, "\n "...)
			}
		}
		dst = append(pgtype.AppendJSONString(dst, fieldName(r, i)), ':')
		var err *pgerr.Error
		if dst, err = e.appendJSON(dst, f, false); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// jsonbOf turns a value into jsonb (to_jsonb).
func (e *Env) jsonbOf(d vector.Datum) (*pgtype.JSONB, *pgerr.Error) {
	if d.Null() {
		return pgtype.JSONBNull, nil
	}
	if err := e.Alloc(200 + d.Size()); err != nil {
		return nil, err
	}
	switch v := d.Value.(type) {
	case bool:
		return pgtype.JSONBFromBool(v), nil
	case pgtype.Numeric:
		if !v.Finite() {
			return pgtype.JSONBFromText(v.String()), nil
		}
		return pgtype.JSONBFromNumber(v), nil
	case *pgtype.JSONB:
		return v, nil
	case *vector.Array:
		at := 0
		return e.jsonbOfDimension(v, 0, &at)
	case *vector.Record:
		keys, values := make([]string, len(v.Fields)), make([]*pgtype.JSONB, len(v.Fields))
		for i, f := range v.Fields {
			value, err := e.jsonbOf(f)
			if err != nil {
				return nil, err
			}
			keys[i], values[i] = fieldName(v, i), value
		}
		return pgtype.JSONBFromPairs(keys, values), nil
	}
	text, err := e.jsonText(d)
	switch {
	case err != nil:
		return nil, err
	case d.Type == pgcat.JSON:
		return e.parseJSONB(text)
	case isNumber(d.Type) && jsonNumber(text):
		n, err := pgtype.ParseNumeric(text)
		return pgtype.JSONBFromNumber(n), err
	}
	return pgtype.JSONBFromText(text), nil
}

func (e *Env) jsonbOfDimension(a *vector.Array, depth int, at *int) (*pgtype.JSONB, *pgerr.Error) {
	if a.Len() == 0 {
		return pgtype.JSONBFromItems(nil), nil
	}
	items := make([]*pgtype.JSONB, a.Dimensions[depth].Length)
	for i := range items {
		var err *pgerr.Error
		if depth+1 < len(a.Dimensions) {
			items[i], err = e.jsonbOfDimension(a, depth+1, at)
		} else {
			items[i], err = e.jsonbOf(a.At(*at))
			*at++
		}
		if err != nil {
			return nil, err
		}
	}
	return pgtype.JSONBFromItems(items), nil
}

var (
	errOddArguments = pgerr.New(pgerr.InvalidParameter, "argument list must have even number of elements")
	errScalarKey    = pgerr.New(pgerr.InvalidParameter, "key value must be scalar, not array, composite, or json")
	errNullKey      = pgerr.New(pgerr.NullNotAllowed, "null value not allowed for object key")
)

// jsonKey gives the text of an object's key.
func (e *Env) jsonKey(d vector.Datum) (string, *pgerr.Error) {
	switch d.Value.(type) {
	case *vector.Array, *vector.Record, *pgtype.JSONB:
		return "", errScalarKey
	}
	if d.Type == pgcat.JSON {
		return "", errScalarKey
	}
	if v, ok := d.Value.(bool); ok {
		return strconv.FormatBool(v), nil
	}
	return e.jsonText(d)
}

func buildJSONObject(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if len(args)%2 != 0 {
		return nil, errOddArguments.WithHint("The arguments of %s must consist of alternating keys and values.", "json_build_object()")
	}
	out := []byte{'{'}
	for i := 0; i < len(args); i += 2 {
		if i > 0 {
			out = append(out, ", "...)
		}
		if args[i].Null() {
			return nil, errNullKey
		}
		key, err := e.jsonKey(args[i])
		if err != nil {
			return nil, err
		}
		out = append(pgtype.AppendJSONString(out, key), " : "...)
		if out, err = e.appendJSON(out, args[i+1], false); err != nil {
			return nil, err
		}
	}
	return string(append(out, '}')), nil
}

func buildJSONArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	out := []byte{'['}
	for i, a := range args {
		if i > 0 {
			out = append(out, ", "...)
		}
		var err *pgerr.Error
		if out, err = e.appendJSON(out, a, false); err != nil {
			return nil, err
		}
	}
	return string(append(out, ']')), nil
}

func buildJSONBObject(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if len(args)%2 != 0 {
		return nil, errOddArguments.WithHint("The arguments of %s must consist of alternating keys and values.", "jsonb_build_object()")
	}
	keys, values := make([]string, 0, len(args)/2), make([]*pgtype.JSONB, 0, len(args)/2)
	for i := 0; i < len(args); i += 2 {
		if args[i].Null() {
			return nil, pgerr.New(pgerr.InvalidParameter, "argument %d: key must not be null", i+1)
		}
		key, err := e.jsonKey(args[i])
		if err != nil {
			return nil, err
		}
		value, err := e.jsonbOf(args[i+1])
		if err != nil {
			return nil, err
		}
		keys, values = append(keys, key), append(values, value)
	}
	return pgtype.JSONBFromPairs(keys, values), nil
}

func buildJSONBArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	items := make([]*pgtype.JSONB, len(args))
	for i, a := range args {
		v, err := e.jsonbOf(a)
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	return pgtype.JSONBFromItems(items), nil
}

var (
	errEvenArray = pgerr.New(pgerr.ArraySubscript, "array must have even number of elements")
	errTwoColumn = pgerr.New(pgerr.ArraySubscript, "array must have two columns")
	errSubscript = pgerr.New(pgerr.ArraySubscript, "wrong number of array subscripts")
	errMismatch  = pgerr.New(pgerr.ArraySubscript, "mismatched array dimensions")
)

// pairsOf gives the keys and values of json_object's arguments.
func pairsOf(args []vector.Datum) (keys, values []vector.Datum, err *pgerr.Error) {
	a := args[0].Value.(*vector.Array)
	if len(args) == 2 {
		b := args[1].Value.(*vector.Array)
		if len(a.Dimensions) > 1 || len(a.Dimensions) != len(b.Dimensions) {
			return nil, nil, errSubscript
		}
		if a.Len() != b.Len() {
			return nil, nil, errMismatch
		}
		for i := range a.Len() {
			keys, values = append(keys, a.At(i)), append(values, b.At(i))
		}
	} else {
		switch {
		case len(a.Dimensions) == 1 && a.Len()%2 != 0:
			return nil, nil, errEvenArray
		case len(a.Dimensions) == 2 && a.Dimensions[1].Length != 2:
			return nil, nil, errTwoColumn
		case len(a.Dimensions) > 2:
			return nil, nil, errSubscript
		}
		for i := 0; i < a.Len(); i += 2 {
			keys, values = append(keys, a.At(i)), append(values, a.At(i+1))
		}
	}
	for _, k := range keys {
		if k.Null() {
			return nil, nil, errNullKey
		}
	}
	return keys, values, nil
}

func jsonObject(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	keys, values, err := pairsOf(args)
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for i := range keys {
		if i > 0 {
			out = append(out, ", "...)
		}
		if err := e.Alloc(2*keys[i].Size() + 8); err != nil {
			return nil, err
		}
		out = append(pgtype.AppendJSONString(out, keys[i].Value.(string)), " : "...)
		if out, err = e.appendJSON(out, values[i], false); err != nil {
			return nil, err
		}
	}
	return string(append(out, '}')), nil
}

func jsonbObject(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	keys, values, err := pairsOf(args)
	if err != nil {
		return nil, err
	}
	names, items := make([]string, len(keys)), make([]*pgtype.JSONB, len(keys))
	for i := range keys {
		names[i] = keys[i].Value.(string)
		if items[i], err = e.jsonbOf(values[i]); err != nil {
			return nil, err
		}
	}
	return pgtype.JSONBFromPairs(names, items), nil
}

func toJSON(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	b, err := e.appendJSON(nil, args[0], len(args) > 1 && args[1].Value.(bool))
	return string(b), err
}

func toJSONB(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	return anyOf(e.jsonbOf(args[0]))
}

// buildingKernels make json and jsonb of other values.
func buildingKernels() map[string]Kernel {
	return map[string]Kernel{
		"to_json": Rowwise(toJSON), "to_jsonb": Rowwise(toJSONB),
		"array_to_json": Rowwise(toJSON), "array_to_json_pretty": Rowwise(toJSON),
		"row_to_json": Rowwise(toJSON), "row_to_json_pretty": Rowwise(toJSON),
		"json_build_object": Rowwise(buildJSONObject), "json_build_object_noargs": Rowwise(buildJSONObject),
		"json_build_array": Rowwise(buildJSONArray), "json_build_array_noargs": Rowwise(buildJSONArray),
		"jsonb_build_object": Rowwise(buildJSONBObject), "jsonb_build_object_noargs": Rowwise(buildJSONBObject),
		"jsonb_build_array": Rowwise(buildJSONBArray), "jsonb_build_array_noargs": Rowwise(buildJSONBArray),
		"json_object": Rowwise(jsonObject), "json_object_two_arg": Rowwise(jsonObject),
		"jsonb_object": Rowwise(jsonbObject), "jsonb_object_two_arg": Rowwise(jsonbObject),
	}
}
