//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

func (s *scope) aggregateCall(r pgcat.ResolvedFunction, p callParts) query.Expr {
	facts := s.cat.Aggregate(r.OID)
	if facts != nil && facts.Kind != 'n' {
		return s.orderedSet(r, facts, p)
	}
	f := p.node
	if f.AggWithinGroup {
		s.fail(p.at, pgerr.WrongObjectType, "%s is not an ordered-set aggregate, so it cannot have WITHIN GROUP", p.full)
	}
	if f.Over != nil {
		return s.windowFunctionCall(r, p)
	}
	s.checkAggregate(p)
	out := &query.Aggregate{
		Node: query.Node{OID: r.ResultType, Mod: -1, At: p.at}, Function: r.Function, Star: f.AggStar,
		Args: s.completeArguments(r, p), Variadic: f.FuncVariadic && r.Variadic == pgcat.Any, Filter: p.filter,
	}
	s.orderAggregate(out, f)
	s.placeAggregate(out)
	return out
}

func (s *scope) checkAggregate(p callParts) {
	if len(p.args) == 0 && !p.node.AggStar && !p.node.AggWithinGroup {
		s.fail(p.at, pgerr.WrongObjectType, "%s(*) must be used to call a parameterless aggregate function", p.full)
	}
	if len(p.names) > 0 {
		s.fail(p.at, pgerr.FeatureNotSupported, "aggregates cannot use named arguments")
	}
}

// orderAggregate takes in ORDER BY and DISTINCT inside the call.
func (s *scope) orderAggregate(out *query.Aggregate, f *pg.FuncCall) {
	list := &targetList{scope: s}
	for _, e := range out.Args {
		list.targets = append(list.targets, query.Target{Expr: e, Attribute: -1})
	}
	s.with(inOrderBy, func() { out.Order = list.sort(f.AggOrder, inOrderBy, true) })
	for i := range out.Args {
		out.Args[i] = list.targets[i].Expr
	}
	for _, t := range list.targets[len(out.Args):] {
		out.Extra = append(out.Extra, t.Expr)
	}
	if !f.AggDistinct {
		return
	}
	out.Distinct = list.distinct(out.Order, true)
	for _, k := range out.Distinct {
		if k.Operator == 0 {
			e := list.targets[k.Target].Expr
			s.raise(e.Pos(), pgerr.New(pgerr.UndefinedFunction, "could not identify an ordering operator for type %s", s.cat.FormatType(e.Type())).
				WithDetail("Aggregates with DISTINCT must be able to sort their inputs."))
		}
	}
}

// orderedSet is an aggregate with WITHIN GROUP, whose aggregated arguments are what
// it sorts by.
func (s *scope) orderedSet(r pgcat.ResolvedFunction, facts *pgcat.AggregateFacts, p callParts) query.Expr {
	f := p.node
	if !f.AggWithinGroup {
		s.fail(p.at, pgerr.WrongObjectType, "WITHIN GROUP is required for ordered-set aggregate %s", p.full)
	}
	if f.Over != nil {
		s.fail(p.at, pgerr.FeatureNotSupported, "OVER is not supported for ordered-set aggregate %s", p.full)
	}
	s.checkAggregate(p)
	direct := len(p.args) - len(f.AggOrder)
	s.checkDirect(facts, p, direct, len(f.AggOrder))
	args := s.arguments(p.args, r.ArgTypes)
	if facts.Kind == 'h' {
		s.unifyHypothetical(args, direct)
	}
	out := &query.Aggregate{
		Node: query.Node{OID: r.ResultType, Mod: -1, At: p.at}, Function: r.Function,
		Direct: args[:direct:direct], Args: args[direct:], Variadic: f.FuncVariadic, Filter: p.filter,
	}
	list := &targetList{scope: s}
	for _, e := range out.Args {
		list.targets = append(list.targets, query.Target{Expr: e, Attribute: -1})
	}
	for i, n := range f.AggOrder {
		out.Order = list.addSort(out.Order, i, n.GetSortBy(), sortPos(n.GetSortBy()))
	}
	for i := range out.Args {
		out.Args[i] = list.targets[i].Expr
	}
	s.placeAggregate(out)
	return out
}

func (s *scope) checkDirect(facts *pgcat.AggregateFacts, p callParts, direct, aggregated int) {
	call := pgcat.Call{Name: p.full, Types: typesOf(p.args)}
	e := pgerr.New(pgerr.UndefinedFunction, "function %s does not exist", s.cat.Signature(call))
	if facts.Kind == 'h' {
		if direct != aggregated {
			s.raise(p.at, e.WithHint("To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match the number of ordering columns (here %d).", p.full, direct, aggregated))
		}
		return
	}
	if direct != facts.Direct {
		plural := "s"
		if facts.Direct == 1 {
			plural = ""
		}
		s.raise(p.at, e.WithHint("There is an ordered-set aggregate %s, but it requires %d direct argument%s, not %d.", p.full, facts.Direct, plural, direct))
	}
}

