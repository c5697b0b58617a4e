//go:build cgo

package analyze

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// leftmost gives the smaller of two positions, where -1 is none.
func leftmost(a, b int) int {
	switch {
	case a < 0:
		return b
	case b < 0 || a < b:
		return a
	}
	return b
}

// leftmostOf gives the position of what holds some expressions: its own, or that of
// the first of them that has one, when it is smaller (exprLocation).
func leftmostOf(at int, list []query.Expr) int { return leftmost(at, firstPos(list)) }

// firstPos gives the position of the first of some expressions that has one.
func firstPos(list []query.Expr) int {
	for _, e := range list {
		if e != nil && e.Pos() >= 0 {
			return e.Pos()
		}
	}
	return -1
}

func (a *analyzer) null(t pgcat.OID, at int) *query.Const {
	return &query.Const{Node: query.Node{OID: t, Mod: -1, At: at}, Datum: vector.Null(t)}
}

func (a *analyzer) intConst(v int32) *query.Const {
	return &query.Const{Node: query.Node{OID: pgcat.Int4, Mod: -1, At: -1}, Datum: vector.Datum{Type: pgcat.Int4, Value: int64(v)}}
}

func (a *analyzer) boolConst(v bool) *query.Const {
	return &query.Const{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: -1}, Datum: vector.Datum{Type: pgcat.Bool, Value: v}}
}

// read reads a literal as a value of a type.
func (a *analyzer) read(t pgcat.OID, text string, typmod int32, at int) vector.Datum {
	if a.Input == nil {
		a.unsupported(at, "reading values of the type "+a.cat.FormatType(t))
	}
	v, err := a.Input(t, text, typmod)
	a.check(at, err)
	return vector.Datum{Type: t, Value: v}
}

func formatOf(ctx pgcat.Context) query.Format {
	if ctx == pgcat.Explicit {
		return query.Explicit
	}
	return query.Implicit
}

// canCoerce reports whether an expression's type can become another.
func (a *analyzer) canCoerce(from, to pgcat.OID, ctx pgcat.Context) bool {
	return a.cat.CanCoerce([]pgcat.OID{from}, []pgcat.OID{to}, ctx)
}

// convert makes an expression of a type and a length, or gives nil when there is
// no way (coerce_to_target_type).
func (a *analyzer) convert(e query.Expr, to pgcat.OID, typmod int32, ctx pgcat.Context, at int) query.Expr {
	if !a.canCoerce(e.Type(), to, ctx) {
		return nil
	}
	r := a.coerce(e, to, typmod, ctx, at)
	return a.fit(r, to, typmod, ctx, at)
}

// coerce makes an expression of a type, which must be possible (coerce_type).
func (a *analyzer) coerce(e query.Expr, to pgcat.OID, typmod int32, ctx pgcat.Context, at int) query.Expr {
	from := e.Type()
	if from == to {
		return e
	}
	switch to {
	case pgcat.Any, pgcat.AnyElement, pgcat.AnyNonArray, pgcat.AnyCompatible, pgcat.AnyCompatibleNonArray:
		return e
	}
	if to.Polymorphic() && from != pgcat.Unknown {
		return e
	}
	if from == pgcat.Unknown {
		switch x := e.(type) {
		case *query.Const:
			return a.coerceLiteral(x, to, typmod)
		case *query.Param:
			return a.typeParam(x, to)
		}
		return &query.ThroughText{Node: query.Node{OID: to, Mod: -1, At: leftmost(at, e.Pos())}, Arg: e, Format: formatOf(ctx)}
	}
	path := a.cat.Path(to, from, ctx)
	if path.Kind == pgcat.Relabel {
		return a.relabel(e, to, -1, ctx, at)
	}
	if r := a.build(e, path, to, typmod, ctx, at); r != nil {
		return r
	}
	a.raise(a.coercionPos(at, e), a.cat.CastError(from, to))
	return nil
}

