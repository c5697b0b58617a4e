package module

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// regexFlags are re.RegexFlag: integers that combine with |.
var regexFlags = object.Define("RegexFlag", object.IntClass)

// flagNames are the members in the order in which repr lists them.
var flagNames = []struct {
	name, short string
	bit         int64
}{
	{"ASCII", "A", regex.PythonASCII},
	{"IGNORECASE", "I", regex.PythonIgnoreCase},
	{"LOCALE", "L", regex.PythonLocale},
	{"UNICODE", "U", regex.PythonUnicode},
	{"MULTILINE", "M", regex.PythonMultiline},
	{"DOTALL", "S", regex.PythonDotAll},
	{"VERBOSE", "X", regex.PythonVerbose},
	{"DEBUG", "", regex.PythonDebug},
}

// flagText is the repr of flags, "" for none.
func flagText(n int64) string {
	var parts []string
	for _, f := range flagNames {
		if n&f.bit != 0 {
			parts = append(parts, "re."+f.name)
			n &^= f.bit
		}
	}
	if n != 0 {
		parts = append(parts, "0x"+hexText(n))
	}
	return strings.Join(parts, "|")
}

func hexText(n int64) string {
	const digits = "0123456789abcdef"
	s := ""
	for ; n > 0; n >>= 4 {
		s = string(digits[n&15]) + s
	}
	return s
}

func newFlag(t *thread, n int64) (value, *exception) { return t.Extend(regexFlags, object.Int(n)) }

func init() {
	c := regexFlags
	c.Module = "re"
	c.New = func(t *thread, _ *class, a []value, _ []string) (value, *exception) {
		if len(a) != 1 {
			return raised(t.RaiseType("RegexFlag() takes one value"))
		}
		n, x := integer(t, a[0])
		if x != nil {
			return value{}, x
		}
		return newFlag(t, n)
	}
	text := func(_ *thread, v value) (string, *exception) {
		n, _ := v.Base().Int()
		if n == 0 {
			return "re.NOFLAG", nil
		}
		return flagText(n), nil
	}
	c.Own.Repr, c.Own.Str = text, text
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		a, b := v.Base(), w.Base()
		if swapped {
			a, b = b, a
		}
		r, x := t.Binary(op, a, b)
		if x != nil {
			return value{}, x
		}
		if n, ok := r.Int(); ok && (op == object.Or || op == object.And || op == object.Xor) {
			return newFlag(t, n)
		}
		return r, nil
	}
	c.Own.Unary = func(t *thread, op object.Unary, v value) (value, *exception) {
		n, _ := v.Base().Int()
		if op == object.Invert {
			all := int64(0)
			for _, f := range flagNames {
				all |= f.bit
			}
			return newFlag(t, all&^n)
		}
		return t.UnaryOp(op, v.Base())
	}
	c.Getter("name", func(t *thread, v value) (value, *exception) {
		n, _ := v.Base().Int()
		s := strings.ReplaceAll(flagText(n), "re.", "")
		if s == "" {
			return object.None, nil
		}
		return t.Text(s)
	})
	c.Getter("value", func(_ *thread, v value) (value, *exception) { return v.Base(), nil })
	c.Ready()
}
