package plan

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// nullOf is NULL of an expression's type.
func nullOf(e query.Expr) query.Expr {
	return &query.Const{Node: query.Node{OID: e.Type(), Mod: e.Typmod(), At: e.Pos()}, Datum: vector.Null(e.Type())}
}

// plan plans the query of a scope. The node gives its visible columns.
func (s *scope) plan() Node {
	if s.p.err != nil {
		return &One{}
	}
	if err := s.p.options.Env.Meter.Enter(); err != nil {
		s.p.fail(err)
		return &One{}
	}
	defer s.p.options.Env.Meter.Leave()
	s.countNeeds()
	for i, c := range s.q.CTEs {
		s.ctes = append(s.ctes, &cte{scope: s, def: c, number: i})
	}
	s.modifiers()
	if s.q.Kind != query.Select {
		return s.modify()
	}
	node, in := s.rows()
	if s.p.err != nil {
		return node
	}
	return s.finish(node, in)
}

// rows plans everything up to the targets.
func (s *scope) rows() (Node, *layout) {
	if s.q.SetOp != nil {
		return s.setOperation()
	}
	it := s.from()
	if s.p.err != nil {
		return it.node, it.layout
	}
	node, in := it.node, it.layout
	if s.q.Grouped {
		node, in = s.group(node, in)
	}
	if s.q.Having != nil {
		having := s.conjuncts(s.q.Having)
		var bound []query.Expr
		for _, c := range ordered(having) {
			bound = append(bound, s.bind(c.expr, in))
		}
		if len(bound) > 0 {
			node = &Filter{Row{in.types}, node, bound}
		}
	}
	if s.q.HasWindows && s.p.err == nil {
		node, in = s.windows(node, in)
	}
	return node, in
}

// finish plans the targets and what follows them.
func (s *scope) finish(node Node, in *layout) Node {
	exprs := make([]query.Expr, len(s.q.Targets))
	for i, t := range s.q.Targets {
		exprs[i] = s.p.fold(t.Expr)
	}
	if s.q.HasSets {
		node, in, exprs = s.expandSets(node, in, exprs)
	}
	visible := s.q.Visible()
	late := s.postponed(exprs)
	bound := make([]query.Expr, len(exprs))
	types := make([]pgcat.OID, len(exprs))
	for i, e := range exprs {
		types[i] = e.Type()
		if late == nil || !late[i] {
			bound[i] = s.bindTarget(e, in)
		} else {
			bound[i] = nullOf(e)
		}
	}
	width := len(bound)
	if late != nil {
		// The input's columns ride along for the targets that come after the sort.
		for i, t := range in.types {
			bound = append(bound, &Slot{Node: query.Node{OID: t, Mod: -1, At: -1}, Index: i})
			types = append(types, t)
		}
	}
	node = &Project{Row{types}, node, bound}
	node = s.distinctAndOrder(node, types)
	node = s.limit(node, types)
	if late != nil {
		return s.lateTargets(node, exprs, late, in, width, visible)
	}
	return narrow(node, types, visible)
}

// bindTarget binds a target. One that is a key is the key's value, constant or not.
func (s *scope) bindTarget(e query.Expr, in *layout) query.Expr {
	if k, ok := e.(*query.Key); ok && k.Levels == 0 {
		if i, ok := in.keys[k.Number]; ok {
			return in.slot(i, k.Node)
		}
	}
	return s.bind(e, in)
}

// narrow drops the columns from a number on.
func narrow(node Node, types []pgcat.OID, visible int) Node {
	if visible == len(types) {
		return node
	}
	out := make([]query.Expr, visible)
	for i := range out {
		out[i] = &Slot{Node: query.Node{OID: types[i], Mod: -1, At: -1}, Index: i}
	}
	return &Project{Row{types[:visible]}, node, out}
}

