//go:build cgo

package sql

import (
	"context"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql/bind"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Explain says what a program would read and change, from the analysis that running
// it would use. Nothing fires.
func (s *session) Explain(ctx context.Context, program string) *surfaces.Plan {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	defer s.turn.Give()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.run = &execution{params: surfaces.Params(ctx)}
	defer func() { s.run = nil }()
	list, fault := s.parse(program)
	if fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	x := &explanation{s: s, plan: &surfaces.Plan{}, staged: s.tx != nil}
	for _, stmt := range list {
		s.run.line = 1 + strings.Count(program[:min(stmt.Offset, len(program))], "\n")
		if err := x.statement(program, stmt); err != nil {
			x.plan.Fault = faultOf(program, err)
			break
		}
	}
	x.plan.Notes = append(x.plan.Notes, s.run.notes...)
	return x.plan
}

// explanation collects what the statements of a program would do.
type explanation struct {
	s      *session
	plan   *surfaces.Plan
	staged bool // the statement stands in a transaction
}

func (x *explanation) statement(program string, stmt guard.Statement) error {
	switch stmt.Kind {
	case guard.Begin:
		x.staged = true
		return nil
	case guard.Commit, guard.Rollback:
		x.staged = false
		return nil
	}
	called := x.functions(stmt)
	e := x.s.db.Environment(x.s.meter)
	t := &tables{s: x.s, scans: map[*query.Table]*scan{}, called: called}
	p, err := engine.Prepare(e, program, stmt, t, x.s.run.params)
	if err != nil {
		if len(called) > 0 {
			x.plan.Notes = append(x.plan.Notes, "The columns of a function's rows are known when it is called, so the rest of the statement could not be checked.")
			return nil
		}
		return x.s.tellTables(tellColumns(err, t.scans))
	}
	if err := checkWrites(p.Query, t.scans); err != nil {
		return err
	}
	target(p.Query, t.scans)
	f := &fetching{s: x.s, p: p, scans: t.scans, by: map[*bind.Use]*need{}, shared: map[string]*reading{}}
	for _, u := range bind.Find(p.Query) {
		x.use(f, u, t.scans[u.Table])
	}
	for _, m := range modifications(p.Query) {
		x.change(m, t.scans[m.Relations[m.Result].Table])
	}
	return nil
}

// functions lists the functions in FROM, and gives tables in their place so that the
// rest can be analysed.
func (x *explanation) functions(stmt guard.Statement) map[string]*scan {
	found := map[string]*scan{}
	eachFrom(stmt.Node.ProtoReflect(), func(n *pg.Node) {
		r := n.GetRangeFunction()
		if r == nil {
			return
		}
		fn, call, ok := x.s.functionOf(r)
		if !ok {
			return
		}
		c := surfaces.PlannedCall{Function: fn.Name, Effect: fn.Effect.Impact.String(), Line: x.s.run.line, Column: 1}
		for _, a := range call.Args {
			if named := a.GetNamedArgExpr(); named != nil {
				c.Computed = append(c.Computed, named.Name)
			} else if only, ok := onlyParameter(fn); ok {
				c.Computed = append(c.Computed, only)
			}
		}
		x.plan.Calls = append(x.plan.Calls, c)
		shape, err := x.s.db.Shape(engine.TableSpec{Name: fn.Local(), Columns: declaredColumns(fn)})
		if err != nil {
			return
		}
		name := placeName(fn, len(found))
		found[name] = &scan{shape: shape, fetched: true}
		v := tableInPlace(name, fn, r, call)
		n.Node = &pg.Node_RangeVar{RangeVar: v}
	})
	return found
}

// use lists one read of a table, with the values that are known beforehand.
func (x *explanation) use(f *fetching, u *bind.Use, sc *scan) {
	if sc == nil || sc.table == nil || sc.fetched {
		return
	}
	n := &need{use: u, scan: sc, bindings: toolfn.NewBindings()}
	c := surfaces.PlannedCall{Function: sc.table.Name + ".select", Effect: toolfn.Read.String(), Line: x.s.run.line, Column: 1}
	if err := f.constants(n); err == nil {
		c.Args = value.NewObject(n.bindings.Len())
		for _, column := range n.bindings.Columns() {
			all := n.bindings.All(column)
			if len(all) == 1 {
				c.Args.Set(column, all[0])
			} else {
				c.Args.Set(column, value.Value(all))
			}
		}
	}
	var missing []string
	for i := range sc.table.Columns {
		col := &sc.table.Columns[i]
		if !col.RequiredKey || n.bindings.Has(col.Name) {
			continue
		}
		if len(fixing(u, sc.shape.Column(col.Name))) > 0 {
			c.Computed = append(c.Computed, col.Name)
			c.InLoop = false
			continue
		}
		missing = append(missing, col.Name)
	}
	if len(missing) > 0 {
		c.Problem = "It can only be read for given values of " + strings.Join(missing, " and ") + "."
	}
	if n.bindings.Empty() {
		c.Problem = "No row can satisfy the conditions, so it would not be read."
	}
	x.plan.Calls = append(x.plan.Calls, c)
}

// change lists what a statement would write.
func (x *explanation) change(m *query.Query, sc *scan) {
	verb := verbOf(m.Kind)
	c := surfaces.PlannedCall{
		Function: sc.table.Name + "." + verb.String(), Effect: sc.table.EffectOf(verb).Impact.String(),
		Line: x.s.run.line, Column: 1, Staged: x.staged,
	}
	switch m.Kind {
	case query.Insert:
		for _, g := range m.Given {
			c.Computed = append(c.Computed, sc.shape.Columns[g].Name)
		}
	default:
		for _, t := range m.Targets {
			if !t.Hidden && t.Attribute >= 0 {
				c.Computed = append(c.Computed, sc.shape.Columns[t.Attribute].Name)
			}
		}
		c.InLoop = true // once for each key that the statement finds
	}
	x.plan.Calls = append(x.plan.Calls, c)
}
