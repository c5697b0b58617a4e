package js

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn"
)

// Explain says what a program would do, from its text: which capabilities it
// calls, and what is wrong with those calls. Nothing runs.
func (s *session) Explain(ctx context.Context, program string) *surfaces.Plan {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	defer s.turn.Give()
	p, fault := s.compile(program)
	if fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	plan := &surfaces.Plan{Notes: append([]string(nil), p.Notes...)}
	for _, site := range p.Sites {
		plan.Calls = append(plan.Calls, s.planned(site))
	}
	plan.Notes = append(plan.Notes, s.unknownGlobals(p)...)
	return plan
}

func (s *session) planned(site compile.CallSite) surfaces.PlannedCall {
	c := surfaces.PlannedCall{
		Function: site.Function, Effect: toolfn.Unknown.String(), Args: site.Args, Computed: site.Computed,
		Line: site.Line, Column: site.Column, InLoop: site.InLoop, Conditional: site.Conditional,
	}
	fn, ok := s.ws.Catalog().Lookup(site.Function)
	if !site.Known || !ok {
		c.Problem = strings.TrimSpace(shortKey(site.Function) + " is not a function here. " + s.notCallable(site.Function))
		return c
	}
	c.Effect = fn.Effect.Impact.String()
	c.Problem = problem(fn, site)
	return c
}

// problem checks the arguments of a call as far as the text tells them.
func problem(fn *toolfn.ToolFn, site compile.CallSite) string {
	if len(site.Computed) == 0 {
		_, err := fn.Check(site.Args)
		return faultText(err)
	}
	names, required := fn.Parameters()
	given := slices.Clone(site.Computed)
	if site.Args != nil {
		for k := range site.Args.All() {
			given = append(given, k)
		}
	}
	open := slices.Contains(given, "...") || slices.Contains(given, "*")
	for _, n := range names[:required] {
		if !open && !slices.Contains(given, n) {
			return "It needs " + n + "."
		}
	}
	if len(names) == 0 || fn.Input.AdditionalProperties != nil && fn.Input.AdditionalProperties.Not == nil {
		return ""
	}
	for _, g := range given {
		if g == "..." || g == "*" || slices.Contains(names, g) {
			continue
		}
		text := "It has no parameter '" + shortKey(g) + "'."
		if near, ok := sandbox.Nearest(g, names); ok {
			text += " Did you mean " + near + "?"
		}
		return text
	}
	return ""
}

func faultText(err error) string {
	if err == nil {
		return ""
	}
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return strings.TrimSpace(f.Message + " " + f.Hint)
	}
	return err.Error()
}

// unknownGlobals notes the names that a program uses and nothing defines.
func (s *session) unknownGlobals(p *compile.Program) (notes []string) {
	for _, g := range p.Globals {
		if realm.Offered(g) || s.isGlobal(g) {
			continue
		}
		notes = append(notes, strings.TrimSpace(shortKey(g)+" is not defined. "+s.unknownName(g, p.Source, strings.Contains(p.Source, g+"("))))
		if len(notes) == mostNotes {
			break
		}
	}
	return notes
}

// isGlobal reports whether a name is one of the session's own.
func (s *session) isGlobal(name string) bool {
	if _, ok := s.scope.defined(name); ok || name == lastValue || slices.Contains(builtinNames, name) {
		return true
	}
	if _, ok := s.ws.Catalog().Lookup(name); ok || s.ws.Defines(language{}.Name(), name) {
		return true
	}
	return s.spaces().byName[name] != nil
}
