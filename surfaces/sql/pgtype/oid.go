package pgtype

import (
	"math"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ParseOID reads the number of an object: unsigned 32 bits, or a negative number
// that stands for one.
func ParseOID(s string) (int64, *pgerr.Error) {
	body := trimSpace(s)
	if body == "" {
		return 0, invalid("oid", s)
	}
	digits := strings.TrimLeft(body, "+-")
	if len(body)-len(digits) > 1 || digits == "" {
		return 0, invalid("oid", s)
	}
	base := 10
	if len(digits) > 1 && digits[0] == '0' {
		// strtoul reads octal and hexadecimal here.
		base, digits = 8, digits[1:]
		if digits[0] == 'x' || digits[0] == 'X' {
			base, digits = 16, digits[1:]
		}
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
			return 0, outOfRange(s, "oid")
		}
		return 0, invalid("oid", s)
	}
	if body[0] == '-' {
		if n > 1<<31 {
			return 0, outOfRange(s, "oid")
		}
		return int64(uint32(-n)), nil
	}
	if n > math.MaxUint32 {
		return 0, outOfRange(s, "oid")
	}
	return int64(n), nil
}

// ParseChar reads a "char": its first byte, or a backslash and three octal digits.
// Nothing is 0.
func ParseChar(s string) int64 {
	if len(s) == 4 && s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && digitOf(s[2], 8) && digitOf(s[3], 8) {
		n, _ := strconv.ParseUint(s[1:], 8, 8)
		return int64(n)
	}
	if s == "" {
		return 0
	}
	return int64(s[0])
}

// AppendChar writes a "char"; a byte above 127 as a backslash and three octal
// digits, 0 as nothing.
func AppendChar(dst []byte, c int64) []byte {
	switch {
	case c == 0:
		return dst
	case c >= 128:
		return append(dst, '\\', '0'+byte(c>>6), '0'+byte(c>>3&7), '0'+byte(c&7))
	}
	return append(dst, byte(c))
}
