package object

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

func setupNumbers() {
	setupInt()
	setupFloat()
}

// numberSlots are what int and float have in common, for subclasses.
func numberSlots() Slots {
	return Slots{
		Repr:    nativeRepr,
		Hash:    func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v.Base()) },
		Bool:    func(t *Thread, v Value) (bool, *Exception) { return t.Truth(v.Base()) },
		Compare: nativeCompare,
		Binary:  nativeBinary,
		Unary:   nativeUnary,
		Format:  func(t *Thread, v Value, s string) (string, *Exception) { return nativeFormat(t, v, s) },
		ToFloat: func(t *Thread, v Value) (Value, *Exception) {
			f, _, x := t.asFloat(v.Base())
			return Float(f), x
		},
	}
}

// nativeFormat formats an instance of a subclass as what it is built on; without a
// specification as its own str().
func nativeFormat(t *Thread, v Value, s string) (string, *Exception) {
	if s == "" {
		return t.Str(v)
	}
	return t.Format(v.Base(), s)
}

func setupInt() {
	c := IntClass
	c.Own = numberSlots()
	c.Own.Index = func(t *Thread, v Value) (Value, *Exception) { return asInt(v.Base()), nil }
	c.Own.ToInt = c.Own.Index
	c.Own.Round = func(t *Thread, v, digits Value) (Value, *Exception) { return t.roundInt(v.Base(), digits) }
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		v, x := newInt(t, args, names)
		if x != nil {
			return Value{}, x
		}
		if cls == BoolClass {
			b, x := t.Truth(v)
			return Bool(b), x
		}
		return t.Wrap(cls, IntClass, v)
	}
	c.Method("bit_length", "", func(_ *Thread, a []Value) (Value, *Exception) {
		n, _ := BigOf(a[0])
		return Int(int64(n.BitLen())), nil
	})
	c.Method("bit_count", "", func(t *Thread, a []Value) (Value, *Exception) {
		n, _ := BigOf(a[0])
		ones := 0
		for _, w := range n.Bits() {
			for ; w != 0; w &= w - 1 {
				ones++
			}
		}
		return Int(int64(ones)), t.Charge(int64(len(n.Bits())))
	})
	self := func(_ *Thread, a []Value) (Value, *Exception) { return asInt(a[0].Base()), nil }
	c.Method("conjugate", "", self)
	c.Method("__trunc__", "", self)
	c.Method("__floor__", "", self)
	c.Method("__ceil__", "", self)
	c.Method("as_integer_ratio", "", func(t *Thread, a []Value) (Value, *Exception) { return t.Tuple(asInt(a[0].Base()), Int(1)) })
	c.Method("is_integer", "", func(*Thread, []Value) (Value, *Exception) { return True, nil })
	c.Method("to_bytes", "length? byteorder? * signed?", intToBytes)
	classMethod(c, "from_bytes", "bytes byteorder? * signed?", intFromBytes)
	get := func(name string, f func(v Value) Value) {
		c.Getter(name, func(_ *Thread, v Value) (Value, *Exception) { return f(asInt(v.Base())), nil })
	}
	get("real", func(v Value) Value { return v })
	get("numerator", func(v Value) Value { return v })
	get("imag", func(Value) Value { return Int(0) })
	get("denominator", func(Value) Value { return Int(1) })
	c.Ready()

	b := BoolClass
	b.Final = true
	b.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("bool() takes no keyword arguments")
		}
		if len(args) > 1 {
			return Value{}, t.RaiseType("bool expected at most 1 argument, got %d", len(args))
		}
		if len(args) == 0 {
			return False, nil
		}
		v, x := t.Truth(args[0])
		return Bool(v), x
	}
	b.Ready()
}

// asInt gives a boolean as the integer it is.
func asInt(v Value) Value {
	if v.isKind(KindBool) {
		return Int(int64(v.n))
	}
	return v
}

