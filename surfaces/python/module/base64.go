package module

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var (
	binasciiError      = object.Define("Error", object.ValueError)
	binasciiIncomplete = object.Define("Incomplete", object.ExceptionClass)
)

var _ = register("binascii", func(*Library) *object.Module {
	m := object.NewModule("binascii")
	m.Set("Error", binasciiError.Value()).Set("Incomplete", binasciiIncomplete.Value())
	hexlify := func(t *thread, a []value) (value, *exception) {
		b, x := bytesArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		return t.Data(hex.EncodeToString([]byte(b)))
	}
	unhexlify := func(t *thread, a []value) (value, *exception) {
		s, x := asciiBytes(t, a[0])
		if x != nil {
			return value{}, x
		}
		if len(s)%2 == 1 {
			return raised(t.Raise(binasciiError, "Odd-length string"))
		}
		out, err := hex.DecodeString(s)
		if err != nil {
			return raised(t.Raise(binasciiError, "Non-hexadecimal digit found"))
		}
		return t.Data(string(out))
	}
	m.Func("b2a_base64", "data / * newline?", func(t *thread, a []value) (value, *exception) {
		b, x := bytesArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		if x := t.Alloc(3 * len(b)); x != nil {
			return value{}, x
		}
		line, x := truth(t, a, 1, true)
		if x != nil {
			return value{}, x
		}
		out := base64.StdEncoding.EncodeToString([]byte(b))
		if line {
			out += "\n"
		}
		return t.Data(out)
	})
	m.Func("a2b_base64", "data / * strict_mode?", func(t *thread, a []value) (value, *exception) {
		s, x := asciiBytes(t, a[0])
		if x != nil {
			return value{}, x
		}
		strict, x := truth(t, a, 1, false)
		if x != nil {
			return value{}, x
		}
		return decodeBase64(t, s, strict)
	})
	m.Func("crc32", "data crc? /", func(t *thread, a []value) (value, *exception) {
		b, x := bytesArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		crc := int64(0)
		if v, ok := given(a, 1); ok {
			if crc, x = integer(t, v); x != nil {
				return value{}, x
			}
		}
		return object.Int(int64(crc32.Update(uint32(crc), crc32.IEEETable, []byte(b)))), nil
	})
	m.Func("hexlify", "data", hexlify).Func("b2a_hex", "data", hexlify)
	m.Func("unhexlify", "hexstr /", unhexlify).Func("a2b_hex", "hexstr /", unhexlify)
	return m
})

var _ = register("base64", func(*Library) *object.Module {
	m := object.NewModule("base64")
	encode := func(name string, f func(b []byte) string) {
		m.Func(name, "s", func(t *thread, a []value) (value, *exception) {
			b, x := bytesArg(t, a[0])
			if x != nil {
				return value{}, x
			}
			if x := t.Alloc(3 * len(b)); x != nil {
				return value{}, x
			}
			return t.Data(f([]byte(b)))
		})
	}
	encode("standard_b64encode", base64.StdEncoding.EncodeToString)
	encode("urlsafe_b64encode", base64.URLEncoding.EncodeToString)
	encode("b32encode", base32.StdEncoding.EncodeToString)
	encode("b32hexencode", base32.HexEncoding.EncodeToString)
	encode("b16encode", func(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) })
	encode("encodebytes", func(b []byte) string {
		var out strings.Builder
		for len(b) > 0 {
			n := min(len(b), 57)
			out.WriteString(base64.StdEncoding.EncodeToString(b[:n]) + "\n")
			b = b[n:]
		}
		return out.String()
	})
	m.Func("b64encode", "s altchars?", func(t *thread, a []value) (value, *exception) {
		b, x := bytesArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		if x := t.Alloc(3 * len(b)); x != nil {
			return value{}, x
		}
		out := base64.StdEncoding.EncodeToString([]byte(b))
		if v, ok := optional(a, 1); ok {
			alt, x := bytesArg(t, v)
			if x != nil {
				return value{}, x
			}
			if len(alt) != 2 {
				return raised(t.Raise(object.AssertionError, "%s", alternativeText(t, v)))
			}
			out = strings.NewReplacer("+", alt[:1], "/", alt[1:]).Replace(out)
		}
		return t.Data(out)
	})
	decode := func(name string, url bool) {
		m.Func(name, "s altchars? validate?", func(t *thread, a []value) (value, *exception) {
			s, x := asciiBytes(t, a[0])
			if x != nil {
				return value{}, x
			}
			if v, ok := optional(a, 1); ok {
				alt, x := asciiBytes(t, v)
				if x != nil {
					return value{}, x
				}
				if len(alt) != 2 {
					return raised(t.Raise(object.AssertionError, "%s", alternativeText(t, v)))
				}
				s = strings.NewReplacer(alt[:1], "+", alt[1:], "/").Replace(s)
			}
			if url {
				s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
			}
			strict, x := truth(t, a, 2, false)
			if x != nil {
				return value{}, x
			}
			return decodeBase64(t, s, strict)
		})
	}
	decode("b64decode", false)
	decode("standard_b64decode", false)
	decode("urlsafe_b64decode", true)
	decode("decodebytes", false)
	for name, e := range map[string]*base32.Encoding{"b32decode": base32.StdEncoding, "b32hexdecode": base32.HexEncoding} {
		m.Func(name, "s casefold? map01?", func(t *thread, a []value) (value, *exception) {
			s, x := asciiBytes(t, a[0])
			if x != nil {
				return value{}, x
			}
			fold, x := truth(t, a, 1, false)
			if x != nil {
				return value{}, x
			}
			if fold {
				s = strings.ToUpper(s)
			}
			if len(s)%8 != 0 {
				return raised(t.Raise(binasciiError, "Incorrect padding"))
			}
			out, err := e.DecodeString(s)
			if err != nil {
				return raised(t.Raise(binasciiError, "Non-base32 digit found"))
			}
			return t.Data(string(out))
		})
	}
	m.Func("b16decode", "s casefold?", func(t *thread, a []value) (value, *exception) {
		s, x := asciiBytes(t, a[0])
		if x != nil {
			return value{}, x
		}
		fold, x := truth(t, a, 1, false)
		if x != nil {
			return value{}, x
		}
		if fold {
			s = strings.ToUpper(s)
		}
		if strings.ToUpper(s) != s || strings.Trim(s, "0123456789ABCDEF") != "" {
			return raised(t.Raise(binasciiError, "Non-base16 digit found"))
		}
		if len(s)%2 == 1 {
			return raised(t.Raise(binasciiError, "Odd-length string"))
		}
		out, err := hex.DecodeString(s)
		if err != nil {
			return raised(t.Raise(binasciiError, "Non-base16 digit found"))
		}
		return t.Data(string(out))
	})
	return m
})

