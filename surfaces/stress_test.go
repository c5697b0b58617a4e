package surfaces_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
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

// crowd is what the workspaces of a stress share: a letter box that is full now
// and then, and a table that any of them changes.
type crowd struct {
	cat    *toolfn.Catalog
	store  *store.Store
	sent   sync.Map // how often each letter was sent
	mu     sync.Mutex
	notes  []*value.Object
	places []*place
}

// place is one workspace. Every second one has a journal, from which it is opened
// again while others work.
type place struct {
	mu      sync.RWMutex // held for writing while it is opened
	ws      *surfaces.Workspace
	session surfaces.Session
	journal *store.Journal
}

func newCrowd(t *testing.T) *crowd {
	c := &crowd{cat: toolfn.NewCatalog()}
	columns := []toolfn.Column{{Name: "key", Type: "text"}, {Name: "n", Type: "bigint"}}
	table := toolfn.ResourceTable{Name: "notes", Columns: columns, Key: []string{"key"}, Volatility: toolfn.Stable, Select: c.read, Insert: c.insert, Delete: c.remove}
	functions, err := toolfn.FnFromTable(&table)
	if err != nil {
		t.Fatal(err)
	}
	items := []toolfn.Item{
		table,
		toolfn.ToolFn{Name: "box__read", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(_ context.Context, a *value.Object) (value.Value, error) { return a, nil }},
		toolfn.ToolFn{Name: "box__send", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: func(_ context.Context, a *value.Object) (value.Value, error) {
			key, _ := a.Get("key")
			n, _ := c.sent.LoadOrStore(key, &atomic.Int64{})
			if n.(*atomic.Int64).Add(1); strings.HasSuffix(key.(string), "3") {
				return nil, errors.New("it is full")
			}
			return key, nil
		}},
	}
	for _, f := range functions {
		items = append(items, f)
	}
	if err := c.cat.Register(items...); err != nil {
		t.Fatal(err)
	}
	if c.store, err = store.New(store.NewMemory()); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *crowd) read(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return toolfn.Rows{Page: append([]*value.Object(nil), c.notes...)}, nil
}

func (c *crowd) insert(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range rows {
		own, _ := value.Copy(r).(*value.Object)
		c.notes = append(c.notes, own)
	}
	c.notes = c.notes[max(0, len(c.notes)-50):]
	return toolfn.Written{Affected: len(rows)}, nil
}

func (c *crowd) remove(_ context.Context, b toolfn.Bindings) (toolfn.Written, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := toolfn.Written{}
	var kept []*value.Object
	for _, r := range c.notes {
		gone := false
		key, _ := r.Get("key")
		for _, k := range b.All("key") {
			gone = gone || value.Equal(k, key)
		}
		if gone {
			w.Affected++
		} else {
			kept = append(kept, r)
		}
	}
	c.notes = kept
	return w, nil
}

// open opens a workspace, again if it is open and has a journal.
func (c *crowd) open(i int, p *place) error {
	var o []surfaces.Option
	if i%2 == 0 {
		if p.ws != nil {
			p.ws.Close()
			if err := p.journal.Close(); err != nil {
				return err
			}
		}
		j, err := c.store.Open(context.Background(), fmt.Sprint("w", i), "")
		if err != nil {
			return err
		}
		p.journal, o = j, append(o, surfaces.WithJournal(j))
	}
	var err error
	if p.ws, err = surfaces.NewWorkspace(c.cat, o...); err != nil {
		return err
	}
	r, err := p.ws.Resume(context.Background(), js.Language())
	if err == nil && len(r.Lost) > 0 {
		err = fmt.Errorf("lost %+v", r.Lost)
	}
	if err == nil {
		p.session, err = p.ws.Open(js.Language())
	}
	return err
}

