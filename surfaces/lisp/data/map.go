package data

import (
	"math/bits"
	"slices"
)

// flatLimit is how many entries a map keeps in the order in which they came; a
// larger one is ordered by hash, as Clojure's are.
const flatLimit = 8

// Map is an immutable map: flat, hashed or sorted.
type Map struct {
	Head
	n    int
	keys []Value // flat
	vals []Value
	rows *Shape // of a flat map of more than flatLimit entries
	root *trie  // hashed
	null *Value // of a hashed map, the value of the key nil, which comes first
	tree *tree  // sorted; nil for an empty one
	by   *Order // of a sorted map; nil for the others
	hash uint32
	has  bool
	Meta Value
	Row  *Row // the map is a row that a capability gave
}

// Row is what is known of the rows that a capability gave; see [Map.Row].
type Row struct {
	// Missed is told of a keyword that was looked up and that the row lacks.
	Missed func(key Value)
	// Rows is, of the result of a write, how many rows it touched, which count
	// gives; nil for other maps.
	Rows *int
}

// Shape is the set of keys that many rows share.
type Shape struct {
	Keys  []Value
	index map[string]int // by the text of a keyword
	order []int          // the order in which a map shows them
}

// NewShape makes a shape of keywords.
func NewShape(t *Thread, keys []Value) *Shape {
	s := &Shape{Keys: keys}
	if len(keys) <= flatLimit {
		return s
	}
	s.index = make(map[string]int, len(keys))
	for i, k := range keys {
		s.index[k.Named().Full()] = i
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		return int(int64(reversed(Hash(t, keys[a]))) - int64(reversed(Hash(t, keys[b]))))
	})
	return s
}

// reversed orders hashes as the tree of a hashed map does: by its groups of five
// bits, the lowest first.
func reversed(h uint32) uint64 {
	var out uint64
	for range 7 {
		out = out<<levelBits | uint64(h&(width-1))
		h >>= levelBits
	}
	return out
}

// NewRow makes a map with the keys of a shape.
func (s *Shape) NewRow(vals []Value) *Map {
	m := newMap()
	m.n, m.keys, m.vals = len(vals), s.Keys, vals
	if s.index != nil {
		m.rows = s
	}
	return m
}

func newMap() *Map {
	m := &Map{}
	m.kind, m.self = KindMap, m
	return m
}

// NewMap makes an empty map.
func NewMap() *Map { return newMap() }

// Value gives the map as a value.
func (m *Map) Value() Value { return Value{o: &m.Head} }

func (v Value) asMap() *Map { return v.o.self.(*Map) }

// Map gives a map, or nil.
func (v Value) Map() *Map {
	if v.o == nil || v.o.kind != KindMap {
		return nil
	}
	return v.o.self.(*Map)
}

// Len counts the entries.
func (m *Map) Len() int { return m.n }

// Sorted reports whether the map orders its keys.
func (m *Map) Sorted() bool { return m.by != nil }

// find gives the position of a key in a flat map.
func (m *Map) find(t *Thread, k Value) int {
	if name := k.Named(); name != nil {
		return m.findName(k, name)
	}
	if m.rows != nil {
		return -1 // its keys are keywords
	}
	for i, x := range m.keys {
		if x.o == k.o && x.n == k.n || x.Kind() != KindKeyword && Equal(t, x, k) {
			return i
		}
	}
	return -1
}

func (m *Map) findName(k Value, name *Name) int {
	if m.rows != nil {
		if k.Kind() != KindKeyword {
			return -1
		}
		if name.Space == "" {
			if i, ok := m.rows.index[name.Name]; ok {
				return i
			}
			return -1
		}
		if i, ok := m.rows.index[name.Full()]; ok {
			return i
		}
		return -1
	}
	for i, x := range m.keys {
		if x.o == k.o {
			return i
		}
	}
	for i, x := range m.keys {
		if x.o != nil && x.o.kind == k.o.kind && x.o.self.(*Name).equal(name) {
			return i
		}
	}
	return -1
}

// Get gives the value of a key.
func (m *Map) Get(t *Thread, k Value) (Value, bool) {
	switch {
	case m.by != nil:
		if n := m.tree.find(t, m.by, k); n != nil {
			return n.val, true
		}
		return Nil, false
	case m.root != nil:
		if k.IsNil() {
			if m.null != nil {
				return *m.null, true
			}
			return Nil, false
		}
		if e := m.root.find(t, Hash(t, k), k); e != nil {
			return e.val, true
		}
		return Nil, false
	}
	if i := m.find(t, k); i >= 0 {
		return m.vals[i], true
	}
	return Nil, false
}

