package lisp

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// callText writes a call as a program spells it, each value bounded.
func callText(function string, args *value.Object) string {
	if args.Len() == 0 {
		return "(" + function + ")"
	}
	return "(" + function + " " + literal(args, 200) + ")"
}

// keyText writes a key as a keyword, or as a string where no keyword spells it.
func keyText(k string) string {
	if k == "" || strings.ContainsAny(k, " \t\n\r\"()[]{};,`~@^\\") || strings.HasPrefix(k, ":") {
		return string(value.AppendString(nil, sandbox.Clip(k, 60)))
	}
	return ":" + sandbox.Clip(k, 60)
}

// literal writes plain data as a Lisp literal of at most about most characters.
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
		b.WriteString("nil")
	case bool, int64:
		fmt.Fprint(b, v)
	case *big.Int:
		b.WriteString(sandbox.Clip(v.String(), most))
	case float64:
		b.Write(value.AppendFloat(nil, v))
	case json.Number:
		b.WriteString(string(v))
	case string:
		b.Write(value.AppendString(nil, sandbox.Clip(v, 60)))
	case []value.Value:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(' ')
			}
			if b.Len() > most {
				b.WriteString("…")
				break
			}
			writeLiteral(b, e, most, depth+1)
		}
		b.WriteByte(']')
	case *value.Object:
		writeMap(b, v, most, depth)
	}
}

func writeMap(b *strings.Builder, o *value.Object, most, depth int) {
	b.WriteByte('{')
	first := true
	for k, e := range o.All() {
		if !first {
			b.WriteByte(' ')
		}
		first = false
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		b.WriteString(keyText(k) + " ")
		writeLiteral(b, e, most, depth+1)
	}
	b.WriteByte('}')
}
