package object

import (
	"slices"
	"strings"
)

// Op is a binary operator.
type Op uint8

// The binary operators.
const (
	Add Op = iota
	Sub
	Mul
	TrueDiv
	FloorDiv
	Mod
	Pow
	LShift
	RShift
	And
	Or
	Xor
	MatMul
	DivMod // the builtin divmod
)

var opSymbols = [...]string{"+", "-", "*", "/", "//", "%", "** or pow()", "<<", ">>", "&", "|", "^", "@", "divmod()"}

var opNames = [...]string{"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor", "matmul", "divmod"}

// Cmp is a comparison.
type Cmp uint8

// The comparisons.
const (
	Lt Cmp = iota
	Le
	Eq
	Ne
	Gt
	Ge
)

var cmpSymbols = [...]string{"<", "<=", "==", "!=", ">", ">="}

var cmpNames = [...]string{"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"}

// swapped gives the comparison with its sides exchanged.
func (c Cmp) swapped() Cmp { return [...]Cmp{Gt, Ge, Eq, Ne, Lt, Le}[c] }

// Unary is a unary operator.
type Unary uint8

// The unary operators.
const (
	Neg Unary = iota
	Pos
	Invert
	Abs
)

var unaryNames = [...]string{"__neg__", "__pos__", "__invert__", "__abs__"}

// Slots are what a class written in Go does for each protocol. A nil slot is
// inherited; if no base has it the protocol is not supported.
type Slots struct {
	Repr     func(t *Thread, v Value) (string, *Exception)
	Str      func(t *Thread, v Value) (string, *Exception)
	Format   func(t *Thread, v Value, spec string) (string, *Exception)
	Hash     func(t *Thread, v Value) (uint64, *Exception)
	Bool     func(t *Thread, v Value) (bool, *Exception)
	Len      func(t *Thread, v Value) (int, *Exception)
	Compare  func(t *Thread, op Cmp, v, w Value) (Value, *Exception)              // may give NotImplemented
	Binary   func(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) // v is the class's own; swapped: it stands on the right
	InPlace  func(t *Thread, op Op, v, w Value) (Value, *Exception)
	Unary    func(t *Thread, op Unary, v Value) (Value, *Exception)
	GetItem  func(t *Thread, v, key Value) (Value, *Exception)
	SetItem  func(t *Thread, v, key, x Value) *Exception
	DelItem  func(t *Thread, v, key Value) *Exception
	Contains func(t *Thread, v, x Value) (bool, *Exception)
	Iter     func(t *Thread, v Value) (Iterator, *Exception)
	Next     func(t *Thread, v Value) (Value, *Exception) // the unset Value ends
	Reversed func(t *Thread, v Value) (Iterator, *Exception)
	Call     func(t *Thread, v Value, args []Value, names []string) (Value, *Exception)
	// GetAttr answers names that the class's own attributes do not have; ok is
	// false where it has none either.
	GetAttr func(t *Thread, v Value, name string) (x Value, ok bool, raised *Exception)
	// SetAttr stores an attribute; an unset x deletes it.
	SetAttr func(t *Thread, v Value, name string, x Value) *Exception
	// Children visits the values that v holds, for the account of live memory,
	// and gives its own size in bytes.
	Children func(v Value, visit func(Value)) int
	Index    func(t *Thread, v Value) (Value, *Exception)
	ToInt    func(t *Thread, v Value) (Value, *Exception)
	ToFloat  func(t *Thread, v Value) (Value, *Exception)
	Round    func(t *Thread, v Value, digits Value) (Value, *Exception)
	Enter    func(t *Thread, v Value) (Value, *Exception)
	Exit     func(t *Thread, v Value, exc *Exception) (suppress bool, raised *Exception)
}

