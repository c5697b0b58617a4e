package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// collected is a set whose rows are made at once.
type collected struct{ columns []*vector.Column }

func newCollected(types []pgcat.OID) *collected {
	c := &collected{}
	for _, t := range types {
		c.columns = append(c.columns, vector.Make(t, 0))
	}
	return c
}

func (c *collected) add(e *Env, values ...any) *pgerr.Error {
	if err := e.Charge(1); err != nil {
		return err
	}
	if err := e.Alloc(int64(24 * len(values))); err != nil {
		return err
	}
	for i, v := range values {
		c.columns[i].AppendDatum(vector.Datum{Type: c.columns[i].Type, Value: v})
	}
	return nil
}

func (c *collected) set() Set { return Rows(c.columns...) }

// jsonItem is a part of a json or a jsonb value.
type jsonItem struct {
	source string
	node   *pgtype.JSONNode
	value  *pgtype.JSONB
}

func (e *Env) jsonItem(d vector.Datum, unescape bool) (jsonItem, *pgerr.Error) {
	if s, ok := d.Value.(string); ok {
		n, err := e.parseJSON(s, unescape)
		return jsonItem{source: s, node: n}, err
	}
	return jsonItem{value: d.Value.(*pgtype.JSONB)}, nil
}

func (j jsonItem) kind() pgtype.JSONKind {
	if j.node != nil {
		return j.node.Kind
	}
	return j.value.Kind
}

func (j jsonItem) scalar() bool {
	return j.kind() != pgtype.JSONArray && j.kind() != pgtype.JSONObject
}

func (j jsonItem) len() int {
	if j.node != nil {
		return len(j.node.Items)
	}
	return len(j.value.Items)
}

func (j jsonItem) key(i int) (string, *pgerr.Error) {
	if j.node != nil {
		return pgtype.UnquoteJSON(j.node.Keys[i])
	}
	return j.value.Keys[i], nil
}

func (j jsonItem) item(i int) jsonItem {
	if j.node != nil {
		return jsonItem{source: j.source, node: j.node.Items[i]}
	}
	return jsonItem{value: j.value.Items[i]}
}

func (e *Env) part(j jsonItem, asText bool) (any, *pgerr.Error) {
	if j.node != nil {
		return jsonPart(j.source, j.node, asText)
	}
	return e.jsonbPart(j.value, asText)
}

// field gives a field of an object; of equal keys the last.
func (j jsonItem) field(key string) (jsonItem, bool, *pgerr.Error) {
	if j.node != nil {
		n, err := lastField(j.node, key)
		return jsonItem{source: j.source, node: n}, n != nil, err
	}
	v := j.value.Field(key)
	return jsonItem{value: v}, v != nil, nil
}

// setOf makes a set-returning function of one that collects rows.
func setOf(f func(e *Env, args []vector.Datum, out *collected) *pgerr.Error) SetKernel {
	return func(e *Env, args []vector.Datum, columns []pgcat.OID) (Set, error) {
		out := newCollected(columns)
		if err := f(e, args, out); err != nil {
			return nil, e.Fail(err)
		}
		return out.set(), nil
	}
}

func jsonEach(name string, asText bool) SetKernel {
	return setOf(func(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
		j, err := e.jsonItem(args[0], true)
		if err != nil {
			return err
		}
		if j.kind() != pgtype.JSONObject {
			if j.node == nil {
				return pgerr.New(pgerr.InvalidParameter, "cannot call %s on a non-object", name)
			}
			if j.scalar() {
				return pgerr.New(pgerr.InvalidParameter, "cannot deconstruct a scalar")
			}
			return pgerr.New(pgerr.InvalidParameter, "cannot deconstruct an array as an object")
		}
		for i := range j.len() {
			key, err := j.key(i)
			if err != nil {
				return err
			}
			v, err := e.part(j.item(i), asText)
			if err != nil {
				return err
			}
			if err := out.add(e, key, v); err != nil {
				return err
			}
		}
		return nil
	})
}

func jsonElements(name string, asText bool) SetKernel {
	return setOf(func(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
		j, err := e.jsonItem(args[0], asText)
		if err != nil {
			return err
		}
		if j.kind() != pgtype.JSONArray {
			switch {
			case j.node == nil && j.scalar():
				return pgerr.New(pgerr.InvalidParameter, "cannot extract elements from a scalar")
			case j.node == nil:
				return pgerr.New(pgerr.InvalidParameter, "cannot extract elements from an object")
			case j.scalar():
				return pgerr.New(pgerr.InvalidParameter, "cannot call %s on a scalar", name)
			}
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on a non-array", name)
		}
		for i := range j.len() {
			v, err := e.part(j.item(i), asText)
			if err != nil {
				return err
			}
			if err := out.add(e, v); err != nil {
				return err
			}
		}
		return nil
	})
}

func jsonKeys(name string) SetKernel {
	return setOf(func(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
		j, err := e.jsonItem(args[0], true)
		if err != nil {
			return err
		}
		switch {
		case j.kind() == pgtype.JSONArray:
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on an array", name)
		case j.scalar():
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on a scalar", name)
		}
		for i := range j.len() {
			key, err := j.key(i)
			if err != nil {
				return err
			}
			if err := out.add(e, key); err != nil {
				return err
			}
		}
		return nil
	})
}

func jsonSets() map[string]SetKernel {
	return map[string]SetKernel{
		"json_each": jsonEach("json_each", false), "json_each_text": jsonEach("json_each_text", true),
		"jsonb_each": jsonEach("jsonb_each", false), "jsonb_each_text": jsonEach("jsonb_each_text", true),
		"json_array_elements":       jsonElements("json_array_elements", false),
		"json_array_elements_text":  jsonElements("json_array_elements_text", true),
		"jsonb_array_elements":      jsonElements("jsonb_array_elements", false),
		"jsonb_array_elements_text": jsonElements("jsonb_array_elements_text", true),
		"json_object_keys":          jsonKeys("json_object_keys"), "jsonb_object_keys": jsonKeys("jsonb_object_keys"),
		"json_to_recordset": recordSets("json_to_recordset"), "jsonb_to_recordset": recordSets("jsonb_to_recordset"),
		"json_to_record": oneRecord("json_to_record"), "jsonb_to_record": oneRecord("jsonb_to_record"),
	}
}
