package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Kernel computes out[r] for each r of rows, which are ascending.
//
// For a strict function the caller has taken away the rows with a NULL argument;
// a function that is not strict sees them. An argument may be constant. out is
// never constant, has room for every row and its type is the call's result type;
// the actual types of polymorphic arguments are those of the columns. Cells of
// rows that are not listed must not be touched.
//
// The kernel charges one unit of fuel a row, and what it allocates beside the
// cells of out before it does. An error is a *pgerr.Error or the meter's fault.
type Kernel func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error

// Opt is a value that may be NULL.
type Opt[T any] struct {
	Value T
	Null  bool
}

// Some is a value that is not NULL.
func Some[T any](v T) Opt[T] { return Opt[T]{Value: v} }

// None is NULL.
func None[T any]() Opt[T] { return Opt[T]{Null: true} }

// cells gives the cells of a column as a slice of T: bool, int64, float64,
// pgtype.Numeric, string, pgtype.Interval, or any for objects.
func cells[T any](c *vector.Column) []T {
	var p any
	switch any((*T)(nil)).(type) {
	case *bool:
		p = &c.Bools
	case *int64:
		p = &c.Ints
	case *float64:
		p = &c.Floats
	case *pgtype.Numeric:
		p = &c.Numerics
	case *string:
		p = &c.Texts
	case *pgtype.Interval:
		p = &c.Intervals
	default:
		p = &c.Objects
	}
	return *p.(*[]T)
}

// reader reads the rows of an argument.
type reader[T any] struct {
	cells []T
	mask  int32
	nulls vector.Bitmap
}

func read[T any](c *vector.Column) reader[T] {
	r := reader[T]{cells: cells[T](c), mask: -1, nulls: c.Nulls}
	if c.Const {
		r.mask = 0
	}
	return r
}

func (r *reader[T]) at(row int32) T { return r.cells[row&r.mask] }

func (r *reader[T]) opt(row int32) Opt[T] {
	if r.nulls.Has(int(row & r.mask)) {
		return Opt[T]{Null: true}
	}
	return Opt[T]{Value: r.cells[row&r.mask]}
}

func put[T any](out *vector.Column, cells []T, row int32, v Opt[T]) {
	if v.Null {
		out.SetNull(int(row))
		return
	}
	cells[row] = v.Value
}

// tick charges a unit a row.
func tick(e *Env, rows []int32) error { return e.Meter.Charge(int64(len(rows))) }

// Nullary makes a kernel of a function without arguments.
func Nullary[R any](f func(e *Env) (R, *pgerr.Error)) Kernel {
	return func(e *Env, _ []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		result := cells[R](out)
		for _, row := range rows {
			v, err := f(e)
			if err != nil {
				return e.Fail(err)
			}
			result[row] = v
		}
		return nil
	}
}

// Unary makes a kernel of a strict function that never gives NULL.
func Unary[A, R any](f func(e *Env, a A) (R, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, result := read[A](args[0]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.at(row))
			if err != nil {
				return e.Fail(err)
			}
			result[row] = v
		}
		return nil
	}
}

// Binary is [Unary] for two arguments.
func Binary[A, B, R any](f func(e *Env, a A, b B) (R, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b, result := read[A](args[0]), read[B](args[1]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.at(row), b.at(row))
			if err != nil {
				return e.Fail(err)
			}
			result[row] = v
		}
		return nil
	}
}

// Ternary is [Unary] for three arguments.
func Ternary[A, B, C, R any](f func(e *Env, a A, b B, c C) (R, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b, c, result := read[A](args[0]), read[B](args[1]), read[C](args[2]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.at(row), b.at(row), c.at(row))
			if err != nil {
				return e.Fail(err)
			}
			result[row] = v
		}
		return nil
	}
}

// UnaryNull makes a kernel of a strict function that may give NULL.
func UnaryNull[A, R any](f func(e *Env, a A) (Opt[R], *pgerr.Error)) Kernel {
	return UnaryOpt(func(e *Env, a Opt[A]) (Opt[R], *pgerr.Error) { return f(e, a.Value) })
}

// BinaryNull is [UnaryNull] for two arguments.
func BinaryNull[A, B, R any](f func(e *Env, a A, b B) (Opt[R], *pgerr.Error)) Kernel {
	return BinaryOpt(func(e *Env, a Opt[A], b Opt[B]) (Opt[R], *pgerr.Error) { return f(e, a.Value, b.Value) })
}

// TernaryNull is [UnaryNull] for three arguments.
func TernaryNull[A, B, C, R any](f func(e *Env, a A, b B, c C) (Opt[R], *pgerr.Error)) Kernel {
	return TernaryOpt(func(e *Env, a Opt[A], b Opt[B], c Opt[C]) (Opt[R], *pgerr.Error) {
		return f(e, a.Value, b.Value, c.Value)
	})
}

// UnaryOpt makes a kernel of a function that is not strict.
func UnaryOpt[A, R any](f func(e *Env, a Opt[A]) (Opt[R], *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, result := read[A](args[0]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.opt(row))
			if err != nil {
				return e.Fail(err)
			}
			put(out, result, row, v)
		}
		return nil
	}
}

// BinaryOpt is [UnaryOpt] for two arguments.
func BinaryOpt[A, B, R any](f func(e *Env, a Opt[A], b Opt[B]) (Opt[R], *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b, result := read[A](args[0]), read[B](args[1]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.opt(row), b.opt(row))
			if err != nil {
				return e.Fail(err)
			}
			put(out, result, row, v)
		}
		return nil
	}
}

// TernaryOpt is [UnaryOpt] for three arguments.
func TernaryOpt[A, B, C, R any](f func(e *Env, a Opt[A], b Opt[B], c Opt[C]) (Opt[R], *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b, c, result := read[A](args[0]), read[B](args[1]), read[C](args[2]), cells[R](out)
		for _, row := range rows {
			v, err := f(e, a.opt(row), b.opt(row), c.opt(row))
			if err != nil {
				return e.Fail(err)
			}
			put(out, result, row, v)
		}
		return nil
	}
}

// Rowwise makes a kernel of a function of any number of arguments that sees their
// values with the types, and gives the value of the result, nil for NULL.
func Rowwise(f func(e *Env, args []vector.Datum, out *vector.Column) (any, *pgerr.Error)) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		given := make([]vector.Datum, len(args))
		for _, row := range rows {
			for i, a := range args {
				given[i] = a.Datum(int(row))
			}
			v, err := f(e, given, out)
			if err != nil {
				return e.Fail(err)
			}
			out.Set(int(row), vector.Datum{Type: out.Type, Value: v})
		}
		return nil
	}
}
