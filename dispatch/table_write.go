package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Insert adds rows. Every row is checked before the first call: columns, types,
// listed values, what must be given and what must not. Then the rows are sent in
// order, as many a call as the table takes; after one that fails no more are.
//
// Every error is a *[sandbox.Fault]; that of a write of several rows of which
// some were done has a *[PartialFailure] as its cause, and the result tells of
// each row.
func (r *Run) Insert(i Insertion) (*Wrote, error) {
	return r.write(func() (*plan, error) { return r.planInsert(i) }, i.Line, i.Column)
}

// Update sets columns on rows. The rows are named to the server by what the table
// declares that an update honours, never by less than Where says: where it says
// more, the rows are read first, with all of it, and each is written by its key;
// where that is not possible the update is refused and nothing was done.
func (r *Run) Update(c Change) (*Wrote, error) {
	return r.write(func() (*plan, error) { return r.planUpdate(c) }, c.Line, c.Column)
}

// Delete removes rows, which are named as for [Run.Update].
func (r *Run) Delete(d Removal) (*Wrote, error) {
	return r.write(func() (*plan, error) { return r.planDelete(d) }, d.Line, d.Column)
}

// plan is a write that has passed every check: the parts of which each is one
// call, in order.
type plan struct {
	t       *tableState
	verb    toolfn.Verb
	at      Call
	args    *value.Object // of the whole, for policy
	set     *value.Object
	units   []unit
	partial string
}

// unit is one call of a write.
type unit struct {
	rows  []*value.Object // insert
	match bound           // update, delete
	one   bool            // the match names one row that is known to be there
}

// write plans, has the plan permitted, and fires it.
func (r *Run) write(planned func() (*plan, error), line, column int) (*Wrote, error) {
	at := Call{Line: line, Column: column}
	p, err := planned()
	if err != nil {
		return nil, at.place(err)
	}
	p.at = Call{Function: p.t.verbs[p.verb].Name, Line: line, Column: column}
	if len(p.units) == 0 {
		return &Wrote{Partial: p.partial}, nil
	}
	if r.calls+len(p.units) > r.limits.Calls {
		return nil, r.m.Fail(r.tooManyCalls(p.at))
	}
	a, err := r.permitStatement(p.t, p.verb, p.args, p.at)
	if err != nil {
		return nil, err
	}
	if a.stage {
		return r.stageWrite(p, a)
	}
	if err := r.drain(); err != nil {
		return nil, err
	}
	return r.fire(p)
}

func (r *Run) planInsert(i Insertion) (*plan, error) {
	t, err := r.table(i.Table, toolfn.Insert)
	if err != nil {
		return nil, err
	}
	p := &plan{t: t, verb: toolfn.Insert}
	list := make([]value.Value, len(i.Rows))
	rows := make([]*value.Object, len(i.Rows))
	for n, given := range i.Rows {
		row, err := checkedRow(t.ResourceTable, given)
		if err != nil {
			return nil, inRow(err, n, len(i.Rows))
		}
		list[n], rows[n] = row, row
	}
	p.args = value.Of("rows", list)
	for chunk := range slices.Chunk(rows, max(1, t.Bulk)) {
		p.units = append(p.units, unit{rows: chunk})
	}
	return p, nil
}

// inRow says which of several rows is wrong.
func inRow(err error, n, of int) error {
	var f *sandbox.Fault
	if of == 1 || !errors.As(err, &f) {
		return err
	}
	g := *f
	g.Message = fmt.Sprintf("row %d of %d: %s", n+1, of, f.Message)
	g.Hint = strings.TrimSpace(f.Hint + " No row was inserted.")
	return &g
}

// checkedRow checks the row of an insert.
func checkedRow(t *toolfn.ResourceTable, given *value.Object) (*value.Object, error) {
	row, err := checkedColumns(t, given, "inserted")
	if err != nil {
		return nil, err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if v, ok := row.Get(c.Name); c.RequiredInsert && v == nil || ok && v == nil && c.NotNull {
			return nil, notNull(t, c, ok)
		}
	}
	if row.Len() == 0 {
		return nil, refusedStatement("a row of table "+t.Name+" was given no column.", "Give its columns by name.")
	}
	return row, nil
}

func notNull(t *toolfn.ResourceTable, c *toolfn.Column, given bool) error {
	what := "must be given"
	if given {
		what = "must not be null"
	}
	return refusedStatement(fmt.Sprintf("column %s of table %s %s.", c.Name, t.Name, what), "Give it a value, such as "+exampleOf(c)+".")
}

