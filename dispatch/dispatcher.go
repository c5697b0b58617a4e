package dispatch

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
)

// Dispatcher makes calls of a catalogue's capabilities. Any number of programs
// may use one at the same time, each through its own [Run].
type Dispatcher struct {
	catalog *toolfn.Catalog
	policy  Policy
	ask     Asker
	journal Journal
	tracer  Tracer
	clock   func() time.Time
	report  func(error)

	programs   atomic.Int64
	pending    pendingList
	noStaging  bool
	askBatch   BatchAsker
	retry      Retry
	limits     *ServerLimits
	care       *care // nil: each call is made once, at once
	identity   string
	stragglers stragglers
	tables     tables
}

// Option sets something up in [New].
type Option func(*Dispatcher)

// WithPolicy decides which calls are made. Without one every call is allowed.
func WithPolicy(p Policy) Option { return func(d *Dispatcher) { d.policy = p } }

// WithAsk sets who is asked about the calls for which policy says [Ask]. Without
// one such a call is refused.
func WithAsk(a Asker) Option { return func(d *Dispatcher) { d.ask = a } }

// WithJournal sets where programs and calls are recorded.
func WithJournal(j Journal) Option { return func(d *Dispatcher) { d.journal = j } }

// WithTracer sets who is told of each call as it begins and ends.
func WithTracer(t Tracer) Option { return func(d *Dispatcher) { d.tracer = t } }

// WithClock sets the clock for the times in the journal. Time limits always
// follow the machine's own clock.
func WithClock(now func() time.Time) Option { return func(d *Dispatcher) { d.clock = now } }

// WithReport sets who is told of troubles that concern the host alone: a handler
// that panicked, a journal that could not record how a call ended.
func WithReport(f func(error)) Option { return func(d *Dispatcher) { d.report = f } }

// New makes a dispatcher over a catalogue. Without [WithJournal] it records in a
// [Memory] of its own.
func New(cat *toolfn.Catalog, opts ...Option) (*Dispatcher, error) {
	if cat == nil {
		return nil, errors.New("dispatch: a dispatcher needs a catalogue")
	}
	d := &Dispatcher{catalog: cat, clock: time.Now, retry: DefaultRetry()}
	d.tables.bounds = DefaultTableBounds()
	d.tables.staged.lasting = true
	for _, o := range opts {
		o(d)
	}
	if d.journal == nil {
		d.journal = NewMemory(0)
	}
	if d.identity == "" {
		d.identity = randomIdentity()
	}
	if d.retry.Attempts > 1 || d.limits != nil {
		d.care = &care{retry: d.retry, limits: d.limits, catalog: d.catalog}
	}
	if d.clock == nil {
		return nil, errors.New("dispatch: the clock is nil")
	}
	if err := d.tables.bounds.validate(); err != nil {
		return nil, err
	}
	return d, nil
}

// Catalog is the catalogue whose capabilities are called.
func (d *Dispatcher) Catalog() *toolfn.Catalog { return d.catalog }

// Journal is where programs and calls are recorded.
func (d *Dispatcher) Journal() Journal { return d.journal }

// Stragglers is the number of handlers that are still running although their
// call has been given up, because they ignore their context.
func (d *Dispatcher) Stragglers() int { return int(d.stragglers.total.Load()) }

func (d *Dispatcher) tell(err error) {
	if d.report == nil {
		return
	}
	defer func() { _ = recover() }() // a reporter must not take the program down
	d.report(err)
}

// stragglers counts abandoned handlers. A handler cannot be killed, so a function
// that piles them up is not called again until some have returned: otherwise
// each retry would cost the host one more goroutine for good.
type stragglers struct {
	total atomic.Int64
	mu    sync.Mutex
	by    map[*toolfn.ToolFn]int
}

// mostStragglers is how many abandoned handlers one function may have.
const mostStragglers = 8

// add counts n more, or fewer. A handler may return before the program that gave
// it up has counted it, so a count may pass through -1.
func (s *stragglers) add(fn *toolfn.ToolFn, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = make(map[*toolfn.ToolFn]int)
	}
	if s.by[fn] += n; s.by[fn] == 0 {
		delete(s.by, fn)
	}
	s.total.Add(int64(n))
}

// fault refuses a function that does not answer any more.
func (s *stragglers) fault(fn *toolfn.ToolFn) *sandbox.Fault {
	if s.total.Load() == 0 {
		return nil
	}
	s.mu.Lock()
	n := s.by[fn]
	s.mu.Unlock()
	if n < mostStragglers {
		return nil
	}
	return &sandbox.Fault{
		Kind:    sandbox.KindDenied,
		Message: fn.Name + " does not answer: earlier calls of it are still hanging, so this one was not made.",
		Hint:    "Go on without it, and report that it does not answer.",
	}
}
