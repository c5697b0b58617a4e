//go:build cgo

package surfaces_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shelves is a catalogue of n tables: books, which can be changed, loans, which are
// read for a reader, and others.
func shelves(t testing.TB, n int) *toolfn.Catalog {
	t.Helper()
	c := toolfn.NewCatalog()
	b := &books{}
	for i, title := range []string{"Emma", "Dracula", "Walden"} {
		b.rows = append(b.rows, value.Of("id", fmt.Sprintf("B-%d", i+1), "title", title, "state", []value.Value{"in", "out"}[i%2]))
	}
	items := []toolfn.Item{
		toolfn.ResourceTable{
			Name: "books", Description: "Books of the library.", Key: []string{"id"},
			Columns: []toolfn.Column{
				{Name: "id", Type: "text", ReadOnly: true},
				{Name: "title", Type: "text", RequiredInsert: true},
				{Name: "state", Type: "text", Description: "Where it is.", Enum: []value.Value{"in", "out"}},
			},
			Select: b.read, Insert: b.insert,
		},
		toolfn.ResourceTable{
			Name: "loans", Description: "Loans of a reader.",
			Columns: []toolfn.Column{{Name: "reader", Type: "text", RequiredKey: true, Pushdown: toolfn.PushIn}, {Name: "due", Type: "date", Description: "The last day."}},
			Select:  func(_ ctx, b toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{}, nil },
		},
	}
	for i := len(items); i < n; i++ {
		items = append(items, toolfn.ResourceTable{
			Name: fmt.Sprintf("archive_%02d", i), Description: "An archive of what the library once had.",
			Columns: []toolfn.Column{{Name: "id", Type: "bigint"}, {Name: "title", Type: "text"}, {Name: "author", Type: "text"}, {Name: "year", Type: "bigint"}, {Name: "shelf", Type: "text"}},
			Select:  func(_ ctx, b toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{}, nil },
		})
	}
	if err := c.Register(items...); err != nil {
		t.Fatal(err)
	}
	return c
}

func sqlMount(t testing.TB, c *toolfn.Catalog, o surfaces.MountOptions) *surfaces.Mounted {
	t.Helper()
	ws, err := surfaces.NewWorkspace(c, surfaces.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ws.Close)
	o.Languages = append(o.Languages, sql.Language())
	m, err := surfaces.Mount(ws, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSQLTexts holds every text that a mount of SQL shows a model, and what a model
// sees of statements. A chunk's arguments are the mount's options.
func TestSQLTexts(t *testing.T) {
	datadriven.Walk(t, "testdata/sql", func(t *testing.T, path string) {
		session := sqlMount(t, shelves(t, 2), surfaces.MountOptions{})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var o surfaces.MountOptions
			tables := 2
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "frame":
					o.Frame = surfaces.Frame(a.Vals[0])
				case "discovery":
					o.Discovery = surfaces.Discovery(a.Vals[0])
				case "tables":
					_, _ = fmt.Sscan(a.Vals[0], &tables)
				case "roles":
					o.Roles = true
				default:
					d.Fatalf(t, "unknown option %s", a.Key)
				}
			}
			switch d.Cmd {
			case "preamble":
				return sqlMount(t, shelves(t, tables), o).Preamble + "\n"
			case "tools":
				return toolTexts(t, sqlMount(t, shelves(t, tables), o))
			case "send":
				name, args, _ := strings.Cut(d.Input, " ")
				tool, ok := session.Tool(name)
				if !ok {
					t.Fatalf("no tool %s", name)
				}
				out, err := tool.Call(t.Context(), json.RawMessage(args))
				if err != nil {
					t.Fatal(err)
				}
				if out.Failed {
					return "failed\n" + out.Text + "\n"
				}
				return out.Text + "\n"
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

// A catalogue of many tables costs a model little where it finds them itself.
func TestSQLCostsLittleInDiscovery(t *testing.T) {
	for _, n := range []int{72, 1000} {
		m := sqlMount(t, shelves(t, n), surfaces.MountOptions{Discovery: surfaces.Progressive})
		cost := surfaces.EstimateTokens(m.Preamble)
		for _, u := range m.Tools {
			cost += surfaces.EstimateTokens(u.Name + u.Description + string(u.InputSchema))
		}
		t.Logf("%d tables: %d tokens", n, cost)
		if cost > 1000 {
			t.Errorf("%d tables cost %d tokens", n, cost)
		}
	}
}

// SQL reads the rows that another language has defined, as they are when it reads.
func TestSQLReadsOtherLanguages(t *testing.T) {
	for _, from := range speakers() {
		m := sqlMount(t, shelves(t, 2), surfaces.MountOptions{Languages: []surfaces.Language{from.language}})
		send := func(tool, key, program string) string {
			t.Helper()
			u, ok := m.Tool(tool)
			if !ok {
				t.Fatalf("no tool %s", tool)
			}
			in, _ := json.Marshal(map[string]string{key: strings.ReplaceAll(program, "NAME", "rows_here")})
			out, err := u.Call(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(out.Text, "\n")
			return line
		}
		other := "execute_" + from.language.Name()
		send(other, "code", from.data)
		if got := send("execute_sql", "sql", "SELECT sum(n), max(t) FROM rows_here"); got != `[{"sum":3,"max":"b"}]` {
			t.Errorf("%s: %s", other, got)
		}
		send(other, "code", from.more)
		if got := send("execute_sql", "sql", "SELECT sum(n) FROM rows_here JOIN (VALUES ('a'), ('c')) AS v (t) USING (t)"); got != `[{"sum":41}]` {
			t.Errorf("%s: %s", other, got)
		}
	}
}
