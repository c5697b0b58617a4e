package toolfn

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	// maxSchemaBytes is the largest schema that is read.
	maxSchemaBytes = 4 << 20
	// maxSchemaDepth is how deep schemas may nest; what lies below is any value.
	maxSchemaDepth = 100
	// maxSchemaWarnings is how many warnings one schema may give.
	maxSchemaWarnings = 20
)

// exactKey is the member of Schema.Extra that keeps the digits of bounds that a
// float64, which is all that jsonschema.Schema has for them, would round.
const exactKey = "x-exact"

// ParseSchema reads JSON Schema (draft-04 to 2020-12) as servers really send it,
// keeping the order of properties at every level in PropertyOrder. Whatever it
// cannot use it leaves out with a warning, so that one odd keyword does not cost
// a function: an unknown type accepts any value, a remote reference is never
// fetched and accepts any value, a reference to anywhere in the document is
// resolved. Empty input is no schema at all (nil). The error is for text that is
// not JSON, nests too deep for it or is larger than 4 MiB.
func ParseSchema(raw []byte) (*jsonschema.Schema, []Warning, error) {
	if len(raw) == 0 {
		return nil, nil, nil
	}
	if len(raw) > maxSchemaBytes {
		return nil, nil, fmt.Errorf("the schema is larger than %d bytes", maxSchemaBytes)
	}
	doc, err := value.Decode(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	r := &schemaReader{doc: doc, ids: map[string]string{"": ""}, dynamic: map[string]int{}, moved: map[string]string{}}
	r.sibling = !overridingReferences(doc)
	if doc == nil {
		r.warn("", "the schema is null: any object is accepted")
		return &jsonschema.Schema{Type: "object"}, r.warnings, nil
	}
	r.root = r.read(doc, place{})
	r.resolve()
	return r.root, r.warnings, nil
}

// schemaReader turns one document into a schema.
type schemaReader struct {
	doc      value.Value
	root     *jsonschema.Schema
	refs     []refSite
	ids      map[string]string // $id, and base#anchor → JSON pointer of its schema
	sibling  bool              // keywords beside a reference count
	dynamic  map[string]int    // how often each $dynamicAnchor is declared
	moved    map[string]string // JSON pointer outside of schemas → name in $defs
	warnings []Warning
}

// place is where in the document a schema stands.
type place struct {
	pointer string // JSON pointer, RFC 6901
	path    string // for people: properties only
	base    string // URI of the enclosing schema resource, RFC 3986
	depth   int
}

func (p place) in(segments ...string) place {
	for _, s := range segments {
		p.pointer += "/" + escapePointer(s)
	}
	p.depth++
	return p
}

func (p place) property(name string) place {
	q := p.in("properties", name)
	if q.path != "" {
		q.path += "."
	}
	q.path += name
	return q
}

func (r *schemaReader) warn(path, format string, args ...any) {
	switch n := len(r.warnings); {
	case n < maxSchemaWarnings:
		r.warnings = append(r.warnings, Warning{Path: Plain(path, 120), Message: fmt.Sprintf(format, args...)})
	case n == maxSchemaWarnings:
		r.warnings = append(r.warnings, Warning{Message: "the schema has more such problems"})
	}
}

// read gives the schema for any JSON value.
func (r *schemaReader) read(v value.Value, at place) *jsonschema.Schema {
	switch v := v.(type) {
	case bool:
		if v {
			return &jsonschema.Schema{}
		}
		return never()
	case *value.Object:
		if at.depth > maxSchemaDepth {
			r.warn(at.path, "the schema nests more than %d levels deep: any value is accepted below", maxSchemaDepth)
			return &jsonschema.Schema{}
		}
		return r.object(v, at)
	}
	r.warn(at.path, "want a schema, got %s: any value is accepted", described(v))
	return &jsonschema.Schema{}
}

func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// object reads a schema object keyword by keyword.
func (r *schemaReader) object(o *value.Object, at place) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	_, refers := stringAt(o, "$ref")
	refers = refers && !r.sibling
	if !refers {
		at = r.identify(s, o, at)
	}
	for key, v := range o.All() {
		if refers && !besideReference[key] {
			continue
		}
		r.keyword(s, key, v, at)
	}
	r.drafts(s, o, at)
	return s
}

// overridingReferences reports whether a document says that it is of a draft in
// which a reference makes its neighbours meaningless (draft-07, 8.3).
func overridingReferences(doc value.Value) bool {
	o, ok := doc.(*value.Object)
	if !ok {
		return false
	}
	draft, _ := stringAt(o, "$schema")
	for _, old := range []string{"draft-03", "draft-04", "draft-06", "draft-07"} {
		if strings.Contains(draft, old) {
			return true
		}
	}
	return false
}

