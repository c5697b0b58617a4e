package toolfn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// further declares on the columns what the arguments beside those for equality
// honour.
func (b *tableBuilder) further(v *VerbSpec) error {
	if v == nil {
		return nil
	}
	for _, argument := range sortedKeys(v.Ranges) {
		name, op, does, err := comparison(v.Ranges[argument])
		if err != nil {
			return fmt.Errorf("argument %q: %w", argument, err)
		}
		c := b.column(name)
		if c == nil || !v.takes(argument) {
			return fmt.Errorf("argument %q compares the column %q: the function needs the one and the table the other", argument, name)
		}
		c.Honours |= does
		if v.Fn.Input != nil && slices.Contains(v.Fn.Input.Required, argument) {
			if op == ">" || op == "<" {
				return fmt.Errorf("argument %q is required and compares with %s: a read for one value could not give it", argument, op)
			}
			c.RequiredKey = true
		}
	}
	if v.Limit != "" && !v.takes(v.Limit) {
		return fmt.Errorf("the function %s has no argument %q", v.Fn.Name, v.Limit)
	}
	return b.orders(v)
}

func (b *tableBuilder) orders(v *VerbSpec) error {
	o := v.Order
	if o == nil {
		return nil
	}
	if !v.takes(o.Argument) || o.Direction != "" && !v.takes(o.Direction) {
		return fmt.Errorf("the function %s has no argument %q", v.Fn.Name, o.Argument)
	}
	for _, term := range sortedKeys(o.Terms) {
		name, way, both := strings.Cut(term, " ")
		c := b.column(name)
		switch {
		case c == nil:
			return fmt.Errorf("%q orders by no column", term)
		case both != (o.Direction == "") || both && way != "asc" && way != "desc":
			return fmt.Errorf("%q: want a column, with asc or desc if there is no argument for the direction", term)
		}
		other := name + " asc"
		if way == "asc" {
			other = name + " desc"
		}
		if _, ok := o.Terms[other]; ok || !both {
			c.Honours |= HonoursOrder
		} // one way only is not what a column can declare
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// takes reports whether the function has an argument.
func (v *VerbSpec) takes(argument string) bool {
	return v.Fn.Input != nil && v.Fn.Input.Properties[argument] != nil
}

// comparison reads a column and an operator.
func comparison(text string) (column, op string, does Honours, err error) {
	column, op, _ = strings.Cut(strings.TrimSpace(text), " ")
	op = strings.TrimSpace(op)
	does, ok := HonoursOf(op)
	if !ok || does == HonoursOrder {
		return "", "", 0, fmt.Errorf("%q is no comparison: want a column and one of > >= < <= prefix like", text)
	}
	return column, op, does, nil
}

// further puts ranges, patterns, order and limit into the arguments of a read.
func (v *VerbSpec) further(b Bindings, args *value.Object) {
	for _, argument := range sortedKeys(v.Ranges) {
		name, op, _, err := comparison(v.Ranges[argument])
		if err != nil {
			continue
		}
		if x, ok := b.compared(name, op); ok {
			args.Set(argument, x)
		}
	}
	if n := b.Limit(); n > 0 && v.Limit != "" {
		if most := v.Fn.Input.Properties[v.Limit].Maximum; most == nil || float64(n) <= *most {
			args.Set(v.Limit, int64(n))
		}
	}
	if o := v.Order; o != nil && len(b.Order()) == 1 {
		o.put(b.Order()[0], args)
	}
}

// compared gives the value of an argument that compares a column: that of the
// range, or, where the operator lets it, the one value of the column.
func (b Bindings) compared(column, op string) (value.Value, bool) {
	if x, ok := b.Range(column, op); ok {
		return x, true
	}
	if l, ok := b.Like(column); ok {
		prefix, only := l.Prefix()
		switch {
		case op == "like":
			return l.Pattern, true
		case op == "prefix" && only && prefix != "":
			return prefix, true
		}
	}
	if values := b.All(column); len(values) == 1 && (op == ">=" || op == "<=") {
		return values[0], true
	}
	return nil, false
}

func (o *Ordering) put(k OrderKey, args *value.Object) {
	way := "asc"
	if k.Desc {
		way = "desc"
	}
	if o.Direction == "" {
		if term, ok := o.Terms[k.Column+" "+way]; ok {
			args.Set(o.Argument, term)
		}
		return
	}
	if term, ok := o.Terms[k.Column]; ok {
		args.Set(o.Argument, term)
		args.Set(o.Direction, way)
	}
}
