//go:build cgo

package analyze

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// maxArguments is how many arguments a call may have.
const maxArguments = 100

// callParts is a call as written, with its arguments analysed.
type callParts struct {
	name   string
	full   string // with the schema
	args   []query.Expr
	names  []string
	filter query.Expr
	node   *pg.FuncCall // nil for what is written like a field
	set    query.Expr   // the last set-returning call before the arguments
	at     int
}

func (s *scope) functionCall(f *pg.FuncCall) query.Expr {
	full := names(f.Funcname)
	p := callParts{name: full[len(full)-1], full: strings.Join(full, "."), node: f, set: s.lastSet, at: int(f.Location)}
	p.args, p.names = s.callArguments(f)
	if f.AggWithinGroup {
		s.with(inOrderBy, func() {
			for _, n := range f.AggOrder {
				p.args = append(p.args, s.expr(n.GetSortBy().GetNode()))
			}
		})
	}
	if len(p.args) > maxArguments {
		s.fail(p.at, pgerr.TooManyArguments, "cannot pass more than %d arguments to a function", maxArguments)
	}
	if f.AggFilter != nil {
		p.filter = s.condition(f.AggFilter, inFilter, "FILTER")
	}
	return s.callFunction(p, full)
}

// callArguments analyses the arguments in parentheses and the names of the last
// ones.
func (s *scope) callArguments(f *pg.FuncCall) (args []query.Expr, named []string) {
	for _, n := range f.Args {
		x := n.GetNamedArgExpr()
		switch {
		case x != nil:
			for _, before := range named {
				if before == x.Name {
					s.fail(int(x.Location), pgerr.SyntaxError, "argument name \"%s\" used more than once", x.Name)
				}
			}
			args, named = append(args, s.expr(x.Arg)), append(named, x.Name)
		case len(named) > 0:
			e := s.expr(n)
			s.fail(e.Pos(), pgerr.SyntaxError, "positional argument cannot follow named argument")
		default:
			args = append(args, s.expr(n))
		}
	}
	return args, named
}

func typesOf(list []query.Expr) []pgcat.OID {
	out := make([]pgcat.OID, len(list))
	for i, e := range list {
		out[i] = e.Type()
	}
	return out
}

// checkCall raises an error of resolution: those of polymorphic types have no
// position.
func (a *analyzer) checkCall(at int, err *pgerr.Error) {
	if err == nil {
		return
	}
	if err.SQLSTATE == pgerr.DatatypeMismatch || err.SQLSTATE == pgerr.UndefinedObject {
		at = -1
	}
	a.raise(at, err)
}

// callFunction resolves a call and checks that the function may be called so
// (ParseFuncOrColumn).
func (s *scope) callFunction(p callParts, full []string) query.Expr {
	f := p.node
	call := pgcat.Call{
		Name: p.name, Types: typesOf(p.args), Names: p.names, Variadic: f.FuncVariadic,
		Star: f.AggStar, Over: f.Over != nil, WithinGroup: f.AggWithinGroup, Unchecked: true,
	}
	if len(full) > 1 && full[len(full)-2] != "pg_catalog" {
		s.foreignFunction(full, call, p.at)
	}
	r, err := s.cat.ResolveFunction(call)
	if err != nil {
		if e := s.projection(p, full); e != nil {
			return e
		}
		s.functionError(p, call, err)
	}
	if r.Function == nil {
		return s.castAsCall(r, p)
	}
	switch r.Kind {
	case pgcat.Aggregate:
		return s.aggregateCall(r, p)
	case pgcat.Window:
		return s.windowFunctionCall(r, p)
	case pgcat.Procedure:
		s.raise(p.at, pgerr.New(pgerr.WrongObjectType, "%s is a procedure", s.cat.Signature(call)).WithHint("To call a procedure, use CALL."))
	}
	s.checkOrdinary(p)
	return s.ordinaryCall(r, p)
}

func (s *scope) foreignFunction(full []string, call pgcat.Call, at int) {
	call.Name = strings.Join(full, ".")
	schema := full[len(full)-2]
	if schema != "public" && schema != "information_schema" {
		s.fail(-1, invalidSchema, "schema \"%s\" does not exist", schema)
	}
	s.raise(at, pgerr.New(pgerr.UndefinedFunction, "function %s does not exist", s.cat.Signature(call)).
		WithHint("No function matches the given name and argument types. You might need to add explicit type casts."))
}

// projection reads name(record) as a field of the record.
func (s *scope) projection(p callParts, full []string) query.Expr {
	f := p.node
	plain := !f.AggStar && !f.AggDistinct && f.Over == nil && !f.FuncVariadic && f.AggOrder == nil && f.AggFilter == nil
	if !plain || len(full) != 1 || len(p.args) != 1 || len(p.names) > 0 || p.args[0].Type() != pgcat.Record {
		return nil
	}
	return s.field(p.args[0], p.name, p.at)
}

