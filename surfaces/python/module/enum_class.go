package module

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// combined gives the member that stands for several bits of a flag.
func (e *enumeration) combined(t *thread, v value) (value, *exception) {
	whole, ok := object.BigOf(v)
	if !ok {
		return raised(e.invalid(t, v))
	}
	if whole.BitLen() > 62 {
		if !e.keeps {
			return raised(e.beyond(t, whole))
		}
		return raised(t.RaiseValue("a flag of more than 62 bits is not available"))
	}
	n := whole.Int64()
	all := int64(1)<<bits.Len64(uint64(e.mask)) - 1
	unknown := n &^ e.mask
	switch {
	case n < 0 && !e.keeps && n >= ^all && (^n)&^e.mask == 0:
		return e.lookUp(t, object.Int(e.mask&n))
	case n < 0 && e.keeps:
		n = max(all+1, int64(1)<<bits.Len64(uint64(-n))) + n
		unknown = n &^ e.mask
		if m, ok, x := e.find(t, object.Int(n)); ok || x != nil {
			return m, x
		}
	}
	if (n < 0 || unknown != 0) && !e.keeps {
		r, x := t.Repr(e.class.Value())
		if x != nil {
			return value{}, x
		}
		width := max(bits.Len64(uint64(abs64(n))), bits.Len64(uint64(e.mask)))
		return raised(t.RaiseValue("%s invalid value %d\n    given %s\n  allowed %s", r, n, flagBits(n, width), flagBits(e.mask, width)))
	}
	if x := t.Alloc(600); x != nil {
		return value{}, x
	}
	payload := value{}
	if e.data != nil {
		payload = object.Int(n)
	}
	m, x := t.Extend(e.class, payload)
	if x != nil {
		return value{}, x
	}
	name := object.None
	var names []string
	for _, w := range e.members {
		if b, _ := memberValue(w).Base().Int(); b&n != 0 {
			names = append(names, memberName(w))
		}
	}
	if len(names) > 0 {
		if unknown != 0 {
			names = append(names, strconv.FormatInt(unknown, 10))
		}
		name = object.NewStr(strings.Join(names, "|"))
	}
	i, _ := m.Instance()
	if x := i.SetAttr(t, "_name_", name); x != nil {
		return value{}, x
	}
	kept := object.Int(n)
	if whole.Sign() >= 0 {
		kept = v.Base() // as it was given: True stays True
	}
	if x := i.SetAttr(t, "_value_", kept); x != nil {
		return value{}, x
	}
	return m, e.remember(t, object.Int(n), m)
}

// beyond is the error of a value with bits that no member of a strict flag has.
func (e *enumeration) beyond(t *thread, n *big.Int) *exception {
	r, x := t.Repr(e.class.Value())
	if x != nil {
		return x
	}
	if x := t.Alloc(4 * n.BitLen()); x != nil {
		return x
	}
	width := max(n.BitLen(), bits.Len64(uint64(e.mask)))
	shown := "0b0 " + n.Text(2)
	if n.Sign() < 0 {
		s := new(big.Int).Add(n, new(big.Int).Lsh(bigOne, uint(width))).Text(2)
		shown = "0b1 " + strings.Repeat("0", max(width-len(s), 0)) + s
	}
	return t.RaiseValue("%s invalid value %s\n    given %s\n  allowed %s", r, n.Text(10), shown, flagBits(e.mask, width))
}

