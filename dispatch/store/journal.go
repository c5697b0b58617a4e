package store

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/polyglove/polyglove/dispatch"
)

// Journal is the journal of one workspace, which this process owns until it is
// closed. It is a [dispatch.Journal] and a [dispatch.Recorded].
type Journal struct {
	store  *Store
	lease  Lease
	header Header

	mu      sync.Mutex
	next    int64 // Seq of the next entry
	waiting []Entry
	blobs   map[Hash][]byte
	bytes   int
	last    *Batch // the batch pushed last
	err     error  // why nothing is recorded any more
	closed  bool
	gone    chan struct{} // closed when the workspace has been given back
}

// How much may lie in memory before it is handed on: records of reads, which a
// program that is interrupted can do without.
const (
	mostWaiting      = 256
	mostWaitingBytes = 1 << 20
)

// largeResult is from how many bytes on a result is stored once for all records
// that have it.
const largeResult = 2 << 10

// ID is the workspace's name.
func (j *Journal) ID() string { return j.lease.Workspace }

// Seed is the seed of the random numbers that the workspace's programs see.
func (j *Journal) Seed() uint64 { return j.header.Seed }

// Created is when the workspace was made.
func (j *Journal) Created() time.Time { return j.header.Created }

// Err is why nothing is recorded any more, nil if the journal is well.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Program records that a program begins, which may wait, or has ended, which is
// durable when Program returns.
func (j *Journal) Program(p dispatch.ProgramRecord) error {
	data, err := encodeProgram(j.store.redact.program(p))
	if err != nil {
		return err
	}
	if p.Ended || p.Interrupted {
		return j.add(Entry{Data: data}, nil, durable)
	}
	return j.add(Entry{Data: data}, nil, relaxed)
}

// Call records a call. An intention is durable when Call returns.
func (j *Journal) Call(c dispatch.CallRecord) error {
	c = j.store.redact.call(c)
	e, blob, err := entryOf(c)
	if err != nil {
		return err
	}
	switch {
	case c.Outcome == dispatch.Intended:
		return j.add(e, blob, durable)
	case c.Effect.Reads() || c.Index == 0:
		return j.add(e, blob, relaxed)
	}
	return j.add(e, blob, soon)
}

func entryOf(c dispatch.CallRecord) (e Entry, blob []byte, err error) {
	if e.Data, err = encodeCall(c); err != nil {
		return e, nil, err
	}
	if c.Result == nil || c.Outcome == dispatch.Intended {
		return e, nil, nil
	}
	result, err := appendExact(nil, c.Result)
	if err != nil || len(result) < largeResult {
		e.Result = result
		return e, nil, err
	}
	h := Hash(sha256.Sum256(result))
	e.Blob = &h
	return e, result, nil
}

// urgency says when an entry must be durable.
type urgency uint8

const (
	relaxed urgency = iota // with the next that is not
	soon                   // without being asked again
	durable                // before add returns
)

// add appends an entry. Once one could not be written none is, so that a journal
// has no gaps.
func (j *Journal) add(e Entry, blob []byte, u urgency) error {
	j.mu.Lock()
	if j.err != nil {
		defer j.mu.Unlock()
		return j.err
	}
	if j.closed {
		defer j.mu.Unlock()
		return errClosed
	}
	e.Seq = j.next
	j.next++
	j.waiting = append(j.waiting, e)
	j.bytes += len(e.Data) + len(e.Result) + len(blob)
	if e.Blob != nil {
		if j.blobs == nil {
			j.blobs = map[Hash][]byte{}
		}
		j.blobs[*e.Blob] = blob
	}
	if u == relaxed && (len(j.waiting) >= mostWaiting || j.bytes >= mostWaitingBytes) {
		u = soon
		if j.behind() {
			u = durable // the backend is slower than the program: memory is bounded
		}
	}
	b := j.push(u)
	j.mu.Unlock()
	switch u {
	case durable:
		return j.settle(b)
	case soon:
		j.store.queue.soon()
	}
	return nil
}

// behind reports whether the last batch has not been committed yet. The lock is
// held.
func (j *Journal) behind() bool {
	if j.last == nil {
		return false
	}
	select {
	case <-j.last.done:
		return false
	default:
		return true
	}
}

// push hands on what waits, unless it may wait longer. The lock is held, so that
// batches are queued in order.
func (j *Journal) push(u urgency) *Batch {
	if u == relaxed || len(j.waiting) == 0 {
		return nil
	}
	j.last = j.store.queue.push(&Batch{Lease: j.lease, Entries: j.waiting, Blobs: j.blobs}, j)
	j.waiting, j.blobs, j.bytes = nil, nil, 0
	return j.last
}

// settle waits for a batch.
func (j *Journal) settle(b *Batch) error {
	if err := j.store.queue.wait(b); err != nil {
		return err
	}
	return nil
}

// fail ends the recording for good.
func (j *Journal) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = err
	}
}

// Flush makes everything recorded so far durable.
func (j *Journal) Flush() error {
	j.mu.Lock()
	b := j.push(durable)
	if b == nil {
		b = j.last
	}
	j.mu.Unlock()
	if b == nil {
		return nil
	}
	return j.settle(b)
}

func (j *Journal) isClosed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.closed
}

// Close flushes the journal and gives the workspace back.
func (j *Journal) Close() error {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		<-j.gone
		return nil
	}
	j.closed = true
	j.mu.Unlock()
	defer close(j.gone)
	err := j.Flush()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if e := j.store.backend.Release(ctx, j.lease); err == nil {
		err = e
	}
	j.store.mu.Lock()
	defer j.store.mu.Unlock()
	if j.store.open[j.lease.Workspace] == j {
		delete(j.store.open, j.lease.Workspace)
	}
	return err
}
