//go:build cgo

package sql

import (
	"regexp"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/infoschema"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

var noTable = regexp.MustCompile(`^relation "(?:([^"]+)\.)?([^".]+)" does not exist$`)

// tellTables adds to the error of an unknown table the nearest that there is, and the
// way to all.
func (s *session) tellTables(err error) error {
	e := pgerr.From(err)
	if e == nil || e.SQLSTATE != pgerr.UndefinedTable || e.Hint != "" {
		return err
	}
	m := noTable.FindStringSubmatch(e.Message)
	if m == nil {
		return err
	}
	const all = "SELECT table_name, description FROM information_schema.tables lists the tables."
	if near := s.nearestTable(m[1], m[2]); near != "" {
		return e.WithHint("Perhaps you meant %s. %s", near, all)
	}
	return e.WithHint(all)
}

// nearestTable gives the name that was most likely meant, "" for none.
func (s *session) nearestTable(schema, name string) string {
	if _, ok := infoschema.Open(infoschema.Information, name); ok && schema == "" {
		return infoschema.Information + "." + name
	}
	var names []string
	for _, t := range s.ws.Catalog().Tables() {
		names = append(names, t.Name)
	}
	names = append(names, s.order...)
	near, ok := sandbox.Nearest(name, names)
	if !ok && schema != "" {
		near, ok = sandbox.Nearest(schema+"_"+name, names)
	}
	if !ok {
		near = endingIn(name, names)
	}
	return near
}

// endingIn gives the only name that ends in another, such as github_issues for issues.
func endingIn(name string, names []string) string {
	found := ""
	for _, n := range names {
		if strings.HasSuffix(n, "_"+name) {
			if found != "" {
				return ""
			}
			found = n
		}
	}
	return found
}

var noColumn = regexp.MustCompile(`^column "?(?:[^".]+\.)?([^".]+)"? (?:of relation "[^"]+" )?does not exist$`)

// mostColumns is how many columns of a table are told with an unknown one.
const mostColumns = 12

// tellColumns adds to the error of an unknown column the nearest that there is, and
// the columns of the tables that the statement names.
func tellColumns(err error, scans map[*query.Table]*scan) error {
	e := pgerr.From(err)
	if e == nil || e.SQLSTATE != pgerr.UndefinedColumn || e.Hint != "" {
		return err
	}
	m := noColumn.FindStringSubmatch(e.Message)
	if m == nil {
		return err
	}
	seen := map[string]bool{}
	var all, tables []string
	for shape := range scans {
		if seen[shape.Name] {
			continue
		}
		seen[shape.Name] = true
		var names []string
		for i := range shape.Columns {
			names = append(names, shape.Columns[i].Name)
		}
		all = append(all, names...)
		tables = append(tables, shape.Name+" has "+few(names))
	}
	if len(tables) == 0 {
		return err
	}
	slices.Sort(all)
	slices.Sort(tables)
	if len(tables) > 3 {
		tables = tables[:3]
	}
	hint := strings.Join(tables, "; ") + "."
	if near, ok := sandbox.Nearest(m[1], all); ok {
		hint = "Perhaps you meant " + near + ": " + hint
	}
	return e.WithHint("%s", hint)
}

func few(names []string) string {
	if len(names) > mostColumns {
		return strings.Join(names[:mostColumns], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