// besideReference are the keywords that count beside a reference all the same.
var besideReference = map[string]bool{
	"$ref": true, "$defs": true, "definitions": true, "$comment": true, "title": true, "description": true,
	"default": true, "examples": true, "deprecated": true, "readOnly": true, "writeOnly": true, "required": true,
}

// identify reads $id: the URI of a schema resource, or in older drafts a bare
// #name for what is an $anchor now.
func (r *schemaReader) identify(s *jsonschema.Schema, o *value.Object, at place) place {
	id, ok := stringAt(o, "$id")
	if old, found := stringAt(o, "id"); !ok && found && (strings.Contains(old, "://") || strings.HasPrefix(old, "#")) {
		id, ok = old, true
	}
	if !ok || id == "" {
		return at
	}
	if name, bare := strings.CutPrefix(id, "#"); bare {
		r.ids[at.base+"#"+name] = at.pointer
		return at
	}
	s.ID = id
	at.base, _ = resolveURI(at.base, id)
	r.ids[at.base] = at.pointer
	return at
}

func stringAt(o *value.Object, keys ...string) (string, bool) {
	for _, k := range keys {
		if v, ok := o.Get(k); ok {
			if s, ok := v.(string); ok {
				return s, true
			}
		}
	}
	return "", false
}

// keyword reads one keyword into s.
func (r *schemaReader) keyword(s *jsonschema.Schema, key string, v value.Value, at place) {
	switch key {
	case "$id", "id":
	case "$ref", "$dynamicRef", "$recursiveRef":
		if ref, ok := r.text(v, key, at); ok && s.Ref == "" {
			s.Ref = ref
			r.refs = append(r.refs, refSite{s, at, key != "$ref"})
		}
	case "$anchor", "$dynamicAnchor":
		if name, ok := r.text(v, key, at); ok {
			r.ids[at.base+"#"+name] = at.pointer
			if key == "$dynamicAnchor" {
				r.dynamic[name]++
			}
		}
	case "$schema", "$comment", "title", "description", "pattern", "format", "contentEncoding", "contentMediaType":
		r.annotation(s, key, v, at)
	case "type":
		r.types(s, v, at)
	case "enum":
		r.enum(s, v, at)
	case "const":
		c := any(v)
		s.Const = &c
	case "default":
		if text, err := value.Append(nil, v); err == nil {
			s.Default = text
		}
	case "examples":
		if list, ok := v.([]value.Value); ok {
			s.Examples = list
		}
	case "deprecated":
		s.Deprecated = v == true
	case "readOnly":
		s.ReadOnly = v == true
	case "writeOnly":
		s.WriteOnly = v == true
	case "uniqueItems":
		s.UniqueItems = v == true
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		r.bound(s, key, v, at)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		r.count(s, key, v, at)
	case "required":
		r.required(s, v, at)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired", "dependencies":
		r.members(s, key, v, at)
	case "items", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties",
		"propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contentSchema":
		r.nested(s, key, v, at)
	default:
		if s.Extra == nil {
			s.Extra = map[string]any{}
		}
		s.Extra[key] = v
	}
}

func (r *schemaReader) text(v value.Value, key string, at place) (string, bool) {
	s, ok := v.(string)
	if !ok && v != nil {
		r.warn(at.path, "%s is %s, want a string: ignored", key, described(v))
	}
	return s, ok
}

func (r *schemaReader) annotation(s *jsonschema.Schema, key string, v value.Value, at place) {
	text, ok := r.text(v, key, at)
	if !ok {
		return
	}
	switch key {
	case "$schema":
		s.Schema = text
	case "$comment":
		s.Comment = text
	case "title":
		s.Title = text
	case "description":
		s.Description = text
	case "pattern":
		s.Pattern = text
	case "format":
		s.Format = text
	case "contentEncoding":
		s.ContentEncoding = text
	case "contentMediaType":
		s.ContentMediaType = text
	}
}

// typeWords are the type names of JSON Schema.
var typeWords = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// typeAliases are what authors write for them.
var typeAliases = map[string]string{
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer",
	"float": "number", "double": "number", "decimal": "number",
	"str": "string", "text": "string", "bool": "boolean",
	"dict": "object", "map": "object", "struct": "object", "list": "array", "tuple": "array", "none": "null", "nil": "null",
}

func (r *schemaReader) types(s *jsonschema.Schema, v value.Value, at place) {
	list, ok := v.([]value.Value)
	if !ok {
		list = []value.Value{v}
	}
	var words []string
	for _, e := range list {
		word, ok := r.typeWord(e, at)
		if !ok { // one unknown alternative makes any value possible
			return
		}
		words = append(words, word)
	}
	switch len(words) {
	case 0:
	case 1:
		s.Type = words[0]
	default:
		s.Types = words
	}
}

