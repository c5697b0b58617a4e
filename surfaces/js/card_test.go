package js_test

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn/value"
)

// cardClaims are programs for each line of the card, in order: what it promises
// must work, and what it says is not here must be refused.
var cardClaims = []struct {
	begins string
	works  []string
	fails  []string
}{
	{begins: "Modern JavaScript", works: []string{
		"const { a, ...b } = { a: 1, c: 2 }; let [x = 3] = []; const f = (p, ...q) => p + q.length; [a, b.c, x, f(1, 2, 3)]",
		"class A { #p = 1; static s = 2; get() { return this.#p } } class B extends A { constructor() { super(); this.q = 3 } } const i = new B(); [i.get(), B.s, i.q, i instanceof A]",
		"const o = { n: { m: [1] } }; o?.n?.m?.[0] ?? `t${1 + 1}`",
		"let s = 0; for (const v of [1, 2]) s += v; for (const k in { a: 1 }) s += k.length; outer: for (;;) { for (;;) break outer } switch (s) { case 4: s = 5 } s",
		"try { throw new Error('x') } catch (e) { e.message } finally { }",
		"({ get a() { return 1 } }).a + 1",
		"function* gen() { yield 1; yield 2 } [...gen()].length === 2 || undefined.x",
		"async function g() { return (await Promise.resolve(1)) + 1 } await g()",
		"'2026-03-14'.match(/(?<y>\\d+)-(\\d+)/).groups.y",
	}},
	{begins: "The value of the last", works: []string{"1; 2", "return 5", "const count = 1; const ids = [2];\n{ count, ids }"}},
	{begins: "Top-level const", works: []string{"const kept = 1", "kept + 1", "const kept = 2; kept", "_", "vars().length", `del("kept")`, "reset()"}},
	{begins: "Call a function", works: []string{
		`shop.list_orders({ state: "open" }).length`, `(await shop.list_orders({ state: "open" })).length`,
		`(await Promise.all(["A-1", "A-2"].map(x => shop.get_order({ id: x })))).length`,
	}},
	{
		begins: "A failed call", works: []string{`try { shop.get_order({ id: "none" }) } catch (e) { if (e.code !== "not_found" || !e.message || !e.details) throw new Error("no details") }`},
		fails: []string{`shop.get_order({ id: "none" })`},
	},
	{begins: "Built in", works: []string{
		"[Array.isArray([]), Object.keys({}), String(1), Number('1'), Boolean(1), Math.max(1), JSON.stringify({}), new Map().size, new Set().size]",
		"[new Date(0).toISOString(), new RegExp('a').test('a'), BigInt(1), structuredClone({ a: 1 }), encodeURIComponent('&'), parseInt('1'), parseFloat('1.5')]",
		"console.log(1); Promise.resolve(new Error('x').message)",
		"new Date(2026, 0, 1).getTimezoneOffset() === 0 || undefined.x",
	}},
	{begins: "Integers beyond", works: []string{"if (sums.exact().id !== 9007199254740993n) throw new Error('lost')"}},
	{begins: "Not here", fails: []string{
		"import fs from 'fs'", "require('fs')", "fetch('x')", "setTimeout(() => 1, 1)", "eval('1')",
		"new Proxy({}, {})", "Reflect.ownKeys({})", "new Uint8Array(2)", "fs.readFileSync('x')",
	}},
}

// TestCard holds each line of the card to the implementation.
func TestCard(t *testing.T) {
	card := js.Language().Card()
	if len(card) != len(cardClaims) {
		t.Fatalf("%d lines, %d of them tested", len(card), len(cardClaims))
	}
	s, _ := newSession(t)
	for i, c := range cardClaims {
		if !strings.HasPrefix(card[i], c.begins) {
			t.Errorf("line %d is %q, tested is %q", i, card[i], c.begins)
		}
		for _, p := range c.works {
			if r := s.Execute(context.Background(), p); r.Fault != nil {
				t.Errorf("%s: %v", p, r.Fault)
			}
		}
		for _, p := range c.fails {
			if r := s.Execute(context.Background(), p); r.Fault == nil {
				t.Errorf("%s: gave %s", p, render(r.Value))
			}
		}
	}
}

// TestCallForm spells calls as programs do, and runs them.
func TestCallForm(t *testing.T) {
	l := js.Language()
	for _, c := range []struct {
		function string
		args     *value.Object
		want     string
	}{
		{"shop__list_orders", nil, "shop.list_orders()"},
		{"shop__list_orders", value.Of("state", "open"), `shop.list_orders({ state: "open" })`},
		{"echo", value.Of("a-b", []value.Value{int64(1), nil, true}, "n", value.Of("x", 1.5)), `echo({ "a-b": [1, null, true], n: { x: 1.5 } })`},
	} {
		if got := l.CallForm(c.function, c.args); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		s, _ := newSession(t)
		if r := s.Execute(context.Background(), c.want); r.Fault != nil {
			t.Errorf("%s: %v", c.want, r.Fault)
		}
	}
}
