package world

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// text spells every row of a world.
func spell(t *testing.T, w *World) string {
	t.Helper()
	var b strings.Builder
	for _, s := range w.Services() {
		for _, table := range s.tables {
			for _, row := range w.Rows(table.name) {
				line, err := row.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s %s\n", table.name, line)
			}
		}
	}
	return b.String()
}

func invoke(t *testing.T, w *World, name string, args ...value.Value) value.Value {
	t.Helper()
	v, err := try(w, name, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func try(w *World, name string, args ...value.Value) (value.Value, error) {
	for _, fn := range w.Functions() {
		if fn.Name == name {
			return fn.Call(context.Background(), value.Of(args...))
		}
	}
	return nil, fmt.Errorf("there is no function %s", name)
}

func rowsOf(t *testing.T, v value.Value) []*value.Object {
	t.Helper()
	list, ok := v.([]value.Value)
	if !ok {
		t.Fatalf("want a list, got %T", v)
	}
	all := make([]*value.Object, len(list))
	for i, e := range list {
		all[i] = e.(*value.Object)
	}
	return all
}

func TestSeedAndScaleDecideEveryByte(t *testing.T) {
	a := spell(t, New(7, 2))
	if b := spell(t, New(7, 2)); a != b {
		t.Error("two worlds of one seed and scale differ")
	}
	if b := spell(t, New(8, 2)); a == b {
		t.Error("another seed gives the same world")
	}
	w := New(7, 2)
	w.Rows("files") // services used in another order
	w.Rows(pullRequests)
	if b := spell(t, w); a != b {
		t.Error("the order in which services are first used shows")
	}
}

func TestScaleMultipliesRecords(t *testing.T) {
	for _, scale := range []int{0, 1, 3, 10} {
		w := New(1, scale)
		for _, d := range declarations() {
			for _, table := range d.tables {
				want := table.size * max(scale, 1)
				if table.fixed {
					want = table.size
				}
				if got := len(w.Rows(table.name)); got != want {
					t.Errorf("scale %d: %s has %d rows, want %d", scale, table.name, got, want)
				}
			}
		}
	}
}

func TestThirtyTwoToolsTwelveTables(t *testing.T) {
	w := New(1, 1)
	if n := len(w.Services()); n != 10 {
		t.Errorf("%d services", n)
	}
	if n := len(w.Functions()); n != 32 {
		t.Errorf("%d functions", n)
	}
	if n := len(w.Tables()); n != 12 {
		t.Errorf("%d tables", n)
	}
	c := toolfn.NewCatalog()
	if err := w.Mount(c); err != nil {
		t.Fatal(err)
	}
	if w := c.Warnings(); len(w) > 0 {
		t.Errorf("the catalogue warns: %v", w)
	}
	for _, fn := range c.All() {
		if fn.Description == "" || fn.Output == nil || fn.Effect.Impact == toolfn.Unknown {
			t.Errorf("%s is not declared in full", fn.Name)
		}
	}
}

// Every row, and what every reading tool gives, keeps to the declared schema.
func TestRowsKeepToTheirSchema(t *testing.T) {
	w := New(3, 2)
	for _, s := range w.Services() {
		for _, table := range s.tables {
			resolved, err := table.schema().Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range w.Rows(table.name) {
				line, _ := row.MarshalJSON()
				var plain any
				if err := json.Unmarshal(line, &plain); err != nil {
					t.Fatal(err)
				}
				if err := resolved.Validate(plain); err != nil {
					t.Errorf("%s: %s: %v", table.name, line, err)
				}
			}
		}
	}
}

func TestRecordsReferToOneAnother(t *testing.T) {
	w := New(1, 3)
	ids := func(table, key string) map[string]bool {
		m := map[string]bool{}
		for _, row := range w.Rows(table) {
			if m[textOf(row, key)] {
				t.Errorf("%s: %s twice", table, textOf(row, key))
			}
			m[textOf(row, key)] = true
		}
		return m
	}
	for _, link := range []struct{ from, field, to, key string }{
		{pullRequests, "closes_linear", linearIssues, "id"},
		{incidents, "error_id", sentryIssues, "id"},
	} {
		known, linked := ids(link.to, link.key), 0
		for _, row := range w.Rows(link.from) {
			v, _ := row.Get(link.field)
			if v == nil {
				continue
			}
			if linked++; !known[v.(string)] {
				t.Errorf("%s.%s: there is no %v", link.from, link.field, v)
			}
		}
		if linked == 0 || linked == len(w.Rows(link.from)) {
			t.Errorf("%s.%s: %d of %d are set", link.from, link.field, linked, len(w.Rows(link.from)))
		}
	}
	for _, row := range w.Rows(incidents) { // an incident is of the system whose error raised it
		cause, _ := row.Get("error_id")
		for _, e := range w.Rows(sentryIssues) {
			if textOf(e, "id") == cause && textOf(e, "project") != textOf(row, "service") {
				t.Errorf("%s is of %s, its error of %s", textOf(row, "id"), textOf(row, "service"), textOf(e, "project"))
			}
		}
	}
}

// What makes programs go wrong on real data is in the data.
func TestVariety(t *testing.T) {
	all := spell(t, New(1, 1))
	for what, sign := range map[string]string{
		"null": `null`, "other scripts": "会議室", "quotes": "“", "emoji": "⚓", "offsets": "+05:30", "line breaks": `\n\n## `,
	} {
		if !strings.Contains(all, sign) {
			t.Errorf("there is nothing with %s", what)
		}
	}
	big := 0
	for _, row := range New(1, 1).Rows(emails) {
		if v, _ := row.Get("thread_id"); v.(int64) > 1<<53 {
			big++
		}
	}
	if big == 0 {
		t.Error("no integer is above 2^53")
	}
}

func TestFiltersIgnoreCase(t *testing.T) {
	w := New(1, 1)
	lower := rowsOf(t, invoke(t, w, "jira__search_issues", "assignee", "emeka"))
	upper := rowsOf(t, invoke(t, w, "jira__search_issues", "assignee", "EMEKA"))
	if len(lower) == 0 || len(lower) != len(upper) {
		t.Errorf("%d and %d tickets", len(lower), len(upper))
	}
	open := rowsOf(t, invoke(t, w, "github__list_pull_requests", "state", "open"))
	for _, pr := range open {
		if textOf(pr, "state") != "open" {
			t.Errorf("%v", pr)
		}
	}
	everything := rowsOf(t, invoke(t, w, "github__list_pull_requests"))
	if len(open) == 0 || len(open) >= len(everything) {
		t.Errorf("%d of %d are open", len(open), len(everything))
	}
	if none := rowsOf(t, invoke(t, w, "github__list_pull_requests", "repo", "", "author", nil)); len(none) != len(everything) {
		t.Errorf("empty arguments leave %d of %d", len(none), len(everything))
	}
	read := rowsOf(t, invoke(t, w, "email__list_messages", "unread", false))
	unread := rowsOf(t, invoke(t, w, "email__list_messages", "unread", true))
	if len(read)+len(unread) != len(w.Rows(emails)) || len(unread) == 0 {
		t.Errorf("%d read and %d unread of %d", len(read), len(unread), len(w.Rows(emails)))
	}
}

func TestWritesAreSeenAndRecorded(t *testing.T) {
	w := New(1, 1)
	made := invoke(t, w, "linear__create_issue", "title", "Paint the pier").(*value.Object)
	again := invoke(t, w, "linear__get_issue", "id", textOf(made, "id")).(*value.Object)
	if textOf(again, "title") != "Paint the pier" || textOf(again, "state") != "todo" {
		t.Errorf("%v", again)
	}
	before := invoke(t, w, "linear__get_issue", "id", "BW-300").(*value.Object)
	was := textOf(before, "state")
	invoke(t, w, "linear__update_issue", "id", "bw-300", "state", "canceled")
	if got := textOf(invoke(t, w, "linear__get_issue", "id", "BW-300").(*value.Object), "state"); got != "canceled" {
		t.Errorf("the state is %s", got)
	}
	if textOf(before, "state") != was {
		t.Error("a row that a reader holds has changed")
	}
	invoke(t, w, "email__send_email", "to", "a@b.example", "subject", "s", "body", "b")
	var kinds []string
	for _, e := range w.Outbox() {
		kinds = append(kinds, e.Kind+" "+e.At)
	}
	want := "[linear.create_issue 2026-03-09T09:00:00Z linear.update_issue 2026-03-09T09:00:01Z email.send 2026-03-09T09:00:02Z]"
	if got := fmt.Sprint(kinds); got != want {
		t.Errorf("the outbox has %s, want %s", got, want)
	}
	if f := w.Fresh(); len(f.Outbox()) != 0 || spell(t, f) != spell(t, New(1, 1)) {
		t.Error("a fresh world is not as at first")
	}
}

func TestMissesNameTheNearest(t *testing.T) {
	w := New(1, 1)
	_, err := try(w, "pagerduty__acknowledge_incident", "id", "INC-9OO")
	if err == nil || !strings.Contains(err.Error(), "INC-9") || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("%v", err)
	}
	if len(w.Outbox()) != 0 {
		t.Error("a write that failed is in the outbox")
	}
	_, err = try(w, "github__get_pull_request", "repo", "brightwater/nowhere", "number", int64(4100))
	if err == nil || !strings.Contains(err.Error(), "brightwater/nowhere and number 4100") {
		t.Errorf("%v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	w := New(1, 1)
	fns := w.Functions()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, fn := range fns {
				_, _ = fn.Call(context.Background(), value.Of("id", "BW-301", "title", "t", "query", "a", "path", "x"))
			}
		})
	}
	wg.Wait()
	if len(w.Outbox()) == 0 {
		t.Error("nothing was recorded")
	}
}

func BenchmarkNew(b *testing.B) {
	for range b.N {
		w := New(1, 1)
		_ = w.Functions()
		_ = w.Rows(pullRequests)
	}
}
