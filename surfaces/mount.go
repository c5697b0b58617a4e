package surfaces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

// Tool is one tool in the model's context: the common core of every agent
// runtime's tool type.
type Tool struct {
	Name        string
	Description string
	InputSchema json.RawMessage // a JSON Schema object
	// Call runs the tool. What went wrong for the model is in the output, with
	// Failed set; the error is for the host alone and means that the tool itself
	// is not usable.
	Call func(ctx context.Context, input json.RawMessage) (Output, error)
}

// Output is what a tool answers.
type Output struct {
	// Text is for the model, within the output limit.
	Text string
	// Failed says that the text tells of a failure.
	Failed bool
	// Result is the outcome of an execute, for hosts; nil for other tools.
	Result *Result
}

// Discovery says how much of the catalogue the preamble shows.
type Discovery string

// The discovery modes.
const (
	Auto        Discovery = "auto"        // every signature if that is short, else as much as is
	Full        Discovery = "full"        // every signature, up to a far higher ceiling
	Progressive Discovery = "progressive" // only the way to find functions
)

// ParseDiscovery reads a mode's name; "" is the default, Auto.
func ParseDiscovery(name string) (Discovery, error) {
	switch d := Discovery(name); d {
	case "":
		return Auto, nil
	case Auto, Full, Progressive:
		return d, nil
	}
	if near, ok := sandbox.Nearest(name, []string{string(Auto), string(Full), string(Progressive)}); ok {
		return "", fmt.Errorf("unknown discovery mode %q, did you mean %q", name, near)
	}
	return "", fmt.Errorf("unknown discovery mode %q, the modes are auto, full and progressive", name)
}

// The ceilings of the catalogue's part of the preamble, in tokens as estimated.
const (
	AutoTokens = 2_000
	FullTokens = 20_000
)

// MountOptions say what to mount and how. Only Languages is required.
type MountOptions struct {
	Languages []Language
	Frame     Frame     // Repl if ""
	Discovery Discovery // Auto if ""
	// CatalogTokens is the ceiling of the catalogue's part of the preamble;
	// 0 means [AutoTokens] or [FullTokens] by the mode. A catalogue that is
	// larger is shown as the names of its functions, one that is still larger as
	// counts and the way to search.
	CatalogTokens int
	// Roles mounts two tools for each language, over one session: a console to
	// look around with, and a workflow to act with. Frame is then not used.
	Roles bool
	// LookOnly confines the console of Roles to functions that are declared to
	// read.
	LookOnly bool
	// NoExplain leaves out the explain tools, NoDiscovery the four native
	// discovery tools; programs can discover without them.
	NoExplain   bool
	NoDiscovery bool
	// NoStaging says nothing of holding effects back and leaves out the dry_run
	// argument: for a host whose policy lets no effect through, so that nothing
	// pending could ever be made.
	NoStaging bool
}

// Mounted is what a host gives to its agent.
type Mounted struct {
	Tools []Tool
	// Preamble is for the system prompt.
	Preamble string

	mount *mount
}

// Mount makes the tools and the preamble of a workspace. A language's session is
// opened when it is first used. Texts state the catalogue as it is; a host whose
// catalogue changes watches it and mounts again with [Mounted.Refresh].
func Mount(ws *Workspace, o MountOptions) (*Mounted, error) {
	m, err := newMount(ws, o)
	if err != nil {
		return nil, err
	}
	return m.build(), nil
}

// mount is what the tools of one mount share.
type mount struct {
	ws        *Workspace
	opts      MountOptions
	roles     []role
	shown     shownCatalog
	preface   string
	renderers map[string]*Renderer // by language
}

