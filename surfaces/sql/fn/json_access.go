package fn

import (
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// parseJSON reads a json value into its parts. With unescape a string anywhere in
// it that no text can hold is an error, as for the functions that look for keys.
func (e *Env) parseJSON(s string, unescape bool) (*pgtype.JSONNode, *pgerr.Error) {
	if err := e.jsonWork(s); err != nil {
		return nil, err
	}
	// The parts are dropped again when the function ends, but must fit in between.
	size := int64(nodesOf(s)) * 100
	mark := e.Mark()
	if err := e.Alloc(size); err != nil {
		return nil, err
	}
	n, err := pgtype.ReadJSON(s, unescape)
	e.Drop(mark)
	return n, err
}

// lastField gives the value of a key: of equal ones the last.
func lastField(n *pgtype.JSONNode, key string) (*pgtype.JSONNode, *pgerr.Error) {
	if n.Kind != pgtype.JSONObject {
		return nil, nil
	}
	for i := len(n.Keys) - 1; i >= 0; i-- {
		name, err := pgtype.UnquoteJSON(n.Keys[i])
		if err != nil {
			return nil, err
		}
		if name == key {
			return n.Items[i], nil
		}
	}
	return nil, nil
}

func nthElement(n *pgtype.JSONNode, i int64) *pgtype.JSONNode {
	if i < 0 {
		i += int64(len(n.Items))
	}
	if n.Kind != pgtype.JSONArray || i < 0 || i >= int64(len(n.Items)) {
		return nil
	}
	return n.Items[i]
}

// pathIndex reads an array's index in a path, as strtoint does.
func pathIndex(s string) (int64, bool) {
	s = strings.TrimLeft(s, " \t\n\r\f\v")
	n, err := strconv.ParseInt(s, 10, 32)
	return n, err == nil
}

// pathOf gives the steps of a path; false when one is NULL.
func pathOf(d vector.Datum) ([]string, bool) {
	a := d.Value.(*vector.Array)
	steps := make([]string, a.Len())
	for i := range steps {
		step := a.At(i)
		if step.Null() {
			return nil, false
		}
		steps[i] = step.Value.(string)
	}
	return steps, true
}

// jsonPart gives a part of a json text, as json or as text.
func jsonPart(source string, n *pgtype.JSONNode, asText bool) (any, *pgerr.Error) {
	switch {
	case n == nil, asText && n.Kind == pgtype.JSONNull:
		return nil, nil
	case asText && n.Kind == pgtype.JSONString:
		return anyOf(pgtype.UnquoteJSON(n.Text(source)))
	}
	return n.Text(source), nil
}

// jsonbPart gives a part of a jsonb value, as jsonb or as text.
func (e *Env) jsonbPart(v *pgtype.JSONB, asText bool) (any, *pgerr.Error) {
	switch {
	case v == nil, asText && v.Kind == pgtype.JSONNull:
		return nil, nil
	case !asText:
		return v, nil
	case v.Kind == pgtype.JSONString:
		return v.Text, nil
	}
	if err := e.Alloc(v.Size()); err != nil {
		return nil, err
	}
	return v.String(), nil
}

func jsonField(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		source := args[0].Value.(string)
		n, err := e.parseJSON(source, true)
		if err != nil {
			return nil, err
		}
		if n, err = lastField(n, args[1].Value.(string)); err != nil {
			return nil, err
		}
		return jsonPart(source, n, asText)
	})
}

func jsonElement(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		source := args[0].Value.(string)
		n, err := e.parseJSON(source, true)
		if err != nil {
			return nil, err
		}
		return jsonPart(source, nthElement(n, args[1].Value.(int64)), asText)
	})
}

func jsonExtract(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		source := args[0].Value.(string)
		path, ok := pathOf(args[1])
		if !ok {
			return nil, nil
		}
		n, err := e.parseJSON(source, true)
		for _, step := range path {
			if err != nil || n == nil {
				break
			}
			if n.Kind == pgtype.JSONArray {
				i, ok := pathIndex(step)
				if !ok {
					return nil, nil
				}
				n = nthElement(n, i)
				continue
			}
			n, err = lastField(n, step)
		}
		if err != nil {
			return nil, err
		}
		return jsonPart(source, n, asText)
	})
}

func jsonbField(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		return e.jsonbPart(args[0].Value.(*pgtype.JSONB).Field(args[1].Value.(string)), asText)
	})
}

