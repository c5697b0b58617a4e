package js

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces/js/compile"
	"github.com/polyglove/polyglove/toolfn/value"
)

// execution is the state of one program while it runs.
type execution struct {
	program  *compile.Program
	calls    *dispatch.Run
	flights  []*flight // started and not settled, in the order of their calls
	notes    []string
	empty    []string // reads that returned no rows
	rejected []rejection
	waits    waitList
	foreign  map[string]goja.Value // what was read of other languages
	ended    bool                  // its code has ended; its result is being made
}

// rejection is a promise that was rejected and that nobody handles yet.
type rejection struct {
	promise *goja.Promise
	at      spot
}

// mostNotes bounds the notes of one program.
const mostNotes = 12

// note adds a remark for the model, once.
func (s *session) note(text string) {
	r := s.run
	if r == nil || len(r.notes) >= mostNotes || slices.Contains(r.notes, text) {
		return
	}
	r.notes = append(r.notes, text)
}

// emptyRead remembers a read that returned nothing.
func (r *execution) emptyRead(c *capability, args *value.Object) {
	if !c.fn.Effect.Reads() && c.fn.Effect.Impact != 0 {
		return
	}
	text := callText(c.shown, args)
	if len(r.empty) < 3 && !slices.Contains(r.empty, text) {
		r.empty = append(r.empty, text)
	}
}

// declares reports whether the running program declares a name at its top level.
func (r *execution) declares(name string) bool {
	return slices.ContainsFunc(r.program.Tops, func(t compile.Top) bool { return t.Name == name })
}
