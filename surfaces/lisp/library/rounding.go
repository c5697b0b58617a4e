package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// roundings are floor, ceil, round, sqrt and pow without Math/ before them, as programs
// write them that take them for part of the core. The first three give integers.
func roundings() []*data.Native {
	whole := func(name, doc string, to func(t *data.Thread, v value) value) *data.Native {
		return extra(name, 1, 1, "("+name+" x)", doc, func(t *data.Thread, a []value) value {
			if !a[0].IsNumber() {
				data.NumberFault(t, name, a[0])
			}
			if a[0].IsInteger() {
				return a[0]
			}
			return toInt(t, []value{to(t, a[0])})
		})
	}
	down := func(t *data.Thread, v value) value {
		return data.Arithmetic(t, data.Subtract, v, data.Divided(t, data.Modulus, v, data.Int(1)))
	}
	minus := func(t *data.Thread, v value) value { return data.Arithmetic(t, data.Subtract, data.Int(0), v) }
	all := []*data.Native{
		whole("floor", "the greatest integer not above x", down),
		whole("ceil", "the least integer not below x", func(t *data.Thread, v value) value { return minus(t, down(t, minus(t, v))) }),
		whole("round", "the nearest integer, halves upwards", round),
	}
	for _, name := range []string{"sqrt", "pow"} {
		for _, n := range javas() {
			if n.Name == "Math/"+name {
				all = append(all, extra(name, n.Min, n.Max, "("+name+n.Usage[len("(Math/"+name):], n.Doc, n.Run))
			}
		}
	}
	return all
}
