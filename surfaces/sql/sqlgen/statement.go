package sqlgen

import (
	"fmt"
	"strconv"
	"strings"
)

// Statement makes a SELECT.
func (g *Generator) Statement() string {
	g.ctes, g.depth, g.names = nil, 0, 0
	with := ""
	if g.IntN(6) == 0 {
		with = g.with()
	}
	var types []Type
	for range g.IntN(4) + 1 {
		types = append(types, g.typ())
	}
	q := g.query(types)
	if g.IntN(6) == 0 {
		q = "(" + q + ") " + g.pick("union", "union all", "intersect", "except", "intersect all", "except all") + " (" + g.query(types) + ")"
		return with + q + g.tail(len(types))
	}
	return with + q + g.tail(len(types))
}

// tail sorts by all columns, and may cut.
func (g *Generator) tail(columns int) string {
	if g.IntN(3) > 0 {
		return ""
	}
	var keys []string
	for i := range columns {
		keys = append(keys, strconv.Itoa(i+1)+g.pick("", " desc", " nulls first", " desc nulls last"))
	}
	s := " order by " + strings.Join(keys, ", ")
	return s + g.pick("", " limit 5", " limit 3 offset 1", " offset 2")
}

func (g *Generator) with() string {
	var list []string
	for i := range g.IntN(2) + 1 {
		name := "w" + strconv.Itoa(i+1)
		src := source{name: name}
		var types []Type
		var names []string
		for n := range g.IntN(3) + 1 {
			t := g.typ()
			types = append(types, t)
			names = append(names, "k"+strconv.Itoa(n+1))
			src.columns = append(src.columns, Column{names[n], t})
		}
		list = append(list, fmt.Sprintf("%s(%s) as %s(%s)", name, strings.Join(names, ", "), g.pick("", "", "materialized "), g.query(types)))
		g.ctes = append(g.ctes, src)
	}
	return "with " + strings.Join(list, ", ") + " "
}

// query makes a SELECT of columns of the types, without ORDER BY.
func (g *Generator) query(types []Type) string {
	from, s := g.from()
	where := ""
	if g.IntN(2) == 0 {
		where = " where " + g.expr(Bool, s, 2)
	}
	switch g.IntN(7) {
	case 0:
		return g.grouped(types, s, from+where)
	case 5:
		return g.byKey(types, where)
	case 6:
		return g.first(types, s, from+where)
	case 1:
		w := g.window(s)
		return "select " + g.list(types, func(t Type) string { return g.windowed(t, s, w) }) + " from " + from + where
	case 2:
		return "select distinct " + g.list(types, func(t Type) string { return g.expr(t, s, 2) }) + " from " + from + where
	}
	return "select " + g.list(types, func(t Type) string { return g.expr(t, s, 3) }) + " from " + from + where
}

func (g *Generator) list(types []Type, make func(Type) string) string {
	var out []string
	for _, t := range types {
		out = append(out, make(t))
	}
	return strings.Join(out, ", ")
}

// from makes a FROM clause and says what it offers.
func (g *Generator) from() (string, scope) {
	text, s := g.item()
	for range g.IntN(3) {
		if g.IntN(2) == 0 {
			break
		}
		if g.IntN(6) == 0 && g.depth < 2 {
			next, more := g.lateral(s)
			text, s = text+g.pick(" cross join lateral ", " left join lateral ")+next, append(append(scope{}, s...), more...)
			if strings.Contains(text, "left join lateral "+next) {
				text += " on true"
			}
			continue
		}
		next, more := g.item()
		both := append(append(scope{}, s...), more...)
		switch kind := g.pick(" join ", " left join ", " right join ", " full join ", " cross join ", ", "); kind {
		case " cross join ", ", ":
			if g.IntN(3) > 0 {
				text, s = text+" join "+next+" on "+g.equality(s, more), both
				continue
			}
			text, s = text+" cross join "+next, both
		case " full join ":
			text, s = text+kind+next+" on "+g.equality(s, more), both
		default:
			on := g.equality(s, more)
			if g.IntN(3) == 0 {
				on += " and " + g.expr(Bool, both, 1)
			}
			text, s = text+kind+next+" on "+on, both
		}
	}
	return text, s
}

