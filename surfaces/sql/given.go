//go:build cgo

package sql

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
)

// checkGiven refuses, before anything is read, a change that gives columns which the
// table does not take, or an INSERT that leaves out some which it needs: all of them
// at once, with the columns to give.
func checkGiven(m *query.Query, sc *scan) error {
	given, sets := map[string]bool{}, m.Given
	if m.Kind == query.Update {
		sets = nil
		for _, t := range m.Targets {
			if t.Attribute >= 0 {
				sets = append(sets, t.Attribute)
			}
		}
	}
	var refused, missing, takes []string
	for _, c := range sets {
		given[sc.shape.Columns[c].Name] = true
	}
	for i := range sc.table.Columns {
		c := &sc.table.Columns[i]
		switch {
		case c.ReadOnly && given[c.Name]:
			refused = append(refused, c.Name)
		case c.RequiredInsert && m.Kind == query.Insert && !given[c.Name]:
			missing = append(missing, c.Name)
		}
		if !c.ReadOnly {
			takes = append(takes, c.Name)
		}
	}
	if len(refused) == 0 && (len(missing) == 0 || m.Kind != query.Insert) {
		return nil
	}
	return notTaken(m, sc.table, refused, missing, takes)
}

// notTaken says which columns are wrong and which are right.
func notTaken(m *query.Query, t *toolfn.ResourceTable, refused, missing, takes []string) error {
	f := &sandbox.Fault{Kind: sandbox.KindArgument, Name: "ERROR 428C9"}
	word := verbWords[m.Kind]
	switch {
	case len(refused) > 0:
		f.Message = word + " of " + t.Name + " cannot give " + listed(refused) + ": the server sets " + them(refused) + ". Nothing was changed."
		if len(missing) > 0 {
			f.Message += " It needs " + listed(missing) + "."
		}
	default:
		f.Name = "ERROR 23502"
		f.Message = word + " of " + t.Name + " must give " + listed(missing) + ". Nothing was changed."
	}
	f.Hint = "It takes " + strings.Join(takes, ", ") + "."
	if m.Kind == query.Insert {
		var keep []string
		for _, c := range takes {
			if slices.Contains(missing, c) || slices.ContainsFunc(m.Given, func(g int) bool { return m.Relations[m.Result].Table.Columns[g].Name == c }) {
				keep = append(keep, c)
			}
		}
		if len(keep) > 0 {
			f.Hint += " Write INSERT INTO " + t.Name + " (" + strings.Join(keep, ", ") + ") …"
		}
	}
	return f
}

func them(names []string) string {
	if len(names) == 1 {
		return "it"
	}
	return "them"
}

// listed writes names as prose does.
func listed(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
