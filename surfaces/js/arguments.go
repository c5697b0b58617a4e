package js

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// scalar reports whether a value is neither an object nor a list nor null.
func scalar(v value.Value) bool {
	switch v.(type) {
	case nil, []value.Value, *value.Object:
		return false
	}
	return true
}

// bare takes one value that is no object as the parameter it can only mean.
func (c *capability) bare(v value.Value) (*value.Object, *sandbox.Fault) {
	name, ok := c.fn.SoleParameter()
	if ok && scalar(v) && c.fn.Accepts(name, v) {
		args := value.Of(name, v)
		c.session.note(c.shown + "(" + literal(v, 60) + ") was read as " + callText(c.shown, args) + ".")
		return args, nil
	}
	return nil, c.misuse([]value.Value{v})
}

// misuse is the fault of a call with anything but one object: it shows the call
// to write instead.
func (c *capability) misuse(given []value.Value) *sandbox.Fault {
	f := &sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "TypeError",
		Message: c.shown + " takes one object of named arguments, not " + countArguments(given) + ".",
	}
	names, required := c.fn.Parameters()
	switch {
	case len(names) == 0 && c.fn.Input != nil:
		f.Message = c.shown + " takes no arguments."
		f.Hint = "Write " + c.shown + "()."
	case c.positional(given, names):
		args := value.NewObject(len(given))
		for i, v := range given {
			args.Set(names[i], v)
		}
		f.Hint = "Write " + callText(c.shown, args) + "."
	case required == 0:
		f.Hint = "Write " + c.shown + "() or " + skeleton(c.shown, names[:min(len(names), 1)]) + "; " + describeHint(c.name)
	case len(names) > 0:
		f.Hint = "Write " + skeleton(c.shown, names[:max(1, required)]) + "; " + describeHint(c.name)
	default:
		f.Hint = "Write " + c.shown + "({ … }); " + describeHint(c.name)
	}
	return f
}

// positional reports whether the values given can be the parameters in order.
func (c *capability) positional(given []value.Value, names []string) bool {
	if len(given) == 0 || len(given) > len(names) {
		return false
	}
	for i, v := range given {
		if v == nil || isObject(v) || !c.fn.Accepts(names[i], v) {
			return false
		}
	}
	return true
}

func isObject(v value.Value) bool { _, ok := v.(*value.Object); return ok }

func describeHint(name string) string {
	return `describe("` + name + `") shows its parameters.`
}

func countArguments(given []value.Value) string {
	if len(given) == 1 {
		switch v := given[0].(type) {
		case nil:
			return "null"
		case []value.Value:
			return "an array"
		default:
			return "a " + strings.Replace(value.Kind(v), "integer", "number", 1)
		}
	}
	return fmt.Sprintf("%d arguments", len(given))
}

// skeleton is a call with its parameters left open.
func skeleton(function string, names []string) string {
	var b strings.Builder
	b.WriteString(function + "({ ")
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(key(n) + ": …")
	}
	return b.String() + " })"
}

// callText writes a call as a program spells it, each value bounded.
func callText(function string, args *value.Object) string {
	if args.Len() == 0 {
		return function + "()"
	}
	return function + "(" + literal(args, 200) + ")"
}

// literal writes plain data as a JavaScript literal of at most about most
// characters.
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
		b.WriteString("null")
	case bool, int64:
		fmt.Fprint(b, v)
	case *big.Int:
		b.WriteString(sandbox.Clip(v.String(), most) + "n")
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
		writeObject(b, v, most, depth)
	}
}

func writeObject(b *strings.Builder, o *value.Object, most, depth int) {
	if o.Len() == 0 {
		b.WriteString("{}")
		return
	}
	b.WriteString("{ ")
	first := true
	for k, e := range o.All() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		b.WriteString(key(k) + ": ")
		writeLiteral(b, e, most, depth+1)
	}
	b.WriteString(" }")
}

// key writes a property name as an object literal spells it.
func key(k string) string {
	if toolfn.ValidName(k) {
		return k
	}
	return string(value.AppendString(nil, sandbox.Clip(k, 60)))
}
