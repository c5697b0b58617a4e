package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// world is a catalogue of functions that behave in every way a handler can.
type world struct {
	cat     *toolfn.Catalog
	sent    atomic.Int64
	now     atomic.Int64 // calls of t__slow under way
	most    atomic.Int64 // and the most at once
	order   []string
	orderMu sync.Mutex
	release chan struct{} // lets t__hang and t__hang_write return
}

func (w *world) log(s string) {
	w.orderMu.Lock()
	defer w.orderMu.Unlock()
	w.order = append(w.order, s)
}

func (w *world) logged() string {
	w.orderMu.Lock()
	defer w.orderMu.Unlock()
	return strings.Join(w.order, " ")
}

const anyObject = `{"type":"object"}`

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{cat: toolfn.NewCatalog(), release: make(chan struct{})}
	add := func(name, schema string, call func(context.Context, *value.Object) (value.Value, error), opts ...toolfn.Option) {
		t.Helper()
		f, err := toolfn.DefineRaw(name, json.RawMessage(schema), call, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.cat.Register(f); err != nil {
			t.Fatal(err)
		}
	}
	read, write, destroy, idempotent := toolfn.ReadOnly(), toolfn.Writes(), toolfn.Destroys(), toolfn.Idempotent()

	echo := func(_ context.Context, args *value.Object) (value.Value, error) {
		v, _ := args.Get("v")
		return v, nil
	}
	add("t__echo", `{"type":"object","properties":{"v":{}}}`, echo, read)
	add("t__need", `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`, echo, read)
	add("t__undeclared", anyObject, echo)
	send := func(_ context.Context, args *value.Object) (value.Value, error) {
		w.sent.Add(1)
		to, _ := args.Get("to")
		s, _ := to.(string)
		w.log("send:" + s)
		return value.Of("sent", true), nil
	}
	add("mail__send", `{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to"]}`, send, write)
	add("mail__purge", anyObject, send, destroy)

	fail := func(err error) func(context.Context, *value.Object) (value.Value, error) {
		return func(context.Context, *value.Object) (value.Value, error) { return nil, err }
	}
	add("t__fail", anyObject, fail(errors.New("issue 1401 not found")), read)
	add("t__fail_write", anyObject, fail(errors.New("quota exceeded\nsecond line\x00")), write)
	add("t__fail_long", anyObject, fail(errors.New("start "+strings.Repeat("x", 50_000)+" end")), read)
	add("t__coded", anyObject, fail(&toolfn.CallError{
		Code: "rate_limited", Message: "slow down", Retryable: true,
		Details: map[string]any{"after": 3},
	}), write)
	add("t__unsure", anyObject, fail(&toolfn.CallError{Message: "the connection broke", OutcomeUnknown: true}), write)
	add("t__unsure_read", anyObject, fail(&toolfn.CallError{Message: "the connection broke", OutcomeUnknown: true}), read)
	add("t__unsure_same", anyObject, fail(&toolfn.CallError{Message: "the connection broke", OutcomeUnknown: true}), write, idempotent)
	add("t__gave_up", anyObject, fail(context.DeadlineExceeded), write)
	add("t__refuses", anyObject, fail(&sandbox.Fault{Kind: sandbox.KindArgument, Message: "the number does not fit."}), write)

	panics := func(context.Context, *value.Object) (value.Value, error) { panic(errors.New("secret /etc/path")) }
	add("t__panic", anyObject, panics, read)
	add("t__panic_write", anyObject, panics, write)
	exits := func(context.Context, *value.Object) (value.Value, error) { runtime.Goexit(); return nil, nil }
	add("t__exit", anyObject, exits, read)

	hang := func(context.Context, *value.Object) (value.Value, error) { <-w.release; return "late", nil }
	add("t__hang", anyObject, hang, read)
	add("t__hang_write", anyObject, hang, write)
	polite := func(ctx context.Context, _ *value.Object) (value.Value, error) { <-ctx.Done(); return nil, ctx.Err() }
	add("t__polite", anyObject, polite, read)
	add("t__polite_write", anyObject, polite, write)

	slow := func(ctx context.Context, args *value.Object) (value.Value, error) {
		n := w.now.Add(1)
		defer w.now.Add(-1)
		for {
			most := w.most.Load()
			if n <= most || w.most.CompareAndSwap(most, n) {
				break
			}
		}
		ms, _ := args.Get("ms")
		name, _ := args.Get("name")
		select {
		case <-time.After(time.Duration(ms.(int64)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s, _ := name.(string)
		w.log(s)
		return name, nil
	}
	add("t__slow", `{"type":"object","properties":{"ms":{"type":"integer"},"name":{"type":"string"}},"required":["ms"]}`, slow, read)

	add("t__huge", anyObject, func(context.Context, *value.Object) (value.Value, error) {
		list := make([]value.Value, 100_000)
		for i := range list {
			list[i] = "0123456789"
		}
		return list, nil
	}, write)
	add("t__odd", anyObject, func(context.Context, *value.Object) (value.Value, error) { return make(chan int), nil }, write)
	add("t__deep", anyObject, func(context.Context, *value.Object) (value.Value, error) {
		var v value.Value
		for range 600 {
			v = []value.Value{v}
		}
		return v, nil
	}, read)
	add("t__actor", anyObject, func(ctx context.Context, _ *value.Object) (value.Value, error) { return Actor(ctx), nil }, read)
	return w
}

// account is a run with what a test looks at afterwards.
type account struct {
	*Run
	m       *sandbox.Meter
	journal *Memory
	d       *Dispatcher
}

func small() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Wait = 2 * time.Second
	return l
}

func (w *world) begin(t testing.TB, ctx context.Context, l sandbox.Limits, opts ...Option) *account {
	t.Helper()
	j := NewMemory(0)
	d, err := New(w.cat, append([]Option{WithJournal(j)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sandbox.NewMeter(ctx, l)
	if err != nil {
		t.Fatal(err)
	}
	r := d.Begin(m, Program{Language: "test", Actor: "ann", Source: "…"})
	t.Cleanup(func() { r.End(nil) })
	return &account{r, m, j, d}
}

func fault(t testing.TB, err error) *sandbox.Fault {
	t.Helper()
	var f *sandbox.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got error %v, want a fault", err)
	}
	return f
}

// newFunction is a read that does something and answers with nothing.
func newFunction(name string, do func()) toolfn.ToolFn {
	return toolfn.ToolFn{Name: name, Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) {
		do()
		return nil, nil
	}}
}
