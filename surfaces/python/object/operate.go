package object

import "math/big"

// Binary is the expression v op w.
func (t *Thread) Binary(op Op, v, w Value) (Value, *Exception) {
	kv, kw := v.Kind(), w.Kind()
	if kv <= KindBytes && kw <= KindBytes && kv >= KindBool && kw >= KindBool {
		if r, ok, x := t.numberBinary(op, v, w); ok || x != nil {
			return r, x
		}
	}
	if plain(v) && plain(w) {
		return t.binaryPlain(op, v, w)
	}
	return t.binarySlots(op, v, w)
}

// numberBinary computes with numbers of the built-in classes; ok is false where
// one is none.
func (t *Thread) numberBinary(op Op, v, w Value) (r Value, ok bool, raised *Exception) {
	if isInteger(v) && isInteger(w) {
		if v.isKind(KindBool) && w.isKind(KindBool) {
			switch op {
			case And:
				return Bool(v.n&w.n != 0), true, nil
			case Or:
				return Bool(v.n|w.n != 0), true, nil
			case Xor:
				return Bool(v.n != w.n), true, nil
			}
		}
		r, x := t.intBinary(op, v, w)
		return r, r != NotImplemented, x
	}
	if !v.isKind(KindFloat) && !w.isKind(KindFloat) {
		return Value{}, false, nil
	}
	a, ok1, x := t.asFloat(v)
	if x != nil {
		return Value{}, false, x
	}
	b, ok2, x := t.asFloat(w)
	if x != nil || !ok1 || !ok2 {
		return Value{}, false, x
	}
	r, x = t.floatBinary(op, a, b)
	return r, r != NotImplemented, x
}

// binaryPlain is for operands of built-in classes.
func (t *Thread) binaryPlain(op Op, v, w Value) (Value, *Exception) {
	r, x := t.binaryPair(op, v, w)
	if x != nil || r != NotImplemented {
		return r, x
	}
	return Value{}, t.raiseOperands(op, v, w, false)
}

// raiseOperands is the TypeError of operands that do not fit.
func (t *Thread) raiseOperands(op Op, v, w Value, inPlace bool) *Exception {
	symbol := opSymbols[op]
	if inPlace {
		symbol += "="
		if op == Pow {
			symbol = "**="
		}
	} else {
		switch {
		case op == Add && v.Base().isKind(KindStr):
			return t.RaiseType(`can only concatenate str (not "%s") to str`, w.Class().Name)
		case op == Add && v.Base().isKind(KindList):
			return t.RaiseType(`can only concatenate list (not "%s") to list`, w.Class().Name)
		case op == Add && v.Base().isKind(KindTuple):
			return t.RaiseType(`can only concatenate tuple (not "%s") to tuple`, w.Class().Name)
		case op == Add && v.Base().isKind(KindBytes):
			return t.RaiseType("can't concat %s to bytes", w.Class().Name)
		}
	}
	if op == Add && inPlace && v.Base().isKind(KindStr) {
		return t.RaiseType(`can only concatenate str (not "%s") to str`, w.Class().Name)
	}
	if op == Add && inPlace && v.Base().isKind(KindTuple) {
		return t.RaiseType(`can only concatenate tuple (not "%s") to tuple`, w.Class().Name)
	}
	if op == Add && inPlace && v.Base().isKind(KindBytes) {
		return t.RaiseType("can't concat %s to bytes", w.Class().Name)
	}
	if op == Mul && !(inPlace && isCollection(v)) {
		if isSequence(v) {
			return t.RaiseType("can't multiply sequence by non-int of type '%s'", w.Class().Name)
		}
		if isSequence(w) {
			return t.RaiseType("can't multiply sequence by non-int of type '%s'", v.Class().Name)
		}
	}
	if op == RShift && v.isKind(KindBuiltin) && v.o.self.(*Builtin).Name == "print" {
		return t.RaiseType("unsupported operand type(s) for >>: 'builtin_function_or_method' and '%s'. Did you mean \"print(<message>, file=<output_stream>)\"?", w.Class().Name)
	}
	return t.RaiseType("unsupported operand type(s) for %s: '%s' and '%s'", symbol, v.Class().Name, w.Class().Name)
}

