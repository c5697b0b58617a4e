package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	punctuation  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace   = " \t\n\r\v\f"
)

var _ = register("string", func(*Library) *object.Module {
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
	m.Set("Template", templateClass.Value())
	return m
})

// stringTemplate is string.Template.
type stringTemplate struct {
	object.Obj
	text string
}

var templateClass = object.Define("Template")

// Class is string.Template.
func (*stringTemplate) Class() *class { return templateClass }

// substitute fills the places of $name and ${name}; safe leaves those that have
// no value as they are.
func (s *stringTemplate) substitute(t *thread, get func(name string) (value, bool, *exception), safe bool) (value, *exception) {
	var b strings.Builder
	text := s.text
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '$')
		if k < 0 {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+k])
		i += k
		name, n := placeholder(text[i:])
		switch {
		case strings.HasPrefix(text[i:], "$$"):
			b.WriteByte('$')
			i += 2
			continue
		case n == 0 && safe:
			b.WriteByte('$')
			i++
			continue
		case n == 0:
			before := text[:i]
			line := strings.Count(before, "\n") + 1
			column := runeCount(before[strings.LastIndexByte(before, '\n')+1:]) + 1
			return raised(t.RaiseValue("Invalid placeholder in string: line %d, col %d", line, column))
		}
		v, ok, x := get(name)
		if x != nil {
			return value{}, x
		}
		if !ok {
			if !safe {
				return raised(object.NewException(object.KeyError, object.NewStr(name)))
			}
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		str, x := t.Str(v)
		if x != nil {
			return value{}, x
		}
		if x := t.Alloc(len(str)); x != nil {
			return value{}, x
		}
		b.WriteString(str)
		i += n
	}
	return t.Text(b.String())
}

// placeholder reads $name or ${name}; n is its length, 0 if there is none.
func placeholder(s string) (name string, n int) {
	braced := strings.HasPrefix(s, "${")
	i := 1
	if braced {
		i = 2
	}
	start := i
	for i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || i > start && s[i] >= '0' && s[i] <= '9') {
		i++
	}
	if i == start {
		return "", 0
	}
	name = s[start:i]
	if !braced {
		return name, i
	}
	if i < len(s) && s[i] == '}' {
		return name, i + 1
	}
	return "", 0
}

func init() {
	c := templateClass
	c.Module = "string"
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		if len(a) != 1 {
			return raised(t.RaiseType("Template.__init__() missing 1 required positional argument: 'template'"))
		}
		s, ok := textOf(a[0])
		if !ok {
			return raised(t.RaiseType("expected string or bytes-like object, got '%s'", nameOf(a[0])))
		}
		return t.Wrap(cls, c, object.Box(&stringTemplate{text: s}))
	}
	c.Getter("template", func(t *thread, v value) (value, *exception) {
		s, _ := object.NativeOf[*stringTemplate](v)
		return t.Text(s.text)
	})
	for name, safe := range map[string]bool{"substitute": false, "safe_substitute": true} {
		b := object.NewRaw(name, func(t *thread, a []value, names []string) (value, *exception) {
			s, _ := object.NativeOf[*stringTemplate](a[0])
			pos := a[1 : len(a)-len(names)]
			return s.substitute(t, func(key string) (value, bool, *exception) {
				if i := indexOf(names, key); i >= 0 {
					return a[1+len(pos)+i], true, nil
				}
				if len(pos) == 0 {
					return value{}, false, nil
				}
				v, x := t.GetItem(pos[0], object.NewStr(key))
				if x != nil && x.Is(object.KeyError) {
					return value{}, false, nil
				}
				return v, x == nil, x
			}, safe)
		})
		b.Method = true
		c.Add(b)
	}
	c.Ready()
}
