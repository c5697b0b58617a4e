package data

import "math"

// Kind tells the representation of a value.
type Kind uint8

// The kinds. Those up to KindChar are held in the [Value] itself.
const (
	KindNil Kind = iota
	KindBool
	KindInt   // a 64-bit integer
	KindFloat // a double
	KindChar  // a UTF-16 code unit, as a Java char
	KindBig   // an integer of any size, Clojure's N
	KindRatio
	KindString
	KindKeyword
	KindSymbol
	KindList // a list with a length: '(1 2), or the empty list
	KindCons // a first element before a sequence
	KindLazy // a sequence not yet computed
	KindChunk
	KindRange
	KindVector
	KindMap
	KindSet
	KindFn
	KindNative // a type of another package, see [Boxed]
)

// Head is the first part of every value on the heap.
type Head struct {
	kind Kind
	self any
}

// Value is any Lisp value. The zero Value is nil. Integers, doubles, booleans and
// characters need no allocation.
type Value struct {
	o *Head
	n uint64
}

var (
	headBool  = Head{kind: KindBool}
	headInt   = Head{kind: KindInt}
	headFloat = Head{kind: KindFloat}
	headChar  = Head{kind: KindChar}
)

// The constants.
var (
	Nil   = Value{}
	True  = Value{o: &headBool, n: 1}
	False = Value{o: &headBool, n: 0}
)

// Boxed is a type of another package as a value: it embeds [Head].
type Boxed interface {
	Header() *Head
	// TypeName is how a message names the type: "an atom".
	TypeName() string
	// Printed is the text by which the value is shown: #<atom>.
	Printed() string
}

// Header gives the head of a value on the heap.
func (h *Head) Header() *Head { return h }

// Box makes a value of another package's type.
func Box(b Boxed) Value {
	h := b.Header()
	if h.self == nil {
		h.kind, h.self = KindNative, b
	}
	return Value{o: h}
}

// Unbox gives the object of a value of KindNative or KindFn, else nil.
func (v Value) Unbox() any {
	if v.o == nil {
		return nil
	}
	return v.o.self
}

// Kind gives the representation.
func (v Value) Kind() Kind {
	if v.o == nil {
		return KindNil
	}
	return v.o.kind
}

// IsNil reports whether the value is nil.
func (v Value) IsNil() bool { return v.o == nil }

// Truthy reports whether the value counts as true: all but nil and false.
func (v Value) Truthy() bool { return v.o != nil && (v.o != &headBool || v.n != 0) }

// Identical reports whether two values are the same object.
func Identical(a, b Value) bool { return a == b }

// Bool makes a boolean.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Int makes an integer.
func Int(n int64) Value { return Value{&headInt, uint64(n)} }

// Float makes a double.
func Float(f float64) Value { return Value{&headFloat, math.Float64bits(f)} }

// Char makes a character of a UTF-16 code unit.
func Char(c uint16) Value { return Value{&headChar, uint64(c)} }

// Int gives an integer that fits 64 bits.
func (v Value) Int() (int64, bool) { return int64(v.n), v.o == &headInt }

// Float gives a double.
func (v Value) Float() (float64, bool) { return math.Float64frombits(v.n), v.o == &headFloat }

// Char gives a character.
func (v Value) Char() (uint16, bool) { return uint16(v.n), v.o == &headChar }

// Bool gives a boolean.
func (v Value) Bool() (b, ok bool) { return v.n != 0, v.o == &headBool }
