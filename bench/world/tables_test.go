package world

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestAnMCPServerAsATable maps tools of a real server to a table and changes rows
// by a condition that the server does not know: the keys are read with the whole
// condition, and each row is written by its key.
func TestAnMCPServerAsATable(t *testing.T) {
	w := New(1, 1)
	cat := toolfn.NewCatalog()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	set := mcptools.Connect(ctx, cat, []mcptools.Spec{{
		Name: "linear", Dial: func(ctx context.Context) (mcp.Transport, error) {
			return w.Service("linear").Connect(context.WithoutCancel(ctx))
		},
		Tables: []mcptools.Table{{Name: "tickets", Select: "list_issues", Insert: "create_issue", Update: "update_issue", Volatility: toolfn.Stable}},
	}})
	defer set.Close()
	if problems := set.Problems(); problems != nil {
		t.Fatal(problems)
	}
	if warnings := set.States()[0].Warnings; len(warnings) > 0 {
		t.Fatal(warnings)
	}
	d, err := dispatch.New(cat)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sandbox.NewMeter(ctx, sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	r := d.Begin(m, dispatch.Program{Language: "test"})
	defer r.End(nil)
	urgent := dispatch.Where{Rest: &dispatch.Condition{Columns: []string{"title", "state"}, Holds: func(row *value.Object) (bool, error) {
		title, _ := row.Get("title")
		state, _ := row.Get("state")
		return state != "done" && strings.Contains(title.(string), "a"), nil
	}}}
	before, err := r.Select(dispatch.Query{Table: "tickets", Where: urgent})
	if err != nil || len(before.Rows) == 0 {
		t.Fatal(err)
	}
	wrote, err := r.Update(dispatch.Change{Table: "tickets", Set: value.Of("state", "done"), Where: urgent})
	if err != nil || wrote.Affected != len(before.Rows) {
		t.Fatalf("%+v %v, want %d rows", wrote, err, len(before.Rows))
	}
	after, err := r.Select(dispatch.Query{Table: "tickets", Where: urgent})
	if err != nil || len(after.Rows) != 0 || after.Partial != "" {
		t.Errorf("%d rows are left; %v %q", len(after.Rows), err, after.Partial)
	}
	_, err = r.Update(dispatch.Change{Table: "tickets", Set: value.Of("state", "Doen"), Where: urgent})
	if err == nil || !strings.Contains(err.Error(), "is not one of its values") {
		t.Error(err)
	}
}
