package realm

import (
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// maxNesting bounds how deep arrays may nest where they are turned into text or
// flattened, because each level costs the host's stack.
const maxNesting = 400

// maxText is the longest string a program may build, in UTF-16 units: what V8
// allows.
const maxText = 1<<29 - 24

// builder builds a string and charges it as it grows.
type builder struct {
	r     *Realm
	ascii []byte   // while everything is ASCII: the piece that grows
	full  [][]byte // the pieces before it
	wide  *goja.StringBuilder
	n     int
}

// pieceBytes is how long a piece may grow: joining pieces at the end copies once,
// where growing one text holds two of them at a time.
const pieceBytes = 1 << 18

func (b *builder) add(s goja.String) {
	n := s.Length()
	if n == 0 {
		return
	}
	b.charge(n)
	b.write(s)
}

// room closes the growing piece if n more bytes would make it too long.
func (b *builder) room(n int) {
	if len(b.ascii) > 0 && len(b.ascii)+n > pieceBytes {
		b.full = append(b.full, b.ascii)
		b.ascii = nil
	}
}

// joined gives all pieces as one text.
func (b *builder) joined() string {
	if len(b.full) == 0 {
		return string(b.ascii)
	}
	var s strings.Builder
	n := len(b.ascii)
	for _, p := range b.full {
		n += len(p)
	}
	s.Grow(n)
	for i, p := range b.full {
		s.Write(p)
		b.full[i] = nil
	}
	s.Write(b.ascii)
	b.full, b.ascii = nil, nil
	return s.String()
}

// write adds what has been charged.
func (b *builder) write(s goja.String) {
	if b.wide == nil {
		if text, ok := asciiOf(s); ok {
			b.room(len(text))
			b.ascii = append(b.ascii, text...)
			return
		}
		b.widen()
	}
	b.wide.WriteString(s)
}

func (b *builder) widen() {
	b.wide = &goja.StringBuilder{}
	if len(b.ascii)+len(b.full) > 0 {
		b.wide.WriteString(b.r.text(b.joined()))
		b.ascii = nil
	}
}

// addNumber adds the text of a Number.
func (b *builder) addNumber(v goja.Value) {
	f := v.ToFloat()
	if i := int64(f); b.wide == nil && float64(i) == f && i > -maxSafe && i < maxSafe {
		b.room(24)
		was := len(b.ascii)
		b.ascii = strconv.AppendInt(b.ascii, i, 10)
		b.charge(len(b.ascii) - was)
		return
	}
	b.add(b.r.str(v))
}

func (b *builder) charge(n int) {
	if b.n += n; b.n > maxText {
		b.r.rangeError("Invalid string length")
	}
	b.r.Alloc(int64(n))
}

func (b *builder) value() goja.String {
	if b.wide != nil {
		return b.wide.String()
	}
	return b.r.text(b.joined())
}

func arrayJoin(r *Realm, c call) goja.Value {
	o := r.receiver(c, "join")
	sep := r.text(",")
	if given(c, 0) {
		sep = r.str(c.Arguments[0])
	}
	return r.join(o, sep, nil)
}

func arrayToString(r *Realm, c call) goja.Value {
	o, ok := c.This.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		return r.text(r.brand(c.This))
	}
	if f := callable(o.Get("join")); f != nil {
		return filled(f(call{This: o}))
	}
	return r.text("[object Array]")
}

func arrayToLocaleString(r *Realm, c call) goja.Value {
	o := r.receiver(c, "toLocaleString")
	return r.join(o, r.text(","), func(v goja.Value) goja.String { return r.localeText(v, c.Arguments) })
}

// localeText is a value's toLocaleString().
func (r *Realm) localeText(v goja.Value, args []goja.Value) goja.String {
	r.reach("toLocaleString")
	if f := callable(v.ToObject(r.vm).Get("toLocaleString")); f != nil {
		return r.str(f(call{This: v, Arguments: args}))
	}
	r.typeError("toLocaleString is not a function")
	return nil
}

// join joins the texts of an array's elements; text is ToString where nil. An array inside itself is empty
// text, as in every engine.
func (r *Realm) join(o *goja.Object, sep goja.String, text func(goja.Value) goja.String) goja.Value {
	for _, b := range r.busy {
		if b == o {
			return emptyText
		}
	}
	if len(r.busy) >= maxNesting {
		r.rangeError("Arrays are nested more than %d levels deep, too deep to be turned into text.", maxNesting)
	}
	depth := len(r.busy)
	r.busy = append(r.busy, o)
	defer func() { r.busy = r.busy[:depth] }()
	n := length(o)
	r.checkLength(n)
	b := builder{r: r}
	if total := int64(n-1) * int64(sep.Length()); total > maxText {
		r.rangeError("Invalid string length")
	} else if total > 0 {
		r.Alloc(total)
	}
	p := r.pace()
	from := r.cursor(o)
	for i := range n {
		p.step(1 + sep.Length()>>8)
		if i > 0 {
			b.write(sep)
		}
		v := from.get(i)
		if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
			continue
		}
		switch {
		case text != nil:
			b.add(text(v))
		case goja.IsNumber(v):
			b.addNumber(v)
			continue
		default:
			b.add(r.str(v))
		}
		if text != nil || isObject(v) {
			from.stale()
		}
	}
	p.end()
	return b.value()
}

// level is an array under way in flat.
type level struct {
	o     *goja.Object
	i     int
	depth float64
}

func arrayFlat(r *Realm, c call) goja.Value {
	o := r.receiver(c, "flat")
	return r.like(o, r.flatten(o, r.integerOr(c, 0, 1)))
}

