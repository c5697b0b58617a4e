package regex

import "strings"

// EscapeSource is the text of a pattern as RegExp.prototype.source gives it:
// EscapeRegExpPattern of ECMA-262 22.2.6.13.1. Between slashes it is a literal
// with the same meaning.
func EscapeSource(pattern string) string {
	if pattern == "" {
		return "(?:)"
	}
	var b strings.Builder
	inClass, escaped := false, false
	for _, r := range pattern {
		switch {
		case r == '\n':
			lineEscape(&b, escaped, `\n`)
		case r == '\r':
			lineEscape(&b, escaped, `\r`)
		case r == 0x2028:
			lineEscape(&b, escaped, `\u2028`)
		case r == 0x2029:
			lineEscape(&b, escaped, `\u2029`)
		case r == '/' && !inClass && !escaped:
			b.WriteString(`\/`)
		default:
			b.WriteRune(r)
		}
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '[':
			inClass = true
		case r == ']':
			inClass = false
		}
	}
	return b.String()
}

// lineEscape writes an escape for a line terminator. A backslash that is there
// already becomes part of it.
func lineEscape(b *strings.Builder, escaped bool, text string) {
	if escaped {
		text = text[1:]
	}
	b.WriteString(text)
}

// Quote gives a pattern that matches exactly the text, in every dialect.
func Quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 && strings.ContainsRune(syntaxCharacters, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
