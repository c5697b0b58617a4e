package dispatch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// written is what one call of a write said.
type written struct {
	affected int // -1 where it did not say
	rows     []*value.Object
}

// writtenValue is what a write said as plain data, as the journal has it.
func writtenValue(w toolfn.Written) value.Value {
	o := value.NewObject(2)
	if w.Affected < 0 {
		o.Set("affected", nil)
	} else {
		o.Set("affected", int64(w.Affected))
	}
	if w.Rows != nil {
		list := make([]value.Value, len(w.Rows))
		for i, row := range w.Rows {
			list[i] = row
		}
		o.Set("rows", list)
	}
	return o
}

// withCount keeps with the error of an insert of several rows how many it did.
func withCount(err error, affected int) error {
	var c *toolfn.CallError
	if affected <= 0 || errors.As(err, &c) && c != nil && c.Details != nil {
		return err
	}
	out := &toolfn.CallError{Message: err.Error(), Details: value.Of("affected", int64(affected)), Cause: err}
	if c != nil {
		own := *c
		own.Details, own.Cause = out.Details, err
		return &own
	}
	out.OutcomeUnknown = gaveUp(err)
	return out
}

// countOf gives how many rows a failed insert says that it did, at most n.
func countOf(err error, n int) int {
	var c *toolfn.CallError
	if !errors.As(err, &c) || c == nil {
		return 0
	}
	o, _ := c.Details.(*value.Object)
	v, _ := o.Get("affected")
	done, _ := v.(int64)
	return int(max(0, min(done, int64(n))))
}

// said reads what a write said. Rows that do not fit the table are left out: the
// write was done all the same.
func (r *Run) said(t *tableState, v value.Value) written {
	w := written{affected: -1}
	o, _ := v.(*value.Object)
	if n, ok := o.Get("affected"); ok {
		if n, ok := n.(int64); ok {
			w.affected = int(n)
		}
	}
	list, ok := o.Get("rows")
	rows, isList := list.([]value.Value)
	if !ok || !isList {
		return w
	}
	d := decoder{run: r, t: t.ResourceTable}
	w.rows = []*value.Object{}
	for i, e := range rows {
		row, ok := e.(*value.Object)
		if !ok {
			return written{affected: w.affected}
		}
		row, err := d.row(row, i)
		if err != nil {
			r.d.tell(fmt.Errorf("dispatch: a row that %s returned: %w", t.Name, err))
			return written{affected: w.affected}
		}
		w.rows = append(w.rows, row)
	}
	return w
}

// fire makes the calls of a plan in order, and stops after one that fails.
func (r *Run) fire(p *plan) (*Wrote, error) {
	out := &Wrote{Partial: p.partial}
	var failure error
	known, told := true, true
	for i, u := range p.units {
		if failure != nil {
			out.Parts = append(out.Parts, p.parts(u, 0, NotAttempted, "")...)
			continue
		}
		w, o, err := r.fireUnit(p, u)
		if err != nil {
			failure = err
			if out.left = len(p.units) - i; o != NotAttempted {
				out.left--
			}
			done := 0
			if p.verb == toolfn.Insert {
				done = countOf(err, len(u.rows))
			}
			out.Affected += done
			text := err.Error()
			var f *sandbox.Fault
			if errors.As(err, &f) {
				text = f.Message
			}
			out.Parts = append(out.Parts, p.parts(u, done, o, text)...)
			told = false
			if i == 0 && len(p.units) == 1 && len(out.Parts) == 1 {
				return out, err
			}
			continue
		}
		n := w.affected
		switch {
		case p.verb == toolfn.Insert:
			n = len(u.rows)
		case n < 0 && u.one:
			n = 1
		}
		known = known && n >= 0
		out.Affected += max(n, 0)
		if told = told && w.rows != nil; told {
			out.Rows = append(out.Rows, w.rows...)
		}
		out.Parts = append(out.Parts, p.parts(u, len(u.rows), Done, "")...)
	}
	if !known {
		out.Affected = -1
	}
	if !told {
		out.Rows = nil
	}
	if failure != nil {
		return out, p.partly(out, failure)
	}
	return out, nil
}

