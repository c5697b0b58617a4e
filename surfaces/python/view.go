package python

import (
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// view gives a value in the form that elide renders: plain Go values, and lazy
// views of containers, so that rendering reads no more than it prints. live says
// that the program's own __repr__ may run, charged to the program; without it no
// code of the program runs.
func (s *session) view(v pyValue, live bool) any {
	return viewer{s.machine.T, live}.view(v)
}

type viewer struct {
	t    *thread
	live bool
}

func (w viewer) view(v pyValue) any {
	switch v.Kind() {
	case object.KindUnset, object.KindNone:
		return nil
	case object.KindBool:
		b, _ := v.Bool()
		return b
	case object.KindInt:
		n, _ := v.Int()
		return n
	case object.KindBig:
		n, _ := object.BigOf(v)
		return n
	case object.KindFloat:
		f, _ := v.Float()
		return floatView(f)
	case object.KindStr:
		str, _ := v.Str()
		return textView(str)
	case object.KindList:
		l, _ := v.List()
		return listView{w, l}
	case object.KindTuple:
		u, _ := v.Tuple()
		return itemsView{w, u.Items(), u}
	case object.KindSet, object.KindFrozenSet:
		set, _ := v.Set()
		return itemsView{w, set.Members(), set}
	case object.KindDict:
		d, _ := v.Dict()
		return w.dict(d)
	}
	return w.other(v)
}

// floatView gives a float as repr writes it: a whole number keeps its point.
func floatView(f float64) any {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return held.Opaque(floatText(f))
	case f == math.Trunc(f):
		return json.Number(floatText(f))
	}
	return f
}

// mostText is the length in bytes up to which a text is passed on whole.
const mostText = 4000

func textView(s *object.Str) any {
	if len(s.String()) > mostText {
		return longText{s}
	}
	return cleanText(s.String())
}

// cleanText replaces halves of surrogate pairs, which no other text can hold.
func cleanText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// longText is a string that is read as far as it is shown.
type longText struct{ s *object.Str }

// Len is the length in code points.
func (t longText) Len() int { return t.s.Len() }

// Prefix gives the first n code points.
func (t longText) Prefix(n int) string {
	text := t.s.String()
	for i := range text {
		if n--; n < 0 {
			return cleanText(text[:i])
		}
	}
	return cleanText(text)
}

type listView struct {
	viewer
	l *object.List
}

func (v listView) Len() int        { return v.l.Len() }
func (v listView) Index(i int) any { return v.view(v.l.Items()[i]) }
func (v listView) Identity() any   { return v.l }

// itemsView is a sequence of values that does not change.
type itemsView struct {
	viewer
	items []pyValue
	of    any // whose items they are
}

func (v itemsView) Len() int        { return len(v.items) }
func (v itemsView) Index(i int) any { return v.view(v.items[i]) }
func (v itemsView) Identity() any   { return v.of }

// dictView shows a dict. Keys that are no text are shown as repr writes them.
type dictView struct {
	viewer
	d  *object.Dict
	at []int32 // the positions that have a key, nil if all have
}

func (w viewer) dict(d *object.Dict) any {
	v := dictView{viewer: w, d: d}
	if d.Room() != d.Len() {
		v.at = make([]int32, 0, d.Len())
		for i := range d.Room() {
			if k, _ := d.Entry(i); k.IsSet() {
				v.at = append(v.at, int32(i))
			}
		}
	}
	return v
}

func (v dictView) Len() int { return v.d.Len() }

func (v dictView) Entry(i int) (string, any) {
	if v.at != nil {
		i = int(v.at[i])
	}
	k, e := v.d.Entry(i)
	return v.key(k), v.view(e)
}

func (v dictView) Identity() any { return v.d }

// key spells a key.
func (w viewer) key(k pyValue) string {
	if s, ok := k.Str(); ok {
		return cleanText(s.String())
	}
	return cleanText(w.text(k, 0))
}

// other views what has no form of its own in data.
func (w viewer) other(v pyValue) any {
	if p, ok := v.Native().(*placeholder); ok {
		return held.Opaque(p.p.Opaque())
	}
	if i, ok := v.Instance(); ok {
		return w.instance(v, i)
	}
	if items, ok := w.dictItems(v); ok {
		return itemsView{w, items, v.Native()}
	}
	return held.Opaque(w.text(v, 0))
}

// dictItems gives the members of d.keys(), d.values() and d.items().
func (w viewer) dictItems(v pyValue) ([]pyValue, bool) {
	if !w.live || !strings.HasPrefix(v.Class().Name, "dict_") || !strings.HasSuffix(v.Class().Name, "s") {
		return nil, false
	}
	items, x := w.t.Items(v)
	return items, x == nil
}

// instance views an instance of a program's class, or of a subclass of a built-in
// one: by its own __repr__ if it has one that may run, else by what it holds.
func (w viewer) instance(v pyValue, i *object.Instance) any {
	base := v.Base()
	switch {
	case w.live && (i.Cls.Defines("__repr__") || i.Cls.Defines("__str__")):
		return held.Opaque(w.text(v, 0))
	case base != v && plainBase(base):
		return w.view(base)
	case base == v && i.Cls.Heap:
		if i.Attrs == nil {
			return held.Opaque("<" + i.Cls.ShortName() + " object>")
		}
		return w.dict(i.Attrs)
	}
	return held.Opaque(w.text(v, 0))
}

// plainBase reports whether what an instance is built on has a form in data.
func plainBase(v pyValue) bool {
	switch v.Kind() {
	case object.KindNative, object.KindInstance, object.KindBytes:
		return false
	}
	return true
}

// longestRepr bounds the text of a value without a form in data.
const longestRepr = 2000

// text is a value as repr writes it where no code of the program is involved or
// may run, else a word for it.
func (w viewer) text(v pyValue, depth int) string {
	switch v.Kind() {
	case object.KindFunction:
		f, _ := v.Function()
		return "<function " + f.Qual + ">"
	case object.KindBuiltin:
		b, _ := v.Builtin()
		return "<function " + b.Name + ">"
	case object.KindMethod:
		return "<method>"
	case object.KindException, object.KindInstance, object.KindNative, object.KindTuple, object.KindFrozenSet:
		if !w.live && !calm(v, depth) {
			return "<" + v.Class().ShortName() + " object>"
		}
	}
	switch n := v.Class().Name; n {
	case "generator", "map", "filter", "zip", "enumerate", "reversed":
		return "<" + n + " object: list(…) reads it>"
	case "coroutine":
		return "<coroutine object: await runs it>"
	}
	text, x := w.t.Repr(v)
	if x != nil {
		return "<" + v.Class().ShortName() + " object: its repr failed>"
	}
	return sandbox.Clip(text, longestRepr)
}

// calm reports whether the repr of a value runs none of the program's code.
func calm(v pyValue, depth int) bool {
	switch v.Kind() {
	case object.KindInstance, object.KindNative, object.KindException, object.KindList, object.KindDict:
		return false
	case object.KindTuple:
		u, _ := v.Tuple()
		if depth > 4 || len(u.Items()) > 16 {
			return false
		}
		for _, e := range u.Items() {
			if !calm(e, depth+1) {
				return false
			}
		}
	case object.KindFrozenSet:
		return false
	}
	return true
}
