package exec

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// builder makes a plan ready to run.
type builder struct {
	env        *fn.Env
	uses       map[int]bool // the parameters that what is being built reads
	joins      []*joinCount
	shared     map[*plan.Shared]*sharedRows
	recursions map[*plan.Recursive]*recursion
	params     int // cells that a run needs
	// placeholder is what the innermost CASE or array conversion puts there.
	placeholder **vector.Column
}

func (b *builder) compileAll(all []query.Expr) ([]expression, error) {
	out := make([]expression, len(all))
	for i, e := range all {
		c, err := b.compile(e)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

// optional compiles an expression that may be missing.
func (b *builder) optional(e query.Expr) (expression, error) {
	if e == nil {
		return nil, nil
	}
	return b.compile(e)
}

// compile makes an expression ready to run.
func (b *builder) compile(e query.Expr) (expression, error) {
	if err := b.env.Meter.Enter(); err != nil {
		return nil, err
	}
	defer b.env.Meter.Leave()
	switch n := e.(type) {
	case *plan.Slot:
		return &slot{n.Index, n.OID}, nil
	case *plan.Outer:
		b.uses[n.Param] = true
		return &outer{n.OID, n.Param}, nil
	case *query.Const:
		d := n.Datum
		d.Type = n.OID
		return newConstant(d), nil
	case *query.Call:
		return b.call(n)
	case *query.Relabel:
		return b.relabel(n)
	case *query.ThroughText:
		return b.throughText(n)
	case *query.ArrayCast:
		return b.arrayCast(n)
	case *query.Placeholder:
		if b.placeholder == nil {
			return nil, pgerr.New("XX000", "a placeholder stands for nothing")
		}
		return &placeholder{n.OID, b.placeholder}, nil
	case *query.And:
		args, err := b.compileAll(n.Args)
		return &connective{args: args}, err
	case *query.Or:
		args, err := b.compileAll(n.Args)
		return &connective{args: args, decides: true}, err
	case *query.Not:
		arg, err := b.compile(n.Arg)
		return &negation{arg: arg}, err
	case *query.NullTest:
		arg, err := b.compile(n.Arg)
		return &nullTest{arg: arg, not: n.Not, row: n.Row}, err
	case *query.BoolTest:
		arg, err := b.compile(n.Arg)
		return &truthTest{arg: arg, test: n.Test}, err
	case *query.Case:
		return b.conditional(n)
	case *query.Coalesce:
		args, err := b.compileAll(n.Args)
		return &coalesce{t: n.OID, args: args}, err
	case *query.MinMax:
		return b.extreme(n)
	case *query.NullIf:
		c, err := b.callOf(n.Comparison)
		return &nullIf{t: n.OID, compare: c}, err
	case *query.Distinct:
		return b.distinct(n)
	case *plan.Subplan:
		return b.subplan(n)
	}
	return b.composite(e)
}

// composite compiles what makes and takes apart arrays and records.
func (b *builder) composite(e query.Expr) (expression, error) {
	switch n := e.(type) {
	case *query.Array:
		elements, err := b.compileAll(n.Elements)
		return &arrayOf{t: n.OID, element: n.Element, elements: elements, nested: n.Nested}, err
	case *query.Row:
		fields, err := b.compileAll(n.Fields)
		return &rowRecord{t: n.OID, fields: fields, names: n.Names}, err
	case *query.RowCompare:
		return b.rowCompare(n)
	case *query.Field:
		record, err := b.compile(n.Record)
		return &field{t: n.OID, record: record, number: n.Number}, err
	case *query.Subscript:
		return b.subscript(n)
	case *query.ScalarArray:
		return b.scalarArray(n)
	case *query.SQLValue:
		return b.sqlValue(n)
	}
	return nil, notSupported("%s is not available here", describe(e))
}

// describe names a kind of expression in SQL's terms.
func describe(e query.Expr) string {
	switch e.(type) {
	case *query.IsJSON:
		return "IS JSON"
	case *query.SubscriptAssign:
		return "assignment to an array element"
	case *query.Default:
		return "DEFAULT"
	case *query.Aggregate:
		return "an aggregate"
	case *query.WindowCall:
		return "a window function"
	case *query.MultiOutput:
		return "SET of several columns from a sub-query"
	case *query.Param:
		return "a parameter"
	}
	return "this expression"
}

// missing says that a function of the catalogue has not been built.
func missing(f *pgcat.Function) error {
	c := pgcat.Default()
	return notSupported("function %s is not available yet", c.Signature(pgcat.Call{Name: f.Name, Types: f.Args}))
}

func (b *builder) call(n *query.Call) (expression, error) {
	c, err := b.callOf(n)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (b *builder) callOf(n *query.Call) (*call, error) {
	args, err := b.compileAll(n.Args)
	if err != nil {
		return nil, err
	}
	f := n.Function
	if f == nil && n.Operator != nil {
		f = pgcat.Default().Function(n.Operator.Function)
	}
	if f.ReturnsSet {
		return nil, notSupported("set-returning function %s is not available in this place", f.Name)
	}
	kernel, ok := fn.Lookup(f.OID)
	if !ok {
		return nil, missing(f)
	}
	if n.Variadic && f.Variadic == pgcat.Any {
		if kernel, ok = fn.LookupSpread(f.OID); !ok {
			return nil, notSupported("VARIADIC in a call of %s is not available yet", f.Name)
		}
	}
	return &call{t: n.OID, kernel: kernel, args: args, strict: f.Strict, volatile: f.Volatility == 'v', columns: make([]*vector.Column, len(args))}, nil
}

func (b *builder) relabel(n *query.Relabel) (expression, error) {
	arg, err := b.compile(n.Arg)
	if err != nil {
		return nil, err
	}
	c := pgcat.Default()
	from, to := c.ElementOf(arg.typ()), c.ElementOf(n.OID)
	if vector.ClassOf(arg.typ()) == vector.ClassObject && vector.ClassOf(n.OID) == vector.ClassObject && from != to && from != 0 && to != 0 {
		return &relabelArray{t: n.OID, element: to, arg: arg}, nil
	}
	if vector.ClassOf(arg.typ()) != vector.ClassOf(n.OID) {
		return nil, notSupported("cast from %s to %s is not available yet", c.FormatType(arg.typ()), c.FormatType(n.OID))
	}
	return &relabel{t: n.OID, arg: arg}, nil
}

func (b *builder) throughText(n *query.ThroughText) (expression, error) {
	arg, err := b.compile(n.Arg)
	if err != nil {
		return nil, err
	}
	return textConversion(arg, n.OID)
}

func textConversion(arg expression, to pgcat.OID) (expression, error) {
	write, ok := fn.OutputOf(arg.typ())
	read, also := fn.InputOf(to)
	if !ok || !also {
		c := pgcat.Default()
		return nil, notSupported("cast from %s to %s is not available yet", c.FormatType(arg.typ()), c.FormatType(to))
	}
	return &throughText{t: to, arg: arg, write: write, read: read}, nil
}

func (b *builder) arrayCast(n *query.ArrayCast) (expression, error) {
	arg, err := b.compile(n.Arg)
	if err != nil {
		return nil, err
	}
	c := pgcat.Default()
	a := &arrayCast{t: n.OID, from: c.ElementOf(arg.typ()), element: c.ElementOf(n.OID), arg: arg}
	saved := b.placeholder
	b.placeholder = &a.value
	a.convert, err = b.compile(n.Element)
	b.placeholder = saved
	return a, err
}

func (b *builder) conditional(n *query.Case) (expression, error) {
	c := &conditional{t: n.OID}
	var err error
	if c.arg, err = b.optional(n.Arg); err != nil {
		return nil, err
	}
	saved := b.placeholder
	defer func() { b.placeholder = saved }()
	for _, w := range n.Whens {
		if n.Arg != nil {
			b.placeholder = &c.value
		}
		condition, err := b.compile(w.Condition)
		if err != nil {
			return nil, err
		}
		b.placeholder = saved
		result, err := b.compile(w.Result)
		if err != nil {
			return nil, err
		}
		c.whens = append(c.whens, branch{condition, result})
	}
	c.other, err = b.compile(n.Else)
	return c, err
}

func (b *builder) extreme(n *query.MinMax) (expression, error) {
	args, err := b.compileAll(n.Args)
	if err != nil {
		return nil, err
	}
	if err := vector.Comparable(false, n.OID); err != nil {
		return nil, err
	}
	g := &extremeOf{t: n.OID, args: args, direction: -1, compare: vector.ComparatorOf(n.OID)}
	if n.Greatest {
		g.direction = 1
	}
	return g, nil
}

func (b *builder) distinct(n *query.Distinct) (expression, error) {
	c, err := b.callOf(n.Comparison)
	if err != nil {
		return nil, err
	}
	return &distinctFrom{left: c.args[0], right: c.args[1], compare: c, not: n.Not}, nil
}

// comparesAlike reports whether values of two types are compared by their cells.
func comparesAlike(a, b pgcat.OID) bool {
	if a == b {
		return true
	}
	ints := []pgcat.OID{pgcat.Int2, pgcat.Int4, pgcat.Int8}
	floats := []pgcat.OID{pgcat.Float4, pgcat.Float8}
	texts := []pgcat.OID{pgcat.Text, pgcat.Varchar, pgcat.Name}
	for _, family := range [][]pgcat.OID{ints, floats, texts} {
		if slices.Contains(family, a) && slices.Contains(family, b) {
			return true
		}
	}
	return false
}

func (b *builder) rowCompare(n *query.RowCompare) (expression, error) {
	left, err := b.compileAll(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.compileAll(n.Right)
	if err != nil {
		return nil, err
	}
	c := &rowCompare{left: left, right: right}
	for i := range left {
		a, z := left[i].typ(), right[i].typ()
		if !comparesAlike(a, z) {
			f := pgcat.Default()
			return nil, notSupported("comparison of rows with %s and %s is not available yet", f.FormatType(a), f.FormatType(z))
		}
		c.compare = append(c.compare, vector.ComparatorOf(a))
		holds, err := orderOperator(n.Operators[i].Name)
		if err != nil {
			return nil, err
		}
		c.holds = append(c.holds, holds)
	}
	return c, nil
}

// orderOperator is what an operator makes of an order.
func orderOperator(name string) (func(order int) bool, error) {
	switch name {
	case "<":
		return func(o int) bool { return o < 0 }, nil
	case "<=":
		return func(o int) bool { return o <= 0 }, nil
	case ">":
		return func(o int) bool { return o > 0 }, nil
	case ">=":
		return func(o int) bool { return o >= 0 }, nil
	}
	return nil, notSupported("comparison of rows by %s is not available", name)
}

func (b *builder) subscript(n *query.Subscript) (expression, error) {
	s := &subscript{t: n.OID, slice: n.Slice}
	var err error
	if s.container, err = b.compile(n.Container); err != nil {
		return nil, err
	}
	if s.container.typ() == pgcat.JSONB {
		return b.subscriptJSON(n, s.container)
	}
	bounds := func(all []query.Expr) []expression {
		out := make([]expression, len(all))
		for i, e := range all {
			if e == nil || err != nil {
				continue
			}
			out[i], err = b.compile(e)
		}
		return out
	}
	s.lower, s.upper = bounds(n.Lower), bounds(n.Upper)
	return s, err
}

// subscriptJSON takes apart jsonb as -> does, one subscript after the other.
func (b *builder) subscriptJSON(n *query.Subscript, container expression) (expression, error) {
	if n.Slice {
		return nil, pgerr.New(pgerr.DatatypeMismatch, "jsonb subscript does not support slices")
	}
	for _, e := range n.Upper {
		at, err := b.compile(e)
		if err != nil {
			return nil, err
		}
		name := "jsonb_object_field"
		if vector.ClassOf(at.typ()) == vector.ClassInt {
			name = "jsonb_array_element"
		}
		c, err := namedCall(name, pgcat.JSONB, container, at)
		if err != nil {
			return nil, err
		}
		container = c
	}
	return container, nil
}

// namedCall calls a function of the catalogue by its name.
func namedCall(name string, t pgcat.OID, args ...expression) (*call, error) {
	for _, f := range pgcat.Default().FunctionsNamed(name) {
		if len(f.Args) != len(args) {
			continue
		}
		fits := true
		for i, a := range args {
			fits = fits && (f.Args[i] == a.typ() || pgcat.Default().BinaryCoercible(a.typ(), f.Args[i]))
		}
		if !fits || f.Result != t {
			continue
		}
		kernel, ok := fn.Lookup(f.OID)
		if !ok {
			return nil, missing(f)
		}
		return &call{t: t, kernel: kernel, args: args, strict: f.Strict, volatile: f.Volatility == 'v', columns: make([]*vector.Column, len(args))}, nil
	}
	return nil, notSupported("function %s is not available here", name)
}

func (b *builder) scalarArray(n *query.ScalarArray) (expression, error) {
	left, err := b.compile(n.Left)
	if err != nil {
		return nil, err
	}
	array, err := b.compile(n.Array)
	if err != nil {
		return nil, err
	}
	kernel, ok := fn.Lookup(n.Function.OID)
	if !ok {
		return nil, missing(n.Function)
	}
	element := pgcat.Default().ElementOf(array.typ())
	s := &scalarArray{left: left, array: array, any: n.Any, strict: n.Function.Strict}
	s.compare = &call{t: pgcat.Bool, kernel: kernel, strict: n.Function.Strict}
	s.hashes = n.Operator != nil && n.Operator.Hashes && n.Operator.Name == "=" && comparesAlike(left.typ(), element) && element != pgcat.Record
	return s, nil
}

// sqlValue compiles CURRENT_DATE and the like, which are the same throughout a
// statement.
func (b *builder) sqlValue(n *query.SQLValue) (expression, error) {
	text := func(v string) (expression, error) {
		return newConstant(vector.Datum{Type: n.OID, Value: v}), nil
	}
	switch n.Value {
	case query.CurrentUser, query.SessionUser:
		return text(b.env.SessionUser())
	case query.CurrentCatalog:
		return text(b.env.SessionDatabase())
	case query.CurrentSchema:
		return text("public")
	}
	if n.Value == query.CurrentDate {
		clock := pgtype.NewClock(b.env.Now, b.env.Zone)
		return newConstant(vector.Datum{Type: n.OID, Value: clock.CurrentDate()}), nil
	}
	return currentTime(n)
}

// currentTime compiles the values of the clock as the conversions of now() that
// they are.
func currentTime(n *query.SQLValue) (expression, error) {
	now, err := namedCall("now", pgcat.Timestamptz)
	if err != nil {
		return nil, err
	}
	name := map[pgcat.OID]string{
		pgcat.Time: "time", pgcat.Timetz: "timetz", pgcat.Timestamp: "timestamp", pgcat.Timestamptz: "timestamptz",
	}[n.OID]
	value := now
	if n.OID != pgcat.Timestamptz {
		if value, err = namedCall(name, n.OID, now); err != nil {
			return nil, err
		}
	}
	if n.Mod < 0 {
		return value, nil
	}
	precision := newConstant(vector.Datum{Type: pgcat.Int4, Value: int64(n.Mod)})
	return namedCall(name, n.OID, value, precision)
}

func (b *builder) subplan(n *plan.Subplan) (expression, error) {
	s := &subplan{plan: n, t: n.OID}
	if n.Kind == query.Exists || n.Test != nil {
		s.t = pgcat.Bool
	}
	outside := b.uses
	b.uses = map[int]bool{}
	root, err := b.operator(n.Root)
	if err != nil {
		return nil, err
	}
	s.root = root
	own := map[int]bool{}
	for _, a := range n.Args {
		own[a.Param] = true
	}
	for _, p := range sortedUses(b.uses) {
		if !own[p] {
			s.depends.uses = append(s.depends.uses, p)
			outside[p] = true
		}
	}
	b.uses = outside
	for _, a := range n.Args {
		e, err := b.compile(a.Expr)
		if err != nil {
			return nil, err
		}
		s.args = append(s.args, e)
		s.argTypes = append(s.argTypes, e.typ())
	}
	if n.Test == nil {
		return s, nil
	}
	for _, k := range n.Keys {
		l, err := b.compile(k.Left)
		if err != nil {
			return nil, err
		}
		r, err := b.compile(k.Right)
		if err != nil {
			return nil, err
		}
		s.keys = append(s.keys, joinKey{left: l, right: r})
	}
	s.test, err = b.compile(n.Test)
	return s, err
}

func sortedUses(uses map[int]bool) []int {
	out := make([]int, 0, len(uses))
	for p := range uses {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}
