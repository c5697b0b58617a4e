package toolfn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// tracker is a few functions of an issue tracker, which log their calls.
type tracker struct {
	log    []string
	result value.Value
}

func (k *tracker) fn(t *testing.T, name, input string, opts ...Option) ToolFn {
	t.Helper()
	f, err := DefineRaw(name, json.RawMessage(input), func(_ context.Context, args *value.Object) (value.Value, error) {
		text, _ := value.Append(nil, args)
		k.log = append(k.log, name+" "+string(text))
		return k.result, nil
	}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (k *tracker) asked() string {
	text := strings.Join(k.log, "; ")
	k.log = nil
	return text
}

const issueRows = `{"type":"array","items":{"type":"object","required":["id","title"],"properties":{
	"id":{"type":"string"},"title":{"type":"string"},"state":{"type":["string","null"],"enum":["open","closed",null]},
	"createdAt":{"type":"string","format":"date-time"},"size":{"type":"integer"},"ratio":{"type":"number"},"labels":{"type":"array"}}}}`

func (k *tracker) spec(t *testing.T) TableSpec {
	return TableSpec{
		Name: "issues", Volatility: Stable,
		Select: &VerbSpec{Fn: k.fn(t, "list_issues", `{"type":"object","properties":{"project":{"type":"string"},"state":{"type":"string"},"label":{"type":"array","items":{"type":"string"}}},"required":["project"]}`,
			ReadOnly(), WithOutput(json.RawMessage(issueRows)))},
		Insert: &VerbSpec{Fn: k.fn(t, "create_issue", `{"type":"object","properties":{"title":{"type":"string"},"project":{"type":"string"}},"required":["title"]}`, Writes())},
		Update: &VerbSpec{
			Fn:     k.fn(t, "update_issue", `{"type":"object","properties":{"issue_id":{"type":"string"},"state":{"type":"string"},"title":{"type":"string"}},"required":["issue_id"]}`, Writes(), Idempotent()),
			Inputs: map[string]string{"issue_id": "id"},
		},
		Delete: &VerbSpec{Fn: k.fn(t, "delete_issue", `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`, Destroys())},
	}
}

func TestTableOfFunctionsHasTheirColumns(t *testing.T) {
	k := &tracker{}
	table, err := TableFromFn(k.spec(t))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range table.Columns {
		line := c.Name + " " + c.Type
		for mark, on := range map[string]bool{" key": c.RequiredKey} {
			if on {
				line += mark
			}
		}
		for _, m := range []struct {
			on   bool
			mark string
		}{{c.RequiredInsert, " insert"}, {c.ReadOnly, " read-only"}, {c.NotNull, " not-null"}, {c.Argument, " argument"}, {c.Pushdown == PushEqual, " ="}, {c.Pushdown == PushIn, " in"}, {len(c.Enum) > 0, fmt.Sprint(" ", c.Enum)}} {
			if m.on {
				line += m.mark
			}
		}
		lines = append(lines, line)
	}
	want := `id text not-null
title text insert not-null
state text = [open closed]
created_at timestamptz read-only
size bigint read-only
ratio double precision read-only
labels jsonb read-only
project text key argument =
label text read-only argument in`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("%s", got)
	}
	if fmt.Sprint(table.Key) != "[id]" || table.EffectOf(Insert).Impact != Write || !table.EffectOf(Update).Idempotent || table.EffectOf(Delete).Impact != Destructive || !table.EffectOf(Select).Reads() {
		t.Errorf("%v %v", table.Key, table.Effects)
	}
}

func TestTableOfFunctionsCallsThem(t *testing.T) {
	k := &tracker{}
	table, err := TableFromFn(k.spec(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	k.result = []value.Value{value.Of("id", "a", "title", "x", "createdAt", "2026-01-01T00:00:00Z")}
	rows, err := table.Select(ctx, NewBindings().With("project", "p").With("label", "bug", "ui"))
	if err != nil || k.asked() != `list_issues {"project":"p","label":["bug","ui"]}` || len(rows.Page) != 1 {
		t.Fatalf("%v %v", rows, err)
	}
	if v, _ := rows.Page[0].Get("created_at"); v != "2026-01-01T00:00:00Z" {
		t.Errorf("%v", rows.Page[0].Keys().Names())
	}
	k.result = value.Of("id", "n1", "title", "new")
	w, err := table.Insert(ctx, []*value.Object{value.Of("title", "new"), value.Of("title", "two", "project", "p")})
	if err != nil || w.Affected != 2 || len(w.Rows) != 2 || k.asked() != `create_issue {"title":"new"}; create_issue {"title":"two","project":"p"}` {
		t.Errorf("%+v %v", w, err)
	}
	k.result = "ok"
	w, err = table.Update(ctx, value.Of("state", "closed"), NewBindings().With("id", "a"))
	if err != nil || w.Affected != -1 || w.Rows != nil || k.asked() != `update_issue {"issue_id":"a","state":"closed"}` {
		t.Errorf("%+v %v", w, err)
	}
	if _, err = table.Delete(ctx, NewBindings().With("id", "a")); err != nil || k.asked() != `delete_issue {"id":"a"}` {
		t.Error(err)
	}
	// The key that finds the row is never what is set.
	_, err = table.Update(ctx, value.Of("id", "b"), NewBindings().With("id", "a"))
	if err == nil || !strings.Contains(err.Error(), "column id finds the row, so update_issue cannot set it as well") || k.asked() != "" {
		t.Error(err)
	}
	_, err = table.Insert(ctx, []*value.Object{value.Of("title", "x", "size", int64(3))})
	if err == nil || !strings.Contains(err.Error(), "column size cannot be written: create_issue has no argument for it") || k.asked() != "" {
		t.Error(err)
	}
}

func TestTableOfFunctionsFindsTheRows(t *testing.T) {
	row := value.Of("id", "a", "title", "x")
	for _, c := range []struct {
		name   string
		result value.Value
		rows   string // member
		want   string
	}{
		{"a list", []value.Value{row, row}, "", "a a"},
		{"nothing", nil, "", ""},
		{"one row", row, "", "a"},
		{"an envelope", value.Of("items", []value.Value{row}, "total", int64(1)), "", "a"},
		{"JSON text", `{"items":[{"id":"a"},{"id":"b"}]}`, "", "a b"},
		{"a JSON list", `[{"id":"a"}]`, "", "a"},
		{"an empty envelope", value.Of("items", []value.Value{}), "", ""},
		{"the member that is named", value.Of("items", []value.Value{row}, "also", []value.Value{row}), "also", "a"},
		{"two lists", value.Of("items", []value.Value{row}, "also", []value.Value{row}), "", "the rows may be in items or also: the table has to say which (Rows)"},
		{"no such member", value.Of("items", []value.Value{row}), "rows", `the result has no member "rows"`},
		{"another object", value.Of("message", "not found"), "", "the result is an object with message, and none of these is a column"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &tracker{result: c.result}
			spec := k.spec(t)
			spec.Select.Rows = c.rows
			table, err := TableFromFn(spec)
			if err != nil {
				t.Fatal(err)
			}
			got, err := table.Select(context.Background(), NewBindings().With("project", "p"))
			if err != nil {
				if !strings.Contains(err.Error(), c.want) || c.want == "" {
					t.Error(err)
				}
				return
			}
			var ids []string
			for _, row := range got.Page {
				id, _ := row.Get("id")
				ids = append(ids, fmt.Sprint(id))
			}
			if strings.Join(ids, " ") != c.want {
				t.Errorf("%v", ids)
			}
		})
	}
}

func TestTableOfFunctionsReadsPages(t *testing.T) {
	k := &tracker{result: value.Of("items", []value.Value{value.Of("id", "a")}, "next_page_token", "2")}
	spec := k.spec(t)
	table, err := TableFromFn(spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Select(context.Background(), NewBindings().With("project", "p"))
	if err != nil || !strings.Contains(got.Incomplete, "the server has further pages (next_page_token)") || got.Next != nil {
		t.Errorf("%+v %v", got, err)
	}
	spec.Select.Fn = k.fn(t, "list_issues", `{"type":"object","properties":{"project":{"type":"string"},"page_token":{"type":"string"}}}`, ReadOnly(), WithOutput(json.RawMessage(issueRows)))
	spec.Select.Page = &Paging{Argument: "page_token", Next: "next_page_token"}
	if table, err = TableFromFn(spec); err != nil {
		t.Fatal(err)
	}
	if _, ok := table.Column("page_token"); ok {
		t.Error("the argument for the page became a column")
	}
	k.asked()
	got, err = table.Select(context.Background(), NewBindings().With("project", "p"))
	if err != nil || got.Next == nil || got.Incomplete != "" {
		t.Fatalf("%+v %v", got, err)
	}
	k.result = value.Of("items", []value.Value{value.Of("id", "b")}, "next_page_token", nil)
	last, err := got.Next(context.Background())
	if asked := k.asked(); err != nil || last.Next != nil || len(last.Page) != 1 || asked != `list_issues {"project":"p"}; list_issues {"project":"p","page_token":"2"}` {
		t.Errorf("%+v %v %s", last, err, asked)
	}
}

func TestTableOfFunctionsNeedsColumns(t *testing.T) {
	k := &tracker{}
	read := k.fn(t, "list_things", `{"type":"object"}`, ReadOnly())
	_, err := TableFromFn(TableSpec{Name: "things", Select: &VerbSpec{Fn: read}})
	if err == nil || !strings.Contains(err.Error(), "the function list_things declares no output: give the table Columns or a Sample") {
		t.Error(err)
	}
	table, err := TableFromFn(TableSpec{
		Name: "things", Select: &VerbSpec{Fn: read},
		Sample: value.Of("data", []value.Value{value.Of("id", int64(1), "n", int64(1)), value.Of("id", int64(2), "n", 2.5, "tag", "x")}),
	})
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range table.Columns {
		columns = append(columns, c.Name+" "+c.Type)
	}
	if strings.Join(columns, ", ") != "id bigint, n double precision, tag text" {
		t.Error(columns)
	}
	table, err = TableFromFn(TableSpec{Name: "things", Select: &VerbSpec{Fn: read}, Columns: []Column{{Name: "id", Type: "bigint"}}})
	if err != nil || len(table.Columns) != 1 {
		t.Errorf("%v %v", table.Columns, err)
	}
}
