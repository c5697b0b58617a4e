package data

// List is a list whose elements lie side by side; the empty one is ().
type List struct {
	Head
	items []Value
	Meta  Value
}

// Cons is an element before a sequence.
type Cons struct {
	Head
	first, rest Value
	n           int // the length, of a list; 0 for a sequence that does not know it
}

// Lazy is a sequence that is computed when it is first looked at, once.
type Lazy struct {
	Head
	step func(t *Thread) Value
	seq  Value
	busy bool
}

// Chunk is a run of computed elements before the rest.
type Chunk struct {
	Head
	items []Value
	rest  Value
}

// Range is a run of integers.
type Range struct {
	Head
	from, to, step int64 // to is not part of it
}

// Empty is the empty list.
var Empty = ListOf(nil)

// ListOf makes a list that takes over the elements.
func ListOf(items []Value) Value {
	l := &List{items: items}
	l.kind, l.self = KindList, l
	return Value{o: &l.Head}
}

// NewCons puts an element before a sequence, as cons does: rest is any sequence,
// nil for none.
func NewCons(first, rest Value) Value {
	c := &Cons{first: first, rest: rest}
	c.kind, c.self = KindCons, c
	return Value{o: &c.Head}
}

// Push puts an element before a list; the result is a list.
func Push(list, first Value) Value {
	v := NewCons(first, list)
	v.o.self.(*Cons).n = 1 + ListLen(list)
	return v
}

// IsList reports whether the value is a list, as list? tells.
func IsList(v Value) bool {
	switch v.Kind() {
	case KindList:
		return true
	case KindCons:
		return v.o.self.(*Cons).n > 0
	}
	return false
}

// ListLen is the length of a list.
func ListLen(v Value) int {
	switch x := v.Unbox().(type) {
	case *List:
		return len(x.items)
	case *Cons:
		return x.n
	}
	return 0
}

// NewLazy makes a sequence of a step that computes it: the step gives any
// seqable, most often a Cons or Chunk with a lazy rest.
func NewLazy(step func(t *Thread) Value) Value {
	l := &Lazy{step: step}
	l.kind, l.self = KindLazy, l
	return Value{o: &l.Head}
}

// NewChunk makes a sequence of computed elements and what follows them.
func NewChunk(items []Value, rest Value) Value {
	if len(items) == 0 {
		return rest
	}
	c := &Chunk{items: items, rest: rest}
	c.kind, c.self = KindChunk, c
	return Value{o: &c.Head}
}

// NewRange makes the integers from one up or down to another.
func NewRange(from, to, step int64) Value {
	if step > 0 && from >= to || step < 0 && from <= to {
		return Empty
	}
	r := &Range{from: from, to: to, step: step}
	r.kind, r.self = KindRange, r
	return Value{o: &r.Head}
}

func (r *Range) length() int {
	if r.step > 0 {
		return int((uint64(r.to-r.from) + uint64(r.step) - 1) / uint64(r.step))
	}
	return int((uint64(r.from-r.to) + uint64(-r.step) - 1) / uint64(-r.step))
}

// after is the range without its first n elements.
func (r *Range) after(n int) Value {
	if n >= r.length() {
		return Nil
	}
	return NewRange(r.from+int64(n)*r.step, r.to, r.step)
}

// lazyBytes is what a lazy step and its closure take.
const lazyBytes = 160

// realised computes the sequence behind a lazy one: never itself lazy.
func (l *Lazy) realised(t *Thread) Value {
	if l.step == nil {
		return l.seq
	}
	if l.busy {
		Throw("StackOverflowError", "the lazy sequence needs its own value to be computed.")
	}
	t.Enter()
	t.Alloc(lazyBytes)
	step := l.step
	l.busy = true
	defer func() { l.busy = false }()
	v := step(t)
	for v.Kind() == KindLazy {
		in := v.o.self.(*Lazy)
		if in.step == nil {
			v = in.seq
			continue
		}
		if in.busy {
			Throw("StackOverflowError", "the lazy sequence needs its own value to be computed.")
		}
		t.Charge(1)
		v = in.inner(t)
	}
	t.Leave()
	l.seq, l.step = Seq(t, v), nil
	return l.seq
}

// inner runs one step of a lazy sequence that stands for another one.
func (l *Lazy) inner(t *Thread) Value {
	l.busy = true
	defer func() { l.busy = false }()
	v := l.step(t)
	if v.Kind() != KindLazy {
		v = Seq(t, v)
		l.seq, l.step = v, nil
	}
	return v
}

// Realised reports whether a lazy sequence has been computed.
func (l *Lazy) Realised() bool { return l.step == nil }

// Seqable reports whether a value can be read as a sequence.
func Seqable(v Value) bool {
	switch v.Kind() {
	case KindNil, KindString, KindList, KindCons, KindLazy, KindChunk, KindRange, KindVector, KindMap, KindSet:
		return true
	}
	return false
}

