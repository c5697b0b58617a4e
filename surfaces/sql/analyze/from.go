//go:build cgo

package analyze

import (
	"fmt"
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// fromClause analyses FROM, or USING of DELETE.
func (s *scope) fromClause(list []*pg.Node) {
	for _, n := range list {
		f, items := s.fromItem(n)
		s.checkConflicts(s.names, items)
		setLateral(items, true, true)
		s.q.From = append(s.q.From, f)
		s.names = append(s.names, items...)
	}
	setLateral(s.names, false, true)
}

func setLateral(items []*item, only, ok bool) {
	for _, it := range items {
		it.lateralOnly, it.lateralOK = only, ok
	}
}

// checkConflicts refuses two relations of one name side by side.
func (s *scope) checkConflicts(a, b []*item) {
	for _, x := range a {
		if !x.relVisible {
			continue
		}
		for _, y := range b {
			if !y.relVisible || x.name != y.name || x.plain() && y.plain() && !sameTable(x.rel.Table, y.rel.Table) {
				continue
			}
			s.fail(-1, duplicateAlias, "table name \"%s\" specified more than once", x.name)
		}
	}
}

// plain reports whether an item is a table without an alias, which its schema tells
// from others of its name.
func (it *item) plain() bool {
	return it.rel != nil && it.rel.Kind == query.BaseTable && !it.rel.Alias
}

func (s *scope) fromItem(n *pg.Node) (query.From, []*item) {
	s.enter()
	defer s.leave()
	var it *item
	switch x := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		it = s.rangeVar(x.RangeVar)
	case *pg.Node_RangeSubselect:
		it = s.rangeSubselect(x.RangeSubselect)
	case *pg.Node_RangeFunction:
		it = s.rangeFunction(x.RangeFunction)
	case *pg.Node_JoinExpr:
		return s.join(x.JoinExpr)
	case *pg.Node_RangeTableSample:
		s.unsupported(int(x.RangeTableSample.Location), "TABLESAMPLE")
	case *pg.Node_RangeTableFunc:
		s.unsupported(int(x.RangeTableFunc.Location), "XMLTABLE")
	case *pg.Node_JsonTable:
		s.unsupported(int(x.JsonTable.Location), "JSON_TABLE")
	default:
		s.unsupported(-1, fmt.Sprintf("this item in FROM (%T)", x))
	}
	return &query.RelationRef{Relation: it.relation}, []*item{it}
}

// rename gives a relation the names of its alias.
func (s *scope) rename(r *query.Relation, alias *pg.Alias) {
	if alias == nil {
		return
	}
	r.Name, r.Alias = alias.Aliasname, true
	given := names(alias.Colnames)
	if len(given) > len(r.Columns) {
		what := "table"
		if r.Kind == query.JoinAlias {
			what = "join expression"
		}
		s.fail(-1, invalidColumnReference, "%s \"%s\" has %d columns available but %d columns specified", what, r.Name, len(r.Columns), len(given))
	}
	for i, name := range given {
		r.Columns[i].Name = name
	}
}

func (s *scope) rangeVar(v *pg.RangeVar) *item {
	at := int(v.Location)
	if v.Catalogname != "" && v.Catalogname != "postgres" {
		s.fail(-1, pgerr.FeatureNotSupported, "cross-database references are not implemented: \"%s.%s.%s\"", v.Catalogname, v.Schemaname, v.Relname)
	}
	if v.Schemaname == "" {
		if c, levels := s.findCTE(v.Relname); c != nil {
			return s.cteReference(c, levels, v)
		}
	}
	t := s.table(v.Schemaname, v.Relname, at)
	if t == nil {
		s.noTable(v, at)
	}
	return s.addTable(t, v.Alias, at)
}

