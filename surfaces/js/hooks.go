package js

import (
	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// hookTable ties what compiled programs ask for to the realm and the session.
func (s *session) hookTable() compile.Hooks {
	r := s.realm
	return compile.Hooks{
		Scope:      s.scope.object,
		Initial:    s.scope.initial,
		Spread:     r.Spread,
		Regex:      r.Regex,
		SetLength:  r.SetLength,
		Key:        r.Key,
		Member:     r.Member,
		Start:      s.start,
		Power:      r.Power,
		ShiftLeft:  r.ShiftLeft,
		Caught:     s.caught,
		ClassName:  r.ClassName,
		NewError:   r.NewError,
		BigIntBits: realm.MaxBigIntBits,
	}
}

// caught gives an error of the engine's the words of Node before the program sees
// them, because programs read and compare messages. What the engine allocated for
// it is charged.
func (s *session) caught(v goja.Value) {
	s.realm.CatchCost()
	s.word(v)
}

// word is caught for what a handler of a promise is given.
func (s *session) word(v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok || realm.Kind(v) != "error" || s.realm.Fault(o) != nil {
		return
	}
	message := s.errorText(o, "message")
	if message == "" || !rewordable(message) {
		return
	}
	at := s.madeAt(v)
	if text := s.nothing(reword(message, at.place()), at); text != message {
		_ = o.DefineDataProperty("message", s.realm.Runtime().ToValue(text), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}
