package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// class compiles a class statement to what makes the class.
func (c *compiler) class(s *syntax.ClassDef) eval {
	call := &syntax.Call{Span: s.Span, Args: s.Bases, Keywords: s.Keywords}
	args, plain := c.arguments(call)
	nodes := c.nodes
	u := c.open(c.program.Scopes.Of(s), s.Name)
	u.isCls = true
	u.code.body = c.block(s.Body)
	doc, hasDoc := docstring(s.Body)
	c.close()
	c.nodes = nodes
	capture := c.capturesOf(u)
	code := u.code
	at := s.Span
	generic := len(s.TypeParams) > 0
	return func(f *frame) (value, *exception) {
		d := object.ClassDef{Name: code.name, Qual: code.qual, Module: code.program.space.name, Attrs: object.NewNamespace()}
		var x *exception
		if d.Bases, d.Keywords, d.Names, x = f.classArgs(args, plain); x != nil {
			return value{}, x
		}
		if hasDoc {
			d.Attrs.Set("__doc__", object.NewStr(doc))
		}
		if x := f.t.PrepareClass(&d); x != nil {
			return value{}, f.at(x, at)
		}
		h := &holder{}
		if x := f.runClass(code, capture(f), h, d.Attrs); x != nil {
			return value{}, x
		}
		d.Made = func(k *object.Class) { h.class = k }
		v, x := f.t.BuildClass(d)
		if x != nil {
			return value{}, f.at(x, at)
		}
		if k, ok := v.AsClass(); ok {
			h.class = k
			k.Generic = generic
		}
		return v, nil
	}
}

// classArgs evaluates the bases and keywords of a class statement.
func (f *frame) classArgs(args []argument, plain bool) (bases, keywords []value, names []string, raised *exception) {
	if !plain {
		all, names, x := f.spreadArgs(object.None, args)
		if x != nil {
			return nil, nil, nil, x
		}
		n := len(all) - len(names)
		return all[:n], all[n:], names, nil
	}
	for _, a := range args {
		v, x := a.eval(f)
		if x != nil {
			return nil, nil, nil, x
		}
		if a.kind == keyword {
			keywords, names = append(keywords, v), append(names, a.name)
		} else {
			bases = append(bases, v)
		}
	}
	return bases, keywords, names, nil
}

// runClass runs a class body, whose variables go into a namespace.
func (f *frame) runClass(c *code, free []*cell, h *holder, names *object.Namespace) *exception {
	if x := f.t.EnterCall(); x != nil {
		f.t.LeaveCall()
		return x
	}
	m := f.m
	k := m.mark()
	g := m.enter(c)
	clear(g.slots)
	g.free, g.class, g.names = free, h, names
	if c.ncells > 0 {
		g.cells = make([]*cell, c.ncells)
	}
	_, x := c.body(g)
	m.leave(g)
	m.release(k)
	f.t.LeaveCall()
	return x
}

func (c *compiler) imports(s *syntax.Import) exec {
	var all []exec
	for _, a := range s.Names {
		name, at := a.Name, a.Span
		top := name
		for i := range name {
			if name[i] == '.' {
				top = name[:i]
				break
			}
		}
		as := a.As
		if as == "" {
			as = top
		}
		whole := a.As != ""
		store := c.store(c.resolve(as))
		all = append(all, func(f *frame) (signal, *exception) {
			v, x := f.importModule(name)
			if x == nil && !whole && top != name {
				v, x = f.importModule(top)
			}
			if x != nil {
				return next, f.at(x, at)
			}
			store(f, v)
			return next, nil
		})
	}
	return func(f *frame) (signal, *exception) {
		for _, e := range all {
			if _, x := e(f); x != nil {
				return next, x
			}
		}
		return next, nil
	}
}

// importModule finds a module by its full name.
func (f *frame) importModule(name string) (value, *exception) {
	importer := f.t.Importer
	if own := f.code.program.space.importer; own != nil {
		importer = own
	}
	if importer != nil {
		v, x := importer(f.t, name)
		if x != nil || v.IsSet() {
			return v, x
		}
	}
	x := f.t.Raise(object.ModuleNotFound, "No module named '%s'", name)
	x.Detail = MissingModule{name}
	return value{}, x
}

// MissingModule is the detail of the error of a module that is not there.
type MissingModule struct{ Name string }

func (c *compiler) importFrom(s *syntax.ImportFrom) exec {
	if s.Module == "__future__" && s.Level == 0 {
		return func(*frame) (signal, *exception) { return next, nil }
	}
	if s.Level > 0 {
		at := s.Span
		return func(f *frame) (signal, *exception) {
			return next, f.at(f.t.Raise(object.ImportError, "attempted relative import with no known parent package"), at)
		}
	}
	type name struct {
		from  string
		at    syntax.Span
		store func(f *frame, v value)
	}
	var names []name
	star := false
	for _, a := range s.Names {
		if a.Name == "*" {
			star = true
			continue
		}
		as := a.As
		if as == "" {
			as = a.Name
		}
		names = append(names, name{a.Name, a.Span, c.store(c.resolve(as))})
	}
	module, at := s.Module, s.Span
	return func(f *frame) (signal, *exception) {
		v, x := f.importModule(module)
		if x != nil {
			return next, f.at(x, at)
		}
		if star {
			f.importAll(v)
		}
		for _, n := range names {
			w, ok, x := f.t.FindAttr(v, n.from)
			if x != nil && !x.Is(object.AttributeError) {
				return next, f.at(x, n.at)
			}
			if !ok {
				y := f.t.Raise(object.ImportError, "cannot import name '%s' from '%s' (unknown location)", n.from, module)
				y.Detail = object.MissingAttr{Object: v, Name: n.from}
				return next, f.at(y, n.at)
			}
			n.store(f, w)
		}
		return next, nil
	}
}

// importAll is from m import *.
func (f *frame) importAll(v value) {
	for name, w := range object.Exports(v) {
		f.m.global(f.code.program.space, name).value = w
	}
}
