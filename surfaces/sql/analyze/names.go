//go:build cgo

package analyze

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// columnRef resolves a name: a column, a relation as a whole, or a function written
// like a field.
func (s *scope) columnRef(c *pg.ColumnRef) query.Expr {
	at := int(c.Location)
	full := names(c.Fields)
	if len(full) < len(c.Fields) {
		return s.starRow(full, at)
	}
	switch len(full) {
	case 1:
		return s.simpleName(full[0], at)
	case 2:
		return s.qualifiedName("", full[0], full[1], at)
	case 3:
		return s.qualifiedName(full[0], full[1], full[2], at)
	case 4:
		if full[0] != "postgres" {
			s.fail(at, pgerr.FeatureNotSupported, "cross-database references are not implemented: %s", strings.Join(full, "."))
		}
		return s.qualifiedName(full[1], full[2], full[3], at)
	}
	s.fail(at, pgerr.SyntaxError, "improper qualified name (too many dotted names): %s", strings.Join(full, "."))
	return nil
}

// starRow is t.* where one value is wanted: the relation as a whole.
func (s *scope) starRow(full []string, at int) query.Expr {
	if len(full) == 0 || len(full) > 2 {
		s.fail(at, pgerr.SyntaxError, "row expansion via \"*\" is not supported here")
	}
	schema := ""
	if len(full) == 2 {
		schema = full[0]
	}
	name := full[len(full)-1]
	it, levels := s.findRelation(schema, name, at)
	if it == nil {
		s.missingRelation(schema, name, at)
	}
	return s.wholeRow(it, levels, at)
}

func (s *scope) simpleName(name string, at int) query.Expr {
	if e := s.findColumn(name, at, false); e != nil {
		return e
	}
	if it, levels := s.findRelation("", name, at); it != nil {
		return s.wholeRow(it, levels, at)
	}
	s.missingColumn("", name, at)
	return nil
}

func (s *scope) qualifiedName(schema, relation, column string, at int) query.Expr {
	it, levels := s.findRelation(schema, relation, at)
	if it == nil {
		s.missingRelation(schema, relation, at)
	}
	if e := s.columnOf(it, column, levels, at); e != nil {
		return e
	}
	row := s.wholeRow(it, levels, at)
	if e := s.projectOrCall(column, row, at); e != nil {
		return e
	}
	s.missingColumn(relation, column, at)
	return nil
}

// findColumn finds a column by its bare name (colNameToVar); nil when there is none.
func (s *scope) findColumn(name string, at int, local bool) query.Expr {
	levels := 0
	for x := s; x != nil; x = x.parent {
		var found query.Expr
		for _, it := range x.names {
			if !it.colsVisible || it.lateralOnly && !x.lateral {
				continue
			}
			e := s.columnOf(it, name, levels, at)
			if e == nil {
				continue
			}
			if found != nil {
				s.fail(at, pgerr.AmbiguousColumn, "column reference \"%s\" is ambiguous", name)
			}
			x.checkLateral(it, at)
			found = e
		}
		if found != nil || local {
			return found
		}
		levels++
	}
	return nil
}

// columnOf finds a column of an item; nil when it has none of the name.
func (s *scope) columnOf(it *item, name string, levels, at int) query.Expr {
	var found query.Expr
	for i := range it.columns {
		if it.columns[i].name != name {
			continue
		}
		if found != nil {
			s.fail(at, pgerr.AmbiguousColumn, "column reference \"%s\" is ambiguous", name)
		}
		found = it.columns[i].expr
	}
	if found == nil {
		s.systemColumn(it, name, at)
		return nil
	}
	return s.reference(found, levels, at)
}

// reference makes a reference to a column, which keeps what a join's column stands
// for recognisable.
func (s *scope) reference(e query.Expr, levels, at int) query.Expr {
	if c, ok := e.(*query.Column); ok {
		d := *c
		d.Levels, d.At = c.Levels+levels, at
		return &d
	}
	return raised(e, levels, at)
}

// systemColumn refuses the columns that a server's tables have beside their own.
func (s *scope) systemColumn(it *item, name string, at int) {
	if it.rel == nil || it.rel.Kind != query.BaseTable {
		return
	}
	switch name {
	case "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid":
		s.unsupported(at, "the system column "+name)
	}
}

func (s *scope) checkLateral(it *item, at int) {
	if it.lateralOnly && !it.lateralOK {
		s.raise(at, pgerr.New(invalidColumnReference, "invalid reference to FROM-clause entry for table \"%s\"", it.name).
			WithDetail("The combining JOIN type must be INNER or LEFT for a LATERAL reference."))
	}
}

// findRelation finds a relation by its name (refnameNamespaceItem).
func (s *scope) findRelation(schema, name string, at int) (*item, int) {
	levels := 0
	for x := s; x != nil; x = x.parent {
		var found *item
		for _, it := range x.names {
			if !it.relVisible || it.lateralOnly && !x.lateral || it.name != name {
				continue
			}
			if schema != "" && !it.inSchema(schema) {
				continue
			}
			if found != nil {
				s.fail(at, ambiguousAlias, "table reference \"%s\" is ambiguous", name)
			}
			x.checkLateral(it, at)
			found = it
		}
		if found != nil {
			return found, levels
		}
		levels++
	}
	return nil, 0
}

