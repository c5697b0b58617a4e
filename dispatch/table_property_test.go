package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// laggard is a server whose reads show its writes late, but in order: a read
// shows the effect of the first so many.
type laggard struct {
	mu      sync.Mutex
	effects []func([]*value.Object) []*value.Object
	shown   int // effects that reads show
	next    int64
	ids     bool                 // inserts are told what was assigned
	fail    func() (bool, error) // whether the next write takes effect, and its error
	reads   int
}

func (s *laggard) state(effects int) []*value.Object {
	var rows []*value.Object
	for _, e := range s.effects[:effects] {
		rows = e(rows)
	}
	return rows
}

// truth is what there really is.
func (s *laggard) truth() []*value.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state(len(s.effects))
}

func (s *laggard) catchUp(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = min(len(s.effects), s.shown+by)
}

func (s *laggard) write(effect func([]*value.Object) []*value.Object) error {
	takes, err := true, error(nil)
	if s.fail != nil {
		takes, err = s.fail()
	}
	if takes {
		s.effects = append(s.effects, effect)
	}
	return err
}

func (s *laggard) table(v toolfn.Volatility) toolfn.ResourceTable {
	return toolfn.ResourceTable{
		Name: "issues", Key: []string{"id"}, Volatility: v,
		Columns: []toolfn.Column{
			{Name: "id", Type: "bigint", ReadOnly: true, Pushdown: toolfn.PushEqual},
			{Name: "repo", Type: "text", Pushdown: toolfn.PushEqual},
			{Name: "title", Type: "text"},
			{Name: "state", Type: "text", Pushdown: toolfn.PushEqual},
		},
		Select: func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.reads++
			var page []*value.Object
			for _, row := range s.state(s.shown) {
				if admitsRow(b, row, b.Columns()) {
					page = append(page, row)
				}
			}
			half := len(page) / 2
			return toolfn.Rows{Page: page[:half], Next: func(context.Context) (toolfn.Rows, error) { return toolfn.Rows{Page: page[half:]}, nil }}, nil
		},
		Insert: func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.next++
			row := value.Of("id", s.next)
			for k, v := range rows[0].All() {
				row.Set(k, v)
			}
			err := s.write(func(rows []*value.Object) []*value.Object { return append(rows[:len(rows):len(rows)], row) })
			if err != nil {
				return toolfn.Written{}, err
			}
			w := toolfn.Written{Affected: 1}
			if s.ids {
				w.Rows = []*value.Object{row}
			}
			return w, nil
		},
		Update: func(_ context.Context, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return toolfn.Written{Affected: -1}, s.write(func(rows []*value.Object) []*value.Object {
				out := make([]*value.Object, len(rows))
				for i, row := range rows {
					if out[i] = row; admitsRow(b, row, b.Columns()) {
						out[i], _ = value.Copy(row).(*value.Object)
						for k, v := range set.All() {
							out[i].Set(k, v)
						}
					}
				}
				return out
			})
		},
		Delete: func(_ context.Context, b toolfn.Bindings) (toolfn.Written, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return toolfn.Written{Affected: -1}, s.write(func(rows []*value.Object) []*value.Object {
				var out []*value.Object
				for _, row := range rows {
					if !admitsRow(b, row, b.Columns()) {
						out = append(out, row)
					}
				}
				return out
			})
		},
	}
}

// course is one random course of reads and writes, held against the truth.
type course struct {
	*opened
	rng     *rand.Rand
	server  *laggard
	r       *Run
	known   []int64 // keys that the program has read
	told    []string
	partial int
	reads   int
}

func (h *course) pick(words ...string) string { return words[h.rng.IntN(len(words))] }

func (h *course) tell(format string, args ...any) {
	h.told = append(h.told, fmt.Sprintf(format, args...))
}

