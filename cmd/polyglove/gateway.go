package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/bench/world"
	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/oteltrace"
	"github.com/polyglove/polyglove/dispatch/oteltrace/otlp"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/internal/config"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/surfaces/lisp"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
)

// languages are the languages that programs may be in, the default first.
func languages() []surfaces.Language {
	return []surfaces.Language{js.Language(), python.Language(), lisp.Language(), sql.Language()}
}

func languageNamed(name string) (surfaces.Language, error) {
	all := languages()
	if name == "" {
		return all[0], nil
	}
	var names []string
	for _, l := range all {
		if l.Name() == name || strings.EqualFold(l.Title(), name) {
			return l, nil
		}
		names = append(names, l.Name())
	}
	if near, ok := sandbox.Nearest(name, names); ok {
		return nil, usageError("unknown language %q, did you mean %q", sandbox.Clip(name, 60), near)
	}
	return nil, usageError("unknown language %q, the languages are %s", sandbox.Clip(name, 60), strings.Join(names, ", "))
}

// options are the flags that every subcommand takes. A flag outranks the
// configuration file.
type options struct {
	config    string
	demo      bool
	seed      uint64
	scale     int
	language  string
	frame     string
	discovery string
	limits    settings
	readOnly  bool
	actor     string
	verbose   bool
	journal   journalFlags
}

// settings collects name=value flags.
type settings []string

func (s *settings) String() string     { return fmt.Sprint([]string(*s)) }
func (s *settings) Set(v string) error { *s = append(*s, v); return nil }

func (o *options) declare(fs *flag.FlagSet) {
	fs.StringVar(&o.config, "config", "", "read servers and settings from `FILE` (an mcpServers object as MCP clients use it, and a polyglove section)")
	fs.BoolVar(&o.demo, "demo", false, "mount the built-in organisation: ten services, no set-up")
	fs.Uint64Var(&o.seed, "demo-seed", 1, "the seed `N` of the organisation's records")
	fs.IntVar(&o.scale, "demo-scale", 1, "how many times `N` the organisation has the usual number of records")
	fs.StringVar(&o.language, "lang", "", "the programs' `LANGUAGE`: "+languageNames())
	fs.StringVar(&o.frame, "frame", "", "how the code tool presents itself: `FRAME` is repl, program or workflow")
	fs.StringVar(&o.discovery, "discovery", "", "how much of the catalogue the preamble shows: `MODE` is auto, full or progressive")
	fs.Var(&o.limits, "limit", "set a limit, as `NAME=VALUE`; may be repeated (fuel, memory, retained, depth, compute_ms, wait_ms, calls, concurrency, source, output)")
	fs.BoolVar(&o.readOnly, "read-only", false, "refuse every function that is not declared to read only")
	fs.StringVar(&o.actor, "actor", "", "on whose behalf functions are called: `NAME` is recorded with each call")
	fs.BoolVar(&o.verbose, "verbose", false, "tell on the error stream what servers print and do")
}

func languageNames() string {
	var names []string
	for _, l := range languages() {
		names = append(names, l.Name())
	}
	return strings.Join(names, ", ")
}

// gateway is what a subcommand works with: connected servers, their catalogue,
// and the settings.
type gateway struct {
	catalog  *toolfn.Catalog
	set      *mcptools.Set
	config   *config.Config
	policy   dispatch.Policy
	limits   *dispatch.ServerLimits // shared by all conversations
	language surfaces.Language
	mount    surfaces.MountOptions
	log      *slog.Logger
	store    *store.Store // nil if nothing outlives the process
	named    string       // the workspace that the command line names, "" if the client does
	tracing  *otlp.Export // nil if nobody asked for it
}

