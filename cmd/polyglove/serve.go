package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var serveCommand = subcommand{
	name:  "serve",
	about: "serve the code tool to MCP clients, over standard streams or HTTP",
	usage: `serve [flags]

An MCP server with the code tool and the discovery tools, in front of the
configured servers. Each client session is a conversation of its own: its names,
its limits, its attachments. The preamble is given as the server's instructions.

Without --http it speaks over the standard streams. With --http it serves
streamable HTTP at /mcp; an address other than the local machine's needs a token.

With --journal what programs did outlives the process: a client that names its
workspace finds its names again after a restart, and nothing is called twice.
Over the standard streams --workspace names it. Over HTTP the client does, with the
header Polyglove-Workspace, or with "polyglove/workspace" in the _meta of its
initialize request; a workspace without a name has that of its Mcp-Session-Id.

Spans of programs and calls go to an OpenTelemetry collector if the configuration
names one under "tracing", or the environment does with the standard variables
(OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER); they show no content unless
that is asked for. docs/gateway.md tells more.

  polyglove serve --config mcp.json
  polyglove serve --config mcp.json --journal polyglove.db --workspace ann
  polyglove serve --config mcp.json --http 127.0.0.1:8080`,
	flags: func(fs *flag.FlagSet) func(context.Context, []string, streams) (int, error) {
		var o options
		var h listener
		o.declare(fs)
		fs.StringVar(&h.address, "http", "", "serve streamable HTTP at `ADDRESS`, such as 127.0.0.1:8080")
		o.journal.declare(fs)
		fs.StringVar(&h.tokenVariable, "token-env", "", "over HTTP, want the bearer token that the variable `NAME` holds")
		return func(ctx context.Context, args []string, s streams) (int, error) {
			if len(args) > 0 {
				return exitUsage, usageError("takes no arguments, got %q", args[0])
			}
			if err := errors.Join(h.check(), o.journal.check(h.address != "")); err != nil {
				return exitUsage, err
			}
			g, err := o.open(ctx, s.err)
			if err != nil {
				return exitUsage, err
			}
			defer g.close()
			if err := o.journal.open(ctx, g); err != nil {
				return exitUsage, err
			}
			host := newHost(ctx, g)
			defer host.close()
			if h.address != "" {
				return h.serve(ctx, host, s.err)
			}
			return serveStreams(ctx, host, s)
		}
	},
}

// serveStreams serves one client over the standard streams until it closes its
// end or a signal comes. Nothing but protocol messages reaches the output: what
// else in the process prints there by mistake goes to the error stream.
func serveStreams(ctx context.Context, h *host, s streams) (int, error) {
	if out, ok := s.out.(*os.File); ok && out == os.Stdout {
		os.Stdout = os.Stderr
	}
	server, err := h.server(true)
	if err != nil {
		return exitUsage, err
	}
	out := &whole{w: s.out}
	err = server.Run(ctx, draining{&mcp.IOTransport{Reader: io.NopCloser(newSieve(s.in, out)), Writer: keepOpen{out}}})
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) {
		return exitFault, fmt.Errorf("the connection broke: %w", err)
	}
	return exitOK, nil
}

type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// implementation is what clients are told of the server.
func implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: "polyglove", Title: "Polyglove", Version: version()[len("polyglove "):]}
}

// discard is for what the SDK logs, which the gateway's own log says better.
var discard = slog.New(slog.DiscardHandler)
