package data

// Lookup is get: the value of a key in a map or set, of an index in a vector, a
// character of a text; missing where there is none, or no collection at all.
func Lookup(t *Thread, coll, key, missing Value) Value {
	switch coll.Kind() {
	case KindMap:
		m := coll.asMap()
		if v, ok := m.Get(t, key); ok {
			return v
		}
		if m.Row != nil {
			return m.missed(t, key, missing)
		}
	case KindSet:
		if v, ok := coll.asSet().Get(t, key); ok {
			return v
		}
	case KindVector:
		v := coll.asVector()
		if i, ok := key.Int(); ok && i >= 0 && i < int64(v.n) {
			return v.At(int(i))
		}
		t.wrongCollection(coll, key)
	case KindString:
		x := coll.text()
		if i, ok := key.Int(); ok && i >= 0 && i < int64(x.Length()) {
			return Char(x.At(int(i)))
		}
	case KindNil:
	default:
		if l, ok := coll.Unbox().(Lookable); ok {
			if v, ok := l.Lookup(t, key); ok {
				return v
			}
			return missing
		}
		t.wrongCollection(coll, key)
	}
	return missing
}

// Lookable is a value of another package in which keys can be looked up.
type Lookable interface {
	Lookup(t *Thread, key Value) (Value, bool)
}

// missed looks up a key that a row does not have: a string finds the keyword of
// its name, because rows come from data whose keys are strings; any other miss is
// told to whoever gave the row.
func (m *Map) missed(t *Thread, key, missing Value) Value {
	if s, ok := key.Text(); ok {
		if v, ok := m.Get(t, Keyword(s)); ok {
			return v
		}
	}
	if m.Row.Missed != nil && missing.IsNil() && key.IsKeyword() {
		m.Row.Missed(key)
	}
	return missing
}

// wrongCollection tells once that a keyword was looked up in a list, which gives
// nil without a word in Clojure.
func (t *Thread) wrongCollection(coll, key Value) {
	if t.OnWrongLookup != nil && key.IsKeyword() {
		t.OnWrongLookup(coll, key)
	}
}
