package toolfn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

const feedInput = `{"type":"object","properties":{"since":{"type":"string"},"below":{"type":"integer"},"title":{"type":"string"},
	"sort":{"type":"string"},"direction":{"type":"string"},"count":{"type":"integer","maximum":100},"cursor":{"type":"string"}}}`

// feed is a table whose function takes more than values of columns.
func (k *tracker) feed(t *testing.T, change func(*VerbSpec)) (ResourceTable, error) {
	v := &VerbSpec{
		Fn:     k.fn(t, "list", feedInput, ReadOnly(), WithOutput(json.RawMessage(issueRows))),
		Ranges: map[string]string{"since": "created_at >=", "below": "size <", "title": "title prefix"},
		Order:  &Ordering{Argument: "sort", Direction: "direction", Terms: map[string]string{"created_at": "created"}},
		Limit:  "count", Page: &Paging{Argument: "cursor", Next: "next"},
	}
	if change != nil {
		change(v)
	}
	return TableFromFn(TableSpec{Name: "issues", Select: v})
}

func TestArgumentsBesideEquality(t *testing.T) {
	k := &tracker{result: []value.Value{}}
	table, err := k.feed(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	var does []string
	for _, c := range table.Columns {
		if d := c.Does(); d != 0 {
			does = append(does, c.Name+": "+d.String())
		}
	}
	if text := strings.Join(does, "; "); text != "title: prefix; created_at: >= order; size: <" || !table.Limits {
		t.Errorf("declares %s", text)
	}
	since := Range{Column: "created_at", Op: ">=", Value: "2026-01-01T00:00:00Z"}
	for _, c := range []struct {
		b    Bindings
		want string
	}{
		{NewBindings(), `{}`},
		{NewBindings().WithRange(since).WithFirst(5, OrderKey{Column: "created_at", Desc: true}), `{"since":"2026-01-01T00:00:00Z","count":5,"sort":"created","direction":"desc"}`},
		{NewBindings().WithRange(Range{Column: "size", Op: "<", Value: int64(4)}), `{"below":4}`},
		{NewBindings().WithLike(Like{Column: "title", Pattern: `fix\_%`}), `{"title":"fix_"}`},
		{NewBindings().WithLike(Like{Column: "title", Pattern: `fix_%`}), `{}`},
		{NewBindings().WithFirst(500), `{}`}, // more than the function takes
	} {
		if _, err := table.Select(context.Background(), c.b); err != nil {
			t.Fatal(err)
		}
		if asked := k.asked(); asked != "list "+c.want {
			t.Errorf("asked %s, want %s", asked, c.want)
		}
	}
}

func TestMistakesInFurtherArguments(t *testing.T) {
	for want, change := range map[string]func(*VerbSpec){
		`no comparison`: func(v *VerbSpec) { v.Ranges["since"] = "created_at after" },
		`needs the one`: func(v *VerbSpec) { v.Ranges["until"] = "created_at <=" },
		`orders by no`:  func(v *VerbSpec) { v.Order.Terms["age"] = "age" },
		`want a column`: func(v *VerbSpec) { v.Order.Terms["created_at desc"] = "x" },
		`no argument`:   func(v *VerbSpec) { v.Limit = "max" },
	} {
		k := &tracker{}
		if _, err := k.feed(t, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestServerLeadsInACircle shows that a page is never read twice.
func TestServerLeadsInACircle(t *testing.T) {
	k := &tracker{result: value.Of("items", []value.Value{value.Of("id", "1")}, "next", "more")}
	table, err := k.feed(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Select(context.Background(), NewBindings())
	n := len(got.Page)
	for err == nil && got.Next != nil {
		got, err = got.Next(context.Background())
		n += len(got.Page)
	}
	if err != nil || n != 2 || !strings.Contains(got.Incomplete, "leads back") {
		t.Errorf("%d rows, %q, %v", n, got.Incomplete, err)
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"%", "", true},
		{"_", "é", true},
		{"_", "", false},
		{"a%", "abc", true},
		{"a%c", "abcc", true},
		{"a%c", "ab", false},
		{`a\%`, "a%", true},
		{`a\%`, "ab", false},
		{`\\`, `\`, true},
		{"%a%b%", "xaxbx", true},
		{"%a%b%", "xbxax", false},
		{"A", "a", false},
		{"%%", "x", true},
	} {
		if got := (Like{Pattern: c.pattern}).Matches(c.text); got != c.want {
			t.Errorf("%q LIKE %q is %v", c.text, c.pattern, got)
		}
	}
	if (Like{Pattern: `a\`}).Valid() || !(Like{Pattern: `a\\`}).Valid() {
		t.Error("an escape character at the end")
	}
}

func manyTables(n int) []Item {
	items := make([]Item, n)
	for i := range n {
		t := ResourceTable{Name: fmt.Sprintf("table_%d", i), Description: "Records of one kind.", Key: []string{"id"}, Select: func(context.Context, Bindings) (Rows, error) { return Rows{}, nil }}
		for j := range 12 {
			t.Columns = append(t.Columns, Column{Name: fmt.Sprintf("column_%d", j), Type: "text", Description: "A value."})
		}
		t.Columns[0] = Column{Name: "id", Type: "bigint", RequiredKey: i%2 == 0, Pushdown: PushRange, Enum: []value.Value{int64(1)}}
		items[i] = t
	}
	return items
}

func TestFactsOfTables(t *testing.T) {
	c := NewCatalog()
	if err := c.Register(manyTables(3)...); err != nil {
		t.Fatal(err)
	}
	if w := c.AdoptTables("board", manyTables(4)[3].(ResourceTable)); len(w) > 0 {
		t.Fatal(w)
	}
	var lines []string
	for f := range c.Facts() {
		id := f.Columns[0]
		lines = append(lines, fmt.Sprintf("%s %q %d %v %v %v %v|%s %s", f.Name, f.Server, len(f.Columns), f.Verbs, f.Required, id.Key, id.In, id.Does, f.Effects[Select].Impact))
	}
	want := `table_0 "" 12 [select] [id] true true|> >= < <= read
table_1 "" 12 [select] [] true true|> >= < <= read
table_2 "" 12 [select] [id] true true|> >= < <= read
table_3 "board" 12 [select] [] true true|> >= < <= read`
	if text := strings.Join(lines, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// BenchmarkTables5000 registers 5,000 tables, adopts them, and tells of them.
func BenchmarkTables5000(b *testing.B) {
	items := manyTables(5000)
	tables := make([]ResourceTable, len(items))
	for i := range items {
		tables[i] = items[i].(ResourceTable)
	}
	b.Run("register", func(b *testing.B) {
		for b.Loop() {
			if err := NewCatalog().Register(items...); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("adopt", func(b *testing.B) {
		for b.Loop() {
			if w := NewCatalog().AdoptTables("board", tables...); len(w) > 0 {
				b.Fatal(w[0])
			}
		}
	})
	c := NewCatalog()
	if err := c.Register(items...); err != nil {
		b.Fatal(err)
	}
	b.Run("facts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for f := range c.Facts() {
				n += len(f.Columns)
			}
			if n != 60_000 {
				b.Fatal(n)
			}
		}
	})
}
