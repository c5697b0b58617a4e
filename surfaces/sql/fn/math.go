package fn

import (
	"math"
	"math/bits"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

var (
	errFloatInput  = pgerr.New(pgerr.NumericOutOfRange, "input is out of range")
	errSqrt        = pgerr.New(pgerr.InvalidPowerArgument, "cannot take square root of a negative number")
	errLogZero     = pgerr.New(pgerr.InvalidLogArgument, "cannot take logarithm of zero")
	errLogNegative = pgerr.New(pgerr.InvalidLogArgument, "cannot take logarithm of a negative number")
	errZeroPower   = pgerr.New(pgerr.InvalidPowerArgument, "zero raised to a negative power is undefined")
	errComplex     = pgerr.New(pgerr.InvalidPowerArgument, "a negative number raised to a non-integer power yields a complex result")
)

// floatFunction is a function of a float that is defined everywhere and keeps its
// range.
func floatFunction(f func(x float64) float64) Kernel {
	return Unary(func(_ *Env, x float64) (float64, *pgerr.Error) { return f(x), nil })
}

func numericFunction(f func(n pgtype.Numeric) pgtype.Numeric) Kernel {
	return Unary(func(e *Env, n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) {
		if size := n.Size(); size != 0 {
			if err := e.Alloc(size + 64); err != nil {
				return n, err
			}
		}
		return f(n), nil
	})
}

// numericSeries is a function of a number that sums a series: its cost grows with
// the digits of the result.
func numericSeries(f func(n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error)) Kernel {
	return Unary(func(e *Env, n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) {
		if err := e.seriesWork(n); err != nil {
			return n, err
		}
		return f(n)
	})
}

// seriesWork charges what a power or a logarithm costs: some hundred products of
// the length of the result, which is at least that of the operand.
func (e *Env) seriesWork(n pgtype.Numeric) *pgerr.Error {
	words := n.Size()/8 + int64(n.Scale())/16 + 8
	if err := e.Charge(100 + words*words); err != nil {
		return err
	}
	return e.Alloc(n.Size() + 512)
}

func absInt(size intSize) Kernel {
	return intKernel1(size, func(a int64) (int64, bool) {
		if a < 0 {
			return -a, a != math.MinInt64
		}
		return a, true
	})
}

func mathKernels() map[string]Kernel {
	all := map[string]Kernel{
		"int2abs": absInt(2), "int4abs": absInt(4), "int8abs": absInt(8),
		"float4abs": floatFunction(math.Abs), "float8abs": floatFunction(math.Abs),
		"numeric_abs": numericFunction(pgtype.Numeric.Abs),
		"dround":      floatFunction(math.RoundToEven), "dtrunc": floatFunction(math.Trunc),
		"dceil": floatFunction(math.Ceil), "dfloor": floatFunction(math.Floor),
		"dsign": floatFunction(signOf),
		"dpi":   Nullary(func(*Env) (float64, *pgerr.Error) { return math.Pi, nil }),

		"numeric_sign":  numericFunction(numericSign),
		"numeric_ceil":  numericFunction(pgtype.Numeric.Ceil),
		"numeric_floor": numericFunction(pgtype.Numeric.Floor),
		"numeric_round": Binary(func(e *Env, n pgtype.Numeric, scale int64) (pgtype.Numeric, *pgerr.Error) {
			if err := e.rescaling(n, scale); err != nil {
				return n, err
			}
			return n.Round(int(scale)).Checked()
		}),
		"numeric_trunc": Binary(func(e *Env, n pgtype.Numeric, scale int64) (pgtype.Numeric, *pgerr.Error) {
			return n.Trunc(int(scale)), e.rescaling(n, scale)
		}),
		"round(numeric)": numericFunction(func(n pgtype.Numeric) pgtype.Numeric { return n.Round(0) }),
		"trunc(numeric)": numericFunction(func(n pgtype.Numeric) pgtype.Numeric { return n.Trunc(0) }),
		"numeric_sqrt":   numericSeries(pgtype.Numeric.Sqrt),
		"numeric_exp":    numericSeries(pgtype.Numeric.Exp),
		"numeric_ln":     numericSeries(pgtype.Numeric.Ln),
		"numeric_log":    Binary(numericLog),
		"numeric_power":  Binary(numericPower),
		"log(numeric)":   numericSeries(func(n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) { return pgtype.Log(pgtype.NumericFromInt(10), n) }),
		"log10(numeric)": numericSeries(func(n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) { return pgtype.Log(pgtype.NumericFromInt(10), n) }),

		"numeric_div_trunc":  numericKernel(pgtype.Numeric.DivTrunc),
		"numeric_gcd":        numericKernel(func(a, b pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) { return pgtype.GCD(a, b), nil }),
		"numeric_lcm":        numericKernel(pgtype.LCM),
		"numeric_fac":        Unary(factorial),
		"numeric_inc":        numericFunction(func(n pgtype.Numeric) pgtype.Numeric { v, _ := n.Add(pgtype.NumericFromInt(1)); return v }),
		"numeric_scale":      UnaryNull(numericScale(pgtype.Numeric.Scale)),
		"numeric_min_scale":  UnaryNull(numericScale(pgtype.Numeric.MinScale)),
		"numeric_trim_scale": numericFunction(func(n pgtype.Numeric) pgtype.Numeric { return n.Trunc(n.MinScale()) }),
		"int4gcd":            Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return gcd(4, a, b) }),
		"int8gcd":            Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return gcd(8, a, b) }),
		"int4lcm":            Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return lcm(4, a, b) }),
		"int8lcm":            Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return lcm(8, a, b) }),
		"to_hex32":           toBase(32, 16), "to_hex64": toBase(64, 16),
		"to_oct32": toBase(32, 8), "to_oct64": toBase(64, 8), "to_bin32": toBase(32, 2), "to_bin64": toBase(64, 2),

		"width_bucket_array":   Rowwise(widthBucketArray),
		"width_bucket_float8":  Quaternary(widthBucketFloat),
		"width_bucket_numeric": Quaternary(widthBucketNumeric),
		"drandom":              Nullary(func(e *Env) (float64, *pgerr.Error) { return e.Random(), nil }),
		"drandom_normal":       Binary(randomNormal),
		"int4random":           Binary(randomInt), "int8random": Binary(randomInt),
	}
	for name, size := range map[string]intSize{"int2": 2, "int4": 4, "int8": 8} {
		all[name+"and"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return a & b, nil })
		all[name+"or"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return a | b, nil })
		all[name+"xor"] = Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return a ^ b, nil })
		all[name+"not"] = Unary(func(_ *Env, a int64) (int64, *pgerr.Error) { return ^a, nil })
		all[name+"shl"] = Binary(shiftInt(size, true))
		all[name+"shr"] = Binary(shiftInt(size, false))
	}
	for name, k := range floatKernels() {
		all[name] = k
	}
	return all
}

