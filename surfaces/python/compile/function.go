package compile

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// closure is a function's code with what it captured.
type closure struct {
	code       *code
	m          *Machine
	defaults   []value // of the last positional parameters
	kwDefaults []value // by keyword-only parameter; unset where there is none
	free       []*cell
	class      *holder
}

// Children visits what the function keeps alive.
func (k *closure) Children(visit func(value)) int {
	for _, v := range k.defaults {
		visit(v)
	}
	for _, v := range k.kwDefaults {
		visit(v)
	}
	for _, c := range k.free {
		visit(c.v)
	}
	return 32*len(k.free) + 16*(len(k.defaults)+len(k.kwDefaults))
}

// Call runs the function.
func (k *closure) Call(t *object.Thread, fn *object.Function, args []value, names []string) (value, *exception) {
	if x := t.EnterCall(); x != nil {
		t.LeaveCall()
		return value{}, x
	}
	if x := t.Charge(k.code.cost); x != nil {
		t.LeaveCall()
		return value{}, x
	}
	if k.code.generator || k.code.async {
		r, x := k.generator(fn, args, names)
		t.LeaveCall()
		return r, x
	}
	m, c := k.m, k.code
	mk := m.mark()
	f := m.enter(c)
	f.free, f.class = k.free, k.class
	var r value
	x := k.bind(f, fn, args, names)
	if x == nil {
		r, x = k.run(f)
	}
	m.leave(f)
	m.release(mk)
	t.LeaveCall()
	return r, x
}

func (k *closure) run(f *frame) (value, *exception) {
	c := k.code
	if c.expr != nil {
		return c.expr(f)
	}
	sig, x := c.body(f)
	if x != nil {
		return value{}, x
	}
	if sig == returns {
		return f.ret, nil
	}
	return object.None, nil
}

// bind puts the arguments into the first slots.
func (k *closure) bind(f *frame, fn *object.Function, args []value, names []string) *exception {
	c := k.code
	if c.simple && len(names) == 0 && len(args) == c.positions {
		n := copy(f.slots, args)
		clear(f.slots[n:])
	} else {
		clear(f.slots)
		if x := k.bindSlow(f, fn, args, names); x != nil {
			return x
		}
	}
	if c.ncells > 0 {
		k.box(f)
	}
	return nil
}

// box makes the cells of a call and moves the parameters that inner functions use
// into theirs.
func (k *closure) box(f *frame) {
	f.cells = make([]*cell, k.code.ncells)
	for _, b := range k.code.boxed {
		f.cells[b.cell] = &cell{f.slots[b.slot]}
		f.slots[b.slot] = value{}
	}
}

func (k *closure) bindSlow(f *frame, fn *object.Function, args []value, names []string) *exception {
	c := k.code
	pos := args[:len(args)-len(names)]
	n := copy(f.slots[:c.positions], pos)
	var extra *object.Dict
	if c.kwargs {
		d, x := f.t.Dict(0)
		if x != nil {
			return x
		}
		extra = d
	}
	for i, name := range names {
		if x := k.bindKeyword(f, fn, name, args[len(pos)+i], extra); x != nil {
			return x
		}
	}
	if len(pos) > c.positions && !c.varargs {
		return k.tooMany(f, fn, len(pos))
	}
	at := c.positions + c.kwOnly
	if c.varargs {
		rest := pos[n:]
		t, x := f.t.Tuple(append([]value(nil), rest...)...)
		if x != nil {
			return x
		}
		f.slots[at] = t
		at++
	}
	if c.kwargs {
		f.slots[at] = extra.Value()
	}
	return k.fillDefaults(f, fn)
}

