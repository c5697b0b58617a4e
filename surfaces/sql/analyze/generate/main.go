// Command generate records what PostgreSQL 17 makes of many statements, right and
// wrong ones: the written ones of statements.txt, random ones, and those of sqlgen. Run it in a
// directory where npm has installed @electric-sql/pglite 0.3:
//
//	go run . | node answers.mjs | gzip -9n > ../testdata/answers.jsonl.gz
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

//go:embed statements.txt
var written string

//go:embed tables.sql
var tables string

const (
	seed  = 17
	count = 4000 // of each kind
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	print := func(s string) {
		b, err := json.Marshal(s)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(out, "%s\n", b)
	}
	random := rand.New(rand.NewPCG(seed, seed))
	typed := sqlgen.Tables(random, 0)
	for _, t := range typed {
		tables += t.DDL() + ";\n"
	}
	print(tables)
	for line := range strings.Lines(written) {
		if line = strings.TrimSpace(line); line != "" {
			print(line)
		}
	}
	g, right := &generator{random}, sqlgen.New(random, typed)
	for range count {
		print(g.statement())
		print(right.Statement())
	}
}

// generator makes statements that parse; whether they mean anything is chance.
type generator struct{ *rand.Rand }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

var columns = []string{"i2", "i4", "i8", "n", "f4", "f8", "t", "d", "ts", "iv", "u", "j", "by", "a", "b", "c", "id", "name", "dept", "salary", "hired", "tags", "note", "active", "seen", "data", "budget", "code"}

func (g *generator) column(in string) string {
	set := map[string][]string{
		"num": columns[:13], "pair": columns[13:16], "emp": {"id", "name", "dept", "salary", "hired", "tags", "note", "active", "seen", "data"}, "dept": {"id", "name", "budget", "code"},
	}[in]
	if g.IntN(40) == 0 {
		set = columns
	}
	c := set[g.IntN(len(set))]
	if g.IntN(60) == 0 {
		c += "x"
	}
	if g.IntN(4) == 0 {
		return in + "." + c
	}
	return c
}

func (g *generator) literal() string {
	return g.pick("1", "0", "-7", "2.5", "'a'", "'5'", "null", "true", "12345678901", "'2020-01-02'", "date '2020-01-02'", "interval '1 day'", "'{1,2}'", "array[1,2]", "array['a']",
		"1e10", "'x'::text", "5::int2", "5::numeric", "1.5::float8", "timestamp '2020-01-02 03:04:05'", "now()", "'{\"a\":1}'::jsonb", "'10:00'::time", "row(1,'a')", "'\\x00'::bytea", "$1")
}

var types = []string{"int", "text", "numeric(5,2)", "date", "boolean", "float8", "varchar(3)", "int[]", "timestamptz", "interval", "jsonb", "uuid", "bigint", "char(2)", "smallint", "real", "time", "bytea", "json", "timestamp", "name", "nosuch"}

