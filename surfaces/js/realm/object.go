package realm

import (
	"strconv"

	"github.com/dop251/goja"
)

func objectMethods() []member {
	return []member{
		method("hasOwnProperty", 1, func(r *Realm, c call) goja.Value {
			key := r.propertyKey(arg(c, 0))
			return boolean(r.own(r.object(c.This), key))
		}),
		method("isPrototypeOf", 1, func(r *Realm, c call) goja.Value {
			this, ok := c.This.(*goja.Object)
			o, isObject := arg(c, 0).(*goja.Object)
			if !ok || !isObject {
				return valueFalse
			}
			for p := o.Prototype(); p != nil; p = p.Prototype() {
				r.Charge(1)
				if p == this {
					return valueTrue
				}
			}
			return valueFalse
		}),
		over("propertyIsEnumerable", 1, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				key := r.propertyKey(arg(c, 0))
				return engine(call{This: r.object(c.This), Arguments: []goja.Value{r.text(key)}})
			}
		}),
		method("toLocaleString", 0, func(r *Realm, c call) goja.Value {
			return r.str(r.object(c.This))
		}),
		method("toString", 0, func(r *Realm, c call) goja.Value {
			text := r.brand(c.This)
			if text == plainText {
				r.note("An object became the text " + plainText + ". Read one of its fields, or write JSON.stringify(it).")
			}
			return r.text(text)
		}),
		method("valueOf", 0, func(r *Realm, c call) goja.Value { return r.object(c.This) }),
	}
}

// object is ECMA-262 ToObject.
func (r *Realm) object(v goja.Value) *goja.Object {
	if o, ok := v.(*goja.Object); ok {
		return o
	}
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		r.typeError("Cannot convert undefined or null to object")
	}
	return v.ToObject(r.vm)
}

// propertyKey is ECMA-262 ToPropertyKey.
func (r *Realm) propertyKey(v goja.Value) string { return r.str(v).String() }

// brand is Object.prototype.toString.
func (r *Realm) brand(v goja.Value) string {
	switch Kind(v) {
	case "undefined":
		return "[object Undefined]"
	case "null":
		return "[object Null]"
	case "array":
		return "[object Array]"
	case "function", "class":
		return "[object Function]"
	case "error":
		return "[object Error]"
	case "boolean":
		return "[object Boolean]"
	case "number":
		return "[object Number]"
	case "string":
		return "[object String]"
	case "bigint":
		return "[object BigInt]"
	case "map":
		return "[object Map]"
	case "set":
		return "[object Set]"
	case "date":
		return "[object Date]"
	case "regexp":
		return "[object RegExp]"
	case "promise":
		return "[object Promise]"
	}
	if o, ok := v.(*goja.Object); ok {
		if tag, ok := o.GetSymbol(goja.SymToStringTag).(goja.String); ok {
			return "[object " + clipString(tag, 200) + "]"
		}
		switch d := dynamic(o).(type) {
		case *statics:
			return "[object " + d.owner + "]"
		case *iterator:
			return "[object " + d.name + "]"
		}
	}
	return plainText
}

// plainText is what a plain object becomes where a text is wanted, which is
// nearly always a mistake.
const plainText = "[object Object]"

// dynamic gives the Go value behind an object of ours, nil for the engine's.
func dynamic(o *goja.Object) any {
	switch o.ExportType() {
	case dateType, regexpType, staticsType, iteratorType:
		return o.Export()
	}
	return nil
}

// keys lists the own enumerable string keys of an object, charged.
func (r *Realm) keys(o *goja.Object) []string {
	if dynamic(o) != nil || o.ClassName() == "String" {
		list := o.Keys()
		r.Charge(int64(len(list)) + 2)
		return list
	}
	values := r.keyValues(o)
	list := make([]string, len(values))
	p := r.pace()
	for i, v := range values {
		p.step(1)
		list[i] = v.String()
	}
	p.end()
	return list
}

// memberNames is keyValues for any object.
func (r *Realm) memberNames(o *goja.Object) []goja.Value {
	if dynamic(o) != nil || o.ClassName() == "String" {
		return r.textValues(r.keys(o))
	}
	return r.keyValues(o)
}

