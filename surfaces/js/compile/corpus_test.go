package compile

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
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
	syntax   bool
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
