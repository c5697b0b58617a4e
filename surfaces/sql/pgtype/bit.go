package pgtype

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ParseBit reads a bit(n), as the characters 0 and 1; a length that is not
// positive allows any.
func ParseBit(s string, length int) (string, *pgerr.Error) {
	bits, err := bitDigits(s)
	if err != nil {
		return "", err
	}
	if length > 0 && len(bits) != length {
		return "", pgerr.New(pgerr.StringLengthMismatch, "bit string length %d does not match type bit(%d)", len(bits), length)
	}
	return bits, nil
}

// ParseVarbit reads a bit varying(n).
func ParseVarbit(s string, limit int) (string, *pgerr.Error) {
	bits, err := bitDigits(s)
	if err != nil {
		return "", err
	}
	if limit > 0 && len(bits) > limit {
		return "", pgerr.New(pgerr.StringTruncation, "bit string too long for type bit varying(%d)", limit)
	}
	return bits, nil
}

// bitDigits reads binary digits, after a b too, or hexadecimal ones after an x.
func bitDigits(s string) (string, *pgerr.Error) {
	body, base := s, 2
	switch {
	case strings.HasPrefix(s, "b"), strings.HasPrefix(s, "B"):
		body = s[1:]
	case strings.HasPrefix(s, "x"), strings.HasPrefix(s, "X"):
		body, base = s[1:], 16
	}
	for i := range len(body) {
		if !digitOf(body[i], base) {
			_, n := utf8.DecodeRuneInString(body[i:])
			kind := "binary"
			if base == 16 {
				kind = "hexadecimal"
			}
			return "", pgerr.New(pgerr.InvalidText, "\"%s\" is not a valid %s digit", body[i:i+n], kind)
		}
	}
	if base == 2 {
		return body, nil
	}
	out := make([]byte, 0, 4*len(body))
	for i := range len(body) {
		n, _ := strconv.ParseUint(body[i:i+1], 16, 8)
		for bit := 3; bit >= 0; bit-- {
			out = append(out, '0'+byte(n>>bit&1))
		}
	}
	return string(out), nil
}
