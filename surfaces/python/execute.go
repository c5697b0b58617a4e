package python

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"weak"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// lastValue is the name of the last whole value.
const lastValue = "_"

// Execute compiles and runs one program. Everything it does is charged to one
// meter; whatever ends it, the result tells what it had printed, defined and
// called by then.
func (s *session) Execute(ctx context.Context, program string) *surfaces.Result {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Result{Fault: fault}
	}
	defer s.turn.Give()
	s.release()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.machine.Begin(s.meter)
	program, fenced := withoutFence(program)
	p, fault := s.compile(program)
	if fault != nil {
		return &surfaces.Result{Fault: fault, Usage: s.meter.Usage()}
	}
	return s.execute(p, fenced)
}

// fence matches a program inside of one markdown fence.
var fence = regexp.MustCompile("(?s)^\\s*```[a-zA-Z0-9]*[ \\t]*\\r?\\n(.*?)\\n?[ \\t]*```\\s*$")

// withoutFence takes off the one markdown fence around a program. Its lines keep
// their numbers.
func withoutFence(program string) (string, bool) {
	if !strings.Contains(program, "```") {
		return program, false
	}
	m := fence.FindStringSubmatchIndex(program)
	if m == nil || strings.Contains(program[m[2]:m[3]], "```") {
		return program, false
	}
	return strings.Repeat("\n", strings.Count(program[:m[2]], "\n")) + program[m[2]:m[3]], true
}

// compile parses and compiles a program.
func (s *session) compile(source string) (*compile.Program, *sandbox.Fault) {
	if most := s.limits.Source; most > 0 && int64(len(source)) > int64(most) {
		return nil, &sandbox.Fault{
			Kind: sandbox.KindSyntax, Name: "SyntaxError",
			Message: fmt.Sprintf("the program has %d bytes, more than the %d that are allowed.", len(source), most),
			Hint:    "Split it: what one program defines stays for the next.",
		}
	}
	p, err := s.machine.Compile(source, compile.Options{TopLevel: true})
	if err != nil {
		return nil, syntaxFault(err, source)
	}
	return p, nil
}

// execute runs a compiled program to its end. A defect of ours, wherever it shows,
// ends the program and not the host.
func (s *session) execute(p *compile.Program, fenced bool) (res *surfaces.Result) {
	r := &execution{program: p, output: newOutput()}
	r.calls = s.ws.Begin(s.meter, dispatch.Program{Language: name, Source: p.Source})
	s.run = r
	s.machine.T.Printer = r.output
	defer func() {
		if x := recover(); x != nil {
			res = s.broken(x)
		}
		s.run = nil
		s.machine.T.Printer = nil
	}()
	if fenced {
		s.note("The markdown fence around the program was taken off.")
	}
	before := s.bindings()
	s.missed = s.missed[:0]
	s.tellShadows(p)
	var out compile.Outcome
	r.calls.Host(func() { out = p.Run() })
	fault := s.settle(&out)
	r.ended = true
	return s.finish(p, out, fault, before)
}

// settle waits for what was started and makes the fault of what ended the program.
func (s *session) settle(out *compile.Outcome) *sandbox.Fault {
	s.landAll()
	s.dropStages()
	if out.Raised == nil {
		if f := limitFault(s.meter.Err()); f != nil {
			return f
		}
		return nil
	}
	return s.faultOf(out.Raised)
}

// broken is the result of a program that ran into a defect of ours outside its own
// code: what it did is told as far as it is known.
func (s *session) broken(x any) *surfaces.Result {
	f := limitFault(s.meter.Err())
	if f == nil {
		f = &sandbox.Fault{
			Kind: sandbox.KindInternal, Message: "the program ran into a defect of the sandbox.",
			Hint: "What was defined before is kept; write it another way.", Cause: fmt.Errorf("%v", x),
		}
	}
	s.run.calls.End(f)
	g := *f
	g.Fired = s.run.calls.FiredNote()
	return &surfaces.Result{Fault: &g, Called: s.run.calls.Called(), Notes: s.run.notes, Usage: s.meter.Usage()}
}

