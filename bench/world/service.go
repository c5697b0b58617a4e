package world

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Service is one service of the organisation.
type Service struct {
	declaration
	world *World
}

// declaration is what a service is, written once.
type declaration struct {
	name        string // the namespace: github
	title       string // in prose: GitHub
	description string
	tools       []tool
	tables      []table
}

// tool declares one tool.
type tool struct {
	name        string
	description string
	input       *jsonschema.Schema
	output      *jsonschema.Schema // nil where the result has no fixed shape
	effect      toolfn.Effect
	run         action
}

func (d *declaration) tool(name string) *tool {
	for i := range d.tools {
		if d.tools[i].name == name {
			return &d.tools[i]
		}
	}
	return nil
}

func (d *declaration) table(name string) *table {
	for i := range d.tables {
		if d.tables[i].name == name {
			return &d.tables[i]
		}
	}
	return nil
}

// action is what a tool does. It runs under the world's lock.
type action func(c *call) (value.Value, error)

// call is one call of a tool.
type call struct {
	world *World
	args  *value.Object
}

// Name is the service's namespace, such as "github".
func (s *Service) Name() string { return s.name }

// Title is the service's name in prose, such as "GitHub".
func (s *Service) Title() string { return s.title }

// Description says in one line what the service holds.
func (s *Service) Description() string { return s.description }

// Functions gives the service's tools as functions named SERVICE__TOOL.
func (s *Service) Functions() []toolfn.ToolFn {
	fns := make([]toolfn.ToolFn, len(s.tools))
	for i, t := range s.tools {
		fns[i] = toolfn.ToolFn{
			Name:         s.name + "__" + t.name,
			Server:       s.name,
			UpstreamName: t.name,
			Description:  t.description,
			Input:        t.input,
			Output:       t.output,
			Effect:       t.effect,
			Call: func(ctx context.Context, args *value.Object) (value.Value, error) {
				return s.do(ctx, t, args)
			},
		}
	}
	return fns
}

func (s *Service) do(ctx context.Context, t tool, args *value.Object) (value.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	return t.run(&call{world: s.world, args: args})
}

// The effects that tools declare.
var (
	reads      = toolfn.Effect{Impact: toolfn.Read, Idempotent: true}
	adds       = toolfn.Effect{Impact: toolfn.Write}
	moves      = toolfn.Effect{Impact: toolfn.Write, Idempotent: true}
	overwrites = toolfn.Effect{Impact: toolfn.Destructive, Idempotent: true}
)