// coerceLiteral reads a literal whose type was open. Only intervals are read with
// their modifier; lengths are applied afterwards.
func (a *analyzer) coerceLiteral(c *query.Const, to pgcat.OID, typmod int32) query.Expr {
	if to != pgcat.Interval {
		typmod = -1
	}
	n := query.Node{OID: to, Mod: typmod, At: c.At}
	if c.Datum.Null() {
		return &query.Const{Node: n, Datum: vector.Null(to)}
	}
	return &query.Const{Node: n, Datum: a.read(to, c.Datum.Value.(string), typmod, c.At)}
}

func (a *analyzer) relabel(e query.Expr, to pgcat.OID, typmod int32, ctx pgcat.Context, at int) query.Expr {
	if r, ok := e.(*query.Relabel); ok {
		e = r.Arg
	}
	if c, ok := e.(*query.Const); ok && vector.ClassOf(c.OID) == vector.ClassOf(to) && (c.Datum.Null() || vector.ClassOf(to) != vector.ClassObject) {
		return &query.Const{Node: query.Node{OID: to, Mod: typmod, At: c.At}, Datum: vector.Datum{Type: to, Value: c.Datum.Value}}
	}
	return &query.Relabel{Node: query.Node{OID: to, Mod: typmod, At: leftmost(at, e.Pos())}, Arg: e, Format: formatOf(ctx)}
}

// build writes out a conversion (build_coercion_expression).
func (a *analyzer) build(e query.Expr, path pgcat.Path, to pgcat.OID, typmod int32, ctx pgcat.Context, at int) query.Expr {
	pos := leftmost(at, e.Pos())
	switch path.Kind {
	case pgcat.CallFunction:
		return a.castCall(e, a.cat.Function(path.Function), to, typmod, ctx, pos)
	case pgcat.ElementWise:
		return a.castElements(e, to, typmod, ctx, pos)
	case pgcat.ThroughText:
		return &query.ThroughText{Node: query.Node{OID: to, Mod: -1, At: pos}, Arg: e, Format: formatOf(ctx)}
	}
	return nil
}

// castCall calls a cast function, which may take the modifier and whether the cast
// was written.
func (a *analyzer) castCall(e query.Expr, f *pgcat.Function, to pgcat.OID, typmod int32, ctx pgcat.Context, pos int) query.Expr {
	call := &query.Call{Node: query.Node{OID: to, Mod: -1, At: pos}, Function: f, Args: []query.Expr{e}, Format: formatOf(ctx)}
	if len(f.Args) >= 2 {
		call.Args = append(call.Args, a.intConst(typmod))
		call.Mod = typmod
	}
	if len(f.Args) == 3 {
		call.Args = append(call.Args, a.boolConst(ctx == pgcat.Explicit))
	}
	return call
}

func (a *analyzer) castElements(e query.Expr, to pgcat.OID, typmod int32, ctx pgcat.Context, pos int) query.Expr {
	from, element := a.cat.ElementOf(e.Type()), a.cat.ElementOf(to)
	each := a.convert(&query.Placeholder{Node: query.Node{OID: from, Mod: e.Typmod(), At: -1}}, element, typmod, ctx, pos)
	if each == nil {
		return nil
	}
	return &query.ArrayCast{Node: query.Node{OID: to, Mod: each.Typmod(), At: pos}, Arg: e, Element: each, Format: formatOf(ctx)}
}

// fit applies a length or precision to an expression of the right type
// (coerce_type_typmod).
func (a *analyzer) fit(e query.Expr, to pgcat.OID, typmod int32, ctx pgcat.Context, at int) query.Expr {
	if typmod == e.Typmod() {
		return e
	}
	if typmod >= 0 {
		if f := LengthFunction(to); f != nil {
			return a.castCall(e, f, to, typmod, ctx, leftmost(at, e.Pos()))
		}
		if element := a.cat.ElementOf(to); element != 0 && LengthFunction(element) != nil {
			if r := a.castElements(e, to, typmod, ctx, leftmost(at, e.Pos())); r != nil {
				return r
			}
		}
	}
	return a.relabel(e, to, typmod, ctx, at)
}

// coercionPos is where a cast that fails is reported.
func (a *analyzer) coercionPos(at int, e query.Expr) int {
	if at >= 0 {
		return at
	}
	return e.Pos()
}