// classMethod adds a class method written in Go; a[0] is the class.
func classMethod(c *Class, name, sig string, fn NativeFunc) {
	b := NewBuiltin(name, "", nil)
	inner := NewBuiltin(name, sig, nil)
	*b = *inner
	b.Raw = func(t *Thread, a []Value, names []string) (Value, *Exception) {
		cls := a[0]
		call := *inner
		call.Fn = func(t *Thread, rest []Value) (Value, *Exception) {
			return fn(t, append([]Value{cls}, rest...))
		}
		return call.Call(t, a[1:], names)
	}
	c.Attrs.Set(name, Box(&ClassMethod{Fn: b.Value()}))
}

// ClassMethod adds a class method written in Go: sig as in [NewBuiltin], without
// the class, which arrives as the first argument.
func (c *Class) ClassMethod(name, sig string, fn NativeFunc) *Class {
	classMethod(c, name, sig, fn)
	return c
}

// StaticMethod adds a static method written in Go.
func (c *Class) StaticMethod(name, sig string, fn NativeFunc) *Class {
	c.Attrs.Set(name, Box(&StaticMethod{Fn: NewBuiltin(name, sig, fn).Value()}))
	return c
}

var intSignature = NewBuiltin("int", "x? / base?", func(t *Thread, a []Value) (Value, *Exception) {
	return t.convertInt(Arg(a, 0), Arg(a, 1))
})

func newInt(t *Thread, args []Value, names []string) (Value, *Exception) {
	if len(args) == 1 && len(names) == 0 {
		return t.convertInt(args[0], Value{})
	}
	return intSignature.Call(t, args, names)
}

// convertInt is int(v, base).
func (t *Thread) convertInt(v, base Value) (Value, *Exception) {
	if !v.IsSet() {
		if base.IsSet() {
			return Value{}, t.RaiseType("int() missing string argument")
		}
		return Int(0), nil
	}
	if base.IsSet() {
		i, x := t.Index(base)
		if x != nil {
			return Value{}, x
		}
		b, fits := i.Int()
		if !fits {
			b = -1
		}
		if b != 0 && (b < 2 || b > 36) {
			return Value{}, t.RaiseValue("int() base must be >= 2 and <= 36, or 0")
		}
		if s, ok := StrOf(v); ok {
			return t.parseInt(s.s, int(b), v)
		}
		if s, ok := v.Bytes(); ok {
			return t.parseInt(s.s, int(b), v)
		}
		return Value{}, t.RaiseType("int() can't convert non-string with explicit base")
	}
	switch v.Kind() {
	case KindInt, KindBig:
		return v, nil
	case KindBool:
		return asInt(v), nil
	case KindFloat:
		f, _ := v.Float()
		return t.floatToInt(f)
	case KindStr:
		return t.parseInt(v.o.self.(*Str).s, 10, v)
	case KindBytes:
		return t.parseInt(v.o.self.(*Bytes).s, 10, v)
	}
	c := v.Class()
	switch {
	case c.slots.ToInt != nil:
		return c.slots.ToInt(t, v)
	case c.slots.Index != nil:
		return c.slots.Index(t, v)
	}
	if s, ok := StrOf(v); ok {
		return t.parseInt(s.s, 10, v)
	}
	if r, ok, x := t.CallSpecial(v, "__trunc__"); ok || x != nil {
		return r, x
	}
	return Value{}, t.RaiseType("int() argument must be a string, a bytes-like object or a real number, not '%s'", c.Name)
}

func (t *Thread) floatToInt(f float64) (Value, *Exception) {
	if math.IsNaN(f) {
		return Value{}, t.RaiseValue("cannot convert float NaN to integer")
	}
	if math.IsInf(f, 0) {
		return Value{}, t.Raise(OverflowError, "cannot convert float infinity to integer")
	}
	return truncate(f), nil
}

// truncate gives the integer part of a finite float.
func truncate(f float64) Value {
	if f > -9e18 && f < 9e18 {
		return Int(int64(f))
	}
	n, _ := new(big.Float).SetFloat64(f).Int(nil)
	return Big(n)
}

// normalDigits replaces the decimal digits of any script by ASCII ones and
// whitespace by spaces, as int() and float() read them.
func normalDigits(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return strings.Map(func(r rune) rune {
				if d, ok := digitValue(r); ok {
					return '0' + rune(d)
				}
				if isSpace(r) {
					return ' '
				}
				return r
			}, s)
		}
	}
	return s
}

