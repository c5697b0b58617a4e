package fn

import (
	"math"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

func formatUint(n uint64, base int) string { return strconv.FormatUint(n, base) }

// floatChecked is a function of a float that may leave its range.
func floatChecked(f func(x float64) (float64, *pgerr.Error)) Kernel {
	return Unary(func(_ *Env, x float64) (float64, *pgerr.Error) { return f(x) })
}

// floatKernels are the functions of the C library on floats.
func floatKernels() map[string]Kernel {
	all := map[string]Kernel{
		"dsqrt": floatChecked(func(x float64) (float64, *pgerr.Error) {
			if x < 0 {
				return 0, errSqrt
			}
			return math.Sqrt(x), nil
		}),
		"dcbrt":  floatFunction(cbrt),
		"dexp":   floatChecked(expOf),
		"dlog1":  floatChecked(logOf(lnOf)),
		"dlog10": floatChecked(logOf(log10Of)),
		"dpow":   Binary(func(_ *Env, x, y float64) (float64, *pgerr.Error) { return powOf(x, y) }),

		"dsin": trigonometric(sinOf), "dcos": trigonometric(cosOf), "dtan": trigonometric(tanOf),
		"dcot":  trigonometric(func(x float64) float64 { return 1 / tanOf(x) }),
		"dsind": trigonometric(sinDegrees), "dcosd": trigonometric(cosDegrees), "dtand": trigonometric(tanDegrees), "dcotd": trigonometric(cotDegrees),
		"dasin": inverse(asinOf), "dacos": inverse(acosOf), "dasind": inverse(asinDegrees), "dacosd": inverse(acosDegrees),
		"datan":   floatFunction(atanOf),
		"datand":  floatFunction(func(x float64) float64 { return atanOf(x) / atanOf(1) * 45 }),
		"datan2":  Binary(func(_ *Env, y, x float64) (float64, *pgerr.Error) { return atan2Of(y, x), nil }),
		"datan2d": Binary(func(_ *Env, y, x float64) (float64, *pgerr.Error) { return atan2Of(y, x) / atanOf(1) * 45, nil }),
		"dsinh":   floatFunction(sinhOf), "dcosh": floatFunction(coshOf), "dtanh": floatFunction(tanhOf),
		"dasinh": floatFunction(asinhOf),
		"dacosh": floatChecked(func(x float64) (float64, *pgerr.Error) {
			if x < 1 {
				return 0, errFloatInput
			}
			return acoshOf(x), nil
		}),
		"datanh": floatChecked(func(x float64) (float64, *pgerr.Error) {
			if x < -1 || x > 1 {
				return 0, errFloatInput
			}
			return atanhOf(x), nil
		}),
		"derf": floatFunction(math.Erf), "derfc": floatFunction(math.Erfc),
		"degrees": floatChecked(func(x float64) (float64, *pgerr.Error) { return divideFloat(64, x, math.Pi/180) }),
		"radians": floatChecked(func(x float64) (float64, *pgerr.Error) { return multiplyFloat(64, x, math.Pi/180) }),
	}
	return all
}

func expOf(x float64) (float64, *pgerr.Error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.Exp(x), nil
	}
	v := expExact(x)
	switch {
	case math.IsInf(v, 0):
		return 0, errFloatOverflow
	case v == 0:
		return 0, errFloatUnderflow
	}
	return v, nil
}

func logOf(f func(float64) float64) func(float64) (float64, *pgerr.Error) {
	return func(x float64) (float64, *pgerr.Error) {
		switch {
		case x == 0:
			return 0, errLogZero
		case x < 0:
			return 0, errLogNegative
		}
		return f(x), nil
	}
}

func powOf(x, y float64) (float64, *pgerr.Error) {
	switch {
	case x == 0 && y < 0:
		return 0, errZeroPower
	case x < 0 && math.Floor(y) != y && !math.IsNaN(y):
		return 0, errComplex
	}
	v := math.Pow(x, y)
	if math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) || x == 0 {
		return v, nil
	}
	v = powExact(x, y)
	switch {
	case math.IsInf(v, 0):
		return 0, errFloatOverflow
	case v == 0:
		return 0, errFloatUnderflow
	}
	return v, nil
}

func trigonometric(f func(x float64) float64) Kernel {
	return floatChecked(func(x float64) (float64, *pgerr.Error) {
		if math.IsInf(x, 0) {
			return 0, errFloatInput
		}
		if math.IsNaN(x) {
			return x, nil
		}
		return f(x), nil
	})
}

