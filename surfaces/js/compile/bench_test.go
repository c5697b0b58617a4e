package compile

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
)

// speed are programs whose cost beside the bare engine is reported. Each is a
// whole program, run as it stands by both.
var speed = []struct{ name, code string }{
	{"loop", `let t = 0; for (let i = 0; i < 20000; i++) { t += i % 7; } t`},
	{"loop in a function", `function f(n) { let t = 0; for (let i = 0; i < n; i++) { t += i % 7; } return t; } f(20000)`},
	{"calls", `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } fib(17)`},
	{"methods", `class P { constructor(x) { this.x = x; } add(o) { return new P(this.x + o.x); } } let p = new P(0); const one = new P(1); for (let i = 0; i < 3000; i++) p = p.add(one); p.x`},
	{"map filter reduce", `const rows = []; for (let i = 0; i < 2000; i++) rows.push({ id: i, n: i % 10, s: i % 3 ? 'open' : 'closed' });
		rows.filter(r => r.s === 'open').map(r => ({ id: r.id, twice: r.n * 2 })).reduce((a, r) => a + r.twice, 0)`},
	{"property access", `const o = { a: 1, b: { c: 2 } }; let t = 0; for (let i = 0; i < 10000; i++) { t += o.a + o.b.c; o.a = i; } t`},
	{"computed keys", `const words = ['a', 'b', 'c', 'd']; const counts = {}; for (let i = 0; i < 5000; i++) { const w = words[i % 4]; counts[w] = (counts[w] || 0) + 1; } counts.a`},
	{"templates", "let n = 0; for (let i = 0; i < 5000; i++) { const s = `row ${i}: ${i * 2}`; n += s.length; } n"},
	{"concatenation", `let s = ''; for (let i = 0; i < 2000; i++) { s = s + 'x' + i; } s.length`},
	{"sort", `const xs = []; let r = 1; for (let i = 0; i < 2000; i++) { r = (r * 1103515245 + 12345) % 2147483648; xs.push({ k: r }); } xs.sort((a, b) => a.k - b.k); xs[0].k`},
	{"JSON", `const rows = []; for (let i = 0; i < 500; i++) rows.push({ id: i, name: 'n' + i, tags: ['a', 'b'] }); JSON.parse(JSON.stringify(rows)).length`},
	{"closures", `let t = 0; [1, 2, 3, 4, 5].forEach(x => { for (let i = 0; i < 1000; i++) t += x; }); t`},
}

// BenchmarkBesideEngine reports, for each program, how many times the bare
// engine's time the compiled program takes, and the geometric mean. Each figure
// compares the fastest of all rounds.
func BenchmarkBesideEngine(b *testing.B) {
	type pair struct {
		bare         *goja.Program
		program      *Program
		ours, theirs time.Duration
	}
	e := newEngine(b)
	pairs := make([]*pair, len(speed))
	for i, c := range speed {
		bare, err := goja.Compile("", c.code, true)
		if err != nil {
			b.Fatal(err)
		}
		p, f := Compile(c.code, e.options())
		if f != nil {
			b.Fatal(f)
		}
		pairs[i] = &pair{bare, p, math.MaxInt64, math.MaxInt64}
	}
	limits := testLimits()
	limits.Fuel, limits.Memory = 1<<40, 1<<40
	for b.Loop() {
		for _, p := range pairs {
			rt := goja.New()
			start := time.Now()
			if _, err := rt.RunProgram(p.bare); err != nil {
				b.Fatal(err)
			}
			p.theirs = min(p.theirs, time.Since(start))
			start = time.Now()
			if _, err := e.run(context.Background(), p.program, limits); err != nil {
				b.Fatal(err)
			}
			p.ours = min(p.ours, time.Since(start))
		}
	}
	product := 1.0
	for i, p := range pairs {
		ratio := float64(p.ours) / float64(p.theirs)
		product *= ratio
		b.ReportMetric(ratio, strings.ReplaceAll(speed[i].name, " ", "-")+"-x")
	}
	b.ReportMetric(math.Pow(product, 1/float64(len(pairs))), "geomean-x")
}

// benchProgram is what a model writes on a good day.
const benchProgram = `const prs = github.list({ state: "open" });
const byRepo = {};
for (const p of prs) {
  const key = p.repo;
  if (!byRepo[key]) byRepo[key] = { count: 0, ids: [], additions: 0 };
  byRepo[key].count += 1;
  byRepo[key].ids.push(p.number);
  byRepo[key].additions += p.additions || 0;
}
const rows = Object.entries(byRepo)
  .map(([repo, v]) => ({ repo, ...v, mean: v.count ? Math.round(v.additions / v.count) : 0 }))
  .filter(r => r.count > 1 && !/^archive/i.test(r.repo))
  .sort((a, b) => b.count - a.count || a.repo.localeCompare(b.repo));
const details = await Promise.all(rows.slice(0, 3).map(r => github.list({ repo: r.repo, number: r.ids[0] })));
const lines = rows.map((r, i) => ` + "`${i + 1}. ${r.repo}: ${r.count} open, mean ${r.mean}`" + `);
console.log(lines.join("\n"));
async function first(list, test) {
  for (const x of list) { if (await test(x)) return x; }
  return null;
}
const big = await first(rows, r => r.additions > 1000);
{ total: rows.length, big, top: rows[0], titles: details.map(d => d?.title ?? "none") }`

// BenchmarkCompile reports how many times the time takes that the bare engine needs
// to compile the same text as it stands.
func BenchmarkCompile(b *testing.B) {
	e := newEngine(b)
	o := e.options()
	s := normalise(benchProgram)
	if _, _, f := s.read(1 << 16); f != nil {
		b.Fatal(f)
	}
	bare := "(async () => {\n" + s.text + "\n})"
	b.SetBytes(int64(len(benchProgram)))
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		if _, f := Compile(benchProgram, o); f != nil {
			b.Fatal(f)
		}
		ours += time.Since(start)
		start = time.Now()
		if _, err := goja.Compile("", bare, true); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "×engine")
}
