package dispatch

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// recorder is a journal that keeps everything, and refuses what it is told to.
type recorder struct {
	mu       sync.Mutex
	programs []ProgramRecord
	calls    []CallRecord
	refuse   func(CallRecord) error
}

func (j *recorder) Program(r ProgramRecord) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.programs = append(j.programs, r)
	return nil
}

func (j *recorder) Call(r CallRecord) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refuse != nil {
		if err := j.refuse(r); err != nil {
			return err
		}
	}
	j.calls = append(j.calls, r)
	return nil
}

func TestJournalRecordsTheIntentionOfAnEffect(t *testing.T) {
	w := newWorld(t)
	j := &recorder{}
	noon := time.Date(2025, 1, 31, 12, 0, 0, 0, time.UTC)
	r := w.begin(t, t.Context(), small(), WithJournal(j), WithClock(func() time.Time { return noon }))
	for _, c := range []Call{{Function: "t__echo", Args: value.Of("v", int64(1))}, {Function: "mail__send", Args: value.Of("to", "ann"), Line: 2, Column: 5}, {Function: "t__unsure"}} {
		_, _ = r.Call(c)
	}
	r.End(&sandbox.Fault{Kind: sandbox.KindUnknown})

	var got []string
	for _, c := range j.calls {
		got = append(got, c.Function+" "+c.Outcome.String())
		if c.Program != r.ID() || c.Actor != "ann" || c.Began.Before(noon) || c.Began.After(noon.Add(time.Minute)) {
			t.Errorf("record %+v", c)
		}
	}
	want := "t__echo done, mail__send intended, mail__send done, t__unsure intended, t__unsure unknown"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("records are %s\nwant        %s", s, want)
	}
	sent := j.calls[2]
	if sent.Line != 2 || sent.Column != 5 || sent.Index != 2 || sent.Effect.Impact != toolfn.Write || sent.ResultBytes == 0 || !value.Equal(sent.Result, value.Of("sent", true)) {
		t.Errorf("record %+v", sent)
	}
	if e := j.calls[4].Error; !strings.Contains(e, "connection broke") {
		t.Errorf("error is %q", e)
	}
	if p := j.programs; len(p) != 2 || p[0].Ended || !p[1].Ended || p[1].Fault != sandbox.KindUnknown || p[0].ID != p[1].ID || p[0].Source != "…" {
		t.Errorf("programs are %+v", p)
	}
}

func TestEffectWithoutRecordDoesNotFire(t *testing.T) {
	w := newWorld(t)
	full := errors.New("disk full")
	var told []error
	j := &recorder{refuse: func(r CallRecord) error {
		if r.Outcome == Intended {
			return full
		}
		return nil
	}}
	r := w.begin(t, t.Context(), small(), WithJournal(j), WithReport(func(err error) { told = append(told, err) }))
	_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
	if f := fault(t, err); f.Kind != sandbox.KindDenied || w.sent.Load() != 0 || len(r.Called()) != 0 {
		t.Errorf("got %v, sent %d", f, w.sent.Load())
	}
	if len(told) != 1 || told[0] != full {
		t.Errorf("the host was told %v", told)
	}
	if _, err := r.Call(Call{Function: "t__echo"}); err != nil {
		t.Errorf("a read gave %v", err)
	}
}

func TestLostRecordOfAnEndIsTheHostsTrouble(t *testing.T) {
	w := newWorld(t)
	var told []error
	j := &recorder{refuse: func(r CallRecord) error {
		if r.Outcome == Done {
			return errors.New("disk full")
		}
		return nil
	}}
	r := w.begin(t, t.Context(), small(), WithJournal(j), WithReport(func(err error) { told = append(told, err); panic("reporter") }))
	if _, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")}); err != nil {
		t.Errorf("the effect happened, but the program got %v", err)
	}
	if len(told) != 1 || r.FiredNote() == "" {
		t.Errorf("told %v, note %q", told, r.FiredNote())
	}
}

func TestPanicIsTheHostsTrouble(t *testing.T) {
	w := newWorld(t)
	var told []error
	r := w.begin(t, t.Context(), small(), WithReport(func(err error) { told = append(told, err) }))
	_, err := r.Call(Call{Function: "t__panic"})
	if strings.Contains(fault(t, err).Error(), "secret") {
		t.Errorf("the program sees %v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "secret") || !strings.Contains(told[0].Error(), "goroutine") {
		t.Errorf("the host is told %v", told)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	j := NewMemory(64 << 10)
	for i := range 2000 {
		_ = j.Program(ProgramRecord{ID: int64(i), Source: strings.Repeat("x", 100)})
		for c := range 3 {
			r := CallRecord{Program: int64(i), Index: c + 1, Function: "f", Args: value.Of("v", strings.Repeat("y", i%500))}
			_ = j.Call(r)
			r.Outcome = Done
			_ = j.Call(r)
		}
		_ = j.Program(ProgramRecord{ID: int64(i), Ended: true})
	}
	programs, calls := j.Programs(), j.Calls()
	if j.held > 64<<10 || j.Dropped() == 0 {
		t.Errorf("holds %d bytes, dropped %d", j.held, j.Dropped())
	}
	if n := int64(len(programs)+len(calls)) + j.Dropped(); n != 8000 {
		t.Errorf("%d records are accounted for, want 8000", n)
	}
	if last := calls[len(calls)-1]; last.Program != 1999 || last.Outcome != Done {
		t.Errorf("the newest is %+v", last)
	}
	var held int64
	for i := range programs {
		held += programBytes(&programs[i])
		if !programs[i].Ended {
			t.Errorf("program %d has not ended", programs[i].ID)
		}
	}
	for i := range calls {
		held += callBytes(&calls[i])
	}
	if held != j.held {
		t.Errorf("the records hold %d bytes, accounted %d", held, j.held)
	}
}

// One journal, two programs at once: an end finds its own intention.
func TestMemoryPairsRecords(t *testing.T) {
	j := NewMemory(0)
	rec := func(p int64, i int, o Outcome) {
		_ = j.Call(CallRecord{Program: p, Index: i, Function: "f", Args: value.NewObject(0), Outcome: o})
	}
	rec(1, 1, Intended)
	rec(2, 1, Intended)
	rec(1, 1, Done)
	rec(2, 1, Failed)
	rec(1, 2, Done)
	got := j.Calls()
	if len(got) != 3 || got[0].Outcome != Done || got[1].Outcome != Failed || got[2].Index != 2 {
		t.Errorf("got %+v", got)
	}
}