// inSchema reports whether an item is a table without an alias, of a schema.
func (it *item) inSchema(schema string) bool {
	r := it.rel
	return r != nil && r.Kind == query.BaseTable && !r.Alias && (r.Table.Schema == schema || r.Table.Schema == "" && schema == "public")
}

// wholeRow makes a reference to all of a relation. That of a function with one
// plain result is the result.
func (s *scope) wholeRow(it *item, levels, at int) query.Expr {
	if it.rel == nil || it.rel.Kind == query.JoinAlias {
		row := &query.Row{Node: query.Node{OID: pgcat.Record, Mod: -1, At: at}}
		for _, c := range it.columns {
			row.Fields = append(row.Fields, s.reference(c.expr, levels, at))
			row.Names = append(row.Names, c.name)
		}
		return row
	}
	if f := it.rel.Function; f != nil && len(f.Calls) == 1 && !f.Ordinality && !f.Calls[0].Record {
		return s.reference(it.columns[0].expr, levels, at)
	}
	return &query.Column{Node: query.Node{OID: pgcat.Record, Mod: -1, At: at}, Levels: levels, Relation: it.relation, Attribute: query.WholeRow}
}

// projectOrCall reads expr.name as a field of a record, or as name(expr). It gives
// nil when it is neither.
func (s *scope) projectOrCall(name string, arg query.Expr, at int) query.Expr {
	if arg.Type() == pgcat.Record {
		if e := s.field(arg, name, at); e != nil {
			return e
		}
	}
	call := pgcat.Call{Name: name, Types: []pgcat.OID{arg.Type()}, Unchecked: true}
	r, err := s.cat.ResolveFunction(call)
	if err != nil || r.Function != nil && r.Kind != pgcat.Ordinary {
		return nil
	}
	return s.ordinaryCall(r, callParts{name: name, args: []query.Expr{arg}, at: at})
}

// field takes a field of a record by its name, or gives nil.
func (s *scope) field(record query.Expr, name string, at int) query.Expr {
	if c, ok := record.(*query.Column); ok && c.Attribute == query.WholeRow {
		it := s.up(c.Levels).itemOf(c.Relation)
		for _, col := range it.columns {
			if col.name == name {
				return s.reference(col.expr, c.Levels, at)
			}
		}
		return nil
	}
	for i, c := range s.shape(record) {
		if c.Name == name {
			return &query.Field{Node: query.Node{OID: c.Type, Mod: c.Mod, At: record.Pos()}, Record: record, Number: i, Name: name}
		}
	}
	return nil
}

func (s *scope) itemOf(relation int) *item { return s.sequence[relation] }

// shape gives the fields of a record as far as they are known (expandRecordVariable);
// nil when they are not.
func (s *scope) shape(e query.Expr) []query.ResultColumn {
	switch x := e.(type) {
	case *query.Row:
		var out []query.ResultColumn
		for i, f := range x.Fields {
			out = append(out, query.ResultColumn{Name: x.Names[i], Type: f.Type(), Mod: f.Typmod()})
		}
		return out
	case *query.Call:
		return outputsOf(x)
	case *query.Subquery:
		if x.Kind == query.Scalar {
			return s.queryShape(x.Query, 0)
		}
	case *query.Column:
		return s.columnShape(x)
	case *query.Field:
		return s.fieldShape(x)
	}
	return nil
}

func outputsOf(c *query.Call) []query.ResultColumn {
	var out []query.ResultColumn
	for _, o := range c.Function.Outputs {
		out = append(out, query.ResultColumn{Name: o.Name, Type: o.Type, Mod: -1})
	}
	return out
}

// columnShape follows a column into the sub-query or WITH query that it comes from.
func (s *scope) columnShape(c *query.Column) []query.ResultColumn {
	owner := s.up(c.Levels)
	rel := owner.q.Relations[c.Relation]
	if c.Attribute == query.WholeRow {
		return rel.Columns
	}
	switch rel.Kind {
	case query.SubqueryRelation:
		return owner.queryShape(rel.Query, c.Attribute)
	case query.CTERelation:
		if cte := owner.up(rel.CTELevels).cteNumber(rel.CTE); cte != nil && cte.out.Query != nil {
			return owner.up(rel.CTELevels).queryShape(cte.out.Query, c.Attribute)
		}
	case query.ValuesRelation:
		return owner.shape(rel.Rows[0][c.Attribute])
	}
	return nil
}

// queryShape gives the fields of a record that a query returns as a column.
func (s *scope) queryShape(q *query.Query, column int) []query.ResultColumn {
	for q.SetOp != nil {
		leaf := q.SetOp
		for leaf.Query == nil {
			leaf = leaf.Left
		}
		q = leaf.Query
	}
	if column >= len(q.Outputs()) {
		return nil
	}
	sub := &scope{analyzer: s.analyzer, parent: s, q: q}
	e := q.Outputs()[column].Expr
	if k, ok := e.(*query.Key); ok && k.Levels == 0 {
		e = q.Group[k.Number].Expr
	}
	return sub.shape(e)
}

func (s *scope) fieldShape(f *query.Field) []query.ResultColumn {
	if row, ok := f.Record.(*query.Row); ok {
		return s.shape(row.Fields[f.Number])
	}
	return nil
}
