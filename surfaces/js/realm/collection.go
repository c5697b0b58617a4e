package realm

import (
	"github.com/dop251/goja"
)

// hardenMap charges the steps of the engine's iterators over maps or sets.
func (r *Realm) hardenMap(p *goja.Object, name string) *goja.Object {
	made, err := r.engineConstructor(name)(nil)
	if err != nil {
		panic(err)
	}
	it := exported(p.Get("values"))(call{This: made}).(*goja.Object).Prototype()
	step := exported(it.Get("next"))
	r.fix(it, "next", r.Function("next", 0, func(c call) goja.Value {
		r.Charge(2)
		if r.named["next"] {
			r.Alloc(resultBytes)
		}
		return step(c)
	}))
	all := "values"
	if name == "Map" {
		all = "entries"
	}
	each := exported(p.Get(all))
	_ = p.DefineDataPropertySymbol(goja.SymIterator, r.Function("[Symbol.iterator]", 0, func(c call) goja.Value {
		r.collection(c, name, "[Symbol.iterator]")
		r.Alloc(objectBytes)
		return each(c)
	}), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return p
}

// size is the number of elements of a map or set.
func (r *Realm) size(o *goja.Object) int { return int(o.Get("size").ToInteger()) }

// keyCost charges the hashing of a key.
func (r *Realm) keyCost(v goja.Value) {
	if s, ok := v.(goja.String); ok {
		r.Charge(int64(s.Length()) >> 4)
	}
}

// keyed is an engine method whose first argument is a key.
func keyedMethod(name, class string, length int, bytes int64) member {
	return over(name, length, func(r *Realm, engine native) native {
		return func(c call) goja.Value {
			r.collection(c, class, name)
			r.keyCost(arg(c, 0))
			if bytes > 0 {
				r.Alloc(bytes)
			}
			return engine(c)
		}
	})
}

// collection checks what a method was called on.
func (r *Realm) collection(c call, class, name string) *goja.Object {
	if o, ok := c.This.(*goja.Object); ok && (class == "Map" && isMap(o) || class == "Set" && isSet(o)) {
		return o
	}
	r.typeError("Method %s.prototype.%s called on incompatible receiver %s", class, name, r.describe(c.This))
	return nil
}

func eachMember(class string) member {
	return over("forEach", 1, func(r *Realm, engine native) native {
		return func(c call) goja.Value {
			o := r.collection(c, class, "forEach")
			r.callback(arg(c, 0))
			r.Charge(int64(r.size(o)))
			return engine(c)
		}
	})
}

// iterators are the engine methods that give an iterator.
func iterators(class string, names ...string) []member {
	var list []member
	for _, name := range names {
		list = append(list, over(name, 0, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				r.collection(c, class, name)
				r.Alloc(objectBytes)
				return engine(c)
			}
		}))
	}
	return list
}

func mapMethods() []member {
	return append([]member{
		keyedMethod("get", "Map", 1, 0),
		keyedMethod("has", "Map", 1, 0),
		keyedMethod("delete", "Map", 1, 0),
		keyedMethod("set", "Map", 2, entryBytes),
		over("clear", 0, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				r.Charge(int64(r.size(r.collection(c, "Map", "clear"))) >> 2)
				return engine(c)
			}
		}),
		eachMember("Map"),
		asIs("size"),
	}, iterators("Map", "keys", "values", "entries")...)
}

func setMethods() []member {
	return append([]member{
		keyedMethod("has", "Set", 1, 0),
		keyedMethod("delete", "Set", 1, 0),
		keyedMethod("add", "Set", 1, entryBytes),
		over("clear", 0, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				r.Charge(int64(r.size(r.collection(c, "Set", "clear"))) >> 2)
				return engine(c)
			}
		}),
		eachMember("Set"),
		asIs("size"),
		setAlgebra("union", func(r *Realm, a, b *goja.Object) goja.Value {
			s := r.newSet(nil)
			r.addAll(s, a, func(goja.Value) bool { return true })
			r.addAll(s, b, func(goja.Value) bool { return true })
			return s
		}),
		setAlgebra("intersection", func(r *Realm, a, b *goja.Object) goja.Value {
			s := r.newSet(nil)
			if r.size(a) > r.size(b) {
				a, b = b, a
			}
			r.addAll(s, a, func(v goja.Value) bool { return r.contains(b, v) })
			return s
		}),
		setAlgebra("difference", func(r *Realm, a, b *goja.Object) goja.Value {
			s := r.newSet(nil)
			r.addAll(s, a, func(v goja.Value) bool { return !r.contains(b, v) })
			return s
		}),
		setAlgebra("symmetricDifference", func(r *Realm, a, b *goja.Object) goja.Value {
			s := r.newSet(nil)
			r.addAll(s, a, func(v goja.Value) bool { return !r.contains(b, v) })
			r.addAll(s, b, func(v goja.Value) bool { return !r.contains(a, v) })
			return s
		}),
		setAlgebra("isSubsetOf", func(r *Realm, a, b *goja.Object) goja.Value {
			return boolean(r.size(a) <= r.size(b) && r.every(a, func(v goja.Value) bool { return r.contains(b, v) }))
		}),
		setAlgebra("isSupersetOf", func(r *Realm, a, b *goja.Object) goja.Value {
			return boolean(r.size(a) >= r.size(b) && r.every(b, func(v goja.Value) bool { return r.contains(a, v) }))
		}),
		setAlgebra("isDisjointFrom", func(r *Realm, a, b *goja.Object) goja.Value {
			return boolean(r.every(a, func(v goja.Value) bool { return !r.contains(b, v) }))
		}),
	}, iterators("Set", "keys", "values", "entries")...)
}

