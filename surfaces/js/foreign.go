package js

import (
	"context"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Lend copies what a name holds for a program of another language.
func (s *session) Lend(m *sandbox.Meter, n string) (v value.Value, known bool, err error) {
	if s.turn.Take(m.Context()) != nil {
		return nil, false, nil
	}
	defer s.turn.Give()
	held := s.scope.value(n)
	if held == nil || n == lastValue {
		return nil, false, nil
	}
	s.release()
	s.realm.SetMeter(m)
	defer s.realm.SetMeter(s.meter)
	var refused *sandbox.Fault
	err = s.realm.Try(func() { v, refused = s.realm.ExportStill(n, held) })
	switch {
	case m.Err() != nil:
		return nil, true, m.Err()
	case err != nil || refused != nil:
		return nil, true, unshared(n, held, refused)
	}
	return v, true, nil
}

// unshared is the fault of lending what is no plain data.
func unshared(name string, held goja.Value, refused *sandbox.Fault) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindType, Hint: "Define a copy of it in JavaScript that holds only data, under another name."}
	switch kind := realm.Kind(held); {
	case kind == "function" || kind == "class":
		f.Message = shortKey(name) + " is " + withArticle(kind) + " of JavaScript; functions and classes are not shared between languages."
		f.Hint = "Use it in a JavaScript program, and keep what it gives in a name: that is shared."
	case refused != nil:
		f.Message = "JavaScript's " + shortKey(name) + " cannot be read from another language: " + strings.TrimSuffix(refused.Message, ".") + "."
	default:
		f.Message = "JavaScript's " + shortKey(name) + " cannot be read from another language: it is no plain data."
	}
	return f
}

// Lent tells what a name holds for a reader in another language.
func (s *session) Lent(ctx context.Context, n string) (surfaces.Def, bool) {
	if s.turn.Take(ctx) != nil {
		return surfaces.Def{}, false
	}
	defer s.turn.Give()
	v := s.scope.value(n)
	if v == nil || n == lastValue {
		return surfaces.Def{}, false
	}
	s.release()
	return s.definition(n, v), true
}

// release makes the last result independent of the engine: whoever reads it must
// not meet this reading.
func (s *session) release() {
	if h := s.held.Value(); h != nil {
		h.Detach()
	}
}

// mentions makes what other languages have defined reachable under the names that
// the program, or a function that outlived an earlier one, uses and nobody here
// defines.
func (s *session) mentions(globals []string) {
	for _, g := range globals {
		switch {
		case s.scope.reached[g]:
		case s.realm.Runtime().GlobalObject().Get(g) != nil:
		case s.ws.Defines(name, g):
			s.scope.reach(g)
		default:
			s.scope.miss(g)
		}
	}
	for g := range s.scope.dangling {
		if s.ws.Defines(name, g) {
			s.scope.reach(g)
		}
	}
}

// foreign gives what another language has under a name, as a copy that no program
// can change: a change would be lost with the program.
func (s *session) foreign(n string) (goja.Value, bool) {
	r := s.run
	if r == nil || !s.ws.Defines(name, n) {
		return nil, false
	}
	if v, ok := r.foreign[n]; ok {
		return v, true
	}
	data, from, err := s.ws.Foreign(name, s.meter, n)
	if err != nil {
		f, _ := err.(*sandbox.Fault)
		s.realm.Throw(f)
	}
	if from == nil {
		return nil, false
	}
	g := newGuard(s.realm.Runtime(), &s.missed, n, "", nil)
	g.foreign = true
	v := s.realm.ImportFrozen(data, g)
	if r.foreign == nil {
		r.foreign = map[string]goja.Value{}
	}
	r.foreign[n] = v
	if isObjectValue(v) && !s.lent[n] {
		if s.lent == nil {
			s.lent = map[string]bool{}
		}
		s.lent[n] = true
		of := "what"
		if from.Def.Name != n {
			of = from.Def.Name + ", which"
		}
		s.note(n + " is a read-only copy of " + of + " " + from.Title + " defined; copy it ([...x], {...x}) to change it.")
	}
	return v, true
}

// foreignNames lists what other languages have defined.
func (s *session) foreignNames() (names []string) {
	for _, f := range s.ws.ForeignNames(s.meter.Context(), name) {
		names = append(names, strings.ReplaceAll(f.Def.Name, "-", "_")) // as a program of this language spells it
	}
	return names
}

// takesForeign tells that a program gives a name of another language's a value of its own.
func (s *session) takesForeign(n string) {
	if _, own := s.scope.defined(n); own || !s.ws.Defines(name, n) {
		return
	}
	s.note("Another language has defined " + n + " too; in JavaScript it is your value from now on, and del(\"" + n + "\") brings the other back.")
}
