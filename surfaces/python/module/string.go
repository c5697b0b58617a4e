package module

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	punctuation  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace   = " \t\n\r\v\f"
)

var _ = register("string", func(l *Library) *object.Module {
	m := object.NewModule("string")
	for name, text := range map[string]string{
		"ascii_lowercase": lowerLetters, "ascii_uppercase": upperLetters, "ascii_letters": lowerLetters + upperLetters,
		"digits": "0123456789", "hexdigits": "0123456789abcdefABCDEF", "octdigits": "01234567", "punctuation": punctuation,
		"whitespace": whitespace, "printable": "0123456789" + lowerLetters + upperLetters + punctuation + whitespace,
	} {
		m.Set(name, object.Constant(text))
	}
	m.Func("capwords", "s sep?", func(t *thread, a []value) (value, *exception) {
		if _, ok := textOf(a[0]); !ok {
			return raised(t.Raise(object.AttributeError, "'%s' object has no attribute 'split'", nameOf(a[0])))
		}
		sep, joiner := object.None, " "
		if v, ok := optional(a, 1); ok {
			sep = v
			joiner, _ = textOf(v)
		}
		parts, x := callMethod(t, a[0], "split", sep)
		if x != nil {
			return value{}, x
		}
		l, _ := parts.List()
		for i, p := range l.Items() {
			if l.Items()[i], x = callMethod(t, p, "capitalize"); x != nil {
				return value{}, x
			}
		}
		return t.Join(joiner, parts)
	})
	m.Lookup = func(t *thread, name string) (value, bool, *exception) {
		if name != "Template" {
			return value{}, false, nil
		}
		m, x := l.importInside(t, "_template")
		if x != nil {
			return value{}, false, x
		}
		v, x := t.GetAttr(m, name)
		return v, x == nil, x
	}
	return m
})
