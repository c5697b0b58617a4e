package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// bind compiles a binding: a name, a vector or a map of them. It gives the steps
// that fill the slots and the scope in which the names are known.
func (c *compiler) bind(pattern *reader.Form, init node, s *scope) ([]step, *scope) {
	switch pattern.Kind {
	case reader.Vector:
		return c.bindVector(pattern, init, s)
	case reader.Map:
		return c.bindMap(pattern, init, s)
	}
	if pattern.Symbol() == "" {
		c.reject(pattern, sandbox.KindSyntax, "a binding is a name, a vector of names or a map of names.", "Write [x value], [[a b] value] or [{:keys [a b]} value].")
	}
	c.checkLocal(pattern)
	slot := c.fn.slot()
	return []step{func(f *frame) { f.slots[slot] = init(f) }}, s.with(c.fn, pattern.Symbol(), slot)
}

// hidden keeps a value in a slot without a name.
func (c *compiler) hidden(init node) (slot int, fill step) {
	slot = c.fn.slot()
	return slot, func(f *frame) { f.slots[slot] = init(f) }
}

func (c *compiler) bindVector(pattern *reader.Form, init node, s *scope) ([]step, *scope) {
	whole, fill := c.hidden(init)
	steps := []step{fill}
	items := pattern.Items
	plain := 0
	for plain < len(items) && items[plain].Symbol() != "&" && !isKeyword(items[plain], "as") {
		plain++
	}
	more := plain < len(items) && items[plain].Symbol() == "&"
	rest := c.fn.slot() // the sequence after the elements bound so far
	at := c.at(pattern)
	steps = append(steps, func(f *frame) {
		f.m.T.At = at
		f.slots[rest] = sequential(&f.m.T, f.slots[whole], more)
	})
	for i, p := range items[:plain] {
		var bound []step
		bound, s = c.bind(p, c.element(rest, i, at), s)
		steps = append(steps, bound...)
	}
	for i := plain; i < len(items); i += 2 {
		if i+1 >= len(items) {
			c.bad(pattern, "& and :as stand before a name.")
		}
		var more []step
		switch {
		case items[i].Symbol() == "&":
			tail := c.following(rest, plain)
			more, s = c.bind(items[i+1], tail, s)
		case isKeyword(items[i], "as"):
			more, s = c.bind(items[i+1], func(f *frame) value { return f.slots[whole] }, s)
		default:
			c.reject(items[i], sandbox.KindSyntax, "nothing but :as may follow & in a binding.", "Write [a b & more :as all].")
		}
		steps = append(steps, more...)
	}
	return steps, s
}

func isKeyword(f *reader.Form, name string) bool {
	return f.Kind == reader.Atom && f.Value.IsKeyword() && f.Value.Named().Full() == name
}

// sequential gives a value that a vector pattern takes apart: a vector as it is,
// anything else as a sequence. Only a pattern with & takes maps and sets, as in
// Clojure, where the others read by index.
func sequential(t *data.Thread, v value, more bool) value {
	switch v.Kind() {
	case data.KindVector:
		return v
	case data.KindMap, data.KindSet:
		if more {
			return data.Seq(t, v)
		}
		if v.Kind() == data.KindMap {
			data.ThrowHint("UnsupportedOperationException", "nth not supported on this type: "+data.Describe(t, v)+".", "A vector pattern takes a list or vector; take a map apart with {:keys [a b]}.")
		}
		data.ThrowHint("UnsupportedOperationException", "nth not supported on this type: "+data.Describe(t, v)+".", "Take (seq s) of it first.")
	}
	if !data.Seqable(v) {
		data.ThrowHint("UnsupportedOperationException", "nth not supported on this type: "+data.Describe(t, v)+".", "A vector pattern takes a list or vector.")
	}
	return data.Seq(t, v)
}

// element is the node of an element of a pattern. Elements are read in turn: a
// sequence moves on by one each time.
func (c *compiler) element(rest, i, at int) node {
	return func(f *frame) value {
		t := &f.m.T
		if v := f.slots[rest].Vector(); v != nil {
			if i < v.Len() {
				return v.At(i)
			}
			return data.Nil
		}
		s := f.slots[rest]
		if s.IsNil() {
			return data.Nil
		}
		t.At = at
		x := data.First(t, s)
		f.slots[rest] = data.Next(t, s)
		return x
	}
}

// following is the node of what is left after n elements: nil when nothing is.
func (c *compiler) following(rest, n int) node {
	return func(f *frame) value {
		if v := f.slots[rest].Vector(); v != nil {
			if v.Len() <= n {
				return data.Nil
			}
			return data.NewChunk(v.Slice(&f.m.T, n, v.Len()), data.Nil)
		}
		return f.slots[rest]
	}
}

