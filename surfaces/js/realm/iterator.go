package realm

import (
	"github.com/dop251/goja"
)

// iterator is an iterator over an array or a string. The engine's own make an
// object a step; a loop over one of these makes none.
type iterator struct {
	r *Realm
	// advance gives the next value, and false at the end.
	advance func() (goja.Value, bool)
	name    string
	step    stepResult
	result  *goja.Object
	extra   expando
}

var _ goja.DynamicObject = (*iterator)(nil)

// stepResult is what next gives, as long as no program has named next: then only
// the engine sees it, which reads it at once.
type stepResult struct {
	value goja.Value
	done  bool
}

// The properties of a result.
func (s *stepResult) Get(key string) goja.Value {
	switch key {
	case "value":
		return s.value
	case "done":
		return boolean(s.done)
	}
	return nil
}
func (s *stepResult) Set(string, goja.Value) bool { return false }
func (s *stepResult) Has(key string) bool         { return key == "value" || key == "done" }
func (s *stepResult) Delete(string) bool          { return false }
func (s *stepResult) Keys() []string              { return []string{"value", "done"} }

// Get gives next; everything else is inherited.
func (it *iterator) Get(key string) goja.Value {
	if key == "next" {
		return it.r.step
	}
	return it.extra.Get(key)
}

// Set adds a property.
func (it *iterator) Set(key string, v goja.Value) bool { return it.extra.Set(key, v) }

// Has reports a property.
func (it *iterator) Has(key string) bool { return it.extra.Has(key) }

// Delete removes a property.
func (it *iterator) Delete(key string) bool { return it.extra.Delete(key) }

// Keys lists the properties.
func (it *iterator) Keys() []string { return it.extra.Keys() }

// each says what an iterator over an array gives.
type each uint8

const (
	eachValue each = iota
	eachKey
	eachEntry
)

// arrayIterator iterates over an array as it is when each step is taken.
func (r *Realm) arrayIterator(o *goja.Object, kind each) goja.Value {
	i := 0
	return r.iterator("Array Iterator", func() (goja.Value, bool) {
		if i < 0 || i >= length(o) {
			i = -1
			return nil, false
		}
		k := i
		i++
		if kind == eachKey {
			return whole(k), true
		}
		v := filled(at(o, k))
		if kind == eachValue {
			return v, true
		}
		r.Alloc(arrayBytes + 2*elemBytes)
		return r.makeArray([]goja.Value{whole(k), v}), true
	})
}

// stringIterator iterates over the code points of a string.
func (r *Realm) stringIterator(s goja.String) goja.Value {
	i, n := 0, s.Length()
	return r.iterator("String Iterator", func() (goja.Value, bool) {
		if i >= n {
			return nil, false
		}
		w := pointWidth(s, i)
		v := s.Substring(i, i+w)
		i += w
		return v, true
	})
}

// pointWidth is the number of units of the code point at i.
func pointWidth(s goja.String, i int) int {
	c := s.CharAt(i)
	if c >= 0xD800 && c <= 0xDBFF && i+1 < s.Length() {
		if d := s.CharAt(i + 1); d >= 0xDC00 && d <= 0xDFFF {
			return 2
		}
	}
	return 1
}

func (r *Realm) iterator(name string, advance func() (goja.Value, bool)) *goja.Object {
	r.Alloc(objectBytes)
	it := &iterator{r: r, advance: advance, name: name}
	o := r.vm.NewDynamicObject(it)
	_ = o.SetPrototype(r.proto(iteratorProto))
	return o
}

// installIterators gives arrays, strings and iterators the methods that for…of,
// spread and destructuring look up.
func (r *Realm) installIterators() {
	r.step = r.Function("next", 0, r.next)
	symbol := func(o *goja.Object, f native) {
		_ = o.DefineDataPropertySymbol(goja.SymIterator, r.Function("[Symbol.iterator]", 0, f), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	}
	symbol(r.proto(arrayProto), func(c call) goja.Value {
		r.Charge(1)
		return r.arrayIterator(r.receiver(c, "values"), eachValue)
	})
	symbol(r.proto(stringProto), func(c call) goja.Value {
		r.Charge(1)
		return r.stringIterator(r.str(c.This))
	})
	symbol(r.proto(iteratorProto), func(c call) goja.Value { return c.This })
}

// next takes a step of one of our iterators.
func (r *Realm) next(c call) goja.Value {
	it := iteratorOf(c.This)
	if it == nil {
		r.typeError("next method called on incompatible receiver %s", r.describe(c.This))
	}
	r.Charge(1)
	v, ok := it.advance()
	if !ok {
		v = goja.Undefined()
		it.advance = exhausted
	}
	if r.named["next"] {
		r.Alloc(resultBytes)
		o := r.vm.NewObject()
		r.put(o, "value", v)
		r.put(o, "done", boolean(!ok))
		return o
	}
	it.step = stepResult{v, !ok}
	if it.result == nil {
		it.result = r.vm.NewDynamicObject(&it.step)
	}
	return it.result
}

// engineIterator names an iterator of the engine's: over a map or a set, or a
// generator. It is "" for anything else.
func engineIterator(o *goja.Object) string {
	if o.ClassName() != "Object" {
		return ""
	}
	if tag, ok := o.GetSymbol(goja.SymToStringTag).(goja.String); ok {
		switch name := tag.String(); name {
		case "Map Iterator", "Set Iterator", "Generator":
			return name
		}
	}
	return ""
}

func exhausted() (goja.Value, bool) { return nil, false }

func iteratorOf(v goja.Value) *iterator {
	if o, ok := v.(*goja.Object); ok && o.ExportType() == iteratorType {
		it, _ := o.Export().(*iterator)
		return it
	}
	return nil
}

// iterate visits what for…of would visit, charging each step. It throws where the
// value is not iterable; what names the place for the message.
func (r *Realm) iterate(v goja.Value, visit func(v goja.Value) bool) {
	switch x := v.(type) {
	case goja.String:
		n := x.Length()
		for i := 0; i < n; {
			r.Charge(1)
			w := pointWidth(x, i)
			if !visit(x.Substring(i, i+w)) {
				return
			}
			i += w
		}
		return
	case *goja.Object:
		if x.ClassName() == "Array" {
			for i := 0; i < length(x); i++ {
				r.Charge(1)
				if !visit(filled(at(x, i))) {
					return
				}
			}
			return
		}
		if m := x.GetSymbol(goja.SymIterator); m != nil && !goja.IsUndefined(m) {
			r.vm.ForOf(x, func(v goja.Value) bool {
				r.Charge(1)
				return visit(v)
			})
			return
		}
	}
	r.typeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", describeKind(v))
}

// describeKind shows a value with its type, as V8's messages about iterables do.
func describeKind(v goja.Value) string {
	switch k := Kind(v); k {
	case "undefined":
		return k
	case "null":
		return "object null"
	case "number", "boolean", "bigint":
		return k + " " + v.String()
	case "function", "class":
		return "function"
	}
	return "object"
}

// gather collects an iterable into values, charged.
func (r *Realm) gather(v goja.Value) []goja.Value {
	if o := array(v); o != nil {
		list := r.elements(o)
		fill(list)
		return list
	}
	var list []goja.Value
	r.iterate(v, func(v goja.Value) bool {
		r.Alloc(2 * elemBytes)
		list = append(list, v)
		return true
	})
	return list
}
