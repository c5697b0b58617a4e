package infoschema_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/infoschema"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func catalog(t testing.TB, n int) *toolfn.Catalog {
	t.Helper()
	c := toolfn.NewCatalog()
	items := make([]toolfn.Item, n)
	for i := range items {
		items[i] = toolfn.ResourceTable{
			Name: fmt.Sprintf("t%04d", i), Key: []string{"id"},
			Columns: []toolfn.Column{
				{Name: "id", Type: "bigint"},
				{Name: "of", Type: "text", RequiredKey: true},
				{Name: "at", Type: "timestamptz"},
				{Name: "state", Type: "text", Enum: []value.Value{"on", `o"f\f`}, Default: "on"},
			},
			Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{}, nil },
		}
	}
	if err := c.Register(items...); err != nil {
		t.Fatal(err)
	}
	return c
}

func meter(t testing.TB) *sandbox.Meter {
	t.Helper()
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rowsOf(t testing.TB, m *sandbox.Meter, c *toolfn.Catalog, schema, name string, f infoschema.Filter) []*value.Object {
	t.Helper()
	v, ok := infoschema.Open(schema, name)
	if !ok {
		t.Fatalf("there is no %s.%s", schema, name)
	}
	rows, err := v.Rows(m, infoschema.World{Catalog: c, Database: "d", User: "u"}, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Len() != len(v.Columns) {
			t.Fatalf("%s: a row of %d values in %d columns", name, r.Len(), len(v.Columns))
		}
	}
	return rows
}

// Every view gives rows that fit its columns.
func TestRowsFitTheirColumns(t *testing.T) {
	c := catalog(t, 2)
	for _, schema := range []string{infoschema.Information, infoschema.System} {
		if len(infoschema.Names(schema)) < 10 {
			t.Errorf("%s has %v", schema, infoschema.Names(schema))
		}
		for _, name := range infoschema.Names(schema) {
			rowsOf(t, meter(t), c, schema, name, nil)
		}
	}
}

func TestColumns(t *testing.T) {
	f := infoschema.Filter{}
	f.Add("table_name", []value.Value{"t0001"})
	var got string
	for _, r := range rowsOf(t, meter(t), catalog(t, 3), infoschema.Information, "columns", f) {
		for _, k := range []string{"table_name", "column_name", "ordinal_position", "data_type", "is_nullable", "column_default", "enum_values", "is_required_key"} {
			v, _ := r.Get(k)
			got += fmt.Sprint(v, " ")
		}
		got += "\n"
	}
	want := `t0001 id 1 bigint NO <nil> <nil> NO 
t0001 of 2 text NO <nil> <nil> YES 
t0001 at 3 timestamp with time zone YES <nil> <nil> NO 
t0001 state 4 text YES 'on'::text {"on","o\"f\\f"} NO 
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Conditions on one column must all hold, and a value of another kind narrows
// nothing.
func TestFilters(t *testing.T) {
	c := catalog(t, 5)
	count := func(f infoschema.Filter) int {
		return len(rowsOf(t, meter(t), c, infoschema.Information, "tables", f))
	}
	f := infoschema.Filter{}
	f.Add("table_schema", []value.Value{"public"})
	f.Add("table_name", []value.Value{"t0001", "t0002", "none", nil})
	if n := count(f); n != 2 {
		t.Errorf("%d tables of two names", n)
	}
	f.Add("table_name", []value.Value{"t0002"})
	if n := count(f); n != 1 {
		t.Errorf("%d tables of one name", n)
	}
	f.Add("table_name", nil)
	if n := count(f); n != 0 {
		t.Errorf("%d tables of no name", n)
	}
	f = infoschema.Filter{}
	f.Add("table_name", []value.Value{1.5})
	if n := count(f); n < 5 {
		t.Errorf("%d tables where nothing is known", n)
	}
	f = infoschema.Filter{}
	f.Add("table_schema", []value.Value{"elsewhere"})
	if n := count(f); n != 0 {
		t.Errorf("%d tables of another schema", n)
	}
}

// One table out of thousands costs one table.
func TestOneOfManyIsCheap(t *testing.T) {
	c := catalog(t, 5000)
	f := infoschema.Filter{}
	f.Add("table_name", []value.Value{"t4999"})
	m := meter(t)
	if n := len(rowsOf(t, m, c, infoschema.Information, "columns", f)); n != 4 {
		t.Errorf("%d columns", n)
	}
	one := m.Usage().Fuel
	m = meter(t)
	if n := len(rowsOf(t, m, c, infoschema.Information, "columns", nil)); n != 20_000 {
		t.Errorf("%d columns", n)
	}
	if all := m.Usage().Fuel; all < 1000*one {
		t.Errorf("one table costs %d, all cost %d", one, all)
	}
}

func BenchmarkColumnsOfOneTable(b *testing.B) {
	c := catalog(b, 5000)
	f := infoschema.Filter{}
	f.Add("table_name", []value.Value{"t4999"})
	m := meter(b)
	for b.Loop() {
		m.Reset(context.Background(), sandbox.DefaultLimits())
		rowsOf(b, m, c, infoschema.Information, "columns", f)
	}
}
