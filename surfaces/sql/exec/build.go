package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// operator makes an operator of a plan's node.
func (b *builder) operator(n plan.Node) (operator, error) {
	if err := b.env.Meter.Enter(); err != nil {
		return nil, err
	}
	defer b.env.Meter.Leave()
	switch n := n.(type) {
	case *plan.One:
		return &one{}, nil
	case *plan.Scan:
		return b.scan(n)
	case *plan.Values:
		return b.values(n)
	case *plan.Function:
		return b.functions(n)
	case *plan.SharedScan:
		return b.sharedScan(n)
	case *plan.Recursive:
		return b.recursion(n)
	case *plan.WorkingScan:
		r := b.recursions[n.Of]
		b.uses[r.round] = true
		return &workingScan{of: r, reads: n.Reads}, nil
	case *plan.Filter:
		return b.filter(n)
	case *plan.Project:
		return b.project(n)
	case *plan.ProjectSet:
		return b.projectSet(n)
	case *plan.Join:
		return b.join(n)
	case *plan.Aggregate:
		return b.aggregation(n)
	case *plan.Window:
		return b.window(n)
	case *plan.Sort:
		return b.sorter(n)
	case *plan.Distinct:
		in, err := b.operator(n.Input)
		return &distinct{in: in, by: n.By, types: pick(n.Columns, n.By)}, err
	case *plan.Limit:
		return b.limit(n)
	case *plan.SetOp:
		return b.setOp(n)
	case *plan.Modify:
		return b.modification(n)
	}
	return nil, notSupported("this operation is not available here")
}

func pick(types []pgcat.OID, at []int) []pgcat.OID {
	out := make([]pgcat.OID, len(at))
	for i, c := range at {
		out[i] = types[c]
	}
	return out
}

func sortKeys(orders []plan.Order) []sortKey {
	out := make([]sortKey, len(orders))
	for i, o := range orders {
		out[i] = sortKey{o.Column, o.Descending, o.NullsFirst}
	}
	return out
}

func (b *builder) scan(n *plan.Scan) (operator, error) {
	source, err := sourceOf(n.Table)
	if err != nil {
		return nil, err
	}
	conditions, err := b.compileAll(n.Filter)
	if err != nil {
		return nil, err
	}
	s := &scan{source: source, reads: n.Reads, conditions: conditions}
	for _, e := range n.Filter {
		k, ok, err := b.lookupKey(e)
		if err != nil {
			return nil, err
		}
		if ok {
			s.lookup = append(s.lookup, k)
		}
	}
	return s, nil
}

// lookupKey makes a key of an equality between a column and something that does not
// depend on the row, but may change from run to run.
func (b *builder) lookupKey(e query.Expr) (k joinKey, ok bool, err error) {
	left, right, ok := plan.LookupSides(e)
	if !ok {
		return k, false, nil
	}
	if k.left, err = b.compile(left); err != nil {
		return k, false, err
	}
	k.right, err = b.compile(right)
	return k, true, err
}

func (b *builder) values(n *plan.Values) (operator, error) {
	v := &values{types: n.Columns}
	for _, row := range n.Rows {
		exprs, err := b.compileAll(row)
		if err != nil {
			return nil, err
		}
		v.rows = append(v.rows, exprs)
	}
	return v, nil
}

func (b *builder) functions(n *plan.Function) (operator, error) {
	f := &functions{ordinality: n.Ordinality, types: n.Columns}
	for _, item := range n.Items {
		c, err := b.setCall(item.Expr, item.Columns, item.Record)
		if err != nil {
			return nil, err
		}
		for i, t := range item.Columns {
			c.wanted = append(c.wanted, fn.RowColumn{Name: item.Names[i], Type: t, Typmod: item.Typmods[i]})
		}
		f.calls = append(f.calls, c)
	}
	return f, nil
}

// setCall makes a call that gives rows of an expression.
func (b *builder) setCall(e query.Expr, columns []pgcat.OID, record bool) (*setCall, error) {
	c, ok := e.(*query.Call)
	var kernel fn.SetKernel
	if ok = ok && c.Function != nil; ok {
		kernel, ok = fn.SetReturning(c.Function.OID)
		if !ok && c.Function.ReturnsSet {
			return nil, missing(c.Function)
		}
	}
	if !ok {
		value, err := b.compile(e)
		return &setCall{value: value, columns: columns, record: record}, err
	}
	args, err := b.compileAll(c.Args)
	return &setCall{kernel: kernel, args: args, strict: c.Function.Strict, single: !c.Function.ReturnsSet, columns: columns, record: record}, err
}

