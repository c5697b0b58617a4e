package world

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// filter says whether a row passes, given the call's arguments.
type filter struct {
	arg  string
	pass func(row *value.Object, arg value.Value) bool
}

// equals keeps rows whose field of the argument's name equals it.
func equals(name string) filter {
	return filter{name, func(row *value.Object, arg value.Value) bool {
		v, ok := row.Get(name)
		return ok && same(v, arg)
	}}
}

// within keeps rows where any of the fields, joined by a space where they are
// texts, contains the argument.
func within(arg string, fields ...string) filter {
	return filter{arg, func(row *value.Object, arg value.Value) bool {
		part, ok := arg.(string)
		if !ok {
			return false
		}
		if len(fields) == 1 {
			v, _ := row.Get(fields[0])
			return holds(v, part)
		}
		texts := make([]string, len(fields))
		for i, f := range fields {
			texts[i] = textOf(row, f)
		}
		return holds(strings.Join(texts, " "), part)
	}}
}

// below keeps rows whose field starts with the argument.
func below(arg, field string) filter {
	return filter{arg, func(row *value.Object, arg value.Value) bool {
		prefix, ok := arg.(string)
		v := textOf(row, field)
		return ok && len(v) >= len(prefix) && strings.EqualFold(v[:len(prefix)], prefix)
	}}
}

// rows gives a table's rows that pass every filter whose argument is given.
func rows(table string, filters ...filter) action {
	return func(c *call) (value.Value, error) {
		found := []value.Value{}
		for _, row := range c.collection(table).all() {
			if c.passes(row, filters) {
				found = append(found, row)
			}
		}
		return found, nil
	}
}

// atMost keeps the first n of a list.
func atMost(n int, a action) action {
	return func(c *call) (value.Value, error) {
		v, err := a(c)
		if l, ok := v.([]value.Value); ok && len(l) > n {
			v = l[:n]
		}
		return v, err
	}
}

func (c *call) passes(row *value.Object, filters []filter) bool {
	for _, f := range filters {
		arg, given := c.args.Get(f.arg)
		if given && !c.empty(arg) && !f.pass(row, arg) {
			return false
		}
	}
	return true
}

// empty reports whether an argument filters nothing: null, the empty text and,
// in a recorded world, false.
func (c *call) empty(arg value.Value) bool {
	return arg == nil || arg == "" || arg == false && c.world.setting.frozen
}

// one gives the row with the keys that the arguments name.
func one(table string, keys ...string) action {
	return func(c *call) (value.Value, error) {
		i := c.collection(table).find(c.args, keys)
		if i >= 0 {
			return c.collection(table).all()[i], nil
		}
		if c.world.setting.frozen {
			return nil, nil
		}
		return nil, c.missing(table, keys)
	}
}

// missing is the error of a key that no row has. It names the nearest key.
func (c *call) missing(table string, keys []string) error {
	key := keys[len(keys)-1]
	wanted, _ := c.args.Get(key)
	var known []string
	for _, row := range c.collection(table).all() {
		v, _ := row.Get(key)
		known = append(known, fmt.Sprint(v))
	}
	message := fmt.Sprintf("no record has %s %v", key, wanted)
	if len(keys) > 1 {
		parts := make([]string, len(keys))
		for i, k := range keys {
			v, _ := c.args.Get(k)
			parts[i] = fmt.Sprintf("%s %v", k, v)
		}
		message = "no record has " + strings.Join(parts, " and ")
	}
	if near, ok := sandbox.Nearest(fmt.Sprint(wanted), known); ok && len(keys) == 1 {
		message += fmt.Sprintf(", did you mean %s", near)
	}
	return &toolfn.CallError{Code: "not_found", Message: message + ". List or search to see what there is."}
}

// update changes the row that the key argument names by the arguments or, where
// given, by fixed members, records the effect, and replies.
func update(kind, table, key string, fixed *value.Object, reply func(c *call) *value.Object) action {
	return func(c *call) (value.Value, error) {
		if !c.world.setting.frozen {
			i := c.collection(table).find(c.args, []string{key})
			if i < 0 {
				return nil, c.missing(table, []string{key})
			}
			to := fixed
			if to == nil {
				to = value.Copy(c.args).(*value.Object)
				to.Delete(key)
			}
			c.collection(table).set(i, to)
		}
		c.world.record(kind, c.args)
		return reply(c), nil
	}
}

// create makes a row out of the arguments, records the effect, and replies. The
// reply is made first, because new identifiers count what is there already.
func create(kind, table string, reply func(c *call) *value.Object, row func(c *call, reply *value.Object) *value.Object) action {
	return func(c *call) (value.Value, error) {
		said := reply(c)
		if !c.world.setting.frozen && row != nil {
			c.collection(table).add(row(c, said))
		}
		c.world.record(kind, c.args)
		return said, nil
	}
}

// collection gives a table's records: none for a table that the world lacks.
func (c *call) collection(table string) *collection {
	if found := c.world.collections[table]; found != nil {
		return found
	}
	return &collection{}
}

// next is the number that a new row gets, counting up from the first row's.
func (c *call) next(table, key, kind string) int64 {
	rows := c.collection(table)
	n := rows.first(key) + int64(len(rows.all()))
	if c.world.setting.frozen {
		n += int64(c.world.sent(kind))
	}
	return n
}

// arg gives an argument, or another value where it is absent or null.
func (c *call) arg(name string, otherwise value.Value) value.Value {
	if v, ok := c.args.Get(name); ok && v != nil {
		return v
	}
	return otherwise
}

func textOf(row *value.Object, field string) string {
	v, _ := row.Get(field)
	s, _ := v.(string)
	return s
}
