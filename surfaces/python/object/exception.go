package object

import "fmt"

// Place is a frame of a traceback.
type Place struct {
	Function   string // "<module>" at the top
	Start, End int32  // bytes of the program's source
	Program    any    // which program, as the compiler knows it
}

// Exception is an instance of a class that derives from BaseException, and what
// functions of this package return when they raise. A limit (fuel, memory, depth,
// time, cancellation) travels as an Exception too, with Limit set; it is never a
// value of the program and no handler sees it.
type Exception struct {
	Obj
	Cls      *Class
	Args     []Value
	Attrs    *Dict
	Cause    *Exception
	Context  *Exception
	Suppress bool // raised from something: the context is not shown
	Trace    []Place
	Limit    error
	// Detail is what a module or the session attaches, such as a failed tool call.
	Detail any
}

// Value makes the exception a value.
func (x *Exception) Value() Value {
	if x.self == nil {
		x.kind, x.self = KindException, x
	}
	return Value{o: &x.Obj}
}

// Is reports whether the exception is of a class or one derived from it. A limit
// is of none.
func (x *Exception) Is(c *Class) bool { return x.Limit == nil && x.Cls.IsSubclass(c) }

// NewException makes an exception from its arguments.
func NewException(c *Class, args ...Value) *Exception {
	return &Exception{Cls: c, Args: args}
}

// Raise makes an exception with a formatted message.
func (t *Thread) Raise(c *Class, format string, args ...any) *Exception {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	return NewException(c, NewStr(text))
}

// RaiseType is Raise of a TypeError.
func (t *Thread) RaiseType(format string, args ...any) *Exception {
	return t.Raise(TypeError, format, args...)
}

// RaiseValue is Raise of a ValueError.
func (t *Thread) RaiseValue(format string, args ...any) *Exception {
	return t.Raise(ValueError, format, args...)
}

// Message gives what str(e) gives, without running code of the program.
func (x *Exception) Message(t *Thread) string {
	if x.Limit != nil {
		return x.Limit.Error()
	}
	s, y := exceptionText(t, x)
	if y != nil {
		return "<exception str() failed>"
	}
	return s
}

// exceptionText is BaseException.__str__.
func exceptionText(t *Thread, x *Exception) (string, *Exception) {
	switch {
	case x.Is(KeyError) && len(x.Args) == 1:
		return t.Repr(x.Args[0])
	case x.Is(BaseExceptionGroup) && len(x.Args) == 2:
		s, y := t.Str(x.Args[0])
		if y != nil {
			return "", y
		}
		n, y := t.Len(x.Args[1])
		if y != nil {
			return "", y
		}
		plural := "s"
		if n == 1 {
			plural = ""
		}
		return fmt.Sprintf("%s (%d sub-exception%s)", s, n, plural), nil
	case x.Is(OSError) && len(x.Args) >= 2:
		a, y := t.Str(x.Args[0])
		if y != nil {
			return "", y
		}
		b, y := t.Str(x.Args[1])
		return "[Errno " + a + "] " + b, y
	case len(x.Args) == 0:
		return "", nil
	case len(x.Args) == 1:
		return t.Str(x.Args[0])
	}
	return t.Repr(NewTuple(x.Args))
}

// Describe gives the last line of a traceback: "ValueError: text".
func (x *Exception) Describe(t *Thread) string {
	if x.Limit != nil {
		return x.Limit.Error()
	}
	name := x.Cls.Name
	s, y := t.Str(x.Value())
	if y != nil {
		s = "<exception str() failed>"
	}
	if s == "" {
		return name
	}
	return name + ": " + s
}

// At adds a frame to the traceback.
func (x *Exception) At(p Place) *Exception {
	if len(x.Trace) < 200 {
		x.Trace = append(x.Trace, p)
	}
	return x
}
