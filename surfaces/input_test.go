package surfaces

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzInput holds the reading of arguments to its promises: it never breaks, it
// refuses in few words, and it runs nothing that the arguments do not hold.
func FuzzInput(f *testing.F) {
	for _, s := range []string{`{"code":"value 1"}`, `{"program":"a","dry_run":true}`, `"x"`, `[]`, `{"code":["a","b"]}`, `{"a":"b","c":"d"}`, `{"code":null}`, `{`, ``, `{"language":"toy","input":"y"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, fault := readProgram("execute_toy", toyA, raw, 1000, true)
		if fault != nil {
			if p.code != "" || len(fault.Error()) > 1000 {
				t.Errorf("refused with %q, code %q", fault.Error(), p.code)
			}
			return
		}
		var whole any
		if err := json.Unmarshal(raw, &whole); err != nil {
			t.Fatalf("took %q out of what is not JSON", p.code)
		}
		var holds func(v any) bool
		holds = func(v any) bool {
			switch v := v.(type) {
			case string:
				return v == p.code
			case []any:
				var lines []string
				for _, e := range v {
					s, _ := e.(string)
					lines = append(lines, s)
				}
				return strings.Join(lines, "\n") == p.code
			case map[string]any:
				for _, e := range v {
					if holds(e) {
						return true
					}
				}
			}
			return false
		}
		if !holds(whole) {
			t.Errorf("%q is not in %s", p.code, raw)
		}
	})
}

func TestLongProgramIsNotDecoded(t *testing.T) {
	raw := []byte(`{"code":"` + strings.Repeat("x", 1<<20) + `"}`)
	if _, fault := readProgram("execute_toy", toyA, raw, 64<<10, true); fault == nil || !strings.Contains(fault.Message, "65536 bytes") {
		t.Errorf("got %v", fault)
	}
}
