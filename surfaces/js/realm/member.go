package realm

import (
	"sort"
	"sync"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// native is a Go function as the engine calls it. A native must not keep its
// arguments after it returns.
type native = func(goja.FunctionCall) goja.Value

// call is the receiver and arguments of one call.
type call = goja.FunctionCall

// member is one property of an intrinsic.
type member struct {
	name   string
	length int
	// build makes the function; engine is what goja has under the same name, nil if
	// nothing.
	build func(r *Realm, engine native) native
	// value makes a property that is no function.
	value func(r *Realm) goja.Value
	// getter: the function is called when the property is read.
	getter bool
	// keep: the engine's own is bounded as it is.
	keep bool
}

// method is a member of ours.
func method(name string, length int, f func(r *Realm, c call) goja.Value) member {
	return member{name: name, length: length, build: func(r *Realm, _ native) native {
		return func(c call) goja.Value {
			r.Charge(1)
			return f(r, c)
		}
	}}
}

// over is a member that charges and then lets the engine work.
func over(name string, length int, build func(r *Realm, engine native) native) member {
	return member{name: name, length: length, build: func(r *Realm, engine native) native {
		f := build(r, engine)
		return func(c call) goja.Value {
			r.Charge(1)
			return f(c)
		}
	}}
}

// getter is an accessor of ours.
func getter(name string, f func(r *Realm, c call) goja.Value) member {
	m := method(name, 0, f)
	m.getter = true
	return m
}

// asIs is a member whose engine version costs a constant.
func asIs(name string) member { return member{name: name, keep: true} }

// constant is a property that is no function.
func constant(name string, v any) member {
	return member{name: name, value: func(r *Realm) goja.Value { return r.vm.ToValue(v) }}
}

// proto names a prototype object.
type proto uint8

// The prototypes whose members are installed by name.
const (
	objectProto proto = iota
	functionProto
	arrayProto
	stringProto
	numberProto
	booleanProto
	bigintProto
	symbolProto
	promiseProto
	errorProto
	mapProto
	setProto
	dateProto
	regexpProto
	iteratorProto
	protoCount
)

// protoMembers gives the members offered on a prototype.
func protoMembers(p proto) []member {
	switch p {
	case objectProto:
		return objectMethods()
	case functionProto:
		return functionMethods()
	case arrayProto:
		return arrayMethods()
	case stringProto:
		return stringMethods()
	case numberProto:
		return numberMethods()
	case booleanProto:
		return booleanMethods()
	case bigintProto:
		return bigintMethods()
	case symbolProto:
		return []member{asIs("description"), asIs("toString"), asIs("valueOf")}
	case promiseProto:
		return promiseMethods()
	case errorProto:
		return errorMethods()
	case mapProto:
		return mapMethods()
	case setProto:
		return setMethods()
	case dateProto:
		return dateMethods()
	case regexpProto:
		return regexpMethods()
	case iteratorProto:
		return []member{asIs("next")}
	}
	return nil
}

// entry is what is known about one member name.
type entry struct {
	id      int
	blocked bool
	places  []place
}

// place is a prototype that has a member.
type place struct {
	proto  proto
	member *member
}

// index finds members by name. It is built once and never changed.
type index struct {
	byName map[string]*entry
	count  int
}

var (
	indexOnce sync.Once
	indexed   index
)

func theIndex() *index {
	indexOnce.Do(func() { indexed = buildIndex() })
	return &indexed
}

func buildIndex() index {
	x := index{byName: make(map[string]*entry, 512)}
	at := func(name string) *entry {
		e := x.byName[name]
		if e == nil {
			e = &entry{id: x.count}
			x.count++
			x.byName[name] = e
		}
		return e
	}
	for p := range protoCount {
		list := protoMembers(p)
		for i := range list {
			e := at(list[i].name)
			e.places = append(e.places, place{p, &list[i]})
		}
	}
	for _, name := range sandbox.JavaScript.Names() {
		at(name).blocked = true
	}
	return x
}

// memberNames lists the names of members, sorted.
func memberNames(list []member) []string {
	names := make([]string, 0, len(list))
	for _, m := range list {
		names = append(names, m.name)
	}
	sort.Strings(names)
	return names
}
