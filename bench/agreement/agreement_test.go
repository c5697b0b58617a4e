package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordings are where recorded programs lie, beside the module.
var recordings = filepath.Join("..", "..", "..", "shared")

// TestAgreement replays every recording at hand. No program may give another
// value than the real language's without an error, and none may differ in any
// other way unless it is listed with its reason.
func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		lang, file string
		divergent  int // at most so many are listed
	}{
		{"js", "corpus/js.jsonl", 38},
		{"js", "cases/one-liners.jsonl", 4},
		{"js", "cases/long/js.jsonl", 6},
		{"sql", "corpus/sql.jsonl", 89},
		{"sql", "cases/one-liners.jsonl", 1},
		{"sql", "cases/long/sql.jsonl", 11},
	} {
		t.Run(c.lang+" "+strings.ReplaceAll(c.file, "/", "_"), func(t *testing.T) {
			path := filepath.Join(recordings, filepath.FromSlash(c.file))
			if _, err := os.Stat(path); err != nil {
				t.Skip("no recordings at hand")
			}
			r, err := newReplay(c.lang, filepath.Join(recordings, "corpus", "world"))
			if err != nil {
				t.Fatal(err)
			}
			programs, err := read(path, c.lang)
			if err != nil {
				t.Fatal(err)
			}
			judged, err := r.all(programs)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			table(&b, judged)
			list(&b, judged)
			t.Log("\n" + b.String())
			listed := 0
			for _, j := range judged {
				if !j.verdict.fine() {
					t.Errorf("%s: %s", j.id, j.verdict)
				}
				if j.verdict == diverges {
					listed++
				}
			}
			if listed > c.divergent {
				t.Errorf("%d programs are listed as divergences, at most %d may be", listed, c.divergent)
			}
			for _, id := range stale(judged, r.listed) {
				t.Errorf("%s is listed as a divergence, but is none", id)
			}
		})
	}
}
