package plan

import (
	"math"
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// item is a part of FROM that has been planned.
type item struct {
	node   Node
	layout *layout
	rels   relset
	rows   float64
	name   string
	// Of a lateral one: what its parameters stand for, and the relations these are of.
	lateral []*use
	needs   relset
	uses    []int
	varies  bool // it may give other rows each time
}

// from plans FROM and WHERE.
func (s *scope) from() *item {
	where, exists := s.takeExists(s.conjuncts(s.q.Where))
	it := s.joined(where)
	for _, e := range exists {
		if s.p.err == nil {
			it = s.semiJoin(it, e)
		}
	}
	return it
}

// joined plans FROM with conditions.
func (s *scope) joined(where []*conjunct) *item {
	var items []query.From
	items = append(items, s.q.From...)
	if len(items) == 0 {
		it := &item{node: &One{}, layout: newLayout(), rows: 1}
		return s.filter(it, where, true)
	}
	return s.pool(items, where)
}

// countNeeds notes every column of this query that something other than WHERE and
// ON reads, so that it is carried up to the end.
func (s *scope) countNeeds() {
	s.needed = map[columnKey]int{}
	note := func(e query.Expr, depth int) {
		visit(e, func(p query.Expr) bool {
			if c, ok := p.(*query.Column); ok && c.Levels == depth {
				s.need(columnKey{c.Relation, c.Attribute})
			}
			return true
		})
	}
	bare := *s.q
	bare.Where, bare.From, bare.SetOp, bare.CTEs, bare.Relations = nil, nil, nil, nil, nil
	expressions(&bare, 0, note)
	for _, r := range s.q.Relations {
		relationExpressions(r, 0, func(e query.Expr) { note(e, 0) }, note)
	}
}

func (s *scope) need(k columnKey) { s.change(k, 1) }

// change counts a reader of a column, or of all of a relation's, in or out.
func (s *scope) change(k columnKey, by int) {
	s.needed[k] += by
	if k.attribute != query.WholeRow {
		return
	}
	for i := range s.q.Relations[k.relation].Columns {
		s.needed[columnKey{k.relation, i}] += by
	}
}

// pool plans items that are joined as by CROSS JOIN, with the conditions that hold
// for all of them. Inner joins among them are taken apart.
func (s *scope) pool(from []query.From, conditions []*conjunct) *item {
	var leaves []query.From
	for _, f := range from {
		leaves, conditions = s.takeApart(f, leaves, conditions)
	}
	items := make([]*item, len(leaves))
	for i, f := range leaves {
		items[i] = s.tree(f, conditions)
		if s.p.err != nil {
			return items[i]
		}
	}
	return s.joinAll(items, conditions)
}

// takeApart lists what inner joins join, and their conditions.
func (s *scope) takeApart(f query.From, leaves []query.From, conditions []*conjunct) ([]query.From, []*conjunct) {
	j, ok := f.(*query.Join)
	if !ok || j.Kind != query.Inner {
		return append(leaves, f), conditions
	}
	leaves, conditions = s.takeApart(j.Left, leaves, conditions)
	leaves, conditions = s.takeApart(j.Right, leaves, conditions)
	return leaves, append(conditions, s.conjuncts(j.On)...)
}

// tree plans one item of FROM and applies those of some conditions that it alone
// decides.
func (s *scope) tree(f query.From, conditions []*conjunct) *item {
	var it *item
	switch n := f.(type) {
	case *query.RelationRef:
		it = s.relation(n.Relation)
	case *query.Join:
		if n.Kind == query.Inner {
			return s.pool([]query.From{n}, conditions)
		}
		it = s.outerJoin(n, conditions)
	}
	if s.p.err != nil {
		return it
	}
	return s.filter(it, conditions, false)
}

// filter applies the conditions that read only what an item gives. Those that read
// no relation, or may answer differently each time, wait until all items that they
// stand over are joined.
func (s *scope) filter(it *item, conditions []*conjunct, all bool) *item {
	var mine []*conjunct
	for _, c := range conditions {
		if c.done || !c.rels.within(it.rels) || !all && (c.volatile || len(c.rels) == 0) {
			continue
		}
		mine = append(mine, c)
	}
	if len(mine) == 0 {
		return it
	}
	var bound []query.Expr
	for _, c := range ordered(mine) {
		bound = append(bound, s.bind(c.expr, it.layout))
		s.release(c)
		it.rows = math.Max(1, it.rows*selectivity(c.expr))
	}
	if scan, ok := it.node.(*Scan); ok {
		scan.Filter = append(scan.Filter, bound...)
		return it
	}
	it.node = &Filter{Row{it.layout.types}, it.node, bound}
	return it
}

// selectivity guesses which part of the rows a condition lets through.
func selectivity(e query.Expr) float64 {
	switch n := e.(type) {
	case *query.Call:
		if n.Operator == nil {
			return 0.5
		}
		switch n.Operator.Name {
		case "=":
			return 0.02
		case "<>":
			return 0.95
		}
		return 0.33
	case *query.ScalarArray:
		return 0.1
	case *query.NullTest:
		if n.Not {
			return 0.95
		}
		return 0.05
	}
	return 0.5
}

// relation plans one relation.
func (s *scope) relation(n int) *item {
	r := s.q.Relations[n]
	it := &item{layout: newLayout(), rels: relset{n}, name: r.Name, rows: 100}
	switch r.Kind {
	case query.BaseTable:
		s.scan(it, n, r)
	case query.SubqueryRelation:
		s.subquery(it, n, r)
	case query.FunctionRelation:
		s.function(it, n, r)
	case query.ValuesRelation:
		s.values(it, n, r)
	case query.CTERelation:
		s.cteRelation(it, n, r)
	default:
		s.p.refuse("a relation of this kind is not supported here")
	}
	if s.p.err == nil && s.needed[columnKey{n, query.WholeRow}] > 0 && slices.ContainsFunc(s.q.From, hasOuter) {
		s.addRecord(it, n)
	}
	return it
}

// hasOuter reports whether an item of FROM has an outer join.
func hasOuter(f query.From) bool {
	j, ok := f.(*query.Join)
	return ok && (j.Kind != query.Inner || hasOuter(j.Left) || hasOuter(j.Right))
}

// addRecord adds a relation's row as a record where it is read, so that it is NULL
// itself, and not a record of NULLs, where an outer join has none.
func (s *scope) addRecord(it *item, n int) {
	all := make([]query.Expr, len(it.layout.types))
	for i, t := range it.layout.types {
		all[i] = &Slot{Node: query.Node{OID: t, Mod: -1, At: -1}, Index: i}
	}
	whole := &query.Column{Node: query.Node{OID: pgcat.Record, Mod: -1, At: -1}, Relation: n, Attribute: query.WholeRow}
	all = append(all, s.bind(whole, it.layout))
	s.place(it, n, query.WholeRow, pgcat.Record)
	it.node = &Project{Row{it.layout.types}, it.node, all}
}

// wanted lists the columns of a relation that somebody reads.
func (s *scope) wanted(n int, r *query.Relation) []int {
	var out []int
	for i := range r.Columns {
		if s.needed[columnKey{n, i}] > 0 {
			out = append(out, i)
		}
	}
	return out
}

func (s *scope) place(it *item, n, attribute int, t pgcat.OID) {
	it.layout.columns[columnKey{n, attribute}] = it.layout.add(t)
}

func (s *scope) scan(it *item, n int, r *query.Relation) {
	scan := &Scan{Table: r.Table, Name: r.Name, Reads: s.wanted(n, r)}
	for _, c := range scan.Reads {
		s.place(it, n, c, r.Columns[c].Type)
	}
	if s.needed[columnKey{n, rowNumber}] > 0 {
		scan.Reads = append(scan.Reads, RowNumber)
		s.place(it, n, rowNumber, pgcat.Int8)
	}
	scan.Columns = it.layout.types
	it.node = scan
	if s.p.options.Count != nil {
		if count := s.p.options.Count(r.Table); count >= 0 {
			it.rows = float64(count)
		}
	}
}

// subquery plans a sub-query in FROM. What it gives in columns that nobody reads is
// not computed.
func (s *scope) subquery(it *item, n int, r *query.Relation) {
	q := prune(r.Query, s.wanted(n, r))
	child, node := s.within(q)
	it.node, it.rows, it.varies = node, 1000, volatileQuery(q)
	for i, c := range r.Columns {
		s.place(it, n, i, c.Type)
	}
	s.depends(it, child)
}

// depends notes what an item takes of its neighbours and of further out.
func (s *scope) depends(it *item, child *scope) {
	it.uses = child.uses()
	for _, u := range child.outer {
		if u.level != 1 {
			continue
		}
		it.lateral = append(it.lateral, u)
		if c, ok := u.expr.(*query.Column); ok {
			it.needs = it.needs.with(c.Relation)
		}
	}
}

// prune replaces targets that nobody reads by NULLs, where that cannot be noticed.
func prune(q *query.Query, wanted []int) *query.Query {
	if q.Kind != query.Select || len(q.Distinct) > 0 && !q.DistinctOn || q.SetOp != nil || len(q.CTEs) > 0 && q.HasModifier {
		return q
	}
	read := map[int]bool{}
	for _, w := range wanted {
		read[w] = true
	}
	mark := func(keys []query.SortKey) {
		for _, k := range keys {
			read[k.Target] = true
		}
	}
	mark(q.Distinct)
	mark(q.Order)
	for _, w := range q.Windows {
		mark(w.Partition)
		mark(w.Order)
	}
	out := *q
	out.Targets = append([]query.Target(nil), q.Targets...)
	for i, t := range out.Targets {
		if !t.Hidden && !read[i] && !hasSet(t.Expr) && !volatile(t.Expr) {
			out.Targets[i].Expr = nullOf(t.Expr)
		}
	}
	return &out
}

func (s *scope) values(it *item, n int, r *query.Relation) {
	node := &Values{}
	child := &scope{p: s.p, parent: s, q: s.q, shifted: true}
	empty := newLayout()
	for _, row := range r.Rows {
		bound := make([]query.Expr, len(row))
		for i, e := range row {
			bound[i] = child.bind(s.p.fold(e), empty)
			it.varies = it.varies || volatile(e)
		}
		node.Rows = append(node.Rows, bound)
	}
	for i, c := range r.Columns {
		s.place(it, n, i, c.Type)
	}
	node.Columns = it.layout.types
	it.node, it.rows = node, float64(len(r.Rows))
	s.depends(it, child)
}

func (s *scope) function(it *item, n int, r *query.Relation) {
	node := &Function{Ordinality: r.Function.Ordinality}
	child := &scope{p: s.p, parent: s, q: s.q, shifted: true}
	empty := newLayout()
	at := 0
	for _, c := range r.Function.Calls {
		call := FunctionCall{Expr: child.bind(s.p.fold(c.Call), empty), Record: c.Record}
		for range c.Columns {
			column := r.Columns[at]
			call.Columns = append(call.Columns, column.Type)
			call.Names, call.Typmods = append(call.Names, column.Name), append(call.Typmods, column.Mod)
			at++
		}
		it.varies = it.varies || volatile(c.Call)
		node.Items = append(node.Items, call)
	}
	for i, c := range r.Columns {
		s.place(it, n, i, c.Type)
	}
	node.Columns = it.layout.types
	it.node, it.rows = node, 1000
	s.depends(it, child)
}

// errFullJoin is the server's error.
var errFullJoin = pgerr.New(pgerr.FeatureNotSupported, "FULL JOIN is only supported with merge-joinable or hash-joinable join conditions")
