package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// special is a form that is not a call.
type special struct {
	usage   string
	doc     string
	compile func(c *compiler, f *reader.Form, s *scope, tail *target) node
}

// specials are all forms that are not calls: one table for the compiler, for
// explain, for suggestions and for descriptions.
var specials = map[string]*special{}

// Special describes a special form; ok tells whether the name is one.
func Special(name string) (usage, doc string, ok bool) {
	if s := specials[name]; s != nil {
		return s.usage, s.doc, true
	}
	return "", "", false
}

// Specials lists the names of all special forms, in no order.
func Specials() []string {
	var out []string
	for n := range specials {
		out = append(out, n)
	}
	return out
}

func register(table map[string]*special) {
	for name, s := range table {
		specials[name] = s
	}
}

func init() {
	register(map[string]*special{
		"quote":   {"(quote form) or 'form", "the form itself, as data", compileQuote},
		"if":      {"(if test then else)", "one of two values", compileIf},
		"do":      {"(do form …)", "the value of the last form", compileDo},
		"let":     {"(let [name value …] body …)", "names for values", compileLet},
		"loop":    {"(loop [name value …] body … (recur value …))", "a loop; recur goes round with new values", compileLoop},
		"recur":   {"(recur value …)", "the next round of the loop or function", compileRecur},
		"fn":      {"(fn name? [params] body …)", "a function", compileFn},
		"def":     {"(def name value)", "define a name of the session", compileDef},
		"defn":    {"(defn name [params] body …)", "define a function of the session", compileDefn},
		"letfn":   {"(letfn [(name [params] body …) …] body …)", "functions that may call each other", compileLetfn},
		"throw":   {"(throw (ex-info message {…}))", "raise an error", compileThrow},
		"try":     {"(try body … (catch Exception e …) (finally …))", "handle errors", compileTry},
		"var":     {"(var name) or #'name", "the var of a defined name", compileVar},
		"declare": {"(declare name …)", "names that are defined later", compileDeclare},
		"comment": {"(comment …)", "nothing: the forms do not run", compileComment},
	})
	specials["let*"], specials["fn*"], specials["loop*"] = specials["let"], specials["fn"], specials["loop"]
	specials["defn-"], specials["defonce"] = specials["defn"], &special{"(defonce name value)", "define a name unless it is defined", compileDefonce}
}

func compileQuote(c *compiler, f *reader.Form, _ *scope, _ *target) node {
	if len(f.Items) != 2 {
		c.bad(f, "quote takes one form.")
	}
	return constant(c.quoted(f.Items[1]))
}

func compileComment(*compiler, *reader.Form, *scope, *target) node { return constant(data.Nil) }

func compileIf(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 3 || len(f.Items) > 4 {
		c.bad(f, "if takes a test, a then and at most an else.")
	}
	test := c.form(f.Items[1], s, nil)
	then := c.form(f.Items[2], s, tail)
	if len(f.Items) == 3 {
		return func(f *frame) value {
			if test(f).Truthy() {
				return then(f)
			}
			return data.Nil
		}
	}
	other := c.form(f.Items[3], s, tail)
	return func(f *frame) value {
		if test(f).Truthy() {
			return then(f)
		}
		return other(f)
	}
}

func compileDo(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.body(f.Items[1:], s, tail)
}

// body compiles forms of which only the last one's value is used. A lazy sequence
// that another one gives is computed all the same: a program that writes
// (do (map send! xs) …) means its effects.
func (c *compiler) body(forms []*reader.Form, s *scope, tail *target) node {
	switch len(forms) {
	case 0:
		return constant(data.Nil)
	case 1:
		return c.form(forms[0], s, tail)
	}
	first := make([]node, 0, len(forms)-1)
	for _, f := range forms[:len(forms)-1] {
		first = append(first, c.form(f, s, nil))
	}
	last := c.form(forms[len(forms)-1], s, tail)
	return func(f *frame) value {
		for _, n := range first {
			f.m.discard(n(f))
		}
		return last(f)
	}
}

// mostDiscarded bounds how many elements of a sequence that nobody uses are
// computed: it may be endless.
const mostDiscarded = 10_000