// shiftInt shifts by a distance taken modulo the width that the processor uses: 32
// bits for the narrow types, 64 for bigint.
func shiftInt(size intSize, left bool) func(*Env, int64, int64) (int64, *pgerr.Error) {
	mask := int64(31)
	if size == 8 {
		mask = 63
	}
	return func(_ *Env, a, by int64) (int64, *pgerr.Error) {
		if !left {
			return a >> (by & mask), nil
		}
		spare := 64 - 8*uint(size)
		return a << (by & mask) << spare >> spare, nil
	}
}

// rescaling charges the digits that a larger scale adds.
func (e *Env) rescaling(n pgtype.Numeric, scale int64) *pgerr.Error {
	if scale < 18 && n.Size() == 0 {
		return nil
	}
	return e.Alloc(n.Size() + 64 + max(min(scale, 16383), 0)/2)
}

func signOf(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func numericSign(n pgtype.Numeric) pgtype.Numeric {
	if n.IsNaN() {
		return n
	}
	return pgtype.NumericFromInt(int64(n.Sign()))
}

func numericScale(f func(pgtype.Numeric) int) func(*Env, pgtype.Numeric) (Opt[int64], *pgerr.Error) {
	return func(_ *Env, n pgtype.Numeric) (Opt[int64], *pgerr.Error) {
		if !n.Finite() {
			return None[int64](), nil
		}
		return Some(int64(f(n))), nil
	}
}

func numericLog(e *Env, base, n pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) {
	for _, x := range []pgtype.Numeric{base, n} {
		if err := e.seriesWork(x); err != nil {
			return n, err
		}
	}
	return pgtype.Log(base, n)
}

func numericPower(e *Env, base, exponent pgtype.Numeric) (pgtype.Numeric, *pgerr.Error) {
	if err := e.seriesWork(base); err != nil {
		return base, err
	}
	// The result has up to as many digits as the exponent says.
	size := min(math.Abs(exponent.Log10Of(base)), 131072+1000)
	if err := e.Charge(int64(size) * int64(size) / 512); err != nil {
		return base, err
	}
	if err := e.Alloc(int64(size)); err != nil {
		return base, err
	}
	return base.Pow(exponent)
}

func factorial(e *Env, n int64) (pgtype.Numeric, *pgerr.Error) {
	if n > 0 && n <= 32177 {
		if err := e.Charge(n * n / 64); err != nil {
			return pgtype.Numeric{}, err
		}
		if err := e.Alloc(n * 4); err != nil {
			return pgtype.Numeric{}, err
		}
	}
	return pgtype.Factorial(n)
}

func gcd(size intSize, a, b int64) (int64, *pgerr.Error) {
	x, y := magnitude(a), magnitude(b)
	for y != 0 {
		x, y = y, x%y
	}
	if x > math.MaxInt64 || !size.fits(int64(x)) {
		return 0, size.outOfRange()
	}
	return int64(x), nil
}

func lcm(size intSize, a, b int64) (int64, *pgerr.Error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	g, err := gcd(size, a, b)
	if err != nil {
		return 0, err
	}
	high, low := bits.Mul64(magnitude(a)/uint64(g), magnitude(b))
	if high != 0 || low > math.MaxInt64 || !size.fits(int64(low)) {
		return 0, size.outOfRange()
	}
	return int64(low), nil
}

// toBase writes the two's complement of a number.
func toBase(width, base int) Kernel {
	return Unary(func(_ *Env, n int64) (string, *pgerr.Error) {
		u := uint64(n)
		if width == 32 {
			u = uint64(uint32(n))
		}
		return formatUint(u, base), nil
	})
}

func widthBucketFloat(_ *Env, x, low, high float64, count int64) (int64, *pgerr.Error) {
	if count <= 0 {
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "count must be greater than zero")
	}
	switch {
	case math.IsNaN(x) || math.IsNaN(low) || math.IsNaN(high):
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "operand, lower bound, and upper bound cannot be NaN")
	case math.IsInf(low, 0) || math.IsInf(high, 0):
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "lower and upper bounds must be finite")
	case low == high:
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "lower bound cannot equal upper bound")
	}
	sign := 1.0
	if low > high {
		sign = -1
	}
	switch {
	case sign*x < sign*low:
		return 0, nil
	case sign*x >= sign*high:
		if count == math.MaxInt32 {
			return 0, errIntegerRange
		}
		return count + 1, nil
	}
	var part float64
	if width := high - low; !math.IsInf(width, 0) {
		part = float64(count) * ((x - low) / width)
	} else {
		part = float64(count) * ((x/2 - low/2) / (high/2 - low/2))
	}
	return min(int64(part), count-1) + 1, nil
}

