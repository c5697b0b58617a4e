package toolfn

import "fmt"

// Namespace is the name under which a program reaches a server's functions:
// NAME.TOOL.
type Namespace struct {
	Name  string
	Group *Group
}

// Namespaces gives each server a name that is free in a language: the server's
// own, or that with an underscore if the language or a function without a server
// has it already, so that a server called console or len takes nothing away. A
// server that is renamed is a warning; the functions' whole names, SERVER__TOOL,
// work all the same. Functions without a server are in no namespace.
func (c *Catalog) Namespaces(taken func(name string) bool) ([]Namespace, []Warning) {
	var list []Namespace
	var warnings []Warning
	used := map[string]bool{}
	bound := func(name string) bool {
		if used[name] || reserved(name) || taken != nil && taken(name) {
			return true
		}
		_, function := c.Lookup(name)
		return function
	}
	for _, g := range c.Servers() {
		if g.Name == Ungrouped {
			continue
		}
		name := g.Name
		if bound(name) {
			name = free(name+"_", bound)
			warnings = append(warnings, Warning{Server: g.Name, Message: fmt.Sprintf("programs reach it as %s, because %s means something else there", name, g.Name)})
		}
		used[name] = true
		list = append(list, Namespace{Name: name, Group: g})
	}
	return list, warnings
}
