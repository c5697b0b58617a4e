package dispatch

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Where says which rows a statement is about: those that the bindings and the
// rest both admit. The zero value admits every row.
type Where struct {
	// Bindings are conjuncts column = value and column IN (values). A null among
	// the values matches nothing, as in SQL; IS NULL belongs into Rest.
	Bindings toolfn.Bindings
	// Ranges and Likes are further conjuncts. The server is asked those that the
	// table declares; all are compared here too.
	Ranges []toolfn.Range
	Likes  []toolfn.Like
	// Rest is what else a row must satisfy, nil if nothing.
	Rest *Condition
}

// Condition is a predicate that only the caller understands.
type Condition struct {
	Columns []string // that Holds looks at
	// Holds decides on one row, which it must not keep or change. It is called
	// with rows as they are after this workspace's own writes. Its error ends the
	// statement before anything is written.
	Holds func(row *value.Object) (bool, error)
	Text  string // for messages and plans
}

// nothing reports whether w admits every row because it says nothing.
func (w Where) nothing() bool {
	return w.Bindings.Len() == 0 && w.Rest == nil && len(w.Ranges) == 0 && len(w.Likes) == 0
}

// Query reads a table.
type Query struct {
	Table   string
	Where   Where
	Columns []string // wanted, nil for all
	// Order is how the rows are ordered, nil for the server's own order.
	Order []toolfn.OrderKey
	// Limit is how many rows are wanted at most, by the order if there is one; 0
	// for all. No further page is read once there are as many. The server is told
	// the order and the number where the table declares them and nothing can get
	// lost by it.
	Limit int
	// Fresh asks the server whatever is remembered.
	Fresh        bool
	Line, Column int // where in the program; 0 where unknown
}

// Selected is what a read gave.
type Selected struct {
	// Rows satisfy the whole of Where. They hold declared columns only, without
	// those that the server left out. They are shared: whoever changes one copies
	// it first.
	Rows []*value.Object
	// Consumed names columns whose bindings the server compared in its own way. A
	// caller that filters again must leave these conjuncts out.
	Consumed []string
	// Incomplete says why rows may be missing, "" if none are. A Limit that was
	// reached is not a reason.
	Incomplete string
	// Partial says what of this workspace's own writes could not be told from what
	// the server shows, "" if nothing.
	Partial string
}

// Insertion adds rows to a table.
type Insertion struct {
	Table        string
	Rows         []*value.Object
	Line, Column int
}

// Change sets columns on the rows that Where admits.
type Change struct {
	Table string
	Set   *value.Object
	Where Where
	// All declares that every row is meant. Without it a Where that says nothing
	// is refused.
	All          bool
	Line, Column int
}

// Removal removes the rows that Where admits.
type Removal struct {
	Table        string
	Where        Where
	All          bool // every row is meant; see [Change]
	Line, Column int
}

// Wrote is what a write did.
type Wrote struct {
	Affected int             // rows; -1 where the server does not say
	Rows     []*value.Object // as they now are, nil where the server does not say
	Parts    []Part          // what became of each row or key, in order
	// Partial says why rows may have been missed, "" if none were; see [Selected].
	Partial string
	// Staged stands for a write that was put on the list of pending effects; nil
	// if it was made.
	Staged *Placeholder

	left int // how many of the last calls were not even begun
}

// Part is one row of an insert, or one key of an update or delete.
type Part struct {
	Key     *value.Object // the row, or the columns that match
	Outcome Outcome       // Done, Failed, Unsettled, Refused, NotAttempted
	Error   string        // why it failed
}

// PartialFailure is the cause of the fault of a write that was made up of several
// parts and did not do all of them.
type PartialFailure struct {
	Table string
	Verb  toolfn.Verb
	Parts []Part
	Err   error // of the part that failed
}

// Error names the table and the verb; the fault says the rest.
func (p *PartialFailure) Error() string {
	return fmt.Sprintf("%s of %s was done in part", p.Verb, p.Table)
}

// Unwrap gives the failure of the part that failed.
func (p *PartialFailure) Unwrap() error { return p.Err }