// bag writes rows as a multiset, without keys where the program cannot know them.
func bag(rows []*value.Object, keys bool) string {
	var out []string
	for _, row := range rows {
		text := ""
		for _, c := range []string{"repo", "title", "state"} {
			v, _ := row.Get(c)
			text += fmt.Sprint(v, " ")
		}
		if keys {
			v, _ := row.Get("id")
			text += fmt.Sprint(v)
		}
		out = append(out, text)
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

// some gives a random condition.
func (h *course) some() Where {
	w := where()
	if h.rng.IntN(3) == 0 {
		w = w.and("repo", h.pick("web", "api"))
	}
	if h.rng.IntN(3) == 0 {
		w = w.and("state", h.pick("open", "closed"))
	}
	if h.rng.IntN(8) == 0 {
		w = Where{Bindings: w.Bindings.With("state", "open", "closed")}
	}
	if title := h.pick("a", "b", "c"); h.rng.IntN(4) == 0 {
		w.Rest = condition("title", func(v value.Value) bool { return v == title })
	}
	return w
}

func (h *course) truth(w Where) []*value.Object {
	var out []*value.Object
	for _, row := range h.server.truth() {
		if !admitsRow(w.Bindings, row, w.Bindings.Columns()) {
			continue
		}
		if w.Rest != nil {
			if ok, _ := w.Rest.Holds(row); !ok {
				continue
			}
		}
		out = append(out, row)
	}
	return out
}

// read compares what a program reads with the truth.
func (h *course) read(w Where) error {
	got, err := h.r.Select(Query{Table: "issues", Where: w})
	if err != nil {
		return err
	}
	h.reads++
	for _, row := range got.Rows {
		if id, ok := row.Get("id"); ok {
			h.known = append(h.known, id.(int64))
		}
	}
	if got.Partial != "" {
		h.partial++
		h.tell("read: partial: %s", got.Partial)
		return nil
	}
	have, want := bag(got.Rows, h.server.ids), bag(h.truth(w), h.server.ids)
	h.tell("read %s: %s", shown(w.Bindings), have)
	if have != want {
		return fmt.Errorf("read %s, want %s", have, want)
	}
	return nil
}

// step does one thing at random.
func (h *course) step() error {
	switch h.rng.IntN(10) {
	case 0, 1, 2:
		row := value.Of("repo", h.pick("web", "api"), "title", h.pick("a", "b", "c"), "state", h.pick("open", "closed"))
		h.tell("insert %s", shownRow(row))
		return h.wrote(h.r.Insert(Insertion{Table: "issues", Rows: []*value.Object{row, row}[:1+h.rng.IntN(2)]}))
	case 3, 4:
		set := value.Of(h.pick("title", "state"), "")
		if set.Has("title") {
			set.Set("title", h.pick("a", "b", "c"))
		} else {
			set.Set("state", h.pick("open", "closed"))
		}
		w := h.target()
		h.tell("update %s set %s", shown(w.Bindings), shownRow(set))
		return h.wrote(h.r.Update(Change{Table: "issues", Set: set, Where: w, All: true}))
	case 5:
		w := h.target()
		h.tell("delete %s", shown(w.Bindings))
		return h.wrote(h.r.Delete(Removal{Table: "issues", Where: w, All: true}))
	case 6:
		n := h.rng.IntN(4)
		h.tell("the server catches up by %d", n)
		h.server.catchUp(n)
		return nil
	case 7:
		h.tell("another program")
		h.r.End(nil)
		h.r = h.run()
		return nil
	}
	return h.read(h.some())
}

// target names rows to write: one by its key, or those of a condition.
func (h *course) target() Where {
	if len(h.known) > 0 && h.rng.IntN(2) == 0 {
		return where("id", h.known[h.rng.IntN(len(h.known))])
	}
	return h.some()
}

// wrote takes the errors that a write may have: the server's own, and that a row
// has no key yet.
func (h *course) wrote(w *Wrote, err error) error {
	var f *sandbox.Fault
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &f):
		return err
	case strings.Contains(f.Message, "the server is busy"):
		h.tell("failed")
	case f.Kind == sandbox.KindArgument && strings.Contains(f.Message, "has no id yet"):
		h.tell("refused: no key yet")
	case f.Kind == sandbox.KindCalls:
		h.r.End(nil)
		h.r = h.run()
	default:
		return err
	}
	return nil
}

// TestReadsEqualTheTruth runs random histories against a server that shows
// writes late. Whatever a program reads is what there is, with all its own
// writes, or the read says that it cannot tell.
func TestReadsEqualTheTruth(t *testing.T) {
	histories := 10_000 / slowdown
	if testing.Short() {
		histories /= 10
	}
	reads, partial := 0, 0
	for seed := range histories {
		h := newHistory(t, uint64(seed))
		err := h.read(where())
		for n := 8 + h.rng.IntN(16); n > 0 && err == nil; n-- {
			err = h.step()
		}
		if err == nil {
			h.server.catchUp(1000)
			h.tell("the server shows everything")
			err = h.read(where())
		}
		h.r.End(nil)
		if err != nil {
			t.Fatalf("history %d: %v\n%s", seed, err, strings.Join(h.told, "\n"))
		}
		reads, partial = reads+h.reads, partial+h.partial
	}
	t.Logf("%d histories, %d reads, of which %d could not tell", histories, reads, partial)
	if partial*20 > reads {
		t.Errorf("%d of %d reads could not tell: that is no use", partial, reads)
	}
}

