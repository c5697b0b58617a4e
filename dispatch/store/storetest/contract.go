// Package storetest is what every backend of a store is held to.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Contract holds a backend to its contract. open gives the same store each time:
// its second backend is another process's.
func Contract(t *testing.T, open func(t *testing.T) store.Backend) {
	for _, c := range []struct {
		name string
		test func(*testing.T, func() store.Backend)
	}{
		{"lease", lease}, {"fence", fence}, {"append", appending}, {"group", group}, {"retention", retention}, {"journal", journal}, {"many", many}, {"records", records},
	} {
		t.Run(c.name, func(t *testing.T) {
			// One test's workspaces are not another's.
			c.test(t, func() store.Backend { return open(t) })
		})
	}
}

func claim(t *testing.T, id, holder string) store.Claim {
	return store.Claim{Workspace: t.Name() + id, Holder: holder, TTL: time.Minute, Fresh: store.Header{Seed: 1<<63 + 7, Actor: "ann", Created: time.UnixMilli(1700000000123).UTC()}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func lease(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	a, b := open(), open()
	l, h, err := a.Acquire(ctx, claim(t, "w", "first"))
	must(t, err)
	if l.Token < 1 || l.Last != 0 || h.Seed != 1<<63+7 || h.Actor != "ann" || !h.Created.Equal(time.UnixMilli(1700000000123)) {
		t.Errorf("got %+v, %+v", l, h)
	}
	var held *store.HeldError
	if _, _, err := b.Acquire(ctx, claim(t, "w", "second")); !errors.As(err, &held) || held.Holder != "first" || time.Until(held.Until) < 30*time.Second {
		t.Errorf("a lease that is held was given, or refused with %v", err)
	}
	c := claim(t, "w", "second")
	c.Over, c.Fresh = "another", store.Header{}
	if _, _, err := b.Acquire(ctx, c); !errors.As(err, &held) {
		t.Errorf("the wrong holder was taken for dead: %v", err)
	}
	c.Over = "first"
	l2, h2, err := b.Acquire(ctx, c)
	must(t, err)
	if l2.Token <= l.Token || h2 != h {
		t.Errorf("the second owner got %+v, %+v", l2, h2)
	}
	lost, err := a.Renew(ctx, []store.Lease{l}, time.Minute)
	must(t, err)
	if len(lost) != 1 || lost[0] != l {
		t.Errorf("the first owner lost %v", lost)
	}
	must(t, a.Release(ctx, l)) // it has nothing to give back
	if _, _, err := a.Acquire(ctx, claim(t, "w", "first")); !errors.As(err, &held) {
		t.Errorf("an old owner gave the new one's lease back: %v", err)
	}
	must(t, b.Release(ctx, l2))
	c = claim(t, "w", "third")
	c.TTL = 50 * time.Millisecond
	_, _, err = a.Acquire(ctx, c)
	must(t, err)
	time.Sleep(80 * time.Millisecond)
	if _, _, err = b.Acquire(ctx, claim(t, "w", "fourth")); err != nil {
		t.Errorf("a lease that has expired is still held: %v", err)
	}
}

func batch(l store.Lease, from int64, data ...string) *store.Batch {
	b := &store.Batch{Lease: l}
	for i, d := range data {
		b.Entries = append(b.Entries, store.Entry{Seq: from + int64(i), Data: []byte(d)})
	}
	return b
}

func read(t *testing.T, b store.Backend, id string) []string {
	t.Helper()
	var all []string
	must(t, b.Read(t.Context(), id, func(e store.Entry) error {
		all = append(all, fmt.Sprintf("%d %s %s %v", e.Seq, e.Data, e.Result, e.Blob != nil))
		return nil
	}))
	return all
}

// fence: an owner that was paused cannot write any more.
func fence(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	a, b := open(), open()
	l1, _, err := a.Acquire(ctx, claim(t, "w", "first"))
	must(t, err)
	must(t, a.Append(ctx, []*store.Batch{batch(l1, 1, "one")}))
	c := claim(t, "w", "second")
	c.Over = "first"
	l2, _, err := b.Acquire(ctx, c)
	must(t, err)
	if l2.Last != 1 {
		t.Errorf("the new owner goes on after %d", l2.Last)
	}
	other, _, err := a.Acquire(ctx, claim(t, "other", "first"))
	must(t, err)
	late, good := batch(l1, 2, "late"), batch(other, 1, "good")
	must(t, a.Append(ctx, []*store.Batch{late, good}))
	if !errors.Is(late.Err, store.ErrSuperseded) || good.Err != nil {
		t.Errorf("the late append gave %v, the other %v", late.Err, good.Err)
	}
	must(t, b.Append(ctx, []*store.Batch{batch(l2, 2, "two")}))
	if got := strings.Join(read(t, a, l1.Workspace), "; "); got != "1 one  false; 2 two  false" {
		t.Errorf("the journal is %s", got)
	}
	if got := read(t, b, other.Workspace); len(got) != 1 {
		t.Errorf("the other journal is %v", got)
	}
}

func appending(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	b := open()
	l, _, err := b.Acquire(ctx, claim(t, "w", "first"))
	must(t, err)
	h := store.Hash{1, 2, 3}
	x := batch(l, 1, "one", "two\x00\xff")
	x.Entries[0].Result, x.Entries[1].Blob = []byte(`"r"`), &h
	x.Blobs = map[store.Hash][]byte{h: []byte("large\x00")}
	must(t, b.Append(ctx, []*store.Batch{x}))
	must(t, b.Append(ctx, []*store.Batch{x})) // its answer was lost
	if got := strings.Join(read(t, b, l.Workspace), "; "); got != "1 one \"r\" false; 2 two\x00\xff  true" {
		t.Errorf("the journal is %q", got)
	}
	if data, err := open().Blob(ctx, h); err != nil || !bytes.Equal(data, []byte("large\x00")) {
		t.Errorf("the large result is %q, %v", data, err)
	}
	if _, err := b.Blob(ctx, store.Hash{9}); !errors.Is(err, store.ErrNoBlob) {
		t.Errorf("a result that is not there gave %v", err)
	}
	if got := read(t, b, "nobody's"); got != nil {
		t.Errorf("a workspace that is not there has %v", got)
	}
}

func group(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	b := open()
	var all []*store.Batch
	for i := range 20 {
		l, _, err := b.Acquire(ctx, claim(t, fmt.Sprint(i), "first"))
		must(t, err)
		all = append(all, batch(l, 1, "x"), batch(l, 2, "y", "z"))
	}
	must(t, b.Append(ctx, all))
	for _, x := range all {
		if got := read(t, b, x.Lease.Workspace); len(got) != 3 {
			t.Errorf("%s has %v", x.Lease.Workspace, got)
		}
	}
}

func find(t *testing.T, b store.Backend, id string) (store.Info, bool) {
	t.Helper()
	all, err := b.Workspaces(t.Context())
	must(t, err)
	for _, w := range all {
		if w.ID == id {
			return w, true
		}
	}
	return store.Info{}, false
}

func retention(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	b := open()
	shared, own := store.Hash{7}, store.Hash{8}
	var leases []store.Lease
	for i := range 2 {
		l, _, err := b.Acquire(ctx, claim(t, fmt.Sprint(i), "first"))
		must(t, err)
		x := batch(l, 1, "x", "y")
		x.Entries[0].Blob = &shared
		x.Blobs = map[store.Hash][]byte{shared: []byte("shared")}
		if i == 0 {
			x.Entries[1].Blob = &own
			x.Blobs[own] = []byte("own")
		}
		must(t, b.Append(ctx, []*store.Batch{x}))
		leases = append(leases, l)
	}
	w, ok := find(t, b, leases[0].Workspace)
	if !ok || !w.Held || w.Entries != 2 || w.Bytes != int64(len("xysharedown")) || time.Since(w.Used) > time.Minute || w.Header.Actor != "ann" {
		t.Errorf("the workspace is %+v", w)
	}
	var held *store.HeldError
	if err := b.Drop(ctx, leases[0].Workspace); !errors.As(err, &held) {
		t.Errorf("a workspace in use was dropped: %v", err)
	}
	must(t, b.Release(ctx, leases[0]))
	must(t, b.Drop(ctx, leases[0].Workspace))
	must(t, b.Drop(ctx, leases[0].Workspace)) // it is gone
	if err := b.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Blob(ctx, shared); err != nil {
		t.Errorf("a result that is still named is gone: %v", err)
	}
	if _, ok := find(t, b, leases[0].Workspace); ok || len(read(t, b, leases[0].Workspace)) > 0 {
		t.Error("the workspace is still there")
	}
	l, _, err := b.Acquire(ctx, claim(t, "0", "first"))
	must(t, err)
	if l.Last != 0 {
		t.Errorf("the new workspace of the same name goes on after %d", l.Last)
	}
}

// journal: what is recorded through one store is read through another.
func journal(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	id := t.Name()
	s, err := store.New(open())
	must(t, err)
	j, err := s.Open(ctx, id, "ann")
	must(t, err)
	if _, err := s.Open(ctx, id, "ann"); err == nil {
		t.Error("a workspace was opened twice in one process")
	}
	seed := j.Seed()
	long := strings.Repeat("long ", 1000)
	must(t, j.Program(dispatch.ProgramRecord{ID: 1, Language: "toy", Frame: "repl", Actor: "ann", Source: "x", Limits: sandbox.DefaultLimits(), Began: time.UnixMilli(5)}))
	read := toolfn.Effect{Impact: toolfn.Read}
	write := toolfn.Effect{Impact: toolfn.Write, Idempotent: true}
	must(t, j.Call(dispatch.CallRecord{Program: 1, Index: 2, Order: 2, Function: "read", Effect: read, Outcome: dispatch.Done, Result: []value.Value{long, long}, Clock: []dispatch.Tick{{Millis: 10, Times: 3}, {Millis: 12, Times: 1}}}))
	must(t, j.Call(dispatch.CallRecord{Program: 1, Index: 1, Order: 1, Function: "read", Effect: read, Args: value.Of("n", 1.0), Outcome: dispatch.Done, Result: 2.0, Clock: []dispatch.Tick{{Millis: 12, Times: 1}}}))
	must(t, j.Call(dispatch.CallRecord{Program: 1, Index: 3, Order: 3, Function: "write", Effect: write, Args: value.Of("to", "bob"), Outcome: dispatch.Intended, Line: 4}))
	f := &sandbox.Fault{Kind: sandbox.KindUnknown, Message: "lost.", Hint: "Look.", Cause: &toolfn.CallError{Code: "gone", Message: "lost", Details: value.Of("k", int64(1)), OutcomeUnknown: true}}
	must(t, j.Call(dispatch.CallRecord{Program: 1, Index: 3, Order: 3, Function: "write", Effect: write, Args: value.Of("to", "bob"), Outcome: dispatch.Unsettled, Fault: f, Asked: true}))
	must(t, j.Program(dispatch.ProgramRecord{ID: 1, Ended: true, Fault: sandbox.KindUnknown, Fuel: 99, Digest: 1<<63 + 1, Clock: []dispatch.Tick{{Millis: 13, Times: 2}}}))
	must(t, s.Close())

	s, err = store.New(open())
	must(t, err)
	defer s.Close()
	if _, err := s.Open(ctx, id, "bob"); err == nil {
		t.Error("another actor's workspace was given")
	}
	j, err = s.Open(ctx, id, "ann")
	must(t, err)
	if j.Seed() != seed {
		t.Error("the seed is another one")
	}
	n := 0
	for p, err := range j.Past(ctx) {
		must(t, err)
		n++
		checkPast(t, p, long)
	}
	if n != 1 {
		t.Errorf("there are %d programs", n)
	}
}

func checkPast(t *testing.T, p *dispatch.Past, long string) {
	t.Helper()
	if g := p.Program; g.ID != 1 || g.Language != "toy" || g.Source != "x" || !g.Ended || g.Fault != sandbox.KindUnknown || g.Fuel != 99 || g.Digest != 1<<63+1 || g.Limits.Fuel != sandbox.DefaultLimits().Fuel || g.Withheld {
		t.Errorf("the program is %+v", g)
	}
	if got := fmt.Sprint(p.Clock); got != "[{10 3} {12 1} {12 1} {13 2}]" {
		t.Errorf("the clock is %s", got)
	}
	if len(p.Calls) != 3 {
		t.Fatalf("there are %d calls", len(p.Calls))
	}
	a, b, c := p.Calls[0], p.Calls[1], p.Calls[2]
	if n, _ := a.Args.Get("n"); a.Order != 1 || a.Result != 2.0 || n != 1.0 {
		t.Errorf("the first call is %+v", a)
	}
	if list, _ := b.Result.([]value.Value); len(list) != 2 || list[1] != long {
		t.Errorf("the second call's result is of another size")
	}
	ce := dispatch.CallErrorOf(c.Fault)
	if to, _ := c.Args.Get("to"); to != "bob" || c.Line != 4 || c.Outcome != dispatch.Unsettled || !c.Asked || c.Effect.Impact != toolfn.Write || !c.Effect.Idempotent {
		t.Errorf("the third call is %+v", c)
	}
	if ce == nil || ce.Code != "gone" || !ce.OutcomeUnknown || !value.Equal(ce.Details, value.Of("k", int64(1))) || c.Fault.Hint != "Look." {
		t.Errorf("its fault is %+v, %+v", c.Fault, ce)
	}
}

// many: journals of one store share transactions and do not mix.
func many(t *testing.T, open func() store.Backend) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := store.New(open())
	must(t, err)
	defer s.Close()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			j, err := s.Open(ctx, fmt.Sprint(t.Name(), w), "")
			if err != nil {
				t.Error(err)
				return
			}
			write := toolfn.Effect{Impact: toolfn.Write}
			for p := range 5 {
				id := int64(p + 1)
				_ = j.Program(dispatch.ProgramRecord{ID: id, Source: fmt.Sprint(w)})
				for c := range 6 {
					rec := dispatch.CallRecord{Program: id, Index: c + 1, Order: c + 1, Function: "f", Effect: write, Args: value.Of("w", int64(w))}
					if err := j.Call(rec); err != nil {
						t.Error(err)
					}
					rec.Outcome = dispatch.Done
					rec.Result = int64(c)
					_ = j.Call(rec)
				}
				if err := j.Program(dispatch.ProgramRecord{ID: id, Ended: true}); err != nil {
					t.Error(err)
				}
			}
			programs := 0
			for p, err := range j.Past(ctx) {
				if err != nil {
					t.Error(err)
					return
				}
				programs++
				if len(p.Calls) != 6 || p.Program.Source != fmt.Sprint(w) || p.Calls[5].Result != int64(5) || p.Calls[5].Outcome != dispatch.Done {
					t.Errorf("workspace %d has %+v", w, p)
				}
			}
			if programs != 5 {
				t.Errorf("workspace %d has %d programs", w, programs)
			}
		})
	}
	wg.Wait()
}

