package dispatch

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestServerLimitsRefuseNonsense(t *testing.T) {
	if _, err := NewServerLimits(map[string]ServerLimit{"a": {Concurrency: -1}}); err == nil {
		t.Error("a negative limit was taken")
	}
}

// Calls of several workspaces share a server's limit; other servers are not
// held up.
func TestServerConcurrencyIsShared(t *testing.T) {
	limits, err := NewServerLimits(map[string]ServerLimit{"one": {Concurrency: 2}})
	if err != nil {
		t.Fatal(err)
	}
	var now, most atomic.Int64
	cat := toolfn.NewCatalog()
	work := func(ctx context.Context, _ *value.Object) (value.Value, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		return nil, nil
	}
	if err := cat.Register(toolfn.ToolFn{Name: "one__work", Server: "one", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: work}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			d, err := New(cat, WithServerLimits(limits))
			if err != nil {
				t.Error(err)
				return
			}
			m, _ := sandbox.NewMeter(t.Context(), sandbox.DefaultLimits())
			r := d.Begin(m, Program{})
			defer r.End(nil)
			for range 4 {
				if _, err := r.Call(Call{Function: "one__work"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if most.Load() != 2 {
		t.Errorf("%d calls at once, want 2", most.Load())
	}
}

// The rate spaces calls out, after a burst that a pause has saved up.
func TestServerRate(t *testing.T) {
	s := &serverLane{limit: ServerLimit{Rate: 10, Burst: 3}}
	now := time.Unix(1000, 0)
	var waits []string
	for range 5 {
		wait, ok := s.turn(now, time.Minute)
		if !ok {
			t.Fatal("no turn")
		}
		waits = append(waits, wait.String())
	}
	if got := strings.Join(waits, " "); got != "0s 0s 0s 100ms 200ms" {
		t.Error(got)
	}
	if _, ok := s.turn(now, 100*time.Millisecond); ok {
		t.Error("a turn that comes too late was given")
	}
	if wait, _ := s.turn(now.Add(time.Hour), time.Minute); wait != 0 {
		t.Errorf("after a pause the wait is %s", wait)
	}
}

// A write whose turn does not come has not been made, and is told so, whether its
// time runs out or the program is cancelled.
func TestEffectThatWaitedForItsTurnIsNotUnknown(t *testing.T) {
	limits, _ := NewServerLimits(map[string]ServerLimit{AnyServer: {Concurrency: 1}})
	w := newWorld(t)
	hold := make(chan struct{})
	held, release := context.WithCancel(t.Context())
	if err := w.cat.Register(
		toolfn.ToolFn{Name: "s__hold", Server: "s", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: func(context.Context, *value.Object) (value.Value, error) {
			close(hold)
			<-held.Done()
			return nil, nil
		}},
		toolfn.ToolFn{Name: "s__send", Server: "s", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: func(context.Context, *value.Object) (value.Value, error) {
			w.sent.Add(1)
			return nil, nil
		}}); err != nil {
		t.Fatal(err)
	}
	other := w.begin(t, t.Context(), sandbox.DefaultLimits(), WithServerLimits(limits))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = other.Call(Call{Function: "s__hold"})
	}()
	<-hold
	l := small()
	l.Wait = 100 * time.Millisecond
	r := w.begin(t, t.Context(), l, WithServerLimits(limits))
	_, err := r.Call(Call{Function: "s__send"})
	if f := fault(t, err); f.Kind != sandbox.KindCapability || !strings.Contains(f.Message, "was not called") {
		t.Errorf("its turn did not come: %+v", f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l.Wait = time.Minute
	r = w.begin(t, ctx, l, WithServerLimits(limits))
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = r.Call(Call{Function: "s__send"})
	if f := fault(t, err); f.Kind != sandbox.KindCancelled || strings.Contains(r.FiredNote(), "not known") {
		t.Errorf("cancelled: %+v, %s", f, r.FiredNote())
	}
	release()
	<-done
	if w.sent.Load() != 0 {
		t.Error("it was made all the same")
	}
}

// A limit is by the configured name of a server, whatever programs call it, and
// holds for the tables that came with it.
func TestServerLimitsByConfiguredName(t *testing.T) {
	cat := toolfn.NewCatalog()
	read := toolfn.ToolFn{Name: "list", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) { return nil, nil }}
	first, _ := cat.Adopt(toolfn.Server{Name: "git", UpstreamName: "one"}, read)
	second, _ := cat.Adopt(toolfn.Server{Name: "git", UpstreamName: "two"}, read)
	third, _ := cat.Adopt(toolfn.Server{Name: "my__git", UpstreamName: "three"}, read)
	if first == second || third == "my__git" {
		t.Fatalf("they are called %s, %s and %s", first, second, third)
	}
	cat.AdoptTables(second, toolfn.ResourceTable{
		Name: "commits", Columns: []toolfn.Column{{Name: "id", Type: "text"}},
		Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{}, nil },
	})
	limits, err := NewServerLimits(map[string]ServerLimit{"two": {Concurrency: 1}, "three": {Concurrency: 1}, "git": {Concurrency: 1}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(cat, WithServerLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := sandbox.NewMeter(t.Context(), sandbox.DefaultLimits())
	r := d.Begin(m, Program{})
	defer r.End(nil)
	for _, f := range []string{first, second, third} {
		if _, err := r.Call(Call{Function: f + "__list"}); err != nil {
			t.Fatal(err)
		}
	}
	lanes := func() string {
		limits.mu.Lock()
		defer limits.mu.Unlock()
		return strings.Join(slices.Sorted(maps.Keys(limits.lanes)), " ")
	}
	if got := lanes(); got != "three two" {
		t.Errorf("limits were asked for %s", got)
	}
	clear(limits.lanes)
	if _, err := r.Select(Query{Table: "commits"}); err != nil {
		t.Fatal(err)
	}
	if got := lanes(); got != "two" {
		t.Errorf("for the table, limits were asked for %q", got)
	}
}
