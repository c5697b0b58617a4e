//go:build cgo

package analyze

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// operatorName gives the name of an operator, which may be written with a schema.
// Only the system's schema has operators.
func operatorName(list []*pg.Node) (name string, foreign bool) {
	full := names(list)
	name = full[len(full)-1]
	return name, len(full) > 1 && full[len(full)-2] != "pg_catalog"
}

func (s *scope) operatorExpr(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	switch x.Kind {
	case pg.A_Expr_Kind_AEXPR_OP_ANY, pg.A_Expr_Kind_AEXPR_OP_ALL:
		name := s.operatorOf(x)
		left, right := s.expr(x.Lexpr), s.expr(x.Rexpr)
		return s.scalarArray(name, x.Kind == pg.A_Expr_Kind_AEXPR_OP_ANY, left, right, at)
	case pg.A_Expr_Kind_AEXPR_DISTINCT, pg.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return s.distinctExpr(x)
	case pg.A_Expr_Kind_AEXPR_NULLIF:
		return s.nullIf(x)
	case pg.A_Expr_Kind_AEXPR_IN:
		return s.in(x)
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN, pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return s.between(x)
	}
	return s.plainOperator(x)
}

// operatorOf gives the name of an operator, or refuses one of a foreign schema.
func (s *scope) operatorOf(x *pg.A_Expr) string {
	name, foreign := operatorName(x.Name)
	if foreign {
		s.unsupported(int(x.Location), "the operator "+strings.Join(names(x.Name), "."))
	}
	return name
}

func (s *scope) plainOperator(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	name := s.operatorOf(x)
	if x.Lexpr == nil {
		return s.prefix(name, s.expr(x.Rexpr), at)
	}
	if row, sub := x.Lexpr.GetRowExpr(), x.Rexpr.GetSubLink(); row != nil && sub != nil && sub.SubLinkType == pg.SubLinkType_EXPR_SUBLINK {
		return s.subLinkOf(query.RowComparison, sub, x.Lexpr, name, at)
	}
	left, right := s.expr(x.Lexpr), s.expr(x.Rexpr)
	if l, r, ok := bothRows(x, left, right); ok {
		return s.rowComparison(name, l.Fields, r.Fields, at)
	}
	return s.operator(name, left, right, at)
}

func bothRows(x *pg.A_Expr, left, right query.Expr) (l, r *query.Row, ok bool) {
	if x.Lexpr.GetRowExpr() == nil || x.Rexpr.GetRowExpr() == nil {
		return nil, nil, false
	}
	l, okL := left.(*query.Row)
	r, okR := right.(*query.Row)
	return l, r, okL && okR
}

// operator applies a binary operator to operands (make_op).
func (s *scope) operator(name string, left, right query.Expr, at int) query.Expr {
	r, err := s.cat.ResolveOperator(name, left.Type(), right.Type())
	if err != nil && err.SQLSTATE == pgerr.UndefinedFunction {
		err.Message = "operator does not exist: " + s.typeOf(left) + " " + name + " " + s.typeOf(right)
	}
	s.checkCall(at, err)
	return s.apply(r, []query.Expr{left, right}, at)
}

// typeOf names the type of an operand; that of a table's row is the table's.
func (s *scope) typeOf(e query.Expr) string {
	if c, ok := e.(*query.Column); ok && c.Attribute == query.WholeRow {
		if r := s.up(c.Levels).q.Relations[c.Relation]; r.Kind == query.BaseTable {
			return r.Table.Name
		}
	}
	return s.cat.FormatType(e.Type())
}

func (s *scope) prefix(name string, arg query.Expr, at int) query.Expr {
	r, err := s.cat.ResolveOperator(name, arg.Type())
	s.checkCall(at, err)
	return s.apply(r, []query.Expr{arg}, at)
}

