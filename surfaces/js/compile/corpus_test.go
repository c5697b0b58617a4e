package compile

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// shared opens a file of the shared inputs, which stand beside the module; the
// test is skipped where they are absent.
func shared(tb testing.TB, name string) *os.File {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", filepath.FromSlash(name)))
	if err != nil {
		tb.Skip("the shared inputs are not here")
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// recorded is one program with what the real language makes of it.
type recorded struct {
	id, code string
	accepted bool
}

// corpus reads the recorded programs.
func corpus(tb testing.TB) []recorded {
	tb.Helper()
	var list []recorded
	type oracle struct {
		OK    bool `json:"ok"`
		Error any  `json:"error"`
	}
	lines := func(name string, add func([]byte)) {
		sc := bufio.NewScanner(shared(tb, name))
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			add(sc.Bytes())
		}
		if err := sc.Err(); err != nil {
			tb.Fatal(err)
		}
	}
	lines("corpus/js.jsonl", func(b []byte) {
		var x struct {
			ID     string
			Code   string
			Oracle oracle
		}
		if err := json.Unmarshal(b, &x); err != nil {
			tb.Fatal(err)
		}
		list = append(list, recorded{id: x.ID, code: x.Code, accepted: x.Oracle.OK})
	})
	lines("cases/long/js.jsonl", func(b []byte) {
		var x struct {
			ID     string
			Calls  []string
			Oracle []oracle
		}
		if err := json.Unmarshal(b, &x); err != nil {
			tb.Fatal(err)
		}
		for i, c := range x.Calls {
			list = append(list, recorded{id: x.ID, code: c, accepted: i < len(x.Oracle) && x.Oracle[i].OK})
		}
	})
	lines("cases/one-liners.jsonl", func(b []byte) {
		var x struct {
			ID     string
			Lang   string
			Code   string
			Failed any `json:"oracle_error"`
		}
		if err := json.Unmarshal(b, &x); err != nil {
			tb.Fatal(err)
		}
		if x.Lang == "js" {
			list = append(list, recorded{id: x.ID, code: x.Code, accepted: x.Failed == nil})
		}
	})
	return list
}

// divergences are the programs that Node accepts and that are refused, each with
// its reason.
var divergences = map[string]string{
	"js-long-236": "for await and async generators are not available",
}

// TestCorpus holds that every recorded program which the real language accepts
// compiles, and that nothing in the corpus meets a defect.
func TestCorpus(t *testing.T) {
	for _, r := range corpus(t) {
		p, f := Compile(r.code, Options{})
		if f != nil {
			if f.Kind == sandbox.KindInternal {
				t.Errorf("%s: %v", r.id, f.Cause)
			}
			if r.accepted && divergences[r.id] == "" {
				t.Errorf("%s is refused: %v", r.id, f)
			}
			continue
		}
		checkProgram(t, r.code, p)
	}
}

// TestRecordedAttacks holds that the recorded attacks compile or are refused with
// a fault of their own, and that what must be refused is not run with a hook's
// name in it.
func TestRecordedAttacks(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "shared", "cases", "js-attacks")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Skip("the shared inputs are not here")
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		head, code, _ := strings.Cut(string(text), "\n")
		_, f := Compile(code, Options{})
		if f != nil && f.Kind == sandbox.KindInternal {
			t.Errorf("%s: %v", file.Name(), f.Cause)
		}
		if head == "// expect: reject" && f == nil {
			t.Errorf("%s is not refused", file.Name())
		}
		if strings.HasPrefix(head, "// expect: value") && f != nil {
			t.Errorf("%s is refused: %v", file.Name(), f)
		}
	}
}
