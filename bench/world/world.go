package world

import (
	"sync"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// World is one organisation. Its methods and everything made from it may be used
// from any number of goroutines.
type World struct {
	services []*Service
	setting  setting

	fresh func() *World

	mu          sync.Mutex
	collections map[string]*collection
	outbox      []Effect
}

// setting is what differs between the built-in organisation and a recorded one.
type setting struct {
	org         string // the organisation's slug in links
	defaultTeam string // the team of an issue that names none
	// frozen keeps reads from seeing writes, misses from being errors, and false
	// and empty arguments from filtering, as the recordings have it.
	frozen bool
}

// New makes the built-in organisation. Equal seeds and scales give equal worlds,
// byte for byte. A scale below 1 counts as 1; a scale of n has n times the
// records. Records are generated when a service is first used.
func New(seed uint64, scale int) *World {
	w := &World{
		setting:     setting{org: org, defaultTeam: "platform"},
		collections: map[string]*collection{},
	}
	w.fresh = func() *World { return New(seed, scale) }
	g := generator{seed: seed, scale: max(scale, 1)}
	for _, d := range declarations() {
		w.mount(d)
		for _, t := range d.tables {
			w.collections[t.name] = &collection{build: func() []*value.Object { return t.generate(g) }}
		}
	}
	return w
}

func (w *World) mount(d declaration) {
	w.services = append(w.services, &Service{declaration: d, world: w})
}

// Fresh gives the same organisation as it was at first, with an empty outbox.
func (w *World) Fresh() *World { return w.fresh() }

// Mount adds the world's functions and tables to a catalogue.
func (w *World) Mount(c *toolfn.Catalog) error {
	var items []toolfn.Item
	for _, s := range w.services {
		if err := c.Declare(toolfn.Server{Name: s.name, Description: s.description}); err != nil {
			return err
		}
		for _, f := range s.Functions() {
			items = append(items, f)
		}
	}
	for _, t := range w.Tables() {
		items = append(items, t)
	}
	return c.Register(items...)
}

// Services gives the services in a fixed order.
func (w *World) Services() []*Service { return w.services }

// Service finds a service by its name, such as "github"; nil if there is none.
func (w *World) Service(name string) *Service {
	for _, s := range w.services {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Servers describes the services as groups of functions.
func (w *World) Servers() []toolfn.Server {
	all := make([]toolfn.Server, len(w.services))
	for i, s := range w.services {
		all[i] = toolfn.Server{Name: s.name, Description: s.description}
	}
	return all
}

// Functions gives the functions of every service.
func (w *World) Functions() []toolfn.ToolFn {
	var all []toolfn.ToolFn
	for _, s := range w.services {
		all = append(all, s.Functions()...)
	}
	return all
}

// Rows gives the records behind a table, in order; nil for an unknown table. The
// caller must not change them.
func (w *World) Rows(table string) []*value.Object {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.collections[table]
	if c == nil {
		return nil
	}
	return append([]*value.Object(nil), c.all()...)
}
