package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
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

// arguments reads what a program passed: keywords, one dict, both, or one bare
// value that can only mean one parameter.
func (c *capability) arguments(a []pyValue, names []string) (*value.Object, *exception) {
	pos := a[:len(a)-len(names)]
	given := make([]value.Value, len(pos))
	for i, v := range pos {
		d, r, x := c.session.export(v)
		if x != nil {
			return nil, x
		}
		if r != nil {
			return nil, c.refuse(r, fmt.Sprintf("argument %d", i+1))
		}
		given[i] = d
	}
	args, x := c.positional(given, names)
	if x != nil {
		return nil, x
	}
	if args == nil {
		if len(names) == 0 {
			return nil, nil
		}
		args = value.NewObject(len(names))
	}
	for i, n := range names {
		d, r, x := c.session.export(a[len(pos)+i])
		if x != nil {
			return nil, x
		}
		if r != nil {
			return nil, c.refuse(r, n)
		}
		if was, twice := args.Get(n); twice && !value.Equal(was, d) {
			return nil, c.wrong(&sandbox.Fault{Message: c.shown + " got two values for '" + shortKey(n) + "'.", Hint: "Pass it once."})
		}
		if d == nil && c.omits(n) {
			continue
		}
		args.Set(n, d)
	}
	return args, nil
}

// omits reports whether None for a parameter means to leave it out: it may be, and
// takes no null.
func (c *capability) omits(n string) bool {
	in := c.fn.Input
	if in == nil || slices.Contains(in.Required, n) {
		return false
	}
	p := in.Properties[n]
	return p != nil && !c.fn.Accepts(n, nil) && len(p.AnyOf) == 0 && len(p.OneOf) == 0
}

// positional reads the arguments without a name.
func (c *capability) positional(given []value.Value, names []string) (*value.Object, *exception) {
	switch len(given) {
	case 0:
		return nil, nil
	case 1:
		if o, ok := given[0].(*value.Object); ok {
			return o, nil
		}
		if n, ok := c.fn.SoleParameter(); ok && scalar(given[0]) && c.fn.Accepts(n, given[0]) && !slices.Contains(names, n) {
			args := value.Of(n, given[0])
			c.session.note(c.shown + "(" + literal(given[0], 60) + ") was read as " + callText(c.shown, args) + ".")
			return args, nil
		}
	}
	return nil, c.wrong(c.misuse(given))
}

// refuse is the exception of an argument that is no plain data.
func (c *capability) refuse(r *refusal, which string) *exception {
	return c.wrong(&sandbox.Fault{Message: c.shown + ": " + r.text(which) + ".", Hint: r.hint})
}

func (c *capability) wrong(f *sandbox.Fault) *exception {
	f.Kind, f.Name = sandbox.KindArgument, "TypeError"
	return c.session.raised(f, c.name)
}

// misuse is the fault of a call with values that have no name: it shows the call to
// write instead.
func (c *capability) misuse(given []value.Value) *sandbox.Fault {
	f := &sandbox.Fault{Message: c.shown + " takes keyword arguments, not " + countArguments(given) + "."}
	names, required := c.fn.Parameters()
	switch {
	case len(names) == 0 && c.fn.Input != nil:
		f.Message = c.shown + " takes no arguments."
		f.Hint = "Write " + c.shown + "()."
	case c.inOrder(given, names):
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
		f.Hint = "Write " + c.shown + "(name=…); " + describeHint(c.name)
	}
	return f
}

// inOrder reports whether the values given can be the parameters in order.
func (c *capability) inOrder(given []value.Value, names []string) bool {
	if len(given) == 0 || len(given) > len(names) {
		return false
	}
	for i, v := range given {
		_, object := v.(*value.Object)
		if v == nil || object || !c.fn.Accepts(names[i], v) {
			return false
		}
	}
	return true
}

func describeHint(name string) string {
	return `describe("` + name + `") shows its parameters.`
}

func countArguments(given []value.Value) string {
	if len(given) == 1 {
		switch v := given[0].(type) {
		case nil:
			return "None"
		case []value.Value:
			return "a list"
		default:
			return withArticle(pythonKind(value.Kind(v)))
		}
	}
	return fmt.Sprintf("%d values without names", len(given))
}

// pythonKind spells a kind of plain data as Python does.
func pythonKind(kind string) string {
	switch kind {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "object":
		return "dict"
	case "array":
		return "list"
	}
	return kind
}

// skeleton is a call with its parameters left open.
func skeleton(function string, names []string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		if !identifier(n) {
			for k, m := range names {
				parts[k] = quote(m) + ": …"
			}
			return function + "({" + strings.Join(parts, ", ") + "})"
		}
		parts[i] = n + "=…"
	}
	return function + "(" + strings.Join(parts, ", ") + ")"
}
