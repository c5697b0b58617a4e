package object

// Iterator gives values one by one; the unset Value ends it.
type Iterator interface {
	Next(t *Thread) (Value, *Exception)
}

// boxedIterator is an iterator that a program can hold.
type boxedIterator interface {
	Iterator
	Boxed
}

// userIterator iterates by a program's own __next__.
type userIterator struct {
	v    Value
	next func(t *Thread, v Value) (Value, *Exception)
}

func (u *userIterator) Next(t *Thread) (Value, *Exception) { return u.next(t, u.v) }

// asIterator gives the iterator that a value is, if it is one.
func asIterator(t *Thread, v Value) (Iterator, bool) {
	if it, ok := v.Native().(Iterator); ok {
		return it, true
	}
	if next := v.Class().slots.Next; next != nil {
		return &userIterator{v, next}, true
	}
	return nil, false
}

// Iter gives an iterator over a value.
func (t *Thread) Iter(v Value) (Iterator, *Exception) {
	switch v.Kind() {
	case KindList:
		return newIter(&listIter{l: v.o.self.(*List)}), nil
	case KindTuple:
		return newIter(&tupleIter{items: v.o.self.(*Tuple).items}), nil
	case KindRange:
		r := v.o.self.(*Range)
		return newIter(&rangeIter{next: r.Start, step: r.Step, left: r.n}), nil
	case KindDict:
		return newIter(newDictIter(v.o.self.(*Dict), yieldKeys)), nil
	case KindStr:
		return newIter(&strIter{s: v.o.self.(*Str).s, ascii: v.o.self.(*Str).isASCII()}), nil
	case KindSet, KindFrozenSet:
		return newIter(&setIter{s: v.o.self.(*Set), n: v.o.self.(*Set).d.used}), nil
	case KindBytes:
		return newIter(&bytesIter{s: v.o.self.(*Bytes).s}), nil
	case KindNative:
		if it, ok := v.o.self.(Iterator); ok {
			return it, nil
		}
	case KindClass:
		if m := v.o.self.(*Class).Meta; m != nil && m.Iter != nil {
			return m.Iter(t, v)
		}
	}
	c := v.Class()
	if c.slots.Iter != nil {
		if x := t.Enter(); x != nil {
			t.Leave()
			return nil, x
		}
		it, x := c.slots.Iter(t, v)
		t.Leave()
		return it, x
	}
	if c.slots.GetItem != nil && c.Heap {
		return newIter(&indexIter{v: v}), nil
	}
	return nil, t.RaiseType("'%s' object is not iterable", c.Name)
}

// newIter boxes an iterator's head so that a program can hold it.
func newIter[T boxedIterator](it T) T {
	Box(it)
	return it
}

// IterValue gives an iterator as a value of the program.
func IterValue(it Iterator) Value {
	switch it := it.(type) {
	case *userIterator:
		return it.v
	case Boxed:
		return Box(it)
	}
	return Box(&goIterator{it: it})
}

// Each calls fn for every value of an iterable, until fn says stop.
func (t *Thread) Each(v Value, fn func(Value) (stop bool, raised *Exception)) *Exception {
	it, x := t.Iter(v)
	if x != nil {
		return x
	}
	return t.each(it, fn)
}

func (t *Thread) each(it Iterator, fn func(Value) (bool, *Exception)) *Exception {
	for {
		if x := t.Charge(1); x != nil {
			return x
		}
		v, x := it.Next(t)
		if x != nil || !v.IsSet() {
			return x
		}
		if stop, x := fn(v); stop || x != nil {
			return x
		}
	}
}

// Items gives the values of an iterable in a new slice, charged.
func (t *Thread) Items(v Value) ([]Value, *Exception) {
	if items, ok := sequenceExact(v); ok {
		if x := t.Alloc(len(items) * valueSize); x != nil {
			return nil, x
		}
		return append(make([]Value, 0, len(items)), items...), nil
	}
	it, x := t.Iter(v)
	if x != nil {
		return nil, x
	}
	return t.collect(it)
}

// collect exhausts an iterator into a list that the account of live memory sees.
func (t *Thread) collect(it Iterator) ([]Value, *Exception) {
	l := &List{}
	l.kind, l.self = KindList, l
	defer t.Unpin(t.Pin(l.Value()))
	if x := t.each(it, func(v Value) (bool, *Exception) { return false, l.Append(t, v) }); x != nil {
		return nil, x
	}
	return l.items, nil
}

