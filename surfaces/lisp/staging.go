package lisp

import (
	"errors"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Staging spells how programs hold effects back.
func (language) Staging(*toolfn.Catalog) surfaces.StagingWords {
	return surfaces.StagingWords{Stage: "(stage …)", Commit: "(commit!)", Rollback: "(rollback!)", Pending: "(pending)"}
}

// stage runs a function whose effects are held back, and gives what it staged and
// what it returned. If it throws, what it staged is dropped.
func (s *session) stage(t *data.Thread, a []data.Value) data.Value {
	s.mayCall("stage")
	if !s.ws.Stages() {
		data.ThrowHint("UnsupportedOperationException", "nothing can be staged here.", "Make the calls without stage.")
	}
	section, err := s.run.calls.Stage()
	if err != nil {
		throw(err)
	}
	ended := false
	defer func() {
		if !ended {
			if effects := section.Discard(); len(effects) > 0 {
				s.note("Dropped, because the body that staged it did not run to its end: " + dispatch.ListPending(effects) + ". Nothing of it has happened.")
			}
		}
	}()
	v := t.Call(a[0])
	data.Settled(t, v) // (stage (map send! xs)) means all of them
	ended = true
	effects := section.End()
	if len(effects) == 0 {
		s.note("Nothing was staged: the body called nothing that could change something.")
	}
	word := s.machine.Keyword
	return data.MapOf(t, word("staged"), s.bring(t, pendingRows(effects), nil), word("value"), v).Value()
}

// pendingRows lists effects for a program.
func pendingRows(effects []dispatch.Pending) []value.Value {
	rows := make([]value.Value, len(effects))
	for i, p := range effects {
		rows[i] = value.Of("id", p.ID, "function", p.Function, "effect", p.Effect.Impact.String(), "args", value.Copy(p.Args))
	}
	return rows
}

// pending lists what is pending.
func (s *session) pending(t *data.Thread, _ []data.Value) data.Value {
	s.mayCall("pending")
	return s.bring(t, pendingRows(s.run.calls.Pending()), nil)
}

// commit makes what is pending and gives a row for each effect, with its result.
func (s *session) commit(t *data.Thread, _ []data.Value) data.Value {
	s.mayCall("commit!")
	at := s.machine.Place(t.At)
	done, err := s.run.calls.Commit(dispatch.Call{Line: at.Line, Column: at.Column})
	if err != nil {
		s.commitFailed(t, err)
	}
	out := make([]data.Value, len(done))
	for i := range done {
		c := &done[i]
		row := s.bring(t, commitmentRow(c), nil).Map()
		result := data.Value{}
		if c.Outcome == dispatch.Staged {
			result = data.Box(&placeholder{of: &dispatch.Placeholder{ID: c.ID, Function: c.Function, Dry: true}})
		} else {
			result = s.bring(t, c.Result, nil)
		}
		out[i] = row.With(t, s.machine.Keyword("result"), result).Value()
	}
	return data.VectorOf(out)
}

func commitmentRow(c *dispatch.Commitment) *value.Object {
	o := value.Of("id", c.ID, "function", c.Function)
	if c.Edited {
		o.Set("edited", value.Copy(c.Args))
	}
	return o
}

// commitFailed throws for a commit that did not make everything; the exception's
// data tell of each effect.
func (s *session) commitFailed(t *data.Thread, err error) {
	f := asFault(err)
	var ce *dispatch.CommitError
	if f.Kind.Limit() || !errors.As(f.Cause, &ce) {
		throw(err)
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
	details := failure(f).Map().With(t, s.machine.Keyword("effects"), s.bring(t, rows, nil))
	panic(&data.Thrown{Value: data.Box(&data.Exception{Class: "ExceptionInfo", Message: f.Message, Hint: f.Hint, Fault: f, Data: details.Value()})})
}

// rollback drops what is pending, or the effects whose numbers are given, and lists
// what it dropped.
func (s *session) rollback(t *data.Thread, a []data.Value) data.Value {
	s.mayCall("rollback!")
	var ids []int64
	for _, v := range a {
		id, ok := v.Int()
		if !ok {
			data.ThrowHint("IllegalArgumentException", "rollback! takes the numbers of effects.", "(pending) shows them; (rollback!) drops all.")
		}
		ids = append(ids, id)
	}
	dropped, err := s.run.calls.Rollback(ids...)
	if err != nil {
		throw(err)
	}
	return s.bring(t, pendingRows(dropped), nil)
}