// fireUnit makes one call, and remembers what it wrote.
func (r *Run) fireUnit(p *plan, u unit) (written, Outcome, error) {
	t := p.t
	a := p.call(u, nil)
	if err := r.part(a); err != nil {
		return written{}, NotAttempted, err
	}
	began := r.d.tables.tick()
	t.version.Add(1) // what is being read now may or may not hold this write
	v, err := r.now(a)
	t.version.Add(1)
	base := &r.d.tables.logs
	if err != nil {
		o := outcomeOf(err)
		if a.outcome == Intended || a.outcome == Refused && asLimit(err) != nil {
			o = NotAttempted // the function was not called
		}
		if done := countOf(err, len(u.rows)); p.verb == toolfn.Insert && done > 0 {
			for _, row := range u.rows[:done] {
				r.lay(base, t, &laidWrite{verb: p.verb, began: began, row: row})
			}
		}
		if o == Unsettled {
			r.lay(base, t, &laidWrite{verb: p.verb, began: began, lost: true})
		}
		return written{}, o, err
	}
	w := r.said(t, v)
	for _, e := range p.entries(u, w, began) {
		r.lay(base, t, e)
	}
	return w, Done, r.m.Err()
}

// entries are what one call wrote, to be laid over reads.
func (p *plan) entries(u unit, w written, began uint64) []*laidWrite {
	if p.verb != toolfn.Insert {
		return []*laidWrite{{verb: p.verb, began: began, match: u.match, set: p.set, rows: w.rows}}
	}
	list := make([]*laidWrite, len(u.rows))
	for i, given := range u.rows {
		row := given
		if len(w.rows) == len(u.rows) {
			row, _ = value.Copy(given).(*value.Object)
			for k, v := range w.rows[i].All() {
				row.Set(k, v)
			}
		}
		list[i] = &laidWrite{verb: p.verb, began: began, row: row}
	}
	return list
}

// outcomeOf is how a call that ended with an error came out.
func outcomeOf(err error) Outcome {
	var f *sandbox.Fault
	if !errors.As(err, &f) {
		return Failed
	}
	switch f.Kind {
	case sandbox.KindUnknown:
		return Unsettled
	case sandbox.KindDenied, sandbox.KindArgument:
		return Refused
	case sandbox.KindCancelled, sandbox.KindDeadline:
		return Unsettled
	}
	return Failed
}

// parts tells of one call: of an insert each row, the first done of them made.
func (p *plan) parts(u unit, done int, o Outcome, text string) []Part {
	if p.verb != toolfn.Insert {
		return []Part{{Key: u.match.object(), Outcome: o, Error: text}}
	}
	out := make([]Part, len(u.rows))
	for i, row := range u.rows {
		out[i] = Part{Key: row, Outcome: o, Error: text}
		switch {
		case i < done:
			out[i].Outcome, out[i].Error = Done, ""
		case i > done && o == Failed && done > 0:
			out[i].Outcome, out[i].Error = NotAttempted, ""
		}
	}
	return out
}

// partly is the fault of a write that was done in part.
func (p *plan) partly(w *Wrote, failure error) error {
	var f *sandbox.Fault
	if !errors.As(failure, &f) || f.Kind.Limit() {
		return failure
	}
	g := *f
	g.Cause = &PartialFailure{Table: p.t.Name, Verb: p.verb, Parts: w.Parts, Err: failure}
	noun := "row"
	if p.verb != toolfn.Insert {
		noun = "key"
	}
	var said []string
	for _, o := range []Outcome{Done, Failed, Unsettled, Refused, NotAttempted} {
		if text := tell(w.Parts, o, noun); text != "" {
			said = append(said, text)
		}
	}
	g.Message = fmt.Sprintf("%s of %s: %s. %s", p.verb, p.t.Name, strings.Join(said, "; "), f.Message)
	g.Hint = strings.TrimSpace("Do not repeat what was done; go on with the rest once the cause is gone. " + f.Hint)
	return &g
}

// tell says how many parts came out in a way, and the first of them.
func tell(parts []Part, o Outcome, noun string) string {
	var names []string
	for _, p := range parts {
		if p.Outcome == o {
			names = append(names, shownRow(p.Key))
		}
	}
	if len(names) == 0 {
		return ""
	}
	shown := names
	more := ""
	if len(names) > 6 {
		shown, more = names[:5], fmt.Sprintf("; and %d more", len(names)-5)
	}
	word := o.String()
	if o == Unsettled {
		word = "of unknown outcome"
	}
	return fmt.Sprintf("%s %s (%s%s)", plural(len(names), noun, noun+"s"), word, strings.Join(shown, "; "), more)
}
