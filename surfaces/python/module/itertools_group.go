package module

import "github.com/polyglove/polyglove/surfaces/python/object"

// grouping is the state that groupby shares with its groups.
type grouping struct {
	src            object.Iterator
	held, key      value
	current, value value // the key and value read last
	target         value // the key of the group given last
	group          int   // its number
}

// read takes the next value with its key; ok is false at the end.
func (g *grouping) read(t *thread) (ok bool, raised *exception) {
	v, x := g.src.Next(t)
	if x != nil || !v.IsSet() {
		return false, x
	}
	k := v
	if g.key.IsSet() && !g.key.IsNone() {
		if k, x = t.Call(g.key, v); x != nil {
			return false, x
		}
	}
	g.current, g.value = k, v
	return true, t.Charge(1)
}

func (g *grouping) hold(visit func(value)) {
	visit(g.held)
	visit(g.key)
	visit(g.current)
	visit(g.value)
	visit(g.target)
}

func makeGroupBy(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	g := &grouping{src: src, held: held, key: object.Arg(a, 1)}
	it := lazy(c, func(t *thread) (value, *exception) {
		g.group++
		for {
			if g.current.IsSet() {
				if !g.target.IsSet() {
					break
				}
				same, x := t.Equal(g.target, g.current)
				if x != nil {
					return value{}, x
				}
				if !same {
					break
				}
			}
			if ok, x := g.read(t); !ok || x != nil {
				return value{}, x
			}
		}
		g.target = g.current
		return g.give(t)
	})
	it.holds = g.hold
	return object.Box(it), nil
}

// give makes the pair of a key and the iterator of its group, which ends when
// groupby goes on.
func (g *grouping) give(t *thread) (value, *exception) {
	number, key := g.group, g.target
	group := lazy(grouperClass, func(t *thread) (value, *exception) {
		if g.group != number {
			return value{}, nil
		}
		if !g.value.IsSet() {
			if ok, x := g.read(t); !ok || x != nil {
				return value{}, x
			}
		}
		same, x := t.Equal(key, g.current)
		if x != nil || !same {
			return value{}, x
		}
		v := g.value
		g.value = value{}
		return v, nil
	})
	group.holds = g.hold
	if x := t.Alloc(160); x != nil {
		return value{}, x
	}
	return t.Tuple(key, object.Box(group))
}

// makeTee gives iterators that share what has been read.
func makeTee(t *thread, a []value) (value, *exception) {
	n := int64(2)
	if v, ok := given(a, 1); ok {
		var x *exception
		if n, x = integer(t, v); x != nil {
			return value{}, x
		}
		if n < 0 {
			return raised(t.RaiseValue("n must be >= 0"))
		}
	}
	if x := t.Alloc(int(min(n, 1<<40)) * 200); x != nil {
		return value{}, x
	}
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	shared := object.NewList(nil)
	l, _ := shared.List()
	out := make([]value, n)
	for i := range out {
		at := 0
		out[i] = object.Box(lazy(teeClass, func(t *thread) (value, *exception) {
			if at == l.Len() {
				v, x := src.Next(t)
				if x != nil || !v.IsSet() {
					return value{}, x
				}
				if x := l.Append(t, v); x != nil {
					return value{}, x
				}
			}
			at++
			return l.Items()[at-1], nil
		}, held, shared))
	}
	return t.Tuple(out...)
}
