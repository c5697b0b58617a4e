package toolfn

import (
	"slices"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Parameters lists the function's parameters in the order in which a caller would
// write them: the required ones first, otherwise as the schema has them.
func (f *ToolFn) Parameters() (names []string, required int) {
	s := f.Input
	if s == nil {
		return nil, 0
	}
	var others []string
	for _, name := range propertyOrder(s) {
		if slices.Contains(s.Required, name) {
			names = append(names, name)
		} else {
			others = append(others, name)
		}
	}
	return append(names, others...), len(names)
}

// SoleParameter gives the parameter that one bare value can only mean: the only
// required one, or the only one.
func (f *ToolFn) SoleParameter() (string, bool) {
	names, required := f.Parameters()
	if required == 1 || len(names) == 1 {
		return names[0], true
	}
	return "", false
}

// Accepts reports whether the named parameter may take a value, as far as the type in
// its schema says.
func (f *ToolFn) Accepts(name string, v value.Value) bool {
	s := f.Input.Properties[name]
	if s == nil {
		return true
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	kind := value.Kind(v)
	return len(types) == 0 || slices.Contains(types, kind) || kind == "integer" && slices.Contains(types, "number")
}
