//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// resultTable opens the table that a statement changes.
func (s *scope) resultTable(v *pg.RangeVar) *item {
	at := int(v.Location)
	if v.Catalogname != "" && v.Catalogname != "postgres" {
		s.fail(-1, pgerr.FeatureNotSupported, "cross-database references are not implemented: \"%s.%s.%s\"", v.Catalogname, v.Schemaname, v.Relname)
	}
	t := s.table(v.Schemaname, v.Relname, at)
	if t == nil {
		s.noTable(v, at)
	}
	it := s.addTable(t, v.Alias, at)
	s.q.Result = it.relation
	return it
}

func (s *scope) insertStatement(x *pg.InsertStmt) *query.Query {
	q := s.q
	q.Kind = query.Insert
	s.withClause(x.WithClause)
	if x.OnConflictClause != nil {
		s.raise(int(x.OnConflictClause.Location), pgerr.New(pgerr.FeatureNotSupported, "ON CONFLICT is not supported").
			WithHint("Tables here have no unique indexes to decide a conflict. Select the keys that exist first, then UPDATE those and INSERT the others."))
	}
	it := s.resultTable(x.Relation)
	t := it.rel.Table
	columns := s.insertColumns(t, x.Cols)
	q.Given = columns
	rows := s.insertSource(x, t, columns)
	s.insertTargets(t, columns, rows)
	s.names = append(s.names, it)
	s.returning(x.ReturningList)
	return q
}

// insertColumns resolves the list of columns.
func (s *scope) insertColumns(t *query.Table, cols []*pg.Node) []int {
	var out []int
	if len(cols) == 0 {
		for i := range t.Columns {
			out = append(out, i)
		}
		return out
	}
	for _, n := range cols {
		r := n.GetResTarget()
		at := int(r.Location)
		i := t.Column(r.Name)
		if i < 0 {
			s.fail(at, pgerr.UndefinedColumn, "column \"%s\" of relation \"%s\" does not exist", r.Name, t.Name)
		}
		for _, before := range out {
			if before == i && len(r.Indirection) == 0 {
				s.fail(at, duplicateColumn, "column \"%s\" specified more than once", r.Name)
			}
		}
		if len(r.Indirection) > 0 {
			s.unsupported(at, "INSERT into a part of a column")
		}
		out = append(out, i)
	}
	return out
}

// insertSource analyses what is inserted and gives the expression of each column
// given.
func (s *scope) insertSource(x *pg.InsertStmt, t *query.Table, columns []int) []query.Expr {
	q := s.q
	src := x.SelectStmt.GetSelectStmt()
	switch {
	case src == nil:
		q.Given = nil
		return nil
	case len(src.ValuesLists) == 1 && len(src.SortClause) == 0 && src.LimitCount == nil && src.LimitOffset == nil && src.WithClause == nil:
		return s.insertRow(x, t, columns, src.ValuesLists[0].GetList().GetItems(), inSingleValues)
	case len(src.ValuesLists) > 1 && len(src.SortClause) == 0 && src.LimitCount == nil && src.LimitOffset == nil && src.WithClause == nil:
		return s.insertRows(x, t, columns, src.ValuesLists)
	}
	sub := newScope(s.analyzer, s)
	sub.keepUnknown = true
	query0 := s.statementIn(sub, x.SelectStmt)
	r := &query.Relation{Kind: query.SubqueryRelation, Name: "*SELECT*", Query: query0, At: -1, Columns: resultColumns(query0)}
	it := s.add(r)
	q.From = []query.From{&query.RelationRef{Relation: it.relation}}
	var list []query.Expr
	for i, c := range it.columns {
		e := query0.Targets[i].Expr
		if e.Type() != pgcat.Unknown {
			e = s.reference(c.expr, 0, e.Pos())
		} else if _, isConst := e.(*query.Const); !isConst {
			if _, isParam := e.(*query.Param); !isParam {
				e = s.reference(c.expr, 0, e.Pos())
			}
		}
		list = append(list, e)
	}
	s.countColumns(x, columns, list)
	return s.assignAll(t, columns, list)
}