func (s *scope) apply(r pgcat.ResolvedOperator, args []query.Expr, at int) query.Expr {
	f := s.cat.Function(r.Function)
	if f == nil {
		s.unsupported(at, "the operator "+r.Name)
	}
	args = s.arguments(args, r.ArgTypes)
	call := &query.Call{Node: query.Node{OID: r.ResultType, Mod: -1, At: leftmostOf(at, args)}, Function: f, Operator: r.Operator, Args: args, Set: f.ReturnsSet}
	if call.Set {
		s.placeSet(call, at, s.lastSet)
	}
	return call
}

// scalarArray applies an operator to each element of an array.
func (s *scope) scalarArray(name string, any bool, left, right query.Expr, at int) query.Expr {
	element := right.Type()
	if element != pgcat.Unknown {
		if element = s.cat.ElementOf(right.Type()); element == 0 {
			s.fail(at, pgerr.WrongObjectType, "op ANY/ALL (array) requires array on right side")
		}
	}
	r, err := s.cat.ResolveOperator(name, left.Type(), element)
	s.checkCall(at, err)
	f := s.cat.Function(r.Function)
	if r.ResultType != pgcat.Bool {
		s.fail(at, pgerr.WrongObjectType, "op ANY/ALL (array) requires operator to yield boolean")
	}
	if f == nil || f.ReturnsSet {
		s.fail(at, pgerr.WrongObjectType, "op ANY/ALL (array) requires operator not to return a set")
	}
	array := right.Type()
	if !r.Args[1].Polymorphic() {
		array = s.arrayOf(r.ArgTypes[1], at)
	}
	args := s.arguments([]query.Expr{left, right}, []pgcat.OID{r.ArgTypes[0], array})
	return &query.ScalarArray{
		Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmostOf(at, args)}, Function: f, Operator: r.Operator, Any: any, Left: args[0], Array: args[1],
	}
}

func isNullLiteral(n *pg.Node) bool { return n.GetAConst().GetIsnull() }

func (s *scope) distinctExpr(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	not := x.Kind == pg.A_Expr_Kind_AEXPR_NOT_DISTINCT
	if isNullLiteral(x.Rexpr) || isNullLiteral(x.Lexpr) {
		arg := x.Lexpr
		if isNullLiteral(x.Lexpr) && !isNullLiteral(x.Rexpr) {
			arg = x.Rexpr
		}
		e := s.expr(arg)
		// The server keeps the plain test here: a record is asked as one value.
		return &query.NullTest{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmost(at, e.Pos())}, Arg: e, Not: !not}
	}
	left, right := s.expr(x.Lexpr), s.expr(x.Rexpr)
	var out query.Expr
	if l, r, ok := bothRows(x, left, right); ok {
		out = s.rowDistinct(s.operatorOf(x), l.Fields, r.Fields, at)
	} else {
		out = s.distinct(s.operatorOf(x), left, right, at)
	}
	if !not {
		return out
	}
	if d, ok := out.(*query.Distinct); ok {
		d.Not = true
		return d
	}
	return &query.Not{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmost(at, out.Pos())}, Arg: out}
}

func (s *scope) distinct(name string, left, right query.Expr, at int) query.Expr {
	c := s.operator(name, left, right, at).(*query.Call)
	if c.OID != pgcat.Bool {
		s.fail(at, pgerr.DatatypeMismatch, "IS DISTINCT FROM requires = operator to yield boolean")
	}
	return &query.Distinct{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: c.At}, Comparison: c}
}

func (s *scope) rowDistinct(name string, left, right []query.Expr, at int) query.Expr {
	if len(left) != len(right) {
		s.fail(at, pgerr.SyntaxError, "unequal number of entries in row expressions")
	}
	if len(left) == 0 {
		return &query.Const{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: at}, Datum: s.boolConst(false).Datum}
	}
	var list []query.Expr
	for i := range left {
		list = append(list, s.distinct(name, left[i], right[i], at))
	}
	return anyOf(at, list)
}

func (s *scope) nullIf(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	left, right := s.expr(x.Lexpr), s.expr(x.Rexpr)
	c := s.operator(s.operatorOf(x), left, right, at).(*query.Call)
	if c.OID != pgcat.Bool {
		s.fail(at, pgerr.DatatypeMismatch, "NULLIF requires = operator to yield boolean")
	}
	first := c.Args[0]
	return &query.NullIf{Node: query.Node{OID: first.Type(), Mod: first.Typmod(), At: c.At}, Comparison: c}
}