// IsSeq reports whether a value is a sequence, as seq? tells.
func IsSeq(v Value) bool {
	switch v.Kind() {
	case KindList, KindCons, KindLazy, KindChunk, KindRange:
		return true
	}
	return false
}

// Sequential reports whether a value is a sequence or vector.
func Sequential(v Value) bool { return IsSeq(v) || v.Kind() == KindVector }

// Seq gives a value as a sequence that has a first element, or nil when it is
// empty. What is no collection is an error.
func Seq(t *Thread, v Value) Value {
	switch v.Kind() {
	case KindNil, KindCons, KindChunk, KindRange:
		return v
	case KindList:
		if len(v.o.self.(*List).items) == 0 {
			return Nil
		}
		return v
	case KindLazy:
		return v.o.self.(*Lazy).realised(t)
	case KindVector:
		return v.asVector().seq(0)
	case KindMap:
		return sequence(v.asMap().Entries(t))
	case KindSet:
		return sequence(v.asSet().Elements(t))
	case KindString:
		s := v.text().S
		t.Alloc(16 * len(s))
		return sequence(Chars(s))
	}
	ThrowHint("IllegalArgumentException", "a sequence is needed here, and this is "+Describe(t, v)+".", "Wrap a single value as [x].")
	return Nil
}

func sequence(items []Value) Value {
	if len(items) == 0 {
		return Nil
	}
	return NewChunk(items, Nil)
}

// seq is the sequence of a vector from an index.
func (v *Vector) seq(i int) Value {
	if i >= v.n {
		return Nil
	}
	b := v.blockAt(i)
	next := i + len(b)
	if next >= v.n {
		return NewChunk(b, Nil)
	}
	return NewChunk(b, NewLazy(func(*Thread) Value { return v.seq(next) }))
}

// First gives the first element, nil of an empty collection.
func First(t *Thread, v Value) Value {
	switch v.Kind() {
	case KindVector:
		if x := v.asVector(); x.n > 0 {
			return x.At(0)
		}
		return Nil
	case KindRange:
		return Int(v.o.self.(*Range).from)
	}
	switch x := Seq(t, v).Unbox().(type) {
	case *List:
		return x.items[0]
	case *Cons:
		return x.first
	case *Chunk:
		return x.items[0]
	case *Range:
		return Int(x.from)
	}
	return Nil
}

// Rest gives what follows the first element: a sequence, perhaps not yet
// computed, or the empty list.
func Rest(t *Thread, v Value) Value {
	t.Alloc(64)
	var rest Value
	switch x := Seq(t, v).Unbox().(type) {
	case *List:
		return ListOf(x.items[1:])
	case *Cons:
		rest = x.rest
	case *Chunk:
		rest = NewChunk(x.items[1:], x.rest)
	case *Range:
		rest = x.after(1)
	}
	if rest.IsNil() {
		return Empty
	}
	return rest
}

// Next is Rest as a sequence with a first element, or nil.
func Next(t *Thread, v Value) Value { return Seq(t, Rest(t, v)) }

// Run gives the elements of a sequence that are at hand side by side and what
// follows: one element, unless the sequence has computed more together. s is what
// Seq gave, and not nil.
func Run(t *Thread, s Value) (items []Value, rest Value) {
	switch x := s.Unbox().(type) {
	case *List:
		return x.items, Nil
	case *Cons:
		return []Value{x.first}, x.rest
	case *Chunk:
		return x.items, x.rest
	case *Range:
		n := min(x.length(), width)
		t.Alloc(16 * n)
		items = make([]Value, n)
		for i := range items {
			items[i] = Int(x.from + int64(i)*x.step)
		}
		return items, x.after(n)
	}
	return nil, Nil
}

// Settled computes all lazy parts of a value, so that it can be read later without
// running anything.
func Settled(t *Thread, v Value) { settle(t, v, map[*Head]bool{}) }

func settle(t *Thread, v Value, seen map[*Head]bool) {
	switch v.Kind() {
	case KindMap, KindSet, KindVector, KindList, KindCons, KindLazy, KindChunk:
	default:
		return
	}
	if seen[v.o] {
		return
	}
	t.Alloc(32)
	seen[v.o] = true
	t.Enter()
	switch v.Kind() {
	case KindMap:
		v.asMap().Each(t, func(k, x Value) bool {
			settle(t, k, seen)
			settle(t, x, seen)
			return true
		})
	default:
		for it := Iterate(t, v); it.Next(); {
			settle(t, it.Value, seen)
		}
	}
	t.Leave()
}

// Chunked reports whether a sequence computes its elements in runs.
func Chunked(s Value) bool { k := s.Kind(); return k == KindChunk || k == KindRange }

