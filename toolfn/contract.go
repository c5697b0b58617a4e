package toolfn

import (
	"fmt"
	"regexp"
	"sort"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// contract is an input schema prepared for checking: references followed,
// patterns compiled, properties in order. It is never changed after compile.
type contract struct {
	schema   *jsonschema.Schema
	root     *node
	warnings []Warning
}

// node is one schema of a contract. Several of its parts may apply at once.
type node struct {
	types   typeSet // 0 allows every type
	never   bool    // accepts nothing
	open    bool    // a reference was dropped, so nobody knows which keys it names
	enum    []value.Value
	words   bool // the enum holds only strings
	fixed   bool // constant applies
	value   value.Value
	number  *numberRules
	text    *textRules
	list    *listRules
	object  *objectRules
	ref     *node
	all     []*node
	any     []*node
	one     []*node
	not     *node
	cond    *node
	then    *node
	els     *node
	written *jsonschema.Schema // what it was compiled from
	path    string             // where it was first met, for warnings
}

// typeSet is a set of JSON Schema types.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

var typeBits = map[string]typeSet{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

type numberRules struct {
	min, max   bound
	multipleOf value.Value // nil if there is none
}

// bound is one end of a range; value is nil if the end is open.
type bound struct {
	value     value.Value
	float     float64
	exclusive bool
	exact     bool // float denotes value
}

type textRules struct {
	min, max int    // code points; max < 0 for none
	written  string // the pattern as the schema has it
	pattern  *regexp.Regexp
}

type listRules struct {
	prefix      []*node
	rest        *node // nil accepts anything
	min, max    int   // max < 0 for none
	unique      bool
	contains    *node
	minContains int
	maxContains int // < 0 for none
}

type objectRules struct {
	props      []property
	index      map[string]int // nil for few properties
	required   []string       // all of them, in the schema's order
	unnamed    []string       // the required ones that are no property
	patterns   []patternRule
	additional *node // for keys that no property or pattern takes; nil accepts
	closed     bool  // such keys are refused
	accepted   []string
	min, max   int // max < 0 for none
	names      *node
	needs      []dependency
	needCount  int // how many of props are required

	// For the arguments as a whole only: keys that are neither a property nor
	// match a pattern are refused if strict, except others, which are properties
	// of schemas that are combined with this one.
	strict  bool
	guarded bool // a key that looks like a misspelt property is refused
	others  []string
	lenient []patternRule
}

type property struct {
	name     string
	node     *node
	required bool
}

type patternRule struct {
	re   *regexp.Regexp
	node *node
}

// dependency is what the presence of a key asks for.
type dependency struct {
	key   string
	names []string
	node  *node // nil if only names are asked for
}

// compile prepares the schema of a function's arguments; nil accepts any object.
// Beside JSON Schema it applies the house rules for unknown arguments.
func compile(s *jsonschema.Schema) *contract {
	c := newCompiler(s)
	if root := c.contract.root; root.types != 0 && root.types&typeObject == 0 {
		c.warn("", "the input schema wants %s, but arguments are always an object: its type is ignored", typeList(root.types))
		root.types = 0
	}
	c.closeArguments()
	c.guardProperties()
	return c.contract
}

// newCompiler prepares a schema to mean what JSON Schema says.
func newCompiler(s *jsonschema.Schema) *compiler {
	c := &compiler{root: s, nodes: map[*jsonschema.Schema]*node{}, contract: &contract{schema: s}}
	if s == nil {
		c.contract.root = &node{}
		return c
	}
	c.contract.root = c.node(s, "")
	c.cutCircles()
	if c.contract.root.never {
		c.warn("", "the input schema accepts nothing, so the function cannot be called")
	}
	c.closeUnevaluated()
	return c
}

type compiler struct {
	root     *jsonschema.Schema
	nodes    map[*jsonschema.Schema]*node
	made     []*node
	contract *contract
}

func (c *compiler) warn(path, format string, args ...any) {
	if len(c.contract.warnings) < maxSchemaWarnings {
		c.contract.warnings = append(c.contract.warnings, Warning{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// node compiles one schema, once: a schema that is reached again by a reference
// is the same node, which is how recursion ends.
func (c *compiler) node(s *jsonschema.Schema, path string) *node {
	if s == nil {
		return nil
	}
	if n, ok := c.nodes[s]; ok {
		return n
	}
	n := &node{written: s, path: path}
	c.nodes[s] = n
	c.made = append(c.made, n)
	if s.Type != "" {
		n.types |= typeBits[s.Type]
	}
	for _, t := range s.Types {
		n.types |= typeBits[t]
	}
	n.enum = plainList(s.Enum)
	n.words = len(n.enum) > 0
	for _, e := range n.enum {
		_, isString := e.(string)
		n.words = n.words && isString
	}
	if s.Const != nil {
		n.fixed, n.value = true, plainValue(*s.Const)
	}
	c.scalars(n, s, path)
	c.lists(n, s, path)
	c.objects(n, s, path)
	c.logic(n, s, path)
	return n
}

// plainValue turns what a Go author put into a schema into plain data.
func plainValue(v any) value.Value {
	p, err := value.From(v)
	if err != nil {
		return v
	}
	return p
}

func plainList(list []any) []value.Value {
	if list == nil {
		return nil
	}
	out := make([]value.Value, len(list))
	for i, e := range list {
		out[i] = plainValue(e)
	}
	return out
}

func (c *compiler) scalars(n *node, s *jsonschema.Schema, path string) {
	if s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil {
		n.number = numbers(s)
	}
	if s.MinLength == nil && s.MaxLength == nil && s.Pattern == "" {
		return
	}
	n.text = &textRules{min: countOr(s.MinLength, 0), max: countOr(s.MaxLength, -1)}
	n.text.pattern, n.text.written = c.pattern(s.Pattern, path), s.Pattern
}

// pattern compiles a pattern with Go's linear-time engine.
func (c *compiler) pattern(text, path string) *regexp.Regexp {
	if text == "" {
		return nil
	}
	re, err := regexp.Compile(ecmaPattern(text))
	if err != nil {
		c.warn(path, "the pattern %q is left to the server, because it cannot be checked in linear time", Plain(text, 80))
		return nil
	}
	return re
}

func countOr(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

func (c *compiler) lists(n *node, s *jsonschema.Schema, path string) {
	prefix := s.PrefixItems
	rest := s.Items
	if s.ItemsArray != nil {
		prefix, rest = s.ItemsArray, s.AdditionalItems
	}
	if rest == nil && s.Contains == nil && s.Ref == "" && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.If == nil {
		rest = s.UnevaluatedItems // beside combinations it would need to know which of them hold
	}
	if prefix == nil && rest == nil && s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems && s.Contains == nil {
		return
	}
	r := &listRules{
		min: countOr(s.MinItems, 0), max: countOr(s.MaxItems, -1), unique: s.UniqueItems,
		minContains: countOr(s.MinContains, 1), maxContains: countOr(s.MaxContains, -1),
	}
	n.list = r
	for _, p := range prefix {
		r.prefix = append(r.prefix, c.node(p, path+"[]"))
	}
	r.rest = c.node(rest, path+"[]")
	r.contains = c.node(s.Contains, path+"[]")
}

// propertyOrder lists a schema's properties: in the order they were written,
// those of unknown order after that by name.
func propertyOrder(s *jsonschema.Schema) []string {
	if complete(s) {
		return s.PropertyOrder
	}
	names := make([]string, 0, len(s.Properties))
	seen := make(map[string]bool, len(s.Properties))
	for _, name := range s.PropertyOrder {
		if _, ok := s.Properties[name]; ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) < len(s.Properties) {
		ordered := len(names)
		for name := range s.Properties {
			if !seen[name] {
				names = append(names, name)
			}
		}
		sort.Strings(names[ordered:])
	}
	return names
}

// complete reports whether PropertyOrder is known to list each property once.
func complete(s *jsonschema.Schema) bool {
	if len(s.PropertyOrder) != len(s.Properties) || len(s.PropertyOrder) > 16 {
		return false
	}
	for i, name := range s.PropertyOrder {
		if _, ok := s.Properties[name]; !ok || containsString(s.PropertyOrder[:i], name) {
			return false
		}
	}
	return true
}

func sortedNames[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (c *compiler) objects(n *node, s *jsonschema.Schema, path string) {
	additional := s.AdditionalProperties
	if s.Properties == nil && s.PatternProperties == nil && additional == nil && s.Required == nil && s.PropertyNames == nil &&
		s.MinProperties == nil && s.MaxProperties == nil && s.DependentRequired == nil && s.DependentSchemas == nil &&
		s.DependencyStrings == nil && s.DependencySchemas == nil {
		return
	}
	o := &objectRules{required: s.Required, min: countOr(s.MinProperties, 0), max: countOr(s.MaxProperties, -1)}
	n.object = o
	o.accepted = propertyOrder(s)
	for _, name := range o.accepted {
		p := property{name: name, node: c.node(s.Properties[name], joinPath(path, name)), required: containsString(s.Required, name)}
		o.props = append(o.props, p)
		if p.required {
			o.needCount++
		}
	}
	for _, name := range s.Required {
		if _, ok := s.Properties[name]; !ok {
			o.unnamed = append(o.unnamed, name)
		}
	}
	if len(o.props) > 8 {
		o.index = make(map[string]int, len(o.props))
		for i, p := range o.props {
			o.index[p.name] = i
		}
	}
	for _, text := range sortedNames(s.PatternProperties) {
		sub := c.node(s.PatternProperties[text], path)
		if re := c.pattern(text, path); re != nil {
			o.patterns = append(o.patterns, patternRule{re, sub})
		} else { // unknown which keys it takes, so no key may be refused
			additional, n.open = nil, true
		}
	}
	o.additional = c.node(additional, path)
	o.closed = o.additional != nil && isNever(additional)
	o.names = c.node(s.PropertyNames, path)
	c.dependencies(o, s, path)
}

func (c *compiler) dependencies(o *objectRules, s *jsonschema.Schema, path string) {
	for _, m := range []map[string][]string{s.DependentRequired, s.DependencyStrings} {
		for _, key := range sortedNames(m) {
			o.needs = append(o.needs, dependency{key: key, names: m[key]})
		}
	}
	for _, m := range []map[string]*jsonschema.Schema{s.DependentSchemas, s.DependencySchemas} {
		for _, key := range sortedNames(m) {
			o.needs = append(o.needs, dependency{key: key, node: c.node(m[key], path)})
		}
	}
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// isNever reports whether a schema is the one that accepts nothing.
func isNever(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && isEmpty(s.Not)
}

func isEmpty(s *jsonschema.Schema) bool {
	t := typesOf(s)
	return t == 0 && s.Ref == "" && s.Enum == nil && s.Const == nil && s.Not == nil && s.Properties == nil && s.Required == nil &&
		s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.If == nil && s.Items == nil && s.ItemsArray == nil && s.PrefixItems == nil &&
		s.AdditionalProperties == nil && s.PatternProperties == nil && s.PropertyNames == nil && s.Contains == nil && s.Pattern == "" &&
		s.MinLength == nil && s.MaxLength == nil && s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil &&
		s.MultipleOf == nil && s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems && s.MinProperties == nil && s.MaxProperties == nil &&
		s.DependentRequired == nil && s.DependentSchemas == nil && s.DependencySchemas == nil && s.DependencyStrings == nil &&
		s.UnevaluatedItems == nil && s.UnevaluatedProperties == nil
}

func typesOf(s *jsonschema.Schema) typeSet {
	t := typeBits[s.Type]
	for _, w := range s.Types {
		t |= typeBits[w]
	}
	return t
}

func (c *compiler) logic(n *node, s *jsonschema.Schema, path string) {
	if isNever(s) {
		n.never = true
		return
	}
	if s.Ref != "" {
		if to, ok := target(c.root, s.Ref); ok {
			n.ref = c.node(to, path)
		} else {
			n.open = true
			c.warn(path, "the reference %q is not used, because it leads nowhere within the schema: any value is accepted", Plain(s.Ref, 120))
		}
	}
	n.all = c.nodesOf(s.AllOf, path)
	n.any = c.nodesOf(s.AnyOf, path)
	n.one = c.nodesOf(s.OneOf, path)
	n.not = c.node(s.Not, path)
	n.cond, n.then, n.els = c.node(s.If, path), c.node(s.Then, path), c.node(s.Else, path)
}

func (c *compiler) nodesOf(list []*jsonschema.Schema, path string) []*node {
	var nodes []*node
	for _, s := range list {
		nodes = append(nodes, c.node(s, path))
	}
	return nodes
}

// inPlace gives the nodes that apply to the same value as n does.
func (n *node) inPlace() []*node {
	var list []*node
	for _, m := range []*node{n.ref, n.not, n.cond, n.then, n.els} {
		if m != nil {
			list = append(list, m)
		}
	}
	list = append(append(append(list, n.all...), n.any...), n.one...)
	if n.object != nil {
		for _, d := range n.object.needs {
			if d.node != nil {
				list = append(list, d.node)
			}
		}
	}
	return list
}

// cutCircles takes out references that lead back to the same schema without
// going into the value: they mean nothing, and following them would not end.
func (c *compiler) cutCircles() {
	state := map[*node]int{} // 1 on the way, 2 done
	var visit func(n *node) bool
	visit = func(n *node) (circle bool) {
		if state[n] != 0 {
			return state[n] == 1
		}
		state[n] = 1
		for _, m := range n.inPlace() {
			if visit(m) {
				circle = true
			}
		}
		state[n] = 2
		if circle {
			n.ref, n.all, n.any, n.one, n.not, n.cond, n.then, n.els = nil, nil, nil, nil, nil, nil, nil, nil
			if n.object != nil {
				n.object.needs = nil
			}
			c.warn(n.path, "the schema refers to itself without end: any value is accepted")
		}
		return false
	}
	for _, n := range c.made {
		visit(n)
	}
}