func (s *scope) functionError(p callParts, call pgcat.Call, err *pgerr.Error) {
	call.Name = p.full
	if err.SQLSTATE == pgerr.AmbiguousFunction {
		s.raise(p.at, pgerr.New(err.SQLSTATE, "function %s is not unique", s.cat.Signature(call)).WithHint("%s", err.Hint))
	}
	if err.SQLSTATE != pgerr.UndefinedFunction {
		if err.Message == "VARIADIC argument must be an array" {
			s.raise(p.args[len(p.args)-1].Pos(), err)
		}
		s.checkCall(p.at, err)
	}
	e := pgerr.New(pgerr.UndefinedFunction, "function %s does not exist", s.cat.Signature(call))
	if len(p.node.AggOrder) > 1 && !p.node.AggWithinGroup {
		s.raise(p.at, e.WithHint("No aggregate function matches the given name and argument types. Perhaps you misplaced ORDER BY; ORDER BY must appear after all regular arguments of the aggregate."))
	}
	s.raise(p.at, e.WithHint("%s", err.Hint))
}

// castAsCall is a cast that is written like a function call.
func (s *scope) castAsCall(r pgcat.ResolvedFunction, p callParts) query.Expr {
	s.checkOrdinary(p)
	return s.coerce(p.args[0], r.Cast, -1, pgcat.Explicit, p.at)
}

// checkOrdinary refuses what only aggregates and window functions take.
func (s *scope) checkOrdinary(p callParts) {
	f := p.node
	refuse := func(what string) {
		s.fail(p.at, pgerr.WrongObjectType, what+" specified, but %s is not an aggregate function", p.full)
	}
	switch {
	case f.AggStar:
		s.fail(p.at, pgerr.WrongObjectType, "%s(*) specified, but %s is not an aggregate function", p.full, p.full)
	case f.AggDistinct:
		refuse("DISTINCT")
	case f.AggWithinGroup:
		refuse("WITHIN GROUP")
	case len(f.AggOrder) > 0:
		refuse("ORDER BY")
	case f.AggFilter != nil:
		refuse("FILTER")
	case f.Over != nil:
		s.fail(p.at, pgerr.WrongObjectType, "OVER specified, but %s is not a window function nor an aggregate function", p.full)
	}
}

// ordinaryCall makes the call of a function that is neither aggregate nor window
// function.
func (s *scope) ordinaryCall(r pgcat.ResolvedFunction, p callParts) query.Expr {
	variadic := p.node != nil && p.node.FuncVariadic
	args := s.completeArguments(r, p)
	call := &query.Call{
		Node: query.Node{OID: r.ResultType, Mod: -1, At: leftmostOf(p.at, args)}, Function: r.Function, Args: args,
		Variadic: variadic && r.Variadic == pgcat.Any, Set: r.ReturnsSet,
	}
	if call.Set {
		s.placeSet(call, p.at, p.set)
	}
	return call
}

// completeArguments converts the arguments and brings them into the function's
// order, with defaults and the variadic array.
func (s *scope) completeArguments(r pgcat.ResolvedFunction, p callParts) []query.Expr {
	args := s.arguments(p.args, r.ArgTypes)
	if r.Numbers == nil && r.Defaults == 0 && (r.Expanded == 0 || r.Variadic == pgcat.Any) {
		return args
	}
	if r.Expanded > 0 && r.Variadic != pgcat.Any {
		fixed := len(args) - r.Expanded
		rest := args[fixed:]
		t := r.ArgTypes[fixed]
		array := &query.Array{Node: query.Node{OID: s.arrayOf(t, p.at), Mod: -1, At: firstPos(rest)}, Element: t, Elements: rest}
		return append(args[:fixed:fixed], array)
	}
	out := make([]query.Expr, len(r.Args))
	for i, e := range args {
		n := i
		if r.Numbers != nil {
			n = r.Numbers[i]
		}
		out[n] = e
	}
	defaults := s.defaults(r.Function)
	for i := range out {
		if out[i] == nil {
			out[i] = s.coerce(defaults[i-(len(out)-len(defaults))], r.Args[i], -1, pgcat.Implicit, -1)
		}
	}
	return out
}

// defaults analyses the defaults of a function's last arguments.
func (s *scope) defaults(f *pgcat.Function) []query.Expr {
	tree, err := pg.Parse("SELECT " + f.DefaultText)
	if err != nil || len(tree.Stmts) != 1 {
		s.unsupported(-1, "the default arguments of "+f.Name)
	}
	alone := newScope(s.analyzer, nil)
	var out []query.Expr
	for _, t := range tree.Stmts[0].Stmt.GetSelectStmt().GetTargetList() {
		out = append(out, alone.expression(t.GetResTarget().GetVal(), inDefault))
	}
	return out
}

// placeSet checks that a set-returning call may stand where it does.
func (s *scope) placeSet(call *query.Call, at int, before query.Expr) {
	if s.place == inFromFunction && s.lastSet != before {
		s.fail(s.lastSet.Pos(), pgerr.FeatureNotSupported, "set-returning functions must appear at top level of FROM")
	}
	if message := s.place.refusesSet(); message != "" {
		s.fail(at, pgerr.FeatureNotSupported, "%s", message)
	}
	s.lastSet = call
	if s.place != inFromFunction {
		s.q.HasSets = true
	}
}
