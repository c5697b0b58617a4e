package python

import (
	"errors"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python/object"
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
		Stage: "`with " + name("stage") + "(): …`", Commit: name("commit") + "()",
		Rollback: name("rollback") + "()", Pending: name("pending") + "()",
	}
}

// yields reports whether a builtin is not there: the catalogue has a function of
// its name, or nothing can be staged here.
func (s *session) yields(n string) bool {
	if _, ok := s.ws.Catalog().Lookup(n); ok {
		return true
	}
	return slices.Contains(stagingNames, strings.TrimSuffix(n, longSuffix)) && !s.ws.Stages()
}

// words spells the staging builtins as they are reached now.
func (s *session) words() surfaces.StagingWords { return language{}.Staging(s.ws.Catalog()) }

func (s *session) stagingFunction(n string) *object.Builtin {
	switch strings.TrimSuffix(n, longSuffix) {
	case "stage":
		return object.NewBuiltin(n, "function? /", s.stage)
	case "commit":
		return object.NewBuiltin(n, "", s.commit)
	case "rollback":
		return object.NewBuiltin(n, "*ids", s.rollback)
	case "pending":
		return object.NewBuiltin(n, "", s.pendingEffects)
	}
	return nil
}

// underWay raises unless a program is running: what shows a result must not change
// anything.
func (s *session) underWay(t *thread, builtin string) *exception {
	if s.run == nil || s.run.ended {
		return t.Raise(object.RuntimeError, "%s cannot be used while a value is shown: use it in the program", builtin)
	}
	return nil
}

// staged is the part of a program whose effects are held back: a context manager.
type staged struct {
	object.Obj
	s       *session
	section *dispatch.Section
	list    pyValue // what the with statement gives: filled when the part has ended
	done    bool
}

var stagedClass = object.Define("stage")

// Class is stage.
func (*staged) Class() *object.Class { return stagedClass }

func init() {
	stagedClass.Final = true
	stagedClass.Own.Enter = func(t *thread, v pyValue) (pyValue, *exception) { return v.Native().(*staged).enter(t) }
	stagedClass.Own.Exit = func(t *thread, v pyValue, exc *exception) (bool, *exception) {
		return false, v.Native().(*staged).exit(t, exc)
	}
	stagedClass.Own.Children = func(v pyValue, visit func(pyValue)) int {
		visit(v.Native().(*staged).list)
		return 96
	}
	stagedClass.Ready()
}

func (g *staged) enter(t *thread) (pyValue, *exception) {
	if g.section != nil {
		return pyValue{}, t.Raise(object.RuntimeError, "this part has been staged: call %s again", g.s.words().Stage)
	}
	if x := g.s.underWay(t, g.s.words().Stage); x != nil {
		return pyValue{}, x
	}
	section, err := g.s.run.calls.Stage()
	if err != nil {
		return pyValue{}, g.s.raised(faultOfCall(err, "stage"), "")
	}
	g.section, g.list = section, object.NewList(nil)
	g.s.run.staging = append(g.s.run.staging, section)
	return g.list, nil
}

func (g *staged) exit(t *thread, exc *exception) *exception {
	if g.section == nil || g.done || g.s.run == nil {
		return nil
	}
	g.done = true
	g.s.endStage(g.section)
	if exc != nil {
		g.s.dropped(g.section.Discard())
		return nil
	}
	effects := g.section.End()
	if len(effects) == 0 {
		g.s.note("Nothing was staged: the part called nothing that could change something.")
	}
	l, _ := g.list.List()
	for _, row := range pendingRows(effects) {
		v, x := g.s.plainIn(row, nil)
		if x == nil {
			x = l.Append(t, v)
		}
		if x != nil {
			return x
		}
	}
	return nil
}

// endStage takes a section off the list of those that are open.
func (s *session) endStage(section *dispatch.Section) {
	s.run.staging = slices.DeleteFunc(s.run.staging, func(o *dispatch.Section) bool { return o == section })
}

// dropStages drops what was staged in a part that never ended.
func (s *session) dropStages() {
	for _, section := range slices.Backward(s.run.staging) {
		s.dropped(section.Discard())
	}
	s.run.staging = nil
}

