package js

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"weak"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/held"
	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/surfaces/js/realm"
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
	if h := s.held.Value(); h != nil {
		h.Detach() // what this program changes must not change an earlier result
	}
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	p, fault := s.compile(program)
	if fault != nil {
		return &surfaces.Result{Fault: fault, Usage: s.meter.Usage()}
	}
	return s.execute(ctx, p)
}

func (s *session) compile(program string) (*compile.Program, *sandbox.Fault) {
	p, fault := compile.Compile(program, compile.Options{
		Name:       s.sources.name(),
		Source:     s.limits.Source,
		Reserved:   s.reserved,
		Defined:    s.scope.defined,
		Capability: s.resolve,
		Deferred:   s.defers,
	})
	if fault != nil {
		return nil, fault
	}
	return p, s.unavailable(p)
}

// unavailable refuses, before anything runs, a program that uses a well-known name
// which is not here, unless it asks whether it is.
func (s *session) unavailable(p *compile.Program) *sandbox.Fault {
	for _, g := range p.Globals {
		advice, ok := realm.Unavailable(g)
		if !ok || s.isGlobal(g) {
			continue
		}
		use, probed := mention(p.Source, g)
		if probed {
			continue
		}
		f := &sandbox.Fault{Kind: sandbox.KindName, Name: "ReferenceError", Message: g + " is not available here.", Hint: advice}
		return f.At(p.Source, use.line, use.column)
	}
	return nil
}

// resolve tells a spelling that is a capability's, and one that only begins with
// a namespace.
func (s *session) resolve(spelled string) (function string, known, ok bool) {
	if fn, ok := s.capabilityNamed(spelled); ok {
		return fn.Name, true, true
	}
	before, _, _ := strings.Cut(spelled, ".")
	return spelled, false, s.spaces().byName[before] != nil
}

// execute runs a compiled program to its end. A defect of ours, wherever it shows,
// ends the program and not the host.
func (s *session) execute(ctx context.Context, p *compile.Program) (res *surfaces.Result) {
	r := &execution{program: p, notes: append([]string(nil), p.Notes...)}
	r.calls = s.ws.Begin(s.meter, dispatch.Program{Language: name, Source: p.Source})
	s.run = r
	defer func() {
		if x := recover(); x != nil {
			res = s.broken(x)
		}
		s.run = nil
	}()
	s.sources.keep(p)
	s.realm.Runtime().ClearInterrupt() // a limit may be noticed after the engine has stopped
	s.realm.BeginOutput()
	s.prepare(p)
	v, fault := s.runProgram(ctx, p)
	r.ended = true
	s.scope.settle(p.Tops)
	return s.finish(v, fault)
}

// runProgram runs the program as long as the context allows.
func (s *session) runProgram(ctx context.Context, p *compile.Program) (v goja.Value, fault *sandbox.Fault) {
	if end := s.interruptible(ctx); end != nil {
		defer end()
	}
	if len(p.Sites) > 0 {
		s.run.calls.Host(func() { v, fault = s.contained(p) }) // its calls are then cheaper by far
		return v, fault
	}
	return s.contained(p)
}

// broken is the result of a program that ran into a defect of ours outside its own
// code: what it did is told as far as it is known.
func (s *session) broken(x any) *surfaces.Result {
	f := s.panicked(x)
	s.run.calls.End(f)
	g := *f
	g.Fired = s.run.calls.FiredNote()
	return &surfaces.Result{Fault: &g, Called: s.run.calls.Called(), Notes: s.run.notes, Usage: s.meter.Usage()}
}

var textMembers = []string{"toString"}

// prepare makes what the program mentions reachable and its names declared.
func (s *session) prepare(p *compile.Program) {
	s.missed = s.missed[:0]
	for _, m := range p.Members {
		if len(s.members) < mostMembers {
			s.members[m] = true
		}
	}
	s.shadows(p)
	if len(p.Members) > 0 && s.texts == nil {
		s.texts = guardTexts(s.realm.Runtime(), &s.missed)
		s.realm.Prepare(nil, textMembers) // the realm's own toString notes what became [object Object]
	}
	s.realm.Prepare(p.Globals, p.Members)
	s.mentions(p.Globals)
	s.scope.declare(p.Tops)
	if p.Accessors {
		s.getters = true
		s.realm.HasAccessors()
	}
}

