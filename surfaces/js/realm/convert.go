package realm

import (
	"math"
	"math/big"
	"reflect"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// The conversions of ECMA-262 section 7.1. Each converts an object exactly once,
// so that what was checked is what is used.

func clipName(name string) string { return sandbox.Clip(name, 60) }

// arg is an argument, undefined where there is none.
func arg(c call, i int) goja.Value {
	if i < len(c.Arguments) && c.Arguments[i] != nil {
		return c.Arguments[i]
	}
	return goja.Undefined()
}

func given(c call, i int) bool {
	return i < len(c.Arguments) && c.Arguments[i] != nil && !goja.IsUndefined(c.Arguments[i])
}

// str is ToString.
func (r *Realm) str(v goja.Value) goja.String {
	switch x := v.(type) {
	case goja.String:
		return x
	case nil:
		return r.text("undefined")
	case *goja.Symbol:
		r.typeError("Cannot convert a Symbol value to a string")
	case *goja.Object:
		r.Charge(1)
		if s, ok := x.ToString().(goja.String); ok {
			return s
		}
		return r.text(x.ToString().String()) // a BigInt, whose ToString is itself
	}
	if s, ok := v.ToString().(goja.String); ok {
		return s
	}
	return r.text(v.String())
}

// text makes a string value of ours. Its length is not charged.
func (r *Realm) text(s string) goja.String { return r.vm.ToValue(s).(goja.String) }

// newText makes a string value and charges its length.
func (r *Realm) newText(s string) goja.Value {
	r.Alloc(int64(len(s)) + stringBytes)
	return r.vm.ToValue(s)
}

// primitive is ToPrimitive with hint number.
func (r *Realm) primitive(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		return v
	}
	r.Charge(1)
	if m := o.GetSymbol(goja.SymToPrimitive); m != nil {
		if f := exported(m); f != nil {
			return f(call{This: o, Arguments: []goja.Value{r.text("number")}})
		}
	}
	for _, name := range [2]string{"valueOf", "toString"} {
		if f := callable(o.Get(name)); f != nil {
			if p := f(call{This: o}); !isObject(p) {
				return p
			}
		}
	}
	r.typeError("Cannot convert object to primitive value")
	return nil
}

func isObject(v goja.Value) bool {
	_, ok := v.(*goja.Object)
	return ok
}

// num is ToNumber.
func (r *Realm) num(v goja.Value) float64 {
	switch x := r.primitive(v).(type) {
	case nil:
		return math.NaN()
	case goja.String:
		r.Charge(int64(x.Length()) >> 6)
		return x.ToFloat()
	case *goja.Symbol:
		r.typeError("Cannot convert a Symbol value to a number")
		return 0
	default:
		if goja.IsBigInt(x) {
			r.typeError("Cannot convert a BigInt value to a number")
		}
		return x.ToFloat()
	}
}

// integer is ToIntegerOrInfinity.
func (r *Realm) integer(v goja.Value) float64 {
	f := r.num(v)
	if f != f {
		return 0
	}
	return math.Trunc(f) + 0
}

// integerOr is integer, or a default where the argument is missing or undefined.
func (r *Realm) integerOr(c call, i int, other float64) float64 {
	if !given(c, i) {
		return other
	}
	return r.integer(c.Arguments[i])
}

// relative resolves a relative index against a length, clamped into it.
func relative(f float64, n int) int {
	switch {
	case f < 0:
		return int(math.Max(0, f+float64(n)))
	case f > float64(n):
		return n
	}
	return int(f)
}

// callable gives the Go function behind a function value, nil for anything else.
func callable(v goja.Value) native {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != funcType {
		return nil
	}
	f, _ := o.Export().(native)
	return f
}

var funcType = reflect.TypeOf(native(nil))

// callback gives the function behind an argument that has to be one.
func (r *Realm) callback(v goja.Value) native {
	if f := callable(v); f != nil {
		return f
	}
	if isClass(v) {
		return func(call) goja.Value {
			r.typeError("Class constructor %s cannot be invoked without 'new'", r.className(v.(*goja.Object)))
			return nil
		}
	}
	if s, ok := v.(goja.String); ok {
		r.typeError("%s is not a function", clipName(clipString(s, 80)))
	}
	r.typeError("%s is not a function", r.describe(v))
	return nil
}

// optionalCallback is callback, nil for a missing argument.
func (r *Realm) optionalCallback(c call, i int) native {
	if !given(c, i) {
		return nil
	}
	return r.callback(c.Arguments[i])
}

// isFunction reports whether a value can be called.
func isFunction(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	if !ok {
		return false
	}
	t := o.ExportType()
	return t == funcType || t == ctorType
}

var ctorType = reflect.TypeOf((func(goja.ConstructorCall) *goja.Object)(nil))

// isClass reports whether a value is a class.
func isClass(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	return ok && o.ExportType() == ctorType
}

// className is the own name of a function, if it is plain text.
func (r *Realm) className(o *goja.Object) string {
	if s, ok := o.Get("name").(goja.String); ok {
		return clipName(s.String())
	}
	return "(anonymous)"
}

