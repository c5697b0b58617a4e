package data

// A block holds width elements; levelBits bits of an index choose among them.
const (
	levelBits = 5
	width     = 1 << levelBits
)

// Vector is a persistent vector: a tree of blocks of 32 and a tail.
type Vector struct {
	Head
	n     int
	shift uint
	root  *branch
	tail  []Value
	room  *room // who may still append to the tail's array; nil for nobody
	hash  uint32
	has   bool // hash is known
	Meta  Value
}

// room is the array behind tails that share it: a vector whose tail is as long as
// used may append in place, because nobody can see what lies behind.
type room struct{ used int }

// branch is an inner block, or at the lowest level a block of elements.
type branch struct {
	kids  []*branch
	elems []Value
}

// VectorOf makes a vector that takes over the elements.
func VectorOf(elems []Value) Value { return NewVector(elems).Value() }

// NewVector is VectorOf without the wrapping.
func NewVector(elems []Value) *Vector {
	v := &Vector{n: len(elems)}
	v.kind, v.self = KindVector, v
	if len(elems) <= width {
		v.tail = elems
		return v
	}
	v.build(elems)
	return v
}

// build makes the tree over the elements, whose array becomes its blocks.
func (v *Vector) build(elems []Value) {
	full := (len(elems) - 1) / width * width
	v.tail = elems[full:len(elems):len(elems)]
	level := make([]*branch, 0, full/width)
	for i := 0; i < full; i += width {
		level = append(level, &branch{elems: elems[i : i+width : i+width]})
	}
	v.shift = levelBits
	for {
		var up []*branch
		for i := 0; i < len(level); i += width {
			up = append(up, &branch{kids: level[i:min(i+width, len(level)):min(i+width, len(level))]})
		}
		if len(up) == 1 {
			v.root = up[0]
			return
		}
		level = up
		v.shift += levelBits
	}
}

// Value gives the vector as a value.
func (v *Vector) Value() Value { return Value{o: &v.Head} }

func (v Value) asVector() *Vector { return v.o.self.(*Vector) }

// Vector gives a vector, or nil.
func (v Value) Vector() *Vector {
	if v.o == nil || v.o.kind != KindVector {
		return nil
	}
	return v.o.self.(*Vector)
}

// Pair makes a vector of two, as the entries of maps are.
func Pair(a, b Value) Value { return VectorOf([]Value{a, b}) }

// Len counts the elements.
func (v *Vector) Len() int { return v.n }

// At gives an element within the length.
func (v *Vector) At(i int) Value {
	from := v.n - len(v.tail)
	if i >= from {
		return v.tail[i-from]
	}
	return v.block(i)[i&(width-1)]
}

// block is the block of elements in the tree that holds an index.
func (v *Vector) block(i int) []Value {
	b := v.root
	for s := v.shift; s > 0; s -= levelBits {
		b = b.kids[i>>s&(width-1)]
	}
	return b.elems
}

// blockAt is the run of elements from an index to the end of its block.
func (v *Vector) blockAt(i int) []Value {
	from := v.n - len(v.tail)
	if i >= from {
		return v.tail[i-from:]
	}
	return v.block(i)[i&(width-1):]
}

// vectorBytes is the room of a vector's own record.
const vectorBytes = 112

// Append gives the vector with one more element.
func (v *Vector) Append(t *Thread, x Value) *Vector {
	t.Alloc(vectorBytes + 16)
	w := &Vector{n: v.n + 1, shift: v.shift, root: v.root, Meta: v.Meta}
	w.kind, w.self = KindVector, w
	if len(v.tail) == width {
		w.pushTail(t, v)
		t.Alloc(4 * 16)
		w.tail, w.room = append(make([]Value, 0, 4), x), &room{used: 1}
		return w
	}
	if v.room != nil && v.room.used == len(v.tail) && len(v.tail) < cap(v.tail) {
		v.room.used++
		w.tail, w.room = append(v.tail, x), v.room
		return w
	}
	size := min(width, max(4, 2*len(v.tail)))
	t.Alloc(size * 16)
	w.tail = append(append(make([]Value, 0, size), v.tail...), x)
	w.room = &room{used: len(w.tail)}
	return w
}

