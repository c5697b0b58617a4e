//go:build cgo

package analyze

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// targetList is a list of targets to which clauses may add hidden ones.
type targetList struct {
	scope   *scope
	targets []query.Target
}

// targetsOf analyses a list of targets, with stars expanded.
func (s *scope) targetsOf(nodes []*pg.Node, p place) []query.Target {
	var out []query.Target
	s.with(p, func() {
		for _, n := range nodes {
			r := n.GetResTarget()
			if stars := s.star(r.Val); stars != nil {
				out = append(out, stars...)
				continue
			}
			out = append(out, s.target(r))
		}
	})
	for i := range out {
		s.origin(&out[i])
	}
	return out
}

func (s *scope) target(r *pg.ResTarget) query.Target {
	e := s.expr(r.Val)
	name := r.Name
	if name == "" {
		name = s.figureName(r.Val)
	}
	return query.Target{Expr: e, Name: name, Attribute: -1}
}

// origin notes the table's column that a target is.
func (s *scope) origin(t *query.Target) {
	c, ok := t.Expr.(*query.Column)
	if !ok || c.Attribute < 0 || c.Levels > 0 {
		return
	}
	r := s.q.Relations[c.Relation]
	switch r.Kind {
	case query.BaseTable:
		t.Table, t.Column = r.Table, c.Attribute
	case query.SubqueryRelation:
		if out := r.Query.Outputs(); c.Attribute < len(out) && r.Query.SetOp == nil {
			t.Table, t.Column = out[c.Attribute].Table, out[c.Attribute].Column
		}
	}
}

// star expands *, t.* and (expression).*; nil when the node is none of them.
func (s *scope) star(n *pg.Node) []query.Target {
	if c := n.GetColumnRef(); c != nil && len(c.Fields) > 0 && c.Fields[len(c.Fields)-1].GetAStar() != nil {
		return s.columnStar(c)
	}
	if x := n.GetAIndirection(); x != nil && len(x.Indirection) > 0 && x.Indirection[len(x.Indirection)-1].GetAStar() != nil {
		return s.recordStar(x)
	}
	return nil
}

func (s *scope) columnStar(c *pg.ColumnRef) []query.Target {
	at := int(c.Location)
	full := names(c.Fields)
	if len(full) == 0 {
		return s.bareStar(at)
	}
	schema := ""
	if len(full) > 1 {
		schema = full[len(full)-2]
	}
	if len(full) > 3 {
		s.fail(at, pgerr.SyntaxError, "improper qualified name (too many dotted names): %s", strings.Join(append(full, "*"), "."))
	}
	if len(full) == 3 && full[0] != "postgres" {
		s.fail(at, pgerr.FeatureNotSupported, "cross-database references are not implemented: %s", strings.Join(append(full, "*"), "."))
	}
	name := full[len(full)-1]
	it, levels := s.findRelation(schema, name, at)
	if it == nil {
		s.missingRelation(schema, name, at)
	}
	return s.itemTargets(it, levels, at)
}

func (s *scope) bareStar(at int) []query.Target {
	out := []query.Target{}
	any := false
	for _, it := range s.names {
		if !it.colsVisible {
			continue
		}
		if it.lateralOnly {
			continue
		}
		any = true
		out = append(out, s.itemTargets(it, 0, at)...)
	}
	if !any {
		s.fail(at, pgerr.SyntaxError, "SELECT * with no tables specified is not valid")
	}
	return out
}

func (s *scope) itemTargets(it *item, levels, at int) []query.Target {
	out := make([]query.Target, 0, len(it.columns))
	for _, c := range it.columns {
		out = append(out, query.Target{Expr: s.reference(c.expr, levels, at), Name: c.name, Attribute: -1})
	}
	return out
}

func (s *scope) recordStar(x *pg.A_Indirection) []query.Target {
	inner := &pg.Node{Node: &pg.Node_AIndirection{AIndirection: &pg.A_Indirection{Arg: x.Arg, Indirection: x.Indirection[:len(x.Indirection)-1]}}}
	if len(x.Indirection) == 1 {
		inner = x.Arg
	}
	e := s.expr(inner)
	if e.Type() != pgcat.Record {
		s.fail(e.Pos(), pgerr.WrongObjectType, "type %s is not composite", s.cat.FormatType(e.Type()))
	}
	if c, ok := e.(*query.Column); ok && c.Attribute == query.WholeRow {
		return s.itemTargets(s.up(c.Levels).itemOf(c.Relation), c.Levels, c.At)
	}
	shape := s.shape(e)
	if shape == nil {
		s.fail(e.Pos(), pgerr.FeatureNotSupported, "record type has not been registered")
	}
	out := []query.Target{}
	for i, c := range shape {
		out = append(out, query.Target{
			Expr: &query.Field{Node: query.Node{OID: c.Type, Mod: c.Mod, At: e.Pos()}, Record: e, Number: i, Name: c.Name}, Name: c.Name, Attribute: -1,
		})
	}
	return out
}

