package dispatch

import (
	"slices"
	"sync"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// overlay remembers what was written, so that reads show it although the server
// does not show it yet.
//
// Writes are laid over the rows of a read in the order in which they were made,
// before the statement's own conditions. An insert whose row the server shows
// already adds nothing; what is a match is said at the two inserts of laying. An update sets
// its columns on the rows that it names, a delete takes them out.
//
// A write is forgotten as soon as it and every write before it show in a read
// that began after it, after TableBounds.OverlayLife, or when there are more than
// TableBounds.OverlayWrites younger ones. Then the server has the last word.
type overlay struct {
	mu   sync.Mutex
	logs map[logKey]*writeLog
	seen []*sighting // the oldest first, with the writes before them laid over
	held int64       // bytes of rows in seen

	lasting bool // staged writes, which are not forgotten by themselves
}

// logKey is a table and on whose behalf it is written.
type logKey struct{ table, who string }

// writeLog are the writes to one table, the oldest first.
type writeLog struct {
	entries []*laidWrite
	past    []*value.Object // keys of rows whose inserts were forgotten
}

// laidWrite is one write of one row or key.
type laidWrite struct {
	verb  toolfn.Verb
	began uint64 // by the clock of reads and writes, when it was about to be made
	ended uint64
	at    time.Time

	row      *value.Object   // insert: what was given, then what the server assigned
	values   *value.Object   // insert: of row what is not null, by which it is known
	key      bound           // insert: names the row, nil if that is not known
	before   int             // insert without key: rows like it that were there before
	seen     *fetched        // insert without key: the rows that were there before, nil if unknown
	others   []*value.Object // insert without key: rows of earlier inserts, by their keys
	replaces bool            // insert with key: the row was there before

	match bound           // update, delete: the rows
	set   *value.Object   // update
	rows  []*value.Object // update: the rows as the server said they now are

	lost  bool // whether it was made is not known
	fired bool // it is not staged
}

// sighting is the answer of an ask, remembered to tell rows apart.
type sighting struct {
	log logKey
	got *fetched
}

// log gives the writes to a table that still count, and forgets the others. The
// lock is held.
func (o *overlay) log(t *tableState, k logKey, clock func() time.Time, b TableBounds) *writeLog {
	l := o.logs[k]
	if l == nil || o.lasting || len(l.entries) == 0 {
		return l
	}
	n, now := 0, clock()
	for n < len(l.entries) && (now.Sub(l.entries[n].at) > b.OverlayLife || len(l.entries)-n > b.OverlayWrites) {
		n++
	}
	o.expire(k, l, n, t)
	return o.logs[k]
}

// expire forgets the first n writes, and with them the rows that were read before
// they showed. The lock is held.
func (o *overlay) expire(k logKey, l *writeLog, n int, t *tableState) {
	if n == 0 {
		return
	}
	t.version.Add(1)
	l.entries = slices.Delete(l.entries, 0, n)
	o.drop(k, l)
}

// drop drops a log that holds nothing more. The lock is held.
func (o *overlay) drop(k logKey, l *writeLog) {
	if len(l.entries) == 0 && len(l.past) == 0 {
		delete(o.logs, k)
	}
}

// add remembers a write.
func (o *overlay) add(k logKey, e *laidWrite) {
	if o.logs == nil {
		o.logs = make(map[logKey]*writeLog)
	}
	l := o.logs[k]
	if l == nil {
		l = &writeLog{}
		o.logs[k] = l
	}
	l.entries = append(l.entries, e)
}

// keepApart tells the inserts after the first n which rows are those of inserts
// among the first n, which are about to be forgotten.
func (l *writeLog) keepApart(n, most int) {
	var keys []*value.Object
	for _, e := range l.entries[:n] {
		if e.verb == toolfn.Insert && e.key != nil {
			row := value.NewObject(len(e.key))
			for _, b := range e.key {
				row.Set(b.column.Name, b.values[0])
			}
			keys = append(keys, row)
		}
	}
	if len(keys) == 0 {
		return
	}
	if l.past = append(l.past, keys...); len(l.past) > most {
		l.past = slices.Clone(l.past[len(l.past)-most:])
	}
	for i, e := range l.entries[n:] {
		if e.verb == toolfn.Insert && e.key == nil {
			apart := *e
			apart.others = append(slices.Clip(e.others), keys...)
			l.entries[n+i] = &apart
		}
	}
}

// remove drops some writes to a table.
func (o *overlay) remove(k logKey, writes []*laidWrite) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.logs[k]
	if l == nil {
		return
	}
	l.entries = slices.DeleteFunc(l.entries, func(e *laidWrite) bool { return slices.Contains(writes, e) })
	o.drop(k, l)
}