// records: results that JSON alone would change come back as they were.
func records(t *testing.T, open func() store.Backend) {
	ctx := t.Context()
	s, err := store.New(open())
	must(t, err)
	defer s.Close()
	j, err := s.Open(ctx, t.Name(), "")
	must(t, err)
	must(t, j.Program(dispatch.ProgramRecord{ID: 1}))
	all := Peculiar()
	for i, v := range all {
		must(t, j.Call(dispatch.CallRecord{Program: 1, Index: i + 1, Order: i + 1, Function: "f", Effect: toolfn.Effect{Impact: toolfn.Read}, Args: value.Of("v", v), Outcome: dispatch.Done, Result: v}))
	}
	staged := dispatch.CallRecord{Program: 1, Index: len(all) + 1, Order: len(all) + 1, Function: "f", Effect: toolfn.Effect{Impact: toolfn.Write}, Args: value.Of("to", "ann"), Outcome: dispatch.Staged, Entry: 7}
	must(t, j.Call(staged))
	for p, err := range j.Past(ctx) {
		must(t, err)
		if s := p.Calls[len(all)]; s.Entry != 7 || s.Outcome != dispatch.Staged || !value.Equal(s.Args, staged.Args) {
			t.Errorf("a staged call came back as %+v", s)
		}
		for i, v := range all {
			arg, _ := p.Calls[i].Args.Get("v")
			if !Same(p.Calls[i].Result, v) || !Same(arg, v) {
				t.Errorf("%#v came back as %#v", v, p.Calls[i].Result)
			}
		}
	}
}
