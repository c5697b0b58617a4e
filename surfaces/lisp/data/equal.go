package data

// Equal is =: by value, sequences and vectors alike element by element, numbers
// within their category.
func Equal(t *Thread, a, b Value) bool {
	if a == b {
		return a.o != &headFloat || !isNaN(a)
	}
	ka, kb := a.Kind(), b.Kind()
	switch ka {
	case KindNil, KindBool, KindChar:
		return false // equal ones are identical
	case KindInt, KindFloat, KindBig, KindRatio:
		return b.IsNumber() && SameNumber(a, b)
	case KindString:
		if kb != KindString {
			return false
		}
		x, y := a.text().S, b.text().S
		if len(x) != len(y) {
			return false
		}
		if len(x) > 256 {
			t.Charge(len(x) >> 6)
		}
		return x == y
	case KindKeyword, KindSymbol:
		return ka == kb && a.Named().equal(b.Named())
	case KindMap, KindSet, KindVector, KindList, KindCons, KindLazy, KindChunk, KindRange:
		c := comparison{t: t}
		return c.containers(a, b)
	}
	return false
}

func isNaN(v Value) bool { f, _ := v.Float(); return f != f }

// comparison is one walk over two structures. A structure that is shared within
// itself is compared once: pairs of containers that were equal are remembered when
// the walk grows long.
type comparison struct {
	t     *Thread
	steps int
	equal map[[2]*Head]bool
}

const rememberAfter = 64

func (c *comparison) values(a, b Value) bool {
	switch a.Kind() {
	case KindMap, KindSet, KindVector, KindList, KindCons, KindLazy, KindChunk, KindRange:
		return c.containers(a, b)
	}
	return Equal(c.t, a, b)
}

func (c *comparison) containers(a, b Value) bool {
	if a == b {
		return true
	}
	c.t.Charge(1)
	pair := [2]*Head{a.o, b.o}
	if c.steps++; c.steps > rememberAfter {
		if c.equal[pair] {
			return true
		}
	}
	c.t.Enter()
	same := c.compare(a, b)
	c.t.Leave()
	if same && c.steps > rememberAfter {
		if c.equal == nil {
			c.equal = map[[2]*Head]bool{}
		}
		c.t.Alloc(48)
		c.equal[pair] = true
	}
	return same
}

func (c *comparison) compare(a, b Value) bool {
	switch a.Kind() {
	case KindMap:
		y := b.Map()
		return y != nil && c.maps(a.asMap(), y)
	case KindSet:
		y := b.Set()
		return y != nil && c.sets(a.asSet(), y)
	case KindVector:
		if y := b.Vector(); y != nil {
			return c.vectors(a.asVector(), y)
		}
	}
	return Sequential(b) && c.sequences(a, b)
}

func (c *comparison) vectors(a, b *Vector) bool {
	if a.n != b.n || a.has && b.has && a.hash != b.hash {
		return false
	}
	for i := 0; i < a.n; {
		x, y := a.blockAt(i), b.blockAt(i)
		x = x[:min(len(x), len(y))]
		c.t.Charge(len(x))
		for j := range x {
			if !c.values(x[j], y[j]) {
				return false
			}
		}
		i += len(x)
	}
	return true
}

func (c *comparison) sequences(a, b Value) bool {
	x, y := Iterate(c.t, a), Iterate(c.t, b)
	for x.Next() {
		if !y.Next() || !c.values(x.Value, y.Value) {
			return false
		}
	}
	return !y.Next()
}

func (c *comparison) maps(a, b *Map) bool {
	if a.n != b.n || a.has && b.has && a.hash != b.hash {
		return false
	}
	same := true
	a.Each(c.t, func(k, v Value) bool {
		w, ok := b.lookup(c.t, k)
		same = ok && c.values(v, w)
		return same
	})
	return same
}

func (c *comparison) sets(a, b *Set) bool {
	if a.Len() != b.Len() || a.has && b.has && a.hash != b.hash {
		return false
	}
	same := true
	a.Each(c.t, func(x Value) bool {
		_, same = b.m.lookup(c.t, x)
		return same
	})
	return same
}

// lookup is Get where a key that a sorted map cannot compare is just not there.
func (m *Map) lookup(t *Thread, k Value) (Value, bool) {
	if m.by != nil && m.tree != nil && !comparable(k, m.tree.key) {
		return Nil, false
	}
	return m.Get(t, k)
}

func comparable(a, b Value) bool {
	return a.IsNil() || b.IsNil() || a.IsNumber() && b.IsNumber() || a.Kind() == b.Kind()
}
