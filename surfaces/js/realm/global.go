package realm

import (
	"sort"
	"sync"

	"github.com/dop251/goja"
)

// global makes the value of one global name.
type global func(r *Realm) goja.Value

var (
	globalsOnce sync.Once
	globals     map[string]global
)

// theGlobals are the names every realm defines. The table is built once and never
// changed.
func theGlobals() map[string]global {
	globalsOnce.Do(func() {
		globals = map[string]global{
			"Object":             (*Realm).objectConstructor,
			"Array":              (*Realm).arrayConstructor,
			"String":             (*Realm).stringFunction,
			"Number":             (*Realm).numberFunction,
			"Boolean":            (*Realm).booleanFunction,
			"BigInt":             (*Realm).bigintFunction,
			"Symbol":             (*Realm).symbolFunction,
			"queueMicrotask":     globalFunction("queueMicrotask", 1, queueMicrotask),
			"Map":                (*Realm).mapConstructor,
			"Set":                (*Realm).setConstructor,
			"Date":               (*Realm).dateConstructor,
			"RegExp":             (*Realm).regexpConstructor,
			"Promise":            (*Realm).promiseConstructor,
			"Error":              (*Realm).errorConstructor,
			"AggregateError":     (*Realm).aggregateConstructor,
			"Math":               (*Realm).mathNamespace,
			"JSON":               (*Realm).jsonNamespace,
			"Intl":               (*Realm).intlNamespace,
			"console":            (*Realm).consoleNamespace,
			"parseInt":           numberStatic("parseInt"),
			"parseFloat":         numberStatic("parseFloat"),
			"isNaN":              globalFunction("isNaN", 1, isNaNOf),
			"isFinite":           globalFunction("isFinite", 1, isFiniteOf),
			"encodeURIComponent": globalFunction("encodeURIComponent", 1, encodeURIComponent),
			"encodeURI":          globalFunction("encodeURI", 1, encodeURI),
			"decodeURIComponent": globalFunction("decodeURIComponent", 1, decodeURIComponent),
			"decodeURI":          globalFunction("decodeURI", 1, decodeURI),
			"btoa":               globalFunction("btoa", 1, btoa),
			"atob":               globalFunction("atob", 1, atob),
			"structuredClone":    globalFunction("structuredClone", 1, structuredClone),
		}
		for _, name := range []string{"TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"} {
			globals[name] = func(r *Realm) goja.Value { return r.errorSubclass(name) }
		}
	})
	return globals
}

func globalFunction(name string, length int, f func(r *Realm, c call) goja.Value) global {
	return func(r *Realm) goja.Value {
		m := method(name, length, f)
		return r.Function(name, length, m.build(r, nil))
	}
}

// Offered reports whether a global name is one that a realm defines.
func Offered(name string) bool {
	switch name {
	case "undefined", "NaN", "Infinity":
		return true
	}
	_, ok := theGlobals()[name]
	return ok
}