// Class is a class. Those written in Go are shared by all threads and never
// change after they are made.
type Class struct {
	Obj
	Name   string // as errors show it
	Qual   string // with the classes and functions around it
	Module string
	Doc    string
	Bases  []*Class
	MRO    []*Class // the method resolution order, itself first
	Attrs  *Namespace
	// Own are the slots given by the class itself; the embedded ones are resolved
	// along the MRO.
	Own   Slots
	slots Slots
	// New makes an instance of cls, which is the class itself or a subclass.
	New func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception)
	// Init fills a new instance.
	Init func(t *Thread, self Value, args []Value, names []string) *Exception
	// Final classes cannot be subclassed.
	Final bool
	// Meta is what the class object itself does (its iteration, len, subscript),
	// inherited by subclasses. Enumerations use it.
	Meta *Slots
	// Build makes the class of a class statement that derives from this one; nil
	// means [Thread.NewClass].
	Build func(t *Thread, d ClassDef) (Value, *Exception)
	// Prepare sees a class statement that derives from this class before its body
	// runs; nil for nothing.
	Prepare func(t *Thread, d *ClassDef) *Exception
	// Heap classes are made by programs.
	Heap bool
	// Generic classes have type parameters (PEP 695): C[int] is the class itself.
	Generic bool
	// Version changes when an attribute of the class or of a base does.
	Version uint32
	// Slotted names the only attributes that instances may have, nil for any.
	Slotted map[string]bool
	// Sequence and Mapping classes match the patterns of that kind; their subclasses
	// do too.
	Sequence, Mapping bool
	// Detail is for the module that made the class.
	Detail any

	layout   *Class // the built-in class whose values instances are built on
	subs     []*Class
	abstract []string
	noHash   bool // written in Go, and its values have none
	abc      bool // abstract methods keep it from being instantiated
	user     dunders
	madeBy   Value // a program's __new__
	filledBy Value // a program's __init__
}

// dunders tells which protocols a program's class defines itself.
type dunders struct {
	getattribute, getattr, setattr, delattr bool
}

// ClassDef is what a class statement has gathered.
type ClassDef struct {
	Name, Qual string
	Module     string // "" for the session's programs
	Bases      []Value
	Attrs      *Namespace
	Keywords   []Value
	Names      []string // of the keywords
	// Made is told of the class as soon as it exists, for the super() of its methods.
	Made func(c *Class)
	// Body is what Prepare keeps for Build.
	Body any
}

// Namespace is an ordered set of names with values.
type Namespace struct {
	values map[string]Value
	names  []string
	// Filter, if set, sees what a class body assigns and may put another value in
	// its place.
	Filter func(name string, v Value) Value
}

// NewNamespace makes an empty namespace.
func NewNamespace() *Namespace { return &Namespace{values: map[string]Value{}} }

// Get gives the value of a name.
func (n *Namespace) Get(name string) (Value, bool) {
	v, ok := n.values[name]
	return v, ok
}

// Set gives a name a value.
func (n *Namespace) Set(name string, v Value) {
	if _, ok := n.values[name]; !ok {
		n.names = append(n.names, name)
	}
	n.values[name] = v
}

// Assign gives a name a value, as a statement of a class body does.
func (n *Namespace) Assign(name string, v Value) {
	if n.Filter != nil {
		v = n.Filter(name, v)
	}
	n.Set(name, v)
}

// Delete forgets a name and reports whether it was there.
func (n *Namespace) Delete(name string) bool {
	if _, ok := n.values[name]; !ok {
		return false
	}
	delete(n.values, name)
	n.names = slices.DeleteFunc(n.names, func(s string) bool { return s == name })
	return true
}

// Names lists the names in the order of their first assignment.
func (n *Namespace) Names() []string { return n.names }

// Len counts the names.
func (n *Namespace) Len() int { return len(n.names) }

// Value makes the class a value.
func (c *Class) Value() Value {
	if c.self == nil {
		c.kind, c.self = KindClass, c
	}
	return Value{o: &c.Obj}
}

// IsSubclass reports whether c is d or derives from it.
func (c *Class) IsSubclass(d *Class) bool {
	if c == d {
		return true
	}
	return slices.Contains(c.MRO, d)
}

