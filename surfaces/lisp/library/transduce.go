package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// step takes one element and emits any number; false ends the work.
type step func(t *data.Thread, x value, emit func(value) bool) bool

// transducerValue is what (map f) and its kin give without a collection. Composed with
// comp, it is called with the function behind it; see reducing.
type transducerValue struct {
	data.Head
	start func() step
}

func (*transducerValue) TypeName() string { return "a transducer" }
func (*transducerValue) Printed() string  { return "#<transducer>" }

func newTransducer(start func() step) value { return data.MarkFunction(&transducerValue{start: start}) }

// reducingFunction is a function of an accumulator and an element, with its
// completion: what a transducer takes and gives.
type reducingFunction struct {
	data.Head
	add    func(t *data.Thread, acc, x value) value
	finish func(t *data.Thread, acc value) value
}

func (*reducingFunction) TypeName() string { return "a reducing function" }
func (*reducingFunction) Printed() string  { return "#<reducing fn>" }

// Invoke calls the reducing function.
func (r *reducingFunction) Invoke(t *data.Thread, args []value) value {
	switch len(args) {
	case 1:
		return r.finish(t, args[0])
	case 2:
		return r.add(t, args[0], args[1])
	}
	data.Throw("ArityException", "a reducing function takes an accumulator and an element.")
	return data.Nil
}

// Invoke gives the reducing function that applies the transducer before another.
func (x *transducerValue) Invoke(t *data.Thread, args []value) value {
	if len(args) != 1 {
		data.Throw("ArityException", "a transducer takes a reducing function.")
	}
	rf := args[0]
	s := x.start()
	out := &reducingFunction{}
	out.add = func(t *data.Thread, acc, v value) value {
		ended := false
		emit := func(y value) bool {
			acc = t.Call2(rf, acc, y)
			if _, ok := acc.Unbox().(*reduced); ok {
				ended = true
				return false
			}
			return true
		}
		if !s(t, v, emit) && !ended {
			return data.Box(&reduced{value: acc})
		}
		return acc
	}
	out.finish = func(t *data.Thread, acc value) value { return t.Call1(rf, acc) }
	return data.MarkFunction(out)
}

// keeping is a transducer whose step keeps elements back: made is called for each
// use and gives the step and what flushes it.
type keeping struct {
	data.Head
	made func() (step, func(t *data.Thread, emit func(value) bool))
}

func (*keeping) TypeName() string { return "a transducer" }
func (*keeping) Printed() string  { return "#<transducer>" }

// Invoke gives the reducing function that applies the transducer before another.
func (k *keeping) Invoke(t *data.Thread, args []value) value {
	if len(args) != 1 {
		data.Throw("ArityException", "a transducer takes a reducing function.")
	}
	rf := args[0]
	s, flush := k.made()
	out := &reducingFunction{}
	emitTo := func(t *data.Thread, acc *value, ended *bool) func(value) bool {
		return func(y value) bool {
			*acc = t.Call2(rf, *acc, y)
			_, *ended = acc.Unbox().(*reduced)
			return !*ended
		}
	}
	out.add = func(t *data.Thread, acc, v value) value {
		ended := false
		s(t, v, emitTo(t, &acc, &ended))
		return acc
	}
	out.finish = func(t *data.Thread, acc value) value {
		ended := false
		flush(t, emitTo(t, &acc, &ended))
		if r, ok := acc.Unbox().(*reduced); ok {
			acc = r.value
		}
		return t.Call1(rf, acc)
	}
	return data.MarkFunction(out)
}

func partitionAllTransducer(n int64) value {
	return data.MarkFunction(&keeping{made: func() (step, func(*data.Thread, func(value) bool)) {
		var items []value
		return func(t *data.Thread, x value, emit func(value) bool) bool {
				t.Alloc(16)
				if items = append(items, x); int64(len(items)) < n {
					return true
				}
				out := items
				items = nil
				return emit(data.VectorOf(out))
			}, func(t *data.Thread, emit func(value) bool) {
				if len(items) > 0 {
					emit(data.VectorOf(items))
				}
			}
	}})
}

func partitionByTransducer(f value) value {
	return data.MarkFunction(&keeping{made: func() (step, func(*data.Thread, func(value) bool)) {
		var items []value
		var key value
		return func(t *data.Thread, x value, emit func(value) bool) bool {
				k := t.Call1(f, x)
				t.Alloc(16)
				if len(items) == 0 || data.Equal(t, k, key) {
					items, key = append(items, x), k
					return true
				}
				out := items
				items, key = []value{x}, k
				return emit(data.VectorOf(out))
			}, func(t *data.Thread, emit func(value) bool) {
				if len(items) > 0 {
					emit(data.VectorOf(items))
				}
			}
	}})
}

// completing makes a reducing function of an ordinary function.
func completing(f value) value {
	return data.MarkFunction(&reducingFunction{
		add:    func(t *data.Thread, acc, x value) value { return t.Call2(f, acc, x) },
		finish: func(_ *data.Thread, acc value) value { return acc },
	})
}

// transduced reduces a collection through a transducer and completes the result.
func transduced(t *data.Thread, xform, rf, init, coll value) value {
	full := t.Call1(xform, rf)
	acc := reduceFrom(t, full, init, coll)
	return t.Call1(full, acc)
}

// catenating is cat: the transducer that gives the elements of each element.
var catenating = &transducerValue{start: func() step {
	return func(t *data.Thread, x value, emit func(value) bool) bool {
		for it := data.Iterate(t, x); it.Next(); {
			if !emit(it.Value) {
				return false
			}
		}
		return true
	}
}}