func (b *builder) sharedOf(n *plan.Shared) (*sharedRows, error) {
	if s, ok := b.shared[n]; ok {
		return s, nil
	}
	s := &sharedRows{name: n.Name, types: n.Root.Types()}
	b.shared[n] = s
	outside := b.uses
	b.uses = map[int]bool{}
	in, err := b.operator(n.Root)
	s.in = in
	s.depends.uses = sortedUses(b.uses)
	b.uses = outside
	return s, err
}

func (b *builder) sharedScan(n *plan.SharedScan) (operator, error) {
	s, err := b.sharedOf(n.Of)
	if err != nil {
		return nil, err
	}
	for _, p := range s.depends.uses {
		b.uses[p] = true
	}
	return &sharedScan{of: s, reads: n.Reads}, nil
}

func (b *builder) recursion(n *plan.Recursive) (operator, error) {
	r := &recursion{types: n.Columns, keep: n.Distinct, round: b.params}
	b.params++
	b.recursions[n] = r
	var err error
	if r.base, err = b.operator(n.Base); err != nil {
		return nil, err
	}
	r.step, err = b.operator(n.Step)
	delete(b.uses, r.round)
	return r, err
}

func (b *builder) filter(n *plan.Filter) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	conditions, err := b.compileAll(n.Conditions)
	return &filter{in: in, conditions: conditions}, err
}

func (b *builder) project(n *plan.Project) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	exprs, err := b.compileAll(n.Exprs)
	return &project{in: in, exprs: exprs}, err
}

func (b *builder) projectSet(n *plan.ProjectSet) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	p := &projectSet{in: in}
	for _, e := range n.Exprs {
		if c, ok := e.(*query.Call); ok && c.Set {
			s, err := b.targetSet(c)
			if err != nil {
				return nil, err
			}
			p.calls = append(p.calls, s)
			p.types = append(p.types, c.OID)
			continue
		}
		e, err := b.compile(e)
		if err != nil {
			return nil, err
		}
		p.pass = append(p.pass, e)
	}
	return p, nil
}

// targetSet makes a set-returning call of a target list, whose rows are one column:
// several are put into a record.
func (b *builder) targetSet(c *query.Call) (*setCall, error) {
	if c.Function == nil || len(c.Function.Outputs) < 2 {
		return b.setCall(c, []pgcat.OID{c.OID}, false)
	}
	columns := make([]pgcat.OID, len(c.Function.Outputs))
	names := make([]string, len(columns))
	for i, o := range c.Function.Outputs {
		columns[i], names[i] = o.Type, o.Name
		if o.Type.Polymorphic() {
			return nil, notSupported("%s in the target list is not available yet; call it in FROM", c.Function.Name)
		}
	}
	s, err := b.setCall(c, columns, true)
	if err != nil {
		return nil, err
	}
	kernel := s.kernel
	s.columns = []pgcat.OID{c.OID}
	s.kernel = func(e *fn.Env, args []vector.Datum, _ []pgcat.OID) (fn.Set, error) {
		set, err := kernel(e, args, columns)
		if err != nil {
			return nil, err
		}
		return &records{of: set, t: c.OID, names: names}, nil
	}
	return s, nil
}

// records puts the rows of a set into records.
type records struct {
	of    fn.Set
	t     pgcat.OID
	names []string
}

func (r *records) Next(e *fn.Env) (*vector.Batch, error) {
	b, err := r.of.Next(e)
	if err != nil || b == nil {
		return nil, err
	}
	n := b.Count()
	if err := e.Fail(e.Alloc(vector.Bytes(r.t, n))); err != nil {
		return nil, err
	}
	out := vector.Make(r.t, n)
	for k, row := range rowsOf(b) {
		record := &vector.Record{Names: r.names}
		for _, c := range b.Columns {
			record.Fields = append(record.Fields, c.Datum(int(row)))
		}
		if err := e.Fail(e.Alloc(record.Size())); err != nil {
			return nil, err
		}
		out.Objects[k] = record
	}
	return &vector.Batch{N: n, Columns: []*vector.Column{out}}, nil
}

