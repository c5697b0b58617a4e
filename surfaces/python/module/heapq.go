package module

import "github.com/polyglove/polyglove/surfaces/python/object"

var _ = register("heapq", func(l *Library) *object.Module {
	m := object.NewModule("heapq")
	for _, kind := range []struct {
		suffix string
		max    bool
	}{{"", false}, {"_max", true}} {
		h := func(t *thread, name string, v value) (heap, *exception) {
			list, ok := object.ListOf(v)
			if !ok {
				return heap{}, t.RaiseType("%s() argument must be list, not %s", name, nameOf(v))
			}
			return heap{t, list, kind.max}, nil
		}
		public := func(name string) string {
			if kind.max {
				return "_" + name + kind.suffix
			}
			return name
		}
		m.Func(public("heapify"), "heap /", func(t *thread, a []value) (value, *exception) {
			q, x := h(t, public("heapify"), a[0])
			if x != nil {
				return value{}, x
			}
			for i := q.l.Len()/2 - 1; i >= 0; i-- {
				if x := q.down(i); x != nil {
					return value{}, x
				}
			}
			return object.None, nil
		})
		m.Func(public("heappop"), "heap /", func(t *thread, a []value) (value, *exception) {
			q, x := h(t, public("heappop"), a[0])
			if x != nil {
				return value{}, x
			}
			last, x := callMethod(t, q.l.Value(), "pop")
			if x != nil {
				if x.Is(object.IndexError) {
					x = t.Raise(object.IndexError, "index out of range")
				}
				return value{}, x
			}
			return q.replace(last)
		})
		m.Func(public("heapreplace"), "heap item /", func(t *thread, a []value) (value, *exception) {
			q, x := h(t, public("heapreplace"), a[0])
			if x != nil {
				return value{}, x
			}
			if q.l.Len() == 0 {
				return raised(t.Raise(object.IndexError, "index out of range"))
			}
			return q.replace(a[1])
		})
		if kind.max {
			continue
		}
		m.Func("heappush", "heap item /", func(t *thread, a []value) (value, *exception) {
			q, x := h(t, "heappush", a[0])
			if x != nil {
				return value{}, x
			}
			if x := q.l.Append(t, a[1]); x != nil {
				return value{}, x
			}
			return object.None, q.up(0, q.l.Len()-1)
		})
		m.Func("heappushpop", "heap item /", func(t *thread, a []value) (value, *exception) {
			q, x := h(t, "heappushpop", a[0])
			if x != nil {
				return value{}, x
			}
			if q.l.Len() == 0 {
				return a[1], nil
			}
			less, x := q.before(q.l.Items()[0], a[1])
			if x != nil || !less {
				return a[1], x
			}
			return q.replace(a[1])
		})
	}
	m.Lookup = func(t *thread, name string) (value, bool, *exception) {
		switch name {
		case "merge", "nlargest", "nsmallest":
			rest, x := l.importInside(t, "_heapq")
			if x != nil {
				return value{}, false, x
			}
			f, x := t.GetAttr(rest, name)
			return f, x == nil, x
		}
		return value{}, false, nil
	}
	return m
})

// heap is a list in which no item comes after those at twice its place and one
// beyond.
type heap struct {
	t   *thread
	l   *object.List
	max bool
}

// before reports whether v must stand above w. Comparing may run code of the
// program, which may change the list.
func (q heap) before(v, w value) (bool, *exception) {
	if x := q.t.Charge(2); x != nil {
		return false, x
	}
	n := q.l.Len()
	if q.max {
		v, w = w, v
	}
	less, x := q.t.Less(v, w)
	if x == nil && q.l.Len() != n {
		x = q.t.Raise(object.RuntimeError, "list changed size during iteration")
	}
	return less, x
}

// replace puts an item at the top, in its order, and gives what stood there.
func (q heap) replace(v value) (value, *exception) {
	if q.l.Len() == 0 {
		return v, nil
	}
	top := q.l.Items()[0]
	q.l.Items()[0] = v
	return top, q.down(0)
}

// down moves an item to a leaf along the children that come first, and from there
// up to its place: fewer comparisons than to look for the place on the way down.
func (q heap) down(at int) *exception {
	start, end := at, q.l.Len()
	for child := 2*at + 1; child < end; child = 2*at + 1 {
		if right := child + 1; right < end {
			less, x := q.before(q.l.Items()[child], q.l.Items()[right])
			if x != nil {
				return x
			}
			if !less {
				child = right
			}
		}
		items := q.l.Items()
		items[at], items[child] = items[child], items[at]
		at = child
	}
	return q.up(start, at)
}

// up moves an item to its place, not above start.
func (q heap) up(start, at int) *exception {
	for at > start {
		parent := (at - 1) / 2
		less, x := q.before(q.l.Items()[at], q.l.Items()[parent])
		if x != nil {
			return x
		}
		if !less {
			break
		}
		items := q.l.Items()
		items[at], items[parent] = items[parent], items[at]
		at = parent
	}
	return nil
}
