package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Quaternary is [Unary] for four arguments.
func Quaternary[A, B, C, D, R any](f func(e *Env, a A, b B, c C, d D) (R, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b, c, d, result := read[A](args[0]), read[B](args[1]), read[C](args[2]), read[D](args[3]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.at(row), b.at(row), c.at(row), d.at(row))
			if err != nil {
				return e.Fail(err)
			}
			result[row] = v
		}
		return nil
	}
}

// Spread makes of a kernel that is variadic in "any" one whose last argument is an
// array that holds the variadic values (VARIADIC array in the call). Where the
// array is NULL the kernel sees no values, and onNull says whether the result is
// NULL then.
func Spread(k Kernel, onNull bool) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		last := len(args) - 1
		for _, row := range rows {
			if args[last].Null(int(row)) && onNull {
				out.SetNull(int(row))
				continue
			}
			given := make([]*vector.Column, 0, last+8)
			for _, a := range args[:last] {
				given = append(given, vector.Constant(a.Datum(int(row)), int(row)+1))
			}
			if d := args[last].Datum(int(row)); !d.Null() {
				array := d.Value.(*vector.Array)
				if err := e.Meter.Charge(int64(array.Len())); err != nil {
					return err
				}
				for i := range array.Len() {
					given = append(given, vector.Constant(array.At(i), int(row)+1))
				}
			}
			if err := k(e, given, []int32{row}, out); err != nil {
				return err
			}
		}
		return nil
	}
}
