package world

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// recording loads a recorded organisation, or skips where there is none.
func recording(t *testing.T, scale int, distractors bool) *World {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "world")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no recorded organisation at hand")
	}
	w, err := Load(dir, scale, distractors)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRecordedWorldMounts(t *testing.T) {
	for _, scale := range []int{1, 2, 8} {
		w := recording(t, scale, true)
		c := toolfn.NewCatalog()
		if err := w.Mount(c); err != nil {
			t.Fatal(err)
		}
		if len(w.Services()) != 40 || len(c.All()) != 367 || len(c.Tables()) != 72 {
			t.Errorf("scale %d: %d servers, %d tools, %d tables", scale, len(w.Services()), len(c.All()), len(c.Tables()))
		}
	}
}

func TestRecordedReadsNeverSeeWrites(t *testing.T) {
	w := recording(t, 1, false)
	issues := len(w.Rows(githubIssues))
	first := invoke(t, w, "github__create_issue", "repo", "acme/web", "title", "a").(*value.Object)
	second := invoke(t, w, "github__create_issue", "repo", "acme/web", "title", "b").(*value.Object)
	a, _ := first.Get("number")
	b, _ := second.Get("number")
	if a != int64(2000+issues) || b != int64(2001+issues) {
		t.Errorf("numbers %v and %v over %d issues", a, b, issues)
	}
	if len(w.Rows(githubIssues)) != issues {
		t.Error("a read sees a write")
	}
	if id := textOf(invoke(t, w, "linear__create_issue", "title", "x").(*value.Object), "id"); id != "ENG-160" {
		t.Errorf("the id is %s", id)
	}
	mail := invoke(t, w, "email__send_email", "to", "a", "subject", "b", "body", "c").(*value.Object)
	if textOf(mail, "id") != "msg-out-1" || textOf(mail, "status") != "sent" {
		t.Errorf("%v", mail)
	}
	for _, e := range w.Outbox() {
		if e.At != "1970-01-01T00:00:00.000Z" {
			t.Errorf("%s at %s", e.Kind, e.At)
		}
	}
	if len(w.Outbox()) != 4 || len(w.Fresh().Outbox()) != 0 {
		t.Error("the outbox is not one's own")
	}
}

func TestRecordedReads(t *testing.T) {
	w := recording(t, 1, false)
	for name, n := range map[string]int{"open": 17, "OPEN": 17, "": 40} {
		if got := len(rowsOf(t, invoke(t, w, "github__list_pull_requests", "state", name))); got != n {
			t.Errorf("%q: %d pull requests, want %d", name, got, n)
		}
	}
	if v := invoke(t, w, "jira__get_issue", "key", "OPS-1"); v != nil {
		t.Errorf("a ticket that is not there is %v", v)
	}
	if got := len(rowsOf(t, invoke(t, w, "email__list_messages", "unread", false))); got != 50 {
		t.Errorf("false filters: %d messages", got)
	}
	path := textOf(w.Rows(files)[0], "path")
	preview := textOf(invoke(t, w, "filesystem__read_file", "path", path).(*value.Object), "preview")
	if strings.Count(preview, "\n") != 1 || !strings.Contains(preview, path) {
		t.Errorf("the preview is %q", preview)
	}
}