// mostMembers bounds the member names that a session remembers.
const mostMembers = 20_000

// shadows tells that a program has taken the name of a builtin.
func (s *session) shadows(p *compile.Program) {
	for _, t := range p.Tops {
		if slices.Contains(shadowable, t.Name) {
			s.note(t.Name + " is your value from now on, not the builtin; del(\"" + t.Name + "\") brings the builtin back.")
		}
		s.takesForeign(t.Name)
	}
}

// interruptible lets the context stop the engine between any two instructions.
// The function it gives must be called when the program has ended.
func (s *session) interruptible(ctx context.Context) (end func()) {
	if ctx.Done() == nil {
		return nil
	}
	rt := s.realm.Runtime()
	done := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		defer close(done)
		rt.Interrupt(context.Cause(ctx))
	})
	return func() {
		if !cancel() {
			<-done
			rt.ClearInterrupt()
		}
	}
}

// contained runs the program and turns whatever ends it into a fault.
func (s *session) contained(p *compile.Program) (v goja.Value, fault *sandbox.Fault) {
	defer func() {
		if x := recover(); x != nil {
			v, fault = nil, s.panicked(x)
		}
	}()
	v, err := s.evaluateProgram(p)
	if err != nil {
		return nil, s.faultOf(err)
	}
	if f := asLimit(s.meter.Err()); f != nil {
		return nil, f
	}
	return v, nil
}

// panicked contains a defect of ours: the engine's queues are emptied, so that
// the next program starts clean.
func (s *session) panicked(x any) *sandbox.Fault {
	err, ok := x.(error)
	if f := asLimit(s.meter.Err()); f != nil {
		return s.spotOf(stackOf(err)).put(f)
	}
	s.abandonJobs()
	if !ok {
		err = fmt.Errorf("%v", x)
	}
	return &sandbox.Fault{
		Kind: sandbox.KindInternal, Message: "the program ran into a defect of the sandbox.",
		Hint: "What was defined before is kept; write it another way.", Cause: err,
	}
}

// idle is a program that does nothing.
var idle = goja.MustCompile("", "0", true)

// abandonJobs drops the promise jobs that an unfinished program left behind: the
// engine does so when it is interrupted.
func (s *session) abandonJobs() {
	rt := s.realm.Runtime()
	rt.Interrupt(nil)
	_, _ = rt.RunProgram(idle)
	rt.ClearInterrupt()
}

// evaluateProgram runs the code, settles the calls it started, and gives the
// completion value.
func (s *session) evaluateProgram(p *compile.Program) (goja.Value, error) {
	run, err := p.Link(s.hooks)
	if err != nil {
		return nil, err
	}
	v, err := run(goja.Undefined())
	if err != nil {
		return nil, err
	}
	if err := s.land(v); err != nil {
		return nil, err
	}
	return s.completion(p, v)
}

// completion gives the value of a program: what a promise came to, where it is
// one.
func (s *session) completion(p *compile.Program, v goja.Value) (goja.Value, error) {
	for range 8 {
		promise, ok := s.realm.Promise(v)
		if !ok {
			break
		}
		switch promise.State() {
		case goja.PromiseStateRejected:
			return nil, s.rejectedFault(promise)
		case goja.PromiseStatePending:
			return nil, s.pendingFault()
		}
		v = promise.Result()
	}
	if f := s.unhandled(); f != nil {
		return nil, f
	}
	return v, nil
}