// isCollection reports the built-in classes that have items but cannot be repeated.
func isCollection(v Value) bool {
	switch v.Kind() {
	case KindDict, KindSet, KindFrozenSet, KindRange:
		return true
	}
	_, view := v.Native().(*dictView)
	return view
}

func isSequence(v Value) bool {
	switch v.Base().Kind() {
	case KindStr, KindBytes, KindList, KindTuple:
		return true
	}
	return false
}

// binaryPair computes with built-in values; it gives NotImplemented where they do
// not fit.
func (t *Thread) binaryPair(op Op, v, w Value) (Value, *Exception) {
	if r, ok, x := t.numberBinary(op, v, w); ok || x != nil {
		return r, x
	}
	kv, kw := v.Kind(), w.Kind()
	switch op {
	case Add:
		switch {
		case kv == KindStr && kw == KindStr:
			return t.concat(v.o.self.(*Str), w.o.self.(*Str))
		case kv == KindList && kw == KindList:
			r, x := t.concatItems(v.o.self.(*List).items, w.o.self.(*List).items)
			return NewList(r), x
		case kv == KindTuple && kw == KindTuple:
			r, x := t.concatItems(v.o.self.(*Tuple).items, w.o.self.(*Tuple).items)
			return NewTuple(r), x
		case kv == KindBytes && kw == KindBytes:
			return t.concatBytes(v.o.self.(*Bytes).s, w.o.self.(*Bytes).s)
		}
	case Mul:
		if isSequence(v) && isInteger(w) {
			return t.repeat(v, w)
		}
		if isSequence(w) && isInteger(v) {
			return t.repeat(w, v)
		}
		if isSequence(v) || isSequence(w) {
			return t.repeatIndex(v, w)
		}
	case Mod:
		switch kv {
		case KindStr:
			return t.percent(v.o.self.(*Str).s, w)
		case KindBytes:
			return Value{}, t.RaiseType("%s", "% formatting of bytes is not available: decode first, or use str")
		}
	case And, Or, Xor, Sub:
		return t.setBinary(op, v, w)
	}
	return NotImplemented, nil
}

// repeatIndex multiplies a sequence by an object with __index__.
func (t *Thread) repeatIndex(v, w Value) (Value, *Exception) {
	if !isSequence(v) {
		v, w = w, v
	}
	if w.Class().slots.Index == nil || !w.isKind(KindInstance) {
		return NotImplemented, nil
	}
	n, x := t.Index(w)
	if x != nil {
		return Value{}, x
	}
	return t.repeat(v, n)
}

// concat joins two strings.
func (t *Thread) concat(a, b *Str) (Value, *Exception) {
	if a.s == "" {
		return b.init(), nil
	}
	if b.s == "" {
		return a.init(), nil
	}
	if x := t.Alloc(strSize + len(a.s) + len(b.s)); x != nil {
		return Value{}, x
	}
	r := &Str{s: a.s + b.s, n: -1}
	if a.n >= 0 && b.n >= 0 {
		r.n = a.n + b.n
	}
	return r.init(), nil
}

func (t *Thread) concatItems(a, b []Value) ([]Value, *Exception) {
	if x := t.Alloc(listSize + valueSize*(len(a)+len(b))); x != nil {
		return nil, x
	}
	return append(append(make([]Value, 0, len(a)+len(b)), a...), b...), nil
}

// maxRepeat bounds the length of a repetition before its size is computed.
const maxRepeat = 1 << 40

