package object

import (
	"strings"
	"unicode/utf8"
)

// builtins are the names every program sees.
var builtins = NewNamespace()

// Builtins gives the names every program sees. They must not be changed.
func Builtins() *Namespace { return builtins }

// refused are builtins that no program may have, with what to do instead.
var refused = map[string]string{
	"open":       "files cannot be reached from a program: keep data in variables, or call a tool",
	"eval":       "text cannot be run as code: write the expression, or use json.loads for data",
	"exec":       "text cannot be run as code: write the statements",
	"compile":    "text cannot be run as code: write the statements",
	"__import__": "use an import statement",
	"globals":    "name the variable directly, or keep the values in a dict of your own",
	"locals":     "name the variable directly, or keep the values in a dict of your own",
	"input":      "nobody is there to answer: put the value into the program",
	"breakpoint": "there is no debugger: print the values",
	"memoryview": "use bytes, or a slice of it",
	"bytearray":  "use bytes, or a list of integers",
	"help":       "use describe or search to find functions",
	"exit":       "let the program end, or return at the top level",
	"quit":       "let the program end, or return at the top level",
}

// Refused gives the reason why a builtin of CPython is not there.
func Refused(name string) (reason string, ok bool) {
	reason, ok = refused[name]
	return reason, ok
}

func setupCallables() {
	FunctionClass.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		return "<function " + v.o.self.(*Function).Qual + " at " + t.address(v) + ">", nil
	}
	FunctionClass.Own.Call = func(t *Thread, v Value, a []Value, n []string) (Value, *Exception) { return t.CallNames(v, a, n) }
	BuiltinClass.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		if m, ok := v.o.self.(*Method); ok {
			b, _ := m.Func.Builtin()
			return "<built-in method " + b.Name + " of " + m.Self.Class().Name + " object at " + t.address(m.Self) + ">", nil
		}
		return "<built-in function " + v.o.self.(*Builtin).Name + ">", nil
	}
	BuiltinClass.Own.Call = FunctionClass.Own.Call
	MethodDescr.Own.Repr = func(_ *Thread, v Value) (string, *Exception) {
		b := v.o.self.(*Builtin)
		if strings.HasPrefix(b.Name, "__") {
			return "<slot wrapper '" + b.Name + "' of '" + b.Owner.Name + "' objects>", nil
		}
		return "<method '" + b.Name + "' of '" + b.Owner.Name + "' objects>", nil
	}
	MethodDescr.Own.Call = FunctionClass.Own.Call
	// Special methods are made when they are looked up: equal are those of one
	// class and name.
	MethodDescr.Own.Compare = func(_ *Thread, op Cmp, v, w Value) (Value, *Exception) {
		a, ok1 := v.Builtin()
		b, ok2 := w.Builtin()
		if !ok1 || !ok2 || op != Eq && op != Ne {
			return NotImplemented, nil
		}
		return Bool((a == b || a.Owner != nil && a.Owner == b.Owner && a.Name == b.Name) == (op == Eq)), nil
	}
	MethodClass.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		m := v.o.self.(*Method)
		s, x := t.Repr(m.Self)
		name := "?"
		if f, ok := m.Func.Function(); ok {
			name = f.Qual
		}
		return "<bound method " + name + " of " + s + ">", x
	}
	MethodClass.Own.Call = FunctionClass.Own.Call
	MethodClass.Own.Compare = func(_ *Thread, op Cmp, v, w Value) (Value, *Exception) { return compareMethods(op, v, w) }
	BuiltinClass.Own.Compare = MethodClass.Own.Compare
	for _, c := range []*Class{FunctionClass, BuiltinClass, MethodDescr, MethodClass} {
		c.Final = true
		c.Ready()
	}
	setupGenerics()
}

func compareMethods(op Cmp, v, w Value) (Value, *Exception) {
	a, ok1 := v.o.self.(*Method)
	b, ok2 := w.o.self.(*Method)
	if !ok1 || !ok2 || op != Eq && op != Ne {
		return NotImplemented, nil
	}
	return Bool((a.Func == b.Func && a.Self == b.Self) == (op == Eq)), nil
}

