//go:build cgo

package analyze_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// TestLongPrograms holds the analysis against the recorded answers of whole programs:
// names and types of columns, or the error's message.
func TestLongPrograms(t *testing.T) {
	raw, err := os.ReadFile(outside(t, "corpus", "world", "tables-scale1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var world map[string]struct {
		Columns []struct{ Name, Type string }
	}
	if err := json.Unmarshal(raw, &world); err != nil {
		t.Fatal(err)
	}
	s := schema{}
	for name, x := range world {
		tab := &query.Table{Schema: "public", Name: name}
		for _, c := range x.Columns {
			res, err := analysed("select null::"+c.Type, analyze.Options{Input: readWith(testEnv())})
			if err != nil {
				t.Fatal(err)
			}
			tab.Columns = append(tab.Columns, query.TableColumn{Name: c.Name, Type: res.Query.Targets[0].Expr.Type(), Mod: -1})
		}
		s[name] = tab
	}
	f, err := os.Open(outside(t, "cases", "long", "sql.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	agree := 0
	for lines.Scan() {
		var p struct {
			ID     string
			Calls  []string
			Oracle []struct {
				Fields []struct{ Name, Type string }
				Error  *struct{ Message string }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		for i, call := range p.Calls {
			list, fault := guard.Parse(call, guard.DefaultLimits())
			if fault != nil {
				t.Logf("%s: %s, want %v", p.ID, fault.Message, p.Oracle[i].Error)
				continue
			}
			for _, st := range list {
				if st.Kind != guard.Select && !st.Kind.Writes() {
					continue
				}
				res, err := analyze.Statement(call, st, analyze.Options{Schema: s, Input: readWith(testEnv())})
				if err != nil {
					if want := p.Oracle[i].Error; want == nil || want.Message != asError(err).Message {
						t.Logf("%s: %v, want %v\n%s", p.ID, err, want, call)
					} else {
						agree++
					}
					continue
				}
				ok := true
				for k, f := range p.Oracle[i].Fields {
					o := res.Query.Outputs()[k]
					if o.Name != f.Name || pgcat.Default().FormatType(o.Expr.Type()) != f.Type {
						t.Logf("%s: %s %s, want %v", p.ID, o.Name, pgcat.Default().FormatType(o.Expr.Type()), f)
						ok = false
					}
				}
				if ok {
					agree++
				}
			}
		}
	}
	t.Log(agree, "statements agree")
	if agree < 200 {
		t.Errorf("only %d statements agree", agree)
	}
}
