//go:build cgo

package sql_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestConsumed reads a table whose server compares words without regard to case. What
// it has found stands, and only where the statement asks for it.
func TestConsumed(t *testing.T) {
	plain := table(value.NewKeys("id", "word"), []value.Value{int64(1), "hot"}, []value.Value{int64(2), "Hot"}, []value.Value{int64(3), "cold"})
	find := func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		var out []*value.Object
		for _, r := range plain {
			have, _ := r.Get("word")
			keep := !b.Has("word")
			for _, v := range b.All("word") {
				keep = keep || strings.EqualFold(v.(string), have.(string))
			}
			if keep {
				out = append(out, r)
			}
		}
		return toolfn.Rows{Page: out, Consumed: b.Columns()}, nil
	}
	word := toolfn.Column{Name: "word", Type: "text", Pushdown: toolfn.PushIn}
	id := toolfn.Column{Name: "id", Type: "bigint"}
	must := word
	must.RequiredKey, must.Pushdown = true, toolfn.PushEqual
	c := toolfn.NewCatalog()
	err := c.Register(
		toolfn.ResourceTable{Name: "finds", Description: "Found.", Volatility: toolfn.Volatile, Columns: []toolfn.Column{id, word}, Select: find},
		toolfn.ResourceTable{Name: "looks", Description: "Looked up.", Volatility: toolfn.Volatile, Columns: []toolfn.Column{id, must}, Select: find},
		toolfn.ResourceTable{Name: "all_ids", Description: "Ids.", Volatility: toolfn.Volatile, Columns: []toolfn.Column{id}, Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
			return toolfn.Rows{Page: table(value.NewKeys("id"), []value.Value{int64(1)}, []value.Value{int64(2)}, []value.Value{int64(3)}, []value.Value{int64(4)})}, nil
		}},
	)
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
	for _, x := range []struct{ text, want string }{
		{"SELECT id FROM finds WHERE word = 'HOT'", "1 2"},
		{"SELECT id FROM finds WHERE word = 'HOT' AND id > 1", "2"},
		{"SELECT id FROM (SELECT * FROM finds) s WHERE word = 'HOT'", "1 2"},
		{"SELECT a.id FROM all_ids a LEFT JOIN finds f ON f.id = a.id WHERE f.word = 'HOT'", "1 2"},
		{"SELECT a.id FROM all_ids a LEFT JOIN finds f ON f.id = a.id AND f.word = 'HOT' WHERE f.id IS NULL", "3 4"},
		{"SELECT a.id FROM all_ids a LEFT JOIN (SELECT * FROM finds) f ON f.id = a.id WHERE f.word = 'HOT'", "1 2"},
		{"SELECT s.id FROM (SELECT a.id, f.word FROM all_ids a LEFT JOIN finds f ON f.id = a.id) s WHERE s.word = 'HOT'", "1 2"},
		{"WITH w AS (SELECT * FROM finds) SELECT id FROM w WHERE word = 'HOT'", "1 2"},
		{"SELECT id FROM looks WHERE word IN ('HOT', 'hOT')", "1 2"},
		{"SELECT a.id FROM looks a, looks b WHERE a.word IN ('HOT', 'hOT') AND b.word = 'COLD'", "1 2"},
		{"SELECT id FROM finds WHERE word = 'HOT' AND word IN (SELECT word FROM finds WHERE word = 'hot')", "1 2"},
	} {
		res := session.Execute(context.Background(), x.text)
		if res.Fault != nil {
			t.Errorf("%s: %v", x.text, res.Fault)
			continue
		}
		var got []string
		for _, r := range res.Value.([]value.Value) {
			v, _ := r.(*value.Object).Get("id")
			got = append(got, textOf(v))
		}
		slices.Sort(got)
		if have := strings.Join(got, " "); have != x.want {
			t.Errorf("%s gives %s, not %s", x.text, have, x.want)
		}
	}
}