func setupBuiltins() {
	for _, c := range []*Class{
		Object, TypeClass, IntClass, BoolClass, FloatClass, ComplexClass, StrClass, BytesClass, TupleClass, ListClass, DictClass, SetClass, FrozenSetClass,
		RangeClass, SliceClass, PropertyClass, StaticMethodClass, ClassMethodClass, SuperClass, enumerateClass, zipClass, mapClass, filterClass, reversedClass,
	} {
		builtins.Set(c.Name, c.Value())
	}
	for _, c := range exceptionClasses {
		builtins.Set(c.Name, c.Value())
	}
	builtins.Set("EnvironmentError", OSError.Value())
	builtins.Set("IOError", OSError.Value())
	builtins.Set("NotImplemented", NotImplemented)
	builtins.Set("Ellipsis", Ellipsis)
	builtins.Set("__debug__", True)
	setupInspection()
	setupText()
	setupFolds()
	setupAttributes()
	for name := range refused {
		f(name, "*args", func(t *Thread, _ []Value) (Value, *Exception) { return Value{}, t.RaiseRefused(name) })
		b, _ := builtins.values[name].Builtin()
		b.Raw = func(t *Thread, _ []Value, _ []string) (Value, *Exception) { return Value{}, t.RaiseRefused(name) }
		builtins.Delete(name)
		refusedValues[name] = b.Value()
	}
}

// refusedValues are functions that say why a builtin is not there.
var refusedValues = map[string]Value{}

// RefusedBuiltin gives a function that says why a builtin is not there.
func RefusedBuiltin(name string) (Value, bool) {
	v, ok := refusedValues[name]
	return v, ok
}

// RaiseRefused is the error of a builtin that no program may have.
func (t *Thread) RaiseRefused(name string) *Exception {
	return t.Raise(NameError, "%s() is not available here: %s.", name, refused[name])
}

// f adds a builtin function.
func f(name, sig string, fn NativeFunc) { builtins.Set(name, NewBuiltin(name, sig, fn).Value()) }

func setupInspection() {
	f("len", "obj /", func(t *Thread, a []Value) (Value, *Exception) {
		n, x := t.Len(a[0])
		return Int(int64(n)), x
	})
	f("isinstance", "obj class_or_tuple /", func(t *Thread, a []Value) (Value, *Exception) {
		r, x := t.IsInstance(a[0], a[1])
		return Bool(r), x
	})
	f("issubclass", "cls class_or_tuple /", func(t *Thread, a []Value) (Value, *Exception) {
		c, ok := a[0].AsClass()
		if !ok {
			return Value{}, t.RaiseType("issubclass() arg 1 must be a class")
		}
		r, x := t.IsSubclassOf(c, a[1])
		return Bool(r), x
	})
	f("callable", "obj /", func(t *Thread, a []Value) (Value, *Exception) { return Bool(t.Callable(a[0])), nil })
	f("hash", "obj /", func(t *Thread, a []Value) (Value, *Exception) {
		h, x := t.Hash(a[0])
		return Int(int64(h)), x
	})
	f("id", "obj /", func(t *Thread, a []Value) (Value, *Exception) {
		return Int(t.ID(a[0])), t.Alloc(48)
	})
	f("repr", "obj /", func(t *Thread, a []Value) (Value, *Exception) { return t.textResult(t.Repr(a[0])) })
	f("ascii", "obj /", func(t *Thread, a []Value) (Value, *Exception) { return t.textResult(t.Ascii(a[0])) })
	f("format", "value format_spec? /", func(t *Thread, a []Value) (Value, *Exception) {
		spec := ""
		if v := Arg(a, 1); v.IsSet() {
			s, ok := StrOf(v)
			if !ok {
				return Value{}, t.RaiseType("format() argument 2 must be str, not %s", v.Class().Name)
			}
			spec = s.s
		}
		return t.textResult(t.Format(a[0], spec))
	})
	f("iter", "object sentinel? /", func(t *Thread, a []Value) (Value, *Exception) {
		if v := Arg(a, 1); v.IsSet() {
			if !t.Callable(a[0]) {
				return Value{}, t.RaiseType("iter(v, w): v must be callable")
			}
			return Box(newIter(&callIter{fn: a[0], end: v})), nil
		}
		it, x := t.Iter(a[0])
		if x != nil {
			return Value{}, x
		}
		return IterValue(it), t.Alloc(64)
	})
	f("next", "iterator default? /", func(t *Thread, a []Value) (Value, *Exception) {
		it, ok := asIterator(t, a[0])
		if !ok {
			return Value{}, t.RaiseType("'%s' object is not an iterator", a[0].Class().Name)
		}
		if u, isUser := it.(*userIterator); isUser && u.v.Class().defines("__next__") {
			r, _, x := t.CallSpecial(a[0], "__next__")
			if x != nil && x.Is(StopIteration) && Arg(a, 1).IsSet() {
				return a[1], nil
			}
			return r, x
		}
		v, x := it.Next(t)
		if x != nil || v.IsSet() {
			return v, x
		}
		if d := Arg(a, 1); d.IsSet() {
			return d, nil
		}
		return Value{}, t.stopIteration(a[0])
	})
}