// Entry gives the key that is in the map and its value.
func (m *Map) Entry(t *Thread, k Value) (key, val Value, ok bool) {
	switch {
	case m.by != nil:
		if n := m.tree.find(t, m.by, k); n != nil {
			return n.key, n.val, true
		}
	case m.root != nil:
		if k.IsNil() && m.null != nil {
			return Nil, *m.null, true
		}
		if e := m.root.find(t, Hash(t, k), k); e != nil {
			return e.key, e.val, true
		}
	default:
		if i := m.find(t, k); i >= 0 {
			return m.keys[i], m.vals[i], true
		}
	}
	return Nil, Nil, false
}

// mapBytes is the room of a map's own record.
const mapBytes = 176

// With gives the map with a value for a key.
func (m *Map) With(t *Thread, k, v Value) *Map {
	t.Alloc(mapBytes)
	w := &Map{Meta: m.Meta, Row: m.Row, by: m.by, n: m.n}
	w.kind, w.self = KindMap, w
	switch {
	case m.by != nil:
		var added bool
		w.tree, added = m.tree.with(t, m.by, k, v)
		w.n += btoi(added)
		return w
	case m.root != nil:
		w.root, w.null = m.root, m.null
		w.put(t, nil, k, v)
		return w
	}
	if i := m.find(t, k); i >= 0 {
		t.Alloc(16 * m.n)
		w.keys, w.rows = m.keys, m.rows
		w.vals = append([]Value(nil), m.vals...)
		w.vals[i] = v
		return w
	}
	if m.n < flatLimit {
		t.Alloc(32 * (m.n + 1))
		w.keys = append(append(make([]Value, 0, m.n+1), m.keys...), k)
		w.vals = append(append(make([]Value, 0, m.n+1), m.vals...), v)
		w.n++
		return w
	}
	b := m.builder(t)
	b.Put(k, v)
	out := b.Map()
	out.Meta, out.Row = m.Meta, m.Row
	return out
}