// discard computes a lazy sequence that is thrown away.
func (m *Machine) discard(v value) {
	if v.Kind() != data.KindLazy {
		return
	}
	n := 0
	for it := data.Iterate(&m.T, v); it.Next(); {
		if n++; n == mostDiscarded {
			return
		}
	}
}

func compileLet(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector {
		c.bad(f, "let takes a vector of names and values.")
	}
	bindings := f.Items[1].Items
	if len(bindings)%2 != 0 {
		c.bad(f, "the vector of let needs a value for each name.")
	}
	saved := c.fn.slots
	var steps []step
	for i := 0; i < len(bindings); i += 2 {
		init := c.form(bindings[i+1], s, nil)
		var more []step
		more, s = c.bind(bindings[i], init, s)
		steps = append(steps, more...)
	}
	body := c.body(f.Items[2:], s, tail)
	c.fn.slots = saved
	return let(steps, body)
}

// step fills slots from the frame.
type step func(f *frame)

func let(steps []step, body node) node {
	switch len(steps) {
	case 0:
		return body
	case 1:
		only := steps[0]
		return func(f *frame) value {
			only(f)
			return body(f)
		}
	}
	return func(f *frame) value {
		for _, s := range steps {
			s(f)
		}
		return body(f)
	}
}

func compileLoop(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector || len(f.Items[1].Items)%2 != 0 {
		c.bad(f, "loop takes a vector of names and values.")
	}
	bindings := f.Items[1].Items
	saved := c.fn.slots
	first := c.fn.slots
	n := len(bindings) / 2
	inner := s
	var inits, opens []step
	slots := make([]int, n)
	for i := range n {
		slots[i] = c.fn.slot()
	}
	for i := range n {
		init := c.form(bindings[2*i+1], inner, nil)
		slot := slots[i]
		inits = append(inits, func(f *frame) { f.slots[slot] = init(f) })
		pattern := bindings[2*i]
		if name := pattern.Symbol(); name != "" {
			c.checkLocal(pattern)
			inner = inner.with(c.fn, name, slot)
			continue
		}
		var more []step
		more, inner = c.bind(pattern, func(f *frame) value { return f.slots[slot] }, inner)
		inits = append(inits, more...) // later inits may use its names
		opens = append(opens, more...)
	}
	body := let(opens, c.body(f.Items[2:], inner, &target{first: first, n: n}))
	c.fn.slots = saved
	return func(f *frame) value {
		for _, s := range inits {
			s(f)
		}
		v := body(f)
		for v == again {
			f.m.T.Charge(2)
			v = body(f)
		}
		return v
	}
}

func compileRecur(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if tail == nil {
		c.reject(f, sandbox.KindSyntax, "Can only recur from tail position", "Make recur the last thing that the loop or function does, or call the function by its name.")
	}
	args := f.Items[1:]
	if len(args) != tail.n {
		c.reject(f, sandbox.KindSyntax, "Mismatched argument count to recur, expected: "+itoa(tail.n)+" args, got: "+itoa(len(args)), "Give a new value for each name of the loop.")
	}
	nodes := c.forms(args, s)
	first := tail.first
	switch len(nodes) {
	case 1:
		a := nodes[0]
		return func(f *frame) value {
			f.slots[first] = a(f)
			return again
		}
	case 2:
		a, b := nodes[0], nodes[1]
		return func(f *frame) value {
			x := a(f)
			y := b(f)
			f.slots[first], f.slots[first+1] = x, y
			return again
		}
	}
	n := len(nodes)
	return func(f *frame) value {
		t := &f.m.T
		next := t.Push(n)
		for i, a := range nodes {
			next[i] = a(f)
		}
		copy(f.slots[first:first+n], next)
		t.Pop(n)
		return again
	}
}

func compileThrow(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) != 2 {
		c.bad(f, "throw takes one value.")
	}
	what := c.form(f.Items[1], s, nil)
	at := c.at(f)
	return func(f *frame) value {
		v := what(f)
		f.m.T.At = at
		if _, ok := v.Unbox().(*data.Exception); !ok {
			data.ThrowHint("ClassCastException", "throw takes an exception, and got "+data.Describe(&f.m.T, v)+".", "Write (throw (ex-info \"message\" {…})).")
		}
		panic(&data.Thrown{Value: v})
	}
}
