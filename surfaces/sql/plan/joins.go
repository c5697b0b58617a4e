package plan

import (
	"math"
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// joinAll joins items in an order in which each is joined by an equality where
// there is one, beginning with the first, and then what is not connected.
func (s *scope) joinAll(items []*item, conditions []*conjunct) *item {
	var parts []*item
	rest := slices.Clone(items)
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(it *item) bool { return !s.waits(it, rest) })
		if i < 0 {
			i = 0
		}
		cur := rest[i]
		rest = slices.Delete(rest, i, i+1)
		for {
			n := s.nextItem(cur, rest, conditions)
			if n < 0 {
				break
			}
			cur = s.join(cur, rest[n], query.Inner, conditions)
			rest = slices.Delete(rest, n, n+1)
			if s.p.err != nil {
				return cur
			}
		}
		parts = append(parts, cur)
	}
	cur := parts[0]
	for _, it := range parts[1:] {
		cur = s.join(cur, it, query.Inner, conditions)
	}
	return s.filter(cur, conditions, true)
}

// waits reports whether a lateral item needs another that is still to be joined.
func (s *scope) waits(it *item, rest []*item) bool {
	return slices.ContainsFunc(rest, func(o *item) bool { return o != it && it.needs.overlaps(o.rels) })
}

// nextItem chooses the smallest item that an equality connects, or a lateral one
// whose needs are there; -1 if none.
func (s *scope) nextItem(cur *item, rest []*item, conditions []*conjunct) int {
	best := -1
	for i, it := range rest {
		if s.waits(it, rest) || len(it.needs) > 0 && !it.needs.within(cur.rels) {
			continue
		}
		if len(it.needs) == 0 && !s.connected(cur, it, conditions) {
			continue
		}
		if best < 0 || it.rows < rest[best].rows {
			best = i
		}
	}
	return best
}

func (s *scope) connected(a, b *item, conditions []*conjunct) bool {
	return slices.ContainsFunc(conditions, func(c *conjunct) bool {
		if c.done || c.volatile {
			return false
		}
		_, _, ok := sides(c.expr, a.rels, b.rels)
		return ok
	})
}

// sides splits an equality into what one side and the other gives.
func sides(e query.Expr, a, b relset) (left, right query.Expr, ok bool) {
	var call *query.Call
	switch n := e.(type) {
	case *query.Call:
		call = n
	case *query.Distinct:
		if !n.Not {
			return nil, nil, false
		}
		call = n.Comparison
	default:
		return nil, nil, false
	}
	if !hashable(call) {
		return nil, nil, false
	}
	x, y := call.Args[0], call.Args[1]
	xr, _ := reads(x)
	yr, _ := reads(y)
	switch {
	case len(xr) == 0 || len(yr) == 0 || cost(e) >= subqueryCost:
		return nil, nil, false
	case xr.within(a) && yr.within(b):
		return x, y, true
	case xr.within(b) && yr.within(a):
		return y, x, true
	}
	return nil, nil, false
}

// join joins two items with the conditions that they decide together.
func (s *scope) join(a, b *item, kind query.JoinKind, conditions []*conjunct) *item {
	both := a.rels.union(b.rels)
	out := &item{rels: both, name: a.name + " and " + b.name, varies: a.varies || b.varies}
	all := a.layout.beside(b.layout)
	node := &Join{Left: a.node, Right: b.node, Name: out.name, Volatile: b.varies}
	node.Kind = map[query.JoinKind]JoinKind{query.Inner: Inner, query.Left: Left, query.Full: Full}[kind]
	s.lateral(node, a, b, out)
	out.rows = a.rows * b.rows
	var rest []*conjunct
	var placed []*conjunct
	for _, c := range conditions {
		if c.done || !c.rels.within(both) || kind == query.Inner && (c.volatile || len(c.rels) == 0) {
			continue
		}
		placed = append(placed, c)
		left, right, ok := sides(c.expr, a.rels, b.rels)
		if !ok || c.volatile {
			rest = append(rest, c)
			continue
		}
		_, nullSafe := c.expr.(*query.Distinct)
		node.Keys = append(node.Keys, Equality{s.bind(left, a.layout), s.bind(right, b.layout), nullSafe})
		out.rows = math.Min(out.rows, math.Max(a.rows, b.rows))
	}
	for _, c := range ordered(rest) {
		node.Residual = append(node.Residual, s.bind(c.expr, all))
		out.rows = math.Max(1, out.rows*selectivity(c.expr))
	}
	for _, c := range placed {
		s.release(c)
	}
	s.output(node, all, out)
	out.node = node
	return out
}

