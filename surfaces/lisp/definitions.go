package lisp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// definitions describes names of the session.
func (s *session) definitions(names []string) []surfaces.Def {
	defs := make([]surfaces.Def, 0, len(names))
	for _, n := range names {
		if v, ok := s.machine.Get(n); ok {
			defs = append(defs, s.definition(n, v))
		}
	}
	return defs
}

// mostSized bounds the walk that measures one definition for an echo, in bytes.
const mostSized = 64 << 10

func (s *session) definition(name string, v data.Value) surfaces.Def {
	kind := kindOf(v)
	return surfaces.Def{Name: name, Kind: kind, Summary: s.summary(kind, v), Size: sizeOf(v, mostSized)}
}

// kindOf names the kind of a value in an echo.
func kindOf(v data.Value) string {
	switch v.Kind() {
	case data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
		return "list"
	case data.KindFn:
		return "function"
	}
	word := data.TypeName(v)
	_, word, _ = strings.Cut(word, " ")
	if word == "" {
		return data.TypeName(v)
	}
	return word
}

// peekBudget is how many bytes a glance at a value takes.
const peekBudget = 240

// summary tells in one bounded line what a definition holds.
func (s *session) summary(kind string, v data.Value) string {
	if s.peek == nil {
		s.peek = elide.New(elide.Options{Limits: elide.Peek(), Style: style()})
	}
	t := data.Unmetered()
	switch kind {
	case "list":
		items, all := data.Known(v)
		if !all {
			return "not all computed"
		}
		if len(items) == 0 {
			return "empty"
		}
		return counted(len(items), "item", "items") + ", first " + s.peek.Render(view(items[0]), peekBudget).Text
	case "vector", "set":
		n := data.Count(t, v)
		if n == 0 {
			return "empty"
		}
		return counted(n, "item", "items") + ", first " + s.peek.Render(view(data.First(t, v)), peekBudget).Text
	case "map":
		m := v.Map()
		if m.Len() == 0 {
			return "no keys"
		}
		var names []string
		for i, k := range m.Keys(t) {
			if i == 8 {
				names = append(names, "…")
				break
			}
			names = append(names, data.Brief(t, k, 40))
		}
		return counted(m.Len(), "key", "keys") + ": " + strings.Join(names, " ")
	case "string":
		n := data.Count(t, v)
		text := s.peek.Render(view(v), peekBudget).Text
		if n > 40 {
			return strconv.Itoa(n) + " characters, " + text
		}
		return text
	case "function":
		return signature(v)
	}
	return s.peek.Render(view(v), peekBudget).Text
}

// signature tells how many arguments a function takes.
func signature(v data.Value) string {
	if fn, ok := v.Unbox().(*compile.Fn); ok {
		if n := fn.Takes(); n != "1" {
			return "takes " + n + " arguments"
		}
		return "takes 1 argument"
	}
	return v.Unbox().(data.Boxed).Printed()
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// sizeOf estimates what a value keeps alive, in bytes, up to about most.
func sizeOf(v data.Value, most int64) int64 {
	return data.Size(v, most)
}

// retain holds the limit on what definitions may keep between programs. What a
// program allocates bounds what definitions can have grown by, so they are measured
// only when that could have reached the limit. Beyond it the largest names that the
// program bound are freed, then the largest at all.
func (s *session) retain() *sandbox.Fault {
	s.grown += s.meter.Usage().Memory
	if s.grown <= s.limits.Retained {
		return nil
	}
	type sized struct {
		name  string
		bytes int64
	}
	var all []sized
	var sum int64
	room := s.limits.Retained + s.limits.Retained/8
	for _, n := range s.machine.Names() {
		if v, ok := s.machine.Get(n); ok {
			size := sizeOf(v, max(1, room-sum))
			all = append(all, sized{n, size})
			sum += size
		}
	}
	if sum+sizeOf(s.last, s.limits.Retained) > s.limits.Retained {
		s.last = data.Nil // shared with a definition or not, it is the first to go
	}
	if sum <= s.limits.Retained {
		s.grown = sum
		return nil
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(b.bytes, a.bytes) })
	f := &sandbox.Fault{Kind: sandbox.KindMemory}
	var freed []string
	bound := slices.Clone(s.machine.Defined())
	for _, mine := range []bool{true, false} {
		for _, d := range all {
			if sum > s.limits.Retained && slices.Contains(bound, d.name) == mine {
				s.machine.Forget(d.name)
				freed = append(freed, d.name)
				sum -= d.bytes
			}
		}
	}
	s.grown = sum
	f.Message = fmt.Sprintf("the session's definitions hold more than %d MB.", s.limits.Retained>>20)
	f.Hint = "Freed " + strings.Join(freed, ", ") + ". Keep counts or the keys you need instead of whole results."
	return f
}
