package realm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Export makes plain data of a value, for the argument of a call. Dates become
// ISO text, Maps objects, Sets arrays; undefined members are left out, undefined
// elements become null. What is no data, functions, symbols, NaN, infinities,
// promises, cycles, is refused with the path to it.
//
// A toJSON of the program's is called, as JSON.stringify would; getters are read.
// Beyond a limit Export ends the program: call it inside a native or [Realm.Try].
func (r *Realm) Export(v goja.Value) (value.Value, *sandbox.Fault) {
	return r.export(exporter{r: r}, v)
}

// ExportStill is Export of what a name holds, for a reader that is no program of
// the realm: it runs none of the realm's code. A getter or a toJSON is refused, and
// so is undefined.
func (r *Realm) ExportStill(name string, v goja.Value) (value.Value, *sandbox.Fault) {
	x := exporter{r: r, path: []string{step(name)}, still: true}
	if v == nil || goja.IsUndefined(v) {
		x.refuse("undefined", "It holds no data.")
		return nil, x.fault
	}
	return r.export(x, v)
}

func (r *Realm) export(x exporter, v goja.Value) (value.Value, *sandbox.Fault) {
	out := x.value(v)
	if x.fault != nil {
		return nil, x.fault
	}
	if out == absent {
		return nil, nil
	}
	return out, nil
}

type exporter struct {
	r     *Realm
	still bool // no code of the program runs
	path  []string
	above []*goja.Object
	fault *sandbox.Fault
}

type absence struct{}

// absent stands for a value that is left out.
var absent value.Value = absence{}

// refuse records the first thing that cannot be exported.
func (x *exporter) refuse(what, hint string) value.Value {
	if x.fault == nil {
		where := "The argument"
		if len(x.path) > 0 {
			where = "'" + sandbox.Clip(joinPath(x.path), 120) + "'"
		}
		x.fault = &sandbox.Fault{Kind: sandbox.KindArgument, Name: "TypeError", Message: where + " is " + what + ".", Hint: hint}
	}
	return nil
}

// joinPath writes steps as a program would: a.b[0]["c d"].
func joinPath(path []string) string {
	text := ""
	for _, p := range path {
		if p[0] != '[' && text != "" {
			text += "."
		}
		text += p
	}
	return text
}

// step is one key of a path.
func step(key string) string {
	if key == "" {
		return `[""]`
	}
	for i, c := range key {
		letter := c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9'
		if !letter {
			return "[" + strconv.Quote(sandbox.Clip(key, 60)) + "]"
		}
	}
	return sandbox.Clip(key, 60)
}

func (x *exporter) value(v goja.Value) value.Value {
	x.r.Charge(1)
	if x.fault != nil {
		return nil
	}
	switch v := v.(type) {
	case nil:
		return absent
	case goja.String:
		x.r.Alloc(int64(v.Length()) + stringBytes)
		return v.String()
	case *goja.Symbol:
		return x.refuse("a symbol", "Pass a string instead.")
	case *goja.Object:
		return x.object(v)
	}
	switch {
	case goja.IsUndefined(v):
		return absent
	case goja.IsNull(v):
		return nil
	case v == valueTrue:
		return true
	case v == valueFalse:
		return false
	case goja.IsBigInt(v):
		return value.FromBig(bigOf(v))
	}
	return x.number(v.ToFloat())
}

