package realm

import (
	"sort"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// statics are the members of a namespace or a constructor. They are made when
// they are first read, and nothing can change them. For a constructor they stand
// behind it, as its prototype, so that subclasses inherit them.
type statics struct {
	r       *Realm
	owner   string
	members map[string]*member
	built   map[string]goja.Value
}

var _ goja.DynamicObject = (*statics)(nil)

// Get makes or finds a member.
func (s *statics) Get(key string) goja.Value {
	if v, ok := s.built[key]; ok {
		return v
	}
	m := s.members[key]
	if m == nil {
		return nil
	}
	var v goja.Value
	if m.value != nil {
		v = m.value(s.r)
	} else {
		v = s.r.Function(m.name, m.length, m.build(s.r, nil))
	}
	if s.built == nil {
		s.built = make(map[string]goja.Value, 4)
	}
	s.built[key] = v
	return v
}

// Has reports whether there is such a member.
func (s *statics) Has(key string) bool { return s.members[key] != nil }

// Set refuses.
func (s *statics) Set(key string, _ goja.Value) bool {
	s.r.typeError("Cannot assign to property '%s' of %s: it is read-only.", clipName(key), s.owner)
	return false
}

// Delete refuses.
func (s *statics) Delete(key string) bool {
	if s.Has(key) {
		s.r.typeError("Cannot delete property '%s' of %s.", clipName(key), s.owner)
	}
	return true
}

// Keys is empty: members of builtins are not enumerable.
func (s *statics) Keys() []string { return nil }

var (
	staticsOnce sync.Once
	staticIndex map[string]map[string]*member
)

// staticTables are the static members by owner.
func staticTables() map[string]map[string]*member {
	staticsOnce.Do(func() {
		staticIndex = make(map[string]map[string]*member)
		for owner, list := range map[string][]member{
			"Object":  objectStatics(),
			"Array":   arrayStatics(),
			"String":  stringStatics(),
			"Number":  numberStatics(),
			"BigInt":  bigintStatics(),
			"Symbol":  symbolStatics(),
			"Boolean": nil,
			"Map":     mapStatics(),
			"Set":     nil,
			"Date":    dateStatics(),
			"RegExp":  regexpStatics(),
			"Promise": promiseStatics(),
			"Error":   errorStatics(),
			"Math":    mathMembers(),
			"JSON":    jsonMembers(),
			"Intl":    intlMembers(),
			"console": consoleMembers(),
		} {
			table := make(map[string]*member, len(list))
			for i := range list {
				table[list[i].name] = &list[i]
			}
			staticIndex[owner] = table
		}
	})
	return staticIndex
}

// namespace makes an object that only has members.
func (r *Realm) namespace(owner string) goja.Value {
	return r.vm.NewDynamicObject(&statics{r: r, owner: owner, members: staticTables()[owner]})
}

// behind makes the statics of a constructor and puts them behind it, before
// parent.
func (r *Realm) behind(o *goja.Object, owner string, parent *goja.Object) {
	d := r.vm.NewDynamicObject(&statics{r: r, owner: owner, members: staticTables()[owner]})
	_ = d.SetPrototype(parent)
	_ = o.SetPrototype(d)
}

// constructor makes a global that new applies to. Called without new it does the
// same. before adds to it until it is sealed.
func (r *Realm) constructor(name string, length int, prototype *goja.Object, build func(c goja.ConstructorCall) *goja.Object, before ...func(o *goja.Object)) *goja.Object {
	o := r.vm.ToValue(func(c goja.ConstructorCall) *goja.Object {
		r.Charge(2)
		return build(c)
	}).(*goja.Object)
	r.fix(o, "prototype", prototype)
	r.behind(o, name, r.proto(functionProto))
	for _, f := range before {
		f(o)
	}
	r.label(o, name, length)
	return o
}

// converter makes a global that is a function with statics: Number, String,
// Boolean, BigInt. They convert and are no constructors, because an object around
// a primitive is never what is meant.
func (r *Realm) converter(name string, prototype *goja.Object, f func(r *Realm, c call) goja.Value) *goja.Object {
	m := method(name, 1, f)
	o := r.vm.ToValue(m.build(r, nil)).(*goja.Object)
	r.fix(o, "prototype", prototype)
	r.behind(o, name, r.proto(functionProto))
	r.label(o, name, 1)
	return o
}

// numberStatic makes a global that is the same function as a member of Number.
func numberStatic(name string) global {
	return func(r *Realm) goja.Value { return r.GlobalValue("Number").(*goja.Object).Get(name) }
}

// Members lists the member names of a kind of value, sorted, for suggestions.
// Kinds are the words of [Kind], and "static X" for the members of a global X.
func Members(kind string) []string {
	if len(kind) > 7 && kind[:7] == "static " {
		table := staticTables()[kind[7:]]
		names := make([]string, 0, len(table))
		for name := range table {
			names = append(names, name)
		}
		sort.Strings(names)
		return names
	}
	kind = strings.ToLower(kind)
	if p, ok := kindProto[kind]; ok {
		names := memberNames(protoMembers(p))
		if kind == "string" || kind == "array" {
			names = append(names, "length")
			sort.Strings(names)
		}
		return names
	}
	return nil
}

var kindProto = map[string]proto{
	"array": arrayProto, "string": stringProto, "number": numberProto, "boolean": booleanProto, "symbol": symbolProto, "bigint": bigintProto,
	"object": objectProto, "map": mapProto, "set": setProto, "date": dateProto, "regexp": regexpProto,
	"promise": promiseProto, "function": functionProto, "class": functionProto, "error": errorProto,
}
