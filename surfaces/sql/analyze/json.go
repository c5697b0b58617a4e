//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// jsonExpr analyses the constructors and tests of SQL/JSON; nil for anything else.
func (s *scope) jsonExpr(n *pg.Node) query.Expr {
	switch x := n.GetNode().(type) {
	case *pg.Node_JsonIsPredicate:
		return s.isJSON(x.JsonIsPredicate)
	case *pg.Node_JsonObjectConstructor:
		return s.jsonObject(x.JsonObjectConstructor)
	case *pg.Node_JsonArrayConstructor:
		return s.jsonArray(x.JsonArrayConstructor)
	case *pg.Node_JsonObjectAgg:
		return s.jsonObjectAgg(x.JsonObjectAgg)
	case *pg.Node_JsonArrayAgg:
		return s.jsonArrayAgg(x.JsonArrayAgg)
	case *pg.Node_JsonFuncExpr:
		s.unsupported(int(x.JsonFuncExpr.Location), map[pg.JsonExprOp]string{
			pg.JsonExprOp_JSON_EXISTS_OP: "JSON_EXISTS()", pg.JsonExprOp_JSON_QUERY_OP: "JSON_QUERY()", pg.JsonExprOp_JSON_VALUE_OP: "JSON_VALUE()",
		}[x.JsonFuncExpr.Op])
	case *pg.Node_JsonParseExpr:
		s.unsupported(int(x.JsonParseExpr.Location), "JSON()")
	case *pg.Node_JsonScalarExpr:
		s.unsupported(int(x.JsonScalarExpr.Location), "JSON_SCALAR()")
	case *pg.Node_JsonSerializeExpr:
		s.unsupported(int(x.JsonSerializeExpr.Location), "JSON_SERIALIZE()")
	case *pg.Node_JsonArrayQueryConstructor:
		s.unsupported(int(x.JsonArrayQueryConstructor.Location), "JSON_ARRAY() of a query")
	}
	return nil
}

var jsonKinds = map[pg.JsonValueType]query.JSONKind{
	pg.JsonValueType_JS_TYPE_ANY: query.JSONAny, pg.JsonValueType_JS_TYPE_OBJECT: query.JSONObject,
	pg.JsonValueType_JS_TYPE_ARRAY: query.JSONArray, pg.JsonValueType_JS_TYPE_SCALAR: query.JSONScalar,
}

func (s *scope) isJSON(x *pg.JsonIsPredicate) query.Expr {
	e := s.expr(x.Expr)
	switch t := e.Type(); {
	case t == pgcat.Unknown:
		e = s.coerce(e, pgcat.Text, -1, pgcat.Implicit, -1)
	case t == pgcat.Text, t == pgcat.JSON, t == pgcat.JSONB, t == pgcat.Bytea:
	case s.cat.Type(t).Category == 'S':
		e = s.coerce(e, pgcat.Text, -1, pgcat.Implicit, -1)
	default:
		s.fail(-1, pgerr.DatatypeMismatch, "cannot use type %s in IS JSON predicate", s.cat.FormatType(t))
	}
	return &query.IsJSON{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: int(x.Location)}, Arg: e, Kind: jsonKinds[x.ItemType], UniqueKeys: x.UniqueKeys}
}

// jsonOutput gives the type that RETURNING asks for: json, jsonb, or it refuses.
func (s *scope) jsonOutput(o *pg.JsonOutput, at int) pgcat.OID {
	if o == nil || o.TypeName == nil {
		return pgcat.JSON
	}
	t, _ := s.typeName(o.TypeName)
	if t != pgcat.JSON && t != pgcat.JSONB {
		s.unsupported(at, "RETURNING "+s.cat.FormatType(t)+" in a JSON constructor")
	}
	return t
}

func (s *scope) jsonValue(v *pg.JsonValueExpr) query.Expr {
	e := s.expr(v.RawExpr)
	if v.Format != nil && v.Format.FormatType > pg.JsonFormatType_JS_FORMAT_DEFAULT && e.Type() != pgcat.JSON && e.Type() != pgcat.JSONB {
		return s.coerceJSON(e, int(v.Format.Location))
	}
	return e
}

