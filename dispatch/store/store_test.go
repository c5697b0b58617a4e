package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func opened(t *testing.T, b Backend, o ...Option) (*Store, *Journal) {
	t.Helper()
	s, err := New(b, o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	j, err := s.Open(t.Context(), "w", "")
	if err != nil {
		t.Fatal(err)
	}
	return s, j
}

func past(t *testing.T, j *Journal) []*dispatch.Past {
	t.Helper()
	var all []*dispatch.Past
	for p, err := range j.Past(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		q := *p
		all = append(all, &q)
	}
	return all
}

var write = toolfn.Effect{Impact: toolfn.Write}

// flaky is a backend whose appends fail as it is told.
type flaky struct {
	*Memory
	fails atomic.Int64 // how many more
	err   error
	tries atomic.Int64
}

func (f *flaky) Append(ctx context.Context, b []*Batch) error {
	f.tries.Add(1)
	if f.fails.Add(-1) >= 0 {
		return f.err
	}
	return f.Memory.Append(ctx, b)
}

func TestPassingTroubleIsWaitedOut(t *testing.T) {
	f := &flaky{Memory: NewMemory(), err: errors.New("the connection broke")}
	_, j := opened(t, f)
	_ = j.Program(dispatch.ProgramRecord{ID: 1})
	f.fails.Store(3)
	if err := j.Call(dispatch.CallRecord{Program: 1, Index: 1, Order: 1, Function: "f", Effect: write}); err != nil {
		t.Errorf("the intention was not recorded: %v", err)
	}
	if f.tries.Load() != 4 || len(past(t, j)[0].Calls) != 1 {
		t.Errorf("%d tries", f.tries.Load())
	}
}

// Once a record is lost nothing is recorded, even if the backend is well again:
// a journal has no gaps.
func TestLostRecordEndsTheJournal(t *testing.T) {
	f := &flaky{Memory: NewMemory(), err: permanentError{}}
	_, j := opened(t, f)
	_ = j.Program(dispatch.ProgramRecord{ID: 1, Ended: false})
	_ = j.Flush()
	f.fails.Store(1)
	rec := dispatch.CallRecord{Program: 1, Index: 1, Order: 1, Function: "f", Effect: write}
	if err := j.Call(rec); err == nil {
		t.Error("an intention that was not recorded was said to be")
	}
	for range 3 {
		if err := j.Call(rec); err == nil {
			t.Error("the journal goes on after a gap")
		}
	}
	if err := j.Program(dispatch.ProgramRecord{ID: 1, Ended: true}); err == nil || j.Err() == nil {
		t.Error("the journal goes on after a gap")
	}
	n := 0
	_ = f.Read(t.Context(), "w", func(Entry) error { n++; return nil })
	if n != 1 {
		t.Errorf("there are %d records", n)
	}
}

type permanentError struct{}

func (permanentError) Error() string   { return "the disk is full" }
func (permanentError) Permanent() bool { return true }

// A gap that somebody made is found.
func TestGapIsFound(t *testing.T) {
	m := NewMemory()
	s, j := opened(t, m)
	_ = j.Program(dispatch.ProgramRecord{ID: 1})
	_ = j.Program(dispatch.ProgramRecord{ID: 1, Ended: true})
	m.workspaces["w"].entries[1].Seq = 3
	for _, err := range j.Past(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "gap") {
			t.Errorf("got %v", err)
		}
	}
	_ = s
}

