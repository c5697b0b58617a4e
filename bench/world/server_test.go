package world

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/toolfn/value"
)

func connect(t *testing.T, s *Service) *mcp.ClientSession {
	t.Helper()
	ctx := t.Context()
	transport, err := s.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestEveryServiceIsAServer(t *testing.T) {
	w := New(1, 1)
	tools := 0
	for _, s := range w.Services() {
		client := connect(t, s)
		listed, err := client.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := client.InitializeResult().Instructions; got != s.Description() {
			t.Errorf("%s: the instructions are %q", s.Name(), got)
		}
		for _, tool := range listed.Tools {
			tools++
			if tool.Annotations == nil || tool.OutputSchema == nil {
				t.Errorf("%s.%s has no hints or no output schema", s.Name(), tool.Name)
			}
		}
	}
	if tools != 32 {
		t.Errorf("%d tools", tools)
	}
}

func TestServerAndFunctionsShareOneWorld(t *testing.T) {
	w, ctx := New(1, 1), context.Background()
	client := connect(t, w.Service("slack"))
	said, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "post_message", Arguments: json.RawMessage(`{"channel":"bridge","text":"ahoy ⚓"}`)})
	if err != nil || said.IsError {
		t.Fatalf("%v %v", said, err)
	}
	found := rowsOf(t, invoke(t, w, "slack__search_messages", "query", "AHOY"))
	if len(found) != 1 || len(w.Outbox()) != 1 {
		t.Errorf("%d messages, %d effects", len(found), len(w.Outbox()))
	}
	// The text is JSON with every digit.
	mail, err := connect(t, w.Service("email")).CallTool(ctx, &mcp.CallToolParams{Name: "list_messages"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Decode([]byte(mail.Content[0].(*mcp.TextContent).Text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rowsOf(t, v), w.Rows(emails); !value.Equal(got[0], want[0]) || len(got) != len(want) {
		t.Errorf("%v, want %v", got[0], want[0])
	}
}

func TestServerRefusesWhatItCannotDo(t *testing.T) {
	w, ctx := New(1, 1), context.Background()
	client := connect(t, w.Service("jira"))
	for name, want := range map[string]struct{ args, text string }{
		"a missing argument": {`{"key":"QUAY-60"}`, "status"},
		"a word of no enum":  {`{"key":"QUAY-60","status":"Finished"}`, "Done"},
		"a missing record":   {`{"key":"QUAY-6O","status":"Done"}`, "did you mean"},
	} {
		said, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "transition_issue", Arguments: json.RawMessage(want.args)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := said.Content[0].(*mcp.TextContent).Text
		if !said.IsError || !strings.Contains(text, want.text) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if len(w.Outbox()) != 0 {
		t.Error("a refused call had an effect")
	}
}
