package data

// Native is a function of the library or of the host.
type Native struct {
	Head
	Name  string
	Min   int // the least number of arguments
	Max   int // the most; negative for any number
	Usage string
	Doc   string
	Extra bool // Clojure has no such function, so a program may define the name
	// Run computes the function. It may keep args no longer than the call.
	Run func(t *Thread, args []Value) Value
}

// Function gives the function as a value.
func (n *Native) Function() Value {
	if n.self == nil {
		n.kind, n.self = KindFn, n
	}
	return Value{o: &n.Head}
}

// TypeName names the type.
func (n *Native) TypeName() string { return "the function " + n.Name }

// Printed shows the function.
func (n *Native) Printed() string { return "#<fn " + n.Name + ">" }

// Takes reports whether the function takes n arguments.
func (n *Native) Takes(count int) bool { return count >= n.Min && (n.Max < 0 || count <= n.Max) }

// MarkFunction makes the head of another package's type one of a function.
func MarkFunction(b Boxed) Value {
	h := b.Header()
	h.kind, h.self = KindFn, b
	return Value{o: h}
}
