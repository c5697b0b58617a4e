//go:build cgo

package engine_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

// A server is asked when there is one: a PostgreSQL that may be written to, with a
// database of collation C.
var (
	serverURL = flag.String("postgres", os.Getenv("POLYGLOVE_POSTGRES"), "URL of a PostgreSQL to compare with")
	queries   = flag.Int("queries", 1000, "random statements to compare")
	seed      = flag.Uint64("seed", 1, "seed of the random statements")
)

// outcome is what a statement gave, as text.
type outcome struct {
	columns []string
	rows    []string
	code    string
	message string
}

func (o outcome) String() string {
	if o.code != "" {
		return o.code + " " + o.message
	}
	const shown = 12
	rows := strings.Join(o.rows[:min(len(o.rows), shown)], "\n    ")
	return fmt.Sprintf("%s: %d rows\n    %s", strings.Join(o.columns, ", "), len(o.rows), rows)
}

// TestRandomQueries runs random statements on the engine and on the server. What the
// engine answers must be what the server answers; 0A000 is allowed.
func TestRandomQueries(t *testing.T) {
	if *serverURL == "" {
		t.Skip("no server: set POLYGLOVE_POSTGRES")
	}
	ctx := context.Background()
	server, err := pgx.Connect(ctx, *serverURL)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(ctx)
	r := rand.New(rand.NewPCG(*seed, *seed))
	tables := sqlgen.Tables(r, 9)
	db := engine.Open(engine.Options{})
	both(t, db, server, tables)
	g := sqlgen.New(r, tables)
	refused := map[string]int{}
	agree, differ := 0, 0
	for range *queries {
		sql := g.Statement()
		ordered := strings.Contains(sql, " order by 1")
		ours, theirs := runHere(db, sql), runThere(t, server, sql)
		switch {
		case ours.code == "0A000":
			refused[ours.message]++
		case alike(ours, theirs, ordered):
			agree++
		default:
			if differ++; differ <= 10 {
				small := minimise(t, db, server, sql)
				t.Errorf("%s\n  here:  %s\n  there: %s", small, runHere(db, small), runThere(t, server, small))
			}
		}
	}
	t.Logf("%d agree, %d differ, refused: %v", agree, differ, refused)
	if agree == 0 {
		t.Error("nothing was compared")
	}
}

// both makes the tables on both sides.
func both(t *testing.T, db *engine.DB, server *pgx.Conn, tables []sqlgen.Table) {
	t.Helper()
	ctx := context.Background()
	for _, x := range tables {
		spec := engine.TableSpec{Name: x.Name}
		if x.Key != "" {
			spec.Key = []string{x.Key}
		}
		for _, c := range x.Columns {
			spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: string(c.Type)})
		}
		if err := db.Register(spec, slicesOf(x.Rows)); err != nil {
			t.Fatal(err)
		}
		must(t, server, strings.Replace(x.DDL(), "create table", "create temp table", 1))
		for _, row := range x.Rows {
			var values []string
			for _, v := range row {
				if v == nil {
					values = append(values, "null")
					continue
				}
				values = append(values, "'"+strings.ReplaceAll(v.(string), "'", "''")+"'")
			}
			must(t, server, fmt.Sprintf("insert into %s values (%s)", x.Name, strings.Join(values, ", ")))
		}
		if _, err := server.Exec(ctx, "analyze "+x.Name); err != nil {
			t.Fatal(err)
		}
	}
}

func slicesOf(rows [][]any) iter.Seq[[]any] { return slices.Values(rows) }

