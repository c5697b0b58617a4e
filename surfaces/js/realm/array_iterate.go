package realm

import (
	"github.com/dop251/goja"
)

// iterating makes the methods that call a function for each element. The engine
// does dense arrays, whose callbacks are charged by their own ticks; arrays with
// holes go through a loop of ours, because the engine would skip a million holes
// without looking at the meter.
func iterating(name string, resultBytes int64) member {
	count := 1
	return over(name, count, func(r *Realm, engine native) native {
		slow := sparseLoops[name]
		reducing := name == "reduce" || name == "reduceRight"
		return func(c call) goja.Value {
			o := r.receiver(c, name)
			f := r.callback(arg(c, 0))
			n := length(o)
			r.Charge(int64(n))
			if resultBytes > 0 {
				r.Alloc(arrayBytes + int64(n)*resultBytes)
			}
			if reducing && n == 0 && len(c.Arguments) < 2 {
				r.typeError("Reduce of empty array with no initial value")
			}
			if _, ok := r.dense(o); ok && n <= maxDense {
				return filled(engine(call{This: o, Arguments: c.Arguments}))
			}
			r.checkLength(n)
			return slow(r, o, n, f, c)
		}
	})
}

// maxDense bounds the arrays that the engine iterates in one go.
const maxDense = 1 << 20

// visitor is called for the elements of an array in order until it reports
// false. Holes are nil.
type visitor func(i int, v goja.Value) bool

// walk visits the elements from first to beyond by step, reading each when its
// turn comes, as ECMA-262 asks.
func (r *Realm) walk(o *goja.Object, first, beyond, step int, visit visitor) {
	p := r.pace()
	for i := first; i != beyond; i += step {
		p.step(2)
		if !visit(i, at(o, i)) {
			break
		}
	}
	p.end()
}

// invoke calls a callback with element, index and array.
func invoke(f native, this goja.Value, v goja.Value, i int, o *goja.Object) goja.Value {
	return filled(f(call{This: this, Arguments: []goja.Value{filled(v), whole(i), o}}))
}

// sparseLoops are the methods for arrays that are not dense.
var sparseLoops = map[string]func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value{
	"forEach": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
			if v != nil {
				invoke(f, arg(c, 1), v, i, o)
			}
			return true
		})
		return goja.Undefined()
	},
	"map": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		list := make([]goja.Value, n)
		r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
			if v != nil {
				list[i] = invoke(f, arg(c, 1), v, i, o)
			}
			return true
		})
		return r.like(o, list)
	},
	"filter": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		var list []goja.Value
		r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
			if v != nil && invoke(f, arg(c, 1), v, i, o).ToBoolean() {
				list = append(list, v)
			}
			return true
		})
		return r.like(o, list)
	},
	"some": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		found := false
		r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
			found = v != nil && invoke(f, arg(c, 1), v, i, o).ToBoolean()
			return !found
		})
		return boolean(found)
	},
	"every": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		all := true
		r.walk(o, 0, n, 1, func(i int, v goja.Value) bool {
			all = v == nil || invoke(f, arg(c, 1), v, i, o).ToBoolean()
			return all
		})
		return boolean(all)
	},
	"find": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		_, v := r.findIn(o, 0, n, 1, f, c)
		return v
	},
	"findIndex": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		i, _ := r.findIn(o, 0, n, 1, f, c)
		return whole(i)
	},
	"findLast": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		_, v := r.findIn(o, n-1, -1, -1, f, c)
		return v
	},
	"findLastIndex": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		i, _ := r.findIn(o, n-1, -1, -1, f, c)
		return whole(i)
	},
	"reduce": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		return r.fold(o, 0, n, 1, f, c)
	},
	"reduceRight": func(r *Realm, o *goja.Object, n int, f native, c call) goja.Value {
		return r.fold(o, n-1, -1, -1, f, c)
	},
}

func (r *Realm) findIn(o *goja.Object, first, beyond, step int, f native, c call) (int, goja.Value) {
	index, found := -1, goja.Undefined()
	r.walk(o, first, beyond, step, func(i int, v goja.Value) bool {
		if invoke(f, arg(c, 1), v, i, o).ToBoolean() {
			index, found = i, filled(v)
			return false
		}
		return true
	})
	return index, found
}

func (r *Realm) fold(o *goja.Object, first, beyond, step int, f native, c call) goja.Value {
	var sum goja.Value
	if len(c.Arguments) > 1 {
		sum = c.Arguments[1]
	}
	r.walk(o, first, beyond, step, func(i int, v goja.Value) bool {
		switch {
		case v == nil:
		case sum == nil:
			sum = v
		default:
			sum = filled(f(call{This: goja.Undefined(), Arguments: []goja.Value{sum, v, whole(i), o}}))
		}
		return true
	})
	if sum == nil {
		r.typeError("Reduce of empty array with no initial value")
	}
	return sum
}