// noTable raises the error of a relation that does not exist.
func (s *scope) noTable(v *pg.RangeVar, at int) {
	if v.Schemaname != "" {
		s.fail(at, pgerr.UndefinedTable, "relation \"%s.%s\" does not exist", v.Schemaname, v.Relname)
	}
	e := pgerr.New(pgerr.UndefinedTable, "relation \"%s\" does not exist", v.Relname)
	if s.futureCTE(v.Relname) {
		e = e.WithDetail("There is a WITH item named \"%s\", but it cannot be referenced from this part of the query.", v.Relname).
			WithHint("Use WITH RECURSIVE, or re-order the WITH items to remove forward references.")
	}
	s.raise(at, e)
}

func (s *scope) addTable(t *query.Table, alias *pg.Alias, at int) *item {
	r := &query.Relation{Kind: query.BaseTable, Name: t.Name, Table: t, At: at}
	for _, c := range t.Columns {
		r.Columns = append(r.Columns, query.ResultColumn{Name: c.Name, Type: c.Type, Mod: c.Mod})
	}
	s.rename(r, alias)
	return s.add(r)
}

func (s *scope) rangeSubselect(x *pg.RangeSubselect) *item {
	old := s.lateral
	s.lateral = x.Lateral
	var q *query.Query
	s.with(inFromSubselect, func() { q = s.statement(s, x.Subquery) })
	s.lateral = old
	r := &query.Relation{Kind: query.SubqueryRelation, Name: "unnamed_subquery", Query: q, Lateral: x.Lateral, At: -1, Columns: resultColumns(q)}
	s.rename(r, x.Alias)
	it := s.add(r)
	if x.Alias == nil {
		it.relVisible = false
	}
	return it
}

func resultColumns(q *query.Query) []query.ResultColumn {
	var out []query.ResultColumn
	for _, t := range q.Outputs() {
		if !t.Hidden {
			out = append(out, query.ResultColumn{Name: t.Name, Type: t.Expr.Type(), Mod: t.Expr.Typmod()})
		}
	}
	return out
}

// functionUse is a function in FROM with the columns that were defined for it.
type functionUse struct {
	expr    query.Expr
	name    string
	defined []*pg.Node
}

// rangeFunction analyses functions in FROM.
func (s *scope) rangeFunction(x *pg.RangeFunction) *item {
	old := s.lateral
	s.lateral = true
	var uses []functionUse
	s.with(inFromFunction, func() { uses = s.functionsIn(x) })
	s.lateral = old
	r := &query.Relation{Kind: query.FunctionRelation, Name: uses[0].name, Lateral: true, At: uses[0].expr.Pos(), Function: &query.FunctionSource{Ordinality: x.Ordinality}}
	if len(x.Coldeflist) > 0 {
		if len(uses) != 1 {
			s.raise(nodesPos(x.Coldeflist), pgerr.New(pgerr.SyntaxError, "UNNEST() with multiple arguments cannot have a column definition list").
				WithHint("Use separate UNNEST() calls inside ROWS FROM(), and attach a column definition list to each one."))
		}
		if x.Ordinality {
			s.raise(nodesPos(x.Coldeflist), pgerr.New(pgerr.SyntaxError, "WITH ORDINALITY cannot be used with a column definition list").
				WithHint("Put the column definition list inside ROWS FROM()."))
		}
		uses[0].defined = x.Coldeflist
	}
	for _, u := range uses {
		s.addFunction(r, u, x.Alias, len(uses))
	}
	if x.Ordinality {
		r.Columns = append(r.Columns, query.ResultColumn{Name: "ordinality", Type: pgcat.Int8, Mod: -1})
	}
	s.rename(r, x.Alias)
	return s.add(r)
}

func nodesPos(list []*pg.Node) int {
	for _, n := range list {
		if d := n.GetColumnDef(); d != nil {
			return int(d.Location)
		}
	}
	return -1
}

