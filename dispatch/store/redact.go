package store

import (
	"slices"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Record is what a [Redact] sees: a program or a call, the other being nil. It is
// a copy: whatever is changed in it changes what is stored and nothing else.
type Record struct {
	Program *dispatch.ProgramRecord
	Call    *dispatch.CallRecord
}

// Redact sees each record before it is stored and may change or drop what is in
// it: sources, arguments, results, errors. What is withheld cannot be rebuilt: a
// workspace that is opened again says so of each program whose source, results
// or errors are not there. Withheld arguments do no harm, save that the program
// is not held to them. A Redact that panics withholds everything in the record.
type Redact func(Record)

// program gives the record of a program as it is to be stored.
func (r Redact) program(p dispatch.ProgramRecord) dispatch.ProgramRecord {
	if r == nil {
		return p
	}
	shown := p
	shown.Clock = slices.Clone(p.Clock)
	if !r.show(Record{Program: &shown}) {
		shown = p
		shown.Source, shown.Clock, shown.Actor = "", nil, ""
	}
	shown.ID, shown.Ended, shown.Interrupted = p.ID, p.Ended, p.Interrupted
	shown.Withheld = shown.Source != p.Source && !p.Ended || !slices.Equal(shown.Clock, p.Clock)
	return shown
}

// call gives the record of a call as it is to be stored.
func (r Redact) call(c dispatch.CallRecord) dispatch.CallRecord {
	if r == nil {
		return c
	}
	shown := c
	shown.Args, _ = value.Copy(c.Args).(*value.Object)
	shown.Result = value.Copy(c.Result)
	shown.Clock = slices.Clone(c.Clock)
	if c.Fault != nil {
		f := *c.Fault
		shown.Fault = &f
	}
	if !r.show(Record{Call: &shown}) {
		shown = c
		shown.Args, shown.Result, shown.Fault, shown.Error, shown.Clock = nil, nil, nil, "", nil
	}
	shown.Program, shown.Index, shown.Order, shown.Outcome, shown.Asked = c.Program, c.Index, c.Order, c.Outcome, c.Asked
	shown.Function = c.Function
	shown.ArgsWithheld = !sameArgs(shown.Args, c.Args)
	shown.Withheld = !value.Equal(shown.Result, c.Result) || !sameFault(shown.Fault, c.Fault) || !slices.Equal(shown.Clock, c.Clock)
	return shown
}

// show reports whether the host's function returned.
func (r Redact) show(rec Record) (returned bool) {
	defer func() { _ = recover() }()
	r(rec)
	return true
}

func sameArgs(a, b *value.Object) bool {
	if a == nil || b == nil {
		return a == b
	}
	return value.Equal(a, b)
}

func sameFault(a, b *sandbox.Fault) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Name == b.Name && a.Message == b.Message && a.Hint == b.Hint && a.Cause == b.Cause
}