// bindMap takes a map apart. A sequence of keys and values counts as a map.
func (c *compiler) bindMap(pattern *reader.Form, init node, s *scope) ([]step, *scope) {
	whole, fill := c.hidden(init)
	steps := []step{fill, func(f *frame) { f.slots[whole] = mapping(&f.m.T, f.slots[whole]) }}
	defaults := map[string]*reader.Form{}
	for i := 0; i < len(pattern.Items); i += 2 {
		if isKeyword(pattern.Items[i], "or") {
			or := pattern.Items[i+1]
			if or.Kind != reader.Map {
				c.bad(pattern, ":or takes a map of names and defaults.")
			}
			for j := 0; j < len(or.Items); j += 2 {
				defaults[or.Items[j].Symbol()] = or.Items[j+1]
			}
		}
	}
	for i := 0; i < len(pattern.Items); i += 2 {
		var more []step
		more, s = c.bindMember(pattern.Items[i], pattern.Items[i+1], whole, defaults, s)
		steps = append(steps, more...)
	}
	return steps, s
}

// mapping gives a value that a map pattern takes apart.
func mapping(t *data.Thread, v value) value {
	if !data.IsSeq(v) {
		return v
	}
	items := data.Collect(t, v)
	if len(items) == 1 && items[0].Kind() == data.KindMap {
		return items[0]
	}
	if len(items)%2 == 1 {
		if last := items[len(items)-1]; last.Kind() == data.KindMap {
			b := data.NewBuilder(t)
			for i := 0; i+1 < len(items); i += 2 {
				b.Put(items[i], items[i+1])
			}
			last.Map().Each(t, func(k, v value) bool { b.Put(k, v); return true })
			return b.Map().Value()
		}
		data.Throw("IllegalArgumentException", "No value supplied for key: "+data.Brief(t, items[len(items)-1], 60))
	}
	return data.MapOf(t, items...).Value()
}

// bindMember compiles one member of a map pattern.
func (c *compiler) bindMember(left, right *reader.Form, whole int, defaults map[string]*reader.Form, s *scope) ([]step, *scope) {
	if left.Kind == reader.Atom && left.Value.IsKeyword() {
		switch n := left.Value.Named(); n.Name {
		case "keys", "strs", "syms":
			return c.bindKeys(n, right, whole, defaults, s)
		case "as":
			return c.bind(right, func(f *frame) value { return f.slots[whole] }, s)
		case "or":
			return nil, s
		}
		c.reject(left, sandbox.KindSyntax, "a map pattern has the name first and then the key.", "Write {name "+data.Print(&c.m.T, left.Value, true)+"} or {:keys ["+left.Value.Named().Name+"]}.")
	}
	key := c.form(right, s, nil)
	return c.bind(left, c.member(whole, key, left, defaults, s), s)
}

// bindKeys compiles :keys, :strs and :syms.
func (c *compiler) bindKeys(kind *data.Name, names *reader.Form, whole int, defaults map[string]*reader.Form, s *scope) ([]step, *scope) {
	if names.Kind != reader.Vector {
		c.reject(names, sandbox.KindSyntax, ":"+kind.Name+" takes a vector of names.", "Write {:"+kind.Name+" [a b]}.")
	}
	var steps []step
	for _, x := range names.Items {
		if x.Kind != reader.Atom || x.Value.Named() == nil {
			c.reject(x, sandbox.KindSyntax, ":"+kind.Name+" takes names.", "Write {:"+kind.Name+" [a b]}.")
		}
		n := x.Value.Named()
		space := n.Space
		if space == "" {
			space = kind.Space
		}
		text := n.Name
		if space != "" {
			text = space + "/" + text
		}
		var key value
		switch kind.Name {
		case "keys":
			key = c.m.Keyword(text)
		case "strs":
			key = data.String(n.Name)
		default:
			key = c.m.intern(data.Symbol(text))
		}
		local := reader.NewSymbol(x, n.Name)
		var more []step
		more, s = c.bind(local, c.member(whole, constant(key), local, defaults, s), s)
		steps = append(steps, more...)
	}
	return steps, s
}

// member is the node of a member, or of its default where there is none.
func (c *compiler) member(whole int, key node, name *reader.Form, defaults map[string]*reader.Form, s *scope) node {
	or, ok := defaults[name.Symbol()]
	if !ok {
		return func(f *frame) value {
			return data.Lookup(&f.m.T, f.slots[whole], key(f), data.Nil)
		}
	}
	missing := c.form(or, s, nil)
	return func(f *frame) value {
		v := data.Lookup(&f.m.T, f.slots[whole], key(f), absent)
		if v == absent {
			return missing(f)
		}
		return v
	}
}

var absent = data.Box(&recurring{})
