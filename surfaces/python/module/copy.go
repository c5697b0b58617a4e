package module

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var copyErrorClass = object.Define("Error", object.ExceptionClass)

var _ = register("copy", func(*Library) *object.Module {
	m := object.NewModule("copy")
	m.Func("copy", "x", func(t *thread, a []value) (value, *exception) { return shallowCopy(t, a[0]) })
	m.Func("deepcopy", "x memo?", func(t *thread, a []value) (value, *exception) {
		c := &copier{t: t, made: map[int64]value{}}
		memo, ok := optional(a, 1)
		if !ok {
			d, x := t.Dict(0)
			if x != nil {
				return value{}, x
			}
			memo = d.Value()
		}
		c.memo = memo
		d, isDict := object.DictOf(memo)
		if !isDict {
			return c.deep(a[0])
		}
		// A __deepcopy__ that copies a part with the memo it was given goes on.
		if p, found, x := d.Get(t, memoKey); x != nil {
			return value{}, x
		} else if k, isCopier := p.Native().(*copier); found && isCopier {
			return k.deep(a[0])
		}
		if x := d.Set(t, memoKey, object.Box(c)); x != nil {
			return value{}, x
		}
		v, x := c.deep(a[0])
		if _, _, y := d.Delete(t, memoKey); x == nil {
			x = y
		}
		return v, x
	})
	m.Set("Error", copyErrorClass.Value()).Set("error", copyErrorClass.Value())
	return m
})

// memoKey is where a memo holds the copier it belongs to.
var memoKey = object.NewTuple([]value{object.Constant("copy")})

// shallowCopy is copy.copy.
func shallowCopy(t *thread, v value) (value, *exception) {
	switch v.Kind() {
	case object.KindList, object.KindDict, object.KindSet:
		return callMethod(t, v, "copy")
	case object.KindInstance, object.KindNative:
		if r, ok, x := callSpecial(t, v, "__copy__"); ok || x != nil {
			return r, x
		}
		if v.Kind() == object.KindNative {
			if v.Class().Has("copy") {
				return callMethod(t, v, "copy")
			}
			if _, isIter := v.Native().(object.Iterator); isIter {
				return raised(t.RaiseType("cannot pickle '%s' object", nameOf(v)))
			}
			return v, nil
		}
		return copyInstance(t, v, func(w value) (value, *exception) { return shallowCopy(t, w) }, nil)
	case object.KindException:
		return copyException(t, v, func(w value) (value, *exception) { return w, nil })
	case object.KindModule:
		return raised(t.RaiseType("cannot pickle 'module' object"))
	}
	return v, nil
}

// copyInstance copies an instance: its class, the built-in value it extends and
// its attributes, each through deep where that is given.
func copyInstance(t *thread, v value, base func(value) (value, *exception), deep func(value) (value, *exception)) (value, *exception) {
	i, _ := v.Instance()
	payload := i.Payload
	if payload.IsSet() {
		var x *exception
		if payload, x = base(payload); x != nil {
			return value{}, x
		}
	}
	out, x := t.Extend(i.Cls, payload)
	if x != nil || i.Attrs == nil {
		return out, x
	}
	o, _ := out.Instance()
	return out, eachPair(t, i.Attrs, func(k, w value) *exception {
		name, ok := textOf(k)
		if !ok {
			return nil
		}
		if deep != nil {
			var x *exception
			if w, x = deep(w); x != nil {
				return x
			}
		}
		return o.SetAttr(t, name, w)
	})
}

func copyException(t *thread, v value, of func(value) (value, *exception)) (value, *exception) {
	e, _ := v.Exception()
	if x := t.Alloc(200 + 16*len(e.Args)); x != nil {
		return value{}, x
	}
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		var x *exception
		if args[i], x = of(a); x != nil {
			return value{}, x
		}
	}
	y := object.NewException(e.Cls, args...)
	if e.Attrs != nil {
		y.Attrs = object.NewDict()
		if x := eachPair(t, e.Attrs, func(k, w value) *exception {
			w, x := of(w)
			if x != nil {
				return x
			}
			return y.Attrs.Set(t, k, w)
		}); x != nil {
			return value{}, x
		}
	}
	return y.Value(), nil
}

