package toolfn

import (
	"math/big"

	"github.com/polyglove/polyglove/toolfn/value"
)

// normalise gives v with whole floats as integers where n wants an integer,
// copying only what changes. v has passed the check.
func normalise(n *node, v value.Value) value.Value {
	return (&normaliser{walker{left: checkSteps}}).value(n, v)
}

// normaliser shares one account of steps between the branches it has to try;
// when they run out the rest stays as it is, which denotes the same numbers.
type normaliser struct{ walker walker }

func (z *normaliser) value(n *node, v value.Value) value.Value {
	if n == nil || z.walker.left < 0 {
		return v
	}
	z.walker.left--
	if n.types&typeInteger != 0 && n.types&typeNumber == 0 {
		if whole, ok := wholeNumber(v); ok {
			v = whole
		}
	}
	v = z.value(n.ref, v)
	for _, m := range n.all {
		v = z.value(m, v)
	}
	for _, branches := range [][]*node{n.any, n.one} {
		for _, m := range branches {
			if z.walker.check(m, v) {
				v = z.value(m, v)
				break
			}
		}
	}
	switch x := v.(type) {
	case *value.Object:
		if n.object != nil {
			return z.object(n.object, x)
		}
	case []value.Value:
		if n.list != nil {
			return z.list(n.list, x)
		}
	}
	return v
}

func (z *normaliser) object(o *objectRules, v *value.Object) value.Value {
	var out *value.Object
	for i := range v.Len() {
		sub := o.additional
		if j := o.find(v.Key(i)); j >= 0 {
			sub = o.props[j].node
		}
		e := z.value(sub, v.At(i))
		if out == nil && changed(v.At(i), e) {
			out = value.NewObject(v.Len())
			for k, old := range v.All() {
				out.Set(k, old)
			}
		}
		if out != nil {
			out.SetAt(i, e)
		}
	}
	if out == nil {
		return v
	}
	return out
}

func (z *normaliser) list(l *listRules, v []value.Value) value.Value {
	var out []value.Value
	for i, e := range v {
		sub := l.rest
		if i < len(l.prefix) {
			sub = l.prefix[i]
		}
		e = z.value(sub, e)
		if out == nil && changed(v[i], e) {
			out = append([]value.Value(nil), v...)
		}
		if out != nil {
			out[i] = e
		}
	}
	if out == nil {
		return v
	}
	return out
}

// changed reports whether normalise gave another value than it was given.
func changed(a, b value.Value) bool {
	switch b := b.(type) {
	case []value.Value:
		a, ok := a.([]value.Value)
		return !ok || len(a) != len(b) || len(a) > 0 && &a[0] != &b[0]
	case *value.Object:
		return a != value.Value(b)
	case *big.Int:
		return a != value.Value(b)
	case int64:
		_, same := a.(int64)
		return !same
	}
	return false
}
