package python

import (
	"slices"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/toolfn/value"
)

// execution is the state of one program while it runs.
type execution struct {
	program *compile.Program
	calls   *dispatch.Run
	output  *output
	flights []*flight // started and not settled, in the order of their calls
	notes   []string
	empty   []string // reads that returned no rows
	// foreign is what was read of other languages, originals what it was then.
	foreign   map[string]pyValue
	originals map[string]value.Value
	staging   []*dispatch.Section
	ended     bool // its code has ended; its result is being made
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
