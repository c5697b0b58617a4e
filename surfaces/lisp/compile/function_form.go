package compile

import (
	"strconv"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

func itoa(n int) string { return strconv.Itoa(n) }

func compileFn(c *compiler, f *reader.Form, s *scope, _ *target) node {
	items := f.Items[1:]
	name := ""
	if len(items) > 0 && items[0].Symbol() != "" {
		name, items = items[0].Symbol(), items[1:]
	}
	return c.function(f, name, items, s)
}

// function compiles the arities of a function: items are a parameter vector and a
// body, or one list for each arity. The node makes the function value.
func (c *compiler) function(f *reader.Form, name string, items []*reader.Form, s *scope) node {
	code := c.arities(f, name, items, s)
	if len(code.captures) == 0 {
		// it captures nothing, so one value serves every evaluation
		fn := &Fn{code: code}
		return func(*frame) value { return fn.Value() }
	}
	size := functionBytes + 16*len(code.captures)
	return func(f *frame) value {
		f.m.T.Alloc(size)
		fn := &Fn{code: code, caps: make([]value, len(code.captures))}
		fn.capture(f)
		return fn.Value()
	}
}

func (c *compiler) arities(f *reader.Form, name string, items []*reader.Form, s *scope) *code {
	fn := &function{parent: c.fn, outer: s, code: &code{name: name}}
	defer func(outer *function) { c.fn = outer }(c.fn)
	c.fn = fn
	inner := s
	if name != "" {
		inner = &scope{parent: s, name: name, self: true, fn: fn}
	}
	if len(items) > 0 && items[0].Kind == reader.Vector {
		c.arity(f, items[0], items[1:], inner)
		return fn.code
	}
	if len(items) == 0 {
		c.bad(f, "the function has no parameters: a vector is missing.")
	}
	for _, x := range items {
		if x.Kind != reader.List || len(x.Items) == 0 || x.Items[0].Kind != reader.Vector {
			c.bad(f, "a function needs a vector of parameters, or a list for each of its arities.")
		}
		c.arity(x, x.Items[0], x.Items[1:], inner)
	}
	return fn.code
}

// arity compiles one parameter vector and its body.
func (c *compiler) arity(f, params *reader.Form, body []*reader.Form, s *scope) {
	fn := c.fn
	fn.slots, fn.most = 0, 0
	a := &arity{}
	var patterns []*reader.Form
	for i := 0; i < len(params.Items); i++ {
		p := params.Items[i]
		if p.Symbol() != "&" {
			patterns = append(patterns, p)
			continue
		}
		if i+2 != len(params.Items) {
			c.bad(f, "& stands before one last parameter.")
		}
		patterns, a.rest = append(patterns, params.Items[i+1]), true
		break
	}
	a.params = len(patterns)
	if a.rest {
		a.params--
	}
	c.distinct(f, a)
	for range patterns {
		fn.slot()
	}
	var opens []step
	for slot, p := range patterns {
		if name := p.Symbol(); name != "" {
			c.checkLocal(p)
			s = s.with(fn, name, slot)
			continue
		}
		load := func(f *frame) value { return f.slots[slot] }
		var more []step
		more, s = c.bind(p, load, s)
		opens = append(opens, more...)
	}
	a.body = let(opens, c.functionBody(body, s, &target{first: 0, n: len(patterns)}))
	a.slots = max(fn.most, len(patterns))
}

// distinct puts an arity among those of the function, which must differ.
func (c *compiler) distinct(f *reader.Form, a *arity) {
	code := c.fn.code
	if a.rest {
		if code.rest != nil {
			c.bad(f, "a function may have one arity with & only.")
		}
		code.rest = a
		return
	}
	for _, other := range code.arities {
		if other.params == a.params {
			c.bad(f, "two arities of the function take "+itoa(a.params)+" arguments.")
		}
	}
	code.arities = append(code.arities, a)
}

// functionBody compiles the body with its conditions: a first map with :pre and
// :post.
func (c *compiler) functionBody(body []*reader.Form, s *scope, tail *target) node {
	if len(body) > 1 && body[0].Kind == reader.Map {
		if pre, post, ok := conditions(body[0]); ok {
			return c.conditioned(body[0], pre, post, body[1:], s, tail)
		}
	}
	return c.body(body, s, tail)
}

func conditions(f *reader.Form) (pre, post []*reader.Form, ok bool) {
	for i := 0; i < len(f.Items); i += 2 {
		k, v := f.Items[i], f.Items[i+1]
		if !k.Value.IsKeyword() || v.Kind != reader.Vector {
			return nil, nil, false
		}
		switch k.Value.Named().Name {
		case "pre":
			pre = v.Items
		case "post":
			post = v.Items
		default:
			return nil, nil, false
		}
	}
	return pre, post, true
}

// conditioned wraps the body in assertions; % in a :post is the result.
func (c *compiler) conditioned(f *reader.Form, pre, post, body []*reader.Form, s *scope, tail *target) node {
	var forms []*reader.Form
	for _, p := range pre {
		forms = append(forms, reader.NewList(p, reader.NewSymbol(p, "assert"), p))
	}
	if len(post) == 0 {
		return c.body(append(forms, body...), s, tail)
	}
	result := reader.NewSymbol(f, "%")
	whole := reader.NewList(f, append([]*reader.Form{reader.NewSymbol(f, "do")}, body...)...)
	inner := []*reader.Form{reader.NewSymbol(f, "let"), {Kind: reader.Vector, Pos: f.Pos, End: f.End, Items: []*reader.Form{result, whole}}}
	for _, p := range post {
		inner = append(inner, reader.NewList(p, reader.NewSymbol(p, "assert"), p))
	}
	inner = append(inner, result)
	return c.body(append(forms, reader.NewList(f, inner...)), s, nil)
}

// lambda compiles #(…): its parameters are the % that it uses.
func (c *compiler) lambda(f *reader.Form, s *scope) node {
	most, rest := 0, false
	lambdaParams(f.Items, &most, &rest)
	params := &reader.Form{Kind: reader.Vector, Pos: f.Pos, End: f.End}
	for i := 1; i <= most; i++ {
		params.Items = append(params.Items, reader.NewSymbol(f, "%"+itoa(i)))
	}
	if rest {
		params.Items = append(params.Items, reader.NewSymbol(f, "&"), reader.NewSymbol(f, "%&"))
	}
	body := reader.NewList(f, renamed(f.Items)...)
	return c.function(f, "", []*reader.Form{params, body}, s)
}

// lambdaParams finds the highest parameter and the use of the rest.
func lambdaParams(items []*reader.Form, most *int, rest *bool) {
	for _, x := range items {
		switch name := x.Symbol(); {
		case name == "%":
			*most = max(*most, 1)
		case name == "%&":
			*rest = true
		case len(name) > 1 && name[0] == '%':
			if n, err := strconv.Atoi(name[1:]); err == nil && n > 0 && n <= 20 {
				*most = max(*most, n)
			}
		}
		lambdaParams(x.Items, most, rest)
	}
}

// renamed writes % as %1 throughout.
func renamed(items []*reader.Form) []*reader.Form {
	out := make([]*reader.Form, len(items))
	for i, x := range items {
		switch {
		case x.Symbol() == "%":
			out[i] = reader.NewSymbol(x, "%1")
		case len(x.Items) > 0:
			y := *x
			y.Items = renamed(x.Items)
			out[i] = &y
		default:
			out[i] = x
		}
	}
	return out
}

func compileLetfn(c *compiler, f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) < 2 || f.Items[1].Kind != reader.Vector {
		c.bad(f, "letfn takes a vector of functions.")
	}
	saved := c.fn.slots
	fns := f.Items[1].Items
	slots := make([]int, len(fns))
	for i, x := range fns {
		if x.Kind != reader.List || len(x.Items) < 2 || x.Items[0].Symbol() == "" {
			c.bad(f, "each function of letfn is written (name [params] body …).")
		}
		slots[i] = c.fn.slot()
		s = s.with(c.fn, x.Items[0].Symbol(), slots[i])
	}
	codes := make([]*code, len(fns))
	for i, x := range fns {
		codes[i] = c.arities(x, x.Items[0].Symbol(), x.Items[1:], s)
	}
	body := c.body(f.Items[2:], s, tail)
	c.fn.slots = saved
	return func(f *frame) value {
		made := make([]*Fn, len(codes))
		for i, code := range codes {
			f.m.T.Alloc(functionBytes + 16*len(code.captures))
			made[i] = &Fn{code: code, caps: make([]value, len(code.captures))}
			f.slots[slots[i]] = made[i].Value()
		}
		for _, fn := range made { // now each finds the others
			fn.capture(f)
		}
		return body(f)
	}
}

// checkLocal refuses a name that cannot be a local.
func (c *compiler) checkLocal(f *reader.Form) {
	if n := f.Value.Named(); n.Space != "" {
		c.reject(f, sandbox.KindSyntax, "Can't let qualified name: "+n.Full(), "Use a name without a slash.")
	}
}
