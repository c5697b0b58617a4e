package sandbox

import (
	"maps"
	"slices"
)

// Gate is the list of member names that no program of a language may reach on
// host values, each with what to write instead. It is consulted on every access
// path: reads, writes, calls, destructuring, spreads, defaults.
type Gate struct {
	names map[string]string
}

// NewGate makes a gate from blocked names and the advice for each, which may be
// empty.
func NewGate(names map[string]string) Gate {
	c := make(map[string]string, len(names))
	for k, v := range names {
		c[k] = v
	}
	return Gate{c}
}

// Blocked reports whether a member name is closed, and what to write instead.
func (g Gate) Blocked(name string) (advice string, blocked bool) {
	advice, blocked = g.names[name]
	return advice, blocked
}

// Names lists the blocked names, sorted.
func (g Gate) Names() []string { return slices.Sorted(maps.Keys(g.names)) }

// Fault is the fault of reaching for a closed member.
func (g Gate) Fault(name string) *Fault {
	return &Fault{Kind: KindGate, Message: "'" + Clip(name, 60) + "' cannot be reached from a program.", Hint: g.names[name]}
}

// JavaScript is the gate of the JavaScript surface.
var JavaScript = NewGate(map[string]string{
	"constructor":      "",
	"__proto__":        "Build a plain object instead.",
	"prototype":        "Use a class.",
	"__defineGetter__": "",
	"__defineSetter__": "",
	"__lookupGetter__": "",
	"__lookupSetter__": "",
	"caller":           "",
	"callee":           "",
	"arguments":        "Use a rest parameter (...args).",
	"call":             "Call the function directly.",
	"apply":            "Use a spread: f(...args).",
	"bind":             "Use an arrow function.",
})