func (r *schemaReader) typeWord(v value.Value, at place) (string, bool) {
	word, ok := v.(string)
	if !ok {
		if v != nil {
			r.warn(at.path, "type is %s, want a type name: any value is accepted", described(v))
		}
		return "", false
	}
	low := strings.ToLower(word)
	if w, ok := typeAliases[low]; ok {
		r.warn(at.path, "type %q is read as %q", word, w)
		return w, true
	}
	for _, w := range typeWords {
		if w == low {
			return w, true
		}
	}
	if low == "any" {
		return "", false
	}
	hint := ""
	if near, ok := sandbox.Nearest(word, typeWords); ok {
		hint = fmt.Sprintf(", did you mean %q?", near)
	}
	r.warn(at.path, "unknown type %q: any value is accepted%s", Plain(word, 40), hint)
	return "", false
}

func (r *schemaReader) enum(s *jsonschema.Schema, v value.Value, at place) {
	list, ok := v.([]value.Value)
	if !ok || len(list) == 0 {
		r.warn(at.path, "enum is not a list of values: any value is accepted")
		return
	}
	s.Enum = list
}

// bound reads a numeric bound. A boolean is draft-04's exclusiveMinimum, which
// drafts handles.
func (r *schemaReader) bound(s *jsonschema.Schema, key string, v value.Value, at place) {
	if _, ok := v.(bool); ok && strings.HasPrefix(key, "exclusive") {
		return
	}
	f, ok := float(v)
	if !ok || key == "multipleOf" && f <= 0 {
		r.warn(at.path, "%s is %s, which is not a usable number: ignored", key, described(v))
		return
	}
	if !value.Equal(v, f) {
		r.exact(s, key, v)
	}
	switch key {
	case "minimum":
		s.Minimum = &f
	case "maximum":
		s.Maximum = &f
	case "exclusiveMinimum":
		s.ExclusiveMinimum = &f
	case "exclusiveMaximum":
		s.ExclusiveMaximum = &f
	case "multipleOf":
		s.MultipleOf = &f
	}
}

// exact keeps the digits of a bound that a float64 rounds.
func (r *schemaReader) exact(s *jsonschema.Schema, key string, v value.Value) {
	if s.Extra == nil {
		s.Extra = map[string]any{}
	}
	o, _ := s.Extra[exactKey].(*value.Object)
	if o == nil {
		o = value.NewObject(1)
		s.Extra[exactKey] = o
	}
	o.Set(key, v)
}

