package toolfn

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	shapeDepth  = 5  // levels of a declared shape that are built
	shapeFields = 64 // fields of an object that are built
	shapeForms  = 12 // alternatives of a union that are built
)

// shapeReader builds shapes from a schema.
type shapeReader struct {
	root     *jsonschema.Schema
	onPath   map[*jsonschema.Schema]opened // being built
	recurs   map[*jsonschema.Schema]bool   // was met again while being built
	input    bool
	capacity int // schemas that may still be visited
}

// opened is a schema whose shape is being built.
type opened struct {
	name  string
	depth int
}

// again gives the shape of a schema that is met while it is being built: its
// name, or any if no value lies between the two.
func (r *shapeReader) again(s *jsonschema.Schema, o opened, depth int) *shape {
	if o.depth == depth {
		return &shape{}
	}
	r.recurs[s] = true
	return &shape{kind: shapeName, name: o.name}
}

// shapeOf builds the shape that a schema declares. For an input, null beside one
// other type is not shown where the key may be left out as well.
func shapeOf(root *jsonschema.Schema, input bool) *shape {
	r := &shapeReader{root: root, onPath: map[*jsonschema.Schema]opened{}, recurs: map[*jsonschema.Schema]bool{}, input: input, capacity: 4000}
	return r.shape(root, 0)
}

func (r *shapeReader) shape(s *jsonschema.Schema, depth int) *shape {
	r.capacity--
	if s == nil || r.capacity < 0 {
		return &shape{}
	}
	if o, ok := r.onPath[s]; ok {
		return r.again(s, o, depth)
	}
	if s.Ref != "" && len(s.Properties) == 0 && len(s.AllOf) == 0 {
		return r.referred(s, depth)
	}
	r.onPath[s] = opened{typeName(s, ""), depth}
	defer delete(r.onPath, s)
	sh := r.plain(s, depth)
	if r.recurs[s] && sh.kind == shapeObject {
		sh.name = r.onPath[s].name
	}
	return sh
}

// referred builds the shape of what a schema refers to, named if it recurs.
func (r *shapeReader) referred(s *jsonschema.Schema, depth int) *shape {
	to, ok := target(r.root, s.Ref)
	if !ok {
		return &shape{}
	}
	if o, ok := r.onPath[to]; ok {
		return r.again(to, o, depth)
	}
	if to.Ref != "" && len(to.Properties) == 0 && len(to.AllOf) == 0 {
		r.onPath[to] = opened{typeName(to, s.Ref), depth}
		defer delete(r.onPath, to)
		return r.referred(to, depth)
	}
	r.onPath[to] = opened{typeName(to, s.Ref), depth}
	defer delete(r.onPath, to)
	sh := r.plain(to, depth)
	if r.recurs[to] && sh.kind == shapeObject {
		sh.name = r.onPath[to].name
	}
	return sh
}

// typeName names a type that recurs: by its place in $defs, else its title.
func typeName(s *jsonschema.Schema, ref string) string {
	if i := strings.LastIndexByte(ref, '/'); i >= 0 {
		return SafeName(unescapeURI(ref[i+1:]))
	}
	if s.Title != "" {
		return SafeName(Plain(s.Title, 40))
	}
	return "Self"
}

// plain builds the shape of a schema whose own reference is followed already.
func (r *shapeReader) plain(s *jsonschema.Schema, depth int) *shape {
	switch {
	case s.Const != nil:
		return &shape{kind: shapeValues, values: []value.Value{plainValue(*s.Const)}}
	case len(s.Enum) > 0:
		return &shape{kind: shapeValues, values: plainList(s.Enum)}
	case isNever(s):
		return &shape{kind: shapeUnknown}
	}
	base := r.typed(s, depth)
	if all := r.combined(s, base, depth); all != nil {
		base = all
	}
	if forms := r.forms(s, base, depth); forms != nil {
		return forms
	}
	return base
}

// requiredFirst orders names so that the required ones come before the others.
func requiredFirst(names, required []string) []string {
	out := make([]string, 0, len(names))
	for _, first := range []bool{true, false} {
		for _, n := range names {
			if containsString(required, n) == first {
				out = append(out, n)
			}
		}
	}
	return out
}

// typed builds the shape of the type keywords.
func (r *shapeReader) typed(s *jsonschema.Schema, depth int) *shape {
	t := typesOf(s)
	if t == 0 {
		switch {
		case s.Properties != nil || s.AdditionalProperties != nil && !isNever(s.AdditionalProperties):
			t = typeObject
		case s.Items != nil || s.ItemsArray != nil || s.PrefixItems != nil:
			t = typeArray
		default:
			return &shape{}
		}
	}
	if r.input && t&typeNull != 0 && t != typeNull {
		t &^= typeNull
	}
	var forms []*shape
	for _, w := range typeWords {
		if bit := typeBits[w]; t&bit != 0 {
			forms = append(forms, r.ofType(bit, s, depth))
		}
	}
	return union(forms)
}

func (r *shapeReader) ofType(t typeSet, s *jsonschema.Schema, depth int) *shape {
	switch t {
	case typeArray:
		return r.list(s, depth)
	case typeObject:
		return r.object(s, depth)
	}
	return &shape{kind: shapeScalar, scalar: t, format: s.Format}
}

