package dispatch

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// ListPending tells effects in one bounded line: each function, how often, and
// the arguments of few.
func ListPending(effects []Pending) string {
	l := listed(effects)
	var b strings.Builder
	l.write(&b, "")
	return strings.TrimSuffix(b.String(), ".")
}

func listed(effects []Pending) list {
	var l list
	type group struct {
		n     int
		peeks [mostPeeks]Pending
	}
	groups := map[string]*group{}
	var order []string
	for _, p := range effects {
		g := groups[p.Function]
		if g == nil {
			g = &group{}
			groups[p.Function] = g
			order = append(order, p.Function)
		}
		if g.n < mostPeeks {
			g.peeks[g.n] = p
		}
		g.n++
	}
	for _, name := range order {
		g := groups[name]
		l.add(name, g.n, argsOf(g.peeks[:min(g.n, mostPeeks)]))
	}
	return l
}

// stagedNote tells of effects that the program asked for and that have not
// happened.
func (r *Run) stagedNote(b *strings.Builder) {
	if r.trial != nil || r.d == nil || len(r.staged)+len(r.unstaged) == 0 {
		return
	}
	own := map[int64]bool{}
	for _, id := range r.staged {
		own[id] = true
	}
	var still []Pending
	for _, p := range r.d.Pending() {
		if own[p.ID] {
			still = append(still, p)
		}
	}
	l := listed(still)
	l.write(b, "Only staged, has not happened and is still pending: ")
	l = listed(r.unstaged)
	l.write(b, "Dropped, has not happened, because the program stopped before the stage ended: ")
}

func argsOf(effects []Pending) []*value.Object {
	out := make([]*value.Object, len(effects))
	for i := range effects {
		out[i] = peekedAs(effects[i].Function, effects[i].Args)
	}
	return out
}
