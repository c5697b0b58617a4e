package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/polyglove/polyglove/dispatch"
)

// Hash names a large result by its content.
type Hash [sha256.Size]byte

// Entry is one record of a workspace's journal as a backend keeps it.
type Entry struct {
	Seq    int64  // 1-based position in the journal, without gaps
	Data   []byte // JSON
	Result []byte // JSON; nil if there is none or Blob names it
	Blob   *Hash  // the result, if it is large
}

// Batch is what one workspace appends at once.
type Batch struct {
	Lease   Lease
	Entries []Entry
	Blobs   map[Hash][]byte // the contents that Entries name

	// Err is set by the backend when this batch alone cannot be appended:
	// [ErrSuperseded] when the lease is another's now.
	Err error

	done    chan struct{}
	journal *Journal
}

// Bytes is what a batch takes of a workspace's account.
func (b *Batch) Bytes() int64 {
	n := int64(0)
	for i := range b.Entries {
		n += entryBytes(&b.Entries[i])
	}
	for _, data := range b.Blobs {
		n += int64(len(data))
	}
	return n
}

func entryBytes(e *Entry) int64 { return int64(len(e.Data) + len(e.Result)) }

// Lease is the right to append to a workspace's journal.
type Lease struct {
	Workspace string
	Holder    string
	Token     int64 // grows with each owner
	Last      int64 // the journal's last Seq when the lease was taken
}

// Header is what a workspace is made with and keeps.
type Header struct {
	Seed    uint64
	Actor   string
	Created time.Time
}

// Claim asks for a lease.
type Claim struct {
	Workspace string
	Holder    string
	TTL       time.Duration
	// Fresh is the header of a workspace that does not exist yet.
	Fresh Header
	// Over is a holder that is known to be dead: its lease need not have expired.
	Over string
}

// Info describes a workspace in a store.
type Info struct {
	ID      string
	Header  Header
	Used    time.Time // the last append or opening
	Entries int64
	Bytes   int64
	Held    bool // some process owns it
}

// Backend keeps entries, large results and leases. Its methods may be called from
// several goroutines at once, Append from one at a time.
type Backend interface {
	// Acquire takes a lease. A workspace that another holds is a [*HeldError].
	Acquire(ctx context.Context, c Claim) (Lease, Header, error)
	// Renew prolongs leases and gives those that are another's now.
	Renew(ctx context.Context, leases []Lease, ttl time.Duration) (lost []Lease, err error)
	// Release gives a lease back.
	Release(ctx context.Context, l Lease) error
	// Append appends batches in one transaction, durable when it returns. A batch
	// whose lease is another's gets its Err and does not keep the others from
	// being appended. Appending the same entries again changes nothing. The context
	// may have no end: how long it waits is bounded by itself.
	Append(ctx context.Context, batches []*Batch) error
	// Read gives a workspace's entries in order.
	Read(ctx context.Context, workspace string, yield func(Entry) error) error
	// Blob gives a large result.
	Blob(ctx context.Context, h Hash) ([]byte, error)
	// Workspaces lists the workspaces, the least recently used first.
	Workspaces(ctx context.Context) ([]Info, error)
	// Drop deletes a workspace that nobody holds, with its journal.
	Drop(ctx context.Context, workspace string) error
	// Sweep deletes the large results that no entry names.
	Sweep(ctx context.Context) error
	Close() error
}

// ErrSuperseded is the error of an append whose lease is another's now.
var ErrSuperseded = dispatch.ErrSuperseded

// ErrNoBlob is the error of a large result that is not in the store.
var ErrNoBlob = errors.New("the result is not in the store any more")

// HeldError says that a workspace is another's.
type HeldError struct {
	Workspace string
	Holder    string
	Until     time.Time // when the lease expires unless it is renewed
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("the workspace %q is in use by another process", e.Workspace)
}
