//go:build cgo

package sql_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

var (
	counted = flag.Int("counted", 400, "random queries over counted resolvers")
	start   = flag.Uint64("start", 1, "seed of the random queries")
)

// countedTable is a table of the catalogue whose reads are counted, with its rows.
type countedTable struct {
	toolfn.ResourceTable
	rows []*value.Object
}

// world is a set of tables and what was asked of them.
type world struct {
	mu     sync.Mutex
	tables []*countedTable
	reads  []read
}

// read is one call of a resolver.
type read struct {
	table string
	given toolfn.Bindings
	text  string
}

func newWorld(r *rand.Rand) *world {
	w := &world{}
	text := func(list ...string) func() value.Value {
		return func() value.Value { return list[r.IntN(len(list))] }
	}
	number := func(n int) func() value.Value { return func() value.Value { return int64(r.IntN(n)) } }
	teams, states := text("red", "blue", "green", "grey"), text("open", "shut", "lost")
	w.add(r, "people", 12, []toolfn.Column{
		{Name: "id", Type: "bigint"}, {Name: "team", Type: "text", Pushdown: toolfn.PushIn}, {Name: "age", Type: "bigint"}, {Name: "boss", Type: "bigint"},
	}, teams, number(6), number(12))
	w.add(r, "tasks", 16, []toolfn.Column{
		{Name: "id", Type: "bigint"}, {Name: "owner", Type: "bigint", Pushdown: toolfn.PushIn}, {Name: "state", Type: "text", Pushdown: toolfn.PushEqual}, {Name: "points", Type: "bigint"},
	}, number(12), states, number(5))
	w.add(r, "notes", 14, []toolfn.Column{
		{Name: "id", Type: "bigint"}, {Name: "team", Type: "text", RequiredKey: true, Pushdown: toolfn.PushIn}, {Name: "person", Type: "bigint"}, {Name: "body", Type: "text"},
	}, teams, number(12), text("x", "y", "z"))
	w.add(r, "marks", 14, []toolfn.Column{
		{Name: "id", Type: "bigint"}, {Name: "task", Type: "bigint", RequiredKey: true, Pushdown: toolfn.PushEqual}, {Name: "word", Type: "text"},
	}, number(16), text("hot", "cold", "open"))
	return w
}

// add makes a table of random rows: its first column counts them, the others are NULL
// now and then, save a key that must be given.
func (w *world) add(r *rand.Rand, name string, rows int, columns []toolfn.Column, makes ...func() value.Value) {
	t := &countedTable{ResourceTable: toolfn.ResourceTable{Name: name, Description: "Counted.", Volatility: toolfn.Volatile, Columns: columns}}
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	keys := value.NewKeys(names...)
	for n := range rows {
		cells := []value.Value{int64(n)}
		for i, f := range makes {
			v := f()
			if !columns[i+1].RequiredKey && r.IntN(6) == 0 {
				v = nil
			}
			cells = append(cells, v)
		}
		t.rows = append(t.rows, value.NewRow(keys, cells))
	}
	t.Select = func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) { return w.read(t, b), nil }
	w.tables = append(w.tables, t)
}

func (w *world) read(t *countedTable, b toolfn.Bindings) toolfn.Rows {
	text := t.Name
	for _, c := range b.Columns() {
		var all []string
		for _, v := range b.All(c) {
			all = append(all, textOf(v))
		}
		slices.Sort(all)
		text += " " + c + "=" + strings.Join(all, ",")
	}
	w.mu.Lock()
	w.reads = append(w.reads, read{t.Name, b, text})
	w.mu.Unlock()
	var out []*value.Object
	for _, row := range t.rows {
		keep := true
		for _, c := range b.Columns() {
			have, _ := row.Get(c)
			keep = keep && slices.ContainsFunc(b.All(c), func(want value.Value) bool { return value.Equal(have, want) })
		}
		if keep {
			out = append(out, row)
		}
	}
	return toolfn.Rows{Page: out}
}

