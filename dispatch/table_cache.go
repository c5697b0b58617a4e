package dispatch

import (
	chain "container/list"
	"sync"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// cache holds immutable rows for the life of the dispatcher, within a bound: the
// least recently used go first.
type cache struct {
	mu      sync.Mutex
	held    int64
	entries map[string]*chain.Element // of *cached
	recent  chain.List                // front is the most recent
	flights map[string]*shared
}

type cached struct {
	key   string
	table string
	got   *fetched
}

// shared is a fetch that several programs wait for.
type shared struct {
	version uint64
	done    chan struct{}
	got     *fetched // nil if it came to nothing; written before done is closed
}

// find gives what is cached, or the fetch under way that gets it, or says that
// the caller is the one to fetch it, with a shared that it must publish if it
// may lead.
func (c *cache) find(key string, version uint64, mayLead bool) (got *fetched, follow, lead *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		if hit := e.Value.(*cached); hit.got.version == version {
			c.recent.MoveToFront(e)
			return hit.got, nil, nil
		}
		c.drop(e)
	}
	if s, ok := c.flights[key]; ok && s.version == version {
		return nil, s, nil
	}
	if !mayLead {
		return nil, nil, nil
	}
	s := &shared{version: version, done: make(chan struct{})}
	if c.flights == nil {
		c.flights = make(map[string]*shared)
	}
	c.flights[key] = s
	return nil, nil, s
}

// publish ends a shared fetch. What is nil, ended early, or was read before a
// write is not kept.
func (c *cache) publish(t *tableState, key string, s *shared, got *fetched, most int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[key] == s {
		delete(c.flights, key)
	}
	if got != nil && !got.short && got.version == t.version.Load() {
		s.got = got
		c.keep(&cached{key: key, table: t.Name, got: got}, most)
	}
	close(s.done)
}

// keep puts rows in, unless they alone would take more than half of the room.
func (c *cache) keep(e *cached, most int64) {
	if e.bytes() > most/2 {
		return
	}
	if c.entries == nil {
		c.entries = make(map[string]*chain.Element)
	}
	if old, ok := c.entries[e.key]; ok {
		c.drop(old)
	}
	c.entries[e.key] = c.recent.PushFront(e)
	c.held += e.bytes()
	for c.held > most {
		c.drop(c.recent.Back())
	}
}

// holds reports whether rows are remembered.
func (c *cache) holds(key string, version uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return ok && e.Value.(*cached).got.version == version
}

func (c *cache) drop(e *chain.Element) {
	old := c.recent.Remove(e).(*cached)
	delete(c.entries, old.key)
	c.held -= old.bytes()
}

// bytes is what an entry takes.
func (e *cached) bytes() int64 { return e.got.bytes + int64(len(e.key)) + 256 }

// forget drops the rows of a table; "" is all.
func (c *cache) forget(table string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.recent.Front(); e != nil; {
		next := e.Next()
		if table == "" || e.Value.(*cached).table == table {
			c.drop(e)
		}
		e = next
	}
}

// reads are the fetches that a run remembers.
type reads struct {
	by      map[string]*fetch // stable and immutable ones, by key
	tried   *overlay          // writes of a program that only tries
	leading []*fetch          // fetches that other programs may be waiting for
}

// remembered gives an earlier fetch of the run that still holds.
func (s *reads) remembered(key string, version uint64) *fetch {
	f := s.by[key]
	if f == nil || f.version != version || f.done && f.err != nil {
		return nil
	}
	return f
}

func (s *reads) remember(f *fetch) {
	if s.by == nil {
		s.by = make(map[string]*fetch)
	}
	s.by[f.once] = f
}

// abandon tells whoever waits for this run's fetches that they will not come.
func (s *reads) abandon() {
	for len(s.leading) > 0 {
		s.leading[0].publish()
	}
	s.by = nil
}

