package python

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn/value"
)

type (
	pyValue   = object.Value
	exception = object.Exception
	thread    = object.Thread
)

// refusal says why a value is no plain data.
type refusal struct {
	where string // the path to it: ["rows"][2]
	what  string // what it is: a function, a set with …
	hint  string
}

// exporter turns values into plain data: what crosses to a tool or to another
// language. It runs none of the program's code.
type exporter struct {
	t    *thread
	path []string
}

// export gives the plain data of a value. Of the results one is set: the data, why
// there is none, or a limit.
func (s *session) export(v pyValue) (value.Value, *refusal, *exception) {
	e := &exporter{t: s.machine.T}
	out, r, x := e.value(v)
	if r != nil {
		r.where = strings.Join(e.path, "")
	}
	return out, r, x
}

func (e *exporter) value(v pyValue) (value.Value, *refusal, *exception) {
	if x := e.t.Charge(1); x != nil {
		return nil, nil, x
	}
	if x := e.t.Alloc(32); x != nil {
		return nil, nil, x
	}
	if len(e.path) > value.MaxDepth {
		e.path = e.path[:3]
		return nil, &refusal{what: "nested too deep, or contains itself"}, nil
	}
	v = v.Base()
	switch v.Kind() {
	case object.KindNone:
		return nil, nil, nil
	case object.KindBool:
		b, _ := v.Bool()
		return b, nil, nil
	case object.KindInt:
		n, _ := v.Int()
		return n, nil, nil
	case object.KindBig:
		n, _ := object.BigOf(v)
		return new(big.Int).Set(n), nil, e.t.Alloc(n.BitLen() / 8)
	case object.KindFloat:
		f, _ := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, &refusal{what: floatText(f), hint: "Plain data has no such number; pass None or text."}, nil
		}
		return f, nil, nil
	case object.KindStr:
		str, _ := v.Str()
		if !utf8.ValidString(str.String()) {
			return nil, &refusal{what: "a string with half of a surrogate pair", hint: "Drop it with s.encode('utf-8', 'ignore').decode()."}, nil
		}
		return str.String(), nil, nil
	case object.KindList, object.KindTuple:
		return e.list(v)
	case object.KindSet, object.KindFrozenSet:
		set, _ := object.SetOf(v)
		return e.items(set.Members())
	case object.KindDict:
		return e.dict(v)
	case object.KindRange:
		return e.rangeOf(v)
	}
	return e.other(v)
}

func (e *exporter) list(v pyValue) (value.Value, *refusal, *exception) {
	if l, ok := v.List(); ok {
		return e.items(l.Items())
	}
	u, _ := v.Tuple()
	return e.items(u.Items())
}

func (e *exporter) items(items []pyValue) (value.Value, *refusal, *exception) {
	if x := e.t.Alloc(24 + 16*len(items)); x != nil {
		return nil, nil, x
	}
	out := make([]value.Value, 0, len(items))
	e.path = append(e.path, "")
	at := len(e.path) - 1
	for i, item := range items {
		d, r, x := e.value(item)
		if r != nil {
			e.path[at] = "[" + strconv.Itoa(i) + "]"
		}
		if r != nil || x != nil {
			return nil, r, x
		}
		out = append(out, d)
	}
	e.path = e.path[:at]
	return out, nil, nil
}

func (e *exporter) dict(v pyValue) (value.Value, *refusal, *exception) {
	d, _ := object.DictOf(v)
	if x := e.t.Alloc(64 + 48*d.Len()); x != nil {
		return nil, nil, x
	}
	out := value.NewObject(d.Len())
	e.path = append(e.path, "")
	at := len(e.path) - 1
	for i := range d.Room() {
		k, item := d.Entry(i)
		if !k.IsSet() {
			continue
		}
		key, ok := object.StrOf(k)
		if !ok || !utf8.ValidString(key.String()) {
			e.path = e.path[:at]
			return nil, &refusal{what: "a dict with the key " + e.shown(k), hint: "Only text can be a key there: use str(key)."}, nil
		}
		d, r, x := e.value(item)
		if r != nil {
			e.path[at] = "[" + quote(key.String()) + "]"
		}
		if r != nil || x != nil {
			return nil, r, x
		}
		out.Set(key.String(), d)
	}
	e.path = e.path[:at]
	return out, nil, nil
}

func (e *exporter) rangeOf(v pyValue) (value.Value, *refusal, *exception) {
	r, _ := v.Range()
	if x := e.t.Alloc(int(min(16*r.Len(), math.MaxInt32))); x != nil {
		return nil, nil, x
	}
	out := make([]value.Value, r.Len())
	for i := range out {
		out[i] = r.At(int64(i))
	}
	return out, nil, nil
}

// shown is a short text of a value that is no container.
func (e *exporter) shown(v pyValue) string {
	switch v.Kind() {
	case object.KindNone, object.KindBool, object.KindInt, object.KindFloat, object.KindStr, object.KindBytes:
		if text, x := e.t.Repr(v); x == nil {
			return sandbox.Clip(text, 60)
		}
	}
	return withArticle(v.Class().Name)
}

