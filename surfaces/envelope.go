package surfaces

import (
	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// JSON is a result as one JSON object, in at most the budget, for hosts that
// want its parts: value, elided, stdout, defined, called, notes, error and usage.
// Parts that are empty are left out, save value, which is there exactly if the
// program did not fail.
func (r *Renderer) JSON(res *Result) []byte {
	e := envelope{left: r.budget - len("{}")}
	if res.Fault != nil {
		e.part("error", func(room int) (any, bool) { return faultObject(res.Fault, room), true }, e.left/2)
	}
	e.part("usage", func(int) (any, bool) { return usageObject(res.Usage), true }, e.left/4)
	e.part("called", func(int) (any, bool) { return calledList(res.Called), len(res.Called) > 0 }, e.left/4)
	e.part("would_happen", func(int) (any, bool) { return plannedList(res.Planned), res.DryRun }, e.left/4)
	e.part("notes", func(int) (any, bool) { return textList(res.Notes), len(res.Notes) > 0 }, e.left/6)
	e.part("stdout", func(int) (any, bool) { return textList(res.Stdout), len(res.Stdout) > 0 }, e.left/3)
	e.part("defined", func(int) (any, bool) { return definedList(res.Defined), len(res.Defined) > 0 }, e.left/4)
	if res.Fault == nil {
		room := e.left - len(`"value":,"elided":true,`)
		got := r.values.Render(res.Value, max(room, 0))
		if got.Elided {
			e.raw("elided", "true")
		}
		e.raw("value", got.Text)
	}
	return e.bytes()
}

// envelope is an object whose members share a budget. Members are added in the
// order of their importance and written in the opposite one, so that the value
// comes first.
type envelope struct {
	members []string
	left    int
}

// plainList and texts of an envelope are shown whole where they fit.
var envelopeRenderer = elide.New(elide.Options{Limits: elide.Limits{Items: 1000, Runes: 2000, Keys: 40, Depth: 6}})

// part adds a member in at most room bytes.
func (e *envelope) part(name string, make func(room int) (any, bool), room int) {
	v, ok := make(room)
	if !ok {
		return
	}
	room = min(room, e.left) - len(name) - len(`"":,`)
	if room < 8 {
		return
	}
	e.raw(name, envelopeRenderer.Render(v, room).Text)
}

func (e *envelope) raw(name, text string) {
	m := `"` + name + `":` + text
	if text == "" || len(m)+1 > e.left {
		return
	}
	e.left -= len(m) + 1
	e.members = append(e.members, m)
}

func (e *envelope) bytes() []byte {
	out := []byte{'{'}
	for i := len(e.members) - 1; i >= 0; i-- {
		out = append(out, e.members[i]...)
		if i > 0 {
			out = append(out, ',')
		}
	}
	return append(out, '}')
}

func faultObject(f *sandbox.Fault, room int) *value.Object {
	o := value.Of("kind", string(f.Kind))
	put := func(key, text string, most int) {
		if text != "" {
			o.Set(key, elide.Middle(text, most))
		}
	}
	put("name", f.Name, 100)
	put("message", f.Message, min(1000, room/3))
	put("hint", f.Hint, min(600, room/6))
	if f.Line > 0 {
		o.Set("line", int64(f.Line))
		o.Set("column", int64(f.Column))
	}
	if len(f.Excerpt) < room/4 {
		put("excerpt", f.Excerpt, room)
	}
	put("fired", f.Fired, min(1500, room/4))
	return o
}

func usageObject(u sandbox.Usage) *value.Object {
	return value.Of("fuel", u.Fuel, "memory", u.Memory, "waited_ms", u.Waited.Milliseconds())
}

func calledList(tallies []dispatch.Tally) []value.Value {
	list := make([]value.Value, len(tallies))
	for i, t := range tallies {
		o := value.Of("name", t.Name, "calls", int64(t.Calls), "effect", t.Effect)
		if t.Failed > 0 {
			o.Set("failed", int64(t.Failed))
		}
		if t.Unknown > 0 {
			o.Set("unknown", int64(t.Unknown))
		}
		list[i] = o
	}
	return list
}

func plannedList(calls []PlannedCall) []value.Value {
	list := make([]value.Value, len(calls))
	for i, c := range calls {
		o := value.Of("function", c.Function, "effect", c.Effect, "args", c.Args)
		if c.Staged {
			o.Set("staged", true)
		}
		list[i] = o
	}
	return list
}

func definedList(defs []Def) []value.Value {
	list := make([]value.Value, len(defs))
	for i, d := range defs {
		list[i] = value.Of("name", d.Name, "kind", d.Kind, "summary", d.Summary)
	}
	return list
}

func textList(lines []string) []value.Value {
	list := make([]value.Value, len(lines))
	for i, l := range lines {
		list[i] = l
	}
	return list
}
