//go:build cgo

package analyze

import (
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

func (s *scope) selectStatement(x *pg.SelectStmt) *query.Query {
	if x.IntoClause != nil {
		s.unsupported(int(x.IntoClause.GetRel().GetLocation()), "SELECT INTO")
	}
	switch {
	case len(x.ValuesLists) > 0:
		return s.values(x)
	case x.Op != pg.SetOperation_SETOP_NONE && x.Op != pg.SetOperation_SET_OPERATION_UNDEFINED:
		return s.setOperation(x)
	}
	return s.plainSelect(x)
}

// plainSelect analyses a SELECT in the server's order, which decides which of
// several errors is reported.
func (s *scope) plainSelect(x *pg.SelectStmt) *query.Query {
	q := s.q
	s.withClause(x.WithClause)
	s.windowDefs = windowDefs(x.WindowClause)
	s.fromClause(x.FromClause)
	list := &targetList{scope: s, targets: s.targetsOf(x.TargetList, inSelectTarget)}
	if x.WhereClause != nil {
		q.Where = s.condition(x.WhereClause, inWhere, "WHERE")
	}
	if x.HavingClause != nil {
		q.Having = s.condition(x.HavingClause, inHaving, "HAVING")
	}
	q.Order = list.sort(x.SortClause, inOrderBy, false)
	group, sets := list.group(x.GroupClause, x.GroupDistinct)
	s.distinctClause(list, x)
	s.setsAfterDistinct(list)
	s.limits(x)
	q.Windows = list.windows()
	if !s.keepUnknown {
		list.resolveUnknown()
	}
	q.Targets = list.targets
	q.HasWindows = s.windows
	if s.aggregates || len(x.GroupClause) > 0 || q.Having != nil {
		s.checkGrouping(group, sets)
	}
	return q
}

func windowDefs(list []*pg.Node) []*pg.WindowDef {
	var out []*pg.WindowDef
	for _, n := range list {
		out = append(out, n.GetWindowDef())
	}
	return out
}

// condition analyses a condition.
func (s *scope) condition(n *pg.Node, p place, construct string) query.Expr {
	return s.boolean(s.expression(n, p), construct)
}

func (s *scope) distinctClause(list *targetList, x *pg.SelectStmt) {
	if len(x.DistinctClause) == 0 {
		return
	}
	if x.DistinctClause[0].GetNode() == nil {
		s.q.Distinct = list.distinct(s.q.Order, false)
		return
	}
	s.q.Distinct, s.q.DistinctOn = list.distinctOn(x.DistinctClause, s.q.Order), true
}

// setsAfterDistinct refuses the one order of evaluation in which the server expands
// sets after it has taken the first rows: DISTINCT ON with an ORDER BY in which no
// set takes part.
func (s *scope) setsAfterDistinct(list *targetList) {
	if !s.q.DistinctOn || len(s.q.Order) == 0 || !s.q.HasSets {
		return
	}
	for _, k := range append(append([]query.SortKey{}, s.q.Order...), s.q.Distinct...) {
		if s.returnsSet(list.targets[k.Target].Expr) {
			return
		}
	}
	s.raise(-1, pgerr.New(pgerr.FeatureNotSupported, "a set-returning function beside DISTINCT ON and ORDER BY is not supported").
		WithHint("Take the distinct rows in a sub-query, and call the function in the query around it."))
}

func (s *scope) limits(x *pg.SelectStmt) {
	s.q.WithTies = x.LimitOption == pg.LimitOption_LIMIT_OPTION_WITH_TIES
	s.q.Offset = s.limit(x.LimitOffset, inOffset, false)
	s.q.Limit = s.limit(x.LimitCount, inLimit, s.q.WithTies)
}

// limit analyses a count of rows, which must not depend on them.
func (s *scope) limit(n *pg.Node, p place, ties bool) query.Expr {
	if n == nil {
		return nil
	}
	e := s.specific(s.expression(n, p), pgcat.Int8, p.String())
	s.varFree(e, p.String())
	if ties && isNullLiteral(n) {
		s.fail(-1, "2201W", "row count cannot be null in FETCH FIRST ... WITH TIES clause")
	}
	return e
}

func (s *scope) varFree(e query.Expr, construct string) {
	query.Walk(e, func(x query.Expr, depth int) bool {
		if c, ok := x.(*query.Column); ok && c.Levels == depth {
			s.fail(c.At, invalidColumnReference, "argument of %s must not contain variables", construct)
		}
		return true
	})
}

// values analyses a VALUES statement, which is a query over one relation.
func (s *scope) values(x *pg.SelectStmt) *query.Query {
	s.withClause(x.WithClause)
	r := &query.Relation{Kind: query.ValuesRelation, Name: "*VALUES*", At: -1}
	r.Rows = s.valueRows(x.ValuesLists)
	for i := range r.Rows[0] {
		t, mod := s.valuesColumn(r.Rows, i)
		r.Columns = append(r.Columns, query.ResultColumn{Name: "column" + strconv.Itoa(i+1), Type: t, Mod: mod})
	}
	it := s.add(r)
	it.relVisible = true
	s.names = append(s.names, it)
	s.q.From = []query.From{&query.RelationRef{Relation: it.relation}}
	list := &targetList{scope: s, targets: s.itemTargets(it, 0, -1)}
	s.q.Order = list.sort(x.SortClause, inOrderBy, false)
	s.limits(x)
	s.q.Targets = list.targets
	return s.q
}

func (s *scope) valueRows(lists []*pg.Node) [][]query.Expr {
	var rows [][]query.Expr
	for _, n := range lists {
		var row []query.Expr
		s.with(inValues, func() { row = s.list(n.GetList().GetItems()) })
		if len(rows) > 0 && len(row) != len(rows[0]) {
			s.fail(firstPos(row), pgerr.SyntaxError, "VALUES lists must all be the same length")
		}
		rows = append(rows, row)
	}
	return rows
}

// valuesColumn gives the expressions of a column the type they share.
func (s *scope) valuesColumn(rows [][]query.Expr, i int) (pgcat.OID, int32) {
	column := make([]query.Expr, len(rows))
	for r := range rows {
		column[r] = rows[r][i]
	}
	t := s.common(column, "VALUES")
	for r := range rows {
		column[r] = s.toCommon(column[r], t, "VALUES")
		rows[r][i] = column[r]
	}
	return t, commonMod(column, t)
}

// windows analyses the window definitions in their order.
func (l *targetList) windows() []query.Window {
	s := l.scope
	var out []query.Window
	for i, d := range s.windowDefs {
		out = append(out, l.window(d, s.windowDefs[:i], out))
	}
	return out
}

func (l *targetList) window(d *pg.WindowDef, earlier []*pg.WindowDef, done []query.Window) query.Window {
	s := l.scope
	at := int(d.Location)
	w := query.Window{Name: d.Name}
	var base *query.Window
	for i, e := range earlier {
		if d.Name != "" && e.Name == d.Name {
			s.fail(at, pgerr.WindowingError, "window \"%s\" is already defined", d.Name)
		}
		if d.Refname != "" && e.Name == d.Refname {
			base = &done[i]
		}
	}
	if d.Refname != "" && base == nil {
		s.fail(at, pgerr.UndefinedObject, "window \"%s\" does not exist", d.Refname)
	}
	w.Order = l.sort(d.OrderClause, inWindowOrder, true)
	w.Partition = l.partition(d.PartitionClause)
	if base != nil {
		l.inherit(&w, base, d)
	}
	w.Frame = l.frame(&w, d)
	return w
}

func (l *targetList) partition(clause []*pg.Node) []query.SortKey {
	var keys []query.SortKey
	for _, n := range clause {
		keys = l.addGroupSort(keys, l.find(n, inWindowPartition, true), rawPos(n))
	}
	return keys
}

// inherit completes a window from the one that it names.
func (l *targetList) inherit(w, base *query.Window, d *pg.WindowDef) {
	s := l.scope
	at := int(d.Location)
	switch {
	case len(w.Partition) > 0:
		s.fail(at, pgerr.WindowingError, "cannot override PARTITION BY clause of window \"%s\"", d.Refname)
	case len(w.Order) > 0 && len(base.Order) > 0:
		s.fail(at, pgerr.WindowingError, "cannot override ORDER BY clause of window \"%s\"", d.Refname)
	case !base.Frame.Default:
		e := pgerr.New(pgerr.WindowingError, "cannot copy window \"%s\" because it has a frame clause", d.Refname)
		if d.Name == "" && len(d.OrderClause) == 0 && d.FrameOptions == frameDefaults {
			e = e.WithHint("Omit the parentheses in this OVER clause.")
		}
		s.raise(at, e)
	}
	w.Partition = base.Partition
	if len(base.Order) > 0 {
		w.Order = base.Order
	}
}

// The bits of a window's frame, as the grammar gives them.
const (
	frameNonDefault   = 0x00001
	frameRange        = 0x00002
	frameRows         = 0x00004
	frameGroups       = 0x00008
	frameStartUPrec   = 0x00020
	frameEndUPrec     = 0x00040
	frameStartUFoll   = 0x00080
	frameEndUFoll     = 0x00100
	frameStartCurrent = 0x00200
	frameEndCurrent   = 0x00400
	frameStartPrec    = 0x00800
	frameEndPrec      = 0x01000
	frameStartFoll    = 0x02000
	frameEndFoll      = 0x04000
	frameExclCurrent  = 0x08000
	frameExclGroup    = 0x10000
	frameExclTies     = 0x20000
	frameDefaults     = frameRange | frameStartUPrec | frameEndCurrent
)

func (l *targetList) frame(w *query.Window, d *pg.WindowDef) query.Frame {
	s := l.scope
	o := d.FrameOptions
	f := query.Frame{Default: o&frameNonDefault == 0, Start: query.Bound{Kind: bound(o, true)}, End: query.Bound{Kind: bound(o, false)}}
	switch {
	case o&frameRows != 0:
		f.Unit = query.Rows
	case o&frameGroups != 0:
		f.Unit = query.Groups
	}
	switch {
	case o&frameExclCurrent != 0:
		f.Exclude = query.ExcludeCurrent
	case o&frameExclGroup != 0:
		f.Exclude = query.ExcludeGroup
	case o&frameExclTies != 0:
		f.Exclude = query.ExcludeTies
	}
	offsets := d.StartOffset != nil || d.EndOffset != nil
	if f.Unit == query.Range && offsets && len(w.Order) != 1 {
		s.fail(int(d.Location), pgerr.WindowingError, "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column")
	}
	if f.Unit == query.Groups && len(w.Order) == 0 {
		s.fail(int(d.Location), pgerr.WindowingError, "GROUPS mode requires an ORDER BY clause")
	}
	l.offset(&f.Start, f.Unit, w, d.StartOffset)
	l.offset(&f.End, f.Unit, w, d.EndOffset)
	return f
}

func bound(o int32, start bool) query.BoundKind {
	pick := func(a, b int32) bool {
		if start {
			return o&a != 0
		}
		return o&b != 0
	}
	switch {
	case pick(frameStartUPrec, frameEndUPrec):
		return query.UnboundedPreceding
	case pick(frameStartPrec, frameEndPrec):
		return query.Preceding
	case pick(frameStartFoll, frameEndFoll):
		return query.Following
	case pick(frameStartUFoll, frameEndUFoll):
		return query.UnboundedFollowing
	}
	return query.CurrentRow
}

// offset analyses the distance of a frame's bound.
func (l *targetList) offset(b *query.Bound, unit query.FrameUnit, w *query.Window, n *pg.Node) {
	if n == nil {
		return
	}
	s := l.scope
	switch unit {
	case query.Rows:
		b.Offset = s.specific(s.expression(n, inFrameRows), pgcat.Int8, "ROWS")
		s.varFree(b.Offset, "ROWS")
	case query.Groups:
		b.Offset = s.specific(s.expression(n, inFrameGroups), pgcat.Int8, "GROUPS")
		s.varFree(b.Offset, "GROUPS")
	default:
		l.rangeOffset(b, w, n)
	}
}

func (l *targetList) rangeOffset(b *query.Bound, w *query.Window, n *pg.Node) {
	s := l.scope
	e := s.expression(n, inFrameRange)
	column := l.targets[w.Order[0].Target].Expr.Type()
	if column == pgcat.Varchar {
		column = pgcat.Text // whose order it has
	}
	f, kind := s.inRange(column, e.Type())
	switch kind {
	case noRange:
		s.fail(e.Pos(), pgerr.FeatureNotSupported, "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s", s.cat.FormatType(column))
	case noOffset:
		s.raise(e.Pos(), pgerr.New(pgerr.FeatureNotSupported, "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s and offset type %s", s.cat.FormatType(column), s.cat.FormatType(e.Type())).
			WithHint("Cast the offset value to an appropriate type."))
	case manyOffsets:
		s.raise(e.Pos(), pgerr.New(pgerr.FeatureNotSupported, "RANGE with offset PRECEDING/FOLLOWING has multiple interpretations for column type %s and offset type %s", s.cat.FormatType(column), s.cat.FormatType(e.Type())).
			WithHint("Cast the offset value to the exact intended type."))
	}
	b.InRange = f
	b.Offset = s.specific(e, f.Args[2], "RANGE")
	s.varFree(b.Offset, "RANGE")
}

type rangeSupport int

const (
	oneOffset rangeSupport = iota
	noRange
	noOffset
	manyOffsets
)

// inRange finds the function that compares at a distance: the one that takes the
// offset's type, else the only one that it can be converted to, else the one whose
// offset is of the column's type.
func (s *scope) inRange(column, offset pgcat.OID) (*pgcat.Function, rangeSupport) {
	var found, exact, same *pgcat.Function
	count := 0
	any := false
	for _, f := range s.cat.FunctionsNamed("in_range") {
		if len(f.Args) != 5 || f.Args[0] != column || f.Args[1] != column {
			continue
		}
		any = true
		t := f.Args[2]
		if t == offset {
			exact = f
		}
		if s.canCoerce(offset, t, pgcat.Implicit) {
			count++
			found = f
			if t == column {
				same = f
			}
		}
	}
	switch {
	case !any:
		return nil, noRange
	case exact != nil:
		return exact, oneOffset
	case count == 0:
		return nil, noOffset
	case count == 1:
		return found, oneOffset
	case offset == pgcat.Unknown && same != nil:
		return same, oneOffset
	}
	return nil, manyOffsets
}
