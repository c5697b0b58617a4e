package object

// The classes of the built-in values. They are made once and never change.
var (
	Object         = Define("object")
	TypeClass      = Define("type")
	NoneClass      = Define("NoneType")
	NotImplClass   = Define("NotImplementedType")
	EllipsisClass  = Define("ellipsis")
	IntClass       = Define("int")
	BoolClass      = Define("bool", IntClass)
	FloatClass     = Define("float")
	StrClass       = Define("str")
	BytesClass     = Define("bytes")
	TupleClass     = Define("tuple")
	ListClass      = Define("list")
	DictClass      = Define("dict")
	SetClass       = Define("set")
	FrozenSetClass = Define("frozenset")
	RangeClass     = Define("range")
	SliceClass     = Define("slice")
	FunctionClass  = Define("function")
	BuiltinClass   = Define("builtin_function_or_method")
	MethodDescr    = Define("method_descriptor")
	MethodClass    = Define("method")
	ModuleClass    = Define("module")
	GeneratorClass = Define("generator")
	CoroutineClass = Define("coroutine")
)

// init makes the classes in the order in which they build on each other.
func init() {
	setupObject()
	setupExceptions()
	setupDescriptors()
	setupNumbers()
	setupStr()
	setupBytes()
	setupTuple()
	setupList()
	setupDict()
	setupSet()
	setupRange()
	setupSlice()
	setupIterators()
	setupCallables()
	setupGenerator()
	setupComplex()
	setupBuiltins()
	setupAsync()
}

// ClassOf gives the class of a value.
func (t *Thread) ClassOf(v Value) *Class { return v.Class() }

// Class gives the class of a value.
func (v Value) Class() *Class {
	switch v.Kind() {
	case KindNone:
		return NoneClass
	case KindNotImplemented:
		return NotImplClass
	case KindEllipsis:
		return EllipsisClass
	case KindBool:
		return BoolClass
	case KindInt, KindBig:
		return IntClass
	case KindFloat:
		return FloatClass
	case KindStr:
		return StrClass
	case KindBytes:
		return BytesClass
	case KindTuple:
		return TupleClass
	case KindList:
		return ListClass
	case KindDict:
		return DictClass
	case KindSet:
		return SetClass
	case KindFrozenSet:
		return FrozenSetClass
	case KindRange:
		return RangeClass
	case KindSlice:
		return SliceClass
	case KindFunction:
		return FunctionClass
	case KindBuiltin:
		if v.o.self.(*Builtin).Method {
			return MethodDescr
		}
		return BuiltinClass
	case KindMethod:
		if v.o.self.(*Method).Func.isKind(KindBuiltin) {
			return BuiltinClass
		}
		return MethodClass
	case KindClass:
		return TypeClass
	case KindInstance:
		return v.o.self.(*Instance).Cls
	case KindException:
		return v.o.self.(*Exception).Cls
	case KindModule:
		return ModuleClass
	case KindNative:
		return v.o.self.(Boxed).Class()
	}
	return NoneClass
}

// FullName is the class's name with its module, as its repr shows it.
func (c *Class) FullName() string {
	if c.Module == "builtins" || c.Module == "" {
		return c.Qual
	}
	return c.Module + "." + c.Qual
}

func setupObject() {
	c := Object
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		if cls == Object && len(args) > 0 {
			return Value{}, t.RaiseType("object() takes no arguments")
		}
		return t.newPlain(cls, args, names)
	}
	c.Own = Slots{
		Repr: func(t *Thread, v Value) (string, *Exception) {
			return "<" + t.ClassOf(v).FullName() + " object at " + t.address(v) + ">", nil
		},
		Hash: func(t *Thread, v Value) (uint64, *Exception) { return t.identityHash(v), nil },
		Compare: func(_ *Thread, op Cmp, v, w Value) (Value, *Exception) {
			switch {
			case op == Eq && v == w:
				return True, nil
			case op == Ne && v == w:
				return False, nil
			}
			return NotImplemented, nil
		},
		Format: func(t *Thread, v Value, spec string) (string, *Exception) {
			if spec != "" {
				return "", t.RaiseType("unsupported format string passed to %s.__format__", t.ClassOf(v).Name)
			}
			return t.Str(v)
		},
	}
	c.Method("__init_subclass__", "", func(*Thread, []Value) (Value, *Exception) { return None, nil })
	c.Ready()

	c = TypeClass
	c.Own = Slots{
		Call: func(t *Thread, v Value, args []Value, names []string) (Value, *Exception) {
			return t.CallNames(v, args, names)
		},
		Repr: func(t *Thread, v Value) (string, *Exception) {
			k, _ := v.AsClass()
			if k.Meta != nil && k.Meta.Repr != nil {
				return k.Meta.Repr(t, v)
			}
			return "<class '" + k.FullName() + "'>", nil
		},
	}
	c.Ready()
	NoneClass.New = func(t *Thread, _ *Class, args []Value, _ []string) (Value, *Exception) {
		if len(args) > 0 {
			return Value{}, t.RaiseType("NoneType takes no arguments")
		}
		return None, nil
	}
	NoneClass.Final = true
	NoneClass.Ready()
	NotImplClass.Final = true
	NotImplClass.Ready()
	EllipsisClass.Final = true
	EllipsisClass.Ready()
	ModuleClass.Own.Repr = func(_ *Thread, v Value) (string, *Exception) {
		return "<module '" + v.o.self.(*Module).Name + "'>", nil
	}
	ModuleClass.Final = true
	ModuleClass.Ready()
}
