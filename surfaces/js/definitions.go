package js

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// definitions describes names of the session.
func (s *session) definitions(names []string) []surfaces.Def {
	defs := make([]surfaces.Def, 0, len(names))
	for _, n := range names {
		if v := s.scope.value(n); v != nil && n != lastValue {
			defs = append(defs, s.definition(n, v))
		}
	}
	return defs
}

// mostSized bounds the walk that measures one definition for an echo.
const mostSized = 64 << 10

func (s *session) definition(name string, v goja.Value) surfaces.Def {
	kind := realm.Kind(v)
	return surfaces.Def{Name: name, Kind: kind, Summary: s.summary(kind, v), Size: s.realm.Size(v, mostSized)}
}

// peekBudget is how many bytes a glance at a value takes.
const peekBudget = 240

// summary tells in one bounded line what a definition holds. It runs no getter: a
// name that is only mentioned must not change by it.
func (s *session) summary(kind string, v goja.Value) (line string) {
	s.realm.Glance(func() { line = s.summarize(kind, v) })
	return line
}

func (s *session) summarize(kind string, v goja.Value) string {
	o, _ := v.(*goja.Object)
	view := s.realm.View(v)
	switch kind {
	case "array":
		n := s.realm.Length(o)
		if n == 0 {
			return "empty"
		}
		return count(n, "item", "items") + ", first " + s.glance(view, 0)
	case "object":
		if op, ok := view.(elide.Opaque); ok {
			return sandbox.Clip(op.Opaque(), 120)
		}
		keys := s.realm.OwnKeys(o, 1000)
		if len(keys) == 0 {
			return "no keys"
		}
		return count(len(keys), "key", "keys") + ": " + listNames(keys, 8)
	case "map", "set":
		n := s.realm.Length(o)
		if n == 0 {
			return "empty"
		}
		return count(n, "entry", "entries") + ", " + s.peek.Render(view, peekBudget).Text
	case "string":
		n := s.realm.Length(v)
		text := s.peek.Render(view, peekBudget).Text
		if n > 40 {
			return strconv.Itoa(n) + " characters, " + text
		}
		return text
	case "function", "class":
		return s.signature(kind, o)
	}
	return s.peek.Render(view, peekBudget).Text
}

// glance shows the element of a list.
func (s *session) glance(view any, i int) string {
	if l, ok := view.(elide.List); ok && i < l.Len() {
		return s.peek.Render(l.Index(i), peekBudget).Text
	}
	return s.peek.Render(view, peekBudget).Text
}

// signature tells the number of parameters of a function.
func (s *session) signature(kind string, o *goja.Object) string {
	if c := s.capabilities[o]; c != nil {
		return c.shown
	}
	if kind == "class" {
		return "class"
	}
	n := int64(0)
	_ = s.realm.Try(func() {
		if v := o.Get("length"); v != nil && goja.IsNumber(v) {
			n = v.ToInteger()
		}
	})
	return count(int(n), "parameter", "parameters")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// sized is a name with the bytes it holds.
type sized struct {
	name  string
	bytes int64
}

// measure estimates what each definition holds, largest first, and the sum, which
// is exact only up to a little more than the limit.
func (s *session) measure() (all []sized, sum int64) {
	room := s.limits.Retained + s.limits.Retained/8
	for _, n := range s.scope.order {
		v := s.scope.value(n)
		if v == nil {
			continue
		}
		size := s.realm.Size(v, max(1, room-sum))
		all = append(all, sized{n, size})
		sum += size
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(b.bytes, a.bytes) })
	return all, sum
}

// retain holds the limit on what definitions may keep between programs. What a
// program allocates bounds what definitions can have grown by, so they are
// measured only when that could have reached the limit. Beyond it the largest
// names that the program bound are freed, then the largest at all.
func (s *session) retain() *sandbox.Fault {
	s.grown += s.meter.Usage().Memory
	if s.grown <= s.limits.Retained {
		return nil
	}
	all, sum := s.measure()
	if sum+s.realm.Size(s.last, s.limits.Retained) > s.limits.Retained {
		s.keepLast(goja.Undefined()) // shared with a definition or not, it is the first to go
	}
	if sum <= s.limits.Retained {
		s.grown = sum
		return nil
	}
	f := &sandbox.Fault{
		Kind:    sandbox.KindMemory,
		Message: fmt.Sprintf("the session's definitions hold more than %s: %s.", bytesText(s.limits.Retained), largest(all, 4)),
	}
	freed := s.free(all, sum)
	f.Hint = "Freed " + strings.Join(freed, ", ") + ". Keep counts or the fields you need instead of whole results, and free what is done with del(\"name\")."
	return f
}

// free removes definitions until the rest fits.
func (s *session) free(all []sized, sum int64) (freed []string) {
	bound := s.scope.changed()
	for _, mine := range []bool{true, false} {
		for _, d := range all {
			if sum <= s.limits.Retained {
				break
			}
			if slices.Contains(bound, d.name) == mine && s.scope.remove(d.name) {
				freed = append(freed, d.name)
				sum -= d.bytes
			}
		}
	}
	s.grown = sum
	return freed
}

func largest(all []sized, most int) string {
	var parts []string
	for _, d := range all[:min(len(all), most)] {
		parts = append(parts, d.name+" ("+bytesText(d.bytes)+")")
	}
	return strings.Join(parts, ", ")
}

// bytesText writes a size as a person reads it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB"
	case n >= 1<<10:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