// forget drops the writes to a table, and what was seen of it; "" is all.
func (o *overlay) forget(table string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k := range o.logs {
		if table == "" || k.table == table {
			delete(o.logs, k)
		}
	}
	o.seen = slices.DeleteFunc(o.seen, func(s *sighting) bool {
		gone := table == "" || s.log.table == table
		if gone {
			o.held -= s.got.bytes
		}
		return gone
	})
}

// see remembers the answer of an ask in place of an earlier one.
func (o *overlay) see(k logKey, got *fetched, most int64) {
	if got.bytes > most/2 || got.incomplete != "" || got.short {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	same := got.passed.key()
	o.seen = slices.DeleteFunc(o.seen, func(s *sighting) bool {
		gone := s.log == k && s.got.began <= got.began && s.got.passed.key() == same
		if gone {
			o.held -= s.got.bytes
		}
		return gone
	})
	o.seen = append(o.seen, &sighting{k, got})
	for o.held += got.bytes; o.held > most || len(o.seen) > mostSightings; o.seen = o.seen[1:] {
		o.held -= o.seen[0].got.bytes
	}
}

// mostSightings bounds how many answers are remembered whatever their size.
const mostSightings = 32

// lastSeen gives the latest answer, before a moment, that would have held a row.
// The lock is held.
func (o *overlay) lastSeen(k logKey, row *value.Object, before uint64) *fetched {
	for i := len(o.seen) - 1; i >= 0; i-- {
		if s := o.seen[i]; s.log == k && s.got.began < before && s.got.passed.matches(row) == yes {
			return s.got
		}
	}
	return nil
}

// logKey is under what the run's writes to a table are remembered.
func (r *Run) logKey(t *tableState) logKey { return logKey{t.Name, r.who()} }

// overlays lists where writes may be that the run must see.
func (r *Run) overlays() []*overlay {
	if r.d.tables.bare {
		return nil
	}
	list := []*overlay{&r.d.tables.logs, &r.d.tables.staged}
	if r.reads.tried != nil {
		list = append(list, r.reads.tried)
	}
	return list
}

// pending gives the writes to be laid over a table's rows, the fired before the
// staged.
func (r *Run) pending(t *tableState) []*laidWrite {
	var all []*laidWrite
	for _, o := range r.overlays() {
		o.mu.Lock()
		if l := o.log(t, r.logKey(t), r.Now, r.d.tables.bounds); l != nil {
			all = append(all, l.entries...)
		}
		o.mu.Unlock()
	}
	return all
}

// overlaid reports whether any write is to be laid over a table's rows.
func (r *Run) overlaid(t *tableState) bool { return len(r.pending(t)) > 0 }

// columnsSet are the columns that updates set.
func columnsSet(writes []*laidWrite) map[string]bool {
	var set map[string]bool
	for _, e := range writes {
		if e.verb != toolfn.Update {
			continue
		}
		if set == nil {
			set = make(map[string]bool)
		}
		for k := range e.set.All() {
			set[k] = true
		}
	}
	return set
}

// overlay lays the pending writes over the rows of a statement. laid are the
// rows that did not come from the server as they are. why says what could not be
// decided.
func (r *Run) overlay(s *selecting, rows []*value.Object, complete bool) (out []*value.Object, laid touched, why string, err error) {
	k := r.logKey(s.t)
	entries := s.writes(r.pending(s.t))
	if len(entries) == 0 {
		r.see(s, k, rows)
		return rows, nil, "", nil
	}
	if err := r.m.Charge(int64(len(rows)+1) * int64(len(entries))); err != nil {
		return nil, nil, "", err
	}
	lay := newLaying(s.t.ResourceTable, rows)
	began := s.fetches[0].began
	for _, f := range s.fetches {
		lay.passed = append(lay.passed, f.ask.passed)
		began = min(began, f.got.began)
	}
	lay.all(entries)
	if err := r.m.Alloc(lay.bytes); err != nil {
		return nil, nil, "", err
	}
	out = lay.result()
	if entries[len(entries)-1].fired {
		r.see(s, k, out)
	}
	r.learn(s.t, k, entries, lay, began, complete)
	return out, lay.laid, lay.why, nil
}

// writes gives the writes to be laid over what was fetched: those that are pending
// now, and those that were when the fetch began and that another read has seen
// shown meanwhile.
func (s *selecting) writes(now []*laidWrite) []*laidWrite {
	var shown []*laidWrite
	for _, w := range s.pending {
		if w.fired && !slices.ContainsFunc(now, func(n *laidWrite) bool { return n.ended == w.ended }) {
			shown = append(shown, w)
		}
	}
	if shown == nil {
		return now
	}
	return append(shown, now...)
}

// see remembers what a statement found, to tell rows that will be inserted from
// those that are there.
func (r *Run) see(s *selecting, k logKey, rows []*value.Object) {
	ts := &r.d.tables
	if ts.bare || !s.t.Can(toolfn.Insert) {
		return
	}
	for _, f := range s.fetches {
		got := *f.got
		if got.rows = rows; len(s.fetches) > 1 {
			got.rows = nil
			for _, row := range rows {
				if got.passed.matches(row) == yes {
					got.rows = append(got.rows, row)
				}
			}
		}
		ts.logs.see(k, &got, ts.bounds.Seen)
	}
}

// learn forgets the writes that the read has shown, as far as every write before
// them has shown too, and gives inserts the keys of the rows that turned out to
// be theirs.
func (r *Run) learn(t *tableState, k logKey, entries []*laidWrite, lay *laying, began uint64, complete bool) {
	o := &r.d.tables.logs
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.logs[k]
	if l == nil {
		return
	}
	for i, e := range l.entries {
		if key, ok := lay.claims[e]; ok && e.key == nil {
			known := *e // entries are read without the lock, so they never change
			known.key = key
			l.entries[i] = &known
		}
	}
	n := 0
	for complete && n < len(entries) && n < len(l.entries) && lay.shown[entries[n]] && entries[n].ended < began && l.entries[n].ended == entries[n].ended {
		n++
	}
	l.keepApart(n, r.d.tables.bounds.OverlayWrites)
	o.expire(k, l, n, t)
}

// lay adds a write to what is laid over reads.
func (r *Run) lay(o *overlay, t *tableState, e *laidWrite) {
	if r.d.tables.bare {
		return
	}
	k := r.logKey(t)
	e.at, e.fired = r.Now(), !o.lasting
	if e.ended == 0 {
		e.ended = r.d.tables.tick()
	}
	if e.verb == toolfn.Insert && !e.lost {
		r.compare(o, k, t, e)
	}
	o.mu.Lock()
	o.add(k, e)
	o.mu.Unlock()
	if e.verb == toolfn.Update && e.fired {
		r.d.tables.logs.outdate(k, e.set)
	}
}

// outdate drops what was seen under conditions that an update may have made true
// of further rows.
func (o *overlay) outdate(k logKey, set *value.Object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = slices.DeleteFunc(o.seen, func(s *sighting) bool {
		gone := false
		for _, b := range s.got.passed {
			gone = gone || s.log == k && set.Has(b.column.Name)
		}
		if gone {
			o.held -= s.got.bytes
		}
		return gone
	})
}

// compare finds out what an inserted row will be known by: its key, or how many
// rows like it there were before.
func (r *Run) compare(o *overlay, k logKey, t *tableState, e *laidWrite) {
	e.values = value.NewObject(e.row.Len())
	for name, v := range e.row.All() {
		if v != nil {
			e.values.Set(name, v)
		}
	}
	e.key = keyOf(t.ResourceTable, e.row)
	base := &r.d.tables.logs
	base.mu.Lock()
	seen := base.lastSeen(k, e.row, e.began)
	if l := base.logs[k]; l != nil && e.key == nil {
		e.others = slices.Clone(l.past)
	}
	base.mu.Unlock()
	var rows []*value.Object
	passed := bound{}
	if seen != nil {
		rows, passed = seen.rows, seen.passed
	}
	lay := newLaying(t.ResourceTable, rows)
	lay.passed = []bound{passed}
	writes := r.pending(t)
	if o == base {
		writes = r.fired(t, k) // the staged come after it
	}
	if seen != nil {
		writes = slices.DeleteFunc(writes, func(w *laidWrite) bool { return w.ended < seen.began })
	}
	lay.all(writes)
	if seen != nil && e.key == nil {
		e.seen = &fetched{rows: lay.result()}
	}
	for _, have := range lay.rows {
		if carries(t.ResourceTable, have.row, e.values).any {
			e.before++
		}
		if e.key != nil && e.key.matches(have.row) == yes {
			e.replaces = true
		}
	}
}

// fired gives the writes that were made, without the staged.
func (r *Run) fired(t *tableState, k logKey) []*laidWrite {
	o := &r.d.tables.logs
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.log(t, k, r.Now, r.d.tables.bounds)
	if l == nil {
		return nil
	}
	return slices.Clone(l.entries)
}