// describe shows a value in a message as Node does: strings quoted, objects by
// their class.
func (r *Realm) describe(v goja.Value) string {
	switch x := v.(type) {
	case nil:
		return "undefined"
	case goja.String:
		return `"` + sandbox.Clip(clipString(x, 80), 60) + `"`
	case *goja.Symbol:
		return symbolText(x)
	case *goja.Object:
		switch k := Kind(x); k {
		case "function", "class":
			return k + " " + r.className(x)
		case "array":
			return "[object Array]"
		default:
			return "#<" + r.typeName(x) + ">"
		}
	}
	return sandbox.Clip(v.String(), 60)
}

// clipString gives the first n units of a string as Go text.
func clipString(s goja.String, n int) string {
	if s.Length() > n {
		s = s.Substring(0, n)
	}
	return s.String()
}

// typeName is the name of an object's class as a program sees it.
func (r *Realm) typeName(o *goja.Object) string {
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		switch p {
		case r.protos[objectProto]:
			return "Object"
		case r.protos[arrayProto]:
			return "Array"
		case r.protos[mapProto]:
			return "Map"
		case r.protos[setProto]:
			return "Set"
		case r.protos[dateProto]:
			return "Date"
		case r.protos[regexpProto]:
			return "RegExp"
		case r.protos[promiseProto]:
			return "Promise"
		case r.protos[functionProto]:
			return "Function"
		}
		if c, ok := p.Get("constructor").(*goja.Object); ok && isClass(c) {
			return r.className(c)
		}
	}
	return "Object"
}

// Kind names a value in a word that a model knows: undefined, null, boolean,
// number, bigint, string, symbol, array, function, class, map, set, date, regexp,
// promise, error, object.
func Kind(v goja.Value) string {
	switch x := v.(type) {
	case nil:
		return "undefined"
	case goja.String:
		return "string"
	case *goja.Symbol:
		return "symbol"
	case *goja.Object:
		return objectKind(x)
	}
	switch {
	case goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case goja.IsNumber(v):
		return "number"
	case goja.IsBigInt(v):
		return "bigint"
	}
	return "boolean"
}

var (
	promiseType  = reflect.TypeOf((*goja.Promise)(nil))
	dateType     = reflect.TypeOf((*date)(nil))
	regexpType   = reflect.TypeOf((*regexpObject)(nil))
	mapExport    = reflect.TypeOf([][2]any{})
	setExport    = reflect.TypeOf([]any{})
	staticsType  = reflect.TypeOf((*statics)(nil))
	iteratorType = reflect.TypeOf((*iterator)(nil))
)

func objectKind(o *goja.Object) string {
	switch o.ClassName() {
	case "Array":
		return "array"
	case "Error":
		return "error"
	}
	switch o.ExportType() {
	case mapExport:
		return "map"
	case setExport:
		return "set"
	case funcType:
		return "function"
	case ctorType:
		return "class"
	case promiseType:
		return "promise"
	case dateType:
		return "date"
	case regexpType:
		return "regexp"
	}
	return "object"
}

// plain reports whether an object is data made by a literal, a class or JSON, and
// nothing exotic.
func plain(o *goja.Object) bool { return o.ClassName() == "Object" && objectKind(o) == "object" }

// isMap and isSet know the engine's collections by what they export.
func isMap(o *goja.Object) bool { return o.ExportType() == mapExport }
func isSet(o *goja.Object) bool { return o.ClassName() != "Array" && o.ExportType() == setExport }

// unwrap gives the primitive in an object around one.
func (r *Realm) unwrap(o *goja.Object) goja.Value {
	if o.ClassName() == "String" {
		return r.engineOf(stringProto, "valueOf")(call{This: o})
	}
	return r.vm.ToValue(o.Export())
}

func isArray(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	return ok && o.ClassName() == "Array"
}

// array gives an argument's array, nil for anything else.
func array(v goja.Value) *goja.Object {
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "Array" {
		return o
	}
	return nil
}

// boolean and number give values without going through an interface switch.
func boolean(b bool) goja.Value {
	if b {
		return valueTrue
	}
	return valueFalse
}

var (
	bare       = goja.New() // only to make primitive values, which belong to no runtime
	valueTrue  = bare.ToValue(true)
	valueFalse = bare.ToValue(false)
	emptyText  = bare.ToValue("").(goja.String)
)

func number(f float64) goja.Value { return bare.ToValue(f) }
func whole(n int) goja.Value      { return bare.ToValue(n) }

// big gives the integer behind a BigInt.
func bigOf(v goja.Value) *big.Int {
	n, _ := v.Export().(*big.Int)
	return n
}

// trimSpace removes what ECMA-262 calls white space and line terminators.
func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(c rune) bool {
	switch c {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return c >= 0x2000 && c <= 0x200A
}

// define creates an own data property, whatever its name.
func (r *Realm) set(o *goja.Object, name string, v goja.Value) {
	if name == "__proto__" {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		return
	}
	if err := o.Set(name, v); err != nil {
		panic(err)
	}
}

// put creates an own enumerable data property on a fresh object.
func (r *Realm) put(o *goja.Object, name string, v goja.Value) {
	_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// own reports an own property.
func (r *Realm) own(o *goja.Object, name string) bool {
	return r.engineOf(objectProto, "hasOwnProperty")(call{This: o, Arguments: []goja.Value{r.text(name)}}).ToBoolean()
}