// work runs one program in one of the workspaces.
func (c *crowd) work(g, n int) error {
	i := (g*7919 + n*104_729) % len(c.places)
	p := c.places[i]
	if n%97 == 0 && i%2 == 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		return c.open(i, p)
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	source := strings.ReplaceAll(stressful[(g+n)%len(stressful)], "KEY", fmt.Sprintf(`"%d/%d"`, g, n))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if strings.HasPrefix(source, "for") {
		ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
	}
	if n%13 == 0 {
		ctx, _ = dispatch.DryRun(ctx)
	}
	if r := p.session.Execute(ctx, source); r.Fault != nil && r.Fault.Kind == sandbox.KindInternal {
		return fmt.Errorf("%s: %w", source, r.Fault)
	}
	return nil
}

var stressful = []string{
	`kept.n + box.read({ n: 2 }).n`,
	`box.send({ key: KEY })`,
	`stage(() => { box.send({ key: KEY + "a" }); box.send({ key: KEY + "b" }) }).staged.length`,
	`commit()`, `commit()`,
	`rollback()`,
	`stage(() => { box.send({ key: KEY + "x" }); null.x })`,
	`(await Promise.all([1, 2, 3].map(n => box.read({ n })))).length`,
	`for (;;) {}`,
	`pending().length`,
	`notes.insert({ rows: [{ key: KEY, n: 1 }, { key: KEY + "t", n: 2 }] }).affected`,
	`notes.select({ where: { n: 1 } }).length + notes.select({}).length`,
	`notes.delete({ where: { key: KEY } }).affected`,
	`stage(() => notes.insert({ rows: [{ key: KEY, n: 3 }] })); notes.select({ where: { n: 3 } }).length`,
	`const rows = box.read({ n: 3 }); var seen; seen = (seen ?? 0) + 1; Date.now() + Math.random()`,
}

// TestStress works on many workspaces from many goroutines: reads, effects, tables,
// stages, commits, rollbacks, dry runs, faults, cancellations, openings from the
// journal. With POLYGLOVE_STRESS set to a duration it works that long on 2,000
// workspaces.
func TestStress(t *testing.T) {
	workspaces, last := 64, 2*time.Second
	if d, err := time.ParseDuration(os.Getenv("POLYGLOVE_STRESS")); err == nil {
		workspaces, last = 2_000, d
	}
	if testing.Short() {
		last = 200 * time.Millisecond
	}
	c := newCrowd(t)
	goroutines := runtime.NumGoroutine()
	before := heap()
	for i := range workspaces {
		p := &place{}
		if err := c.open(i, p); err != nil {
			t.Fatal(err)
		}
		if r := p.session.Execute(t.Context(), `const kept = box.read({ n: 1 }); kept.n`); r.Fault != nil {
			t.Fatal(r.Fault)
		}
		c.places = append(c.places, p)
	}
	idle := heap() - before
	t.Logf("%d idle workspaces, each with a program run: %d KiB of heap each", workspaces, idle/int64(workspaces)>>10)
	var count atomic.Int64
	end := time.Now().Add(last)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				if err := c.work(g, n); err != nil {
					t.Error(err)
					return
				}
				count.Add(1)
			}
		})
	}
	wg.Wait()
	c.sent.Range(func(key, n any) bool {
		if n.(*atomic.Int64).Load() != 1 {
			t.Errorf("%v was sent %d times", key, n.(*atomic.Int64).Load())
		}
		return true
	})
	for _, p := range c.places {
		p.ws.Close()
	}
	if err := c.store.Close(); err != nil {
		t.Error(err)
	}
	c.places, c.store = nil, nil
	c.sent.Clear()
	left := heap() - before
	t.Logf("%d programs; %d KiB of heap left when all are closed", count.Load(), left>>10)
	if left > idle/4 {
		t.Errorf("%d bytes are left of %d", left, idle)
	}
	for range 100 {
		if runtime.NumGoroutine() <= goroutines+8 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", goroutines, runtime.NumGoroutine())
}

// heap is what is in use once everything that nobody holds is gone.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