// pushTail moves the full tail of v into the tree of w.
func (w *Vector) pushTail(t *Thread, v *Vector) {
	leaf := &branch{elems: v.tail}
	if v.root == nil {
		w.shift, w.root = levelBits, &branch{kids: []*branch{leaf}}
		return
	}
	t.Alloc(256)
	if (v.n >> levelBits) > 1<<v.shift {
		w.root = &branch{kids: []*branch{v.root, path(v.shift, leaf)}}
		w.shift = v.shift + levelBits
		return
	}
	w.root = v.root.push(v.n-1, v.shift, leaf)
}

func path(shift uint, leaf *branch) *branch {
	for ; shift > 0; shift -= levelBits {
		leaf = &branch{kids: []*branch{leaf}}
	}
	return leaf
}

func (b *branch) push(last int, shift uint, leaf *branch) *branch {
	c := &branch{kids: append(make([]*branch, 0, len(b.kids)+1), b.kids...)}
	i := last >> shift & (width - 1)
	switch {
	case shift == levelBits:
		c.kids = append(c.kids, leaf)
	case i < len(b.kids):
		c.kids[i] = b.kids[i].push(last, shift-levelBits, leaf)
	default:
		c.kids = append(c.kids, path(shift-levelBits, leaf))
	}
	return c
}

// With gives the vector with another element at an index within the length.
func (v *Vector) With(t *Thread, i int, x Value) *Vector {
	t.Alloc(vectorBytes + 16*width)
	w := &Vector{n: v.n, shift: v.shift, root: v.root, Meta: v.Meta}
	w.kind, w.self = KindVector, w
	from := v.n - len(v.tail)
	if i >= from {
		w.tail = append([]Value(nil), v.tail...)
		w.tail[i-from] = x
		return w
	}
	t.Alloc(256 * int(v.shift/levelBits))
	w.tail, w.room = v.tail, v.room
	w.root = v.root.with(i, v.shift, x)
	return w
}

func (b *branch) with(i int, shift uint, x Value) *branch {
	if shift == 0 {
		c := &branch{elems: append([]Value(nil), b.elems...)}
		c.elems[i&(width-1)] = x
		return c
	}
	c := &branch{kids: append([]*branch(nil), b.kids...)}
	k := i >> shift & (width - 1)
	c.kids[k] = b.kids[k].with(i, shift-levelBits, x)
	return c
}

// Pop gives the vector without its last element; there must be one.
func (v *Vector) Pop(t *Thread) *Vector {
	t.Alloc(vectorBytes)
	if len(v.tail) > 1 {
		w := &Vector{n: v.n - 1, shift: v.shift, root: v.root, Meta: v.Meta, tail: v.tail[: len(v.tail)-1 : len(v.tail)-1]}
		w.kind, w.self = KindVector, w
		return w
	}
	return NewVector(v.Slice(t, 0, v.n-1))
}

// Slice copies a run of elements.
func (v *Vector) Slice(t *Thread, from, to int) []Value {
	t.Alloc((to - from) * 16)
	out := make([]Value, 0, to-from)
	for i := from; i < to; {
		b := v.blockAt(i)
		b = b[:min(len(b), to-i)]
		out = append(out, b...)
		i += len(b)
	}
	return out
}

func (v *Vector) hashed(t *Thread) uint32 {
	if !v.has {
		t.Enter()
		o := newOrdered()
		for i := 0; i < v.n; {
			b := v.blockAt(i)
			t.Charge(len(b))
			for _, x := range b {
				o.add(Hash(t, x))
			}
			i += len(b)
		}
		t.Leave()
		v.hash, v.has = o.sum(), true
	}
	return v.hash
}
