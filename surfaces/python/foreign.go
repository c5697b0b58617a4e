package python

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Lend copies what a name holds for a program of another language.
func (s *session) Lend(m *sandbox.Meter, n string) (v value.Value, known bool, err error) {
	if s.turn.Take(m.Context()) != nil {
		return nil, false, nil
	}
	defer s.turn.Give()
	global, ok := s.machine.Get(n)
	if !ok || n == lastValue || !defines(global) {
		return nil, false, nil
	}
	s.release()
	own := s.machine.T.Meter
	s.machine.T.Begin(m) // the copy is the reader's
	defer s.machine.T.Begin(own)
	data, refused, x := s.export(global)
	switch {
	case m.Err() != nil:
		return nil, true, m.Err()
	case x != nil || refused != nil:
		return nil, true, unshared(n, global, refused)
	}
	return data, true, nil
}

// unshared is the fault of lending what is no plain data.
func unshared(n string, held pyValue, refused *refusal) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindType, Hint: "Define a copy of it in Python that holds only data, under another name."}
	switch kind := kindOf(held); {
	case kind == "function" || kind == "class":
		f.Message = shortKey(n) + " is " + withArticle(kind) + " of Python; functions and classes are not shared between languages."
		f.Hint = "Use it in a Python program, and keep what it gives in a name: that is shared."
	case refused != nil:
		f.Message = "Python's " + shortKey(n) + " cannot be read from another language: " + refused.text(shortKey(n)) + "."
	default:
		f.Message = "Python's " + shortKey(n) + " cannot be read from another language: it is no plain data."
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
	if !ok || n == lastValue || !defines(v) {
		return surfaces.Def{}, false
	}
	s.release()
	return s.definition(n, v), true
}

// foreign gives what another language has under a name: a copy, which the program
// may change for itself until it ends.
func (s *session) foreign(t *thread, n string) (pyValue, *exception) {
	r := s.run
	if r == nil || !s.ws.Defines(name, n) {
		return pyValue{}, nil
	}
	if v, ok := r.foreign[n]; ok {
		return v, nil
	}
	data, from, err := s.ws.Foreign(name, s.meter, n)
	if err != nil {
		return pyValue{}, s.raised(faultOfCall(err, n), "")
	}
	if from == nil {
		return pyValue{}, nil
	}
	behind := newRows(&s.missed, n, "", nil)
	behind.foreign = from.Title
	v, x := s.plainIn(data, behind)
	if x != nil {
		return pyValue{}, x
	}
	if r.foreign == nil {
		r.foreign = map[string]pyValue{}
		r.originals = map[string]value.Value{}
	}
	r.foreign[n], r.originals[n] = v, data
	t.Pin(v) // until the program ends
	if isContainer(v) && !s.lent[n] {
		if s.lent == nil {
			s.lent = map[string]bool{}
		}
		s.lent[n] = true
		s.note(n + " is a copy of what " + from.Title + " defined: what this program changes in it is lost when it ends; list(x) or dict(x) under a name of your own keeps it.")
	}
	return v, nil
}

// tellLost tells of foreign values that the program has changed in place: the
// change is lost with the program.
func (s *session) tellLost() {
	r := s.run
	for _, n := range slices.Sorted(maps.Keys(r.foreign)) {
		now, refused, x := s.export(r.foreign[n])
		if x != nil {
			return
		}
		if refused != nil || !value.Equal(now, r.originals[n]) {
			s.note("What this program changed in " + shortKey(n) + " is lost: it was a copy of another language's. Bind the changed value to a name of your own.")
		}
	}
}

func isContainer(v pyValue) bool {
	return v.Kind() == object.KindList || v.Kind() == object.KindDict
}

// foreignNames lists what other languages have defined.
func (s *session) foreignNames() (names []string) {
	for _, f := range s.ws.ForeignNames(s.meter.Context(), name) {
		names = append(names, f.Def.Name)
	}
	return names
}

// takesForeign tells that a program gives a name of another language's a value of its own.
func (s *session) takesForeign(n string) {
	if _, own := s.machine.Get(n); own || !s.ws.Defines(name, n) || strings.HasPrefix(n, "_") {
		return
	}
	s.note("Another language has defined " + n + " too; in Python it is your value from now on, and `del " + n + "` brings the other back.")
}
