package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// line is any record as it is read.
type line struct {
	T           string
	ID          int64
	Language    string
	Frame       string
	Actor       string
	Limits      []int64
	At          int64
	Source      string
	Took        int64
	Fault       json.RawMessage
	Fuel        int64
	Digest      int64
	Interrupted bool
	Withheld    bool
	Clock       []int64

	Program      int64
	Index, Order int
	Function     string
	Outcome      string
	Asked, Dry   bool
	Entry        int64
	Effect       string
	Idempotent   bool
	Line, Column int
	ArgsWithheld bool `json:"args_withheld"`
	Args         json.RawMessage
	Bytes        int64
}

type faultLine struct {
	Kind, Name, Message, Hint string
	Call                      bool
	Code, Text                string
	Retryable, Unknown        bool
	Details                   json.RawMessage
}

func readLine(data []byte) (*line, error) {
	l := &line{}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, fmt.Errorf("the record is damaged: %w", err)
	}
	return l, nil
}

func (l *line) program() dispatch.ProgramRecord {
	p := dispatch.ProgramRecord{ID: l.ID, Language: l.Language, Frame: l.Frame, Actor: l.Actor, Source: l.Source, Began: time.UnixMilli(l.At), Withheld: l.Withheld, DryRun: l.Dry}
	if len(l.Limits) == 4 {
		p.Limits = sandbox.Limits{Fuel: l.Limits[0], Memory: l.Limits[1], Calls: int(l.Limits[2]), Depth: int(l.Limits[3])}
	}
	return p
}

// end completes the record of a program.
func (l *line) end(p *dispatch.ProgramRecord) error {
	var kind string
	if len(l.Fault) > 0 {
		if err := json.Unmarshal(l.Fault, &kind); err != nil {
			return err
		}
	}
	p.Ended, p.Took, p.Fault = true, time.Duration(l.Took), sandbox.Kind(kind)
	p.Fuel, p.Digest = l.Fuel, uint64(l.Digest)
	p.Interrupted = l.Interrupted
	p.Withheld = p.Withheld || l.Withheld
	return nil
}

func (l *line) ticks() ([]dispatch.Tick, error) {
	if len(l.Clock)%2 != 0 {
		return nil, errors.New("the record is damaged: its clock readings are not pairs")
	}
	ticks := make([]dispatch.Tick, len(l.Clock)/2)
	at := int64(0)
	for i := range ticks {
		at += l.Clock[2*i]
		ticks[i] = dispatch.Tick{Millis: at, Times: l.Clock[2*i+1]}
	}
	return ticks, nil
}

// call gives the record of a call. The end of an effect takes what its intention
// has from before.
func (l *line) call(before *dispatch.CallRecord) (dispatch.CallRecord, error) {
	c := dispatch.CallRecord{}
	if before != nil {
		c = *before
	} else {
		c = dispatch.CallRecord{
			Program: l.Program, Function: l.Function, Actor: l.Actor, Line: l.Line, Column: l.Column,
			Effect: toolfn.Effect{Impact: impactOf(l.Effect), Idempotent: l.Idempotent}, ArgsWithheld: l.ArgsWithheld,
		}
		args, err := argsOf(l.Args)
		if err != nil {
			return c, err
		}
		c.Args = args
	}
	c.Index, c.Order, c.Asked, c.Withheld = l.Index, l.Order, l.Asked, l.Withheld
	c.Entry = l.Entry
	c.Began, c.Took, c.ResultBytes = time.UnixMicro(l.At), time.Duration(l.Took), l.Bytes
	var err error
	if c.Outcome, err = outcomeOf(l.Outcome); err != nil {
		return c, err
	}
	if len(l.Fault) > 0 {
		c.Fault, err = faultOf(l.Fault)
	}
	if c.Fault != nil {
		c.Error = c.Fault.Error()
	}
	return c, err
}

func argsOf(data []byte) (*value.Object, error) {
	if len(data) == 0 {
		return value.NewObject(0), nil
	}
	v, err := decodeExact(data)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*value.Object)
	if !ok {
		return nil, errors.New("the record is damaged: its arguments are no object")
	}
	return o, nil
}

func outcomeOf(word string) (dispatch.Outcome, error) {
	for o := dispatch.Intended; ; o++ {
		w := o.String()
		if w == word {
			return o, nil
		}
		if (o + 1).String() == w { // past the last
			return 0, fmt.Errorf("the record is damaged: it has the outcome %q", word)
		}
	}
}

func faultOf(data []byte) (*sandbox.Fault, error) {
	var l faultLine
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, err
	}
	f := &sandbox.Fault{Kind: sandbox.Kind(l.Kind), Name: l.Name, Message: l.Message, Hint: l.Hint}
	if !l.Call {
		return f, nil
	}
	c := &toolfn.CallError{Code: l.Code, Message: l.Text, Retryable: l.Retryable, OutcomeUnknown: l.Unknown}
	if len(l.Details) > 0 {
		var err error
		if c.Details, err = decodeExact(l.Details); err != nil {
			return nil, err
		}
	}
	f.Cause = c
	return f, nil
}