func (s *scope) insertRow(x *pg.InsertStmt, t *query.Table, columns []int, nodes []*pg.Node, p place) []query.Expr {
	var list []query.Expr
	s.with(p, func() { list = s.valuesList(nodes) })
	s.countColumns(x, columns, list)
	return s.assignAll(t, columns, list)
}

// valuesList is list, where DEFAULT may stand too.
func (s *scope) valuesList(nodes []*pg.Node) []query.Expr {
	var out []query.Expr
	for _, n := range nodes {
		if d := n.GetSetToDefault(); d != nil {
			out = append(out, &query.Default{Node: query.Node{OID: pgcat.Unknown, Mod: -1, At: int(d.Location)}})
			continue
		}
		out = append(out, s.list([]*pg.Node{n})...)
	}
	return out
}

// insertRows analyses several rows of VALUES, each as the columns want it.
func (s *scope) insertRows(x *pg.InsertStmt, t *query.Table, columns []int, lists []*pg.Node) []query.Expr {
	r := &query.Relation{Kind: query.ValuesRelation, Name: "*VALUES*", At: -1}
	width := -1
	for _, n := range lists {
		var row []query.Expr
		s.with(inValues, func() { row = s.valuesList(n.GetList().GetItems()) })
		if width >= 0 && len(row) != width {
			s.fail(firstPos(row), pgerr.SyntaxError, "VALUES lists must all be the same length")
		}
		width = len(row)
		s.countColumns(x, columns, row)
		r.Rows = append(r.Rows, s.assignAll(t, columns, row))
	}
	for i := range width {
		c := t.Columns[columns[i]]
		r.Columns = append(r.Columns, query.ResultColumn{Name: c.Name, Type: c.Type, Mod: c.Mod})
	}
	it := s.add(r)
	s.q.From = []query.From{&query.RelationRef{Relation: it.relation}}
	var out []query.Expr
	for _, c := range it.columns {
		out = append(out, c.expr)
	}
	return out
}

// countColumns compares the numbers of columns and of expressions.
func (s *scope) countColumns(x *pg.InsertStmt, columns []int, list []query.Expr) {
	if len(list) > len(columns) {
		s.fail(list[len(columns)].Pos(), pgerr.SyntaxError, "INSERT has more expressions than target columns")
	}
	if len(x.Cols) > 0 && len(list) < len(columns) {
		e := pgerr.New(pgerr.SyntaxError, "INSERT has more target columns than expressions")
		if row, ok := single(list); ok && len(row.Fields) == len(columns) {
			e = e.WithHint("The insertion source is a row expression containing the same number of columns expected by the INSERT. Did you accidentally use extra parentheses?")
		}
		s.raise(int(x.Cols[len(list)].GetResTarget().Location), e)
	}
	if len(list) < len(columns) {
		s.q.Given = columns[:len(list)]
	}
}

func single(list []query.Expr) (*query.Row, bool) {
	if len(list) != 1 {
		return nil, false
	}
	r, ok := list[0].(*query.Row)
	return r, ok
}

func (s *scope) assignAll(t *query.Table, columns []int, list []query.Expr) []query.Expr {
	out := make([]query.Expr, len(list))
	for i, e := range list {
		out[i] = s.assign(t, columns[i], e)
	}
	return out
}

// assign converts a value to the column that it goes to.
func (s *scope) assign(t *query.Table, column int, e query.Expr) query.Expr {
	c := t.Columns[column]
	if _, ok := e.(*query.Default); ok {
		return s.defaultOf(t, column)
	}
	if c.Generated {
		s.raise(-1, pgerr.New(invalidColumnDefault, "cannot insert a non-DEFAULT value into column \"%s\"", c.Name).
			WithDetail("Column \"%s\" is a generated column.", c.Name))
	}
	r := s.convert(e, c.Type, c.Mod, pgcat.Assignment, -1)
	if r == nil {
		s.raise(e.Pos(), pgerr.New(pgerr.DatatypeMismatch, "column \"%s\" is of type %s but expression is of type %s", c.Name, s.cat.FormatType(c.Type), s.cat.FormatType(e.Type())).
			WithHint("You will need to rewrite or cast the expression."))
	}
	return r
}

