package python

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// names lists the session's definitions: what programs have bound, without what
// imports have.
func (s *session) names() []string {
	var names []string
	for _, n := range s.machine.Names() {
		if v, ok := s.machine.Get(n); ok && n != lastValue && !strings.HasPrefix(n, "__") && defines(v) {
			names = append(names, n)
		}
	}
	return names
}

// defines reports whether a value that a global holds is a definition: not a
// module, nor a class or function that is not a program's.
func defines(v pyValue) bool {
	switch v.Kind() {
	case object.KindModule, object.KindBuiltin:
		return false
	case object.KindClass:
		c, _ := v.AsClass()
		return c.Heap && c.Module == "__main__"
	}
	return true
}

// remove undefines a name.
func (s *session) remove(n string) { s.machine.Set(n, pyValue{}) }

// bindings is what every global is bound to.
func (s *session) bindings() map[string]pyValue {
	names := s.machine.Names()
	all := make(map[string]pyValue, len(names))
	for _, n := range names {
		all[n], _ = s.machine.Get(n)
	}
	return all
}

// declares reports whether the running program binds a name at its top level.
func (s *session) declares(n string) bool {
	return s.run != nil && bindsAtTop(s.run.program, n)
}

func bindsAtTop(p *compile.Program, n string) bool {
	sym := p.Scopes.Module.Lookup(n)
	return sym != nil && sym.Assigned()
}

// bound lists the names that a program has bound, and gives back the names of
// capabilities that it took for a while.
func (s *session) bound(p *compile.Program, before map[string]pyValue) []string {
	s.giveBack(p)
	var names []string
	for _, n := range s.names() {
		v, _ := s.machine.Get(n)
		if was, had := before[n]; bindsAtTop(p, n) || !had || was != v {
			names = append(names, n)
		}
	}
	s.grown += s.meter.Usage().Memory
	return names
}

// giveBack ends what a program may do only for itself: its own value under the
// name of a capability would take that away from every later program.
func (s *session) giveBack(p *compile.Program) {
	for _, sym := range p.Scopes.Module.Symbols {
		n := sym.Name
		v, ok := s.machine.Get(n)
		if !ok || !bindsAtTop(p, n) {
			continue
		}
		if n == lastValue {
			s.remove(n)
			continue
		}
		tool := s.tool(n)
		if !tool.IsSet() {
			continue
		}
		s.remove(n)
		if v != tool && v.Kind() != object.KindModule {
			what := "the tools of " + n
			if s.capabilityOfValue(tool) != nil {
				what = "the function " + n
			}
			s.note(n + " was your value in this program only; from the next on it is " + what + " again. Keep what you need under another name.")
		}
	}
}

// tellShadows tells that a program has taken the name of a builtin.
func (s *session) tellShadows(p *compile.Program) {
	for _, sym := range p.Scopes.Module.Symbols {
		n := sym.Name
		if !sym.Assigned() || imports(p, n) {
			continue
		}
		_, python := object.Builtins().Get(n)
		if python || slices.Contains(builtinNames, n) && s.builtin(n).IsSet() {
			if _, own := s.machine.Get(n); !own {
				s.note(n + " is your value from now on, not the builtin; `del " + n + "` brings the builtin back.")
			}
		}
		s.takesForeign(n)
	}
}

// imports reports whether a program binds a name by an import at its top.
func imports(p *compile.Program, n string) bool {
	for _, st := range p.Module.Body {
		var names []*syntax.Alias
		switch st := st.(type) {
		case *syntax.Import:
			names = st.Names
		case *syntax.ImportFrom:
			names = st.Names
		}
		for _, a := range names {
			if a.As == n || a.As == "" && a.Name == n {
				return true
			}
		}
	}
	return false
}

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

// mostSized bounds the walk that measures one definition for an echo.
const mostSized = 64 << 10

func (s *session) definition(n string, v pyValue) surfaces.Def {
	s.machine.T.BeginSize()
	return surfaces.Def{Name: n, Kind: kindOf(v), Summary: s.summary(v), Size: s.machine.T.Size(v, mostSized)}
}

