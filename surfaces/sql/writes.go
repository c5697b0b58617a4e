//go:build cgo

package sql

import (
	"fmt"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// modifications lists the queries of a statement that change rows: its own, and those
// of WITH, which come first.
func modifications(q *query.Query) (out []*query.Query) {
	for _, c := range q.CTEs {
		if c.Query != nil {
			out = append(out, modifications(c.Query)...)
		}
	}
	if q.Kind != query.Select {
		out = append(out, q)
	}
	return out
}

// checkWrites refuses, before anything is read, what cannot be written: an unqualified
// change, a verb that the table does not have, several changes in one statement.
func checkWrites(q *query.Query, scans map[*query.Table]*scan) error {
	all := modifications(q)
	for _, m := range all {
		sc := scans[m.Relations[m.Result].Table]
		if sc == nil || sc.table == nil {
			return pgerr.New(pgerr.FeatureNotSupported, "%s cannot be changed: it is no table of the catalogue", m.Relations[m.Result].Name)
		}
		if v := verbOf(m.Kind); !sc.table.Can(v) {
			return sc.table.Lacks(v)
		}
		if m.Kind != query.Insert && m.Where == nil {
			return unqualified(m, sc)
		}
		if m.Kind != query.Delete {
			if err := checkGiven(m, sc); err != nil {
				return err
			}
		}
	}
	if len(all) > 1 {
		return pgerr.New(pgerr.FeatureNotSupported, "a statement that changes several tables is not supported").WithHint("Write one statement for each.")
	}
	return nil
}

func verbOf(k query.Kind) toolfn.Verb {
	switch k {
	case query.Insert:
		return toolfn.Insert
	case query.Update:
		return toolfn.Update
	}
	return toolfn.Delete
}

var verbWords = map[query.Kind]string{query.Insert: "INSERT", query.Update: "UPDATE", query.Delete: "DELETE"}

func unqualified(m *query.Query, sc *scan) error {
	return &sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "ERROR 42601",
		Message: verbWords[m.Kind] + " without WHERE would change every row of " + sc.shape.Name + ", so it is refused. Nothing was changed.",
		Hint:    "Say which rows with WHERE; WHERE true means all of them.",
	}
}

// target makes the table that an INSERT adds to one that is not read for it.
func target(q *query.Query, scans map[*query.Table]*scan) {
	for _, m := range modifications(q) {
		if m.Kind == query.Insert {
			if sc := scans[m.Relations[m.Result].Table]; sc != nil {
				sc.fetched = true
			}
		}
	}
}

// written is what a statement's change came to.
type written struct {
	kind  query.Kind
	table string
	wrote []*dispatch.Wrote
	rows  int // that the statement is about
}

// fire makes the change that a statement asked for.
func (s *session) fire(q *query.Query, scans map[*query.Table]*scan, needs map[*query.Table]*need) (*written, error) {
	all := modifications(q)
	if len(all) == 0 {
		return nil, nil
	}
	m := all[0]
	sc := scans[m.Relations[m.Result].Table]
	w := &written{kind: m.Kind, table: sc.table.Name}
	switch m.Kind {
	case query.Insert:
		return w, s.fireInsert(w, m, sc)
	case query.Update:
		return w, s.fireUpdate(w, sc, needs)
	}
	return w, s.fireDelete(w, sc, needs)
}

// fireInsert adds the rows, with the columns that the statement gives.
func (s *session) fireInsert(w *written, m *query.Query, sc *scan) error {
	given := map[string]bool{}
	for _, c := range m.Given {
		given[sc.shape.Columns[c].Name] = true
	}
	rows := make([]*value.Object, len(sc.inserted))
	for i, r := range sc.inserted {
		rows[i] = value.NewObject(len(m.Given))
		for k, v := range r.All() {
			if given[k] || v != nil {
				rows[i].Set(k, v)
			}
		}
	}
	w.rows = len(rows)
	if len(rows) == 0 {
		return nil
	}
	got, err := s.run.calls.Insert(dispatch.Insertion{Table: sc.table.Name, Rows: rows, Line: s.run.line, Column: 1})
	return w.take(got, err)
}

func (w *written) take(got *dispatch.Wrote, err error) error {
	if got != nil {
		w.wrote = append(w.wrote, got)
	}
	return err
}

// changeGroup is the rows that get the same values.
type changeGroup struct {
	set  *value.Object
	rows []int32
}