func (s *scope) functionsIn(x *pg.RangeFunction) []functionUse {
	var uses []functionUse
	for _, n := range x.Functions {
		pair := n.GetList().GetItems()
		f := pair[0]
		var defined []*pg.Node
		if len(pair) > 1 {
			defined = pair[1].GetList().GetItems()
		}
		if many := unnests(f); many != nil && len(defined) == 0 {
			for _, one := range many {
				uses = append(uses, s.functionUse(one, nil))
			}
			continue
		}
		uses = append(uses, s.functionUse(f, defined))
	}
	return uses
}

// unnests splits unnest(a, b) into unnest(a), unnest(b).
func unnests(n *pg.Node) []*pg.Node {
	f := n.GetFuncCall()
	if f == nil || len(f.Funcname) != 1 || f.Funcname[0].GetString_().GetSval() != "unnest" || len(f.Args) < 2 {
		return nil
	}
	if f.AggOrder != nil || f.AggFilter != nil || f.Over != nil || f.AggStar || f.AggDistinct || f.FuncVariadic {
		return nil
	}
	var out []*pg.Node
	for _, a := range f.Args {
		out = append(out, &pg.Node{Node: &pg.Node_FuncCall{FuncCall: &pg.FuncCall{
			Funcname: []*pg.Node{pg.MakeStrNode("pg_catalog"), pg.MakeStrNode("unnest")}, Args: []*pg.Node{a}, Location: f.Location,
		}}})
	}
	return out
}

func (s *scope) functionUse(n *pg.Node, defined []*pg.Node) functionUse {
	before := s.lastSet
	e := s.expr(n)
	if c, ok := e.(*query.Call); s.lastSet != before && (!ok || s.lastSet != query.Expr(c)) {
		s.fail(s.lastSet.Pos(), pgerr.FeatureNotSupported, "set-returning functions must appear at top level of FROM")
	}
	return functionUse{expr: e, name: s.figureName(n), defined: defined}
}

// addFunction adds the columns of one function.
func (s *scope) addFunction(r *query.Relation, u functionUse, alias *pg.Alias, uses int) {
	item := query.FunctionItem{Call: u.expr, Columns: 1}
	call, _ := u.expr.(*query.Call)
	record := u.expr.Type() == pgcat.Record
	var shape []query.ResultColumn
	if record {
		shape = s.shape(u.expr)
	}
	switch {
	case len(u.defined) > 0:
		s.checkDefined(u, record, shape)
		shape = s.definedColumns(u.defined)
		item.Record, item.Defined, item.Columns = true, true, len(shape)
		r.Columns = append(r.Columns, shape...)
	case record && shape == nil:
		s.fail(u.expr.Pos(), pgerr.SyntaxError, "a column definition list is required for functions returning \"record\"")
	case record:
		item.Record, item.Columns = true, len(shape)
		for i, c := range shape {
			if c.Name == "" {
				c.Name = "column" + strconv.Itoa(i+1)
			}
			if c.Type.Polymorphic() {
				s.unsupported(u.expr.Pos(), "the polymorphic result of "+u.name)
			}
			r.Columns = append(r.Columns, c)
		}
	default:
		s.checkScalar(u)
		r.Columns = append(r.Columns, query.ResultColumn{Name: scalarName(u, call, alias, uses), Type: u.expr.Type(), Mod: u.expr.Typmod()})
	}
	r.Function.Calls = append(r.Function.Calls, item)
}

// scalarName names the column of a function with one result: its only output, else
// the alias, else the function.
func scalarName(u functionUse, call *query.Call, alias *pg.Alias, uses int) string {
	if call != nil && len(call.Function.Outputs) == 1 && call.Function.Outputs[0].Name != "" {
		return call.Function.Outputs[0].Name
	}
	if uses == 1 && alias != nil {
		return alias.Aliasname
	}
	return u.name
}

func (s *scope) checkScalar(u functionUse) {
	t := s.cat.Type(u.expr.Type())
	if t != nil && t.Kind == 'p' && t.OID != pgcat.Void && t.OID != pgcat.Cstring && t.OID != pgcat.Unknown {
		s.fail(u.expr.Pos(), pgerr.DatatypeMismatch, "function \"%s\" in FROM has unsupported return type %s", u.name, s.cat.FormatType(t.OID))
	}
}

