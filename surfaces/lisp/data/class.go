package data

// ClassName is the Java class of a value, as Clojure has it.
func ClassName(v Value) string {
	switch v.Kind() {
	case KindNil:
		return "nil"
	case KindBool:
		return "java.lang.Boolean"
	case KindInt:
		return "java.lang.Long"
	case KindFloat:
		return "java.lang.Double"
	case KindChar:
		return "java.lang.Character"
	case KindBig:
		return "clojure.lang.BigInt"
	case KindRatio:
		return "clojure.lang.Ratio"
	case KindString:
		return "java.lang.String"
	case KindKeyword:
		return "clojure.lang.Keyword"
	case KindSymbol:
		return "clojure.lang.Symbol"
	case KindList:
		if ListLen(v) == 0 {
			return "clojure.lang.PersistentList$EmptyList"
		}
		return "clojure.lang.PersistentList"
	case KindCons:
		if IsList(v) {
			return "clojure.lang.PersistentList"
		}
		return "clojure.lang.Cons"
	case KindLazy:
		return "clojure.lang.LazySeq"
	case KindChunk:
		return "clojure.lang.ChunkedCons"
	case KindRange:
		return "clojure.lang.LongRange"
	case KindVector:
		return "clojure.lang.PersistentVector"
	case KindMap:
		switch m := v.asMap(); {
		case m.by != nil:
			return "clojure.lang.PersistentTreeMap"
		case m.root != nil || m.rows != nil:
			return "clojure.lang.PersistentHashMap"
		}
		return "clojure.lang.PersistentArrayMap"
	case KindSet:
		if v.asSet().Sorted() {
			return "clojure.lang.PersistentTreeSet"
		}
		return "clojure.lang.PersistentHashSet"
	case KindFn:
		return "clojure.lang.AFunction"
	}
	if e, ok := v.Unbox().(*Exception); ok {
		return e.JavaClass()
	}
	return "java.lang.Object"
}

// JavaClass is the full name of the exception's class.
func (e *Exception) JavaClass() string {
	switch e.Class {
	case "ExceptionInfo", "ArityException":
		return "clojure.lang." + e.Class
	}
	return "java.lang." + e.Class
}

// Meta gives the metadata of a value, nil where it has none.
func Meta(v Value) Value {
	switch x := v.Unbox().(type) {
	case *Vector:
		return x.Meta
	case *Map:
		return x.Meta
	case *Set:
		return x.Meta
	case *List:
		return x.Meta
	case Described:
		return x.Metadata()
	}
	return Nil
}

// Described is a value of another package that carries metadata.
type Described interface{ Metadata() Value }

// WithMeta gives the value with other metadata; ok is false where its kind takes
// none.
func WithMeta(t *Thread, v, meta Value) (w Value, ok bool) {
	t.Alloc(mapBytes)
	switch x := v.Unbox().(type) {
	case *Vector:
		c := *x
		c.self, c.room, c.Meta = &c, nil, meta
		return c.Value(), true
	case *Map:
		c := *x
		c.self, c.Meta = &c, meta
		return c.Value(), true
	case *Set:
		c := *x
		c.self, c.Meta = &c, meta
		return c.Value(), true
	case *List:
		c := *x
		c.self, c.Meta = &c, meta
		return Value{o: &c.Head}, true
	case *Name:
		return v, v.IsSymbol()
	case *Lazy, *Chunk, *Cons, *Range, *Native:
		return v, true
	}
	return v, v.Kind() == KindFn
}
