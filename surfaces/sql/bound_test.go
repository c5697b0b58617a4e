//go:build cgo

package sql_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestBoundValues fixes columns to values of other types, and in other spellings, than
// the cells have: a read narrowed by them loses no row.
func TestBoundValues(t *testing.T) {
	keys := value.NewKeys("id", "n", "x", "d", "at", "doc")
	rows := table(keys,
		[]value.Value{int64(1), int64(2), 2.5, "2026-05-01", "2026-05-01T10:00:00Z", value.Of("a", int64(1))},
		[]value.Value{int64(2), int64(3), 2.0, "2026-05-02", "2026-05-02T00:00:00.000+00:00", "x"},
		[]value.Value{int64(3), nil, nil, nil, nil, nil})
	c := toolfn.NewCatalog()
	column := func(name, kind string) toolfn.Column {
		return toolfn.Column{Name: name, Type: kind, Pushdown: toolfn.PushIn}
	}
	err := c.Register(toolfn.ResourceTable{
		Name: "cells", Description: "Cells.", Volatility: toolfn.Volatile,
		Columns: []toolfn.Column{column("id", "bigint"), column("n", "bigint"), column("x", "double precision"), column("d", "date"), column("at", "timestamptz"), column("doc", "jsonb")},
		Select:  func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{Page: rows}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	ws, err := surfaces.NewWorkspace(c)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	session, err := ws.Open(sql.Language())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, x := range []struct{ where, want string }{
		{"n = 2.0", "1"},
		{"n = 2.5", ""},
		{"n = 1e30", ""},
		{"n in (2, 3.0)", "1 2"},
		{"n = 2 and n = 2.0", "1"},
		{"n = 2::float8", "1"},
		{"n = 'NaN'::numeric", ""},
		{"x = 2", "2"},
		{"x = 2.5::numeric", "1"},
		{"x = 'NaN'", ""},
		{"x = 'Infinity'", ""},
		{"d = '2026-05-01'", "1"},
		{"d = timestamp '2026-05-01 00:00'", "1"},
		{"d = timestamp '2026-05-01 10:00'", ""},
		{"d = '2026-05-01' and d = timestamp '2026-05-01'", "1"},
		{"d = timestamptz '2026-05-01 02:00+02'", "1"},
		{"d = 'infinity'", ""},
		{"at = '2026-05-01 12:00+02'", "1"},
		{"at = date '2026-05-02'", "2"},
		{"at = timestamp '2026-05-02'", "2"},
		{"at in ('2026-05-01T10:00:00.000Z', 'infinity')", "1"},
		{`doc = '{"a": 1.0}'`, "1"},
		{`doc = '"x"'`, "2"},
		{`doc = 'null'`, ""},
	} {
		res := session.Execute(context.Background(), "SELECT id FROM cells WHERE "+x.where)
		if res.Fault != nil {
			t.Errorf("%s: %v", x.where, res.Fault)
			continue
		}
		var got []string
		for _, r := range res.Value.([]value.Value) {
			v, _ := r.(*value.Object).Get("id")
			got = append(got, fmt.Sprint(v))
		}
		slices.Sort(got)
		if have := strings.Join(got, " "); have != x.want {
			t.Errorf("%s gives %q, not %q", x.where, have, x.want)
		}
	}
}
