//go:build cgo

package main

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
)

// create makes a table of a CREATE TABLE statement, as far as the engine has what
// it asks for; a table that has more is not loaded.
func (r *replay) create(c answered) {
	r.made.WriteString(strings.ToLower(c.SQL))
	if !c.OK {
		return
	}
	tree, err := pg_query.Parse(c.SQL)
	if err != nil || len(tree.Stmts) != 1 {
		return
	}
	stmt := tree.Stmts[0].Stmt.GetCreateStmt()
	if stmt == nil || stmt.Relation == nil {
		return
	}
	name := stmt.Relation.Relname
	spec, ok := tableOf(stmt)
	if ok {
		r.db.Drop("", name)
		ok = r.db.Create(spec) == nil
	}
	if !ok {
		r.unknown[name] = true
		return
	}
	delete(r.unknown, name)
}

// tableOf describes a plain table; false where it is more than that.
func tableOf(stmt *pg_query.CreateStmt) (engine.TableSpec, bool) {
	spec := engine.TableSpec{Name: stmt.Relation.Relname}
	if len(stmt.InhRelations) > 0 || stmt.Partspec != nil || stmt.Partbound != nil || stmt.OfTypename != nil {
		return spec, false
	}
	for _, e := range stmt.TableElts {
		d := e.GetColumnDef()
		if d == nil {
			return spec, false
		}
		column := engine.Column{Name: d.Colname, Type: typeText(d.TypeName)}
		if column.Type == "" || strings.Contains(column.Type, "serial") {
			return spec, false
		}
		for _, n := range d.Constraints {
			k := n.GetConstraint()
			switch k.GetContype() {
			case pg_query.ConstrType_CONSTR_NOTNULL:
				column.NotNull = true
			case pg_query.ConstrType_CONSTR_NULL:
			case pg_query.ConstrType_CONSTR_PRIMARY:
				spec.Key = append(spec.Key, d.Colname)
			case pg_query.ConstrType_CONSTR_DEFAULT:
				if column.Default = expressionText(k.RawExpr); column.Default == "" {
					return spec, false
				}
			default:
				return spec, false
			}
		}
		spec.Columns = append(spec.Columns, column)
	}
	return spec, len(spec.Columns) > 0
}

// typeText writes a type as SQL, "" where that fails.
func typeText(t *pg_query.TypeName) string {
	tree, err := pg_query.Parse("SELECT NULL::text")
	if err != nil {
		return ""
	}
	target := tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget()
	target.Val.GetTypeCast().TypeName = t
	text, err := pg_query.Deparse(tree)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(text, "SELECT NULL::")
}

// expressionText writes an expression as SQL, "" where that fails.
func expressionText(n *pg_query.Node) string {
	tree, err := pg_query.Parse("SELECT NULL")
	if err != nil {
		return ""
	}
	tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val = n
	text, err := pg_query.Deparse(tree)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(text, "SELECT ")
}
