package toolfn

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Style is how a language spells calls and types in signatures and shapes. It is
// plain data so that this package need not know the language.
type Style struct {
	// Name spells a function as a program calls it; nil is the catalogue's name.
	Name func(f *ToolFn) string
	// Call and Args open and close a call and its arguments: "(" ")" and "{" "}".
	Call, Args [2]string
	// Pair stands between a name and its type: ": ".
	Pair string
	// Assign stands between an argument's name and its value: "=". "" is Pair.
	Assign string
	// Separator stands between arguments and fields: ", ".
	Separator string
	// Optional marks a name that may be left out: "?".
	Optional string
	// Fields opens and closes an object type: "{" "}".
	Fields [2]string
	// List opens and closes a list type: "" "[]".
	List [2]string
	// Arrow stands before the result: " → ".
	Arrow string
	// Words are the names of the types.
	Words TypeWords
	// Key spells a name that is not an identifier; nil quotes it as JSON.
	Key func(name string) string
	// Named reports whether a name can stand before an argument; nil means that any
	// can. Where one cannot, a call is written with all arguments in one literal.
	Named func(name string) bool
	// Value writes plain data as a literal; nil writes JSON.
	Value func(v value.Value) string
	// Form writes a whole call, for languages whose calls are not a name with
	// arguments behind it; nil writes the name, Call and Args.
	Form func(f *ToolFn, args *value.Object) string
	// Mask keeps values that were seen in results out of shapes, for hosts that
	// control what leaves the sandbox.
	Mask bool
	// Describe is the call that describes the function of a quoted name; %s is
	// the name. "" is describe("%s").
	Describe string
}

// TypeWords are a language's names of the types of JSON Schema.
type TypeWords struct {
	String, Integer, Number, Boolean, Null, Object, Array, Any string
}

// Neutral is the style of TypeScript's types with JSON Schema's words.
var Neutral = Style{
	Call:      [2]string{"(", ")"},
	Args:      [2]string{"{", "}"},
	Pair:      ": ",
	Separator: ", ",
	Optional:  "?",
	Fields:    [2]string{"{", "}"},
	List:      [2]string{"", "[]"},
	Arrow:     " → ",
	Words: TypeWords{
		String: "string", Integer: "integer", Number: "number", Boolean: "boolean",
		Null: "null", Object: "object", Array: "array", Any: "any",
	},
}

func (s *Style) name(f *ToolFn) string {
	if s.Name == nil {
		return f.Name
	}
	return s.Name(f)
}

func (s *Style) key(name string) string {
	switch {
	case ValidName(name):
		return name
	case s.Key != nil:
		return s.Key(name)
	}
	return quoted(name, 80)
}

func (s *Style) literal(v value.Value, most int) string {
	if s.Value == nil {
		return literal(v, most)
	}
	return Plain(s.Value(v), most)
}

func (s *Style) assign() string {
	if s.Assign == "" {
		return s.Pair
	}
	return s.Assign
}

func (s *Style) describing(f *ToolFn) string {
	if s.Describe == "" {
		return `describe("` + f.Name + `")`
	}
	return strings.ReplaceAll(s.Describe, "%s", f.Name)
}

func (s *Style) word(t typeSet) string {
	switch t {
	case typeString:
		return s.Words.String
	case typeInteger:
		return s.Words.Integer
	case typeNumber, typeNumber | typeInteger:
		return s.Words.Number
	case typeBoolean:
		return s.Words.Boolean
	case typeNull:
		return s.Words.Null
	case typeObject:
		return s.Words.Object
	case typeArray:
		return s.Words.Array
	}
	return s.Words.Any
}
