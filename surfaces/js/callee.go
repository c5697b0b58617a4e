package js

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// offset gives the byte offset of a position (1-based, column in code points), or
// -1 if the text has no such line. A column past the end gives the line's end.
func offset(source string, line, column int) int {
	at := 0
	for range line - 1 {
		i := strings.IndexByte(source[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	for range column - 1 {
		if at >= len(source) || source[at] == '\n' {
			break
		}
		_, n := utf8.DecodeRuneInString(source[at:])
		at += n
	}
	return at
}

// longestPath is the longest expression, in bytes, that is quoted from a program.
const longestPath = 80

// before gives the member expression that ends at an offset: for the position of
// a call's parenthesis, what is called ("rows[0].load"). It is "" where the text
// there is no simple expression.
func before(source string, end int) string {
	if end < 0 || end > len(source) {
		return ""
	}
	at := skipSpaceBack(source, end)
	stop := at
	for at > 0 && stop-at <= longestPath {
		from := operandStart(source, at)
		if from < 0 {
			return ""
		}
		at = from
		dot := skipSpaceBack(source, at)
		switch {
		case (source[at] == '[' || source[at] == '(') && applies(source, dot): // a suffix of what comes before
			at = dot
			continue
		case dot > 0 && source[dot-1] == '.':
			at = dot - 1
			if at > 0 && source[at-1] == '?' {
				at--
			}
			at = skipSpaceBack(source, at)
			continue
		}
		return strings.Join(strings.Fields(source[at:stop]), " ")
	}
	return ""
}

// applies reports whether a bracket after an offset is a suffix of an operand, not
// an operand of its own.
func applies(source string, end int) bool {
	if end == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(source[:end])
	return identifierRune(r) && !keyword(wordAt(source, end-1)) || strings.ContainsRune(")]\"'`", r)
}

// operandStart gives where the name, the literal or the bracketed group that ends
// at an offset begins, or -1.
func operandStart(source string, end int) int {
	if end <= 0 {
		return -1
	}
	switch c := source[end-1]; c {
	case ')', ']':
		return groupStart(source, end)
	case '"', '\'', '`':
		i := strings.LastIndexByte(source[:end-1], c)
		return i
	}
	at := end
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(source[:at])
		if !identifierRune(r) {
			break
		}
		at -= n
	}
	if at == end {
		return -1
	}
	return at
}

// groupStart gives the bracket that the one before an offset closes, or -1.
func groupStart(source string, end int) int {
	depth := 0
	for i := end - 1; i >= 0 && end-i <= longestPath; i-- {
		switch source[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func skipSpaceBack(source string, end int) int {
	for end > 0 && strings.IndexByte(" \t\r\n", source[end-1]) >= 0 {
		end--
	}
	return end
}

func identifierRune(r rune) bool {
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordAt gives the name that covers an offset, or "".
func wordAt(source string, at int) string {
	if at < 0 || at > len(source) {
		return ""
	}
	from, to := at, at
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(source[:from])
		if !identifierRune(r) {
			break
		}
		from -= n
	}
	for to < len(source) {
		r, n := utf8.DecodeRuneInString(source[to:])
		if !identifierRune(r) {
			break
		}
		to += n
	}
	return source[from:to]
}

// mention finds where a program first uses a free name, and whether it asks with
// typeof if the name exists. It reads text, not syntax: a mention in a string or a
// comment counts too, which moves the position at most.
func mention(source, name string) (first place, probed bool) {
	for at := 0; ; {
		i := strings.Index(source[at:], name)
		if i < 0 {
			return first, probed
		}
		i += at
		at = i + len(name)
		head := source[:skipSpaceBack(source, i)]
		if wordAt(source, i) != name || strings.HasSuffix(head, ".") && !strings.HasSuffix(head, "...") {
			continue
		}
		probed = probed || strings.HasSuffix(head, "typeof")
		if first.line == 0 {
			line := 1 + strings.Count(source[:i], "\n")
			start := strings.LastIndexByte(source[:i], '\n') + 1
			first = place{source, line, 1 + utf8.RuneCountInString(source[start:i])}
		}
	}
}
