package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/polyglove/polyglove/dispatch"
)

// Past gives the programs of the workspace in the order in which they began, for
// a workspace that is opened again. Large results are read program by program.
func (j *Journal) Past(ctx context.Context) iter.Seq2[*dispatch.Past, error] {
	return func(yield func(*dispatch.Past, error) bool) {
		if err := j.Flush(); err != nil {
			yield(nil, err)
			return
		}
		h := history{by: map[int64]*chapter{}}
		if err := j.store.backend.Read(ctx, j.lease.Workspace, h.read); err != nil {
			yield(nil, err)
			return
		}
		for _, c := range h.all {
			if err := c.load(ctx, j.store.backend); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&c.past, nil) {
				return
			}
			*c = chapter{}
		}
	}
}

// history gathers entries by program: those of programs that ran side by side are
// mixed.
type history struct {
	all []*chapter
	by  map[int64]*chapter
	seq int64
}

type chapter struct {
	past  dispatch.Past
	blobs map[int]Hash // large results by position among the calls
	by    map[int]int  // positions by order
}

func (h *history) read(e Entry) error {
	if h.seq++; e.Seq != h.seq {
		return fmt.Errorf("the journal has a gap: record %d where %d was due", e.Seq, h.seq)
	}
	l, err := readLine(e.Data)
	if err != nil {
		return fmt.Errorf("record %d: %w", e.Seq, err)
	}
	if err := h.take(l, e); err != nil {
		return fmt.Errorf("record %d: %w", e.Seq, err)
	}
	return nil
}

func (h *history) take(l *line, e Entry) error {
	ticks, err := l.ticks()
	if err != nil {
		return err
	}
	switch l.T {
	case "begin":
		c := &chapter{past: dispatch.Past{Program: l.program()}, by: map[int]int{}, blobs: map[int]Hash{}}
		h.all = append(h.all, c)
		h.by[l.ID] = c
		return nil
	case "end":
		c := h.by[l.ID]
		if c == nil {
			return fmt.Errorf("it ends the program %d, which never began", l.ID)
		}
		c.past.Clock = append(c.past.Clock, ticks...)
		return l.end(&c.past.Program)
	case "call":
		c := h.by[l.Program]
		if c == nil {
			return fmt.Errorf("it is of the program %d, which never began", l.Program)
		}
		c.past.Clock = append(c.past.Clock, ticks...)
		return c.call(l, e)
	}
	return fmt.Errorf("it is of the unknown kind %q", l.T)
}

// call adds a call, or puts the end of one in the place of its intention. Calls
// are in the order in which they were asked for: a read that ran beside the
// program is recorded when it has ended, after calls that began later.
func (c *chapter) call(l *line, e Entry) error {
	at, known := c.by[l.Order]
	var before *dispatch.CallRecord
	if known {
		before = &c.past.Calls[at]
	}
	rec, err := l.call(before)
	if err != nil {
		return err
	}
	if e.Result != nil {
		if rec.Result, err = decodeExact(e.Result); err != nil {
			return err
		}
	}
	if !known {
		at = len(c.past.Calls)
		c.by[l.Order] = at
		c.past.Calls = append(c.past.Calls, rec)
	} else {
		c.past.Calls[at] = rec
	}
	if e.Blob != nil {
		c.blobs[at] = *e.Blob
	}
	return nil
}

// load reads the large results and puts the calls into their order.
func (c *chapter) load(ctx context.Context, b Backend) error {
	for at, h := range c.blobs {
		rec := &c.past.Calls[at]
		data, err := b.Blob(ctx, h)
		if err == nil {
			rec.Result, err = decodeExact(data)
		}
		if err != nil {
			return fmt.Errorf("the result of %s in program %d: %w", rec.Function, rec.Program, err)
		}
	}
	sortCalls(c.past.Calls)
	return nil
}

func sortCalls(calls []dispatch.CallRecord) {
	slices.SortStableFunc(calls, func(a, b dispatch.CallRecord) int { return cmp.Compare(a.Order, b.Order) })
}
