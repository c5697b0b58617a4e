package python

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// keywords cannot be names.
var keywords = func() map[string]bool {
	set := map[string]bool{}
	for _, k := range strings.Fields(`False None True and as assert async await break class continue def del elif else
		except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`) {
		set[k] = true
	}
	return set
}()

// identifier reports whether a name can be written as one.
func identifier(name string) bool { return toolfn.ValidName(name) && !keywords[name] }

// quote writes a string literal, shortened if it is long.
func quote(s string) string {
	return object.QuoteStr(sandbox.Clip(strings.ToValidUTF8(s, "\uFFFD"), 60))
}

// callText writes a call as a program spells it, each value bounded.
func callText(function string, args *value.Object) string {
	if args.Len() == 0 {
		return function + "()"
	}
	named := true
	for k := range args.All() {
		named = named && identifier(k)
	}
	if !named {
		return function + "(" + literal(args, 200) + ")"
	}
	var b strings.Builder
	b.WriteString(function + "(")
	first := true
	for k, v := range args.All() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		if b.Len() > 200 {
			b.WriteString("…")
			break
		}
		b.WriteString(k + "=")
		writeLiteral(&b, v, 200, 0)
	}
	b.WriteByte(')')
	return b.String()
}

// literal writes plain data as a literal of at most about most characters.
func literal(v value.Value, most int) string {
	var b strings.Builder
	writeLiteral(&b, v, most, 0)
	return b.String()
}

func writeLiteral(b *strings.Builder, v value.Value, most, depth int) {
	if b.Len() > most || depth > 6 {
		b.WriteString("…")
		return
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		if v {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case *big.Int:
		b.WriteString(sandbox.Clip(v.String(), most))
	case float64:
		b.WriteString(floatText(v))
	case json.Number:
		b.WriteString(string(v))
	case string:
		b.WriteString(quote(v))
	case []value.Value:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			if b.Len() > most {
				b.WriteString("…")
				break
			}
			writeLiteral(b, e, most, depth+1)
		}
		b.WriteByte(']')
	case *value.Object:
		b.WriteByte('{')
		first := true
		for k, e := range v.All() {
			if !first {
				b.WriteString(", ")
			}
			first = false
			if b.Len() > most {
				b.WriteString("…")
				break
			}
			b.WriteString(quote(k) + ": ")
			writeLiteral(b, e, most, depth+1)
		}
		b.WriteByte('}')
	}
}

// floatText is repr of a float.
func floatText(f float64) string { return object.FloatText(f) }
