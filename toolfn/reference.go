package toolfn

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// refSite is a schema that refers to another one.
type refSite struct {
	schema  *jsonschema.Schema
	at      place
	dynamic bool // by $dynamicRef or $recursiveRef
}

// resolve makes every reference of the document one that [target] follows, or
// takes it out with a warning. Reading a place outside of schemas may find more.
func (r *schemaReader) resolve() {
	for i := 0; i < len(r.refs); i++ {
		site := r.refs[i]
		ref, err := r.local(site)
		if err == nil {
			site.schema.Ref = ref
			continue
		}
		r.warn(site.at.path, "the reference %q is not used, because %s: any value is accepted", Plain(site.schema.Ref, 120), err)
		dropReference(site.schema)
	}
}

// dropReference makes a schema accept whatever its reference would have: also
// the properties and items that a rule against unevaluated ones would refuse.
func dropReference(s *jsonschema.Schema) {
	s.Ref = ""
	s.UnevaluatedProperties, s.UnevaluatedItems = &jsonschema.Schema{}, &jsonschema.Schema{}
}

// local gives a reference as a JSON pointer into the root schema.
func (r *schemaReader) local(site refSite) (string, error) {
	uri, fragment := resolveURI(site.at.base, site.schema.Ref)
	if site.dynamic && r.dynamic[fragment] > 1 {
		return "", errors.New("what it means depends on the way that led to it")
	}
	if fragment != "" && fragment[0] != '/' {
		if pointer, ok := r.ids[uri+"#"+fragment]; ok {
			return r.at(pointer)
		}
	}
	pointer, ok := r.ids[uri]
	if !ok {
		return "", errors.New("it is outside of the schema and nothing is ever fetched")
	}
	if fragment != "" && fragment[0] != '/' {
		return "", errNoSuchPlace
	}
	if ref, err := r.at(pointer + fragment); err == nil || pointer == "" {
		return ref, err
	}
	return r.at(fragment) // written as if the schema were a document of its own
}

// errNoSuchPlace is the reason of a reference to what is not there.
var errNoSuchPlace = errors.New("it leads nowhere")

// resolveURI resolves a reference against a base (RFC 3986, 5.2) and gives the
// URI without its fragment, and the fragment decoded.
func resolveURI(base, ref string) (uri, fragment string) {
	u, err := url.Parse(ref)
	if err != nil {
		before, after, _ := strings.Cut(ref, "#")
		return before, unescapeURI(after)
	}
	if b, err := url.Parse(base); err == nil {
		u = b.ResolveReference(u)
	}
	fragment = u.Fragment
	u.Fragment, u.RawFragment = "", ""
	return u.String(), fragment
}

// at gives the reference for a JSON pointer. What stands there in a place where
// no keyword puts a schema moves to $defs.
func (r *schemaReader) at(pointer string) (string, error) {
	if _, ok := follow(r.root, pointer); ok {
		return "#" + pointer, nil
	}
	if name, ok := r.moved[pointer]; ok {
		return "#/$defs/" + escapePointer(name), nil
	}
	v, ok := lookUp(r.doc, pointer)
	if !ok || pointer == "" {
		return "", errNoSuchPlace
	}
	segs := pointerSegments(pointer)
	name := free(SafeName(segs[len(segs)-1]), func(n string) bool {
		_, taken := r.root.Defs[n]
		return taken
	})
	r.moved[pointer] = name
	put(&r.root.Defs, name, &jsonschema.Schema{}) // before its own references are met
	*r.root.Defs[name] = *r.read(v, place{pointer: pointer, base: r.root.ID})
	for i := range r.refs { // the sites that were read into the copied schema
		if r.refs[i].at.pointer == pointer {
			r.refs[i].schema = r.root.Defs[name]
		}
	}
	return "#/$defs/" + escapePointer(name), nil
}

// lookUp follows a JSON pointer through plain data.
func lookUp(v value.Value, pointer string) (value.Value, bool) {
	for _, seg := range pointerSegments(pointer) {
		switch x := v.(type) {
		case *value.Object:
			next, ok := x.Get(seg)
			if !ok {
				return nil, false
			}
			v = next
		case []value.Value:
			i, err := strconv.Atoi(seg)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// target gives the schema that a local reference leads to.
func target(root *jsonschema.Schema, ref string) (*jsonschema.Schema, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	return follow(root, unescapeURI(pointer))
}

// follow follows a JSON pointer through schemas.
func follow(s *jsonschema.Schema, pointer string) (*jsonschema.Schema, bool) {
	segs := pointerSegments(pointer)
	for len(segs) > 0 && s != nil {
		next, used := step(s, segs)
		if used == 0 {
			return nil, false
		}
		s, segs = next, segs[used:]
	}
	return s, s != nil
}

// step takes one step of a pointer: a keyword, and the name or index after it
// where the keyword has one. It says how many segments it used, 0 for none.
func step(s *jsonschema.Schema, segs []string) (*jsonschema.Schema, int) {
	single := map[string]*jsonschema.Schema{
		"additionalProperties": s.AdditionalProperties, "unevaluatedProperties": s.UnevaluatedProperties, "propertyNames": s.PropertyNames,
		"items": s.Items, "additionalItems": s.AdditionalItems, "unevaluatedItems": s.UnevaluatedItems, "contains": s.Contains,
		"not": s.Not, "if": s.If, "then": s.Then, "else": s.Else, "contentSchema": s.ContentSchema,
	}
	if next := single[segs[0]]; next != nil {
		return next, 1
	}
	if len(segs) < 2 {
		return nil, 0
	}
	lists := map[string][]*jsonschema.Schema{
		"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf, "prefixItems": s.PrefixItems, "items": s.ItemsArray,
	}
	if list, ok := lists[segs[0]]; ok {
		i, err := strconv.Atoi(segs[1])
		if err != nil || i < 0 || i >= len(list) {
			return nil, 0
		}
		return list[i], 2
	}
	if next := member(s, segs[0])[segs[1]]; next != nil {
		return next, 2
	}
	return nil, 0
}

// member gives the map of schemas behind a keyword.
func member(s *jsonschema.Schema, keyword string) map[string]*jsonschema.Schema {
	switch keyword {
	case "properties":
		return s.Properties
	case "patternProperties":
		return s.PatternProperties
	case "$defs", "definitions":
		if s.Defs != nil {
			return s.Defs
		}
		return s.Definitions
	case "dependentSchemas":
		return s.DependentSchemas
	case "dependencies":
		if s.DependencySchemas != nil {
			return s.DependencySchemas
		}
		return s.DependentSchemas
	}
	return nil
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

func escapePointer(s string) string { return pointerEscaper.Replace(s) }

func pointerSegments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	segs := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range segs {
		segs[i] = pointerUnescaper.Replace(segs[i])
	}
	return segs
}

// unescapeURI undoes percent-encoding where it is well formed.
func unescapeURI(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
