package lisp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// tableNamed gives the table that a spelling names.
func (s *session) tableNamed(n string) (*toolfn.ResourceTable, bool) {
	cat := s.ws.Catalog()
	for _, spelling := range spellings(n) {
		spelling = strings.ReplaceAll(spelling, "__", "_")
		if t, ok := cat.Table(spelling); ok {
			return t, true
		}
	}
	return nil, false
}

// table is a table as a function: (t) reads all rows, (t {:column value}) those
// that match.
func (s *session) table(tab *toolfn.ResourceTable) data.Value {
	f := &data.Native{Name: tab.Name, Max: -1, Usage: "(" + tab.Name + ") or (" + tab.Name + " {:column value})"}
	f.Run = func(t *data.Thread, a []data.Value) data.Value { return s.read(t, tab, a) }
	return f.Function()
}

func (s *session) read(t *data.Thread, tab *toolfn.ResourceTable, a []data.Value) data.Value {
	s.mayCall(tab.Name)
	if len(a) > 2 || len(a) == 2 && !a[0].IsKeyword() || len(a) == 1 && !a[0].IsNil() && a[0].Kind() != data.KindMap {
		data.ThrowHint("IllegalArgumentException", tab.Name+" takes at most one map of columns and values.", "Write ("+tab.Name+" {:column value}), and filter the rows for anything else.")
	}
	var m *data.Map
	switch {
	case len(a) == 2:
		m = data.MapOf(t, a...)
	case len(a) == 1 && !a[0].IsNil():
		m = a[0].Map()
	}
	where := s.where(t, tab, m)
	at := s.machine.Place(t.At)
	got, err := s.run.calls.Select(dispatch.Query{Table: tab.Name, Where: where, Line: at.Line, Column: at.Column})
	if err != nil {
		throw(err)
	}
	if got.Incomplete != "" {
		s.note(tab.Name + ": " + got.Incomplete)
	}
	if len(got.Rows) == 0 {
		s.emptyRead(s.readText(t, tab, m))
	}
	return s.bringRows(t, tab, got.Rows)
}

func (s *session) readText(t *data.Thread, tab *toolfn.ResourceTable, m *data.Map) string {
	if m == nil || m.Len() == 0 {
		return "(" + tab.Name + ")"
	}
	return "(" + tab.Name + " " + data.Brief(t, m.Value(), 200) + ")"
}

// bringRows gives rows without the columns that are null, so that (filter :col rows)
// and contains? mean that a row has a value.
func (s *session) bringRows(t *data.Thread, tab *toolfn.ResourceTable, rows []*value.Object) data.Value {
	row := s.rows(tab.Name, rowsOf(rows))
	src := s.run.misses[len(s.run.misses)-1]
	for _, x := range s.run.misses {
		if x.name == tab.Name {
			src = x
		}
	}
	for i := range tab.Columns {
		src.keys[tab.Columns[i].Name] = true
	}
	if row == nil {
		row = src.row
	}
	t.Alloc(112 + 16*len(rows))
	items := make([]data.Value, len(rows))
	for i, o := range rows {
		items[i] = s.bringRow(t, o, row)
	}
	return data.VectorOf(items)
}

func rowsOf(rows []*value.Object) []value.Value {
	out := make([]value.Value, len(rows))
	for i, o := range rows {
		out[i] = o
	}
	return out
}

func (s *session) bringRow(t *data.Thread, o *value.Object, row *data.Row) data.Value {
	nulls := 0
	for i := range o.Len() {
		if o.At(i) == nil {
			nulls++
		}
	}
	if nulls == 0 {
		return s.bringObject(t, o, row)
	}
	b := data.NewBuilder(t)
	for k, v := range o.All() {
		if v != nil {
			b.Put(s.machine.Keyword(k), s.bring(t, v, row))
		}
	}
	m := b.Map()
	m.Row = row
	return m.Value()
}

