package sqlgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Generator makes statements.
type Generator struct {
	*rand.Rand
	tables []Table
	ctes   []source
	depth  int // of queries
	names  int
}

// New makes a generator over the tables.
func New(r *rand.Rand, tables []Table) *Generator { return &Generator{Rand: r, tables: tables} }

// source is something to select from, under a name.
type source struct {
	name    string
	columns []Column
}

// scope is what an expression may refer to: columns by their full names.
type scope []Column

func (g *Generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *Generator) typ() Type { return allTypes[g.IntN(len(allTypes))] }

func (s scope) of(t Type) []string {
	var out []string
	for _, c := range s {
		if c.Type == t {
			out = append(out, c.Name)
		}
	}
	return out
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (g *Generator) literal(t Type) string {
	v := value(g.Rand, t)
	switch t {
	case Int:
		if g.IntN(12) == 0 {
			return "null::int"
		}
		return "(" + v + ")"
	case Big:
		return "(" + v + ")::bigint"
	case Numeric:
		return "(" + v + ")"
	case Float:
		return "(" + v + ")::float8"
	case Bool:
		return v
	case Span:
		return "interval " + quote(v)
	case Ints:
		return quote(v) + "::int[]"
	case JSON:
		return quote(v) + "::jsonb"
	case Date:
		return "date " + quote(v)
	case Stamp:
		return "timestamp " + quote(v)
	}
	return quote(v) + "::text"
}

// expr makes an expression of a type.
func (g *Generator) expr(t Type, s scope, depth int) string {
	columns := s.of(t)
	if depth <= 0 || g.IntN(4) == 0 {
		if len(columns) > 0 && g.IntN(4) > 0 {
			return columns[g.IntN(len(columns))]
		}
		return g.literal(t)
	}
	sub := func(t Type) string { return g.expr(t, s, depth-1) }
	switch g.IntN(9) {
	case 0:
		return "coalesce(" + sub(t) + ", " + sub(t) + ")"
	case 1:
		return "case when " + sub(Bool) + " then " + sub(t) + " else " + sub(t) + " end"
	case 2:
		return "nullif(" + sub(t) + ", " + sub(t) + ")"
	case 3:
		if t != Bool {
			return g.pick("greatest", "least") + "(" + sub(t) + ", " + sub(t) + ")"
		}
	case 4:
		if g.depth < 2 && g.IntN(3) == 0 {
			return g.scalar(t, s)
		}
	}
	return g.own(t, sub, s, depth)
}

// own makes an expression of the kind that a type has for itself.
func (g *Generator) own(t Type, sub func(Type) string, s scope, depth int) string {
	switch t {
	case Int:
		return g.choose(
			func() string { return "(" + sub(Int) + g.pick(" + ", " - ", " * ") + sub(Int) + ")" },
			func() string { return "(" + sub(Int) + g.pick(" / ", " % ") + "nullif(" + sub(Int) + ", 0))" },
			func() string { return "abs(" + sub(Int) + ")" },
			func() string { return "length(" + sub(Text) + ")" },
			func() string { return "(" + sub(Date) + " - " + sub(Date) + ")" },
			func() string { return sub(Bool) + "::int" },
			func() string { return "cardinality(" + sub(Ints) + ")" },
			func() string { return "(" + sub(Ints) + ")[" + g.pick("1", "2", "0", "9") + "]" },
			func() string { return "strpos(" + sub(Text) + ", " + sub(Text) + ")" },
		)
	case Big:
		return g.choose(
			func() string { return "(" + sub(Big) + g.pick(" + ", " - ", " * ") + sub(Int) + ")" },
			func() string { return sub(Int) + "::bigint" },
			func() string { return "-(" + sub(Big) + ")" },
		)
	case Numeric:
		return g.choose(
			func() string { return "(" + sub(Numeric) + g.pick(" + ", " - ", " * ") + sub(Numeric) + ")" },
			func() string { return "(" + sub(Numeric) + " / nullif(" + sub(Numeric) + ", 0))" },
			func() string { return g.pick("round", "trunc") + "(" + sub(Numeric) + ", 1)" },
			func() string { return g.pick("abs", "ceil", "floor", "sign") + "(" + sub(Numeric) + ")" },
			func() string { return sub(Int) + "::numeric" },
			func() string { return "extract(" + g.pick("year", "month", "dow", "doy") + " from " + sub(Date) + ")" },
		)
	case Float:
		return g.choose(
			func() string { return "(" + sub(Float) + g.pick(" + ", " - ", " * ") + sub(Float) + ")" },
			func() string { return sub(Numeric) + "::float8" },
			func() string { return "abs(" + sub(Float) + ")" },
		)
	case Date:
		return g.choose(
			func() string { return "(" + sub(Date) + g.pick(" + ", " - ") + sub(Int) + ")" },
			func() string { return sub(Stamp) + "::date" },
		)
	case Stamp:
		return g.choose(
			func() string {
				return "(" + sub(Stamp) + g.pick(" + ", " - ") + "interval " + quote(g.pick("1 day", "2 months", "36 hours")) + ")"
			},
			func() string {
				return "date_trunc(" + quote(g.pick("month", "day", "hour", "week")) + ", " + sub(Stamp) + ")"
			},
			func() string { return sub(Date) + "::timestamp" },
		)
	case Span:
		return g.choose(
			func() string { return "(" + sub(Stamp) + " - " + sub(Stamp) + ")" },
			func() string { return "(" + sub(Span) + g.pick(" + ", " - ") + sub(Span) + ")" },
			func() string { return "(" + sub(Span) + " * " + g.pick("2", "0.5", "-1") + ")" },
			func() string { return "justify_days(" + sub(Span) + ")" },
			func() string { return "age(" + sub(Stamp) + ", " + sub(Stamp) + ")" },
		)
	case Ints:
		return g.choose(
			func() string { return "array[" + sub(Int) + ", " + sub(Int) + "]" },
			func() string { return "(" + sub(Ints) + " || " + sub(g.pickType(Int, Ints)) + ")" },
			func() string { return "array_remove(" + sub(Ints) + ", " + sub(Int) + ")" },
			func() string { return "(" + sub(Ints) + ")[" + g.pick("1:2", "2:", ":1", "0:1") + "]" },
		)
	case JSON:
		return g.json(sub)
	case Bool:
		return g.condition(sub, s, depth)
	}
	return g.text(sub)
}

func (g *Generator) pickType(list ...Type) Type { return list[g.IntN(len(list))] }

func (g *Generator) json(sub func(Type) string) string {
	return g.choose(
		func() string { return "(" + sub(JSON) + " -> " + g.pick("'k'", "'v'", "0", "-1") + ")" },
		func() string { return "(" + sub(JSON) + " #> '{v,0}')" },
		func() string { return "to_jsonb(" + sub(g.typ()) + ")" },
		func() string { return "jsonb_build_object('a', " + sub(g.typ()) + ", 'k', " + sub(Int) + ")" },
		func() string { return "jsonb_build_array(" + sub(g.typ()) + ", " + sub(Text) + ")" },
		func() string { return "jsonb_strip_nulls(" + sub(JSON) + ")" },
	)
}

func (g *Generator) choose(list ...func() string) string { return list[g.IntN(len(list))]() }

func (g *Generator) text(sub func(Type) string) string {
	return g.choose(
		func() string { return "(" + sub(Text) + " || " + sub(Text) + ")" },
		func() string { return g.pick("lower", "upper", "reverse", "trim", "initcap") + "(" + sub(Text) + ")" },
		func() string {
			return "substr(" + sub(Text) + ", " + g.pick("1", "2", "0", "-1") + ", " + g.pick("0", "1", "3") + ")"
		},
		func() string { return g.pick("left", "right") + "(" + sub(Text) + ", " + sub(Int) + ")" },
		func() string { return "replace(" + sub(Text) + ", 'a', " + sub(Text) + ")" },
		func() string { return sub(g.typ()) + "::text" },
		func() string { return "concat(" + sub(g.typ()) + ", " + sub(Text) + ")" },
		func() string { return "lpad(" + sub(Text) + ", 4, '*')" },
		func() string { return "to_char(" + sub(Date) + ", 'YYYY-MM Mon')" },
		func() string { return "array_to_string(array[" + sub(Int) + ", " + sub(Int) + "], '-', '?')" },
		func() string {
			return "(jsonb_build_object('k', " + sub(Int) + ", 'v', " + sub(Text) + ") ->> " + quote(g.pick("k", "v", "z")) + ")"
		},
		func() string { return "md5(" + sub(Text) + ")" },
		func() string { return "split_part(" + sub(Text) + ", ' ', " + g.pick("1", "2", "-1") + ")" },
		func() string { return "translate(" + sub(Text) + ", 'ab', 'x')" },
	)
}

func (g *Generator) condition(sub func(Type) string, s scope, depth int) string {
	t := g.typ()
	return g.choose(
		func() string {
			return "(" + sub(t) + g.pick(" = ", " <> ", " < ", " <= ", " > ", " >= ") + sub(t) + ")"
		},
		func() string { return "(" + sub(Bool) + g.pick(" and ", " or ") + sub(Bool) + ")" },
		func() string { return "(not " + sub(Bool) + ")" },
		func() string { return "(" + sub(t) + g.pick(" is null", " is not null") + ")" },
		func() string {
			return "(" + sub(t) + g.pick(" in (", " not in (") + sub(t) + ", " + sub(t) + ", " + g.literal(t) + "))"
		},
		func() string {
			return "(" + sub(t) + g.pick(" between ", " not between ") + sub(t) + " and " + sub(t) + ")"
		},
		func() string {
			return "(" + sub(Text) + g.pick(" like ", " not like ", " ilike ") + quote(g.pick("a%", "%b", "_", "%", "A_c")) + ")"
		},
		func() string {
			return "(" + sub(t) + g.pick(" is distinct from ", " is not distinct from ") + sub(t) + ")"
		},
		func() string {
			return "(" + sub(Bool) + g.pick(" is true", " is not true", " is false", " is unknown") + ")"
		},
		func() string {
			return "(" + sub(Int) + " = " + g.pick("any", "all") + " (array[" + sub(Int) + ", " + sub(Int) + "]))"
		},
		func() string {
			return "((" + sub(Int) + ", " + sub(Text) + ")" + g.pick(" = ", " < ", " >= ", " <> ") + "(" + sub(Int) + ", " + sub(Text) + "))"
		},
		func() string { return "(" + sub(Int) + " = any (" + sub(Ints) + "))" },
		func() string { return "(" + sub(Ints) + g.pick(" @> ", " && ", " <@ ") + sub(Ints) + ")" },
		func() string { return "(" + sub(JSON) + g.pick(" @> ", " <@ ") + sub(JSON) + ")" },
		func() string { return "(" + sub(JSON) + " ? 'k')" },
		func() string { return g.quantified(t, sub, s, depth) },
	)
}

func (g *Generator) quantified(t Type, sub func(Type) string, s scope, _ int) string {
	if g.depth >= 2 {
		return "(" + sub(t) + " = " + sub(t) + ")"
	}
	return g.choose(
		func() string { return g.pick("", "not ") + "exists (" + g.inner(nil, s) + ")" },
		func() string { return "(" + sub(t) + g.pick(" in (", " not in (") + g.inner([]Type{t}, s) + "))" },
		func() string {
			return "(" + sub(t) + g.pick(" = any (", " < all (", " > any (") + g.inner([]Type{t}, s) + "))"
		},
	)
}

// inner makes a sub-query that may refer to what is around it.
func (g *Generator) inner(types []Type, outer scope) string {
	g.depth++
	defer func() { g.depth-- }()
	from, s := g.from()
	all := append(append(scope{}, s...), outer...)
	list := "1"
	if len(types) > 0 {
		list = g.expr(types[0], s, 1)
	}
	q := "select " + list + " from " + from
	if g.IntN(4) > 0 {
		q += " where " + g.expr(Bool, all, 2)
	}
	return q
}

// scalar makes a sub-query of one row.
func (g *Generator) scalar(t Type, outer scope) string {
	g.depth++
	defer func() { g.depth-- }()
	from, s := g.from()
	all := append(append(scope{}, s...), outer...)
	f := g.pick("max", "min")
	e := g.expr(t, s, 1)
	switch t {
	case Bool:
		f = g.pick("bool_and", "bool_or")
	case JSON:
		f, e = "jsonb_agg", e+" order by "+e
	}
	return fmt.Sprintf("(select %s(%s) from %s where %s)", f, e, from, g.expr(Bool, all, 1))
}
