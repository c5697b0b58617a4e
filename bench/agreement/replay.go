package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/polyglove/polyglove/bench/world"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// replay runs recorded programs over the organisation in a directory.
type replay struct {
	dir    string
	lang   language
	listed map[string]divergence
	worlds map[organisation]*world.World
}

// organisation names one state of the recorded organisation.
type organisation struct {
	scale       int
	distractors bool
}

// longest is how long one program may take before it is given up.
const longest = 30 * time.Second

// recordedNow is when the recorded organisation stands.
var recordedNow = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// stage is one session over a fresh world.
type stage struct {
	world     *world.World
	workspace *surfaces.Workspace
	session   surfaces.Session
	ran       []step // what has run on it
}

func (r *replay) open(at organisation) (*stage, error) {
	w := r.worlds[at]
	if w == nil {
		loaded, err := world.Load(r.dir, at.scale, at.distractors)
		if err != nil {
			return nil, err
		}
		r.worlds[at], w = loaded, loaded
	}
	w = w.Fresh()
	catalog := toolfn.NewCatalog()
	if err := w.Mount(catalog); err != nil {
		return nil, err
	}
	ws, err := surfaces.NewWorkspace(catalog, surfaces.WithSeed(1), surfaces.WithClock(func() time.Time { return recordedNow }))
	if err != nil {
		return nil, err
	}
	session, err := ws.Open(r.lang.surface())
	if err != nil {
		return nil, err
	}
	return &stage{world: w, workspace: ws, session: session}, nil
}

// answer is what a session made of a program.
type answer struct {
	ok      bool
	value   value.Value
	stdout  string
	err     string
	effects []world.Effect
	called  map[string]int
}

// step is a program with the values of its parameters.
type step struct {
	code   string
	params []value.Value
}

func (r *replay) run(s *stage, p step) answer {
	ctx, cancel := context.WithTimeout(surfaces.WithParams(context.Background(), p.params), longest)
	defer cancel()
	before := len(s.world.Outbox())
	result := s.session.Execute(ctx, p.code)
	s.ran = append(s.ran, p)
	a := answer{
		ok:      result.Fault == nil,
		stdout:  strings.Join(result.Stdout, "\n"),
		effects: s.world.Outbox()[before:],
		called:  map[string]int{},
	}
	for _, t := range result.Called {
		if !strings.Contains(t.Name, ".") { // a table's verb, which the recordings do not count
			a.called[t.Name] = t.Calls
		}
	}
	if a.ok {
		a.value = r.lang.plain(result.Value)
	} else {
		a.err = result.Fault.Error()
	}
	return a
}

// again opens a stage on which the same programs have run.
func (r *replay) again(at organisation, ran []step) (*stage, error) {
	s, err := r.open(at)
	if err != nil {
		return nil, err
	}
	for _, program := range ran {
		r.run(s, program)
	}
	return s, nil
}

// group replays the programs of one group in one session.
func (r *replay) group(programs []program) ([]judgement, error) {
	at := organisation{programs[0].scale, programs[0].distractors}
	s, err := r.open(at)
	if err != nil {
		return nil, err
	}
	defer s.workspace.Close()
	all := make([]judgement, len(programs))
	admitted := false // an earlier program ran by a leniency alone
	for i, p := range programs {
		before := len(s.world.Outbox())
		j := judgement{id: p.id}
		for k := range p.calls {
			one, err := r.call(s, at, &p, k)
			if err != nil {
				return nil, err
			}
			one.id, one.call = p.id, k
			if k == 0 {
				j = one
			}
			j = j.worse(one)
		}
		if d := effectsDiffer(p.effects, s.world.Outbox()[before:], j.verdict >= refused); d != "" {
			j = j.worse(judgement{id: p.id, verdict: silent, why: d})
		}
		if name := r.lang.lacking(j.want); j.verdict == lax && admitted && name != "" {
			j.verdict, j.why = lenient, "a name that a program defined which a leniency admits: "+name
		}
		admitted = admitted || j.verdict == lenient
		all[i] = excuse(j, r.listed)
	}
	return all, nil
}