// coerceJSON reads text that FORMAT JSON says is json.
func (s *scope) coerceJSON(e query.Expr, at int) query.Expr {
	if r := s.convert(e, pgcat.JSON, -1, pgcat.Explicit, at); r != nil {
		return r
	}
	s.unsupported(at, "FORMAT JSON of the type "+s.cat.FormatType(e.Type()))
	return nil
}

// callNamed calls a function of the catalogue with arguments that are there.
func (s *scope) callNamed(name string, args []query.Expr, at int) query.Expr {
	r, err := s.cat.ResolveFunction(pgcat.Call{Name: name, Types: typesOf(args), Unchecked: true})
	s.checkCall(at, err)
	return s.ordinaryCall(r, callParts{name: name, args: args, at: at})
}

func (s *scope) jsonObject(x *pg.JsonObjectConstructor) query.Expr {
	at := int(x.Location)
	if x.AbsentOnNull || x.Unique {
		s.unsupported(at, "JSON_OBJECT() with ABSENT ON NULL or WITH UNIQUE KEYS")
	}
	name := "json_build_object"
	if s.jsonOutput(x.Output, at) == pgcat.JSONB {
		name = "jsonb_build_object"
	}
	var args []query.Expr
	for _, n := range x.Exprs {
		kv := n.GetJsonKeyValue()
		args = append(args, s.expr(kv.Key), s.jsonValue(kv.Value))
	}
	return s.callNamed(name, args, at)
}

func (s *scope) jsonArray(x *pg.JsonArrayConstructor) query.Expr {
	at := int(x.Location)
	name := "json_build_array"
	if s.jsonOutput(x.Output, at) == pgcat.JSONB {
		name = "jsonb_build_array"
	}
	var args []query.Expr
	for _, n := range x.Exprs {
		e := s.jsonValue(n.GetJsonValueExpr())
		if c, ok := e.(*query.Const); x.AbsentOnNull && (!ok || c.Datum.Null()) {
			if ok {
				continue
			}
			s.raise(at, pgerr.New(pgerr.FeatureNotSupported, "JSON_ARRAY() with ABSENT ON NULL is not supported").
				WithHint("Write json_build_array(…), which keeps NULLs, or JSON_ARRAY(… NULL ON NULL)."))
		}
		args = append(args, e)
	}
	return s.callNamed(name, args, at)
}

func (s *scope) jsonObjectAgg(x *pg.JsonObjectAgg) query.Expr {
	at := int(x.Constructor.Location)
	name := "json_object_agg"
	if s.jsonOutput(x.Constructor.Output, at) == pgcat.JSONB {
		name = "jsonb_object_agg"
	}
	switch {
	case x.Unique && x.AbsentOnNull:
		name += "_unique_strict"
	case x.Unique:
		name += "_unique"
	case x.AbsentOnNull:
		name += "_strict"
	}
	return s.jsonAggregate(name, x.Constructor, at, func() []query.Expr {
		return []query.Expr{s.expr(x.Arg.Key), s.jsonValue(x.Arg.Value)}
	})
}

func (s *scope) jsonArrayAgg(x *pg.JsonArrayAgg) query.Expr {
	at := int(x.Constructor.Location)
	name := "json_agg"
	if s.jsonOutput(x.Constructor.Output, at) == pgcat.JSONB {
		name = "jsonb_agg"
	}
	if x.AbsentOnNull {
		name += "_strict"
	}
	return s.jsonAggregate(name, x.Constructor, at, func() []query.Expr { return []query.Expr{s.jsonValue(x.Arg)} })
}

// jsonAggregate calls the aggregate that a constructor stands for.
func (s *scope) jsonAggregate(name string, c *pg.JsonAggConstructor, at int, arguments func() []query.Expr) query.Expr {
	p := callParts{name: name, full: name, set: s.lastSet, at: at}
	p.args = arguments()
	p.node = &pg.FuncCall{Funcname: []*pg.Node{pg.MakeStrNode(name)}, AggOrder: c.AggOrder, AggFilter: c.AggFilter, Over: c.Over, Location: c.Location}
	if c.AggFilter != nil {
		p.filter = s.condition(c.AggFilter, inFilter, "FILTER")
	}
	return s.callFunction(p, []string{name})
}
