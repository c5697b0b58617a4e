package world

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Server makes a Model Context Protocol server of the service, over the same
// records and the same outbox. Each call makes a new one; connect it with any
// transport.
func (s *Service) Server() *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: s.name, Title: s.title, Version: "1.0.0"},
		&mcp.ServerOptions{Instructions: s.description, Capabilities: &mcp.ServerCapabilities{}},
	)
	for _, fn := range s.Functions() {
		server.AddTool(toolOf(fn), handler(fn))
	}
	return server
}

// Connect starts a server of the service in this process and gives the client's
// end of the connection. The server ends when the client closes it, or with ctx.
func (s *Service) Connect(ctx context.Context) (mcp.Transport, error) {
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.Server().Connect(ctx, far, nil); err != nil {
		return nil, err
	}
	return near, nil
}

func toolOf(fn toolfn.ToolFn) *mcp.Tool {
	t := &mcp.Tool{
		Name:        fn.UpstreamName,
		Description: fn.Description,
		InputSchema: fn.Input,
		Annotations: annotations(fn.Effect),
	}
	if fn.Output != nil {
		t.OutputSchema = fn.Output
	}
	return t
}

// annotations states the effect as hints. An unknown effect has none.
func annotations(e toolfn.Effect) *mcp.ToolAnnotations {
	if e.Impact == toolfn.Unknown {
		return nil
	}
	destructive, open := e.Impact == toolfn.Destructive, false
	return &mcp.ToolAnnotations{
		ReadOnlyHint:    e.Reads(),
		DestructiveHint: &destructive,
		IdempotentHint:  e.Idempotent,
		OpenWorldHint:   &open,
	}
}

// handler answers a call with the result as structured content and as JSON text.
// What goes wrong in the service is an error result, not a protocol error.
func handler(fn toolfn.ToolFn) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := answer(ctx, &fn, req.Params.Arguments)
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
		}
		text, err := value.Append(nil, result)
		if err != nil {
			return nil, err
		}
		said := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
		if fn.Output != nil {
			said.StructuredContent = json.RawMessage(text)
		}
		return said, nil
	}
}

func answer(ctx context.Context, fn *toolfn.ToolFn, raw []byte) (value.Value, error) {
	args := value.NewObject(0)
	if len(raw) > 0 && string(raw) != "null" {
		v, err := value.Decode(raw)
		if err != nil {
			return nil, err
		}
		o, ok := v.(*value.Object)
		if !ok {
			return nil, errors.New("the arguments must be an object")
		}
		args = o
	}
	checked, err := fn.Check(args)
	if err != nil {
		return nil, err
	}
	return fn.Call(ctx, checked)
}
