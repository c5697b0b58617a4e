package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

func init() {
	register(map[string]*special{
		"for":      {"(for [x coll :when test :let [y …] :while test] value)", "a lazy sequence of values", compileFor},
		"doseq":    {"(doseq [x coll :when test :let [y …]] body …)", "the body for each element, for its effects", compileDoseq},
		"dotimes":  {"(dotimes [i n] body …)", "the body n times", compileDotimes},
		"lazy-seq": {"(lazy-seq body …)", "a sequence that is computed when it is needed", compileLazySeq},
		"delay":    {"(delay body …)", "a value that is computed when it is first asked for", compileDelay},
		"lazy-cat": {"(lazy-cat coll …)", "collections one after the other, each computed when it is needed", rewriting(lazyCat)},
		"assert":   {"(assert test message)", "an error unless the test holds", compileAssert},
	})
}

// generator is one binding of for or doseq with its modifiers.
type generator struct {
	pattern, coll *reader.Form
	modifiers     []modifier
}

type modifier struct {
	kind string // let, when, while
	form *reader.Form
}

func (c *compiler) generators(f *reader.Form) []generator {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector || len(f.Items[1].Items)%2 != 0 {
		c.bad(f, f.Head()+" takes a vector of names and collections.")
	}
	var out []generator
	items := f.Items[1].Items
	for i := 0; i < len(items); i += 2 {
		left, right := items[i], items[i+1]
		if left.Kind != reader.Atom || !left.Value.IsKeyword() {
			out = append(out, generator{pattern: left, coll: right})
			continue
		}
		kind := left.Value.Named().Full()
		if kind != "let" && kind != "when" && kind != "while" || len(out) == 0 {
			c.reject(left, sandbox.KindSyntax, f.Head()+" has no :"+kind+" here.", "After a name and its collection there may be :when, :let and :while.")
		}
		if kind == "let" && (right.Kind != reader.Vector || len(right.Items)%2 != 0) {
			c.reject(right, sandbox.KindSyntax, ":let takes a vector of names and values.", "Write :let [y (f x)].")
		}
		g := &out[len(out)-1]
		g.modifiers = append(g.modifiers, modifier{kind, right})
	}
	return out
}

// verdict is what the modifiers of a generator say of an element.
type verdict uint8

const (
	keep verdict = iota
	skip
	stop
)

// modifiers compiles :let, :when and :while in their order.
func (c *compiler) modifiers(all []modifier, s *scope) (func(f *frame) verdict, *scope) {
	var checks []func(f *frame) verdict
	for _, m := range all {
		if m.kind == "let" {
			for i := 0; i < len(m.form.Items); i += 2 {
				var steps []step
				steps, s = c.bind(m.form.Items[i], c.form(m.form.Items[i+1], s, nil), s)
				checks = append(checks, func(f *frame) verdict {
					for _, st := range steps {
						st(f)
					}
					return keep
				})
			}
			continue
		}
		test, other := c.form(m.form, s, nil), skip
		if m.kind == "while" {
			other = stop
		}
		checks = append(checks, func(f *frame) verdict {
			if test(f).Truthy() {
				return keep
			}
			return other
		})
	}
	return func(f *frame) verdict {
		for _, check := range checks {
			if v := check(f); v != keep {
				return v
			}
		}
		return keep
	}, s
}

func compileDoseq(c *compiler, f *reader.Form, s *scope, _ *target) node {
	saved := c.fn.slots
	each := c.doseq(c.generators(f), f.Items[2:], s)
	c.fn.slots = saved
	return func(f *frame) value {
		each(f)
		return data.Nil
	}
}

func (c *compiler) doseq(all []generator, body []*reader.Form, s *scope) step {
	if len(all) == 0 {
		run := c.body(body, s, nil)
		return func(f *frame) { f.m.discard(run(f)) }
	}
	g := all[0]
	coll := c.form(g.coll, s, nil)
	slot := c.fn.slot()
	steps, inner := c.bind(g.pattern, func(f *frame) value { return f.slots[slot] }, s)
	check, inner := c.modifiers(g.modifiers, inner)
	rest := c.doseq(all[1:], body, inner)
	at := c.at(g.coll)
	return func(f *frame) {
		t := &f.m.T
		from := coll(f)
		t.At = at
		for it := data.Iterate(t, from); it.Next(); {
			t.Charge(2)
			f.slots[slot] = it.Value
			for _, st := range steps {
				st(f)
			}
			switch check(f) {
			case keep:
				rest(f)
			case stop:
				return
			}
		}
	}
}

