//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// scope is the state of the analysis of one query: what names mean in it.
type scope struct {
	*analyzer
	parent *scope
	q      *query.Query
	names  []*item // of the relations that can be referred to
	ctes   []*cte  // of this query's WITH, those that can be referred to
	future []*cte  // those that come later

	place       place // of the expression that is being analysed
	lateral     bool  // what is being analysed may refer to its left
	aggregates  bool  // there is an aggregate of this query
	windows     bool
	windowDefs  []*pg.WindowDef
	lastSet     query.Expr   // the last set-returning call that was made
	keepUnknown bool         // literals of open type stay so in the targets
	parentCTE   *cte         // the WITH query that this query is the body of
	sequence    []*item      // every relation of the query, visible or not
	lastMulti   *multiSource // the row that several columns are being set to
	branches    []*item      // of a set operation, which cannot be referred to
}

func newScope(a *analyzer, parent *scope) *scope {
	return &scope{analyzer: a, parent: parent, q: &query.Query{At: -1, Result: -1}}
}

// item is an entry of a scope's namespace: a relation by its name.
type item struct {
	relation int
	rel      *query.Relation
	name     string
	columns  []itemColumn

	relVisible  bool // the name can be used
	colsVisible bool // its columns can be used without it
	lateralOnly bool // only what is lateral may refer to it
	lateralOK   bool
}

// itemColumn is a column of an item and the expression that it stands for.
type itemColumn struct {
	name string
	expr query.Expr
}

// up gives the scope some levels above.
func (s *scope) up(levels int) *scope {
	for ; levels > 0; levels-- {
		s = s.parent
	}
	return s
}

// with runs f while the place of expressions is p.
func (s *scope) with(p place, f func()) {
	old := s.place
	s.place = p
	f()
	s.place = old
}

// add makes a relation an entry of the range table.
func (s *scope) add(r *query.Relation) *item {
	s.q.Relations = append(s.q.Relations, r)
	n := len(s.q.Relations) - 1
	it := &item{relation: n, rel: r, name: r.Name, relVisible: true, colsVisible: true, lateralOK: true}
	for i, c := range r.Columns {
		it.columns = append(it.columns, itemColumn{c.Name, &query.Column{
			Node: query.Node{OID: c.Type, Mod: c.Mod, At: -1}, Relation: n, Attribute: i,
		}})
	}
	s.sequence = append(s.sequence, it)
	return it
}

// raised gives an expression of a scope as one that stands levels below it.
func raised(e query.Expr, levels, at int) query.Expr {
	return query.Map(e, func(x query.Expr) query.Expr {
		c, ok := x.(*query.Column)
		if !ok {
			return nil
		}
		d := *c
		d.Levels += levels
		d.At = at
		return &d
	})
}
