package object

import "strconv"

// Hash gives a value's hash: equal values have equal ones.
func (t *Thread) Hash(v Value) (uint64, *Exception) {
	switch v.Kind() {
	case KindStr:
		return v.o.self.(*Str).Hash(), nil
	case KindInt, KindBool:
		return uint64(intHash(int64(v.n))), nil
	case KindFloat:
		f, _ := v.Float()
		if f != f {
			return v.n, nil
		}
		return uint64(floatHash(f)), nil
	case KindBig:
		n := v.o.self.(*BigInt).n
		if x := t.Charge(int64(n.BitLen() >> 8)); x != nil {
			return 0, x
		}
		return uint64(bigHash(n)), nil
	case KindNone:
		return 0xFCA86420, nil
	case KindTuple:
		return t.tupleHash(v.o.self.(*Tuple).items)
	case KindBytes:
		return stringHash(v.o.self.(*Bytes).s), nil
	case KindFrozenSet:
		return t.frozenHash(v.o.self.(*Set))
	case KindList, KindDict, KindSet:
		return 0, t.RaiseType("unhashable type: '%s'", v.Class().Name)
	case KindRange:
		return t.rangeHash(v.o.self.(*Range))
	case KindSlice:
		s := v.o.self.(*Slice)
		return t.tupleHash([]Value{s.Start, s.Stop, s.Step})
	case KindMethod:
		m := v.o.self.(*Method)
		return t.identityHash(m.Func)*31 + t.identityHash(m.Self), nil
	case KindInstance, KindNative, KindException:
		h := v.Class().slots.Hash
		if h == nil {
			return 0, t.RaiseType("unhashable type: '%s'", v.Class().Name)
		}
		if x := t.Enter(); x != nil {
			t.Leave()
			return 0, x
		}
		r, x := h(t, v)
		t.Leave()
		return r, x
	}
	return t.identityHash(v), nil
}

func stringHash(s string) uint64 {
	x := Str{s: s}
	return x.Hash()
}

// tupleHash is CPython's xxHash over the hashes of the items.
func (t *Thread) tupleHash(items []Value) (uint64, *Exception) {
	const (
		prime1 = 11400714785074694791
		prime2 = 14029467366897019727
		prime5 = 2870177450012600261
	)
	if x := t.Enter(); x != nil {
		t.Leave()
		return 0, x
	}
	defer t.Leave()
	if x := t.Charge(int64(len(items))); x != nil {
		return 0, x
	}
	acc := uint64(prime5)
	for _, v := range items {
		h, x := t.Hash(v)
		if x != nil {
			return 0, x
		}
		acc += h * prime2
		acc = acc<<31 | acc>>33
		acc *= prime1
	}
	acc += uint64(len(items)) ^ (prime5 ^ 3527539)
	if acc == ^uint64(0) {
		return 1546275796, nil
	}
	return acc, nil
}

// frozenHash does not depend on the order of the members.
func (t *Thread) frozenHash(s *Set) (uint64, *Exception) {
	if x := t.Charge(int64(len(s.d.entries))); x != nil {
		return 0, x
	}
	h := uint64(0)
	for _, e := range s.d.entries {
		if e.key.IsSet() {
			h ^= (e.hash ^ 89869747 ^ e.hash<<16) * 3644798167
		}
	}
	h ^= (uint64(s.d.used) + 1) * 1927868237
	h ^= h>>11 ^ h>>25
	return h*69069 + 907133923, nil
}

func (t *Thread) rangeHash(r *Range) (uint64, *Exception) {
	items := []Value{Int(r.n), None, None}
	if r.n > 0 {
		items[1] = Int(r.Start)
		if r.n > 1 {
			items[2] = Int(r.Step)
		}
	}
	return t.tupleHash(items)
}

// ID gives a value's identity as id() does: a number that stays the same as long
// as the session lives and depends on nothing but the program.
func (t *Thread) ID(v Value) int64 {
	const first, step = 0x7f0000001000, 48
	if v.o.self == nil {
		// Unboxed: equal values are the same object.
		return int64(mix(v.n+uint64(v.o.kind)<<56)>>4)<<4 | first
	}
	if t.ids == nil {
		t.ids = map[*Obj]int64{}
	}
	id, ok := t.ids[v.o]
	if !ok {
		id = first + step*int64(len(t.ids))
		t.ids[v.o] = id
	}
	return id
}

func (t *Thread) identityHash(v Value) uint64 { return uint64(t.ID(v)) >> 4 }

// address is the identity as the repr of an object shows it.
func (t *Thread) address(v Value) string { return "0x" + strconv.FormatInt(t.ID(v), 16) }
