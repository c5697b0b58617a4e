package realm

import (
	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// Prepare makes the names that a program mentions reachable: globals are the
// names it uses and does not declare, members every member name in its text. It
// costs next to nothing for names met before.
func (r *Realm) Prepare(globals, members []string) {
	for _, name := range members {
		r.reach(name)
	}
	for _, name := range globals {
		r.define(name)
	}
}

// reach installs a member wherever a prototype in use has it.
func (r *Realm) reach(name string) {
	e := theIndex().byName[name]
	if e == nil || e.blocked {
		return
	}
	word, bit := e.id/64, uint64(1)<<(e.id%64)
	if r.reached[word]&bit != 0 {
		return
	}
	r.reached[word] |= bit
	if r.named == nil {
		r.named = make(map[string]bool)
	}
	r.named[name] = true
	for _, at := range e.places {
		r.shut(at.proto)
		o := r.protos[at.proto]
		switch {
		case o != nil:
			r.install(o, at.proto, at.member)
		case always(at.proto):
			r.proto(at.proto) // installs the name too
		}
	}
}

// shut closes a prototype that a program uses for the first time. Its constructor
// cannot be named anyway; this is the second lock. Awaiting a promise compares its
// constructor with the engine's own, and that has nothing but the statics of
// promises; the prototypes of dates, patterns and iterators have none.
func (r *Realm) shut(p proto) {
	switch p {
	case objectProto, functionProto, promiseProto, dateProto, regexpProto, iteratorProto:
		return
	}
	if r.shutters&(1<<p) == 0 && (always(p) || r.protos[p] != nil) {
		r.shutters |= 1 << p
		r.close(r.proto(p))
	}
}

// always reports a prototype whose instances need no global name: they come from
// literals, from the engine or from a tool.
func always(p proto) bool {
	switch p {
	case mapProto, setProto, dateProto, regexpProto, iteratorProto:
		return false
	}
	return true
}

// install puts one member on a prototype.
func (r *Realm) install(o *goja.Object, p proto, m *member) {
	if m.keep {
		return
	}
	if m.value != nil {
		r.hide(o, m.name, m.value(r))
		return
	}
	f := r.Function(m.name, m.length, m.build(r, r.engineMethod(o, p, m.name)))
	if m.getter {
		_ = o.DefineAccessorProperty(m.name, f, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return
	}
	r.hide(o, m.name, f)
}

// engineMethod gives goja's own version of a prototype's method, nil if there is
// none.
func (r *Realm) engineMethod(o *goja.Object, p proto, name string) native {
	if f, ok := r.base[p][name]; ok {
		return f
	}
	switch p {
	case dateProto, regexpProto, iteratorProto:
		return nil
	}
	var f native
	if m := memberOf(p, name); m == nil || !m.getter {
		f = exported(o.Get(name))
	}
	if r.base[p] == nil {
		r.base[p] = make(map[string]native)
	}
	r.base[p][name] = f
	return f
}

// memberOf finds a member of a prototype.
func memberOf(p proto, name string) *member {
	e := theIndex().byName[name]
	if e == nil {
		return nil
	}
	for _, at := range e.places {
		if at.proto == p {
			return at.member
		}
	}
	return nil
}

// engineOf gives goja's own version of a method, for natives that build on it.
func (r *Realm) engineOf(p proto, name string) native {
	if f, ok := r.base[p][name]; ok {
		return f
	}
	return r.engineMethod(r.proto(p), p, name)
}

// Key turns a computed member key into the key that is used: objects are
// converted to a string exactly once, closed names are refused, and a builtin's
// name becomes reachable.
func (r *Realm) Key(v goja.Value) goja.Value {
	switch x := v.(type) {
	case goja.String:
		r.admit(x.String())
		return x
	case *goja.Object:
		r.Charge(1)
		k := r.str(x)
		r.admit(k.String())
		return k
	}
	return v
}

// longestMember is longer than any name in the index.
const longestMember = 24

func (r *Realm) admit(name string) {
	if len(name) > longestMember {
		return
	}
	e := theIndex().byName[name]
	if e == nil {
		return
	}
	if e.blocked {
		r.refuse(name, "Use a Map for keys that come from data.")
	}
	if r.reached[e.id/64]&(1<<(e.id%64)) == 0 {
		r.reach(name)
	}
}

// refuse throws the gate's fault for a name.
func (r *Realm) refuse(name, advice string) {
	f := sandbox.JavaScript.Fault(name)
	if f.Hint == "" {
		f.Hint = advice
	}
	r.Throw(f)
}

// Member reads a closed name written as a member, o.constructor: own data of a
// plain object is data, everything else is refused.
func (r *Realm) Member(v goja.Value, name string) goja.Value {
	if o, ok := v.(*goja.Object); ok && plain(o) && r.own(o, name) {
		if got := o.Get(name); got != nil {
			return got
		}
	}
	r.refuse(name, "")
	return nil
}
