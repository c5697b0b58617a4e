//go:build cgo

package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/bind"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// fetching reads what a statement needs of its tables, in the order in which values
// become known, each distinct read once.
type fetching struct {
	s      *session
	p      *engine.Prepared
	scans  map[*query.Table]*scan
	uses   []*need
	by     map[*bind.Use]*need
	shared map[string]*reading
}

// need is what one use of a table needs.
type need struct {
	use      *bind.Use
	scan     *scan
	bindings toolfn.Bindings
	required []int            // columns that must be fixed before the table can be read
	taken    []bind.Condition // that the bindings hold
	shares   bool             // other uses of the statement read the same table
}

// reading is a read that several uses may share.
type reading struct {
	flight *dispatch.Selection
	got    *dispatch.Selected
}

// fetch reads every table that the statement uses.
func (s *session) fetch(p *engine.Prepared, scans map[*query.Table]*scan) (map[*query.Table]*need, error) {
	f := &fetching{s: s, p: p, scans: scans, by: map[*bind.Use]*need{}, shared: map[string]*reading{}}
	for _, u := range bind.Find(p.Query) {
		sc := scans[u.Table]
		if sc == nil || sc.fetched {
			continue
		}
		if sc.view != nil {
			if err := f.describe(u, sc); err != nil {
				return nil, err
			}
			continue
		}
		n := &need{use: u, scan: sc, bindings: toolfn.NewBindings()}
		for i := range sc.table.Columns {
			if sc.table.Columns[i].RequiredKey {
				n.required = append(n.required, sc.shape.Column(sc.table.Columns[i].Name))
			}
		}
		f.uses, f.by[u] = append(f.uses, n), n
	}
	f.together()
	for _, n := range f.uses {
		if err := f.refuseUnfixed(n); err != nil {
			return nil, err
		}
	}
	needs := map[*query.Table]*need{}
	for _, n := range f.uses {
		if err := f.constants(n); err != nil {
			return nil, err
		}
		needs[n.use.Table] = n
	}
	return needs, f.waves()
}