func abs64(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// flagBits shows a number in binary with its sign bit, as enum.bin does.
func flagBits(n int64, width int) string {
	if n >= 0 {
		s := strconv.FormatInt(n, 2)
		return "0b0 " + strings.Repeat("0", max(width-len(s), 0)) + s
	}
	s := strconv.FormatUint(uint64(n)&(1<<width-1), 2)
	return "0b1 " + strings.Repeat("0", max(width-len(s), 0)) + s
}

func enumRepr(t *thread, v value) (string, *exception) {
	i, ok := v.Instance()
	if !ok {
		return object.Object.Own.Repr(t, v)
	}
	name, _ := i.Attr("_name_")
	shown := memberValue(v)
	if b, isBool := shown.Bool(); isBool && i.Payload.IsSet() && i.Payload.Kind() != object.KindBool {
		shown = object.Int(map[bool]int64{true: 1}[b]) // as the class it extends shows it
	}
	s, x := t.Repr(shown)
	if x != nil {
		return "", x
	}
	if n, ok := textOf(name); ok {
		return "<" + i.Cls.Name + "." + n + ": " + s + ">", nil
	}
	return "<" + i.Cls.Name + ": " + s + ">", nil
}

func enumStr(t *thread, v value) (string, *exception) {
	i, ok := v.Instance()
	if !ok {
		return object.Object.Own.Repr(t, v)
	}
	name, _ := i.Attr("_name_")
	if n, ok := textOf(name); ok {
		return i.Cls.Name + "." + n, nil
	}
	s, x := t.Repr(memberValue(v))
	return i.Cls.Name + "(" + s + ")", x
}

// baseText makes members print as the built-in value they extend.
func baseText(t *thread, v value) (string, *exception) { return t.Str(v.Base()) }

func baseFormat(t *thread, v value, spec string) (string, *exception) {
	if spec == "" {
		return t.Str(v)
	}
	return t.Format(v.Base(), spec)
}

// enumMeta is what the class of an enumeration does.
var enumMeta = object.Slots{
	Call: enumCall,
	Repr: func(_ *thread, v value) (string, *exception) {
		c, _ := v.AsClass()
		if c.IsSubclass(flagClass) && c != flagClass {
			return "<flag '" + c.Name + "'>", nil
		}
		return "<enum '" + c.Name + "'>", nil
	},
	Len: func(_ *thread, v value) (int, *exception) {
		c, _ := v.AsClass()
		if e := enumOf(c); e != nil {
			return len(e.members), nil
		}
		return 0, nil
	},
	Iter: func(t *thread, v value) (object.Iterator, *exception) {
		c, _ := v.AsClass()
		if e := enumOf(c); e != nil {
			return t.Iter(object.NewTuple(e.members))
		}
		return t.Iter(object.NewTuple(nil))
	},
	Reversed: func(t *thread, v value) (object.Iterator, *exception) {
		c, _ := v.AsClass()
		var back []value
		if e := enumOf(c); e != nil {
			if x := t.Alloc(16 * len(e.members)); x != nil {
				return nil, x
			}
			for i := range e.members {
				back = append(back, e.members[len(e.members)-1-i])
			}
		}
		return t.Iter(object.NewTuple(back))
	},
	GetItem: func(t *thread, v, k value) (value, *exception) {
		c, _ := v.AsClass()
		if e := enumOf(c); e != nil {
			if s, ok := textOf(k); ok {
				if m, ok := e.byName[s]; ok {
					return m, nil
				}
			}
		}
		return raised(object.NewException(object.KeyError, k))
	},
	Contains: func(t *thread, v, w value) (bool, *exception) {
		c, _ := v.AsClass()
		if w.Class().IsSubclass(c) {
			return true, nil
		}
		e := enumOf(c)
		if e == nil {
			return false, nil
		}
		_, x := e.lookUp(t, w)
		if x != nil && x.Is(object.ValueError) {
			return false, nil
		}
		return x == nil, x
	},
	GetAttr: func(t *thread, v value, name string) (value, bool, *exception) {
		c, _ := v.AsClass()
		e := enumOf(c)
		if e == nil {
			e = &enumeration{}
		}
		switch name {
		case "__members__":
			d, x := t.Dict(len(e.names))
			if x != nil {
				return value{}, false, x
			}
			for _, n := range e.names {
				if x := d.SetName(t, n, e.byName[n]); x != nil {
					return value{}, false, x
				}
			}
			return object.Box(&proxy{of: d.Value()}), true, nil
		case "_member_type_":
			if e.data != nil {
				return e.data.Value(), true, nil
			}
			return object.Object.Value(), true, nil
		case "_member_map_":
			return mappingOfMembers(t, e)
		case "_member_names_":
			var out []value
			for _, m := range e.members {
				out = append(out, object.NewStr(memberName(m)))
			}
			l, x := t.List(out)
			return l, x == nil, x
		}
		return value{}, false, nil
	},
	SetAttr: func(t *thread, v value, name string, w value) *exception {
		c, _ := v.AsClass()
		if e := enumOf(c); e != nil {
			if _, ok := e.byName[name]; ok {
				if !w.IsSet() {
					return t.Raise(object.AttributeError, "'%s' cannot delete member '%s'.", c.Name, name)
				}
				return t.Raise(object.AttributeError, "cannot reassign member '%s'", name)
			}
		}
		return c.Store(t, name, w)
	},
}

// mappingOfMembers gives the members by name.
func mappingOfMembers(t *thread, e *enumeration) (value, bool, *exception) {
	d, x := t.Dict(len(e.names))
	if x != nil {
		return value{}, false, x
	}
	for _, n := range e.names {
		if x := d.SetName(t, n, e.byName[n]); x != nil {
			return value{}, false, x
		}
	}
	return d.Value(), true, nil
}

// flagBinary is | & ^ of flags.
func flagBinary(t *thread, op object.Op, v, w value, _ bool) (value, *exception) {
	e := enumOf(v.Class())
	if e == nil {
		return object.NotImplemented, nil
	}
	a, _ := memberValue(v).Base().Int()
	b, ok := w.Base().Int()
	switch {
	case w.Class() == v.Class():
		b, _ = memberValue(w).Base().Int()
	case e.data == nil || !ok || w.Class().IsSubclass(enumClass):
		return flagData(t, e, op, v, w)
	}
	switch op {
	case object.Or:
		return e.lookUp(t, object.Int(a|b))
	case object.And:
		return e.lookUp(t, object.Int(a&b))
	case object.Xor:
		return e.lookUp(t, object.Int(a^b))
	}
	return flagData(t, e, op, v, w)
}

// flagData is what the built-in class of an IntFlag does with other operators.
func flagData(t *thread, e *enumeration, op object.Op, v, w value) (value, *exception) {
	if e.data == nil {
		return object.NotImplemented, nil
	}
	return object.IntClass.Own.Binary(t, op, v, w, false)
}

func flagUnary(t *thread, op object.Unary, v value) (value, *exception) {
	e := enumOf(v.Class())
	n, _ := memberValue(v).Base().Int()
	if e == nil || op != object.Invert {
		if e != nil && e.data != nil {
			return t.UnaryOp(op, v.Base())
		}
		return object.NotImplemented, nil
	}
	if e.keeps {
		return e.lookUp(t, object.Int(^n))
	}
	return e.lookUp(t, object.Int(e.singles&^n))
}

func setupFlag(c *class) {
	c.Own.Unary = flagUnary
	c.Own.Binary = flagBinary
	c.Own.Bool = func(_ *thread, v value) (bool, *exception) {
		n, _ := memberValue(v).Base().Int()
		return n != 0, nil
	}
	c.Own.Len = func(_ *thread, v value) (int, *exception) {
		n, _ := memberValue(v).Base().Int()
		return bits.OnesCount64(uint64(n)), nil
	}
	c.Own.Contains = func(t *thread, v, w value) (bool, *exception) {
		if w.Class() != v.Class() {
			return false, t.RaiseType("unsupported operand type(s) for 'in': '%s' and '%s'", w.Class().Qual, v.Class().Qual)
		}
		a, _ := memberValue(v).Base().Int()
		b, _ := memberValue(w).Base().Int()
		return a&b == b, nil
	}
	c.Own.Iter = func(t *thread, v value) (object.Iterator, *exception) {
		n, _ := memberValue(v).Base().Int()
		var out []value
		if e := enumOf(v.Class()); e != nil {
			for _, m := range e.members {
				if b, _ := memberValue(m).Base().Int(); b&n != 0 {
					out = append(out, m)
				}
			}
		}
		return t.Iter(object.NewTuple(out))
	}
}

func init() {
	for _, c := range []*class{enumClass, reprEnumClass, intEnumClass, strEnumClass, flagClass, intFlagClass} {
		c.Module = "enum"
		c.Own.Repr = enumRepr
		if c == intEnumClass || c == strEnumClass || c == intFlagClass {
			c.Own.Str, c.Own.Format = baseText, baseFormat
		}
	}
	c := enumClass
	c.Meta = &enumMeta
	c.Build, c.Prepare = buildEnum, prepareEnum
	c.Own.Str = enumStr
	c.Own.Format = func(t *thread, v value, spec string) (string, *exception) {
		s, x := t.Str(v)
		if x != nil {
			return "", x
		}
		return t.Format(object.NewStr(s), spec)
	}
	c.Own.Hash = func(t *thread, v value) (uint64, *exception) {
		if i, ok := v.Instance(); ok {
			if n, ok := i.Attr("_name_"); ok {
				return t.Hash(n)
			}
		}
		return object.Object.Own.Hash(t, v)
	}
	for attr, of := range map[string]string{"name": "_name_", "value": "_value_"} {
		c.Getter(attr, func(t *thread, v value) (value, *exception) {
			if i, ok := v.Instance(); ok {
				if n, ok := i.Attr(of); ok {
					return n, nil
				}
			}
			return object.None, nil
		})
	}
	c.StaticMethod("_generate_next_value_", "name start count last_values", nextNumber)
	c.ClassMethod("_missing_", "value", func(*thread, []value) (value, *exception) { return object.None, nil })
	same := func(_ *thread, a []value) (value, *exception) { return a[0], nil }
	c.Method("__copy__", "", same).Method("__deepcopy__", "memo", same)
	enumClass.Ready()
	reprEnumClass.Ready()
	intEnumClass.Ready()
	strEnumClass.StaticMethod("_generate_next_value_", "name start count last_values", func(t *thread, a []value) (value, *exception) {
		return callMethod(t, a[0], "lower")
	})
	strEnumClass.Ready()
	flagClass.StaticMethod("_generate_next_value_", "name start count last_values", nextBit)
	setupFlag(flagClass)
	flagClass.Ready()
	setupFlag(intFlagClass)
	intFlagClass.Ready()
	autoClass.Module = "enum"
	autoClass.Final = true
	autoClass.New = func(t *thread, _ *class, a []value, _ []string) (value, *exception) {
		return object.Box(&autoValue{}), t.Alloc(64)
	}
	autoClass.Ready()
	wrappedClass.Final = true
	wrappedClass.Own.Children = func(v value, visit func(value)) int { visit(v.Native().(*wrapped).v); return 64 }
	wrappedClass.Ready()
	shadowedClass.Module = "enum"
	shadowedClass.Final = true
	shadowedClass.Own.Children = func(v value, visit func(value)) int {
		visit(v.Native().(*shadowed).member)
		return 64
	}
	shadowedClass.Ready()
}
