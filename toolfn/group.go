package toolfn

import (
	"fmt"
	"sort"
	"strings"
)

// Ungrouped is the name under which functions without a server are listed.
const Ungrouped = "(ungrouped)"

// Group is a server with its functions.
type Group struct {
	Server
	Functions []*ToolFn

	described bool // the description is the server's own
}

// grouping is the catalogue by server, of one version.
type grouping struct {
	version uint64
	list    []*Group
	byName  map[string]*Group
}

// Servers lists the servers with their functions, in the order in which they
// first appeared. A server that gave no description gets one made up of what its
// functions do. The caller must not change the groups.
func (c *Catalog) Servers() []*Group { return c.grouped().list }

// Functions lists the functions of a server; "" lists all. It is nil for an
// unknown server.
func (c *Catalog) Functions(server string) []*ToolFn {
	if server == "" {
		return c.All()
	}
	if g, ok := c.grouped().byName[server]; ok {
		return g.Functions
	}
	return nil
}

// Server gives one server with its functions.
func (c *Catalog) Server(name string) (*Group, bool) {
	g, ok := c.grouped().byName[name]
	return g, ok
}

// grouped gives the grouping of the catalogue as it is now, made on first need.
func (c *Catalog) grouped() *grouping {
	c.views.Lock()
	defer c.views.Unlock()
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.groups == nil || c.groups.version != c.version {
		c.groups = groupBy(c.version, c.order, c.servers)
	}
	return c.groups
}

func groupBy(version uint64, fns []*ToolFn, servers map[string]Server) *grouping {
	g := &grouping{version: version, byName: map[string]*Group{}}
	for _, f := range fns {
		name := f.Server
		if name == "" {
			name = Ungrouped
		}
		group, ok := g.byName[name]
		if !ok {
			s, declared := servers[name]
			if !declared {
				s = Server{Name: name}
			}
			group = &Group{Server: s}
			g.byName[name] = group
			g.list = append(g.list, group)
		}
		group.Functions = append(group.Functions, f)
	}
	for _, group := range g.list {
		group.Description = strings.TrimSuffix(Plain(group.Description, 200), ".")
		if group.described = group.Description != ""; !group.described {
			group.Description = madeUp(group.Functions)
		}
	}
	return g
}

// madeUp describes a server by the things that its functions' names deal with,
// the most frequent first: list_charges, get_charge, list_disputes → charges,
// disputes.
func madeUp(fns []*ToolFn) string {
	const shown = 6
	count := map[string]int{}
	name := map[string]string{}
	var order []string
	for _, f := range fns {
		thing := thingOf(f.Local())
		key := strings.Join(words(thing), " ")
		if count[key] == 0 {
			order = append(order, key)
		}
		count[key]++
		if len(thing) > len(name[key]) { // the plural, where there is one
			name[key] = thing
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return count[order[i]] > count[order[j]] })
	list := make([]string, 0, shown+1)
	for i, key := range order {
		if i == shown {
			list = append(list, "…")
			break
		}
		list = append(list, name[key])
	}
	return Plain(strings.Join(list, ", "), 120)
}

// thingOf gives a function's name without its first word, the verb.
func thingOf(name string) string {
	list := split(name)
	if len(list) > 1 {
		list = list[1:]
	}
	return strings.Join(list, " ")
}

// Declare names and describes a server whose functions are registered one by
// one. The name must be the one that the functions give.
func (c *Catalog) Declare(s Server) error {
	if !ValidName(s.Name) || strings.Contains(s.Name, "__") {
		return fmt.Errorf("server %q is not named like an identifier without double underscores: call it %q", Plain(s.Name, 80), SafeNamespace(s.Name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.UpstreamName == "" {
		s.UpstreamName = s.Name
	}
	c.servers[s.Name] = s
	c.version++
	return nil
}
