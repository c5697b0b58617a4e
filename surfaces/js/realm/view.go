package realm

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
)

// View gives a value in the form that elide renders: plain Go values, and lazy
// views of containers, so that rendering reads no more than it prints. Of the
// program's code only getters run, and none inside [Realm.Glance]; toString is not
// called. A view reads the live value and must be rendered before the next program
// runs.
//
// undefined and null both become nil.
func (r *Realm) View(v goja.Value) any {
	switch x := v.(type) {
	case nil:
		return nil
	case goja.String:
		if x.Length() > 1000 {
			return longText{x}
		}
		return x.String()
	case *goja.Symbol:
		return opaque(symbolText(x))
	case *goja.Object:
		return r.viewObject(x)
	}
	switch {
	case goja.IsUndefined(v), goja.IsNull(v):
		return nil
	case goja.IsBigInt(v):
		return bigOf(v)
	case v == valueTrue:
		return true
	case v == valueFalse:
		return false
	}
	f := v.ToFloat()
	if i := int64(f); float64(i) == f && i > -maxSafe && i < maxSafe {
		return i
	}
	return f
}

// opaque is a value that is shown as text.
type opaque string

// Opaque gives the text.
func (o opaque) Opaque() string { return string(o) }

// longText is a string that is read as far as it is shown.
type longText struct{ s goja.String }

// Len is the length in UTF-16 units.
func (t longText) Len() int { return t.s.Length() }

// Prefix gives the first n code points.
func (t longText) Prefix(n int) string {
	i := 0
	for k := 0; k < n && i < t.s.Length(); k++ {
		i += pointWidth(t.s, i)
	}
	return t.s.Substring(0, i).String()
}

func (r *Realm) viewObject(o *goja.Object) any {
	switch objectKind(o) {
	case "array":
		return arrayView{r, o}
	case "set":
		return &lazyList{r: r, o: o, n: r.size(o)}
	case "map":
		return &lazyMap{list: lazyList{r: r, o: o, n: r.size(o)}}
	case "date":
		d := dynamic(o).(*date)
		if d.ms != d.ms {
			return "Invalid Date"
		}
		return isoText(d.ms)
	case "function":
		return opaque("[function " + r.plainName(o) + "]")
	case "class":
		return opaque("[class " + r.plainName(o) + "]")
	case "regexp":
		return opaque(dynamic(o).(*regexpObject).literal())
	case "promise":
		if p, ok := r.Promise(o); ok && p.State() == goja.PromiseStateFulfilled {
			return r.View(p.Result()) // what await would give
		}
		return opaque(r.promiseText(o))
	case "error":
		return opaque(r.errorLine(o))
	}
	switch o.ClassName() {
	case "String", "Number", "Boolean":
		return r.View(r.unwrap(o))
	}
	switch d := dynamic(o).(type) {
	case *statics:
		return opaque("[" + d.owner + "]")
	case *iterator:
		return opaque("[" + d.name + ": spread it into an array, [...it]]")
	}
	if name := engineIterator(o); name != "" {
		return opaque("[" + name + ": spread it into an array, [...it]]")
	}
	if t := o.ExportType(); t != nil && t.Implements(opaqueType) {
		return opaque(o.Export().(elide.Opaque).Opaque())
	}
	return &objectView{r: r, o: o}
}

// opaqueType is what a dynamic object of the host implements that has no readable
// content.
var opaqueType = reflect.TypeFor[elide.Opaque]()

// member is the view of a property. A getter runs, charged to the program like
// everything it does; one that fails is shown as that.
func (r *Realm) member(o *goja.Object, name string) any {
	if r.glancing {
		if shown := r.accessor(o, name); shown != "" {
			return opaque(shown)
		}
	}
	var v goja.Value
	err := r.quietly(func() { v = o.Get(name) })
	if err == nil {
		return r.View(v)
	}
	text := "its time or memory ran out"
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		if e, ok := thrown.Value().(*goja.Object); ok && objectKind(e) == "error" {
			text = r.errorLine(e)
		} else {
			text = "it threw"
		}
	}
	return opaque("[getter failed: " + text + "]")
}

