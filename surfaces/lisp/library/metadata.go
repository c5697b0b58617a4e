package library

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// class is a Java class as a value: what type gives, and what instance? asks for.
type class struct {
	data.Head
	name string // with its package
}

func (c *class) TypeName() string { return "the class " + c.name }
func (c *class) Printed() string  { return c.name }

// Text is the class in str.
func (c *class) Text() string { return "class " + c.name }

// classNames are the classes that programs name, with what they stand for.
var classNames = map[string]struct {
	full string
	is   func(v value) bool
}{
	"String":            {"java.lang.String", func(v value) bool { return v.Kind() == data.KindString }},
	"Long":              {"java.lang.Long", func(v value) bool { return v.Kind() == data.KindInt }},
	"Integer":           {"java.lang.Integer", func(value) bool { return false }},
	"Double":            {"java.lang.Double", func(v value) bool { return v.Kind() == data.KindFloat }},
	"Number":            {"java.lang.Number", value.IsNumber},
	"Boolean":           {"java.lang.Boolean", func(v value) bool { return v.Kind() == data.KindBool }},
	"Character":         {"java.lang.Character", func(v value) bool { return v.Kind() == data.KindChar }},
	"Object":            {"java.lang.Object", func(v value) bool { return !v.IsNil() }},
	"Exception":         {"java.lang.Exception", isException},
	"Throwable":         {"java.lang.Throwable", isException},
	"Keyword":           {"clojure.lang.Keyword", value.IsKeyword},
	"Symbol":            {"clojure.lang.Symbol", value.IsSymbol},
	"Ratio":             {"clojure.lang.Ratio", func(v value) bool { return v.Kind() == data.KindRatio }},
	"BigInt":            {"clojure.lang.BigInt", func(v value) bool { return v.Kind() == data.KindBig }},
	"IFn":               {"clojure.lang.IFn", func(v value) bool { return v.Kind() == data.KindFn || v.IsKeyword() }},
	"Named":             {"clojure.lang.Named", func(v value) bool { return v.Named() != nil }},
	"Sequential":        {"clojure.lang.Sequential", data.Sequential},
	"ISeq":              {"clojure.lang.ISeq", data.IsSeq},
	"IPersistentMap":    {"clojure.lang.IPersistentMap", func(v value) bool { return v.Kind() == data.KindMap }},
	"IPersistentVector": {"clojure.lang.IPersistentVector", func(v value) bool { return v.Kind() == data.KindVector }},
	"IPersistentSet":    {"clojure.lang.IPersistentSet", func(v value) bool { return v.Kind() == data.KindSet }},
	"ExceptionInfo": {"clojure.lang.ExceptionInfo", func(v value) bool {
		e, ok := v.Unbox().(*data.Exception)
		return ok && e.Class == "ExceptionInfo"
	}},
}

func isException(v value) bool { _, ok := v.Unbox().(*data.Exception); return ok }

// classNamed gives the class of a name, with or without its package.
func classNamed(name string) (value, bool) {
	short := name[strings.LastIndexByte(name, '.')+1:]
	c, ok := classNames[short]
	if !ok || short != name && c.full != name {
		return data.Nil, false
	}
	return data.Box(&class{name: c.full}), true
}

// metadata are the functions on metadata and classes.
func metadata() []*data.Native {
	classOf := func(t *data.Thread, a []value) value {
		if a[0].IsNil() {
			return data.Nil
		}
		if _, ok := a[0].Unbox().(*class); ok {
			return data.Box(&class{name: "java.lang.Class"})
		}
		return data.Box(&class{name: data.ClassName(a[0])})
	}
	return []*data.Native{
		fn("meta", 1, 1, "(meta x)", "the metadata of x", func(_ *data.Thread, a []value) value { return data.Meta(a[0]) }),
		fn("with-meta", 2, 2, "(with-meta x m)", "x with metadata", func(t *data.Thread, a []value) value { return withMeta(t, "with-meta", a[0], a[1]) }),
		fn("vary-meta", 2, any, "(vary-meta x f …)", "x with f of its metadata", func(t *data.Thread, a []value) value {
			args := append([]value{data.Meta(a[0])}, a[2:]...)
			return withMeta(t, "vary-meta", a[0], t.Invoke(t, a[1], args))
		}),
		fn("class", 1, 1, "(class x)", "the class of x", classOf),
		fn("type", 1, 1, "(type x)", "the class of x", classOf),
		fn("instance?", 2, 2, "(instance? String x)", "whether x is of a class", func(t *data.Thread, a []value) value {
			c, ok := a[0].Unbox().(*class)
			if !ok {
				wants(t, "instance?", "a class", a[0])
			}
			known, ok := classNames[c.name[strings.LastIndexByte(c.name, '.')+1:]]
			if ok {
				return data.Bool(known.is(a[1]))
			}
			return data.Bool(data.ClassName(a[1]) == c.name)
		}),
	}
}

func withMeta(t *data.Thread, name string, v, meta value) value {
	if !meta.IsNil() && meta.Kind() != data.KindMap {
		wants(t, name, "a map", meta)
	}
	w, ok := data.WithMeta(t, v, meta)
	if !ok {
		wants(t, name, "a collection or symbol", v)
	}
	return w
}
