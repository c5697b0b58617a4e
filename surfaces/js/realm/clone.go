package realm

import (
	"strconv"

	"github.com/dop251/goja"
)

// structuredClone is the HTML standard's, for what a program can have.
func structuredClone(r *Realm, c call) goja.Value {
	x := cloner{r: r, made: map[*goja.Object]*goja.Object{}}
	return x.clone(arg(c, 0), 0)
}

type cloner struct {
	r    *Realm
	made map[*goja.Object]*goja.Object
}

func (x *cloner) clone(v goja.Value, depth int) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		return v
	}
	if depth > maxJSONDepth {
		x.r.rangeError("The value is nested more than %d levels deep, too deep for structuredClone.", maxJSONDepth)
	}
	if made := x.made[o]; made != nil {
		return made
	}
	x.r.Alloc(entryBytes)
	switch kind := objectKind(o); kind {
	case "array":
		return x.array(o, depth)
	case "map":
		m := x.r.newMap(nil)
		x.made[o] = m
		x.r.iterate(x.r.engineOf(mapProto, "entries")(call{This: o}), func(e goja.Value) bool {
			entry := e.(*goja.Object)
			key := x.clone(entry.Get("0"), depth+1)
			x.r.putIn(m, key, x.clone(entry.Get("1"), depth+1))
			return true
		})
		return m
	case "set":
		s := x.r.newSet(nil)
		x.made[o] = s
		for _, e := range x.r.elementsOf(o) {
			x.r.addTo(s, x.clone(e, depth+1))
		}
		return s
	case "date":
		return x.keep(o, x.r.newDate(dynamic(o).(*date).ms, nil))
	case "regexp":
		re := dynamic(o).(*regexpObject)
		return x.keep(o, x.r.newRegex(re.pattern, re.flags))
	case "error":
		return x.error(o, depth)
	case "function", "class", "promise":
		panic(x.r.namedError("DataCloneError", x.r.describeClone(o)+" could not be cloned."))
	}
	if dynamic(o) != nil {
		panic(x.r.namedError("DataCloneError", x.r.describeClone(o)+" could not be cloned."))
	}
	x.r.Alloc(objectBytes)
	made := x.r.vm.NewObject()
	x.made[o] = made
	x.r.entriesOf(o, func(key string, v goja.Value) {
		x.r.Alloc(propBytes)
		x.r.put(made, key, x.clone(v, depth+1))
	})
	return made
}

// describeClone shows what cannot be cloned as Node does.
func (r *Realm) describeClone(o *goja.Object) string {
	if isFunction(o) {
		return clipName(clipString(r.str(o), 200))
	}
	return "#<" + r.typeName(o) + ">"
}

func (x *cloner) keep(o, made *goja.Object) goja.Value {
	x.made[o] = made
	return made
}

func (x *cloner) array(o *goja.Object, depth int) goja.Value {
	n := length(o)
	x.r.checkLength(n)
	x.r.Alloc(arrayBytes + int64(n)*2*elemBytes)
	made := x.r.vm.NewArray()
	x.made[o] = made
	for i := range n {
		x.r.Charge(1)
		if v := at(o, i); v != nil {
			x.r.put(made, strconv.Itoa(i), x.clone(v, depth+1))
		}
	}
	if length(made) != n {
		x.r.truncate(made, n)
	}
	return made
}

func (x *cloner) error(o *goja.Object, depth int) goja.Value {
	name := "Error"
	if s, ok := o.Get("name").(goja.String); ok {
		switch s.String() {
		case "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError":
			name = s.String()
		}
	}
	made := x.r.NewError(name, x.r.str(filled(o.Get("message"))).String())
	x.made[o] = made
	if cause := o.Get("cause"); cause != nil {
		x.r.hide(made, "cause", x.clone(cause, depth+1))
	}
	return made
}