// stage gives a context manager that holds back the effects inside. With a
// function it runs that and gives what it staged and what it returned.
func (s *session) stage(t *thread, a []pyValue) (pyValue, *exception) {
	g := &staged{s: s}
	v := object.Box(g)
	f := object.Arg(a, 0)
	if !f.IsSet() {
		return v, t.Alloc(160)
	}
	if !t.Callable(f) || s.capabilityOfValue(f) != nil {
		return pyValue{}, t.RaiseType("stage takes a function whose effects are staged, or nothing: write %s and the calls below it", s.words().Stage)
	}
	list, x := g.enter(t)
	if x != nil {
		return pyValue{}, x
	}
	at := t.Pin(list)
	defer t.Unpin(at)
	r, x := t.Call(f)
	if x == nil {
		r, x = t.Await(r)
	}
	if y := g.exit(t, x); y != nil && x == nil {
		x = y
	}
	if x != nil {
		return pyValue{}, x
	}
	d, x := t.Dict(2)
	if x != nil {
		return pyValue{}, x
	}
	if x := d.SetName(t, "staged", list); x != nil {
		return pyValue{}, x
	}
	return d.Value(), d.SetName(t, "value", r)
}

func (s *session) dropped(effects []dispatch.Pending) {
	if len(effects) > 0 {
		s.note("Dropped, because the part that staged it did not run to its end: " + dispatch.ListPending(effects) + ". Nothing of it has happened.")
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
func (s *session) pendingEffects(t *thread, _ []pyValue) (pyValue, *exception) {
	if x := s.underWay(t, s.words().Pending); x != nil {
		return pyValue{}, x
	}
	return s.plainIn(pendingRows(s.run.calls.Pending()), nil)
}

// commit makes what is pending and gives a row for each effect, with its result.
func (s *session) commit(t *thread, _ []pyValue) (pyValue, *exception) {
	if x := s.underWay(t, s.words().Commit); x != nil {
		return pyValue{}, x
	}
	line, column := placeOf(t.Site.Place)
	done, err := s.run.calls.Commit(dispatch.Call{Line: line, Column: column})
	if err != nil {
		return pyValue{}, s.commitError(faultOfCall(err, "commit"))
	}
	list := object.NewList(nil)
	l, _ := list.List()
	at := t.Pin(list)
	defer t.Unpin(at)
	for i := range done {
		row, x := s.plainIn(commitmentRow(&done[i]), nil)
		if x != nil {
			return pyValue{}, x
		}
		if x := l.Append(t, row); x != nil {
			return pyValue{}, x
		}
		var r pyValue
		if done[i].Outcome == dispatch.Staged {
			r = s.placeholder(&dispatch.Placeholder{ID: done[i].ID, Function: done[i].Function, Dry: true})
		} else if r, x = s.plainIn(done[i].Result, nil); x != nil {
			return pyValue{}, x
		}
		d, _ := row.Dict()
		if x := d.SetName(t, "result", r); x != nil {
			return pyValue{}, x
		}
	}
	return list, nil
}

func commitmentRow(c *dispatch.Commitment) *value.Object {
	o := value.Of("id", c.ID, "function", c.Function)
	if c.Edited {
		o.Set("edited", value.Copy(c.Args))
	}
	return o
}

// commitError is the exception of a commit that did not make everything. Its
// details tell of each effect.
func (s *session) commitError(f *sandbox.Fault) *exception {
	x := s.raised(f, "")
	var ce *dispatch.CommitError
	if x.Limit != nil || !errors.As(f.Cause, &ce) {
		return x
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
	v, y := s.plainIn(rows, nil)
	if y != nil {
		return y
	}
	if y := x.Attrs.SetName(s.machine.T, "details", v); y != nil {
		return y
	}
	return x
}

// rollback drops what is pending, or the effects whose numbers are given, and
// lists what it dropped.
func (s *session) rollback(t *thread, a []pyValue) (pyValue, *exception) {
	w := s.words()
	if x := s.underWay(t, w.Rollback); x != nil {
		return pyValue{}, x
	}
	var ids []int64
	for _, v := range a {
		items := []pyValue{v}
		if l, ok := object.ListOf(v); ok {
			if items = l.Items(); len(items) == 0 {
				return s.plainIn([]value.Value{}, nil) // no number is not the same as all
			}
		}
		for _, n := range items {
			id, ok := n.Int()
			if !ok {
				return pyValue{}, t.RaiseType("rollback takes the numbers of pending effects, or nothing for all of them: %s lists them with their id", w.Pending)
			}
			ids = append(ids, id)
		}
	}
	gone, err := s.run.calls.Rollback(ids...)
	if err != nil {
		return pyValue{}, s.raised(faultOfCall(err, "rollback"), "")
	}
	return s.plainIn(pendingRows(gone), nil)
}
