package dispatch

import (
	"slices"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// laying is a list of rows over which writes are laid, one after the other.
type laying struct {
	t      *toolfn.ResourceTable
	passed []bound // what the server was asked for
	rows   []lain
	gone   []lain // rows of the server's that a delete took out
	laid   touched
	later  []*laidWrite         // writes that come after the one being laid
	shown  map[*laidWrite]bool  // writes that the server shows
	taken  map[string]bool      // keys of rows that inserts are known by
	claims map[*laidWrite]bound // rows of the server's that are those of inserts
	why    string
	bytes  int64
}

// lain is a row with what the server showed for it: nil for a row of ours.
type lain struct{ row, live *value.Object }

// touched are the rows that the server does not show as they are, with the
// columns that are ours; nil is every column.
type touched map[*value.Object][]string

// ours reports whether a row's column did not come from the server.
func (t touched) ours(row *value.Object, column string) bool {
	columns, ok := t[row]
	return ok && (columns == nil || slices.Contains(columns, column))
}

func newLaying(t *toolfn.ResourceTable, rows []*value.Object) *laying {
	l := &laying{t: t, rows: make([]lain, len(rows)), laid: touched{}, shown: map[*laidWrite]bool{}, claims: map[*laidWrite]bound{}, taken: map[string]bool{}}
	for i, row := range rows {
		l.rows[i] = lain{row, row}
	}
	return l
}

func (l *laying) result() []*value.Object {
	out := make([]*value.Object, len(l.rows))
	for i := range l.rows {
		out[i] = l.rows[i].row
	}
	return out
}

// all lays writes over the rows, in order.
func (l *laying) all(entries []*laidWrite) {
	for _, e := range entries {
		if e.key != nil {
			l.taken[e.key.key()] = true
		}
	}
	for i, e := range entries {
		l.later = entries[i+1:]
		l.apply(e)
	}
}

// apply lays one write over the rows.
func (l *laying) apply(e *laidWrite) {
	switch {
	case e.lost:
		l.doubt("a write of this table may or may not have taken place")
	case e.verb == toolfn.Insert && e.key != nil:
		l.insertKeyed(e)
	case e.verb == toolfn.Insert:
		l.insertUnnamed(e)
	case e.verb == toolfn.Update:
		l.update(e)
	default:
		l.remove(e)
	}
}

// doubt notes that something could not be decided; the first reason is kept.
func (l *laying) doubt(why string) {
	if l.why == "" {
		l.why = why
	}
}

// insertKeyed adds a row whose key is known, unless the server has it. A row that
// it has is the newer one, unless the same key was there before the insert: then
// the insert replaced it.
func (l *laying) insertKeyed(e *laidWrite) {
	for i := range l.rows {
		switch e.key.matches(l.rows[i].row) {
		case unsure:
			l.doubt("the server does not show the key by which an inserted row would be known")
			l.shown[e] = true
			return
		case yes:
			if e.replaces && !carries(l.t, l.rows[i].row, e.values).all {
				l.patch(i, e.row)
				return
			}
			l.shown[e] = true
			return
		}
	}
	l.add(e)
}

// insertUnnamed adds a row that is known only by its values, unless the server
// shows it: where rows have keys, a row with these values whose key was not seen
// before the insert; else more rows with these values than there were before.
func (l *laying) insertUnnamed(e *laidWrite) {
	var alike []lain
	loose, keyed := false, len(l.t.Key) > 0
	for _, r := range l.rows {
		c := carries(l.t, r.row, e.values)
		if !c.any {
			continue
		}
		alike = append(alike, r)
		loose = loose || !c.all
		keyed = keyed && (r.live == nil || keyOf(l.t, r.live) != nil)
	}
	fresh := len(alike) - e.before
	if keyed {
		fresh = l.claim(e, alike)
	}
	if fresh <= 0 {
		if len(l.t.Key) == 0 && slices.ContainsFunc(l.later, func(w *laidWrite) bool { return w.verb == toolfn.Update }) {
			l.doubt("an inserted row that was updated later cannot be told from the one that the server shows, because the table names no key")
		}
		l.add(e)
		return
	}
	l.shown[e] = true
	switch {
	case loose:
		l.doubt("inserted rows are known only by the columns that the server shows")
	case e.seen == nil && fresh > 1+l.equals(e):
		l.doubt("rows equal to an inserted one may have been there before")
	}
}

// claim takes one of the rows like an insert's for its own, if there is one that
// cannot have been there before, and gives how many there are.
func (l *laying) claim(e *laidWrite, alike []lain) int {
	n := 0
	for _, r := range alike {
		if r.live == nil {
			continue
		}
		k := keyOf(l.t, r.live)
		if l.taken[k.key()] || e.knew(l.t, k) || l.named(k) {
			continue
		}
		if n++; n == 1 {
			l.claims[e] = k
		}
	}
	if k, ok := l.claims[e]; ok {
		l.taken[k.key()] = true
	}
	return n
}

// knew reports whether a row was there before the insert.
func (e *laidWrite) knew(t *toolfn.ResourceTable, k bound) bool {
	is := func(row *value.Object) bool { return k.matches(row) == yes }
	return slices.ContainsFunc(e.others, is) || e.seen != nil && slices.ContainsFunc(e.seen.rows, is)
}

// named reports whether a later update names a row by its key. The insert's own
// row it cannot be: its key would have to be known by then.
func (l *laying) named(k bound) bool {
	for _, w := range l.later {
		if w.verb != toolfn.Update {
			continue
		}
		same := len(k) > 0
		for _, b := range k {
			m := w.match.has(b.column.Name)
			same = same && m != nil && m.admits(b.values[0])
		}
		if same {
			return true
		}
	}
	return false
}

// equals counts the later inserts of the same values, whose rows the server may
// show as well.
func (l *laying) equals(e *laidWrite) int {
	n := 0
	for _, w := range l.later {
		if w.verb == toolfn.Insert && !w.lost && value.Equal(w.values, e.values) {
			n++
		}
	}
	return n
}

// add puts in the row of an insert, if the statement asked for such a row.
func (l *laying) add(e *laidWrite) {
	for i, old := range l.gone {
		if old.live != nil && (e.key != nil || len(l.t.Key) == 0) && carries(l.t, old.live, e.values).all {
			// Deleted and inserted again, and this is what the server has of it.
			l.gone = append(l.gone[:i:i], l.gone[i+1:]...)
			l.rows = append(l.rows, lain{old.live, old.live})
			return
		}
	}
	row, got := e.row, no
	for _, p := range l.passed {
		with := l.stamped(e.row, p)
		switch p.matches(with) {
		case yes:
			row, got = with, yes
		case unsure:
			got = max(got, unsure)
		}
		if got == yes {
			break
		}
	}
	switch got {
	case yes:
		l.laid[row] = nil
		l.rows = append(l.rows, lain{row, nil})
	case unsure:
		l.doubt("an inserted row lacks columns, set by the server, by which the rows were asked for")
	}
}

// stamped gives a row the arguments of the read, as rows of the server get them,
// and the defaults of the columns that it lacks.
func (l *laying) stamped(row *value.Object, passed bound) *value.Object {
	out := row
	put := func(name string, v value.Value) {
		if out == row {
			out, _ = value.Copy(row).(*value.Object)
			l.bytes += value.Size(out, 1<<30)
		}
		out.Set(name, v)
	}
	for _, b := range passed {
		c := b.column
		switch {
		case row.Has(c.Name):
		case c.Argument && len(b.values) == 1:
			put(c.Name, b.values[0])
		case c.Default != nil:
			put(c.Name, c.Default)
		}
	}
	return out
}

// update sets columns on the rows that match.
func (l *laying) update(e *laidWrite) {
	changed, met := false, false
	found := l.found(e)
	for i := range l.rows {
		switch e.match.matches(l.rows[i].row) {
		case unsure:
			if found && l.rows[i].live == nil {
				continue
			}
			l.doubt("whether an update is about a row depends on a column that the server does not show")
		case yes:
			met = true
			if !carries(l.t, l.rows[i].row, e.set).all {
				changed = true
				l.patch(i, l.news(e, l.rows[i].row))
			}
		}
	}
	l.shown[e] = !changed && (met || l.whole())
}

// news is what an update does to a row: the columns that were set, as the server
// told them where it did.
func (l *laying) news(e *laidWrite, row *value.Object) *value.Object {
	if len(l.t.Key) == 0 {
		return e.set
	}
	for _, after := range e.rows {
		if k := keyOf(l.t, after); k != nil && k.matches(row) == yes {
			both, _ := value.Copy(e.set).(*value.Object)
			for name, v := range after.All() {
				both.Set(name, v)
			}
			return both
		}
	}
	return e.set
}

// patch puts columns into a copy of a row.
func (l *laying) patch(i int, with *value.Object) {
	before := l.rows[i].row
	row, _ := value.Copy(before).(*value.Object)
	columns, ours := l.laid[before]
	columns = slices.Clone(columns)
	for k, v := range with.All() {
		row.Set(k, v)
		columns = append(columns, k)
	}
	if ours && l.laid[before] == nil {
		columns = nil
	}
	l.bytes += value.Size(row, 1<<30)
	l.laid[row] = columns
	l.rows[i].row = row
}

// remove takes out the rows that match.
func (l *laying) remove(e *laidWrite) {
	kept := l.rows[:0]
	live, found := false, l.found(e)
	for _, r := range l.rows {
		switch e.match.matches(r.row) {
		case yes:
			l.gone = append(l.gone, r)
			live = live || r.live != nil
			continue
		case unsure:
			if found && r.live == nil {
				break
			}
			l.doubt("whether a delete is about a row depends on a column that the server does not show")
		}
		kept = append(kept, r)
	}
	l.rows = kept
	l.shown[e] = !live && l.covers(e.match)
}

// found reports whether a write names one row by its key, and the row is there:
// then it is not about a row of ours whose key nobody knows.
func (l *laying) found(e *laidWrite) bool {
	if len(l.t.Key) == 0 {
		return false
	}
	for _, name := range l.t.Key {
		if b := e.match.has(name); b == nil || len(b.values) != 1 {
			return false
		}
	}
	return slices.ContainsFunc(l.rows, func(r lain) bool { return e.match.matches(r.row) == yes })
}

// whole reports whether the server was asked for every row.
func (l *laying) whole() bool { return len(l.passed) == 1 && len(l.passed[0]) == 0 }

// covers reports whether a row that matches would be among those that the server
// was asked for.
func (l *laying) covers(match bound) bool {
	for _, p := range l.passed {
		in := true
		for _, b := range p {
			m := match.has(b.column.Name)
			in = in && m != nil && len(m.values) == 1 && b.admits(m.values[0])
		}
		if in {
			return true
		}
	}
	return false
}

// likeness is how a row compares with the values of another.
type likeness struct {
	any bool // no column differs, and one at least is the same
	all bool // the same, and the row has every one of the columns
}

// carries compares a row with values that it should have.
func carries(t *toolfn.ResourceTable, row, values *value.Object) likeness {
	got := likeness{all: true}
	for k, want := range values.All() {
		c, ok := t.Column(k)
		if !ok {
			continue
		}
		have, ok := row.Get(k)
		switch {
		case want == nil && (!ok || have == nil):
		case !ok:
			got.all = false
		case want != nil && c.SameCell(want, have):
			got.any = true
		default:
			return likeness{}
		}
	}
	return got
}

// keyOf gives what names a row, nil if the table has no key or the row lacks it.
func keyOf(t *toolfn.ResourceTable, row *value.Object) bound {
	if len(t.Key) == 0 {
		return nil
	}
	var b bound
	for i := range t.Columns {
		c := &t.Columns[i]
		for _, name := range t.Key {
			if name != c.Name {
				continue
			}
			v, _ := row.Get(name)
			if v == nil {
				return nil
			}
			b = append(b, binding{column: c, values: []value.Value{v}})
		}
	}
	return b
}