// lateral wires what the right side takes of the left one's rows.
func (s *scope) lateral(node *Join, a, b, out *item) {
	node.RightUses = b.uses
	for _, u := range b.lateral {
		if c, ok := u.expr.(*query.Column); ok && !a.rels.has(c.Relation) {
			out.lateral = append(out.lateral, u)
			out.needs = out.needs.with(c.Relation)
			continue
		}
		node.Lateral = append(node.Lateral, Argument{u.param, s.argument(u.expr, a.layout)})
	}
	out.lateral = append(out.lateral, a.lateral...)
	out.needs = out.needs.union(a.needs)
	out.uses = append(append(out.uses, a.uses...), b.uses...)
}

// output keeps the columns of a join that somebody still reads.
func (s *scope) output(node *Join, all *layout, out *item) {
	out.layout = newLayout()
	keep := make([]columnKey, len(all.types))
	held := make([]bool, len(all.types))
	for k, i := range all.columns {
		keep[i], held[i] = k, true
	}
	for i := range all.types {
		if !held[i] || s.needed[keep[i]] <= 0 {
			continue
		}
		node.Output = append(node.Output, i)
		out.layout.columns[keep[i]] = out.layout.add(all.types[i])
	}
	node.Columns = out.layout.types
}

// outerJoin plans LEFT, RIGHT and FULL JOIN. Of the conditions from above it hands
// on those that read only the side whose rows are all kept.
func (s *scope) outerJoin(j *query.Join, above []*conjunct) *item {
	left, right, kind := j.Left, j.Right, j.Kind
	if kind == query.Right {
		left, right, kind = right, left, query.Left
	}
	on := s.conjuncts(j.On)
	if kind == query.Full {
		return s.fullJoin(left, right, on)
	}
	inside := relationsOf(left, nil)
	a := s.tree(left, restrict(above, inside))
	if s.p.err != nil {
		return a
	}
	b := s.tree(right, restrict(on, relationsOf(right, nil)))
	if s.p.err != nil {
		return b
	}
	return s.join(a, b, query.Left, on)
}

func (s *scope) fullJoin(left, right query.From, on []*conjunct) *item {
	a, b := s.tree(left, nil), s.tree(right, nil)
	if s.p.err != nil {
		return a
	}
	constant := true
	for _, c := range on {
		_, _, isConstant := constantOf(c.expr)
		constant = constant && isConstant
	}
	out := s.join(a, b, query.Full, on)
	if node, ok := out.node.(*Join); ok && len(node.Keys) == 0 && !constant {
		s.p.fail(errFullJoin)
	}
	return out
}

// restrict gives the conditions that read some of these relations and no others,
// and answer the same each time.
func restrict(all []*conjunct, to relset) []*conjunct {
	var out []*conjunct
	for _, c := range all {
		if !c.done && !c.volatile && len(c.rels) > 0 && c.rels.within(to) {
			out = append(out, c)
		}
	}
	return out
}

func relationsOf(f query.From, into relset) relset {
	switch n := f.(type) {
	case *query.RelationRef:
		return into.with(n.Relation)
	case *query.Join:
		return relationsOf(n.Right, relationsOf(n.Left, into))
	}
	return into
}