// copier copies a graph of values: what is met twice is copied once.
type copier struct {
	object.Obj
	t    *thread
	memo value
	made map[int64]value // by identity
	held []value         // the originals, so that their identities stay theirs
}

var copierClass = object.Define("memo")

// Class is that of the key under which a memo holds its copier.
func (*copier) Class() *class { return copierClass }

func (c *copier) deep(v value) (value, *exception) {
	switch v.Kind() {
	case object.KindList, object.KindTuple, object.KindDict, object.KindSet, object.KindFrozenSet, object.KindInstance, object.KindNative, object.KindException, object.KindMethod:
	case object.KindModule:
		return raised(c.t.RaiseType("cannot pickle 'module' object"))
	default:
		return v, nil
	}
	if x := c.t.Enter(); x != nil {
		c.t.Leave()
		return value{}, x
	}
	defer c.t.Leave()
	if x := c.t.Charge(4); x != nil {
		return value{}, x
	}
	id := c.t.ID(v)
	if w, ok := c.made[id]; ok {
		return w, nil
	}
	// What a __deepcopy__ has put into the memo itself.
	if d, ok := object.DictOf(c.memo); ok && d.Len() > 1 {
		if w, found, x := d.Get(c.t, object.Int(id)); found || x != nil {
			return w, x
		}
	}
	if x := c.t.Alloc(96); x != nil {
		return value{}, x
	}
	w, x := c.fresh(v, id)
	if x == nil {
		c.keep(id, v, w)
	}
	return w, x
}

func (c *copier) keep(id int64, v, w value) {
	c.made[id] = w
	c.held = append(c.held, v)
}

// fresh copies a value that has not been met.
func (c *copier) fresh(v value, id int64) (value, *exception) {
	t := c.t
	switch v.Kind() {
	case object.KindList:
		out, x := t.List(nil)
		if x != nil {
			return value{}, x
		}
		c.keep(id, v, out)
		from, _ := v.List()
		to, _ := out.List()
		for i := 0; i < from.Len(); i++ {
			w, x := c.deep(from.Items()[i])
			if x != nil {
				return value{}, x
			}
			if x := to.Append(t, w); x != nil {
				return value{}, x
			}
		}
		return out, nil
	case object.KindTuple:
		return c.tuple(v, id)
	case object.KindDict:
		d, x := t.Dict(0)
		if x != nil {
			return value{}, x
		}
		c.keep(id, v, d.Value())
		from, _ := v.Dict()
		return d.Value(), eachPair(t, from, func(k, w value) *exception {
			k, x := c.deep(k)
			if x != nil {
				return x
			}
			if w, x = c.deep(w); x != nil {
				return x
			}
			return d.Set(t, k, w)
		})
	case object.KindSet, object.KindFrozenSet:
		from, _ := v.Set()
		out, x := t.Set(v.Kind() == object.KindFrozenSet)
		if x != nil {
			return value{}, x
		}
		for _, e := range from.Members() {
			w, x := c.deep(e)
			if x != nil {
				return value{}, x
			}
			if x := out.Add(t, w); x != nil {
				return value{}, x
			}
		}
		return out.Value(), nil
	case object.KindException:
		return copyException(t, v, c.deep)
	case object.KindMethod:
		return v, nil
	}
	if r, ok, x := callSpecial(t, v, "__deepcopy__", c.memo); ok || x != nil {
		return r, x
	}
	if v.Kind() == object.KindNative {
		return c.native(v)
	}
	i, _ := v.Instance()
	if i.Payload.IsSet() && i.Payload.Kind() == object.KindNative {
		return copyInstance(t, v, c.native, c.deep)
	}
	return c.instance(v, id)
}

// tuple copies a tuple; one whose items are their own copies is its own copy.
func (c *copier) tuple(v value, id int64) (value, *exception) {
	u, _ := v.Tuple()
	if x := c.t.Alloc(16 * len(u.Items())); x != nil {
		return value{}, x
	}
	out := make([]value, len(u.Items()))
	same := true
	for i, e := range u.Items() {
		w, x := c.deep(e)
		if x != nil {
			return value{}, x
		}
		out[i] = w
		same = same && w.Is(e)
	}
	if w, ok := c.made[id]; ok {
		return w, nil // it holds itself, through something that changes
	}
	if same {
		return v, nil
	}
	return c.t.Tuple(out...)
}

