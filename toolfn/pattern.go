package toolfn

import "strings"

// ecmaSpace is what \s matches in ECMA-262 (22.2.2.9), as the inside of a class.
const ecmaSpace = `\t\n\v\f\r \x{a0}\x{feff}\x{2028}\x{2029}\p{Zs}`

// ecmaPattern writes an ECMA-262 regular expression, which is what JSON Schema
// patterns are, in Go's syntax where the two differ in spelling only. What Go
// cannot do in linear time stays as it is, and does not compile.
func ecmaPattern(text string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i += ecmaEscape(&b, text[i+1:], class)
		case c == '[' && !class && strings.HasPrefix(text[i:], "[^]"):
			b.WriteString(`(?s:.)`)
			i += 2
		case c == '[' && !class:
			class = true
			b.WriteByte(c)
		case c == '[': // a plain character in ECMA-262
			b.WriteString(`\[`)
		case c == ']':
			class = false
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ecmaEscape writes the escape whose text after the backslash is given, and says
// how many bytes of it were used.
func ecmaEscape(b *strings.Builder, rest string, class bool) int {
	switch rest[0] {
	case 's':
		if class {
			b.WriteString(ecmaSpace)
		} else {
			b.WriteString("[" + ecmaSpace + "]")
		}
		return 1
	case 'S':
		if !class {
			b.WriteString("[^" + ecmaSpace + "]")
			return 1
		}
	case 'u':
		if len(rest) >= 5 && isHex(rest[1:5]) {
			b.WriteString(`\x{` + rest[1:5] + `}`)
			return 5
		}
		if end := strings.IndexByte(rest, '}'); end > 2 && rest[1] == '{' && isHex(rest[2:end]) {
			b.WriteString(`\x{` + rest[2:end] + `}`)
			return end + 1
		}
	case '0':
		b.WriteString(`\x00`)
		return 1
	}
	b.WriteByte('\\')
	b.WriteByte(rest[0])
	return 1
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !(s[i] >= '0' && s[i] <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return s != ""
}
