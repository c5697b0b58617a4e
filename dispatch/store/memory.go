package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Memory is a backend in memory: for tests, and for workspaces that move between
// owners within one process.
type Memory struct {
	mu         sync.Mutex
	workspaces map[string]*memoryWorkspace
	blobs      map[Hash][]byte
}

type memoryWorkspace struct {
	header  Header
	entries []Entry
	bytes   int64
	used    time.Time
	holder  string
	token   int64
	until   time.Time
}

func (w *memoryWorkspace) held() bool { return w.holder != "" && time.Now().Before(w.until) }

// NewMemory makes an empty backend.
func NewMemory() *Memory {
	return &Memory{workspaces: map[string]*memoryWorkspace{}, blobs: map[Hash][]byte{}}
}

// Acquire takes a lease.
func (m *Memory) Acquire(_ context.Context, c Claim) (Lease, Header, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.workspaces[c.Workspace]
	if w == nil {
		w = &memoryWorkspace{header: c.Fresh}
		m.workspaces[c.Workspace] = w
	}
	if w.held() && w.holder != c.Holder && w.holder != c.Over {
		return Lease{}, Header{}, &HeldError{Workspace: c.Workspace, Holder: w.holder, Until: w.until}
	}
	w.holder, w.token = c.Holder, w.token+1
	w.used = time.Now()
	w.until = w.used.Add(c.TTL)
	return Lease{Workspace: c.Workspace, Holder: c.Holder, Token: w.token, Last: int64(len(w.entries))}, w.header, nil
}

// owner gives the workspace of a lease that is still valid.
func (m *Memory) owner(l Lease) *memoryWorkspace {
	if w := m.workspaces[l.Workspace]; w != nil && w.token == l.Token {
		return w
	}
	return nil
}

// Renew prolongs leases.
func (m *Memory) Renew(_ context.Context, leases []Lease, ttl time.Duration) (lost []Lease, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range leases {
		if w := m.owner(l); w != nil {
			w.until = time.Now().Add(ttl)
		} else {
			lost = append(lost, l)
		}
	}
	return lost, nil
}

// Release gives a lease back.
func (m *Memory) Release(_ context.Context, l Lease) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if w := m.owner(l); w != nil {
		w.holder, w.used = "", time.Now()
	}
	return nil
}

// Append appends batches.
func (m *Memory) Append(_ context.Context, batches []*Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range batches {
		w := m.owner(b.Lease)
		if w == nil {
			b.Err = ErrSuperseded
			continue
		}
		for h, data := range b.Blobs {
			m.blobs[h] = data
		}
		for _, e := range b.Entries {
			if e.Seq == int64(len(w.entries))+1 {
				w.entries = append(w.entries, e)
			}
		}
		w.bytes += b.Bytes()
		w.used = time.Now()
	}
	return nil
}

// Read gives a workspace's entries in order.
func (m *Memory) Read(_ context.Context, workspace string, yield func(Entry) error) error {
	m.mu.Lock()
	var all []Entry
	if w := m.workspaces[workspace]; w != nil {
		all = w.entries[:len(w.entries):len(w.entries)]
	}
	m.mu.Unlock()
	for _, e := range all {
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}

// Blob gives a large result.
func (m *Memory) Blob(_ context.Context, h Hash) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.blobs[h]
	if !ok {
		return nil, ErrNoBlob
	}
	return data, nil
}

// Workspaces lists the workspaces, the least recently used first.
func (m *Memory) Workspaces(context.Context) ([]Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []Info
	for id, w := range m.workspaces {
		all = append(all, Info{ID: id, Header: w.header, Used: w.used, Entries: int64(len(w.entries)), Bytes: w.bytes, Held: w.held()})
	}
	slices.SortFunc(all, func(a, b Info) int { return cmp.Or(a.Used.Compare(b.Used), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// Drop deletes a workspace that nobody holds.
func (m *Memory) Drop(_ context.Context, workspace string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.workspaces[workspace]
	if w != nil && w.held() {
		return &HeldError{Workspace: workspace, Holder: w.holder, Until: w.until}
	}
	delete(m.workspaces, workspace)
	return nil
}

// Sweep deletes the large results that no entry names.
func (m *Memory) Sweep(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	named := map[Hash]bool{}
	for _, w := range m.workspaces {
		for _, e := range w.entries {
			if e.Blob != nil {
				named[*e.Blob] = true
			}
		}
	}
	for h := range m.blobs {
		if !named[h] {
			delete(m.blobs, h)
		}
	}
	return nil
}

// Close does nothing: what is in memory stays there for the next store over it.
func (m *Memory) Close() error { return nil }