// fireUpdate changes the rows that were found, by their keys: those that get the same
// values together.
func (s *session) fireUpdate(w *written, sc *scan, needs map[*query.Table]*need) error {
	w.rows = len(sc.changes)
	var groups []*changeGroup
	var all []int32
	by := map[string]*changeGroup{}
	for _, c := range sc.changes {
		text, err := value.Append(nil, c.set)
		if err != nil {
			return err
		}
		g := by[string(text)]
		if g == nil {
			g = &changeGroup{set: c.set}
			by[string(text)] = g
			groups = append(groups, g)
		}
		g.rows, all = append(g.rows, c.row), append(all, c.row)
	}
	if err := sc.checkKeys(all); err != nil {
		return err
	}
	wrongFirst(sc.table, groups)
	for _, g := range groups {
		for _, where := range sc.wheres(g.rows, needs) {
			got, err := s.run.calls.Update(dispatch.Change{Table: sc.table.Name, Set: g.set, Where: where, Line: s.run.line, Column: 1})
			if err := w.take(got, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fireDelete removes the rows that were found, by their keys.
func (s *session) fireDelete(w *written, sc *scan, needs map[*query.Table]*need) error {
	w.rows = len(sc.deleted)
	if len(sc.deleted) == 0 {
		return nil
	}
	if err := sc.checkKeys(sc.deleted); err != nil {
		return err
	}
	for _, where := range sc.wheres(sc.deleted, needs) {
		got, err := s.run.calls.Delete(dispatch.Removal{Table: sc.table.Name, Where: where, Line: s.run.line, Column: 1})
		if err := w.take(got, err); err != nil {
			return err
		}
	}
	return nil
}

// wheres says which rows a write is about. A table with a key of one column takes all
// rows at once; of several columns, row by row. A table without a key takes what the
// statement fixes, and the dispatcher refuses what that does not say whole.
func (sc *scan) wheres(rows []int32, needs map[*query.Table]*need) []dispatch.Where {
	key := sc.table.Key
	switch len(key) {
	case 0:
		w := dispatch.Where{Bindings: toolfn.NewBindings(), Rest: sc.only(rows)}
		for t, n := range needs {
			if n.scan == sc && t != nil {
				w.Bindings = n.bindings
			}
		}
		return []dispatch.Where{w}
	case 1:
		var values []value.Value
		for _, r := range rows {
			v, _ := sc.rows[r].Get(key[0])
			values = append(values, v)
		}
		return []dispatch.Where{{Bindings: toolfn.NewBindings().With(key[0], values...)}}
	}
	out := make([]dispatch.Where, len(rows))
	for i, r := range rows {
		b := toolfn.NewBindings()
		for _, k := range key {
			v, _ := sc.rows[r].Get(k)
			b = b.With(k, v)
		}
		out[i] = dispatch.Where{Bindings: b}
	}
	return out
}

// only admits the rows that the statement found.
func (sc *scan) only(rows []int32) *dispatch.Condition {
	c := &dispatch.Condition{Text: "the whole of WHERE"}
	for i := range sc.table.Columns {
		c.Columns = append(c.Columns, sc.table.Columns[i].Name)
	}
	c.Holds = func(row *value.Object) (bool, error) {
		for _, r := range rows {
			if value.Equal(sc.rows[r], row) {
				return true, nil
			}
		}
		return false, nil
	}
	return c
}

// returning gives the rows of RETURNING: of an INSERT with what the server has put
// into them, where it says.
func (s *session) returning(p *engine.Prepared, r *engine.Result, w *written, scans map[*query.Table]*scan) (*engine.Result, error) {
	q := p.Query
	if q.Kind != query.Insert {
		return r, nil
	}
	sc := scans[q.Relations[q.Result].Table]
	var rows []*value.Object
	staged := false
	for _, x := range w.wrote {
		rows = append(rows, x.Rows...)
		staged = staged || x.Staged != nil
	}
	if staged {
		s.note("RETURNING is provisional: what the server puts into the rows is not known before COMMIT.")
		return r, nil
	}
	if len(rows) != w.rows {
		if w.rows > 0 {
			s.note("The server does not give the rows back, so RETURNING shows what was sent.")
		}
		return r, nil
	}
	sc.rows, sc.fetched, sc.columns = rows, true, nil
	relation := *q.Relations[q.Result]
	again := &query.Query{
		Kind: query.Select, Relations: make([]*query.Relation, len(q.Relations)),
		From: []query.From{&query.RelationRef{Relation: q.Result}}, Targets: q.Returning, At: -1,
	}
	copy(again.Relations, q.Relations)
	again.Relations[q.Result] = &relation
	return p.Rows(again)
}

// tag is the command tag of a change, which tells a model that it happened and how
// far, so that nothing need be read back.
func (s *session) tag(w *written) string {
	word := verbWords[w.kind]
	affected, unknown := 0, false
	for _, x := range w.wrote {
		if x.Staged != nil {
			return fmt.Sprintf("%s of %d %s of %s is pending, not made: COMMIT makes it, ROLLBACK drops it", word, w.rows, rowWord(w.rows), w.table)
		}
		if x.Affected < 0 {
			unknown = true
			continue
		}
		affected += x.Affected
		if x.Partial != "" {
			s.note(x.Partial)
		}
	}
	if unknown {
		s.note(word + " " + w.table + ": done; the server does not say how many rows it changed.")
		return fmt.Sprintf("%s %s (count not reported)", word, w.table)
	}
	if w.kind == query.Insert {
		return fmt.Sprintf("INSERT 0 %d", affected)
	}
	return fmt.Sprintf("%s %d", word, affected)
}

func rowWord(n int) string {
	if n == 1 {
		return "row"
	}
	return "rows"
}
