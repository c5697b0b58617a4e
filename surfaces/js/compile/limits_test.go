package compile

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
)

// TestLimitsAreUncatchable holds that a program which runs into a limit ends with
// its fault whatever it tries, and that the engine serves the next one.
func TestLimitsAreUncatchable(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       sandbox.Kind
	}{
		{"empty loop", "for (;;) {}", sandbox.KindFuel},
		{"while", "while (true) ;", sandbox.KindFuel},
		{"do", "do {} while (1)", sandbox.KindFuel},
		{"catch", "for (;;) { try { for (;;) {} } catch { } finally { } }", sandbox.KindFuel},
		{"finally", "function f() { try { for (;;) {} } finally { return 1 } } f()", sandbox.KindFuel},
		{"catch in a callback", "for (;;) { try { [1].map(() => { for (;;) {} }) } catch (e) {} }", sandbox.KindFuel},
		{"generator", "function* g() { for (;;) yield 1 } for (const x of g()) {}", sandbox.KindFuel},
		{"async", "async function f() { for (;;) { try { await 1 } catch {} } } await f()", sandbox.KindMemory},
		{"field", "class A { x = (() => { for (;;) {} })() } new A()", sandbox.KindFuel},
		{"static block", "class A { static { for (;;) {} } }", sandbox.KindFuel},
		{"default", "((a = (() => { for (;;) {} })()) => a)()", sandbox.KindFuel},
		{"doubling text", "let s = 'abcdefgh'; for (;;) s += s", sandbox.KindMemory},
		{"doubling in a template", "let s = 'abcdefgh'; for (;;) s = `${s}${s}${s}${s}${s}${s}`", sandbox.KindMemory},
		{"doubling in an expression", "let s = 'abcdefgh'; for (let i = 0; ; i++) ((x) => { s = x })('' + s + i + s)", sandbox.KindMemory},
		{"arrays", "const all = []; for (;;) all.push([1, 2, 3])", sandbox.KindMemory},
		{"objects", "let o = null; for (;;) o = { o }", sandbox.KindMemory},
		{"closures", "const fs = []; for (;;) fs.push(() => 1)", sandbox.KindMemory},
		{"computed keys", "const o = {}; for (let i = 0; ; i++) o['some longer key ' + i] = { i }", sandbox.KindMemory},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEngine(t)
			p, f := Compile(c.code, e.options())
			if f != nil {
				t.Fatal(f)
			}
			_, err := e.run(context.Background(), p, testLimits())
			var fault *sandbox.Fault
			if !errors.As(err, &fault) || fault.Kind != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			after, f := Compile("1 + 1", e.options())
			if f != nil {
				t.Fatal(f)
			}
			if v, err := e.run(context.Background(), after, testLimits()); err != nil || v.ToInteger() != 2 {
				t.Fatalf("afterwards: %v %v", v, err)
			}
		})
	}
}

// TestCancel holds that a cancelled context ends a program at its next tick.
func TestCancel(t *testing.T) {
	e := newEngine(t)
	p, f := Compile("for (;;) { try { for (;;) {} } catch {} }", e.options())
	if f != nil {
		t.Fatal(f)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	l := testLimits()
	l.Fuel = 1 << 50
	_, err := e.run(ctx, p, l)
	var fault *sandbox.Fault
	if !errors.As(err, &fault) || fault.Kind != sandbox.KindCancelled {
		t.Fatalf("got %v", err)
	}
}

// TestChargesAreDeterministic holds that a program spends the same on every run
// and every engine.
func TestChargesAreDeterministic(t *testing.T) {
	var first sandbox.Usage
	for i := range 3 {
		e := newEngine(t)
		p, f := Compile(`const rows = []; for (let i = 0; i < 50; i++) rows.push({ id: i, s: 'n' + i });
			const by = {}; for (const r of rows) by[r.s] = (by[r.s] ?? 0) + 1; class A { v = rows.map(r => r.id).join() } new A().v.length`, e.options())
		if f != nil {
			t.Fatal(f)
		}
		if _, err := e.run(context.Background(), p, testLimits()); err != nil {
			t.Fatal(err)
		}
		u := e.meter.Usage()
		if i == 0 {
			first = u
		}
		if u.Fuel != first.Fuel || u.Memory != first.Memory || u.Fuel < 100 || u.Memory < 10_000 {
			t.Fatalf("run %d spent %+v, the first %+v", i, u, first)
		}
	}
}

// TestBranchesNotTakenCostNothing holds that a loop over many heavy cases pays for
// the one it takes.
func TestBranchesNotTakenCostNothing(t *testing.T) {
	spend := func(code string) int64 {
		e := newEngine(t)
		p, f := Compile(code, e.options())
		if f != nil {
			t.Fatal(f)
		}
		if _, err := e.run(context.Background(), p, testLimits()); err != nil {
			t.Fatal(err)
		}
		return e.meter.Usage().Memory
	}
	const object = "{ a: 1, b: [1, 2], c: { d: 3 } }"
	taken := spend("let o; for (let i = 0; i < 1000; i++) o = " + object)
	for _, code := range []string{
		"let o; for (let i = 0; i < 1000; i++) if (i < 0) o = " + object,
		"let o; for (let i = 0; i < 1000; i++) o = i < 0 ? " + object + " : 1",
		"let o; for (let i = 0; i < 1000; i++) o = i < 0 && " + object,
		"let o; for (let i = 0; i < 1000; i++) switch (i) { case -1: o = " + object + "; break; case -2: o = " + object + " }",
		"let o; for (let i = 0; i < 1000; i++) try { i } catch { o = " + object + " }",
	} {
		if got := spend(code); got*20 > taken {
			t.Errorf("%s: %d bytes, where taking the branch costs %d", code, got, taken)
		}
	}
	if got := spend("let o; for (let i = 0; i < 1000; i++) if (i >= 0) o = " + object); got < taken*9/10 {
		t.Errorf("a branch that is taken costs %d, without the branch %d", got, taken)
	}
}
