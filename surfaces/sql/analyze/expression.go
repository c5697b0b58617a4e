//go:build cgo

package analyze

import (
	"fmt"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// expression analyses an expression in a place.
func (s *scope) expression(n *pg.Node, p place) (e query.Expr) {
	s.with(p, func() { e = s.expr(n) })
	return e
}

// expressions analyses some expressions in the current place.
func (s *scope) exprs(list []*pg.Node) []query.Expr {
	out := make([]query.Expr, len(list))
	for i, n := range list {
		out[i] = s.expr(n)
	}
	return out
}

// expr analyses an expression in the current place.
func (s *scope) expr(n *pg.Node) query.Expr {
	s.enter()
	defer s.leave()
	switch x := n.GetNode().(type) {
	case *pg.Node_AConst:
		return s.constant(x.AConst)
	case *pg.Node_ColumnRef:
		return s.columnRef(x.ColumnRef)
	case *pg.Node_AExpr:
		return s.operatorExpr(x.AExpr)
	case *pg.Node_FuncCall:
		return s.functionCall(x.FuncCall)
	case *pg.Node_TypeCast:
		return s.typeCast(x.TypeCast)
	case *pg.Node_BoolExpr:
		return s.boolExpr(x.BoolExpr)
	case *pg.Node_NullTest:
		return s.nullTest(x.NullTest)
	case *pg.Node_BooleanTest:
		return s.booleanTest(x.BooleanTest)
	case *pg.Node_CaseExpr:
		return s.caseExpr(x.CaseExpr)
	case *pg.Node_CoalesceExpr:
		return s.coalesce(x.CoalesceExpr)
	case *pg.Node_MinMaxExpr:
		return s.minMax(x.MinMaxExpr)
	case *pg.Node_SubLink:
		return s.subLink(x.SubLink)
	case *pg.Node_ParamRef:
		return s.param(int(x.ParamRef.Number), int(x.ParamRef.Location))
	case *pg.Node_AIndirection:
		return s.indirection(x.AIndirection)
	case *pg.Node_AArrayExpr:
		return s.arrayExpr(x.AArrayExpr, 0, 0, -1)
	case *pg.Node_RowExpr:
		return s.rowExpr(x.RowExpr)
	case *pg.Node_CollateClause:
		return s.collate(x.CollateClause)
	case *pg.Node_SqlvalueFunction:
		return s.sqlValue(x.SqlvalueFunction)
	case *pg.Node_GroupingFunc:
		return s.groupingCall(x.GroupingFunc)
	case *pg.Node_NamedArgExpr:
		e := s.expr(x.NamedArgExpr.Arg)
		return e
	case *pg.Node_SetToDefault:
		s.fail(int(x.SetToDefault.Location), pgerr.SyntaxError, "DEFAULT is not allowed in this context")
	}
	return s.rareExpr(n)
}

// rareExpr is expr for what is seldom written.
func (s *scope) rareExpr(n *pg.Node) query.Expr {
	if e := s.jsonExpr(n); e != nil {
		return e
	}
	switch x := n.GetNode().(type) {
	case *pg.Node_XmlExpr:
		s.unsupported(int(x.XmlExpr.Location), "XML")
	case *pg.Node_XmlSerialize:
		s.unsupported(int(x.XmlSerialize.Location), "XML")
	case *pg.Node_CurrentOfExpr:
		s.unsupported(-1, "WHERE CURRENT OF")
	case *pg.Node_MergeSupportFunc:
		s.fail(int(x.MergeSupportFunc.Location), pgerr.SyntaxError, "MERGE_ACTION() can only be used in the RETURNING list of a MERGE command")
	}
	s.unsupported(-1, strings.TrimPrefix(fmt.Sprintf("%T", n.GetNode()), "*pg_query.Node_"))
	return nil
}

// constant gives a literal its first type: a number the smallest that holds it,
// text none yet.
func (s *scope) constant(c *pg.A_Const) query.Expr {
	at := int(c.Location)
	of := func(t pgcat.OID, v any) query.Expr {
		return &query.Const{Node: query.Node{OID: t, Mod: -1, At: at}, Datum: vector.Datum{Type: t, Value: v}}
	}
	if c.Isnull {
		return s.null(pgcat.Unknown, at)
	}
	switch v := c.Val.(type) {
	case *pg.A_Const_Ival:
		return of(pgcat.Int4, int64(v.Ival.GetIval()))
	case *pg.A_Const_Fval:
		return s.number(v.Fval.GetFval(), at)
	case *pg.A_Const_Boolval:
		return of(pgcat.Bool, v.Boolval.GetBoolval())
	case *pg.A_Const_Sval:
		return of(pgcat.Unknown, v.Sval.GetSval())
	case *pg.A_Const_Bsval:
		d := s.read(pgcat.Bit, v.Bsval.GetBsval(), -1, at)
		return of(pgcat.Bit, d.Value)
	}
	// An integer zero is sent without a value.
	return of(pgcat.Int4, int64(0))
}

// number types a number that is not a small decimal integer.
func (s *scope) number(text string, at int) query.Expr {
	plain := strings.ReplaceAll(text, "_", "")
	base, digits := 10, plain
	negative := strings.HasPrefix(plain, "-")
	digits = strings.TrimPrefix(digits, "-")
	if len(digits) > 2 && digits[0] == '0' {
		switch digits[1] {
		case 'x', 'X':
			base, digits = 16, digits[2:]
		case 'o', 'O':
			base, digits = 8, digits[2:]
		case 'b', 'B':
			base, digits = 2, digits[2:]
		}
	}
	if negative {
		digits = "-" + digits
	}
	if v, err := strconv.ParseInt(digits, base, 64); err == nil {
		t := pgcat.Int8
		if v == int64(int32(v)) {
			t = pgcat.Int4
		}
		return &query.Const{Node: query.Node{OID: t, Mod: -1, At: at}, Datum: vector.Datum{Type: t, Value: v}}
	}
	return &query.Const{Node: query.Node{OID: pgcat.Numeric, Mod: -1, At: at}, Datum: s.read(pgcat.Numeric, text, -1, at)}
}

func (s *scope) typeCast(c *pg.TypeCast) query.Expr {
	t, mod := s.typeName(c.TypeName)
	at := int(c.Location)
	if at < 0 {
		at = int(c.TypeName.Location)
	}
	if c.Arg.GetAArrayExpr() != nil && (t == pgcat.Int2Vector || t == pgcat.OIDVector) {
		s.unsupported(at, "ARRAY[…] as "+s.cat.FormatType(t))
	}
	var e query.Expr
	if arr := c.Arg.GetAArrayExpr(); arr != nil && s.isArray(t) {
		e = s.arrayExpr(arr, t, s.cat.ElementOf(t), mod)
	} else {
		e = s.expr(c.Arg)
	}
	r := s.convert(e, t, mod, pgcat.Explicit, at)
	if r == nil {
		s.raise(s.coercionPos(at, e), s.cat.CastError(e.Type(), t))
	}
	return r
}

func (s *scope) boolExpr(b *pg.BoolExpr) query.Expr {
	name := map[pg.BoolExprType]string{pg.BoolExprType_AND_EXPR: "AND", pg.BoolExprType_OR_EXPR: "OR", pg.BoolExprType_NOT_EXPR: "NOT"}[b.Boolop]
	args := make([]query.Expr, len(b.Args))
	for i, n := range b.Args {
		args[i] = s.boolean(s.expr(n), name)
	}
	n := query.Node{OID: pgcat.Bool, Mod: -1, At: leftmostOf(int(b.Location), args)}
	switch name {
	case "AND":
		return &query.And{Node: n, Args: args}
	case "OR":
		return &query.Or{Node: n, Args: args}
	}
	return &query.Not{Node: n, Arg: args[0]}
}

// all joins conditions by AND.
func all(at int, list []query.Expr) query.Expr {
	if len(list) == 1 {
		return list[0]
	}
	return &query.And{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmostOf(at, list)}, Args: list}
}

