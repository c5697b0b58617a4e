package python

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn/value"
)

// rows stands behind the dicts that a capability returned at one place of its
// results. They are dicts in all they do; besides, a field can be read as an
// attribute, and a field that is not there is answered with the nearest that is: a
// guessed field name is the most frequent way to a wrong answer that looks right.
//
// It knows what the fields are from every row seen at that place and from the
// declared schema, so a field that is merely missing in one row is no guess.
type rows struct {
	shown    string // the function as a program spells it
	path     string // where in the result: "", "items", "author"
	schema   *jsonschema.Schema
	fields   []string
	known    map[string]bool
	last     *value.Keys // the key list of the row before, which the next most likely shares
	children map[string]*rows
	watch    *[]*rows // those with misses in the running program
	misses   []miss
	foreign  string // the title of the language whose data it is, "" for a tool's
}

// miss is a field that was asked for with a default, and that no row has.
type miss struct {
	field string
	times int
}

// mostMisses bounds the different fields that are remembered of one place.
const mostMisses = 16

func newRows(watch *[]*rows, shown, path string, schema *jsonschema.Schema) *rows {
	return &rows{shown: shown, path: path, schema: rowSchema(schema), known: map[string]bool{}, watch: watch}
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

// mostFields bounds the fields that are remembered of one place.
const mostFields = 1000

// learn takes note of the keys of a row.
func (r *rows) learn(keys *value.Keys) {
	if keys == r.last {
		return
	}
	r.last = keys
	for _, k := range keys.Names() {
		if !r.known[k] && len(r.known) < mostFields {
			r.known[k] = true
			r.fields = append(r.fields, k)
		}
	}
}

// member gives what stands behind the rows under a key.
func (r *rows) member(key string, v value.Value) *rows {
	if r == nil {
		return nil
	}
	switch v.(type) {
	case []value.Value, *value.Object:
	default:
		return nil
	}
	c := r.children[key]
	if c == nil {
		if len(r.children) >= 100 || strings.Count(r.path, ".") >= 3 {
			return nil
		}
		var schema *jsonschema.Schema
		if r.schema != nil {
			schema = r.schema.Properties[key]
		}
		path := key
		if r.path != "" {
			path = r.path + "." + key
		}
		c = newRows(r.watch, r.shown, path, schema)
		c.foreign = r.foreign
		if r.children == nil {
			r.children = map[string]*rows{}
		}
		r.children[key] = c
	}
	return c
}

// Attr reads a field as an attribute.
func (r *rows) Attr(t *thread, d *object.Dict, name string) (pyValue, bool, *exception) {
	if v, ok := d.GetName(name); ok {
		return v, true, nil
	}
	x := t.Raise(object.AttributeError, "'dict' object has no attribute '%s'", name)
	x.Detail = missingField{r, d, name, true}
	return pyValue{}, false, x
}

// MissingKey makes the KeyError of a field that is not there.
func (r *rows) MissingKey(_ *thread, d *object.Dict, key pyValue) *exception {
	x := object.NewException(object.KeyError, key)
	if s, ok := object.StrOf(key); ok {
		x.Detail = missingField{r, d, s.String(), false}
	}
	return x
}

// Missed notes a field that was asked for with a default.
func (r *rows) Missed(key pyValue) {
	s, ok := object.StrOf(key)
	if !ok {
		return
	}
	field := s.String()
	for i := range r.misses {
		if r.misses[i].field == field {
			r.misses[i].times++
			return
		}
	}
	if r.known[field] || len(r.misses) == mostMisses {
		return
	}
	if len(r.misses) == 0 {
		*r.watch = append(*r.watch, r)
	}
	r.misses = append(r.misses, miss{field, 1})
}

// missingField is the detail of the error of a field that a row does not have.
type missingField struct {
	rows      *rows
	row       *object.Dict
	field     string
	attribute bool
}

// hint names the nearest real field and lists them.
func (m missingField) hint() string {
	var has []string
	for i := range m.row.Room() {
		if k, _ := m.row.Entry(i); k.IsSet() {
			if s, ok := object.StrOf(k); ok {
				has = append(has, s.String())
			}
		}
	}
	if m.rows.known[m.field] || m.rows.declared(m.field) {
		return "This row has no '" + shortKey(m.field) + "', others have it: use row.get(" + quote(m.field) + "). Its fields: " + listNames(has, 24) + "."
	}
	text := ""
	if near, ok := likely(m.field, has); ok {
		text = "Did you mean '" + shortKey(near) + "'? "
	}
	return text + m.rows.where() + " has the fields " + listNames(has, 24) + "."
}

// where tells whose rows they are.
func (r *rows) where() string {
	switch {
	case r.foreign != "":
		return "What " + r.foreign + " defined as " + r.shown
	case r.path != "":
		return "A row of " + r.shown + " (under " + sandbox.Clip(r.path, 60) + ")"
	}
	return "A row of " + r.shown
}

// declared reports whether the schema allows a field.
func (r *rows) declared(field string) bool {
	if r.schema == nil {
		return false
	}
	if _, ok := r.schema.Properties[field]; ok {
		return true
	}
	// A map of anything: every key is a field.
	return len(r.schema.Properties) == 0 && r.schema.AdditionalProperties != nil && r.schema.AdditionalProperties.Not == nil
}

// remarks gives a note for each field that was asked for and that no row has, and
// forgets them.
func (r *rows) remarks() (notes []string) {
	for _, m := range r.misses {
		if r.known[m.field] || r.declared(m.field) || len(r.fields) == 0 {
			continue
		}
		text := "No row of " + r.shown
		if r.path != "" {
			text += " (under " + sandbox.Clip(r.path, 60) + ")"
		}
		text += " has a field '" + shortKey(m.field) + "'; get() gave the default"
		if m.times > 1 {
			text += fmt.Sprintf(" %d times", m.times)
		}
		text += "."
		if near, ok := likely(m.field, r.fields); ok {
			text += " Did you mean '" + shortKey(near) + "'?"
		}
		notes = append(notes, text+" The fields: "+listNames(r.fields, 24)+".")
	}
	r.misses = nil
	return notes
}

// shortKey bounds a key inside a message.
func shortKey(k string) string { return sandbox.Clip(k, 60) }

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