// where turns a map of columns and values into a predicate: a value is an equality,
// a list of them a choice, nil means that there is no value, and a map of :gt, :gte,
// :lt, :lte, :ne, :in and :like is a condition on the column.
func (s *session) where(t *data.Thread, tab *toolfn.ResourceTable, m *data.Map) dispatch.Where {
	w := dispatch.Where{Bindings: toolfn.NewBindings()}
	if m == nil {
		return w
	}
	var rest []condition
	m.Each(t, func(k, v data.Value) bool {
		column := s.column(t, tab, k)
		switch v.Kind() {
		case data.KindNil:
			rest = append(rest, condition{column: column, text: "is nil", holds: func(x value.Value) bool { return x == nil }, known: s.assigned(tab, column)})
		case data.KindVector, data.KindList, data.KindSet, data.KindLazy, data.KindCons, data.KindChunk, data.KindRange:
			if word := data.First(t, v); word.IsKeyword() && operators[word.Named().Name] {
				data.ThrowHint("IllegalArgumentException", "a list of values for :"+column+" is a choice, and "+data.Brief(t, v, 60)+" looks like a condition.", conditionHint(column, word))
			}
			values := send(t, v).([]value.Value)
			if len(values) == 0 {
				data.ThrowHint("IllegalArgumentException", "the list of values for :"+column+" is empty, so no row of "+tab.Name+" could match.", "Leave the column out to read every row.")
			}
			w.Bindings = w.Bindings.With(column, values...)
		case data.KindMap:
			rest = append(rest, s.conditions(t, tab, column, v.Map())...)
		default:
			w.Bindings = w.Bindings.With(column, send(t, v))
		}
		return true
	})
	w.Rest = joined(rest)
	return w
}

// condition is a predicate on one column.
type condition struct {
	column, text string
	holds        func(x value.Value) bool
	known        bool // a row without the column does not match: its value is only not known yet
}

// assigned reports whether the server gives a column its value, so that a row that
// was just written lacks it without being nil there.
func (s *session) assigned(tab *toolfn.ResourceTable, column string) bool {
	c, ok := tab.Column(column)
	return ok && c.ReadOnly
}

// operators are the words that models put before a value in a list, as if it were a
// condition.
var operators = map[string]bool{"not": true, "not=": true, "ne": true, "gt": true, "gte": true, "lt": true, "lte": true, ">": true, ">=": true, "<": true, "<=": true, "in": true, "like": true, "between": true}

// conditionHint tells how to write a condition that was written as a list.
func conditionHint(column string, word data.Value) string {
	with := map[string]string{"gt": ":gt", ">": ":gt", "gte": ":gte", ">=": ":gte", "lt": ":lt", "<": ":lt", "lte": ":lte", "<=": ":lte", "ne": ":ne", "not": ":ne", "not=": ":ne"}[word.Named().Name]
	if with == "" {
		return "Read the rows and filter them: (filter #(str/includes? (:" + column + " %) \"text\") rows)."
	}
	return "Write {:" + column + " {" + with + " value}}."
}

func joined(all []condition) *dispatch.Condition {
	if len(all) == 0 {
		return nil
	}
	out := &dispatch.Condition{}
	var texts []string
	for _, c := range all {
		if !slices.Contains(out.Columns, c.column) {
			out.Columns = append(out.Columns, c.column)
		}
		texts = append(texts, ":"+c.column+" "+c.text)
	}
	out.Text = strings.Join(texts, " and ")
	out.Holds = func(row *value.Object) (bool, error) {
		for _, c := range all {
			x, present := row.Get(c.column)
			if !present && c.known || !c.holds(x) {
				return false, nil
			}
		}
		return true, nil
	}
	return out
}

// conditions reads {:gte x :lt y}.
func (s *session) conditions(t *data.Thread, tab *toolfn.ResourceTable, column string, m *data.Map) []condition {
	var out []condition
	col, _ := tab.Column(column)
	m.Each(t, func(k, v data.Value) bool {
		word := ""
		if n := k.Named(); n != nil {
			word = n.Name
		}
		bound := send(t, v)
		compare := func(holds func(order int) bool) func(value.Value) bool {
			return func(x value.Value) bool {
				if x == nil || bound == nil {
					return false
				}
				order, ok := col.Order(x, bound)
				return ok && holds(order)
			}
		}
		c := condition{column: column, text: word + " " + literal(bound, 60)}
		switch word {
		case "gt", ">":
			c.holds = compare(func(o int) bool { return o > 0 })
		case "gte", ">=":
			c.holds = compare(func(o int) bool { return o >= 0 })
		case "lt", "<":
			c.holds = compare(func(o int) bool { return o < 0 })
		case "lte", "<=":
			c.holds = compare(func(o int) bool { return o <= 0 })
		case "ne", "not=":
			c.holds = func(x value.Value) bool { return x != nil && !col.SameCell(x, bound) }
		default:
			data.ThrowHint("IllegalArgumentException", "there is no condition "+data.Brief(t, k, 40)+" on a column.", "There are :gt :gte :lt :lte and :ne; a list of values is a choice.")
		}
		out = append(out, c)
		return true
	})
	return out
}

