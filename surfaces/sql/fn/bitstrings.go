package fn

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// bitwise combines two bit strings of one length.
func bitwise(name string, f func(a, b byte) bool) Kernel {
	return Binary(func(e *Env, a, b string) (string, *pgerr.Error) {
		if len(a) != len(b) {
			return "", pgerr.New(pgerr.StringLengthMismatch, "cannot %s bit strings of different sizes", name)
		}
		if err := e.Alloc(int64(len(a))); err != nil {
			return "", err
		}
		out := make([]byte, len(a))
		for i := range out {
			out[i] = '0'
			if f(a[i], b[i]) {
				out[i] = '1'
			}
		}
		return string(out), nil
	})
}

func invertBits(s string) string {
	return strings.Map(func(r rune) rune { return '0' + '1' - r }, s)
}

// shiftBits moves bits to the left, or for a negative distance to the right.
func shiftBits(e *Env, s string, by int64) (string, *pgerr.Error) {
	if err := e.Alloc(int64(len(s))); err != nil {
		return "", err
	}
	n := int64(len(s))
	switch {
	case by >= n || by <= -n:
		return strings.Repeat("0", len(s)), nil
	case by >= 0:
		return s[by:] + strings.Repeat("0", int(by)), nil
	}
	return strings.Repeat("0", int(-by)) + s[:n+by], nil
}

func bitsOfInt(width int) Kernel {
	return Binary(func(e *Env, v, length int64) (string, *pgerr.Error) {
		if length <= 0 || length > 83886080 {
			length = 1
		}
		if err := e.Alloc(length); err != nil {
			return "", err
		}
		out := make([]byte, length)
		for i := range out {
			shift := length - 1 - int64(i)
			out[i] = '0' + byte(v>>min(shift, 63)&1)
		}
		return string(out), nil
	})
}

func intOfBits(size intSize) Kernel {
	return Unary(func(_ *Env, s string) (int64, *pgerr.Error) {
		if len(s) > 8*int(size) {
			return 0, size.outOfRange()
		}
		var v uint64
		for i := range len(s) {
			v = v<<1 | uint64(s[i]-'0')
		}
		if size == 4 {
			return int64(int32(v)), nil
		}
		return int64(v), nil
	})
}

func fitBit(_ *Env, s string, length int64, explicit bool) (string, *pgerr.Error) {
	switch n := int64(len(s)); {
	case length <= 0 || length == n || length > 83886080:
		return s, nil
	case !explicit:
		return "", pgerr.New(pgerr.StringLengthMismatch, "bit string length %d does not match type bit(%d)", n, length)
	case length < n:
		return s[:length], nil
	default:
		return s + strings.Repeat("0", int(length-n)), nil
	}
}

func fitVarbit(_ *Env, s string, limit int64, explicit bool) (string, *pgerr.Error) {
	switch {
	case limit <= 0 || limit >= int64(len(s)):
		return s, nil
	case !explicit:
		return "", pgerr.New(pgerr.StringTruncation, "bit string too long for type bit varying(%d)", limit)
	}
	return s[:limit], nil
}

func bitIndex(s string, n int64) *pgerr.Error {
	if n < 0 || n >= int64(len(s)) {
		return pgerr.New(pgerr.ArraySubscript, "bit index %d out of valid range (0..%d)", n, len(s)-1)
	}
	return nil
}

func bitKernels() map[string]Kernel {
	return map[string]Kernel{
		"bit_and": bitwise("AND", func(a, b byte) bool { return a == '1' && b == '1' }),
		"bit_or":  bitwise("OR", func(a, b byte) bool { return a == '1' || b == '1' }),
		"bitxor":  bitwise("XOR", func(a, b byte) bool { return a != b }),
		"bitnot":  textFunction(1, invertBits),

		"bitshiftleft":  Binary(shiftBits),
		"bitshiftright": Binary(func(e *Env, s string, by int64) (string, *pgerr.Error) { return shiftBits(e, s, -by) }),
		"bitcat":        Binary(concatenate),
		"bitsubstr":     Ternary(substringBytes), "bitsubstr_no_len": Binary(substringBytesFrom),
		"bitoverlay": Quaternary(overlayBytes), "bitoverlay_no_len": Ternary(overlayBytesAll),
		"bitlength":       countText(func(s string) int { return len(s) }),
		"bitoctetlength":  countText(func(s string) int { return (len(s) + 7) / 8 }),
		"bit_bit_count":   countText(func(s string) int { return strings.Count(s, "1") }),
		"bit_length(bit)": countText(func(s string) int { return len(s) }),
		"bitposition": Binary(func(_ *Env, s, part string) (int64, *pgerr.Error) {
			if s == "" {
				return 0, nil
			}
			return int64(strings.Index(s, part) + 1), nil
		}),
		"bitgetbit": Binary(func(_ *Env, s string, n int64) (int64, *pgerr.Error) {
			if err := bitIndex(s, n); err != nil {
				return 0, err
			}
			return int64(s[n] - '0'), nil
		}),
		"bitsetbit": Ternary(func(e *Env, s string, n, v int64) (string, *pgerr.Error) {
			if err := bitIndex(s, n); err != nil {
				return "", err
			}
			if v != 0 && v != 1 {
				return "", pgerr.New(pgerr.InvalidParameter, "new bit must be 0 or 1")
			}
			return s[:n] + string([]byte{'0' + byte(v)}) + s[n+1:], e.Alloc(int64(len(s)))
		}),
		"bitfromint4": bitsOfInt(32), "bitfromint8": bitsOfInt(64), "bittoint4": intOfBits(4), "bittoint8": intOfBits(8),
		"bit": Ternary(fitBit), "varbit": Ternary(fitVarbit),
	}
}
