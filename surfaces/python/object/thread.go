package object

import (
	"github.com/polyglove/polyglove/sandbox"
)

// Printer receives what a program prints, in pieces that need not be lines. It
// bounds what it keeps.
type Printer interface{ Print(text string) }

// Thread is one session's state of evaluation: the meter of the current execute
// and what natives need to know of the program. One goroutine uses it at a time.
type Thread struct {
	Meter   *sandbox.Meter
	Printer Printer
	// Engine is the compiler's own state.
	Engine Engine
	// Importer gives a module by its full name, nil if there is none.
	Importer Importer
	// Library is what the standard modules keep for the session: its clock, its
	// seed and what has been imported.
	Library any
	// Handled are the exceptions being handled, innermost last: what a bare raise
	// raises again and what becomes the context of another.
	Handled []*Exception
	// Site is where a function that is marked as [Builtin.Outside] is being called.
	Site Site

	credit int64 // bytes charged to the meter and not yet used
	nested int   // depth of protocols that recurse in Go
	epoch  uint32
	live   int64 // bytes found reachable at the last look
	pinned []Value
	built  int64 // bytes of texts that natives are gathering
	// argStack holds arguments that natives pass on with a self in front.
	argStack []Value
	argTop   int
	ids      map[*Obj]int64
	nans     uint64
	interned map[string]Value // the strings of names
	reprs    []*Obj           // the containers being printed
}

// Site is the place of a call.
type Site struct {
	Place
	// Started says that the result goes straight to what waits for it, so that the
	// function may give an [Awaitable] instead.
	Started bool
}

// Importer gives a module by its full name; the unset Value if there is none.
type Importer func(t *Thread, name string) (Value, *Exception)

// Engine is what the compiler adds to a thread.
type Engine interface {
	// RunModule runs the source of a module and gives what it defines; importer
	// finds what it imports.
	RunModule(name, source string, importer Importer) (*Module, *Exception)
	// Roots visits every value that the engine keeps alive.
	Roots(visit func(Value))
	// Caller describes the innermost Python frame for super() and for warnings:
	// the class a method was defined in and its first argument.
	Caller() (class *Class, self Value)
}

// NewThread makes the state of a session. Begin must follow for each execute.
func NewThread() *Thread { return &Thread{} }

// Begin starts an execute on a meter.
func (t *Thread) Begin(m *sandbox.Meter) {
	t.Meter = m
	t.credit, t.nested, t.live = 0, 0, 0
	t.argTop, t.built = 0, 0
	clear(t.argStack)
	t.pinned, t.reprs, t.Handled = t.pinned[:0], t.reprs[:0], t.Handled[:0]
}

// limit makes the exception of a limit, which no program can catch.
func limit(err error) *Exception { return &Exception{Limit: err} }

// Charge spends fuel.
func (t *Thread) Charge(n int64) *Exception {
	if err := t.Meter.Charge(n); err != nil {
		return limit(err)
	}
	return nil
}

// memoryStep is how many bytes are taken from the meter at once.
const memoryStep = 16 << 10

// Alloc charges bytes before they are allocated.
func (t *Thread) Alloc(n int) *Exception {
	if t.credit -= int64(n); t.credit >= 0 {
		return nil
	}
	return t.allocSlow(int64(n))
}

// allocSlow takes more bytes from the meter, and looks which bytes are free again
// before it lets the program fail.
func (t *Thread) allocSlow(n int64) *Exception {
	need := -t.credit
	if need < memoryStep {
		need = memoryStep
	}
	most := t.Meter.Limits().Memory
	if used := t.Meter.Usage().Memory; used+need > most && n < most {
		if x := t.reclaim(); x != nil {
			return x
		}
	}
	if err := t.Meter.Alloc(need); err != nil {
		// The last step may be smaller than a full one.
		return limit(err)
	}
	t.credit += need
	return nil
}

// maxNested bounds how deep protocols such as repr, equality and hashing may
// recurse in Go.
const maxNested = 950

// Enter counts one more level of a protocol that recurses in Go; Leave must
// follow, also after an error.
func (t *Thread) Enter() *Exception {
	t.nested++
	if t.nested > maxNested {
		return t.Raise(RecursionError, "maximum recursion depth exceeded")
	}
	return nil
}

// Leave ends what Enter began.
func (t *Thread) Leave() { t.nested-- }

// EnterCall counts one more call; LeaveCall must follow, also after an error.
func (t *Thread) EnterCall() *Exception {
	if err := t.Meter.Enter(); err != nil {
		return limit(err)
	}
	return nil
}

// LeaveCall ends what EnterCall began.
func (t *Thread) LeaveCall() { t.Meter.Leave() }

// Build charges bytes that a native adds to a text it is gathering, so that they
// count as live until it is done; the native takes t.Building first and gives it
// to t.Built at its end.
func (t *Thread) Build(n int) *Exception {
	t.built += int64(n)
	return t.Alloc(n)
}

// Building begins what Built ends.
func (t *Thread) Building() int64 { return t.built }

// Built ends what Building began: the text has been charged as a value, or dropped.
func (t *Thread) Built(mark int64) { t.built = mark }

// Pin keeps a value that only Go code holds in the account of live memory; the
// result goes to Unpin.
func (t *Thread) Pin(v Value) int {
	t.pinned = append(t.pinned, v)
	return len(t.pinned) - 1
}

// Unpin ends what Pin began, and all Pins after it.
func (t *Thread) Unpin(at int) {
	clear(t.pinned[at:])
	t.pinned = t.pinned[:at]
}
