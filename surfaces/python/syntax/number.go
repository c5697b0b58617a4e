package syntax

import (
	"math/big"
	"strconv"
	"strings"
)

// number reads a numeric literal.
func (lx *lexer) number() {
	start := lx.pos
	end, kind, ok := lx.scanNumber(start)
	if !ok {
		return
	}
	if i := end; i < len(lx.source) && isNameStart(lx.source[i]) {
		j := i
		for j < len(lx.source) && isNamePart(lx.source[j]) {
			j++
		}
		if !followsNumber(lx.source[i:j]) {
			if lx.source[i] >= 0x80 {
				lx.pos = i
				if !lx.checkName(i, lx.source[i:j]) {
					return
				}
			}
			lx.syntaxError(i-1, i, "invalid %s literal", kind)
			return
		}
	}
	lx.pos = end
	lx.emit(number, 0, start, end)
}

// followsNumber reports whether a word may follow a number directly. CPython looks
// at the first letters of its keywords only, so 3.index parses as two tokens.
func followsNumber(word string) bool {
	for _, k := range []string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if strings.HasPrefix(word, k) {
			return true
		}
	}
	return false
}

// scanNumber finds the end of a numeric literal and names its kind.
func (lx *lexer) scanNumber(start int) (end int, kind string, ok bool) {
	s := lx.source
	if s[start] == '0' {
		switch lx.at(start+1) | 0x20 {
		case 'x':
			return lx.scanPrefixed(start, "hexadecimal", isHexadecimal)
		case 'o':
			return lx.scanPrefixed(start, "octal", func(c byte) bool { return c >= '0' && c <= '7' })
		case 'b':
			return lx.scanPrefixed(start, "binary", func(c byte) bool { return c == '0' || c == '1' })
		}
	}
	kind = "decimal"
	integer := true
	i := lx.digits(start, isDecimal)
	if lx.at(i) == '_' {
		lx.syntaxError(i, i, "invalid decimal literal")
		return 0, "", false
	}
	if lx.at(i) == '.' {
		integer = false
		i = lx.digits(i+1, isDecimal)
	}
	if lx.at(i)|0x20 == 'e' {
		j := i + 1
		if c := lx.at(j); c == '+' || c == '-' {
			j++
		}
		if k := lx.digits(j, isDecimal); k > j {
			i, integer = k, false
		}
	}
	if lx.at(i)|0x20 == 'j' {
		return i + 1, "imaginary", true
	}
	if integer && s[start] == '0' && strings.Trim(s[start:i], "0_") != "" {
		lx.syntaxError(start, i, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
		return 0, "", false
	}
	return i, kind, true
}

func (lx *lexer) scanPrefixed(start int, kind string, digit func(byte) bool) (int, string, bool) {
	i := start + 2
	if lx.at(i) == '_' {
		i++
	}
	end := lx.digits(i, digit)
	switch c := lx.at(end); {
	case isDecimal(c):
		lx.syntaxError(end, end+1, "invalid digit '%c' in %s literal", c, kind)
		return 0, "", false
	case end == i:
		lx.syntaxError(end-1, end, "invalid %s literal", kind)
		return 0, "", false
	}
	return end, kind, true
}

// digits skips digits with single underscores between them.
func (lx *lexer) digits(i int, digit func(byte) bool) int {
	for start := i; ; {
		switch c := lx.at(i); {
		case digit(c):
			i++
		case c == '_' && i > start && digit(lx.at(i+1)):
			i += 2
		default:
			return i
		}
	}
}

func isHexadecimal(c byte) bool { return isDecimal(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// maxIntegerDigits is CPython's limit on decimal integer literals.
const maxIntegerDigits = 4300

// numberValue gives the value of a numeric literal that the lexer accepted:
// int64, *big.Int, float64 or complex128. An integer too long to convert is
// reported by its number of digits.
func numberValue(text string) (v any, tooLong int) {
	s := strings.ReplaceAll(text, "_", "")
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 {
		if n, err := strconv.ParseInt(s, 0, 64); err == nil {
			return n, 0
		}
		n, _ := new(big.Int).SetString(s, 0)
		return n, 0
	}
	if last := s[len(s)-1]; last == 'j' || last == 'J' {
		f, _ := strconv.ParseFloat(s[:len(s)-1], 64)
		return complex(0, f), 0
	}
	if strings.ContainsAny(s, ".eE") {
		f, _ := strconv.ParseFloat(s, 64)
		return f, 0
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, 0
	}
	if len(s) > maxIntegerDigits {
		return nil, len(s)
	}
	n, _ := new(big.Int).SetString(s, 10)
	return n, 0
}