func (s *scope) defaultOf(t *query.Table, column int) query.Expr {
	c := t.Columns[column]
	if c.Default != nil {
		return c.Default
	}
	return s.null(c.Type, -1)
}

// insertTargets gives every column of the table its expression.
func (s *scope) insertTargets(t *query.Table, columns []int, list []query.Expr) {
	given := map[int]query.Expr{}
	for i, e := range list {
		given[columns[i]] = e
	}
	for i, c := range t.Columns {
		e := given[i]
		if e == nil {
			e = s.defaultOf(t, i)
		}
		s.q.Targets = append(s.q.Targets, query.Target{Expr: e, Name: c.Name, Attribute: i})
	}
}

func (s *scope) returning(list []*pg.Node) {
	if len(list) == 0 {
		return
	}
	s.q.Returning = s.targetsOf(list, inReturning)
	if len(s.q.Returning) == 0 {
		s.fail(-1, pgerr.SyntaxError, "RETURNING must have at least one column")
	}
	l := &targetList{scope: s, targets: s.q.Returning}
	l.resolveUnknown()
}

func (s *scope) updateStatement(x *pg.UpdateStmt) *query.Query {
	q := s.q
	q.Kind = query.Update
	s.withClause(x.WithClause)
	it := s.resultTable(x.Relation)
	s.targetScope(it, x.FromClause)
	if x.WhereClause != nil {
		q.Where = s.condition(x.WhereClause, inWhere, "WHERE")
	}
	s.returning(x.ReturningList)
	s.setClause(it, x.TargetList)
	return q
}

// targetScope brings the changed table into reach of the other relations.
func (s *scope) targetScope(it *item, from []*pg.Node) {
	it.lateralOnly, it.lateralOK = true, false
	s.names = append(s.names, it)
	s.fromClause(from)
	setLateral(s.names, false, true)
}

// multiSource is the right side of SET (a, b) = ….
type multiSource struct {
	fields []query.Expr
}

func (s *scope) setClause(it *item, list []*pg.Node) {
	t := it.rel.Table
	seen := map[int]bool{}
	for _, n := range list {
		r := n.GetResTarget()
		column := t.Column(r.Name)
		e := s.setValue(r)
		if column < 0 {
			s.noSetColumn(it, r)
		}
		if len(r.Indirection) > 0 {
			e = s.setPart(it, column, r, e)
		} else if _, ok := e.(*query.Default); ok || !t.Columns[column].Generated {
			e = s.assign(t, column, e)
		} else {
			s.raise(-1, pgerr.New(invalidColumnDefault, "column \"%s\" can only be updated to DEFAULT", r.Name).WithDetail("Column \"%s\" is a generated column.", r.Name))
		}
		if part, earlier := e.(*query.SubscriptAssign); seen[column] && earlier && len(r.Indirection) > 0 {
			if n := s.assigned(column); n >= 0 {
				s.q.Targets[n].Expr = part
				continue
			}
		}
		if seen[column] {
			s.fail(-1, pgerr.SyntaxError, "multiple assignments to same column \"%s\"", r.Name)
		}
		seen[column] = true
		s.q.Targets = append(s.q.Targets, query.Target{Expr: e, Name: r.Name, Attribute: column})
	}
}

func (s *scope) noSetColumn(it *item, r *pg.ResTarget) {
	e := pgerr.New(pgerr.UndefinedColumn, "column \"%s\" of relation \"%s\" does not exist", r.Name, it.rel.Table.Name)
	if len(r.Indirection) > 0 && r.Name == it.name {
		e = e.WithHint("SET target columns cannot be qualified with the relation name.")
	}
	s.raise(int(r.Location), e)
}

// setValue analyses the right side of an assignment.
func (s *scope) setValue(r *pg.ResTarget) query.Expr {
	if d := r.Val.GetSetToDefault(); d != nil {
		return &query.Default{Node: query.Node{OID: pgcat.Unknown, Mod: -1, At: int(d.Location)}}
	}
	m := r.Val.GetMultiAssignRef()
	if m == nil {
		return s.expression(r.Val, inUpdateSource)
	}
	if m.Colno == 1 {
		s.lastMulti = s.multiSource(m)
	}
	return s.lastMulti.fields[m.Colno-1]
}

