package js

import (
	"context"
	"time"
	"weak"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// session is one JavaScript session: a realm, the names that programs have
// defined in it, and the capabilities as its programs see them.
type session struct {
	ws     *surfaces.Workspace
	turn   surfaces.Turn
	limits sandbox.Limits
	meter  *sandbox.Meter
	realm  *realm.Realm
	hooks  *compile.Hooks
	scope  *scope
	peek   *elide.Renderer

	namespaces   namespaces
	capabilities map[*goja.Object]*capability
	byName       map[string]*capability
	builtins     map[string]goja.Value
	sources      sources
	members      map[string]bool // member names that programs read, for the guards
	missed       []*guard        // guards with misses in the running program
	texts        *guard          // stands behind strings; nil until a program reads a member
	last         goja.Value      // the last whole value, under the name _
	held         weak.Pointer[held.Result]
	lent         map[string]bool // names of other languages that a note has told of
	getters      bool            // a program has written a getter
	grown        int64           // bytes charged since the definitions were last measured
	frames       []goja.StackFrame
	run          *execution // nil between programs
}

// open starts a session.
func open(ws *surfaces.Workspace) (*session, error) {
	s := &session{
		ws:           ws,
		turn:         surfaces.NewTurn(),
		limits:       ws.Limits(),
		peek:         elide.New(elide.Options{Limits: elide.Peek(), Style: style()}),
		capabilities: map[*goja.Object]*capability{},
		byName:       map[string]*capability{},
		members:      map[string]bool{},
	}
	m, err := sandbox.NewMeter(context.Background(), s.limits)
	if err != nil {
		return nil, err
	}
	s.meter = m
	s.build()
	return s, nil
}

// build makes the realm and what hangs on it, at first and after a reset.
func (s *session) build() {
	s.realm = realm.New(realm.Options{
		Depth:  s.limits.Depth,
		Now:    s.now,
		Seed:   s.ws.Seed(),
		Global: s.global,
		Note:   s.note,
		Reason: s.word,
	})
	s.realm.SetMeter(s.meter)
	rt := s.realm.Runtime()
	s.scope = newScope(rt, s.realm.NewError)
	s.scope.foreign = s.foreign
	s.hooks = compile.NewHooks(rt, s.hookTable())
	s.hooks.SetMeter(s.meter)
	rt.SetPromiseRejectionTracker(s.trackRejection)
	rt.SetAsyncContextTracker((*waits)(s))
	s.texts = nil
	s.builtins = map[string]goja.Value{}
	clear(s.capabilities)
	clear(s.byName)
}

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
	for _, n := range names {
		s.scope.remove(n)
	}
	s.last = nil
}

// Close frees the session. A program that is under way ends first.
func (s *session) Close() {
	s.turn.Close(func() {
		if h := s.held.Value(); h != nil {
			h.Detach()
		}
		s.realm, s.hooks, s.scope, s.meter = nil, nil, nil, nil
		s.capabilities, s.byName, s.builtins, s.members, s.missed = nil, nil, nil, nil, nil
		s.last, s.frames = nil, nil
		s.namespaces, s.sources = namespaces{}, sources{}
	})
}

// Defs lists what the session has defined, in the order of definition.
func (s *session) Defs() []surfaces.Def {
	if s.turn.Take(context.Background()) != nil {
		return nil
	}
	defer s.turn.Give()
	s.release()
	return s.definitions(s.scope.order)
}