// keyValues is keys as string values.
func (r *Realm) keyValues(o *goja.Object) []goja.Value {
	r.Charge(2)
	if o.ClassName() == "Array" {
		n := length(o)
		r.checkLength(n)
		r.Alloc(int64(n) * 32)
	}
	if r.objectKeys == nil {
		r.objectKeys = r.engineStatic("keys")
	}
	made := r.objectKeys(call{Arguments: []goja.Value{o}}).(*goja.Object)
	values := r.listOf(made)
	r.Alloc(int64(len(values)) * elemBytes)
	r.Charge(int64(len(values)))
	return values
}

// textValues makes string values of Go strings.
func (r *Realm) textValues(list []string) []goja.Value {
	values := make([]goja.Value, len(list))
	for i, s := range list {
		values[i] = r.text(s)
	}
	return values
}

// entriesOf visits own enumerable properties in order. Values are read when
// their turn comes.
func (r *Realm) entriesOf(o *goja.Object, visit func(key string, v goja.Value)) {
	if s, ok := stringObject(o); ok {
		for i := range s.Length() {
			r.Charge(1)
			visit(strconv.Itoa(i), s.Substring(i, i+1))
		}
		return
	}
	for _, key := range r.keys(o) {
		if v := o.Get(key); v != nil {
			visit(key, v)
		}
	}
}

// stringObject gives the string that an object wraps.
func stringObject(o *goja.Object) (goja.String, bool) {
	if o.ClassName() != "String" {
		return nil, false
	}
	s, ok := o.ToString().(goja.String)
	return s, ok
}

func objectStatics() []member {
	return []member{
		method("keys", 1, func(r *Realm, c call) goja.Value {
			o := r.object(arg(c, 0))
			if dynamic(o) != nil || o.ClassName() == "String" {
				return r.newArray(r.textValues(r.keys(o)))
			}
			values := r.keyValues(o)
			r.Alloc(int64(len(values)) * stringBytes)
			return r.newArray(values)
		}),
		method("values", 1, func(r *Realm, c call) goja.Value {
			var list []goja.Value
			r.entriesOf(r.object(arg(c, 0)), func(_ string, v goja.Value) { list = append(list, v) })
			return r.newArray(list)
		}),
		method("entries", 1, func(r *Realm, c call) goja.Value {
			var list []goja.Value
			o := r.object(arg(c, 0))
			if dynamic(o) != nil || o.ClassName() == "String" {
				r.entriesOf(o, func(key string, v goja.Value) {
					r.Alloc(stringBytes)
					list = append(list, r.newArray([]goja.Value{r.text(key), v}))
				})
				return r.newArray(list)
			}
			for _, key := range r.keyValues(o) {
				if v := o.Get(key.String()); v != nil {
					r.Alloc(stringBytes + elemBytes)
					list = append(list, r.newArray([]goja.Value{key, v}))
				}
			}
			return r.newArray(list)
		}),
		method("assign", 2, objectAssign),
		method("fromEntries", 1, objectFromEntries),
		method("freeze", 1, objectFreeze),
		method("isFrozen", 1, func(r *Realm, c call) goja.Value { return boolean(r.frozen(arg(c, 0))) }),
		method("seal", 1, func(r *Realm, c call) goja.Value { return r.restrict(c, "seal") }),
		method("isSealed", 1, func(r *Realm, c call) goja.Value {
			o, ok := arg(c, 0).(*goja.Object)
			if !ok {
				return valueTrue
			}
			return r.engineStatic("isSealed")(call{Arguments: []goja.Value{o}})
		}),
		method("preventExtensions", 1, func(r *Realm, c call) goja.Value { return r.restrict(c, "preventExtensions") }),
		method("isExtensible", 1, func(r *Realm, c call) goja.Value {
			o, ok := arg(c, 0).(*goja.Object)
			return boolean(ok && r.extensible(o))
		}),
		method("is", 2, func(_ *Realm, c call) goja.Value { return boolean(arg(c, 0).SameAs(arg(c, 1))) }),
		method("hasOwn", 2, func(r *Realm, c call) goja.Value {
			o := r.object(arg(c, 0))
			return boolean(r.own(o, r.propertyKey(arg(c, 1))))
		}),
		method("groupBy", 2, objectGroupBy),
		method("getOwnPropertyNames", 1, objectNames),
		method("getOwnPropertySymbols", 1, func(r *Realm, c call) goja.Value {
			var list []goja.Value
			for _, s := range r.object(arg(c, 0)).Symbols() {
				list = append(list, s)
			}
			return r.newArray(list)
		}),
		method("create", 2, objectCreate),
	}
}

