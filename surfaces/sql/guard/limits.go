package guard

// Limits bounds one text.
type Limits struct {
	Bytes      int // of the whole text
	Depth      int // nesting, as [Height] estimates it from above
	Statements int // separated by semicolons
}

// DefaultLimits gives the bounds of an ordinary surface. The depth is a small
// part of what the parser was seen to survive on the smallest stack of a thread
// (see the tests), and fifty times what programs written by hand reach.
func DefaultLimits() Limits {
	return Limits{Bytes: 256 << 10, Depth: 500, Statements: 1000}
}

// orDefault replaces every bound that is not positive.
func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Depth <= 0 {
		l.Depth = d.Depth
	}
	if l.Statements <= 0 {
		l.Statements = d.Statements
	}
	return l
}