// any joins conditions by OR.
func anyOf(at int, list []query.Expr) query.Expr {
	if len(list) == 1 {
		return list[0]
	}
	return &query.Or{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmostOf(at, list)}, Args: list}
}

func (s *scope) nullTest(t *pg.NullTest) query.Expr {
	arg := s.expr(t.Arg)
	return &query.NullTest{
		Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmost(int(t.Location), arg.Pos())},
		Arg:  arg, Not: t.Nulltesttype == pg.NullTestType_IS_NOT_NULL, Row: arg.Type() == pgcat.Record,
	}
}

func (s *scope) booleanTest(t *pg.BooleanTest) query.Expr {
	tests := map[pg.BoolTestType]struct {
		test query.Truth
		name string
	}{
		pg.BoolTestType_IS_TRUE:        {query.IsTrue, "IS TRUE"},
		pg.BoolTestType_IS_NOT_TRUE:    {query.IsNotTrue, "IS NOT TRUE"},
		pg.BoolTestType_IS_FALSE:       {query.IsFalse, "IS FALSE"},
		pg.BoolTestType_IS_NOT_FALSE:   {query.IsNotFalse, "IS NOT FALSE"},
		pg.BoolTestType_IS_UNKNOWN:     {query.IsUnknown, "IS UNKNOWN"},
		pg.BoolTestType_IS_NOT_UNKNOWN: {query.IsNotUnknown, "IS NOT UNKNOWN"},
	}
	x := tests[t.Booltesttype]
	arg := s.boolean(s.expr(t.Arg), x.name)
	return &query.BoolTest{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmost(int(t.Location), arg.Pos())}, Arg: arg, Test: x.test}
}