// member is an element of an IN list.
type member struct {
	expr    query.Expr
	row     bool // written as a row
	columns bool // it refers to columns
}

// in analyses IN with a list. Elements without columns are gathered in an array
// when they have a type in common; the others are compared one by one.
func (s *scope) in(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	name := s.operatorOf(x)
	or := name != "<>"
	left := s.expr(x.Lexpr)
	rest, plain := s.members(x)
	var tests []query.Expr
	if array := s.inArray(left, plain); array != nil {
		tests = append(tests, s.scalarArray(name, or, left, array, at))
		rest = slices.DeleteFunc(rest, func(m member) bool { return !m.columns })
	}
	for _, m := range rest {
		tests = append(tests, s.boolean(s.compareMember(x.Lexpr, name, left, m, at), "IN"))
	}
	if or {
		return anyOf(at, tests)
	}
	return all(at, tests)
}

// members analyses the elements and lists those without columns.
func (s *scope) members(x *pg.A_Expr) (list []member, plain []query.Expr) {
	for _, n := range x.Rexpr.GetList().GetItems() {
		m := member{expr: s.expr(n), row: n.GetRowExpr() != nil}
		m.columns = s.hasColumns(m.expr)
		if !m.columns {
			plain = append(plain, m.expr)
		}
		list = append(list, m)
	}
	return list, plain
}

func (s *scope) compareMember(left *pg.Node, name string, value query.Expr, m member, at int) query.Expr {
	if m.row {
		return s.compare(left, name, value, m.expr, at)
	}
	return s.operator(name, value, m.expr, at)
}

// inArray makes an array of elements that have a type in common with the left side,
// or gives nil.
func (s *scope) inArray(left query.Expr, plain []query.Expr) query.Expr {
	if len(plain) < 2 {
		return nil
	}
	t := s.common(append([]query.Expr{left}, plain...), "")
	if t == 0 || t == pgcat.Record || s.cat.ArrayOf(t) == 0 {
		return nil
	}
	for _, e := range append([]query.Expr{left}, plain...) {
		if !s.canCoerce(e.Type(), t, pgcat.Implicit) {
			return nil
		}
	}
	elements := make([]query.Expr, len(plain))
	for i, e := range plain {
		elements[i] = s.toCommon(e, t, "IN")
	}
	return &query.Array{Node: query.Node{OID: s.cat.ArrayOf(t), Mod: -1, At: -1}, Element: t, Elements: elements}
}

// hasColumns reports whether an expression refers to columns of this query.
func (s *scope) hasColumns(e query.Expr) bool {
	found := false
	query.Walk(e, func(x query.Expr, levels int) bool {
		if c, ok := x.(*query.Column); ok && c.Levels == levels {
			found = true
		}
		return !found
	})
	return found
}

// betweenLimit bounds BETWEEN in the left operand of BETWEEN, which doubles the
// expression each time.
const betweenLimit = 8

func betweens(n *pg.Node) int {
	x := n.GetAExpr()
	if x == nil {
		return 0
	}
	switch x.Kind {
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN, pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return 1 + betweens(x.Lexpr)
	}
	return 0
}

func (s *scope) between(x *pg.A_Expr) query.Expr {
	at := int(x.Location)
	if betweens(x.Lexpr) > betweenLimit {
		s.raise(at, pgerr.New(pgerr.StatementTooComplex, "BETWEEN is nested too deep").WithHint("Compute the inner ones in a WITH query."))
	}
	b := &betweenParts{scope: s, node: x, at: at, value: s.expr(x.Lexpr), bounds: x.Rexpr.GetList().GetItems()}
	switch x.Kind {
	case pg.A_Expr_Kind_AEXPR_BETWEEN:
		return b.within(0, 1)
	case pg.A_Expr_Kind_AEXPR_NOT_BETWEEN:
		return b.beyond(0, 1)
	case pg.A_Expr_Kind_AEXPR_BETWEEN_SYM:
		return anyOf(at, []query.Expr{b.within(0, 1), b.within(1, 0)})
	}
	return all(at, []query.Expr{b.beyond(0, 1), b.beyond(1, 0)})
}

