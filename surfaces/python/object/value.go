package object

import "math"

// Kind tells the representation of a value.
type Kind uint8

// The kinds. Those up to KindFloat are held in the [Value] itself.
const (
	KindUnset Kind = iota
	KindNone
	KindNotImplemented
	KindEllipsis
	KindBool
	KindInt
	KindFloat
	KindBig
	KindStr
	KindBytes
	KindTuple
	KindList
	KindDict
	KindSet
	KindFrozenSet
	KindRange
	KindSlice
	KindFunction
	KindBuiltin
	KindMethod
	KindClass
	KindInstance
	KindException
	KindModule
	KindNative // any type of a module, see [Boxed]
	kindCount
)

// Obj is the head of every value on the heap. A type becomes a value by embedding
// it.
type Obj struct {
	kind Kind
	mark uint32
	self any
}

// Header gives the head of a value on the heap.
func (o *Obj) Header() *Obj { return o }

// Value is any Python value. Integers that fit 64 bits, floats, booleans and None
// need no allocation. The zero Value is no value: an unset variable, an omitted
// argument, the end of an iteration.
//
// Two words without unsafe: the first points to the head of an object, or to a
// static head that says how to read the second. A head costs an object 24 bytes
// and saves a third of every container.
type Value struct {
	o *Obj
	n uint64
}

var (
	headNone           = Obj{kind: KindNone}
	headNotImplemented = Obj{kind: KindNotImplemented}
	headEllipsis       = Obj{kind: KindEllipsis}
	headBool           = Obj{kind: KindBool}
	headInt            = Obj{kind: KindInt}
	headFloat          = Obj{kind: KindFloat}
)

// The constants.
var (
	None           = Value{o: &headNone}
	True           = Value{o: &headBool, n: 1}
	False          = Value{o: &headBool, n: 0}
	NotImplemented = Value{o: &headNotImplemented}
	Ellipsis       = Value{o: &headEllipsis}
)

// Boxed is a type of a module's own as a value: it embeds [Obj] and names its
// class.
type Boxed interface {
	Header() *Obj
	Class() *Class
}

// Box makes a value of a module's own type.
func Box(b Boxed) Value {
	o := b.Header()
	if o.self == nil {
		o.kind, o.self = KindNative, b
	}
	return Value{o: o}
}

// Kind gives the representation.
func (v Value) Kind() Kind {
	if v.o == nil {
		return KindUnset
	}
	return v.o.kind
}

// IsSet reports whether there is a value at all.
func (v Value) IsSet() bool { return v.o != nil }

// Is reports whether two values are the same object, as the operator is.
func (v Value) Is(w Value) bool { return v == w }

// IsNone reports whether the value is None.
func (v Value) IsNone() bool { return v.o == &headNone }

// Int makes an integer.
func Int(n int64) Value { return Value{&headInt, uint64(n)} }

// Bool makes a boolean.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Float makes a float.
func Float(f float64) Value { return Value{&headFloat, math.Float64bits(f)} }

// Int gives an integer that fits 64 bits; a boolean is none here.
func (v Value) Int() (int64, bool) { return int64(v.n), v.o == &headInt }

// Float gives a float; an integer is none here.
func (v Value) Float() (float64, bool) { return math.Float64frombits(v.n), v.o == &headFloat }

// Bool gives a boolean.
func (v Value) Bool() (b, ok bool) { return v.n != 0, v.o == &headBool }

// integral gives the number of an integer or boolean that fits 64 bits.
func (v Value) integral() (int64, bool) {
	return int64(v.n), v.o == &headInt || v.o == &headBool
}

func (v Value) isKind(k Kind) bool { return v.o != nil && v.o.kind == k }

// Native gives the Go value behind a value of a module's own type, nil for any
// other.
func (v Value) Native() any {
	if v.isKind(KindNative) {
		return v.o.self
	}
	return nil
}

// NativeOf finds a module's own type behind a value: the value itself, or what an
// instance of a subclass is built on.
func NativeOf[T any](v Value) (T, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	x, ok := v.Native().(T)
	return x, ok
}

// Str gives a string of exactly class str.
func (v Value) Str() (*Str, bool) {
	if v.isKind(KindStr) {
		return v.o.self.(*Str), true
	}
	return nil, false
}

// List gives a list of exactly class list.
func (v Value) List() (*List, bool) {
	if v.isKind(KindList) {
		return v.o.self.(*List), true
	}
	return nil, false
}

// Tuple gives a tuple of exactly class tuple.
func (v Value) Tuple() (*Tuple, bool) {
	if v.isKind(KindTuple) {
		return v.o.self.(*Tuple), true
	}
	return nil, false
}

// Dict gives a dict of exactly class dict.
func (v Value) Dict() (*Dict, bool) {
	if v.isKind(KindDict) {
		return v.o.self.(*Dict), true
	}
	return nil, false
}

// Set gives a set or frozenset of exactly that class.
func (v Value) Set() (*Set, bool) {
	if v.isKind(KindSet) || v.isKind(KindFrozenSet) {
		return v.o.self.(*Set), true
	}
	return nil, false
}

// Bytes gives a bytes value.
func (v Value) Bytes() (*Bytes, bool) {
	if v.isKind(KindBytes) {
		return v.o.self.(*Bytes), true
	}
	return nil, false
}

// Range gives a range.
func (v Value) Range() (*Range, bool) {
	if v.isKind(KindRange) {
		return v.o.self.(*Range), true
	}
	return nil, false
}

// Function gives a function written in Python.
func (v Value) Function() (*Function, bool) {
	if v.isKind(KindFunction) {
		return v.o.self.(*Function), true
	}
	return nil, false
}

// Builtin gives a function or method written in Go.
func (v Value) Builtin() (*Builtin, bool) {
	if v.isKind(KindBuiltin) {
		return v.o.self.(*Builtin), true
	}
	return nil, false
}

// Instance gives an instance of a class written in Python, or of a subclass of a
// built-in one.
func (v Value) Instance() (*Instance, bool) {
	if v.isKind(KindInstance) {
		return v.o.self.(*Instance), true
	}
	return nil, false
}

// AsClass gives a class.
func (v Value) AsClass() (*Class, bool) {
	if v.isKind(KindClass) {
		return v.o.self.(*Class), true
	}
	return nil, false
}

// Exception gives an exception.
func (v Value) Exception() (*Exception, bool) {
	if v.isKind(KindException) {
		return v.o.self.(*Exception), true
	}
	return nil, false
}

// Base gives the built-in value that an instance of a subclass is built on, and
// any other value as it is.
func (v Value) Base() Value {
	if v.isKind(KindInstance) {
		if p := v.o.self.(*Instance).Payload; p.o != nil {
			return p
		}
	}
	return v
}
