package python

import (
	"context"
	"time"
	"weak"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// session is one Python session: a machine with the names that programs have
// defined, and the capabilities as its programs see them.
type session struct {
	ws      *surfaces.Workspace
	turn    surfaces.Turn
	limits  sandbox.Limits
	meter   *sandbox.Meter
	machine *compile.Machine
	library *module.Library

	namespaces   namespaces
	capabilities map[*object.Builtin]*capability
	byName       map[string]*capability
	spaces       map[string]*object.Module // namespaces as values
	builtins     map[string]pyValue
	asyncio      pyValue // the module, once it was imported
	missed       []*rows // with misses in the running program
	last         pyValue // the last whole value, under the name _
	held         weak.Pointer[held.Result]
	lent         map[string]bool // names of other languages that a note has told of
	grown        int64           // bytes charged since the definitions were last measured
	run          *execution      // nil between programs
}

// open starts a session.
func open(ws *surfaces.Workspace) (*session, error) {
	s := &session{ws: ws, turn: surfaces.NewTurn(), limits: ws.Limits(), last: object.None}
	m, err := sandbox.NewMeter(context.Background(), s.limits)
	if err != nil {
		return nil, err
	}
	s.meter = m
	s.machine = compile.NewMachine()
	s.machine.Outer = s.outer
	s.library = module.New(module.Host{Clock: s.now, Seed: ws.Seed()})
	s.library.Install(s.machine.T)
	s.machine.T.Importer = s.importModule
	s.machine.SetBuiltin("vars", varsBuiltin(s))
	s.machine.SetBuiltin("dir", dirBuiltin(s))
	return s, nil
}

// glancer renders what a definition holds; it has no state.
var glancer = elide.New(elide.Options{Limits: elide.Peek(), Style: style()})

// now is the time as programs see it: a running program's is journalled.
func (s *session) now() time.Time {
	if s.run != nil {
		return s.run.calls.Now()
	}
	return s.ws.Clock()
}

// Forget undefines names.
func (s *session) Forget(names []string) {
	if s.turn.Take(context.Background()) != nil {
		return
	}
	defer s.turn.Give()
	s.release()
	for _, n := range names {
		s.remove(n)
	}
	s.last = object.None
}

// Close frees the session. A program that is under way ends first.
func (s *session) Close() {
	s.turn.Close(func() {
		s.release()
		s.machine, s.library, s.meter = nil, nil, nil
		s.capabilities, s.byName, s.spaces, s.builtins, s.missed = nil, nil, nil, nil, nil
		s.last, s.asyncio = pyValue{}, pyValue{}
		s.namespaces = namespaces{}
	})
}

// release makes the last result independent of the session: what a program
// changes must not change an earlier result.
func (s *session) release() {
	if h := s.held.Value(); h != nil {
		h.Detach()
	}
}

// Defs lists what the session has defined, in the order of definition.
func (s *session) Defs() []surfaces.Def {
	if s.turn.Take(context.Background()) != nil {
		return nil
	}
	defer s.turn.Give()
	s.release()
	return s.definitions(s.names())
}
