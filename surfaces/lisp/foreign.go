package lisp

import (
	"context"
	"errors"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn/value"
)

// foreign gives what another language of the workspace has under a name.
func (s *session) foreign(n string) (data.Value, bool) {
	if !s.ws.Defines(name, n) {
		return data.Nil, false
	}
	v, from, err := s.ws.Foreign(name, s.meter, n)
	if err != nil {
		panic(asFault(err))
	}
	if from == nil {
		return data.Nil, false
	}
	return s.bring(&s.machine.T, v, nil), true
}

// Lend copies what a name holds for a program of another language.
func (s *session) Lend(m *sandbox.Meter, n string) (v value.Value, known bool, err error) {
	if s.turn.Take(m.Context()) != nil {
		return nil, false, nil
	}
	defer s.turn.Give()
	held, ok := s.machine.Get(n)
	if !ok {
		return nil, false, nil
	}
	t := &data.Thread{Meter: m}
	defer func() {
		if x := recover(); x != nil {
			v, err = nil, unshared(n, held, x)
		}
	}()
	if held.Kind() == data.KindFn {
		return nil, true, unshared(n, held, nil)
	}
	return send(t, held), true, nil
}

// unshared is the fault of lending what is no plain data.
func unshared(n string, held data.Value, x any) error {
	if err, ok := x.(error); ok {
		var f *sandbox.Fault
		if errors.As(err, &f) && f.Kind.Limit() {
			return f
		}
	}
	f := &sandbox.Fault{
		Kind: sandbox.KindType, Message: "Lisp's " + sandbox.Clip(n, 60) + " cannot be read from another language: it is no plain data.",
		Hint: "Define a copy of it in Lisp that holds only data, under another name.",
	}
	if held.Kind() == data.KindFn {
		f.Message = sandbox.Clip(n, 60) + " is a function of Lisp; functions are not shared between languages."
		f.Hint = "Use it in a Lisp program, and keep what it gives with def: that is shared."
	}
	return f
}

// Lent tells what a name holds for a reader in another language.
func (s *session) Lent(ctx context.Context, n string) (surfaces.Def, bool) {
	if s.turn.Take(ctx) != nil {
		return surfaces.Def{}, false
	}
	defer s.turn.Give()
	v, ok := s.machine.Get(n)
	if !ok {
		return surfaces.Def{}, false
	}
	return s.definition(n, v), true
}
