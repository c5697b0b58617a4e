package object

import "strconv"

// EnterContext is what with does first: __enter__.
func (t *Thread) EnterContext(m Value) (Value, *Exception) {
	s := &m.Class().slots
	if s.Enter == nil {
		return Value{}, t.RaiseType("'%s' object does not support the context manager protocol", m.Class().Name)
	}
	if s.Exit == nil {
		return Value{}, t.RaiseType("'%s' object does not support the context manager protocol (missed __exit__ method)", m.Class().Name)
	}
	return s.Enter(t, m)
}

// ExitContext is what with does last: __exit__, which may suppress the exception.
func (t *Thread) ExitContext(m Value, x *Exception) (suppress bool, raised *Exception) {
	return m.Class().slots.Exit(t, m, x)
}

// MergeMapping merges a mapping into a dict, as ** in a dict display.
func (t *Thread) MergeMapping(d *Dict, v Value) *Exception {
	if _, ok := DictOf(v); !ok {
		if _, ok, x := t.FindAttr(v, "keys"); !ok {
			if x != nil {
				return x
			}
			return t.RaiseType("'%s' object is not a mapping", v.Class().Name)
		}
	}
	return d.update(t, v)
}

// Iterable reports whether a value can be iterated.
func (t *Thread) Iterable(v Value) bool {
	if m, ok := v.AsClass(); ok {
		return m.Meta != nil && m.Meta.Iter != nil
	}
	return iterable(v) || v.Class().slots.Next != nil
}

// SequenceLike reports whether a module's own class matches sequence patterns.
func SequenceLike(v Value) bool {
	for _, k := range v.Class().MRO {
		if k.Sequence {
			return true
		}
	}
	_, ok := v.Native().(interface{ Sequence() })
	return ok
}

// MappingLike reports whether a value that is no dict matches mapping patterns.
func MappingLike(v Value) bool {
	for _, k := range v.Class().MRO {
		if k.Mapping {
			return true
		}
	}
	return false
}

// MatchesItself reports whether a class pattern with one positional part matches
// the value itself.
func MatchesItself(c *Class) bool {
	for _, k := range []*Class{BoolClass, BytesClass, DictClass, FloatClass, FrozenSetClass, IntClass, ListClass, SetClass, StrClass, TupleClass} {
		if c.IsSubclass(k) {
			return true
		}
	}
	return false
}

// Exports gives what from m import * takes from a module.
func Exports(v Value) map[string]Value {
	m, ok := v.o.self.(*Module)
	if !ok {
		return nil
	}
	out := map[string]Value{}
	if all, ok := m.Attrs.values["__all__"]; ok {
		items, _ := sequenceExact(all)
		for _, e := range items {
			if s, ok := StrOf(e); ok && m.Attrs.values[s.s].IsSet() {
				out[s.s] = m.Attrs.values[s.s]
			}
		}
		return out
	}
	for _, n := range m.Attrs.names {
		if n[0] != '_' {
			out[n] = m.Attrs.values[n]
		}
	}
	return out
}

// Decimal gives a number in decimal.
func Decimal(n int) string { return strconv.Itoa(n) }
