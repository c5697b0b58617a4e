package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// Host is what a machine asks of the session around it.
type Host struct {
	// Library gives a library function by its name, qualified or not.
	Library func(name string) (data.Value, bool)
	// Resolve gives what else a name stands for: a function or a table of the
	// catalogue.
	Resolve func(name string) (data.Value, bool)
	// Owns reports whether a name is the catalogue's for good, so that a program can
	// take it for itself only.
	Owns func(name string) bool
	// Unknown is the fault of a name that nothing defines; locals are the names in
	// scope there.
	Unknown func(name string, called bool, locals []string) *sandbox.Fault
	// Note keeps a sentence for the result.
	Note func(text string)
	// Regex compiles a pattern literal.
	Regex func(t *data.Thread, pattern string) data.Value
}

// Machine holds the definitions of a session and runs its programs, one at a time.
type Machine struct {
	T    data.Thread
	host Host
	vars map[string]*Var
	// order lists the names of the vars as they were first defined.
	order   []string
	names   map[string]data.Value // keywords and symbols, one object for each text
	frames  []*frame
	top     int
	places  []place
	next    int // the first place of the next program
	defined []string
	noted   map[string]bool
	gensyms int
	aliases map[string]string // of libraries, by require
}

// Var is a name defined at the top level.
type Var struct {
	data.Head
	Name    string
	Value   data.Value
	Bound   bool
	Dynamic bool
	Doc     string
	Meta    data.Value
}

// TypeName names the type.
func (v *Var) TypeName() string { return "a var" }

// Printed shows the var.
func (v *Var) Printed() string { return "#'user/" + v.Name }

// place tells which program a run of places belongs to.
type place struct {
	from   int
	source string
}

// NewMachine makes a machine without definitions.
func NewMachine(h Host) *Machine {
	m := &Machine{host: h, vars: map[string]*Var{}, names: map[string]data.Value{}, aliases: map[string]string{}}
	m.T.Invoke = m.invoke
	return m
}

// Begin starts an execute on a meter.
func (m *Machine) Begin(meter *sandbox.Meter) {
	m.T.Meter = meter
	m.T.Clear()
	m.top = 0
	m.defined = m.defined[:0]
	m.noted = nil
}

// Defined lists the names that the running or last program defined, in order.
func (m *Machine) Defined() []string { return m.defined }

// Names lists all defined names, in the order of their first definition.
func (m *Machine) Names() []string { return m.order }

// Get gives the value of a defined name.
func (m *Machine) Get(name string) (data.Value, bool) {
	if v := m.vars[name]; v != nil && v.Bound {
		return v.Value, true
	}
	return data.Nil, false
}

// Set defines a name from outside of a program.
func (m *Machine) Set(name string, v data.Value) { m.define(name).set(v) }

// Forget undefines a name.
func (m *Machine) Forget(name string) {
	if m.vars[name] == nil {
		return
	}
	delete(m.vars, name)
	for i, n := range m.order {
		if n == name {
			m.order = append(m.order[:i:i], m.order[i+1:]...)
			return
		}
	}
}

func (v *Var) set(x data.Value) { v.Value, v.Bound = x, true }

func (m *Machine) define(name string) *Var {
	v := m.vars[name]
	if v == nil {
		v = &Var{Name: name}
		m.vars[name] = v
		m.order = append(m.order, name)
	}
	return v
}

// keptPlaces is how many programs errors can still point into.
const keptPlaces = 200

// enter gives a source its run of places.
func (m *Machine) enter(source string) int {
	from := m.next
	m.places = append(m.places, place{from: from, source: source})
	if len(m.places) > keptPlaces {
		m.places = append(m.places[:0:0], m.places[1:]...)
	}
	m.next += len(source) + 1
	return from
}

// Fault places a fault at a place.
func (m *Machine) faultAt(f *sandbox.Fault, at int) *sandbox.Fault {
	for i := len(m.places) - 1; i >= 0; i-- {
		p := m.places[i]
		if at >= p.from && at <= p.from+len(p.source) {
			if i != len(m.places)-1 {
				return f // it stands in a program that the model does not see now
			}
			return reader.FaultAt(f, p.source, at-p.from)
		}
	}
	return f
}

// Place is where a call stands in a program.
type Place struct{ Line, Column int }

// Place gives the line and column of a place of the program that is running; zero
// for a place in an earlier one.
func (m *Machine) Place(at int) Place {
	p := m.places[len(m.places)-1]
	if at < p.from || at > p.from+len(p.source) {
		return Place{}
	}
	line, column := reader.Place(p.source, at-p.from)
	return Place{line, column}
}

// intern gives one object for each keyword or symbol, so that they are found by
// identity.
func (m *Machine) intern(v data.Value) data.Value {
	n := v.Named()
	key := "'" + n.Full()
	if v.IsKeyword() {
		key = ":" + n.Full()
	}
	if x, ok := m.names[key]; ok {
		return x
	}
	if len(m.names) < mostNames {
		m.names[key] = v
	}
	return v
}

// mostNames bounds the keywords and symbols that a session keeps as one object.
const mostNames = 20_000

// Keyword gives the keyword of a text.
func (m *Machine) Keyword(text string) data.Value {
	if x, ok := m.names[":"+text]; ok {
		return x
	}
	return m.intern(data.Keyword(text))
}

// note keeps a sentence for the result, once.
func (m *Machine) note(text string) {
	if m.noted[text] || m.host.Note == nil {
		return
	}
	if m.noted == nil {
		m.noted = map[string]bool{}
	}
	m.noted[text] = true
	m.host.Note(text)
}

// Metadata gives the metadata of the var.
func (v *Var) Metadata() data.Value { return v.Meta }