// GlobalNames lists the global names that a realm defines, sorted, without the
// value names undefined, NaN and Infinity.
func GlobalNames() []string {
	names := make([]string, 0, len(theGlobals()))
	for name := range theGlobals() {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// define makes a global name reachable.
func (r *Realm) define(name string) {
	if r.defined[name] {
		return
	}
	if v := r.GlobalValue(name); v != nil {
		r.SetGlobal(name, v)
	}
}

// fallback stands behind the global object for the names that the engine looks up
// by itself: it compiles a constant expression that throws into new TypeError(…)
// or new RangeError(…), whether the program names those or not.
type fallback struct{ r *Realm }

func (r *Realm) fallback() *goja.Object {
	o := r.vm.NewDynamicObject(&fallback{r})
	_ = o.SetPrototype(nil)
	return o
}

// Get makes the two classes.
func (f *fallback) Get(key string) goja.Value {
	if f.Has(key) {
		return f.r.GlobalValue(key)
	}
	return nil
}

// Has reports the two classes.
func (f *fallback) Has(key string) bool { return key == "TypeError" || key == "RangeError" }

// Set refuses.
func (f *fallback) Set(string, goja.Value) bool { return false }

// Delete refuses.
func (f *fallback) Delete(key string) bool { return !f.Has(key) }

// Keys lists nothing.
func (f *fallback) Keys() []string { return nil }

// GlobalValue gives the value of a global name, nil if there is none.
func (r *Realm) GlobalValue(name string) goja.Value {
	if v := r.values[name]; v != nil {
		return v
	}
	if build := theGlobals()[name]; build != nil {
		v := build(r)
		if r.values == nil {
			r.values = make(map[string]goja.Value)
		}
		r.values[name] = v
		return v
	}
	if r.options.Global != nil {
		return r.options.Global(name)
	}
	return nil
}

// SetGlobal defines a global name that no program can assign; the host may define
// it again.
func (r *Realm) SetGlobal(name string, v goja.Value) {
	if r.defined == nil {
		r.defined = make(map[string]bool)
	}
	r.defined[name] = true
	_ = r.global.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// DeleteGlobal removes a name that SetGlobal defined.
func (r *Realm) DeleteGlobal(name string) {
	delete(r.defined, name)
	_ = r.global.Delete(name)
}

// unavailable are well-known globals that are not offered, each with what to
// write instead.
var unavailable = map[string]string{
	"Proxy":                 "Use a plain object or a function.",
	"Reflect":               "Use Object.keys, Object.entries or ordinary property access.",
	"WeakMap":               "Use a Map.",
	"WeakSet":               "Use a Set.",
	"WeakRef":               "Use the value itself.",
	"FinalizationRegistry":  "There is nothing to finalise here.",
	"ArrayBuffer":           "Use an array of numbers.",
	"SharedArrayBuffer":     "Use an array of numbers.",
	"Atomics":               "A program has one thread; use ordinary assignments.",
	"DataView":              "Use an array of numbers.",
	"Uint8Array":            "Use an array of numbers.",
	"Uint8ClampedArray":     "Use an array of numbers.",
	"Int8Array":             "Use an array of numbers.",
	"Uint16Array":           "Use an array of numbers.",
	"Int16Array":            "Use an array of numbers.",
	"Uint32Array":           "Use an array of numbers.",
	"Int32Array":            "Use an array of numbers.",
	"Float32Array":          "Use an array of numbers.",
	"Float64Array":          "Use an array of numbers.",
	"BigInt64Array":         "Use an array of BigInts.",
	"BigUint64Array":        "Use an array of BigInts.",
	"Buffer":                "Use btoa and atob for base64, and strings for text.",
	"TextEncoder":           "Use strings; encodeURIComponent gives UTF-8 bytes as %XX.",
	"TextDecoder":           "Use strings.",
	"eval":                  "Write the code itself.",
	"Function":              "Write a function or an arrow function.",
	"globalThis":            "Use names directly; top-level names persist from one program to the next.",
	"window":                "There is no browser; use names directly.",
	"self":                  "Use names directly.",
	"global":                "Use names directly; top-level names persist from one program to the next.",
	"document":              "There is no browser page here; use the functions of the session.",
	"process":               "There is no process here; use the functions of the session.",
	"require":               "There are no modules; everything is a global name.",
	"module":                "There are no modules; end the program with the value.",
	"exports":               "There are no modules; end the program with the value.",
	"fetch":                 "Use the functions of the session to reach anything outside.",
	"XMLHttpRequest":        "Use the functions of the session to reach anything outside.",
	"WebSocket":             "Use the functions of the session to reach anything outside.",
	"fs":                    "There is no file system; use the functions of the session.",
	"setTimeout":            "There are no timers; call the function directly, or await the call.",
	"setInterval":           "There are no timers; use a loop.",
	"setImmediate":          "There are no timers; call the function directly.",
	"clearTimeout":          "There are no timers.",
	"clearInterval":         "There are no timers.",
	"requestAnimationFrame": "There are no timers; use a loop.",
	"performance":           "Use Date.now().",
	"crypto":                "Use Math.random() for a value that need not be secret.",
	"URL":                   "Use split and decodeURIComponent, or a regular expression.",
	"URLSearchParams":       "Use split('&') and decodeURIComponent, or join pairs with encodeURIComponent.",
	"escape":                "Use encodeURIComponent.",
	"unescape":              "Use decodeURIComponent.",
	"alert":                 "Use console.log, or end the program with the value.",
	"Iterator":              "Turn an iterator into an array first: [...it].",
	"Temporal":              "Use Date; its zone here is UTC.",
	"lodash":                "Use array methods, Object.groupBy and Map.groupBy.",
	"moment":                "Use Date; its zone here is UTC.",
}

// Unavailable says what to write instead of a well-known global name that a realm
// does not offer.
func Unavailable(name string) (advice string, ok bool) {
	advice, ok = unavailable[name]
	return advice, ok
}