// repeat is sequence * n.
func (t *Thread) repeat(v, times Value) (Value, *Exception) {
	n, ok := times.integral()
	if !ok {
		return Value{}, t.Raise(OverflowError, "cannot fit 'int' into an index-sized integer")
	}
	n = max(0, min(n, maxRepeat))
	switch v.Kind() {
	case KindStr:
		s, x := t.repeatText(v.o.self.(*Str).s, n)
		return NewStr(s), x
	case KindBytes:
		s, x := t.repeatText(v.o.self.(*Bytes).s, n)
		return NewBytes(s), x
	case KindList:
		items, x := t.repeatItems(v.o.self.(*List).items, n)
		return NewList(items), x
	}
	items, x := t.repeatItems(v.o.self.(*Tuple).items, n)
	return NewTuple(items), x
}

// room charges for n pieces of a size; what no memory can hold is refused by the
// same limit.
func (t *Thread) room(n int64, size int) *Exception {
	if size > 0 && n > maxRepeat/int64(size) {
		n = maxRepeat / int64(size)
	}
	return t.Alloc(listSize + int(n)*size)
}

func (t *Thread) repeatText(s string, n int64) (string, *Exception) {
	if x := t.room(n, len(s)); x != nil {
		return "", x
	}
	if s == "" || n == 0 {
		return "", nil
	}
	out := make([]byte, 0, len(s)*int(n))
	for range n {
		out = append(out, s...)
	}
	return string(out), nil
}

func (t *Thread) repeatItems(items []Value, n int64) ([]Value, *Exception) {
	if x := t.room(n, len(items)*valueSize); x != nil {
		return nil, x
	}
	out := make([]Value, 0, len(items)*int(n))
	if len(items) == 0 {
		return out, nil
	}
	for range n {
		out = append(out, items...)
	}
	return out, nil
}

// binarySlots computes where a class has a say: the left side first, unless the
// right side's class derives from the left one's.
func (t *Thread) binarySlots(op Op, v, w Value) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	defer t.Leave()
	r, x := t.tryBinary(op, v, w)
	if x != nil || r != NotImplemented {
		return r, x
	}
	return Value{}, t.raiseOperands(op, v, w, false)
}

func (t *Thread) tryBinary(op Op, v, w Value) (Value, *Exception) {
	cv, cw := v.Class(), w.Class()
	left, right := cv.slots.Binary, cw.slots.Binary
	tried := false
	if cv != cw && cw.IsSubclass(cv) && right != nil {
		tried = true
		if r, x := right(t, op, w, v, true); x != nil || r != NotImplemented {
			return r, x
		}
	}
	if left != nil {
		if r, x := left(t, op, v, w, false); x != nil || r != NotImplemented {
			return r, x
		}
	}
	if right != nil && !tried && cv != cw {
		if r, x := right(t, op, w, v, true); x != nil || r != NotImplemented {
			return r, x
		}
	}
	if c, ok := v.AsClass(); ok && op == Or {
		return t.unionType(c, w)
	}
	return NotImplemented, nil
}

// nativeBinary is the Binary slot of the built-in classes, for instances of their
// subclasses.
func nativeBinary(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) {
	a, b := v.Base(), w.Base()
	if op == Mod && !swapped && (a.isKind(KindStr) || a.isKind(KindBytes)) {
		return t.binaryPair(op, a, w) // any value can be formatted
	}
	if op == Mod && swapped && (b.isKind(KindStr) || b.isKind(KindBytes)) {
		return NotImplemented, nil // and none formats its left side
	}
	if !plain(a) || !plain(b) {
		return NotImplemented, nil
	}
	if swapped {
		a, b = b, a
	}
	return t.binaryPair(op, a, b)
}

