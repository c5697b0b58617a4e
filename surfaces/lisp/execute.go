package lisp

import (
	"context"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// Execute compiles and runs one program. Everything it does is charged to one
// meter; whatever ends it, the result tells what it had printed, defined and called
// by then.
func (s *session) Execute(ctx context.Context, program string) *surfaces.Result {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Result{Fault: fault}
	}
	defer s.turn.Give()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.machine.Begin(s.meter)
	r := &execution{}
	s.run = r
	defer func() { s.run = nil }()
	p, fault := s.compile(program)
	if fault != nil {
		return &surfaces.Result{Fault: fault, Notes: r.notes, Usage: s.meter.Usage()}
	}
	r.calls = s.ws.Begin(s.meter, dispatch.Program{Language: name, Source: program})
	var v data.Value
	r.calls.Host(func() { v, fault = s.perform(p) })
	r.ended = true
	return s.finish(v, fault)
}

// compile reads and compiles a program, within the limit on its size.
func (s *session) compile(program string) (*compile.Program, *sandbox.Fault) {
	if len(program) > s.limits.Source {
		return nil, &sandbox.Fault{
			Kind: sandbox.KindRejected, Message: fmt.Sprintf("the program has %d bytes, and may have %d.", len(program), s.limits.Source),
			Hint: "Split it: what def and defn name stays for the next program.",
		}
	}
	source := reader.Unfence(program)
	forms, fault := reader.Read(source, reader.Options{})
	if fault != nil {
		return nil, fault
	}
	if len(forms) == 0 {
		return nil, &sandbox.Fault{
			Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: "the program is empty.", Hint: "Write a form, such as (servers) or (tables).",
		}
	}
	return s.machine.CompileForms(source, forms)
}

// perform runs the program and computes its value whole, so that its effects happen
// within the program and its result can be shown later.
func (s *session) perform(p *compile.Program) (v data.Value, fault *sandbox.Fault) {
	defer func() {
		if x := recover(); x != nil {
			err, ok := x.(error)
			if !ok {
				err = fmt.Errorf("%v", x)
			}
			v, fault = data.Nil, &sandbox.Fault{
				Kind: sandbox.KindInternal, Message: "the program ran into a defect of the sandbox.",
				Hint: "What was defined before is kept; write it another way.", Cause: err,
			}
		}
	}()
	v, fault = p.Run()
	if fault == nil {
		fault = s.machine.Protect(func() { data.Settled(&s.machine.T, v) })
	}
	for _, n := range s.machine.Defined() {
		if fault != nil {
			break
		}
		if held, ok := s.machine.Get(n); ok {
			fault = s.machine.Protect(func() { s.settleStart(n, held) })
		}
	}
	if fault == nil {
		if err := s.meter.Err(); err != nil {
			fault = asFault(err)
		}
	}
	return v, fault
}

// mostSettled is how many elements of a named sequence are computed when the program
// ends: enough for the effects that a program means by it, and not without end.
const mostSettled = 1000

// settleStart computes the start of a named lazy sequence, because a program that
// writes (def sent (map send! xs)) means its effects.
func (s *session) settleStart(n string, v data.Value) {
	if !data.IsSeq(v) {
		return
	}
	items, all := data.Known(v)
	if all {
		return
	}
	left := mostSettled - len(items)
	it := data.Iterate(&s.machine.T, v)
	for left > 0 && it.Next() {
		left--
	}
	if left == 0 && it.Next() {
		s.note(n + " is a sequence of which the first elements are computed; the rest is when it is read.")
	}
}

// finish makes the result: the value, the echoes, the notes and the account.
func (s *session) finish(v data.Value, fault *sandbox.Fault) *surfaces.Result {
	r := s.run
	res := &surfaces.Result{Fault: fault}
	if over := s.retain(); over != nil && res.Fault == nil {
		res.Fault = over
	}
	if res.Fault == nil {
		res.Value = s.value(v)
		s.emptyNote(v)
	}
	s.guardNotes()
	res.Defined = s.definitions(s.machine.Defined())
	surfaces.Attest(r.calls, res.Defined)
	r.calls.End(res.Fault)
	res.Stdout = s.output()
	res.Called = r.calls.Called()
	if res.Fault != nil {
		f := *res.Fault
		f.Fired = r.calls.FiredNote()
		res.Fault = &f
	}
	res.Notes, res.Usage = append(r.notes, r.calls.Remarks()...), s.meter.Usage()
	return res
}

// value keeps the value under its name and gives it for the host. A program that
// ends with a definition has the var for its value: what was defined shows instead.
func (s *session) value(v data.Value) any {
	if d, ok := v.Unbox().(*compile.Var); ok {
		if !d.Bound {
			return view(v)
		}
		switch d.Value.Kind() {
		case data.KindFn, data.KindMap, data.KindVector, data.KindSet, data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
			s.last = d.Value
			def := s.definition(d.Name, d.Value)
			return opaque(d.Name + " is " + withArticle(def.Kind) + ": " + def.Summary)
		}
		v = d.Value
	}
	s.last = v
	return view(v)
}

type opaque string

// Opaque gives the text.
func (o opaque) Opaque() string { return string(o) }

func withArticle(word string) string {
	if word != "" && strings.IndexByte("aeiou", word[0]) >= 0 {
		return "an " + word
	}
	return "a " + word
}

// print captures what a program prints, line by line.
func (s *session) print(text string) {
	r := s.run
	if r == nil {
		return
	}
	if r.out == nil {
		r.out = elide.NewLines(elide.DefaultLines())
	}
	for {
		line, rest, more := strings.Cut(text, "\n")
		s.machine.T.Charge(4 + len(line)>>6)
		if r.line.Len() < mostLine {
			r.line.WriteString(sandbox.Clip(line, mostLine))
		}
		if !more {
			return
		}
		r.out.Add(r.line.String())
		r.line.Reset()
		text = rest
	}
}

// mostLine bounds a line that a program prints in parts, in bytes.
const mostLine = 64 << 10

// output gives the printed lines; a last one needs no end.
func (s *session) output() []string {
	r := s.run
	if r.out == nil {
		return nil
	}
	if r.line.Len() > 0 {
		r.out.Add(r.line.String())
	}
	return r.out.Kept()
}

// emptyNote tells which reads returned nothing when the value is nothing too: most
// often an argument was wrong.
func (s *session) emptyNote(v data.Value) {
	if len(s.run.empty) == 0 || !emptyValue(v) {
		return
	}
	s.note("Returned no rows: " + strings.Join(s.run.empty, ", ") + ". Check the argument values; (describe …) shows what it takes.")
}

// emptyValue reports whether a value is what an empty read leads to.
func emptyValue(v data.Value) bool {
	switch v.Kind() {
	case data.KindNil:
		return true
	case data.KindInt, data.KindFloat:
		return data.ToFloat(v) == 0
	case data.KindString, data.KindVector, data.KindSet, data.KindMap, data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
		return data.Count(data.Unmetered(), v) == 0
	}
	return false
}
