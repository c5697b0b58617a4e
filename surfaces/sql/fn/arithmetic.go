package fn

import (
	"math"
	"math/bits"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

var (
	errSmallintRange  = pgerr.New(pgerr.NumericOutOfRange, "smallint out of range")
	errIntegerRange   = pgerr.New(pgerr.NumericOutOfRange, "integer out of range")
	errBigintRange    = pgerr.New(pgerr.NumericOutOfRange, "bigint out of range")
	errFloatOverflow  = pgerr.New(pgerr.NumericOutOfRange, "value out of range: overflow")
	errFloatUnderflow = pgerr.New(pgerr.NumericOutOfRange, "value out of range: underflow")
)

// intSize is the width of an integer type, by its size in bytes.
type intSize int

func (s intSize) outOfRange() *pgerr.Error {
	switch s {
	case 2:
		return errSmallintRange
	case 4:
		return errIntegerRange
	}
	return errBigintRange
}

// fits reports whether a number is in the range of the type.
func (s intSize) fits(v int64) bool {
	shift := 64 - 8*uint(s)
	return v<<shift>>shift == v
}

// arithmeticKernels are + - * / % and the signs of the number types.
func arithmeticKernels() map[string]Kernel {
	all := map[string]Kernel{}
	// The result of an operation on two sizes is of the larger one.
	for name, size := range map[string]intSize{
		"int2": 2, "int4": 4, "int8": 8, "int24": 4, "int42": 4, "int28": 8, "int82": 8, "int48": 8, "int84": 8,
	} {
		all[name+"pl"] = intKernel(size, addInt)
		all[name+"mi"] = intKernel(size, subtractInt)
		all[name+"mul"] = intKernel(size, multiplyInt)
		all[name+"div"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return divideInt(size, a, b) })
	}
	for name, size := range map[string]intSize{"int2": 2, "int4": 4, "int8": 8} {
		all[name+"mod"] = Binary(modInt)
		all[name+"um"] = intKernel1(size, func(a int64) (int64, bool) { return -a, a != math.MinInt64 })
		all[name+"up"] = intKernel1(size, func(a int64) (int64, bool) { return a, true })
		all[name+"larger"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return max(a, b), nil })
		all[name+"smaller"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return min(a, b), nil })
	}
	for name, bitSize := range map[string]int{"float4": 32, "float8": 64, "float48": 64, "float84": 64} {
		all[name+"pl"] = floatKernel(bitSize, func(a, b float64) float64 { return a + b })
		all[name+"mi"] = floatKernel(bitSize, func(a, b float64) float64 { return a - b })
		all[name+"mul"] = Binary(func(_ *Env, a, b float64) (float64, *pgerr.Error) { return multiplyFloat(bitSize, a, b) })
		all[name+"div"] = Binary(func(_ *Env, a, b float64) (float64, *pgerr.Error) { return divideFloat(bitSize, a, b) })
	}
	for _, name := range []string{"float4", "float8"} {
		all[name+"um"] = Unary(func(_ *Env, a float64) (float64, *pgerr.Error) { return -a, nil })
		all[name+"up"] = Unary(func(_ *Env, a float64) (float64, *pgerr.Error) { return a, nil })
	}
	all["numeric_add"] = numericKernel(pgtype.Numeric.Add)
	all["numeric_sub"] = numericKernel(pgtype.Numeric.Sub)
	all["numeric_mul"] = numericKernel(pgtype.Numeric.Mul)
	all["numeric_div"] = numericKernel(pgtype.Numeric.Div)
	all["numeric_mod"] = numericKernel(pgtype.Numeric.Mod)
	all["numeric_uminus"] = Unary(func(_ *Env, a pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) { return a.Neg(), nil })
	all["numeric_uplus"] = Unary(func(_ *Env, a pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) { return a, nil })
	return all
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func subtractInt(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

func multiplyInt(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if negative := (a < 0) != (b < 0); negative {
		return -int64(low), high == 0 && low <= 1<<63
	}
	return int64(low), high == 0 && low <= math.MaxInt64
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// intKernel computes with two integers; what does not fit is an error.
func intKernel(size intSize, f func(a, b int64) (int64, bool)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b := read[int64](args[0]), read[int64](args[1])
		for _, r := range rows {
			v, ok := f(a.at(r), b.at(r))
			if !ok || !size.fits(v) {
				return size.outOfRange()
			}
			out.Ints[r] = v
		}
		return nil
	}
}

func intKernel1(size intSize, f func(a int64) (int64, bool)) Kernel {
	return Unary(func(_ *Env, a int64) (int64, *pgerr.Error) {
		v, ok := f(a)
		if !ok || !size.fits(v) {
			return 0, size.outOfRange()
		}
		return v, nil
	})
}

func divideInt(size intSize, a, b int64) (int64, *pgerr.Error) {
	if b == 0 {
		return 0, pgtype.ErrDivisionByZero
	}
	v := a / b
	if a == math.MinInt64 && b == -1 || !size.fits(v) {
		return 0, size.outOfRange()
	}
	return v, nil
}

func modInt(_ *Env, a, b int64) (int64, *pgerr.Error) {
	if b == 0 {
		return 0, pgtype.ErrDivisionByZero
	}
	return a % b, nil
}

// roundTo rounds a result to 32 bits where the type is real.
func roundTo(bitSize int, v float64) float64 {
	if bitSize == 32 {
		return float64(float32(v))
	}
	return v
}

func floatKernel(bitSize int, f func(a, b float64) float64) Kernel {
	return Binary(func(_ *Env, a, b float64) (float64, *pgerr.Error) {
		v := roundTo(bitSize, f(a, b))
		if math.IsInf(v, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
			return 0, errFloatOverflow
		}
		return v, nil
	})
}

func multiplyFloat(bitSize int, a, b float64) (float64, *pgerr.Error) {
	v := roundTo(bitSize, a*b)
	switch {
	case math.IsInf(v, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0):
		return 0, errFloatOverflow
	case v == 0 && a != 0 && b != 0:
		return 0, errFloatUnderflow
	}
	return v, nil
}

func divideFloat(bitSize int, a, b float64) (float64, *pgerr.Error) {
	if b == 0 && !math.IsNaN(a) {
		return 0, pgtype.ErrDivisionByZero
	}
	v := roundTo(bitSize, a/b)
	switch {
	case math.IsInf(v, 0) && !math.IsInf(a, 0):
		return 0, errFloatOverflow
	case v == 0 && a != 0 && !math.IsInf(b, 0):
		return 0, errFloatUnderflow
	}
	return v, nil
}

// numericKernel computes with two numbers. What a large result takes is charged
// by the size of the operands before it is computed.
func numericKernel(f func(a, b pgtype.Numeric) (pgtype.Numeric, *pgerr.Error)) Kernel {
	return Binary(func(e *Env, a, b pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) {
		if x, y := a.Size(), b.Size(); x|y != 0 {
			if err := e.Charge(x * y / 64); err != nil {
				return a, err
			}
			if err := e.Alloc(x + y + 64); err != nil {
				return a, err
			}
		}
		return f(a, b)
	})
}
