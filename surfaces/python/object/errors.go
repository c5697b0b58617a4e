package object

// The exception classes, as the library reference arranges them. Those with a
// name of another module belong to no module here.
var (
	BaseException      = Define("BaseException")
	BaseExceptionGroup = Define("BaseExceptionGroup", BaseException)
	GeneratorExit      = Define("GeneratorExit", BaseException)
	KeyboardInterrupt  = Define("KeyboardInterrupt", BaseException)
	SystemExit         = Define("SystemExit", BaseException)
	ExceptionClass     = Define("Exception", BaseException)
	ExceptionGroup     = Define("ExceptionGroup", BaseExceptionGroup, ExceptionClass)

	ArithmeticError    = Define("ArithmeticError", ExceptionClass)
	FloatingPointError = Define("FloatingPointError", ArithmeticError)
	OverflowError      = Define("OverflowError", ArithmeticError)
	ZeroDivisionError  = Define("ZeroDivisionError", ArithmeticError)
	AssertionError     = Define("AssertionError", ExceptionClass)
	AttributeError     = Define("AttributeError", ExceptionClass)
	BufferError        = Define("BufferError", ExceptionClass)
	EOFError           = Define("EOFError", ExceptionClass)
	ImportError        = Define("ImportError", ExceptionClass)
	ModuleNotFound     = Define("ModuleNotFoundError", ImportError)
	LookupError        = Define("LookupError", ExceptionClass)
	IndexError         = Define("IndexError", LookupError)
	KeyError           = Define("KeyError", LookupError)
	MemoryError        = Define("MemoryError", ExceptionClass)
	NameError          = Define("NameError", ExceptionClass)
	UnboundLocalError  = Define("UnboundLocalError", NameError)
	OSError            = Define("OSError", ExceptionClass)
	FileNotFoundError  = Define("FileNotFoundError", OSError)
	FileExistsError    = Define("FileExistsError", OSError)
	PermissionError    = Define("PermissionError", OSError)
	TimeoutError       = Define("TimeoutError", OSError)
	ConnectionError    = Define("ConnectionError", OSError)
	ReferenceError     = Define("ReferenceError", ExceptionClass)
	RuntimeError       = Define("RuntimeError", ExceptionClass)
	NotImplementedErr  = Define("NotImplementedError", RuntimeError)
	RecursionError     = Define("RecursionError", RuntimeError)
	StopIteration      = Define("StopIteration", ExceptionClass)
	StopAsyncIteration = Define("StopAsyncIteration", ExceptionClass)
	SyntaxError        = Define("SyntaxError", ExceptionClass)
	IndentationError   = Define("IndentationError", SyntaxError)
	TypeError          = Define("TypeError", ExceptionClass)
	ValueError         = Define("ValueError", ExceptionClass)
	UnicodeError       = Define("UnicodeError", ValueError)
	UnicodeDecodeError = Define("UnicodeDecodeError", UnicodeError)
	UnicodeEncodeError = Define("UnicodeEncodeError", UnicodeError)
	TabError           = Define("TabError", IndentationError)
	SystemError        = Define("SystemError", ExceptionClass)
	UnicodeTranslate   = Define("UnicodeTranslateError", UnicodeError)
	BlockingIOError    = Define("BlockingIOError", OSError)
	ChildProcessError  = Define("ChildProcessError", OSError)
	InterruptedError   = Define("InterruptedError", OSError)
	IsADirectoryError  = Define("IsADirectoryError", OSError)
	NotADirectoryError = Define("NotADirectoryError", OSError)
	ProcessLookupError = Define("ProcessLookupError", OSError)
	BrokenPipeError    = Define("BrokenPipeError", ConnectionError)
	ConnectionAborted  = Define("ConnectionAbortedError", ConnectionError)
	ConnectionRefused  = Define("ConnectionRefusedError", ConnectionError)
	ConnectionReset    = Define("ConnectionResetError", ConnectionError)
	Warning            = Define("Warning", ExceptionClass)
	BytesWarning       = Define("BytesWarning", Warning)
	EncodingWarning    = Define("EncodingWarning", Warning)
	ImportWarning      = Define("ImportWarning", Warning)
	PendingDeprecation = Define("PendingDeprecationWarning", Warning)
	ResourceWarning    = Define("ResourceWarning", Warning)
	UnicodeWarning     = Define("UnicodeWarning", Warning)
	DeprecationWarning = Define("DeprecationWarning", Warning)
	RuntimeWarning     = Define("RuntimeWarning", Warning)
	UserWarning        = Define("UserWarning", Warning)
	FutureWarning      = Define("FutureWarning", Warning)
	SyntaxWarning      = Define("SyntaxWarning", Warning)
)

