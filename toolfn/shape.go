package toolfn

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// shape is a type to be shown: of an argument or of a result, declared by a
// schema or observed in values.
type shape struct {
	kind    shapeKind
	scalar  typeSet       // of shapeScalar
	values  []value.Value // of shapeValues: the only ones allowed, or those seen
	partial bool          // there may be other values than these
	elem    *shape        // of shapeList
	fields  []field       // of shapeObject
	hidden  int           // fields beyond fields
	rest    *shape        // of shapeObject: what further keys hold, nil if there are none
	forms   []*shape      // of shapeUnion
	name    string        // of a recursive type, where it is defined and where it recurs
	format  string        // of a scalar: date-time, email, …
}

type shapeKind uint8

const (
	shapeAny shapeKind = iota
	shapeUnknown
	shapeScalar
	shapeValues
	shapeList
	shapeObject
	shapeUnion
	shapeName // a recursive type, by name
)

type field struct {
	name     string
	shape    *shape
	optional bool
	def      value.Value // default
	hasDef   bool
}

// detail is how much of a shape is shown.
type detail struct {
	depth    int // levels of objects
	fields   int // fields of an object
	values   int // values of an enum
	defaults bool
}

// print writes a shape in a style.
func (sh *shape) print(s *Style, d detail) string {
	switch sh.kind {
	case shapeUnknown:
		return "unknown"
	case shapeScalar:
		return s.word(sh.scalar)
	case shapeName:
		return sh.name
	case shapeValues:
		return sh.printValues(s, d)
	case shapeList:
		return sh.printList(s, d)
	case shapeObject:
		return sh.name + sh.printObject(s, d)
	case shapeUnion:
		return sh.printUnion(s, d)
	}
	return s.Words.Any
}

func (sh *shape) printValues(s *Style, d detail) string {
	if d.values == 0 || sh.partial && s.Mask {
		return s.word(scalarOf(sh.values))
	}
	var words []string
	for i, v := range sh.values {
		if i == d.values {
			break
		}
		words = append(words, s.literal(v, 40))
	}
	if sh.partial || len(sh.values) > d.values {
		words = append(words, "…")
	}
	return strings.Join(words, "|")
}

// scalarOf gives the one type that all values share, 0 if they do not.
func scalarOf(values []value.Value) typeSet {
	var t typeSet
	for i, v := range values {
		u := typeOf(v)
		if i == 0 {
			t = u
		}
		t &= u
	}
	if t == typeInteger|typeNumber {
		return typeInteger
	}
	return t
}

func (sh *shape) printList(s *Style, d detail) string {
	if sh.elem == nil || sh.elem.kind == shapeAny {
		return s.Words.Array
	}
	elem := sh.elem.print(s, d)
	if s.List[0] == "" && strings.Contains(elem, "|") && (sh.elem.kind == shapeUnion || sh.elem.kind == shapeValues) {
		elem = "(" + elem + ")"
	}
	return s.List[0] + elem + s.List[1]
}

func (sh *shape) printObject(s *Style, d detail) string {
	if len(sh.fields) == 0 && sh.rest == nil || d.depth <= 0 {
		return s.Words.Object
	}
	return s.Fields[0] + sh.printFields(s, d) + s.Fields[1]
}

// printFields writes the fields without the braces.
func (sh *shape) printFields(s *Style, d detail) string {
	inner := d
	inner.depth--
	var parts []string
	for i, f := range sh.fields {
		if i == d.fields {
			break
		}
		parts = append(parts, f.print(s, inner))
	}
	if more := len(sh.fields) - len(parts) + sh.hidden; more > 0 {
		parts = append(parts, "…")
	}
	if sh.rest != nil {
		parts = append(parts, "[key]"+s.Pair+sh.rest.print(s, inner))
	}
	return strings.Join(parts, s.Separator)
}

func (f *field) print(s *Style, d detail) string {
	text := s.key(f.name)
	if f.optional {
		text += s.Optional
	}
	text += s.Pair + f.shape.print(s, d)
	if f.hasDef && d.defaults {
		text += " = " + s.literal(f.def, 40)
	}
	return text
}

func (sh *shape) printUnion(s *Style, d detail) string {
	var words []string
	for _, f := range sh.forms {
		if w := f.print(s, d); !containsString(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "|")
}
