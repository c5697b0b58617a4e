package js

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dop251/goja"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn/value"
)

// guard is the prototype of the objects that a capability returned at one place
// of its results. Reading a field that an object has never comes here; reading
// one that it has not does, and is noted: a guessed field name is the most
// frequent way to a wrong answer that looks right.
//
// It knows what the fields are from every object seen at that place and from the
// declared schema, so a field that is merely missing in one row raises nothing.
type guard struct {
	rt       *goja.Runtime
	shown    string // the function as a program spells it
	path     string // where in the result: "", "items", "author"
	schema   *jsonschema.Schema
	fields   []string
	known    map[string]bool
	last     *value.Keys // the key list of the object before, which the next most likely shares
	proto    *goja.Object
	children map[string]*guard
	texts    bool // it stands behind strings, not behind rows
	foreign  bool // the rows are another language's

	misses []miss
	watch  *[]*guard // guards with misses in the running program
}

// miss is a field that was read and not there.
type miss struct {
	field string
	times int
}

// mostMisses bounds the different fields that one guard remembers a program.
const mostMisses = 16

func newGuard(rt *goja.Runtime, watch *[]*guard, shown, path string, schema *jsonschema.Schema) *guard {
	g := &guard{rt: rt, shown: shown, path: path, schema: rowSchema(schema), known: map[string]bool{}, watch: watch}
	g.proto = rt.NewDynamicObject(g)
	return g
}

// guardTexts puts a guard behind every string: a field of a string is most often a
// field of the object that the program takes the string for, as in
// order.reader.name where the reader is a name.
func guardTexts(rt *goja.Runtime, watch *[]*guard) *guard {
	g := &guard{rt: rt, texts: true, watch: watch}
	g.proto = rt.NewDynamicObject(g)
	_ = rt.ToValue("").ToObject(rt).Prototype().SetPrototype(g.proto)
	return g
}

// rowSchema gives the schema of the objects in a result: through lists.
func rowSchema(s *jsonschema.Schema) *jsonschema.Schema {
	for range 4 {
		if s == nil || s.Items == nil {
			break
		}
		s = s.Items
	}
	return s
}

// Proto gives the prototype for an object with these keys, and learns them.
func (g *guard) Proto(keys *value.Keys) *goja.Object {
	if keys == g.last {
		return g.proto
	}
	g.last = keys
	for _, k := range keys.Names() {
		if !g.known[k] && len(g.known) < 1000 {
			g.known[k] = true
			g.fields = append(g.fields, k)
		}
	}
	return g.proto
}

// Member gives the guard of what lies under a key.
func (g *guard) Member(key string) realm.Shape {
	c := g.children[key]
	if c == nil {
		if len(g.children) >= 100 || strings.Count(g.path, ".") >= 3 {
			return nil
		}
		var schema *jsonschema.Schema
		if g.schema != nil {
			schema = g.schema.Properties[key]
		}
		path := key
		if g.path != "" {
			path = g.path + "." + key
		}
		c = newGuard(g.rt, g.watch, g.shown, path, schema)
		c.foreign = g.foreign
		if g.children == nil {
			g.children = map[string]*guard{}
		}
		g.children[key] = c
	}
	return c
}

// Get is asked for what an object does not have.
func (g *guard) Get(field string) goja.Value {
	for i := range g.misses {
		if g.misses[i].field == field {
			g.misses[i].times++
			return nil
		}
	}
	if everyday[field] || len(g.misses) == mostMisses {
		return nil
	}
	if len(g.misses) == 0 {
		*g.watch = append(*g.watch, g)
	}
	g.misses = append(g.misses, miss{field, 1})
	return nil
}

// everyday are members that any object is asked for, by programs and by the
// engine, without being a field.
var everyday = map[string]bool{
	"toString": true, "valueOf": true, "toLocaleString": true, "hasOwnProperty": true, "isPrototypeOf": true,
	"propertyIsEnumerable": true, "constructor": true, "then": true, "toJSON": true, "inspect": true,
}

// Set, Has, Delete and Keys make the guard an object without properties.

// Set is never reached: assignments to a row make a property of the row.
func (g *guard) Set(string, goja.Value) bool { return false }

// Has reports that the guard has no property.
func (g *guard) Has(string) bool { return false }

// Delete has nothing to delete.
func (g *guard) Delete(string) bool { return true }

// Keys lists nothing.
func (g *guard) Keys() []string { return nil }

// declared reports whether the schema allows a field.
func (g *guard) declared(field string) bool {
	if g.schema == nil {
		return false
	}
	if _, ok := g.schema.Properties[field]; ok {
		return true
	}
	// A map of anything: every key is a field.
	return len(g.schema.Properties) == 0 && g.schema.AdditionalProperties != nil && g.schema.AdditionalProperties.Not == nil
}