func newMount(ws *Workspace, o MountOptions) (*mount, error) {
	if ws == nil {
		return nil, errors.New("mount: there is no workspace")
	}
	if len(o.Languages) == 0 {
		return nil, errors.New("mount: there is no language")
	}
	var err error
	if o.Frame, err = ParseFrame(string(o.Frame)); err != nil {
		return nil, fmt.Errorf("mount: %w", err)
	}
	if o.Discovery, err = ParseDiscovery(string(o.Discovery)); err != nil {
		return nil, fmt.Errorf("mount: %w", err)
	}
	if o.CatalogTokens < 0 {
		return nil, fmt.Errorf("mount: the ceiling of the catalogue is %d tokens", o.CatalogTokens)
	}
	if o.LookOnly && !o.Roles {
		return nil, errors.New("mount: LookOnly confines the console of a mount with Roles")
	}
	m := &mount{ws: ws, opts: o}
	if m.relational() { // one frame, one tool
		m.opts.Frame, m.opts.Roles, m.opts.LookOnly = Repl, false, false
		o = m.opts
	}
	seen := map[string]bool{}
	for _, l := range o.Languages {
		if seen[l.Name()] {
			return nil, fmt.Errorf("mount: %s is mounted twice", l.Title())
		}
		seen[l.Name()] = true
		m.roles = append(m.roles, rolesOf(l, o)...)
	}
	return m, nil
}

// rolesOf gives the code tools of one language.
func rolesOf(l Language, o MountOptions) []role {
	explain := func(f Frame) string {
		if o.NoExplain {
			return ""
		}
		return f.ToolName("explain", l.Name())
	}
	if isRelational(l) && !o.Roles {
		return []role{{language: l, frame: Repl, tool: Repl.ToolName("execute", l.Name()), explain: explain(Repl)}}
	}
	if !o.Roles {
		return []role{{language: l, frame: o.Frame, tool: o.Frame.ToolName("execute", l.Name()), explain: explain(o.Frame)}}
	}
	look := role{language: l, frame: Repl, tool: Repl.ToolName("execute", l.Name()), reads: o.LookOnly}
	do := role{language: l, frame: Workflow, tool: Workflow.ToolName("execute", l.Name()), explain: explain(Workflow)}
	look.other, do.other = do.tool, look.tool
	return []role{look, do}
}

// build makes the texts for the catalogue as it is now, and the tools.
func (m *mount) build() *Mounted {
	m.shown = m.catalogAsShown()
	m.preface = m.preamble()
	return m.bind()
}

// bind makes the tools over the texts that there are.
func (m *mount) bind() *Mounted {
	m.renderers = make(map[string]*Renderer, len(m.opts.Languages))
	for _, l := range m.opts.Languages {
		m.renderers[l.Name()] = m.ws.RendererOf(l)
	}
	out := &Mounted{mount: m, Preamble: m.preface}
	for _, r := range m.roles {
		out.Tools = append(out.Tools, m.codeTool(r))
		if r.explain != "" {
			out.Tools = append(out.Tools, m.explainTool(r))
		}
	}
	if !m.opts.NoDiscovery && !m.relational() {
		out.Tools = append(out.Tools, m.discoveryTools()...)
	}
	return out
}

// Refresh makes tools and texts anew if the catalogue has changed since they
// were made, over the same sessions. It reports whether it did.
func (m *Mounted) Refresh() (*Mounted, bool) {
	if m.mount.ws.catalog.Version() == m.mount.shown.version {
		return m, false
	}
	fresh := *m.mount
	return fresh.build(), true
}

// For mounts the same tools and texts over another workspace of the same
// catalogue. It costs far less than [Mount], which writes the texts: a host with
// many conversations mounts once and then gives each its own.
func (m *Mounted) For(ws *Workspace) (*Mounted, error) {
	if ws == nil || ws.catalog != m.mount.ws.catalog {
		return nil, errors.New("mount: the workspace has another catalogue")
	}
	other := *m.mount
	other.ws = ws
	return other.bind(), nil
}

// Prime puts the preamble before a system prompt, with a blank line between; a
// prompt that already has it stays as it is.
func (m *Mounted) Prime(prompt string) string {
	switch {
	case prompt == "":
		return m.Preamble
	case strings.Contains(prompt, m.Preamble):
		return prompt
	}
	return m.Preamble + "\n\n" + prompt
}

// Tool gives a mounted tool by name.
func (m *Mounted) Tool(name string) (Tool, bool) {
	for _, t := range m.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}
