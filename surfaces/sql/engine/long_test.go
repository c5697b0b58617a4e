//go:build cgo

package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// program is a recorded session with the server's answers.
type program struct {
	ID      string
	Setup   []string
	Calls   []string
	Oracle  []reply
	Oracle2 map[string]reply `json:"oracle17"`
	Scale   int
}

type reply struct {
	OK      bool
	Fields  []struct{ Name, Type string }
	Rows    [][]*string
	Tag     string
	Ordered bool
	Error   *struct {
		Code, SQLState, Message, Detail, Hint string
		Position                              any
	}
}

func outside(t *testing.T, path ...string) string {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "..", "..", "shared"}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skip("no corpus here")
	}
	return name
}

// world makes the twelve tables of the recorded programs.
func world(t *testing.T, scale int, keys map[string]string) *engine.DB {
	t.Helper()
	raw, err := os.ReadFile(outside(t, "corpus", "world", fmt.Sprintf("tables-scale%d.json", scale)))
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string]struct {
		Columns []struct{ Name, Type string }
		Rows    []map[string]any
	}
	if err := json.Unmarshal(raw, &tables); err != nil {
		t.Fatal(err)
	}
	db := engine.Open(engine.Options{})
	for name, x := range tables {
		spec := engine.TableSpec{Name: name}
		if k := keys[name]; k != "" {
			spec.Key = []string{k}
		}
		for _, c := range x.Columns {
			spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: c.Type})
		}
		var rows [][]any
		for _, r := range x.Rows {
			row := make([]any, len(x.Columns))
			for i, c := range x.Columns {
				row[i] = r[c.Name]
			}
			rows = append(rows, row)
		}
		if err := db.Register(spec, slices.Values(rows)); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// TestLongPrograms runs whole recorded sessions over the twelve tables.
func TestLongPrograms(t *testing.T) {
	f, err := os.Open(outside(t, "cases", "long", "sql.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	agree, refused, differ := 0, 0, 0
	for lines.Scan() {
		var p program
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		switch verdict := p.run(t); verdict {
		case "":
			agree++
		case "0A000":
			refused++
		default:
			differ++
			t.Logf("%s: %s", p.ID, verdict)
		}
	}
	t.Logf("%d agree, %d refused, %d differ", agree, refused, differ)
	if total := agree + refused + differ; agree*100 < total*95 {
		t.Errorf("only %d of %d programs agree", agree, total)
	}
}

func (p program) run(t *testing.T) string {
	keys := map[string]string{}
	for _, s := range p.Setup {
		var table, key string
		if n, _ := fmt.Sscanf(s, "ALTER TABLE %s ADD PRIMARY KEY %s", &table, &key); n == 2 {
			keys[table] = strings.Trim(key, "()")
		}
	}
	db := world(t, max(p.Scale, 1), keys)
	session := db.Session()
	for i, call := range p.Calls {
		want := p.Oracle[i]
		if newer, ok := p.Oracle2[fmt.Sprint(i)]; ok {
			want = newer
		}
		if v := compareReply(session, call, want); v != "" {
			return v
		}
	}
	return ""
}

func compareReply(s *engine.Session, call string, want reply) string {
	res, err := s.Query(context.Background(), call)
	if err != nil {
		e := pgerr.From(err)
		switch {
		case e == nil:
			return "limit: " + err.Error()
		case want.Error != nil && want.Error.Message == e.Message:
			return ""
		case e.SQLSTATE == "0A000":
			return "0A000"
		}
		return fmt.Sprintf("error %v, want %+v\n%s", err, want.Error, call)
	}
	if want.Error != nil {
		return fmt.Sprintf("no error, want %s\n%s", want.Error.Message, call)
	}
	if want.Tag != "" && res.Tag != want.Tag {
		return fmt.Sprintf("tag %s, want %s\n%s", res.Tag, want.Tag, call)
	}
	for i, f := range want.Fields {
		if i >= len(res.Columns) || res.Columns[i].Name != f.Name || res.Columns[i].Type != f.Type {
			return fmt.Sprintf("columns %v, want %v\n%s", res.Columns, want.Fields, call)
		}
	}
	ours, theirs := texts(res), []string{}
	for _, row := range want.Rows {
		var cells []string
		for _, c := range row {
			if c == nil {
				cells = append(cells, "∅")
			} else {
				cells = append(cells, *c)
			}
		}
		theirs = append(theirs, strings.Join(cells, " | "))
	}
	if !want.Ordered {
		slices.Sort(ours)
		slices.Sort(theirs)
	}
	if !slices.Equal(ours, theirs) {
		return fmt.Sprintf("rows\n  %s\nwant\n  %s\n%s", strings.Join(ours, "\n  "), strings.Join(theirs, "\n  "), call)
	}
	return ""
}

func texts(res *engine.Result) []string {
	out := []string{}
	for i := range res.Len() {
		var cells []string
		for j := range res.Columns {
			text, ok := res.Text(i, j)
			if !ok {
				text = "∅"
			}
			cells = append(cells, text)
		}
		out = append(out, strings.Join(cells, " | "))
	}
	return out
}