var joinKinds = map[plan.JoinKind]joinKind{plan.Inner: innerJoin, plan.Left: leftJoin, plan.Full: fullJoin, plan.Semi: semiJoin, plan.Anti: antiJoin}

func (b *builder) join(n *plan.Join) (operator, error) {
	left, err := b.operator(n.Left)
	if err != nil {
		return nil, err
	}
	outside := b.uses
	b.uses = map[int]bool{}
	right, err := b.operator(n.Right)
	if err != nil {
		return nil, err
	}
	own := map[int]bool{}
	for _, a := range n.Lateral {
		own[a.Param] = true
	}
	j := &join{
		kind: joinKinds[n.Kind], left: left, right: right, leftTypes: n.Left.Types(), rightTypes: n.Right.Types(), output: n.Output,
		label: &joinCount{name: n.Name, conditions: len(n.Keys)+len(n.Residual) > 0, equalities: len(n.Keys) > 0},
	}
	b.joins = append(b.joins, j.label)
	for _, p := range sortedUses(b.uses) {
		j.depends.uses = append(j.depends.uses, p)
		if !own[p] {
			outside[p] = true
		}
	}
	b.uses = outside
	if err := b.joinConditions(j, n); err != nil {
		return nil, err
	}
	if len(n.Lateral) == 0 {
		return j, nil
	}
	args := make([]expression, len(n.Lateral))
	for i, a := range n.Lateral {
		if args[i], err = b.compile(a.Expr); err != nil {
			return nil, err
		}
	}
	return &lateral{join: j, params: n.Lateral, args: args}, nil
}

func (b *builder) joinConditions(j *join, n *plan.Join) error {
	for _, k := range n.Keys {
		l, err := b.compile(k.Left)
		if err != nil {
			return err
		}
		r, err := b.compile(k.Right)
		if err != nil {
			return err
		}
		j.keys = append(j.keys, joinKey{l, r, k.NullSafe})
	}
	if len(n.Residual) == 0 {
		return nil
	}
	all, err := b.compileAll(n.Residual)
	if err != nil {
		return err
	}
	j.residual = all[0]
	if len(all) > 1 {
		j.residual = &connective{args: all}
	}
	j.residualUse = plan.SlotsOf(n.Residual)
	return nil
}

func (b *builder) aggregation(n *plan.Aggregate) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	a := &aggregation{in: in, groupings: n.Groupings, plain: n.Plain, types: n.Columns}
	if a.keys, err = b.compileAll(n.Keys); err != nil {
		return nil, err
	}
	a.sets = groupingSets(n)
	for _, c := range n.Calls {
		call, err := b.aggregateCall(c)
		if err != nil {
			return nil, err
		}
		a.calls = append(a.calls, call)
	}
	return a, nil
}

// groupingSets lists the keys of each set, with those that depend on others.
func groupingSets(n *plan.Aggregate) [][]int {
	all := make([]int, len(n.Keys))
	for i := range all {
		all[i] = i
	}
	if n.Sets == nil {
		return [][]int{all}
	}
	out := make([][]int, len(n.Sets))
	for i, s := range n.Sets {
		out[i] = append([]int{}, s...)
		for k, dependent := range n.Dependent {
			if dependent {
				out[i] = append(out[i], k)
			}
		}
	}
	return out
}

// orderFree are the aggregates whose result does not depend on the order of rows.
var orderFree = map[string]bool{"count": true, "sum": true, "avg": true, "min": true, "max": true, "bool_and": true, "bool_or": true, "every": true}

