package library

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

type value = data.Value

// fn describes one function of the table.
func fn(name string, least, most int, usage, doc string, run func(t *data.Thread, args []value) value) *data.Native {
	return &data.Native{Name: name, Min: least, Max: most, Usage: usage, Doc: doc, Run: run}
}

// extra is fn for a function that Clojure does not have.
func extra(name string, least, most int, usage, doc string, run func(t *data.Thread, args []value) value) *data.Native {
	n := fn(name, least, most, usage, doc, run)
	n.Extra = true
	return n
}

// any number of arguments.
const any = -1

// table holds every function by its name; those of a namespace are under the full
// name, clojure.string/join.
var table = build(
	numbers(), predicates(), sequences(), lazies(), folds(), orders(), maps(), collections(),
	functions(), outputs(), states(), texts(), patterns(), setFunctions(), formats(), metadata(), walks(), javas(), roundings(),
)

func build(groups ...[]*data.Native) map[string]value {
	out := map[string]value{}
	for _, g := range groups {
		for _, n := range g {
			if _, ok := out[n.Name]; ok {
				panic("two functions are named " + n.Name)
			}
			out[n.Name] = n.Function()
		}
	}
	return out
}

// aliases are the prefixes that stand for a namespace.
var aliases = map[string]string{
	"str": "clojure.string", "string": "clojure.string", "s": "clojure.string", "clojure.string": "clojure.string",
	"set": "clojure.set", "clojure.set": "clojure.set", "walk": "clojure.walk", "clojure.walk": "clojure.walk",
	"edn": "clojure.edn", "clojure.edn": "clojure.edn", "math": "clojure.math", "clojure.math": "clojure.math",
	"clojure.core": "", "core": "",
}

// Lookup gives a function by its name, qualified by a namespace or one of its
// aliases, or plain.
func Lookup(name string) (value, bool) {
	if v, ok := table[name]; ok {
		return v, true
	}
	if name == "cat" {
		return data.MarkFunction(catenating), true
	}
	if v, ok := constants[name]; ok {
		return v, true
	}
	if v, ok := classNamed(name); ok {
		return v, true
	}
	space, local, ok := strings.Cut(name, "/")
	if !ok || local == "" {
		return data.Nil, false
	}
	full, ok := aliases[space]
	if !ok {
		return data.Nil, false
	}
	if full != "" {
		local = full + "/" + local
	}
	v, ok := table[local]
	return v, ok
}

// Names lists all functions, in no order.
func Names() []string {
	out := make([]string, 0, len(table))
	for n := range table {
		out = append(out, n)
	}
	return out
}

// text gives an argument that must be a string.
func text(t *data.Thread, fn string, v value) string {
	s, ok := v.Text()
	if !ok {
		wants(t, fn, "a string", v)
	}
	return s
}

// integer gives an argument that must be an integer that fits 64 bits.
func integer(t *data.Thread, fn string, v value) int64 {
	if n, ok := v.Int(); ok {
		return n
	}
	if f, ok := v.Float(); ok && f == float64(int64(f)) {
		return int64(f)
	}
	wants(t, fn, "an integer", v)
	return 0
}

// wants refuses an argument.
func wants(t *data.Thread, fn, what string, v value) {
	if v.IsNil() {
		data.ThrowHint("NullPointerException", fn+" needs "+what+", and got nil.", "Give a default with (or x …), or check the key that was read.")
	}
	data.Throw("ClassCastException", fn+" needs "+what+", and got "+data.Describe(t, v)+".")
}
