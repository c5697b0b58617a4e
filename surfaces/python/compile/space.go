package compile

import "github.com/polyglove/polyglove/surfaces/python/object"

// space is the global variables of the session's programs, or of one module
// written in Python.
type space struct {
	name    string
	globals map[string]*Global
	order   []*Global
	// importer finds what the module imports, nil for what the thread finds.
	importer object.Importer
}

func newSpace(name string) *space { return &space{name: name, globals: map[string]*Global{}} }

// RunModule runs the source of a module in a space of its own and gives what it
// defines. Its programs see none of the session's names.
func (m *Machine) RunModule(name, source string, importer object.Importer) (*object.Module, *object.Exception) {
	t := m.T
	if x := t.Charge(int64(len(source)) / 16); x != nil {
		return nil, x
	}
	// A tree and its closures take about this much of the source's size.
	if x := t.Alloc(24 * len(source)); x != nil {
		return nil, x
	}
	s := newSpace(name)
	s.importer = importer
	p, err := m.compile(source, s, Options{})
	if err != nil {
		return nil, t.Raise(object.ImportError, "%s: %v", name, err)
	}
	m.modules = append(m.modules, s)
	if x := p.runNested(); x != nil {
		return nil, x
	}
	out := object.NewModule(name)
	for _, g := range s.order {
		if g.value.IsSet() {
			out.Set(g.Name, g.value)
		}
	}
	return out, nil
}

// runNested runs a program below one that is running.
func (p *Program) runNested() *exception {
	m := p.m
	if x := m.T.EnterCall(); x != nil {
		m.T.LeaveCall()
		return x
	}
	k := m.mark()
	f := m.enter(p.code)
	clear(f.slots)
	if n := p.code.ncells; n > 0 {
		f.cells = make([]*cell, n)
	}
	_, x := p.code.body(f)
	m.leave(f)
	m.release(k)
	m.T.LeaveCall()
	return x
}
