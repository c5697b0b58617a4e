package held

import (
	"math"
	"sync"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Result is a result too large to copy for nothing: it is read where it lies, in
// the engine, and copied when the session goes on while somebody still holds it.
// Any goroutine may read it.
type Result struct {
	mu       sync.Mutex
	view     any // the engine's view of the whole
	detached bool
	copies   map[any]any // after detaching: copies by the identity of their view
}

// Hold wraps a view of the engine's: what it gives may be read as long as anyone
// likes, if [Result.Detach] is called before the engine changes it.
func Hold(view any) (*Result, any) {
	h := &Result{view: view}
	return h, h.wrap(view)
}

// Detach copies the whole result, so that the engine may change it.
func (h *Result) Detach() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.detached {
		return
	}
	c := copier{left: math.MaxInt}
	c.copy(h.view)
	h.view, h.copies, h.detached = nil, c.seen, true
}

// wrap makes a part of the result safe to read later. The lock is held, or the
// part is not shared yet.
func (h *Result) wrap(v any) any {
	switch v := v.(type) {
	case elide.Opaque:
		return Opaque(v.Opaque())
	case elide.List:
		return &heldList{h, v}
	case elide.Map:
		return &heldMap{h, v}
	case elide.Text:
		return v.Prefix(v.Len())
	}
	return v
}

// current gives what stands for a view now: itself, or its copy.
func (h *Result) current(view any) any {
	if !h.detached {
		return view
	}
	if with, ok := view.(elide.Identity); ok {
		return h.copies[with.Identity()]
	}
	return nil
}

func identityOf(view any) any {
	if with, ok := view.(elide.Identity); ok {
		return with.Identity()
	}
	return nil
}

type heldList struct {
	h    *Result
	view elide.List
}

func (l *heldList) Len() int {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	switch v := l.h.current(l.view).(type) {
	case elide.List:
		return v.Len()
	case []value.Value:
		return len(v)
	}
	return 0
}

func (l *heldList) Index(i int) any {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	switch v := l.h.current(l.view).(type) {
	case elide.List:
		return l.h.part(v.Index(i))
	case []value.Value:
		return v[i]
	}
	return nil
}

func (l *heldList) Identity() any { return identityOf(l.view) }

type heldMap struct {
	h    *Result
	view elide.Map
}

func (m *heldMap) Len() int {
	m.h.mu.Lock()
	defer m.h.mu.Unlock()
	switch v := m.h.current(m.view).(type) {
	case elide.Map:
		return v.Len()
	case *value.Object:
		return v.Len()
	}
	return 0
}

func (m *heldMap) Entry(i int) (string, any) {
	m.h.mu.Lock()
	defer m.h.mu.Unlock()
	switch v := m.h.current(m.view).(type) {
	case elide.Map:
		k, e := v.Entry(i)
		return k, m.h.part(e)
	case *value.Object:
		return v.Key(i), v.At(i)
	}
	return "", nil
}

func (m *heldMap) Identity() any { return identityOf(m.view) }

// part wraps what was read of a view; what was read of a copy is safe as it is.
func (h *Result) part(v any) any {
	if h.detached {
		return v
	}
	return h.wrap(v)
}
