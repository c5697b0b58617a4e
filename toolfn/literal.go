package toolfn

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// literal writes a value as JSON, cut at about most bytes.
func literal(v value.Value, most int) string {
	switch v := v.(type) {
	case string:
		return quoted(v, most)
	case []value.Value:
		if len(v) > 0 {
			return fmt.Sprintf("an array of %d", len(v))
		}
	case *value.Object:
		if v.Len() > 0 {
			return "an object"
		}
	}
	text, err := value.Append(nil, v)
	if err != nil {
		return "a value"
	}
	return Plain(string(text), most)
}

// quoted writes a string in double quotes, cut at most code points; characters
// that do not show are escaped, so that they can be told.
func quoted(s string, most int) string {
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for i, r := range s {
		if n == most {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteString("\uFFFD")
		case r > 0xffff && invisible(r):
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		case invisible(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// described names a value for an error: its kind, and as much of it as helps.
func described(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string " + quoted(v, 40)
	case []value.Value:
		return fmt.Sprintf("an array of %d", len(v))
	case *value.Object:
		return describedObject(v)
	}
	return value.Kind(v) + " " + literal(v, 40)
}

func describedObject(o *value.Object) string {
	const shown = 4
	if o.Len() == 0 {
		return "an empty object"
	}
	keys := make([]string, 0, shown)
	for i := range min(o.Len(), shown) {
		keys = append(keys, shownKey(o.Key(i)))
	}
	if o.Len() > shown {
		keys = append(keys, "…")
	}
	return "an object {" + strings.Join(keys, ", ") + "}"
}