// resolveUnknown makes targets of open type text.
func (l *targetList) resolveUnknown() {
	for i, t := range l.targets {
		if t.Expr.Type() == pgcat.Unknown {
			l.targets[i].Expr = l.scope.coerce(t.Expr, pgcat.Text, -1, pgcat.Implicit, -1)
		}
	}
}

// settle makes a target of open type text, before it is sorted or grouped by.
func (l *targetList) settle(i int) query.Expr {
	if l.targets[i].Expr.Type() == pgcat.Unknown {
		l.targets[i].Expr = l.scope.coerce(l.targets[i].Expr, pgcat.Text, -1, pgcat.Implicit, l.targets[i].Expr.Pos())
	}
	return l.targets[i].Expr
}

// find92 finds what ORDER BY, GROUP BY or DISTINCT ON means by the rules of SQL-92:
// an output column's name or number; otherwise an expression.
func (l *targetList) find92(n *pg.Node, p place) int {
	s := l.scope
	if c := n.GetColumnRef(); c != nil && len(c.Fields) == 1 && c.Fields[0].GetString_() != nil {
		if i := l.named(c.Fields[0].GetString_().Sval, int(c.Location), p); i >= 0 {
			return i
		}
	}
	if c := n.GetAConst(); c != nil {
		return l.numbered(c, p)
	}
	return l.find99(s.expression(n, p))
}

// named finds an output column by its name. GROUP BY prefers an input column.
func (l *targetList) named(name string, at int, p place) int {
	s := l.scope
	if p == inGroupBy && s.findColumn(name, at, true) != nil {
		return -1
	}
	found := -1
	for i, t := range l.targets {
		if t.Hidden || t.Name != name {
			continue
		}
		if found >= 0 && !query.Equal(l.targets[found].Expr, t.Expr) {
			s.fail(at, pgerr.AmbiguousColumn, "%s \"%s\" is ambiguous", p, name)
		}
		if found < 0 {
			found = i
		}
	}
	if found >= 0 {
		l.checkGroupTarget(found, p)
	}
	return found
}

func (l *targetList) checkGroupTarget(i int, p place) {
	if p == inGroupBy {
		l.scope.refuseIn(l.targets[i].Expr, p.String())
	}
}

func (l *targetList) numbered(c *pg.A_Const, p place) int {
	s := l.scope
	at := int(c.Location)
	v, isInt := c.Val.(*pg.A_Const_Ival)
	if c.Isnull || !isInt && c.Val != nil {
		s.fail(at, pgerr.SyntaxError, "non-integer constant in %s", p)
	}
	n := 0
	if isInt {
		n = int(v.Ival.GetIval())
	}
	position := 0
	for i, t := range l.targets {
		if t.Hidden {
			continue
		}
		if position++; position == n {
			l.checkGroupTarget(i, p)
			return i
		}
	}
	s.fail(at, invalidColumnReference, "%s position %d is not in select list", p, n)
	return -1
}

// find99 finds the target that is an expression, or adds it hidden.
func (l *targetList) find99(e query.Expr) int {
	for i, t := range l.targets {
		if query.Equal(e, stripImplicit(t.Expr)) {
			return i
		}
	}
	l.targets = append(l.targets, query.Target{Expr: e, Hidden: true, Attribute: -1})
	return len(l.targets) - 1
}

func (l *targetList) find(n *pg.Node, p place, sql99 bool) int {
	if sql99 {
		return l.find99(l.scope.expression(n, p))
	}
	return l.find92(n, p)
}

// sort analyses ORDER BY.
func (l *targetList) sort(clause []*pg.Node, p place, sql99 bool) []query.SortKey {
	var keys []query.SortKey
	for _, n := range clause {
		by := n.GetSortBy()
		keys = l.addSort(keys, l.find(by.Node, p, sql99), by, sortPos(by))
	}
	return keys
}

// addSort adds a sort key unless it is there.
func (l *targetList) addSort(keys []query.SortKey, target int, by *pg.SortBy, at int) []query.SortKey {
	s := l.scope
	e := l.settle(target)
	key := query.SortKey{Target: target}
	switch by.SortbyDir {
	case pg.SortByDir_SORTBY_DESC:
		key.Descending = true
		key.Operator, key.Equal = s.orderingOf(e, true, at)
	case pg.SortByDir_SORTBY_USING:
		key = l.sortUsing(key, e, by)
	default:
		key.Operator, key.Equal = s.orderingOf(e, false, at)
	}
	switch by.SortbyNulls {
	case pg.SortByNulls_SORTBY_NULLS_FIRST:
		key.NullsFirst = true
	case pg.SortByNulls_SORTBY_NULLS_LAST:
	default:
		key.NullsFirst = key.Descending
	}
	for _, k := range keys {
		if k.Target == target && k.Operator == key.Operator {
			return keys
		}
	}
	return append(keys, key)
}

