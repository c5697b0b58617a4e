package python

import (
	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// placeholder stands for the result of a call that was staged. Whatever a program
// wants to know of it is refused, because an answer would be made up: it can be
// kept, shown, and returned.
type placeholder struct {
	object.Obj
	s *session
	p *dispatch.Placeholder
}

var placeholderClass = object.Define("staged_result")

// Class is staged_result.
func (*placeholder) Class() *object.Class { return placeholderClass }

func (s *session) placeholder(p *dispatch.Placeholder) pyValue {
	return object.Box(&placeholder{s: s, p: p})
}

// refuse is what a program meets that wants to know something of the result.
func (p *placeholder) refuse(*thread) *exception {
	w := p.s.words()
	f := &sandbox.Fault{Kind: sandbox.KindDenied}
	if p.p.Dry {
		f.Message = p.p.Function + " was not called, because this is a dry run: its result is not known."
		f.Hint = "Try it up to here, or guard what needs the result; a real run has it."
	} else {
		f.Message = p.p.Function + " is staged and has not been called: its result is known only after " + w.Commit + "."
		f.Hint = "Stage only what does not need it; " + w.Commit + " gives a list of dicts with id, function and result to go on from."
	}
	return p.s.raised(f, p.p.Function)
}

func refusePlaceholder(t *thread, v pyValue) *exception {
	p, ok := v.Native().(*placeholder)
	if !ok {
		return t.RaiseType("unsupported operand")
	}
	return p.refuse(t)
}

func init() {
	c := placeholderClass
	c.Final = true
	c.Own = object.Slots{
		Repr: func(_ *thread, v pyValue) (string, *exception) {
			return "<" + v.Native().(*placeholder).p.Opaque() + ">", nil
		},
		Str:    func(t *thread, v pyValue) (string, *exception) { return "", refusePlaceholder(t, v) },
		Format: func(t *thread, v pyValue, _ string) (string, *exception) { return "", refusePlaceholder(t, v) },
		Hash:   func(t *thread, v pyValue) (uint64, *exception) { return 0, refusePlaceholder(t, v) },
		Bool:   func(t *thread, v pyValue) (bool, *exception) { return false, refusePlaceholder(t, v) },
		Len:    func(t *thread, v pyValue) (int, *exception) { return 0, refusePlaceholder(t, v) },
		Compare: func(t *thread, _ object.Cmp, v, _ pyValue) (pyValue, *exception) {
			return pyValue{}, refusePlaceholder(t, v)
		},
		Binary: func(t *thread, _ object.Op, v, _ pyValue, _ bool) (pyValue, *exception) {
			return pyValue{}, refusePlaceholder(t, v)
		},
		Unary: func(t *thread, _ object.Unary, v pyValue) (pyValue, *exception) {
			return pyValue{}, refusePlaceholder(t, v)
		},
		GetItem:  func(t *thread, v, _ pyValue) (pyValue, *exception) { return pyValue{}, refusePlaceholder(t, v) },
		SetItem:  func(t *thread, v, _, _ pyValue) *exception { return refusePlaceholder(t, v) },
		DelItem:  func(t *thread, v, _ pyValue) *exception { return refusePlaceholder(t, v) },
		Contains: func(t *thread, v, _ pyValue) (bool, *exception) { return false, refusePlaceholder(t, v) },
		Iter:     func(t *thread, v pyValue) (object.Iterator, *exception) { return nil, refusePlaceholder(t, v) },
		Call: func(t *thread, v pyValue, _ []pyValue, _ []string) (pyValue, *exception) {
			return pyValue{}, refusePlaceholder(t, v)
		},
		GetAttr: func(t *thread, v pyValue, _ string) (pyValue, bool, *exception) {
			return pyValue{}, false, refusePlaceholder(t, v)
		},
		SetAttr: func(t *thread, v pyValue, _ string, _ pyValue) *exception { return refusePlaceholder(t, v) },
		Index:   func(t *thread, v pyValue) (pyValue, *exception) { return pyValue{}, refusePlaceholder(t, v) },
		ToInt:   func(t *thread, v pyValue) (pyValue, *exception) { return pyValue{}, refusePlaceholder(t, v) },
		ToFloat: func(t *thread, v pyValue) (pyValue, *exception) { return pyValue{}, refusePlaceholder(t, v) },
	}
	c.Ready()
}
