package toolfn

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	// lineBytes bounds a function's one-line entry.
	lineBytes = 300
	// summaryRunes bounds the summary of a one-line entry.
	summaryRunes = 100
)

// levels are the degrees of detail that a signature falls back through until it
// fits: nested objects one level deep, then enums and objects by word, then the
// first few arguments only.
var levels = []detail{
	{depth: 2, fields: 24, values: 6, defaults: true},
	{depth: 1, fields: 24, values: 6, defaults: true},
	{depth: 1, fields: 24, values: 3},
	{depth: 1, fields: 12},
	{depth: 1, fields: 6},
	{depth: 1, fields: 3},
	{depth: 1, fields: 1},
}

// Signature writes a function's call in one line of at most about 300 bytes:
// name({required: type, optional?: type = default}) → result. A result that calls
// have shown is marked observed; one of which nothing is known is left out.
func Signature(f *ToolFn, s Style) string { return signature(f, &s, lineBytes) }

func signature(f *ToolFn, s *Style, most int) string {
	name := s.name(f)
	args := f.argumentShape()
	result, seen := f.resultShape()
	text := name + s.Call[0] + "…" + s.Call[1]
	for _, d := range levels {
		call := name + s.Call[0] + printArguments(args, s, d) + s.Call[1]
		if len(call) > most {
			continue
		}
		text = call
		break
	}
	if result == nil {
		return text
	}
	arrow := s.Arrow
	if seen {
		arrow += "observed "
	}
	for _, d := range levels {
		d.defaults = false
		if r := arrow + result.print(s, d); len(text)+len(r) <= most {
			return text + r
		}
	}
	return text
}

// printArguments writes what stands between the parentheses of a call.
func printArguments(args *shape, s *Style, d detail) string {
	switch {
	case args == nil || args.kind == shapeAny || args.kind == shapeObject && len(args.fields) == 0 && args.rest != nil:
		return "args" + s.Optional
	case args.kind == shapeObject && len(args.fields) == 0:
		return ""
	case args.kind == shapeUnion:
		var forms []string
		for _, f := range args.forms {
			if w := printArguments(f, s, d); w != "" && !containsString(forms, w) {
				forms = append(forms, w)
			}
		}
		return strings.Join(forms, " | ")
	case args.kind == shapeObject:
		return s.Args[0] + args.printFields(s, d) + s.Args[1]
	}
	return "args"
}

// argumentShape gives the shape of the arguments; nil if nothing is declared.
func (f *ToolFn) argumentShape() *shape {
	if f.Input == nil {
		return nil
	}
	return shapeOf(f.Input, true)
}

// resultShape gives the shape of the result, declared or else observed, and
// whether it is only observed; nil if nothing is known.
func (f *ToolFn) resultShape() (sh *shape, observed bool) {
	if f.Output != nil {
		if sh := shapeOf(f.Output, false); sh.kind != shapeAny {
			return sh, false
		}
	}
	if f.observed != nil {
		if o := f.observed.shape.Load(); o != nil {
			return o, true
		}
	}
	return nil, false
}

// Line is a function's entry in a list: signature, effect where it is known, and
// the first line of the description, at most about 300 bytes.
func Line(f *ToolFn, s Style) string { return line(f, &s) }

func line(f *ToolFn, s *Style) string {
	summary := summaryOf(f.Description)
	tail := ""
	if f.Effect.Impact != Unknown {
		tail = " [" + f.Effect.Impact.String() + "]"
	}
	if summary != "" {
		tail += clipBytes(" — "+summary, lineBytes/2-len(tail))
	}
	return signature(f, s, lineBytes-len(tail)) + tail
}

// clipBytes cuts text to at most most bytes, the last of them an ellipsis if
// anything was cut.
func clipBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// summaryOf gives the first line of a description, made plain.
func summaryOf(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	return Plain(text, summaryRunes)
}

// Skeleton writes a call of the function with its required arguments: an example
// of the author's where there is one, else placeholders of the right types.
func (s Style) Skeleton(f *ToolFn) string {
	args := value.NewObject(4)
	if len(f.Examples) > 0 && f.Examples[0].Args != nil {
		args = f.Examples[0].Args
	} else if sh := f.argumentShape(); sh != nil {
		fill(args, sh)
	}
	return s.CallText(f, args)
}

// CallText writes a call of the function with literal arguments, at most about
// 300 bytes.
func (s Style) CallText(f *ToolFn, args *value.Object) string {
	if s.Form != nil {
		return sandbox.Clip(s.Form(f, args), lineBytes)
	}
	if args.Len() == 0 {
		return s.name(f) + s.Call[0] + s.Call[1]
	}
	if !s.allNamed(args) {
		return sandbox.Clip(s.name(f)+s.Call[0]+s.whole(args)+s.Call[1], lineBytes)
	}
	var parts []string
	for k, v := range args.All() {
		if len(parts) == 12 {
			break
		}
		text := s.whole(v)
		if len(text) > 80 {
			text = s.literal(v, 80)
		}
		parts = append(parts, s.key(k)+s.assign()+text)
	}
	return sandbox.Clip(s.name(f)+s.Call[0]+s.Args[0]+strings.Join(parts, s.Separator)+s.Args[1]+s.Call[1], lineBytes)
}

// allNamed reports whether every argument can be written with its name before it.
func (s *Style) allNamed(args *value.Object) bool {
	if s.Named == nil {
		return true
	}
	for k := range args.All() {
		if !s.Named(k) {
			return false
		}
	}
	return true
}

// whole writes a literal in full.
func (s *Style) whole(v value.Value) string {
	if s.Value != nil {
		return s.Value(v)
	}
	text, err := value.Append(nil, v)
	if err != nil {
		return "…"
	}
	return string(text)
}

// fill puts a placeholder under each required field.
func fill(o *value.Object, sh *shape) {
	if sh.kind == shapeUnion && len(sh.forms) > 0 {
		sh = sh.forms[0]
	}
	for _, f := range sh.fields {
		if !f.optional {
			o.Set(f.name, placeholder(f))
		}
	}
}

func placeholder(f field) value.Value {
	if f.hasDef {
		return f.def
	}
	return placeholderOf(f.shape, 0)
}

func placeholderOf(sh *shape, depth int) value.Value {
	switch sh.kind {
	case shapeValues:
		return sh.values[0]
	case shapeUnion:
		if len(sh.forms) > 0 {
			return placeholderOf(sh.forms[0], depth)
		}
	case shapeList:
		if sh.elem != nil && depth < 2 {
			return []value.Value{placeholderOf(sh.elem, depth+1)}
		}
		return []value.Value{}
	case shapeObject:
		o := value.NewObject(len(sh.fields))
		if depth < 2 {
			for _, f := range sh.fields {
				if !f.optional {
					o.Set(f.name, placeholderOf(f.shape, depth+1))
				}
			}
		}
		return o
	case shapeScalar:
		return scalarPlaceholder(sh)
	}
	return "…"
}

func scalarPlaceholder(sh *shape) value.Value {
	switch sh.scalar {
	case typeInteger, typeNumber, typeInteger | typeNumber:
		return int64(1)
	case typeBoolean:
		return true
	case typeNull:
		return nil
	}
	switch sh.format {
	case "date-time":
		return "2025-01-31T12:00:00Z"
	case "date":
		return "2025-01-31"
	}
	return "…"
}