// instance copies an instance, which parts of it may refer to.
func (c *copier) instance(v value, id int64) (value, *exception) {
	i, _ := v.Instance()
	payload := i.Payload
	if payload.IsSet() {
		// An empty value of the same kind stands in while its parts are copied.
		switch payload.Kind() {
		case object.KindList, object.KindDict, object.KindSet:
			w, x := callMethod(c.t, payload, "copy")
			if x != nil {
				return value{}, x
			}
			if _, x := callMethod(c.t, w, "clear"); x != nil {
				return value{}, x
			}
			payload = w
		case object.KindTuple, object.KindFrozenSet:
			var x *exception
			if payload, x = c.fresh(payload, -1); x != nil {
				return value{}, x
			}
		}
	}
	out, x := c.t.Extend(i.Cls, payload)
	if x != nil {
		return value{}, x
	}
	c.keep(id, v, out)
	if i.Payload.IsSet() {
		full, x := c.fresh(i.Payload, -1)
		if x != nil {
			return value{}, x
		}
		method := map[object.Kind]string{object.KindList: "extend", object.KindDict: "update", object.KindSet: "update"}[payload.Kind()]
		if method != "" {
			if _, x := callMethod(c.t, payload, method, full); x != nil {
				return value{}, x
			}
		}
	}
	if i.Attrs == nil {
		return out, nil
	}
	o, _ := out.Instance()
	return out, eachPair(c.t, i.Attrs, func(k, w value) *exception {
		name, ok := textOf(k)
		if !ok {
			return nil
		}
		w, x := c.deep(w)
		if x != nil {
			return x
		}
		return o.SetAttr(c.t, name, w)
	})
}

// native copies a value of a module's own class: those that hold others have a
// way to copy themselves, the rest never change.
func (c *copier) native(v value) (value, *exception) {
	switch d := v.Native().(type) {
	case *deque:
		return c.deque(v)
	case *digest:
		return callMethod(c.t, v, "copy")
	case *buffer:
		if x := c.t.Alloc(160 + 4*len(d.runes) + len(d.data)); x != nil {
			return value{}, x
		}
		return object.Box(&buffer{class: d.class, runes: slices.Clone(d.runes), data: slices.Clone(d.data), pos: d.pos, newline: d.newline, closed: d.closed}), nil
	case *proxy, *generator, *signalSet:
		return raised(c.t.RaiseType("cannot pickle '%s' object", nameOf(v)))
	case *decimalContext:
		return callMethod(c.t, v, "copy")
	}
	if _, isIter := v.Native().(object.Iterator); isIter {
		return raised(c.t.RaiseType("cannot pickle '%s' object", nameOf(v)))
	}
	return v, nil
}

// deque copies a deque, which parts of it may refer to.
func (c *copier) deque(v value) (value, *exception) {
	most, x := c.t.GetAttr(v, "maxlen")
	if x != nil {
		return value{}, x
	}
	out, x := c.t.Construct(dequeClass, []value{object.NewTuple(nil), most}, nil)
	if x != nil {
		return value{}, x
	}
	c.keep(c.t.ID(v), v, out)
	items, x := c.t.Items(v)
	if x != nil {
		return value{}, x
	}
	for _, e := range items {
		w, x := c.deep(e)
		if x != nil {
			return value{}, x
		}
		if _, x := callMethod(c.t, out, "append", w); x != nil {
			return value{}, x
		}
	}
	return out, nil
}

func init() {
	copyErrorClass.Module = "copy"
	copyErrorClass.Ready()
	copierClass.Final = true
	copierClass.Own.Children = func(v value, visit func(value)) int {
		c := v.Native().(*copier)
		for _, w := range c.made {
			visit(w)
		}
		for _, w := range c.held {
			visit(w)
		}
		return 96 + 96*len(c.made)
	}
	copierClass.Ready()
}
