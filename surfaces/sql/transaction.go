//go:build cgo

package sql

import (
	"errors"
	"fmt"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Staging spells how programs hold effects back.
func (language) Staging(*toolfn.Catalog) surfaces.StagingWords {
	return surfaces.StagingWords{Stage: "BEGIN", Commit: "COMMIT", Rollback: "ROLLBACK", Pending: "every result"}
}

// transaction is open from BEGIN to its end, over as many programs as it takes: what
// it changes is pending until COMMIT.
type transaction struct {
	section *dispatch.Section // of the program under way
	staged  []int64
}

// control runs BEGIN, COMMIT or ROLLBACK.
func (s *session) control(k guard.Kind) (any, error) {
	switch k {
	case guard.Begin:
		return s.begin()
	case guard.Commit:
		return s.commit()
	}
	return s.rollback()
}

func misplaced(message, hint string) error {
	return &sandbox.Fault{Kind: sandbox.KindArgument, Name: "ERROR 25001", Message: message, Hint: hint}
}

func (s *session) begin() (any, error) {
	if s.tx != nil {
		return nil, misplaced("a transaction is open already.", "COMMIT makes what it holds back, ROLLBACK drops it.")
	}
	if !s.ws.Stages() {
		return nil, misplaced("nothing can be held back here, so there are no transactions.", "Run the statement without BEGIN.")
	}
	s.tx = &transaction{}
	if err := s.resumeTransaction(); err != nil {
		s.tx = nil
		return nil, err
	}
	return "BEGIN", nil
}

// resumeTransaction holds back what the program changes from here on.
func (s *session) resumeTransaction() error {
	section, err := s.run.calls.Stage()
	if err != nil {
		return err
	}
	s.tx.section = section
	return nil
}

// suspend ends the program's part of an open transaction; what it holds back stays
// pending.
func (s *session) suspend() {
	if s.tx == nil || s.tx.section == nil {
		return
	}
	for _, p := range s.tx.section.End() {
		s.tx.staged = append(s.tx.staged, p.ID)
	}
	s.tx.section = nil
}

func (s *session) commit() (any, error) {
	if s.tx == nil {
		return nil, misplaced("there is no transaction to commit: what was changed outside of one has happened.", "BEGIN starts one.")
	}
	s.suspend()
	if len(s.run.calls.Pending()) == 0 {
		s.tx = nil
		return "COMMIT: nothing was held back", nil
	}
	done, err := s.run.calls.Commit(dispatch.Call{Line: s.run.line, Column: 1})
	if err != nil {
		if len(s.run.calls.Pending()) == 0 {
			s.tx = nil
		}
		return nil, s.commitFailed(err)
	}
	s.tx = nil
	rows := make([]value.Value, len(done))
	for i := range done {
		c := &done[i]
		rows[i] = value.Of("id", c.ID, "function", c.Function, "outcome", c.Outcome.String(), "result", c.Result)
	}
	return rows, nil
}

// commitFailed tells of each effect what became of it.
func (s *session) commitFailed(err error) error {
	var f *sandbox.Fault
	var ce *dispatch.CommitError
	if !errors.As(err, &f) || !errors.As(f.Cause, &ce) {
		return err
	}
	for i := range ce.Effects {
		c := &ce.Effects[i]
		text := fmt.Sprintf("COMMIT, effect %d (%s): %s", c.ID, c.Function, c.Outcome)
		if c.Error != "" {
			text += ": " + sandbox.Clip(c.Error, 200)
		}
		s.note(text + ".")
	}
	return err
}

func (s *session) rollback() (any, error) {
	if s.tx == nil {
		return nil, misplaced("there is no transaction to roll back: what was changed outside of one has happened.", "BEGIN starts one.")
	}
	s.suspend()
	n, err := s.dropStaged()
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf("ROLLBACK: %d held back %s dropped, nothing of it has happened", n, map[bool]string{true: "change was", false: "changes were"}[n == 1]), nil
}

// dropStaged ends the transaction and drops what it holds back.
func (s *session) dropStaged() (int, error) {
	tx := s.tx
	s.tx = nil
	if len(tx.staged) == 0 {
		return 0, nil
	}
	dropped, err := s.run.calls.Rollback(tx.staged...)
	return len(dropped), err
}

// failTransaction ends a transaction in which a statement has failed, as a server
// aborts it, and says what is dropped.
func (s *session) failTransaction() {
	if s.tx == nil {
		return
	}
	s.suspend()
	n, err := s.dropStaged()
	if err == nil {
		s.note(fmt.Sprintf("The transaction has ended with the error: %d held back %s dropped, nothing of it has happened. BEGIN again.", n, map[bool]string{true: "change was", false: "changes were"}[n == 1]))
	}
}
