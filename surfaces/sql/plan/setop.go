package plan

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// setOperation plans UNION, INTERSECT and EXCEPT.
func (s *scope) setOperation() (Node, *layout) {
	node := s.branch(s.q.SetOp)
	in := newLayout()
	for i, c := range s.q.SetOp.Columns {
		in.columns[columnKey{0, i}] = in.add(c.Type)
	}
	return node, in
}

func columnTypes(columns []query.ResultColumn) []pgcat.OID {
	out := make([]pgcat.OID, len(columns))
	for i, c := range columns {
		out[i] = c.Type
	}
	return out
}

func (s *scope) branch(o *query.SetOp) Node {
	if s.p.err != nil {
		return &One{}
	}
	if o.Query != nil {
		_, node := s.within(o.Query)
		return s.convert(node, o)
	}
	if err := s.p.options.Env.Meter.Enter(); err != nil {
		s.p.fail(err)
		return &One{}
	}
	defer s.p.options.Env.Meter.Leave()
	both := &SetOp{Row: Row{columnTypes(o.Columns)}, Op: o.Op, All: o.All, Left: s.branch(o.Left), Right: s.branch(o.Right)}
	return s.convert(both, o)
}

// convert brings a branch's columns to the types of the whole.
func (s *scope) convert(node Node, o *query.SetOp) Node {
	if o.Convert == nil {
		return node
	}
	in := newLayout()
	in.types = node.Types()
	out := make([]query.Expr, len(o.Convert))
	types := make([]pgcat.OID, len(o.Convert))
	for i, e := range o.Convert {
		out[i], types[i] = s.bindOutputs(s.p.fold(e), in, 0), e.Type()
	}
	return &Project{Row{types}, node, out}
}