// checkedColumns checks columns that are to be written, in the table's order.
func checkedColumns(t *toolfn.ResourceTable, given *value.Object, done string) (*value.Object, error) {
	for name := range given.All() {
		c, ok := t.Column(name)
		if !ok {
			return nil, unknownColumn(t, name)
		}
		if c.ReadOnly {
			return nil, refusedStatement(fmt.Sprintf("column %s of table %s is read-only; it cannot be %s.", name, t.Name, done), "Leave it out.")
		}
	}
	out := value.NewObject(given.Len())
	for i := range t.Columns {
		c := &t.Columns[i]
		v, ok := given.Get(c.Name)
		if !ok {
			continue
		}
		v, err := c.Given(v)
		if err != nil {
			return nil, wrongValue(t, c, err)
		}
		if !c.Allowed(v) {
			return nil, notAllowed(t, c, v)
		}
		out.Set(c.Name, value.Copy(v))
	}
	return out, nil
}

func (r *Run) planUpdate(c Change) (*plan, error) {
	t, err := r.table(c.Table, toolfn.Update)
	if err != nil {
		return nil, err
	}
	set, err := checkedColumns(t.ResourceTable, c.Set, "set")
	if err != nil {
		return nil, err
	}
	if set.Len() == 0 {
		return nil, refusedStatement("an update of table "+t.Name+" sets no column.", "Say which columns to set.")
	}
	for name, v := range set.All() {
		if col, _ := t.Column(name); v == nil && col.NotNull {
			return nil, notNull(t.ResourceTable, col, true)
		}
	}
	p := &plan{t: t, verb: toolfn.Update, set: set}
	return p, r.planMatch(p, c.Where, c.All, Call{Line: c.Line, Column: c.Column})
}

func (r *Run) planDelete(d Removal) (*plan, error) {
	t, err := r.table(d.Table, toolfn.Delete)
	if err != nil {
		return nil, err
	}
	p := &plan{t: t, verb: toolfn.Delete}
	return p, r.planMatch(p, d.Where, d.All, Call{Line: d.Line, Column: d.Column})
}

// planMatch decides how the rows of an update or delete are named to the server.
func (r *Run) planMatch(p *plan, w Where, all bool, at Call) error {
	t := p.t.ResourceTable
	where, err := bind(t, w)
	if err != nil {
		return err
	}
	if w.Rest != nil {
		for _, name := range w.Rest.Columns {
			if _, ok := t.Column(name); !ok {
				return unknownColumn(t, name)
			}
		}
	}
	switch {
	case w.nothing() && !all:
		return unqualified(t, p.verb)
	case where.impossible():
		return nil
	case w.Rest == nil && honours(t, where):
		p.units = unitsOf(t, where)
		if len(p.units) > mostAsks {
			return refusedStatement(fmt.Sprintf("it would take more than %d calls to %s all these rows of %s.", mostAsks, p.verb, t.Name), "Name fewer.")
		}
	default:
		if err := r.resolve(p, w, where, at); err != nil {
			return err
		}
	}
	p.args = r.matchArgs(p, where)
	return nil
}

// writeColumns are the columns by which rows of a table are written.
func writeColumns(t *toolfn.ResourceTable) []string {
	if len(t.Match) > 0 {
		return t.Match
	}
	if len(t.Key) > 0 {
		return t.Key
	}
	var keys []string
	for i := range t.Columns {
		if t.Columns[i].RequiredKey {
			keys = append(keys, t.Columns[i].Name)
		}
	}
	return keys
}

// honours reports whether the server, given these bindings, writes the rows that
// they admit and no others. A key of several columns of which one may have
// several values is left to be resolved: not every combination need be a row.
func honours(t *toolfn.ResourceTable, where bound) bool {
	by := writeColumns(t)
	many := 0
	for _, b := range where {
		if b.span != nil || !slices.Contains(by, b.column.Name) {
			return false
		}
		if len(b.values) > 1 {
			many++
		}
	}
	if len(t.Match) > 0 {
		return true
	}
	for _, name := range t.Key {
		if where.has(name) == nil {
			return false
		}
	}
	return len(t.Key) < 2 || many == 0
}

// unitsOf makes one call of each combination of values, save where the server
// takes a list.
func unitsOf(t *toolfn.ResourceTable, where bound) []unit {
	list := []bound{{}}
	for _, b := range where {
		if len(b.values) == 1 || b.column.Pushdown >= toolfn.PushIn {
			for i := range list {
				list[i] = append(list[i], b)
			}
			continue
		}
		if list = fanOut(list, b); len(list) > mostAsks {
			break
		}
	}
	units := make([]unit, len(list))
	for i, m := range list {
		units[i] = unit{match: m}
	}
	return units
}

