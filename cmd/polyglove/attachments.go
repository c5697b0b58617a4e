package main

import (
	"context"
	"iter"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/toolfn/mcptools"
)

// attended is a journal that notices attachments in what was recorded: they were
// the process's, and are gone with it.
type attended struct {
	*store.Journal
	found bool
}

// attachmentsGone tells the model so.
const attachmentsGone = "Attachments of results from before are gone (their handles read nothing): call the function again to have one."

// Past gives the programs that were recorded.
func (a *attended) Past(ctx context.Context) iter.Seq2[*dispatch.Past, error] {
	return func(yield func(*dispatch.Past, error) bool) {
		for p, err := range a.Journal.Past(ctx) {
			if p != nil {
				a.look(p)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (a *attended) look(p *dispatch.Past) {
	for i := range p.Calls {
		if a.found {
			return
		}
		a.found = mcptools.Attached(p.Calls[i].Result)
	}
}