func widthBucketNumeric(_ *Env, x, low, high pgtype.Numeric, count int64) (int64, *pgerr.Error) {
	if count <= 0 {
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "count must be greater than zero")
	}
	switch {
	case x.IsNaN() || low.IsNaN() || high.IsNaN():
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "operand, lower bound, and upper bound cannot be NaN")
	case low.IsInf() || high.IsInf():
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "lower and upper bounds must be finite")
	}
	direction := pgtype.CompareNumeric(low, high)
	if direction == 0 {
		return 0, pgerr.New(pgerr.InvalidWidthBucket, "lower bound cannot equal upper bound")
	}
	switch {
	case pgtype.CompareNumeric(x, low)*direction > 0:
		return 0, nil
	case pgtype.CompareNumeric(x, high)*direction <= 0:
		if count == math.MaxInt32 {
			return 0, errIntegerRange
		}
		return count + 1, nil
	}
	above, err := x.Sub(low)
	if err != nil {
		return 0, err
	}
	width, err := high.Sub(low)
	if err != nil {
		return 0, err
	}
	if above, err = above.Mul(pgtype.NumericFromInt(count)); err != nil {
		return 0, err
	}
	bucket, err := above.DivTrunc(width)
	if err != nil {
		return 0, err
	}
	n, err := bucket.Int(64)
	return n + 1, err
}

func randomNormal(e *Env, mean, deviation float64) (float64, *pgerr.Error) {
	// Box and Muller; 1 - r is never 0.
	r := math.Sqrt(-2 * math.Log(1-e.Random()))
	return mean + deviation*r*math.Cos(2*math.Pi*e.Random()), nil
}

func randomInt(e *Env, low, high int64) (int64, *pgerr.Error) {
	if low > high {
		return 0, pgerr.New(pgerr.InvalidParameter, "lower bound must be less than or equal to upper bound")
	}
	width := uint64(high) - uint64(low) + 1
	r := uint64(e.Random()*(1<<52))<<12 ^ uint64(e.Random()*(1<<52))
	if width == 0 {
		return int64(r), nil
	}
	return low + int64(r%width), nil
}

// widthBucketArray finds how many of the sorted bounds are not above a value.
func widthBucketArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	bounds := args[1].Value.(*vector.Array)
	if len(bounds.Dimensions) > 1 {
		return nil, pgerr.New(pgerr.ArraySubscript, "thresholds must be one-dimensional array")
	}
	for i := range bounds.Len() {
		if bounds.At(i).Null() {
			return nil, pgerr.New(pgerr.NullNotAllowed, "thresholds array must not contain NULLs")
		}
	}
	low, high := 0, bounds.Len()
	for low < high {
		mid := (low + high) / 2
		if vector.CompareDatum(args[0], bounds.At(mid)) < 0 {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return int64(low), nil
}
