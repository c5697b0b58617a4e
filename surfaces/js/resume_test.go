package js_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// lasting is a world whose workspace is opened again and again.
type lasting struct {
	t       testing.TB
	cat     *toolfn.Catalog
	backend *store.Memory
	calls   atomic.Int64
	ws      *surfaces.Workspace
	closing func()
	setup   []surfaces.Option
	stored  []store.Option
}

func newLasting(t testing.TB) *lasting {
	w := &lasting{t: t, cat: toolfn.NewCatalog(), backend: store.NewMemory()}
	w.add("mail__send", toolfn.Effect{Impact: toolfn.Write}, func(_ context.Context, args *value.Object) (value.Value, error) {
		to, _ := args.Get("to")
		if to == "nobody" {
			return nil, &toolfn.CallError{Code: "no_such_person", Message: "there is no such person", Details: value.Of("to", to)}
		}
		return value.Of("id", w.calls.Load(), "at", 1.0), nil
	})
	w.add("t__rows", toolfn.Effect{Impact: toolfn.Read}, func(_ context.Context, args *value.Object) (value.Value, error) {
		n, _ := args.Get("n")
		k, _ := n.(int64)
		rows := make([]value.Value, k)
		for i := range rows {
			rows[i] = value.Of("id", int64(i), "call", w.calls.Load())
		}
		return rows, nil
	})
	t.Cleanup(func() { w.close() })
	return w
}

