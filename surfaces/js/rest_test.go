package js_test

import (
	"context"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

// TestRestIsCharged keeps copies that rest elements and rest properties make, in
// every place where a pattern can stand: the memory limit has to end each.
func TestRestIsCharged(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Memory = 16 << 20
	const setup = "const big = Object.fromEntries(Array.from({length: 2000}, (_, i) => ['k' + i, i])), list = Object.values(big), keep = []; "
	for _, body := range []string{
		"for (;;) { const {k1, ...r} = big; keep.push(r) }",
		"for (;;) { const {x: {k1, ...r}} = {x: big}; keep.push(r) }",
		"for (;;) { const [a, ...r] = list; keep.push(r) }",
		"for (;;) { let r; ({...r} = big); keep.push(r) }",
		"for (;;) { let r; [...r] = list; keep.push(r) }",
		"for (;;) keep.push((({k1, ...r}) => r)(big))",
		"for (;;) keep.push(((...r) => r)(...list))",
		"for (;;) for (const {k1, ...r} of [big]) keep.push(r)",
		"for (;;) try { throw big } catch ({k1, ...r}) { keep.push(r) }",
		"function f() { var {k1, ...r} = big; keep.push(r) } for (;;) f()",
		"var r; for (;;) { var {...r} = big; keep.push(r) }",
		"class A { m({...r}) { return r } } const a = new A(); for (;;) keep.push(a.m(big))",
		"const f = ({...r}, g = ({...q}) => q) => r; for (;;) keep.push(f(big))",
	} {
		s, _ := newSession(t, surfaces.WithLimits(l))
		r := s.Execute(context.Background(), setup+body)
		if r.Fault == nil || r.Fault.Kind != sandbox.KindMemory {
			t.Errorf("%s\n\t%v", body, r.Fault)
		}
	}
	s, _ := newSession(t)
	r := s.Execute(context.Background(), `let a, r; const v = ({a, ...r} = {a: 1, b: 2});
		const f = (x, {b, ...c} = {b: 1, d: 2}, ...e) => [x, b, c, e];
		JSON.stringify([a, r, v, f(1), f(1, {b: 3, q: 4}, 5, 6), f.length])`)
	if got := render(r.Value); got != `"[1,{\"b\":2},{\"a\":1,\"b\":2},[1,1,{\"d\":2},[]],[1,3,{\"q\":4},[5,6]],1]"` {
		t.Errorf("got %s %v", got, r.Fault)
	}
}