// finish makes the result: the value, the echoes, the notes and the account.
func (s *session) finish(v goja.Value, fault *sandbox.Fault) *surfaces.Result {
	r := s.run
	res := &surfaces.Result{Fault: fault, Stdout: s.realm.Output()}
	if over := s.retain(); over != nil && fault == nil {
		res.Fault = over
	}
	if res.Fault == nil {
		res.Value = s.value(v)
		s.emptyNote(v)
	}
	s.guardNotes(res.Fault)
	if !s.keepsSource() {
		s.sources.drop()
	}
	res.Defined = s.definitions(s.scope.changed())
	if f := asLimit(s.meter.Err()); f != nil && res.Fault == nil {
		res.Fault, res.Value = f, nil // a getter that was shown did not end
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

// value keeps the completion value under its name and gives it for the host. A
// program that ends with a declaration has none: it gives what was declared, a
// scalar as it is and anything larger in a line, so that nobody concludes that
// nothing came of it.
func (s *session) value(v goja.Value) any {
	p := s.run.program
	if p.EchoLast && len(p.Tops) > 0 && (v == nil || goja.IsUndefined(v)) {
		top := p.Tops[len(p.Tops)-1].Name
		if v = s.scope.value(top); v != nil && isObjectValue(v) {
			kind := realm.Kind(v)
			s.keepLast(v)
			return held.Opaque(top + " is " + withArticle(kind) + ": " + s.summary(kind, v))
		}
	}
	if p.LogLast && (v == nil || goja.IsUndefined(v)) {
		// console.log at the end stands for its argument, and runs no getter of it
		v = s.realm.LastLogged()
		s.keepLast(v)
		var out any
		s.realm.Glance(func() { out = s.result(v) })
		return out
	}
	s.keepLast(v)
	return s.result(v)
}

func (s *session) keepLast(v goja.Value) {
	s.last = v
	s.scope.keepLast(v)
}

// result gives the value for the host: a copy if it is small, else a view that
// stays as it is when the session goes on.
func (s *session) result(v goja.Value) any {
	s.held = weak.Pointer[held.Result]{}
	most := held.Most
	if s.getters {
		most = mostGot
	}
	view := s.realm.View(v)
	if copied, ok := held.Copy(view, most); ok {
		return copied
	}
	h, wrapped := held.Hold(view)
	s.held = weak.Make(h)
	return wrapped
}

// emptyNote tells which reads returned nothing when the value is nothing too:
// most often an argument was wrong.
func (s *session) emptyNote(v goja.Value) {
	if len(s.run.empty) == 0 || !s.emptyValue(v) {
		return
	}
	s.note("Returned no rows: " + strings.Join(s.run.empty, ", ") + ". Check the argument values; describe(\"…\") shows what a function takes.")
}

// emptyValue reports whether a value is what an empty read leads to.
func (s *session) emptyValue(v goja.Value) bool {
	switch realm.Kind(v) {
	case "undefined", "null":
		return true
	case "array", "map", "set", "string":
		return s.realm.Length(v) == 0
	case "number":
		return v.ToFloat() == 0
	case "object":
		o := v.(*goja.Object)
		keys := s.realm.OwnKeys(o, 50)
		for _, k := range keys {
			if e := s.realm.Data(o, k); realm.Kind(e) == "object" || !s.emptyValue(e) {
				return false
			}
		}
		return true
	}
	return false
}

// guardNotes tells of fields that were read and that no row has, unless the fault
// is of calling one. A function of an earlier program may have read them, so what
// the programs say of a field is asked of all that are kept.
func (s *session) guardNotes(fault *sandbox.Fault) {
	called := func(field string) bool {
		return fault != nil && strings.HasSuffix(fault.Message, "."+field+" is not a function")
	}
	for _, g := range s.missed {
		for _, text := range g.remarks(
			func(field string) bool { return s.members[field] },
			func(field string) bool { return called(field) || s.sources.any(field, assigns) },
			func(field string) bool { return s.sources.all(field, probes) },
		) {
			s.note(text)
		}
	}
	s.missed = s.missed[:0]
}

// mostGot is [held.Most] for a session whose programs have getters: what one gives
// is what it gives now, so only a very large result is left to be read later.
const mostGot = 100_000

// keepsSource reports whether code of the program can still run: it defined
// something that is a function or may hold one.
func (s *session) keepsSource() bool {
	for _, n := range s.scope.changed() {
		if v := s.scope.value(n); v != nil && isObjectValue(v) {
			return true
		}
	}
	return isObjectValue(s.last)
}

func isObjectValue(v goja.Value) bool { _, ok := v.(*goja.Object); return ok }
