package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// paging is one iteration: the step and what is made of its answers.
type paging struct{ step, some, val, key value }

// iteration gives the values of a step that is called with the key which its answer
// before gave, until there is none. Pages are read once, and only as far as asked for.
func iteration(t *data.Thread, a []value) value {
	p := &paging{step: a[0], some: notNil, val: identity, key: identity}
	start := data.Nil
	rest := a[1:]
	if len(rest) == 1 && rest[0].Kind() == data.KindMap {
		m := rest[0]
		rest = nil
		m.Map().Each(t, func(k, v value) bool {
			rest = append(rest, k, v)
			return true
		})
	}
	if len(rest)%2 != 0 {
		data.Throw("IllegalArgumentException", "No value supplied for key: "+data.Print(t, rest[len(rest)-1], true))
	}
	t.Alloc(256)
	for i := 0; i < len(rest); i += 2 {
		switch data.Print(t, rest[i], true) {
		case ":somef":
			p.some = rest[i+1]
		case ":vf":
			p.val = rest[i+1]
		case ":kf":
			p.key = rest[i+1]
		case ":initk":
			start = rest[i+1]
		}
	}
	return p.from(start)
}

var identity = fn("identity", 1, 1, "(identity x)", "x", func(_ *data.Thread, a []value) value { return a[0] }).Function()

func (p *paging) from(k value) value {
	return data.NewLazy(func(t *data.Thread) value {
		answer := t.Call1(p.step, k)
		if !test(t, p.some, answer) {
			return data.Nil
		}
		v := t.Call1(p.val, answer)
		next := t.Call1(p.key, answer)
		if next.IsNil() {
			return data.NewCons(v, data.Empty)
		}
		return data.NewCons(v, p.from(next))
	})
}

func randomSample(t *data.Thread, a []value) value {
	if !a[0].IsNumber() {
		wants(t, "random-sample", "a number", a[0])
	}
	chance := data.ToFloat(a[0])
	t.Alloc(160)
	drawn := fn("random-sample", 1, 1, "", "", func(t *data.Thread, _ []value) value {
		return data.Bool(host(t).Random() < chance)
	}).Function()
	return filtering(t, append([]value{drawn}, a[1:]...), true)
}