// float gives a number's nearest float64.
func float(v value.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, !math.IsInf(f, 0)
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

func (r *schemaReader) count(s *jsonschema.Schema, key string, v value.Value, at place) {
	f, ok := float(v)
	if !ok || f < 0 || f != math.Trunc(f) {
		r.warn(at.path, "%s is %s, want a count: ignored", key, described(v))
		return
	}
	n := int(min(f, math.MaxInt32))
	switch key {
	case "minLength":
		s.MinLength = &n
	case "maxLength":
		s.MaxLength = &n
	case "minItems":
		s.MinItems = &n
	case "maxItems":
		s.MaxItems = &n
	case "minProperties":
		s.MinProperties = &n
	case "maxProperties":
		s.MaxProperties = &n
	case "minContains":
		s.MinContains = &n
	case "maxContains":
		s.MaxContains = &n
	}
}

func (r *schemaReader) required(s *jsonschema.Schema, v value.Value, at place) {
	if _, ok := v.(bool); ok || v == nil {
		return // draft-03's flag on the property itself, which its parent reads
	}
	names, ok := stringList(v)
	if !ok {
		r.warn(at.path, "required is %s, want a list of names: the rest is ignored", described(v))
	}
	for _, n := range names {
		if !containsString(s.Required, n) {
			s.Required = append(s.Required, n)
		}
	}
}

// stringList gives the strings of a list, and whether it held nothing else.
func stringList(v value.Value) ([]string, bool) {
	list, ok := v.([]value.Value)
	if !ok {
		return nil, false
	}
	var names []string
	for _, e := range list {
		n, isString := e.(string)
		if !isString {
			ok = false
			continue
		}
		names = append(names, n)
	}
	return names, ok
}

func containsString(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// members reads a keyword whose value maps names to schemas or name lists.
func (r *schemaReader) members(s *jsonschema.Schema, key string, v value.Value, at place) {
	o, ok := v.(*value.Object)
	if !ok {
		if v != nil {
			r.warn(at.path, "%s is %s, want an object: ignored", key, described(v))
		}
		return
	}
	for name, sub := range o.All() {
		r.member(s, key, name, sub, at)
	}
	if key == "properties" && s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
}

func (r *schemaReader) member(s *jsonschema.Schema, key, name string, v value.Value, at place) {
	if key == "properties" {
		put(&s.Properties, name, r.read(v, at.property(name)))
		s.PropertyOrder = append(s.PropertyOrder, name)
		if o, ok := v.(*value.Object); ok {
			if flag, ok := o.Get("required"); ok && flag == true && !containsString(s.Required, name) {
				s.Required = append(s.Required, name)
			}
		}
		return
	}
	if key == "dependentRequired" || key == "dependencies" {
		if names, ok := stringList(v); ok {
			if s.DependentRequired == nil {
				s.DependentRequired = map[string][]string{}
			}
			s.DependentRequired[name] = names
			return
		}
		if key == "dependentRequired" {
			r.warn(at.path, "dependentRequired %q is not a list of names: ignored", Plain(name, 40))
			return
		}
	}
	sub := r.read(v, at.in(key, name))
	switch key {
	case "patternProperties":
		put(&s.PatternProperties, name, sub)
	case "$defs", "definitions":
		put(&s.Defs, name, sub) // jsonschema.Schema allows only one of the two
	default:
		put(&s.DependentSchemas, name, sub)
	}
}

func put(m *map[string]*jsonschema.Schema, name string, s *jsonschema.Schema) {
	if *m == nil {
		*m = map[string]*jsonschema.Schema{}
	}
	if _, ok := (*m)[name]; !ok {
		(*m)[name] = s
	}
}

// nested reads a keyword whose value is a schema or a list of schemas.
func (r *schemaReader) nested(s *jsonschema.Schema, key string, v value.Value, at place) {
	if v == nil {
		return
	}
	if list, ok := v.([]value.Value); ok {
		r.listOf(s, key, list, at)
		return
	}
	sub := r.read(v, at.in(key))
	switch key {
	case "items":
		s.Items = sub
	case "additionalItems":
		s.AdditionalItems = sub
	case "contains":
		s.Contains = sub
	case "unevaluatedItems":
		s.UnevaluatedItems = sub
	case "additionalProperties":
		s.AdditionalProperties = sub
	case "unevaluatedProperties":
		s.UnevaluatedProperties = sub
	case "propertyNames":
		s.PropertyNames = sub
	case "not":
		s.Not = sub
	case "if":
		s.If = sub
	case "then":
		s.Then = sub
	case "else":
		s.Else = sub
	case "contentSchema":
		s.ContentSchema = sub
	case "allOf", "anyOf", "oneOf":
		s.AllOf = append(s.AllOf, sub) // one schema where a list was meant
		r.warn(at.path, "%s is one schema, want a list", key)
	default:
		r.warn(at.path, "%s is %s, want a list of schemas: ignored", key, described(v))
	}
}

func (r *schemaReader) listOf(s *jsonschema.Schema, key string, list []value.Value, at place) {
	var subs []*jsonschema.Schema
	for i, e := range list {
		subs = append(subs, r.read(e, at.in(key, fmt.Sprint(i))))
	}
	switch {
	case key == "items":
		s.ItemsArray = subs
	case len(subs) == 0:
	case key == "prefixItems":
		s.PrefixItems = subs
	case key == "allOf":
		s.AllOf = append(subs, s.AllOf...)
	case key == "anyOf":
		s.AnyOf = subs
	case key == "oneOf":
		s.OneOf = subs
	default:
		r.warn(at.path, "%s is a list, want one schema: ignored", key)
	}
}

// drafts reads what only an older draft or OpenAPI means.
func (r *schemaReader) drafts(s *jsonschema.Schema, o *value.Object, at place) {
	if v, _ := o.Get("exclusiveMinimum"); v == true && s.Minimum != nil {
		s.ExclusiveMinimum, s.Minimum = s.Minimum, nil
	}
	if v, _ := o.Get("exclusiveMaximum"); v == true && s.Maximum != nil {
		s.ExclusiveMaximum, s.Maximum = s.Maximum, nil
	}
	if v, _ := o.Get("nullable"); v == true {
		s.Types, s.Type = nullableTypes(s), ""
		delete(s.Extra, "nullable")
		if len(s.Enum) > 0 && !contains(s.Enum, nil) {
			s.Enum = append(append([]any(nil), s.Enum...), nil)
		}
	}
	if len(s.Types) == 0 {
		s.Types = nil
	}
}

func nullableTypes(s *jsonschema.Schema) []string {
	words := s.Types
	if s.Type != "" {
		words = []string{s.Type}
	}
	if len(words) == 0 || containsString(words, "null") {
		return words
	}
	return append(append([]string(nil), words...), "null")
}