// digitValue gives the value of a decimal digit of any script.
func digitValue(r rune) (int, bool) {
	if r < 0x80 {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	// The digits of a script are contiguous and begin at a multiple of their zero.
	n := 0
	for n < 9 && unicode.Is(unicode.Nd, r-rune(n)-1) {
		n++
	}
	if n == 9 && unicode.Is(unicode.Nd, r-10) {
		// Two scripts side by side: the mathematical digits come in runs of ten.
		return int(r-0x1D7CE) % 10, true
	}
	return n, true
}

// parseInt reads an integer in a base, 0 for that of its prefix.
func (t *Thread) parseInt(s string, base int, v Value) (Value, *Exception) {
	bad := func() (Value, *Exception) {
		r, x := t.Repr(v)
		if x != nil {
			return Value{}, x
		}
		if base == 0 {
			return Value{}, t.RaiseValue("invalid literal for int() with base 0: %s", r)
		}
		return Value{}, t.RaiseValue("invalid literal for int() with base %d: %s", base, r)
	}
	if x := t.Charge(int64(len(s) >> 4)); x != nil {
		return Value{}, x
	}
	d := strings.TrimFunc(normalDigits(s), isSpace)
	negative := false
	if d != "" && (d[0] == '-' || d[0] == '+') {
		negative = d[0] == '-'
		d = d[1:]
	}
	b := base
	prefixed := false
	if len(d) > 1 && d[0] == '0' {
		var p int
		switch d[1] {
		case 'x', 'X':
			p = 16
		case 'o', 'O':
			p = 8
		case 'b', 'B':
			p = 2
		}
		if p != 0 && (base == 0 || base == p) {
			b, d, prefixed = p, d[2:], true
			d = strings.TrimPrefix(d, "_")
		}
	}
	if b == 0 {
		b = 10
		if len(d) > 1 && d[0] == '0' && strings.Trim(d, "0_") != "" {
			return bad()
		}
	}
	_ = prefixed
	if d == "" || d[0] == '_' || d[len(d)-1] == '_' || strings.Contains(d, "__") {
		return bad()
	}
	d = strings.ReplaceAll(d, "_", "")
	for i := range len(d) {
		if digitOf(d[i]) >= b {
			return bad()
		}
	}
	if negative {
		d = "-" + d
	}
	if n, err := strconv.ParseInt(d, b, 64); err == nil {
		return Int(n), nil
	}
	digits := len(strings.TrimPrefix(d, "-"))
	if b&(b-1) != 0 && digits > maxDigits {
		return Value{}, t.RaiseValue("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit", maxDigits, digits)
	}
	if x := t.allocBits(digits * 6); x != nil {
		return Value{}, x
	}
	n, ok := new(big.Int).SetString(d, b)
	if !ok {
		return bad()
	}
	return Big(n), nil
}

func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

func (t *Thread) byteOrder(v Value) (little bool, raised *Exception) {
	if !v.IsSet() {
		return false, nil
	}
	s, ok := StrOf(v)
	if !ok {
		return false, t.RaiseType("argument 'byteorder' must be str, not %s", v.Class().Name)
	}
	switch s.s {
	case "little":
		return true, nil
	case "big":
		return false, nil
	}
	return false, t.RaiseValue("byteorder must be either 'little' or 'big'")
}

func intToBytes(t *Thread, a []Value) (Value, *Exception) {
	n, _ := BigOf(a[0])
	size := int64(1)
	if v := Arg(a, 1); v.IsSet() {
		var x *Exception
		if size, x = t.IndexInt(v); x != nil {
			return Value{}, x
		}
	}
	if size < 0 {
		return Value{}, t.RaiseValue("length argument must be non-negative")
	}
	little, x := t.byteOrder(Arg(a, 2))
	if x != nil {
		return Value{}, x
	}
	signed := false
	if v := Arg(a, 3); v.IsSet() {
		if signed, x = t.Truth(v); x != nil {
			return Value{}, x
		}
	}
	if x := t.room(size, 1); x != nil {
		return Value{}, x
	}
	if n.Sign() < 0 && !signed {
		return Value{}, t.Raise(OverflowError, "can't convert negative int to unsigned")
	}
	most := int(size) * 8
	fits := n.BitLen() <= most
	if signed {
		m := n
		if n.Sign() < 0 {
			m = new(big.Int).Not(n)
		}
		fits = m.BitLen() < most || most == 0 && n.Sign() == 0
	}
	if !fits {
		return Value{}, t.Raise(OverflowError, "int too big to convert")
	}
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(most)))
	}
	out := n.FillBytes(make([]byte, size))
	if little {
		reverseBytes(out)
	}
	return NewBytes(string(out)), nil
}

func reverseBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

func intFromBytes(t *Thread, a []Value) (Value, *Exception) {
	src, x := t.bytesFrom(a[1])
	if x != nil {
		return Value{}, x
	}
	little, x := t.byteOrder(Arg(a, 2))
	if x != nil {
		return Value{}, x
	}
	b := []byte(src)
	if little {
		reverseBytes(b)
	}
	if x := t.allocBits(8 * len(b)); x != nil {
		return Value{}, x
	}
	n := new(big.Int).SetBytes(b)
	if v := Arg(a, 3); v.IsSet() && len(b) > 0 && b[0]&0x80 != 0 {
		if signed, x := t.Truth(v); x != nil || signed {
			return Big(n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))), x
		}
	}
	return Big(n), nil
}

// roundInt is round(n, digits).
func (t *Thread) roundInt(v, digits Value) (Value, *Exception) {
	v = asInt(v)
	if !digits.IsSet() || digits.IsNone() {
		return v, nil
	}
	d, x := t.IndexInt(digits)
	if x != nil || d >= 0 {
		return v, x
	}
	n, _ := bigOf(v)
	if -d > int64(n.BitLen())/3+2 {
		return Int(0), nil
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(-d), nil)
	r := roundQuotient(new(big.Rat).SetInt(new(big.Int).Abs(n)), scale)
	r.Mul(r, scale)
	if n.Sign() < 0 {
		r.Neg(r)
	}
	return t.bigResult(r)
}

func setupFloat() {
	c := FloatClass
	c.Own = numberSlots()
	c.Own.ToInt = func(t *Thread, v Value) (Value, *Exception) {
		f, _ := v.Base().Float()
		return t.floatToInt(f)
	}
	c.Own.Round = func(t *Thread, v, digits Value) (Value, *Exception) {
		f, _ := v.Base().Float()
		return t.roundFloat(f, digits)
	}
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("float() takes no keyword arguments")
		}
		if len(args) > 1 {
			return Value{}, t.RaiseType("float expected at most 1 argument, got %d", len(args))
		}
		v := Float(0)
		if len(args) == 1 {
			var x *Exception
			if v, x = t.convertFloat(args[0]); x != nil {
				return Value{}, x
			}
		}
		return t.Wrap(cls, FloatClass, v)
	}
	of := func(name string, f func(t *Thread, n float64) (Value, *Exception)) {
		c.Method(name, "", func(t *Thread, a []Value) (Value, *Exception) {
			n, _ := a[0].Base().Float()
			return f(t, n)
		})
	}
	of("is_integer", func(_ *Thread, n float64) (Value, *Exception) {
		return Bool(n == math.Trunc(n) && !math.IsInf(n, 0)), nil
	})
	of("conjugate", func(_ *Thread, n float64) (Value, *Exception) { return Float(n), nil })
	of("__trunc__", func(t *Thread, n float64) (Value, *Exception) { return t.floatToInt(n) })
	of("__floor__", func(t *Thread, n float64) (Value, *Exception) { return t.floatToInt(math.Floor(n)) })
	of("__ceil__", func(t *Thread, n float64) (Value, *Exception) { return t.floatToInt(math.Ceil(n)) })
	of("as_integer_ratio", func(t *Thread, n float64) (Value, *Exception) {
		if math.IsNaN(n) {
			return Value{}, t.RaiseValue("cannot convert NaN to integer ratio")
		}
		if math.IsInf(n, 0) {
			return Value{}, t.Raise(OverflowError, "cannot convert Infinity to integer ratio")
		}
		r := new(big.Rat).SetFloat64(n)
		return t.Tuple(Big(new(big.Int).Set(r.Num())), Big(new(big.Int).Set(r.Denom())))
	})
	of("hex", func(_ *Thread, n float64) (Value, *Exception) { return NewStr(floatHex(n)), nil })
	classMethod(c, "fromhex", "string /", func(t *Thread, a []Value) (Value, *Exception) {
		s, ok := StrOf(a[1])
		if !ok {
			return Value{}, t.RaiseType("fromhex() argument must be str")
		}
		text := strings.ToLower(strings.TrimFunc(s.s, isSpace))
		if !strings.Contains(text, "p") && strings.Contains(text, "0x") {
			text += "p0"
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return Value{}, t.RaiseValue("invalid hexadecimal floating-point string")
		}
		return Float(f), nil
	})
	c.Getter("real", func(_ *Thread, v Value) (Value, *Exception) { return v.Base(), nil })
	c.Getter("imag", func(*Thread, Value) (Value, *Exception) { return Float(0), nil })
	c.Ready()
}

