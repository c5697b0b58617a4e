package world

import (
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// collection is one kind of record. The world's lock guards it. A row is never
// changed in place, because readers hold it: an update puts a copy in its stead.
type collection struct {
	build func() []*value.Object // makes the rows on first use
	rows  []*value.Object
}

func (c *collection) all() []*value.Object {
	if c.build != nil {
		c.rows, c.build = c.build(), nil
	}
	return c.rows
}

func (c *collection) add(row *value.Object) { c.rows = append(c.all(), row) }

// find gives the position of the first row whose keys equal the arguments of the
// same names, or -1.
func (c *collection) find(args *value.Object, keys []string) int {
	for i, row := range c.all() {
		if matches(row, args, keys) {
			return i
		}
	}
	return -1
}

func matches(row, args *value.Object, keys []string) bool {
	for _, k := range keys {
		want, _ := args.Get(k)
		got, _ := row.Get(k)
		if !same(got, want) {
			return false
		}
	}
	return true
}

// set replaces the row at i by a copy with some members changed.
func (c *collection) set(i int, changes *value.Object) *value.Object {
	row := value.Copy(c.all()[i]).(*value.Object)
	for k, v := range changes.All() {
		row.Set(k, v)
	}
	c.rows[i] = row
	return row
}

// first is the number in the first row's key: numbers count up from it.
func (c *collection) first(key string) int64 {
	if len(c.all()) == 0 {
		return 1
	}
	v, _ := c.rows[0].Get(key)
	switch v := v.(type) {
	case int64:
		return v
	case string:
		n, err := strconv.ParseInt(v[strings.LastIndexByte(v, '-')+1:], 10, 64)
		if err == nil {
			return n
		}
	}
	return 1
}

// same compares a field with an argument. Text ignores case.
func same(field, arg value.Value) bool {
	a, ok := field.(string)
	b, ok2 := arg.(string)
	if ok && ok2 {
		return strings.EqualFold(a, b)
	}
	return value.Equal(field, arg)
}

// holds reports whether text, or any text of a list, contains part, in any case.
func holds(field value.Value, part string) bool {
	switch v := field.(type) {
	case string:
		return strings.Contains(strings.ToLower(v), strings.ToLower(part))
	case []value.Value:
		for _, e := range v {
			if holds(e, part) {
				return true
			}
		}
	}
	return false
}
