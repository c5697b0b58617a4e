package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// digestOf gives the length in code points and the SHA-256 of a value's JSON as
// the recorder wrote it: ", " and ": " between parts, no escapes beyond the
// necessary ones (Python's json.dumps with ensure_ascii off).
func digestOf(v value.Value) digest {
	var b strings.Builder
	spell(&b, v)
	text := b.String()
	sum := sha256.Sum256([]byte(text))
	return digest{length: utf8.RuneCountInString(text), sha256: hex.EncodeToString(sum[:])}
}

func spell(b *strings.Builder, v value.Value) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case *big.Int:
		b.WriteString(v.String())
	case float64:
		b.WriteString(spellFloat(v))
	case json.Number:
		b.WriteString(string(v))
	case string:
		spellString(b, v)
	case []value.Value:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			spell(b, e)
		}
		b.WriteByte(']')
	case *value.Object:
		b.WriteByte('{')
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			spellString(b, v.Key(i))
			b.WriteString(": ")
			spell(b, v.At(i))
		}
		b.WriteByte('}')
	}
}

// spellFloat writes a float: whole numbers as integers, because the recorder read
// them from the engine's own JSON, others in Python's shortest form.
func spellFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	if a := math.Abs(f); a < 1e-4 || a >= 1e16 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func spellString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