// sequenceExact gives the items of a list or tuple of exactly that class: no code
// of the program runs when they are read.
func sequenceExact(v Value) ([]Value, bool) {
	switch v.Kind() {
	case KindList:
		return v.o.self.(*List).items, true
	case KindTuple:
		return v.o.self.(*Tuple).items, true
	}
	return nil, false
}

// Peek gives the items of a list or tuple without a copy, and of any other
// iterable in a new slice. The slice must neither be changed nor kept.
func (t *Thread) Peek(v Value) ([]Value, *Exception) {
	if items, ok := sequenceExact(v); ok {
		return items, nil
	}
	return t.Items(v)
}

type listIter struct {
	Obj
	l *List
	i int
}

func (*listIter) Class() *Class { return listIterClass }

func (it *listIter) Next(*Thread) (Value, *Exception) {
	if it.l == nil || it.i >= len(it.l.items) {
		it.l = nil
		return Value{}, nil
	}
	v := it.l.items[it.i]
	it.i++
	return v, nil
}

type listReverseIter struct {
	Obj
	l *List
	i int
}

func (*listReverseIter) Class() *Class { return listReverseIterClass }

func (it *listReverseIter) Next(*Thread) (Value, *Exception) {
	if it.i < 0 || it.i >= len(it.l.items) {
		it.i = -1
		return Value{}, nil
	}
	it.i--
	return it.l.items[it.i+1], nil
}

type tupleIter struct {
	Obj
	items []Value
	i     int
}

func (*tupleIter) Class() *Class { return tupleIterClass }

func (it *tupleIter) Next(*Thread) (Value, *Exception) {
	if it.i >= len(it.items) {
		return Value{}, nil
	}
	it.i++
	return it.items[it.i-1], nil
}

type rangeIter struct {
	Obj
	next, step, left int64
}

func (*rangeIter) Class() *Class { return rangeIterClass }

func (it *rangeIter) Next(*Thread) (Value, *Exception) {
	if it.left <= 0 {
		return Value{}, nil
	}
	n := it.next
	it.next += it.step
	it.left--
	return Int(n), nil
}

type strIter struct {
	Obj
	s     string
	ascii bool
}

func (it *strIter) Class() *Class {
	if it.ascii {
		return asciiIterClass
	}
	return strIterClass
}

func (it *strIter) Next(t *Thread) (Value, *Exception) {
	if it.s == "" {
		return Value{}, nil
	}
	_, n := decodeRune(it.s)
	c := it.s[:n]
	it.s = it.s[n:]
	if n == 1 {
		return shortStr(c), nil
	}
	return shortRune(c), t.Alloc(strSize)
}

type bytesIter struct {
	Obj
	s string
}

func (*bytesIter) Class() *Class { return bytesIterClass }

func (it *bytesIter) Next(*Thread) (Value, *Exception) {
	if it.s == "" {
		return Value{}, nil
	}
	c := it.s[0]
	it.s = it.s[1:]
	return Int(int64(c)), nil
}

// yields says what an iteration over a dict gives.
type yields uint8

const (
	yieldKeys yields = iota
	yieldValues
	yieldItems
)

type dictIter struct {
	Obj
	d       *Dict
	what    yields
	i, n    int
	given   int
	reverse bool
}

func newDictIter(d *Dict, what yields) *dictIter { return &dictIter{d: d, what: what, n: d.used} }

func (it *dictIter) Class() *Class {
	if it.reverse {
		return dictReverseIterClasses[it.what]
	}
	return dictIterClasses[it.what]
}

func (it *dictIter) Next(t *Thread) (Value, *Exception) {
	k, v, x := it.pair(t)
	if x != nil || !k.IsSet() {
		return Value{}, x
	}
	switch it.what {
	case yieldKeys:
		return k, nil
	case yieldValues:
		return v, nil
	}
	return t.Tuple(k, v)
}

// pair gives the next key with its value.
func (it *dictIter) pair(t *Thread) (k, v Value, raised *Exception) {
	if it.d == nil {
		return Value{}, Value{}, nil
	}
	if it.d.used != it.n {
		it.n = -1
		return Value{}, Value{}, t.Raise(RuntimeError, "dictionary changed size during iteration")
	}
	for it.reverse {
		if it.i < 0 || it.i >= len(it.d.entries) {
			break
		}
		e := &it.d.entries[it.i]
		it.i--
		if e.key.IsSet() {
			return it.one(t, e)
		}
	}
	for !it.reverse && it.i < len(it.d.entries) {
		e := &it.d.entries[it.i]
		it.i++
		if e.key.IsSet() {
			return it.one(t, e)
		}
	}
	it.d = nil
	return Value{}, Value{}, nil
}

