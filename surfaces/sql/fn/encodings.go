package fn

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"math/bits"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

func encode(e *Env, data, format string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(len(data)) * 4); err != nil {
		return "", err
	}
	switch strings.ToLower(format) {
	case "hex":
		return hex.EncodeToString([]byte(data)), nil
	case "base64":
		return base64Lines(data), nil
	case "escape":
		return escapeBytes(data), nil
	}
	return "", unknownEncoding(format)
}

func unknownEncoding(format string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameter, "unrecognized encoding: \"%s\"", format)
}

// base64Lines breaks after 76 characters (RFC 2045).
func base64Lines(data string) string {
	text := base64.StdEncoding.EncodeToString([]byte(data))
	var out strings.Builder
	for len(text) > 76 {
		out.WriteString(text[:76])
		out.WriteByte('\n')
		text = text[76:]
	}
	out.WriteString(text)
	return out.String()
}

func escapeBytes(data string) string {
	var out strings.Builder
	for i := range len(data) {
		switch c := data[i]; {
		case c == 0 || c >= 0x80:
			out.Write([]byte{'\\', '0' + c>>6, '0' + c>>3&7, '0' + c&7})
		case c == '\\':
			out.WriteString(`\\`)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func decode(e *Env, text, format string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(len(text))); err != nil {
		return "", err
	}
	switch strings.ToLower(format) {
	case "hex":
		b, err := pgtype.ParseBytea(`\x` + text)
		return string(b), err
	case "base64":
		return decodeBase64(text)
	case "escape":
		if strings.HasPrefix(text, `\x`) {
			return "", pgerr.New(pgerr.InvalidText, "invalid input syntax for type %s", "bytea")
		}
		b, err := pgtype.ParseBytea(text)
		return string(b), err
	}
	return "", unknownEncoding(format)
}

// decodeBase64 passes over blanks and wants whole groups of four.
func decodeBase64(text string) (string, *pgerr.Error) {
	var out []byte
	var group uint32
	position, end := 0, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		var value uint32
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			continue
		case r == '=':
			if end == 0 {
				switch position {
				case 2:
					end = 1
				case 3:
					end = 2
				default:
					return "", pgerr.New(pgerr.InvalidParameter, "unexpected \"=\" while decoding base64 sequence")
				}
			}
		default:
			at := strings.IndexRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", r)
			if at < 0 {
				return "", pgerr.New(pgerr.InvalidParameter, "invalid symbol \"%c\" found while decoding base64 sequence", r)
			}
			value = uint32(at)
		}
		group = group<<6 + value
		if position++; position == 4 {
			out = append(out, byte(group>>16))
			if end == 0 || end > 1 {
				out = append(out, byte(group>>8))
			}
			if end == 0 || end > 2 {
				out = append(out, byte(group))
			}
			group, position = 0, 0
		}
	}
	if position != 0 {
		return "", pgerr.New(pgerr.InvalidParameter, "invalid base64 end sequence").
			WithHint("Input data is missing padding, is truncated, or is otherwise corrupted.")
	}
	return string(out), nil
}

func digest(f func(data string) string) Kernel {
	return Unary(func(e *Env, data string) (string, *pgerr.Error) {
		if err := e.Charge(int64(len(data) / 64)); err != nil {
			return "", err
		}
		return f(data), e.Alloc(128)
	})
}

