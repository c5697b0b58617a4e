package fn

import (
	"math"
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// change is what is done at the end of a path.
type change uint8

const (
	changeReplace change = iota // an existing value
	changeCreate                // or a new one
	changeInsertBefore
	changeInsertAfter
	changeDelete
)

func (c change) inserts() bool { return c == changeInsertBefore || c == changeInsertAfter }
func (c change) creates() bool { return c == changeCreate || c.inserts() }

// pathChange is a change of a value along a path (setPath of the server).
type pathChange struct {
	path  []vector.Datum
	value *pgtype.JSONB
	what  change
}

func newPathChange(path vector.Datum, value *pgtype.JSONB, what change) (*pathChange, *pgerr.Error) {
	a := path.Value.(*vector.Array)
	if len(a.Dimensions) > 1 {
		return nil, errSubscript
	}
	p := &pathChange{value: value, what: what}
	for i := range a.Len() {
		p.path = append(p.path, a.At(i))
	}
	return p, nil
}

func (p *pathChange) apply(v *pgtype.JSONB, level int) (*pgtype.JSONB, *pgerr.Error) {
	if p.path[level].Null() {
		return nil, pgerr.New(pgerr.NullNotAllowed, "path element at position %d is null", level+1)
	}
	if v.Scalar() {
		return v, nil
	}
	if v.Kind == pgtype.JSONObject {
		return p.applyObject(v, level)
	}
	return p.applyArray(v, level)
}

func (p *pathChange) applyObject(v *pgtype.JSONB, level int) (*pgtype.JSONB, *pgerr.Error) {
	key, last := p.path[level].Value.(string), level == len(p.path)-1
	i, found := v.Find(key)
	if !found {
		if !last || !p.what.creates() {
			return v, nil
		}
		return pgtype.JSONBFromPairs(append(slices.Clone(v.Keys), key), append(slices.Clone(v.Items), p.value)), nil
	}
	if !last {
		item, err := p.apply(v.Items[i], level+1)
		if err != nil {
			return nil, err
		}
		items := slices.Clone(v.Items)
		items[i] = item
		return pgtype.JSONBFromPairs(slices.Clone(v.Keys), items), nil
	}
	switch {
	case p.what.inserts():
		return nil, pgerr.New(pgerr.InvalidParameter, "cannot replace existing key").
			WithHint("Try using the function jsonb_set to replace key value.")
	case p.what == changeDelete:
		return pgtype.JSONBFromPairs(slices.Delete(slices.Clone(v.Keys), i, i+1), slices.Delete(slices.Clone(v.Items), i, i+1)), nil
	}
	items := slices.Clone(v.Items)
	items[i] = p.value
	return pgtype.JSONBFromPairs(slices.Clone(v.Keys), items), nil
}

func (p *pathChange) applyArray(v *pgtype.JSONB, level int) (*pgtype.JSONB, *pgerr.Error) {
	step := p.path[level].Value.(string)
	index, ok := pathIndex(step)
	if !ok {
		return nil, pgerr.New(pgerr.InvalidText, "path element at position %d is not an integer: \"%s\"", level+1, step)
	}
	n, last := int64(len(v.Items)), level == len(p.path)-1
	if index < 0 {
		if -index > n {
			index = math.MinInt32
		} else {
			index += n
		}
	}
	index = min(index, n)
	if (index < 0 || n == 0 || index == n) && last && p.what.creates() {
		if index < 0 {
			index = 0
		}
		return pgtype.JSONBFromItems(slices.Insert(slices.Clone(v.Items), int(index), p.value)), nil
	}
	if index < 0 || index >= n {
		return v, nil
	}
	items := slices.Clone(v.Items)
	i := int(index)
	switch {
	case !last:
		item, err := p.apply(items[i], level+1)
		if err != nil {
			return nil, err
		}
		items[i] = item
	case p.what == changeDelete:
		items = slices.Delete(items, i, i+1)
	case p.what == changeInsertBefore:
		items = slices.Insert(items, i, p.value)
	case p.what == changeInsertAfter:
		items = slices.Insert(items, i+1, p.value)
	default:
		items[i] = p.value
	}
	return pgtype.JSONBFromItems(items), nil
}

func (e *Env) changeJSONB(v *pgtype.JSONB, path vector.Datum, value *pgtype.JSONB, what change) (any, *pgerr.Error) {
	p, err := newPathChange(path, value, what)
	switch {
	case err != nil:
		return nil, err
	case v.Scalar() && what == changeDelete:
		return nil, pgerr.New(pgerr.InvalidParameter, "cannot delete path in scalar")
	case v.Scalar():
		return nil, pgerr.New(pgerr.InvalidParameter, "cannot set path in scalar")
	case len(v.Items) == 0 && !what.creates(), len(p.path) == 0:
		return v, nil
	}
	if err := e.Alloc(v.Size() + 256); err != nil {
		return nil, err
	}
	return anyOf(p.apply(v, 0))
}

// jsonbSet replaces the value at a path, or adds one.
func jsonbSet(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	what := changeReplace
	if args[3].Value.(bool) {
		what = changeCreate
	}
	return e.changeJSONB(args[0].Value.(*pgtype.JSONB), args[1], args[2].Value.(*pgtype.JSONB), what)
}

func jsonbInsert(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	what := changeInsertBefore
	if args[3].Value.(bool) {
		what = changeInsertAfter
	}
	return e.changeJSONB(args[0].Value.(*pgtype.JSONB), args[1], args[2].Value.(*pgtype.JSONB), what)
}

// jsonbSetLax is not strict: what a NULL value does is its last argument.
func jsonbSetLax(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() || args[1].Null() || args[3].Null() {
		return nil, nil
	}
	if args[4].Null() {
		return nil, pgerr.New(pgerr.InvalidParameter, "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")
	}
	if !args[2].Null() {
		return jsonbSet(e, args[:4], out)
	}
	switch args[4].Value.(string) {
	case "raise_exception":
		return nil, pgerr.New(pgerr.NullNotAllowed, "JSON value must not be null").
			WithDetail("Exception was raised because null_value_treatment is \"raise_exception\".").
			WithHint("To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.")
	case "use_json_null":
		args[2].Value = pgtype.JSONBNull
		return jsonbSet(e, args[:4], out)
	case "delete_key":
		return e.changeJSONB(args[0].Value.(*pgtype.JSONB), args[1], nil, changeDelete)
	case "return_target":
		return args[0].Value, nil
	}
	return nil, pgerr.New(pgerr.InvalidParameter, "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")
}

var errDeleteScalar = pgerr.New(pgerr.InvalidParameter, "cannot delete from scalar")

// without drops the fields or string elements for which a test holds.
func without(v *pgtype.JSONB, drop func(key string) bool) *pgtype.JSONB {
	var keys []string
	var items []*pgtype.JSONB
	for i, item := range v.Items {
		if v.Kind == pgtype.JSONObject {
			if drop(v.Keys[i]) {
				continue
			}
			keys = append(keys, v.Keys[i])
		} else if item.Kind == pgtype.JSONString && drop(item.Text) {
			continue
		}
		items = append(items, item)
	}
	if v.Kind == pgtype.JSONObject {
		return pgtype.JSONBFromPairs(keys, items)
	}
	return pgtype.JSONBFromItems(items)
}

func deleteKey(e *Env, v any, key string) (any, *pgerr.Error) {
	j := v.(*pgtype.JSONB)
	if j.Scalar() {
		return nil, errDeleteScalar
	}
	if err := e.Alloc(j.Size()); err != nil {
		return nil, err
	}
	return without(j, func(k string) bool { return k == key }), nil
}

func deleteKeys(e *Env, v, keys any) (any, *pgerr.Error) {
	j, a := v.(*pgtype.JSONB), keys.(*vector.Array)
	if len(a.Dimensions) > 1 {
		return nil, errSubscript
	}
	if j.Scalar() {
		return nil, errDeleteScalar
	}
	if len(j.Items) == 0 {
		return j, nil
	}
	if err := e.Alloc(j.Size()); err != nil {
		return nil, err
	}
	drop := map[string]bool{}
	for i := range a.Len() {
		if d := a.At(i); !d.Null() {
			drop[d.Value.(string)] = true
		}
	}
	return without(j, func(k string) bool { return drop[k] }), nil
}

func deleteElement(e *Env, v any, index int64) (any, *pgerr.Error) {
	j := v.(*pgtype.JSONB)
	switch {
	case j.Scalar():
		return nil, errDeleteScalar
	case j.Kind == pgtype.JSONObject:
		return nil, pgerr.New(pgerr.InvalidParameter, "cannot delete from object using integer index")
	}
	if index < 0 {
		index += int64(len(j.Items))
	}
	if index < 0 || index >= int64(len(j.Items)) {
		return j, nil
	}
	if err := e.Alloc(j.Size()); err != nil {
		return nil, err
	}
	return pgtype.JSONBFromItems(slices.Delete(slices.Clone(j.Items), int(index), int(index)+1)), nil
}

// itemsOf gives the elements that a value brings into a concatenation.
func itemsOf(v *pgtype.JSONB) []*pgtype.JSONB {
	if v.Kind == pgtype.JSONArray {
		return v.Items
	}
	return []*pgtype.JSONB{v}
}

func concatJSONB(e *Env, a, b any) (any, *pgerr.Error) {
	v, w := a.(*pgtype.JSONB), b.(*pgtype.JSONB)
	if err := e.Alloc(v.Size() + w.Size()); err != nil {
		return nil, err
	}
	if v.Kind == pgtype.JSONObject && w.Kind == pgtype.JSONObject {
		return pgtype.JSONBFromPairs(slices.Concat(v.Keys, w.Keys), slices.Concat(v.Items, w.Items)), nil
	}
	return pgtype.JSONBFromItems(slices.Concat(itemsOf(v), itemsOf(w))), nil
}

func stripJSONB(v *pgtype.JSONB) *pgtype.JSONB {
	if v.Scalar() {
		return v
	}
	var keys []string
	items := make([]*pgtype.JSONB, 0, len(v.Items))
	for i, item := range v.Items {
		if v.Kind == pgtype.JSONObject {
			if item.Kind == pgtype.JSONNull {
				continue
			}
			keys = append(keys, v.Keys[i])
		}
		items = append(items, stripJSONB(item))
	}
	if v.Kind == pgtype.JSONObject {
		return pgtype.JSONBFromPairs(keys, items)
	}
	return pgtype.JSONBFromItems(items)
}

// changingKernels make new jsonb values of old ones.
func changingKernels() map[string]Kernel {
	return map[string]Kernel{
		"jsonb_set": Rowwise(jsonbSet), "jsonb_insert": Rowwise(jsonbInsert), "jsonb_set_lax": Rowwise(jsonbSetLax),
		"jsonb_concat": Binary(concatJSONB), "jsonb_delete": Binary(deleteKey), "jsonb_delete_array": Binary(deleteKeys),
		"jsonb_delete_idx": Binary(deleteElement),
		"jsonb_delete_path": Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			return e.changeJSONB(args[0].Value.(*pgtype.JSONB), args[1], nil, changeDelete)
		}),
		"jsonb_strip_nulls": Unary(func(e *Env, v any) (any, *pgerr.Error) {
			j := v.(*pgtype.JSONB)
			if err := e.Alloc(j.Size()); err != nil {
				return nil, err
			}
			return stripJSONB(j), nil
		}),
	}
}
