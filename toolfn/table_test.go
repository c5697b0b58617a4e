package toolfn

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

func noRows(context.Context, Bindings) (Rows, error) { return Rows{}, nil }

func TestTableDefinitions(t *testing.T) {
	text := []Column{{Name: "a", Type: "text"}}
	for _, c := range []struct {
		table ResourceTable
		want  string // "" is valid
	}{
		{ResourceTable{Name: "prs", Columns: text, Select: noRows}, ""},
		{ResourceTable{Name: "", Columns: text, Select: noRows}, "has no name"},
		{ResourceTable{Name: "  ", Columns: text, Select: noRows}, "has no name"},
		{ResourceTable{Name: "public", Columns: text, Select: noRows}, "reserved"},
		{ResourceTable{Name: "Information_Schema", Columns: text, Select: noRows}, "reserved"},
		{ResourceTable{Name: "search", Columns: text, Select: noRows}, "reserved"},
		{ResourceTable{Name: "Prs", Columns: text, Select: noRows}, `call it "prs"`},
		{ResourceTable{Name: "pull-requests", Columns: text, Select: noRows}, `call it "pull_requests"`},
		{ResourceTable{Name: strings.Repeat("x", 64), Columns: text, Select: noRows}, "at most 63"},
		{ResourceTable{Name: "prs", Select: noRows}, "no columns"},
		{ResourceTable{Name: "prs", Columns: text}, "no verb"},
		{ResourceTable{Name: "prs", Columns: append(text, text...), Select: noRows}, `"a" appears twice`},
		{ResourceTable{Name: "prs", Columns: []Column{{Name: "a", Type: "string"}}, Select: noRows}, `unknown type "string": want text, bigint`},
		{ResourceTable{Name: "prs", Columns: []Column{{Name: "From X", Type: "text"}}, Select: noRows}, `call it "from_x"`},
		{ResourceTable{Name: "prs", Columns: []Column{{Name: "a", Type: "text", ReadOnly: true, RequiredInsert: true}}, Select: noRows}, "read-only and required"},
	} {
		err := NewCatalog().Register(&c.table)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.table.Name, err, c.want)
		}
	}
}

func TestTableVerbs(t *testing.T) {
	c := NewCatalog()
	table := ResourceTable{
		Name: "prs", Columns: []Column{{Name: "a", Type: "text"}}, Select: noRows,
		Delete: func(context.Context, Bindings) (Written, error) { return Written{}, nil },
	}
	if err := c.Register(table); err != nil {
		t.Fatal(err)
	}
	if err := c.Register(table); err == nil || !strings.Contains(err.Error(), "already registered") {
		t.Errorf("%v", err)
	}
	got, ok := c.Table("prs")
	if !ok || fmt.Sprint(got.Verbs()) != "[select delete]" || got.Can(Insert) || !got.Can(Delete) {
		t.Fatalf("%v", got.Verbs())
	}
	if text := got.Lacks(Insert).Error(); !strings.Contains(text, "cannot insert: it has select, delete only") {
		t.Error(text)
	}
	if col, ok := got.Column("a"); !ok || col.Type != "text" {
		t.Error("no column a")
	}
	if got.Volatility.String() != "volatile" || Stable.String() != "stable" || Immutable.String() != "immutable" {
		t.Error("volatilities are misnamed")
	}
}

func TestColumnsOf(t *testing.T) {
	type pr struct {
		Repo   string         `json:"repo" column:"key" description:"owner/name"`
		Number int            `json:"number" column:"notnull"`
		Size   *float64       `json:"size,omitempty"`
		Open   bool           `json:"open"`
		At     time.Time      `json:"at" column:"readonly"`
		Labels []string       `json:"labels"`
		Meta   map[string]any `json:"meta"`
		Day    string         `json:"day" column:"date,required"`
		Skip   string         `json:"-"`
		hidden string
	}
	_ = pr{}.hidden
	cols, err := ColumnsOf[pr]()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cols {
		got = append(got, fmt.Sprintf("%s %s key=%v insert=%v readonly=%v notnull=%v %s", c.Name, c.Type, c.RequiredKey, c.RequiredInsert, c.ReadOnly, c.NotNull, c.Description))
	}
	want := `repo text key=true insert=false readonly=false notnull=false owner/name
number bigint key=false insert=false readonly=false notnull=true 
size double precision key=false insert=false readonly=false notnull=false 
open boolean key=false insert=false readonly=false notnull=false 
at timestamptz key=false insert=false readonly=true notnull=false 
labels jsonb key=false insert=false readonly=false notnull=false 
meta jsonb key=false insert=false readonly=false notnull=false 
day date key=false insert=true readonly=false notnull=false `
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if _, err := ColumnsOf[int](); err == nil {
		t.Error("an int has columns")
	}
	if _, err := ColumnsOf[struct {
		A string `json:"a" column:"varchar"`
	}](); err == nil || !strings.Contains(err.Error(), "varchar") {
		t.Errorf("%v", err)
	}
}

func TestBindings(t *testing.T) {
	b := NewBindings().With("id", "a", "b", "a").With("state", "open")
	if got := fmt.Sprint(b.All("id"), b.All("none"), b.Columns(), b.Len(), b.Has("state"), b.Empty()); got != "[a b] [] [id state] 2 true false" {
		t.Error(got)
	}
	narrowed := b.With("id", "b", "c")
	if v, ok := narrowed.First("id"); !ok || v != "b" {
		t.Errorf("the values are not intersected: %v", narrowed.All("id"))
	}
	if b.All("id")[0] != "a" {
		t.Error("With changed the bindings it was called on")
	}
	if none := narrowed.With("id", "z"); !none.Empty() {
		t.Errorf("%v", none.All("id"))
	}
	if both := NewBindings().With("n", int64(1)).With("n", "1"); !both.Empty() {
		t.Error("1 and '1' are the same")
	}
	if same := NewBindings().With("n", int64(1)).With("n", value.Value(1.0)); same.Empty() {
		t.Error("1 and 1.0 differ")
	}
}

func TestManyBoundValuesAreDistinctByWhatTheyDenote(t *testing.T) {
	var values []value.Value
	for i := range 20_000 {
		values = append(values, int64(i), fmt.Sprint(i))
	}
	values = append(values, 1.0, 2.5, 2.5, nil, nil, true, true, int64(3))
	b := NewBindings().With("a", values...)
	if n := len(b.All("a")); n != 40_000+3 {
		t.Errorf("%d values", n)
	}
	b = b.With("a", 7.0, "7", int64(40_000), 2.5, nil)
	if got := fmt.Sprint(b.All("a")); got != "[7 7 2.5 <nil>]" {
		t.Error(got)
	}
}