func (k *closure) bindKeyword(f *frame, fn *object.Function, name string, v value, extra *object.Dict) *exception {
	c := k.code
	for j := c.posOnly; j < c.positions+c.kwOnly; j++ {
		if c.params[j] != name {
			continue
		}
		if f.slots[j].IsSet() {
			return f.t.RaiseType("%s() got multiple values for argument '%s'", fn.Qual, name)
		}
		f.slots[j] = v
		return nil
	}
	if extra != nil {
		return extra.SetName(f.t, name, v)
	}
	var wrong []string
	for j := range c.posOnly {
		if c.params[j] == name {
			wrong = append(wrong, name)
		}
	}
	if wrong != nil {
		return f.t.RaiseType("%s() got some positional-only arguments passed as keyword arguments: '%s'", fn.Qual, strings.Join(wrong, ", "))
	}
	x := f.t.RaiseType("%s() got an unexpected keyword argument '%s'", fn.Qual, name)
	x.Detail = UnknownKeyword{Function: fn, Name: name, Known: c.params[c.posOnly : c.positions+c.kwOnly]}
	return x
}

// UnknownKeyword is the detail of the TypeError of a keyword that a function does
// not take.
type UnknownKeyword struct {
	Function *object.Function
	Name     string
	Known    []string
}

func (k *closure) fillDefaults(f *frame, fn *object.Function) *exception {
	c := k.code
	var missing []string
	first := c.positions - len(k.defaults)
	for j := range c.positions {
		if f.slots[j].IsSet() {
			continue
		}
		if j >= first {
			f.slots[j] = k.defaults[j-first]
		} else {
			missing = append(missing, c.params[j])
		}
	}
	if missing != nil {
		return f.t.RaiseType("%s() missing %d required positional argument%s: %s", fn.Qual, len(missing), plural(len(missing)), listNames(missing))
	}
	for j := range c.kwOnly {
		i := c.positions + j
		if f.slots[i].IsSet() {
			continue
		}
		if d := k.kwDefaults[j]; d.IsSet() {
			f.slots[i] = d
		} else {
			missing = append(missing, c.params[i])
		}
	}
	if missing != nil {
		return f.t.RaiseType("%s() missing %d required keyword-only argument%s: %s", fn.Qual, len(missing), plural(len(missing)), listNames(missing))
	}
	return nil
}

// tooMany is the error of more positional arguments than parameters.
func (k *closure) tooMany(f *frame, fn *object.Function, given int) *exception {
	c := k.code
	takes := itoa(c.positions)
	many := c.positions != 1
	if len(k.defaults) > 0 {
		takes = "from " + itoa(c.positions-len(k.defaults)) + " to " + itoa(c.positions)
		many = true
	}
	s := ""
	if many {
		s = "s"
	}
	kwGiven := 0
	for j := c.positions; j < c.positions+c.kwOnly; j++ {
		if f.slots[j].IsSet() {
			kwGiven++
		}
	}
	was := "were"
	extra := ""
	if kwGiven > 0 {
		extra = " positional argument" + plural(given) + " (and " + itoa(kwGiven) + " keyword-only argument" + plural(kwGiven) + ")"
	} else if given == 1 {
		was = "was"
	}
	return f.t.RaiseType("%s() takes %s positional argument%s but %d%s %s given", fn.Qual, takes, s, given, extra, was)
}

func itoa(n int) string { return object.Decimal(n) }

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// listNames joins names as CPython lists missing arguments.
func listNames(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = "'" + n + "'"
	}
	switch len(q) {
	case 1:
		return q[0]
	case 2:
		return q[0] + " and " + q[1]
	}
	return strings.Join(q[:len(q)-1], ", ") + ", and " + q[len(q)-1]
}

// signature declares the parameters of a new unit.
func (c *compiler) signature(u *unit, a *syntax.Arguments) {
	k := u.code
	add := func(list []*syntax.Arg) {
		for _, p := range list {
			name := u.layers[0].scope.Mangle(p.Name)
			k.params = append(k.params, name)
			u.layers[0].slots[name] = u.slot()
		}
	}
	add(a.PosOnly)
	k.posOnly = len(a.PosOnly)
	add(a.Args)
	k.positions = len(k.params)
	add(a.KwOnly)
	k.kwOnly = len(a.KwOnly)
	if a.Vararg != nil {
		k.varargs = true
		add([]*syntax.Arg{a.Vararg})
	}
	if a.Kwarg != nil {
		k.kwargs = true
		add([]*syntax.Arg{a.Kwarg})
	}
	k.simple = k.kwOnly == 0 && !k.varargs && !k.kwargs
	l := u.layers[0]
	for slot, name := range k.params {
		if y := l.scope.Lookup(name); y != nil && y.Binding == syntax.Cell && shared(l.scope, name) {
			i := k.ncells
			k.ncells++
			l.cells[name] = i
			delete(l.slots, name)
			k.boxed = append(k.boxed, boxed{slot, i})
			if slot == 0 {
				k.firstCell = i
			}
		}
	}
	k.cost = 2 + int64(k.nslots)/4
}

