package object

import (
	"math/big"
	"strings"
)

// Equal is v == w as a condition, where the same object is always equal, as
// containers compare.
func (t *Thread) Equal(v, w Value) (bool, *Exception) {
	if v == w {
		return true, nil
	}
	return t.equals(v, w)
}

// equals is v == w as a condition.
func (t *Thread) equals(v, w Value) (bool, *Exception) {
	if a, ok := v.Str(); ok {
		if b, ok := w.Str(); ok {
			return a.s == b.s, nil
		}
	}
	r, x := t.Compare(Eq, v, w)
	if x != nil {
		return false, x
	}
	return t.Truth(r)
}

// Compare is the comparison v op w.
func (t *Thread) Compare(op Cmp, v, w Value) (Value, *Exception) {
	if r, ok := compareScalars(op, v, w); ok {
		return r, nil
	}
	if plain(v) && plain(w) && !v.isKind(KindBuiltin) {
		return t.comparePlain(op, v, w)
	}
	return t.compareSlots(op, v, w)
}

// plain reports whether comparing a value with another plain one runs no code of
// a class.
func plain(v Value) bool {
	switch v.Kind() {
	case KindInstance, KindNative, KindException, KindClass, KindMethod:
		return false
	}
	return true
}

// compareScalars compares small integers, floats and strings.
func compareScalars(op Cmp, v, w Value) (Value, bool) {
	if a, ok := v.integral(); ok {
		if b, ok := w.integral(); ok {
			return Bool(ordered(op, compareInt(a, b))), true
		}
	}
	if a, ok := v.Float(); ok {
		if b, ok := w.Float(); ok {
			return Bool(compareFloat(op, a, b)), true
		}
	}
	if a, ok := v.Str(); ok {
		if b, ok := w.Str(); ok {
			if op == Eq {
				return Bool(a.s == b.s), true
			}
			return Bool(ordered(op, strings.Compare(a.s, b.s))), true
		}
	}
	return Value{}, false
}