func union(forms []*shape) *shape {
	if len(forms) == 1 {
		return forms[0]
	}
	return &shape{kind: shapeUnion, forms: forms}
}

func (r *shapeReader) list(s *jsonschema.Schema, depth int) *shape {
	prefix := s.PrefixItems
	if s.ItemsArray != nil {
		prefix = s.ItemsArray
	}
	if len(prefix) > 0 {
		var forms []*shape
		for i, p := range prefix {
			if i == shapeForms {
				break
			}
			forms = append(forms, r.shape(p, depth+1))
		}
		if s.Items != nil && !isNever(s.Items) {
			forms = append(forms, r.shape(s.Items, depth+1))
		}
		return &shape{kind: shapeList, elem: union(forms)}
	}
	if s.Items == nil {
		return &shape{kind: shapeList}
	}
	return &shape{kind: shapeList, elem: r.shape(s.Items, depth+1)}
}

func (r *shapeReader) object(s *jsonschema.Schema, depth int) *shape {
	sh := &shape{kind: shapeObject}
	if depth > shapeDepth {
		return sh
	}
	names := propertyOrder(s)
	if r.input {
		names = requiredFirst(names, s.Required)
	}
	for _, name := range names {
		if len(sh.fields) == shapeFields {
			sh.hidden = len(names) - shapeFields
			break
		}
		optional := !containsString(s.Required, name)
		if !r.input { // a schema that requires nothing does not mean that anything may be absent
			optional = optional && s.Required != nil
		}
		sh.fields = append(sh.fields, r.field(name, s.Properties[name], optional, depth))
	}
	if a := s.AdditionalProperties; a != nil && !isNever(a) && !isEmpty(a) {
		sh.rest = r.shape(a, depth+1)
	}
	return sh
}

func (r *shapeReader) field(name string, s *jsonschema.Schema, optional bool, depth int) field {
	f := field{name: name, optional: optional, shape: r.shape(s, depth+1)}
	if s != nil && len(s.Default) > 0 {
		if v, err := value.Decode(s.Default); err == nil && v != nil {
			f.def, f.hasDef = v, true
		}
	}
	return f
}

// combined adds what allOf and a reference beside other keywords say.
func (r *shapeReader) combined(s *jsonschema.Schema, base *shape, depth int) *shape {
	parts := s.AllOf
	if s.Ref != "" {
		parts = append([]*jsonschema.Schema{{Ref: s.Ref}}, parts...)
	}
	if len(parts) == 0 {
		return nil
	}
	for i, p := range parts {
		if i == shapeForms {
			break
		}
		base = both(base, r.shape(p, depth))
	}
	if base.kind == shapeObject {
		return requiring(base, s.Required, r.input)
	}
	return base
}

// both gives the shape of values that have two shapes: the fields of both for
// objects, else the one that says more.
func both(a, b *shape) *shape {
	switch {
	case a.kind == shapeObject && b.kind == shapeObject:
		m := *a
		m.fields = append([]field(nil), a.fields...)
		for _, f := range b.fields {
			if i := fieldIndex(m.fields, f.name); i >= 0 {
				m.fields[i].shape = both(m.fields[i].shape, f.shape)
				m.fields[i].optional = m.fields[i].optional && f.optional
				continue
			}
			m.fields = append(m.fields, f)
		}
		m.hidden += b.hidden
		if m.rest == nil {
			m.rest = b.rest
		}
		return &m
	case a.kind == shapeAny, a.kind == shapeScalar && b.kind == shapeValues:
		return b
	}
	return a
}

func fieldIndex(fields []field, name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

// forms builds the alternatives of anyOf and oneOf, each with what applies to
// all of them.
func (r *shapeReader) forms(s *jsonschema.Schema, base *shape, depth int) *shape {
	alternatives := s.AnyOf
	if len(alternatives) == 0 {
		alternatives = s.OneOf
	}
	var forms []*shape
	for i, a := range alternatives {
		if i == shapeForms {
			break
		}
		f := r.shape(a, depth)
		if base.kind == shapeObject && f.kind != shapeObject && len(a.Required) > 0 {
			f = &shape{kind: shapeObject}
		}
		if base.kind == shapeObject && f.kind == shapeObject {
			f = requiring(both(base, f), a.Required, r.input)
		} else if base.kind != shapeAny {
			f = both(f, base)
		}
		forms = append(forms, f)
	}
	if len(forms) == 0 {
		return nil
	}
	return union(forms)
}

// requiring makes fields required; for an input it puts them first.
func requiring(sh *shape, names []string, first bool) *shape {
	m := *sh
	m.fields = append([]field(nil), sh.fields...)
	for i := range m.fields {
		if containsString(names, m.fields[i].name) {
			m.fields[i].optional = false
		}
	}
	if first {
		var required, optional []field
		for _, f := range m.fields {
			if f.optional {
				optional = append(optional, f)
			} else {
				required = append(required, f)
			}
		}
		m.fields = append(required, optional...)
	}
	return &m
}