// Iterator walks a collection from the front, computing lazy parts as it goes.
//
//	for it := Iterate(t, coll); it.Next(); { use(it.Value) }
type Iterator struct {
	Value Value

	t     *Thread
	items []Value
	i     int
	rest  Value
	vec   *Vector
	at    int // of the next block of vec
	run   *Range
	next  int64
}

// Iterate starts a walk. What is no collection is an error.
func Iterate(t *Thread, v Value) Iterator { return Iterator{t: t, rest: v} }

// Next moves on, and charges one unit.
func (it *Iterator) Next() bool {
	it.t.Charge(1)
	if it.i < len(it.items) {
		it.Value = it.items[it.i]
		it.i++
		return true
	}
	return it.load()
}

func (it *Iterator) load() bool {
	if r := it.run; r != nil {
		if r.step > 0 && it.next < r.to || r.step < 0 && it.next > r.to {
			it.Value = Int(it.next)
			it.next += r.step
			if r.step > 0 && it.next < r.from || r.step < 0 && it.next > r.from { // it wrapped
				it.next = r.to
			}
			return true
		}
		it.run = nil
		return false
	}
	if it.vec != nil {
		if it.at < it.vec.n {
			it.take(it.vec.blockAt(it.at))
			it.at += len(it.items)
			return true
		}
		it.vec = nil
		return false
	}
	return it.follow()
}

func (it *Iterator) take(items []Value) {
	it.items, it.i, it.Value = items, 1, items[0]
}

// follow opens the rest.
func (it *Iterator) follow() bool {
	rest := it.rest
	switch x := rest.Unbox().(type) {
	case nil:
		if rest.Kind() != KindNil {
			Seq(it.t, rest) // refuses it
		}
		return false
	case *Vector:
		it.rest, it.vec, it.at = Nil, x, 0
		return it.load()
	case *Range:
		it.rest, it.run, it.next = Nil, x, x.from
		return it.load()
	case *Cons:
		it.items, it.i = nil, 0
		it.Value, it.rest = x.first, x.rest
		return true
	}
	s := Seq(it.t, rest)
	if s.IsNil() {
		it.rest = Nil
		return false
	}
	if s.Kind() == KindCons || s.Kind() == KindRange {
		it.rest = s
		return it.follow()
	}
	items, more := Run(it.t, s)
	it.rest = more
	it.take(items)
	return true
}

// Remaining gives what has not been walked yet, as a sequence.
func (it *Iterator) Remaining() Value {
	rest := it.rest
	switch {
	case it.vec != nil:
		rest = it.vec.seq(it.at)
	case it.run != nil:
		if it.next == it.run.to {
			return Nil
		}
		return NewRange(it.next, it.run.to, it.run.step)
	}
	return NewChunk(it.items[min(it.i, len(it.items)):], rest)
}

// Collect gives all elements of a collection; the slice is the caller's.
func Collect(t *Thread, v Value) []Value {
	switch x := v.Unbox().(type) {
	case *Vector:
		return x.Slice(t, 0, x.n)
	case *List:
		t.Alloc(16 * len(x.items))
		return append([]Value(nil), x.items...)
	}
	var out []Value
	for it := Iterate(t, v); it.Next(); {
		if len(out) == cap(out) {
			t.Alloc(16 * max(8, len(out)))
		}
		out = append(out, it.Value)
	}
	return out
}

// Count gives the number of elements of a collection or characters of a text.
func Count(t *Thread, v Value) int {
	switch x := v.Unbox().(type) {
	case nil:
		if v.IsNil() {
			return 0
		}
	case *Vector:
		return x.n
	case *Map:
		if x.Row != nil && x.Row.Rows != nil {
			return *x.Row.Rows
		}
		return x.Len()
	case *Set:
		return x.Len()
	case *Text:
		return x.Length()
	case *List:
		return len(x.items)
	case *Range:
		return x.length()
	case *Cons:
		if x.n > 0 {
			return x.n
		}
	}
	if !IsSeq(v) {
		ThrowHint("UnsupportedOperationException", "count is not defined on "+Describe(t, v)+".", "Count a collection or a text.")
	}
	n := 0
	for it := Iterate(t, v); it.Next(); {
		n++
	}
	return n
}

// Known gives the elements of a sequence that have been computed, and whether those
// are all. It runs nothing.
func Known(v Value) (items []Value, all bool) {
	for {
		switch x := v.Unbox().(type) {
		case nil:
			return items, true
		case *Lazy:
			if x.step != nil {
				return items, false
			}
			v = x.seq
		case *Cons:
			items, v = append(items, x.first), x.rest
		case *Chunk:
			items, v = append(items, x.items...), x.rest
		default:
			return append(items, Collect(Unmetered(), v)...), true
		}
	}
}
