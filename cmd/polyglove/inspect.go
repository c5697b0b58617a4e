package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
)

var inspectCommand = subcommand{
	name:  "inspect",
	about: "show the servers, the functions, the texts, and what they cost in tokens",
	usage: `inspect [flags] [FUNCTION]

Shows the configured servers, the functions they offer, one function in full
(FUNCTION, or the first), the tools and the preamble as a model sees them, and
what each discovery mode costs in tokens (o200k_base) beside declaring every
function as a tool of its own. --only shows one of these parts.

  polyglove inspect --demo
  polyglove inspect --config mcp.json --only tokens`,
	flags: func(fs *flag.FlagSet) func(context.Context, []string, streams) (int, error) {
		var o options
		var only string
		o.declare(fs)
		fs.StringVar(&only, "only", "", "show only one `PART`: "+strings.Join(partNames(), ", "))
		return func(ctx context.Context, args []string, s streams) (int, error) {
			return inspect(ctx, &o, only, args, s)
		}
	},
}

// inspection is what the parts are written from.
type inspection struct {
	gateway *gateway
	ws      *surfaces.Workspace
	mounted *surfaces.Mounted
	subject string // the function to describe
}

// parts are the sections in their order.
var parts = []struct {
	name, title string
	write       func(context.Context, *inspection, io.Writer) error
}{
	{"servers", "Servers", writeServers},
	{"functions", "Functions", writeFunctions},
	{"describe", "One function", writeDescription},
	{"tools", "Tools", writeTools},
	{"preamble", "Preamble", writePreamble},
	{"tokens", "Tokens", writeTokens},
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

func inspect(ctx context.Context, o *options, only string, args []string, s streams) (int, error) {
	if len(args) > 1 {
		return exitUsage, usageError("want at most one function, got %d arguments", len(args))
	}
	if only != "" && !contains(partNames(), only) {
		near, _ := sandbox.Nearest(only, partNames())
		if near == "" {
			near = strings.Join(partNames(), ", ")
		}
		return exitUsage, usageError("--only: there is no part %q, did you mean %s", sandbox.Clip(only, 60), near)
	}
	g, err := o.open(ctx, s.err)
	if err != nil {
		return exitUsage, err
	}
	defer g.close()
	in := &inspection{gateway: g}
	if in.ws, err = g.workspace(nil); err != nil {
		return exitUsage, err
	}
	defer in.ws.Close()
	if in.mounted, err = surfaces.Mount(in.ws, g.mount); err != nil {
		return exitUsage, err
	}
	if len(args) == 1 {
		in.subject = args[0]
	} else if all := g.catalog.All(); len(all) > 0 {
		in.subject = all[0].Name
	}
	for _, p := range parts {
		if only != "" && p.name != only {
			continue
		}
		if only == "" {
			fmt.Fprintf(s.out, "## %s\n\n", p.title)
		}
		if err := p.write(ctx, in, s.out); err != nil {
			return exitFault, err
		}
		if only == "" {
			fmt.Fprintln(s.out)
		}
	}
	return exitOK, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func writeServers(_ context.Context, in *inspection, w io.Writer) error {
	states := map[string]mcptools.State{}
	for _, st := range in.gateway.set.States() {
		states[st.Namespace] = st
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range in.gateway.catalog.Servers() {
		name := g.Name
		if g.UpstreamName != "" && g.UpstreamName != g.Name {
			name += " (" + sandbox.Clip(toolfn.Plain(g.UpstreamName, 80), 40) + ")"
		}
		state := ""
		if st, ok := states[g.Name]; ok && !st.Connected {
			state = " [not connected: " + st.Problem + "]"
		}
		fmt.Fprintf(t, "%s\t%d functions\t%s%s\n", name, len(g.Functions), sandbox.Clip(toolfn.Plain(g.Description, 400), 120), state)
	}
	for _, st := range in.gateway.set.States() {
		if st.Namespace == "" {
			fmt.Fprintf(t, "%s\t-\tnot connected: %s\n", st.Name, st.Problem)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, st := range in.gateway.set.States() {
		for _, line := range st.Warnings {
			fmt.Fprintf(w, "warning: %s: %s\n", st.Name, line)
		}
	}
	for _, line := range in.gateway.catalog.Warnings() {
		fmt.Fprintf(w, "warning: %s\n", line)
	}
	return nil
}

func writeFunctions(_ context.Context, in *inspection, w io.Writer) error {
	style := in.gateway.language.Signatures()
	for _, f := range in.gateway.catalog.All() {
		fmt.Fprintln(w, toolfn.Line(f, style))
	}
	return nil
}

func writeDescription(ctx context.Context, in *inspection, w io.Writer) error {
	if in.subject == "" {
		fmt.Fprintln(w, "There are no functions.")
		return nil
	}
	text, fault := in.ws.Discovery(in.gateway.language).DescribeText(ctx, in.subject)
	if fault != nil {
		return fault
	}
	fmt.Fprintln(w, text)
	return nil
}

func writeTools(_ context.Context, in *inspection, w io.Writer) error {
	for _, t := range in.mounted.Tools {
		fmt.Fprintf(w, "%s\n  %s\n", t.Name, strings.ReplaceAll(t.Description, "\n", "\n  "))
	}
	return nil
}

func writePreamble(_ context.Context, in *inspection, w io.Writer) error {
	fmt.Fprintln(w, in.mounted.Preamble)
	return nil
}
