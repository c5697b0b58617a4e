package realm

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// BenchmarkNew is a realm of its own and 1+1 in it.
func BenchmarkNew(b *testing.B) {
	p := goja.MustCompile("program", "1+1", true)
	b.ReportAllocs()
	for b.Loop() {
		s := newStage(b, sandbox.DefaultLimits())
		if _, err := s.vm.RunProgram(p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPrepare is a realm prepared for the names of an ordinary program.
func BenchmarkPrepare(b *testing.B) {
	globals := []string{"Object", "JSON", "Math", "console"}
	members := []string{"map", "filter", "reduce", "sort", "slice", "join", "length", "toFixed", "entries", "stringify", "log", "state", "title", "push", "includes", "toLowerCase"}
	b.ReportAllocs()
	for b.Loop() {
		s := newStage(b, sandbox.DefaultLimits())
		s.Prepare(globals, members)
	}
}

// TestRetained measures what an idle realm keeps after an ordinary program.
func TestRetained(t *testing.T) {
	const n = 200
	var kept []*stage
	before := heap()
	for range n {
		s := newStage(t, sandbox.DefaultLimits())
		if _, err := s.eval(`const rows = [{a:1,b:'x'},{a:2,b:'y'}];
			JSON.stringify(rows.filter(r => r.a > 1).map(r => r.b).concat(Object.keys(rows[0])).sort().join('-')) + Math.max(1, 2) + new Date(0).toISOString()`); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, s)
	}
	each := (heap() - before) / n
	t.Logf("%d bytes an idle realm", each)
	if each > 100_000 {
		t.Errorf("an idle realm keeps %d bytes, want at most 100,000", each)
	}
	runtime.KeepAlive(kept)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// tasks are what programs do most, each as a function of nothing.
var tasks = []struct{ name, setup, body string }{
	{"map filter reduce", rows, "rows.filter(r => r.n % 2).map(r => r.n * 2).reduce((a, b) => a + b, 0)"},
	{"sort numbers", numbersSetup, "numbers.slice().sort((a, b) => a - b).length"},
	{"sort objects", rows, "rows.slice().sort((a, b) => a.k - b.k).length"},
	{"sort text", rows, "rows.map(r => r.name).sort().length"},
	{"stringify", rows, "JSON.stringify(rows).length"},
	{"parse", rows + "const text = JSON.stringify(rows);", "JSON.parse(text).length"},
	{"for of", numbersSetup, "let n = 0; for (const x of numbers) n += x; n"},
	{"spread", numbersSetup, "[...numbers, ...numbers].length"},
	{"map and set", rows, "const m = new Map(); for (const r of rows) m.set(r.name, (m.get(r.name) || 0) + 1); m.size"},
	{"object entries", rows, "rows.map(r => Object.entries(r).length).length"},
	{"string methods", rows, "rows.map(r => r.name.toUpperCase().split('-').join('_').slice(1)).length"},
	{"regex replace", rows, "rows.map(r => r.name.replace(/(\\w+)-(\\d+)/, '$2:$1')).length"},
	{"math", numbersSetup, "let n = 0; for (let i = 0; i < 1000; i++) n += Math.floor(Math.sqrt(i)); n"},
	{"indexOf", numbersSetup, "let n = 0; for (let i = 0; i < 50; i++) n += numbers.indexOf(i) + (numbers.includes(-1) ? 1 : 0); n"},
	{"push and pop", "", "const a = []; for (let i = 0; i < 1000; i++) a.push(i); while (a.length) a.pop(); 0"},
	{"join", numbersSetup, "numbers.join(',').length"},
	{"date", "", "let n = 0; for (let i = 0; i < 100; i++) n += new Date(2024, 0, i).getTime(); n"},
}

const rows = "const rows = Array.from({length: 500}, (_, i) => ({n: i, k: (i * 7919) % 503, name: 'row-' + (i * 31) % 97, open: i % 3 === 0, tags: ['a', 'b']}));"

const numbersSetup = "const numbers = Array.from({length: 1000}, (_, i) => (i * 7919) % 1009);"

// BenchmarkAgainstEngine runs each task in a realm and in the bare engine. The
// ratio is time in the realm over time in the engine.
func BenchmarkAgainstEngine(b *testing.B) {
	for _, task := range tasks {
		b.Run(task.name, func(b *testing.B) {
			src := task.setup + "(function () { " + lastReturned(task.body) + " })"
			bare := goja.New()
			v, err := bare.RunString(src)
			if err != nil {
				b.Fatal(err)
			}
			engine, _ := goja.AssertFunction(v)
			limits := sandbox.DefaultLimits()
			limits.Fuel, limits.Memory = 1<<60, 1<<60
			s := newStage(b, limits)
			w, err := s.eval(src)
			if err != nil {
				b.Fatal(err)
			}
			realm, _ := goja.AssertFunction(w)
			if x, y := run(b, engine), run(b, realm); x.String() != y.String() {
				b.Fatalf("the engine gives %v, the realm %v", x, y)
			}
			both := alternate(b, func() { run(b, engine) }, func() { run(b, realm) })
			b.ReportMetric(both, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// lastReturned turns the last statement of a body into its result.
func lastReturned(body string) string {
	for i := len(body) - 1; i >= 0; i-- {
		if body[i] == ';' {
			return body[:i+1] + " return (" + body[i+1:] + ");"
		}
	}
	return "return (" + body + ");"
}

func run(b *testing.B, f goja.Callable) goja.Value {
	v, err := f(goja.Undefined())
	if err != nil {
		b.Fatal(fmt.Sprint(err))
	}
	return v
}
