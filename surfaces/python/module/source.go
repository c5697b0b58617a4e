package module

import (
	"embed"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// Modules whose functions and classes programs extend, and whose work is calling
// the program's own code, are written in Python: the evaluator gives them the
// arguments' errors, the account of fuel and the order of evaluation that Python
// has. What computes much stands in Go.

//go:embed lib/*.py
var sources embed.FS

// hidden are modules for those written in Python only; builders hold the public
// ones.
var hidden = map[string]builder{}

// registerHidden adds what a module written in Python takes from Go.
func registerHidden(name string, b builder) struct{} {
	hidden[name] = b
	return struct{}{}
}

// written are the modules written in Python; those with an underscore are for
// other modules only.
var written = map[string]string{}

// registerSource adds the module of a file in lib.
func registerSource(name, file string) struct{} {
	text, err := sources.ReadFile("lib/" + file)
	if err != nil {
		panic(err)
	}
	written[name] = string(text)
	return struct{}{}
}

// importSource runs a module written in Python.
func (l *Library) importSource(t *thread, name string) (value, *exception) {
	if t.Engine == nil {
		return raised(t.Raise(object.ImportError, "%s needs an evaluator", name))
	}
	m, x := t.Engine.RunModule(name, written[name], l.importInside)
	if x != nil {
		return value{}, x
	}
	if all, ok := m.Attrs.Get("__all__"); ok {
		m.Attrs = exported(t, m.Attrs, all)
	}
	l.loaded[name] = m
	return m.Value(), nil
}

// exported are the names that a module lists as its own.
func exported(t *thread, names *object.Namespace, all value) *object.Namespace {
	out := object.NewNamespace()
	list, x := t.Peek(all)
	if x != nil {
		return names
	}
	for _, n := range list {
		s, _ := textOf(n)
		if v, ok := names.Get(s); ok {
			out.Set(s, v)
		}
	}
	out.Set("__all__", all)
	return out
}

// importInside is what modules written in Python import with: the hidden modules
// too, and none of the session's tools.
func (l *Library) importInside(t *thread, name string) (value, *exception) {
	if m, ok := l.loaded[name]; ok {
		return m.Value(), nil
	}
	if _, ok := written[name]; ok {
		return l.importSource(t, name)
	}
	b, ok := hidden[name]
	if !ok {
		return l.Import(t, name)
	}
	m := b(l)
	l.loaded[name] = m
	return m.Value(), nil
}

// nearest gives the known module that a name may be meant as.
func nearest(name string) (string, bool) { return sandbox.Nearest(name, Names()) }