// lateral makes a sub-query that refers to what is on its left.
func (g *Generator) lateral(outer scope) (string, scope) {
	g.depth++
	defer func() { g.depth-- }()
	g.names++
	name := "l" + strconv.Itoa(g.names)
	from, s := g.from()
	all := append(append(scope{}, s...), outer...)
	t := g.typ()
	q := "select " + g.expr(t, all, 2) + " from " + from + " where " + g.expr(Bool, all, 2)
	return "(" + q + ") as " + name + "(x)", scope{{name + ".x", t}}
}

func (g *Generator) equality(a, b scope) string {
	for range 8 {
		t := g.typ()
		x, y := a.of(t), b.of(t)
		if len(x) > 0 && len(y) > 0 {
			return x[g.IntN(len(x))] + " = " + y[g.IntN(len(y))]
		}
	}
	return "true"
}

func (g *Generator) item() (string, scope) {
	g.names++
	alias := "t" + strconv.Itoa(g.names)
	var columns []Column
	text := ""
	switch n := g.IntN(8); {
	case n == 0 && g.depth < 2:
		g.depth++
		var types []Type
		for i := range g.IntN(2) + 1 {
			t := g.typ()
			types = append(types, t)
			columns = append(columns, Column{"s" + strconv.Itoa(i+1), t})
		}
		text = "(" + g.query(types) + ")"
		g.depth--
		alias += "(" + names(columns) + ")"
	case n == 1:
		columns = []Column{{"v1", Int}, {"v2", Text}}
		text = "(values (1, 'a'), (2, null), (" + g.literal(Int) + ", " + g.literal(Text) + "))"
		alias += "(v1, v2)"
	case n == 2:
		columns = []Column{{"g", Int}}
		text = "generate_series(1, " + g.pick("0", "3", "5") + ")"
		alias += "(g)"
	case n < 5 && len(g.ctes) > 0:
		c := g.ctes[g.IntN(len(g.ctes))]
		text, columns = c.name, c.columns
	default:
		t := g.tables[g.IntN(len(g.tables))]
		text, columns = t.Name, t.Columns
	}
	var s scope
	name, _, _ := strings.Cut(alias, "(")
	for _, c := range columns {
		s = append(s, Column{name + "." + c.Name, c.Type})
	}
	return text + " as " + alias, s
}

func names(columns []Column) string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return strings.Join(out, ", ")
}

// byKey groups the table that has a key by it: the other columns depend on it.
func (g *Generator) byKey(types []Type, _ string) string {
	t := g.tables[0]
	var s scope
	for _, c := range t.Columns {
		s = append(s, Column{"k." + c.Name, c.Type})
	}
	other, more := g.item()
	both := append(append(scope{}, s...), more...)
	list := g.list(types, func(want Type) string {
		if g.IntN(2) == 0 {
			return g.expr(want, s, 1)
		}
		return g.aggregate(want, both)
	})
	return "select " + list + " from " + t.Name + " as k left join " + other + " on " + g.equality(s, more) + " group by k." + t.Key
}

// first takes the first row of each group by DISTINCT ON, in an order by all columns.
func (g *Generator) first(types []Type, s scope, rest string) string {
	var all []string
	for _, c := range s {
		all = append(all, c.Name)
	}
	on := all[g.IntN(len(all))]
	return "(select distinct on (" + on + ") " + g.list(types, func(t Type) string { return g.expr(t, s, 1) }) + " from " + rest + " order by " + on + ", " + strings.Join(all, ", ") + ")"
}

