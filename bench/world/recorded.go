package world

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Load mounts a recorded organisation from the data files in a directory:
//
//   - services.json: the services with their tools and tables;
//   - tables-scaleN.json: the rows;
//   - distractors.json and distractor-data.json, if distractors are asked for:
//     further services that no task needs.
//
// Its tools do what the built-in ones do, with three differences: no read sees a
// write, a record that is not there is null, and an argument that is false or
// empty filters nothing.
func Load(dir string, scale int, distractors bool) (*World, error) {
	w := &World{
		setting:     setting{org: "acme", defaultTeam: "web", frozen: true},
		collections: map[string]*collection{},
	}
	if err := w.loadRows(filepath.Join(dir, fmt.Sprintf("tables-scale%d.json", scale))); err != nil {
		return nil, err
	}
	var services []recordedService
	if err := readJSON(filepath.Join(dir, "services.json"), &services); err != nil {
		return nil, err
	}
	for _, s := range services {
		d, err := s.declare(known(s.Namespace))
		if err != nil {
			return nil, err
		}
		w.mount(d)
	}
	if distractors {
		if err := w.loadDistractors(dir); err != nil {
			return nil, err
		}
	}
	w.fresh = w.again
	return w, nil
}

// again shares the rows, which nothing changes.
func (w *World) again() *World {
	copied := &World{setting: w.setting, collections: w.collections}
	for _, s := range w.services {
		copied.mount(s.declaration)
	}
	copied.fresh = copied.again
	return copied
}

// recordedService is a service as services.json spells it.
type recordedService struct {
	Namespace, Title string
	Tools            []struct {
		Name, Description string
		InputSchema       json.RawMessage
		Annotations       struct{ ReadOnlyHint bool }
	}
	Entities []struct {
		Table, Description string
		Columns            []struct {
			Name, Type, Description string
		}
		Select struct{ Tool string }
	}
}

// known is the built-in declaration of a service, whose tools behave as the
// recorded ones do.
func known(name string) *declaration {
	for _, d := range declarations() {
		if d.name == name {
			return &d
		}
	}
	return nil
}

// declare gives each recorded tool and table what its built-in namesake does.
// Without a namesake it is a distractor's.
func (s recordedService) declare(like *declaration) (declaration, error) {
	d := declaration{name: s.Namespace, title: s.Title, description: s.Title}
	var subject string // the collection that the tools listed so far are about
	for _, t := range s.Tools {
		input, _, err := toolfn.ParseSchema(t.InputSchema)
		if err != nil {
			return d, fmt.Errorf("%s.%s: %w", s.Namespace, t.Name, err)
		}
		if of, ok := strings.CutPrefix(t.Name, "list_"); ok {
			subject = s.Namespace + "." + of
		}
		declared := tool{name: t.Name, description: t.Description, input: input, effect: adds}
		if t.Annotations.ReadOnlyHint {
			declared.effect = reads
		}
		if like == nil {
			declared.run = distractor(s.Namespace, t.Name, subject)
		} else if same := like.tool(t.Name); same != nil {
			declared.run = same.run
		} else {
			return d, fmt.Errorf("%s.%s: nothing is known of what this tool does", s.Namespace, t.Name)
		}
		d.tools = append(d.tools, declared)
	}
	for _, e := range s.Entities {
		t := newTable(e.Table, e.Description)
		for _, c := range e.Columns {
			t.fields = append(t.fields, need(c.Name, columnSchema(c.Type, c.Description)))
		}
		t.read = reading{tool: e.Select.Tool, pushdown: alike("status")}
		if like != nil {
			same := like.table(e.Table)
			if same == nil {
				return d, fmt.Errorf("%s: nothing is known of this table", e.Table)
			}
			t.read, t.insert, t.update = same.read, same.insert, same.update
		}
		d.tables = append(d.tables, t)
	}
	return d, nil
}

// columnSchema is the schema of a column of a PostgreSQL type; it may be null.
func columnSchema(kind, description string) *jsonschema.Schema {
	switch kind {
	case "bigint":
		return nullable(integer(description))
	case "boolean":
		return nullable(boolean(description))
	case "timestamptz":
		return nullable(instant(description))
	}
	return nullable(text(description))
}

func (w *World) loadRows(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	v, err := value.Decode(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	tables, ok := v.(*value.Object)
	if !ok {
		return fmt.Errorf("%s: want an object of tables", path)
	}
	for name, v := range tables.All() {
		t, _ := v.(*value.Object)
		list, _ := t.Get("rows")
		if err := w.addRows(name, list); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (w *World) addRows(name string, list value.Value) error {
	rows, ok := list.([]value.Value)
	if !ok {
		return fmt.Errorf("%s has no list of rows", name)
	}
	c := &collection{rows: make([]*value.Object, len(rows))}
	for i, r := range rows {
		if c.rows[i], ok = r.(*value.Object); !ok {
			return fmt.Errorf("row %d of %s is no object", i, name)
		}
	}
	w.collections[name] = c
	return nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
