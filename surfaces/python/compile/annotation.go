package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// note is the annotation of a parameter, or of a function's result. One that uses an
// unknown name is kept as its text: programs often annotate with names of typing
// that they do not import, and nothing else depends on it.
type note struct {
	name string
	eval eval // nil under from __future__ import annotations: the text is all
	text string
}

// annotations compiles the annotations of a function. Those of a generic one are
// left out: its type parameters have no value.
func (c *compiler) annotations(s *syntax.FunctionDef) []note {
	if len(s.TypeParams) > 0 {
		return nil
	}
	var notes []note
	add := func(name string, e syntax.Expr) {
		if e == nil {
			return
		}
		at := syntax.Place(e)
		n := note{name: name, text: c.program.Source[at.Start:at.End]}
		if !c.program.lateAnnotations() && !c.typeParameter(e) {
			n.eval = c.expr(e)
		}
		notes = append(notes, n)
	}
	for _, list := range [...][]*syntax.Arg{s.Args.PosOnly, s.Args.Args, {s.Args.Vararg}, s.Args.KwOnly, {s.Args.Kwarg}} {
		for _, p := range list {
			if p != nil {
				add(p.Name, p.Annotation)
			}
		}
	}
	add("return", s.Returns)
	return notes
}

// typeParameter reports whether an annotation uses a type parameter of a generic
// definition around it, which has no value.
func (c *compiler) typeParameter(e syntax.Expr) bool {
	used := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			for s := c.u.layer().scope; s != nil; s = s.Parent {
				if sym := s.Lookup(name.ID); sym != nil && sym.Assigned() {
					used = used || s.Kind == syntax.FunctionScope && s.Node == nil
					break
				}
			}
		}
		return true
	})
	return used
}

// lateAnnotations reports whether the program keeps annotations as text (PEP 563).
func (p *Program) lateAnnotations() bool {
	for _, s := range p.Module.Body {
		if i, ok := s.(*syntax.ImportFrom); ok && i.Module == "__future__" {
			for _, a := range i.Names {
				if a.Name == "annotations" {
					return true
				}
			}
		}
	}
	return false
}

// annotate evaluates the annotations of a function that is being made.
func (f *frame) annotate(fn *object.Function, notes []note) *exception {
	d, x := f.t.Dict(len(notes))
	if x != nil {
		return x
	}
	k := f.m.mark()
	f.m.hold(d.Value())
	defer f.m.release(k)
	for _, n := range notes {
		v := object.NewStr(n.text)
		if n.eval != nil {
			w, x := n.eval(f)
			switch {
			case x == nil:
				v = w
			case !x.Is(object.NameError):
				return x
			}
		}
		if x := d.SetName(f.t, n.name, v); x != nil {
			return x
		}
	}
	if fn.Attrs == nil {
		fn.Attrs = object.NewDict()
	}
	return fn.Attrs.SetName(f.t, "__annotations__", d.Value())
}