func must(t *testing.T, server *pgx.Conn, sql string) {
	t.Helper()
	if _, err := server.Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func runHere(db *engine.DB, sql string) outcome {
	res, err := db.Query(context.Background(), sql)
	return outcomeOf(res, err)
}

func outcomeOf(res *engine.Result, err error) outcome {
	if err != nil {
		if e := pgerr.From(err); e != nil {
			return outcome{code: string(e.SQLSTATE), message: e.Message}
		}
		return outcome{code: "limit", message: err.Error()}
	}
	var out outcome
	for _, c := range res.Columns {
		out.columns = append(out.columns, c.Name+" "+c.Type)
	}
	for i := range res.Len() {
		var cells []string
		for j := range res.Columns {
			text, ok := res.Text(i, j)
			if !ok {
				text = "∅"
			}
			cells = append(cells, text)
		}
		out.rows = append(out.rows, strings.Join(cells, " | "))
	}
	return out
}

func runThere(t *testing.T, server *pgx.Conn, sql string) outcome {
	t.Helper()
	rows := server.PgConn().ExecParams(context.Background(), sql, nil, nil, nil, nil)
	var out outcome
	for _, f := range rows.FieldDescriptions() {
		name := f.Name
		if typ, ok := server.TypeMap().TypeForOID(f.DataTypeOID); ok {
			name += " " + longName(typ.Name)
		}
		out.columns = append(out.columns, name)
	}
	for rows.NextRow() {
		var cells []string
		for _, c := range rows.Values() {
			if c == nil {
				cells = append(cells, "∅")
				continue
			}
			cells = append(cells, string(c))
		}
		out.rows = append(out.rows, strings.Join(cells, " | "))
	}
	if _, err := rows.Close(); err != nil {
		var e *pgconn.PgError
		if errors.As(err, &e) {
			return outcome{code: e.Code, message: e.Message}
		}
		t.Fatal(err)
	}
	return out
}

func longName(short string) string {
	names := map[string]string{
		"int4": "integer", "int8": "bigint", "int2": "smallint", "bool": "boolean", "float8": "double precision", "float4": "real",
		"timestamp": "timestamp without time zone", "timestamptz": "timestamp with time zone", "varchar": "character varying", "_int4": "integer[]",
	}
	if n := names[short]; n != "" {
		return n
	}
	return short
}

// trailing are the zeros after a number's decimal point. Which of two equal numbers
// stands for both in DISTINCT and the like is open.
var trailing = regexp.MustCompile(`(\.\d*?)0+( \||$)`)

func canonical(o outcome) []string {
	out := make([]string, len(o.rows))
	for i, r := range o.rows {
		out[i] = strings.ReplaceAll(trailing.ReplaceAllString(r, "$1$2"), ". |", " |")
		out[i] = strings.TrimSuffix(out[i], ".")
	}
	return out
}

func alike(a, b outcome, ordered bool) bool {
	if a.code != "" || b.code != "" {
		return a.code == b.code && a.message == b.message
	}
	x, y := canonical(a), canonical(b)
	if !ordered {
		slices.Sort(x)
		slices.Sort(y)
	}
	return slices.Equal(a.columns, b.columns) && slices.Equal(x, y)
}

// minimise drops what is in parentheses, or replaces it by NULL, as long as the two
// sides differ.
func minimise(t *testing.T, db *engine.DB, server *pgx.Conn, sql string) string {
	differs := func(s string) bool {
		ours := runHere(db, s)
		theirs := runThere(t, server, s)
		return ours.code != "0A000" && ours.code != "42601" && theirs.code != "42601" && !alike(ours, theirs, strings.Contains(s, " order by 1"))
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for _, next := range shorter(sql) {
			if len(next) < len(sql) && differs(next) {
				sql, shrunk = next, true
				break
			}
		}
	}
	return sql
}

// shorter gives texts without one parenthesised part, or with one operand of it.
func shorter(sql string) []string {
	var out []string
	for i := range len(sql) {
		if sql[i] != '(' {
			continue
		}
		end := closing(sql, i)
		if end < 0 {
			continue
		}
		start := i
		for start > 0 && (sql[start-1] == '_' || sql[start-1] >= 'a' && sql[start-1] <= 'z') {
			start--
		}
		for _, part := range split(sql[i+1 : end]) {
			out = append(out, sql[:start]+part+sql[end+1:], sql[:i+1]+part+sql[end:])
		}
		out = append(out, sql[:start]+"null"+sql[end+1:])
	}
	for _, word := range []string{" where ", " order by ", " having ", " limit ", " group by "} {
		if i := strings.LastIndex(sql, word); i > 0 {
			out = append(out, sql[:i])
		}
	}
	return out
}

func closing(s string, from int) int {
	depth, quoted := 0, false
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case quoted:
		case s[i] == '(':
			depth++
		case s[i] == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split gives the parts of a list between commas and operators.
func split(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',', ' ':
			if depth == 0 && i > start {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}