// boolean makes a condition of an expression; construct names what it is part of.
func (a *analyzer) boolean(e query.Expr, construct string) query.Expr {
	return a.specific(e, pgcat.Bool, construct)
}

// specific makes an argument of a certain type (coerce_to_specific_type).
func (a *analyzer) specific(e query.Expr, t pgcat.OID, construct string) query.Expr {
	if e.Type() != t {
		r := a.convert(e, t, -1, pgcat.Assignment, -1)
		if r == nil {
			a.fail(e.Pos(), pgerr.DatatypeMismatch, "argument of %s must be type %s, not type %s", construct, a.cat.FormatType(t), a.cat.FormatType(e.Type()))
		}
		e = r
	}
	if a.returnsSet(e) {
		a.fail(e.Pos(), pgerr.DatatypeMismatch, "argument of %s must not return a set", construct)
	}
	return e
}

// returnsSet reports whether an expression gives rows: a call of a set-returning
// function anywhere in it.
func (a *analyzer) returnsSet(e query.Expr) bool {
	found := false
	query.Walk(e, func(x query.Expr, levels int) bool {
		if c, ok := x.(*query.Call); ok && c.Set && levels == 0 {
			found = true
		}
		_, sub := x.(*query.Subquery)
		return !found && !sub
	})
	return found
}

// common chooses a type for expressions of equal standing (select_common_type).
// With an empty construct it gives 0 where there is none; otherwise it raises the
// server's error.
func (a *analyzer) common(list []query.Expr, construct string) pgcat.OID {
	chosen := list[0].Type()
	best := a.cat.Type(chosen)
	for _, e := range list[1:] {
		t := e.Type()
		next := a.cat.Type(t)
		switch {
		case t == pgcat.Unknown || t == chosen:
		case chosen == pgcat.Unknown:
			chosen, best = t, next
		case next.Category != best.Category:
			if construct == "" {
				return 0
			}
			a.fail(e.Pos(), pgerr.DatatypeMismatch, "%s types %s and %s cannot be matched", construct, a.cat.FormatType(chosen), a.cat.FormatType(t))
		case !best.Preferred && a.canCoerce(chosen, t, pgcat.Implicit) && !a.canCoerce(t, chosen, pgcat.Implicit):
			chosen, best = t, next
		}
	}
	if chosen == pgcat.Unknown {
		return pgcat.Text
	}
	return chosen
}

// commonMod gives the modifier that all expressions share (select_common_typmod).
func commonMod(list []query.Expr, t pgcat.OID) int32 {
	mod := int32(-1)
	for i, e := range list {
		if e.Type() != t || i > 0 && e.Typmod() != mod {
			return -1
		}
		mod = e.Typmod()
	}
	return mod
}

// toCommon converts one of the expressions (coerce_to_common_type).
func (a *analyzer) toCommon(e query.Expr, t pgcat.OID, construct string) query.Expr {
	if e.Type() == t {
		return e
	}
	if !a.canCoerce(e.Type(), t, pgcat.Implicit) {
		a.fail(e.Pos(), pgerr.CannotCoerce, "%s could not convert type %s to %s", construct, a.cat.FormatType(e.Type()), a.cat.FormatType(t))
	}
	return a.coerce(e, t, -1, pgcat.Implicit, -1)
}

// arguments converts the operands of a call to what it was declared with.
func (a *analyzer) arguments(args []query.Expr, types []pgcat.OID) []query.Expr {
	out := make([]query.Expr, len(args))
	for i, e := range args {
		out[i] = a.coerce(e, types[i], -1, pgcat.Implicit, -1)
	}
	return out
}

// stripImplicit removes the conversions that were inserted around an expression.
func stripImplicit(e query.Expr) query.Expr {
	for {
		switch x := e.(type) {
		case *query.Call:
			if x.Format != query.Implicit {
				return e
			}
			e = x.Args[0]
		case *query.Relabel:
			if x.Format != query.Implicit {
				return e
			}
			e = x.Arg
		case *query.ThroughText:
			if x.Format != query.Implicit {
				return e
			}
			e = x.Arg
		case *query.ArrayCast:
			if x.Format != query.Implicit {
				return e
			}
			e = x.Arg
		default:
			return e
		}
	}
}
