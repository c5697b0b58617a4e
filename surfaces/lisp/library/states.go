package library

import (
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// cell is an atom or volatile.
type cell struct {
	data.Head
	kind  string
	value value
}

func (c *cell) TypeName() string { return "an " + c.kind }
func (c *cell) Printed() string  { return "#<" + c.kind + ">" }

// states are the functions on cells, exceptions and metadata.
func states() []*data.Native {
	swap := func(name string, old bool) *data.Native {
		return fn(name, 2, any, "("+name+" atom f x …)", "set the atom to f of its value", func(t *data.Thread, a []value) value {
			c := cellOf(t, name, a[0])
			before := c.value
			args := append([]value{before}, a[2:]...)
			c.value = t.Invoke(t, a[1], args)
			if old {
				return data.Pair(before, c.value)
			}
			return c.value
		})
	}
	make := func(kind string) *data.Native {
		return fn(kind, 1, any, "("+kind+" x)", "a cell whose value can change", func(t *data.Thread, a []value) value {
			t.Alloc(80)
			return data.Box(&cell{kind: kind, value: a[0]})
		})
	}
	return []*data.Native{
		make("atom"), make("volatile!"), swap("swap!", false), swap("vswap!", false), swap("swap-vals!", true),
		fn("reset!", 2, 2, "(reset! atom x)", "set the atom to x", func(t *data.Thread, a []value) value {
			cellOf(t, "reset!", a[0]).value = a[1]
			return a[1]
		}),
		fn("vreset!", 2, 2, "(vreset! volatile x)", "set the volatile to x", func(t *data.Thread, a []value) value {
			cellOf(t, "vreset!", a[0]).value = a[1]
			return a[1]
		}),
		fn("reset-vals!", 2, 2, "(reset-vals! atom x)", "set the atom to x, giving both values", func(t *data.Thread, a []value) value {
			c := cellOf(t, "reset-vals!", a[0])
			old := c.value
			c.value = a[1]
			return data.Pair(old, a[1])
		}),
		fn("compare-and-set!", 3, 3, "(compare-and-set! atom old new)", "set the atom if it has the old value", func(t *data.Thread, a []value) value {
			c := cellOf(t, "compare-and-set!", a[0])
			if !data.Identical(c.value, a[1]) && !data.Equal(t, c.value, a[1]) {
				return data.False
			}
			c.value = a[2]
			return data.True
		}),
		fn("deref", 1, 3, "(deref x) or @x", "the value of an atom, delay or var", deref),
		fn("force", 1, 1, "(force delay)", "the value of a delay", func(t *data.Thread, a []value) value {
			if d, ok := a[0].Unbox().(*compile.Delay); ok {
				return d.Force(t)
			}
			return a[0]
		}),
		fn("realized?", 1, 1, "(realized? x)", "whether a delay or lazy sequence has been computed", func(t *data.Thread, a []value) value {
			switch x := a[0].Unbox().(type) {
			case *compile.Delay:
				return data.Bool(x.Done())
			case *data.Lazy:
				return data.Bool(x.Realised())
			}
			wants(t, "realized?", "a delay or lazy sequence", a[0])
			return data.Nil
		}),
		fn("delay?", 1, 1, "(delay? x)", "x is a delay", func(_ *data.Thread, a []value) value {
			_, ok := a[0].Unbox().(*compile.Delay)
			return data.Bool(ok)
		}),
		fn("ex-info", 2, 3, "(ex-info message data)", "an exception with data", func(t *data.Thread, a []value) value {
			t.Alloc(160)
			e := &data.Exception{Class: "ExceptionInfo", Data: a[1]}
			if s, ok := a[0].Text(); ok {
				e.Message = s
			} else {
				e.NoText = a[0].IsNil()
				e.Message = data.Str(t, a[0])
			}
			if a[1].Kind() != data.KindMap {
				data.Throw("IllegalArgumentException", "Additional data must be non-nil.")
			}
			if len(a) == 3 {
				e.Cause = a[2]
			}
			return data.Box(e)
		}),
		fn("ex-message", 1, 1, "(ex-message e)", "the message of an exception", func(_ *data.Thread, a []value) value {
			if e, ok := a[0].Unbox().(*data.Exception); ok && !e.NoText {
				return data.String(e.Message)
			}
			return data.Nil
		}),
		fn("ex-data", 1, 1, "(ex-data e)", "the data of an exception", func(_ *data.Thread, a []value) value {
			if e, ok := a[0].Unbox().(*data.Exception); ok {
				return e.Data
			}
			return data.Nil
		}),
		fn("ex-cause", 1, 1, "(ex-cause e)", "the exception behind an exception", func(_ *data.Thread, a []value) value {
			if e, ok := a[0].Unbox().(*data.Exception); ok {
				return e.Cause
			}
			return data.Nil
		}),
	}
}

func cellOf(t *data.Thread, name string, v value) *cell {
	c, ok := v.Unbox().(*cell)
	if !ok {
		wants(t, name, "an atom", v)
	}
	return c
}

func deref(t *data.Thread, a []value) value {
	switch x := a[0].Unbox().(type) {
	case *cell:
		return x.value
	case *compile.Delay:
		return x.Force(t)
	case *compile.Var:
		return x.Value
	case *reduced:
		return x.value
	}
	wants(t, "deref", "an atom, a delay or a var", a[0])
	return data.Nil
}

// Held gives the value of the cell.
func (c *cell) Held() []value { return []value{c.value} }