func (s *scope) caseExpr(c *pg.CaseExpr) query.Expr {
	set := s.lastSet
	out := &query.Case{Node: query.Node{At: int(c.Location)}}
	var holder query.Expr
	if c.Arg != nil {
		out.Arg = s.expr(c.Arg)
		if out.Arg.Type() == pgcat.Unknown {
			out.Arg = s.toCommon(out.Arg, pgcat.Text, "CASE")
		}
		holder = &query.Placeholder{Node: query.Node{OID: out.Arg.Type(), Mod: out.Arg.Typmod(), At: out.Arg.Pos()}}
	}
	for _, n := range c.Args {
		out.Whens = append(out.Whens, s.when(n.GetCaseWhen(), holder))
	}
	if c.Defresult != nil {
		out.Else = s.expr(c.Defresult)
	} else {
		out.Else = s.null(pgcat.Unknown, -1)
	}
	results := []query.Expr{out.Else}
	for _, w := range out.Whens {
		results = append(results, w.Result)
	}
	out.OID = s.common(results, "CASE")
	out.Else = s.toCommon(out.Else, out.OID, "CASE/ELSE")
	for i := range out.Whens {
		out.Whens[i].Result = s.toCommon(out.Whens[i].Result, out.OID, "CASE/WHEN")
	}
	s.noSets(set, "CASE")
	out.Mod = out.Else.Typmod()
	for _, w := range out.Whens {
		if w.Result.Typmod() != out.Mod {
			out.Mod = -1
		}
	}
	return out
}

func (s *scope) when(w *pg.CaseWhen, holder query.Expr) query.When {
	cond := s.expr(w.Expr)
	if holder != nil {
		cond = s.operator("=", holder, cond, int(w.Location))
	}
	cond = s.boolean(cond, "CASE/WHEN")
	return query.When{Condition: cond, Result: s.expr(w.Result), At: int(w.Location)}
}

// noSets refuses a set-returning call that was made since.
func (s *scope) noSets(since query.Expr, construct string) {
	if s.lastSet != since {
		s.raise(s.lastSet.Pos(), pgerr.New(pgerr.FeatureNotSupported, "set-returning functions are not allowed in %s", construct).
			WithHint("You might be able to move the set-returning function into a LATERAL FROM item."))
	}
}

