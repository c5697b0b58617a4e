package store

import (
	"strconv"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// fields writes the members of one record. Members that say nothing are left out.
type fields struct {
	b   []byte
	err error
}

func record(kind string) *fields {
	return &fields{b: append(append(make([]byte, 0, 256), `{"t":"`...), kind+`"`...)}
}

func (f *fields) key(name string) {
	f.b = append(append(append(f.b, `,"`...), name...), `":`...)
}

func (f *fields) text(name, s string) {
	if s != "" {
		f.key(name)
		f.b = value.AppendString(f.b, s)
	}
}

func (f *fields) number(name string, n int64) {
	if n != 0 {
		f.key(name)
		f.b = strconv.AppendInt(f.b, n, 10)
	}
}

func (f *fields) flag(name string, is bool) {
	if is {
		f.key(name)
		f.b = append(f.b, "true"...)
	}
}

func (f *fields) value(name string, v value.Value) {
	if f.err != nil {
		return
	}
	f.key(name)
	f.b, f.err = appendExact(f.b, v)
}

func (f *fields) numbers(name string, list ...int64) {
	f.key(name)
	f.b = append(f.b, '[')
	for i, n := range list {
		if i > 0 {
			f.b = append(f.b, ',')
		}
		f.b = strconv.AppendInt(f.b, n, 10)
	}
	f.b = append(f.b, ']')
}

// clock writes readings as pairs: milliseconds since the reading before, and how
// often it was read.
func (f *fields) clock(ticks []dispatch.Tick) {
	if len(ticks) == 0 {
		return
	}
	list := make([]int64, 0, 2*len(ticks))
	before := int64(0)
	for _, t := range ticks {
		list = append(list, t.Millis-before, t.Times)
		before = t.Millis
	}
	f.numbers("clock", list...)
}

func (f *fields) fault(fault *sandbox.Fault) {
	if fault == nil {
		return
	}
	f.key("fault")
	in := fields{b: append(f.b, `{"kind":`...)}
	in.b = value.AppendString(in.b, string(fault.Kind))
	in.text("name", fault.Name)
	in.text("message", fault.Message)
	in.text("hint", fault.Hint)
	if c := dispatch.CallErrorOf(fault); c != nil {
		in.flag("call", true)
		in.text("code", c.Code)
		in.text("text", c.Message)
		in.flag("retryable", c.Retryable)
		in.flag("unknown", c.OutcomeUnknown)
		if c.Details != nil {
			in.value("details", c.Details)
		}
	}
	f.b = append(in.b, '}')
	if f.err == nil {
		f.err = in.err
	}
}

func (f *fields) end() ([]byte, error) { return append(f.b, '}'), f.err }

func encodeProgram(p dispatch.ProgramRecord) ([]byte, error) {
	if p.Ended || p.Interrupted {
		f := record("end")
		f.number("id", p.ID)
		f.number("took", int64(p.Took))
		f.text("fault", string(p.Fault))
		f.number("fuel", p.Fuel)
		f.number("digest", int64(p.Digest))
		f.flag("interrupted", p.Interrupted)
		f.flag("withheld", p.Withheld)
		f.clock(p.Clock)
		return f.end()
	}
	f := record("begin")
	f.number("id", p.ID)
	f.text("language", p.Language)
	f.text("frame", p.Frame)
	f.text("actor", p.Actor)
	f.numbers("limits", p.Limits.Fuel, p.Limits.Memory, int64(p.Limits.Calls), int64(p.Limits.Depth))
	f.number("at", p.Began.UnixMilli())
	f.flag("withheld", p.Withheld)
	f.flag("dry", p.DryRun)
	f.text("source", p.Source)
	return f.end()
}

// encodeCall writes a call without its result. The arguments of an effect stand in
// the record of its intention alone.
func encodeCall(c dispatch.CallRecord) ([]byte, error) {
	f := record("call")
	f.number("program", c.Program)
	f.number("index", int64(c.Index))
	f.number("order", int64(c.Order))
	f.text("function", c.Function)
	f.text("outcome", c.Outcome.String())
	f.flag("asked", c.Asked)
	f.number("entry", c.Entry)
	f.flag("withheld", c.Withheld)
	if !intended(c) {
		f.text("effect", c.Effect.Impact.String())
		f.flag("idempotent", c.Effect.Idempotent)
		f.text("actor", c.Actor)
		f.number("line", int64(c.Line))
		f.number("column", int64(c.Column))
		f.flag("args_withheld", c.ArgsWithheld)
		if c.Args != nil && c.Args.Len() > 0 {
			f.value("args", c.Args)
		}
	}
	f.number("at", unixMicro(c.Began))
	f.number("took", int64(c.Took))
	f.number("bytes", c.ResultBytes)
	f.fault(c.Fault)
	f.clock(c.Clock)
	return f.end()
}

// intended reports whether a record is the end of a call whose intention has a
// record of its own.
func intended(c dispatch.CallRecord) bool {
	switch c.Outcome {
	case dispatch.Done, dispatch.Failed, dispatch.Unsettled, dispatch.Refused:
		return c.Index > 0 && !c.Effect.Reads()
	}
	return false
}

func unixMicro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func impactOf(word string) toolfn.Impact {
	for _, i := range []toolfn.Impact{toolfn.Read, toolfn.Write, toolfn.Destructive} {
		if i.String() == word {
			return i
		}
	}
	return toolfn.Unknown
}
