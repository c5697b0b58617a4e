//go:build cgo

package sql

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// calledSchema is the schema under which the rows that functions gave are found while
// a statement runs. No statement can name it: it holds a space.
const calledSchema = "called function"

// functions replaces each function of the catalogue in FROM by the table of its rows:
// SELECT * FROM server.function(argument => value). The arguments are expressions
// that refer to no row of the statement; the calls are made in the order in which
// they are written, before anything else is read.
func (s *session) functions(program string, stmt guard.Statement) (map[string]*scan, error) {
	found := map[string]*scan{}
	var failed error
	eachFrom(stmt.Node.ProtoReflect(), func(n *pg.Node) {
		x := n.GetRangeFunction()
		if failed != nil || x == nil {
			return
		}
		fn, call, ok := s.functionOf(x)
		if !ok {
			return
		}
		sc, err := s.callInFrom(program, stmt, fn, call)
		if err != nil {
			failed = err
			return
		}
		name := placeName(fn, len(found))
		found[name] = sc
		n.Node = &pg.Node_RangeVar{RangeVar: tableInPlace(name, fn, x, call)}
	})
	return found, failed
}

// placeName is the name under which the rows of a call are found.
func placeName(fn *toolfn.ToolFn, n int) string { return fn.Local() + " " + strconv.Itoa(n) }

// tableInPlace is the table that stands for a call in FROM.
func tableInPlace(name string, fn *toolfn.ToolFn, x *pg.RangeFunction, call *pg.FuncCall) *pg.RangeVar {
	v := &pg.RangeVar{Schemaname: calledSchema, Relname: name, Inh: true, Relpersistence: "p", Location: call.Location, Alias: x.Alias}
	if v.Alias == nil {
		v.Alias = &pg.Alias{Aliasname: fn.Local()}
	}
	return v
}

// eachFrom visits the nodes of a tree whose depth the guard has bounded.
func eachFrom(m protoreflect.Message, visit func(*pg.Node)) {
	if n, ok := m.Interface().(*pg.Node); ok {
		visit(n)
		m = n.ProtoReflect()
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if f.Kind() != protoreflect.MessageKind {
			return true
		}
		if f.IsList() {
			for i := range v.List().Len() {
				eachFrom(v.List().Get(i).Message(), visit)
			}
			return true
		}
		eachFrom(v.Message(), visit)
		return true
	})
}

// functionOf gives the function of the catalogue that an item of FROM calls.
func (s *session) functionOf(x *pg.RangeFunction) (*toolfn.ToolFn, *pg.FuncCall, bool) {
	if len(x.Functions) != 1 || x.IsRowsfrom || x.Ordinality {
		return nil, nil, false
	}
	items := x.Functions[0].GetList()
	if items == nil || len(items.Items) == 0 {
		return nil, nil, false
	}
	call := items.Items[0].GetFuncCall()
	if call == nil {
		return nil, nil, false
	}
	var parts []string
	for _, p := range call.Funcname {
		parts = append(parts, p.GetString_().GetSval())
	}
	cat := s.ws.Catalog()
	fn, ok := cat.Lookup(strings.Join(parts, "__"))
	return fn, call, ok
}

// callInFrom calls a function and gives its rows.
func (s *session) callInFrom(program string, stmt guard.Statement, fn *toolfn.ToolFn, call *pg.FuncCall) (*scan, error) {
	args, err := s.namedArguments(program, stmt, fn, call)
	if err != nil {
		return nil, err
	}
	v, err := s.run.calls.Call(dispatch.Call{Function: fn.Name, Args: args, Line: s.run.line, Column: 1})
	if err != nil {
		return nil, err
	}
	if _, staged := v.(*dispatch.Placeholder); staged {
		return nil, &sandbox.Fault{
			Kind:    sandbox.KindArgument,
			Message: "the result of " + spelled(fn.Name) + " is not known before COMMIT: the call is held back, so nothing can be selected from it.",
			Hint:    "COMMIT first, or ROLLBACK.",
		}
	}
	rows := rowsOf(listIn(v))
	columns := columnsOf(rows)
	if len(columns) == 0 {
		columns = declaredColumns(fn)
	}
	if len(columns) == 0 {
		columns = []engine.Column{{Name: "value", Type: "jsonb"}}
	}
	shape, err := s.db.Shape(engine.TableSpec{Name: fn.Local(), Columns: columns})
	if err != nil {
		return nil, err
	}
	return &scan{shape: shape, rows: rows, fetched: true}, nil
}

