//go:build cgo

package exec_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// schema makes the tables of the test files, here and on a server.
var schema = []engine.TableSpec{
	{Name: "emp", Key: []string{"id"}, Columns: []engine.Column{{Name: "id", Type: "int"}, {Name: "name", Type: "text"}, {Name: "dept", Type: "text"}, {Name: "boss", Type: "int"}, {Name: "pay", Type: "numeric(8,2)"}}},
	{Name: "dept", Columns: []engine.Column{{Name: "code", Type: "text"}, {Name: "city", Type: "text"}}},
	{Name: "nums", Columns: []engine.Column{{Name: "x", Type: "int"}, {Name: "y", Type: "int"}}},
}

var content = []string{
	`insert into emp values (1, 'Ann', 'dev', null, 100.00), (2, 'Bob', 'dev', 1, 80.50), (3, 'Cid', 'ops', 1, 80.50),
		(4, 'Dee', 'ops', 3, null), (5, 'Eve', null, 3, 60.00), (6, 'Fay', 'law', 2, 75.25)`,
	`insert into dept values ('dev', 'Oslo'), ('ops', 'Bonn'), ('hr', 'Rome'), (null, 'Nice')`,
	`insert into nums values (1, 10), (2, 0), (3, null), (null, 5), (2, 0)`,
}

// TestStatements runs the files of testdata: each statement and its rows, or its
// error. The answers are a PostgreSQL server's: with POLYGLOVE_POSTGRES set they are
// asked of it again.
func TestStatements(t *testing.T) {
	datadriven.Walk(t, "testdata/statements", func(t *testing.T, path string) {
		db := engine.Open(engine.Options{})
		for _, s := range schema {
			if err := db.Create(s); err != nil {
				t.Fatal(err)
			}
		}
		session := db.Session()
		for _, sql := range content {
			if _, err := session.Query(context.Background(), sql); err != nil {
				t.Fatal(err)
			}
		}
		ask := server(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			here := answer(session, d.Input)
			if ask != nil && !d.HasArg("own") {
				if there := ask(d.Input); there != here {
					t.Errorf("%s: %s\nhere:\n%sthere:\n%s", d.Pos, d.Input, here, there)
				}
			}
			return here
		})
	})
}

func answer(s *engine.Session, sql string) string {
	r, err := s.Query(context.Background(), sql)
	if err != nil {
		if e := pgerr.From(err); e != nil {
			return "ERROR " + string(e.SQLSTATE) + " " + e.Message + "\n"
		}
		return err.Error() + "\n"
	}
	var b strings.Builder
	for i := range r.Len() {
		for j := range r.Columns {
			if j > 0 {
				b.WriteString(" | ")
			}
			v, ok := r.Text(i, j)
			if !ok {
				v = "∅"
			}
			b.WriteString(v)
		}
		b.WriteString("\n")
	}
	if r.Columns == nil || !strings.HasPrefix(r.Tag, "SELECT") {
		b.WriteString(r.Tag + "\n")
	}
	return b.String()
}

// server makes the tables on a server and gives how to ask it; nil without one.
func server(t *testing.T) func(sql string) string {
	url := os.Getenv("POLYGLOVE_POSTGRES")
	if url == "" {
		return nil
	}
	ctx := context.Background()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(ctx) })
	must := func(sql string) {
		if _, err := c.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	must("set timezone = 'UTC'")
	for _, s := range schema {
		var columns []string
		for _, x := range s.Columns {
			columns = append(columns, x.Name+" "+x.Type)
		}
		if s.Key != nil {
			columns = append(columns, "primary key ("+strings.Join(s.Key, ", ")+")")
		}
		must("create temp table " + s.Name + " (" + strings.Join(columns, ", ") + ")")
	}
	for _, sql := range content {
		must(sql)
	}
	return func(sql string) string { return askServer(c.PgConn(), sql) }
}

func askServer(c *pgconn.PgConn, sql string) string {
	r := c.ExecParams(context.Background(), sql, nil, nil, nil, nil).Read()
	var e *pgconn.PgError
	if errors.As(r.Err, &e) {
		return "ERROR " + e.Code + " " + e.Message + "\n"
	}
	if r.Err != nil {
		return r.Err.Error() + "\n"
	}
	var b strings.Builder
	for _, row := range r.Rows {
		for j, v := range row {
			if j > 0 {
				b.WriteString(" | ")
			}
			if v == nil {
				b.WriteString("∅")
				continue
			}
			b.Write(v)
		}
		b.WriteString("\n")
	}
	if tag := r.CommandTag.String(); !strings.HasPrefix(tag, "SELECT") {
		b.WriteString(tag + "\n")
	}
	return b.String()
}