// flatten lists the elements of nested arrays down to a depth, without recursion.
func (r *Realm) flatten(o *goja.Object, depth float64) []goja.Value {
	var list []goja.Value
	stack := []level{{o: o, depth: depth}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.i >= length(top.o) {
			stack = stack[:len(stack)-1]
			continue
		}
		v := at(top.o, top.i)
		top.i++
		r.Charge(1)
		if v == nil {
			continue
		}
		if inner := array(v); inner != nil && top.depth > 0 {
			if len(stack) > maxArray {
				r.rangeError("Invalid array length")
			}
			r.Alloc(64)
			stack = append(stack, level{o: inner, depth: top.depth - 1})
			continue
		}
		r.Alloc(elemBytes)
		list = append(list, v)
	}
	return list
}

func arrayFlatMap(r *Realm, c call) goja.Value {
	o := r.receiver(c, "flatMap")
	f := r.callback(arg(c, 0))
	n := length(o)
	r.checkLength(n)
	r.Charge(int64(n))
	var list []goja.Value
	r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
		if v == nil {
			return true
		}
		got := invoke(f, arg(c, 1), v, i, o)
		inner := array(got)
		if inner == nil {
			r.Alloc(elemBytes)
			list = append(list, got)
			return true
		}
		k := length(inner)
		r.checkLength(len(list) + k)
		r.Alloc(int64(k) * elemBytes)
		p := r.pace()
		for j := range k {
			p.step(2)
			if e := at(inner, j); e != nil {
				list = append(list, e)
			}
		}
		p.end()
		return true
	})
	return r.like(o, list)
}

func arrayStatics() []member {
	return []member{
		method("isArray", 1, func(_ *Realm, c call) goja.Value { return boolean(isArray(arg(c, 0))) }),
		method("of", 0, func(r *Realm, c call) goja.Value { return r.fromFor(c, c.Arguments) }),
		method("from", 1, arrayFrom),
	}
}

func (r *Realm) arrayConstructor() goja.Value {
	p := r.proto(arrayProto)
	species := r.Function("get [Symbol.species]", 0, func(c call) goja.Value { return c.This })
	return r.constructor("Array", 1, p, func(c goja.ConstructorCall) *goja.Object {
		o := r.arrayFor(c)
		if p := c.This.Prototype(); p != r.protos[arrayProto] {
			_ = o.SetPrototype(p)
		}
		return o
	}, func(o *goja.Object) {
		_ = o.DefineAccessorPropertySymbol(goja.SymSpecies, species, nil, goja.FLAG_FALSE, goja.FLAG_FALSE)
	})
}

// arrayFor is what new Array(...) makes.
func (r *Realm) arrayFor(c goja.ConstructorCall) *goja.Object {
	if len(c.Arguments) != 1 || !goja.IsNumber(c.Arguments[0]) {
		return r.newArray(c.Arguments)
	}
	f := c.Arguments[0].ToFloat()
	if f < 0 || f != math.Trunc(f) || f > math.MaxUint32 {
		r.rangeError("Invalid array length")
	}
	r.checkLength(int(f))
	r.Alloc(arrayBytes + int64(f)*elemBytes)
	o := r.vm.NewArray()
	if f > 0 {
		r.truncate(o, int(f))
	}
	return o
}

func arrayFrom(r *Realm, c call) goja.Value {
	mapper := r.optionalCallback(c, 1)
	var list []goja.Value
	source := arg(c, 0)
	if goja.IsUndefined(source) || goja.IsNull(source) {
		r.typeError("%s is not iterable (cannot read property Symbol(Symbol.iterator))", describeKind(source))
	}
	add := func(v goja.Value) bool {
		if mapper != nil {
			v = filled(mapper(call{This: arg(c, 2), Arguments: []goja.Value{v, whole(len(list))}}))
		}
		list = append(list, v)
		return true
	}
	if r.iterable(source) {
		r.iterate(source, func(v goja.Value) bool {
			r.Alloc(elemBytes)
			return add(v)
		})
		return r.fromFor(c, list)
	}
	o, ok := source.(*goja.Object)
	if !ok {
		return r.fromFor(c, nil)
	}
	n := r.integer(filled(o.Get("length")))
	if n > maxArray {
		r.Alloc(int64(math.Min(n, math.MaxUint32)) * elemBytes)
		r.rangeError("Invalid array length")
	}
	if n > 0 {
		r.Alloc(int64(n) * elemBytes)
		list = make([]goja.Value, 0, int(math.Min(n, pollEvery)))
	}
	p := r.pace()
	for i := 0; float64(i) < n; i++ {
		p.step(2)
		add(filled(at(o, i)))
	}
	p.end()
	return r.fromFor(c, list)
}

// fromFor makes the array, of a subclass where from was called on one.
func (r *Realm) fromFor(c call, list []goja.Value) goja.Value {
	if isClass(c.This) {
		if p, ok := c.This.(*goja.Object).Get("prototype").(*goja.Object); ok {
			o := r.newArray(list)
			_ = o.SetPrototype(p)
			return o
		}
	}
	return r.newArray(list)
}

// iterable reports whether for…of takes a value.
func (r *Realm) iterable(v goja.Value) bool {
	switch x := v.(type) {
	case goja.String:
		return true
	case *goja.Object:
		m := x.GetSymbol(goja.SymIterator)
		return m != nil && !goja.IsUndefined(m) && !goja.IsNull(m)
	}
	return false
}