func jsonbElement(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		v, i := args[0].Value.(*pgtype.JSONB), args[1].Value.(int64)
		if v.Scalar() && (i == 0 || i == -1) {
			// At the top a scalar is stored as an array of one element.
			return e.jsonbPart(v, asText)
		}
		return e.jsonbPart(v.Element(int(i)), asText)
	})
}

func jsonbExtract(asText bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		path, ok := pathOf(args[1])
		if !ok {
			return nil, nil
		}
		return e.jsonbPart(JSONBAtPath(args[0].Value.(*pgtype.JSONB), path), asText)
	})
}

// JSONBAtPath follows a path of keys and indices; nil where it leads nowhere.
func JSONBAtPath(v *pgtype.JSONB, path []string) *pgtype.JSONB {
	for _, step := range path {
		switch v.Kind {
		case pgtype.JSONObject:
			v = v.Field(step)
		case pgtype.JSONArray:
			i, ok := pathIndex(step)
			if !ok {
				return nil
			}
			v = v.Element(int(i))
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// existence is ?| or ?&.
func existence(all bool) Kernel {
	return Binary(func(_ *Env, v any, keys any) (bool, *pgerr.Error) {
		j, a := v.(*pgtype.JSONB), keys.(*vector.Array)
		for i := range a.Len() {
			d := a.At(i)
			if d.Null() {
				continue
			}
			if j.Exists(d.Value.(string)) != all {
				return !all, nil
			}
		}
		return all, nil
	})
}

func compareJSONB(test func(c int) bool) Kernel {
	return Binary(func(e *Env, a, b any) (bool, *pgerr.Error) {
		v, w := a.(*pgtype.JSONB), b.(*pgtype.JSONB)
		return test(v.Compare(w)), e.Charge(min(v.Size(), w.Size()) / 128)
	})
}

// jsonbNumber reads the number of a scalar for a cast.
func jsonbNumber(v *pgtype.JSONB, typeName string) (pgtype.Numeric, *pgerr.Error) {
	if v.Kind != pgtype.JSONNumber {
		return pgtype.Numeric{}, cannotCastJSONB(v, typeName)
	}
	return v.Number, nil
}

func cannotCastJSONB(v *pgtype.JSONB, typeName string) *pgerr.Error {
	what := map[pgtype.JSONKind]string{
		pgtype.JSONNull: "null", pgtype.JSONString: "string", pgtype.JSONNumber: "numeric", pgtype.JSONBool: "boolean",
		pgtype.JSONArray: "array", pgtype.JSONObject: "object",
	}[v.Kind]
	return pgerr.New(pgerr.InvalidParameter, "cannot cast jsonb %s to type %s", what, typeName)
}

func jsonbToInt(bits int, typeName string) Kernel {
	return Unary(func(_ *Env, v any) (int64, *pgerr.Error) {
		n, err := jsonbNumber(v.(*pgtype.JSONB), typeName)
		if err != nil {
			return 0, err
		}
		return n.Int(bits)
	})
}

func jsonbToFloat(bits int, typeName string) Kernel {
	return Unary(func(_ *Env, v any) (float64, *pgerr.Error) {
		n, err := jsonbNumber(v.(*pgtype.JSONB), typeName)
		if err != nil {
			return 0, err
		}
		return n.Float(bits)
	})
}

// jsonKernels take json and jsonb apart and compare them.
func jsonKernels() map[string]Kernel {
	return map[string]Kernel{
		"json_object_field": jsonField(false), "json_object_field_text": jsonField(true),
		"json_array_element": jsonElement(false), "json_array_element_text": jsonElement(true),
		"json_extract_path": jsonExtract(false), "json_extract_path_text": jsonExtract(true),
		"jsonb_object_field": jsonbField(false), "jsonb_object_field_text": jsonbField(true),
		"jsonb_array_element": jsonbElement(false), "jsonb_array_element_text": jsonbElement(true),
		"jsonb_extract_path": jsonbExtract(false), "jsonb_extract_path_text": jsonbExtract(true),

		"jsonb_contains": Binary(func(e *Env, a, b any) (bool, *pgerr.Error) {
			v, w := a.(*pgtype.JSONB), b.(*pgtype.JSONB)
			return v.Contains(w), e.Charge(v.Size() / 128 * max(1, int64(len(w.Items))))
		}),
		"jsonb_contained": Binary(func(e *Env, a, b any) (bool, *pgerr.Error) {
			v, w := b.(*pgtype.JSONB), a.(*pgtype.JSONB)
			return v.Contains(w), e.Charge(v.Size() / 128 * max(1, int64(len(w.Items))))
		}),
		"jsonb_exists": Binary(func(_ *Env, v any, key string) (bool, *pgerr.Error) {
			return v.(*pgtype.JSONB).Exists(key), nil
		}),
		"jsonb_exists_any": existence(false), "jsonb_exists_all": existence(true),
		"jsonb_eq": compareJSONB(func(c int) bool { return c == 0 }),
		"jsonb_ne": compareJSONB(func(c int) bool { return c != 0 }),
		"jsonb_lt": compareJSONB(func(c int) bool { return c < 0 }),
		"jsonb_le": compareJSONB(func(c int) bool { return c <= 0 }),
		"jsonb_gt": compareJSONB(func(c int) bool { return c > 0 }),
		"jsonb_ge": compareJSONB(func(c int) bool { return c >= 0 }),
		"jsonb_cmp": Binary(func(_ *Env, a, b any) (int64, *pgerr.Error) {
			return int64(a.(*pgtype.JSONB).Compare(b)), nil
		}),

		"json_typeof": Unary(func(e *Env, s string) (string, *pgerr.Error) {
			n, err := e.parseJSON(s, false)
			if err != nil {
				return "", err
			}
			return n.Kind.Name(), nil
		}),
		"jsonb_typeof": Unary(func(_ *Env, v any) (string, *pgerr.Error) { return v.(*pgtype.JSONB).Kind.Name(), nil }),
		"json_array_length": Unary(func(e *Env, s string) (int64, *pgerr.Error) {
			n, err := e.parseJSON(s, false)
			if err != nil {
				return 0, err
			}
			return arrayLength(n.Kind, len(n.Items))
		}),
		"jsonb_array_length": Unary(func(_ *Env, v any) (int64, *pgerr.Error) {
			j := v.(*pgtype.JSONB)
			return arrayLength(j.Kind, len(j.Items))
		}),
		"json_strip_nulls": Unary(func(e *Env, s string) (string, *pgerr.Error) {
			n, err := e.parseJSON(s, false)
			if err != nil {
				return "", err
			}
			if err := e.Alloc(int64(len(s))); err != nil {
				return "", err
			}
			out, err := appendStripped(nil, s, n)
			return string(out), err
		}),
		"jsonb_pretty": Unary(func(e *Env, v any) (string, *pgerr.Error) {
			j := v.(*pgtype.JSONB)
			if err := e.Alloc(2 * j.Size()); err != nil {
				return "", err
			}
			return string(pgtype.AppendJSONBPretty(nil, j, 0)), nil
		}),

		"jsonb_numeric": Unary(func(_ *Env, v any) (pgtype.Numeric, *pgerr.Error) {
			return jsonbNumber(v.(*pgtype.JSONB), "numeric")
		}),
		"jsonb_int2": jsonbToInt(16, "smallint"), "jsonb_int4": jsonbToInt(32, "integer"), "jsonb_int8": jsonbToInt(64, "bigint"),
		"jsonb_float4": jsonbToFloat(32, "real"), "jsonb_float8": jsonbToFloat(64, "double precision"),
		"jsonb_bool": Unary(func(_ *Env, v any) (bool, *pgerr.Error) {
			j := v.(*pgtype.JSONB)
			if j.Kind != pgtype.JSONBool {
				return false, cannotCastJSONB(j, "boolean")
			}
			return j.Bool, nil
		}),
	}
}

func arrayLength(k pgtype.JSONKind, n int) (int64, *pgerr.Error) {
	switch k {
	case pgtype.JSONArray:
		return int64(n), nil
	case pgtype.JSONObject:
		return 0, pgerr.New(pgerr.InvalidParameter, "cannot get array length of a non-array")
	}
	return 0, pgerr.New(pgerr.InvalidParameter, "cannot get array length of a scalar")
}

// appendStripped writes a json text without blanks and without the fields that are
// null.
func appendStripped(dst []byte, source string, n *pgtype.JSONNode) ([]byte, *pgerr.Error) {
	switch n.Kind {
	case pgtype.JSONString:
		s, err := pgtype.UnquoteJSON(n.Text(source))
		return pgtype.AppendJSONString(dst, s), err
	case pgtype.JSONArray:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err *pgerr.Error
			if dst, err = appendStripped(dst, source, item); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case pgtype.JSONObject:
		dst = append(dst, '{')
		first := true
		for i, item := range n.Items {
			if item.Kind == pgtype.JSONNull {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			key, err := pgtype.UnquoteJSON(n.Keys[i])
			if err != nil {
				return dst, err
			}
			dst = append(pgtype.AppendJSONString(dst, key), ':')
			if dst, err = appendStripped(dst, source, item); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	return append(dst, n.Text(source)...), nil
}