// exceptionClasses are all of the above, bases first: the builtins' names.
var exceptionClasses = []*Class{
	BaseException, BaseExceptionGroup, GeneratorExit, KeyboardInterrupt, SystemExit, ExceptionClass, ExceptionGroup,
	ArithmeticError, FloatingPointError, OverflowError, ZeroDivisionError, AssertionError, AttributeError, BufferError, EOFError,
	ImportError, ModuleNotFound, LookupError, IndexError, KeyError, MemoryError, NameError, UnboundLocalError,
	OSError, FileNotFoundError, FileExistsError, PermissionError, TimeoutError, ConnectionError,
	ReferenceError, RuntimeError, NotImplementedErr, RecursionError, StopIteration, StopAsyncIteration, SyntaxError, IndentationError,
	TypeError, ValueError, UnicodeError, UnicodeDecodeError, UnicodeEncodeError,
	TabError, SystemError, UnicodeTranslate, BlockingIOError, ChildProcessError, InterruptedError, IsADirectoryError, NotADirectoryError, ProcessLookupError,
	BrokenPipeError, ConnectionAborted, ConnectionRefused, ConnectionReset,
	Warning, BytesWarning, EncodingWarning, ImportWarning, PendingDeprecation, ResourceWarning, UnicodeWarning, DeprecationWarning, RuntimeWarning, UserWarning, FutureWarning, SyntaxWarning,
}

func setupExceptions() {
	c := BaseException
	c.New = newException
	c.Own = Slots{
		Repr: func(t *Thread, v Value) (string, *Exception) {
			x, _ := v.Exception()
			args := make([]string, len(x.Args))
			for i, a := range x.Args {
				s, y := t.Repr(a)
				if y != nil {
					return "", y
				}
				args[i] = s
			}
			return x.Cls.Name + "(" + join(args, ", ") + ")", nil
		},
		Str: func(t *Thread, v Value) (string, *Exception) {
			x, _ := v.Exception()
			return exceptionText(t, x)
		},
		Children: func(v Value, visit func(Value)) int {
			x, _ := v.Exception()
			for _, a := range x.Args {
				visit(a)
			}
			if x.Attrs != nil {
				visit(x.Attrs.Value())
			}
			for _, y := range []*Exception{x.Cause, x.Context} {
				if y != nil && y.Limit == nil {
					visit(y.Value())
				}
			}
			return 256
		},
	}
	c.Method("add_note", "note /", func(t *Thread, a []Value) (Value, *Exception) {
		x, _ := a[0].Exception()
		if _, ok := StrOf(a[1]); !ok {
			return Value{}, t.RaiseType("note must be a str, not '%s'", t.ClassOf(a[1]).Name)
		}
		notes, ok, _ := t.exceptionAttr(x, "__notes__")
		if !ok {
			notes = NewList(nil)
			if y := x.setAttr(t, "__notes__", notes); y != nil {
				return Value{}, y
			}
		}
		l, ok := ListOf(notes)
		if !ok {
			return Value{}, t.RaiseType("Cannot add note: __notes__ is not a list")
		}
		return None, l.Append(t, a[1])
	})
	for _, k := range exceptionClasses {
		k.Ready()
	}
	setupGroups()
}

// newException is BaseException.__new__; subclasses of programs call their own
// __init__ after it.
func newException(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
	attrs := []string(nil)
	if len(names) > 0 {
		_, custom := cls.userInit()
		switch {
		case custom:
		case cls.IsSubclass(ImportError), cls.IsSubclass(AttributeError), cls.IsSubclass(NameError):
			attrs = names
		default:
			return Value{}, t.RaiseType("%s() takes no keyword arguments", cls.Name)
		}
	}
	if x := t.Alloc(200 + 16*len(args)); x != nil {
		return Value{}, x
	}
	pos := args[:len(args)-len(names)]
	if cls == OSError && len(pos) >= 2 {
		if n, ok := pos[0].Int(); ok && errnoClasses[n] != nil {
			cls = errnoClasses[n]
		}
	}
	x := NewException(cls, append([]Value(nil), pos...)...)
	for i, n := range attrs {
		if y := x.setAttr(t, n, args[len(pos)+i]); y != nil {
			return Value{}, y
		}
	}
	return x.Value(), nil
}

