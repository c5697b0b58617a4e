package data

// Set is an immutable set: hashed, or sorted.
type Set struct {
	Head
	m    *Map // each element is a key and its own value
	hash uint32
	has  bool
	Meta Value
}

const setBytes = 80

func newSet(m *Map) *Set {
	s := &Set{m: m}
	s.kind, s.self = KindSet, s
	return s
}

// Value gives the set as a value.
func (s *Set) Value() Value { return Value{o: &s.Head} }

func (v Value) asSet() *Set { return v.o.self.(*Set) }

// Set gives a set, or nil.
func (v Value) Set() *Set {
	if v.o == nil || v.o.kind != KindSet {
		return nil
	}
	return v.o.self.(*Set)
}

// SetOf makes a set of elements; of equal ones the first stays.
func SetOf(t *Thread, elems ...Value) *Set {
	b := NewHashBuilder(t)
	for _, x := range elems {
		if _, ok := b.Get(x); !ok {
			b.Put(x, x)
		}
	}
	t.Alloc(setBytes)
	return newSet(b.Map())
}

// NewSortedSet makes an empty sorted set.
func NewSortedSet(by *Order) *Set { return newSet(NewSortedMap(by)) }

// Len counts the elements.
func (s *Set) Len() int { return s.m.n }

// Sorted reports whether the set orders its elements.
func (s *Set) Sorted() bool { return s.m.by != nil }

// Has reports whether a value is in the set.
func (s *Set) Has(t *Thread, x Value) bool { _, ok := s.m.Get(t, x); return ok }

// Get gives the element that equals a value.
func (s *Set) Get(t *Thread, x Value) (Value, bool) {
	k, _, ok := s.m.Entry(t, x)
	return k, ok
}

// With gives the set with one more element.
func (s *Set) With(t *Thread, x Value) *Set {
	if s.Has(t, x) {
		return s
	}
	t.Alloc(setBytes)
	w := newSet(s.m.With(t, x, x))
	w.Meta = s.Meta
	return w
}

// Without gives the set without an element.
func (s *Set) Without(t *Thread, x Value) *Set {
	if !s.Has(t, x) {
		return s
	}
	t.Alloc(setBytes)
	w := newSet(s.m.Without(t, x))
	w.Meta = s.Meta
	return w
}

// Elements gives the elements in the set's order.
func (s *Set) Elements(t *Thread) []Value { return s.m.Keys(t) }

// Each calls f for each element until f gives false.
func (s *Set) Each(t *Thread, f func(x Value) bool) {
	s.m.Each(t, func(k, _ Value) bool { return f(k) })
}

func (s *Set) hashed(t *Thread) uint32 {
	if !s.has {
		t.Enter()
		var h uint32
		s.Each(t, func(x Value) bool { h += Hash(t, x); return true })
		t.Leave()
		s.hash, s.has = mixCollection(h, s.Len()), true
	}
	return s.hash
}