// put sets the value of a key of a hashed map in place; its blocks are changed only
// for their owner.
func (m *Map) put(t *Thread, owner *Map, k, v Value) {
	if k.IsNil() {
		m.n += btoi(m.null == nil)
		m.null = &v
		return
	}
	var added bool
	m.root, added = m.root.with(t, owner, 0, Hash(t, k), k, v)
	m.n += btoi(added)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Without gives the map without a key.
func (m *Map) Without(t *Thread, k Value) *Map {
	if _, ok := m.Get(t, k); !ok {
		return m
	}
	t.Alloc(mapBytes)
	w := &Map{Meta: m.Meta, Row: m.Row, by: m.by, n: m.n - 1}
	w.kind, w.self = KindMap, w
	switch {
	case m.by != nil:
		w.tree = m.tree.without(t, m.by, k)
	case m.root != nil && k.IsNil():
		w.root = m.root
	case m.root != nil:
		w.null = m.null
		w.root = m.root.without(t, 0, Hash(t, k), k)
		if w.root == nil {
			w.root = emptyTrie
		}
	case m.rows != nil:
		b := m.builder(t)
		out := b.Map()
		return out.Without(t, k)
	default:
		i := m.find(t, k)
		t.Alloc(32 * m.n)
		w.keys = append(append(make([]Value, 0, m.n-1), m.keys[:i]...), m.keys[i+1:]...)
		w.vals = append(append(make([]Value, 0, m.n-1), m.vals[:i]...), m.vals[i+1:]...)
	}
	return w
}

// Each calls f for each entry in the map's order until f gives false.
func (m *Map) Each(t *Thread, f func(k, v Value) bool) {
	switch {
	case m.by != nil:
		m.tree.each(t, f)
	case m.root != nil:
		if m.null != nil && !f(Nil, *m.null) {
			return
		}
		m.root.each(t, f)
	case m.rows != nil:
		for _, i := range m.rows.order {
			t.Charge(1)
			if !f(m.keys[i], m.vals[i]) {
				return
			}
		}
	default:
		for i, k := range m.keys {
			t.Charge(1)
			if !f(k, m.vals[i]) {
				return
			}
		}
	}
}

// Entries gives the entries as pairs, in the map's order.
func (m *Map) Entries(t *Thread) []Value {
	t.Alloc(m.n * (16 + vectorBytes + 32))
	out := make([]Value, 0, m.n)
	m.Each(t, func(k, v Value) bool {
		out = append(out, Pair(k, v))
		return true
	})
	return out
}

// Keys gives the keys in the map's order.
func (m *Map) Keys(t *Thread) []Value {
	t.Alloc(m.n * 16)
	out := make([]Value, 0, m.n)
	m.Each(t, func(k, _ Value) bool {
		out = append(out, k)
		return true
	})
	return out
}

// Vals gives the values in the map's order.
func (m *Map) Vals(t *Thread) []Value {
	t.Alloc(m.n * 16)
	out := make([]Value, 0, m.n)
	m.Each(t, func(_, v Value) bool {
		out = append(out, v)
		return true
	})
	return out
}

func (m *Map) hashed(t *Thread) uint32 {
	if !m.has {
		t.Enter()
		var h uint32
		m.Each(t, func(k, v Value) bool {
			o := newOrdered()
			o.add(Hash(t, k))
			o.add(Hash(t, v))
			h += o.sum()
			return true
		})
		t.Leave()
		m.hash, m.has = mixCollection(h, m.n), true
	}
	return m.hash
}

// Builder makes a map of many entries in place.
type Builder struct {
	t *Thread
	m *Map
}

// NewBuilder starts an empty map.
func NewBuilder(t *Thread) *Builder {
	t.Alloc(mapBytes)
	return &Builder{t: t, m: newMap()}
}

// BuilderOf starts with the entries of a map; the map stays as it is.
func BuilderOf(t *Thread, m *Map) *Builder {
	if m.by != nil || m.root == nil && m.rows == nil {
		t.Alloc(mapBytes + 32*m.n)
		w := &Map{Meta: m.Meta, Row: m.Row, by: m.by, n: m.n, tree: m.tree}
		w.kind, w.self = KindMap, w
		w.keys, w.vals = slices.Clone(m.keys), slices.Clone(m.vals)
		return &Builder{t: t, m: w}
	}
	return m.builder(t)
}

// builder starts a hashed map with the entries of this one.
func (m *Map) builder(t *Thread) *Builder {
	b := NewBuilder(t)
	b.m.root = emptyTrie
	b.m.Meta, b.m.Row = m.Meta, m.Row
	if m.root != nil {
		b.m.root, b.m.n, b.m.null = m.root, m.n, m.null
		return b
	}
	m.Each(t, func(k, v Value) bool { b.Put(k, v); return true })
	return b
}

// NewHashBuilder starts a map that is hashed from the first entry, as the maps
// behind sets are.
func NewHashBuilder(t *Thread) *Builder {
	b := NewBuilder(t)
	b.m.root = emptyTrie
	return b
}

// Get gives the value that has been put for a key.
func (b *Builder) Get(k Value) (Value, bool) { return b.m.Get(b.t, k) }

// Len counts the entries so far.
func (b *Builder) Len() int { return b.m.n }

// Put sets the value of a key. A key that is there keeps its place and its own
// form.
func (b *Builder) Put(k, v Value) {
	m, t := b.m, b.t
	if m.by != nil {
		b.m = m.With(t, k, v)
		return
	}
	if m.root == nil {
		if i := m.find(t, k); i >= 0 {
			m.vals[i] = v
			return
		}
		if m.n < flatLimit {
			t.Alloc(32)
			m.keys, m.vals = append(m.keys, k), append(m.vals, v)
			m.n++
			return
		}
		b.m = m.builder(t).m
		m = b.m
	}
	m.put(t, m, k, v)
}

// Map ends the building.
func (b *Builder) Map() *Map {
	m := b.m
	b.m = nil
	if m.root != nil {
		// a copy of the record: blocks of the tree that name m as their owner may no
		// longer be changed in place
		w := *m
		w.self, w.has = &w, false
		return &w
	}
	return m
}

// MapOf makes a map of keys and values in turn; a later one replaces an earlier.
func MapOf(t *Thread, pairs ...Value) *Map {
	b := NewBuilder(t)
	for i := 0; i+1 < len(pairs); i += 2 {
		b.Put(pairs[i], pairs[i+1])
	}
	return b.Map()
}

// trie is a block of a hashed map: up to 32 entries or blocks below, ordered by
// five bits of the hash.
type trie struct {
	owner   *Map // may change it in place while it is built
	bitmap  uint32
	entries []leaf
}

// leaf is an entry, or a block where below is not nil. Entries whose whole hashes
// are the same share a chain.
type leaf struct {
	below    *trie
	hash     uint32
	key, val Value
	chain    *leaf
}

var emptyTrie = &trie{}

const leafBytes = 56

func (n *trie) find(t *Thread, h uint32, k Value) *leaf {
	rest := h
	for {
		bit := uint32(1) << (rest & (width - 1))
		if n.bitmap&bit == 0 {
			return nil
		}
		e := &n.entries[bits.OnesCount32(n.bitmap&(bit-1))]
		if e.below == nil {
			if e.hash != h {
				return nil
			}
			for ; e != nil; e = e.chain {
				if Equal(t, e.key, k) {
					return e
				}
			}
			return nil
		}
		n, rest = e.below, rest>>levelBits
	}
}

// editable gives the block to change: itself for its owner, else a copy with room.
func (n *trie) editable(t *Thread, owner *Map, more int) *trie {
	if owner != nil && n.owner == owner {
		return n
	}
	t.Alloc(48 + leafBytes*(len(n.entries)+more))
	c := &trie{owner: owner, bitmap: n.bitmap, entries: make([]leaf, len(n.entries), len(n.entries)+more)}
	copy(c.entries, n.entries)
	return c
}

func (n *trie) with(t *Thread, owner *Map, shift uint, h uint32, k, v Value) (*trie, bool) {
	bit := uint32(1) << (h >> shift & (width - 1))
	i := bits.OnesCount32(n.bitmap & (bit - 1))
	if n.bitmap&bit == 0 {
		c := n.editable(t, owner, 1)
		t.Alloc(leafBytes)
		c.entries = slices.Insert(c.entries, i, leaf{hash: h, key: k, val: v})
		c.bitmap |= bit
		return c, true
	}
	e := &n.entries[i]
	if e.below != nil {
		below, added := e.below.with(t, owner, shift+levelBits, h, k, v)
		c := n.editable(t, owner, 0)
		c.entries[i].below = below
		return c, added
	}
	c := n.editable(t, owner, 0)
	e = &c.entries[i]
	if e.hash == h {
		return c, e.put(t, k, v)
	}
	old := *e
	*e = leaf{below: fork(t, owner, shift+levelBits, old, leaf{hash: h, key: k, val: v})}
	return c, true
}

// put sets the value in a chain of one hash; the leaf itself may be changed, those
// behind it are shared.
func (e *leaf) put(t *Thread, k, v Value) bool {
	if Equal(t, e.key, k) {
		e.val = v
		return false
	}
	for x := e.chain; x != nil; x = x.chain {
		if Equal(t, x.key, k) {
			e.chain = e.chain.replaced(t, x, v)
			return false
		}
	}
	t.Alloc(leafBytes)
	e.chain = e.chain.appended(t, leaf{hash: e.hash, key: k, val: v})
	return true
}

func (e *leaf) replaced(t *Thread, at *leaf, v Value) *leaf {
	var head *leaf
	link := &head
	for x := e; x != nil; x = x.chain {
		t.Alloc(leafBytes)
		c := *x
		if x == at {
			c.val = v
		}
		*link = &c
		link = &c.chain
	}
	return head
}

func (e *leaf) appended(t *Thread, last leaf) *leaf {
	var head *leaf
	link := &head
	for x := e; x != nil; x = x.chain {
		t.Alloc(leafBytes)
		c := *x
		*link = &c
		link = &c.chain
	}
	*link = &last
	return head
}

// fork makes the blocks below which two entries of different hashes part.
func fork(t *Thread, owner *Map, shift uint, a, b leaf) *trie {
	t.Alloc(48 + 2*leafBytes)
	x, y := a.hash>>shift&(width-1), b.hash>>shift&(width-1)
	if x == y {
		return &trie{owner: owner, bitmap: 1 << x, entries: []leaf{{below: fork(t, owner, shift+levelBits, a, b)}}}
	}
	n := &trie{owner: owner, bitmap: 1<<x | 1<<y}
	if x < y {
		n.entries = []leaf{a, b}
	} else {
		n.entries = []leaf{b, a}
	}
	return n
}

// without removes a key that is there; nil when nothing is left.
func (n *trie) without(t *Thread, shift uint, h uint32, k Value) *trie {
	bit := uint32(1) << (h >> shift & (width - 1))
	i := bits.OnesCount32(n.bitmap & (bit - 1))
	e := n.entries[i]
	if e.below != nil {
		if below := e.below.without(t, shift+levelBits, h, k); below != nil {
			c := n.editable(t, nil, 0)
			c.entries[i].below = below
			return c
		}
	} else if left := e.cut(t, k); left != nil {
		c := n.editable(t, nil, 0)
		c.entries[i] = *left
		return c
	}
	if len(n.entries) == 1 {
		return nil
	}
	t.Alloc(48 + leafBytes*len(n.entries))
	c := &trie{bitmap: n.bitmap &^ bit, entries: make([]leaf, 0, len(n.entries)-1)}
	c.entries = append(append(c.entries, n.entries[:i]...), n.entries[i+1:]...)
	return c
}

// cut gives the chain without a key; nil when it is empty.
func (e *leaf) cut(t *Thread, k Value) *leaf {
	if Equal(t, e.key, k) {
		return e.chain
	}
	t.Alloc(leafBytes)
	c := *e
	if e.chain != nil {
		c.chain = e.chain.cut(t, k)
	}
	return &c
}

func (n *trie) each(t *Thread, f func(k, v Value) bool) bool {
	for i := range n.entries {
		e := &n.entries[i]
		if e.below != nil {
			if !e.below.each(t, f) {
				return false
			}
			continue
		}
		for ; e != nil; e = e.chain {
			t.Charge(1)
			if !f(e.key, e.val) {
				return false
			}
		}
	}
	return true
}
