package compile_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/library"
	"github.com/polyglove/polyglove/surfaces/lisp/oracle"
)

// workloads are programs whose first part prepares and whose second is timed.
var workloads = []struct{ name, prepare, run string }{
	{"reduce a million", "", "(reduce + (range 1000000))"},
	{"reduce a function", "", "(reduce (fn [a x] (if (even? x) (+ a x) a)) 0 (range 1000000))"},
	{"loop", "", "(loop [i 0 s 0] (if (< i 1000000) (recur (inc i) (+ s i)) s))"},
	{"function calls", "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))", "(fib 24)"},
	{"filter and map over maps", rows, "(count (map :n (filter #(= (:state %) \"open\") rows)))"},
	{"group-by maps", rows, "(count (group-by :team rows))"},
	{"sort-by", rows, "(count (sort-by :key rows))"},
	{"frequencies", rows, "(count (frequencies (map :key rows)))"},
	{"join texts", "", "(count (clojure.string/join \",\" (map str (range 100000))))"},
	{"build a map", "", "(count (reduce (fn [m i] (assoc m i (* i i))) {} (range 50000)))"},
	{"update-in", "", "(get-in (reduce (fn [m i] (update-in m [(mod i 10) (mod i 7)] (fnil inc 0))) {} (range 50000)) [1 1])"},
}

const rows = `(def rows (mapv (fn [i] {:n i :key (mod (* i 7919) 100003) :state (if (zero? (mod i 3)) "open" "closed") :team (str "t" (mod i 50))}) (range 100000)))`

// BenchmarkAgainstClojure prints, for each workload, our time as a multiple of that
// of a warm Clojure, measured inside its process.
func BenchmarkAgainstClojure(b *testing.B) {
	c := oracle.Start(b)
	for _, w := range workloads {
		b.Run(strings.ReplaceAll(w.name, " ", "-"), func(b *testing.B) {
			theirs := clojureTime(b, c, w.prepare, w.run)
			ours := ourTime(b, w.prepare, w.run)
			b.ReportMetric(ours/theirs, "x-clojure")
			b.ReportMetric(theirs, "clojure-ms")
			b.ReportMetric(ours, "here-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// clojureTime is the median of the last rounds, in milliseconds.
func clojureTime(b *testing.B, c *oracle.Clojure, prepare, run string) float64 {
	a, err := c.Run(prepare + `
(let [once (fn [] (let [t (System/nanoTime)] ` + run + ` (- (System/nanoTime) t)))]
  (dotimes [_ 30] (once))
  (str (/ (nth (sort (repeatedly 15 once)) 7) 1000000.0)))`)
	if err != nil || !a.OK {
		b.Fatal(err, a)
	}
	ms, err := strconv.ParseFloat(strings.Trim(a.Text, `"`), 64)
	if err != nil {
		b.Fatal(err)
	}
	return ms
}

func ourTime(b *testing.B, prepare, run string) float64 {
	m := compile.NewMachine(compile.Host{Library: library.Lookup, Regex: library.Pattern})
	h := &testHost{m: m}
	m.T.Host = h
	limits := sandbox.DefaultLimits()
	limits.Fuel, limits.Memory = 1<<40, 1<<33
	execute := func(src string) (data.Value, time.Duration) {
		meter, err := sandbox.NewMeter(context.Background(), limits)
		if err != nil {
			b.Fatal(err)
		}
		m.Begin(meter)
		p, f := m.Compile(src)
		if f != nil {
			b.Fatal(f)
		}
		start := time.Now()
		v, f := p.Run()
		if f != nil {
			b.Fatal(f)
		}
		return v, time.Since(start)
	}
	if prepare != "" {
		execute(prepare)
	}
	var times []time.Duration
	for range 11 {
		v, took := execute(run)
		_ = fmt.Sprint(v)
		times = append(times, took)
	}
	best := times[0]
	for _, t := range times {
		best = min(best, t)
	}
	return float64(best) / float64(time.Millisecond)
}
