package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

func init() {
	register(map[string]*special{
		"when":       {"(when test body …)", "the body, if the test holds", compileWhen},
		"when-not":   {"(when-not test body …)", "the body, unless the test holds", compileWhenNot},
		"if-not":     {"(if-not test then else)", "if, turned round", compileIfNot},
		"cond":       {"(cond test value … :else value)", "the value of the first test that holds", compileCond},
		"condp":      {"(condp = x value result … default)", "cond over one predicate", compileCondp},
		"case":       {"(case x constant value … default)", "the value of the constant that x equals", compileCase},
		"and":        {"(and form …)", "the last value, or the first that is false", compileAnd},
		"or":         {"(or form …)", "the first value that is true, or the last", compileOr},
		"if-let":     {"(if-let [name value] then else)", "if, with a name for the value", compileIfLet},
		"when-let":   {"(when-let [name value] body …)", "when, with a name for the value", compileWhenLet},
		"if-some":    {"(if-some [name value] then else)", "if the value is not nil", compileIfSome},
		"when-some":  {"(when-some [name value] body …)", "when the value is not nil", compileWhenSome},
		"when-first": {"(when-first [name coll] body …)", "when there is a first element", compileWhenFirst},
		"while":      {"(while test body …)", "the body again and again, as long as the test holds", compileWhile},
	})
}

func compileWhen(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 {
		c.bad(f, "when takes a test.")
	}
	test, body := c.form(f.Items[1], s, nil), c.body(f.Items[2:], s, tail)
	return func(f *frame) value {
		if test(f).Truthy() {
			return body(f)
		}
		return data.Nil
	}
}

func compileWhenNot(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 {
		c.bad(f, "when-not takes a test.")
	}
	test, body := c.form(f.Items[1], s, nil), c.body(f.Items[2:], s, tail)
	return func(f *frame) value {
		if test(f).Truthy() {
			return data.Nil
		}
		return body(f)
	}
}

func compileIfNot(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 3 || len(f.Items) > 4 {
		c.bad(f, "if-not takes a test, a then and at most an else.")
	}
	test, then := c.form(f.Items[1], s, nil), c.form(f.Items[2], s, tail)
	other := constant(data.Nil)
	if len(f.Items) == 4 {
		other = c.form(f.Items[3], s, tail)
	}
	return func(f *frame) value {
		if test(f).Truthy() {
			return other(f)
		}
		return then(f)
	}
}

func compileCond(c *compiler, f *reader.Form, s *scope, tail *target) node {
	clauses := f.Items[1:]
	if len(clauses)%2 != 0 {
		c.reject(f, sandbox.KindSyntax, "cond requires an even number of forms", "Give each test a value; the last pair is :else and a value.")
	}
	out := constant(data.Nil)
	for i := len(clauses) - 2; i >= 0; i -= 2 {
		test, then, other := c.form(clauses[i], s, nil), c.form(clauses[i+1], s, tail), out
		if clauses[i].Kind == reader.Atom && clauses[i].Value.IsKeyword() {
			out = then
			continue
		}
		out = func(f *frame) value {
			if test(f).Truthy() {
				return then(f)
			}
			return other(f)
		}
	}
	return out
}

func compileCondp(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 3 {
		c.bad(f, "condp takes a predicate and a value.")
	}
	saved := c.fn.slots
	pred, fillPred := c.hidden(c.form(f.Items[1], s, nil))
	subject, fillSubject := c.hidden(c.form(f.Items[2], s, nil))
	at := c.at(f)
	out := func(f *frame) value {
		f.m.T.At = at
		data.Throw("IllegalArgumentException", "No matching clause: "+data.Brief(&f.m.T, f.slots[subject], 100))
		return data.Nil
	}
	out = c.condpClauses(f, f.Items[3:], pred, subject, s, tail, out)
	c.fn.slots = saved
	return func(f *frame) value {
		fillPred(f)
		fillSubject(f)
		return out(f)
	}
}

func (c *compiler) condpClauses(f *reader.Form, clauses []*reader.Form, pred, subject int, s *scope, tail *target, last node) node {
	switch {
	case len(clauses) == 0:
		return last
	case len(clauses) == 1:
		return c.form(clauses[0], s, tail)
	}
	test := c.form(clauses[0], s, nil)
	at := c.at(clauses[0])
	holds := func(f *frame) value {
		x := test(f)
		f.m.T.At = at
		return f.m.T.Call2(f.slots[pred], x, f.slots[subject])
	}
	if isKeyword(clauses[1], ">>") && len(clauses) > 2 {
		fn := c.form(clauses[2], s, nil)
		other := c.condpClauses(f, clauses[3:], pred, subject, s, tail, last)
		return func(f *frame) value {
			if v := holds(f); v.Truthy() {
				return f.m.T.Call1(fn(f), v)
			}
			return other(f)
		}
	}
	then := c.form(clauses[1], s, tail)
	other := c.condpClauses(f, clauses[2:], pred, subject, s, tail, last)
	return func(f *frame) value {
		if holds(f).Truthy() {
			return then(f)
		}
		return other(f)
	}
}

