package compile

// scope is one local name; those around it are behind parent.
type scope struct {
	parent *scope
	name   string
	slot   int
	self   bool // the name of the function itself
	fn     *function
}

// function is the fn form that is being compiled.
type function struct {
	parent   *function
	outer    *scope // what is in scope where the form stands
	code     *code
	slots    int // in use
	most     int
	captured map[*scope]int // by the local of an outer function
}

// slot reserves a slot.
func (fn *function) slot() int {
	n := fn.slots
	fn.slots++
	fn.most = max(fn.most, fn.slots)
	return n
}

// with puts a local in scope.
func (s *scope) with(fn *function, name string, slot int) *scope {
	return &scope{parent: s, name: name, slot: slot, fn: fn}
}

// find gives the innermost local of a name, nil for none.
func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.parent {
		if s.name == name {
			return s
		}
	}
	return nil
}

// names lists the locals in scope, innermost first.
func (s *scope) names() []string {
	var out []string
	for ; s != nil; s = s.parent {
		if s.name != "" {
			out = append(out, s.name)
		}
	}
	return out
}

// locate tells how code of fn reaches a local: its own slot, a captured value, or
// the function itself. What belongs to a function further out is captured by every
// function on the way.
func (fn *function) locate(local *scope) capture {
	if local.fn == fn {
		if local.self {
			return capture{from: fromSelf}
		}
		return capture{from: fromSlot, at: local.slot}
	}
	if i, ok := fn.captured[local]; ok {
		return capture{from: fromCapture, at: i}
	}
	where := fn.parent.locate(local)
	i := len(fn.code.captures)
	fn.code.captures = append(fn.code.captures, where)
	if fn.captured == nil {
		fn.captured = map[*scope]int{}
	}
	fn.captured[local] = i
	return capture{from: fromCapture, at: i}
}

// load gives the node that reads a local.
func (fn *function) load(local *scope) node {
	where := fn.locate(local)
	i := where.at
	switch where.from {
	case fromSlot:
		return func(f *frame) value { return f.slots[i] }
	case fromCapture:
		return func(f *frame) value { return f.caps[i] }
	}
	return func(f *frame) value { return f.self.Value() }
}
