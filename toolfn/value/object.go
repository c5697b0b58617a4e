package value

import (
	"iter"
	"sync/atomic"
)

// Keys is the ordered list of an object's keys. Rows of one shape share one
// list; an object that needs other keys takes a copy first.
type Keys struct {
	names  []string
	shared atomic.Bool
	index  atomic.Pointer[map[string]int] // built on first need, for lists too long to scan
}

// scanLimit is the length up to which a scan beats a map.
const scanLimit = 8

// NewKeys makes a shared key list. Names must be distinct.
func NewKeys(names ...string) *Keys {
	k := &Keys{names: names}
	k.shared.Store(true)
	return k
}

// Len is the number of keys.
func (k *Keys) Len() int { return len(k.names) }

// At is the i-th key.
func (k *Keys) At(i int) string { return k.names[i] }

// Names gives the keys in order. The caller must not change the slice.
func (k *Keys) Names() []string { return k.names }

// Index gives the position of a key, or -1.
func (k *Keys) Index(name string) int {
	if len(k.names) <= scanLimit {
		for i, n := range k.names {
			if n == name {
				return i
			}
		}
		return -1
	}
	m := k.index.Load()
	if m == nil {
		built := make(map[string]int, len(k.names))
		for i, n := range k.names {
			built[n] = i
		}
		m = &built
		k.index.Store(m)
	}
	if i, ok := (*m)[name]; ok {
		return i
	}
	return -1
}

func (k *Keys) clone(room int) *Keys {
	return &Keys{names: append(make([]string, 0, len(k.names)+room), k.names...)}
}

// Object is an insertion-ordered map from strings to values. Any number of
// goroutines may read one; writing needs exclusive use.
type Object struct {
	keys *Keys
	vals []Value
}

// NewObject makes an empty object with room for n members.
func NewObject(n int) *Object {
	return &Object{keys: &Keys{names: make([]string, 0, n)}, vals: make([]Value, 0, n)}
}

// NewRow makes an object over a shared key list; vals has one value a key and
// is kept, not copied.
func NewRow(keys *Keys, vals []Value) *Object {
	if len(vals) != keys.Len() {
		panic("value: a row has one value for each key")
	}
	keys.shared.Store(true)
	return &Object{keys: keys, vals: vals}
}

// NewRows makes the objects of a block of rows over one key list; vals holds their
// values, row by row, and is kept. The rows live as long as any of them does.
func NewRows(keys *Keys, vals []Value) []Object {
	n := keys.Len()
	if n == 0 || len(vals)%n != 0 {
		panic("value: a block of rows has one value for each key of each row")
	}
	keys.shared.Store(true)
	rows := make([]Object, len(vals)/n)
	for i := range rows {
		rows[i] = Object{keys: keys, vals: vals[i*n : (i+1)*n : (i+1)*n]}
	}
	return rows
}

// Of makes an object from alternating keys and values.
func Of(pairs ...Value) *Object {
	o := NewObject(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Len is the number of members.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.vals)
}

// Keys is the object's key list. Rows of one shape return the same pointer.
func (o *Object) Keys() *Keys { return o.keys }

// Key is the i-th key.
func (o *Object) Key(i int) string { return o.keys.names[i] }

// At is the i-th value.
func (o *Object) At(i int) Value { return o.vals[i] }

// SetAt replaces the i-th value.
func (o *Object) SetAt(i int, v Value) { o.vals[i] = v }

// Get gives the value under a key.
func (o *Object) Get(key string) (Value, bool) {
	if o == nil {
		return nil, false
	}
	if i := o.keys.Index(key); i >= 0 {
		return o.vals[i], true
	}
	return nil, false
}

// Has reports whether a key is present.
func (o *Object) Has(key string) bool {
	_, ok := o.Get(key)
	return ok
}

// Set puts a value under a key: in place if the key is present, else last.
func (o *Object) Set(key string, v Value) {
	if i := o.keys.Index(key); i >= 0 {
		o.vals[i] = v
		return
	}
	if o.keys.shared.Load() {
		o.keys = o.keys.clone(4)
	}
	o.keys.names = append(o.keys.names, key)
	if m := o.keys.index.Load(); m != nil {
		(*m)[key] = len(o.vals)
	}
	o.vals = append(o.vals, v)
}

// Delete removes a key and reports whether it was there.
func (o *Object) Delete(key string) bool {
	if o == nil {
		return false
	}
	i := o.keys.Index(key)
	if i < 0 {
		return false
	}
	k := &Keys{names: make([]string, 0, len(o.vals)-1)}
	k.names = append(append(k.names, o.keys.names[:i]...), o.keys.names[i+1:]...)
	o.keys = k
	o.vals = append(o.vals[:i:i], o.vals[i+1:]...)
	return true
}

// All iterates over the members in order.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if o == nil {
			return
		}
		for i, k := range o.keys.names {
			if !yield(k, o.vals[i]) {
				return
			}
		}
	}
}