// listIn gives the rows of a result: the result itself, or the one list of an object
// that holds nothing but it and scalars, as servers wrap lists.
func listIn(v value.Value) value.Value {
	o, ok := v.(*value.Object)
	if !ok {
		return v
	}
	var list value.Value
	for _, e := range o.All() {
		switch e.(type) {
		case []value.Value:
			if list != nil {
				return v
			}
			list = e
		case *value.Object:
			return v
		}
	}
	if list == nil {
		return v
	}
	return list
}

// declaredColumns gives the columns that a function's output schema promises, for a
// result without rows.
func declaredColumns(fn *toolfn.ToolFn) []engine.Column {
	out := fn.Output
	if out == nil {
		return nil
	}
	if out.Items != nil {
		out = out.Items
	}
	var columns []engine.Column
	for _, name := range out.PropertyOrder {
		t := "jsonb"
		if p := out.Properties[name]; p != nil {
			switch p.Type {
			case "string":
				t = "text"
			case "integer":
				t = "bigint"
			case "number":
				t = "double precision"
			case "boolean":
				t = "boolean"
			}
		}
		columns = append(columns, engine.Column{Name: name, Type: t})
	}
	return columns
}

// namedArguments computes the arguments of a call: named ones, or one that can only be
// the one parameter. They are computed as a SELECT of their own.
func (s *session) namedArguments(program string, stmt guard.Statement, fn *toolfn.ToolFn, call *pg.FuncCall) (*value.Object, error) {
	if len(call.Args) == 0 {
		return nil, nil
	}
	sel := &pg.SelectStmt{LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE}
	names := make([]string, len(call.Args))
	for i, a := range call.Args {
		e := a
		if n := a.GetNamedArgExpr(); n != nil {
			names[i], e = n.Name, n.Arg
		}
		sel.TargetList = append(sel.TargetList, &pg.Node{Node: &pg.Node_ResTarget{ResTarget: &pg.ResTarget{Name: "a" + strconv.Itoa(i), Val: e, Location: call.Location}}})
	}
	for i, n := range names {
		if n == "" {
			only, ok := onlyParameter(fn)
			if !ok || len(names) != 1 {
				return nil, s.positional(fn)
			}
			names[i] = only
		}
	}
	part := stmt
	part.Kind, part.Node = guard.Select, &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: sel}}
	t := &tables{s: s, scans: map[*query.Table]*scan{}}
	e := s.db.Environment(s.meter)
	p, err := engine.Prepare(e, program, part, t, s.run.params)
	if err != nil {
		return nil, argumentError(fn, err)
	}
	if _, err := s.fetch(p, t.scans); err != nil {
		return nil, err
	}
	r, err := p.Run()
	if err != nil {
		return nil, err
	}
	args := value.NewObject(len(names))
	for i, n := range names {
		v, err := plain(e, r.Datum(0, i))
		if err != nil {
			return nil, err
		}
		args.Set(n, v)
	}
	return args, nil
}

// argumentError says that arguments may not refer to other tables' rows.
func argumentError(fn *toolfn.ToolFn, err error) error {
	var e *pgerr.Error
	if errors.As(err, &e) && (e.SQLSTATE == pgerr.UndefinedColumn || e.SQLSTATE == pgerr.UndefinedTable) {
		return e.WithHint("The arguments of %s are computed before the statement runs, so they cannot name columns of other tables; a sub-query (SELECT …) can be an argument.", spelled(fn.Name))
	}
	return err
}

func onlyParameter(fn *toolfn.ToolFn) (string, bool) {
	if fn.Input == nil {
		return "", false
	}
	switch {
	case len(fn.Input.Required) == 1:
		return fn.Input.Required[0], true
	case len(fn.Input.Properties) == 1:
		for n := range fn.Input.Properties {
			return n, true
		}
	}
	return "", false
}

func (s *session) positional(fn *toolfn.ToolFn) error {
	name := "argument"
	if fn.Input != nil && len(fn.Input.PropertyOrder) > 0 {
		name = fn.Input.PropertyOrder[0]
	}
	return &sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "ERROR 42601",
		Message: spelled(fn.Name) + " takes named arguments.",
		Hint:    fmt.Sprintf("Write SELECT * FROM %s(%s => …).", spelled(fn.Name), name),
	}
}