// Define makes a class written in Go. Own slots, methods and the rest are set by
// the caller before [Class.Ready].
func Define(name string, bases ...*Class) *Class {
	c := &Class{Name: name, Qual: name, Module: "builtins", Attrs: NewNamespace(), Bases: bases}
	c.kind, c.self = KindClass, c
	return c
}

// Ready resolves the method order and the slots. It panics if the bases cannot be
// ordered, which is a defect of the caller.
func (c *Class) Ready() *Class {
	if len(c.Bases) == 0 && c != Object {
		c.Bases = []*Class{Object}
	}
	mro, ok := linearize(c)
	if !ok {
		panic("the bases of " + c.Name + " cannot be ordered")
	}
	c.MRO = mro
	// A class that makes its instances itself decides what they are built on.
	if c.New != nil && c != Object {
		c.layout = c
	}
	for _, b := range c.Bases {
		if c.layout == nil {
			c.layout = b.layout
		}
	}
	c.resolve()
	return c
}

// linearize is the C3 order of a class.
func linearize(c *Class) ([]*Class, bool) {
	if len(c.Bases) == 1 {
		return append([]*Class{c}, c.Bases[0].MRO...), true
	}
	var lists [][]*Class
	for _, b := range c.Bases {
		lists = append(lists, slices.Clone(b.MRO))
	}
	lists = append(lists, slices.Clone(c.Bases))
	out := []*Class{c}
	for {
		lists = slices.DeleteFunc(lists, func(l []*Class) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out, true
		}
		var next *Class
		for _, l := range lists {
			head := l[0]
			if !slices.ContainsFunc(lists, func(o []*Class) bool { return slices.Contains(o[1:], head) }) {
				next = head
				break
			}
		}
		if next == nil {
			return nil, false
		}
		out = append(out, next)
		for i, l := range lists {
			if l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}

// Lookup finds an attribute of the class along its method order, without binding
// it.
func (c *Class) Lookup(name string) (Value, bool) {
	dunder := len(name) > 4 && strings.HasPrefix(name, "__")
	for _, k := range c.MRO {
		if v, ok := k.Attrs.values[name]; ok {
			return v, true
		}
		if dunder && !k.Heap {
			if v, ok := slotMethod(k, name); ok {
				return v, true
			}
		}
	}
	return Value{}, false
}

// lookupAfter is Lookup in the classes that follow one in the method order.
func (c *Class) lookupAfter(after *Class, name string) (Value, bool) {
	i := slices.Index(c.MRO, after)
	dunder := strings.HasPrefix(name, "__")
	for _, k := range c.MRO[i+1:] {
		if v, ok := k.Attrs.values[name]; ok {
			return v, true
		}
		if dunder && !k.Heap {
			if v, ok := slotMethod(k, name); ok {
				return v, true
			}
		}
	}
	return Value{}, false
}

// defines reports whether a program's class in the method order defines a name.
func (c *Class) defines(name string) bool {
	for _, k := range c.MRO {
		if _, ok := k.Attrs.values[name]; ok {
			return k.Heap
		}
		if !k.Heap {
			if _, ok := slotMethod(k, name); ok {
				return false
			}
		}
	}
	return false
}

// Layout is the built-in class whose values instances are built on, nil if
// instances are plain.
func (c *Class) Layout() *Class { return c.layout }

// Add puts a function written in Go on the class.
func (c *Class) Add(b *Builtin) *Class {
	b.Owner = c
	c.Attrs.Set(b.Name, b.Value())
	return c
}

// Method adds a method: sig as in [NewBuiltin], without self.
func (c *Class) Method(name, sig string, fn NativeFunc) *Class {
	b := NewBuiltin(name, sig, fn)
	b.Method = true
	return c.Add(b)
}

// Methods adds methods that share a signature.
func (c *Class) Methods(sig string, fns map[string]NativeFunc) *Class {
	for name, fn := range fns {
		c.Method(name, sig, fn)
	}
	return c
}

// Getter adds a read-only computed attribute.
func (c *Class) Getter(name string, get func(t *Thread, self Value) (Value, *Exception)) *Class {
	c.Attrs.Set(name, Box(&Getter{Name: name, Owner: c, Get: get}))
	return c
}
