//go:build cgo

package analyze

import (
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// missingRelation raises the error of a name that is no relation in reach
// (errorMissingRTE): one that exists elsewhere in the statement is explained.
func (s *scope) missingRelation(schema, name string, at int) {
	it, owner := s.anyRelation(schema, name)
	if it == nil {
		s.fail(at, pgerr.UndefinedTable, "missing FROM-clause entry for table \"%s\"", name)
	}
	e := pgerr.New(pgerr.UndefinedTable, "invalid reference to FROM-clause entry for table \"%s\"", name)
	if it.rel.Alias && it.rel.Name != name {
		if found, _ := s.findRelation("", it.rel.Name, at); found != nil && found.rel == it.rel {
			s.raise(at, e.WithHint("Perhaps you meant to reference the table alias \"%s\".", it.rel.Name))
		}
	}
	e = e.WithDetail("There is an entry for table \"%s\", but it cannot be referenced from this part of the query.", it.rel.Name)
	if owner.visibleIfLateral(it) {
		e = e.WithHint("To reference that table, you must mark this subquery with LATERAL.")
	}
	s.raise(at, e)
}

// anyRelation finds a relation of a name whether or not it can be referred to.
func (s *scope) anyRelation(schema, name string) (*item, *scope) {
	table := s.table(schema, name, -1)
	for x := s; x != nil; x = x.parent {
		for _, it := range x.sequence {
			if it.rel == nil || it.rel.Kind == query.JoinAlias && !it.rel.Alias {
				continue
			}
			if it.rel.Kind == query.BaseTable && table != nil && sameTable(it.rel.Table, table) {
				return it, x
			}
			if schema == "" && it.rel.Name == name {
				return it, x
			}
		}
	}
	return nil, nil
}

func sameTable(a, b *query.Table) bool { return a == b || a.Schema == b.Schema && a.Name == b.Name }

// visibleIfLateral reports whether an item of this scope is out of reach only
// because what refers to it is not marked LATERAL.
func (s *scope) visibleIfLateral(it *item) bool {
	if s.lateral {
		return false
	}
	for _, x := range s.names {
		if x.rel == it.rel {
			return x.lateralOnly && x.lateralOK
		}
	}
	return false
}

// visibleIfQualified reports whether an item of this scope can be reached by its
// name though not by its columns' alone.
func (s *scope) visibleIfQualified(it *item) bool {
	for _, x := range s.names {
		if x.rel == it.rel {
			return x.relVisible && !(x.lateralOnly && !s.lateral)
		}
	}
	return false
}

// maxFuzzy is the greatest distance of a name that is suggested.
const maxFuzzy = 3

// nearest collects the columns whose names are nearest to one that is missing.
type nearest struct {
	wanted        string
	distance      int
	first, second *candidateColumn
	exact         []located
}

type candidateColumn struct {
	item   *item
	column int
}

type located struct {
	item  *item
	owner *scope
}

// missingColumn raises the error of a column that does not exist
// (errorMissingColumn), with the nearest names.
func (s *scope) missingColumn(relation, column string, at int) {
	n := &nearest{wanted: column, distance: maxFuzzy + 1}
	for x := s; x != nil; x = x.parent {
		for _, it := range append(append([]*item{}, x.branches...), x.sequence...) {
			n.consider(x, it, relation)
		}
	}
	e := pgerr.New(pgerr.UndefinedColumn, "column \"%s\" does not exist", column)
	if relation != "" {
		e = pgerr.New(pgerr.UndefinedColumn, "column %s.%s does not exist", relation, column)
	}
	s.raise(at, n.explain(e, relation))
}

// consider takes in the columns of one relation. A relation of another name than
// the one written is as much farther as the names differ.
func (n *nearest) consider(owner *scope, it *item, relation string) {
	if it.rel == nil || it.rel.Kind == query.JoinAlias || it.rel.Kind == query.SetRelation {
		return
	}
	penalty := 0
	if relation != "" {
		penalty = levenshtein(relation, it.rel.Name, maxFuzzy+1)
	}
	for i, c := range it.columns {
		if c.name == n.wanted && penalty == 0 {
			n.exact = append(n.exact, located{it, owner})
		}
		n.offer(it, i, penalty)
	}
}

func (n *nearest) offer(it *item, column, penalty int) {
	if penalty > n.distance {
		return
	}
	d := levenshtein(it.columns[column].name, n.wanted, n.distance+1-penalty)
	if d > len(n.wanted)/2 {
		return
	}
	d += penalty
	c := &candidateColumn{it, column}
	switch {
	case d < n.distance:
		n.distance, n.first, n.second = d, c, nil
	case d == n.distance && n.second != nil:
		n.first, n.second = nil, nil
	case d == n.distance && n.first != nil:
		n.second = c
	}
}

func (n *nearest) explain(e *pgerr.Error, relation string) *pgerr.Error {
	switch {
	case len(n.exact) > 1:
		e = e.WithDetail("There are columns named \"%s\", but they are in tables that cannot be referenced from this part of the query.", n.wanted)
		if relation == "" {
			e = e.WithHint("Try using a table-qualified name.")
		}
		return e
	case len(n.exact) == 1:
		x := n.exact[0]
		e = e.WithDetail("There is a column named \"%s\" in table \"%s\", but it cannot be referenced from this part of the query.", n.wanted, x.item.rel.Name)
		if x.owner.visibleIfLateral(x.item) {
			return e.WithHint("To reference that column, you must mark this subquery with LATERAL.")
		}
		if relation == "" && x.owner.visibleIfQualified(x.item) {
			return e.WithHint("To reference that column, you must use a table-qualified name.")
		}
		return e
	case n.first == nil:
		return e
	case n.second == nil:
		return e.WithHint("Perhaps you meant to reference the column \"%s.%s\".", n.first.item.rel.Name, n.first.name())
	}
	return e.WithHint("Perhaps you meant to reference the column \"%s.%s\" or the column \"%s.%s\".",
		n.first.item.rel.Name, n.first.name(), n.second.item.rel.Name, n.second.name())
}

func (c *candidateColumn) name() string { return c.item.columns[c.column].name }

// maxNameLength bounds the work of comparing names, as the server does.
const maxNameLength = 255

// levenshtein counts the insertions, deletions and substitutions of characters
// between two names, or gives limit+1 when there are more than limit.
func levenshtein(a, b string, limit int) int {
	if len(a) > maxNameLength || len(b) > maxNameLength {
		return limit + 1
	}
	x, y := []rune(a), []rune(b)
	if d := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next := min(row[j]+1, row[j-1]+1, diagonal+cost)
			diagonal, row[j] = row[j], next
		}
	}
	return min(row[len(y)], limit+1)
}
