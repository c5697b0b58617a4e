package world

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func tableOf(t *testing.T, w *World, name string) toolfn.ResourceTable {
	t.Helper()
	for _, r := range w.Tables() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("there is no table %s", name)
	return toolfn.ResourceTable{}
}

func TestTablesReadThroughTheTools(t *testing.T) {
	w, ctx := New(1, 1), context.Background()
	prs := tableOf(t, w, pullRequests)
	one, err := prs.Select(ctx, toolfn.NewBindings().With("state", "open"))
	if err != nil {
		t.Fatal(err)
	}
	if want := rowsOf(t, invoke(t, w, "github__list_pull_requests", "state", "open")); len(one.Page) != len(want) {
		t.Errorf("%d rows, the tool gives %d", len(one.Page), len(want))
	}
	// Two values cannot be passed on; the engine filters.
	two, err := prs.Select(ctx, toolfn.NewBindings().With("state", "open", "closed"))
	if err != nil || len(two.Page) != len(w.Rows(pullRequests)) {
		t.Errorf("%d rows, %v", len(two.Page), err)
	}
	// A required column is asked for value by value.
	chat, err := tableOf(t, w, slackMessages).Select(ctx, toolfn.NewBindings().With("channel", "bridge", "releases"))
	if err != nil || len(chat.Page) == 0 {
		t.Fatalf("%d rows, %v", len(chat.Page), err)
	}
	for _, row := range chat.Page {
		if c := textOf(row, "channel"); c != "bridge" && c != "releases" {
			t.Errorf("a row of %s", c)
		}
	}
}

func TestTablesWriteThroughTheTools(t *testing.T) {
	w, ctx := New(1, 1), context.Background()
	done, err := tableOf(t, w, emails).Insert(ctx, []*value.Object{
		value.Of("to_addr", "a@b.example", "subject", "one", "body", "x"),
		value.Of("to_addr", "c@d.example", "subject", "two", "body", "y"),
	})
	if err != nil || done.Affected != 2 {
		t.Fatalf("%v, %v", done, err)
	}
	acks := tableOf(t, w, incidents)
	if _, err := acks.Update(ctx, value.Of("status", "resolved"), toolfn.NewBindings().With("id", "INC-900")); err == nil || !strings.Contains(err.Error(), "acknowledged") {
		t.Errorf("a status that the tool cannot set: %v", err)
	}
	if _, err := acks.Update(ctx, value.Of("status", "acknowledged"), toolfn.NewBindings()); err == nil || !strings.Contains(err.Error(), "WHERE id") {
		t.Errorf("no key: %v", err)
	}
	done, err = acks.Update(ctx, value.Of("status", "acknowledged"), toolfn.NewBindings().With("id", "INC-900", "INC-901"))
	if err != nil || done.Affected != 2 {
		t.Fatalf("%v, %v", done, err)
	}
	var sent []string
	for _, e := range w.Outbox() {
		line, _ := e.Payload.MarshalJSON()
		sent = append(sent, e.Kind+string(line))
	}
	want := `email.send{"to":"a@b.example","subject":"one","body":"x"} email.send{"to":"c@d.example","subject":"two","body":"y"} ` +
		`pagerduty.ack{"id":"INC-900"} pagerduty.ack{"id":"INC-901"}`
	if got := strings.Join(sent, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestColumns(t *testing.T) {
	r := tableOf(t, New(1, 1), slackMessages)
	channel, _ := r.Column("channel")
	thread, _ := r.Column("thread_of")
	when, _ := r.Column("ts")
	if !channel.RequiredKey || !channel.RequiredInsert || channel.Pushdown != toolfn.PushEqual || channel.ReadOnly {
		t.Errorf("channel is %+v", channel)
	}
	if thread.NotNull || !thread.ReadOnly {
		t.Errorf("thread_of is %+v", thread)
	}
	if when.Type != "timestamptz" || !when.NotNull {
		t.Errorf("ts is %+v", when)
	}
	state, _ := tableOfPtr(t, pullRequests).Column("state")
	if len(state.Enum) != 3 {
		t.Errorf("state is %+v", state)
	}
}

func tableOfPtr(t *testing.T, name string) *toolfn.ResourceTable {
	r := tableOf(t, New(1, 1), name)
	return &r
}