// unifyHypothetical gives each hypothetical argument the type of what it is
// compared with.
func (s *scope) unifyHypothetical(args []query.Expr, direct int) {
	for i := range direct {
		a, b := args[i], args[direct+i]
		t := s.common([]query.Expr{b, a}, "WITHIN GROUP")
		args[direct+i] = s.convertOr(b, t)
		args[i] = s.convertOr(a, t)
	}
}

func (s *scope) convertOr(e query.Expr, t pgcat.OID) query.Expr {
	if r := s.convert(e, t, -1, pgcat.Implicit, -1); r != nil {
		return r
	}
	return e
}

// levelsOf finds the nearest levels, seen from this scope, of the columns and of
// the aggregates in some expressions; -1 is none.
type levelsOf struct {
	scope           *scope
	columns         int
	aggregates      int
	nested          query.Expr // the first aggregate of that level
	refuseWindowAt  query.Expr
	refuseSetReturn query.Expr
}

func (l *levelsOf) add(list ...query.Expr) {
	for _, e := range list {
		query.Walk(e, l.visit)
	}
}

func (l *levelsOf) visit(e query.Expr, depth int) bool {
	switch x := e.(type) {
	case *query.Column:
		l.column(x.Levels - depth)
	case *query.Key:
		l.column(x.Levels - depth)
	case *query.Aggregate:
		l.aggregate(x, x.Levels-depth)
	case *query.Grouping:
		l.aggregate(x, x.Levels-depth)
	case *query.WindowCall:
		if depth == 0 && l.refuseWindowAt == nil {
			l.refuseWindowAt = x
		}
	case *query.Call:
		if depth == 0 && x.Set && l.refuseSetReturn == nil {
			l.refuseSetReturn = x
		}
	}
	return true
}

func (l *levelsOf) column(level int) {
	if level >= 0 && (l.columns < 0 || level < l.columns) {
		l.columns = level
	}
}

func (l *levelsOf) aggregate(e query.Expr, level int) {
	if level >= 0 && (l.aggregates < 0 || level < l.aggregates) {
		l.aggregates, l.nested = level, e
	}
}

func (l *levelsOf) level() int {
	switch {
	case l.columns < 0:
		return max(l.aggregates, 0)
	case l.aggregates < 0:
		return l.columns
	}
	return min(l.columns, l.aggregates)
}

// placeAggregate finds the query that an aggregate belongs to and whether it may
// stand where it does (check_agglevels_and_constraints).
func (s *scope) placeAggregate(x *query.Aggregate) {
	l := &levelsOf{scope: s, columns: -1, aggregates: -1}
	l.add(x.Args...)
	l.add(x.Extra...)
	l.add(x.Filter)
	s.refuseInAggregate(l)
	level := l.level()
	s.checkNested(l, level)
	direct := &levelsOf{scope: s, columns: -1, aggregates: -1}
	direct.add(x.Direct...)
	s.refuseInAggregate(direct)
	if direct.columns >= 0 && direct.columns < level {
		s.fail(firstPos(x.Direct), pgerr.GroupingError, "outer-level aggregate cannot contain a lower-level variable in its direct arguments")
	}
	if direct.aggregates >= 0 && direct.aggregates <= level {
		s.fail(direct.nested.Pos(), pgerr.GroupingError, "aggregate function calls cannot be nested")
	}
	x.Levels = level
	s.claimAggregate(level, x.At, "aggregate functions")
}

func (s *scope) refuseInAggregate(l *levelsOf) {
	if l.refuseSetReturn != nil {
		s.raise(l.refuseSetReturn.Pos(), pgerr.New(pgerr.FeatureNotSupported, "aggregate function calls cannot contain set-returning function calls").
			WithHint("You might be able to move the set-returning function into a LATERAL FROM item."))
	}
	if l.refuseWindowAt != nil {
		s.fail(l.refuseWindowAt.Pos(), pgerr.GroupingError, "aggregate function calls cannot contain window function calls")
	}
}

func (s *scope) checkNested(l *levelsOf, level int) {
	if l.aggregates == level && l.nested != nil {
		s.fail(l.nested.Pos(), pgerr.GroupingError, "aggregate function calls cannot be nested")
	}
}