// postponed marks the targets that are computed after the sort, as the server does
// with those that are volatile, and with sub-queries when not all rows are wanted
// (make_sort_input_target); nil when there are none.
func (s *scope) postponed(exprs []query.Expr) []bool {
	if len(s.q.Order) == 0 || len(s.q.Distinct) > 0 || s.q.HasSets {
		return nil
	}
	var late []bool
	for i, e := range exprs {
		if slices.ContainsFunc(s.q.Order, func(k query.SortKey) bool { return k.Target == i }) {
			continue
		}
		if volatile(e) || s.q.Limit != nil && cost(e) > 10 {
			if late == nil {
				late = make([]bool, len(exprs))
			}
			late[i] = true
		}
	}
	return late
}

// lateTargets computes the postponed targets from the columns that rode along.
func (s *scope) lateTargets(node Node, exprs []query.Expr, late []bool, in *layout, width, visible int) Node {
	moved := in.moved(width)
	out := make([]query.Expr, visible)
	types := make([]pgcat.OID, visible)
	for i := range out {
		types[i] = exprs[i].Type()
		if late[i] {
			out[i] = s.bind(exprs[i], moved)
			continue
		}
		out[i] = &Slot{Node: query.Node{OID: types[i], Mod: -1, At: -1}, Index: i}
	}
	return &Project{Row{types}, node, out}
}

// moved gives a layout whose columns stand further right.
func (l *layout) moved(by int) *layout {
	out := newLayout()
	out.types = append(make([]pgcat.OID, by), l.types...)
	for k, i := range l.columns {
		out.columns[k] = i + by
	}
	for k, i := range l.keys {
		out.keys[k] = i + by
	}
	for k, i := range l.others {
		out.others[k] = i + by
	}
	return out
}

func orders(keys []query.SortKey) []Order {
	out := make([]Order, len(keys))
	for i, k := range keys {
		out[i] = Order{k.Target, k.Descending, k.NullsFirst}
	}
	return out
}

func (s *scope) distinctAndOrder(node Node, types []pgcat.OID) Node {
	var first []query.Expr
	if !s.q.WithTies {
		first = s.limitExprs()
	}
	order := orders(s.q.Order)
	if len(s.q.Distinct) == 0 {
		if len(order) > 0 {
			node = &Sort{Row{types}, node, order, first}
		}
		return node
	}
	var by []int
	for _, k := range s.q.Distinct {
		by = append(by, k.Target)
	}
	if !s.q.DistinctOn {
		node = &Distinct{Row{types}, node, by}
		if len(order) > 0 {
			node = &Sort{Row{types}, node, order, first}
		}
		return node
	}
	// The first row of each set in the order of both lists.
	for _, k := range orders(s.q.Distinct) {
		if !slices.ContainsFunc(order, func(o Order) bool { return o.Column == k.Column }) {
			order = append(order, k)
		}
	}
	return &Distinct{Row{types}, &Sort{Row{types}, node, order, nil}, by}
}

// limitExprs are LIMIT and OFFSET where a limit bounds how many rows are needed.
func (s *scope) limitExprs() []query.Expr {
	if s.q.Limit == nil {
		return nil
	}
	empty := newLayout()
	out := []query.Expr{s.bind(s.p.fold(s.q.Limit), empty)}
	if s.q.Offset != nil {
		out = append(out, s.bind(s.p.fold(s.q.Offset), empty))
	}
	return out
}

func (s *scope) limit(node Node, types []pgcat.OID) Node {
	if s.q.Limit == nil && s.q.Offset == nil {
		return node
	}
	l := &Limit{Row: Row{types}, Input: node}
	empty := newLayout()
	if s.q.Limit != nil {
		l.Count = s.bind(s.p.fold(s.q.Limit), empty)
	}
	if s.q.Offset != nil {
		l.Offset = s.bind(s.p.fold(s.q.Offset), empty)
	}
	if s.q.WithTies {
		l.Ties = orders(s.q.Order)
	}
	return l
}