func TestRedact(t *testing.T) {
	args, result := value.Of("password", "hush", "n", int64(1)), value.Of("token", "hush", "ok", true)
	_, j := opened(t, NewMemory(), WithRedact(func(r Record) {
		switch {
		case r.Program != nil && strings.Contains(r.Program.Source, "hush"):
			r.Program.Source = strings.ReplaceAll(r.Program.Source, "hush", "…")
		case r.Call != nil && r.Call.Function == "login":
			r.Call.Args.Set("password", "…")
		case r.Call != nil && r.Call.Function == "token":
			if o, ok := r.Call.Result.(*value.Object); ok {
				o.Delete("token")
			}
		case r.Call != nil && r.Call.Function == "fails" && r.Call.Fault != nil:
			r.Call.Fault.Message = "…"
		case r.Call != nil && r.Call.Function == "panics":
			panic("a defect of the host's")
		}
	}))
	_ = j.Program(dispatch.ProgramRecord{ID: 1, Source: "login('hush')"})
	_ = j.Program(dispatch.ProgramRecord{ID: 2, Source: "fine"})
	fault := &sandbox.Fault{Kind: sandbox.KindCapability, Message: "hush"}
	for i, fn := range []string{"login", "token", "fails", "panics", "plain"} {
		rec := dispatch.CallRecord{Program: 2, Index: i + 1, Order: i + 1, Function: fn, Effect: write, Args: args, Outcome: dispatch.Intended}
		if err := j.Call(rec); err != nil {
			t.Fatal(err)
		}
		rec.Outcome, rec.Result = dispatch.Done, result
		if fn == "fails" {
			rec.Outcome, rec.Result, rec.Fault = dispatch.Failed, nil, fault
		}
		if err := j.Call(rec); err != nil {
			t.Fatal(err)
		}
	}
	all := past(t, j)
	if p := all[0].Program; !p.Withheld || strings.Contains(p.Source, "hush") || all[1].Program.Withheld {
		t.Errorf("programs are %+v, %+v", p, all[1].Program)
	}
	for i, want := range []string{"args", "result", "result", "args result", ""} {
		c := all[1].Calls[i]
		var got []string
		if c.ArgsWithheld {
			got = append(got, "args")
		}
		if c.Withheld {
			got = append(got, "result")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %s is withheld %v, want %s", c.Function, got, want)
		}
	}
	if n, _ := args.Get("password"); n != "hush" || result.Len() != 2 || fault.Message != "hush" {
		t.Error("redacting changed what the program has")
	}
}

func TestRetentionChooses(t *testing.T) {
	now := time.Now()
	info := func(id string, age time.Duration, bytes int64, held bool) Info {
		return Info{ID: id, Used: now.Add(-age), Bytes: bytes, Held: held}
	}
	all := []Info{info("a", 50*time.Hour, 10, false), info("b", 40*time.Hour, 20, true), info("c", 30*time.Hour, 30, false), info("d", time.Hour, 40, false)}
	for _, c := range []struct {
		keep Retention
		want string
	}{
		{Retention{}, "[]"},
		{Retention{Age: 35 * time.Hour}, "[a]"},
		{Retention{Age: 2 * time.Hour}, "[a c]"},
		{Retention{Bytes: 100}, "[]"},
		{Retention{Bytes: 99}, "[a]"},
		{Retention{Bytes: 65}, "[a c]"},
		{Retention{Bytes: 1}, "[a c d]"},
		{Retention{Workspaces: 3}, "[a]"},
		{Retention{Workspaces: 2}, "[a c]"},
		{Retention{Workspaces: 1, Bytes: 1000}, "[a c d]"},
	} {
		if got := fmt.Sprint(c.keep.over(all, now)); got != c.want {
			t.Errorf("%+v drops %s, want %s", c.keep, got, c.want)
		}
	}
}

func TestRetainDropsResultsToo(t *testing.T) {
	m := NewMemory()
	s, j := opened(t, m, WithRetention(Retention{Workspaces: 1}))
	_ = j.Program(dispatch.ProgramRecord{ID: 1})
	_ = j.Call(dispatch.CallRecord{Program: 1, Index: 1, Order: 1, Function: "f", Effect: toolfn.Effect{Impact: toolfn.Read}, Outcome: dispatch.Done, Result: strings.Repeat("x", 10_000)})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if len(m.blobs) != 1 {
		t.Fatalf("%d large results", len(m.blobs))
	}
	if _, err := s.Open(t.Context(), "other", ""); err != nil {
		t.Fatal(err)
	}
	if err := s.Retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(m.blobs) != 0 || len(m.workspaces) != 1 {
		t.Errorf("%d results, %d workspaces are left", len(m.blobs), len(m.workspaces))
	}
}