func (w *world) catalog(t testing.TB) *toolfn.Catalog {
	c := toolfn.NewCatalog()
	for _, x := range w.tables {
		if err := c.Register(x.ResourceTable); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// database holds the same rows whole.
func (w *world) database(t testing.TB) *engine.DB {
	db := engine.Open(engine.Options{})
	for _, x := range w.tables {
		spec := engine.TableSpec{Name: x.Name}
		for _, c := range x.Columns {
			spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: c.Type})
		}
		var rows [][]any
		for _, row := range x.rows {
			var cells []any
			for _, c := range x.Columns {
				v, _ := row.Get(c.Name)
				cells = append(cells, v)
			}
			rows = append(rows, cells)
		}
		if err := db.Register(spec, slices.Values(rows)); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// asker makes random queries.
type asker struct {
	*rand.Rand
	tables []*countedTable
	names  int
	depth  int
	ctes   []place
	// stated are, for each table, the sets of values that its uses fix a column to,
	// and loose the tables of which some use fixes none.
	stated map[string][]fixture
	loose  map[string]bool
}

type fixture struct {
	column string
	values []string
}

// place is something in FROM.
type place struct {
	name    string
	columns []toolfn.Column
	table   *countedTable
	lateral bool
}

func (a *asker) pick(list ...string) string { return list[a.IntN(len(list))] }

func (a *asker) fresh(prefix string) string {
	a.names++
	return fmt.Sprintf("%s%d", prefix, a.names)
}

func (a *asker) literal(kind, column string) string {
	if a.IntN(25) == 0 {
		return "null"
	}
	if kind == "bigint" {
		return fmt.Sprint(a.IntN(13))
	}
	switch column {
	case "team":
		return "'" + a.pick("red", "blue", "green", "grey", "none") + "'"
	case "state":
		return "'" + a.pick("open", "shut", "lost") + "'"
	}
	return "'" + a.pick("open", "x", "y", "hot", "red") + "'"
}

// column gives a column of a kind, "" if there is none.
func (a *asker) column(scope []place, kind string) string {
	var all []string
	for _, p := range scope {
		for _, c := range p.columns {
			if c.Type == kind {
				all = append(all, p.name+"."+c.Name)
			}
		}
	}
	if len(all) == 0 {
		return a.literal(kind, "")
	}
	return all[a.IntN(len(all))]
}

// fix states a column's values in one of the ways in which a statement can.
func (a *asker) fix(p place, c toolfn.Column) string {
	name := p.name + "." + c.Name
	var values []string
	for range 1 + a.IntN(3) {
		values = append(values, a.literal(c.Type, c.Name))
	}
	out := ""
	switch a.IntN(7) {
	case 0:
		out = name + " in (" + strings.Join(values, ", ") + ")"
	case 1:
		out = name + " = any (array[" + strings.Join(values, ", ") + "]::" + c.Type + "[])"
	case 2:
		var parts []string
		for _, v := range values {
			parts = append(parts, a.pick(name+" = "+v, v+" = "+name))
		}
		out = "(" + strings.Join(parts, " or ") + ")"
	case 3:
		values = values[:1]
		out = values[0] + " = " + name
	case 4:
		values = values[:1]
		out = name + " = (" + values[0] + ")::" + c.Type
	case 5:
		values = values[:1]
		out = "(" + name + " = " + values[0] + " and " + name + " is not null)"
	default:
		values = values[:1]
		out = name + " = " + values[0]
	}
	if p.table != nil {
		a.stated[p.table.Name] = append(a.stated[p.table.Name], fixture{c.Name, values})
	}
	return out
}

// use gives a table and what its use is to state, if anything.
func (a *asker) use() (place, string) {
	t := a.tables[a.IntN(len(a.tables))]
	p := place{name: a.fresh("t"), columns: t.Columns, table: t}
	for _, c := range t.Columns {
		if c.RequiredKey && a.IntN(5) > 0 || c.Pushdown != 0 && !c.RequiredKey && a.IntN(3) == 0 {
			return p, a.fix(p, c)
		}
	}
	a.loose[t.Name] = true
	return p, ""
}

// item gives something for FROM: its text, what it is, and what has to be stated.
func (a *asker) item(around []place) (string, place, string) {
	switch {
	case a.depth > 0 && a.IntN(5) == 0:
		a.depth--
		defer func() { a.depth++ }()
		p := place{name: a.fresh("s")}
		outer, lateral := []place(nil), ""
		if len(around) > 0 && a.IntN(2) == 0 {
			outer, lateral, p.lateral = around, "lateral ", true
		}
		kinds := []string{"bigint", "text", "bigint"}[:1+a.IntN(3)]
		text := a.query(kinds, outer)
		var names []string
		for i, k := range kinds {
			names = append(names, fmt.Sprintf("c%d", i))
			p.columns = append(p.columns, toolfn.Column{Name: names[i], Type: k})
		}
		fixed := ""
		if a.IntN(4) == 0 {
			fixed = a.fix(p, p.columns[0])
		}
		return fmt.Sprintf("%s(%s) as %s(%s)", lateral, text, p.name, strings.Join(names, ", ")), p, fixed
	case len(a.ctes) > 0 && a.IntN(3) == 0:
		c := a.ctes[a.IntN(len(a.ctes))]
		p := place{name: a.fresh("w"), columns: c.columns}
		fixed := ""
		if a.IntN(3) == 0 {
			fixed = a.fix(p, p.columns[0])
		}
		return c.name + " as " + p.name, p, fixed
	}
	p, fixed := a.use()
	return p.table.Name + " as " + p.name, p, fixed
}

// from gives FROM, what it holds, and the conditions for WHERE.
func (a *asker) from(outer []place) (string, []place, []string) {
	text, p, fixed := a.item(nil)
	scope := []place{p}
	var where []string
	keep := func(s string) {
		if s != "" {
			where = append(where, s)
		}
	}
	keep(fixed)
	for range a.IntN(3) {
		kind := a.pick("join", "left join", "left join", "right join", "full join", "cross join", ",")
		around := scope
		if kind == "right join" || kind == "full join" || kind == "," {
			around = nil
		}
		item, p, fixed := a.item(around)
		all := append(slices.Clone(scope), p)
		switch kind {
		case "cross join":
			text += " cross join " + item
			keep(fixed)
		case ",":
			text += ", " + item
			keep(fixed)
		default:
			on := a.column(scope, "bigint") + " = " + a.column([]place{p}, "bigint")
			if a.IntN(3) == 0 {
				on = a.column(scope, "text") + " = " + a.column([]place{p}, "text")
			}
			if fixed != "" && (kind == "join" || kind == "left join") && a.IntN(2) == 0 {
				on += " and " + fixed
				fixed = ""
			}
			if kind != "full join" && a.IntN(4) == 0 {
				on += " and " + a.predicate(append(all, outer...), 1)
			}
			keep(fixed)
			text += " " + kind + " " + item + " on " + on
		}
		scope = all
	}
	return text, scope, where
}

func (a *asker) predicate(scope []place, depth int) string {
	n := a.IntN(14)
	if depth <= 0 {
		n = a.IntN(6)
	}
	kind := a.pick("bigint", "text")
	sub := func(kinds ...string) string {
		a.depth--
		defer func() { a.depth++ }()
		var around []place
		if a.IntN(2) == 0 {
			around = scope
		}
		return a.query(kinds, around)
	}
	if n >= 9 && a.depth <= 0 {
		n = a.IntN(9)
	}
	switch n {
	case 0:
		return a.column(scope, kind) + " = " + a.literal(kind, "team")
	case 1:
		return a.column(scope, kind) + a.pick(" <> ", " < ", " >= ") + a.literal(kind, "state")
	case 2:
		return a.column(scope, kind) + a.pick(" is null", " is not null")
	case 3:
		return a.column(scope, kind) + a.pick(" = ", " is distinct from ") + a.column(scope, kind)
	case 4:
		return a.column(scope, kind) + a.pick(" in (", " not in (") + a.literal(kind, "team") + ", " + a.literal(kind, "state") + ")"
	case 5:
		return "coalesce(" + a.column(scope, kind) + ", " + a.literal(kind, "team") + ") = " + a.literal(kind, "team")
	case 6:
		return "not (" + a.predicate(scope, depth-1) + ")"
	case 7, 8:
		return "(" + a.predicate(scope, depth-1) + a.pick(" or ", " or ", " and ") + a.predicate(scope, depth-1) + ")"
	case 9, 10:
		return a.column(scope, kind) + a.pick(" in (", " in (", " not in (") + sub(kind) + ")"
	case 11:
		return a.pick("exists (", "not exists (") + sub("bigint") + ")"
	case 12:
		return a.column(scope, "bigint") + " = (select " + a.pick("max", "min", "count") + "(v) from (" + sub("bigint") + ") as " + a.fresh("m") + "(v))"
	}
	return a.column(scope, "bigint") + a.pick(" = any (", " = any (", " <> all (") + sub("bigint") + ")"
}

// query makes a SELECT of columns of the kinds.
func (a *asker) query(kinds []string, outer []place) string {
	from, scope, where := a.from(outer)
	all := append(slices.Clone(scope), outer...)
	for range a.IntN(3) {
		where = append(where, a.predicate(all, 2))
	}
	condition := ""
	if len(where) > 0 {
		condition = " where " + strings.Join(where, " and ")
	}
	list := func(f func(kind string) string) string {
		var out []string
		for _, k := range kinds {
			out = append(out, f(k))
		}
		return strings.Join(out, ", ")
	}
	var order []string
	for i := range kinds {
		order = append(order, fmt.Sprint(i+1))
	}
	by := " order by " + strings.Join(order, ", ")
	plain := func(k string) string { return a.column(scope, k) }
	switch a.IntN(12) {
	case 0:
		key := a.column(scope, "text")
		return "select " + list(func(k string) string {
			if k == "text" {
				return key
			}
			return a.pick("count(*)", "sum("+plain(k)+")::bigint", "count(distinct "+plain(k)+")", "max("+plain(k)+") filter (where "+a.predicate(scope, 0)+")")
		}) + " from " + from + condition + " group by " + key + a.pick("", " having count(*) > 1", " having max("+a.column(scope, "bigint")+") = 3")
	case 1:
		return "select " + list(func(k string) string { return a.pick("max", "min") + "(" + plain(k) + ")" }) + " from " + from + condition
	case 2:
		return "select distinct " + list(plain) + " from " + from + condition
	case 3:
		return "(select " + list(plain) + " from " + from + condition + by + a.pick(" limit 3", " limit 5", " limit 2 offset 1") + ")"
	case 4:
		if a.depth > 0 {
			a.depth--
			defer func() { a.depth++ }()
			return "(select " + list(plain) + " from " + from + condition + a.pick(" union ", " union all ", " except ", " intersect ") + a.query(kinds, outer) + ")"
		}
	case 5:
		return "(select distinct on (" + strings.Join(order[:1], "") + ") " + list(plain) + " from " + from + condition + by + ")"
	case 6:
		return "select " + list(func(k string) string {
			return a.pick("max", "min") + "(" + plain(k) + ") over (partition by " + a.column(scope, "text") + ")"
		}) + " from " + from + condition
	}
	return "select " + list(plain) + " from " + from + condition
}

// statement makes a whole one, whose columns are text.
func (a *asker) statement() string {
	a.names, a.depth, a.ctes = 0, 2, nil
	a.stated, a.loose = map[string][]fixture{}, map[string]bool{}
	with := ""
	for range a.IntN(3) * a.IntN(2) {
		kinds := []string{"bigint", "text"}
		c := place{name: a.fresh("q"), columns: []toolfn.Column{{Name: "k", Type: "bigint"}, {Name: "v", Type: "text"}}}
		a.depth--
		text := a.query(kinds, nil)
		a.depth++
		with += map[bool]string{true: "with ", false: ", "}[with == ""] + c.name + "(k, v) as (" + text + ")"
		a.ctes = append(a.ctes, c)
	}
	return with + " select a::text, b::text from (" + a.query([]string{"bigint", "text"}, nil) + ") as z(a, b)"
}

// answers are a result's rows as sorted text.
func answers(v any) []string {
	list, _ := v.([]value.Value)
	var out []string
	for _, x := range list {
		out = append(out, textOf(x))
	}
	slices.Sort(out)
	return out
}

func engineAnswers(r *engine.Result) []string {
	keys := value.NewKeys(r.Columns[0].Name, r.Columns[1].Name)
	var out []string
	for i := range r.Len() {
		cells := make([]value.Value, 2)
		for c := range cells {
			if text, ok := r.Text(i, c); ok {
				cells[c] = text
			}
		}
		out = append(out, textOf(value.NewRow(keys, cells)))
	}
	slices.Sort(out)
	return out
}

func (a *asker) table(name string) *countedTable {
	for _, t := range a.tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// wide tells of a read that asks for more than any use of the table states.
func (a *asker) wide(r read) string {
	if a.loose[r.table] {
		return ""
	}
	for _, f := range a.stated[r.table] {
		all := r.given.Has(f.column)
		if c, _ := a.table(r.table).Column(f.column); c.Pushdown == toolfn.PushEqual && !c.RequiredKey && len(f.values) > 1 {
			all = true // the server takes one value only
		}
		for _, v := range r.given.All(f.column) {
			text := strings.ReplaceAll(textOf(v), `"`, "'")
			all = all && slices.Contains(f.values, text)
		}
		if all {
			return ""
		}
	}
	return r.text
}

// TestCountedReads runs random queries over tables whose reads are counted. Each gives
// what the same statement gives over the full tables; no read is made twice in a
// statement, and none is wider than the statement states.
func TestCountedReads(t *testing.T) {
	r := rand.New(rand.NewPCG(*start, 7))
	w := newWorld(r)
	db := w.database(t)
	ws, err := surfaces.NewWorkspace(w.catalog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	session, err := ws.Open(sql.Language())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	a := &asker{Rand: r, tables: w.tables}
	agreed, refused, failed, wrong := 0, 0, 0, 0
	for range *counted {
		text := a.statement()
		w.reads = nil
		ours := session.Execute(context.Background(), text)
		theirs, err := db.Query(context.Background(), text)
		problem := ""
		switch {
		case ours.Fault != nil && strings.Contains(ours.Fault.Message, "can only be read for given values"):
			refused++
			if len(w.reads) > 0 && !strings.Contains(text, "select") {
				problem = "refused after reads"
			}
		case ours.Fault != nil && err != nil:
			failed++
		case ours.Fault != nil:
			problem = "fails: " + ours.Fault.Error() + fmt.Sprint(ours.Fault.Cause)
		case err != nil:
			problem = "fails only over the full tables: " + err.Error()
		default:
			agreed++
			if have, want := answers(ours.Value), engineAnswers(theirs); !slices.Equal(have, want) {
				problem = fmt.Sprintf("gives\n%s\nnot\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
			}
		}
		seen := map[string]bool{}
		for _, x := range w.reads {
			if seen[x.text] {
				problem += "\nread twice: " + x.text
			}
			seen[x.text] = true
			if wide := a.wide(x); wide != "" {
				problem += "\ntoo wide: " + wide
			}
		}
		if problem != "" {
			if wrong++; wrong <= 6 {
				t.Errorf("%s\n%s", text, problem)
			}
		}
	}
	t.Logf("%d agree, %d refused, %d fail on both sides, %d wrong", agreed, refused, failed, wrong)
	if agreed < *counted/4 {
		t.Error("too few were answered")
	}
}