// engineStatic gives a function of the engine's Object.
func (r *Realm) engineStatic(name string) native {
	return exported(r.engine.Get("Object").(*goja.Object).Get(name))
}

// extensible reports whether properties can be added to an object.
func (r *Realm) extensible(o *goja.Object) bool {
	if r.isExtensible == nil {
		r.isExtensible = r.engineStatic("isExtensible")
	}
	return r.isExtensible(call{Arguments: []goja.Value{o}}).ToBoolean()
}

func (r *Realm) frozen(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	if !ok {
		return true
	}
	switch d := dynamic(o).(type) {
	case *date:
		return d.frozen
	case *regexpObject:
		return d.frozen
	case *statics:
		return true
	}
	r.Charge(int64(length(o)))
	return r.engineStatic("isFrozen")(call{Arguments: []goja.Value{o}}).ToBoolean()
}

func objectFreeze(r *Realm, c call) goja.Value { return r.restrict(c, "freeze") }

// restrict freezes, seals or closes an object against additions.
func (r *Realm) restrict(c call, how string) goja.Value {
	o, ok := arg(c, 0).(*goja.Object)
	if !ok {
		return arg(c, 0)
	}
	switch d := dynamic(o).(type) {
	case *date:
		d.frozen = true
		return o
	case *regexpObject:
		d.frozen = true
		return o
	case *statics, *iterator:
		return o
	}
	n := int64(length(o))
	if o.ClassName() != "Array" {
		n = int64(len(o.Keys()))
	}
	r.checkLength(int(n))
	r.Charge(n)
	if how != "preventExtensions" {
		r.Alloc(n * 64) // a frozen property is a descriptor of its own
	}
	return r.engineStatic(how)(call{Arguments: []goja.Value{o}})
}

func objectAssign(r *Realm, c call) goja.Value {
	target := r.object(arg(c, 0))
	for i := 1; i < len(c.Arguments); i++ {
		v := c.Arguments[i]
		if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
			continue
		}
		r.entriesOf(r.object(v), func(key string, v goja.Value) {
			r.Alloc(propBytes)
			r.set(target, key, v)
		})
		if from, ok := v.(*goja.Object); ok {
			for _, s := range from.Symbols() {
				r.Alloc(propBytes)
				if err := target.SetSymbol(s, filled(from.GetSymbol(s))); err != nil {
					panic(err)
				}
			}
		}
	}
	return target
}

func objectFromEntries(r *Realm, c call) goja.Value {
	if v := arg(c, 0); goja.IsUndefined(v) || goja.IsNull(v) {
		r.typeError("undefined is not iterable")
	}
	r.Alloc(objectBytes)
	o := r.vm.NewObject()
	r.iterate(arg(c, 0), func(v goja.Value) bool {
		entry, ok := v.(*goja.Object)
		if !ok {
			r.typeError("Iterator value %s is not an entry object", r.describeArg(v))
		}
		key := r.propertyKey(filled(entry.Get("0")))
		r.Alloc(propBytes)
		r.put(o, key, filled(entry.Get("1")))
		return true
	})
	return o
}

func objectGroupBy(r *Realm, c call) goja.Value {
	f := r.callback(arg(c, 1))
	r.Alloc(objectBytes)
	o := r.vm.CreateObject(nil)
	var keys []string
	groups := map[string][]goja.Value{}
	i := 0
	r.iterate(arg(c, 0), func(v goja.Value) bool {
		key := r.propertyKey(filled(f(call{This: goja.Undefined(), Arguments: []goja.Value{v, whole(i)}})))
		i++
		if _, ok := groups[key]; !ok {
			r.Alloc(propBytes + arrayBytes)
			keys = append(keys, key)
		}
		r.Alloc(2 * elemBytes)
		groups[key] = append(groups[key], v)
		return true
	})
	for _, key := range keys {
		r.put(o, key, r.makeArray(groups[key]))
	}
	return o
}