var operators = []string{"+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "->", "->>", "@>", "~", "like", "^", "&", "is distinct from", "and", "or", "&&", "<@", "!~", "?", "#>", "ilike", "<<", "at time zone"}

var functions = []string{"lower", "upper", "length", "abs", "round", "coalesce", "greatest", "nullif", "concat", "substr", "sum", "count", "max", "min", "avg", "string_agg", "array_agg", "date_trunc", "to_char", "extract", "jsonb_build_object", "array_length", "unnest", "generate_series", "left", "replace", "split_part", "power", "mod", "floor", "age", "date_part", "to_date", "array_append", "bool_and", "make_date", "json_agg", "rank", "row_number", "lag", "ceil", "trunc", "position", "trim", "repeat", "strpos", "md5", "array_to_string", "string_to_array", "jsonb_typeof", "to_jsonb", "starts_with", "regexp_replace", "percentile_cont", "nosuch", "int4", "text", "date", "stddev", "every", "num_nonnulls", "sign", "width_bucket", "array_position", "cardinality", "justify_hours", "jsonb_each", "jsonb_array_elements"}

func (g *generator) expr(in string, depth int) string {
	if depth <= 0 || g.IntN(5) == 0 {
		if g.IntN(3) > 0 && in != "" {
			return g.column(in)
		}
		return g.literal()
	}
	sub := func() string { return g.expr(in, depth-1) }
	switch g.IntN(16) {
	case 0, 1, 2, 3:
		return "(" + sub() + " " + g.pick(operators...) + " " + sub() + ")"
	case 4, 5, 6:
		return g.call(in, depth)
	case 7:
		return sub() + "::" + g.pick(types...)
	case 8:
		return "case when " + g.cond(in, depth-1) + " then " + sub() + " else " + sub() + " end"
	case 9:
		return "case " + sub() + " when " + sub() + " then " + sub() + " end"
	case 10:
		return "(" + sub() + " in (" + sub() + ", " + sub() + "))"
	case 11:
		return "(" + sub() + " between " + sub() + " and " + sub() + ")"
	case 12:
		return "(" + sub() + g.pick(" is null", " is not null", " is true", " is not unknown") + ")"
	case 13:
		return "array[" + sub() + ", " + sub() + "]"
	case 14:
		return g.pick("not ", "- ", "") + "(" + sub() + ")"
	}
	return g.subquery(in, depth-1)
}

func (g *generator) call(in string, depth int) string {
	f := functions[g.IntN(len(functions))]
	var args []string
	for range g.IntN(3) + 1 {
		args = append(args, g.expr(in, depth-1))
	}
	switch f {
	case "extract":
		return "extract(" + g.pick("year", "epoch", "day") + " from " + args[0] + ")"
	case "position":
		return "position(" + args[0] + " in " + g.expr(in, depth-1) + ")"
	case "trim":
		return "trim(" + args[0] + ")"
	case "percentile_cont":
		return "percentile_cont(" + args[0] + ") within group (order by " + g.expr(in, depth-1) + ")"
	}
	list := strings.Join(args, ", ")
	switch g.IntN(24) {
	case 0:
		list = "distinct " + list
	case 1:
		list += " order by " + g.expr(in, 0)
	case 2:
		list = "*"
	case 3:
		return f + "(" + list + ") filter (where " + g.cond(in, 1) + ")"
	case 4:
		return f + "(" + list + ") over (" + g.pick("", "order by "+g.expr(in, 0), "partition by "+g.expr(in, 0)) + ")"
	}
	if f == "rank" || f == "row_number" || f == "lag" {
		if g.IntN(2) == 0 {
			list = ""
		}
		return f + "(" + list + ") over (order by " + g.expr(in, 0) + ")"
	}
	return f + "(" + list + ")"
}

func (g *generator) cond(in string, depth int) string {
	if g.IntN(8) == 0 {
		return g.expr(in, depth)
	}
	return g.expr(in, depth) + g.pick(" = ", " < ", " >= ", " <> ") + g.expr(in, depth)
}

func (g *generator) subquery(in string, depth int) string {
	t := g.pick("num", "pair", "emp", "dept")
	inner := "select " + g.expr(g.pick(in, t, t), depth) + " from " + t + g.pick("", " where "+g.cond(g.pick(in, t), 0))
	if in == "" {
		inner = "select " + g.expr(t, depth) + " from " + t
	}
	switch g.IntN(4) {
	case 0:
		return "exists (" + inner + ")"
	case 1:
		return "(" + g.expr(in, 0) + " in (" + inner + "))"
	case 2:
		return "array(" + inner + ")"
	}
	return "(" + inner + ")"
}

func (g *generator) selectOne(depth int) string {
	in := g.pick("num", "pair", "emp", "dept")
	var targets []string
	for range g.IntN(2) + 1 {
		e := g.expr(in, depth)
		if g.IntN(4) == 0 {
			e += " as " + g.pick("x", "y", "a", "id")
		}
		targets = append(targets, e)
	}
	s := "select " + g.pick("", "", "", "", "distinct ") + strings.Join(targets, ", ") + " from " + in
	if g.IntN(5) == 0 {
		other := g.pick("num", "pair", "emp", "dept")
		s += g.pick(", "+other, " join "+other+" on "+g.cond(g.pick(in, other), 0), " left join "+other+" using (id)", " natural join "+other)
	}
	if g.IntN(3) == 0 {
		s += " where " + g.cond(in, 1)
	}
	if g.IntN(5) == 0 {
		s += " group by " + g.pick(g.expr(in, 0), g.expr(in, 1), "1", "x", "rollup ("+g.column(in)+")")
		if g.IntN(3) == 0 {
			s += " having " + g.cond(in, 1)
		}
	}
	return s
}

func (g *generator) statement() string {
	switch g.IntN(14) {
	case 0:
		return g.selectOne(1) + g.pick(" union ", " union all ", " except ", " intersect ") + g.selectOne(1)
	case 1:
		return "insert into pair values (" + g.expr("", 1) + ", " + g.expr("", 1) + ", " + g.expr("", 1) + ")"
	case 2:
		return "update emp set " + g.pick("name", "dept", "salary", "hired", "tags", "note", "active", "data", "nosuch") + " = " + g.expr("emp", 1) + " where " + g.cond("emp", 1)
	case 3:
		return "values (" + g.expr("", 1) + "), (" + g.expr("", 1) + "), (" + g.expr("", 0) + ")"
	case 4:
		return g.selectOne(1) + " order by " + g.pick(g.expr("pair", 0), "1", "2", "x", "x desc nulls first") + g.pick("", " limit "+g.expr("", 0))
	}
	return g.selectOne(2)
}
