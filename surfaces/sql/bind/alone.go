package bind

import "github.com/polyglove/polyglove/surfaces/sql/query"

// surroundings are the WITH queries around a query that it refers to, itself or by
// others of them.
type surroundings struct {
	around []*query.Query
	used   map[*query.CTE]bool
	most   int // the outermost of around that is needed, -1 for none
	ok     bool
}

// alone makes a query that gives a sub-query's rows by itself, with the WITH queries
// that it refers to at the levels at which it expects them. It gives nil where the
// sub-query depends on a row outside, or on a WITH query that changes rows. around are
// the queries around the sub-query, the nearest first.
func alone(q *query.Query, around []*query.Query) *query.Query {
	s := &surroundings{around: around, used: map[*query.CTE]bool{}, most: -1, ok: closed(q)}
	s.references(q, -1, 0)
	if !s.ok {
		return nil
	}
	return s.wrap(q, 0)
}

// inPlace is alone for a query that takes the place of the nearest of around: its
// relations may be that one's WITH queries.
func inPlace(q *query.Query, around []*query.Query) *query.Query {
	s := &surroundings{around: around, used: map[*query.CTE]bool{}, most: -1, ok: closed(q)}
	s.references(q, 0, 0)
	if !s.ok {
		return nil
	}
	q.CTEs, q.Recursive = s.kept(around[0])
	return s.wrap(q, 1)
}

// references notes the WITH queries that a query refers to. The query that a reference
// of no levels means is around[base] where the query itself is visited.
func (s *surroundings) references(q *query.Query, base, depth int) {
	for _, r := range q.Relations {
		if up := base + r.CTELevels - depth; r.Kind == query.CTERelation && r.CTELevels >= depth && up >= 0 {
			s.reference(r, up)
		}
	}
	for _, sub := range query.Queries(q) {
		s.references(sub, base, depth+1)
	}
	for _, e := range query.Expressions(q) {
		for _, sub := range subqueries(e) {
			s.references(sub, base, depth+1)
		}
	}
}

func (s *surroundings) reference(r *query.Relation, up int) {
	if up >= len(s.around) || r.CTE >= len(s.around[up].CTEs) {
		s.ok = false
		return
	}
	c := s.around[up].CTEs[r.CTE]
	if s.used[c] {
		return
	}
	if r.Self || c.Query == nil || c.Query.Kind != query.Select || !closed(c.Query) {
		s.ok = false // rows that are still being made, or a change
		return
	}
	s.used[c], s.most = true, max(s.most, up)
	s.references(c.Query, up-1, 0)
}

// wrap puts a query within the WITH queries that it needs, from a level outwards.
func (s *surroundings) wrap(q *query.Query, from int) *query.Query {
	for level := from; level <= s.most; level++ {
		first := q.Targets[0].Expr
		node := query.Node{OID: first.Type(), Mod: first.Typmod(), At: -1}
		var columns []query.ResultColumn
		for _, t := range q.Outputs() {
			if !t.Hidden {
				columns = append(columns, query.ResultColumn{Name: t.Name, Type: t.Expr.Type(), Mod: t.Expr.Typmod()})
			}
		}
		outer := &query.Query{
			Kind: query.Select, At: -1,
			Relations: []*query.Relation{{Kind: query.SubqueryRelation, Name: "alone", Columns: columns, Query: q, At: -1}},
			From:      []query.From{&query.RelationRef{Relation: 0}},
			Targets:   []query.Target{{Expr: &query.Column{Node: node}, Name: "value", Attribute: -1}},
		}
		outer.CTEs, outer.Recursive = s.kept(s.around[level])
		q = outer
	}
	return q
}

// kept gives a query's WITH queries; those that are not needed hold no table.
func (s *surroundings) kept(q *query.Query) ([]*query.CTE, bool) {
	out := make([]*query.CTE, len(q.CTEs))
	for i, c := range q.CTEs {
		if out[i] = c; !s.used[c] {
			empty := *c
			empty.Query, empty.Recursive, empty.References = &query.Query{Kind: query.Select, At: -1}, false, 0
			out[i] = &empty
		}
	}
	return out, q.Recursive
}
