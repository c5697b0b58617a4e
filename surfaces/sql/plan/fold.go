package plan

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// folder computes what is constant in an expression before anything runs, in the
// server's order (eval_const_expressions): so 1/0 fails even where no row is read,
// and does not in a branch that a constant condition rules out.
type folder struct {
	env    *fn.Env
	params []vector.Datum
	err    error
	// placeholder is the constant that the enclosing CASE compares, if it is one.
	placeholder *query.Const
}

func (f *folder) fold(e query.Expr) query.Expr {
	if e == nil || f.err != nil {
		return e
	}
	switch n := e.(type) {
	case *query.Const:
		return e
	case *query.Param:
		return f.param(n)
	case *query.Placeholder:
		if f.placeholder != nil {
			return &query.Const{Node: n.Node, Datum: f.placeholder.Datum}
		}
		return e
	case *query.And:
		return f.and(n)
	case *query.Or:
		return f.or(n)
	case *query.Case:
		return f.conditional(n)
	case *query.Coalesce:
		return f.coalesce(n)
	case *query.ArrayCast:
		return f.arrayCast(n)
	case *query.Aggregate, *query.WindowCall, *query.Grouping:
		// These are known by identity; their arguments are folded where they are
		// computed.
		return e
	}
	r := parts(e, f.fold)
	if f.err != nil {
		return r
	}
	switch n := r.(type) {
	case *query.Call:
		return f.call(n)
	case *query.Relabel:
		if c, ok := n.Arg.(*query.Const); ok {
			return relabelled(c, n)
		}
	case *query.Not:
		if c, ok := n.Arg.(*query.Const); ok {
			if c.Datum.Null() {
				return boolean(n, nil)
			}
			return boolean(n, !c.Datum.Value.(bool))
		}
	case *query.NullTest:
		if c, ok := n.Arg.(*query.Const); ok && !n.Row {
			return boolean(n, c.Datum.Null() != n.Not)
		}
	case *query.BoolTest:
		if c, ok := n.Arg.(*query.Const); ok {
			return boolean(n, truth(n.Test, c.Datum))
		}
	case *query.Array:
		return constantArray(n)
	}
	return r
}

func (f *folder) arrayCast(n *query.ArrayCast) query.Expr {
	arg := f.fold(n.Arg)
	saved := f.placeholder
	f.placeholder = nil
	element := f.fold(n.Element)
	f.placeholder = saved
	return &query.ArrayCast{Node: n.Node, Arg: arg, Element: element, Format: n.Format}
}

func (f *folder) param(n *query.Param) query.Expr {
	if n.Number < 1 || n.Number > len(f.params) {
		f.err = pgerr.New(pgerr.UndefinedParameter, "there is no parameter $%d", n.Number)
		return n
	}
	d := f.params[n.Number-1]
	d.Type = n.OID
	return &query.Const{Node: n.Node, Datum: d}
}

func relabelled(c *query.Const, n *query.Relabel) query.Expr {
	return &query.Const{Node: n.Node, Datum: vector.Datum{Type: n.OID, Value: c.Datum.Value}}
}

func boolean(at query.Expr, v any) query.Expr {
	return &query.Const{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: at.Pos()}, Datum: vector.Datum{Type: pgcat.Bool, Value: v}}
}

// truth answers IS TRUE and the like.
func truth(test query.Truth, d vector.Datum) bool {
	v, known := d.Value.(bool)
	switch test {
	case query.IsTrue:
		return known && v
	case query.IsNotTrue:
		return !known || !v
	case query.IsFalse:
		return known && !v
	case query.IsNotFalse:
		return !known || v
	case query.IsUnknown:
		return !known
	}
	return known
}

// constantOf reports whether an expression is a constant of a boolean.
func constantOf(e query.Expr) (value, null, ok bool) {
	c, is := e.(*query.Const)
	if !is {
		return false, false, false
	}
	v, known := c.Datum.Value.(bool)
	return v, !known, true
}

// and drops what is true and ends at the first that is false, so that what comes
// after it is not computed.
func (f *folder) and(n *query.And) query.Expr {
	var kept []query.Expr
	null := false
	for _, a := range flattenAnd(n, nil) {
		a = f.fold(a)
		value, isNull, constant := constantOf(a)
		switch {
		case !constant:
			kept = append(kept, a)
		case isNull:
			null = true
		case !value:
			return boolean(n, false)
		}
	}
	if null {
		kept = append(kept, boolean(n, nil))
	}
	switch len(kept) {
	case 0:
		return boolean(n, true)
	case 1:
		return kept[0]
	}
	return &query.And{Node: n.Node, Args: kept}
}

