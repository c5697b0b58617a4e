package compile

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// compiler compiles one program.
type compiler struct {
	m        *Machine
	base     int
	fn       *function
	temps    map[string]*Var // library names that the program has redefined
	declared map[string]bool // names that it has defined so far
	depth    int
}

// rejection is a fault of the compiler with its place.
type rejection struct {
	fault *sandbox.Fault
	at    int
}

// target is where recur goes: the slots that it sets, and how many.
type target struct {
	first, n int
}

// at gives the place of a form.
func (c *compiler) at(f *reader.Form) int { return c.base + f.Pos }

// reject refuses the program.
func (c *compiler) reject(f *reader.Form, kind sandbox.Kind, message, hint string) {
	name := "SyntaxError"
	if kind == sandbox.KindName {
		name = "NameError"
	}
	panic(&rejection{fault: &sandbox.Fault{Kind: kind, Name: name, Message: message, Hint: hint}, at: c.at(f)})
}

// bad refuses a form that is not written as it must be.
func (c *compiler) bad(f *reader.Form, message string) {
	hint := ""
	if s := specials[f.Head()]; s != nil {
		hint = "Write " + s.usage + "."
	}
	c.reject(f, sandbox.KindSyntax, message, hint)
}

// top compiles a form of the top level.
func (c *compiler) top(f *reader.Form) topForm {
	fn := &function{code: &code{}}
	c.fn = fn
	body := c.form(f, nil, nil)
	return topForm{body: body, slots: fn.most}
}

// form compiles any form. tail is where recur goes, nil where it may not stand.
func (c *compiler) form(f *reader.Form, s *scope, tail *target) node {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > 4*reader.MaxDepth {
		c.reject(f, sandbox.KindSyntax, "the form is nested too deeply.", "Split it with let or defn.")
	}
	switch f.Kind {
	case reader.Atom:
		return c.atom(f, s)
	case reader.List:
		return c.list(f, s, tail)
	case reader.Vector:
		return c.vector(f, s)
	case reader.Map:
		return c.mapping(f, s)
	case reader.Set:
		return c.set(f, s)
	case reader.Regex:
		return c.regex(f)
	}
	return c.lambda(f, s)
}

// forms compiles several forms whose values are all used.
func (c *compiler) forms(all []*reader.Form, s *scope) []node {
	out := make([]node, len(all))
	for i, f := range all {
		out[i] = c.form(f, s, nil)
	}
	return out
}

func constant(v value) node { return func(*frame) value { return v } }

func (c *compiler) atom(f *reader.Form, s *scope) node {
	if f.Value.IsSymbol() {
		return c.symbol(f, s)
	}
	if f.Value.IsKeyword() {
		return constant(c.m.intern(f.Value))
	}
	return constant(f.Value)
}

// symbol compiles a name as a value.
func (c *compiler) symbol(f *reader.Form, s *scope) node {
	name := f.Symbol()
	if local := s.find(name); local != nil {
		return c.fn.load(local)
	}
	if v := c.variable(name); v != nil {
		return c.load(f, v)
	}
	if v, ok := c.global(name); ok {
		return constant(v)
	}
	if specials[name] != nil {
		c.reject(f, sandbox.KindName, name+" is a form and no value.", "Wrap it in a function: (fn [x] ("+name+" …)).")
	}
	panic(&rejection{fault: c.unknown(name, false, s), at: c.at(f)})
}

func (c *compiler) unknown(name string, called bool, s *scope) *sandbox.Fault {
	if c.m.host.Unknown != nil {
		return c.m.host.Unknown(name, called, s.names())
	}
	return &sandbox.Fault{Kind: sandbox.KindName, Name: "NameError", Message: "Unable to resolve symbol: " + name + " in this context"}
}

// variable gives the var of a name, nil for none.
func (c *compiler) variable(name string) *Var {
	name = strings.TrimPrefix(name, "user/")
	if v := c.temps[name]; v != nil {
		return v
	}
	if c.declared[name] || c.m.vars[name] != nil {
		return c.m.vars[name]
	}
	return nil
}

func (c *compiler) load(f *reader.Form, v *Var) node {
	at := c.at(f)
	return func(f *frame) value {
		if !v.Bound {
			f.m.T.At = at
			data.ThrowHint("IllegalStateException", v.Name+" is declared and has no value yet.", "Define it before it is used.")
		}
		return v.Value
	}
}