// settle reads the configuration and lets the flags outrank it.
func (o *options) settle() (*gateway, error) {
	g := &gateway{config: config.Default(), catalog: toolfn.NewCatalog()}
	if o.config != "" {
		c, err := config.Load(o.config)
		if err != nil {
			return nil, err
		}
		g.config = c
	}
	c := g.config
	for _, s := range o.limits {
		name, text, _ := strings.Cut(s, "=")
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil {
			return nil, usageError("--limit %s: want NAME=VALUE with a whole number", sandbox.Clip(s, 80))
		}
		if err := c.Limits.Set(name, n); err != nil {
			return nil, usageError("--limit: %s", err)
		}
	}
	if err := c.Limits.Validate(); err != nil {
		return nil, usageError("%s", err)
	}
	pick := func(target *string, flag string) {
		if flag != "" {
			*target = flag
		}
	}
	pick(&c.Language, o.language)
	pick(&c.Frame, o.frame)
	pick(&c.Discovery, o.discovery)
	pick(&c.Actor, o.actor)
	c.Policy.ReadOnly = c.Policy.ReadOnly || o.readOnly
	if o.readOnly {
		// On the command line read-only means just that.
		c.Policy.Allow = nil
	}
	var err error
	if g.policy, err = c.Policy.Build(); err != nil {
		return nil, err
	}
	if g.limits, err = dispatch.NewServerLimits(c.ServerLimits); err != nil {
		return nil, err
	}
	if g.language, err = languageNamed(c.Language); err != nil {
		return nil, err
	}
	frame, err := surfaces.ParseFrame(c.Frame)
	if err != nil {
		return nil, usageError("%s", err)
	}
	discovery, err := surfaces.ParseDiscovery(c.Discovery)
	if err != nil {
		return nil, usageError("%s", err)
	}
	g.mount = surfaces.MountOptions{Languages: []surfaces.Language{g.language}, Frame: frame, Discovery: discovery, NoStaging: c.Policy.LetsNothingThrough()}
	return g, nil
}

// open connects to the servers. What is wrong with one of them is told on the
// error stream, and the others work.
func (o *options) open(ctx context.Context, stderr io.Writer) (*gateway, error) {
	g, err := o.settle()
	if err != nil {
		return nil, err
	}
	level := slog.LevelError
	if o.verbose {
		level = slog.LevelDebug
	}
	g.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: untimed}))
	tell := func(lines []string) {
		for _, line := range lines {
			fmt.Fprintln(stderr, "polyglove: "+line)
		}
	}
	tell(g.config.Warnings)
	if g.tracing, err = startTracing(ctx, g.config.Tracing, g.log); err != nil {
		return nil, err
	}
	specs := g.config.Servers
	setup := []mcptools.Option{mcptools.WithLogger(g.log)}
	if g.tracing != nil {
		setup = append(setup, mcptools.WithMeta(oteltrace.Meta))
	}
	if len(specs) == 0 {
		setup = append(setup, mcptools.WithoutAttachments())
	}
	var organisation *world.World
	if o.demo {
		organisation = world.New(o.seed, o.scale)
		specs = append(demo(organisation), specs...)
	}
	g.set = mcptools.Connect(ctx, g.catalog, specs, setup...)
	if organisation != nil {
		for _, s := range organisation.Services() {
			for _, w := range g.catalog.AdoptTables(s.Name(), s.Tables()...) {
				tell([]string{w.String()})
			}
		}
	}
	if ctx.Err() != nil {
		g.set.Close()
		return nil, fmt.Errorf("interrupted")
	}
	tell(g.set.Problems())
	tell(g.config.Policy.Unmatched(g.catalog))
	return g, nil
}

// untimed leaves the time out of log lines: whoever keeps them adds it.
func untimed(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// demo are the servers of the built-in organisation. They run in this process
// and speak the protocol like any other.
func demo(w *world.World) []mcptools.Spec {
	var specs []mcptools.Spec
	for _, s := range w.Services() {
		specs = append(specs, mcptools.Spec{Name: s.Name(), Description: s.Description(), Dial: func(ctx context.Context) (mcp.Transport, error) {
			return s.Connect(context.WithoutCancel(ctx))
		}})
	}
	return specs
}

func (g *gateway) close() {
	g.set.Close()
	if g.store != nil {
		if err := g.store.Close(); err != nil {
			g.log.Error(err.Error())
		}
	}
	if err := g.tracing.Close(); err != nil {
		g.log.Error(err.Error())
	}
}

// workspace starts a conversation.
func (g *gateway) workspace(ask dispatch.Asker, more ...surfaces.Option) (*surfaces.Workspace, error) {
	setup := []surfaces.Option{
		surfaces.WithLimits(g.config.Limits), surfaces.WithActor(g.config.Actor), surfaces.WithPolicy(g.policy),
		surfaces.WithReport(func(err error) { g.log.Error(err.Error()) }), surfaces.WithServerLimits(g.limits),
	}
	if ask != nil {
		setup = append(setup, surfaces.WithAsk(ask))
	}
	if g.config.Policy.LetsNothingThrough() {
		setup = append(setup, surfaces.WithoutStaging())
	}
	if g.tracing != nil {
		setup = append(setup, surfaces.WithTracer(g.tracing.Tracer()))
	}
	return surfaces.NewWorkspace(g.catalog, append(setup, more...)...)
}
