package object

// Set is a set or a frozenset: the keys of a dict, in the order of insertion.
type Set struct {
	Obj
	d Dict
}

const setSize = 136

// newSet makes an empty set.
func newSet(frozen bool) *Set {
	s := &Set{}
	s.kind, s.self = KindSet, s
	if frozen {
		s.kind = KindFrozenSet
	}
	return s
}

// Set charges for an empty set and makes it.
func (t *Thread) Set(frozen bool) (*Set, *Exception) {
	if x := t.Alloc(setSize); x != nil {
		return nil, x
	}
	return newSet(frozen), nil
}

// SetOf gives the set behind a value: set, frozenset or a subclass.
func SetOf(v Value) (*Set, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	return v.Set()
}

// Value gives the set as a value.
func (s *Set) Value() Value { return Value{o: &s.Obj} }

// Len counts the members.
func (s *Set) Len() int { return s.d.used }

// Add adds a member.
func (s *Set) Add(t *Thread, v Value) *Exception {
	h, x := t.Hash(v)
	if x != nil {
		return x
	}
	return s.addHash(t, h, v)
}

func (s *Set) addHash(t *Thread, h uint64, v Value) *Exception {
	i, x := s.d.find(t, h, v)
	if x != nil || i >= 0 {
		return x
	}
	return s.d.insert(t, h, v, Value{})
}

// Has reports whether a value is a member.
func (s *Set) Has(t *Thread, v Value) (bool, *Exception) {
	_, ok, x := s.d.Get(t, v)
	return ok, x
}

// Members lists the members in the order of insertion.
func (s *Set) Members() []Value {
	out := make([]Value, 0, s.d.used)
	for _, e := range s.d.entries {
		if e.key.IsSet() {
			out = append(out, e.key)
		}
	}
	return out
}

func (s *Set) copyOf(t *Thread, frozen bool) (*Set, *Exception) {
	c := newSet(frozen)
	d, x := s.d.copyOf(t)
	if x != nil {
		return nil, x
	}
	c.d.entries, c.d.index, c.d.used = d.entries, d.index, d.used
	return c, nil
}