// compileFor makes a function of each generator that gives the lazy sequence for
// one collection; the innermost one gives single values.
func compileFor(c *compiler, f *reader.Form, s *scope, _ *target) node {
	all := c.generators(f)
	if len(f.Items) != 3 {
		c.bad(f, "for takes a vector and one value; put several into a vector or a do.")
	}
	if len(all) == 0 {
		c.bad(f, "for needs at least one name and collection.")
	}
	return c.forLevel(f, all, f.Items[2], s)
}

// forLevel compiles the sequence of the first generator and those inside it.
func (c *compiler) forLevel(f *reader.Form, all []generator, body *reader.Form, s *scope) node {
	g := all[0]
	coll := c.form(g.coll, s, nil)
	element := c.elementFunction(f, all, body, s)
	flat := len(all) == 1
	at := c.at(g.coll)
	return func(f *frame) value {
		t := &f.m.T
		from := coll(f)
		fn := element(f)
		t.At = at
		return data.NewLazy(func(t *data.Thread) value { return expand(t, from, fn, flat, at) })
	}
}

// elementFunction compiles the function of one element: it gives the value, or the
// sequence of the generators inside, or one of the marks.
func (c *compiler) elementFunction(f *reader.Form, all []generator, body *reader.Form, s *scope) node {
	g := all[0]
	fn := &function{parent: c.fn, outer: s, code: &code{}}
	outer := c.fn
	c.fn = fn
	slot := fn.slot()
	steps, inner := c.bind(g.pattern, func(f *frame) value { return f.slots[slot] }, s)
	check, inner := c.modifiers(g.modifiers, inner)
	var result node
	if len(all) == 1 {
		result = c.form(body, inner, nil)
	} else {
		result = c.forLevel(f, all[1:], body, inner)
	}
	c.fn = outer
	run := func(f *frame) value {
		for _, st := range steps {
			st(f)
		}
		switch check(f) {
		case skip:
			return skipped
		case stop:
			return stopped
		}
		return result(f)
	}
	fn.code.arities = []*arity{{params: 1, slots: fn.most, body: run}}
	code := fn.code
	return func(f *frame) value {
		f.m.T.Alloc(functionBytes + 16*len(code.captures))
		made := &Fn{code: code, caps: make([]value, len(code.captures))}
		made.capture(f)
		return made.Value()
	}
}

var (
	skipped = data.Box(&recurring{})
	stopped = data.Box(&recurring{})
)

// expand computes the next run of a for: the elements that the collection has at
// hand, one by one where it is not chunked.
func expand(t *data.Thread, from, fn value, flat bool, at int) value {
	for {
		s := data.Seq(t, from)
		if s.IsNil() {
			return data.Nil
		}
		items, rest := data.Run(t, s)
		if !flat {
			v, more, done := expandInner(t, items, rest, fn)
			if !done {
				from = more
				continue
			}
			return v
		}
		if !data.Chunked(s) {
			items, rest = items[:1], data.Rest(t, s)
		}
		t.Alloc(16*len(items) + 96)
		out := make([]value, 0, len(items))
		for _, x := range items {
			v := t.Call1(fn, x)
			if v == stopped {
				return data.NewChunk(out, data.Nil)
			}
			if v != skipped {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			next := rest
			return data.NewChunk(out, data.NewLazy(func(t *data.Thread) value { return expand(t, next, fn, flat, at) }))
		}
		from = rest
	}
}

// expandInner gives the sequence of the first element whose inner one has any
// values, and the rest behind it. done is false where no element of the run had.
func expandInner(t *data.Thread, items []value, rest, fn value) (v, more value, done bool) {
	for i, x := range items {
		inner := t.Call1(fn, x)
		if inner == stopped {
			return data.Nil, data.Nil, true
		}
		if inner == skipped {
			continue
		}
		s := data.Seq(t, inner)
		if s.IsNil() {
			continue
		}
		left := data.NewChunk(items[i+1:], rest)
		return concat(s, data.NewLazy(func(t *data.Thread) value { return expand(t, left, fn, false, 0) })), data.Nil, true
	}
	return data.Nil, rest, false
}

// concat is one sequence behind another, computed as it is read.
func concat(first, second value) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, first)
		if s.IsNil() {
			return second
		}
		items, rest := data.Run(t, s)
		return data.NewChunk(items, concat(rest, second))
	})
}

