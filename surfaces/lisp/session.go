package lisp

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/library"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// session is one Lisp session.
type session struct {
	ws      *surfaces.Workspace
	turn    surfaces.Turn
	limits  sandbox.Limits
	meter   *sandbox.Meter
	machine *compile.Machine
	shapes  shapes
	random  *rand.Rand
	peek    *elide.Renderer
	last    data.Value
	grown   int64 // bytes charged since the definitions were last measured
	run     *execution

	callables map[string]data.Value // what the catalogue's names stand for
	version   uint64                // of the catalogue, for callables
}

// execution is one program under way.
type execution struct {
	calls  *dispatch.Run
	notes  []string
	out    *elide.Lines
	line   strings.Builder
	empty  []string
	misses []*source
	ended  bool
}

func open(ws *surfaces.Workspace) (*session, error) {
	s := &session{ws: ws, turn: surfaces.NewTurn(), limits: ws.Limits()}
	m, err := sandbox.NewMeter(context.Background(), s.limits)
	if err != nil {
		return nil, err
	}
	s.meter = m
	s.build()
	return s, nil
}

// build makes the machine, at first and after a reset.
func (s *session) build() {
	s.machine = compile.NewMachine(compile.Host{
		Library: library.Lookup,
		Resolve: s.resolve,
		Owns:    s.owns,
		Unknown: s.unknown,
		Note:    s.note,
		Regex:   library.Pattern,
	})
	s.machine.T.Host = (*libraryHost)(s)
	s.machine.T.OnWrongLookup = s.wrongLookup
	s.machine.T.Note = s.note
	s.shapes = shapes{}
}

// libraryHost is what the library asks of a session.
type libraryHost session

// Print takes what a program prints.
func (h *libraryHost) Print(text string) { (*session)(h).print(text) }

// Random gives the session's numbers, which its seed decides.
func (h *libraryHost) Random() float64 {
	if h.random == nil {
		h.random = rand.New(rand.NewPCG(h.ws.Seed(), 0x6c697370))
	}
	return h.random.Float64()
}

// Datum gives a form as data.
func (h *libraryHost) Datum(f *reader.Form) data.Value { return h.machine.Datum(f) }

// Now is the time as programs see it.
func (h *libraryHost) Now() time.Time {
	if h.run != nil {
		return h.run.calls.Now()
	}
	return h.ws.Clock()
}

// Close frees the session. A program that is under way ends first.
func (s *session) Close() {
	s.turn.Close(func() {
		s.machine, s.meter, s.callables = nil, nil, nil
		s.last = data.Nil
	})
}

// Forget undefines names.
func (s *session) Forget(names []string) {
	if s.turn.Take(context.Background()) != nil {
		return
	}
	defer s.turn.Give()
	for _, n := range names {
		s.machine.Forget(n)
	}
	s.last = data.Nil
}

// Defs lists what the session has defined, in the order of definition.
func (s *session) Defs() []surfaces.Def {
	if s.turn.Take(context.Background()) != nil {
		return nil
	}
	defer s.turn.Give()
	return s.definitions(s.machine.Names())
}

// note keeps a sentence for the result, once.
func (s *session) note(text string) {
	if s.run == nil {
		return
	}
	for _, n := range s.run.notes {
		if n == text {
			return
		}
	}
	if len(s.run.notes) < mostNotes {
		s.run.notes = append(s.run.notes, text)
	}
}

// mostNotes bounds the notes of one program.
const mostNotes = 20

func (s *session) wrongLookup(coll, key data.Value) {
	word := data.Print(data.Unmetered(), key, true)
	s.note("(" + word + " coll) gives nil on " + data.TypeName(coll) + ": to read it of each element write (map " + word + " coll).")
}