// publish gives what was fetched to the programs that wait for it. While writes
// to the table may not show yet, what it shows is remembered for the run only.
func (f *fetch) publish() {
	if f.lead == nil {
		return
	}
	ts := &f.run.d.tables
	got := f.got
	if f.run.overlaid(f.t) {
		got = nil
	}
	ts.cache.publish(f.t, f.ask.key, f.lead, got, ts.bounds.Cache)
	f.lead = nil
	s := &f.run.reads
	for i, l := range s.leading {
		if l == f {
			s.leading = append(s.leading[:i], s.leading[i+1:]...)
			return
		}
	}
}

// followed waits for another program's fetch and reports whether it gave rows.
// The run first finishes the fetches that others may wait for, so that no two
// programs wait for each other.
func (f *fetch) followed() bool {
	for len(f.run.reads.leading) > 0 {
		f.run.reads.leading[0].finish(nil)
	}
	if err := f.run.await(f.follow.done); err != nil {
		f.err = err
		return true
	}
	if got := f.follow.got; got != nil {
		if f.err = f.run.m.Alloc(got.bytes); f.err == nil {
			f.got = got
			f.run.share(f.first, got)
		}
		return true
	}
	f.follow = nil
	return false
}

// share records a call that another program made for this one as well, so that
// the program finds it in its own record when it is run again.
func (r *Run) share(a *admitted, got *fetched) {
	a.ended = r.hand.since()
	r.tally(a.fn, Done, a.peeked())
	r.finish(a, Done, pageValue(toolfn.Rows{Page: got.rows, Consumed: got.consumed, Incomplete: got.incomplete}), got.bytes, nil)
}

// called reports whether the n-th call from now is, in the record of a program
// that is run again, one for this ask. Then it was not remembered at that time,
// whatever is remembered now.
func (f *fetch) called(n int) bool {
	if f.run.replay == nil {
		return false
	}
	rec := f.run.replay.recorded(f.run.orders + n)
	if rec == nil || rec.Index == 0 || rec.Function != f.t.verbs[toolfn.Select].Name {
		return false
	}
	return rec.ArgsWithheld || value.Equal(rec.Args, f.ask.args())
}

// settle remembers a fetch that nobody could count on while it was under way.
func (f *fetch) settle() {
	if f.once == "" || f.err != nil || f.got.short && f.ask.first.limit == 0 {
		return
	}
	if f.limited {
		f.run.reads.remember(f)
	}
	if f.t.Volatility == toolfn.Immutable && f.version == f.t.version.Load() && !f.run.overlaid(f.t) {
		ts := &f.run.d.tables
		ts.cache.mu.Lock()
		defer ts.cache.mu.Unlock()
		ts.cache.keep(&cached{key: f.ask.key, table: f.t.Name, got: f.got}, ts.bounds.Cache)
	}
}

// fetch begins to answer an ask: from what is remembered, or by asking. A fetch
// for a limited statement may end early, so nobody else may count on it; for one
// that the program does not wait for at once no other program may wait.
// n is which call from now it would be.
func (r *Run) fetch(t *tableState, at Call, q ask, n int, fresh, limited, beside bool) (*fetch, error) {
	ts := &r.d.tables
	f := &fetch{run: r, t: t, at: at, ask: q, began: ts.tick(), version: t.version.Load()}
	if fresh || t.Volatility == toolfn.Volatile {
		return f, nil
	}
	f.once = q.key
	if before := r.reads.remembered(q.key, f.version); before != nil {
		return before, nil
	}
	if f.limited = limited; !limited {
		r.reads.remember(f)
	}
	if t.Volatility != toolfn.Immutable || f.called(n) {
		return f, nil
	}
	got, follow, lead := ts.cache.find(q.key, f.version, !limited && !beside)
	switch {
	case got != nil:
		if err := r.m.Alloc(got.bytes); err != nil {
			return nil, err
		}
		f.done, f.got = true, got
	case lead != nil:
		f.lead = lead
		r.reads.leading = append(r.reads.leading, f)
	default:
		f.follow = follow // nil where the fetch is this one's own affair
	}
	return f, nil
}