func md5Text(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

var forms = map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func normalForm(name string) (norm.Form, *pgerr.Error) {
	f, ok := forms[strings.ToUpper(name)]
	if !ok {
		return 0, pgerr.New(pgerr.InvalidParameter, "invalid normalization form: %s", name)
	}
	return f, nil
}

// bitOf finds a bit of bytes: the n-th from the lowest of the first byte.
func bitOf(data string, n int64) *pgerr.Error {
	if n < 0 || n >= int64(len(data))*8 {
		return pgerr.New(pgerr.ArraySubscript, "index %d out of valid range, 0..%d", n, int64(len(data))*8-1)
	}
	return nil
}

func byteOf(data string, n int64) *pgerr.Error {
	if n < 0 || n >= int64(len(data)) {
		return pgerr.New(pgerr.ArraySubscript, "index %d out of valid range, 0..%d", n, len(data)-1)
	}
	return nil
}

func convertFrom(_ *Env, data, encoding string) (string, *pgerr.Error) {
	switch name := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(encoding)); name {
	case "utf8", "unicode":
	case "latin1", "iso88591":
		out := make([]rune, len(data))
		for i := range len(data) {
			out[i] = rune(data[i])
		}
		return string(out), nil
	default:
		return "", pgerr.New(pgerr.FeatureNotSupported, "conversion from encoding \"%s\" is not supported", encoding)
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRuneInString(data[i:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return "", invalidBytes(data[i:])
		}
		i += n
	}
	return data, nil
}

// invalidBytes names the bytes of a sequence that is no character.
func invalidBytes(rest string) *pgerr.Error {
	length := 1
	switch c := rest[0]; {
	case c >= 0xF0:
		length = 4
	case c >= 0xE0:
		length = 3
	case c >= 0xC0:
		length = 2
	}
	var b strings.Builder
	for i := range min(length, len(rest)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("0x" + hex.EncodeToString([]byte{rest[i]}))
	}
	return pgerr.New(pgerr.NotInRepertoire, "invalid byte sequence for encoding \"UTF8\": %s", b.String())
}

func convertTo(_ *Env, text, encoding string) (string, *pgerr.Error) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(encoding)) {
	case "utf8", "unicode":
		return text, nil
	}
	return "", pgerr.New(pgerr.FeatureNotSupported, "conversion to encoding \"%s\" is not supported", encoding)
}

func encodingKernels() map[string]Kernel {
	return map[string]Kernel{
		"binary_encode": Binary(encode), "binary_decode": Binary(decode),
		"md5_text": digest(md5Text), "md5_bytea": digest(md5Text),
		"sha224_bytea": digest(func(s string) string { h := sha256.Sum224([]byte(s)); return string(h[:]) }),
		"sha256_bytea": digest(func(s string) string { h := sha256.Sum256([]byte(s)); return string(h[:]) }),
		"sha384_bytea": digest(func(s string) string { h := sha512.Sum384([]byte(s)); return string(h[:]) }),
		"sha512_bytea": digest(func(s string) string { h := sha512.Sum512([]byte(s)); return string(h[:]) }),
		"unicode_normalize_func": Binary(func(e *Env, s, form string) (string, *pgerr.Error) {
			f, err := normalForm(form)
			if err != nil {
				return "", err
			}
			if err := e.Alloc(int64(4 * len(s))); err != nil {
				return "", err
			}
			return f.String(s), nil
		}),
		"unicode_is_normalized": Binary(func(_ *Env, s, form string) (bool, *pgerr.Error) {
			f, err := normalForm(form)
			if err != nil {
				return false, err
			}
			return f.IsNormalString(s), nil
		}),
		"byteaGetByte": Binary(func(_ *Env, data string, n int64) (int64, *pgerr.Error) {
			if err := byteOf(data, n); err != nil {
				return 0, err
			}
			return int64(data[n]), nil
		}),
		"byteaSetByte": Ternary(func(e *Env, data string, n, v int64) (string, *pgerr.Error) {
			if err := byteOf(data, n); err != nil {
				return "", err
			}
			return data[:n] + string([]byte{byte(v)}) + data[n+1:], e.Alloc(int64(len(data)))
		}),
		"byteaGetBit": Binary(func(_ *Env, data string, n int64) (int64, *pgerr.Error) {
			if err := bitOf(data, n); err != nil {
				return 0, err
			}
			return int64(data[n/8]>>(n%8)) & 1, nil
		}),
		"byteaSetBit": Ternary(func(e *Env, data string, n, v int64) (string, *pgerr.Error) {
			if err := bitOf(data, n); err != nil {
				return "", err
			}
			if v != 0 && v != 1 {
				return "", pgerr.New(pgerr.InvalidParameter, "new bit must be 0 or 1")
			}
			c := data[n/8]&^(1<<(n%8)) | byte(v)<<(n%8)
			return data[:n/8] + string([]byte{c}) + data[n/8+1:], e.Alloc(int64(len(data)))
		}),
		"bytea_bit_count": Unary(func(_ *Env, data string) (int64, *pgerr.Error) {
			n := 0
			for i := range len(data) {
				n += bits.OnesCount8(data[i])
			}
			return int64(n), nil
		}),
		"pg_convert_from": Binary(convertFrom), "pg_convert_to": Binary(convertTo),
	}
}