// resolve reads the keys of the rows that a write is about, with the whole of its
// condition, so that each can be written by its key.
func (r *Run) resolve(p *plan, w Where, where bound, at Call) error {
	t := p.t.ResourceTable
	switch {
	case len(t.Key) == 0 && w.nothing() && len(writeColumns(t)) == 0:
		p.units = []unit{{match: bound{}}} // every row, as was declared
		return nil
	case len(t.Key) == 0:
		return tooBroad(t, p.verb, "the server finds rows by "+orNothing(writeColumns(t))+" only, and the table names no key by which they could be found one by one")
	case !t.Can(toolfn.Select):
		return tooBroad(t, p.verb, "the server finds rows by "+strings.Join(t.Key, " and ")+" only, and the table cannot be read to find them")
	}
	if err := r.denied(p, where, at); err != nil {
		return err
	}
	got, err := r.Select(Query{Table: t.Name, Where: w, Fresh: true, Line: at.Line, Column: at.Column})
	if err != nil {
		return noRows(err, p)
	}
	if got.Incomplete != "" {
		return tooBroad(t, p.verb, "its rows cannot all be found: "+got.Incomplete)
	}
	p.partial = got.Partial
	seen := map[string]bool{}
	for _, row := range got.Rows {
		k := keyOf(t, row)
		if k == nil {
			return tooBroad(t, p.verb, "a row that it is about has no "+strings.Join(t.Key, " and ")+" yet ("+shownRow(row)+")")
		}
		if text := k.key(); !seen[text] {
			seen[text] = true
			p.units = append(p.units, unit{match: k, one: true})
		}
	}
	return nil
}

// noRows says that a write did nothing because its rows could not be read.
func noRows(err error, p *plan) error {
	var f *sandbox.Fault
	if !errors.As(err, &f) || f.Kind.Limit() {
		return err
	}
	g := *f
	g.Message = fmt.Sprintf("the rows to %s could not be found, so none was written: %s", p.verb, f.Message)
	return &g
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " and ")
}

// denied refuses a write that policy would refuse anyhow, before its keys are
// read for nothing.
func (r *Run) denied(p *plan, where bound, at Call) error {
	args := value.Of("where", where.object())
	fn := p.t.verbs[p.verb]
	d := r.decide(Request{Function: fn, Args: args, Actor: r.program.Actor, Program: r.id, Language: r.program.Language, Line: at.Line, Table: p.t.ResourceTable, Verb: p.verb})
	if d.Verdict != Deny {
		return nil
	}
	at.Function = fn.Name
	_, err := r.permitStatement(p.t, p.verb, args, at)
	return err
}

// matchArgs are the arguments of a whole update or delete, as policy sees them.
func (r *Run) matchArgs(p *plan, where bound) *value.Object {
	args := value.NewObject(2)
	if p.set != nil {
		args.Set("set", p.set)
	}
	if len(p.units) > 0 && p.units[0].one {
		return keyArgs(p) // the keys that were found say more than the condition that found them
	}
	args.Set("where", where.object())
	return args
}

// keyArgs are the arguments of an update or delete by the keys of its parts.
func keyArgs(p *plan) *value.Object {
	args := value.NewObject(2)
	if p.set != nil {
		args.Set("set", p.set)
	}
	keys := value.NewObject(len(p.units[0].match))
	for i, b := range p.units[0].match {
		var values []value.Value
		for _, u := range p.units {
			values = append(values, u.match[i].values...)
		}
		keys.Set(b.column.Name, values)
	}
	args.Set("where", keys)
	return args
}

// call makes the call of one part of a plan.
func (p *plan) call(u unit, done *written) *admitted {
	t := p.t
	a := &admitted{fn: t.verbs[p.verb], at: p.at}
	var fire func(context.Context) (toolfn.Written, error)
	switch p.verb {
	case toolfn.Insert:
		list := make([]value.Value, len(u.rows))
		for i, row := range u.rows {
			list[i] = row
		}
		a.kept, a.shown = value.Of("rows", list), u.rows[0]
		fire = func(ctx context.Context) (toolfn.Written, error) { return t.Insert(ctx, copies(u.rows)) }
	case toolfn.Update:
		a.kept = value.Of("set", p.set, "where", u.match.object())
		a.shown = flat(u.match, p.set)
		fire = func(ctx context.Context) (toolfn.Written, error) {
			set, _ := value.Copy(p.set).(*value.Object)
			return t.Update(ctx, set, u.match.bindings())
		}
	default:
		a.kept = value.Of("where", u.match.object())
		a.shown = flat(u.match, nil)
		fire = func(ctx context.Context) (toolfn.Written, error) { return t.Delete(ctx, u.match.bindings()) }
	}
	a.args = a.kept
	a.call = func(ctx context.Context) (value.Value, error) {
		w, err := fire(ctx)
		if err != nil {
			return nil, withCount(err, w.Affected)
		}
		return writtenValue(w), nil
	}
	return a
}

// flat shows the single values of a match and what is set.
func flat(match bound, set *value.Object) *value.Object {
	o := value.NewObject(len(match) + set.Len())
	for _, b := range match {
		if len(b.values) == 1 {
			o.Set(b.column.Name, b.values[0])
		}
	}
	for k, v := range set.All() {
		if !o.Has(k) {
			o.Set(k, v)
		}
	}
	return o
}

func copies(rows []*value.Object) []*value.Object {
	out := make([]*value.Object, len(rows))
	for i, row := range rows {
		out[i], _ = value.Copy(row).(*value.Object)
	}
	return out
}