// global gives what the library and the catalogue have under a name.
func (c *compiler) global(name string) (value, bool) {
	if v, ok := c.m.host.Library(name); ok {
		return v, true
	}
	if space, local, ok := strings.Cut(name, "/"); ok && c.m.aliases[space] != "" {
		if v, ok := c.m.host.Library(c.m.aliases[space] + "/" + local); ok {
			return v, true
		}
	}
	if c.m.host.Resolve != nil {
		return c.m.host.Resolve(name)
	}
	return data.Nil, false
}

func (c *compiler) vector(f *reader.Form, s *scope) node {
	if v, ok := c.literal(f); ok {
		return constant(v)
	}
	items := c.forms(f.Items, s)
	return func(f *frame) value {
		f.m.T.Alloc(128 + 16*len(items))
		out := make([]value, len(items))
		for i, n := range items {
			out[i] = n(f)
		}
		return data.VectorOf(out)
	}
}

// literal gives a collection whose elements are all constants.
func (c *compiler) literal(f *reader.Form) (value, bool) {
	for _, x := range f.Items {
		if x.Kind != reader.Atom || x.Value.IsSymbol() {
			return data.Nil, false
		}
	}
	return c.quoted(f), true
}

func (c *compiler) mapping(f *reader.Form, s *scope) node {
	if v, ok := c.literal(f); ok {
		return constant(v)
	}
	items := c.forms(f.Items, s)
	if keys, ok := c.keywords(f); ok {
		return c.record(keys, items)
	}
	at := c.at(f)
	return func(f *frame) value {
		b := data.NewBuilder(&f.m.T)
		for i := 0; i < len(items); i += 2 {
			k := items[i](f)
			v := items[i+1](f)
			if _, there := b.Get(k); there {
				f.m.T.At = at
				data.Throw("IllegalArgumentException", "Duplicate key: "+data.Brief(&f.m.T, k, 60))
			}
			b.Put(k, v)
		}
		return b.Map().Value()
	}
}

// keywords gives the keys of a map literal that has only keywords for keys, few
// enough to keep their order.
func (c *compiler) keywords(f *reader.Form) ([]value, bool) {
	if len(f.Items) > 16 {
		return nil, false
	}
	var keys []value
	for i := 0; i < len(f.Items); i += 2 {
		if !f.Items[i].Value.IsKeyword() {
			return nil, false
		}
		keys = append(keys, c.m.intern(f.Items[i].Value))
	}
	return keys, true
}

// record makes maps with the same keys, which they share.
func (c *compiler) record(keys []value, items []node) node {
	shape := &data.Shape{Keys: keys}
	vals := make([]node, len(keys))
	for i := range vals {
		vals[i] = items[2*i+1]
	}
	return func(f *frame) value {
		f.m.T.Alloc(176 + 16*len(vals))
		out := make([]value, len(vals))
		for i, n := range vals {
			out[i] = n(f)
		}
		return shape.NewRow(out).Value()
	}
}

func (c *compiler) set(f *reader.Form, s *scope) node {
	if v, ok := c.literal(f); ok {
		return constant(v)
	}
	items := c.forms(f.Items, s)
	at := c.at(f)
	return func(f *frame) value {
		t := &f.m.T
		b := data.SetOf(t)
		for _, n := range items {
			x := n(f)
			if b.Has(t, x) {
				t.At = at
				data.Throw("IllegalArgumentException", "Duplicate key: "+data.Brief(t, x, 60))
			}
			b = b.With(t, x)
		}
		return b.Value()
	}
}

func (c *compiler) regex(f *reader.Form) node {
	pattern, _ := f.Value.Text()
	var compiled value
	at := c.at(f)
	return func(f *frame) value {
		if compiled.IsNil() {
			f.m.T.At = at
			compiled = f.m.host.Regex(&f.m.T, pattern)
		}
		return compiled
	}
}

// quoted gives a form as data.
func (c *compiler) quoted(f *reader.Form) value { return c.m.Datum(f) }

// Datum gives a form as data, as quote does.
func (m *Machine) Datum(f *reader.Form) value {
	switch f.Kind {
	case reader.Atom:
		if f.Value.IsKeyword() || f.Value.IsSymbol() {
			return m.intern(f.Value)
		}
		return f.Value
	case reader.Regex:
		pattern, _ := f.Value.Text()
		return m.host.Regex(&m.T, pattern)
	}
	items := make([]value, len(f.Items))
	for i, x := range f.Items {
		items[i] = m.Datum(x)
	}
	t := &m.T
	t.Alloc(64 + 16*len(items))
	switch f.Kind {
	case reader.Vector:
		return data.VectorOf(items)
	case reader.Map:
		return data.MapOf(t, items...).Value()
	case reader.Set:
		return data.SetOf(t, items...).Value()
	}
	return data.ListOf(items)
}
