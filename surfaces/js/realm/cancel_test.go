package realm

import (
	"context"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// slow are natives at work on as much as the memory limit lets a program have.
var slow = []struct{ name, setup, body string }{
	{"sort", "const a = Array.from({length: 1000000}, (_, i) => (i * 7919) % 1000003);", "a.sort((x, y) => x - y)"},
	{"sort text", "const a = Array.from({length: 400000}, (_, i) => 'k' + (i * 7919) % 1000003);", "a.sort()"},
	{"sort natively", "const a = Array.from({length: 1000000}, (_, i) => (i * 7919) % 1000003);", "a.sort(Math.max)"},
	{"indexOf", "const a = Array.from({length: 1000000}, (_, i) => i);", "for (;;) a.indexOf(-1)"},
	{"indexOf holes", "const a = []; a[0] = 1; a[900000] = 1;", "for (;;) a.indexOf(-1)"},
	{"includes text", "const a = Array.from({length: 500000}, (_, i) => 'k');", "for (;;) a.includes('kk')"},
	{"slice", "const a = Array.from({length: 1000000}, (_, i) => i);", "for (;;) a.slice(0, 500000)"},
	{"reverse", "const a = Array.from({length: 1000000}, (_, i) => i);", "for (;;) a.reverse()"},
	{"map native", "const a = Array.from({length: 500000}, (_, i) => i);", "for (;;) a.map(Math.abs)"},
	{"filter holes", "const a = []; a[0] = 1; a[900000] = 1;", "for (;;) a.filter(Boolean)"},
	{"join", "const a = Array.from({length: 500000}, (_, i) => i);", "for (;;) a.join()"},
	{"concat", "const a = Array.from({length: 500000}, (_, i) => i);", "for (;;) a.concat(a)"},
	{"splice", "const a = Array.from({length: 500000}, (_, i) => i);", "for (;;) a.splice(0, 1, 1)"},
	{"shift", "const a = Array.from({length: 1000000}, (_, i) => i);", "for (;;) a.shift()"},
	{"fill", "const a = Array.from({length: 1000000}, (_, i) => i);", "for (;;) a.fill(1)"},
	{"flat", "const a = Array.from({length: 200000}, (_, i) => [i]);", "for (;;) a.flat()"},
	{"stringify", "const a = Array.from({length: 100000}, (_, i) => ({i, s: 'x'}));", "for (;;) JSON.stringify(a)"},
	{"parse", "const s = '[' + '{\"a\":1},'.repeat(50000) + '0]';", "for (;;) JSON.parse(s)"},
	{"parse text", "const s = '\"' + 'x'.repeat(8000000) + '\"';", "for (;;) JSON.parse(s)"},
	{"text indexOf", "const s = 'a'.repeat(16000000);", "for (;;) s.indexOf('ab')"},
	{"text indexOf wide", "const s = 'é' + 'a'.repeat(4000000);", "for (;;) s.indexOf('ab')"},
	{"upper", "const s = 'a'.repeat(8000000);", "for (;;) s.toUpperCase()"},
	{"upper wide", "const s = 'é'.repeat(2000000);", "for (;;) s.toUpperCase()"},
	{"split", "const s = 'a,'.repeat(500000);", "for (;;) s.split(',')"},
	{"replaceAll", "const s = 'a,'.repeat(500000);", "for (;;) s.replaceAll(',', ';')"},
	{"replace regex", "const s = 'a,'.repeat(500000);", "for (;;) s.replace(re, ';')"},
	{"regex", "const s = 'a'.repeat(1000000) + 'b';", "for (;;) bad.test(s)"},
	{"normalize", "const s = 'é'.repeat(2000000);", "for (;;) s.normalize('NFD')"},
	{"repeat", "", "for (;;) 'ab'.repeat(10000000)"},
	{"encode", "const s = 'é'.repeat(2000000);", "for (;;) encodeURIComponent(s)"},
	{"localeCompare", "const s = 'a'.repeat(1000000);", "for (;;) s.localeCompare(s)"},
	{"keys", "const o = {}; for (let i = 0; i < 300000; i++) o['k' + i] = i;", "for (;;) Object.keys(o)"},
	{"entries", "const o = {}; for (let i = 0; i < 100000; i++) o['k' + i] = i;", "for (;;) Object.entries(o)"},
	{"set", "const a = Array.from({length: 200000}, (_, i) => i);", "for (;;) new Set(a)"},
	{"set algebra", "const s = new Set(Array.from({length: 200000}, (_, i) => i));", "for (;;) s.union(s)"},
	{"map forEach", "const m = new Map(Array.from({length: 100000}, (_, i) => [i, i]));", "for (;;) m.forEach(Math.abs)"},
	{"clone", "const a = Array.from({length: 50000}, (_, i) => ({i}));", "for (;;) structuredClone(a)"},
	{"spread", "const a = Array.from({length: 500000}, (_, i) => i);", "for (;;) [...a]"},
	{"Math.max", "const a = Array.from({length: 100000}, (_, i) => i);", "for (;;) Math.max(...a)"},
}

// BenchmarkCancel reports how long natives go on after their program was
// cancelled: the worst of several times, in milliseconds.
func BenchmarkCancel(b *testing.B) {
	for _, x := range slow {
		b.Run(x.name, func(b *testing.B) {
			worst := time.Duration(0)
			for b.Loop() {
				for i := range 5 {
					worst = max(worst, cancelled(b, x.setup, x.body, time.Duration(3+4*i)*time.Millisecond))
				}
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// cancelled runs a body, cancels it after some time, and gives how long it took
// to end.
func cancelled(b *testing.B, setup, body string, after time.Duration) time.Duration {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory = 1<<50, 1<<40
	s := newStage(b, l)
	v, err := s.eval("const re = RegExp(',', 'g'), bad = RegExp('(a|a)*$'); " + setup + " (function () { " + body + " })")
	if err != nil {
		b.Fatal(show(v, err))
	}
	f, _ := goja.AssertFunction(v)
	ctx, cancel := context.WithCancel(context.Background())
	s.meter.Reset(ctx, l)
	var at time.Time
	timer := time.AfterFunc(after, func() {
		at = time.Now()
		cancel()
	})
	_, _ = f(goja.Undefined())
	end := time.Now()
	if timer.Stop() || at.IsZero() {
		return 0 // it was done before
	}
	return end.Sub(at)
}
