package compile

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

func compileDef(c *compiler, f *reader.Form, s *scope, _ *target) node {
	items := f.Items[1:]
	if len(items) == 0 || items[0].Symbol() == "" {
		c.bad(f, "def takes a name and a value.")
	}
	name, rest := items[0], items[1:]
	if len(rest) == 2 && isString(rest[0]) {
		rest = rest[1:] // a docstring
	}
	if len(rest) > 1 {
		c.bad(f, "def takes one value.")
	}
	if len(rest) == 0 {
		v := c.declare(name)
		return constant(data.Box(v))
	}
	if c.foreign(name.Symbol()) {
		// (def count (count xs)) means the library's count on the right
		init := c.form(rest[0], s, nil)
		return c.definition(c.declare(name), init)
	}
	v := c.declare(name)
	return c.definition(v, c.named(rest[0], name.Symbol(), s))
}

// named compiles the value of a definition; a function form without a name takes
// the definition's.
func (c *compiler) named(f *reader.Form, name string, s *scope) node {
	if h := f.Head(); (h == "fn" || h == "fn*") && s.find(h) == nil && len(f.Items) > 1 && f.Items[1].Symbol() == "" {
		return c.functionNamed(f, name, f.Items[1:], s)
	}
	if f.Kind == reader.Lambda {
		return c.form(f, s, nil)
	}
	return c.form(f, s, nil)
}

// functionNamed compiles a function that shows a name without binding it inside:
// its own calls go through the var, as Clojure's do.
func (c *compiler) functionNamed(f *reader.Form, name string, items []*reader.Form, s *scope) node {
	code := c.arities(f, "", items, s)
	code.name = name
	if len(code.captures) == 0 {
		fn := &Fn{code: code}
		return func(*frame) value { return fn.Value() }
	}
	return func(f *frame) value {
		f.m.T.Alloc(functionBytes + 16*len(code.captures))
		fn := &Fn{code: code, caps: make([]value, len(code.captures))}
		fn.capture(f)
		return fn.Value()
	}
}

func isString(f *reader.Form) bool {
	return f.Kind == reader.Atom && f.Value.Kind() == data.KindString
}

// definition sets a var when it runs.
func (c *compiler) definition(v *Var, init node) node {
	return func(f *frame) value {
		x := init(f)
		v.set(x)
		f.m.changed(v.Name)
		return data.Box(v)
	}
}

func (m *Machine) changed(name string) {
	for _, n := range m.defined {
		if n == name {
			return
		}
	}
	m.defined = append(m.defined, name)
}

// foreign reports whether a name is the library's or the catalogue's, which a
// program can take for itself but not from the session.
func (c *compiler) foreign(name string) bool {
	if c.m.vars[name] != nil || c.temps[name] != nil {
		return false
	}
	if specials[name] != nil {
		return true
	}
	if _, ok := c.m.host.Library(name); ok {
		return true
	}
	return c.m.host.Owns != nil && c.m.host.Owns(name)
}

// declare gives the var that a definition of the program sets.
func (c *compiler) declare(f *reader.Form) *Var {
	v := c.declaredVar(f)
	if f.Meta != nil {
		v.Meta = c.metadata(f.Meta)
	}
	return v
}

// metadata gives ^{…}, or ^:key as a map of it.
func (c *compiler) metadata(f *reader.Form) value {
	m := c.quoted(f)
	if m.IsKeyword() {
		return data.MapOf(&c.m.T, m, data.True).Value()
	}
	if m.Kind() != data.KindMap {
		return data.MapOf(&c.m.T, c.m.Keyword("tag"), m).Value()
	}
	return m
}

func (c *compiler) declaredVar(f *reader.Form) *Var {
	name := strings.TrimPrefix(f.Symbol(), "user/")
	if strings.Contains(name, "/") && name != "/" {
		c.reject(f, sandbox.KindSyntax, "Can't refer to qualified var that doesn't exist: "+name, "Define a name without a slash.")
	}
	c.declared[name] = true
	if v := c.temps[name]; v != nil {
		return v
	}
	if c.foreign(name) && !c.m.lendable(name) {
		v := &Var{Name: name}
		c.temps[name] = v
		c.m.note(name + " is your own until this program ends; afterwards it is the " + c.m.owner(name) + "'s again. Choose another name to keep it.")
		return v
	}
	return c.m.define(name)
}

// lendable reports whether a library name may be taken for the session: those that
// Clojure does not have, since its programs define them.
func (m *Machine) lendable(name string) bool {
	v, ok := m.host.Library(name)
	if !ok {
		return false
	}
	n, ok := v.Unbox().(*data.Native)
	return ok && n.Extra
}

func (m *Machine) owner(name string) string {
	if _, ok := m.host.Library(name); ok || specials[name] != nil {
		return "library"
	}
	return "catalogue"
}