func (x *exporter) number(f float64) value.Value {
	if math.IsNaN(f) {
		return x.refuse("NaN, which no function takes", "Check the arithmetic that gave it: an operand was probably undefined.")
	}
	if math.IsInf(f, 0) {
		return x.refuse(numberText(f)+", which no function takes", "Check the arithmetic that gave it, or leave the argument out.")
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 && !(f == 0 && math.Signbit(f)) {
		return int64(f)
	}
	return f
}

func (x *exporter) object(o *goja.Object) value.Value {
	for _, a := range x.above {
		if a == o {
			return x.refuse("part of a cycle: it contains itself", "Pass plain data, for instance { id: x.id }.")
		}
	}
	if len(x.above) >= value.MaxDepth {
		return x.refuse(fmt.Sprintf("nested more than %d levels deep", value.MaxDepth), "Pass flatter data.")
	}
	x.above = append(x.above, o)
	defer func() { x.above = x.above[:len(x.above)-1] }()
	switch kind := objectKind(o); kind {
	case "array":
		return x.array(length(o), func(i int) goja.Value { return at(o, i) })
	case "set":
		list := x.r.elementsOf(o)
		return x.array(len(list), func(i int) goja.Value { return list[i] })
	case "map":
		return x.entries(o)
	case "date":
		d := dynamic(o).(*date)
		if d.ms != d.ms {
			return x.refuse("an invalid date", "Check the text the Date was made from.")
		}
		return isoText(d.ms)
	case "function", "class":
		return x.refuse("a function", "Call it first, or pass its result.")
	case "regexp":
		return x.refuse("a regular expression", "Pass its source as a string.")
	case "promise":
		return x.refuse("a promise", "Write await before the call that gave it.")
	case "error":
		return x.refuse("an error", "Pass its message.")
	}
	switch o.ClassName() {
	case "String", "Number", "Boolean":
		return x.value(x.r.unwrap(o))
	}
	if d := dynamic(o); d != nil || engineIterator(o) != "" {
		return x.refuse("not plain data", "Pass plain objects, arrays, strings and numbers.")
	}
	if x.still && x.r.computes(o) {
		return x.refuse("an object with a getter or a toJSON, which only its own programs can run", "Define a plain copy of it there.")
	}
	if f := callable(o.Get("toJSON")); f != nil {
		return x.value(filled(f(call{This: o, Arguments: []goja.Value{x.r.text("")}})))
	}
	return x.members(o)
}

// computes reports whether taking the data of an object would run code.
func (r *Realm) computes(o *goja.Object) bool {
	for _, key := range r.keys(o) {
		if r.accessor(o, key) != "" {
			return true
		}
	}
	for p := o; p != nil && p != r.protos[objectProto]; p = p.Prototype() {
		if r.accessor(p, "toJSON") != "" {
			return true
		}
	}
	return callable(o.Get("toJSON")) != nil
}

func (x *exporter) array(n int, at func(i int) goja.Value) value.Value {
	x.r.checkLength(n)
	x.r.Alloc(int64(n)*elemBytes + 24)
	list := make([]value.Value, 0, n)
	for i := range n {
		x.path = append(x.path, "["+strconv.Itoa(i)+"]")
		v := x.value(at(i))
		x.path = x.path[:len(x.path)-1]
		if x.fault != nil {
			return nil
		}
		if v == absent {
			v = nil
		}
		list = append(list, v)
	}
	return list
}

func (x *exporter) members(o *goja.Object) value.Value {
	keys := x.r.keys(o)
	x.r.Alloc(objectBytes + int64(len(keys))*2*elemBytes)
	out := value.NewObject(len(keys))
	for _, key := range keys {
		x.member(out, key, o.Get(key))
	}
	return out
}

func (x *exporter) member(out *value.Object, key string, v goja.Value) {
	x.path = append(x.path, step(key))
	if got := x.value(v); got != absent && x.fault == nil {
		out.Set(key, got)
	}
	x.path = x.path[:len(x.path)-1]
}

// entries exports a map by the text of its keys.
func (x *exporter) entries(o *goja.Object) value.Value {
	out := value.NewObject(x.r.size(o))
	x.r.Alloc(objectBytes + int64(x.r.size(o))*propBytes)
	x.r.iterate(x.r.engineOf(mapProto, "entries")(call{This: o}), func(entry goja.Value) bool {
		key := entry.(*goja.Object).Get("0")
		if isObject(key) {
			x.refuse("a Map with objects as keys", "Use strings as keys.")
			return false
		}
		x.member(out, x.r.str(key).String(), entry.(*goja.Object).Get("1"))
		return x.fault == nil
	})
	return out
}

// elementsOf lists the elements of a set, charged.
func (r *Realm) elementsOf(o *goja.Object) []goja.Value {
	var list []goja.Value
	r.eachElement(o, func(v goja.Value) bool {
		r.Alloc(2 * elemBytes)
		list = append(list, v)
		return true
	})
	return list
}
