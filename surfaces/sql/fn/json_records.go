package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// RowColumn is a column of the rows that a function returning records makes, as the
// call's column definition list names it.
type RowColumn struct {
	Name   string
	Type   pgcat.OID
	Typmod int32
}

// valueOf reads a JSON value as a type (populate_record_field of the server).
func (e *Env) valueOf(j jsonItem, t pgcat.OID, typmod int32, name string) (any, *pgerr.Error) {
	if j.kind() == pgtype.JSONNull {
		return nil, nil
	}
	switch {
	case t == pgcat.JSON:
		if j.node != nil {
			return j.node.Text(j.source), nil
		}
		return j.value.String(), nil
	case t == pgcat.JSONB:
		if j.node == nil {
			return j.value, nil
		}
		return anyOf(e.parseJSONB(j.node.Text(j.source)))
	}
	if element := pgcat.Default().ElementOf(t); element != 0 && pgcat.Default().Type(t).TrueArray && j.kind() != pgtype.JSONString {
		return e.arrayOfJSON(j, element, typmod, name)
	}
	text, err := e.part(j, true)
	if err != nil {
		return nil, err
	}
	read, ok := InputOf(t)
	if !ok {
		return nil, noInput(t)
	}
	return read(e, text.(string), typmod)
}

// arrayOfJSON reads nested JSON arrays as an array.
func (e *Env) arrayOfJSON(j jsonItem, element pgcat.OID, typmod int32, name string) (any, *pgerr.Error) {
	b := &jsonArrayBuilder{e: e, element: element, typmod: typmod, name: name, values: vector.Make(element, 0)}
	if j.kind() != pgtype.JSONArray {
		return nil, b.expected(nil)
	}
	if err := b.add(j, 0, nil); err != nil {
		return nil, err
	}
	if b.values.Len == 0 {
		return &vector.Array{Element: element}, nil
	}
	a := &vector.Array{Element: element, Values: b.values}
	for _, n := range b.lengths {
		a.Dimensions = append(a.Dimensions, pgtype.Dimension{Lower: 1, Length: n})
	}
	return a, nil
}

type jsonArrayBuilder struct {
	e       *Env
	element pgcat.OID
	typmod  int32
	name    string
	lengths []int
	leaves  int // the depth of the elements, once known
	values  *vector.Column
}

// expected is the server's error of a value where an array is wanted.
func (b *jsonArrayBuilder) expected(at []int) *pgerr.Error {
	err := pgerr.New(pgerr.InvalidText, "expected JSON array")
	place := ""
	for _, i := range at {
		place += "[" + string(appendInt(nil, int64(i))) + "]"
	}
	switch {
	case b.name != "" && place != "":
		return err.WithHint("See the array element %s of key \"%s\".", place, b.name)
	case b.name != "":
		return err.WithHint("See the value of key \"%s\".", b.name)
	case place != "":
		return err.WithHint("See the array element %s.", place)
	}
	return err
}

func (b *jsonArrayBuilder) add(j jsonItem, depth int, at []int) *pgerr.Error {
	if depth >= 6 {
		return pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", depth+1, 6)
	}
	if depth == len(b.lengths) {
		b.lengths = append(b.lengths, j.len())
	} else if b.lengths[depth] != j.len() {
		return pgerr.New(pgerr.InvalidText, "malformed JSON array").
			WithDetail("Multidimensional arrays must have sub-arrays with matching dimensions.")
	}
	for i := range j.len() {
		item, place := j.item(i), append(at, i)
		nested := item.kind() == pgtype.JSONArray && (b.leaves == 0 || depth+1 < b.leaves) && b.element != pgcat.JSON && b.element != pgcat.JSONB
		if nested {
			if err := b.add(item, depth+1, place); err != nil {
				return err
			}
			continue
		}
		if b.leaves == 0 {
			b.leaves = depth + 1
		}
		if b.leaves != depth+1 {
			return b.expected(place)
		}
		v, err := b.e.valueOf(item, b.element, b.typmod, b.name)
		if err != nil {
			return err
		}
		if err := b.e.Alloc(24); err != nil {
			return err
		}
		b.values.AppendDatum(vector.Datum{Type: b.element, Value: v})
	}
	return nil
}

// rowOf reads the fields of an object as the columns of a row.
func (e *Env) rowOf(j jsonItem) ([]any, *pgerr.Error) {
	row := make([]any, len(e.RowColumns))
	for i, c := range e.RowColumns {
		item, found, err := j.field(c.Name)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		if row[i], err = e.valueOf(item, c.Type, c.Typmod, c.Name); err != nil {
			return nil, err
		}
	}
	return row, nil
}

func (e *Env) needColumns(name string) *pgerr.Error {
	if len(e.RowColumns) == 0 {
		return pgerr.New(pgerr.FeatureNotSupported, "could not determine row type for result of %s", name).
			WithHint("Provide a non-null record argument, or call the function in the FROM clause using a column definition list.")
	}
	return nil
}

func oneRecord(name string) SetKernel {
	return setOf(func(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
		if err := e.needColumns(name); err != nil {
			return err
		}
		j, err := e.jsonItem(args[0], true)
		if err != nil {
			return err
		}
		if j.kind() != pgtype.JSONObject {
			what := "a scalar"
			if j.kind() == pgtype.JSONArray {
				what = "an array"
			}
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on %s", name, what)
		}
		row, err := e.rowOf(j)
		if err != nil {
			return err
		}
		return out.add(e, row...)
	})
}

func recordSets(name string) SetKernel {
	return setOf(func(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
		if err := e.needColumns(name); err != nil {
			return err
		}
		j, err := e.jsonItem(args[0], true)
		if err != nil {
			return err
		}
		switch {
		case j.kind() == pgtype.JSONObject:
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on an object", name)
		case j.scalar():
			return pgerr.New(pgerr.InvalidParameter, "cannot call %s on a scalar", name)
		}
		for i := range j.len() {
			item := j.item(i)
			if item.kind() != pgtype.JSONObject {
				return pgerr.New(pgerr.InvalidParameter, "argument of %s must be an array of objects", name)
			}
			row, err := e.rowOf(item)
			if err != nil {
				return err
			}
			if err := out.add(e, row...); err != nil {
				return err
			}
		}
		return nil
	})
}
