package compile

import (
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

var operators = map[string]object.Op{
	"+": object.Add, "-": object.Sub, "*": object.Mul, "/": object.TrueDiv, "//": object.FloorDiv, "%": object.Mod, "**": object.Pow,
	"<<": object.LShift, ">>": object.RShift, "&": object.And, "|": object.Or, "^": object.Xor, "@": object.MatMul,
}

var comparisons = map[string]object.Cmp{
	"<": object.Lt, "<=": object.Le, "==": object.Eq, "!=": object.Ne, ">": object.Gt, ">=": object.Ge,
}

// constant gives the value of a literal.
func (c *compiler) constant(e *syntax.Constant) value {
	switch v := e.Value.(type) {
	case syntax.NoneValue:
		return object.None
	case syntax.EllipsisValue:
		return object.Ellipsis
	case bool:
		return object.Bool(v)
	case int64:
		return object.Int(v)
	case *big.Int:
		return object.Big(v)
	case float64:
		return object.Float(v)
	case string:
		return object.NewStr(v)
	case syntax.Bytes:
		return object.NewBytes(string(v))
	case complex128:
		return object.NewComplex(v)
	}
	c.reject(e, "this constant is not available")
	return value{}
}

func constantOf(e syntax.Expr) (*syntax.Constant, bool) {
	k, ok := e.(*syntax.Constant)
	return k, ok
}

// simple reports whether evaluating an expression runs no code that could allocate
// much or call anything: values held meanwhile need not be accounted.
func simple(e syntax.Expr) bool {
	switch e := e.(type) {
	case nil, *syntax.Constant, *syntax.Name:
		return true
	case *syntax.UnaryOp:
		return simple(e.Operand)
	}
	return false
}

// holding evaluates an expression while a value is kept in the account of memory.
func holding(e eval, isSimple bool) func(f *frame, held value) (value, *exception) {
	if isSimple {
		return func(f *frame, _ value) (value, *exception) { return e(f) }
	}
	return func(f *frame, held value) (value, *exception) {
		k := f.m.mark()
		f.m.hold(held)
		v, x := e(f)
		f.m.release(k)
		return v, x
	}
}

// expr compiles an expression.
func (c *compiler) expr(e syntax.Expr) eval {
	c.nodes++
	switch e := e.(type) {
	case *syntax.Constant:
		v := c.constant(e)
		return func(*frame) (value, *exception) { return v, nil }
	case *syntax.Name:
		return c.load(c.resolve(e.ID), e.Span)
	case *syntax.BinOp:
		return c.binary(e)
	case *syntax.UnaryOp:
		return c.unary(e)
	case *syntax.BoolOp:
		return c.boolean(e)
	case *syntax.Compare:
		return c.compare(e)
	case *syntax.IfExp:
		test, body, other := c.condition(e.Test), c.expr(e.Body), c.expr(e.OrElse)
		return func(f *frame) (value, *exception) {
			b, x := test(f)
			if x != nil {
				return value{}, x
			}
			if b {
				return body(f)
			}
			return other(f)
		}
	case *syntax.Call:
		return c.call(e)
	case *syntax.Attribute:
		return c.attribute(e)
	case *syntax.Subscript:
		return c.subscript(e)
	case *syntax.Slice:
		return c.slice(e)
	case *syntax.List:
		return c.list(e)
	case *syntax.Tuple:
		return c.tuple(e)
	case *syntax.Set:
		return c.set(e)
	case *syntax.Dict:
		return c.dict(e)
	case *syntax.ListComp:
		return c.listComp(e)
	case *syntax.SetComp:
		return c.setComp(e)
	case *syntax.DictComp:
		return c.dictComp(e)
	case *syntax.GeneratorExp:
		return c.generatorExp(e)
	case *syntax.Lambda:
		return c.lambda(e)
	case *syntax.JoinedStr:
		return c.joined(e)
	case *syntax.FormattedValue:
		return c.joined(&syntax.JoinedStr{Span: e.Span, Values: []syntax.Expr{e}})
	case *syntax.NamedExpr:
		v := c.expr(e.Value)
		store := c.store(c.resolve(e.Target.ID))
		return func(f *frame) (value, *exception) {
			r, x := v(f)
			if x == nil {
				store(f, r)
			}
			return r, x
		}
	case *syntax.Await:
		return c.await(e)
	case *syntax.Yield, *syntax.YieldFrom:
		c.reject(e, "a yield is not available at this place: assign its value to a variable first")
	case *syntax.Starred:
		c.reject(e, "can't use starred expression here")
	}
	c.reject(e, "this expression is not available")
	return nil
}

// await runs an awaitable to its end on the spot.
func (c *compiler) await(e *syntax.Await) eval {
	v := c.expr(e.Value)
	at := e.Span
	return func(f *frame) (value, *exception) {
		r, x := v(f)
		if x != nil {
			return value{}, x
		}
		r, x = f.t.Await(r)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// condition compiles an expression used for its truth alone.
func (c *compiler) condition(e syntax.Expr) func(f *frame) (bool, *exception) {
	switch e := e.(type) {
	case *syntax.UnaryOp:
		if e.Op == "not" {
			c.nodes++
			inner := c.condition(e.Operand)
			return func(f *frame) (bool, *exception) {
				b, x := inner(f)
				return !b, x
			}
		}
	case *syntax.BoolOp:
		c.nodes++
		parts := make([]func(*frame) (bool, *exception), len(e.Values))
		for i, v := range e.Values {
			parts[i] = c.condition(v)
		}
		and := e.Op == "and"
		return func(f *frame) (bool, *exception) {
			for _, p := range parts {
				b, x := p(f)
				if x != nil {
					return false, x
				}
				if b != and {
					return b, nil
				}
			}
			return and, nil
		}
	case *syntax.Compare:
		if len(e.Ops) == 1 {
			c.nodes++
			return c.test(e)
		}
	}
	v := c.expr(e)
	at := syntax.Place(e)
	return func(f *frame) (bool, *exception) {
		r, x := v(f)
		if x != nil {
			return false, x
		}
		if b, ok := r.Bool(); ok {
			return b, nil
		}
		b, x := f.t.Truth(r)
		if x != nil {
			return false, f.at(x, at)
		}
		return b, nil
	}
}

func (c *compiler) boolean(e *syntax.BoolOp) eval {
	parts := c.exprs(e.Values)
	and := e.Op == "and"
	last := len(parts) - 1
	at := e.Span
	return func(f *frame) (value, *exception) {
		for _, p := range parts[:last] {
			v, x := p(f)
			if x != nil {
				return value{}, x
			}
			b, x := f.t.Truth(v)
			if x != nil {
				return value{}, f.at(x, at)
			}
			if b != and {
				return v, nil
			}
		}
		return parts[last](f)
	}
}

func (c *compiler) exprs(list []syntax.Expr) []eval {
	out := make([]eval, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

func (c *compiler) unary(e *syntax.UnaryOp) eval {
	if e.Op == "not" {
		cond := c.condition(e.Operand)
		return func(f *frame) (value, *exception) {
			b, x := cond(f)
			return object.Bool(!b), x
		}
	}
	op := map[string]object.Unary{"-": object.Neg, "+": object.Pos, "~": object.Invert}[e.Op]
	if k, ok := constantOf(e.Operand); ok && op == object.Neg {
		switch n := k.Value.(type) {
		case int64:
			c.nodes++
			v := object.Int(-n)
			return func(*frame) (value, *exception) { return v, nil }
		case float64:
			c.nodes++
			v := object.Float(-n)
			return func(*frame) (value, *exception) { return v, nil }
		}
	}
	operand := c.expr(e.Operand)
	at := e.Span
	return func(f *frame) (value, *exception) {
		v, x := operand(f)
		if x != nil {
			return value{}, x
		}
		r, x := f.t.UnaryOp(op, v)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// smallInt gives the value of an integer literal.
func smallInt(e syntax.Expr) (int64, bool) {
	k, ok := constantOf(e)
	if !ok {
		return 0, false
	}
	n, ok := k.Value.(int64)
	return n, ok
}

func (c *compiler) binary(e *syntax.BinOp) eval {
	op := operators[e.Op]
	at := e.Span
	if k, ok := smallInt(e.Right); ok {
		return c.binaryConst(op, c.expr(e.Left), k, at)
	}
	l, r := c.expr(e.Left), c.expr(e.Right)
	if simple(e.Right) {
		return binarySimple(op, l, r, at)
	}
	right := holding(r, false)
	return func(f *frame) (value, *exception) {
		a, x := l(f)
		if x != nil {
			return value{}, x
		}
		b, x := right(f, a)
		if x != nil {
			return value{}, x
		}
		v, x := f.t.Binary(op, a, b)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return v, nil
	}
}

func binarySimple(op object.Op, l, r eval, at syntax.Span) eval {
	general := func(f *frame, a, b value) (value, *exception) {
		v, x := f.t.Binary(op, a, b)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return v, nil
	}
	both := func(f *frame) (a, b value, x *exception) {
		if a, x = l(f); x != nil {
			return
		}
		b, x = r(f)
		return
	}
	switch op {
	case object.Add:
		return func(f *frame) (value, *exception) {
			a, b, x := both(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok {
				if q, ok := b.Int(); ok {
					if s := p + q; (s > p) == (q > 0) {
						return object.Int(s), nil
					}
				}
			} else if p, ok := a.Float(); ok {
				if q, ok := b.Float(); ok {
					if s := p + q; s == s {
						return object.Float(s), nil
					}
				}
			}
			return general(f, a, b)
		}
	case object.Sub:
		return func(f *frame) (value, *exception) {
			a, b, x := both(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok {
				if q, ok := b.Int(); ok {
					if s := p - q; (s < p) == (q > 0) {
						return object.Int(s), nil
					}
				}
			}
			return general(f, a, b)
		}
	case object.Mul:
		return func(f *frame) (value, *exception) {
			a, b, x := both(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Float(); ok {
				if q, ok := b.Float(); ok {
					if s := p * q; s == s {
						return object.Float(s), nil
					}
				}
			} else if p, ok := a.Int(); ok {
				if q, ok := b.Int(); ok && int64(int32(p)) == p && int64(int32(q)) == q {
					return object.Int(p * q), nil
				}
			}
			return general(f, a, b)
		}
	}
	return func(f *frame) (value, *exception) {
		a, b, x := both(f)
		if x != nil {
			return value{}, x
		}
		return general(f, a, b)
	}
}

// binaryConst is an operation with a small integer on the right.
func (c *compiler) binaryConst(op object.Op, l eval, k int64, at syntax.Span) eval {
	c.nodes++
	kv := object.Int(k)
	general := func(f *frame, a value) (value, *exception) {
		v, x := f.t.Binary(op, a, kv)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return v, nil
	}
	switch {
	case op == object.Add || op == object.Sub:
		d := k
		if op == object.Sub {
			d = -k
		}
		return func(f *frame) (value, *exception) {
			a, x := l(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok {
				if s := p + d; (s > p) == (d > 0) {
					return object.Int(s), nil
				}
			}
			return general(f, a)
		}
	case op == object.Mod && k > 0:
		return func(f *frame) (value, *exception) {
			a, x := l(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok {
				r := p % k
				if r < 0 {
					r += k
				}
				return object.Int(r), nil
			}
			return general(f, a)
		}
	case op == object.FloorDiv && k > 0:
		return func(f *frame) (value, *exception) {
			a, x := l(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok && p >= 0 {
				return object.Int(p / k), nil
			}
			return general(f, a)
		}
	case op == object.And:
		return func(f *frame) (value, *exception) {
			a, x := l(f)
			if x != nil {
				return value{}, x
			}
			if p, ok := a.Int(); ok {
				return object.Int(p & k), nil
			}
			return general(f, a)
		}
	}
	return func(f *frame) (value, *exception) {
		a, x := l(f)
		if x != nil {
			return value{}, x
		}
		return general(f, a)
	}
}

// compareOnce evaluates one comparison as a condition where it must be one, and as
// a value.
func compareOnce(op string, at syntax.Span) func(f *frame, a, b value) (value, *exception) {
	switch op {
	case "is":
		return func(_ *frame, a, b value) (value, *exception) { return object.Bool(a.Is(b)), nil }
	case "is not":
		return func(_ *frame, a, b value) (value, *exception) { return object.Bool(!a.Is(b)), nil }
	case "in", "not in":
		negate := op == "not in"
		return func(f *frame, a, b value) (value, *exception) {
			in, x := f.t.Contains(b, a)
			if x != nil {
				return value{}, f.at(x, at)
			}
			return object.Bool(in != negate), nil
		}
	}
	cmp := comparisons[op]
	return func(f *frame, a, b value) (value, *exception) {
		r, x := f.t.Compare(cmp, a, b)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// test compiles a single comparison as a condition.
func (c *compiler) test(e *syntax.Compare) func(f *frame) (bool, *exception) {
	at := e.Span
	l := c.expr(e.Left)
	r := c.expr(e.Comparators[0])
	if k, ok := smallInt(e.Comparators[0]); ok {
		if cmp, ok := comparisons[e.Ops[0]]; ok {
			return testConst(cmp, l, k, at)
		}
	}
	if cmp, ok := comparisons[e.Ops[0]]; ok && simple(e.Comparators[0]) {
		return func(f *frame) (bool, *exception) {
			a, x := l(f)
			if x != nil {
				return false, x
			}
			b, x := r(f)
			if x != nil {
				return false, x
			}
			if p, ok := a.Int(); ok {
				if q, ok := b.Int(); ok {
					return compareInts(cmp, p, q), nil
				}
			}
			return f.compare(cmp, a, b, at)
		}
	}
	once := compareOnce(e.Ops[0], at)
	right := holding(r, simple(e.Comparators[0]))
	return func(f *frame) (bool, *exception) {
		a, x := l(f)
		if x != nil {
			return false, x
		}
		b, x := right(f, a)
		if x != nil {
			return false, x
		}
		v, x := once(f, a, b)
		if x != nil {
			return false, x
		}
		t, x := f.t.Truth(v)
		if x != nil {
			return false, f.at(x, at)
		}
		return t, nil
	}
}

func (f *frame) compare(cmp object.Cmp, a, b value, at syntax.Span) (bool, *exception) {
	v, x := f.t.Compare(cmp, a, b)
	if x != nil {
		return false, f.at(x, at)
	}
	if b, ok := v.Bool(); ok {
		return b, nil
	}
	t, x := f.t.Truth(v)
	if x != nil {
		return false, f.at(x, at)
	}
	return t, nil
}

func compareInts(cmp object.Cmp, a, b int64) bool {
	switch cmp {
	case object.Lt:
		return a < b
	case object.Le:
		return a <= b
	case object.Eq:
		return a == b
	case object.Ne:
		return a != b
	case object.Gt:
		return a > b
	}
	return a >= b
}

func testConst(cmp object.Cmp, l eval, k int64, at syntax.Span) func(f *frame) (bool, *exception) {
	kv := object.Int(k)
	return func(f *frame) (bool, *exception) {
		a, x := l(f)
		if x != nil {
			return false, x
		}
		if p, ok := a.Int(); ok {
			return compareInts(cmp, p, k), nil
		}
		return f.compare(cmp, a, kv, at)
	}
}

func (c *compiler) compare(e *syntax.Compare) eval {
	if len(e.Ops) == 1 {
		if _, ok := comparisons[e.Ops[0]]; !ok {
			test := c.test(e)
			return func(f *frame) (value, *exception) {
				b, x := test(f)
				return object.Bool(b), x
			}
		}
		l, r := c.expr(e.Left), holding(c.expr(e.Comparators[0]), simple(e.Comparators[0]))
		once := compareOnce(e.Ops[0], e.Span)
		return func(f *frame) (value, *exception) {
			a, x := l(f)
			if x != nil {
				return value{}, x
			}
			b, x := r(f, a)
			if x != nil {
				return value{}, x
			}
			return once(f, a, b)
		}
	}
	return c.chain(e)
}

// chain is a < b < c: each operand is evaluated once, and none after a false
// comparison.
func (c *compiler) chain(e *syntax.Compare) eval {
	first := c.expr(e.Left)
	type link struct {
		operand func(*frame, value) (value, *exception)
		compare func(f *frame, a, b value) (value, *exception)
	}
	links := make([]link, len(e.Ops))
	for i, op := range e.Ops {
		links[i] = link{holding(c.expr(e.Comparators[i]), simple(e.Comparators[i])), compareOnce(op, e.Span)}
	}
	at := e.Span
	return func(f *frame) (value, *exception) {
		a, x := first(f)
		if x != nil {
			return value{}, x
		}
		for i := range links {
			b, x := links[i].operand(f, a)
			if x != nil {
				return value{}, x
			}
			r, x := links[i].compare(f, a, b)
			if x != nil || i == len(links)-1 {
				return r, x
			}
			t, x := f.t.Truth(r)
			if x != nil {
				return value{}, f.at(x, at)
			}
			if !t {
				return r, nil
			}
			a = b
		}
		return value{}, nil
	}
}

func (c *compiler) attribute(e *syntax.Attribute) eval {
	v := c.expr(e.Value)
	name := c.u.layer().scope.Mangle(e.Attr)
	at := e.Span
	return func(f *frame) (value, *exception) {
		o, x := v(f)
		if x != nil {
			return value{}, x
		}
		r, x := f.t.GetAttr(o, name)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

func (c *compiler) subscript(e *syntax.Subscript) eval {
	at := e.Span
	v := c.expr(e.Value)
	if k, ok := constantOf(e.Index); ok {
		c.nodes++
		return constSubscript(v, c.constant(k), at)
	}
	key := holding(c.expr(e.Index), simple(e.Index))
	return func(f *frame) (value, *exception) {
		o, x := v(f)
		if x != nil {
			return value{}, x
		}
		k, x := key(f, o)
		if x != nil {
			return value{}, x
		}
		if l, ok := o.List(); ok {
			if i, ok := k.Int(); ok && uint64(i) < uint64(l.Len()) {
				return l.Items()[i], nil
			}
		}
		r, x := f.t.GetItem(o, k)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// constSubscript reads by a literal key: a field of a row, most often.
func constSubscript(v eval, key value, at syntax.Span) eval {
	if s, ok := key.Str(); ok {
		s.Hash()
	}
	return func(f *frame) (value, *exception) {
		o, x := v(f)
		if x != nil {
			return value{}, x
		}
		r, x := f.t.GetItem(o, key)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

func (c *compiler) slice(e *syntax.Slice) eval {
	part := func(e syntax.Expr) func(*frame, value) (value, *exception) {
		if e == nil {
			return func(*frame, value) (value, *exception) { return object.None, nil }
		}
		return holding(c.expr(e), simple(e))
	}
	lower, upper, step := part(e.Lower), part(e.Upper), part(e.Step)
	return func(f *frame) (value, *exception) {
		a, x := lower(f, object.None)
		if x != nil {
			return value{}, x
		}
		b, x := upper(f, a)
		if x != nil {
			return value{}, x
		}
		s, x := step(f, b)
		if x != nil {
			return value{}, x
		}
		return object.NewSlice(a, b, s), nil
	}
}