// other refuses what is no plain data, with what to pass instead.
func (e *exporter) other(v pyValue) (value.Value, *refusal, *exception) {
	if p, ok := v.Native().(*placeholder); ok {
		return nil, nil, p.refuse(e.t)
	}
	r := &refusal{what: withArticle(v.Class().Name)}
	switch name := v.Class().Name; {
	case v.Kind() == object.KindFunction || v.Kind() == object.KindBuiltin || v.Kind() == object.KindMethod:
		r.what = "a function"
		r.hint = "Call it and pass the result."
	case v.Kind() == object.KindClass:
		r.what = "a class"
	case v.Kind() == object.KindModule:
		r.what = "a module"
	case v.Kind() == object.KindBytes:
		r.hint = "Pass text: data.decode()."
	case v.Kind() == object.KindInstance:
		r.hint = "Pass its fields in a dict."
	case name == "Decimal" || name == "Fraction":
		r.hint = "Pass float(x) or str(x)."
	case name == "datetime" || name == "date" || name == "time":
		r.hint = "Pass text: x.isoformat()."
	case name == "generator" || name == "map" || name == "filter" || name == "zip" || strings.HasPrefix(name, "dict_"):
		r.hint = "Pass list(…) of it."
	case name == "coroutine":
		r.hint = "Write await before the call."
	}
	return nil, r, nil
}

// text tells of a refused part of something.
func (r *refusal) text(of string) string {
	if r.where == "" {
		return fmt.Sprintf("%s is %s, which is no plain data", of, r.what)
	}
	return fmt.Sprintf("%s%s is %s, which is no plain data", of, r.where, r.what)
}

func withArticle(noun string) string {
	if noun != "" && strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// importer makes values of plain data.
type importer struct {
	t *thread
	// names are the keys of the rows of each shape.
	names map[*value.Keys][]pyValue
}

// plainIn gives the value of plain data. Rows get a guard if there is one.
func (s *session) plainIn(v value.Value, r *rows) (pyValue, *exception) {
	i := importer{t: s.machine.T}
	return i.value(v, r)
}

func (i *importer) value(v value.Value, r *rows) (pyValue, *exception) {
	if x := i.t.Charge(1); x != nil {
		return pyValue{}, x
	}
	switch v := v.(type) {
	case nil:
		return object.None, nil
	case bool:
		return object.Bool(v), nil
	case int64:
		return object.Int(v), nil
	case int:
		return object.Int(int64(v)), nil
	case *big.Int:
		return object.Big(new(big.Int).Set(v)), i.t.Alloc(48 + v.BitLen()/8)
	case float64:
		return object.Float(v), nil
	case json.Number:
		f, _ := strconv.ParseFloat(string(v), 64)
		return object.Float(f), nil
	case string:
		return i.t.Text(v)
	case []value.Value:
		return i.list(v, r)
	case *value.Object:
		return i.object(v, r)
	case *dispatch.Placeholder:
		return object.None, nil // never inside of data
	}
	return object.None, nil
}

func (i *importer) list(v []value.Value, r *rows) (pyValue, *exception) {
	if x := i.t.Alloc(56 + 16*len(v)); x != nil {
		return pyValue{}, x
	}
	items := make([]pyValue, len(v))
	list := object.NewList(items)
	at := i.t.Pin(list)
	defer i.t.Unpin(at)
	for k, e := range v {
		p, x := i.value(e, r)
		if x != nil {
			return pyValue{}, x
		}
		items[k] = p
	}
	return list, nil
}

func (i *importer) object(o *value.Object, r *rows) (pyValue, *exception) {
	d, x := i.t.Dict(o.Len())
	if x != nil {
		return pyValue{}, x
	}
	at := i.t.Pin(d.Value())
	defer i.t.Unpin(at)
	if r != nil {
		r.learn(o.Keys())
		d.Guard = r
	}
	names, x := i.keyed(o)
	if x != nil {
		return pyValue{}, x
	}
	for k := range o.Len() {
		v, x := i.value(o.At(k), r.member(o.Key(k), o.At(k)))
		if x != nil {
			return pyValue{}, x
		}
		if x := d.Set(i.t, names[k], v); x != nil {
			return pyValue{}, x
		}
	}
	return d.Value(), nil
}

// mostShapes bounds the shapes whose keys are shared within one result.
const mostShapes = 256

// keyed gives the keys of an object as values: rows of one shape share them.
func (i *importer) keyed(o *value.Object) ([]pyValue, *exception) {
	keys := o.Keys()
	if names, ok := i.names[keys]; ok {
		return names, nil
	}
	names := make([]pyValue, keys.Len())
	for k := range names {
		v, x := i.t.Text(keys.At(k))
		if x != nil {
			return nil, x
		}
		names[k] = v
	}
	if i.names == nil {
		i.names = map[*value.Keys][]pyValue{}
	}
	if len(i.names) < mostShapes {
		i.names[keys] = names
	}
	return names, nil
}
