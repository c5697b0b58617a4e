package object

import (
	"strconv"
	"strings"
)

// template is one run of str.format.
type template struct {
	t      *Thread
	args   []Value
	lookup func(name string) (Value, *Exception)
	auto   int  // the next automatic number
	manual bool // fields are numbered by hand
	used   bool // automatic numbers were taken
}

// maxTemplate is how deep fields may nest in the specification of others.
const maxTemplate = 2

// formatTemplate is str.format: args by position, lookup by name.
func (t *Thread) formatTemplate(s string, args []Value, lookup func(string) (Value, *Exception)) (string, *Exception) {
	f := &template{t: t, args: args, lookup: lookup}
	return f.run(s, maxTemplate)
}

func (f *template) run(s string, depth int) (string, *Exception) {
	t := f.t
	if depth < 0 {
		return "", t.RaiseValue("Max string recursion exceeded")
	}
	defer t.Built(t.Building())
	var out strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		if c != '{' && c != '}' {
			j := strings.IndexAny(s[i:], "{}")
			if j < 0 {
				j = len(s) - i
			}
			out.WriteString(s[i : i+j])
			i += j
			continue
		}
		if i+1 < len(s) && s[i+1] == c {
			out.WriteByte(c)
			i += 2
			continue
		}
		if c == '}' {
			return "", t.RaiseValue("Single '}' encountered in format string")
		}
		end, x := f.fieldEnd(s, i+1)
		if x != nil {
			return "", x
		}
		text, x := f.field(s[i+1:end], depth)
		if x != nil {
			return "", x
		}
		if x := t.Build(2 * len(text)); x != nil {
			return "", x
		}
		out.WriteString(text)
		i = end + 1
	}
	return out.String(), nil
}

// fieldEnd finds the brace that closes a field.
func (f *template) fieldEnd(s string, i int) (int, *Exception) {
	if i >= len(s) {
		return 0, f.t.RaiseValue("Single '{' encountered in format string")
	}
	depth, bracket := 1, false
	for ; i < len(s); i++ {
		switch s[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case '{':
			if !bracket {
				depth++
			}
		case '}':
			if bracket {
				continue
			}
			if depth--; depth == 0 {
				return i, nil
			}
		}
	}
	return 0, f.t.RaiseValue("expected '}' before end of string")
}

// field formats one replacement field, without its braces.
func (f *template) field(s string, depth int) (string, *Exception) {
	t := f.t
	name, conversion, spec := s, "", ""
	bracket := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case '{':
			if !bracket {
				return "", t.RaiseValue("unexpected '{' in field name")
			}
		}
		if !bracket && (s[i] == '!' || s[i] == ':') {
			name = s[:i]
			var x *Exception
			if conversion, spec, x = f.tail(s[i:]); x != nil {
				return "", x
			}
			break
		}
	}
	v, x := f.value(name)
	if x != nil {
		return "", x
	}
	if v, x = t.Convert(v, conversion); x != nil {
		return "", x
	}
	if spec, x = f.run(spec, depth-1); x != nil {
		return "", x
	}
	return t.Format(v, spec)
}

// tail reads the conversion and the specification.
func (f *template) tail(s string) (conversion, spec string, raised *Exception) {
	if s[0] == ':' {
		return "", s[1:], nil
	}
	if len(s) < 2 {
		return "", "", f.t.RaiseValue("end of string while looking for conversion specifier")
	}
	_, n := decodeRune(s[1:])
	conversion = s[1 : 1+n]
	rest := s[1+n:]
	switch {
	case rest == "":
		return conversion, "", nil
	case rest[0] == ':':
		return conversion, rest[1:], nil
	}
	return "", "", f.t.RaiseValue("expected ':' after conversion specifier")
}

// Convert applies the conversion of a replacement field: "", "s", "r" or "a".
func (t *Thread) Convert(v Value, conversion string) (Value, *Exception) {
	var s string
	var x *Exception
	switch conversion {
	case "":
		return v, nil
	case "s":
		return t.StrValue(v)
	case "r":
		s, x = t.Repr(v)
	case "a":
		s, x = t.Ascii(v)
	default:
		r, _ := decodeRune(conversion)
		if r > 32 && r < 127 {
			return Value{}, t.RaiseValue("Unknown conversion specifier %s", conversion)
		}
		return Value{}, t.RaiseValue("Unknown conversion specifier \\x%x", r)
	}
	if x != nil {
		return Value{}, x
	}
	return t.Text(s)
}

// value evaluates a field name: an argument, then attributes and items.
func (f *template) value(name string) (Value, *Exception) {
	t := f.t
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	v, x := f.argument(name[:end])
	if x != nil {
		return Value{}, x
	}
	rest := name[end:]
	for rest != "" {
		if rest[0] == '.' {
			n := strings.IndexAny(rest[1:], ".[")
			if n < 0 {
				n = len(rest) - 1
			}
			attr := rest[1 : 1+n]
			if attr == "" {
				return Value{}, t.RaiseValue("Empty attribute in format string")
			}
			if v, x = t.GetAttr(v, attr); x != nil {
				return Value{}, x
			}
			rest = rest[1+n:]
			continue
		}
		if rest[0] != '[' {
			return Value{}, t.RaiseValue("Only '.' or '[' may follow ']' in format field specifier")
		}
		n := strings.IndexByte(rest, ']')
		if n < 0 {
			return Value{}, t.RaiseValue("Missing ']' in format string")
		}
		key := rest[1:n]
		if key == "" {
			return Value{}, t.RaiseValue("Empty attribute in format string")
		}
		k := NewStr(key)
		if i, ok := fieldNumber(key); ok {
			k = Int(i)
		}
		if v, x = t.GetItem(v, k); x != nil {
			return Value{}, x
		}
		rest = rest[n+1:]
	}
	return v, nil
}

// fieldNumber reads a decimal number without a sign.
func fieldNumber(s string) (int64, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func (f *template) argument(name string) (Value, *Exception) {
	t := f.t
	i, numbered := fieldNumber(name)
	switch {
	case name == "":
		if f.manual {
			return Value{}, t.RaiseValue("cannot switch from manual field specification to automatic field numbering")
		}
		f.used = true
		i = int64(f.auto)
		f.auto++
	case numbered:
		if f.used {
			return Value{}, t.RaiseValue("cannot switch from automatic field numbering to manual field specification")
		}
		f.manual = true
	default:
		return f.lookup(name)
	}
	if f.args == nil {
		return Value{}, t.RaiseValue("Format string contains positional fields")
	}
	if i >= int64(len(f.args)) {
		return Value{}, t.Raise(IndexError, "Replacement index %d out of range for positional args tuple", i)
	}
	return f.args[i], nil
}
