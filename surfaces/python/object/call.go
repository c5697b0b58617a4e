package object

import (
	"slices"
	"strings"
)

// NativeFunc is the Go side of a [Builtin]. The slice belongs to the caller: it
// must not be kept. It may be shorter than the parameters; [Arg] reads it.
type NativeFunc func(t *Thread, a []Value) (Value, *Exception)

// RawFunc is a [NativeFunc] that takes any arguments; the last len(names) of them
// are keywords.
type RawFunc func(t *Thread, a []Value, names []string) (Value, *Exception)

// Arg gives the i-th argument, the unset Value if it was omitted.
func Arg(a []Value, i int) Value {
	if i < len(a) {
		return a[i]
	}
	return Value{}
}

// Builtin is a function or method written in Go.
type Builtin struct {
	Obj
	Name   string
	Owner  *Class // for a method
	Method bool   // the first argument is self
	Static bool   // a method found on instances without being bound
	Fn     NativeFunc
	Raw    RawFunc
	Module string
	// Outside marks a function that reaches out of the program: before it is called
	// the engine sets [Thread.Site].
	Outside bool

	params   []param
	required int  // positional parameters that must be given
	most     int  // positional parameters, -1 for any number
	keywords bool // some parameter may be given by name
	kwOnly   bool // some parameter must be given by name
	style    errorStyle
}

// param is a parameter of a builtin.
type param struct {
	name     string
	posOnly  bool
	kwOnly   bool
	optional bool
}

// errorStyle selects among the wordings CPython has for wrong argument counts.
type errorStyle uint8

const (
	styleClinic  errorStyle = iota // f() takes at most 2 arguments (3 given)
	styleUnpack                    // f expected at most 2 arguments, got 3
	styleNone                      // list.clear() takes no arguments (1 given)
	styleOne                       // list.append() takes exactly one argument (2 given)
	styleKeyless                   // any positional, no keywords
)

// NewBuiltin makes a function written in Go. sig lists its parameters, separated
// by spaces: "x" must be given, "x?" may be omitted, those before "/" take no
// keyword, those after "*" nothing else; "*args" takes any number. What is omitted
// arrives as the unset Value, and parameters after the last given one may be
// missing from the slice.
func NewBuiltin(name, sig string, fn NativeFunc) *Builtin {
	b := &Builtin{Name: name, Fn: fn}
	kwOnly := false
	for _, w := range strings.Fields(sig) {
		switch {
		case w == "/":
			for i := range b.params {
				b.params[i].posOnly = true
			}
			continue
		case w == "*":
			kwOnly = true
			continue
		case strings.HasPrefix(w, "*"):
			b.most = -1
			continue
		}
		p := param{kwOnly: kwOnly}
		p.name, p.optional = strings.CutSuffix(w, "?")
		b.params = append(b.params, p)
	}
	for _, p := range b.params {
		if !p.kwOnly && b.most >= 0 {
			b.most++
		}
		if !p.optional && !p.kwOnly {
			b.required++
		}
		if !p.posOnly {
			b.keywords = true
		}
		if p.kwOnly && !p.optional {
			b.kwOnly = true
		}
	}
	switch {
	case b.keywords && b.most >= 0:
		b.style = styleClinic
	case b.most < 0:
		b.style = styleKeyless
	case len(b.params) == 0:
		b.style = styleNone
	case len(b.params) == 1 && b.required == 1:
		b.style = styleOne
	default:
		b.style = styleUnpack
	}
	return b
}

// NewRaw makes a function written in Go that reads its arguments itself.
func NewRaw(name string, fn RawFunc) *Builtin { return &Builtin{Name: name, Raw: fn} }

// Value makes the builtin a value.
func (b *Builtin) Value() Value {
	if b.self == nil {
		b.kind, b.self = KindBuiltin, b
	}
	return Value{o: &b.Obj}
}

// qualified is the name that most errors show.
func (b *Builtin) qualified() string {
	if b.Owner != nil {
		return b.Owner.Name + "." + b.Name
	}
	if b.Module != "" {
		return b.Module + "." + b.Name
	}
	return b.Name
}

// Call calls the builtin; for a method the first argument is self.
func (b *Builtin) Call(t *Thread, a []Value, names []string) (Value, *Exception) {
	if b.Method {
		if len(a)-len(names) == 0 {
			return Value{}, t.RaiseType("unbound method %s() needs an argument", b.qualified())
		}
		if x := b.checkSelf(t, a[0]); x != nil {
			return Value{}, x
		}
	}
	if b.Raw != nil {
		return b.Raw(t, a, names)
	}
	n := len(a)
	if b.Method {
		n--
	}
	if len(names) == 0 && n >= b.required && (n <= b.most || b.most < 0) && !b.kwOnly {
		return b.Fn(t, a)
	}
	return b.callSlow(t, a, names)
}