func newHistory(t *testing.T, seed uint64) *course {
	h := &course{rng: rand.New(rand.NewPCG(seed, 1)), server: &laggard{}}
	h.server.ids = h.rng.IntN(2) == 0
	if h.rng.IntN(2) == 0 {
		h.server.fail = func() (bool, error) {
			if h.rng.IntN(6) == 0 {
				return false, &toolfn.CallError{Message: "the server is busy"}
			}
			return true, nil
		}
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	table := h.server.table(toolfn.Volatility(h.rng.IntN(3)))
	h.opened = open(t, table, WithClock(func() time.Time { return now }))
	h.many = true
	for range h.rng.IntN(4) {
		row := value.Of("id", int64(0), "repo", h.pick("web", "api"), "title", h.pick("a", "b", "c"), "state", h.pick("open", "closed"))
		h.server.next++
		row.Set("id", h.server.next)
		h.server.effects = append(h.server.effects, func(rows []*value.Object) []*value.Object { return append(rows[:len(rows):len(rows)], row) })
	}
	h.server.catchUp(1000)
	h.r = h.run()
	return h
}

// TestUnknownOutcomesAreSaid runs histories in which a write may or may not have
// taken place: from then on every read says so.
func TestUnknownOutcomesAreSaid(t *testing.T) {
	for seed := range 500 / slowdown {
		h := newHistory(t, uint64(seed))
		lost := false
		h.server.fail = func() (bool, error) {
			if h.rng.IntN(4) == 0 {
				lost = true
				return h.rng.IntN(2) == 0, &toolfn.CallError{Message: "the connection broke", OutcomeUnknown: true}
			}
			return true, nil
		}
		err := h.read(where())
		for n := 20; n > 0 && (err == nil || lost); n-- {
			before := h.partial
			if lost {
				if err = h.read(h.some()); err != nil || h.partial == before {
					t.Fatalf("history %d: a read after a lost write says nothing: %v\n%s", seed, err, strings.Join(h.told, "\n"))
				}
				continue
			}
			err = h.step()
		}
		h.r.End(nil)
		if err != nil && !lost {
			t.Fatalf("history %d: %v\n%s", seed, err, strings.Join(h.told, "\n"))
		}
	}
}

// TestTablesUnderManyPrograms lets programs of one workspace read and write at
// once; in the end they all see the same.
func TestTablesUnderManyPrograms(t *testing.T) {
	for _, v := range []toolfn.Volatility{toolfn.Volatile, toolfn.Stable, toolfn.Immutable} {
		h := newHistory(t, uint64(v))
		h.server.fail, h.server.ids = nil, true
		o := open(t, h.server.table(v))
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				rng := rand.New(rand.NewPCG(uint64(g), 2))
				for i := range 40 {
					r := o.run()
					row := value.Of("repo", "web", "title", fmt.Sprint(g, "-", i), "state", "open")
					if _, err := r.Insert(Insertion{Table: "issues", Rows: []*value.Object{row}}); err != nil {
						t.Error(err)
					}
					w := where("title", fmt.Sprint(g, "-", i))
					if got, err := r.Select(Query{Table: "issues", Where: w}); err != nil || len(got.Rows) != 1 {
						t.Errorf("%v: a program does not see its own row", err)
					}
					if rng.IntN(2) == 0 {
						if w, err := r.Delete(Removal{Table: "issues", Where: w}); err != nil || w.Affected != 1 {
							t.Errorf("%v %v", w, err)
						}
					}
					if rng.IntN(3) == 0 {
						h.server.catchUp(rng.IntN(5))
					}
					if rng.IntN(9) == 0 {
						o.d.ForgetTable("nothing")
					}
					r.End(nil)
				}
			}()
		}
		wg.Wait()
		h.server.catchUp(1 << 30)
		got := mustSelect(t, o.run(), Query{Table: "issues"})
		if have, want := bag(got.Rows, true), bag(h.server.truth(), true); have != want {
			t.Errorf("%s: in the end\n%s, want\n%s", v, have, want)
		}
	}
}