// claimAggregate marks the query of an aggregate, or refuses it there.
func (s *scope) claimAggregate(level, at int, what string) {
	owner := s.up(level)
	if message := owner.place.refusesAggregate(what); message != "" {
		s.fail(at, pgerr.GroupingError, "%s", message)
	}
	owner.aggregates = true
}

const maxGroupingArguments = 31

func (s *scope) groupingCall(g *pg.GroupingFunc) query.Expr {
	at := int(g.Location)
	if len(g.Args) > maxGroupingArguments {
		s.fail(at, pgerr.TooManyArguments, "GROUPING must have fewer than %d arguments", maxGroupingArguments+1)
	}
	out := &query.Grouping{Node: query.Node{OID: pgcat.Int4, Mod: -1, At: at}}
	for _, n := range g.Args {
		out.Args = append(out.Args, s.expr(n))
	}
	l := &levelsOf{scope: s, columns: -1, aggregates: -1}
	l.add(out.Args...)
	out.Levels = l.level()
	s.checkNested(l, out.Levels)
	s.claimAggregate(out.Levels, at, "grouping operations")
	return out
}

// windowFunctionCall is a window function, or an aggregate with OVER.
func (s *scope) windowFunctionCall(r pgcat.ResolvedFunction, p callParts) query.Expr {
	f := p.node
	aggregate := r.Kind == pgcat.Aggregate
	switch {
	case f.Over == nil:
		s.fail(p.at, pgerr.WrongObjectType, "window function %s requires an OVER clause", p.full)
	case f.AggWithinGroup:
		s.fail(p.at, pgerr.WrongObjectType, "window function %s cannot have WITHIN GROUP", p.full)
	case f.AggDistinct:
		s.fail(p.at, pgerr.FeatureNotSupported, "DISTINCT is not implemented for window functions")
	case aggregate && len(p.args) == 0 && !f.AggStar:
		s.fail(p.at, pgerr.WrongObjectType, "%s(*) must be used to call a parameterless aggregate function", p.full)
	case len(f.AggOrder) > 0:
		s.fail(p.at, pgerr.FeatureNotSupported, "aggregate ORDER BY is not implemented for window functions")
	case !aggregate && f.AggFilter != nil:
		s.fail(p.at, pgerr.FeatureNotSupported, "FILTER is not implemented for non-aggregate window functions")
	}
	args := s.completeArguments(r, p)
	if s.lastSet != p.set {
		s.raise(s.lastSet.Pos(), pgerr.New(pgerr.FeatureNotSupported, "window function calls cannot contain set-returning function calls").
			WithHint("You might be able to move the set-returning function into a LATERAL FROM item."))
	}
	out := &query.WindowCall{
		Node: query.Node{OID: r.ResultType, Mod: -1, At: p.at}, Function: r.Function, Star: f.AggStar,
		Args: args, Variadic: f.FuncVariadic && r.Variadic == pgcat.Any, Filter: p.filter,
	}
	s.placeWindow(out, f.Over)
	return out
}

func (s *scope) placeWindow(out *query.WindowCall, over *pg.WindowDef) {
	l := &levelsOf{scope: s, columns: -1, aggregates: -1}
	l.add(out.Args...)
	if l.refuseWindowAt != nil {
		s.fail(l.refuseWindowAt.Pos(), pgerr.WindowingError, "window function calls cannot be nested")
	}
	if message := s.place.refusesWindow(); message != "" {
		s.fail(out.At, pgerr.WindowingError, "%s", message)
	}
	out.Window = s.windowOf(over)
	s.windows = true
}

// windowOf finds or adds the definition that OVER names or holds.
func (s *scope) windowOf(over *pg.WindowDef) int {
	if over.Name == "" {
		s.windowDefs = append(s.windowDefs, over)
		return len(s.windowDefs) - 1
	}
	for i, d := range s.windowDefs {
		if d.Name == over.Name {
			return i
		}
	}
	s.fail(int(over.Location), pgerr.UndefinedObject, "window \"%s\" does not exist", over.Name)
	return -1
}

// refuseIn raises an error when an expression has aggregates or window functions of
// this query, for a clause that found it in the target list.
func (s *scope) refuseIn(e query.Expr, clause string) {
	query.Walk(e, func(x query.Expr, depth int) bool {
		switch n := x.(type) {
		case *query.Aggregate:
			if n.Levels == depth {
				s.fail(n.At, pgerr.GroupingError, "aggregate functions are not allowed in %s", clause)
			}
		case *query.WindowCall:
			if depth == 0 {
				s.fail(n.At, pgerr.WindowingError, "window functions are not allowed in %s", clause)
			}
		}
		return true
	})
}