func compileDefn(c *compiler, f *reader.Form, s *scope, _ *target) node {
	items := f.Items[1:]
	if len(items) < 2 || items[0].Symbol() == "" {
		c.bad(f, "defn takes a name, parameters and a body.")
	}
	name, rest := items[0], items[1:]
	if isString(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0].Kind == reader.Map {
		rest = rest[1:] // metadata
	}
	v := c.declare(name)
	return c.definition(v, c.functionNamed(f, v.Name, rest, s))
}

func compileDefonce(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) != 3 || f.Items[1].Symbol() == "" {
		c.bad(f, "defonce takes a name and a value.")
	}
	v := c.declare(f.Items[1])
	set := c.definition(v, c.form(f.Items[2], s, nil))
	return func(f *frame) value {
		if v.Bound {
			return data.Nil
		}
		return set(f)
	}
}

func compileDeclare(c *compiler, f *reader.Form, _ *scope, _ *target) node {
	var last value
	for _, x := range f.Items[1:] {
		if x.Symbol() == "" {
			c.bad(f, "declare takes names.")
		}
		last = data.Box(c.declare(x))
	}
	return constant(last)
}

func compileVar(c *compiler, f *reader.Form, _ *scope, _ *target) node {
	if len(f.Items) != 2 || f.Items[1].Symbol() == "" {
		c.bad(f, "var takes a name.")
	}
	name := f.Items[1].Symbol()
	if v := c.variable(name); v != nil {
		return constant(data.Box(v))
	}
	v, ok := c.global(name)
	if !ok {
		panic(&rejection{fault: c.unknown(name, false, nil), at: c.at(f.Items[1])})
	}
	return constant(v)
}

// namespaces are the libraries that are there, with the prefixes by which programs
// reach them whatever they ask for.
var namespaces = map[string]string{
	"clojure.string": "str/", "clojure.set": "set/", "clojure.walk": "walk/", "clojure.edn": "edn/", "clojure.math": "Math/ or math/", "clojure.core": "no prefix",
}

func init() {
	register(map[string]*special{
		"require": {"(require '[clojure.string :as str])", "nothing: str/, set/, walk/ and edn/ are there", compileRequire},
		"use":     {"(use 'clojure.string)", "nothing: str/, set/, walk/ and edn/ are there", compileRequire},
		"ns":      {"(ns name (:require [clojure.string :as str]))", "nothing: there is one namespace", compileNs},
	})
}

// compileRequire takes the libraries that are there under the alias that a program
// gives them, and refuses the others by name.
func compileRequire(c *compiler, f *reader.Form, _ *scope, _ *target) node {
	for _, x := range f.Items[1:] {
		c.required(x)
	}
	return constant(data.Nil)
}

func (c *compiler) required(x *reader.Form) {
	if x.Head() == "quote" && len(x.Items) == 2 {
		x = x.Items[1]
	}
	name, options := x.Symbol(), []*reader.Form(nil)
	if x.Kind == reader.Vector && len(x.Items) > 0 {
		name, options = x.Items[0].Symbol(), x.Items[1:]
	}
	if name == "" {
		return // :reload and the like
	}
	if _, ok := namespaces[name]; !ok {
		c.reject(x, sandbox.KindRejected, "there is no library "+sandbox.Clip(name, 60)+" here.", "There are clojure.string (str/), clojure.set (set/), clojure.walk (walk/) and clojure.edn (edn/), without require.")
	}
	for i := 0; i+1 < len(options); i += 2 {
		switch {
		case isKeyword(options[i], "as"):
			c.m.aliases[options[i+1].Symbol()] = name
		case isKeyword(options[i], "refer"):
			for _, r := range options[i+1].Items {
				c.refer(r, name)
			}
		}
	}
}

// refer makes a function of a library known by its bare name.
func (c *compiler) refer(f *reader.Form, space string) {
	v, ok := c.m.host.Library(space + "/" + f.Symbol())
	if !ok {
		c.reject(f, sandbox.KindName, space+" has no "+sandbox.Clip(f.Symbol(), 60)+".", "(describe \"str/join\") shows a function that is there.")
	}
	if _, plain := c.m.host.Library(f.Symbol()); !plain {
		c.m.define(f.Symbol()).set(v)
	}
}

func compileNs(c *compiler, f *reader.Form, _ *scope, _ *target) node {
	for _, x := range f.Items[1:] {
		if x.Kind != reader.List || len(x.Items) == 0 {
			continue
		}
		switch {
		case isKeyword(x.Items[0], "require"), isKeyword(x.Items[0], "use"):
			for _, r := range x.Items[1:] {
				c.required(r)
			}
		case isKeyword(x.Items[0], "import"):
			c.reject(x, sandbox.KindRejected, "there are no Java classes here, so nothing can be imported.", "Use the functions of the language.")
		}
	}
	return constant(data.Nil)
}
