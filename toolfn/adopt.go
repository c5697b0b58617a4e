package toolfn

import (
	"fmt"
	"strings"
)

// Adopt takes in everything that one server offers, in place of what it offered
// before. It never fails: names are made safe (see [SafeName]) and told apart,
// what cannot be used is left out, and each such repair is a warning, which is
// returned and kept. The functions' names are the server's own; they become
// SERVER__TOOL.
//
// The server's final name is returned: another than the given one if that is no
// identifier or another server has it. A server is known by UpstreamName, which
// is Name if it is empty; adopted again it keeps its place in the order.
func (c *Catalog) Adopt(s Server, fns ...ToolFn) (name string, warnings []Warning) {
	c.mu.Lock()
	if s.UpstreamName == "" {
		s.UpstreamName = s.Name
	}
	removed, at := c.withdraw(c.adopted[s.UpstreamName])
	s, warnings = c.settle(s)
	a := adoption{catalog: c, server: s.Name, taken: map[string]bool{}, claimed: map[string]string{}}
	for i := range fns {
		if SafeName(fns[i].Name) == fns[i].Name { // keeps its name whatever comes before it
			a.claim(fns[i].Name)
		}
	}
	for i := range fns {
		a.take(fns[i])
	}
	warnings = append(warnings, a.warnings...)
	c.servers[s.Name] = s
	c.adopted[s.UpstreamName] = s.Name
	c.order = insert(c.order, at, a.functions)
	change := Change{Removed: removed}
	for _, f := range a.functions {
		c.functions[f.Name] = f
		change.Added = append(change.Added, f.Name)
	}
	c.warnings = append(c.warnings, warnings...)
	c.version++
	change.Version = c.version
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return s.Name, append([]Warning(nil), warnings...)
}

// Upstream gives the name of a function's server as the host configured it, which
// stays what it is when programs know the server by another; for a statement about
// a table that came with a server, the name of that server. A function of no
// adopted server gives its group.
func (c *Catalog) Upstream(f *ToolFn) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	name := f.Server
	if table, _, ok := strings.Cut(f.Name, "."); ok { // no function has a dot in its name
		if owner := c.owners[table]; owner != "" {
			name = owner
		}
	}
	if s := c.servers[name]; s.UpstreamName != "" {
		return s.UpstreamName
	}
	return name
}

// insert gives a new list with more put in at an index; -1 is the end.
func insert(list []*ToolFn, at int, more []*ToolFn) []*ToolFn {
	if at < 0 {
		at = len(list)
	}
	out := make([]*ToolFn, 0, len(list)+len(more))
	return append(append(append(out, list[:at]...), more...), list[at:]...)
}

// settle gives a server a safe name that no other server has.
func (c *Catalog) settle(s Server) (Server, []Warning) {
	given := s.Name
	s.Name = free(SafeNamespace(given), func(n string) bool {
		_, taken := c.servers[n]
		return taken
	})
	if s.Name == given {
		return s, nil
	}
	return s, []Warning{{Server: s.Name, Message: fmt.Sprintf("the server %s is called %s in programs", quoted(given, 80), s.Name)}}
}

// adoption is the taking in of one server's functions.
type adoption struct {
	catalog   *Catalog
	server    string
	functions []*ToolFn
	taken     map[string]bool
	claimed   map[string]string // final name → the tool that is called so upstream
	warnings  []Warning
}

// claim keeps a final name for the tool whose own name gives it unchanged.
func (a *adoption) claim(name string) { a.claimed[a.server+"__"+name] = name }

// take gives one function its final name and checks it.
func (a *adoption) take(f ToolFn) {
	upstream := f.UpstreamName
	if upstream == "" {
		upstream = f.Name
	}
	room := maxName - len(a.server) - len("__") - len("_9999")
	local := SafeName(f.Name)
	local = local[:min(len(local), max(room, 1))]
	own := f.Name
	f.Server = a.server
	f.Name = free(a.server+"__"+local, func(n string) bool {
		_, registered := a.catalog.functions[n]
		owner, claimed := a.claimed[n]
		return registered || a.taken[n] || claimed && owner != own
	})
	if upstream != f.Local() {
		f.UpstreamName = upstream
		a.warn(f.Name, fmt.Sprintf("the tool %s is called %s in programs", quoted(upstream, 80), f.Name))
	}
	if err := f.validate(); err != nil {
		a.warn(f.Name, "left out: "+err.Error())
		return
	}
	f.prepare()
	f.adopted = true
	a.taken[f.Name] = true
	a.functions = append(a.functions, &f)
	a.warnings = append(a.warnings, f.warnings()...)
}

func (a *adoption) warn(name, message string) {
	a.warnings = append(a.warnings, Warning{Server: a.server, Name: name, Message: message})
}

// Withdraw removes everything that an adopted server offers and reports whether
// the server was known. The name is the server's upstream name, or the one that
// Adopt returned.
func (c *Catalog) Withdraw(name string) bool {
	c.mu.Lock()
	final, known := c.known(name)
	if !known {
		c.mu.Unlock()
		return false
	}
	removed, _ := c.withdraw(final)
	removed = append(removed, c.withdrawTables(final)...)
	c.version++
	change := Change{Version: c.version, Removed: removed}
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return true
}

// known gives the final name of an adopted server by its upstream name, or else
// by the final name itself.
func (c *Catalog) known(name string) (string, bool) {
	if final, ok := c.adopted[name]; ok {
		return final, true
	}
	for _, final := range c.adopted {
		if final == name {
			return final, true
		}
	}
	return "", false
}

// withdraw removes an adopted server by its final name, with its functions and
// warnings, and gives the place in the order where they began, -1 if there were
// none; "" is no server. The lock is held.
func (c *Catalog) withdraw(name string) (removed []string, at int) {
	at = -1
	if name == "" {
		return nil, at
	}
	delete(c.servers, name)
	for up, final := range c.adopted {
		if final == name {
			delete(c.adopted, up)
		}
	}
	kept := make([]*ToolFn, 0, len(c.order))
	for _, f := range c.order {
		if f.Server != name || !f.adopted {
			kept = append(kept, f)
			continue
		}
		if at < 0 {
			at = len(kept)
		}
		delete(c.functions, f.Name)
		removed = append(removed, f.Name)
	}
	c.order = kept
	warnings := make([]Warning, 0, len(c.warnings))
	for _, w := range c.warnings {
		if w.Server != name {
			warnings = append(warnings, w)
		}
	}
	c.warnings = warnings
	return removed, at
}