// kindOf names the type of a value.
func kindOf(v pyValue) string {
	switch v.Kind() {
	case object.KindFunction, object.KindBuiltin, object.KindMethod:
		return "function"
	case object.KindClass:
		return "class"
	}
	return v.Class().ShortName()
}

// peekBudget is how many bytes a glance at a value takes.
const peekBudget = 240

// summary tells in one bounded line what a definition holds. It runs no code of
// the program.
func (s *session) summary(v pyValue) string {
	view := s.view(v, false)
	glance := func(v any) string { return glancer.Render(v, peekBudget).Text }
	switch base := v.Base(); base.Kind() {
	case object.KindList, object.KindTuple, object.KindSet, object.KindFrozenSet:
		items, ok := view.(interface {
			Len() int
			Index(int) any
		})
		if !ok {
			break
		}
		if items.Len() == 0 {
			return "empty"
		}
		return count(items.Len(), "item", "items") + ", first " + glance(items.Index(0))
	case object.KindDict:
		d, _ := base.Dict()
		if d.Len() == 0 {
			return "no keys"
		}
		return count(d.Len(), "key", "keys") + ": " + s.keys(d, 8)
	case object.KindStr:
		str, _ := base.Str()
		if n := str.Len(); n > 40 {
			return strconv.Itoa(n) + " characters, " + glance(view)
		}
	case object.KindFunction:
		return signatureOf(v)
	case object.KindBuiltin:
		if c := s.capabilityOfValue(v); c != nil {
			return c.shown
		}
	case object.KindClass:
		return "class"
	case object.KindInstance:
		return withArticle(v.Class().ShortName())
	}
	return glance(view)
}

// keys lists the first keys of a dict.
func (s *session) keys(d *object.Dict, most int) string {
	w := viewer{s.machine.T, false}
	var names []string
	for i := 0; i < d.Room() && len(names) < most; i++ {
		if k, _ := d.Entry(i); k.IsSet() {
			names = append(names, shortKey(w.key(k)))
		}
	}
	text := strings.Join(names, ", ")
	if d.Len() > most {
		text += fmt.Sprintf(", … (%d in all)", d.Len())
	}
	return text
}

// signatureOf tells the parameters of a function.
func signatureOf(v pyValue) string {
	f, _ := v.Function()
	if text, ok := compile.Signature(f); ok {
		return sandbox.Clip(text, 120)
	}
	return "function"
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
// is exact only up to a little more than the limit. What two hold is counted once.
func (s *session) measure() (all []sized, sum int64) {
	room := s.limits.Retained + s.limits.Retained/8
	s.machine.T.BeginSize()
	for _, n := range s.machine.Names() {
		v, _ := s.machine.Get(n)
		size := s.machine.T.Size(v, max(1, room-sum))
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
func (s *session) retain(bound []string) *sandbox.Fault {
	if s.grown <= s.limits.Retained {
		return nil
	}
	all, sum := s.measure()
	s.grown = sum
	if sum+s.machine.T.Size(s.last, s.limits.Retained) > s.limits.Retained {
		s.last = object.None // the first to go
	}
	if sum <= s.limits.Retained {
		return nil
	}
	f := &sandbox.Fault{
		Kind:    sandbox.KindMemory,
		Message: fmt.Sprintf("the session's definitions hold more than %s: %s.", bytesText(s.limits.Retained), largest(all, 4)),
	}
	freed := s.free(all, sum, bound)
	f.Hint = "Freed " + strings.Join(freed, ", ") + ". Keep counts or the fields you need instead of whole results, and free what is done with `del name`."
	return f
}

// free removes definitions until the rest fits.
func (s *session) free(all []sized, sum int64, bound []string) (freed []string) {
	for _, mine := range []bool{true, false} {
		for _, d := range all {
			if sum <= s.limits.Retained {
				break
			}
			if _, there := s.machine.Get(d.name); there && slices.Contains(bound, d.name) == mine {
				s.remove(d.name)
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