func compareInt(a, b int64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

func compareFloat(op Cmp, a, b float64) bool {
	switch op {
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Eq:
		return a == b
	case Ne:
		return a != b
	case Gt:
		return a > b
	}
	return a >= b
}

// ordered turns a three-way comparison into the answer of op.
func ordered(op Cmp, c int) bool {
	switch op {
	case Lt:
		return c < 0
	case Le:
		return c <= 0
	case Eq:
		return c == 0
	case Ne:
		return c != 0
	case Gt:
		return c > 0
	}
	return c >= 0
}

// comparePlain compares values of built-in classes.
func (t *Thread) comparePlain(op Cmp, v, w Value) (Value, *Exception) {
	if r, ok, x := t.comparePair(op, v, w); ok || x != nil {
		return r, x
	}
	switch op {
	case Eq:
		return Bool(v == w), nil
	case Ne:
		return Bool(v != w), nil
	}
	return Value{}, t.raiseOrder(op, v, w)
}

func (t *Thread) raiseOrder(op Cmp, v, w Value) *Exception {
	return t.RaiseType("'%s' not supported between instances of '%s' and '%s'", cmpSymbols[op], v.Class().Name, w.Class().Name)
}

// comparePair compares values of built-in classes that know each other; ok is
// false where they do not.
func (t *Thread) comparePair(op Cmp, v, w Value) (r Value, ok bool, raised *Exception) {
	if r, ok := compareScalars(op, v, w); ok {
		return r, true, nil
	}
	if r, ok := compareNumbers(op, v, w); ok {
		return r, true, nil
	}
	kv, kw := v.Kind(), w.Kind()
	switch {
	case kv == KindList && kw == KindList, kv == KindTuple && kw == KindTuple:
		r, x := t.compareSequences(op, v, w)
		return r, true, x
	case kv == KindDict && kw == KindDict && (op == Eq || op == Ne):
		eq, x := t.equalDicts(v.o.self.(*Dict), w.o.self.(*Dict))
		return Bool(eq == (op == Eq)), true, x
	case isSet(kv) && isSet(kw):
		b, x := t.compareSets(op, &v.o.self.(*Set).d, &w.o.self.(*Set).d)
		return Bool(b), true, x
	case kv == KindBytes && kw == KindBytes:
		return Bool(ordered(op, strings.Compare(v.o.self.(*Bytes).s, w.o.self.(*Bytes).s))), true, nil
	case kv == KindRange && kw == KindRange && (op == Eq || op == Ne):
		return Bool(equalRanges(v.o.self.(*Range), w.o.self.(*Range)) == (op == Eq)), true, nil
	case kv == KindSlice && kw == KindSlice:
		a, b := v.o.self.(*Slice), w.o.self.(*Slice)
		r, x := t.compareItems(op, []Value{a.Start, a.Stop, a.Step}, []Value{b.Start, b.Stop, b.Step})
		return r, true, x
	}
	return Value{}, false, nil
}

func isSet(k Kind) bool { return k == KindSet || k == KindFrozenSet }

// compareNumbers compares integers of any size and floats, exactly.
func compareNumbers(op Cmp, v, w Value) (Value, bool) {
	a, ok1 := bigOf(v)
	b, ok2 := bigOf(w)
	switch {
	case ok1 && ok2:
		return Bool(ordered(op, a.Cmp(b))), true
	case ok1 && w.isKind(KindFloat):
		f, _ := w.Float()
		return compareMixed(op, a, f, false), true
	case ok2 && v.isKind(KindFloat):
		f, _ := v.Float()
		return compareMixed(op, b, f, true), true
	}
	return Value{}, false
}

func compareMixed(op Cmp, n *big.Int, f float64, floatFirst bool) Value {
	c, ok := compareIntFloat(n, f)
	if !ok {
		return Bool(op == Ne)
	}
	if floatFirst {
		c = -c
	}
	return Bool(ordered(op, c))
}

func equalRanges(a, b *Range) bool {
	if a.n != b.n {
		return false
	}
	return a.n == 0 || a.Start == b.Start && (a.n == 1 || a.Step == b.Step)
}

// compareSequences compares two lists or two tuples, in order.
func (t *Thread) compareSequences(op Cmp, v, w Value) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	defer t.Leave()
	if v.o.kind == KindTuple {
		return t.compareItems(op, v.o.self.(*Tuple).items, w.o.self.(*Tuple).items)
	}
	a, b := v.o.self.(*List), w.o.self.(*List)
	if (op == Eq || op == Ne) && len(a.items) != len(b.items) {
		return Bool(op == Ne), nil
	}
	for i := 0; i < len(a.items) && i < len(b.items); i++ {
		if r, done, x := t.compareStep(op, a.items[i], b.items[i]); done || x != nil {
			return r, x
		}
	}
	return Bool(ordered(op, compareInt(int64(len(a.items)), int64(len(b.items))))), nil
}

func (t *Thread) compareItems(op Cmp, a, b []Value) (Value, *Exception) {
	if (op == Eq || op == Ne) && len(a) != len(b) {
		return Bool(op == Ne), nil
	}
	for i := range min(len(a), len(b)) {
		if r, done, x := t.compareStep(op, a[i], b[i]); done || x != nil {
			return r, x
		}
	}
	return Bool(ordered(op, compareInt(int64(len(a)), int64(len(b))))), nil
}

// compareStep compares one pair of items: done when the pair decides.
func (t *Thread) compareStep(op Cmp, v, w Value) (r Value, done bool, raised *Exception) {
	if x := t.Charge(1); x != nil {
		return Value{}, false, x
	}
	eq, x := t.Equal(v, w)
	if x != nil || eq {
		return Value{}, false, x
	}
	if op == Eq || op == Ne {
		return Bool(op == Ne), true, nil
	}
	r, x = t.Compare(op, v, w)
	return r, true, x
}

func (t *Thread) equalDicts(a, b *Dict) (bool, *Exception) {
	if a.used != b.used {
		return false, nil
	}
	if x := t.Enter(); x != nil {
		t.Leave()
		return false, x
	}
	defer t.Leave()
	for i := 0; i < len(a.entries); i++ {
		e := a.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return false, x
		}
		j, x := b.find(t, e.hash, e.key)
		if x != nil || j < 0 {
			return false, x
		}
		eq, x := t.Equal(e.val, b.entries[j].val)
		if x != nil || !eq {
			return false, x
		}
	}
	return true, nil
}