// InPlace is the augmented assignment v op= w: the new value of the target.
func (t *Thread) InPlace(op Op, v, w Value) (Value, *Exception) {
	switch v.Kind() {
	case KindList:
		l := v.o.self.(*List)
		switch op {
		case Add:
			return v, l.Extend(t, w)
		case Mul:
			if isInteger(w) {
				r, x := t.repeat(v, w)
				if x == nil {
					l.items = r.o.self.(*List).items
				}
				return v, x
			}
		}
	case KindDict:
		if op == Or {
			return v, v.o.self.(*Dict).update(t, w)
		}
	case KindSet:
		if o, ok := SetOf(w); ok {
			switch op {
			case Or, And, Sub, Xor:
				return v, v.o.self.(*Set).inPlace(t, op, o)
			}
		}
	case KindInstance, KindNative:
		if f := v.Class().slots.InPlace; f != nil {
			r, x := f(t, op, v, w)
			if x != nil || r != NotImplemented {
				return r, x
			}
		}
	}
	if plain(v) && plain(w) {
		r, x := t.binaryPair(op, v, w)
		if x != nil || r != NotImplemented {
			return r, x
		}
		return Value{}, t.raiseOperands(op, v, w, true)
	}
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	defer t.Leave()
	r, x := t.tryBinary(op, v, w)
	if x != nil || r != NotImplemented {
		return r, x
	}
	return Value{}, t.raiseOperands(op, v, w, true)
}

// nativeInPlace is the InPlace slot of the built-in mutable classes.
func nativeInPlace(t *Thread, op Op, v, w Value) (Value, *Exception) {
	b := v.Base()
	switch b.Kind() {
	case KindList:
		if op == Add {
			return v, b.o.self.(*List).Extend(t, w)
		}
	case KindDict:
		if op == Or {
			return v, b.o.self.(*Dict).update(t, w)
		}
	case KindSet:
		if o, ok := SetOf(w); ok && (op == Or || op == And || op == Sub || op == Xor) {
			return v, b.o.self.(*Set).inPlace(t, op, o)
		}
	}
	return NotImplemented, nil
}

// UnaryOp is the expression op v.
func (t *Thread) UnaryOp(op Unary, v Value) (Value, *Exception) {
	if n, ok := v.integral(); ok {
		switch op {
		case Neg:
			if n != -n || n == 0 {
				return Int(-n), nil
			}
		case Pos:
			return Int(n), nil
		case Invert:
			return Int(^n), nil
		case Abs:
			if n >= 0 {
				return Int(n), nil
			}
			if n != -n {
				return Int(-n), nil
			}
		}
	}
	if f, ok := v.Float(); ok {
		switch op {
		case Neg:
			return Float(-f), nil
		case Pos:
			return v, nil
		case Abs:
			if f < 0 || f == 0 {
				return Float(0 - f + 0), nil
			}
			return v, nil
		}
	}
	if isInteger(v) {
		return t.bigUnary(op, v)
	}
	if s := v.Class().slots.Unary; s != nil {
		r, x := s(t, op, v)
		if x != nil || r != NotImplemented {
			return r, x
		}
	}
	if op == Abs {
		return Value{}, t.RaiseType("bad operand type for abs(): '%s'", v.Class().Name)
	}
	return Value{}, t.RaiseType("bad operand type for unary %s: '%s'", [...]string{"-", "+", "~"}[op], v.Class().Name)
}

func (t *Thread) bigUnary(op Unary, v Value) (Value, *Exception) {
	n, _ := bigOf(v)
	if x := t.allocBits(n.BitLen() + 1); x != nil {
		return Value{}, x
	}
	r := new(big.Int)
	switch op {
	case Neg:
		r.Neg(n)
	case Invert:
		r.Not(n)
	case Abs:
		r.Abs(n)
	default:
		return v, nil
	}
	return Big(r), nil
}

// nativeUnary is the Unary slot of the numbers, for instances of their subclasses.
func nativeUnary(t *Thread, op Unary, v Value) (Value, *Exception) {
	b := v.Base()
	if b == v || b.isKind(KindFloat) && op == Invert {
		return NotImplemented, nil
	}
	return t.UnaryOp(op, b)
}
