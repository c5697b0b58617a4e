package dispatch

import (
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Journal is an append-only record of programs and their calls. Its methods are
// called from several programs at once.
//
// A call that may change something is recorded twice: before it is made, as
// [Intended], and when it has ended. A store that outlives the process can so
// tell an effect whose outcome was lost from one that never began. A read is
// recorded once, when it has ended.
type Journal interface {
	// Program records that a program begins and, later, under the same ID, that
	// it has ended.
	Program(ProgramRecord) error
	// Call records an intended or ended call. If recording an intention fails,
	// the call is not made. The record's Args may be kept and must not be
	// changed. Its Result becomes the program's when Call returns: a journal that
	// keeps it copies it.
	Call(CallRecord) error
}

// ProgramRecord is one program.
type ProgramRecord struct {
	ID       int64
	Language string
	Frame    string
	Actor    string
	Source   string
	DryRun   bool // its effects were not made; see [DryRun]
	Limits   sandbox.Limits
	Began    time.Time
	Ended    bool
	Took     time.Duration // when ended
	Fault    sandbox.Kind  // when ended: how it failed, "" if it did not
	Fuel     int64         // when ended: units spent
	Clock    []Tick        // when ended: clock readings since the last call's record
	Digest   uint64        // when ended: of what it defined; see Run.Attest
	// Interrupted says that the process ended before the program did, and that it
	// has been run again since, up to where its record ends.
	Interrupted bool
	Withheld    bool // the source, or the readings, were withheld from the journal
}

// CallRecord is one call of a program.
type CallRecord struct {
	Program      int64 // the program's ID
	Index        int   // 1-based position among the program's calls; 0 if it was refused
	Order        int   // 1-based position among the calls that it asked for, refused ones among them
	Function     string
	Effect       toolfn.Effect
	Args         *value.Object
	Actor        string
	Line, Column int // where in the program; 0 where unknown
	Began        time.Time
	Took         time.Duration
	Outcome      Outcome
	Error        string      // the text the program got, when it failed
	Result       value.Value // what the program got
	ResultBytes  int64       // its estimated size
	// Fault is what the program got when the call failed or was refused. Its Cause
	// may be a *toolfn.CallError.
	Fault        *sandbox.Fault
	Asked        bool   // the host was asked, and Outcome tells its answer
	Entry        int64  // the number of the pending effect that was staged or, later, made
	Clock        []Tick // clock readings since the last record of the program
	ArgsWithheld bool   // the arguments were withheld from the journal
	Withheld     bool   // the result or the fault was
}

// Outcome is how a call came out.
type Outcome uint8

// The outcomes.
const (
	Intended     Outcome = iota // about to be made
	Done                        // made, and it answered
	Failed                      // made, and it answered with an error
	Unsettled                   // made, and whether it took effect is not known
	Refused                     // not made: policy or the host refused it
	NotAttempted                // not made: an earlier part of the same statement failed
	Staged                      // not made: it was put on the list of pending effects
)

// String gives the word: intended, done, failed, unknown, refused, not attempted,
// staged.
func (o Outcome) String() string {
	return [...]string{"intended", "done", "failed", "unknown", "refused", "not attempted", "staged"}[min(o, Staged)]
}