func (w *lasting) add(name string, e toolfn.Effect, call func(context.Context, *value.Object) (value.Value, error)) {
	w.t.Helper()
	err := w.cat.Register(toolfn.ToolFn{Name: name, Effect: e, Call: func(ctx context.Context, args *value.Object) (value.Value, error) {
		w.calls.Add(1)
		return call(ctx, args)
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *lasting) close() {
	if w.closing != nil {
		w.closing()
	}
	w.closing = nil
}

// open opens the workspace, again if it was open before, and gives its session.
func (w *lasting) open() (surfaces.Session, *surfaces.Resumed) {
	w.t.Helper()
	return w.openWith(js.Language())
}

func (w *lasting) openWith(languages ...surfaces.Language) (surfaces.Session, *surfaces.Resumed) {
	w.t.Helper()
	w.close()
	s, err := store.New(w.backend, w.stored...)
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := s.Open(w.t.Context(), "w", "")
	if err != nil {
		w.t.Fatal(err)
	}
	ws, err := surfaces.NewWorkspace(w.cat, append(w.setup, surfaces.WithJournal(j))...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.closing = func() { ws.Close(); _ = s.Close() }
	w.ws = ws
	r, err := ws.Resume(w.t.Context(), languages...)
	if err != nil {
		w.t.Fatal(err)
	}
	session, err := ws.Open(js.Language())
	if err != nil {
		w.t.Fatal(err)
	}
	return session, r
}

func shownAs(t testing.TB, res *surfaces.Result) string {
	t.Helper()
	return surfaces.NewRenderer(16<<10, js.Language().Style(), false).Text(res)
}

// Whatever a program's values came from, they are the same after the workspace was
// opened again, and nothing is called for it.
func TestResumeRebuildsWhatWasDefined(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	programs := []string{
		`const rows = t.rows({n: 3}); const sent = mail.send({to: "ann"})`,
		`let n = 0; for (const r of rows) n += r.id; function twice(x) { return 2 * x } const made = new Date()`,
		`const lucky = Math.random(); const when = [Date.now(), Date.now()]`,
		`let why; try { mail.send({to: "nobody"}) } catch (e) { why = [e.message, e.code, e.details.to, e.kind] }`,
		`const all = await Promise.all([1, 2, 3, 40].map(n => t.rows({n}))); const big = t.rows({n: 500})`,
		`let broken = t.rows({n: 1})[0].call; null.x`,
		`broken++; t.nothing()`,
		`const m = new Map([["k", new Set([1n, 2n])]]); n = n + lucky; class P { #x = 7; get x() { return this.#x } } const p = new P()`,
		`del("sent"); let half = 1; while (true) { half++ }`,
	}
	for _, p := range programs {
		s.Execute(t.Context(), p)
	}
	const look = `[rows, n, twice(21), made, lucky, when, why, all.map(a => a.length), big.length, broken, m, p.x, half, vars(), Math.random()]`
	calls := w.calls.Load()
	var before string
	for i := range 4 {
		var r *surfaces.Resumed
		s, r = w.open()
		if len(r.Lost) > 0 || r.Programs != len(programs)+i || len(r.Interrupted) > 0 {
			t.Fatalf("resumed as %+v", r)
		}
		// The look is a program too, and is run again the next time.
		got := shownAs(t, s.Execute(t.Context(), look))
		value, _, _ := strings.Cut(got, "\n")
		if i == 0 {
			before = value
		}
		if head, _, _ := strings.Cut(before, `{"name"`); !strings.HasPrefix(value, head) {
			t.Errorf("opened again it is\n%s\nand was\n%s", value, before)
		}
		if !strings.Contains(got, "note: The process was started again.") {
			t.Errorf("the result says nothing of it: %s", got)
		}
		if got := shownAs(t, s.Execute(t.Context(), `1`)); strings.Contains(got, "note") {
			t.Errorf("it is said twice: %s", got)
		}
		programs = append(programs, "1")
	}
	if w.calls.Load() != calls {
		t.Errorf("resuming made %d calls", w.calls.Load()-calls)
	}
}

// A session that was never interrupted is the measure: the same programs in one
// process give what they give with the process ending after each.
func TestResumeIsNoDifference(t *testing.T) {
	programs := []string{
		`const a = t.rows({n: 2}).map(r => r.id)`,
		`a.push(Math.floor(Math.random() * 1000)); const f = () => a.length; f()`,
		`const t0 = Date.now(); const seen = new Date().toISOString(); seen`,
		`f() + a[2] + t0`,
		`_ + 1`,
		`class A { static n = Math.random(); get n() { return A.n } } const it = [1, 2, 3][Symbol.iterator](); it.next(); it.next().value`,
		`[it.next().value, new A().n, Math.random(), a, _]`,
		`reset()`,
		`[typeof a, Math.random(), Object.keys(this ?? {})]`,
	}
	var at atomic.Int64
	world := func() *lasting {
		w := newLasting(t)
		w.setup = []surfaces.Option{surfaces.WithClock(func() time.Time { return time.UnixMilli(1_700_000_000_000 + at.Load()) })}
		l, _, err := w.backend.Acquire(t.Context(), store.Claim{Workspace: "w", Holder: "x", TTL: time.Minute, Fresh: store.Header{Seed: 99}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.backend.Release(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		return w
	}
	steady, broken := world(), world()
	one, _ := steady.open()
	for _, p := range programs {
		at.Add(1234)
		many, r := broken.open()
		if len(r.Lost) > 0 {
			t.Errorf("lost %+v", r.Lost)
		}
		a, b := one.Execute(t.Context(), p), many.Execute(t.Context(), p)
		a.Notes, b.Notes = nil, nil
		if x, y := shownAs(t, a), shownAs(t, b); x != y || a.Usage.Fuel != b.Usage.Fuel {
			t.Errorf("%s\ngives, opened again,\n%s (%d fuel)\nand else\n%s (%d fuel)", p, y, b.Usage.Fuel, x, a.Usage.Fuel)
		}
	}
}

func TestResumeSaysWhatItCannotRebuild(t *testing.T) {
	secret := func(r store.Record) {
		if r.Call != nil && r.Call.Function == "t__rows" {
			r.Call.Result = "withheld"
		}
	}
	w := newLasting(t)
	w.stored = []store.Option{store.WithRedact(secret)}
	s, _ := w.open()
	for _, p := range []string{`const kept = mail.send({to: "ann"})`, `const rows = t.rows({n: 3}); const count = rows.length`, `const more = count + 1`, `const fine = 5`} {
		if res := s.Execute(t.Context(), p); res.Fault != nil {
			t.Fatal(res.Fault)
		}
	}
	s, r := w.open()
	if len(r.Lost) != 2 || r.Lost[0].Program != 2 || r.Lost[1].Program != 3 || !strings.Contains(r.Lost[0].Reason, "withheld") {
		t.Errorf("lost is %+v", r.Lost)
	}
	got := shownAs(t, s.Execute(t.Context(), `[typeof rows, typeof count, typeof more, kept.at, fine]`))
	for _, want := range []string{`["undefined","undefined","undefined",1,5]`, "Program 2 could not be rebuilt: the result of t__rows was withheld", "Program 3 could not be rebuilt", "The last program ran to its end. It had called nothing."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// A catalogue that has changed is noticed, not papered over.
func TestResumeNoticesAnotherCatalogue(t *testing.T) {
	w := newLasting(t)
	w.add("gone__f", toolfn.Effect{Impact: toolfn.Read}, func(context.Context, *value.Object) (value.Value, error) { return int64(1), nil })
	s, _ := w.open()
	s.Execute(t.Context(), `const x = gone.f(); const y = 2`)
	fresh := newLasting(t)
	fresh.backend = w.backend
	w.close()
	s, r := fresh.open()
	if len(r.Lost) != 1 {
		t.Fatalf("resumed as %+v", r)
	}
	if got := shownAs(t, s.Execute(t.Context(), `typeof x`)); !strings.Contains(got, "Program 1 could not be rebuilt") {
		t.Error(got)
	}
}

// A value that came out differently is gone rather than wrong.
func TestResumeForgetsWhatItCannotTrust(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	s.Execute(t.Context(), `let total = 5; const names = fns().map(f => f.name); const n = names.length`)
	s.Execute(t.Context(), `const fine = total + 1`)
	fresh := newLasting(t)
	fresh.backend = w.backend
	fresh.add("z__more", toolfn.Effect{Impact: toolfn.Read}, func(context.Context, *value.Object) (value.Value, error) { return nil, nil })
	w.close()
	s, r := fresh.open()
	if len(r.Lost) != 2 || !strings.Contains(r.Lost[0].Reason, "other values") {
		t.Fatalf("resumed as %+v", r)
	}
	got := shownAs(t, s.Execute(t.Context(), `[typeof total, typeof names, typeof n, typeof fine]`))
	for _, want := range []string{`["undefined","undefined","undefined","undefined"]`, "Not defined any more: n, names, total."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestResumeComesFirst(t *testing.T) {
	w := newLasting(t)
	st, err := store.New(w.backend)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	j, err := st.Open(t.Context(), "w", "")
	if err != nil {
		t.Fatal(err)
	}
	ws, err := surfaces.NewWorkspace(w.cat, surfaces.WithJournal(j), surfaces.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if ws.Seed() != j.Seed() {
		t.Error("the workspace has a seed of its own")
	}
	if _, err := ws.Open(js.Language()); err == nil {
		t.Error("a workspace with a past was used without it")
	}
}

// BenchmarkResume prints what opening a workspace again takes for each of its
// calls.
func BenchmarkResume(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := newLasting(b)
			s, _ := w.open()
			for i := range n / 10 {
				res := s.Execute(b.Context(), fmt.Sprintf(`let sum%d = 0; for (let i = 0; i < 9; i++) { sum%d += t.rows({n: 20}).length } const sent%d = mail.send({to: "ann"})`, i%100, i%100, i%100))
				if res.Fault != nil {
					b.Fatal(res.Fault)
				}
			}
			b.ResetTimer()
			for b.Loop() {
				if _, r := w.open(); r.Calls != n || len(r.Lost) > 0 {
					b.Fatalf("%+v", r)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
		})
	}
}

var _ dispatch.Recorded = (*store.Journal)(nil)

// What is pending is pending still, and is made once.
func TestResumeKeepsWhatIsPending(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	if res := s.Execute(t.Context(), `const n = 2; stage(() => { mail.send({to: "ann"}); mail.send({to: "bob"}) }); pending().length`); res.Fault != nil {
		t.Fatal(res.Fault)
	}
	s, r := w.open()
	if len(r.Lost) > 0 {
		t.Fatalf("lost %+v", r.Lost)
	}
	if got := shownAs(t, s.Execute(t.Context(), `pending().length + n`)); !strings.HasPrefix(got, "4\n") || !strings.Contains(got, "2 effects are pending") {
		t.Error(got)
	}
	if w.calls.Load() != 0 {
		t.Fatalf("%d calls were made", w.calls.Load())
	}
	if res := s.Execute(t.Context(), `const made = commit(); made.length`); res.Fault != nil {
		t.Fatal(res.Fault)
	}
	for range 2 {
		s, r = w.open()
		if len(r.Lost) > 0 || w.calls.Load() != 2 {
			t.Fatalf("lost %+v, %d calls were made", r.Lost, w.calls.Load())
		}
		if got := shownAs(t, s.Execute(t.Context(), `pending().length`)); !strings.HasPrefix(got, "0\n") {
			t.Error(got)
		}
	}
}

// A program that ran out of memory in the middle of its clock readings is the same
// program when it is run again, and no reading that was not kept reached it.
func TestResumeAfterTooManyClockReadings(t *testing.T) {
	w := newLasting(t)
	limits := sandbox.DefaultLimits()
	limits.Memory = 1 << 20
	var ms atomic.Int64
	w.setup = []surfaces.Option{surfaces.WithLimits(limits), surfaces.WithClock(func() time.Time { return time.UnixMilli(ms.Add(1)) })}
	s, _ := w.open()
	res := s.Execute(t.Context(), "let n = 0, last; while (true) { last = Date.now(); n++ }")
	if res.Fault == nil || res.Fault.Kind != sandbox.KindMemory {
		t.Fatalf("it ended with %v", res.Fault)
	}
	before := shownAs(t, s.Execute(t.Context(), "[n, last]"))
	s, r := w.open()
	if len(r.Lost) > 0 {
		t.Fatalf("lost %+v", r.Lost)
	}
	if after, _, _ := strings.Cut(shownAs(t, s.Execute(t.Context(), "[n, last]")), "\n"); after != before {
		t.Errorf("it was %s and is %s", before, after)
	}
}
