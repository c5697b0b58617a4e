package object

import "strings"

// Limit makes the exception of a limit that the meter has reported: no program
// can catch it.
func Limit(err error) *Exception { return limit(err) }

// NewInstance makes an instance around the built-in value that it extends, for a
// module's constants, which nobody charges.
func NewInstance(c *Class, payload Value) Value {
	i := &Instance{Cls: c, Payload: payload}
	i.kind, i.self = KindInstance, i
	return Value{o: &i.Obj}
}

// Hashable reports whether a value's class has a hash.
func (t *Thread) Hashable(v Value) bool {
	switch v.Kind() {
	case KindList, KindDict, KindSet:
		return false
	case KindInstance, KindNative, KindException:
		return v.Class().slots.Hash != nil
	}
	return true
}

// Has reports whether values of a class have a special method, None not counted.
func (c *Class) Has(name string) bool {
	for _, k := range c.MRO {
		if v, ok := k.Attrs.values[name]; ok {
			return !v.IsNone()
		}
		if name == "__hash__" && (!k.Heap && k.noHash || k.Heap && k.Attrs.values["__eq__"].IsSet()) {
			return false
		}
		if !k.Heap {
			if _, ok := slotMethod(k, name); ok {
				return true
			}
		}
	}
	return false
}

// Defines reports whether a program's class in the method order, and none written
// in Go before it, defines a name.
func (c *Class) Defines(name string) bool { return c.defines(name) }

// ShortName is the class's name without its module: the errors of classes that
// CPython writes in C show both, so that their Name holds both.
func (c *Class) ShortName() string {
	if c.Heap {
		return c.Name
	}
	return c.Name[strings.LastIndexByte(c.Name, '.')+1:]
}

// NoHash makes the values of a class written in Go unhashable.
func (c *Class) NoHash() { c.Own.Hash, c.noHash = unhashable, true }

// NormalDigits replaces the decimal digits of any script by ASCII ones and its
// white space by blanks, as numbers are read from texts.
func NormalDigits(s string) string { return normalDigits(s) }
