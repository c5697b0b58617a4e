package toolfn

import (
	"fmt"
)

// Adopt takes in everything that one server offers, in place of what it offered
// before. It never fails: names are made safe (see [SafeName]) and told apart,
// what cannot be used is left out, and each such repair is a warning, which is
// returned and kept. The functions' names are the server's own; they become
// SERVER__TOOL, unless a function sets Server to the given name already.
//
// The server's final name is returned: a different one if another server has it.
func (c *Catalog) Adopt(s Server, fns ...ToolFn) (name string, warnings []Warning) {
	c.mu.Lock()
	removed := c.withdraw(s)
	s, warnings = c.settle(s)
	b := batch{}
	for i := range fns {
		f := fns[i]
		w, ok := c.fit(&f, s.Name, &b)
		warnings = append(warnings, w...)
		if ok {
			b.functions = append(b.functions, &f)
		}
	}
	b.warnings = warnings
	c.servers[s.Name] = s
	change := c.add(&b)
	change.Removed = removed
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return s.Name, append([]Warning(nil), warnings...)
}

// settle gives a server a safe name that no other server has.
func (c *Catalog) settle(s Server) (Server, []Warning) {
	var warnings []Warning
	given := s.Name
	if s.UpstreamName == "" {
		s.UpstreamName = given
	}
	safe := SafeNamespace(given)
	s.Name = free(safe, func(n string) bool {
		other, ok := c.servers[n]
		return ok && other.UpstreamName != s.UpstreamName
	})
	if s.Name != given {
		warnings = append(warnings, Warning{Server: s.Name, Message: fmt.Sprintf("the server %q is called %s in programs", Plain(given, 80), s.Name)})
	}
	return s, warnings
}

// fit gives one function of a server its final name and checks it.
func (c *Catalog) fit(f *ToolFn, server string, b *batch) (warnings []Warning, ok bool) {
	upstream := f.Upstream()
	local := SafeName(f.Local())
	if len(server)+2+len(local) > maxName-8 {
		local = local[:max(1, maxName-8-2-len(server))]
	}
	want := server + "__" + local
	name := free(want, func(n string) bool {
		if _, ok := c.functions[n]; ok {
			return true
		}
		for _, other := range b.functions {
			if other.Name == n {
				return true
			}
		}
		return false
	})
	f.Server, f.Name = server, name
	if upstream != f.Local() {
		f.UpstreamName = upstream
		warnings = append(warnings, Warning{Server: server, Name: name, Message: fmt.Sprintf("the tool %q is called %s in programs", Plain(upstream, 80), name)})
	}
	if err := f.validate(); err != nil {
		return append(warnings, Warning{Server: server, Name: name, Message: "left out: " + err.Error()}), false
	}
	f.prepare()
	return append(warnings, f.warnings()...), true
}

// Withdraw removes everything that a server offers and reports whether there was
// any. The name is the one that Adopt was given or the one it returned.
func (c *Catalog) Withdraw(name string) bool {
	c.mu.Lock()
	removed := c.withdraw(Server{Name: name, UpstreamName: name})
	if len(removed) == 0 {
		c.mu.Unlock()
		return false
	}
	c.version++
	change := Change{Version: c.version, Removed: removed}
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return true
}

// withdraw removes an adopted server. The lock is held.
func (c *Catalog) withdraw(s Server) (removed []string) {
	upstream := s.UpstreamName
	if upstream == "" {
		upstream = s.Name
	}
	name := ""
	for n, have := range c.servers {
		if have.UpstreamName == upstream || n == upstream && have.UpstreamName == "" {
			name = n
		}
	}
	if name == "" {
		if _, ok := c.servers[s.Name]; !ok {
			return nil
		}
		name = s.Name
	}
	delete(c.servers, name)
	kept := make([]*ToolFn, 0, len(c.order))
	for _, f := range c.order {
		if f.Server == name {
			delete(c.functions, f.Name)
			removed = append(removed, f.Name)
			continue
		}
		kept = append(kept, f)
	}
	c.order = kept
	warnings := c.warnings[:0:0]
	for _, w := range c.warnings {
		if w.Server != name {
			warnings = append(warnings, w)
		}
	}
	c.warnings = warnings
	return removed
}
