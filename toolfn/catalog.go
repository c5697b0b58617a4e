package toolfn

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/polyglove/polyglove/sandbox"
)

// Item is what a catalogue takes: a [ToolFn], a [ResourceTable], or a pointer to
// either.
type Item interface {
	stage(*batch)
}

// Server is a group of functions.
type Server struct {
	// Name matches what ValidName accepts and has no double underscore.
	Name string
	// UpstreamName is the name in the configuration, where it differs.
	UpstreamName string
	// Description is one line; "" is made up from the functions' names.
	Description string
}

// Catalog holds functions and tables. Any number of goroutines may use it; every
// reader sees either all of a registration or nothing of it.
type Catalog struct {
	mu        sync.RWMutex
	functions map[string]*ToolFn
	order     []*ToolFn // replaced, never changed in place below its length
	tables    map[string]*ResourceTable
	tableList []*ResourceTable
	owners    map[string]string // table → the adopted server that it came with
	servers   map[string]Server // adopted or declared, by name
	adopted   map[string]string // upstream name of an adopted server → name
	warnings  []Warning
	version   uint64
	watchers  map[int]func(Change)
	watcherID int

	views  sync.Mutex
	groups *grouping
	index  *index
}

// NewCatalog makes an empty catalogue.
func NewCatalog() *Catalog {
	return &Catalog{
		functions: map[string]*ToolFn{},
		tables:    map[string]*ResourceTable{},
		owners:    map[string]string{},
		servers:   map[string]Server{},
		adopted:   map[string]string{},
		watchers:  map[int]func(Change){},
	}
}

// batch is a registration that is being checked.
type batch struct {
	functions []*ToolFn
	tables    []*ResourceTable
	bad       []error
	warnings  []Warning
}

// Register adds functions and tables, in order. If any of them is invalid none
// is added, and the error lists every invalid one.
func (c *Catalog) Register(items ...Item) error {
	var b batch
	for _, it := range items {
		if it == nil {
			b.bad = append(b.bad, errors.New("an item is nil"))
			continue
		}
		it.stage(&b)
	}
	c.mu.Lock()
	b.bad = append(b.bad, c.clashes(&b)...)
	if len(b.bad) > 0 {
		c.mu.Unlock()
		return registrationError(b.bad)
	}
	change := c.add(&b)
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return nil
}

// clashes lists the items whose names are taken, by the catalogue or by an
// earlier item of the batch.
func (c *Catalog) clashes(b *batch) []error {
	var bad []error
	seen := make(map[string]bool, len(b.functions))
	for _, f := range b.functions {
		if _, ok := c.functions[f.Name]; ok || seen[f.Name] {
			bad = append(bad, fmt.Errorf("function %q is already registered", f.Name))
		}
		seen[f.Name] = true
	}
	seen = make(map[string]bool, len(b.tables))
	for _, t := range b.tables {
		if _, ok := c.tables[t.Name]; ok || seen[t.Name] {
			bad = append(bad, fmt.Errorf("table %q is already registered", t.Name))
		}
		seen[t.Name] = true
	}
	return bad
}

// add puts a checked batch in. The lock is held.
func (c *Catalog) add(b *batch) Change {
	change := Change{}
	for _, f := range b.functions {
		c.functions[f.Name] = f
		c.order = append(c.order, f)
		change.Added = append(change.Added, f.Name)
	}
	for _, t := range b.tables {
		c.tables[t.Name] = t
		c.tableList = append(c.tableList, t)
		change.Added = append(change.Added, t.Name)
	}
	c.warnings = append(c.warnings, b.warnings...)
	c.version++
	change.Version = c.version
	return change
}

// registrationError lists what is wrong, at most twenty lines of it.
func registrationError(bad []error) error {
	const most = 20
	lines := make([]string, 0, len(bad))
	for i, err := range bad {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(bad)-most))
			break
		}
		lines = append(lines, err.Error())
	}
	return fmt.Errorf("nothing was registered: %s", strings.Join(lines, "; "))
}

// Lookup gives the function of a name.
func (c *Catalog) Lookup(name string) (*ToolFn, bool) {
	c.mu.RLock()
	f, ok := c.functions[name]
	c.mu.RUnlock()
	return f, ok
}

// Table gives the table of a name.
func (c *Catalog) Table(name string) (*ResourceTable, bool) {
	c.mu.RLock()
	t, ok := c.tables[name]
	c.mu.RUnlock()
	return t, ok
}

// All lists every function in the order of registration. The caller must not
// change the slice.
func (c *Catalog) All() []*ToolFn {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.order[:len(c.order):len(c.order)]
}

// Tables lists every table in the order of registration. The caller must not
// change the slice.
func (c *Catalog) Tables() []*ResourceTable {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.tableList[:len(c.tableList):len(c.tableList)]
}

// Len is the number of functions.
func (c *Catalog) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.order)
}

// Version counts the changes, so that whatever is derived from the catalogue
// knows when it is out of date.
func (c *Catalog) Version() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.version
}

// Warnings lists what was put right or left out, in the order it was found.
func (c *Catalog) Warnings() []Warning {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return append([]Warning(nil), c.warnings...)
}

// stage checks a function on its own.
func (f ToolFn) stage(b *batch) {
	if err := f.validate(); err != nil {
		b.bad = append(b.bad, err)
		return
	}
	own := f
	own.prepare()
	b.warnings = append(b.warnings, own.warnings()...)
	b.functions = append(b.functions, &own)
}

func (f *ToolFn) validate() error {
	shown := sandbox.Clip(Plain(f.Name, 80), 80)
	switch {
	case reserved(f.Name):
		return fmt.Errorf("function %q has the name of a discovery function, which every program has", shown)
	case !ValidName(f.Name):
		return fmt.Errorf("function %q is not named like an identifier (letters, digits, underscore, at most %d): call it %q in its definition, or let Adopt rename what a server offers",
			shown, maxName, SafeName(f.Name))
	case f.Server != "" && !ValidName(f.Server):
		return fmt.Errorf("function %q is in server %q, which is not named like an identifier: call it %q", shown, sandbox.Clip(Plain(f.Server, 80), 80), SafeNamespace(f.Server))
	case f.Call == nil:
		return fmt.Errorf("function %q has no Call", shown)
	}
	return nil
}

// prepare does once, at registration, what would otherwise cost every call.
func (f *ToolFn) prepare() {
	f.Server = groupOf(f.Server, f.Name)
	f.contract = compile(f.Input)
	f.observed = &observed{}
}

// warnings gives what was noted of the function, with its name put in.
func (f *ToolFn) warnings() []Warning {
	all := append(append([]Warning(nil), f.notes...), f.contract.warnings...)
	if hasInvisible(f.Description) {
		all = append(all, Warning{Message: "the description holds invisible or direction-changing characters, which are removed wherever it is shown"})
	}
	for i := range all {
		all[i].Server, all[i].Name = f.Server, f.Name
	}
	return all
}
