package elide

// List is a sequence that is read element by element.
type List interface {
	Len() int
	Index(i int) any
}

// Map is a sequence of members that is read member by member.
type Map interface {
	Len() int
	Entry(i int) (key string, v any)
}

// Opaque is a value without readable content: a function, a pattern, an error.
// It is shown as its text, in a JSON string.
type Opaque interface {
	Opaque() string
}

// Text is a string whose parts are read on demand.
type Text interface {
	// Len is the length in code points, or in the language's units where
	// counting code points would mean reading all of it.
	Len() int
	// Prefix gives at least the first n code points, or all if there are fewer.
	Prefix(n int) string
}

// Identity tells two views of the same container apart from views of equal
// ones, so that a cycle is seen. The result must be comparable.
type Identity interface {
	Identity() any
}