func (l *targetList) sortUsing(key query.SortKey, e query.Expr, by *pg.SortBy) query.SortKey {
	s := l.scope
	name, _ := operatorName(by.UseOp)
	at := int(by.Location)
	r, err := s.cat.ResolveOperator(name, e.Type(), e.Type())
	s.checkCall(at, err)
	o := s.cat.Ordering(r.ArgTypes[0])
	switch r.OID {
	case o.Less:
	case o.Greater:
		key.Descending = true
	default:
		s.raise(at, pgerr.New(pgerr.WrongObjectType, "operator %s is not a valid ordering operator", name).
			WithHint("Ordering operators must be \"<\" or \">\" members of btree operator families."))
	}
	key.Operator, key.Equal = r.OID, o.Equal
	return key
}

// orderingOf gives the operators that sort an expression.
func (s *scope) orderingOf(e query.Expr, descending bool, at int) (sort, equal pgcat.OID) {
	o := s.cat.Ordering(e.Type())
	if o.Less == 0 {
		s.raise(at, pgerr.New(pgerr.UndefinedFunction, "could not identify an ordering operator for type %s", s.cat.FormatType(e.Type())).
			WithHint("Use an explicit ordering operator or modify the query."))
	}
	if descending {
		return o.Greater, o.Equal
	}
	return o.Less, o.Equal
}

// equalityOf gives the operators that group an expression; that which sorts may be
// missing.
func (s *scope) equalityOf(t pgcat.OID, at int) (sort, equal pgcat.OID) {
	o := s.cat.Ordering(t)
	equal = o.Equal
	if equal == 0 {
		equal = o.HashEqual
	}
	if equal == 0 {
		s.fail(at, pgerr.UndefinedFunction, "could not identify an equality operator for type %s", s.cat.FormatType(t))
	}
	return o.Less, equal
}

// distinct makes the keys of DISTINCT: those of ORDER BY first, then the other
// visible targets.
func (l *targetList) distinct(order []query.SortKey, aggregate bool) []query.SortKey {
	s := l.scope
	var keys []query.SortKey
	for _, k := range order {
		if l.targets[k.Target].Hidden {
			message := "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
			if aggregate {
				message = "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list"
			}
			s.fail(l.targets[k.Target].Expr.Pos(), invalidColumnReference, "%s", message)
		}
		keys = append(keys, k)
	}
	for i, t := range l.targets {
		if !t.Hidden {
			keys = l.addGroupSort(keys, i, t.Expr.Pos())
		}
	}
	if len(keys) == 0 {
		message := "SELECT DISTINCT must have at least one column"
		if aggregate {
			message = "an aggregate with DISTINCT must have at least one argument"
		}
		s.fail(-1, pgerr.SyntaxError, "%s", message)
	}
	return keys
}

// addGroupSort adds a key that only needs equality, unless the target is there.
func (l *targetList) addGroupSort(keys []query.SortKey, target, at int) []query.SortKey {
	e := l.settle(target)
	for _, k := range keys {
		if k.Target == target {
			return keys
		}
	}
	less, equal := l.scope.equalityOf(e.Type(), at)
	return append(keys, query.SortKey{Target: target, Operator: less, Equal: equal})
}

// distinctOn makes the keys of DISTINCT ON, which must lead ORDER BY.
func (l *targetList) distinctOn(clause []*pg.Node, order []query.SortKey) []query.SortKey {
	s := l.scope
	var wanted []int
	for _, n := range clause {
		wanted = append(wanted, l.find92(n, inDistinctOn))
	}
	in := func(target int) bool {
		for _, w := range wanted {
			if w == target {
				return true
			}
		}
		return false
	}
	mismatch := func(target int) {
		for i, w := range wanted {
			if w == target {
				s.fail(rawPos(clause[i]), invalidColumnReference, "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
			}
		}
	}
	var keys []query.SortKey
	skipped := false
	for _, k := range order {
		switch {
		case !in(k.Target):
			skipped = true
		case skipped:
			mismatch(k.Target)
		default:
			keys = append(keys, k)
		}
	}
	for i, w := range wanted {
		before := len(keys)
		keys = l.addGroupSort(keys, w, rawPos(clause[i]))
		if skipped && len(keys) > before {
			mismatch(w)
		}
	}
	return keys
}

func sortPos(by *pg.SortBy) int {
	if by.Location >= 0 {
		return int(by.Location)
	}
	return rawPos(by.Node)
}