func (s *scope) checkDefined(u functionUse, record bool, shape []query.ResultColumn) {
	at := nodesPos(u.defined)
	call, _ := u.expr.(*query.Call)
	switch {
	case call != nil && len(call.Function.Outputs) > 0 && record:
		s.fail(at, pgerr.SyntaxError, "a column definition list is redundant for a function with OUT parameters")
	case !record:
		s.fail(at, pgerr.SyntaxError, "a column definition list is only allowed for functions returning \"record\"")
	case shape != nil:
		s.fail(at, pgerr.SyntaxError, "a column definition list is redundant for a function returning a named composite type")
	}
}

func (s *scope) definedColumns(defs []*pg.Node) []query.ResultColumn {
	var out []query.ResultColumn
	for _, n := range defs {
		d := n.GetColumnDef()
		if d.TypeName.GetSetof() {
			s.fail(int(d.Location), invalidTableDefinition, "column \"%s\" cannot be declared SETOF", d.Colname)
		}
		t, mod := s.typeName(d.TypeName)
		for _, before := range out {
			if before.Name == d.Colname {
				s.fail(-1, duplicateColumn, "column name \"%s\" specified more than once", d.Colname)
			}
		}
		out = append(out, query.ResultColumn{Name: d.Colname, Type: t, Mod: mod})
	}
	return out
}

// join analyses a join: its two sides, its condition, and what its names stand for.
func (s *scope) join(j *pg.JoinExpr) (query.From, []*item) {
	kind, ok := map[pg.JoinType]query.JoinKind{
		pg.JoinType_JOIN_INNER: query.Inner, pg.JoinType_JOIN_LEFT: query.Left, pg.JoinType_JOIN_RIGHT: query.Right, pg.JoinType_JOIN_FULL: query.Full,
	}[j.Jointype]
	if !ok {
		s.unsupported(-1, "this kind of join")
	}
	left, leftItems := s.fromItem(j.Larg)
	setLateral(leftItems, true, kind == query.Inner || kind == query.Left)
	before := len(s.names)
	s.names = append(s.names, leftItems...)
	right, rightItems := s.fromItem(j.Rarg)
	s.names = s.names[:before]
	s.checkConflicts(leftItems, rightItems)
	mine := append(append([]*item{}, leftItems...), rightItems...)
	out := &query.Join{Kind: kind, Left: left, Right: right, Natural: j.IsNatural, At: -1}
	lc, rc := s.columnsOf(left), s.columnsOf(right)
	using := names(j.UsingClause)
	if j.IsNatural {
		using = commonNames(lc, rc)
	}
	var merged []itemColumn
	if len(using) > 0 || j.IsNatural {
		out.Using = using
		merged, lc, rc = s.using(out, using, lc, rc)
	} else if j.Quals != nil {
		out.On = s.joinOn(j.Quals, mine)
	}
	columns := append(append(merged, lc...), rc...)
	return out, s.joinItems(out, j, columns, merged, mine)
}

// columnsOf gives the columns of a side, in the order of its star.
func (s *scope) columnsOf(f query.From) []itemColumn {
	n := 0
	switch x := f.(type) {
	case *query.RelationRef:
		n = x.Relation
	case *query.Join:
		n = x.Relation
	}
	return append([]itemColumn{}, s.sequence[n].columns...)
}

func commonNames(left, right []itemColumn) []string {
	var out []string
	for _, l := range left {
		for _, r := range right {
			if l.name == r.name {
				out = append(out, l.name)
				break
			}
		}
	}
	return out
}

