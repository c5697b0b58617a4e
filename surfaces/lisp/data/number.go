package data

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Big is an integer of any size.
type Big struct {
	Head
	N *big.Int
}

// Ratio is a fraction in lowest terms with a positive denominator above one.
type Ratio struct {
	Head
	R *big.Rat
}

// BigInt makes an integer that stays one of any size, as Clojure's N does.
func BigInt(n *big.Int) Value {
	b := &Big{N: n}
	b.kind, b.self = KindBig, b
	return Value{o: &b.Head}
}

// Integer makes a plain integer where the number fits one, else a big one.
func Integer(n *big.Int) Value {
	if n.IsInt64() {
		return Int(n.Int64())
	}
	return BigInt(n)
}

// Rational makes a ratio, or the integer that it comes to: a big one, as
// Clojure's arithmetic on ratios gives.
func Rational(r *big.Rat) Value {
	if r.IsInt() {
		return BigInt(new(big.Int).Set(r.Num()))
	}
	x := &Ratio{R: r}
	x.kind, x.self = KindRatio, x
	return Value{o: &x.Head}
}

// BigInt gives a big integer.
func (v Value) BigInt() (*big.Int, bool) {
	if v.o == nil || v.o.kind != KindBig {
		return nil, false
	}
	return v.o.self.(*Big).N, true
}

// Ratio gives a ratio.
func (v Value) Ratio() (*big.Rat, bool) {
	if v.o == nil || v.o.kind != KindRatio {
		return nil, false
	}
	return v.o.self.(*Ratio).R, true
}

// IsNumber reports whether the value is a number.
func (v Value) IsNumber() bool {
	switch v.Kind() {
	case KindInt, KindFloat, KindBig, KindRatio:
		return true
	}
	return false
}

// IsInteger reports whether the value is an integer, plain or big.
func (v Value) IsInteger() bool { k := v.Kind(); return k == KindInt || k == KindBig }

// ToFloat gives any number as a double.
func ToFloat(v Value) float64 {
	switch v.Kind() {
	case KindInt:
		return float64(int64(v.n))
	case KindFloat:
		return math.Float64frombits(v.n)
	case KindBig:
		f, _ := new(big.Float).SetInt(v.o.self.(*Big).N).Float64()
		return f
	case KindRatio:
		return ratioFloat(v.o.self.(*Ratio).R)
	}
	return math.NaN()
}

// ratioDigits is how many decimal digits of a ratio its double is made of:
// Clojure divides in decimal with these before it converts.
const ratioDigits = 16

func ratioFloat(r *big.Rat) float64 {
	f, _ := r.Float64()
	if f == 0 || f-f != 0 {
		return f
	}
	exponent := ratioDigits - 1 - int(math.Floor(math.Log10(math.Abs(f))))
	scaled := new(big.Rat).Mul(r, power10(exponent))
	n := roundHalfEven(scaled)
	text := n.String() + "e" + strconv.Itoa(-exponent)
	f, _ = strconv.ParseFloat(text, 64)
	return f
}

