package compile

import (
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

func init() {
	register(map[string]*special{
		"->":      {"(-> x (f a) g)", "x through forms, as the first argument", rewriting(func(c *compiler, f *reader.Form) *reader.Form { return c.threaded(f, threadFirst) })},
		"->>":     {"(->> coll (map f) (filter g))", "x through forms, as the last argument", rewriting(func(c *compiler, f *reader.Form) *reader.Form { return c.threaded(f, threadLast) })},
		"some->":  {"(some-> x :a f)", "-> that stops at nil", compileSomeFirst},
		"some->>": {"(some->> x (map f))", "->> that stops at nil", compileSomeLast},
		"cond->":  {"(cond-> x test (f a) …)", "-> through the forms whose tests hold", compileCondFirst},
		"cond->>": {"(cond->> x test (map f) …)", "->> through the forms whose tests hold", compileCondLast},
		"as->":    {"(as-> x name (f name) …)", "x through forms under a name", rewriting(asThread)},
		"stage":   {"(stage body …)", "the body, whose effects are held back until (commit!)", rewriting(stage)},
		"doto":    {"(doto x (f a) …)", "x, after calls with it", rewriting(doto)},
	})
}

// rewriting is a special form that stands for another form.
func rewriting(write func(c *compiler, f *reader.Form) *reader.Form) func(*compiler, *reader.Form, *scope, *target) node {
	return func(c *compiler, f *reader.Form, s *scope, tail *target) node {
		return c.form(write(c, f), s, tail)
	}
}

// threadFirst puts x into a form as its first argument.
func threadFirst(x, form *reader.Form) *reader.Form {
	if form.Kind != reader.List || len(form.Items) == 0 {
		return reader.NewList(form, form, x)
	}
	return reader.NewList(form, append([]*reader.Form{form.Items[0], x}, form.Items[1:]...)...)
}

// threadLast puts x into a form as its last argument.
func threadLast(x, form *reader.Form) *reader.Form {
	if form.Kind != reader.List || len(form.Items) == 0 {
		return reader.NewList(form, form, x)
	}
	return reader.NewList(form, append(append([]*reader.Form{}, form.Items...), x)...)
}

type threading func(x, form *reader.Form) *reader.Form

func (c *compiler) threaded(f *reader.Form, thread threading) *reader.Form {
	if len(f.Items) < 2 {
		c.bad(f, f.Head()+" takes a value and forms.")
	}
	x := f.Items[1]
	for _, form := range f.Items[2:] {
		x = thread(x, form)
	}
	return x
}

// fresh gives a name that no program can write.
func (c *compiler) fresh(at *reader.Form) *reader.Form {
	c.m.gensyms++
	return reader.NewSymbol(at, "%"+itoa(c.m.gensyms)+" ")
}

func vectorForm(at *reader.Form, items ...*reader.Form) *reader.Form {
	return &reader.Form{Kind: reader.Vector, Pos: at.Pos, End: at.End, Items: items}
}

func symbol(at *reader.Form, name string) *reader.Form { return reader.NewSymbol(at, name) }

// letForm writes (let [name value …] body).
func letForm(at *reader.Form, bindings []*reader.Form, body *reader.Form) *reader.Form {
	return reader.NewList(at, symbol(at, "let*"), vectorForm(at, bindings...), body)
}

func (c *compiler) some(f *reader.Form, thread threading) *reader.Form {
	if len(f.Items) < 2 {
		c.bad(f, f.Head()+" takes a value and forms.")
	}
	var bindings []*reader.Form
	name := c.fresh(f)
	bindings = append(bindings, name, f.Items[1])
	for _, form := range f.Items[2:] {
		step := reader.NewList(form, symbol(form, "if"), reader.NewList(form, symbol(form, "nil?"), name), &reader.Form{Pos: form.Pos, End: form.End}, thread(name, form))
		next := c.fresh(form)
		bindings = append(bindings, next, step)
		name = next
	}
	return letForm(f, bindings, name)
}

func compileSomeFirst(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.form(c.some(f, threadFirst), s, tail)
}

func compileSomeLast(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.form(c.some(f, threadLast), s, tail)
}

func (c *compiler) condThread(f *reader.Form, thread threading) *reader.Form {
	if len(f.Items) < 2 || len(f.Items)%2 != 0 {
		c.bad(f, f.Head()+" takes a value and pairs of a test and a form.")
	}
	name := c.fresh(f)
	bindings := []*reader.Form{name, f.Items[1]}
	for i := 2; i < len(f.Items); i += 2 {
		test, form := f.Items[i], f.Items[i+1]
		next := c.fresh(form)
		bindings = append(bindings, next, reader.NewList(form, symbol(form, "if"), test, thread(name, form), name))
		name = next
	}
	return letForm(f, bindings, name)
}

func compileCondFirst(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.form(c.condThread(f, threadFirst), s, tail)
}

func compileCondLast(c *compiler, f *reader.Form, s *scope, tail *target) node {
	return c.form(c.condThread(f, threadLast), s, tail)
}

func asThread(c *compiler, f *reader.Form) *reader.Form {
	if len(f.Items) < 3 {
		c.bad(f, "as-> takes a value, a name and forms.")
	}
	name := f.Items[2]
	bindings := []*reader.Form{name, f.Items[1]}
	for _, form := range f.Items[3:] {
		bindings = append(bindings, name, form)
	}
	return letForm(f, bindings, name)
}

func doto(c *compiler, f *reader.Form) *reader.Form {
	if len(f.Items) < 2 {
		c.bad(f, "doto takes a value and forms.")
	}
	name := c.fresh(f)
	items := []*reader.Form{symbol(f, "do")}
	for _, form := range f.Items[2:] {
		items = append(items, threadFirst(name, form))
	}
	return letForm(f, []*reader.Form{name, f.Items[1]}, reader.NewList(f, append(items, name)...))
}

// StageFunction is the name, which no program can write, under which the host has
// the function that runs another with its effects held back.
const StageFunction = "%stage "

func stage(c *compiler, f *reader.Form) *reader.Form {
	thunk := reader.NewList(f, append([]*reader.Form{symbol(f, "fn*"), vectorForm(f)}, f.Items[1:]...)...)
	return reader.NewList(f, symbol(f, StageFunction), thunk)
}
