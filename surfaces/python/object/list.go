package object

// List is a list.
type List struct {
	Obj
	items []Value
}

const (
	valueSize = 16
	listSize  = 56
	tupleSize = 56
)

// NewList makes a list of values that have been charged; it keeps the slice.
func NewList(items []Value) Value {
	l := &List{items: items}
	l.kind, l.self = KindList, l
	return Value{o: &l.Obj}
}

// List charges for a list and makes it; it keeps the slice.
func (t *Thread) List(items []Value) (Value, *Exception) {
	if x := t.Alloc(listSize + valueSize*cap(items)); x != nil {
		return Value{}, x
	}
	return NewList(items), nil
}

// ListOf gives the list behind a value: of class list or of a subclass.
func ListOf(v Value) (*List, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	return v.List()
}

// Value gives the list as a value.
func (l *List) Value() Value { return Value{o: &l.Obj} }

// Len counts the items.
func (l *List) Len() int { return len(l.items) }

// Items gives the items; the slice is the list's own.
func (l *List) Items() []Value { return l.items }

// Append adds an item.
func (l *List) Append(t *Thread, v Value) *Exception {
	if len(l.items) == cap(l.items) {
		if x := l.grow(t, 1); x != nil {
			return x
		}
	}
	l.items = append(l.items, v)
	return nil
}

// grow makes room for n more items.
func (l *List) grow(t *Thread, n int) *Exception {
	need := len(l.items) + n
	if need <= cap(l.items) {
		return nil
	}
	room := max(need, 4)
	if c := cap(l.items); need < 2*c && c < 1<<12 {
		room = 2 * c
	} else if need < c+c/4 {
		room = c + c/4
	}
	if x := t.Alloc(room * valueSize); x != nil {
		return x
	}
	items := make([]Value, len(l.items), room)
	copy(items, l.items)
	l.items = items
	return nil
}

// Tuple is a tuple.
type Tuple struct {
	Obj
	items []Value
}

// NewTuple makes a tuple of values that have been charged; it keeps the slice.
func NewTuple(items []Value) Value {
	u := &Tuple{items: items}
	u.kind, u.self = KindTuple, u
	return Value{o: &u.Obj}
}

// Tuple charges for a tuple and makes it; it keeps the slice.
func (t *Thread) Tuple(items ...Value) (Value, *Exception) {
	if x := t.Alloc(tupleSize + valueSize*len(items)); x != nil {
		return Value{}, x
	}
	return NewTuple(items), nil
}

// TupleOf gives the tuple behind a value: of class tuple or of a subclass.
func TupleOf(v Value) (*Tuple, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	return v.Tuple()
}

// Items gives the items; they must not be changed.
func (u *Tuple) Items() []Value { return u.items }

// sequence gives the items of a list or tuple, subclasses included.
func sequence(v Value) ([]Value, bool) {
	if v.isKind(KindInstance) {
		v = v.o.self.(*Instance).Payload
	}
	switch v.Kind() {
	case KindList:
		return v.o.self.(*List).items, true
	case KindTuple:
		return v.o.self.(*Tuple).items, true
	}
	return nil, false
}