// compareSets is the order of inclusion.
func (t *Thread) compareSets(op Cmp, a, b *Dict) (bool, *Exception) {
	switch op {
	case Eq, Ne:
		eq := a.used == b.used
		if eq {
			var x *Exception
			if eq, x = t.subset(a, b); x != nil {
				return false, x
			}
		}
		return eq == (op == Eq), nil
	case Lt:
		if a.used >= b.used {
			return false, nil
		}
		return t.subset(a, b)
	case Le:
		return t.subset(a, b)
	case Gt:
		if b.used >= a.used {
			return false, nil
		}
		return t.subset(b, a)
	}
	return t.subset(b, a)
}

// subset reports whether all keys of a are keys of b.
func (t *Thread) subset(a, b *Dict) (bool, *Exception) {
	if a.used > b.used {
		return false, nil
	}
	for i := 0; i < len(a.entries); i++ {
		e := a.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return false, x
		}
		j, x := b.find(t, e.hash, e.key)
		if x != nil || j < 0 {
			return false, x
		}
	}
	return true, nil
}

// compareSlots compares where a class has a say: the left side first, unless the
// right side's class derives from the left one's.
func (t *Thread) compareSlots(op Cmp, v, w Value) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	defer t.Leave()
	cv, cw := v.Class(), w.Class()
	tried := false
	if cv != cw && cw.IsSubclass(cv) && cw.slots.Compare != nil {
		tried = true
		r, x := cw.slots.Compare(t, op.swapped(), w, v)
		if x != nil || r != NotImplemented {
			return r, x
		}
	}
	if cv.slots.Compare != nil {
		r, x := cv.slots.Compare(t, op, v, w)
		if x != nil || r != NotImplemented {
			return r, x
		}
	}
	if !tried && cw.slots.Compare != nil {
		r, x := cw.slots.Compare(t, op.swapped(), w, v)
		if x != nil || r != NotImplemented {
			return r, x
		}
	}
	switch op {
	case Eq:
		return Bool(v == w), nil
	case Ne:
		return Bool(v != w), nil
	}
	return Value{}, t.raiseOrder(op, v, w)
}

// nativeCompare is the Compare slot of the built-in classes, for instances of
// their subclasses.
func nativeCompare(t *Thread, op Cmp, v, w Value) (Value, *Exception) {
	a, b := v.Base(), w.Base()
	if !plain(a) || !plain(b) {
		return NotImplemented, nil
	}
	r, ok, x := t.comparePair(op, a, b)
	if !ok && x == nil {
		return NotImplemented, nil
	}
	return r, x
}

// Less is v < w as a condition, for sorting.
func (t *Thread) Less(v, w Value) (bool, *Exception) {
	r, x := t.Compare(Lt, v, w)
	if x != nil {
		return false, x
	}
	return t.Truth(r)
}

// Truth is bool(v).
func (t *Thread) Truth(v Value) (bool, *Exception) {
	switch v.Kind() {
	case KindBool, KindInt:
		return v.n != 0, nil
	case KindNone:
		return false, nil
	case KindFloat:
		f, _ := v.Float()
		return f != 0, nil
	case KindStr:
		return v.o.self.(*Str).s != "", nil
	case KindList:
		return len(v.o.self.(*List).items) > 0, nil
	case KindTuple:
		return len(v.o.self.(*Tuple).items) > 0, nil
	case KindDict:
		return v.o.self.(*Dict).used > 0, nil
	case KindSet, KindFrozenSet:
		return v.o.self.(*Set).d.used > 0, nil
	case KindBytes:
		return v.o.self.(*Bytes).s != "", nil
	case KindRange:
		return v.o.self.(*Range).n > 0, nil
	case KindInstance, KindNative:
		return t.truthSlots(v)
	}
	return true, nil
}

func (t *Thread) truthSlots(v Value) (bool, *Exception) {
	s := &v.Class().slots
	switch {
	case s.Bool != nil:
		return s.Bool(t, v)
	case s.Len != nil:
		n, x := s.Len(t, v)
		return n > 0, x
	}
	return true, nil
}
