package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/dispatch/oteltrace"
	"github.com/polyglove/polyglove/dispatch/oteltrace/otlp"
	"github.com/polyglove/polyglove/internal/config"
)

// startTracing starts the tracing that a configuration or the environment asks
// for; nil if neither does.
func startTracing(ctx context.Context, c config.Tracing, log *slog.Logger) (*otlp.Export, error) {
	e, err := otlp.Start(ctx, otlp.Settings{
		Service: "polyglove", Endpoint: c.Endpoint, Headers: c.Headers, Content: c.Content,
		Report: func(err error) { log.Error("spans could not be sent", "error", err) },
	}, os.Getenv)
	if err != nil {
		return nil, usageError("%s", err)
	}
	return e, nil
}

// traceOf puts the trace context of a client's request, which MCP has in _meta and
// HTTP in its headers, into the context.
func traceOf(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	return oteltrace.Extract(ctx, func(key string) string {
		if v, ok := req.Params.Meta[key].(string); ok {
			return v
		}
		if extra := req.GetExtra(); extra != nil {
			return extra.Header.Get(key)
		}
		return ""
	})
}