// expandSets puts the set-returning calls of the targets into operators below, the
// innermost lowest, and leaves their columns in their places.
func (s *scope) expandSets(node Node, in *layout, exprs []query.Expr) (Node, *layout, []query.Expr) {
	for slices.ContainsFunc(exprs, hasSet) {
		var calls []query.Expr
		all := make([]query.Expr, len(in.types))
		for i, t := range in.types {
			all[i] = &Slot{Node: query.Node{OID: t, Mod: -1, At: -1}, Index: i}
		}
		next := newLayout()
		*next = *in
		next.types = slices.Clone(in.types)
		next.others = map[query.Expr]int{}
		for k, v := range in.others {
			next.others[k] = v
		}
		for i, e := range exprs {
			exprs[i] = rewrite(e, func(e query.Expr) (query.Expr, bool) {
				c, ok := e.(*query.Call)
				if !ok || !c.Set || slices.ContainsFunc(c.Args, hasSet) {
					return nil, false
				}
				slot := &Slot{Node: c.Node, Index: len(all) + len(calls)}
				calls = append(calls, s.bind(c, in))
				next.types = append(next.types, c.OID)
				return slot, true
			})
		}
		if s.p.err != nil || len(calls) == 0 {
			break
		}
		node = &ProjectSet{Row{next.types}, node, append(all, calls...)}
		in = next
	}
	return node, in, exprs
}

// windows plans the window calls of the targets, one operator for each window.
func (s *scope) windows(node Node, in *layout) (Node, *layout) {
	calls := s.windowCalls()
	next := newLayout()
	*next = *in
	next.types = slices.Clone(in.types)
	all := make([]query.Expr, len(in.types))
	for i, t := range in.types {
		all[i] = &Slot{Node: query.Node{OID: t, Mod: -1, At: -1}, Index: i}
	}
	keyed := map[int]int{} // by target
	for _, c := range calls {
		w := s.q.Windows[c.Window]
		for _, k := range append(slices.Clone(w.Partition), w.Order...) {
			if _, done := keyed[k.Target]; done {
				continue
			}
			e := s.bind(s.p.fold(s.q.Targets[k.Target].Expr), in)
			keyed[k.Target] = len(all)
			all = append(all, e)
			next.types = append(next.types, e.Type())
		}
	}
	if s.p.err != nil {
		return node, next
	}
	node = &Project{Row{next.types}, node, all}
	next.others = map[query.Expr]int{}
	for k, v := range in.others {
		next.others[k] = v
	}
	for i, w := range s.q.Windows {
		node = s.window(node, next, i, w, calls, keyed)
	}
	return node, next
}

func (s *scope) windowCalls() []*query.WindowCall {
	var calls []*query.WindowCall
	for i := range s.q.Targets {
		visit(s.q.Targets[i].Expr, func(e query.Expr) bool {
			if c, ok := e.(*query.WindowCall); ok && !slices.Contains(calls, c) {
				calls = append(calls, c)
				return false
			}
			return true
		})
	}
	return calls
}

func (s *scope) window(node Node, in *layout, number int, w query.Window, calls []*query.WindowCall, keyed map[int]int) Node {
	out := &Window{Input: node}
	at := func(keys []query.SortKey) []Order {
		o := orders(keys)
		for i, k := range keys {
			o[i].Column = keyed[k.Target]
		}
		return o
	}
	for _, c := range calls {
		if c.Window != number {
			continue
		}
		call := WindowCall{Call: c, Frame: w.Frame}
		for _, a := range c.Args {
			call.Args = append(call.Args, s.bind(s.p.fold(a), in))
		}
		if c.Filter != nil {
			call.Filter = s.bind(s.p.fold(c.Filter), in)
		}
		empty := newLayout()
		if w.Frame.Start.Offset != nil {
			call.Start = s.bind(s.p.fold(w.Frame.Start.Offset), empty)
		}
		if w.Frame.End.Offset != nil {
			call.End = s.bind(s.p.fold(w.Frame.End.Offset), empty)
		}
		out.Calls = append(out.Calls, call)
	}
	if len(out.Calls) == 0 {
		return node
	}
	out.Partition, out.Order = at(w.Partition), at(w.Order)
	for _, c := range out.Calls {
		in.others[c.Call] = in.add(c.Call.OID)
	}
	out.Columns = slices.Clone(in.types)
	return out
}
