package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// argument is one argument of a call.
type argument struct {
	eval eval
	kind argumentKind
	name string
	at   syntax.Span
}

type argumentKind uint8

const (
	positional argumentKind = iota
	keyword
	starArgs
	starKwargs
)

func (c *compiler) arguments(e *syntax.Call) (args []argument, plain bool) {
	plain = true
	for _, a := range e.Args {
		if s, ok := a.(*syntax.Starred); ok {
			args = append(args, argument{eval: c.expr(s.Value), kind: starArgs, at: s.Span})
			plain = false
			continue
		}
		args = append(args, argument{eval: c.expr(a)})
	}
	for _, k := range e.Keywords {
		a := argument{eval: c.expr(k.Value), kind: keyword, name: k.Arg, at: k.Span}
		if k.Arg == "" {
			a.kind = starKwargs
			plain = false
		}
		args = append(args, a)
	}
	return args, plain
}

// call compiles a call. A method is called without making a bound method.
func (c *compiler) call(e *syntax.Call) eval {
	if a, ok := e.Func.(*syntax.Attribute); ok {
		return c.callMethod(e, a)
	}
	fn := c.expr(e.Func)
	c.markStarts(e)
	args, plain := c.arguments(e)
	if !plain {
		return c.callSpread(e, fn, args)
	}
	names := keywordNames(args)
	at := e.Span
	n := len(args)
	started := c.program.starts[e]
	return func(f *frame) (value, *exception) {
		fv, x := fn(f)
		if x != nil {
			return value{}, x
		}
		k := f.m.mark()
		f.m.room(n)
		base := f.m.top
		stack := f.m.stack
		for i := range args {
			v, x := args[i].eval(f)
			if x != nil {
				f.m.release(k)
				return value{}, x
			}
			stack[base+i] = v
			f.m.top = base + i + 1
		}
		var r value
		if cl := direct(fv, n, names); cl != nil {
			r, x = cl.inPlace(f.m, base, n)
		} else {
			f.outside(fv, at, started)
			r, x = f.t.CallNames(fv, stack[base:base+n:base+n], names)
		}
		f.m.release(k)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// direct gives the closure of a function that takes exactly n positional
// arguments and runs at once; nil for anything else.
func direct(fv value, n int, names []string) *closure {
	fn, ok := fv.Function()
	if !ok || names != nil {
		return nil
	}
	cl, ok := fn.Code.(*closure)
	if !ok || !cl.code.simple || cl.code.positions != n || cl.code.generator || cl.code.async {
		return nil
	}
	return cl
}

// inPlace calls a function whose arguments stand on the stack from base on: they
// become its first slots where they are.
func (k *closure) inPlace(m *Machine, base, n int) (value, *exception) {
	t, c := m.T, k.code
	if x := t.EnterCall(); x != nil {
		t.LeaveCall()
		return value{}, x
	}
	if x := t.Charge(c.cost); x != nil {
		t.LeaveCall()
		return value{}, x
	}
	args := m.stack[base : base+n]
	m.top = base
	mk := m.mark()
	f := m.enter(c)
	if n > 0 && &f.slots[0] != &args[0] {
		copy(f.slots, args)
	}
	clear(f.slots[n:])
	f.free, f.class = k.free, k.class
	if c.ncells > 0 {
		k.box(f)
	}
	r, x := k.run(f)
	m.leave(f)
	m.release(mk)
	t.LeaveCall()
	return r, x
}

func keywordNames(args []argument) []string {
	var names []string
	for _, a := range args {
		if a.kind == keyword {
			names = append(names, a.name)
		}
	}
	return names
}

// callMethod calls v.name(...).
func (c *compiler) callMethod(e *syntax.Call, a *syntax.Attribute) eval {
	recv := c.expr(a.Value)
	c.nodes++
	name := c.u.layer().scope.Mangle(a.Attr)
	c.markStarts(e)
	args, plain := c.arguments(e)
	attrAt, at := a.Span, e.Span
	if !plain {
		fn := func(f *frame) (value, *exception) {
			o, x := recv(f)
			if x != nil {
				return value{}, x
			}
			r, x := f.t.GetAttr(o, name)
			if x != nil {
				return value{}, f.at(x, attrAt)
			}
			return r, nil
		}
		return c.callSpread(e, fn, args)
	}
	if name == "append" && len(args) == 1 && args[0].kind == positional {
		return c.callAppend(recv, args[0].eval, attrAt, at)
	}
	names := keywordNames(args)
	n := len(args)
	started := c.program.starts[e]
	var cached *object.Class // of the built-in class met last, with its method
	var method *object.Builtin
	return func(f *frame) (value, *exception) {
		o, x := recv(f)
		if x != nil {
			return value{}, x
		}
		var fv value
		var bound, known bool
		if cached != nil && o.Class() == cached && o.Kind() != object.KindInstance {
			known = true
		} else if k, b, ok := object.CachedMethod(o, name); ok {
			cached, method, known = k, b, true
		} else if fv, bound, x = f.t.FindMethod(o, name); x != nil {
			return value{}, f.at(x, attrAt)
		}
		k := f.m.mark()
		f.m.room(n + 1)
		base := f.m.top
		stack := f.m.stack
		stack[base] = o
		f.m.top = base + 1
		for i := range args {
			v, x := args[i].eval(f)
			if x != nil {
				f.m.release(k)
				return value{}, x
			}
			stack[base+1+i] = v
			f.m.top = base + i + 2
		}
		all := stack[base : base+1+n : base+1+n]
		var r value
		switch {
		case known:
			r, x = method.CallBound(f.t, all, names)
		case bound:
			f.outside(fv, at, started)
			r, x = f.t.CallNames(fv, all[1:], names)
		case direct(fv, n+1, names) != nil:
			r, x = direct(fv, n+1, names).inPlace(f.m, base, n+1)
		default:
			r, x = f.t.CallNames(fv, all, names)
		}
		f.m.release(k)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// callAppend is list.append, the most frequent call of all.
func (c *compiler) callAppend(recv, arg eval, attrAt, at syntax.Span) eval {
	return func(f *frame) (value, *exception) {
		o, x := recv(f)
		if x != nil {
			return value{}, x
		}
		l, ok := o.List()
		if ok {
			k := f.m.mark()
			f.m.hold(o)
			v, x := arg(f)
			f.m.release(k)
			if x != nil {
				return value{}, x
			}
			if x := l.Append(f.t, v); x != nil {
				return value{}, f.at(x, at)
			}
			return object.None, nil
		}
		m, x := f.t.GetAttr(o, "append")
		if x != nil {
			return value{}, f.at(x, attrAt)
		}
		k := f.m.mark()
		f.m.hold(m)
		v, x := arg(f)
		f.m.release(k)
		if x != nil {
			return value{}, x
		}
		r, x := f.t.Call(m, v)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// callSpread is a call with * or ** arguments.
func (c *compiler) callSpread(e *syntax.Call, fn eval, args []argument) eval {
	at := e.Span
	started := c.program.starts[e]
	return func(f *frame) (value, *exception) {
		fv, x := fn(f)
		if x != nil {
			return value{}, x
		}
		k := f.m.mark()
		f.m.hold(fv)
		all, names, x := f.spreadArgs(fv, args)
		if x != nil {
			f.m.release(k)
			return value{}, f.at(x, at)
		}
		f.outside(fv, at, started)
		r, x := f.t.CallNames(fv, all, names)
		f.m.release(k)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// spreadArgs evaluates arguments in their order and arranges them: positional
// ones first, then keywords.
func (f *frame) spreadArgs(fv value, args []argument) ([]value, []string, *exception) {
	pl := object.NewList(nil)
	pos, _ := pl.List()
	kw := object.NewDict()
	f.m.hold(pl)
	f.m.hold(kw.Value())
	for _, a := range args {
		v, x := a.eval(f)
		if x != nil {
			return nil, nil, x
		}
		switch a.kind {
		case positional:
			x = pos.Append(f.t, v)
		case starArgs:
			if x = pos.Extend(f.t, v); x != nil && x.Is(object.TypeError) && len(x.Trace) == 0 {
				if _, y := f.t.Iter(v); y != nil && y.Is(object.TypeError) {
					x = f.t.RaiseType("%s argument after * must be an iterable, not %s", functionName(fv), v.Class().Name)
				}
			}
		case keyword:
			if _, dup := kw.GetName(a.name); dup {
				return nil, nil, f.t.RaiseType("%s got multiple values for keyword argument '%s'", functionName(fv), a.name)
			}
			x = kw.SetName(f.t, a.name, v)
		case starKwargs:
			x = f.spreadKeywords(fv, kw, v)
		}
		if x != nil {
			return nil, nil, x
		}
	}
	all := pos.Items()
	var names []string
	for i := range kw.Room() {
		if k, v := kw.Entry(i); k.IsSet() {
			s, _ := object.StrOf(k)
			names = append(names, s.String())
			all = append(all, v)
		}
	}
	return all, names, nil
}

func (f *frame) spreadKeywords(fv value, kw *object.Dict, v value) *exception {
	one := object.NewDict()
	if x := f.t.MergeMapping(one, v); x != nil {
		if x.Is(object.TypeError) && len(x.Trace) == 0 {
			if _, ok, _ := f.t.FindAttr(v, "keys"); !ok {
				return f.t.RaiseType("%s argument after ** must be a mapping, not %s", functionName(fv), v.Class().Name)
			}
		}
		return x
	}
	for i := range one.Room() {
		k, w := one.Entry(i)
		if !k.IsSet() {
			continue
		}
		s, ok := object.StrOf(k)
		if !ok {
			return f.t.RaiseType("keywords must be strings")
		}
		if _, dup := kw.GetName(s.String()); dup {
			return f.t.RaiseType("%s got multiple values for keyword argument '%s'", functionName(fv), s.String())
		}
		if x := kw.SetName(f.t, s.String(), w); x != nil {
			return x
		}
	}
	return nil
}

// functionName is how errors of the arguments of a call name the function.
func functionName(fv value) string {
	switch fv.Kind() {
	case object.KindFunction:
		fn, _ := fv.Function()
		return "__main__." + fn.Qual + "()"
	case object.KindBuiltin:
		b, _ := fv.Builtin()
		if b.Owner != nil {
			return b.Owner.Name + "." + b.Name + "()"
		}
		return b.Name + "()"
	case object.KindClass:
		c, _ := fv.AsClass()
		if c.Heap {
			return "__main__." + c.Qual + "()"
		}
		return c.Name + "()"
	}
	return fv.Class().Name + " object"
}
