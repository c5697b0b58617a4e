package toolfn

import "sort"

// Change is one change of a catalogue.
type Change struct {
	Version uint64   // the catalogue's version after it
	Added   []string // names of functions and tables
	Removed []string
}

// OnChange calls fn after every change, in the goroutine that made it and with
// no lock held, until cancel is called.
func (c *Catalog) OnChange(fn func(Change)) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watcherID++
	id := c.watcherID
	c.watchers[id] = fn
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, id)
	}
}

// watching gives a function that tells everybody who watches now. The lock is
// held.
func (c *Catalog) watching() func(Change) {
	ids := make([]int, 0, len(c.watchers))
	for id := range c.watchers {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	fns := make([]func(Change), len(ids))
	for i, id := range ids {
		fns[i] = c.watchers[id]
	}
	return func(ch Change) {
		for _, fn := range fns {
			fn(ch)
		}
	}
}