// one gives an entry, unless as many as there were have been given.
func (it *dictIter) one(t *Thread, e *entry) (k, v Value, raised *Exception) {
	if it.given == it.n {
		return Value{}, Value{}, t.Raise(RuntimeError, "dictionary keys changed during iteration")
	}
	it.given++
	return e.key, e.val, nil
}

type setIter struct {
	Obj
	s    *Set
	i, n int
}

func (*setIter) Class() *Class { return setIterClass }

func (it *setIter) Next(t *Thread) (Value, *Exception) {
	if it.s == nil {
		return Value{}, nil
	}
	if it.s.d.used != it.n {
		it.n = -1
		return Value{}, t.Raise(RuntimeError, "Set changed size during iteration")
	}
	for it.i < len(it.s.d.entries) {
		e := &it.s.d.entries[it.i]
		it.i++
		if e.key.IsSet() {
			return e.key, nil
		}
	}
	it.s = nil
	return Value{}, nil
}

// indexIter iterates by __getitem__ with 0, 1, … until IndexError.
type indexIter struct {
	Obj
	v Value
	i int64
}

func (*indexIter) Class() *Class { return indexIterClass }

func (it *indexIter) Next(t *Thread) (Value, *Exception) {
	if it.i < 0 {
		return Value{}, nil
	}
	v, x := t.GetItem(it.v, Int(it.i))
	if x != nil {
		it.i = -1
		if x.Is(IndexError) || x.Is(StopIteration) {
			return Value{}, nil
		}
		return Value{}, x
	}
	it.i++
	return v, nil
}

// callIter is iter(callable, sentinel).
type callIter struct {
	Obj
	fn, end Value
}

func (*callIter) Class() *Class { return callIterClass }

func (it *callIter) Next(t *Thread) (Value, *Exception) {
	if !it.fn.IsSet() {
		return Value{}, nil
	}
	v, x := t.Call(it.fn)
	if x != nil {
		if x.Is(StopIteration) {
			it.fn = Value{}
			return Value{}, nil
		}
		return Value{}, x
	}
	eq, x := t.Equal(v, it.end)
	if x != nil {
		return Value{}, x
	}
	if eq {
		it.fn = Value{}
		return Value{}, nil
	}
	return v, nil
}

// goIterator holds an iterator that has no class of its own.
type goIterator struct {
	Obj
	it Iterator
}

func (*goIterator) Class() *Class { return indexIterClass }

func (g *goIterator) Next(t *Thread) (Value, *Exception) { return g.it.Next(t) }

// The classes of iterators.
var (
	listIterClass          = Define("list_iterator")
	listReverseIterClass   = Define("list_reverseiterator")
	tupleIterClass         = Define("tuple_iterator")
	rangeIterClass         = Define("range_iterator")
	asciiIterClass         = Define("str_ascii_iterator")
	strIterClass           = Define("str_iterator")
	bytesIterClass         = Define("bytes_iterator")
	setIterClass           = Define("set_iterator")
	indexIterClass         = Define("iterator")
	callIterClass          = Define("callable_iterator")
	dictIterClasses        = [3]*Class{Define("dict_keyiterator"), Define("dict_valueiterator"), Define("dict_itemiterator")}
	dictReverseIterClasses = [3]*Class{Define("dict_reversekeyiterator"), Define("dict_reversevalueiterator"), Define("dict_reverseitemiterator")}
	enumerateClass         = Define("enumerate")
	zipClass               = Define("zip")
	mapClass               = Define("map")
	filterClass            = Define("filter")
	reversedClass          = Define("reversed")
)

// ReadyIterator gives a class of iterators what all of them do.
func ReadyIterator(c *Class) *Class {
	c.Own.Iter = func(t *Thread, v Value) (Iterator, *Exception) {
		it, _ := asIterator(t, v)
		return it, nil
	}
	c.Own.Next = func(t *Thread, v Value) (Value, *Exception) { return v.Native().(Iterator).Next(t) }
	c.Final = true
	return c.Ready()
}

func setupIterators() {
	for _, c := range []*Class{listIterClass, listReverseIterClass, tupleIterClass, rangeIterClass, asciiIterClass, strIterClass, bytesIterClass, setIterClass, indexIterClass, callIterClass} {
		ReadyIterator(c)
	}
	for i := range dictIterClasses {
		ReadyIterator(dictIterClasses[i])
		ReadyIterator(dictReverseIterClasses[i])
	}
	setupLazy()
}