func compileDotimes(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector || len(f.Items[1].Items) != 2 || f.Items[1].Items[0].Symbol() == "" {
		c.bad(f, "dotimes takes a vector of a name and a number.")
	}
	saved := c.fn.slots
	times := c.form(f.Items[1].Items[1], s, nil)
	slot := c.fn.slot()
	body := c.body(f.Items[2:], s.with(c.fn, f.Items[1].Items[0].Symbol(), slot), nil)
	c.fn.slots = saved
	at := c.at(f)
	return func(f *frame) value {
		t := &f.m.T
		n, ok := times(f).Int()
		if !ok {
			t.At = at
			data.Throw("ClassCastException", "dotimes takes an integer.")
		}
		for i := int64(0); i < n; i++ {
			t.Charge(2)
			f.slots[slot] = data.Int(i)
			f.m.discard(body(f))
		}
		return data.Nil
	}
}

// thunk compiles a body as a function of no arguments that runs later.
func (c *compiler) thunk(f *reader.Form, s *scope) node {
	return c.function(f, "", append([]*reader.Form{vectorForm(f)}, f.Items[1:]...), s)
}

func compileLazySeq(c *compiler, f *reader.Form, s *scope, _ *target) node {
	thunk := c.thunk(f, s)
	return func(f *frame) value {
		fn := thunk(f)
		return data.NewLazy(func(t *data.Thread) value { return t.Call(fn) })
	}
}

func lazyCat(c *compiler, f *reader.Form) *reader.Form {
	items := []*reader.Form{symbol(f, "concat")}
	for _, x := range f.Items[1:] {
		items = append(items, reader.NewList(x, symbol(x, "lazy-seq"), x))
	}
	return reader.NewList(f, items...)
}

// Delay is a value that is computed when it is first asked for.
type Delay struct {
	data.Head
	thunk value
	value value
	done  bool
}

// TypeName names the type.
func (d *Delay) TypeName() string { return "a delay" }

// Printed shows the delay.
func (d *Delay) Printed() string { return "#<delay>" }

// Force computes the value, once.
func (d *Delay) Force(t *data.Thread) value {
	if !d.done {
		d.value = t.Call(d.thunk)
		d.done, d.thunk = true, data.Nil
	}
	return d.value
}

// Done reports whether the value has been computed.
func (d *Delay) Done() bool { return d.done }

func compileDelay(c *compiler, f *reader.Form, s *scope, _ *target) node {
	thunk := c.thunk(f, s)
	return func(f *frame) value {
		f.m.T.Alloc(96)
		return data.Box(&Delay{thunk: thunk(f)})
	}
}

func compileAssert(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) < 2 || len(f.Items) > 3 {
		c.bad(f, "assert takes a test and at most a message.")
	}
	test := c.form(f.Items[1], s, nil)
	text := data.Print(&c.m.T, c.quoted(f.Items[1]), true)
	message := constant(data.Nil)
	if len(f.Items) == 3 {
		message = c.form(f.Items[2], s, nil)
	}
	at := c.at(f)
	return func(f *frame) value {
		if !test(f).Truthy() {
			t := &f.m.T
			t.At = at
			full := "Assert failed: " + text
			if m := message(f); !m.IsNil() {
				full = "Assert failed: " + data.Str(t, m) + "\n" + text
			}
			data.Throw("AssertionError", full)
		}
		return data.Nil
	}
}
