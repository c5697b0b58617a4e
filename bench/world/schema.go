package world

import "github.com/google/jsonschema-go/jsonschema"

// property is one field of a record, or one argument of a tool.
type property struct {
	name     string
	schema   *jsonschema.Schema
	optional bool
}

func need(name string, s *jsonschema.Schema) property { return property{name: name, schema: s} }

func may(name string, s *jsonschema.Schema) property {
	return property{name: name, schema: s, optional: true}
}

// object is the schema of an object with these properties, in this order.
func object(props ...property) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, p := range props {
		s.Properties[p.name] = p.schema
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		if !p.optional {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func instant(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: "date-time", Description: description}
}

func integer(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Description: description}
}

func boolean(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: description}
}

func oneOf(description string, words ...string) *jsonschema.Schema {
	s := text(description)
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func between(description string, low, high float64) *jsonschema.Schema {
	s := integer(description)
	s.Minimum, s.Maximum = &low, &high
	return s
}

func list(of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: of}
}

// nullable admits null beside what the schema admits.
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	n := *s
	n.Type, n.Types = "", []string{s.Type, "null"}
	if n.Enum != nil {
		n.Enum = append(append([]any(nil), n.Enum...), nil)
	}
	return &n
}

// number is the schema of a number that need not be whole.
var number = jsonschema.Schema{Type: "number"}
