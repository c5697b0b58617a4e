package surfaces

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shelf is the table of the histories. What is inserted is a letter R, what is
// deleted a letter T, each of its own and with the fates of letters; a read gives
// something else each time, and what the workspace has written itself.
func (l *life) shelf() toolfn.ResourceTable {
	write := func(id value.Value) (toolfn.Written, error) {
		if _, err := l.send(id.(string)); err != nil {
			return toolfn.Written{}, err
		}
		return toolfn.Written{Affected: 1}, nil
	}
	return toolfn.ResourceTable{
		Name: "shelf", Key: []string{"id"}, Volatility: toolfn.Volatile,
		Columns: []toolfn.Column{{Name: "id", Type: "text"}, {Name: "n", Type: "bigint"}},
		Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
			if l.isDead() {
				return toolfn.Rows{}, errDied
			}
			return toolfn.Rows{Page: []*value.Object{value.Of("id", "S", "n", l.ms.Add(1))}}, nil
		},
		Insert: func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
			id, _ := rows[0].Get("id")
			return write(id)
		},
		Delete: func(_ context.Context, b toolfn.Bindings) (toolfn.Written, error) {
			id, _ := b.First("id")
			return write(id)
		},
	}
}

// table runs a command about the table:
//
//	row ID…    inserts rows by one statement; their names hold what came of them
//	take ID    deletes a row by its key
//	keep ID…   stages rows by one statement
//	look NAME  reads the table
func (s *storySession) table(run *dispatch.Run, words []string, line int) *sandbox.Fault {
	switch words[0] {
	case "look":
		got, err := run.Select(dispatch.Query{Table: "shelf", Line: line})
		if err != nil {
			return err.(*sandbox.Fault)
		}
		var shown []string
		for _, row := range got.Rows {
			id, _ := row.Get("id")
			n, _ := row.Get("n")
			seen := id.(string)
			if n, ok := n.(int64); ok {
				seen += strconv.FormatInt(n, 10)
			}
			shown = append(shown, seen)
		}
		s.set(words[1], strings.Join(shown, "+")+got.Partial)
		return nil
	case "keep":
		section, err := run.Stage()
		if err != nil {
			return err.(*sandbox.Fault)
		}
		defer section.End()
		if _, err := run.Insert(insertion(words[1:], line)); err != nil {
			return err.(*sandbox.Fault)
		}
		for _, id := range words[1:] {
			s.set(id, "staged")
		}
		return nil
	case "take":
		w, err := run.Delete(dispatch.Removal{Table: "shelf", Where: dispatch.Where{Bindings: toolfn.NewBindings().With("id", words[1])}, Line: line})
		return s.wrote(words[1:], w, err)
	}
	w, err := run.Insert(insertion(words[1:], line))
	return s.wrote(words[1:], w, err)
}

func insertion(ids []string, line int) dispatch.Insertion {
	i := dispatch.Insertion{Table: "shelf", Line: line}
	for _, id := range ids {
		i.Rows = append(i.Rows, value.Of("id", id))
	}
	return i
}

// wrote keeps what became of each part of a write, as far as it was begun.
func (s *storySession) wrote(ids []string, w *dispatch.Wrote, err error) *sandbox.Fault {
	f, _ := err.(*sandbox.Fault)
	if f != nil && f.Kind.Limit() {
		return f
	}
	outcomes := make([]dispatch.Outcome, len(ids))
	var part *dispatch.PartialFailure
	switch {
	case f == nil:
		for i := range outcomes {
			outcomes[i] = dispatch.Done
		}
	case errors.As(err, &part):
		for i := range outcomes {
			outcomes[i] = part.Parts[i].Outcome
		}
	case f.Kind == sandbox.KindUnknown:
		outcomes[0] = dispatch.Unsettled
	default:
		outcomes[0] = dispatch.Failed
	}
	for i, o := range outcomes {
		switch o {
		case dispatch.Done:
			s.set(ids[i], "ok")
		case dispatch.Failed:
			s.set(ids[i], "failed")
		case dispatch.Unsettled:
			s.set(ids[i], "unknown")
		}
	}
	return nil
}

// deed is what a letter's effect is called in a note.
func deed(id string) string {
	switch id[0] {
	case 'R':
		return "shelf.insert"
	case 'T':
		return "shelf.delete"
	}
	return "mail__send"
}

// letterIn finds the letter in the arguments of a pending effect.
var letterIn = regexp.MustCompile(`[LRT]\d+`)

func lettersOf(p dispatch.Pending) []string {
	text, _ := value.Append(nil, p.Args)
	return letterIn.FindAllString(string(text), -1)
}

// committed keeps what a commit made of a pending effect, row by row.
func (s *storySession) committed(c dispatch.Commitment, err error) {
	word := map[dispatch.Outcome]string{dispatch.Done: "ok", dispatch.Failed: "failed", dispatch.Unsettled: "unknown"}
	ids := lettersOf(c.Pending)
	var part *dispatch.PartialFailure
	if c.Outcome != dispatch.NotAttempted && c.Outcome != dispatch.Done && len(ids) > 1 && errors.As(err, &part) {
		for i, p := range part.Parts {
			if w, ok := word[p.Outcome]; ok {
				s.set(ids[i], w)
			} else {
				s.set(ids[i], "staged") // it is pending still
			}
		}
		return
	}
	for _, id := range ids {
		if w, ok := word[c.Outcome]; ok {
			s.set(id, w)
		}
	}
}