// data reads a property that is the engine's or that only matters if it is data.
func (r *Realm) data(o *goja.Object, name string) goja.Value {
	var v goja.Value
	if ex := r.quietly(func() { v = o.Get(name) }); ex != nil {
		return nil
	}
	return v
}

// Data reads a property for the host: undefined where there is none, nil where a
// getter failed.
func (r *Realm) Data(o *goja.Object, name string) goja.Value { return r.data(o, name) }

// plainName is the name of a function, if it is text.
func (r *Realm) plainName(o *goja.Object) string {
	if s, ok := r.data(o, "name").(goja.String); ok && s.Length() > 0 {
		return clipName(clipString(s, 80))
	}
	return "(anonymous)"
}

// errorLine is "Name: message" of an error, bounded and without running code.
func (r *Realm) errorLine(o *goja.Object) string {
	part := func(name, other string) string {
		if s, ok := r.data(o, name).(goja.String); ok {
			return clipString(s, maxMessage)
		}
		return other
	}
	name, message := part("name", "Error"), part("message", "")
	switch {
	case message == "":
		return name
	case name == "":
		return message
	}
	return name + ": " + message
}

func (r *Realm) promiseText(o *goja.Object) string {
	if p, ok := r.Promise(o); ok && p.State() == goja.PromiseStatePending {
		return "[pending promise]"
	}
	return "[promise: await it]"
}

// arrayView reads an array as far as it is shown.
type arrayView struct {
	r *Realm
	o *goja.Object
}

// Len is the length.
func (v arrayView) Len() int { return length(v.o) }

// Index is one element.
func (v arrayView) Index(i int) any { return v.r.member(v.o, strconv.Itoa(i)) }

// Identity is the array.
func (v arrayView) Identity() any { return v.o }

// objectView reads an object as far as it is shown.
type objectView struct {
	r    *Realm
	o    *goja.Object
	keys []string
	read bool
}

func (v *objectView) names() []string {
	if !v.read {
		v.read = true
		v.keys = v.r.OwnKeys(v.o, maxArray)
	}
	return v.keys
}

// Len is the number of own enumerable properties.
func (v *objectView) Len() int { return len(v.names()) }

// Entry is one property.
func (v *objectView) Entry(i int) (string, any) {
	key := v.names()[i]
	return key, v.r.member(v.o, key)
}

// Identity is the object.
func (v *objectView) Identity() any { return v.o }

// lazyList reads the elements of a set, or the entries of a map, in order.
type lazyList struct {
	r    *Realm
	o    *goja.Object
	n    int
	step func() (goja.Value, bool)
	seen []goja.Value
}

// Len is the size.
func (v *lazyList) Len() int { return v.n }

// Identity is the set or map.
func (v *lazyList) Identity() any { return v.o }

// Index is one element.
func (v *lazyList) Index(i int) any { return v.r.View(v.at(i)) }

// at reads on until the i-th element.
func (v *lazyList) at(i int) goja.Value {
	if v.step == nil {
		v.step = v.r.stepper(v.o)
	}
	for len(v.seen) <= i {
		e, ok := v.step()
		if !ok {
			return goja.Undefined()
		}
		v.seen = append(v.seen, e)
	}
	return v.seen[i]
}

// stepper gives the elements of a set or the entries of a map one by one.
func (r *Realm) stepper(o *goja.Object) func() (goja.Value, bool) {
	p, name := setProto, "values"
	if isMap(o) {
		p, name = mapProto, "entries"
	}
	var it *goja.Object
	var next native
	return func() (v goja.Value, ok bool) {
		_ = r.quietly(func() {
			if it == nil {
				it = r.engineOf(p, name)(call{This: o}).(*goja.Object)
				next = exported(it.Get("next"))
			}
			res := next(call{This: it}).(*goja.Object)
			if ok = !res.Get("done").ToBoolean(); ok {
				v = res.Get("value")
			}
		})
		return v, ok
	}
}

// lazyMap is a map as an object.
type lazyMap struct{ list lazyList }

// Len is the size.
func (v *lazyMap) Len() int { return v.list.n }

