package held

import (
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Most is the number of nodes up to which a result is best copied when the program
// ends. A larger one is read where it lies, so that showing its first rows costs
// nothing for the rest, and is copied only if it is still held when the session
// goes on.
const Most = 4096

// copier turns a view of the engine's values into data that no program can
// change any more.
type copier struct {
	left  int
	depth int
	seen  map[any]any // views by identity: shared parts stay shared, cycles close
}

// Copy copies a view, unless it has more than most nodes.
func Copy(v any, most int) (any, bool) {
	c := copier{left: most}
	out := c.copy(v)
	return out, c.left >= 0
}

func (c *copier) copy(v any) any {
	if c.left--; c.left < 0 {
		return nil
	}
	// A getter may give a deeper object each time it is asked.
	if c.depth++; c.depth > value.MaxDepth {
		c.depth--
		return Opaque("… (nested value, too deep)")
	}
	defer func() { c.depth-- }()
	switch v := v.(type) {
	case elide.Opaque:
		return Opaque(v.Opaque())
	case elide.List:
		return c.list(v)
	case elide.Map:
		return c.object(v)
	case elide.Text:
		return v.Prefix(v.Len())
	}
	return v
}

// known gives the copy of a container met before.
func (c *copier) known(v any) (id, copied any) {
	with, ok := v.(elide.Identity)
	if !ok {
		return nil, nil
	}
	id = with.Identity()
	return id, c.seen[id]
}

func (c *copier) remember(id, copied any) {
	if id == nil {
		return
	}
	if c.seen == nil {
		c.seen = map[any]any{}
	}
	c.seen[id] = copied
}

func (c *copier) list(v elide.List) any {
	id, done := c.known(v)
	if done != nil {
		return done
	}
	n := v.Len()
	if n > c.left {
		c.left = -1
		return nil
	}
	out := &list{items: make([]any, n)}
	c.remember(id, out)
	plain := true
	for i := range out.items {
		out.items[i] = c.copy(v.Index(i))
		if c.left < 0 {
			return nil
		}
		plain = plain && isPlain(out.items[i])
	}
	if !plain {
		return out
	}
	data := []value.Value(out.items)
	c.remember(id, data)
	return data
}

func (c *copier) object(v elide.Map) any {
	id, done := c.known(v)
	if done != nil {
		return done
	}
	n := v.Len()
	if n > c.left {
		c.left = -1
		return nil
	}
	out := &object{keys: make([]string, 0, n), items: make([]any, 0, n)}
	c.remember(id, out)
	plain := true
	for i := range n {
		k, e := v.Entry(i)
		out.keys = append(out.keys, k)
		out.items = append(out.items, nil)
		out.items[i] = c.copy(e)
		if c.left < 0 {
			return nil
		}
		plain = plain && isPlain(out.items[i])
	}
	if !plain {
		return out
	}
	data := value.NewObject(n)
	for i, k := range out.keys {
		data.Set(k, out.items[i])
	}
	c.remember(id, data)
	return data
}

// isPlain reports whether a copy is plain data.
func isPlain(v any) bool {
	switch v.(type) {
	case *list, *object, Opaque:
		return false
	}
	return true
}

// list, object and Opaque are copies that hold something other than plain data.
type (
	list   struct{ items []any }
	object struct {
		keys  []string
		items []any
	}
	// Opaque is a value without readable content, as its text.
	Opaque string
)

func (l *list) Len() int        { return len(l.items) }
func (l *list) Index(i int) any { return l.items[i] }
func (l *list) Identity() any   { return l }

func (o *object) Len() int                  { return len(o.items) }
func (o *object) Entry(i int) (string, any) { return o.keys[i], o.items[i] }
func (o *object) Identity() any             { return o }

// Opaque gives the text.
func (o Opaque) Opaque() string { return string(o) }
