package toolfn

import (
	"fmt"
	"slices"

	"github.com/polyglove/polyglove/sandbox"
)

// AdoptTables takes in the tables of an adopted server, in place of those that it
// had before; they go when the server is withdrawn. It never fails: a table that
// is not valid, or whose name is taken, is left out with a warning, which is
// returned and kept.
func (c *Catalog) AdoptTables(server string, tables ...ResourceTable) []Warning {
	c.mu.Lock()
	change := Change{Removed: c.withdrawTables(server)}
	var warnings []Warning
	c.tableList = slices.Clone(c.tableList)
	for i := range tables {
		var b batch
		tables[i].stage(&b)
		b.bad = append(b.bad, c.clashes(&b)...)
		if len(b.bad) > 0 {
			warnings = append(warnings, Warning{Server: server, Name: sandbox.Clip(Plain(tables[i].Name, 80), 80), Message: fmt.Sprintf("left out: %v", b.bad[0])})
			continue
		}
		c.tables[b.tables[0].Name] = b.tables[0]
		c.tableList = append(c.tableList, b.tables[0])
		c.owners[b.tables[0].Name] = server
		change.Added = append(change.Added, b.tables[0].Name)
		for _, w := range b.warnings {
			w.Server = server
			warnings = append(warnings, w)
		}
	}
	c.warnings = append(c.warnings, warnings...)
	c.version++
	change.Version = c.version
	notify := c.watching()
	c.mu.Unlock()
	notify(change)
	return append([]Warning(nil), warnings...)
}

// withdrawTables removes the tables of a server. The lock is held.
func (c *Catalog) withdrawTables(server string) (removed []string) {
	kept := make([]*ResourceTable, 0, len(c.tableList))
	for _, t := range c.tableList {
		if owner, owned := c.owners[t.Name]; !owned || owner != server {
			kept = append(kept, t)
			continue
		}
		delete(c.tables, t.Name)
		delete(c.owners, t.Name)
		removed = append(removed, t.Name)
	}
	c.tableList = kept
	return removed
}