func (s *scope) coalesce(c *pg.CoalesceExpr) query.Expr {
	set := s.lastSet
	args := s.exprs(c.Args)
	t := s.common(args, "COALESCE")
	for i := range args {
		args[i] = s.toCommon(args[i], t, "COALESCE")
	}
	s.noSets(set, "COALESCE")
	return &query.Coalesce{Node: query.Node{OID: t, Mod: commonMod(args, t), At: int(c.Location)}, Args: args}
}

func (s *scope) minMax(m *pg.MinMaxExpr) query.Expr {
	name := "LEAST"
	if m.Op == pg.MinMaxOp_IS_GREATEST {
		name = "GREATEST"
	}
	args := s.exprs(m.Args)
	t := s.common(args, name)
	for i := range args {
		args[i] = s.toCommon(args[i], t, name)
	}
	return &query.MinMax{Node: query.Node{OID: t, Mod: commonMod(args, t), At: int(m.Location)}, Greatest: name == "GREATEST", Args: args}
}

// arrayExpr analyses ARRAY[…]; array and element are what a cast asks for, or 0.
func (s *scope) arrayExpr(x *pg.A_ArrayExpr, array, element pgcat.OID, mod int32) query.Expr {
	s.enter()
	defer s.leave()
	at := int(x.Location)
	out := &query.Array{Node: query.Node{At: at, Mod: -1}}
	for _, n := range x.Elements {
		var e query.Expr
		if inner := n.GetAArrayExpr(); inner != nil {
			e = s.arrayExpr(inner, array, element, mod)
			out.Nested = true
		} else {
			e = s.expr(n)
			out.Nested = out.Nested || s.isArray(e.Type())
		}
		out.Elements = append(out.Elements, e)
	}
	if array != 0 {
		s.castTo(out, array, element, mod)
	} else {
		s.inferArray(out)
	}
	out.Mod = -1
	if len(out.Elements) > 0 {
		out.Mod = commonMod(out.Elements, out.Elements[0].Type())
	}
	return out
}

func (s *scope) castTo(out *query.Array, array, element pgcat.OID, mod int32) {
	out.OID, out.Element = array, element
	target := element
	if out.Nested {
		target = array
	}
	for i, e := range out.Elements {
		r := s.convert(e, target, mod, pgcat.Explicit, -1)
		if r == nil {
			s.raise(e.Pos(), s.cat.CastError(e.Type(), target))
		}
		out.Elements[i] = r
	}
}

func (s *scope) inferArray(out *query.Array) {
	if len(out.Elements) == 0 {
		s.raise(out.At, pgerr.New(pgerr.IndeterminateDatatype, "cannot determine type of empty array").
			WithHint("Explicitly cast to the desired type, for example ARRAY[]::integer[]."))
	}
	t := s.common(out.Elements, "ARRAY")
	if out.Nested {
		out.OID, out.Element = t, s.cat.ElementOf(t)
		if out.Element == 0 {
			s.fail(out.At, pgerr.UndefinedObject, "could not find element type for data type %s", s.cat.FormatType(t))
		}
	} else {
		out.OID, out.Element = s.arrayOf(t, out.At), t
	}
	for i, e := range out.Elements {
		out.Elements[i] = s.toCommon(e, t, "ARRAY")
	}
}

// isArray reports whether a type is an array. The two vector types are kept like
// arrays, and are values of one piece.
func (a *analyzer) isArray(t pgcat.OID) bool {
	return t != pgcat.Int2Vector && t != pgcat.OIDVector && a.cat.ElementOf(t) != 0
}

func (a *analyzer) arrayOf(t pgcat.OID, at int) pgcat.OID {
	array := a.cat.ArrayOf(t)
	if array == 0 {
		a.fail(at, pgerr.UndefinedObject, "could not find array type for data type %s", a.cat.FormatType(t))
	}
	return array
}

const maxRowFields = 1664

func (s *scope) rowExpr(r *pg.RowExpr) query.Expr {
	fields := s.list(r.Args)
	if len(fields) > maxRowFields {
		s.fail(int(r.Location), tooManyColumns, "ROW expressions can have at most %d entries", maxRowFields)
	}
	out := &query.Row{Node: query.Node{OID: pgcat.Record, Mod: -1, At: int(r.Location)}, Fields: fields}
	for i := range fields {
		out.Names = append(out.Names, "f"+strconv.Itoa(i+1))
	}
	return out
}

