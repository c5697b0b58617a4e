package plan

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// RowNumber, as a column that a [Scan] reads, is the number of the row in the table,
// from 0, as a bigint.
const RowNumber = -1

// rowNumber is how the number of the changed table's row is known in a layout.
const rowNumber = -2

// modify plans INSERT, UPDATE and DELETE.
func (s *scope) modify() Node {
	r := s.q.Relations[s.q.Result]
	m := &Modify{Kind: s.q.Kind, Table: r.Table, Name: r.Name}
	var in *layout
	if s.q.Kind == query.Insert {
		m.Input, in = s.insertion(r)
	} else {
		m.Input, in = s.changing(r, m)
	}
	if s.p.err != nil {
		return m.Input
	}
	for _, t := range s.q.Returning {
		e := s.bind(s.p.fold(t.Expr), in)
		m.Returning = append(m.Returning, e)
		m.Columns = append(m.Columns, t.Expr.Type())
	}
	return m
}

// insertion plans the rows that INSERT adds: all columns of the table.
func (s *scope) insertion(r *query.Relation) (Node, *layout) {
	it := s.from()
	in, node := it.layout, it.node
	if s.p.err != nil {
		return node, in
	}
	exprs := make([]query.Expr, len(s.q.Targets))
	for i, t := range s.q.Targets {
		exprs[i] = s.p.fold(t.Expr)
	}
	if s.q.HasSets {
		node, in, exprs = s.expandSets(node, in, exprs)
	}
	out := newLayout()
	bound := make([]query.Expr, len(r.Columns))
	for i, c := range r.Columns {
		bound[i] = nullOf(&query.Const{Node: query.Node{OID: c.Type, Mod: c.Mod, At: -1}})
		out.columns[columnKey{s.q.Result, i}] = out.add(c.Type)
	}
	for i, t := range s.q.Targets {
		if t.Attribute >= 0 && t.Attribute < len(bound) {
			bound[t.Attribute] = s.bind(exprs[i], in)
		}
	}
	return &Project{Row{out.types}, node, bound}, out
}

// changing plans the rows that UPDATE and DELETE change: the row's number, its old
// columns, the new ones, and what RETURNING reads of other relations.
func (s *scope) changing(r *query.Relation, m *Modify) (Node, *layout) {
	target := s.q.Result
	for i := range r.Columns {
		s.needed[columnKey{target, i}]++
	}
	s.needed[columnKey{target, rowNumber}]++
	from := s.q.From
	if !mentions(from, target) {
		s.q.From = append([]query.From{&query.RelationRef{Relation: target}}, from...)
	}
	it := s.from()
	s.q.From = from
	if s.p.err != nil {
		return it.node, it.layout
	}
	node, in := it.node, it.layout
	slot := func(k columnKey) query.Expr {
		i, ok := in.columns[k]
		if !ok {
			s.lost(&query.Column{Node: query.Node{At: -1}})
			return &query.Const{}
		}
		return &Slot{Node: query.Node{OID: in.types[i], Mod: -1, At: -1}, Index: i}
	}
	exprs := []query.Expr{slot(columnKey{target, rowNumber})}
	types := []pgcat.OID{pgcat.Int8}
	out := newLayout()
	for i, c := range r.Columns {
		exprs, types = append(exprs, slot(columnKey{target, i})), append(types, c.Type)
		out.columns[columnKey{target, i}] = out.add(c.Type)
	}
	if s.q.Kind == query.Update {
		for _, t := range s.q.Targets {
			if t.Hidden || t.Attribute < 0 {
				continue
			}
			m.Sets = append(m.Sets, t.Attribute)
			exprs = append(exprs, s.bind(s.p.fold(t.Expr), in))
			types = append(types, r.Columns[t.Attribute].Type)
		}
	}
	for _, k := range sortedColumns(in) {
		if k.relation == target {
			continue
		}
		i := in.columns[k]
		exprs, types = append(exprs, slot(k)), append(types, in.types[i])
		out.columns[k] = out.add(in.types[i])
		m.Extra++
	}
	return &Project{Row{types}, node, exprs}, out
}

func mentions(from []query.From, relation int) bool {
	for _, f := range from {
		if relationsOf(f, nil).has(relation) {
			return true
		}
	}
	return false
}

// sortedColumns lists the columns of a layout in the order in which they stand.
func sortedColumns(in *layout) []columnKey {
	out := make([]columnKey, len(in.types))
	held := make([]bool, len(in.types))
	for k, i := range in.columns {
		out[i], held[i] = k, true
	}
	n := 0
	for i, k := range out {
		if held[i] {
			out[n] = k
			n++
		}
	}
	return out[:n]
}
