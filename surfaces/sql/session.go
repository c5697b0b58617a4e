//go:build cgo

package sql

import (
	"context"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/infoschema"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// session is one SQL session.
type session struct {
	ws        *surfaces.Workspace
	turn      surfaces.Turn
	limits    sandbox.Limits
	meter     *sandbox.Meter
	db        *engine.DB
	shapes    map[*toolfn.ResourceTable]*query.Table
	version   uint64 // of the catalogue, for shapes
	views     map[*infoschema.View]*query.Table
	temporary map[string]*temporary
	order     []string // the names of temporary tables
	run       *execution
	tx        *transaction // nil outside of one
}

// execution is one program under way.
type execution struct {
	calls  *dispatch.Run
	params []value.Value // of $1…
	notes  []string
	empty  []string
	line   int // of the statement under way
}

func open(ws *surfaces.Workspace) (surfaces.Session, error) {
	s := &session{ws: ws, turn: surfaces.NewTurn(), limits: ws.Limits(), temporary: map[string]*temporary{}}
	m, err := sandbox.NewMeter(context.Background(), s.limits)
	if err != nil {
		return nil, err
	}
	s.meter = m
	s.db = engine.Open(engine.Options{Limits: s.limits, Now: s.now, Seed: ws.Seed(), User: ws.Actor()})
	return s, nil
}

// Close frees the session. A program that is under way ends first.
func (s *session) Close() {
	s.turn.Close(func() {
		s.db, s.meter, s.shapes, s.temporary = nil, nil, nil, nil
	})
}

// mostNotes bounds the notes of one program.
const mostNotes = 20

// note keeps a sentence for the result, once.
func (s *session) note(text string) {
	if s.run == nil || len(s.run.notes) >= mostNotes {
		return
	}
	for _, n := range s.run.notes {
		if n == text {
			return
		}
	}
	s.run.notes = append(s.run.notes, text)
}