func power10(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

func roundHalfEven(r *big.Rat) *big.Int {
	n, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	twice := rest.Lsh(rest, 1).Cmp(r.Denom())
	if twice > 0 || twice == 0 && n.Bit(0) == 1 {
		n.Add(n, big.NewInt(1))
	}
	return n
}

// ToBig gives an integer as one of any size.
func ToBig(v Value) *big.Int {
	if n, ok := v.BigInt(); ok {
		return n
	}
	return big.NewInt(int64(v.n))
}

// ToRat gives an integer or ratio as a fraction.
func ToRat(v Value) *big.Rat {
	if r, ok := v.Ratio(); ok {
		return r
	}
	return new(big.Rat).SetInt(ToBig(v))
}

// Operation is one of the four of arithmetic.
type Operation uint8

// The operations.
const (
	Add Operation = iota
	Subtract
	Multiply
	Divide
)

var operationNames = [...]string{"+", "-", "*", "/"}

const overflow = "long overflow"

// NumberFault says that a function takes numbers.
func NumberFault(t *Thread, what string, v Value) {
	if v.IsNil() {
		ThrowHint("NullPointerException", what+" needs a number, and got nil.", "Give a default with (or x 0), or filter the nils out first.")
	}
	hint := ""
	if s, ok := v.Text(); ok && s != "" {
		hint = "Convert it with parse-long or parse-double."
	}
	ThrowHint("ClassCastException", what+" needs a number, and got "+Describe(t, v)+".", hint)
}

// Arithmetic computes a op b as Clojure does: 64-bit integers that overflow are
// an error, a double makes a double, and integers divide to a ratio.
func Arithmetic(t *Thread, op Operation, a, b Value) Value {
	if a.o == &headInt && b.o == &headInt {
		return intArithmetic(op, int64(a.n), int64(b.n))
	}
	if !a.IsNumber() {
		NumberFault(t, operationNames[op], a)
	}
	if !b.IsNumber() {
		NumberFault(t, operationNames[op], b)
	}
	if a.o == &headFloat || b.o == &headFloat {
		return floatArithmetic(op, ToFloat(a), ToFloat(b))
	}
	t.Alloc(bigCost(op, a, b))
	if a.Kind() == KindRatio || b.Kind() == KindRatio {
		return ratioArithmetic(op, ToRat(a), ToRat(b))
	}
	return bigArithmetic(op, ToBig(a), ToBig(b))
}

func intArithmetic(op Operation, a, b int64) Value {
	switch op {
	case Add:
		if c := a + b; (c > a) == (b > 0) {
			return Int(c)
		}
	case Subtract:
		if c := a - b; (c < a) == (b > 0) {
			return Int(c)
		}
	case Multiply:
		if c, ok := multiply(a, b); ok {
			return Int(c)
		}
	default:
		return divideInts(a, b)
	}
	Throw("ArithmeticException", overflow)
	return Nil
}

func multiply(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	if c/b != a || a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return 0, false
	}
	return c, true
}

func divideInts(a, b int64) Value {
	if b == 0 {
		Throw("ArithmeticException", "Divide by zero")
	}
	if b != -1 && a%b == 0 {
		return Int(a / b)
	}
	return plain(new(big.Rat).SetFrac64(a, b))
}

// plain is a quotient of plain integers: a plain integer where it comes to one.
func plain(r *big.Rat) Value {
	if r.IsInt() {
		return Integer(new(big.Int).Set(r.Num()))
	}
	return Rational(r)
}

func floatArithmetic(op Operation, a, b float64) Value {
	switch op {
	case Add:
		return Float(a + b)
	case Subtract:
		return Float(a - b)
	case Multiply:
		return Float(a * b)
	}
	if b == 0 && a == a {
		Throw("ArithmeticException", "Divide by zero")
	}
	return Float(a / b)
}

func ratioArithmetic(op Operation, a, b *big.Rat) Value {
	r := new(big.Rat)
	switch op {
	case Add:
		return Rational(r.Add(a, b))
	case Subtract:
		return Rational(r.Sub(a, b))
	case Multiply:
		return Rational(r.Mul(a, b))
	}
	if b.Sign() == 0 {
		Throw("ArithmeticException", "Divide by zero")
	}
	return Rational(r.Quo(a, b))
}

func bigArithmetic(op Operation, a, b *big.Int) Value {
	n := new(big.Int)
	switch op {
	case Add:
		return BigInt(n.Add(a, b))
	case Subtract:
		return BigInt(n.Sub(a, b))
	case Multiply:
		return BigInt(n.Mul(a, b))
	}
	if b.Sign() == 0 {
		Throw("ArithmeticException", "Divide by zero")
	}
	return Rational(new(big.Rat).SetFrac(a, b))
}