// maker compiles what makes a function from a finished unit.
type maker struct {
	code       *code
	defaults   []eval
	kwDefaults []eval
	capture    func(f *frame) []*cell
	doc        value
	notes      []note
}

func (c *compiler) defaults(a *syntax.Arguments) (pos, kw []eval) {
	pos = c.exprs(a.Defaults)
	for _, e := range a.KwDefaults {
		if e == nil {
			kw = append(kw, nil)
		} else {
			kw = append(kw, c.expr(e))
		}
	}
	return pos, kw
}

// capturesOf finds the cells of a finished inner unit at the current place.
func (c *compiler) capturesOf(u *unit) func(f *frame) []*cell {
	vars := make([]variable, len(u.free))
	for i, n := range u.free {
		vars[i] = c.capture(n)
	}
	return captures(vars)
}

func (k *maker) make(f *frame) (value, *exception) {
	if x := f.t.Alloc(240); x != nil {
		return value{}, x
	}
	cl := &closure{code: k.code, m: f.m, class: f.class, free: k.capture(f)}
	for _, e := range k.defaults {
		v, x := e(f)
		if x != nil {
			return value{}, x
		}
		cl.defaults = append(cl.defaults, v)
	}
	for _, e := range k.kwDefaults {
		var v value
		if e != nil {
			var x *exception
			if v, x = e(f); x != nil {
				return value{}, x
			}
		}
		cl.kwDefaults = append(cl.kwDefaults, v)
	}
	fn := &object.Function{Name: k.code.name, Qual: k.code.qual, Doc: k.doc, Code: cl}
	if k.notes != nil {
		if x := f.annotate(fn, k.notes); x != nil {
			return value{}, x
		}
	}
	return fn.Value(), nil
}

func (c *compiler) lambda(e *syntax.Lambda) eval {
	k := &maker{}
	k.defaults, k.kwDefaults = c.defaults(e.Args)
	nodes := c.nodes
	u := c.open(c.program.Scopes.Of(e), "<lambda>")
	c.signature(u, e.Args)
	c.nodes = 0
	if u.layers[0].scope.Generator {
		u.code.generator = true
		body, out := c.lift(e.Body)
		body = append(body, &syntax.Return{Span: syntax.Place(e.Body), Value: out})
		u.resume = true
		u.code.body = c.block(body)
	} else {
		u.code.expr = c.expr(e.Body)
	}
	u.code.cost += c.nodes
	c.nodes = nodes
	c.close()
	k.code, k.capture = u.code, c.capturesOf(u)
	return k.make
}

// functionDef compiles a def to what makes the function.
func (c *compiler) function(s *syntax.FunctionDef) eval {
	k := &maker{}
	k.defaults, k.kwDefaults = c.defaults(s.Args)
	k.notes = c.annotations(s)
	nodes := c.nodes
	scope := c.program.Scopes.Of(s)
	u := c.open(scope, s.Name)
	u.code.generator, u.code.async = scope.Generator, s.Async
	c.signature(u, s.Args)
	u.resume = scope.Generator || s.Async
	u.code.body = c.block(s.Body)
	if len(s.Body) > 0 {
		if d, ok := docstring(s.Body); ok {
			k.doc = object.NewStr(d)
		}
	}
	c.close()
	c.nodes = nodes
	k.code, k.capture = u.code, c.capturesOf(u)
	return k.make
}

// docstring gives the documentation that a body begins with.
func docstring(body []syntax.Stmt) (string, bool) {
	if len(body) == 0 {
		return "", false
	}
	e, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return "", false
	}
	k, ok := constantOf(e.Value)
	if !ok {
		return "", false
	}
	s, ok := k.Value.(string)
	return s, ok
}