// inverse is a function on -1 to 1.
func inverse(f func(x float64) float64) Kernel {
	return floatChecked(func(x float64) (float64, *pgerr.Error) {
		if x < -1 || x > 1 {
			return 0, errFloatInput
		}
		return f(x), nil
	})
}

func castInt(size intSize) Kernel {
	return Unary(func(_ *Env, v int64) (int64, *pgerr.Error) {
		if !size.fits(v) {
			return 0, size.outOfRange()
		}
		return v, nil
	})
}

// floatToInt rounds half to even.
func floatToInt(size intSize) Kernel {
	limit := math.Ldexp(1, 8*int(size)-1)
	return Unary(func(_ *Env, x float64) (int64, *pgerr.Error) {
		r := math.RoundToEven(x)
		if !(r >= -limit && r < limit) {
			return 0, size.outOfRange()
		}
		return int64(r), nil
	})
}

// numberCasts convert between the types of numbers.
func numberCasts() map[string]Kernel {
	same := Unary(identity[int64])
	toFloat := func(bits int) Kernel {
		return Unary(func(_ *Env, v int64) (float64, *pgerr.Error) {
			if bits == 32 {
				return float64(float32(v)), nil
			}
			return float64(v), nil
		})
	}
	toNumeric := Unary(func(_ *Env, v int64) (pgtype.Numeric, *pgerr.Error) { return pgtype.NumericFromInt(v), nil })
	numericToInt := func(bits int) Kernel {
		return Unary(func(_ *Env, n pgtype.Numeric) (int64, *pgerr.Error) { return n.Int(bits) })
	}
	fromFloat := func(bits int) Kernel {
		return Unary(func(_ *Env, x float64) (pgtype.Numeric, *pgerr.Error) { return pgtype.NumericFromFloat(x, bits), nil })
	}
	return map[string]Kernel{
		"i2toi4": same, "int28": same, "int48": same, "oidtoi8": same,
		"i4toi2": castInt(2), "int82": castInt(2), "int84": castInt(4),
		"i8tooid": Unary(func(_ *Env, v int64) (int64, *pgerr.Error) {
			if v < 0 || v > math.MaxUint32 {
				return 0, pgerr.New(pgerr.NumericOutOfRange, "OID out of range")
			}
			return v, nil
		}),
		"i2tod": toFloat(64), "i4tod": toFloat(64), "i8tod": toFloat(64), "i2tof": toFloat(32), "i4tof": toFloat(32), "i8tof": toFloat(32),
		"dtoi2": floatToInt(2), "dtoi4": floatToInt(4), "dtoi8": floatToInt(8), "ftoi2": floatToInt(2), "ftoi4": floatToInt(4), "ftoi8": floatToInt(8),
		"ftod":         Unary(identity[float64]),
		"dtof":         Unary(narrowFloat),
		"int2_numeric": toNumeric, "int4_numeric": toNumeric, "int8_numeric": toNumeric,
		"float4_numeric": fromFloat(32), "float8_numeric": fromFloat(64),
		"numeric_int2": numericToInt(16), "numeric_int4": numericToInt(32), "numeric_int8": numericToInt(64),
		"numeric_float4": Unary(func(_ *Env, n pgtype.Numeric) (float64, *pgerr.Error) { return n.Float(32) }),
		"numeric_float8": Unary(func(_ *Env, n pgtype.Numeric) (float64, *pgerr.Error) { return n.Float(64) }),
		"numeric(numeric,int4)": Binary(func(e *Env, n pgtype.Numeric, typmod int64) (pgtype.Numeric, *pgerr.Error) {
			if err := e.rescaling(n, 18); err != nil {
				return n, err
			}
			return fitNumeric(n, int32(typmod))
		}),
		"int4_bool": Unary(func(_ *Env, v int64) (bool, *pgerr.Error) { return v != 0, nil }),
		"bool_int4": Unary(func(_ *Env, v bool) (int64, *pgerr.Error) {
			if v {
				return 1, nil
			}
			return 0, nil
		}),
	}
}

func narrowFloat(_ *Env, x float64) (float64, *pgerr.Error) {
	v := float64(float32(x))
	switch {
	case math.IsInf(v, 0) && !math.IsInf(x, 0):
		return 0, errFloatOverflow
	case v == 0 && x != 0:
		return 0, errFloatUnderflow
	}
	return v, nil
}