// Promoting computes as the functions with a quote do, +' and the like: what
// overflows becomes a big integer.
func Promoting(t *Thread, op Operation, a, b Value) Value {
	x, isInt := a.Int()
	y, both := b.Int()
	if !isInt || !both || op == Divide {
		return Arithmetic(t, op, a, b)
	}
	t.Alloc(48)
	n := bigArithmetic(op, big.NewInt(x), big.NewInt(y))
	return Integer(ToBig(n))
}

// bigCost is what an operation on big numbers allocates, in bytes, at most.
// Multiplication costs time beyond its room, which counts as room.
func bigCost(op Operation, a, b Value) int {
	x, y := bigBytes(a), bigBytes(b)
	if op == Multiply || op == Divide || a.Kind() == KindRatio || b.Kind() == KindRatio {
		return 64 + x + y + x*y/64
	}
	return 48 + max(x, y)
}

func bigBytes(v Value) int {
	switch v.Kind() {
	case KindBig:
		return len(v.o.self.(*Big).N.Bits()) * 8
	case KindRatio:
		r := v.o.self.(*Ratio).R
		return (len(r.Num().Bits()) + len(r.Denom().Bits())) * 8
	}
	return 8
}

// Division is a way to divide integers.
type Division uint8

// The ways: truncated, its remainder, and the remainder with the sign of the
// divisor.
const (
	Quotient Division = iota
	Remainder
	Modulus
)

var divisionNames = [...]string{"quot", "rem", "mod"}

// Divided computes quot, rem or mod.
func Divided(t *Thread, d Division, a, b Value) Value {
	x, isInt := a.Int()
	y, both := b.Int()
	if isInt && both && y != -1 {
		return dividedInts(d, x, y)
	}
	if !a.IsNumber() {
		NumberFault(t, divisionNames[d], a)
	}
	if !b.IsNumber() {
		NumberFault(t, divisionNames[d], b)
	}
	if a.Kind() == KindFloat || b.Kind() == KindFloat {
		return dividedFloats(d, ToFloat(a), ToFloat(b))
	}
	t.Alloc(bigCost(Divide, a, b))
	if a.Kind() == KindRatio || b.Kind() == KindRatio {
		return dividedRatios(d, ToRat(a), ToRat(b))
	}
	n := dividedBigs(d, ToBig(a), ToBig(b))
	if isInt && both {
		return Integer(n)
	}
	return BigInt(n)
}

func divisor(zero bool) {
	if zero {
		Throw("ArithmeticException", "Divide by zero")
	}
}

func dividedInts(d Division, a, b int64) Value {
	divisor(b == 0)
	switch d {
	case Quotient:
		return Int(a / b)
	case Remainder:
		return Int(a % b)
	}
	m := a % b
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return Int(m)
}

func dividedFloats(d Division, a, b float64) Value {
	divisor(b == 0)
	q := math.Trunc(a/b) + 0 // never -0.0: Clojure cuts to an integer
	if d == Quotient {
		return Float(q)
	}
	m := a - q*b
	if d == Modulus && m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return Float(m)
}

func dividedRatios(d Division, a, b *big.Rat) Value {
	divisor(b.Sign() == 0)
	q := new(big.Rat).Quo(a, b)
	n := new(big.Int).Quo(q.Num(), q.Denom())
	if d == Quotient {
		return BigInt(n)
	}
	m := new(big.Rat).Mul(new(big.Rat).SetInt(n), b)
	m.Sub(a, m)
	if d == Modulus && m.Sign() != 0 && m.Sign() != b.Sign() {
		m.Add(m, b)
	}
	return Rational(m)
}

func dividedBigs(d Division, a, b *big.Int) *big.Int {
	divisor(b.Sign() == 0)
	n := new(big.Int)
	if d == Quotient {
		return n.Quo(a, b)
	}
	n.Rem(a, b)
	if d == Modulus && n.Sign() != 0 && n.Sign() != b.Sign() {
		n.Add(n, b)
	}
	return n
}

