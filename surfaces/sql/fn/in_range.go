package fn

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// errFrameSize is the server's error of an offset that is negative or no number.
var errFrameSize = pgerr.New("22013", "invalid preceding or following size in window function")

// numberInRangeKernels are the in_range functions of numbers, by which frames of RANGE
// with an offset go: whether a value is within base ± offset, on the side that less
// says.
func numberInRangeKernels() map[string]Kernel {
	all := map[string]Kernel{
		"in_range_float8_float8":   inRange(floatInRange),
		"in_range_float4_float8":   inRange(floatInRange),
		"in_range_numeric_numeric": inRange(numericInRange),
	}
	for _, name := range []string{"int2_int2", "int2_int4", "int2_int8", "int4_int2", "int4_int4", "int4_int8", "int8_int8"} {
		all["in_range_"+name] = inRange(intInRange)
	}
	return all
}

// inRange makes a kernel of the five arguments.
func inRange[T any](f func(value, base, offset T, sub, less bool) (bool, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		value, base, offset := read[T](args[0]), read[T](args[1]), read[T](args[2])
		sub, less := read[bool](args[3]), read[bool](args[4])
		for _, r := range rows {
			v, err := f(value.at(r), base.at(r), offset.at(r), sub.at(r), less.at(r))
			if err != nil {
				return err
			}
			out.Bools[r] = v
		}
		return nil
	}
}

func intInRange(value, base, offset int64, sub, less bool) (bool, *pgerr.Error) {
	if offset < 0 {
		return false, errFrameSize
	}
	if sub {
		offset = -offset
	}
	end, ok := addInt(base, offset)
	if !ok {
		// The end lies beyond all values.
		return sub != less, nil
	}
	if less {
		return value <= end, nil
	}
	return value >= end, nil
}

func floatInRange(value, base, offset float64, sub, less bool) (bool, *pgerr.Error) {
	if math.IsNaN(offset) || offset < 0 {
		return false, errFrameSize
	}
	switch {
	case math.IsNaN(value):
		// Equal to NaN alone, and above all else.
		return math.IsNaN(base) || !less, nil
	case math.IsNaN(base):
		return less, nil
	case math.IsInf(offset, 0) && math.IsInf(base, 0) && (base > 0) == sub:
		// An infinity that far from an infinity may be anywhere.
		return true, nil
	}
	end := base + offset
	if sub {
		end = base - offset
	}
	if less {
		return value <= end, nil
	}
	return value >= end, nil
}

func numericInRange(value, base, offset pgtype.Numeric, sub, less bool) (bool, *pgerr.Error) {
	if offset.IsNaN() || offset.Sign() < 0 {
		return false, errFrameSize
	}
	switch {
	case value.IsNaN():
		return base.IsNaN() || !less, nil
	case base.IsNaN():
		return less, nil
	case offset.IsInf() && base.IsInf() && (base.Sign() > 0) == sub:
		return true, nil
	}
	end, err := base.Add(offset)
	if sub {
		end, err = base.Sub(offset)
	}
	if err != nil {
		return false, err
	}
	order := pgtype.CompareNumeric(value, end)
	return less && order <= 0 || !less && order >= 0, nil
}