// multiSource analyses the row that several columns are set to.
func (s *scope) multiSource(m *pg.MultiAssignRef) *multiSource {
	out := &multiSource{}
	if row := m.Source.GetRowExpr(); row != nil {
		s.with(inUpdateSource, func() { out.fields = s.valuesList(row.Args) })
		if len(out.fields) != int(m.Ncolumns) {
			s.fail(int(row.Location), pgerr.SyntaxError, "number of columns does not match number of values")
		}
		return out
	}
	sub := m.Source.GetSubLink()
	if sub == nil || sub.SubLinkType != pg.SubLinkType_EXPR_SUBLINK {
		s.fail(rawPos(m.Source), pgerr.FeatureNotSupported, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression")
	}
	var q *query.Query
	s.with(inUpdateSource, func() { q = s.statement(s, sub.Subselect) })
	if q.Visible() != int(m.Ncolumns) {
		s.fail(int(sub.Location), pgerr.SyntaxError, "number of columns does not match number of values")
	}
	s.q.Multi = append(s.q.Multi, q)
	for i := range int(m.Ncolumns) {
		e := q.Outputs()[i].Expr
		out.fields = append(out.fields, &query.MultiOutput{Node: query.Node{OID: e.Type(), Mod: e.Typmod(), At: int(sub.Location)}, Source: len(s.q.Multi) - 1, Number: i})
	}
	return out
}

// assigned finds the target of a column of which an element was assigned before.
func (s *scope) assigned(column int) int {
	for i, t := range s.q.Targets {
		if _, ok := t.Expr.(*query.SubscriptAssign); ok && t.Attribute == column {
			return i
		}
	}
	return -1
}

// partOf gives the container that an element is assigned in: the column, or what
// earlier assignments have made of it.
func (s *scope) partOf(it *item, column int) query.Expr {
	if n := s.assigned(column); n >= 0 {
		return s.q.Targets[n].Expr
	}
	return s.reference(it.columns[column].expr, 0, -1)
}

// setPart assigns to elements of an array column.
func (s *scope) setPart(it *item, column int, r *pg.ResTarget, value query.Expr) query.Expr {
	c := it.rel.Table.Columns[column]
	at := int(r.Location)
	var list []*pg.A_Indices
	for _, n := range r.Indirection {
		i := n.GetAIndices()
		if i == nil {
			s.raise(at, pgerr.New(pgerr.DatatypeMismatch, "cannot assign to field \"%s\" of column \"%s\" because its type %s is not a composite type", n.GetString_().GetSval(), r.Name, s.cat.FormatType(c.Type)))
		}
		list = append(list, i)
	}
	element := s.cat.ElementOf(c.Type)
	if element == 0 {
		s.unsupported(at, "assigning to a part of a column of the type "+s.cat.FormatType(c.Type))
	}
	container := s.partOf(it, column)
	parts := &query.Subscript{Container: container}
	for _, i := range list {
		parts.Slice = parts.Slice || i.IsSlice
	}
	s.with(inUpdateTarget, func() { s.arraySubscripts(parts, list) })
	want := element
	if parts.Slice {
		want = c.Type
	}
	v := s.convert(value, want, c.Mod, pgcat.Assignment, -1)
	if v == nil {
		s.raise(value.Pos(), pgerr.New(pgerr.DatatypeMismatch, "subscripted assignment to \"%s\" requires type %s but expression is of type %s", r.Name, s.cat.FormatType(want), s.cat.FormatType(value.Type())).
			WithHint("You will need to rewrite or cast the expression."))
	}
	return &query.SubscriptAssign{Node: query.Node{OID: c.Type, Mod: c.Mod, At: at}, Container: container, Lower: parts.Lower, Upper: parts.Upper, Slice: parts.Slice, Value: v}
}

func (s *scope) deleteStatement(x *pg.DeleteStmt) *query.Query {
	q := s.q
	q.Kind = query.Delete
	s.withClause(x.WithClause)
	it := s.resultTable(x.Relation)
	s.targetScope(it, x.UsingClause)
	if x.WhereClause != nil {
		q.Where = s.condition(x.WhereClause, inWhere, "WHERE")
	}
	s.returning(x.ReturningList)
	return q
}