// MissingKeys is the cause of the fault of a read that does not fix what the
// table requires, so that a surface can say it in its own syntax.
type MissingKeys struct {
	Table   string
	Columns []string
}

// Error names them.
func (m *MissingKeys) Error() string { return m.Table + " needs " + strings.Join(m.Columns, ", ") }

// TableBounds bound what a dispatcher reads of and remembers about tables.
type TableBounds struct {
	Pages int // pages that one fetch reads
	Rows  int // rows that one fetch reads
	// Cache is how many bytes of immutable rows are remembered.
	Cache int64
	// OverlayLife is how long a write is laid over reads that do not show it.
	OverlayLife time.Duration
	// OverlayWrites is how many writes to one table are remembered for that; the
	// oldest go first.
	OverlayWrites int
	// Seen is how many bytes of rows are remembered to tell inserted rows from
	// equal ones that were there before.
	Seen int64
}

// DefaultTableBounds are the bounds where a host sets none.
func DefaultTableBounds() TableBounds {
	return TableBounds{Pages: 100, Rows: 100_000, Cache: 16 << 20, OverlayLife: 2 * time.Minute, OverlayWrites: 256, Seen: 512 << 10}
}

// WithTableBounds sets the bounds; every one must be positive.
func WithTableBounds(b TableBounds) Option { return func(d *Dispatcher) { d.tables.bounds = b } }

// WithoutOverlay shows tables as their servers do, whatever the workspace has
// just written.
func WithoutOverlay() Option { return func(d *Dispatcher) { d.tables.bare = true } }

func (b TableBounds) validate() error {
	for name, n := range map[string]int64{
		"Pages": int64(b.Pages), "Rows": int64(b.Rows), "Cache": b.Cache,
		"OverlayLife": int64(b.OverlayLife), "OverlayWrites": int64(b.OverlayWrites), "Seen": b.Seen,
	} {
		if n <= 0 {
			return fmt.Errorf("dispatch: the table bound %s is %d, want at least 1", name, n)
		}
	}
	return nil
}

// tables is what a dispatcher knows of tables, over all its programs.
type tables struct {
	bounds TableBounds
	bare   bool // no overlay
	clock  atomic.Uint64

	mu     sync.Mutex
	states map[*toolfn.ResourceTable]*tableState
	cache  cache
	logs   overlay
	staged overlay
}

// tick gives the next moment in the order of reads and writes.
func (ts *tables) tick() uint64 { return ts.clock.Add(1) }

// tableState is a table as the dispatcher calls it.
type tableState struct {
	*toolfn.ResourceTable
	verbs   [4]*toolfn.ToolFn
	version atomic.Uint64 // counts the writes; what was read under another is stale
}

// state gives the state of a table, made on first use.
func (ts *tables) state(t *toolfn.ResourceTable) *tableState {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	s, ok := ts.states[t]
	if !ok {
		s = &tableState{ResourceTable: t}
		for _, v := range t.Verbs() {
			s.verbs[v] = &toolfn.ToolFn{Name: t.Name + "." + v.String(), Server: t.Name, Description: t.Description, Effect: t.EffectOf(v)}
		}
		if ts.states == nil {
			ts.states = make(map[*toolfn.ResourceTable]*tableState)
		}
		ts.states[t] = s
	}
	return s
}

// ForgetTable drops what is remembered of a table: its cached rows and the
// writes that are laid over reads. "" drops them for every table.
func (d *Dispatcher) ForgetTable(name string) {
	ts := &d.tables
	ts.mu.Lock()
	for t, s := range ts.states {
		if name == "" || t.Name == name {
			s.version.Add(1)
		}
	}
	ts.mu.Unlock()
	ts.cache.forget(name)
	ts.logs.forget(name)
}

// table finds a table that has a verb.
func (r *Run) table(name string, v toolfn.Verb) (*tableState, error) {
	if r.ended {
		return nil, &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program has ended; it cannot call any more."}
	}
	t, ok := r.d.catalog.Table(name)
	if !ok {
		return nil, r.unknownTable(name)
	}
	if !t.Can(v) {
		return nil, t.Lacks(v)
	}
	return r.d.tables.state(t), nil
}
