package mcptools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// board is a server with cards that are listed, added, changed and removed.
type board struct {
	mu  sync.Mutex
	log []string
}

func (b *board) asked() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := strings.Join(b.log, "; ")
	b.log = nil
	return text
}

func (b *board) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "board", Version: "1"}, nil)
	add := func(name, input, output string, read bool, answer string) {
		tool := &mcp.Tool{Name: name, InputSchema: json.RawMessage(input), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: read}}
		if no := false; !read {
			tool.Annotations.DestructiveHint = &no
		}
		if output != "" {
			tool.OutputSchema = json.RawMessage(output)
		}
		s.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			b.mu.Lock()
			b.log = append(b.log, name+" "+string(r.Params.Arguments))
			b.mu.Unlock()
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(answer), Content: []mcp.Content{&mcp.TextContent{Text: answer}}}, nil
		})
	}
	add("list-cards", `{"type":"object","properties":{"list":{"type":"string"}}}`,
		`{"type":"object","properties":{"cards":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"dueAt":{"type":"string","format":"date-time"}}}}}}`, true,
		`{"cards":[{"id":1,"name":"a","dueAt":"2026-01-01T00:00:00Z"},{"id":2,"name":"b"}]}`)
	add("list_people", `{"type":"object"}`, "", true, `[{"login":"ann","age":3}]`)
	add("add_card", `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, "", false, `{"id":3,"name":"c"}`)
	add("move_card", `{"type":"object","properties":{"cardId":{"type":"integer"},"name":{"type":"string"}},"required":["cardId"]}`, "", false, `{"ok":true}`)
	add("remove_card", `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`, "", false, `{"ok":true}`)
	return s
}

func (b *board) spec() Spec {
	return Spec{Name: "board", Dial: func(context.Context) (mcp.Transport, error) {
		ours, theirs := mcp.NewInMemoryTransports()
		_, err := b.server().Connect(context.Background(), theirs, nil)
		return ours, err
	}}
}

func columnsOf(t *toolfn.ResourceTable) string {
	var out []string
	for _, c := range t.Columns {
		out = append(out, c.Name+" "+c.Type)
	}
	return strings.Join(out, ", ")
}

func TestToolsOfAServerAsATable(t *testing.T) {
	b := &board{}
	spec := b.spec()
	spec.Tables = []Table{
		{Name: "cards", Select: "list-cards", Insert: "add_card", Update: "move_card", Delete: "remove_card", Inputs: map[string]string{"cardId": "id"}, Volatility: toolfn.Stable},
		{Name: "people", Select: "list_people", Sample: value.NewObject(0)},
		{Name: "ghosts", Select: "list_ghosts"},
		{Name: "bare", Select: "list_people"},
	}
	cat, set := mount(t, spec)
	cards, ok := cat.Table("cards")
	if !ok || columnsOf(cards) != "id bigint, name text, due_at timestamptz, list text" || fmt.Sprint(cards.Verbs()) != "[select insert update delete]" || fmt.Sprint(cards.Key) != "[id]" {
		t.Fatalf("%v %v", set.States(), cat.Tables())
	}
	b.asked()
	ctx := context.Background()
	rows, err := cards.Select(ctx, toolfn.NewBindings().With("list", "todo"))
	if err != nil || len(rows.Page) != 2 || b.asked() != `list-cards {"list":"todo"}` {
		t.Errorf("%v %v", rows, err)
	}
	if due, _ := rows.Page[0].Get("due_at"); due != "2026-01-01T00:00:00Z" {
		t.Errorf("%v", due)
	}
	w, err := cards.Insert(ctx, []*value.Object{value.Of("name", "c")})
	if err != nil || len(w.Rows) != 1 || b.asked() != `add_card {"name":"c"}` {
		t.Errorf("%+v %v", w, err)
	}
	if _, err = cards.Update(ctx, value.Of("name", "z"), toolfn.NewBindings().With("id", int64(2))); err != nil || b.asked() != `move_card {"cardId":2,"name":"z"}` {
		t.Error(err)
	}
	if _, err = cards.Delete(ctx, toolfn.NewBindings().With("id", int64(2))); err != nil || b.asked() != `remove_card {"id":2}` {
		t.Error(err)
	}
	people, ok := cat.Table("people")
	if !ok || columnsOf(people) != "login text, age bigint" {
		t.Errorf("columns from a sample: %v", people)
	}
	warnings := strings.Join(set.States()[0].Warnings, "\n")
	for _, want := range []string{`the server offers no tool "list_ghosts"`, "declares no output: give the table Columns or a Sample"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("%s\nwant %s", warnings, want)
		}
	}
	if !cat.Withdraw("board") || len(cat.Tables()) != 0 {
		t.Error("the tables stayed when the server went")
	}
}

func TestToolsOfAServerBecomeTablesByThemselves(t *testing.T) {
	b := &board{}
	spec := b.spec()
	spec.AutoTables = true
	cat, _ := mount(t, spec)
	var got []string
	for _, table := range cat.Tables() {
		got = append(got, fmt.Sprint(table.Name, table.Verbs()))
	}
	if strings.Join(got, " ") != "add_card[insert] list_cards[select] move_card[insert] remove_card[insert]" {
		t.Errorf("%v", got)
	}
}