// refuseUnfixed refuses a statement that can never fix what a table requires, before
// anything is read.
func (f *fetching) refuseUnfixed(n *need) error {
	var missing []string
	for _, c := range n.required {
		if len(fixing(n.use, c)) == 0 {
			missing = append(missing, n.scan.shape.Columns[c].Name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return missingKeys(n, missing)
}

// fixing gives the conditions that fix a column to values.
func fixing(u *bind.Use, column int) (out []bind.Condition) {
	for _, c := range u.Of(column) {
		if c.Form != bind.Compared {
			out = append(out, c)
		}
	}
	return out
}

func missingKeys(n *need, missing []string) error {
	name := n.scan.shape.Name
	var where []string
	for _, m := range missing {
		where = append(where, m+" = '…'")
	}
	label := ""
	if l := n.use.Label(); l != name {
		label = " (" + l + " in the statement)"
	}
	return &sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "ERROR 42501",
		Message: fmt.Sprintf("%s%s can only be read for given values of %s.", name, label, strings.Join(missing, " and ")),
		Hint:    "Write SELECT … FROM " + name + " WHERE " + strings.Join(where, " AND ") + "; IN (…), a sub-query and a join with a table that has the values do too.",
		Cause:   &dispatch.MissingKeys{Table: name, Columns: missing},
	}
}

// constants takes the conditions that no row decides.
func (f *fetching) constants(n *need) error {
	for _, c := range n.use.Conditions {
		data, ok := f.known(c)
		if !ok {
			continue
		}
		if err := f.take(n, c, data); err != nil {
			return err
		}
	}
	return nil
}

// known gives the values of a condition that no row decides. An expression that fails
// gives none: the statement itself meets the error, or never evaluates it.
func (f *fetching) known(c bind.Condition) ([]vector.Datum, bool) {
	if c.Form != bind.Values && c.Form != bind.Elements {
		return nil, false
	}
	data, err := f.p.Evaluate(c.Values)
	if err != nil {
		return nil, false
	}
	if c.Form == bind.Values {
		return data, true
	}
	a, ok := data[0].Value.(*vector.Array)
	if !ok {
		return nil, true
	}
	data = make([]vector.Datum, a.Len())
	for i := range data {
		data[i] = a.At(i)
	}
	return data, true
}

// take fixes a column to a condition's values, each as the table has it: a value that
// no cell of the column can have equals nothing, as NULL does. A condition whose values
// the table's type cannot tell is left to the statement.
func (f *fetching) take(n *need, c bind.Condition, data []vector.Datum) error {
	column, ok := n.scan.table.Column(n.scan.shape.Columns[c.Column].Name)
	if !ok {
		return nil
	}
	values := []value.Value{}
	for _, d := range data {
		if d.Null() {
			continue
		}
		v, err := plain(f.p.Env, d)
		if err != nil {
			return err
		}
		cell, err := column.Given(v)
		switch {
		case err == nil:
			values = append(values, cell)
		case !number(column.Type):
			return nil
		}
	}
	n.bindings, n.taken = n.bindings.With(column.Name, values...), append(n.taken, c)
	return nil
}

// waves reads the tables whose values are known, side by side, until all are read.
func (f *fetching) waves() error {
	for {
		var ready []*need
		waiting := 0
		for _, n := range f.uses {
			if n.scan.fetched {
				continue
			}
			ok, err := f.ready(n)
			if err != nil {
				return err
			}
			if ok {
				ready = append(ready, n)
			} else {
				waiting++
			}
		}
		if len(ready) == 0 {
			if waiting > 0 {
				return f.stuck()
			}
			return nil
		}
		if err := f.read(ready); err != nil {
			return err
		}
	}
}

// stuck: what is left waits for itself.
func (f *fetching) stuck() error {
	for _, n := range f.uses {
		if n.scan.fetched {
			continue
		}
		var missing []string
		for _, c := range n.required {
			if name := n.scan.shape.Columns[c].Name; !n.bindings.Has(name) {
				missing = append(missing, name)
			}
		}
		return missingKeys(n, missing)
	}
	return nil
}

// ready fixes what a table requires from rows that are there, and reports whether all
// of it is fixed.
func (f *fetching) ready(n *need) (bool, error) {
	for _, column := range n.required {
		if n.bindings.Has(n.scan.shape.Columns[column].Name) {
			continue
		}
		done := false
		for _, c := range fixing(n.use, column) {
			data, ok, err := f.values(c)
			if err != nil {
				return false, err
			}
			if ok {
				if err := f.take(n, c, data); err != nil {
					return false, err
				}
				done = n.bindings.Has(n.scan.shape.Columns[column].Name)
			}
			if done {
				break
			}
		}
		if !done {
			return false, nil
		}
	}
	return true, nil
}

// values gives the values of a condition that rows decide; ok is false while those
// rows are not there.
func (f *fetching) values(c bind.Condition) (data []vector.Datum, ok bool, err error) {
	switch c.Form {
	case bind.Rows:
		for _, u := range bind.Find(c.Query) {
			if sc := f.scans[u.Table]; sc != nil && !sc.fetched {
				return nil, false, nil
			}
		}
		data, err = f.subquery(c.Query)
		return data, err == nil, err
	case bind.Joined:
		sc := f.scans[c.Other.Table]
		if sc == nil || !sc.fetched {
			return nil, false, nil
		}
		_, columns, err := sc.Read(f.p.Env, []int{c.OtherColumn})
		if err != nil {
			return nil, false, err
		}
		return distinct(columns[0]), true, nil
	}
	return nil, false, nil
}

// subquery runs a sub-query by itself. WITH queries that it refers to are those of
// the statement.
func (f *fetching) subquery(q *query.Query) ([]vector.Datum, error) {
	r, err := f.p.Rows(q)
	if err != nil {
		return nil, err
	}
	return distinct(r.Column(0)), nil
}

func distinct(c *vector.Column) (out []vector.Datum) {
	seen := map[uint64][]vector.Datum{}
	for i := range c.Len {
		d := c.Datum(i)
		h := vector.HashDatum(d)
		if !contains(seen[h], d) {
			seen[h] = append(seen[h], d)
			out = append(out, d)
		}
	}
	return out
}

func contains(all []vector.Datum, d vector.Datum) bool {
	for _, x := range all {
		if x.Null() && d.Null() || !x.Null() && !d.Null() && vector.CompareDatum(x, d) == 0 {
			return true
		}
	}
	return false
}

// read reads the tables of a wave.
func (f *fetching) read(wave []*need) error {
	parts := make([][]*reading, len(wave))
	for i, n := range wave {
		for _, b := range n.asks() {
			r, err := f.begin(n, b)
			if err != nil {
				return err
			}
			parts[i] = append(parts[i], r)
		}
	}
	for i, n := range wave {
		got, err := f.finish(n, parts[i])
		if err != nil {
			return err
		}
		f.s.tell(n, got)
		n.scan.rows, n.scan.fetched = got.Rows, true
		for _, column := range got.Consumed {
			f.drop(n, column)
		}
	}
	return nil
}

// begin starts a read, or gives the one that asks for the same.
func (f *fetching) begin(n *need, b toolfn.Bindings) (*reading, error) {
	key := readKey(n, b)
	if r := f.shared[key]; r != nil {
		return r, nil
	}
	flight, err := f.s.run.calls.StartSelect(dispatch.Query{
		Table: n.scan.table.Name, Where: dispatch.Where{Bindings: b}, Line: f.s.run.line, Column: 1,
	})
	if err != nil {
		return nil, err
	}
	r := &reading{flight: flight}
	f.shared[key] = r
	return r, nil
}

// finish waits for the reads of a use and gives their rows. Where the server compares
// in its own way, one row may be in the answers to two values: then all are asked for
// at once, and the door tells the rows apart.
func (f *fetching) finish(n *need, parts []*reading) (*dispatch.Selected, error) {
	whole := &dispatch.Selected{}
	for _, r := range parts {
		if err := r.wait(); err != nil {
			return nil, err
		}
		if len(parts) == 1 {
			return r.got, nil
		}
		if len(r.got.Consumed) > 0 {
			again, err := f.begin(n, n.bindings)
			if err != nil {
				return nil, err
			}
			err = again.wait()
			return again.got, err
		}
		whole.Rows = append(whole.Rows, r.got.Rows...)
		if whole.Incomplete == "" {
			whole.Incomplete = r.got.Incomplete
		}
		if whole.Partial == "" {
			whole.Partial = r.got.Partial
		}
	}
	return whole, nil
}

func (r *reading) wait() error {
	if r.got != nil {
		return nil
	}
	got, err := r.flight.Wait()
	r.got = got
	return err
}

// together notes which tables several uses read: what the server is not asked by is
// not fixed for these, so that one read serves them all. Nor is it for a table that the
// statement changes: the rows that WHERE does not admit tell whether keys are unique.
func (f *fetching) together() {
	uses := map[string]int{}
	for _, n := range f.uses {
		uses[n.scan.table.Name]++
	}
	for _, n := range f.uses {
		changed := n.use.Query.Kind != query.Select && n.use.Index == n.use.Query.Result
		n.shares = uses[n.scan.table.Name] > 1 || changed
	}
}

// asks gives the bindings of each read that a use takes. Uses that share a table are
// read as the server is asked, one value at a time where it takes one, so that no two
// ask for the same.
func (n *need) asks() []toolfn.Bindings {
	if !n.shares || n.bindings.Empty() {
		return []toolfn.Bindings{n.bindings}
	}
	out := []toolfn.Bindings{toolfn.NewBindings()}
	for _, name := range n.bindings.Columns() {
		c, _ := n.scan.table.Column(name)
		values := n.bindings.All(name)
		must := c.RequiredKey || c.Argument
		list := c.Pushdown >= toolfn.PushIn && !c.Argument
		switch {
		case list || len(values) == 1 && (must || c.Pushdown >= toolfn.PushEqual):
			for i := range out {
				out[i] = out[i].With(name, values...)
			}
		case must && len(out)*len(values) <= mostParts:
			out = fanOut(out, name, values)
		case must:
			return []toolfn.Bindings{n.bindings}
		}
	}
	return out
}

// mostParts bounds the reads into which that of one use is taken apart.
const mostParts = 100

func fanOut(list []toolfn.Bindings, column string, values []value.Value) []toolfn.Bindings {
	out := make([]toolfn.Bindings, 0, len(list)*len(values))
	for _, b := range list {
		for _, v := range values {
			out = append(out, b.With(column, v))
		}
	}
	return out
}

// readKey tells reads apart. The order of values does not.
func readKey(n *need, b toolfn.Bindings) string {
	var out strings.Builder
	out.WriteString(n.scan.table.Name)
	columns := b.Columns()
	slices.Sort(columns)
	for _, c := range columns {
		out.WriteString("\x00" + c)
		var texts []string
		for _, v := range b.All(c) {
			text, _ := value.Append(nil, v)
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		for _, text := range texts {
			out.WriteString("\x00" + text)
		}
	}
	return out.String()
}

// drop takes out of the statement the conditions on a column that the server has
// compared in its own way.
func (f *fetching) drop(n *need, column string) {
	for _, c := range n.taken {
		if n.scan.shape.Columns[c.Column].Name == column && c.Form != bind.Joined {
			bind.Drop(c)
		}
	}
}

// tell notes what a read could not give.
func (s *session) tell(n *need, got *dispatch.Selected) {
	name := n.scan.table.Name
	if got.Incomplete != "" {
		s.note(name + " is incomplete: " + got.Incomplete)
	}
	if len(got.Rows) == 0 && n.bindings.Empty() {
		s.note("No row of " + name + " can satisfy the conditions on it, so it was not read.")
	} else if len(got.Rows) == 0 {
		s.emptyRead(name, n.bindings)
	}
}