// setAlgebra is a method that combines a set with another set, or with the keys
// of a map.
func setAlgebra(name string, f func(r *Realm, a, b *goja.Object) goja.Value) member {
	return method(name, 1, func(r *Realm, c call) goja.Value {
		a := r.collection(c, "Set", name)
		b, ok := arg(c, 0).(*goja.Object)
		if !ok || !isSet(b) && !isMap(b) {
			r.typeError("Set.prototype.%s takes a Set or a Map, not %s. Use new Set(...) first.", name, r.describe(arg(c, 0)))
		}
		return f(r, a, b)
	})
}

// members visits the elements of a set or the keys of a map, each once, until the
// visit reports false.
func (r *Realm) every(o *goja.Object, holds func(goja.Value) bool) bool {
	all := true
	r.eachElement(o, func(v goja.Value) bool {
		all = holds(v)
		return all
	})
	return all
}

func (r *Realm) eachElement(o *goja.Object, visit func(goja.Value) bool) {
	p := setProto
	if isMap(o) {
		p = mapProto
	}
	it := r.engineOf(p, "keys")(call{This: o})
	r.iterate(it, visit)
}

func (r *Realm) contains(o *goja.Object, v goja.Value) bool {
	r.Charge(1)
	r.keyCost(v)
	p := setProto
	if isMap(o) {
		p = mapProto
	}
	return r.engineOf(p, "has")(call{This: o, Arguments: []goja.Value{v}}).ToBoolean()
}

func (r *Realm) addAll(s, from *goja.Object, keep func(goja.Value) bool) {
	r.eachElement(from, func(v goja.Value) bool {
		if keep(v) {
			r.addTo(s, v)
		}
		return true
	})
}

func (r *Realm) addTo(s *goja.Object, v goja.Value) {
	r.keyCost(v)
	r.Alloc(entryBytes)
	r.engineOf(setProto, "add")(call{This: s, Arguments: []goja.Value{v}})
}

func (r *Realm) putIn(m *goja.Object, key, v goja.Value) {
	r.keyCost(key)
	r.Alloc(entryBytes)
	r.engineOf(mapProto, "set")(call{This: m, Arguments: []goja.Value{key, v}})
}

// newSet makes an empty set, of a class where proto is given.
func (r *Realm) newSet(proto *goja.Object) *goja.Object {
	return r.newCollection("Set", setProto, proto)
}

func (r *Realm) newMap(proto *goja.Object) *goja.Object {
	return r.newCollection("Map", mapProto, proto)
}

func (r *Realm) newCollection(name string, p proto, other *goja.Object) *goja.Object {
	own := r.proto(p)
	r.Alloc(2 * objectBytes)
	o, err := r.engineConstructor(name)(nil)
	if err != nil {
		panic(err)
	}
	if other != nil && other != own {
		_ = o.SetPrototype(other)
	}
	return o
}

func (r *Realm) setConstructor() goja.Value {
	return r.constructor("Set", 0, r.proto(setProto), func(c goja.ConstructorCall) *goja.Object {
		s := r.newSet(c.This.Prototype())
		if v := c.Argument(0); !goja.IsUndefined(v) && !goja.IsNull(v) {
			r.iterate(v, func(v goja.Value) bool {
				r.addTo(s, v)
				return true
			})
		}
		return s
	})
}

func (r *Realm) mapConstructor() goja.Value {
	return r.constructor("Map", 0, r.proto(mapProto), func(c goja.ConstructorCall) *goja.Object {
		m := r.newMap(c.This.Prototype())
		if v := c.Argument(0); !goja.IsUndefined(v) && !goja.IsNull(v) {
			r.iterate(v, func(v goja.Value) bool {
				entry, ok := v.(*goja.Object)
				if !ok {
					r.typeError("Iterator value %s is not an entry object", r.describeArg(v))
				}
				r.putIn(m, filled(entry.Get("0")), filled(entry.Get("1")))
				return true
			})
		}
		return m
	})
}

func mapStatics() []member {
	return []member{
		method("groupBy", 2, func(r *Realm, c call) goja.Value {
			f := r.callback(arg(c, 1))
			m := r.newMap(nil)
			get := r.engineOf(mapProto, "get")
			i := 0
			r.iterate(arg(c, 0), func(v goja.Value) bool {
				key := filled(f(call{This: goja.Undefined(), Arguments: []goja.Value{v, whole(i)}}))
				i++
				group, ok := get(call{This: m, Arguments: []goja.Value{key}}).(*goja.Object)
				if !ok {
					group = r.newArray(nil)
					r.putIn(m, key, group)
				}
				r.Alloc(2 * elemBytes)
				r.engineOf(arrayProto, "push")(call{This: group, Arguments: []goja.Value{v}})
				return true
			})
			return m
		}),
	}
}