// finish makes the result: the value, the echoes, the notes and the account.
func (s *session) finish(p *compile.Program, out compile.Outcome, fault *sandbox.Fault, before map[string]pyValue) *surfaces.Result {
	r := s.run
	res := &surfaces.Result{Fault: fault}
	bound := s.bound(p, before)
	if over := s.retain(bound); over != nil && fault == nil {
		res.Fault = over
	}
	if res.Fault == nil {
		res.Value = s.value(p, out.Value)
		s.emptyNote(s.last)
	}
	if res.Fault == nil {
		s.tellLost()
	}
	for _, m := range s.missed {
		for _, text := range m.remarks() {
			s.note(text)
		}
	}
	s.missed = s.missed[:0]
	if len(r.calls.Called()) == 0 && onlyDefinesMain(p) {
		s.note("main was defined and not called: end the program with main().")
	}
	res.Stdout = r.output.Kept()
	res.Defined = s.definitions(bound)
	if f := limitFault(s.meter.Err()); f != nil && res.Fault == nil {
		res.Fault, res.Value = f, nil // a __repr__ that was shown did not end
	}
	surfaces.Attest(r.calls, res.Defined)
	r.calls.End(res.Fault)
	res.Called = r.calls.Called()
	if res.Fault != nil {
		f := *res.Fault // it may be the host's own
		f.Fired = r.calls.FiredNote()
		res.Fault = &f
	}
	res.Notes, res.Usage = append(r.notes, r.calls.Remarks()...), s.meter.Usage()
	return res
}

// value keeps the value of a program under its name and gives it for the host: a
// copy if it is small, else a view that stays as it is when the session goes on.
//
// A program that ends with a binding and has no value gives what it bound, a scalar
// as it is and anything larger in a line, so that nobody concludes that nothing
// came of it.
func (s *session) value(p *compile.Program, v pyValue) any {
	s.held = weak.Pointer[held.Result]{}
	if !v.IsSet() {
		v = object.None
		if n := lastBound(p); n != "" {
			if bound, ok := s.machine.Get(n); ok && defines(bound) {
				s.last = bound
				if isScalar(bound) {
					return s.view(bound, false)
				}
				return held.Opaque(n + " is " + withArticle(kindOf(bound)) + ": " + s.summary(bound))
			}
		}
	}
	s.last = v
	live := s.view(v, true)
	if copied, ok := held.Copy(live, held.Most); ok {
		return copied
	}
	h, wrapped := held.Hold(s.view(v, false))
	s.held = weak.Make(h)
	return wrapped
}

// onlyDefinesMain reports whether a program does nothing but import and define, and
// defines a main.
func onlyDefinesMain(p *compile.Program) bool {
	main := false
	for _, st := range p.Module.Body {
		switch st := st.(type) {
		case *syntax.FunctionDef:
			main = main || st.Name == "main"
		case *syntax.ClassDef, *syntax.Import, *syntax.ImportFrom, *syntax.Assign:
		default:
			return false
		}
	}
	return main
}

// lastBound gives the name that the last statement of a program binds, "" if it is
// no plain binding.
func lastBound(p *compile.Program) string {
	body := p.Module.Body
	if len(body) == 0 {
		return ""
	}
	var target syntax.Expr
	switch st := body[len(body)-1].(type) {
	case *syntax.FunctionDef:
		return st.Name
	case *syntax.ClassDef:
		return st.Name
	case *syntax.Assign:
		target = st.Targets[len(st.Targets)-1]
	case *syntax.AugAssign:
		target = st.Target
	case *syntax.AnnAssign:
		target = st.Target
	}
	if n, ok := target.(*syntax.Name); ok {
		return n.ID
	}
	return ""
}

func isScalar(v pyValue) bool {
	switch v.Kind() {
	case object.KindNone, object.KindBool, object.KindInt, object.KindBig, object.KindFloat, object.KindStr:
		return true
	}
	return false
}

// emptyNote tells which reads returned nothing when the value is nothing too:
// most often an argument was wrong.
func (s *session) emptyNote(v pyValue) {
	if len(s.run.empty) == 0 || !emptyValue(v, 0) {
		return
	}
	s.note("Returned no rows: " + strings.Join(s.run.empty, ", ") + ". Check the argument values; describe(\"…\") shows what a function takes.")
}

// emptyValue reports whether a value is what an empty read leads to.
func emptyValue(v pyValue, depth int) bool {
	switch v.Kind() {
	case object.KindUnset, object.KindNone:
		return true
	case object.KindInt:
		n, _ := v.Int()
		return n == 0
	case object.KindFloat:
		f, _ := v.Float()
		return f == 0
	case object.KindStr:
		str, _ := v.Str()
		return str.String() == ""
	case object.KindList:
		l, _ := v.List()
		return l.Len() == 0
	case object.KindTuple:
		u, _ := v.Tuple()
		return allEmpty(u.Items(), depth)
	case object.KindSet, object.KindFrozenSet:
		set, _ := v.Set()
		return set.Len() == 0
	case object.KindDict:
		d, _ := v.Dict()
		var items []pyValue
		for i := range min(d.Room(), 50) {
			if k, e := d.Entry(i); k.IsSet() {
				items = append(items, e)
			}
		}
		return allEmpty(items, depth)
	}
	return false
}

func allEmpty(items []pyValue, depth int) bool {
	if depth > 2 {
		return false
	}
	for _, e := range items {
		if !emptyValue(e, depth+1) {
			return false
		}
	}
	return true
}