func alternativeText(t *thread, v value) string {
	s, x := t.Repr(v)
	if x != nil {
		return ""
	}
	return s
}

// bytesArg reads bytes.
func bytesArg(t *thread, v value) (string, *exception) {
	b, ok := v.Bytes()
	if !ok {
		return "", t.RaiseType("a bytes-like object is required, not '%s'", nameOf(v))
	}
	return b.String(), t.Charge(int64(len(b.String())) / 8)
}

// asciiBytes reads bytes, or a text of ASCII.
func asciiBytes(t *thread, v value) (string, *exception) {
	if s, ok := object.StrOf(v); ok {
		if s.Len() != len(s.String()) {
			return "", t.RaiseValue("string argument should contain only ASCII characters")
		}
		return s.String(), t.Charge(int64(s.Len()) / 8)
	}
	b, ok := v.Bytes()
	if !ok {
		return "", t.RaiseType("argument should be a bytes-like object or ASCII string, not '%s'", nameOf(v))
	}
	return b.String(), t.Charge(int64(len(b.String())) / 8)
}

// decodeBase64 reads base 64 as binascii does: what is no digit is skipped, unless
// it has to be exact.
func decodeBase64(t *thread, s string, strict bool) (value, *exception) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if x := t.Alloc(len(s)); x != nil {
		return value{}, x
	}
	out := make([]byte, 0, len(s)*3/4+3)
	bits, n, pads, count := uint32(0), 0, 0, 0
	if strict && s != "" && s[0] == '=' {
		return raised(t.Raise(binasciiError, "Leading padding not allowed"))
	}
	for i := range len(s) {
		if s[i] == '=' {
			if n >= 2 {
				if pads++; n+pads >= 4 {
					if strict && i+1 < len(s) {
						return raised(t.Raise(binasciiError, "Excess data after padding"))
					}
					return t.Data(string(out))
				}
			} else if strict {
				return raised(t.Raise(binasciiError, "Excess padding not allowed"))
			}
			continue
		}
		d := strings.IndexByte(digits, s[i])
		if d < 0 {
			if strict {
				return raised(t.Raise(binasciiError, "Only base64 data is allowed"))
			}
			continue
		}
		if strict && pads > 0 {
			return raised(t.Raise(binasciiError, "Discontinuous padding not allowed"))
		}
		pads = 0
		count++
		bits = bits<<6 | uint32(d)
		switch n++; n {
		case 2:
			out = append(out, byte(bits>>4))
		case 3:
			out = append(out, byte(bits>>2))
		case 4:
			out = append(out, byte(bits))
			n = 0
		}
	}
	switch {
	case n == 1:
		return raised(t.Raise(binasciiError, "Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4", count))
	case n != 0:
		return raised(t.Raise(binasciiError, "Incorrect padding"))
	}
	return t.Data(string(out))
}

func init() {
	binasciiError.Module = "binascii"
	binasciiError.Ready()
	binasciiIncomplete.Module = "binascii"
	binasciiIncomplete.Ready()
}
