package lisp

import (
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// view gives a settled value for the renderer. Values never change, so a view may
// be read at any time. Keywords show as their names, as everywhere at the edge.
func view(v data.Value) any {
	switch v.Kind() {
	case data.KindNil:
		return nil
	case data.KindBool:
		b, _ := v.Bool()
		return b
	case data.KindInt:
		n, _ := v.Int()
		return n
	case data.KindFloat:
		f, _ := v.Float()
		if f-f != 0 {
			return data.NumberText(data.Unmetered(), v, false)
		}
		return f
	case data.KindBig:
		n, _ := v.BigInt()
		return n
	case data.KindRatio:
		return data.NumberText(data.Unmetered(), v, true)
	case data.KindChar, data.KindString:
		return data.Str(data.Unmetered(), v)
	case data.KindKeyword, data.KindSymbol:
		return v.Named().Full()
	case data.KindMap:
		t := data.Unmetered()
		return &mapView{m: v.Map(), keys: v.Map().Keys(t), vals: v.Map().Vals(t)}
	case data.KindVector:
		return vectorView{v.Vector()}
	case data.KindSet:
		return &listView{v: v, items: v.Set().Elements(data.Unmetered())}
	case data.KindFn, data.KindNative:
		return held.Opaque(v.Unbox().(data.Boxed).Printed())
	}
	items, all := data.Known(v)
	if !all {
		return held.Opaque("#<a list of which " + counted(len(items), "element is", "elements are") + " computed>")
	}
	return &listView{v: v, items: items}
}

type vectorView struct{ v *data.Vector }

func (x vectorView) Len() int        { return x.v.Len() }
func (x vectorView) Index(i int) any { return view(x.v.At(i)) }
func (x vectorView) Identity() any   { return x.v }

type listView struct {
	v     data.Value
	items []data.Value
}

func (x *listView) Len() int        { return len(x.items) }
func (x *listView) Index(i int) any { return view(x.items[i]) }
func (x *listView) Identity() any   { return x.v }

type mapView struct {
	m    *data.Map
	keys []data.Value
	vals []data.Value
}

func (x *mapView) Len() int { return len(x.keys) }

func (x *mapView) Entry(i int) (string, any) {
	return keyName(x.keys[i]), view(x.vals[i])
}

func (x *mapView) Identity() any { return x.m }

// keyName is how a key of a map shows in JSON. A key that is no name shows as it is
// written, so that 1 and "1" are told apart only by their order.
func keyName(k data.Value) string {
	switch k.Kind() {
	case data.KindKeyword, data.KindSymbol:
		return k.Named().Full()
	case data.KindString:
		s, _ := k.Text()
		return s
	}
	return data.Brief(data.Unmetered(), k, 200)
}

var (
	_ elide.List = vectorView{}
	_ elide.List = (*listView)(nil)
	_ elide.Map  = (*mapView)(nil)
)
