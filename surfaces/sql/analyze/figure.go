//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// figureName gives the name of a column of the result that has none written.
func (a *analyzer) figureName(n *pg.Node) string {
	if name, _ := a.figure(n); name != "" {
		return name
	}
	return "?column?"
}

// How sure a name is: one that a type or CASE gives yields to one within.
const (
	noName = iota
	weakName
	strongName
)

// figure follows the server's rules (FigureColname).
func (a *analyzer) figure(n *pg.Node) (string, int) {
	switch x := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return lastName(x.ColumnRef.Fields)
	case *pg.Node_AIndirection:
		if name, sure := lastName(x.AIndirection.Indirection); sure != noName {
			return name, sure
		}
		return a.figure(x.AIndirection.Arg)
	case *pg.Node_FuncCall:
		full := names(x.FuncCall.Funcname)
		return full[len(full)-1], strongName
	case *pg.Node_AExpr:
		if x.AExpr.Kind == pg.A_Expr_Kind_AEXPR_NULLIF {
			return "nullif", strongName
		}
	case *pg.Node_TypeCast:
		if name, sure := a.figure(x.TypeCast.Arg); sure > weakName {
			return name, sure
		}
		full := names(x.TypeCast.TypeName.GetNames())
		if len(full) > 0 {
			return full[len(full)-1], weakName
		}
	case *pg.Node_CollateClause:
		return a.figure(x.CollateClause.Arg)
	case *pg.Node_GroupingFunc:
		return "grouping", strongName
	case *pg.Node_SubLink:
		return a.figureSubLink(x.SubLink)
	case *pg.Node_CaseExpr:
		if name, sure := a.figure(x.CaseExpr.Defresult); sure > weakName {
			return name, sure
		}
		return "case", weakName
	case *pg.Node_AArrayExpr:
		return "array", strongName
	case *pg.Node_RowExpr:
		return "row", strongName
	case *pg.Node_CoalesceExpr:
		return "coalesce", strongName
	case *pg.Node_MinMaxExpr:
		if x.MinMaxExpr.Op == pg.MinMaxOp_IS_GREATEST {
			return "greatest", strongName
		}
		return "least", strongName
	case *pg.Node_SqlvalueFunction:
		return valueName(x.SqlvalueFunction.Op), strongName
	}
	return figureJSON(n)
}

// lastName gives the last of the names in a list that has stars and subscripts
// too.
func lastName(list []*pg.Node) (string, int) {
	name := ""
	for _, n := range list {
		if s := n.GetString_(); s != nil {
			name = s.Sval
		}
	}
	if name == "" {
		return "", noName
	}
	return name, strongName
}

func (a *analyzer) figureSubLink(l *pg.SubLink) (string, int) {
	switch l.SubLinkType {
	case pg.SubLinkType_EXISTS_SUBLINK:
		return "exists", strongName
	case pg.SubLinkType_ARRAY_SUBLINK:
		return "array", strongName
	case pg.SubLinkType_EXPR_SUBLINK:
		if name, ok := a.subqueryNames[l]; ok {
			return name, strongName
		}
	}
	return "", noName
}

// named notes the name of the column that a sub-query gives, which the expression
// that it stands in takes over.
func (a *analyzer) named(l *pg.SubLink, q *query.Query) {
	if a.subqueryNames == nil {
		a.subqueryNames = map[*pg.SubLink]string{}
	}
	if out := q.Outputs(); len(out) > 0 {
		a.subqueryNames[l] = out[0].Name
	}
}

func valueName(op pg.SQLValueFunctionOp) string {
	switch op {
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:
		return "current_date"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME, pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N:
		return "current_time"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP, pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N:
		return "current_timestamp"
	case pg.SQLValueFunctionOp_SVFOP_LOCALTIME, pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N:
		return "localtime"
	case pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP, pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N:
		return "localtimestamp"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_ROLE:
		return "current_role"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_USER:
		return "current_user"
	case pg.SQLValueFunctionOp_SVFOP_USER:
		return "user"
	case pg.SQLValueFunctionOp_SVFOP_SESSION_USER:
		return "session_user"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_CATALOG:
		return "current_catalog"
	}
	return "current_schema"
}

func figureJSON(n *pg.Node) (string, int) {
	switch x := n.GetNode().(type) {
	case *pg.Node_JsonParseExpr:
		return "json", strongName
	case *pg.Node_JsonScalarExpr:
		return "json_scalar", strongName
	case *pg.Node_JsonSerializeExpr:
		return "json_serialize", strongName
	case *pg.Node_JsonObjectConstructor:
		return "json_object", strongName
	case *pg.Node_JsonArrayConstructor, *pg.Node_JsonArrayQueryConstructor:
		return "json_array", strongName
	case *pg.Node_JsonObjectAgg:
		return "json_objectagg", strongName
	case *pg.Node_JsonArrayAgg:
		return "json_arrayagg", strongName
	case *pg.Node_XmlSerialize:
		return "xmlserialize", strongName
	case *pg.Node_JsonFuncExpr:
		switch x.JsonFuncExpr.Op {
		case pg.JsonExprOp_JSON_EXISTS_OP:
			return "json_exists", strongName
		case pg.JsonExprOp_JSON_QUERY_OP:
			return "json_query", strongName
		case pg.JsonExprOp_JSON_VALUE_OP:
			return "json_value", strongName
		}
	}
	return "", noName
}
