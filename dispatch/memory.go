package dispatch

import (
	"sync"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Memory is a journal in memory. It keeps the newest records within a bound and
// counts those that had to go. Results are kept as their size only.
type Memory struct {
	mu       sync.Mutex
	most     int64
	held     int64
	programs ring[ProgramRecord]
	calls    ring[CallRecord]
	dropped  int64
}

// DefaultMemory is the bound of a journal in memory where none is set, in bytes.
const DefaultMemory = 1 << 20

// recordBytes is what a record itself takes, without what it points to.
const recordBytes = 256

// NewMemory makes a journal that keeps about most bytes of records;
// [DefaultMemory] if most is not positive.
func NewMemory(most int64) *Memory {
	if most <= 0 {
		most = DefaultMemory
	}
	return &Memory{most: most}
}

// Program records a program.
func (j *Memory) Program(r ProgramRecord) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.Ended {
		for i := range j.programs.len() {
			if p := j.programs.at(j.programs.len() - 1 - i); p.ID == r.ID {
				p.Ended, p.Took, p.Fault = true, r.Took, r.Fault
				return nil
			}
		}
	}
	j.programs.push(r)
	j.keep(programBytes(&r))
	return nil
}

// Call records a call. The end of a call takes the place of its intention.
func (j *Memory) Call(r CallRecord) error {
	r.Result = nil
	size := callBytes(&r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.Outcome != Intended {
		if p := j.intention(r.Program, r.Index); p != nil {
			*p = r
			return nil
		}
	}
	j.calls.push(r)
	j.keep(size)
	return nil
}

// intention finds the open record of a call, which is nearly always the last.
func (j *Memory) intention(program int64, index int) *CallRecord {
	for i := j.calls.len() - 1; i >= 0; i-- {
		if p := j.calls.at(i); p.Program == program && p.Index <= index {
			if p.Index == index && p.Outcome == Intended {
				return p
			}
			return nil
		}
	}
	return nil
}

// keep accounts a new record and lets the oldest go while there is too much.
func (j *Memory) keep(n int64) {
	for j.held += n; j.held > j.most; j.dropped++ {
		switch {
		case j.calls.len() > 1:
			r := j.calls.pop()
			j.held -= callBytes(&r)
		case j.programs.len() > 1:
			r := j.programs.pop()
			j.held -= programBytes(&r)
		default:
			return
		}
	}
}

func programBytes(r *ProgramRecord) int64 { return recordBytes + int64(len(r.Source)) }

func callBytes(r *CallRecord) int64 {
	if r.Args == nil {
		return recordBytes
	}
	return recordBytes + value.Size(r.Args, 1<<20)
}

// Programs gives the programs that are kept, oldest first.
func (j *Memory) Programs() []ProgramRecord {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.programs.all()
}

// Calls gives the calls that are kept, oldest first. Their Args must not be
// changed.
func (j *Memory) Calls() []CallRecord {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.calls.all()
}

// Dropped is how many records had to go to stay within the bound.
func (j *Memory) Dropped() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.dropped
}

// ring is a queue over one growing slice, so that a full journal neither moves
// nor allocates.
type ring[T any] struct {
	buf   []T
	first int
	n     int
}

func (r *ring[T]) len() int { return r.n }

func (r *ring[T]) at(i int) *T { return &r.buf[(r.first+i)%len(r.buf)] }

func (r *ring[T]) push(v T) {
	if r.n == len(r.buf) {
		grown := make([]T, max(8, 2*r.n))
		for i := range r.n {
			grown[i] = *r.at(i)
		}
		r.buf, r.first = grown, 0
	}
	r.n++
	*r.at(r.n - 1) = v
}

func (r *ring[T]) pop() T {
	p := r.at(0)
	v := *p
	var zero T
	*p = zero
	r.first = (r.first + 1) % len(r.buf)
	r.n--
	return v
}

func (r *ring[T]) all() []T {
	out := make([]T, r.n)
	for i := range out {
		out[i] = *r.at(i)
	}
	return out
}