func (b *builder) aggregateCall(n plan.AggregateCall) (*aggregateCall, error) {
	f := n.Call.Function
	maker, strict, err := aggregateOf(f)
	if err != nil {
		return nil, err
	}
	if n.Call.Variadic && f.Variadic == pgcat.Any {
		return nil, notSupported("VARIADIC in a call of %s is not available yet", f.Name)
	}
	c := &aggregateCall{make: maker, own: len(n.Args), strict: strict, distinct: len(n.Call.Distinct) > 0, kind: 'n'}
	if facts := pgcat.Default().Aggregate(f.OID); facts != nil {
		c.kind = facts.Kind
	}
	if c.args, err = b.compileAll(append(append([]query.Expr{}, n.Args...), n.Extra...)); err != nil {
		return nil, err
	}
	if c.filter, err = b.optional(n.Filter); err != nil {
		return nil, err
	}
	if c.direct, err = b.compileAll(n.Direct); err != nil {
		return nil, err
	}
	for i, e := range n.Direct {
		if len(plan.SlotsOf([]query.Expr{e})) > 0 {
			return nil, notSupported("direct argument %d of %s that differs from group to group is not available yet", i+1, f.Name)
		}
	}
	c.spec = fn.AggregateSpec{Function: f, Result: n.Call.OID}
	float := false
	for _, a := range c.args[:c.own] {
		c.spec.Args = append(c.spec.Args, a.typ())
		float = float || vector.ClassOf(a.typ()) == vector.ClassFloat
	}
	c.byHash = orderFree[f.Name] && !float && len(n.Call.Order) == 0
	for _, k := range n.Call.Order {
		c.order = append(c.order, sortKey{k.Target, k.Descending, k.NullsFirst})
		c.spec.Orders = append(c.spec.Orders, fn.Order{Descending: k.Descending, NullsFirst: k.NullsFirst})
	}
	return c, nil
}

// aggregateOf finds an aggregate, and whether it passes over rows with a NULL.
func aggregateOf(f *pgcat.Function) (fn.NewAccumulator, bool, error) {
	maker, ok := fn.Aggregate(f.OID)
	if !ok {
		return nil, false, missing(f)
	}
	strict := false
	if facts := pgcat.Default().Aggregate(f.OID); facts != nil {
		if all := pgcat.Default().FunctionsNamed(facts.Transition); len(all) > 0 {
			strict = all[0].Strict
		}
	}
	return maker, strict, nil
}

func (b *builder) window(n *plan.Window) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	w := &window{in: in, types: n.Input.Types(), partition: sortKeys(n.Partition), order: sortKeys(n.Order)}
	for _, c := range n.Calls {
		call, err := b.windowCall(c)
		if err != nil {
			return nil, err
		}
		w.calls = append(w.calls, call)
	}
	return w, nil
}

func (b *builder) windowCall(n plan.WindowCall) (*windowCall, error) {
	c := &windowCall{t: n.Call.OID}
	var err error
	if c.args, err = b.compileAll(n.Args); err != nil {
		return nil, err
	}
	if c.filter, err = b.optional(n.Filter); err != nil {
		return nil, err
	}
	if c.frame, err = b.frame(n); err != nil {
		return nil, err
	}
	f := n.Call.Function
	if f.Kind == pgcat.Window {
		c.name = f.Internal
		return c, nil
	}
	c.make, c.strict, err = aggregateOf(f)
	c.spec = fn.AggregateSpec{Function: f, Result: n.Call.OID}
	for _, a := range c.args {
		c.spec.Args = append(c.spec.Args, a.typ())
	}
	return c, err
}

func (b *builder) frame(n plan.WindowCall) (frame, error) {
	f := frame{unit: n.Frame.Unit, exclude: n.Frame.Exclude}
	f.start.kind, f.end.kind = n.Frame.Start.Kind, n.Frame.End.Kind
	var err error
	if f.start.offset, err = b.optional(n.Start); err != nil {
		return f, err
	}
	if f.end.offset, err = b.optional(n.End); err != nil {
		return f, err
	}
	if f.start.inRange, err = newInRange(n.Frame.Start.InRange); err != nil {
		return f, err
	}
	f.end.inRange, err = newInRange(n.Frame.End.InRange)
	return f, err
}

func (b *builder) sorter(n *plan.Sort) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	first, err := b.compileAll(n.First)
	return &sorter{in: in, by: sortKeys(n.By), types: n.Columns, first: first}, err
}

func (b *builder) limit(n *plan.Limit) (operator, error) {
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	l := &limit{in: in, types: n.Columns}
	if l.count, err = b.optional(n.Count); err != nil {
		return nil, err
	}
	if l.offset, err = b.optional(n.Offset); err != nil {
		return nil, err
	}
	if n.Ties != nil {
		l.ties = newOrdering(sortKeys(n.Ties), n.Columns)
	}
	return l, nil
}

func (b *builder) setOp(n *plan.SetOp) (operator, error) {
	left, err := b.operator(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.operator(n.Right)
	return &setOp{op: n.Op, all: n.All, left: left, right: right, types: n.Columns}, err
}