// betweenParts are the parts of BETWEEN. Each is analysed once, when the server
// comes to it first.
type betweenParts struct {
	*scope
	node   *pg.A_Expr
	at     int
	value  query.Expr
	bounds []*pg.Node
	known  [2]query.Expr
}

func (b *betweenParts) within(low, high int) query.Expr {
	return all(b.at, []query.Expr{b.test(">=", low, "AND"), b.test("<=", high, "AND")})
}

func (b *betweenParts) beyond(low, high int) query.Expr {
	return anyOf(b.at, []query.Expr{b.test("<", low, "OR"), b.test(">", high, "OR")})
}

func (b *betweenParts) test(name string, bound int, construct string) query.Expr {
	if b.known[bound] == nil {
		b.known[bound] = b.expr(b.bounds[bound])
	}
	return b.boolean(b.compare(b.node.Lexpr, name, b.again(b.value), b.again(b.known[bound]), b.at), construct)
}

// again gives an operand as another use of it would be read: a parameter has the
// type that an earlier use gave it.
func (b *betweenParts) again(e query.Expr) query.Expr {
	if p, ok := e.(*query.Param); ok && p.OID == pgcat.Unknown {
		return b.param(p.Number, p.At)
	}
	return e
}

// compare compares a value with a bound, which may both be rows.
func (s *scope) compare(left *pg.Node, name string, value, bound query.Expr, at int) query.Expr {
	l, okL := value.(*query.Row)
	r, okR := bound.(*query.Row)
	if okL && okR && left.GetRowExpr() != nil {
		return s.rowComparison(name, l.Fields, r.Fields, at)
	}
	return s.operator(name, value, bound, at)
}

// rowComparison compares rows field by field (make_row_comparison_op).
func (s *scope) rowComparison(name string, left, right []query.Expr, at int) query.Expr {
	if len(left) != len(right) {
		s.fail(at, pgerr.SyntaxError, "unequal number of entries in row expressions")
	}
	if len(left) == 0 {
		s.fail(at, pgerr.FeatureNotSupported, "cannot compare rows of zero length")
	}
	calls := make([]query.Expr, len(left))
	for i := range left {
		c := s.operator(name, left[i], right[i], at).(*query.Call)
		if c.OID != pgcat.Bool {
			s.fail(at, pgerr.DatatypeMismatch, "row comparison operator must yield type boolean, not type %s", s.cat.FormatType(c.OID))
		}
		if c.Set {
			s.fail(at, pgerr.DatatypeMismatch, "row comparison operator must not return a set")
		}
		calls[i] = c
	}
	if len(calls) == 1 {
		return calls[0]
	}
	switch name {
	case "=":
		return all(at, calls)
	case "<>":
		return anyOf(at, calls)
	case "<", "<=", ">", ">=":
		return s.rowCompare(name, calls, at)
	}
	s.raise(at, pgerr.New(pgerr.FeatureNotSupported, "could not determine interpretation of row comparison operator %s", name).
		WithHint("Row comparison operators must be associated with btree operator families."))
	return nil
}

func (s *scope) rowCompare(name string, calls []query.Expr, at int) query.Expr {
	out := &query.RowCompare{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmostOf(at, calls)}, Operator: name}
	for _, e := range calls {
		c := e.(*query.Call)
		if s.cat.Ordering(c.Args[0].Type()).Less == 0 && c.Args[0].Type() != pgcat.Record {
			s.raise(at, pgerr.New(pgerr.FeatureNotSupported, "could not determine interpretation of row comparison operator %s", name).
				WithHint("Row comparison operators must be associated with btree operator families."))
		}
		out.Operators = append(out.Operators, c.Operator)
		out.Left, out.Right = append(out.Left, c.Args[0]), append(out.Right, c.Args[1])
	}
	return out
}