func objectNames(r *Realm, c call) goja.Value {
	o := r.object(arg(c, 0))
	if o.ClassName() == "Array" {
		r.checkLength(length(o))
		r.Alloc(int64(length(o)) * 48)
	}
	var list []string
	for _, name := range o.GetOwnPropertyNames() {
		switch name {
		case "stack", "prototype", "caller", "arguments":
			continue
		}
		list = append(list, name)
	}
	if o.ClassName() == "Array" {
		list = appendMissing(list, "length")
	}
	r.Alloc(int64(len(list)) * (stringBytes + elemBytes))
	return r.newArray(r.textValues(list))
}

func appendMissing(list []string, name string) []string {
	for _, s := range list {
		if s == name {
			return list
		}
	}
	return append(list, name)
}

// objectCreate offers the one use that is about data: an object without
// inherited members.
func objectCreate(r *Realm, c call) goja.Value {
	if !goja.IsNull(arg(c, 0)) || given(c, 1) {
		r.typeError("Object.create is available with null only. Use a class, or a spread: { ...base }.")
	}
	r.Alloc(objectBytes)
	return r.vm.CreateObject(nil)
}

func (r *Realm) objectConstructor() goja.Value {
	return r.constructor("Object", 1, r.proto(objectProto), func(c goja.ConstructorCall) *goja.Object {
		v := c.Argument(0)
		if p := c.This.Prototype(); p != r.protos[objectProto] || goja.IsUndefined(v) || goja.IsNull(v) {
			r.Alloc(objectBytes)
			return c.This
		}
		return v.ToObject(r.vm)
	})
}

func functionMethods() []member {
	return []member{
		over("toString", 0, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				if o, ok := c.This.(*goja.Object); ok && r.native(o) {
					return r.text("function " + r.className(o) + "() { [native code] }")
				}
				return engine(c)
			}
		}),
	}
}

// native reports a function that is written in Go.
func (r *Realm) native(o *goja.Object) bool {
	return isFunction(o) && !r.extensible(o) && o.Get("prototype") == nil
}

func booleanMethods() []member {
	return []member{
		method("toString", 0, func(r *Realm, c call) goja.Value {
			return r.text(r.thisPrimitive(c, "Boolean", "toString").String())
		}),
		method("valueOf", 0, func(r *Realm, c call) goja.Value { return r.thisPrimitive(c, "Boolean", "valueOf") }),
	}
}

func (r *Realm) booleanFunction() goja.Value {
	return r.converter("Boolean", r.proto(booleanProto), func(_ *Realm, c call) goja.Value {
		return boolean(arg(c, 0).ToBoolean())
	})
}

// Spread charges for a value that is about to be spread or iterated by for…in,
// and gives it back.
func (r *Realm) Spread(v goja.Value) goja.Value {
	switch x := v.(type) {
	case goja.String:
		r.Alloc(int64(x.Length()) * (stringBytes + elemBytes))
	case *goja.Object:
		r.spreading(x)
	}
	return v
}

func (r *Realm) spreading(o *goja.Object) {
	switch objectKind(o) {
	case "array":
		n := length(o)
		r.checkLength(n)
		r.Alloc(int64(n) * 2 * elemBytes)
	case "map", "set":
		n := int64(r.size(o))
		r.Alloc(n * 2 * elemBytes)
		if isMap(o) {
			r.Alloc(n * (arrayBytes + 2*elemBytes))
		}
	default:
		if plain(o) {
			n := int64(len(o.Keys()))
			r.Charge(n)
			r.Alloc(objectBytes + n*propBytes)
		}
	}
}

// SetLength does o.length = n, charged, and gives n.
func (r *Realm) SetLength(v, n goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
			r.typeError("Cannot set properties of %s (setting 'length')", filled(v).String())
		}
		r.typeError("Cannot assign to read only property 'length' of %s", r.describe(v))
	}
	if o.ClassName() != "Array" {
		r.set(o, "length", n)
		return n
	}
	f := r.num(n)
	if f < 0 || float64(uint32(f)) != f {
		r.rangeError("Invalid array length")
	}
	r.checkLength(int(f))
	if more := int64(f) - int64(length(o)); more > 0 {
		r.Alloc(more * elemBytes)
	}
	r.truncate(o, int(f))
	return n
}