// errnoClasses are the subclasses that OSError makes of an error number.
var errnoClasses = map[int64]*Class{
	1: PermissionError, 2: FileNotFoundError, 3: ProcessLookupError, 4: InterruptedError, 10: ChildProcessError, 11: BlockingIOError, 13: PermissionError, 17: FileExistsError,
	20: NotADirectoryError, 21: IsADirectoryError, 32: BrokenPipeError, 103: ConnectionAborted, 104: ConnectionReset, 110: TimeoutError, 111: ConnectionRefused,
}

// exceptionAttr reads an attribute of an exception.
func (t *Thread) exceptionAttr(x *Exception, name string) (Value, bool, *Exception) {
	v := x.Value()
	if f, ok := x.Cls.Lookup(name); ok && t.isData(f) {
		r, y := t.bind(f, v, x.Cls)
		return r, y == nil, y
	}
	if x.Attrs != nil {
		if r, ok := x.Attrs.GetName(name); ok {
			return r, true, nil
		}
	}
	switch name {
	case "args":
		return NewTuple(x.Args), true, nil
	case "__cause__":
		return optionalException(x.Cause), true, nil
	case "__context__":
		return optionalException(x.Context), true, nil
	case "__suppress_context__":
		return Bool(x.Suppress), true, nil
	case "value", "code":
		if x.Is(StopIteration) && name == "value" || x.Is(SystemExit) && name == "code" {
			if len(x.Args) > 0 {
				return x.Args[0], true, nil
			}
			return None, true, nil
		}
	case "errno", "strerror", "filename":
		if x.Is(OSError) {
			i := map[string]int{"errno": 0, "strerror": 1, "filename": 2}[name]
			if len(x.Args) >= 2 && i < len(x.Args) {
				return x.Args[i], true, nil
			}
			return None, true, nil
		}
	case "name", "obj", "path":
		if m, ok := x.Detail.(MissingAttr); ok {
			if name == "name" {
				return NewStr(m.Name), true, nil
			}
			return m.Object, true, nil
		}
		if x.Is(ImportError) || x.Is(NameError) || x.Is(AttributeError) {
			return None, true, nil
		}
	case "msg":
		if x.Is(ImportError) || x.Is(SyntaxError) {
			if len(x.Args) > 0 {
				return x.Args[0], true, nil
			}
			return None, true, nil
		}
	case "message", "exceptions":
		if x.Is(BaseExceptionGroup) && len(x.Args) == 2 {
			if name == "message" {
				return x.Args[0], true, nil
			}
			return t.tupleOf(x.Args[1])
		}
	}
	r, ok, y := t.plainAttr(v, name)
	if !ok && y == nil && x.Cls.user.getattr {
		r, _, y = t.CallSpecial(v, "__getattr__", NewStr(name))
		return r, y == nil, y
	}
	return r, ok, y
}

func (t *Thread) tupleOf(v Value) (Value, bool, *Exception) {
	items, x := t.Items(v)
	if x != nil {
		return Value{}, false, x
	}
	return NewTuple(items), true, nil
}

func optionalException(x *Exception) Value {
	if x == nil || x.Limit != nil {
		return None
	}
	return x.Value()
}

// setAttr sets an attribute of an exception, or deletes it if w is unset.
func (x *Exception) setAttr(t *Thread, name string, w Value) *Exception {
	if f, ok := x.Cls.Lookup(name); ok {
		if done, y := t.storeData(f, x.Value(), w, name); done {
			return y
		}
	}
	if !w.IsSet() {
		if x.Attrs == nil || !x.Attrs.deleteName(name) {
			return t.raiseNoAttr(x.Value(), name)
		}
		return nil
	}
	switch name {
	case "args":
		items, y := t.Items(w)
		x.Args = items
		return y
	case "__cause__", "__context__":
		e, ok := w.Exception()
		if !ok && !w.IsNone() {
			return t.RaiseType("exception %s must derive from BaseException", map[string]string{"__cause__": "cause", "__context__": "context"}[name])
		}
		if name == "__cause__" {
			x.Cause, x.Suppress = e, true
		} else {
			x.Context = e
		}
		return nil
	case "__suppress_context__":
		b, y := t.Truth(w)
		x.Suppress = b
		return y
	}
	if x.Attrs == nil {
		x.Attrs = newDict()
	}
	return x.Attrs.SetName(t, name, w)
}
