package pgtype

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// isSpace is isspace of the C locale, which the server's input functions skip.
func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

func trimSpace(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// invalid is the error of a text that is no value of a type.
func invalid(typeName, s string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidText, "invalid input syntax for type %s: \"%s\"", typeName, s)
}

func outOfRange(s, typeName string) *pgerr.Error {
	return pgerr.New(pgerr.NumericOutOfRange, "value \"%s\" is out of range for type %s", s, typeName)
}

// ParseBool reads a boolean: any unambiguous beginning of true, false, yes, no, on
// and off, or 1 and 0, in any case.
func ParseBool(s string) (bool, *pgerr.Error) {
	word := strings.ToLower(trimSpace(s))
	switch {
	case word == "":
	case word == "1" || word == "on" || strings.HasPrefix("true", word) || strings.HasPrefix("yes", word):
		return true, nil
	case word == "0" || word == "of" || word == "off" || strings.HasPrefix("false", word) || strings.HasPrefix("no", word):
		return false, nil
	}
	return false, invalid("boolean", s)
}

// AppendBool writes t or f.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 't')
	}
	return append(dst, 'f')
}

// intNames are the integer types by their size in bits.
var intNames = map[int]string{16: "smallint", 32: "integer", 64: "bigint"}

// ParseInt reads an integer of 16, 32 or 64 bits: decimal, 0x, 0o or 0b, with
// underscores between digits.
func ParseInt(s string, bits int) (int64, *pgerr.Error) {
	name := intNames[bits]
	body := trimSpace(s)
	negative := strings.HasPrefix(body, "-")
	if negative || strings.HasPrefix(body, "+") {
		body = body[1:]
	}
	base, digits := integerBase(body)
	digits, ok := joinDigits(digits, base, base != 10)
	if !ok {
		return 0, invalid(name, s)
	}
	if negative {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, base, bits)
	if err != nil {
		return 0, outOfRange(s, name)
	}
	return n, nil
}

// integerBase splits the prefix of a non-decimal integer from its digits.
func integerBase(s string) (base int, digits string) {
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			return 16, s[2:]
		case 'o', 'O':
			return 8, s[2:]
		case 'b', 'B':
			return 2, s[2:]
		}
	}
	return 10, s
}

// joinDigits drops the underscores between digits of a base; after a prefix one
// may lead.
func joinDigits(s string, base int, leading bool) (string, bool) {
	if s == "" {
		return "", false
	}
	plain := true
	for i := range len(s) {
		if s[i] == '_' {
			plain = false
			if i == len(s)-1 || i == 0 && !leading || !digitOf(s[i+1], base) {
				return "", false
			}
			continue
		}
		if !digitOf(s[i], base) {
			return "", false
		}
	}
	if !plain {
		s = strings.ReplaceAll(s, "_", "")
	}
	return s, true
}

func digitOf(b byte, base int) bool {
	switch {
	case b >= '0' && b <= '9':
		return int(b-'0') < base
	case base == 16:
		return b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	}
	return false
}

// floatNames are the floating-point types by their size in bits.
var floatNames = map[int]string{32: "real", 64: "double precision"}

// ParseFloat reads a float of 32 or 64 bits as the server's C library does:
// decimal or hexadecimal, infinity and NaN in any case.
func ParseFloat(s string, bits int) (float64, *pgerr.Error) {
	name := floatNames[bits]
	body := trimSpace(s)
	if strings.ContainsRune(body, '_') || body == "" {
		return 0, invalid(name, s)
	}
	switch strings.ToLower(body) {
	case "nan", "+nan", "-nan":
		return math.NaN(), nil
	case "inf", "+inf", "infinity", "+infinity":
		return math.Inf(1), nil
	case "-inf", "-infinity":
		return math.Inf(-1), nil
	}
	text := body
	if hexFloat(text) && !strings.ContainsAny(text, "pP") {
		text += "p0"
	}
	v, err := strconv.ParseFloat(text, bits)
	if err != nil && !math.IsInf(v, 0) {
		return 0, invalid(name, s)
	}
	if math.IsInf(v, 0) || v == 0 && hasNonZeroDigit(body) {
		return 0, pgerr.New(pgerr.NumericOutOfRange, "\"%s\" is out of range for type %s", body, name)
	}
	return v, nil
}

func hexFloat(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
}

// hasNonZeroDigit tells an underflow from a zero.
func hasNonZeroDigit(s string) bool {
	mantissa := s
	if !hexFloat(s) {
		mantissa, _, _ = strings.Cut(strings.ToLower(s), "e")
	}
	return strings.ContainsAny(mantissa, "123456789")
}

// ParseUUID reads a UUID: 32 hexadecimal digits, with a hyphen allowed after every
// group of four and braces around them.
func ParseUUID(s string) ([16]byte, *pgerr.Error) {
	var out [16]byte
	body := s
	if strings.HasPrefix(body, "{") {
		if !strings.HasSuffix(body, "}") {
			return out, invalid("uuid", s)
		}
		body = body[1 : len(body)-1]
	}
	for i := range 16 {
		if len(body) < 2 {
			return out, invalid("uuid", s)
		}
		if _, err := hex.Decode(out[i:i+1], []byte(body[:2])); err != nil {
			return out, invalid("uuid", s)
		}
		body = body[2:]
		if i%2 == 1 && i < 15 {
			body = strings.TrimPrefix(body, "-")
		}
	}
	if body != "" {
		return out, invalid("uuid", s)
	}
	return out, nil
}

// AppendUUID writes a UUID in its usual form.
func AppendUUID(dst []byte, v [16]byte) []byte {
	for i, b := range v {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{b})
	}
	return dst
}

// ParseBytea reads bytes in the hexadecimal (\x…) or the escape form.
func ParseBytea(s string) ([]byte, *pgerr.Error) {
	if strings.HasPrefix(s, `\x`) {
		return parseHexBytes(s[2:])
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			out = append(out, s[i])
		case i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' && digitOf(s[i+2], 8) && digitOf(s[i+3], 8):
			out = append(out, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|(s[i+3]-'0'))
			i += 3
		case i+1 < len(s) && s[i+1] == '\\':
			out = append(out, '\\')
			i++
		default:
			return nil, pgerr.New(pgerr.InvalidText, "invalid input syntax for type %s", "bytea")
		}
	}
	return out, nil
}

// parseHexBytes reads pairs of digits; space may stand between pairs.
func parseHexBytes(s string) ([]byte, *pgerr.Error) {
	out := make([]byte, 0, len(s)/2)
	for i := 0; i < len(s); {
		if s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r' {
			i++
			continue
		}
		if !digitOf(s[i], 16) {
			return nil, badHex(s[i:])
		}
		if i+1 >= len(s) {
			return nil, pgerr.New(pgerr.InvalidParameter, "invalid hexadecimal data: odd number of digits")
		}
		if !digitOf(s[i+1], 16) {
			return nil, badHex(s[i+1:])
		}
		b, _ := strconv.ParseUint(s[i:i+2], 16, 8)
		out = append(out, byte(b))
		i += 2
	}
	return out, nil
}

func badHex(rest string) *pgerr.Error {
	r := []rune(rest[:min(len(rest), 4)])[0]
	return pgerr.New(pgerr.InvalidParameter, "invalid hexadecimal digit: \"%c\"", r)
}

// AppendBytea writes bytes in the hexadecimal form.
func AppendBytea(dst, v []byte) []byte {
	return hex.AppendEncode(append(dst, '\\', 'x'), v)
}
