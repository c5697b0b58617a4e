package js

import (
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// stagingNames are the builtins that hold effects back. They are everyday words,
// so that programs and catalogues may take them; each has a long name.
var stagingNames = []string{"stage", "commit", "rollback", "pending"}

// longSuffix makes the long name of a staging builtin.
const longSuffix = "_effects"

func longStagingNames() []string {
	var long []string
	for _, n := range stagingNames {
		long = append(long, n+longSuffix)
	}
	return long
}

// Staging spells how programs hold effects back, over a catalogue that may have
// functions of the short names.
func (language) Staging(cat *toolfn.Catalog) surfaces.StagingWords {
	name := func(short string) string {
		if _, ok := cat.Lookup(short); ok {
			return short + longSuffix
		}
		return short
	}
	return surfaces.StagingWords{
		Stage: name("stage") + "(() => { … })", Commit: name("commit") + "()",
		Rollback: name("rollback") + "()", Pending: name("pending") + "()",
	}
}

// yields reports whether a builtin is not there: the catalogue has a function of
// its name, or nothing can be staged here.
func (s *session) yields(name string) bool {
	short := strings.TrimSuffix(name, longSuffix)
	if !slices.Contains(stagingNames, short) {
		return false
	}
	if !s.ws.Stages() {
		return true
	}
	_, ok := s.ws.Catalog().Lookup(name)
	return ok
}

func (s *session) stagingFunction(name string) func([]goja.Value) goja.Value {
	switch strings.TrimSuffix(name, longSuffix) {
	case "stage":
		return s.stage
	case "commit":
		return s.commit
	case "rollback":
		return s.rollback
	case "pending":
		return s.pendingEffects
	}
	return nil
}

// defers reports the builtin that holds back the calls of the function it is
// given.
func (s *session) defers(name string) bool {
	return strings.TrimSuffix(name, longSuffix) == "stage" && !s.yields(name)
}

// words spells the staging builtins as they are reached now.
func (s *session) words() surfaces.StagingWords { return language{}.Staging(s.ws.Catalog()) }

// underWay throws unless a program is running: a getter of its result must not
// change anything when the result is shown.
func (s *session) underWay(builtin string) {
	if s.run == nil || s.run.ended {
		panic(s.realm.NewError("Error", builtin+" cannot be called while a value is shown. Call it in the program."))
	}
}

// stage runs a function whose effects are held back, and gives what it staged and
// what it returned. If it throws, what it staged is dropped.
func (s *session) stage(args []goja.Value) goja.Value {
	w := s.words()
	s.underWay(w.Stage)
	args = trimUndefined(args)
	if len(args) != 1 || realm.Kind(args[0]) != "function" || s.capabilityOfValue(args[0]) {
		s.realm.Throw(&sandbox.Fault{
			Kind: sandbox.KindArgument, Name: "TypeError",
			Message: "it takes one function, whose effects are staged.", Hint: "Write " + w.Stage + ", with the calls inside.",
		})
	}
	section, err := s.run.calls.Stage()
	if err != nil {
		s.realm.Throw(asFault(err))
	}
	f, _ := goja.AssertFunction(args[0])
	v, err := f(goja.Undefined())
	if err != nil {
		s.dropped(section.Discard())
		panic(err)
	}
	if _, ok := s.realm.Promise(v); ok {
		return s.stageOn(section, v.(*goja.Object))
	}
	return s.stagedBy(section, v)
}

func (s *session) capabilityOfValue(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	return ok && s.capabilities[o] != nil
}

// stageOn goes on staging until the promise that the function returned has
// settled, because what it awaits runs after it returned.
func (s *session) stageOn(section *dispatch.Section, under *goja.Object) goja.Value {
	promise, resolve, reject := s.realm.NewPromise()
	then, _ := goja.AssertFunction(under.Get("then"))
	_, err := then(under,
		s.realm.Function("", 1, func(c goja.FunctionCall) goja.Value {
			s.must(resolve(s.stagedBy(section, c.Argument(0))))
			return goja.Undefined()
		}),
		s.realm.Function("", 1, func(c goja.FunctionCall) goja.Value {
			s.dropped(section.Discard())
			s.must(reject(c.Argument(0)))
			return goja.Undefined()
		}))
	if err != nil {
		panic(err)
	}
	return promise
}

// stagedBy is what stage gives: the effects that it holds back, and the
// function's own value.
func (s *session) stagedBy(section *dispatch.Section, v goja.Value) goja.Value {
	rows := pendingRows(section.End())
	if len(rows) == 0 {
		s.note("Nothing was staged: the function called nothing that could change something.")
	}
	o := s.realm.Import(value.Of("staged", rows)).(*goja.Object)
	if v != nil && !goja.IsUndefined(v) {
		_ = o.DefineDataProperty("value", v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	return o
}

func (s *session) dropped(effects []dispatch.Pending) {
	if len(effects) > 0 {
		s.note("Dropped, because the function that staged it did not run to its end: " + dispatch.ListPending(effects) + ". Nothing of it has happened.")
	}
}

// pendingRows lists effects for a program.
func pendingRows(effects []dispatch.Pending) []value.Value {
	rows := make([]value.Value, len(effects))
	for i, p := range effects {
		rows[i] = value.Of("id", p.ID, "function", p.Function, "effect", p.Effect.Impact.String(), "args", value.Copy(p.Args))
	}
	return rows
}

// pendingEffects lists what is pending.
func (s *session) pendingEffects([]goja.Value) goja.Value {
	s.underWay(s.words().Pending)
	return s.realm.Import(value.Value(pendingRows(s.run.calls.Pending())))
}

// commit makes what is pending and gives a row for each effect, with its result.
func (s *session) commit([]goja.Value) goja.Value {
	s.underWay(s.words().Commit)
	at := s.here()
	done, err := s.run.calls.Commit(dispatch.Call{Line: at.line, Column: at.column})
	if err != nil {
		f := asFault(err)
		if f.Kind.Limit() {
			s.realm.Fail(f)
		}
		panic(s.commitError(f))
	}
	out := make([]goja.Value, len(done))
	for i := range done {
		o := s.realm.Import(commitmentRow(&done[i])).(*goja.Object)
		var v goja.Value
		if done[i].Outcome == dispatch.Staged {
			v = s.placeholder(&dispatch.Placeholder{ID: done[i].ID, Function: done[i].Function, Dry: true})
		} else {
			v = s.realm.Import(done[i].Result)
		}
		_ = o.DefineDataProperty("result", v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		out[i] = o
	}
	return s.realm.Array(out)
}

func commitmentRow(c *dispatch.Commitment) *value.Object {
	o := value.Of("id", c.ID, "function", c.Function)
	if c.Edited {
		o.Set("edited", value.Copy(c.Args))
	}
	return o
}

// commitError is the Error of a commit that did not make everything. Its details
// tell of each effect.
func (s *session) commitError(f *sandbox.Fault) *goja.Object {
	o := s.errorOf(f)
	var ce *dispatch.CommitError
	if !errors.As(f.Cause, &ce) {
		return o
	}
	rows := make([]value.Value, len(ce.Effects))
	for i := range ce.Effects {
		c := &ce.Effects[i]
		row := commitmentRow(c)
		row.Set("outcome", c.Outcome.String())
		if c.Outcome == dispatch.Done {
			row.Set("result", c.Result)
		}
		if c.Error != "" {
			row.Set("error", c.Error)
		}
		rows[i] = row
	}
	_ = o.DefineDataProperty("details", s.realm.Import(value.Value(rows)), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}

// rollback drops what is pending, or the effects whose numbers are given, and
// lists what it dropped.
func (s *session) rollback(args []goja.Value) goja.Value {
	w := s.words()
	s.underWay(w.Rollback)
	var ids []int64
	for _, a := range trimUndefined(args) {
		v, fault := s.realm.Export(a)
		s.orThrow(fault)
		list, ok := v.([]value.Value)
		if !ok {
			list = []value.Value{v}
		} else if len(list) == 0 {
			return s.realm.Import([]value.Value{}) // no number is not the same as all
		}
		for _, n := range list {
			id, ok := n.(int64)
			if !ok {
				s.realm.Throw(&sandbox.Fault{Kind: sandbox.KindArgument, Name: "TypeError", Message: "it takes the numbers of pending effects, or nothing for all of them.", Hint: w.Pending + " lists them with their id."})
			}
			ids = append(ids, id)
		}
	}
	gone, err := s.run.calls.Rollback(ids...)
	if err != nil {
		s.realm.Throw(asFault(err))
	}
	return s.realm.Import(value.Value(pendingRows(gone)))
}

// placeholder stands for the result of a call that was staged. Whatever a program
// wants to know of it is refused, because an answer would be made up: it can be
// kept, shown, and returned.
type placeholder struct {
	s *session
	p *dispatch.Placeholder
}

func (s *session) placeholder(p *dispatch.Placeholder) *goja.Object {
	return s.realm.Runtime().NewDynamicObject(&placeholder{s, p})
}

// Opaque names the placeholder wherever a value is shown.
func (p *placeholder) Opaque() string { return p.p.Opaque() }

// Get refuses, save for what the language itself asks of any object.
func (p *placeholder) Get(name string) goja.Value {
	switch name {
	case "then", "toJSON", "constructor":
		return nil
	case "toString", "valueOf":
		p.refuse("")
	}
	p.refuse("." + shortKey(name))
	return nil
}

// Has refuses.
func (p *placeholder) Has(name string) bool { return p.Get(name) != nil }

// Set refuses.
func (p *placeholder) Set(name string, _ goja.Value) bool {
	p.refuse("." + shortKey(name))
	return false
}

// Delete refuses.
func (p *placeholder) Delete(string) bool {
	p.refuse("")
	return false
}

// Keys refuses.
func (p *placeholder) Keys() []string {
	p.refuse("")
	return nil
}

func (p *placeholder) refuse(member string) {
	what := "its result"
	if member != "" {
		what += ", and so " + member + ","
	}
	w := p.s.words()
	f := &sandbox.Fault{Kind: sandbox.KindDenied, Name: "TypeError"}
	if p.p.Dry {
		f.Message = p.p.Function + " was not called, because this is a dry run: " + what + " is not known."
		f.Hint = "Try it up to here, or guard what needs the result; a real run has it."
	} else {
		f.Message = p.p.Function + " is staged and has not been called: " + what + " is known only after " + w.Commit + "."
		f.Hint = "Stage only what does not need it; " + w.Commit + " gives a list of { id, function, result } to go on from."
	}
	p.s.realm.Throw(f)
}