// textResult charges for a text and makes it a string.
func (t *Thread) textResult(s string, x *Exception) (Value, *Exception) {
	if x != nil {
		return Value{}, x
	}
	return t.Text(s)
}

func setupText() {
	builtins.Set("print", NewRaw("print", printValues).Value())
	f("chr", "i /", func(t *Thread, a []Value) (Value, *Exception) {
		v, x := t.Index(a[0])
		if x != nil {
			return Value{}, x
		}
		n, ok := v.Int()
		if !ok {
			return Value{}, t.Raise(OverflowError, "Python int too large to convert to C int")
		}
		if n < 0 || n > utf8.MaxRune {
			return Value{}, t.RaiseValue("chr() arg not in range(0x110000)")
		}
		return NewStr(runeText(rune(n))), t.Alloc(strSize)
	})
	f("ord", "c /", func(t *Thread, a []Value) (Value, *Exception) {
		n := 0
		if s, ok := StrOf(a[0]); ok {
			if n = s.Len(); n == 1 {
				r, _ := decodeRune(s.s)
				return Int(int64(r)), nil
			}
		} else if b, ok := a[0].Bytes(); ok {
			if n = len(b.s); n == 1 {
				return Int(int64(b.s[0])), nil
			}
		} else {
			return Value{}, t.RaiseType("ord() expected string of length 1, but %s found", a[0].Class().Name)
		}
		return Value{}, t.RaiseType("ord() expected a character, but string of length %d found", n)
	})
	base := func(name string, kind byte, prefix string) {
		f(name, "number /", func(t *Thread, a []Value) (Value, *Exception) {
			v, x := t.Index(a[0])
			if x != nil {
				return Value{}, x
			}
			s, x := t.intDigits(v, kind)
			if rest, ok := strings.CutPrefix(s, "-"); ok {
				return t.textResult("-"+prefix+rest, x)
			}
			return t.textResult(prefix+s, x)
		})
	}
	base("hex", 'x', "0x")
	base("oct", 'o', "0o")
	base("bin", 'b', "0b")
}

// printValues is print().
func printValues(t *Thread, a []Value, names []string) (Value, *Exception) {
	pos := a[:len(a)-len(names)]
	sep, end := " ", "\n"
	var file Value
	for i, n := range names {
		v := a[len(pos)+i]
		switch n {
		case "sep", "end":
			if v.IsNone() {
				continue
			}
			s, ok := StrOf(v)
			if !ok {
				return Value{}, t.RaiseType("%s must be None or a string, not %s", n, v.Class().Name)
			}
			if n == "sep" {
				sep = s.s
			} else {
				end = s.s
			}
		case "file":
			file = v
		case "flush":
		default:
			return Value{}, t.RaiseType("'%s' is an invalid keyword argument for print()", n)
		}
	}
	defer t.Built(t.Building())
	var b strings.Builder
	if file.IsSet() && !file.IsNone() {
		return None, t.printTo(file, pos, sep, end)
	}
	flush := func() {
		if t.Printer != nil && b.Len() > 0 {
			t.Printer.Print(b.String())
		}
		b.Reset()
	}
	defer flush() // what stands before an error has been printed
	for i, v := range pos {
		if i > 0 {
			b.WriteString(sep)
		}
		if !plain(v) || v.Kind() > KindBytes {
			flush() // making its text may print
		}
		s, x := t.Str(v)
		if x != nil {
			return Value{}, x
		}
		if x := t.Build(2 * (len(s) + len(sep))); x != nil {
			return Value{}, x
		}
		b.WriteString(s)
	}
	b.WriteString(end)
	return None, nil
}

// printTo prints into a value that has a method write.
func (t *Thread) printTo(file Value, values []Value, sep, end string) *Exception {
	write, x := t.GetAttr(file, "write")
	if x != nil {
		return x
	}
	put := func(s string, x *Exception) *Exception {
		v, x := t.textResult(s, x)
		if x != nil {
			return x
		}
		_, x = t.Call(write, v)
		return x
	}
	for i, v := range values {
		if i > 0 {
			if x := put(sep, nil); x != nil {
				return x
			}
		}
		if x := put(t.Str(v)); x != nil {
			return x
		}
	}
	return put(end, nil)
}