// grouped makes a SELECT with GROUP BY.
func (g *Generator) grouped(types []Type, s scope, rest string) string {
	var keys scope
	var texts []string
	for range g.IntN(3) {
		c := s[g.IntN(len(s))]
		e := c.Name
		if g.IntN(4) == 0 {
			// Constant keys are what versions of the server differ in.
			e = "coalesce(" + c.Name + ", " + g.literal(c.Type) + ")"
		}
		keys = append(keys, Column{e, c.Type})
		texts = append(texts, e)
	}
	q := "select " + g.list(types, func(t Type) string { return g.over(t, keys, s, 1) }) + " from " + rest
	if len(texts) > 0 {
		switch g.IntN(6) {
		case 0:
			q += " group by " + g.pick("rollup", "cube") + " (" + strings.Join(texts, ", ") + ")"
		case 1:
			q += " group by grouping sets ((" + strings.Join(texts, ", ") + "), ())"
		default:
			q += " group by " + strings.Join(texts, ", ")
		}
	}
	if g.IntN(3) == 0 {
		q += " having " + g.over(Bool, keys, s, 1)
	}
	return q
}

// over makes an expression over keys and aggregates.
func (g *Generator) over(t Type, keys, s scope, depth int) string {
	if own := keys.of(t); len(own) > 0 && g.IntN(3) > 0 {
		return own[g.IntN(len(own))]
	}
	if depth > 0 && g.IntN(3) == 0 {
		return "coalesce(" + g.over(t, keys, s, depth-1) + ", " + g.literal(t) + ")"
	}
	return g.aggregate(t, s)
}

func (g *Generator) aggregate(t Type, s scope) string {
	filter := ""
	if g.IntN(5) == 0 {
		filter = " filter (where " + g.expr(Bool, s, 1) + ")"
	}
	e := func(t Type) string { return g.expr(t, s, 1) }
	call := ""
	switch t {
	case Big:
		call = g.pick("count(*)", "count("+e(g.typ())+")", "count(distinct "+e(g.typ())+")", "sum("+e(Int)+")")
	case Numeric:
		call = g.pick("sum("+e(Numeric)+")", "avg("+e(Int)+")", "sum("+e(Big)+")", "avg(distinct "+e(Numeric)+")", "max("+e(Numeric)+")")
	case Bool:
		call = g.pick("bool_and", "bool_or", "every") + "(" + e(Bool) + ")"
	case Text:
		x := e(Text)
		call = g.pick("max("+x+")", "string_agg("+x+", ',' order by "+x+")", "string_agg(distinct "+x+", '-')")
	case Span:
		call = g.pick("sum", "max", "min") + "(" + e(Span) + ")"
	case Ints:
		x := e(Int)
		call = g.pick("array_agg("+x+" order by "+x+")", "max("+e(Ints)+")", "array_agg(distinct "+x+")")
	case JSON:
		x := e(JSON)
		call = "jsonb_agg(" + x + " order by " + x + ")"
	default:
		call = g.pick("max", "min") + "(" + e(t) + ")"
	}
	return call + filter
}

// window makes the partition and the order of a query's windows: one for all of
// them, and by all columns, so that rows which it leaves in no order are the same
// whichever comes first.
func (g *Generator) window(s scope) string {
	var all []string
	for _, c := range s {
		all = append(all, c.Name)
	}
	order := "order by " + strings.Join(all, ", ")
	partition := g.pick("", "partition by "+s[g.IntN(len(s))].Name+" ")
	return partition + order
}

// windowed makes an expression with a window function.
func (g *Generator) windowed(t Type, s scope, window string) string {
	frame := g.pick("", "", " rows between 1 preceding and 1 following", " rows between unbounded preceding and unbounded following", " groups 1 preceding", " range unbounded preceding")
	window = " over (" + window + frame + ")"
	e := g.expr(t, s, 1)
	switch t {
	case Big:
		return g.pick("row_number()", "rank()", "dense_rank()", "count(*)", "count("+e+")", "sum("+g.expr(Int, s, 1)+")") + window
	case Int:
		return g.pick("ntile(3)", "max("+e+")", "lag("+e+")", "first_value("+e+")") + window
	case Numeric:
		return g.pick("sum("+e+")", "avg("+g.expr(Int, s, 1)+")", "lead("+e+", 1)") + window
	case Bool:
		return "bool_or(" + e + ")" + window
	}
	if t == JSON {
		return g.pick("lag("+e+")", "first_value("+e+")") + window
	}
	return g.pick("max("+e+")", "min("+e+")", "lag("+e+")", "lead("+e+", 2)", "first_value("+e+")", "last_value("+e+")", "nth_value("+e+", 2)") + window
}