// call replays one call. Where the real language refused the program before it
// ran, it runs on a stage apart, so that what a leniency makes of it does not
// reach the programs after it; nor does a write that the recording went on without.
func (r *replay) call(s *stage, at organisation, p *program, k int) (judgement, error) {
	want, program, before := &p.want[k], step{p.calls[k], p.params}, len(s.ran)
	if want.early || want.apart {
		apart, err := r.again(at, s.ran)
		if err != nil {
			return judgement{}, err
		}
		defer apart.workspace.Close()
		s = apart
	}
	got := r.run(s, program)
	j := r.judge(p, want, got)
	if j.verdict != silent && j.verdict != lax {
		return j, nil
	}
	if got.ok {
		name, err := r.admitted(at, s.ran[:before], program.code, got)
		if err != nil {
			return j, err
		}
		if name != "" {
			j.verdict, j.why = lenient, name
		}
	}
	return j, nil
}

// admitted looks for the leniency that makes of a program what we made of it: its
// reading, which the real language takes, gives the same value and effects.
func (r *replay) admitted(at organisation, ran []step, program string, got answer) (string, error) {
	for _, reading := range r.lang.lenient(program) {
		s, err := r.again(at, ran)
		if err != nil {
			return "", err
		}
		other := r.run(s, step{code: reading.program})
		s.workspace.Close()
		difference, reordered := r.lang.compare(other.value, got.value)
		if other.ok && difference == "" && !reordered && other.stdout == got.stdout && sameEffects(other.effects, got.effects) {
			return reading.leniency, nil
		}
	}
	return "", nil
}

// judge compares one answer with the recorded outcome.
func (r *replay) judge(p *program, want *outcome, got answer) judgement {
	j := judgement{verdict: agree, err: got.err, want: want.err}
	if want.ok {
		j.want = brief(want.value)
	}
	if got.ok {
		j.got = brief(got.value)
	}
	switch {
	case want.ok && !got.ok:
		j.verdict = refused
	case !want.ok && got.ok:
		j.verdict = lax
	case !want.ok:
		j.verdict = agreeError
		if name := r.lang.lacking(want.err); p.lost && name != "" && name == r.lang.lacking(got.err) {
			j.verdict = lostState
		}
	default:
		r.judgeValue(&j, p, want, got)
	}
	return j
}

func (r *replay) judgeValue(j *judgement, p *program, want *outcome, got answer) {
	if p.leniency != "" {
		j.verdict, j.why = lenient, p.leniency
	}
	if want.long != nil {
		if d := digestOf(got.value); d != *want.long {
			j.verdict, j.why = silent, fmt.Sprintf("the value's JSON has length %d, want %d, or another hash", d.length, want.long.length)
			return
		}
	} else if difference, reordered := r.lang.compare(want.value, got.value); difference != "" {
		j.verdict, j.why = silent, difference
		return
	} else if reordered {
		j.verdict, j.why = reprOnly, "the members have another order"
	}
	if p.called != nil && !maps.Equal(p.called, got.called) {
		j.verdict, j.why = silent, fmt.Sprintf("called %v, want %v", got.called, p.called)
		return
	}
	printed := strings.Join(want.stdout, "\n")
	if follows(printed, got.stdout) {
		return
	}
	j.want, j.got = printed, got.stdout
	if r.lang.printed(printed, got.stdout) {
		j.verdict, j.why = reprOnly, "objects are printed in another form"
		return
	}
	j.verdict, j.why = silent, "the printed lines differ"
}

// effectsDiffer compares the outbox with the recorded one, in order; "" where it
// was not recorded or is the same. A program that ended early may lack the last
// effects.
func effectsDiffer(want []effect, got []world.Effect, early bool) string {
	if want == nil {
		return ""
	}
	if early && len(got) < len(want) {
		want = want[:len(got)]
	}
	if len(want) != len(got) {
		return fmt.Sprintf("%d effects, want %d", len(got), len(want))
	}
	for i, w := range want {
		if w.kind != got[i].Kind || !value.Equal(w.payload, got[i].Payload) {
			return fmt.Sprintf("effect %d is %s %s, want %s %s", i+1, got[i].Kind, brief(got[i].Payload), w.kind, brief(w.payload))
		}
	}
	return ""
}

func sameEffects(a, b []world.Effect) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || !value.Equal(a[i].Payload, b[i].Payload) {
			return false
		}
	}
	return true
}

// all replays every group, in the order in which the groups first appear.
func (r *replay) all(programs []program) ([]judgement, error) {
	var order []string
	groups := map[string][]program{}
	for _, p := range programs {
		if groups[p.group] == nil {
			order = append(order, p.group)
		}
		groups[p.group] = append(groups[p.group], p)
	}
	var judged []judgement
	for _, name := range order {
		some, err := r.group(groups[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		judged = append(judged, some...)
	}
	return judged, nil
}