// column gives the column that a key names.
func (s *session) column(t *data.Thread, tab *toolfn.ResourceTable, k data.Value) string {
	n := ""
	if named := k.Named(); named != nil {
		n = named.Name
	} else if text, ok := k.Text(); ok {
		n = text
	}
	if _, ok := tab.Column(n); ok {
		return n
	}
	if under := strings.ReplaceAll(n, "-", "_"); under != n {
		if _, ok := tab.Column(under); ok {
			return under
		}
	}
	var all []string
	for i := range tab.Columns {
		all = append(all, tab.Columns[i].Name)
	}
	hint := "It has " + keywordList(all, 30) + "."
	if near, ok := sandbox.Nearest(n, all); ok {
		hint = "Did you mean :" + near + "? " + hint
	}
	data.ThrowHint("IllegalArgumentException", tab.Name+" has no column "+data.Brief(t, k, 60)+".", hint)
	return ""
}

// tableArgument gives the table that the first argument of a write names.
func (s *session) tableArgument(t *data.Thread, verb string, v data.Value) *toolfn.ResourceTable {
	n := ""
	if named := v.Named(); named != nil {
		n = named.Full()
	} else if text, ok := v.Text(); ok {
		n = text
	} else if f, ok := v.Unbox().(*data.Native); ok {
		n = f.Name
	}
	if tab, ok := s.tableNamed(n); ok {
		return tab
	}
	var all []string
	for _, tab := range s.ws.Catalog().Tables() {
		all = append(all, tab.Name)
	}
	hint := "(tables) lists them."
	if near, ok := sandbox.Nearest(n, all); ok {
		hint = "Did you mean :" + near + "? " + hint
	}
	data.ThrowHint("IllegalArgumentException", verb+" takes the name of a table first, and "+data.Brief(t, v, 60)+" is none.", hint)
	return nil
}

// given reads a map of columns and values for a write.
func (s *session) given(t *data.Thread, tab *toolfn.ResourceTable, verb string, v data.Value) *value.Object {
	m := v.Map()
	if m == nil {
		data.ThrowHint("IllegalArgumentException", verb+" takes a map of columns and values, and got "+data.Describe(t, v)+".", "Write ("+verb+" :"+tab.Name+" {:column value}).")
	}
	o := value.NewObject(m.Len())
	m.Each(t, func(k, x data.Value) bool {
		o.Set(s.column(t, tab, k), send(t, x))
		return true
	})
	return o
}

func (s *session) insert(t *data.Thread, a []data.Value) data.Value {
	s.mayCall("insert!")
	tab := s.tableArgument(t, "insert!", a[0])
	var rows []*value.Object
	if data.Sequential(a[1]) {
		for it := data.Iterate(t, a[1]); it.Next(); {
			rows = append(rows, s.given(t, tab, "insert!", it.Value))
		}
		if len(rows) == 0 {
			data.ThrowHint("IllegalArgumentException", "insert! got no rows.", "Give a map, or a list of at least one.")
		}
	} else {
		rows = append(rows, s.given(t, tab, "insert!", a[1]))
	}
	at := s.machine.Place(t.At)
	w, err := s.run.calls.Insert(dispatch.Insertion{Table: tab.Name, Rows: rows, Line: at.Line, Column: at.Column})
	return s.wrote(t, "insert", tab, w, err)
}

func (s *session) update(t *data.Thread, a []data.Value) data.Value {
	s.mayCall("update!")
	tab := s.tableArgument(t, "update!", a[0])
	set := s.given(t, tab, "update!", a[1])
	where, all := s.match(t, tab, "update!", a[2])
	if m := a[2].Map(); m != nil {
		s.swapped(tab, set, m, t)
	}
	at := s.machine.Place(t.At)
	w, err := s.run.calls.Update(dispatch.Change{Table: tab.Name, Set: set, Where: where, All: all, Line: at.Line, Column: at.Column})
	return s.wrote(t, "update", tab, w, err)
}

// swapped refuses an update whose maps look exchanged: what finds the row stands in
// the first, and what no key has in the second.
func (s *session) swapped(tab *toolfn.ResourceTable, set *value.Object, match *data.Map, t *data.Thread) {
	if len(tab.Key) == 0 {
		return
	}
	inSet, inMatch := 0, 0
	for _, k := range tab.Key {
		if set.Has(k) {
			inSet++
		}
		if _, ok := match.Get(t, s.machine.Keyword(k)); ok {
			inMatch++
		}
	}
	if inSet == len(tab.Key) && inMatch == 0 {
		data.ThrowHint("IllegalArgumentException", "update! takes what to set first and what to match second; here :"+tab.Key[0]+", which names the row, is set.",
			"Write (update! :"+tab.Name+" {:column new} {:"+tab.Key[0]+" …}).")
	}
}

