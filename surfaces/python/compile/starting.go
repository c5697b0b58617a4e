package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// A call whose value goes straight to what waits for it need not be waited for
// where it stands: in await inside an async function, and as an argument of the
// functions of asyncio that wait for several. The compiler marks such calls; what
// is called decides whether it starts and gives an awaitable.

// gathering are the functions of asyncio that wait for their arguments.
var gathering = map[string]bool{
	"gather": true, "wait": true, "wait_for": true, "as_completed": true, "shield": true,
	"create_task": true, "ensure_future": true,
}

// markStarts marks the calls among the arguments of a call that waits for them.
func (c *compiler) markStarts(e *syntax.Call) {
	if !c.gathers(e.Func) {
		return
	}
	for _, a := range e.Args {
		c.markStart(a)
	}
	for _, k := range e.Keywords {
		c.markStart(k.Value)
	}
}

// gathers reports whether what is called is a function of asyncio that waits: by
// the module's name, by a name imported from it, or a method of a task group.
func (c *compiler) gathers(fn syntax.Expr) bool {
	switch fn := fn.(type) {
	case *syntax.Name:
		return c.program.waiters()[fn.ID]
	case *syntax.Attribute:
		if fn.Attr == "create_task" {
			return true
		}
		base, ok := fn.Value.(*syntax.Name)
		return ok && gathering[fn.Attr] && c.program.waiters()[base.ID+"."]
	}
	return false
}

// markStart marks a call, or the calls that make up a list.
func (c *compiler) markStart(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Call:
		if c.program.starts == nil {
			c.program.starts = map[*syntax.Call]bool{}
		}
		c.program.starts[e] = true
	case *syntax.Starred:
		c.markStart(e.Value)
	case *syntax.List:
		for _, x := range e.Elts {
			c.markStart(x)
		}
	case *syntax.Tuple:
		for _, x := range e.Elts {
			c.markStart(x)
		}
	case *syntax.ListComp:
		c.markStart(e.Elt)
	case *syntax.GeneratorExp:
		c.markStart(e.Elt)
	}
}

// waiters gives the names under which a program reaches asyncio: "gather" for what
// it imported from there, "asyncio." for the module itself.
func (p *Program) waiters() map[string]bool {
	if p.waits == nil {
		p.waits = map[string]bool{"asyncio.": true}
		note := func(n syntax.Node) bool {
			switch s := n.(type) {
			case *syntax.Import:
				for _, a := range s.Names {
					if a.Name == "asyncio" && a.As != "" {
						p.waits[a.As+"."] = true
					}
				}
			case *syntax.ImportFrom:
				for _, a := range s.Names {
					if s.Module == "asyncio" && gathering[a.Name] {
						p.waits[bound(a)] = true
					}
				}
			}
			return true
		}
		p.Module.Walk(note)
	}
	return p.waits
}

// bound is the name that an import binds.
func bound(a *syntax.Alias) string {
	if a.As != "" {
		return a.As
	}
	return a.Name
}

// outside tells a function that reaches out of the program where it is called.
func (f *frame) outside(fv value, at syntax.Span, started bool) {
	if fv.Kind() != object.KindBuiltin {
		return
	}
	if b, _ := fv.Builtin(); b.Outside {
		f.t.Site = object.Site{
			Place:   object.Place{Function: f.code.qual, Start: at.Start, End: at.End, Program: f.code.program},
			Started: started,
		}
	}
}