func floatHex(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return floatRepr(f)
	}
	if f == 0 {
		if math.Signbit(f) {
			return "-0x0.0p+0"
		}
		return "0x0.0p+0"
	}
	s := strconv.FormatFloat(f, 'x', 13, 64)
	i := strings.IndexByte(s, 'p')
	exp, _ := strconv.Atoi(s[i+1:])
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	return s[:i+1] + sign + strconv.Itoa(exp)
}

// roundFloat is round(f, digits).
func (t *Thread) roundFloat(f float64, digits Value) (Value, *Exception) {
	if !digits.IsSet() || digits.IsNone() {
		if math.IsNaN(f) {
			return Value{}, t.RaiseValue("cannot convert float NaN to integer")
		}
		if math.IsInf(f, 0) {
			return Value{}, t.Raise(OverflowError, "cannot convert float infinity to integer")
		}
		return truncate(math.RoundToEven(f)), nil
	}
	i, x := t.Index(digits)
	if x != nil {
		return Value{}, x
	}
	d, fits := i.Int()
	if n, big := bigOf(i); !fits && big {
		d = int64(n.Sign()) * 400
	}
	r := roundFloat(f, int(max(min(d, 400), -400)))
	if math.IsInf(r, 0) && !math.IsInf(f, 0) {
		return Value{}, t.Raise(OverflowError, "rounded value too large to represent")
	}
	return Float(r), nil
}

// convertFloat is float(v).
func (t *Thread) convertFloat(v Value) (Value, *Exception) {
	f, ok, x := t.asFloat(v)
	if ok || x != nil {
		return Float(f), x
	}
	if s, ok := StrOf(v); ok && v.Class().slots.ToFloat == nil {
		return t.parseFloat(s.s, v)
	}
	if b, ok := v.Bytes(); ok {
		return t.parseFloat(b.s, v)
	}
	c := v.Class()
	if c.slots.ToFloat != nil {
		return c.slots.ToFloat(t, v)
	}
	if c.slots.Index != nil {
		n, x := t.Index(v)
		if x != nil {
			return Value{}, x
		}
		f, _, x := t.asFloat(n)
		return Float(f), x
	}
	return Value{}, t.RaiseType("float() argument must be a string or a real number, not '%s'", c.Name)
}

func (t *Thread) parseFloat(s string, v Value) (Value, *Exception) {
	if x := t.Charge(int64(len(s) >> 4)); x != nil {
		return Value{}, x
	}
	d := strings.TrimFunc(normalDigits(s), isSpace)
	if f, ok := readFloat(d); ok {
		return t.float(f), nil
	}
	r, x := t.Repr(v)
	if x != nil {
		return Value{}, x
	}
	return Value{}, t.RaiseValue("could not convert string to float: %s", r)
}

// readFloat reads what float() accepts: decimal notation, inf, infinity, nan.
func readFloat(s string) (float64, bool) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return 0, false
	}
	switch strings.ToLower(digits) {
	case "inf", "infinity":
		if strings.HasPrefix(s, "-") {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c == '.', c == 'e', c == 'E', c == '+', c == '-':
		case c == '_':
			if i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1]) {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
