//go:build cgo

package guard

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

type recorded struct {
	SQL      string `json:"sql"`
	OK       bool   `json:"ok"`
	SQLSTATE string `json:"sqlstate"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
	Position int    `json:"position"`
}

// TestRecordedAnswers compares what the parser says with what servers said to the
// same statements: a statement that a server ran must parse, and a failure of the
// parser must be the server's, in every part.
func TestRecordedAnswers(t *testing.T) {
	for _, name := range []string{"postgres-regress.jsonl", "postgres-probes.jsonl"} {
		f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "cases", name))
		if err != nil {
			t.Skip("no recorded answers beside the repository")
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		total, refused, failed := 0, 0, 0
		for lines.Scan() {
			var r recorded
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.SQL == "" {
				continue
			}
			total++
			_, fault := Parse(r.SQL, Limits{})
			if fault == nil {
				continue
			}
			if oldStrings(r) {
				continue
			}
			e := pgerr.From(fault)
			if e.SQLSTATE == pgerr.FeatureNotSupported {
				refused++
				continue
			}
			failed++
			if r.OK || string(e.SQLSTATE) != r.SQLSTATE || e.Message != r.Message || e.Position != r.Position || e.Hint != r.Hint && r.Hint != "" {
				t.Errorf("%s\n got %s %s at %d (%s)\nwant %s %s at %d (%s)", r.SQL, e.SQLSTATE, e.Message, e.Position, e.Hint, r.SQLSTATE, r.Message, r.Position, r.Hint)
			}
		}
		t.Logf("%s: %d statements, %d refused by name, %d refused by the parser as by the server", name, total, refused, failed)
	}
}

// oldStrings reports whether a statement was recorded with backslash escapes in
// plain strings turned on, which is a setting that is fixed here.
func oldStrings(r recorded) bool {
	return r.Message == "unsafe use of string constant with Unicode escapes" || r.OK && strings.Contains(r.SQL, `\'`)
}
