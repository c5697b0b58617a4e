package toolfn

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// sharedFolder gives a folder beside the module's root, or skips the test.
func sharedFolder(t testing.TB, parts ...string) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	path := filepath.Join(append([]string{filepath.Dir(file), "..", "..", "shared"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here", path)
	}
	return path
}

type fleetServer struct {
	Namespace string
	Title     string
	Tools     []struct {
		Name, Description string
		InputSchema       json.RawMessage
		Annotations       struct{ ReadOnlyHint bool }
	}
}

func nothing(context.Context, *value.Object) (value.Value, error) { return nil, nil }

// adoptFleet puts the servers of a recorded world into a catalogue.
func adoptFleet(t testing.TB, c *Catalog, servers []fleetServer) {
	t.Helper()
	for _, s := range servers {
		var fns []ToolFn
		for _, tool := range s.Tools {
			f, err := DefineRaw(tool.Name, tool.InputSchema, nothing, Description(tool.Description))
			if err != nil {
				t.Fatal(err)
			}
			if tool.Annotations.ReadOnlyHint {
				f.Effect.Impact = Read
			}
			fns = append(fns, f)
		}
		c.Adopt(Server{Name: s.Namespace}, fns...)
	}
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func worldServers(t testing.TB) (own, distractors []fleetServer) {
	var more struct{ Servers []fleetServer }
	readJSON(t, sharedFolder(t, "corpus", "world", "services.json"), &own)
	readJSON(t, sharedFolder(t, "corpus", "world", "distractors.json"), &more)
	return own, more.Servers
}

// TestRecordedSearches replays the queries that models typed over a fleet of 40
// servers: a function of the task must be among the first five nine times of ten.
func TestRecordedSearches(t *testing.T) {
	own, distractors := worldServers(t)
	for _, fleet := range []struct {
		name    string
		servers []fleetServer
	}{{"own servers last", append(append([]fleetServer(nil), distractors...), own...)}, {"own servers first", append(append([]fleetServer(nil), own...), distractors...)}} {
		c := NewCatalog()
		adoptFleet(t, c, fleet.servers)
		if c.Len() != 367 {
			t.Fatalf("the fleet has %d functions, want 367", c.Len())
		}
		file, err := os.Open(sharedFolder(t, "corpus", "searches.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		found, total := 0, 0
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var q struct {
				Query     string
				Functions []string `json:"task_functions"`
			}
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			total++
			hit := false
			var got []string
			for _, h := range c.Search(q.Query, 5, 0).Hits {
				got = append(got, h.Function.Name)
				hit = hit || containsString(q.Functions, h.Function.Name)
			}
			if hit {
				found++
			} else {
				t.Logf("%q: %v", q.Query, got)
			}
		}
		t.Logf("%s: a function of the task is in the first five for %d of %d queries (%.1f %%)", fleet.name, found, total, 100*float64(found)/float64(total))
		if 10*found < 9*total {
			t.Errorf("want at least 90 %%")
		}
	}
}