// CallBound calls a method whose self is known to be of its class.
func (b *Builtin) CallBound(t *Thread, a []Value, names []string) (Value, *Exception) {
	if b.Raw == nil && len(names) == 0 && len(a) > b.required && (len(a) <= b.most+1 || b.most < 0) && !b.kwOnly {
		return b.Fn(t, a)
	}
	return b.Call(t, a, names)
}

// checkSelf refuses a method of one class on a value of another.
func (b *Builtin) checkSelf(t *Thread, self Value) *Exception {
	c := t.ClassOf(self)
	if c == b.Owner || b.Owner == nil || c.IsSubclass(b.Owner) {
		return nil
	}
	return t.RaiseType("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", b.Name, b.Owner.Name, c.Name)
}

// callSlow binds keywords, or says what is wrong with the arguments.
func (b *Builtin) callSlow(t *Thread, a []Value, names []string) (Value, *Exception) {
	self := 0
	if b.Method {
		self = 1
	}
	pos := a[self : len(a)-len(names)]
	if len(names) > 0 && !b.keywords {
		return Value{}, t.RaiseType("%s() takes no keyword arguments", b.qualified())
	}
	if x := b.checkCount(t, len(pos), len(names)); x != nil {
		return Value{}, x
	}
	if b.most < 0 {
		return b.callKeywordOnly(t, a, names)
	}
	full := make([]Value, self+len(b.params))
	copy(full, a[:self+len(pos)])
	args := full[self:]
	for k, name := range names {
		i := slices.IndexFunc(b.params, func(p param) bool { return p.name == name && !p.posOnly })
		if i < 0 {
			return Value{}, t.RaiseType("'%s' is an invalid keyword argument for %s()", name, b.Name)
		}
		if args[i].IsSet() {
			return Value{}, t.RaiseType("argument for %s() given by name ('%s') and position (%d)", b.Name, name, i+1)
		}
		args[i] = a[len(a)-len(names)+k]
	}
	for i, p := range b.params {
		if !p.optional && !args[i].IsSet() {
			if p.kwOnly {
				return Value{}, t.RaiseType("%s() missing required argument '%s' (pos %d)", b.Name, p.name, i+1)
			}
			return Value{}, t.RaiseType("%s() missing required argument '%s' (pos %d)", b.Name, p.name, i+1)
		}
	}
	return b.Fn(t, full)
}

