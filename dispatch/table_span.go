package dispatch

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// span is what a statement demands of a column beside equality: bounds and
// patterns, all of them. No null satisfies it.
type span struct {
	low, high limit
	likes     []toolfn.Like
	never     bool // compared with null
}

// limit is one bound, none if set is false.
type limit struct {
	set, open bool // open leaves the value itself out
	value     value.Value
}

// mostPattern bounds the patterns that are matched here, in bytes.
const mostPattern = 1000

// spanOf gathers what a statement demands of a column; nil is nothing.
func spanOf(t *toolfn.ResourceTable, c *toolfn.Column, w Where) (*span, error) {
	var s *span
	get := func() *span {
		if s == nil {
			s = &span{}
		}
		return s
	}
	for _, r := range w.Ranges {
		if r.Column != c.Name {
			continue
		}
		if c.Type == "jsonb" {
			return nil, refusedStatement(fmt.Sprintf("column %s of table %s is jsonb, whose values have no order.", c.Name, t.Name), "Compare a member of it, in the rows that were read.")
		}
		v, err := c.Given(r.Value)
		if err != nil {
			return nil, wrongValue(t, c, err)
		}
		if err := get().narrow(c, r.Op, v); err != nil {
			return nil, err
		}
	}
	for _, l := range w.Likes {
		if l.Column != c.Name {
			continue
		}
		switch {
		case c.Type != "text":
			return nil, refusedStatement(fmt.Sprintf("column %s of table %s is %s; a pattern is for text.", c.Name, t.Name, c.Type), "Compare it with values.")
		case !l.Valid():
			return nil, refusedStatement("a pattern of LIKE must not end with the escape character.", `Write \\ for a backslash.`)
		case len(l.Pattern) > mostPattern:
			return nil, refusedStatement(fmt.Sprintf("a pattern may have at most %d bytes.", mostPattern), "Match with a shorter one.")
		}
		get().likes = append(s.likes, l)
	}
	return s, nil
}

// narrow adds a bound.
func (s *span) narrow(c *toolfn.Column, op string, v value.Value) error {
	if v == nil {
		s.never = true
		return nil
	}
	one := limit{set: true, open: op == ">" || op == "<", value: v}
	at, way := &s.low, 1
	switch op {
	case ">", ">=":
	case "<", "<=":
		at, way = &s.high, -1
	default:
		return refusedStatement(fmt.Sprintf("there is no range operator '%s'.", op), "The operators are >, >=, < and <=.")
	}
	if at.set {
		order, ok := c.Order(v, at.value)
		switch {
		case !ok:
			s.never = true
		case order*way < 0 || order == 0 && !one.open:
			return nil
		}
	}
	*at = one
	return nil
}

// empty reports whether no value satisfies the span.
func (s *span) empty(c *toolfn.Column) bool {
	if s.never {
		return true
	}
	if !s.low.set || !s.high.set {
		return false
	}
	order, ok := c.Order(s.low.value, s.high.value)
	return !ok || order > 0 || order == 0 && (s.low.open || s.high.open)
}

// admits decides on a cell.
func (s *span) admits(c *toolfn.Column, v value.Value) bool {
	if v == nil || s.never {
		return false
	}
	if s.low.set {
		order, ok := c.Order(v, s.low.value)
		if !ok || order < 0 || order == 0 && s.low.open {
			return false
		}
	}
	if s.high.set {
		order, ok := c.Order(v, s.high.value)
		if !ok || order > 0 || order == 0 && s.high.open {
			return false
		}
	}
	for _, l := range s.likes {
		if text, ok := v.(string); !ok || !l.Matches(text) {
			return false
		}
	}
	return true
}

// cost is what one comparison takes in units of fuel.
func (s *span) cost() (n int64) {
	for _, l := range s.likes {
		n += 8 + int64(len(l.Pattern))
	}
	return n
}

// ranges gives the bounds as conjuncts.
func (s *span) ranges(column string) (list []toolfn.Range) {
	if s.low.set {
		list = append(list, toolfn.Range{Column: column, Op: map[bool]string{true: ">", false: ">="}[s.low.open], Value: s.low.value})
	}
	if s.high.set {
		list = append(list, toolfn.Range{Column: column, Op: map[bool]string{true: "<", false: "<="}[s.high.open], Value: s.high.value})
	}
	return list
}

// object is the form that policy and journal see.
func (s *span) object() *value.Object {
	o := value.NewObject(2)
	words := map[string]string{">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
	for _, r := range s.ranges("") {
		o.Set(words[r.Op], r.Value)
	}
	var likes []value.Value
	for _, l := range s.likes {
		likes = append(likes, l.Pattern)
	}
	switch len(likes) {
	case 0:
	case 1:
		o.Set("like", likes[0])
	default:
		o.Set("like", likes)
	}
	return o
}

// pushed gives what of the span the server is asked, nil if nothing: never less
// than the span admits. exact says that it is all of it.
func (s *span) pushed(c *toolfn.Column) (p *span, exact bool) {
	does := c.Does()
	out := span{}
	exact = !c.Argument
	bound := func(from limit, open, closed toolfn.Honours) limit {
		switch {
		case !from.set:
			return limit{}
		case from.open && does&open != 0, !from.open && does&closed != 0:
			return from
		case from.open && does&closed != 0:
			exact, from.open = false, false
			return from
		}
		exact = false
		return limit{}
	}
	out.low = bound(s.low, toolfn.HonoursGreater, toolfn.HonoursAtLeast)
	out.high = bound(s.high, toolfn.HonoursLess, toolfn.HonoursAtMost)
	for _, l := range s.likes {
		prefix, only := l.Prefix()
		switch {
		case does&toolfn.HonoursLike != 0, does&toolfn.HonoursPrefix != 0 && only && prefix != "":
			out.likes = append(out.likes, l)
		case does&toolfn.HonoursPrefix != 0 && prefix != "":
			exact = false
			out.likes = append(out.likes, toolfn.Like{Column: l.Column, Pattern: escapedLike(prefix) + "%"})
		default:
			exact = false
		}
	}
	if c.Argument || !out.low.set && !out.high.set && len(out.likes) == 0 {
		return nil, false
	}
	return &out, exact
}

// escapedLike gives the pattern that a text alone matches.
func escapedLike(text string) string {
	var out []byte
	for i := range len(text) {
		if text[i] == '%' || text[i] == '_' || text[i] == '\\' {
			out = append(out, '\\')
		}
		out = append(out, text[i])
	}
	return string(out)
}