// CompareNumbers orders two numbers by value. A NaN is neither below nor above:
// ok is false.
func CompareNumbers(a, b Value) (order int, ok bool) {
	if a.o == &headInt && b.o == &headInt {
		return compareInts(int64(a.n), int64(b.n)), true
	}
	if a.o == &headFloat || b.o == &headFloat {
		x, y := ToFloat(a), ToFloat(b)
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, x == y
	}
	if a.Kind() == KindRatio || b.Kind() == KindRatio {
		return ToRat(a).Cmp(ToRat(b)), true
	}
	return ToBig(a).Cmp(ToBig(b)), true
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Less reports a < b; both must be numbers.
func Less(t *Thread, name string, a, b Value) bool {
	if a.o == &headInt && b.o == &headInt {
		return int64(a.n) < int64(b.n)
	}
	Ordered(t, name, a)
	Ordered(t, name, b)
	order, ok := CompareNumbers(a, b)
	return ok && order < 0
}

// Ordered refuses what < and its kin do not take.
func Ordered(t *Thread, name string, v Value) {
	if v.IsNumber() {
		return
	}
	if v.Kind() == KindString {
		ThrowHint("ClassCastException", name+" compares numbers, and got "+Describe(t, v)+".", "Compare texts with (compare a b), or order them with sort or sort-by.")
	}
	NumberFault(t, name, v)
}

// SameNumber is = on numbers: equal by value within their category, integers,
// ratios or doubles.
func SameNumber(a, b Value) bool {
	if (a.Kind() == KindFloat) != (b.Kind() == KindFloat) || (a.Kind() == KindRatio) != (b.Kind() == KindRatio) {
		return false
	}
	order, ok := CompareNumbers(a, b)
	return ok && order == 0
}

// AppendFloat writes a double as Java's Double.toString does: with a point, and
// with an exponent outside of 10^-3 to 10^7.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	if a := math.Abs(f); a == 0 || a >= 1e-3 && a < 1e7 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		if !strings.Contains(string(dst[start:]), ".") {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	negative := exponent[0] == '-'
	exponent = strings.TrimLeft(exponent[1:], "0")
	dst = append(dst, mantissa...)
	dst = append(dst, 'E')
	if negative {
		dst = append(dst, '-')
	}
	return append(dst, exponent...)
}

// hashLong is the hash of a 64-bit integer.
func hashLong(n int64) uint32 {
	if n == 0 {
		return 0
	}
	h := mixH1(0, mixK1(uint32(n)))
	h = mixH1(h, mixK1(uint32(uint64(n)>>32)))
	return finish(h, 8)
}

// hashJavaBig is BigInteger.hashCode.
func hashJavaBig(n *big.Int) uint32 {
	bytes := new(big.Int).Abs(n).Bytes()
	for len(bytes)%4 != 0 {
		bytes = append([]byte{0}, bytes...)
	}
	var h uint32
	for i := 0; i < len(bytes); i += 4 {
		word := uint32(bytes[i])<<24 | uint32(bytes[i+1])<<16 | uint32(bytes[i+2])<<8 | uint32(bytes[i+3])
		h = 31*h + word
	}
	if n.Sign() < 0 {
		return -h
	}
	return h
}

func hashNumber(v Value) uint32 {
	switch v.Kind() {
	case KindInt:
		return hashLong(int64(v.n))
	case KindFloat:
		if f := math.Float64frombits(v.n); f == 0 {
			return 0 // -0.0 equals 0.0
		}
		return uint32(v.n ^ v.n>>32)
	case KindBig:
		n := v.o.self.(*Big).N
		if n.IsInt64() {
			return hashLong(n.Int64())
		}
		return hashJavaBig(n)
	}
	r := v.o.self.(*Ratio).R
	return hashJavaBig(r.Num()) ^ hashJavaBig(r.Denom())
}

// The rounds of Murmur3 with 32 bits, on which Clojure's hashes rest.
func mixK1(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }

func mixH1(h, k uint32) uint32 { return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64 }

func finish(h uint32, length int) uint32 {
	h ^= uint32(length)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