// using merges columns of the same names and compares them.
func (s *scope) using(j *query.Join, list []string, left, right []itemColumn) (merged, l, r []itemColumn) {
	var tests []query.Expr
	for i, name := range list {
		for _, before := range list[:i] {
			if before == name {
				s.fail(-1, duplicateColumn, "column name \"%s\" appears more than once in USING clause", name)
			}
		}
		a, b := s.commonColumn(left, name, "left"), s.commonColumn(right, name, "right")
		merged = append(merged, itemColumn{name, s.mergedColumn(j.Kind, a, b)})
		tests = append(tests, s.boolean(s.operator("=", a, b, -1), "JOIN/USING"))
	}
	if len(tests) > 0 {
		j.On = all(-1, tests)
	}
	return merged, without(left, list), without(right, list)
}

func without(columns []itemColumn, list []string) []itemColumn {
	var out []itemColumn
	for _, c := range columns {
		if !contains(list, c.name) {
			out = append(out, c)
		}
	}
	return out
}

func contains(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

func (s *scope) commonColumn(columns []itemColumn, name, side string) query.Expr {
	var found query.Expr
	for _, c := range columns {
		if c.name != name {
			continue
		}
		if found != nil {
			s.fail(-1, pgerr.AmbiguousColumn, "common column name \"%s\" appears more than once in %s table", name, side)
		}
		found = c.expr
	}
	if found == nil {
		s.fail(-1, pgerr.UndefinedColumn, "column \"%s\" specified in USING clause does not exist in %s table", name, side)
	}
	return found
}

// mergedColumn is what the one column stands for (buildMergedJoinVar).
func (s *scope) mergedColumn(kind query.JoinKind, l, r query.Expr) query.Expr {
	both := []query.Expr{l, r}
	t := s.common(both, "JOIN/USING")
	mod := commonMod(both, t)
	a, b := s.merge(l, t, mod), s.merge(r, t, mod)
	switch kind {
	case query.Left:
		return a
	case query.Right:
		return b
	case query.Full:
		return &query.Coalesce{Node: query.Node{OID: t, Mod: commonMod([]query.Expr{a, b}, t), At: -1}, Args: []query.Expr{a, b}}
	}
	if a != l && b == r {
		return b
	}
	return a
}

func (s *scope) merge(e query.Expr, t pgcat.OID, mod int32) query.Expr {
	if e.Type() != t {
		return s.coerce(e, t, mod, pgcat.Implicit, -1)
	}
	if e.Typmod() != mod {
		return s.relabel(e, t, mod, pgcat.Implicit, -1)
	}
	return e
}

// joinOn analyses ON, which sees the two sides alone.
func (s *scope) joinOn(quals *pg.Node, mine []*item) query.Expr {
	setLateral(mine, false, true)
	names := s.names
	s.names = mine
	e := s.boolean(s.expression(quals, inJoinOn), "JOIN/ON")
	s.names = names
	return e
}

// joinItems makes the entries by which a join is referred to.
func (s *scope) joinItems(out *query.Join, j *pg.JoinExpr, columns, merged []itemColumn, mine []*item) []*item {
	r := &query.Relation{Kind: query.JoinAlias, Name: "unnamed_join", At: -1}
	for _, c := range columns {
		r.Columns = append(r.Columns, query.ResultColumn{Name: c.name, Type: c.expr.Type(), Mod: c.expr.Typmod()})
		r.Joined = append(r.Joined, c.expr)
	}
	s.rename(r, j.Alias)
	it := s.add(r)
	out.Relation = it.relation
	for i := range it.columns {
		it.columns[i].expr = columns[i].expr
	}
	items := []*item{it}
	if j.Alias == nil {
		it.relVisible = false
		for _, m := range mine {
			m.colsVisible = false
		}
		items = append(append([]*item{}, mine...), it)
	}
	if j.JoinUsingAlias != nil && j.Alias == nil {
		alias := &item{relation: it.relation, name: j.JoinUsingAlias.Aliasname, columns: it.columns[:len(merged):len(merged)], relVisible: true, lateralOK: true}
		s.checkConflicts(items, []*item{alias})
		items = append(items, alias)
	}
	return items
}