func TestDeadHoldersAreKnown(t *testing.T) {
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(newHolder(), " ")
	for holder, want := range map[string]bool{
		fmt.Sprintf("%d %s", c.Process.Pid, rest):         true,
		fmt.Sprintf("%d 00 elsewhere.net", c.Process.Pid): false,
		newHolder(): false,
		"1 " + rest: false,
		"nonsense":  false,
		"":          false,
	} {
		if dead(holder) != want {
			t.Errorf("%q: dead is %v", holder, !want)
		}
	}
}

// A lease that was lost is noticed without a write.
func TestLostLeaseIsNoticed(t *testing.T) {
	m := NewMemory()
	_, j := opened(t, m, WithLease(40*time.Millisecond))
	if _, _, err := m.Acquire(t.Context(), Claim{Workspace: "w", Holder: "another", Over: j.lease.Holder, TTL: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if errors.Is(j.Err(), ErrSuperseded) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("it was not noticed")
}

func FuzzExact(f *testing.F) {
	for _, s := range []string{`1`, `1.0`, `"a"`, `{"\u0001float":"NaN"}`, `[{"\u0001object":[["a",1]]}]`, `{"a":{"\u0001bytes":"/w=="}}`, `-0.0`, `1e400`, `{"\u0001x":1,"b":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := value.Decode(data)
		if err != nil {
			return
		}
		text, err := appendExact(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeExact(text)
		if err != nil {
			t.Fatalf("%s cannot be read: %v", text, err)
		}
		again, err := appendExact(nil, back)
		if err != nil || string(again) != string(text) || !value.Equal(v, back) {
			t.Errorf("%s came back as %s", text, again)
		}
	})
}

// A record that is damaged is an error, never a panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"t":"call","program":1,"outcome":"done","args":{"a":1},"clock":[1,2],"fault":{"kind":"x","call":true,"details":1}}`), []byte(`1`))
	f.Add([]byte(`{"t":"end","id":1,"fault":"fuel"}`), []byte(nil))
	f.Add([]byte(`{"t":"call","program":1,"outcome":"gone","clock":[1]}`), []byte(`{`))
	f.Fuzz(func(_ *testing.T, data, result []byte) {
		h := history{by: map[int64]*chapter{}}
		_ = h.read(Entry{Seq: 1, Data: []byte(`{"t":"begin","id":1}`)})
		_ = h.read(Entry{Seq: 2, Data: data, Result: result})
	})
}

// slow is a backend that takes its time to give a workspace back.
type slow struct {
	*Memory
	released, goOn chan struct{}
}

func (s *slow) Release(ctx context.Context, l Lease) error {
	close(s.released)
	<-s.goOn
	return s.Memory.Release(ctx, l)
}

// A workspace that this process is just giving back is waited for.
func TestOpenWaitsForAClosingJournal(t *testing.T) {
	b := &slow{NewMemory(), make(chan struct{}), make(chan struct{})}
	s, j := opened(t, b)
	var held *HeldError
	if _, err := s.Open(t.Context(), "w", ""); !errors.As(err, &held) {
		t.Fatalf("one that is open gave %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- j.Close() }()
	<-b.released
	short, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := s.Open(short, "w", ""); !errors.As(err, &held) {
		t.Fatalf("one that does not end closing gave %v", err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := s.Open(t.Context(), "w", "")
		got <- err
	}()
	close(b.goOn)
	if err := errors.Join(<-ended, <-got); err != nil {
		t.Fatal(err)
	}
	b.released = make(chan struct{}) // for the end of the test
}