// list analyses a list of expressions in which t.* stands for several.
func (s *scope) list(nodes []*pg.Node) []query.Expr {
	var out []query.Expr
	for _, n := range nodes {
		if targets := s.star(n); targets != nil {
			for _, t := range targets {
				out = append(out, t.Expr)
			}
			continue
		}
		out = append(out, s.expr(n))
	}
	return out
}

func (s *scope) collate(c *pg.CollateClause) query.Expr {
	e := s.expr(c.Arg)
	at := int(c.Location)
	if !s.collatable(e.Type()) {
		s.fail(at, pgerr.DatatypeMismatch, "collations are not supported by type %s", s.cat.FormatType(e.Type()))
	}
	full := names(c.Collname)
	switch name := full[len(full)-1]; name {
	case "C", "default", "POSIX", "ucs_basic":
	case "en_US", "en_US.utf8", "en-x-icu", "und-x-icu", "unicode", "pg_c_utf8":
		s.unsupported(at, "the collation "+strconv.Quote(name))
	default:
		s.fail(at, pgerr.UndefinedObject, "collation \"%s\" for encoding \"UTF8\" does not exist", strings.Join(full, "."))
	}
	if e.Type() == pgcat.Unknown {
		e = s.coerce(e, pgcat.Text, -1, pgcat.Implicit, -1)
	}
	return e
}

func (a *analyzer) collatable(t pgcat.OID) bool {
	if e := a.cat.ElementOf(t); e != 0 {
		t = e
	}
	switch t {
	case pgcat.Text, pgcat.Varchar, pgcat.Bpchar, pgcat.Name, pgcat.Unknown:
		return true
	}
	return false
}

var sqlValues = map[pg.SQLValueFunctionOp]struct {
	value query.Value
	typ   pgcat.OID
}{
	pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:        {query.CurrentDate, pgcat.Date},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME:        {query.CurrentTime, pgcat.Timetz},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N:      {query.CurrentTime, pgcat.Timetz},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP:   {query.CurrentTimestamp, pgcat.Timestamptz},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N: {query.CurrentTimestamp, pgcat.Timestamptz},
	pg.SQLValueFunctionOp_SVFOP_LOCALTIME:           {query.LocalTime, pgcat.Time},
	pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N:         {query.LocalTime, pgcat.Time},
	pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:      {query.LocalTimestamp, pgcat.Timestamp},
	pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N:    {query.LocalTimestamp, pgcat.Timestamp},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_ROLE:        {query.CurrentUser, pgcat.Name},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_USER:        {query.CurrentUser, pgcat.Name},
	pg.SQLValueFunctionOp_SVFOP_USER:                {query.CurrentUser, pgcat.Name},
	pg.SQLValueFunctionOp_SVFOP_SESSION_USER:        {query.SessionUser, pgcat.Name},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_CATALOG:     {query.CurrentCatalog, pgcat.Name},
	pg.SQLValueFunctionOp_SVFOP_CURRENT_SCHEMA:      {query.CurrentSchema, pgcat.Name},
}

func (s *scope) sqlValue(f *pg.SQLValueFunction) query.Expr {
	v := sqlValues[f.Op]
	mod := int32(-1)
	switch f.Op {
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N, pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N:
		mod = s.valuePrecision(f, v.typ, " WITH TIME ZONE")
	case pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N, pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N:
		mod = s.valuePrecision(f, v.typ, "")
	}
	return &query.SQLValue{Node: query.Node{OID: v.typ, Mod: mod, At: int(f.Location)}, Value: v.value}
}

func (s *scope) valuePrecision(f *pg.SQLValueFunction, t pgcat.OID, zone string) int32 {
	name := "TIMESTAMP"
	if t == pgcat.Time || t == pgcat.Timetz {
		name = "TIME"
	}
	return s.precision(int64(f.Typmod), name, zone, -1)
}