func compileCase(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 {
		c.bad(f, "case takes a value.")
	}
	subject := c.form(f.Items[1], s, nil)
	clauses := f.Items[2:]
	at := c.at(f)
	last := func(f *frame) value { return data.Nil }
	hasDefault := len(clauses)%2 == 1
	if hasDefault {
		last = c.form(clauses[len(clauses)-1], s, tail)
		clauses = clauses[:len(clauses)-1]
	}
	t := &c.m.T
	table := data.NewBuilder(t)
	var bodies []node
	for i := 0; i < len(clauses); i += 2 {
		constants := []*reader.Form{clauses[i]}
		if clauses[i].Kind == reader.List {
			constants = clauses[i].Items
		}
		for _, k := range constants {
			v := c.quoted(k)
			if _, ok := table.Get(v); ok {
				c.reject(k, sandbox.KindSyntax, "Duplicate case test constant: "+data.Brief(t, v, 60), "Keep one of the two.")
			}
			table.Put(v, data.Int(int64(len(bodies))))
		}
		bodies = append(bodies, c.form(clauses[i+1], s, tail))
	}
	m := table.Map()
	return func(f *frame) value {
		v := subject(f)
		t := &f.m.T
		t.Charge(2)
		if i, ok := m.Get(t, v); ok {
			n, _ := i.Int()
			return bodies[n](f)
		}
		if !hasDefault {
			t.At = at
			data.ThrowHint("IllegalArgumentException", "No matching clause: "+data.Brief(t, v, 100), "Add a default as the last form of case.")
		}
		return last(f)
	}
}

func compileAnd(c *compiler, f *reader.Form, s *scope, tail *target) node {
	forms := f.Items[1:]
	if len(forms) == 0 {
		return constant(data.True)
	}
	out := c.form(forms[len(forms)-1], s, tail)
	for i := len(forms) - 2; i >= 0; i-- {
		test, rest := c.form(forms[i], s, nil), out
		out = func(f *frame) value {
			if v := test(f); !v.Truthy() {
				return v
			}
			return rest(f)
		}
	}
	return out
}

func compileOr(c *compiler, f *reader.Form, s *scope, tail *target) node {
	forms := f.Items[1:]
	if len(forms) == 0 {
		return constant(data.Nil)
	}
	out := c.form(forms[len(forms)-1], s, tail)
	for i := len(forms) - 2; i >= 0; i-- {
		test, rest := c.form(forms[i], s, nil), out
		out = func(f *frame) value {
			if v := test(f); v.Truthy() {
				return v
			}
			return rest(f)
		}
	}
	return out
}

// named compiles if-let and its kin: the test is on the value, the names are known
// in the then only.
func (c *compiler) conditional(f *reader.Form, holds func(v value) bool, s *scope, then, other func(s *scope) node) node {
	head := f.Head()
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector || len(f.Items[1].Items) != 2 {
		c.bad(f, head+" takes a vector of one name and its value.")
	}
	saved := c.fn.slots
	binding := f.Items[1].Items
	slot, fill := c.hidden(c.form(binding[1], s, nil))
	steps, inner := c.bind(binding[0], func(f *frame) value { return f.slots[slot] }, s)
	yes := let(steps, then(inner))
	no := other(s)
	c.fn.slots = saved
	return func(f *frame) value {
		fill(f)
		if holds(f.slots[slot]) {
			return yes(f)
		}
		return no(f)
	}
}

func nothing(*scope) node { return constant(data.Nil) }

func notNil(v value) bool { return !v.IsNil() }

func (c *compiler) ifBinding(f *reader.Form, holds func(v value) bool, s *scope, tail *target) node {
	if len(f.Items) < 3 || len(f.Items) > 4 {
		c.bad(f, f.Head()+" takes a binding, a then and at most an else.")
	}
	other := nothing
	if len(f.Items) == 4 {
		other = func(s *scope) node { return c.form(f.Items[3], s, tail) }
	}
	return c.conditional(f, holds, s, func(s *scope) node { return c.form(f.Items[2], s, tail) }, other)
}

func (c *compiler) whenBinding(f *reader.Form, holds func(v value) bool, s *scope, tail *target) node {
	return c.conditional(f, holds, s, func(s *scope) node { return c.body(f.Items[2:], s, tail) }, nothing)
}

func compileIfLet(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.ifBinding(f, value.Truthy, s, tail)
}

func compileWhenLet(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.whenBinding(f, value.Truthy, s, tail)
}

func compileIfSome(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.ifBinding(f, notNil, s, tail)
}

func compileWhenSome(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.whenBinding(f, notNil, s, tail)
}

func compileWhenFirst(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector || len(f.Items[1].Items) != 2 {
		c.bad(f, "when-first takes a vector of one name and a collection.")
	}
	saved := c.fn.slots
	binding := f.Items[1].Items
	coll := c.form(binding[1], s, nil)
	slot, fill := c.hidden(func(f *frame) value { return data.Seq(&f.m.T, coll(f)) })
	steps, inner := c.bind(binding[0], func(f *frame) value { return data.First(&f.m.T, f.slots[slot]) }, s)
	body := let(steps, c.body(f.Items[2:], inner, tail))
	c.fn.slots = saved
	return func(f *frame) value {
		fill(f)
		if f.slots[slot].IsNil() {
			return data.Nil
		}
		return body(f)
	}
}

func compileWhile(c *compiler, f *reader.Form, s *scope, _ *target) node {
	if len(f.Items) < 2 {
		c.bad(f, "while takes a test.")
	}
	test, body := c.form(f.Items[1], s, nil), c.body(f.Items[2:], s, nil)
	return func(f *frame) value {
		for test(f).Truthy() {
			f.m.T.Charge(2)
			f.m.discard(body(f))
		}
		return data.Nil
	}
}