// remarks gives a note for each field that was read and that no object has, and
// forgets them. reads tells a field that the programs read by name, not by a
// computed key; probed one whose absence they test.
func (g *guard) remarks(reads, assigned, probed func(field string) bool) []string {
	var notes []string
	if g.texts && g.fields == nil {
		g.fields = realm.Members("string")
	}
	for _, m := range g.misses {
		if g.known[m.field] || g.declared(m.field) || len(g.fields) == 0 || !reads(m.field) || assigned(m.field) {
			continue
		}
		near, ok := likely(m.field, g.fields)
		if (!ok || g.texts) && probed(m.field) { // a string may stand where an object may
			continue
		}
		notes = append(notes, g.remark(m, near))
	}
	g.misses = nil
	return notes
}

func (g *guard) remark(m miss, near string) string {
	if g.texts {
		return g.textRemark(m, near)
	}
	where := g.shown
	if g.path != "" {
		where += " (under " + sandbox.Clip(g.path, 60) + ")"
	}
	text := "Nothing that " + where + " returned has a field '" + shortKey(m.field) + "'; " + m.gave()
	if g.foreign {
		text = "Nothing in " + where + " has a field '" + shortKey(m.field) + "'; " + m.gave()
	}
	if near != "" {
		text += " Did you mean '" + shortKey(near) + "'?"
	}
	return text + " Its fields: " + listNames(g.fields, 24) + "."
}

func (g *guard) textRemark(m miss, near string) string {
	text := "A string has no '" + shortKey(m.field) + "'; " + m.gave()
	if near != "" {
		text += " Did you mean '" + near + "'?"
	}
	return text + " Check whether it is the object you take it for."
}

// gave tells what reading the field gave.
func (m miss) gave() string {
	if m.times == 1 {
		return "reading it gave undefined."
	}
	return fmt.Sprintf("reading it gave undefined %d times.", m.times)
}

// listNames joins up to most names.
func listNames(names []string, most int) string {
	short := make([]string, 0, min(len(names), most))
	for _, n := range names[:min(len(names), most)] {
		short = append(short, shortKey(n))
	}
	text := strings.Join(short, ", ")
	if len(names) > most {
		text += fmt.Sprintf(", … (%d in all)", len(names))
	}
	return text
}

// likely gives the field that a guessed name most likely meant: the nearest in
// spelling, else the one that shares the most words with it.
func likely(guess string, fields []string) (string, bool) {
	if near, ok := sandbox.Nearest(guess, fields); ok {
		return near, true
	}
	words := split(guess)
	best, most := "", 0
	for _, f := range fields {
		shared := 0
		for _, w := range split(f) {
			if slices.Contains(words, w) {
				shared += len(w)
			}
		}
		if shared > most {
			best, most = f, shared
		}
	}
	return best, best != ""
}

// split gives the words of an identifier in lower case: eventCount and
// event_count have the same two.
func split(name string) []string {
	var words []string
	var w []rune
	flush := func() {
		if len(w) > 1 {
			words = append(words, strings.ToLower(string(w)))
		}
		w = w[:0]
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(w) > 0 && !unicode.IsUpper(w[len(w)-1]):
			flush()
		}
		w = append(w, r)
	}
	flush()
	return words
}

// probes reports whether a program only tests whether a field is there, wherever
// it mentions it: o.f ?? x, o.f || x, o.f && x, o.f ? x : y, o.f?.g, !o.f, if (o.f),
// or does not even expect an object: o?.f.
func probes(source, field string) bool {
	found := false
	for at := 0; ; {
		i := strings.Index(source[at:], field)
		if i < 0 {
			return found
		}
		i += at
		at = i + len(field)
		if i == 0 || source[i-1] != '.' || wordAt(source, i) != field {
			continue // a key of a literal, part of a longer name, or text
		}
		found = true
		if !probeAfter(source[at:]) && !probeBefore(source, i, source[at:]) {
			return false
		}
	}
}

func probeAfter(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, "||") || strings.HasPrefix(rest, "&&")
}

func probeBefore(source string, at int, rest string) bool {
	if strings.HasSuffix(source[:at], "?.") {
		return true
	}
	path := before(source, at-1)
	head := source[:skipSpaceBack(source, max(0, at-1))]
	head = strings.TrimSuffix(head, "?")
	head = strings.TrimRight(strings.TrimSuffix(head, path), " \t\r\n")
	if strings.HasSuffix(head, "!") {
		return true
	}
	tail := strings.TrimLeft(rest, " \t\r\n")
	return strings.HasPrefix(tail, ")") && strings.HasSuffix(head, "(") && strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(head, "("), " "), "if")
}

// assigns reports whether a program assigns a field by name, so that it may be
// missing when it is first read.
func assigns(source, field string) bool {
	for at := 0; ; {
		i := strings.Index(source[at:], field)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(field)
		if i > 0 && source[i-1] == '.' && wordAt(source, i) == field && assigned(source[at:]) {
			return true
		}
	}
}