// callKeywordOnly is for *args functions whose named parameters are keyword-only:
// they arrive in front of the others.
func (b *Builtin) callKeywordOnly(t *Thread, a []Value, names []string) (Value, *Exception) {
	pos := a[:len(a)-len(names)]
	full := make([]Value, len(b.params), len(b.params)+len(pos))
	for k, name := range names {
		i := slices.IndexFunc(b.params, func(p param) bool { return p.name == name })
		if i < 0 {
			return Value{}, t.RaiseType("'%s' is an invalid keyword argument for %s()", name, b.Name)
		}
		full[i] = a[len(pos)+k]
	}
	return b.Fn(t, append(full, pos...))
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// checkCount says, in the wording of the function's kind, that the number of
// arguments is wrong.
func (b *Builtin) checkCount(t *Thread, n, keywords int) *Exception {
	switch b.style {
	case styleNone:
		if n > 0 {
			return t.RaiseType("%s() takes no arguments (%d given)", b.qualified(), n)
		}
	case styleOne:
		if n != 1 {
			return t.RaiseType("%s() takes exactly one argument (%d given)", b.qualified(), n)
		}
	case styleUnpack:
		return checkUnpack(t, b.Name, n, b.required, b.most)
	case styleClinic:
		return b.checkClinic(t, n, keywords)
	case styleKeyless:
		if n < b.required {
			return t.RaiseType("%s expected at least %d argument%s, got %d", b.Name, b.required, plural(b.required), n)
		}
	}
	return nil
}

func checkUnpack(t *Thread, name string, n, least, most int) *Exception {
	switch {
	case n >= least && n <= most:
		return nil
	case least == most:
		return t.RaiseType("%s expected %d argument%s, got %d", name, least, plural(least), n)
	case n < least:
		return t.RaiseType("%s expected at least %d argument%s, got %d", name, least, plural(least), n)
	}
	return t.RaiseType("%s expected at most %d argument%s, got %d", name, most, plural(most), n)
}

func (b *Builtin) checkClinic(t *Thread, n, keywords int) *Exception {
	total := len(b.params)
	positional := ""
	if b.most < total {
		positional = "positional "
	}
	if n+keywords > total {
		word := "at most"
		if b.required == total {
			word = "exactly"
		}
		kind := ""
		if n == 0 {
			kind = "keyword "
		}
		return t.RaiseType("%s() takes %s %d %sargument%s (%d given)", b.Name, word, total, kind, plural(total), n+keywords)
	}
	if n > b.most {
		if b.most == 0 {
			return t.RaiseType("%s() takes no positional arguments", b.Name)
		}
		word := "at most"
		if b.required == b.most {
			word = "exactly"
		}
		return t.RaiseType("%s() takes %s %d %sargument%s (%d given)", b.Name, word, b.most, positional, plural(b.most), n)
	}
	posOnly := 0
	for _, p := range b.params {
		if p.posOnly && !p.optional {
			posOnly++
		}
	}
	if n < posOnly {
		word := "at least"
		if b.required == b.most {
			word = "exactly"
		}
		return t.RaiseType("%s() takes %s %d positional argument%s (%d given)", b.Name, word, posOnly, plural(posOnly), n)
	}
	return nil
}

// Method is a function bound to its first argument.
type Method struct {
	Obj
	Self Value
	Func Value
}

// NewMethod binds a function.
func NewMethod(fn, self Value) Value {
	m := &Method{Self: self, Func: fn}
	m.kind, m.self = KindMethod, m
	return Value{o: &m.Obj}
}

// Function is a function written in Python. Its body is the compiler's.
type Function struct {
	Obj
	Name, Qual string
	Doc        Value
	Code       Code
	Attrs      *Dict // attributes that the program has set
	// Class is the class whose body defined it, for super().
	Class *Class
}

// Code is the body of a [Function].
type Code interface {
	Call(t *Thread, f *Function, args []Value, names []string) (Value, *Exception)
	// Children visits what the function keeps alive: defaults and captured variables.
	Children(visit func(Value)) int
}

// Value makes the function a value.
func (f *Function) Value() Value {
	if f.self == nil {
		f.kind, f.self = KindFunction, f
	}
	return Value{o: &f.Obj}
}

// Call calls a value with positional arguments.
func (t *Thread) Call(f Value, args ...Value) (Value, *Exception) { return t.CallNames(f, args, nil) }

// CallNames calls a value; the last len(names) of the arguments are keywords. The
// slice stays the caller's.
func (t *Thread) CallNames(f Value, args []Value, names []string) (Value, *Exception) {
	switch f.Kind() {
	case KindFunction:
		fn := f.o.self.(*Function)
		return fn.Code.Call(t, fn, args, names)
	case KindBuiltin:
		return f.o.self.(*Builtin).Call(t, args, names)
	case KindMethod:
		m := f.o.self.(*Method)
		return t.callWithSelf(m, args, names)
	case KindClass:
		return t.Construct(f.o.self.(*Class), args, names)
	}
	if call := t.ClassOf(f).slots.Call; call != nil {
		if x := t.Enter(); x != nil {
			t.Leave()
			return Value{}, x
		}
		r, x := call(t, f, args, names)
		t.Leave()
		return r, x
	}
	return Value{}, t.RaiseType("'%s' object is not callable", t.ClassOf(f).Name)
}

// callWithSelf calls a bound method.
func (t *Thread) callWithSelf(m *Method, args []Value, names []string) (Value, *Exception) {
	full, top := t.withSelf(m.Self, args)
	r, x := t.CallNames(m.Func, full, names)
	t.argTop = top
	return r, x
}

// withSelf puts a value before arguments, on a stack of the thread's own; argTop
// must be set back to top after the call.
func (t *Thread) withSelf(self Value, args []Value) (full []Value, top int) {
	top = t.argTop
	n := len(args) + 1
	if top+n > len(t.argStack) {
		if len(t.argStack) >= 1<<12 {
			return append(append(make([]Value, 0, n), self), args...), top
		}
		// Slices of the old stack stay valid: the calls in progress keep it.
		grown := make([]Value, max(2*len(t.argStack), top+n, 64))
		copy(grown, t.argStack[:top])
		t.argStack = grown
	}
	full = t.argStack[top : top+n : top+n]
	full[0] = self
	copy(full[1:], args)
	t.argTop = top + n
	return full, top
}

// Callable reports whether a value can be called.
func (t *Thread) Callable(v Value) bool {
	switch v.Kind() {
	case KindFunction, KindBuiltin, KindMethod, KindClass:
		return true
	}
	return t.ClassOf(v).slots.Call != nil
}

// Construct calls a class.
func (t *Thread) Construct(c *Class, args []Value, names []string) (Value, *Exception) {
	if c == TypeClass {
		return typeCall(t, args, names)
	}
	if c.Meta != nil && c.Meta.Call != nil {
		return c.Meta.Call(t, c.Value(), args, names)
	}
	if len(c.abstract) > 0 {
		return Value{}, t.raiseAbstract(c)
	}
	if !c.Heap {
		return t.constructNative(c, args, names)
	}
	var v Value
	var x *Exception
	switch {
	case c.madeBy.IsSet():
		full, top := t.withSelf(c.Value(), args)
		v, x = t.CallNames(c.madeBy, full, names)
		t.argTop = top
	case c.New != nil && len(names) > 0 && c.filledBy.IsSet() && takesNoKeywords(c.layout):
		// Such classes leave keywords to an __init__ of the program's.
		v, x = c.New(t, c, args[:len(args)-len(names)], nil)
	case c.New != nil:
		v, x = c.New(t, c, args, names)
	default:
		v, x = t.newPlain(c, args, names)
	}
	if x != nil {
		return Value{}, x
	}
	k := c
	if k2 := v.Class(); k2 != c {
		if !k2.IsSubclass(c) {
			return v, nil
		}
		k = k2
	}
	if k.filledBy.IsSet() {
		full, top := t.withSelf(v, args)
		r, x := t.CallNames(k.filledBy, full, names)
		t.argTop = top
		if x == nil && !r.IsNone() {
			x = t.RaiseType("__init__() should return None, not '%s'", r.Class().Name)
		}
		return v, x
	}
	if k.Init != nil {
		return v, t.initialize(k, v, args, names)
	}
	return v, nil
}

func takesNoKeywords(layout *Class) bool {
	switch layout {
	case ListClass, TupleClass, SetClass, FrozenSetClass, FloatClass:
		return true
	}
	return false
}

// initialize fills a new value of a class written in Go, accounted as live
// meanwhile.
func (t *Thread) initialize(c *Class, v Value, args []Value, names []string) *Exception {
	pin := t.Pin(v)
	x := c.Init(t, v, args, names)
	t.Unpin(pin)
	return x
}

func (t *Thread) constructNative(c *Class, args []Value, names []string) (Value, *Exception) {
	if c.New == nil {
		return Value{}, t.RaiseType("cannot create '%s' instances", c.FullName())
	}
	v, x := c.New(t, c, args, names)
	if x == nil && c.Init != nil {
		x = t.initialize(c, v, args, names)
	}
	return v, x
}

// userNew finds a __new__ that a program wrote.
func (c *Class) userNew() (Value, bool) { return c.userMethod("__new__") }

// userInit finds an __init__ that a program wrote.
func (c *Class) userInit() (Value, bool) { return c.userMethod("__init__") }

func (c *Class) userMethod(name string) (Value, bool) {
	for _, k := range c.MRO {
		if v, ok := k.Attrs.values[name]; ok {
			if !k.Heap {
				return Value{}, false
			}
			if s, ok := v.Native().(*StaticMethod); ok {
				v = s.Fn
			}
			return v, true
		}
		if name == "__init__" && k.Own.hasInit(k) {
			return Value{}, false
		}
	}
	return Value{}, false
}

func (*Slots) hasInit(c *Class) bool { return !c.Heap && c != Object && c.Init != nil }

// newPlain is object.__new__ and object.__init__ with their rule that arguments
// nobody takes are an error.
func (t *Thread) newPlain(c *Class, args []Value, names []string) (Value, *Exception) {
	if len(args) > 0 {
		if !c.filledBy.IsSet() {
			return Value{}, t.RaiseType("%s() takes no arguments", c.Name)
		}
	}
	return t.NewInstance(c)
}

func (t *Thread) raiseAbstract(c *Class) *Exception {
	quoted := make([]string, len(c.abstract))
	for i, n := range c.abstract {
		quoted[i] = "'" + n + "'"
	}
	return t.RaiseType("Can't instantiate abstract class %s without an implementation for abstract method%s %s",
		c.Name, plural(len(quoted)), strings.Join(quoted, ", "))
}