func (s *session) remove(t *data.Thread, a []data.Value) data.Value {
	s.mayCall("delete!")
	tab := s.tableArgument(t, "delete!", a[0])
	where, all := s.match(t, tab, "delete!", a[1])
	at := s.machine.Place(t.At)
	w, err := s.run.calls.Delete(dispatch.Removal{Table: tab.Name, Where: where, All: all, Line: at.Line, Column: at.Column})
	return s.wrote(t, "delete", tab, w, err)
}

// match reads which rows a write is about: a map, or :all.
func (s *session) match(t *data.Thread, tab *toolfn.ResourceTable, verb string, v data.Value) (w dispatch.Where, all bool) {
	if n := v.Named(); n != nil && v.IsKeyword() && n.Full() == "all" {
		return dispatch.Where{}, true
	}
	m := v.Map()
	if m == nil || m.Len() == 0 {
		data.ThrowHint("IllegalArgumentException", verb+" needs to know which rows of "+tab.Name+" it is about.", "Give a map of columns and values, or :all for every row.")
	}
	m.Each(t, func(k, x data.Value) bool {
		if x.IsNil() {
			column := s.column(t, tab, k)
			data.ThrowHint("IllegalArgumentException", verb+" got nil for :"+column+", which names no row: most often it is a value that was not found.",
				"Check the value first. For rows without :"+column+", read them with ("+tab.Name+" {:"+column+" nil}) and match them by their keys.")
		}
		return true
	})
	return s.where(t, tab, m), false
}

// wrote gives what a write did as a map; count of it is the number of rows.
func (s *session) wrote(t *data.Thread, op string, tab *toolfn.ResourceTable, w *dispatch.Wrote, err error) data.Value {
	if err != nil {
		throw(err)
	}
	word := func(k string) data.Value { return s.machine.Keyword(k) }
	pairs := []data.Value{word("op"), data.String(op), word("resource"), data.String(tab.Name)}
	if w.Staged != nil {
		pairs = append(pairs, word("fired"), data.False, word("staged"), data.Int(w.Staged.ID))
		return data.MapOf(t, pairs...).Value()
	}
	pairs = append(pairs, word("fired"), data.True)
	n := data.Value{}
	if w.Affected >= 0 {
		n = data.Int(int64(w.Affected))
		s.note(fmt.Sprintf("%s %s: %s.", strings.ToUpper(op), tab.Name, counted(w.Affected, "row", "rows")))
	} else {
		s.note(fmt.Sprintf("%s %s: done; the server does not say how many rows.", strings.ToUpper(op), tab.Name))
	}
	pairs = append(pairs, word("count"), n)
	if w.Rows != nil {
		rows := s.bringRows(t, tab, w.Rows)
		if op == "insert" && len(w.Rows) == 1 {
			rows = data.First(t, rows)
		}
		pairs = append(pairs, word("result"), rows)
	}
	m := data.MapOf(t, pairs...)
	if w.Affected >= 0 {
		count := w.Affected
		m.Row = &data.Row{Rows: &count}
	}
	return m.Value()
}

// TableLines say how programs work with the tables; the examples in them are run by
// a test.
func (language) TableLines(t *toolfn.ResourceTable, changes bool) []string {
	column, keys := "column", ""
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.RequiredKey {
			keys += " :" + c.Name + " …"
		} else if column == "column" {
			column = c.Name
		}
	}
	read := "(" + t.Name + ")"
	if keys != "" {
		read = "(" + t.Name + " {" + keys[1:] + "})"
	}
	lines := []string{
		"Each table is a function too: " + read + " gives its rows, and a map as in (" + t.Name + " {:" + column + " …" + keys + "}) those that match; a list of values there is a choice.",
		"(tables) lists them, and (describe :" + t.Name + ") shows the columns of one. Filter, join and count the rows in the program.",
	}
	if changes {
		lines = append(lines, "Change rows with (insert! :table {:column value}), (update! :table {:column new} {:key value}) and (delete! :table {:key value}); "+
			":all in place of the last map is every row. Each takes effect at once and gives its :count.")
	}
	return lines
}
