package dispatch

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// tape is a journal that keeps everything, by program.
type tape struct {
	mu    sync.Mutex
	pasts map[int64]*Past
}

func (j *tape) Program(r ProgramRecord) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.pasts == nil {
		j.pasts = map[int64]*Past{}
	}
	p := j.pasts[r.ID]
	if p == nil {
		p = &Past{}
		j.pasts[r.ID] = p
	}
	p.Program = r
	p.Clock = append(p.Clock, r.Clock...)
	return nil
}

func (j *tape) Call(r CallRecord) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := j.pasts[r.Program]
	p.Clock = append(p.Clock, r.Clock...)
	if r.Outcome == Intended {
		return nil
	}
	r.Result = value.Copy(r.Result)
	p.Calls = append(p.Calls, r)
	return nil
}

// deeds are programs that read and write tables in every way there is.
var deeds = map[string]func(t *testing.T, r *Run) string{
	"reads, pages and caches": func(t *testing.T, r *Run) string {
		return view(t, r, where()) + view(t, r, where("state", "open")) + view(t, r, where("state", "open")) + view(t, r, where("id", nil))
	},
	"own writes": func(t *testing.T, r *Run) string {
		do(t, r, inserts(value.Of("title", "x"), value.Of("title", "x")))
		do(t, r, updates(where("state", "closed"), "title", "y"))
		do(t, r, deletes(where("id", 1)))
		return view(t, r, where())
	},
	"failures": func(t *testing.T, r *Run) string {
		w, err := inserts(value.Of("title", "a"), value.Of("title", "broken"), value.Of("title", "c"))(r)
		return fmt.Sprint(w.Parts[1].Outcome, err, view(t, r, where()), r.FiredNote())
	},
	"refusals": func(t *testing.T, r *Run) string {
		_, err := updates(where("id", 1), "title", "forbidden")(r)
		_, err2 := deletes(where())(r)
		return fmt.Sprint(err, err2)
	},
	"staged": func(t *testing.T, r *Run) string {
		s, err := r.Stage()
		if err != nil {
			t.Fatal(err)
		}
		do(t, r, deletes(where("state", "open")))
		do(t, r, inserts(value.Of("title", "staged")))
		s.End()
		text := view(t, r, where())
		if _, err := r.Rollback(); err != nil {
			t.Fatal(err)
		}
		return text + view(t, r, where())
	},
}

// TestTablesAreReplayedWithoutTheirServer runs programs again from what was
// recorded of them: they come to the same, and the server is not asked.
func TestTablesAreReplayedWithoutTheirServer(t *testing.T) {
	for name, deed := range deeds {
		for _, v := range []toolfn.Volatility{toolfn.Volatile, toolfn.Stable, toolfn.Immutable} {
			t.Run(fmt.Sprint(name, " ", v), func(t *testing.T) {
				policy := PolicyFunc(func(q Request) Decision {
					if set, ok := q.Args.Get("set"); ok {
						if title, _ := set.(*value.Object).Get("title"); title == "forbidden" {
							return Decision{Verdict: Deny, Reason: "not that"}
						}
					}
					return Decision{}
				})
				s := &shelf{rows: someIssues(), pageLen: 3, fail: func(c string) error {
					if c == `insert title "broken"` {
						return &toolfn.CallError{Code: "full", Message: "the shelf is full"}
					}
					return nil
				}}
				s.lag()
				j := &tape{}
				o := open(t, s.table(volatility(v)), WithJournal(j), WithPolicy(policy))
				var first []string
				for range 2 { // the second finds what the first left behind
					r := o.run()
					first = append(first, deed(t, r))
					r.End(nil)
				}
				s.asked()
				s.rows, s.shows = nil, nil
				again := open(t, s.table(volatility(v)), WithPolicy(policy))
				for i, want := range first {
					replay := NewReplay(j.pasts[int64(i+1)])
					ctx := replay.Context(context.Background())
					m, err := sandbox.NewMeter(ctx, ReplayLimits(ctx, small()))
					if err != nil {
						t.Fatal(err)
					}
					r := again.d.Begin(m, Program{Language: "test", Actor: "ann"})
					got := deed(t, r)
					r.End(nil)
					if got != want || replay.Diverged() != "" {
						t.Errorf("program %d: %q, want %q; diverged: %s", i+1, got, want, replay.Diverged())
					}
				}
				if asked := s.asked(); asked != "" {
					t.Errorf("the server was asked: %s", asked)
				}
			})
		}
	}
}