func flattenAnd(e query.Expr, into []query.Expr) []query.Expr {
	if a, ok := e.(*query.And); ok {
		for _, x := range a.Args {
			into = flattenAnd(x, into)
		}
		return into
	}
	return append(into, e)
}

func flattenOr(e query.Expr, into []query.Expr) []query.Expr {
	if a, ok := e.(*query.Or); ok {
		for _, x := range a.Args {
			into = flattenOr(x, into)
		}
		return into
	}
	return append(into, e)
}

func (f *folder) or(n *query.Or) query.Expr {
	var kept []query.Expr
	null := false
	for _, a := range flattenOr(n, nil) {
		a = f.fold(a)
		value, isNull, constant := constantOf(a)
		switch {
		case !constant:
			kept = append(kept, a)
		case isNull:
			null = true
		case value:
			return boolean(n, true)
		}
	}
	if null {
		kept = append(kept, boolean(n, nil))
	}
	switch len(kept) {
	case 0:
		return boolean(n, false)
	case 1:
		return kept[0]
	}
	return &query.Or{Node: n.Node, Args: kept}
}

// conditional drops branches whose condition is false and ends at the first that
// is true.
func (f *folder) conditional(n *query.Case) query.Expr {
	saved := f.placeholder
	defer func() { f.placeholder = saved }()
	arg := n.Arg
	if arg != nil {
		arg = f.fold(arg)
	}
	f.placeholder = nil
	if c, ok := arg.(*query.Const); ok {
		f.placeholder = c
	}
	inner := f.placeholder
	var whens []query.When
	last := query.Expr(nil)
	for _, w := range n.Whens {
		f.placeholder = inner
		condition := f.fold(w.Condition)
		value, null, constant := constantOf(condition)
		if constant && (null || !value) {
			continue
		}
		f.placeholder = saved
		result := f.fold(w.Result)
		if constant {
			last = result
			break
		}
		whens = append(whens, query.When{Condition: condition, Result: result, At: w.At})
	}
	if last == nil {
		f.placeholder = saved
		last = f.fold(n.Else)
	}
	if len(whens) == 0 {
		return last
	}
	if inner != nil {
		arg = nil
	}
	return &query.Case{Node: n.Node, Arg: arg, Whens: whens, Else: last}
}

// coalesce drops NULLs and ends at the first constant that is none.
func (f *folder) coalesce(n *query.Coalesce) query.Expr {
	var kept []query.Expr
	for _, a := range n.Args {
		a = f.fold(a)
		c, constant := a.(*query.Const)
		if constant && c.Datum.Null() {
			continue
		}
		if constant && len(kept) == 0 {
			return c
		}
		kept = append(kept, a)
		if constant {
			break
		}
	}
	if len(kept) == 0 {
		return &query.Const{Node: n.Node, Datum: vector.Null(n.OID)}
	}
	return &query.Coalesce{Node: n.Node, Args: kept}
}

// call computes a call of an immutable function of constants. A strict function
// with a NULL is NULL whatever the others are.
func (f *folder) call(n *query.Call) query.Expr {
	if n.Function == nil || n.Set || n.Function.ReturnsSet || n.OID == pgcat.Record {
		return n
	}
	args := make([]*vector.Column, len(n.Args))
	constant, null := true, false
	for i, a := range n.Args {
		c, ok := a.(*query.Const)
		if !ok {
			constant = false
			continue
		}
		null = null || c.Datum.Null()
		args[i] = vector.Constant(c.Datum, 1)
	}
	if n.Function.Strict && null {
		return &query.Const{Node: n.Node, Datum: vector.Null(n.OID)}
	}
	if !constant || n.Function.Volatility != 'i' {
		return n
	}
	kernel, ok := fn.Lookup(n.Function.OID)
	if !ok || n.Variadic && n.Function.Variadic == pgcat.Any {
		return n
	}
	out := vector.Make(n.OID, 1)
	if err := kernel(f.env, args, []int32{0}, out); err != nil {
		f.err = err
		return n
	}
	return &query.Const{Node: n.Node, Datum: out.Datum(0)}
}

// constantArray makes a constant of an array of constants.
func constantArray(n *query.Array) query.Expr {
	if n.Nested {
		return n
	}
	values := make([]vector.Datum, len(n.Elements))
	for i, e := range n.Elements {
		c, ok := e.(*query.Const)
		if !ok {
			return n
		}
		values[i] = c.Datum
		values[i].Type = n.Element
	}
	return &query.Const{Node: n.Node, Datum: vector.Datum{Type: n.OID, Value: vector.ArrayOf(n.Element, values)}}
}
