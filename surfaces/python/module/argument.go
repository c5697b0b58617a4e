package module

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// given gives an optional argument; ok is false where it was omitted.
func given(a []value, i int) (value, bool) {
	v := object.Arg(a, i)
	return v, v.IsSet()
}

// optional gives an optional argument for which None stands too.
func optional(a []value, i int) (value, bool) {
	v := object.Arg(a, i)
	return v, v.IsSet() && !v.IsNone()
}

// textOf gives the text of a str.
func textOf(v value) (string, bool) {
	if s, ok := object.StrOf(v); ok {
		return s.String(), true
	}
	return "", false
}

// integer gives a number that fits 64 bits, as an index does.
func integer(t *thread, v value) (int64, *exception) {
	i, x := t.Index(v)
	if x != nil {
		return 0, x
	}
	n, ok := i.Int()
	if !ok {
		return 0, t.Raise(object.OverflowError, "Python int too large to convert to C ssize_t")
	}
	return n, nil
}

// cint gives a number that fits a C int.
func cint(t *thread, v value) (int, *exception) {
	i, x := t.Index(v)
	if x != nil {
		return 0, x
	}
	n, ok := i.Int()
	switch {
	case !ok && isNegative(i):
		return 0, t.Raise(object.OverflowError, "signed integer is less than minimum")
	case !ok || n > math.MaxInt32:
		if !ok {
			return 0, t.Raise(object.OverflowError, "Python int too large to convert to C int")
		}
		return 0, t.Raise(object.OverflowError, "signed integer is greater than maximum")
	case n < math.MinInt32:
		return 0, t.Raise(object.OverflowError, "signed integer is less than minimum")
	}
	return int(n), nil
}

func isNegative(v value) bool {
	b, ok := object.BigOf(v)
	return ok && b.Sign() < 0
}

// truth reads an optional flag.
func truth(t *thread, a []value, i int, otherwise bool) (bool, *exception) {
	v, ok := given(a, i)
	if !ok {
		return otherwise, nil
	}
	return t.Truth(v)
}

// nameOf is the name of a value's class.
func nameOf(v value) string { return v.Class().Name }

// shortName is the name of a value's class without its module.
func shortName(v value) string { return v.Class().ShortName() }

// defineIn makes a class whose errors show its module too, as those of CPython's
// classes written in C do.
func defineIn(mod, name string, bases ...*class) *class {
	c := object.Define(mod+"."+name, bases...)
	c.Module, c.Qual = mod, name
	return c
}

// raised gives a result that is only an exception.
func raised(x *exception) (value, *exception) { return value{}, x }

// str makes a str of a result.
func str(t *thread, s string, x *exception) (value, *exception) {
	if x != nil {
		return value{}, x
	}
	return t.Text(s)
}

// callMethod calls a method by name.
func callMethod(t *thread, v value, name string, args ...value) (value, *exception) {
	f, x := t.GetAttr(v, name)
	if x != nil {
		return value{}, x
	}
	return t.Call(f, args...)
}

// callSpecial calls a special method, which reaches what the gate hides.
func callSpecial(t *thread, v value, name string, args ...value) (value, bool, *exception) {
	return t.CallSpecial(v, name, args...)
}

// keywordsFirst puts the arguments that can only be given by name in front of the
// others, unset where they are omitted.
func keywordsFirst(t *thread, function string, a []value, names, options []string) ([]value, *exception) {
	pos := a[:len(a)-len(names)]
	if x := t.Alloc(16 * (len(options) + len(pos))); x != nil {
		return nil, x
	}
	out := make([]value, len(options), len(options)+len(pos))
	for i, n := range names {
		k := indexOf(options, n)
		if k < 0 {
			return nil, t.RaiseType("%s() got an unexpected keyword argument '%s'", function, n)
		}
		out[k] = a[len(pos)+i]
	}
	return append(out, pos...), nil
}