// A program that got rows which another was fetching has them in its own record.
func TestSharedReadsAreReplayed(t *testing.T) {
	s := &shelf{rows: someIssues()}
	arrived, release := make(chan bool, 1), make(chan bool)
	table := s.table(volatility(toolfn.Immutable))
	inner := table.Select
	table.Select = func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		arrived <- true
		<-release
		return inner(ctx, b)
	}
	j := &tape{}
	o := open(t, table, WithJournal(j))
	follower, leader := o.run(), o.run() // the one that follows began first
	q := Query{Table: "issues", Where: where("repo", "web")}
	done := make(chan error)
	go func() {
		_, err := leader.Select(q)
		leader.End(nil)
		done <- err
	}()
	<-arrived
	waiting, err := follower.selecting(q, false)
	if err != nil {
		t.Fatal(err)
	}
	close(release)
	if got, err := waiting.wait(); err != nil || len(got.Rows) != 2 {
		t.Errorf("%v", err)
	}
	follower.End(nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if asked := s.asked(); asked != `select repo="web"` {
		t.Error(asked)
	}
	for id := int64(1); id <= 2; id++ {
		if n := len(j.pasts[id].Calls); n != 1 {
			t.Errorf("program %d has %d calls in its record", id, n)
		}
	}
}

// TestFirstRowsAreReplayed runs programs again that told a server which rows they
// wanted first, one that does it and one that does not, so that they had to read
// everything; each program finds what the ones before it left remembered.
func TestFirstRowsAreReplayed(t *testing.T) {
	first := Query{Table: "issues", Where: from("stars", ">", int64(0)), Order: by("stars", true), Limit: 2}
	programs := [][]Query{
		{first, first, {Table: "issues"}, {Table: "issues", Limit: 1}},
		{{Table: "issues", Limit: 1}, first, {Table: "issues", Where: first.Where}, first},
		{{Table: "issues", Order: by("id", true), Limit: 3}},
	}
	play := func(r *Run, queries []Query) (text string) {
		for _, q := range queries {
			text += rowsOf(mustSelect(t, r, q).Rows, "id") + ";"
		}
		r.End(nil)
		return text
	}
	for _, v := range []toolfn.Volatility{toolfn.Volatile, toolfn.Stable, toolfn.Immutable} {
		for _, deaf := range []bool{false, true} {
			s := &ledger{rows: ledgerRows(), deaf: deaf}
			j := &tape{}
			o := open(t, s.table(volatility(v)), WithJournal(j))
			o.many = true
			var want []string
			for _, queries := range programs {
				want = append(want, play(o.run(), queries))
			}
			s.asked()
			s.rows = nil
			again := open(t, s.table(volatility(v)))
			for i, queries := range programs {
				replay := NewReplay(j.pasts[int64(i+1)])
				ctx := replay.Context(context.Background())
				m, err := sandbox.NewMeter(ctx, ReplayLimits(ctx, small()))
				if err != nil {
					t.Fatal(err)
				}
				got := play(again.d.Begin(m, Program{Language: "test", Actor: "ann"}), queries)
				if got != want[i] || replay.Diverged() != "" {
					t.Errorf("%s, deaf %v, program %d: %q, want %q; diverged: %s", v, deaf, i+1, got, want[i], replay.Diverged())
				}
			}
			if asked := s.asked(); asked != "" {
				t.Errorf("%s, deaf %v: the server was asked: %s", v, deaf, asked)
			}
		}
	}
}
