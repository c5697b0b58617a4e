package dispatch

import (
	"errors"
	"fmt"
	"slices"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Select reads a table and waits for the rows with the meter's clock paused.
// Nothing is asked where no row can match, nor again where rows are remembered:
// immutable ones for the life of the dispatcher, stable ones for this run. A
// column of which a server takes one value at a time is asked value by value,
// side by side, in the order of the values.
//
// Every error is a *[sandbox.Fault], as with [Run.Call]. A read of several values
// that fails for some fails, and says for which it would not.
func (r *Run) Select(q Query) (*Selected, error) {
	s, err := r.selecting(q, false)
	if err != nil {
		return nil, err
	}
	return s.wait()
}

// StartSelect begins to read a table without waiting, as [Run.Start] begins a
// call.
func (r *Run) StartSelect(q Query) (*Selection, error) {
	s, err := r.selecting(q, true)
	if err != nil {
		return nil, err
	}
	return &Selection{s}, nil
}

// Selection is a read of a table that was started. It is used from the program's
// goroutine.
type Selection struct{ s *selecting }

// Wait gives the rows, the same each time.
func (s *Selection) Wait() (*Selected, error) { return s.s.wait() }

// Ready reports whether Wait would return without waiting for a first page.
func (s *Selection) Ready() bool { return s.s.ready() }

// selecting is a read under way.
type selecting struct {
	run     *Run
	t       *tableState
	query   Query
	where   bound
	pending []*laidWrite // that are to be laid over the rows, when it began
	fetches []*fetch
	whole   bool // the server was misled by what is wanted first, so it is not told
	dropped bool // a row of the server's is none that the statement wants

	done bool
	got  *Selected
	err  error
}

// selecting checks a query and begins its fetches; beside the program if wanted
// or if there are several.
func (r *Run) selecting(q Query, beside bool) (*selecting, error) {
	at := Call{Line: q.Line, Column: q.Column}
	s, err := r.checkQuery(q)
	if err != nil {
		return nil, at.place(err)
	}
	if s.done {
		return s, nil
	}
	asks, err := s.plan()
	if err != nil {
		return nil, at.place(err)
	}
	at.Function = s.t.verbs[toolfn.Select].Name
	if _, err := r.permitStatement(s.t, toolfn.Select, value.Of("where", s.where.object()), at); err != nil {
		return nil, err
	}
	return s, s.begin(asks, at, beside)
}

// plan comes to what the server is asked.
func (s *selecting) plan() ([]ask, error) {
	s.pending = s.run.pending(s.t)
	asks, exact, err := s.run.asks(s.t, s.where, columnsSet(s.pending))
	if err != nil {
		return nil, err
	}
	s.hint(asks, exact)
	return asks, nil
}

// checkQuery does what can be done before anybody is asked.
func (r *Run) checkQuery(q Query) (*selecting, error) {
	s, err := r.checkTable(q)
	if err != nil {
		return nil, err
	}
	if missing := s.missing(); len(missing) > 0 {
		return nil, missingKeys(s.t.ResourceTable, missing)
	}
	if s.where.impossible() {
		s.done, s.got = true, &Selected{Rows: []*value.Object{}}
	}
	return s, nil
}

// missing are the columns that the read must fix and does not: to values, or to a
// range that the server honours.
func (s *selecting) missing() (names []string) {
	for i := range s.t.Columns {
		c := &s.t.Columns[i]
		if !c.RequiredKey {
			continue
		}
		b := s.where.has(c.Name)
		if b != nil && b.span != nil {
			if pushed, _ := b.span.pushed(c); pushed != nil {
				continue
			}
			b = nil
		}
		if b == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkTable checks the names and values of a query.
func (r *Run) checkTable(q Query) (*selecting, error) {
	t, err := r.table(q.Table, toolfn.Select)
	if err != nil {
		return nil, err
	}
	s := &selecting{run: r, t: t, query: q}
	if s.where, err = bind(t.ResourceTable, q.Where); err != nil {
		return nil, err
	}
	names := q.Columns
	if q.Where.Rest != nil {
		names = append(slices.Clip(names), q.Where.Rest.Columns...)
	}
	for _, name := range names {
		if _, ok := t.Column(name); !ok {
			return nil, unknownColumn(t.ResourceTable, name)
		}
	}
	return s, checkOrder(t.ResourceTable, q.Order)
}

// place puts a position into a fault.
func (c Call) place(err error) error {
	var f *sandbox.Fault
	if !errors.As(err, &f) || f.Kind.Limit() || f.Line > 0 {
		return err
	}
	g := *f
	return located{&g}.at(c)
}

// mostAsks bounds the fan-out of one statement, before anything is made of it.
const mostAsks = 10_000

// asks splits a statement into what its server can be asked. A column goes to the
// server if the server compares it; one that must be fixed, or that only the
// read's arguments know, is asked value by value where the server takes no list.
// A column that the workspace has written to is left to be compared here, so that
// a changed row is found by its new value. exact says that the server is asked
// all that the statement demands.
func (r *Run) asks(t *tableState, where bound, written map[string]bool) (asked []ask, exact bool, err error) {
	list := []bound{{}}
	exact = true
	for _, b := range where {
		c := b.column
		must := c.RequiredKey || c.Argument
		switch {
		case b.span != nil:
			pushed, all := b.span.pushed(c)
			if exact = exact && all; pushed == nil || !c.RequiredKey && written[c.Name] {
				exact = false
				continue
			}
			for i := range list {
				list[i] = append(list[i], binding{column: c, span: pushed})
			}
		case !must && (c.Pushdown < toolfn.PushEqual || written[c.Name]):
			exact = false
		case len(b.values) == 1, c.Pushdown >= toolfn.PushIn && !c.Argument:
			for i := range list {
				list[i] = append(list[i], b)
			}
		case must:
			if len(list)*len(b.values) > mostAsks {
				return nil, false, refusedStatement(fmt.Sprintf("it would take more than %d calls to read table %s for all these values.", mostAsks, t.Name), "Ask for fewer at once.")
			}
			list = fanOut(list, b)
		default:
			exact = false
		}
	}
	out := make([]ask, len(list))
	for i, passed := range list {
		out[i] = ask{key: r.fetchKey(t, passed), passed: passed}
	}
	return out, exact, nil
}

// fanOut combines each of a list with each value of a binding.
func fanOut(list []bound, b binding) []bound {
	out := make([]bound, 0, len(list)*len(b.values))
	for _, before := range list {
		for i := range b.values {
			out = append(out, append(slices.Clip(before), binding{column: b.column, values: b.values[i : i+1]}))
		}
	}
	return out
}

// fetchKey tells asks apart: by table, what is asked, and on whose behalf.
func (r *Run) fetchKey(t *tableState, passed bound) string {
	return t.Name + "\x00" + r.who() + "\x00" + passed.key()
}

// who is on whose behalf, and with whose credentials, the run calls.
func (r *Run) who() string { return r.program.Actor + "\x00" + r.program.Auth }

// begin begins the fetches.
func (s *selecting) begin(asks []ask, at Call, beside bool) error {
	limited := s.mayEnd(asks)
	n := 1
	for _, q := range asks {
		f, err := s.run.fetch(s.t, at, q, n, s.query.Fresh, limited, beside)
		if err != nil {
			return err
		}
		if s.fetches = append(s.fetches, f); !f.begun() {
			n++
		}
	}
	for _, f := range s.fetches {
		var err error
		switch {
		case f.begun():
		case f.follow != nil:
			f.first, err = f.pageCall(1, nil) // its own, if the other comes to nothing
		case beside || len(s.fetches) > 1:
			err = f.start()
		}
		if err != nil {
			return at.place(err)
		}
	}
	return nil
}

// begun reports whether nothing remains to be asked for a first page.
func (f *fetch) begun() bool { return f.done || f.flight != nil || f.first != nil }

func (s *selecting) ready() bool {
	for _, f := range s.fetches {
		if !f.done && (f.flight == nil || !f.flight.Ready()) {
			return false
		}
	}
	return true
}

// wait finishes the fetches, in order, and makes the answer of them.
func (s *selecting) wait() (*Selected, error) {
	if s.done {
		return s.got, s.err
	}
	s.done = true
	s.got, s.err = s.finish()
	if s.err == nil && s.misled() {
		s.got, s.err = s.again()
	}
	return s.got, s.err
}

// mayEnd reports whether the fetches may end as soon as there are as many rows as
// are wanted.
func (s *selecting) mayEnd(asks []ask) bool {
	return s.query.Limit > 0 && !s.whole && len(asks) > 0 && (len(s.query.Order) == 0 || len(asks[0].first.order) > 0)
}

// finish finishes the fetches. Only one that nobody else counts on may end early.
func (s *selecting) finish() (*Selected, error) {
	overlaid := s.run.overlaid(s.t)
	for _, f := range s.fetches {
		if f.limited && !overlaid {
			f.finish(s.enough)
		} else {
			f.finish(nil)
		}
		if err := s.run.m.Err(); err != nil {
			return nil, err
		}
	}
	if err := failedRead(s.t, s.fetches); err != nil {
		return nil, err
	}
	return s.answer()
}

// enough reports whether rows from the server are as many as are wanted.
func (s *selecting) enough(rows []*value.Object) bool {
	n := 0
	for _, row := range rows {
		ok, err := s.admits(row, nil, nil)
		if err != nil {
			return true // the answer will say so
		}
		if ok {
			n++
		}
	}
	return n >= s.query.Limit
}

// answer lays the workspace's writes over the rows, filters and projects.
func (s *selecting) answer() (*Selected, error) {
	got := &Selected{}
	var rows []*value.Object
	if len(s.fetches) == 1 {
		rows = slices.Clip(s.fetches[0].got.rows)
	}
	seen := map[string]int{}
	for _, f := range s.fetches {
		if len(s.fetches) > 1 {
			rows = f.own(rows, seen)
		}
		for _, name := range f.got.consumed {
			if !slices.Contains(got.Consumed, name) {
				got.Consumed = append(got.Consumed, name)
			}
		}
		if got.Incomplete == "" {
			got.Incomplete = f.got.incomplete
		}
	}
	if err := s.run.m.Charge(int64(len(rows))*s.cost()>>2 + 1); err != nil {
		return nil, err
	}
	rows, laid, why, err := s.run.overlay(s, rows, got.Incomplete == "")
	if err != nil {
		return nil, err
	}
	got.Partial = why
	got.Rows, err = s.filter(rows, got.Consumed, laid)
	return got, err
}

// filter keeps the rows that the statement admits, and of them the columns that
// it wants. What a server consumed is not compared again, save in rows that did
// not come from it.
func (s *selecting) filter(rows []*value.Object, consumed []string, laid touched) ([]*value.Object, error) {
	if len(s.where) == 0 && s.query.Where.Rest == nil {
		return s.shaped(rows)
	}
	kept := rows[:0:0]
	hinted := len(s.fetches) > 0 && !s.fetches[0].ask.first.none()
	for _, row := range rows {
		if s.query.Limit > 0 && len(kept) == s.query.Limit && len(s.query.Order) == 0 && !hinted {
			break
		}
		ok, err := s.admits(row, consumed, laid)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, row)
		} else {
			s.dropped = true
		}
	}
	return s.shaped(kept)
}

// shaped orders the rows, cuts them and keeps the columns that are wanted.
func (s *selecting) shaped(kept []*value.Object) ([]*value.Object, error) {
	kept, err := s.sorted(kept)
	if err != nil {
		return nil, err
	}
	if n := s.query.Limit; n > 0 && len(kept) > n {
		kept = kept[:n:n]
	}
	if s.query.Columns == nil {
		if kept == nil {
			kept = []*value.Object{}
		}
		return kept, nil
	}
	return s.run.project(kept, s.query.Columns)
}

// admits reports whether a row satisfies the statement.
func (s *selecting) admits(row *value.Object, consumed []string, laid touched) (bool, error) {
	for i := range s.where {
		b := &s.where[i]
		if len(consumed) > 0 && slices.Contains(consumed, b.column.Name) && !laid.ours(row, b.column.Name) {
			continue
		}
		if v, _ := row.Get(b.column.Name); !b.admits(v) {
			return false, nil
		}
	}
	if s.query.Where.Rest == nil {
		return true, nil
	}
	return s.query.Where.Rest.Holds(row)
}

// own adds the rows of one of several fetches: those that it asked for. A server
// that gives more would give them once for each; one that compares in its own way may
// find a row for several values, of which it stays one. seen counts the rows by what
// they hold.
func (f *fetch) own(rows []*value.Object, seen map[string]int) []*value.Object {
	here := map[string]int{}
	for _, row := range f.got.rows {
		if !f.asked(row) {
			continue
		}
		if f.shows(row) {
			text, _ := value.Append(nil, row)
			if here[string(text)]++; here[string(text)] <= seen[string(text)] {
				continue
			}
			seen[string(text)] = here[string(text)]
		}
		rows = append(rows, row)
	}
	return rows
}

// shows reports whether a row has the columns that the server compared in its own way,
// so that it can be told from another.
func (f *fetch) shows(row *value.Object) bool {
	for _, name := range f.got.consumed {
		if !row.Has(name) {
			return false
		}
	}
	return len(f.got.consumed) > 0
}

func (f *fetch) asked(row *value.Object) bool {
	for i := range f.ask.passed {
		b := &f.ask.passed[i]
		if slices.Contains(f.got.consumed, b.column.Name) {
			continue
		}
		if v, _ := row.Get(b.column.Name); !b.admits(v) {
			return false
		}
	}
	return true
}

// cost is what it takes to decide on a row, in units of fuel times four.
func (s *selecting) cost() int64 {
	n := int64(1)
	for _, b := range s.where {
		if b.span != nil {
			n += b.span.cost()
		}
	}
	return n
}

// project gives rows with these columns only, as far as they have them.
func (r *Run) project(rows []*value.Object, columns []string) ([]*value.Object, error) {
	if err := r.m.Alloc(int64(len(rows)) * int64(len(columns)*16+56)); err != nil {
		return nil, err
	}
	out := make([]*value.Object, len(rows))
	var from, to *value.Keys
	var at []int
	for i, row := range rows {
		if row.Keys() != from {
			from, at = row.Keys(), at[:0:0]
			var names []string
			for _, c := range columns {
				if j := from.Index(c); j >= 0 && !slices.Contains(names, c) {
					at, names = append(at, j), append(names, c)
				}
			}
			if to == nil || !slices.Equal(to.Names(), names) {
				to = value.NewKeys(names...)
			}
		}
		vals := make([]value.Value, len(at))
		for j, k := range at {
			vals[j] = row.At(k)
		}
		out[i] = value.NewRow(to, vals)
	}
	return out, nil
}

// permitStatement asks policy and host about a statement as a whole. The calls
// that it is made of are admitted one by one by [Run.part].
func (r *Run) permitStatement(t *tableState, v toolfn.Verb, args *value.Object, at Call) (*admitted, error) {
	fn := t.verbs[v]
	if err := r.m.Charge(callFuel + value.Size(args, r.limits.Memory)>>3); err != nil {
		return nil, err
	}
	a := &admitted{fn: fn, args: args, kept: args, at: at, statement: &statement{t.ResourceTable, v}}
	if r.replay != nil && !r.replay.decided(r.orders+1, fn.Name) {
		return a, nil
	}
	if err := r.permit(a); err != nil {
		return nil, err
	}
	if a.stage {
		r.calls++
		a.index = r.calls
	} else {
		r.orders-- // only its parts are calls
	}
	if r.ctx.Err() != nil {
		return nil, r.stopped()
	}
	return a, nil
}

// decided reports whether the record has a decision on a whole statement rather
// than a call that it is made of: it was refused or staged.
func (p *Replay) decided(order int, name string) bool {
	rec := p.recorded(order)
	return rec != nil && rec.Function == name && (rec.Index == 0 || rec.Outcome == Staged)
}

// statement is what a request about a table says beside its arguments.
type statement struct {
	table *toolfn.ResourceTable
	verb  toolfn.Verb
}
