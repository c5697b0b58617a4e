package store

import (
	"context"
	"maps"
	"sync"
	"time"
)

// queue commits what journals append, many at a time. Whoever must wait for its
// records and finds nobody committing commits for all that are queued, so that a
// single program pays for no hand-over and many share one transaction.
type queue struct {
	backend Backend

	mu     sync.Mutex
	batch  []*Batch
	timer  *time.Timer
	armed  bool
	closed bool

	turn sync.Mutex // held by whoever commits
}

// lazily is how long a record that nobody waits for may lie in memory.
const lazily = 2 * time.Millisecond

// patience is how long a backend that fails is tried again.
const patience = 10 * time.Second

// push queues a batch and gives it, or the one that it was added to. Batches of
// one journal must be pushed in their order.
func (q *queue) push(b *Batch, j *Journal) *Batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.batch); n > 0 && q.batch[n-1].journal == j {
		last := q.batch[n-1]
		last.Entries = append(last.Entries, b.Entries...)
		if last.Blobs == nil {
			last.Blobs = b.Blobs
		} else {
			maps.Copy(last.Blobs, b.Blobs)
		}
		return last
	}
	b.done, b.journal = make(chan struct{}), j
	q.batch = append(q.batch, b)
	return b
}

// soon sees to it that what is queued is committed before long.
func (q *queue) soon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.armed || q.closed {
		return
	}
	q.armed = true
	if q.timer == nil {
		q.timer = time.AfterFunc(lazily, q.flush)
	} else {
		q.timer.Reset(lazily)
	}
}

func (q *queue) flush() {
	q.mu.Lock()
	q.armed = false
	q.mu.Unlock()
	q.turn.Lock()
	defer q.turn.Unlock()
	q.commit()
}

// wait returns when a batch that was pushed has been committed or has failed.
func (q *queue) wait(b *Batch) error {
	q.turn.Lock()
	select {
	case <-b.done: // another has committed it
	default:
		q.commit()
	}
	q.turn.Unlock()
	<-b.done
	return b.Err
}

// commit commits what is queued. The turn is held.
func (q *queue) commit() {
	q.mu.Lock()
	all := q.batch
	q.batch = nil
	q.mu.Unlock()
	var good []*Batch
	for _, b := range all {
		if b.Err = b.journal.Err(); b.Err == nil { // else there would be a gap
			good = append(good, b)
		}
	}
	if len(good) > 0 {
		if err := q.append(good); err != nil {
			for _, b := range good {
				b.Err = err
			}
		}
	}
	for _, b := range all {
		if b.Err != nil {
			b.journal.fail(b.Err)
		}
		close(b.done)
	}
}

// append writes batches, trying again for a while: a connection breaks, a file is
// busy. What may have been written is written again, which changes nothing.
func (q *queue) append(all []*Batch) error {
	err := q.backend.Append(context.Background(), all)
	if err == nil || permanent(err) {
		return err
	}
	return q.persist(all, err)
}

// persist tries again what has failed once.
func (q *queue) persist(all []*Batch, err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
		if err = q.backend.Append(ctx, all); err == nil || ctx.Err() != nil || permanent(err) {
			return err
		}
	}
}

// permanent reports whether an error of a backend's says that trying again is of
// no use.
func permanent(err error) bool {
	p, ok := err.(interface{ Permanent() bool })
	return ok && p.Permanent()
}

func (q *queue) close() {
	q.flush()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if q.timer != nil {
		q.timer.Stop()
	}
}