// Identity is the map.
func (v *lazyMap) Identity() any { return v.list.o }

// Entry is one entry.
func (v *lazyMap) Entry(i int) (string, any) {
	e, ok := v.list.at(i).(*goja.Object)
	if !ok {
		return "", nil
	}
	return v.list.r.keyText(e.Get("0")), v.list.r.View(e.Get("1"))
}

// keyText shows a map's key.
func (r *Realm) keyText(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		switch x := r.viewObject(o).(type) {
		case elide.Opaque:
			return x.Opaque()
		case string:
			return x
		}
		return "[" + objectKind(o) + "]"
	}
	if s, ok := v.(goja.String); ok {
		return clipString(s, 1000)
	}
	if v == nil {
		return "undefined"
	}
	return v.String()
}

// Own reports an own property of an object.
func (r *Realm) Own(o *goja.Object, name string) bool {
	found := false
	_ = r.quietly(func() { found = r.own(o, name) })
	return found
}

// OwnKeys lists up to most own enumerable string keys of an object, in order. It
// runs no code of the program.
func (r *Realm) OwnKeys(o *goja.Object, most int) []string {
	var list []string
	_ = r.quietly(func() { list = o.Keys() })
	return list[:min(len(list), most)]
}

// Length is the number of elements of an array, a set or a map, of units of a
// string, and of own keys of an object.
func (r *Realm) Length(v goja.Value) int {
	switch x := v.(type) {
	case goja.String:
		return x.Length()
	case *goja.Object:
		switch objectKind(x) {
		case "array":
			return length(x)
		case "map", "set":
			return r.size(x)
		}
		return len(r.OwnKeys(x, maxArray))
	}
	return 0
}

// Size estimates how many bytes a value keeps alive, and stops counting past
// most. It runs no code of the program.
func (r *Realm) Size(v goja.Value, most int64) int64 {
	s := sizer{r: r, left: most, seen: map[*goja.Object]bool{}}
	s.push(v)
	for len(s.todo) > 0 && s.left > 0 {
		o := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.object(o)
	}
	return most - s.left
}

type sizer struct {
	r    *Realm
	left int64
	seen map[*goja.Object]bool
	todo []*goja.Object
}

func (s *sizer) push(v goja.Value) {
	switch x := v.(type) {
	case nil:
	case goja.String:
		s.left -= int64(x.Length()) + stringBytes
	case *goja.Object:
		if !s.seen[x] {
			s.seen[x] = true
			s.todo = append(s.todo, x)
		}
	default:
		s.left -= numberBytes
	}
}

func (s *sizer) object(o *goja.Object) {
	switch objectKind(o) {
	case "array":
		n := length(o)
		s.left -= arrayBytes + int64(n)*elemBytes
		for i := 0; i < n && s.left > 0; i++ {
			s.push(s.r.data(o, strconv.Itoa(i)))
		}
	case "set", "map":
		n := s.r.size(o)
		s.left -= objectBytes + int64(n)*entryBytes
		next := s.r.stepper(o)
		for i := 0; i < n && s.left > 0; i++ {
			v, ok := next()
			if !ok {
				break
			}
			if e, isEntry := v.(*goja.Object); isEntry && isMap(o) {
				s.push(e.Get("0"))
				s.push(e.Get("1"))
			} else {
				s.push(v)
			}
		}
	case "function", "class":
		s.left -= funcBytes
	case "regexp":
		s.left -= objectBytes + dynamic(o).(*regexpObject).program.Bytes()
	case "error":
		s.left -= errorBytes
		s.push(s.r.data(o, "message"))
		s.push(s.r.data(o, "cause"))
	case "promise":
		s.left -= promiseBytes
		if p, ok := s.r.Promise(o); ok {
			s.push(p.Result())
		}
	default:
		keys := s.r.OwnKeys(o, maxArray)
		s.left -= objectBytes + int64(len(keys))*propBytes
		for _, key := range keys {
			if s.left <= 0 {
				return
			}
			if s.r.accessor(o, key) == "" {
				s.push(s.r.data(o, key))
			}
		}
	}
}
