package dispatch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Tally is how often an execute called a function. Refused calls are not in it.
type Tally struct {
	Name    string `json:"name"`
	Calls   int    `json:"calls"`
	Effect  string `json:"effect"` // read, write, destructive, unknown
	Failed  int    `json:"failed,omitempty"`
	Unknown int    `json:"unknown,omitempty"` // calls whose outcome is not known
}

// count is the tally of one function with what a note needs.
type count struct {
	fn        *toolfn.ToolFn
	calls     int
	failed    int
	unknown   int
	through   int                      // of those that took place, by a commit
	committed [mostPeeks]*value.Object // arguments of the first of those
	shown     [mostPeeks]*value.Object // arguments of the first effects that took place
	unsure    [mostPeeks]*value.Object // of the first whose outcome is unknown
}

func (c *count) done() int { return c.calls - c.failed - c.unknown }

// mostPeeks is how many calls of a function a note tells one by one.
const mostPeeks = 4

// peek gives the first scalar arguments of a call, in words.
func peek(args *value.Object) string {
	var parts []string
	for k, v := range args.All() {
		var text string
		switch x := v.(type) {
		case string:
			text = strconv.Quote(sandbox.Clip(x, 32))
		case json.Number:
			text = sandbox.Clip(string(x), 32)
		case float64:
			text = string(value.AppendFloat(nil, x))
		case int64, bool:
			text = fmt.Sprint(x)
		default:
			continue
		}
		if parts = append(parts, toolfn.Plain(k, 32)+": "+text); len(parts) == 3 {
			break
		}
	}
	return strings.Join(parts, ", ")
}

// Called lists the calls that fired, by function in the order of their first
// calls.
func (r *Run) Called() []Tally {
	out := make([]Tally, len(r.counts))
	for i, c := range r.counts {
		out[i] = Tally{Name: c.fn.Name, Calls: c.calls, Effect: c.fn.Effect.Impact.String(), Failed: c.failed, Unknown: c.unknown}
	}
	return out
}

// count gives the tally of a function.
func (r *Run) count(fn *toolfn.ToolFn) *count {
	if i, ok := r.index[fn]; ok {
		return r.counts[i]
	}
	if r.index == nil {
		r.index = make(map[*toolfn.ToolFn]int)
	}
	r.index[fn] = len(r.counts)
	c := &count{fn: fn}
	r.counts = append(r.counts, c)
	return c
}

// tally counts a call that was made.
func (r *Run) tally(fn *toolfn.ToolFn, o Outcome, args *value.Object) {
	c := r.count(fn)
	c.calls++
	switch o {
	case Failed:
		c.failed++
	case Unsettled:
		if c.unknown < mostPeeks {
			c.unsure[c.unknown] = args
		}
		c.unknown++
	case Done:
		if n := c.done(); n <= mostPeeks {
			c.shown[n-1] = args
		}
	}
}

// FiredNote tells, in one bounded paragraph, what has happened so far: effects
// that must not be repeated, calls whose outcome is not known, and reads, which
// may be. It is empty if nothing was called.
func (r *Run) FiredNote() string {
	var done, committed, unsure, undeclared, failed list
	reads := 0
	for _, c := range r.counts {
		if c.unknown > 0 {
			unsure.add(c.fn.Name, c.unknown, c.unsure[:])
		}
		if c.failed > 0 && !c.fn.Effect.Reads() {
			failed.add(c.fn.Name, c.failed, nil)
		}
		if c.through > 0 {
			committed.add(c.fn.Name, c.through, c.committed[:])
		}
		switch n := c.done() - c.through; {
		case c.fn.Effect.Reads():
			reads += c.calls
		case n == 0:
		case c.fn.Effect.Impact == toolfn.Unknown:
			undeclared.add(c.fn.Name, n, c.peeks())
		default:
			done.add(c.fn.Name, n, c.peeks())
		}
	}
	var b strings.Builder
	done.write(&b, "Already happened, do not repeat: ")
	undeclared.write(&b, "Already called, and may have changed something; do not repeat: ")
	committed.write(&b, "Committed, do not repeat: ")
	unsure.write(&b, "Outcome not known, look before you repeat: ")
	failed.write(&b, "Failed: ")
	switch changed := b.Len() > 0; {
	case reads == 1 && changed:
		b.WriteString(" The read may be repeated.")
	case reads > 0 && changed:
		fmt.Fprintf(&b, " The %s may be repeated.", plural(reads, "read", "reads"))
	case reads > 0:
		fmt.Fprintf(&b, "Nothing was changed: only %s, which may be repeated.", plural(reads, "read was made", "reads were made"))
	}
	r.stagedNote(&b)
	return b.String()
}

// committedBy notes that a call that took place was made by a commit.
func (c *count) committedBy(args *value.Object) {
	if c.through < mostPeeks {
		c.committed[c.through] = args
	}
	c.through++
}

// peeks are the arguments of the first calls that took place and were made at
// once.
func (c *count) peeks() []*value.Object {
	if c.through == 0 {
		return c.shown[:]
	}
	var own []*value.Object
	for _, args := range c.shown[:min(c.done(), mostPeeks)] {
		if !slices.Contains(c.committed[:], args) {
			own = append(own, args)
		}
	}
	return own
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// list is an enumeration of functions with counts, bounded in items and length.
type list struct {
	items []string
	size  int
	more  int
}

// longestList is how many characters one enumeration may take.
const longestList = 360

func (l *list) add(name string, n int, peeks []*value.Object) {
	text := sandbox.Clip(name, 80)
	if n > 1 {
		text += " ×" + strconv.Itoa(n)
	}
	if n <= len(peeks) {
		if args := peekTexts(peeks[:n]); args != "" && l.size+len(text)+len(args) <= longestList {
			text += " " + args
		}
	}
	if l.size+len(text) > longestList {
		l.more += n
		return
	}
	l.size += len(text)
	l.items = append(l.items, text)
}

func peekTexts(peeks []*value.Object) string {
	var parts []string
	for i := range peeks {
		if t := peek(peeks[i]); t != "" {
			parts = append(parts, "("+t+")")
		}
	}
	return strings.Join(parts, " ")
}

func (l *list) write(b *strings.Builder, intro string) {
	if len(l.items) == 0 && l.more == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(intro)
	b.WriteString(strings.Join(l.items, ", "))
	if l.more > 0 {
		if len(l.items) > 0 {
			b.WriteString(" and ")
		}
		b.WriteString(plural(l.more, "more call", "more calls"))
	}
	b.WriteByte('.')
}
