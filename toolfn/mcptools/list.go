package mcptools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
)

// Ceilings on one server's list of tools. A server that reaches one is mounted
// with what it had listed until then, and the rest is told as a warning.
const (
	maxPages = 1_000
	maxTools = 10_000
)

// tool is a tool as the server lists it.
type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
		Idempotent  *bool `json:"idempotentHint"`
	} `json:"annotations"`
}

// listing is what a server offers and what was odd about it.
type listing struct {
	tools    []tool
	warnings []string
}

// listTools reads a server's list of tools to its end.
func listTools(ctx context.Context, s *mcp.ClientSession) (*listing, error) {
	l := &listing{}
	if c := s.InitializeResult().Capabilities; c != nil && c.Tools == nil {
		l.warnings = append(l.warnings, "the server says that it has no tools")
		return l, nil
	}
	names := map[string]bool{}
	cursors := map[string]bool{"": true}
	cursor := ""
	for page := 1; ; page++ {
		next, err := l.page(ctx, s, cursor, names)
		switch {
		case err != nil && page > 1:
			return nil, fmt.Errorf("page %d of its list of tools: %w", page, err)
		case err != nil:
			return nil, err
		case next == "":
			return l, nil
		case cursors[next]:
			l.warn("the server's list of tools repeats the cursor of an earlier page; listing stopped after %d pages with %d tools", page, len(l.tools))
			return l, nil
		case page == maxPages:
			l.warn("the server's list of tools has more than %d pages; listing stopped with %d tools", maxPages, len(l.tools))
			return l, nil
		case len(l.tools) >= maxTools:
			l.warn("the server lists more than %d tools; listing stopped there", maxTools)
			return l, nil
		}
		cursors[next] = true
		cursor = next
	}
}

func (l *listing) warn(format string, args ...any) {
	if len(l.warnings) < 100 {
		l.warnings = append(l.warnings, fmt.Sprintf(format, args...))
	}
}

// page reads one page. It is read from the wire's own bytes, tool by tool, so
// that one malformed tool does not spoil the page, and schemas keep the order
// of their properties.
func (l *listing) page(ctx context.Context, s *mcp.ClientSession, cursor string, names map[string]bool) (next string, err error) {
	c := &capture{}
	defer c.release()
	params := &mcp.ListToolsParams{Cursor: cursor}
	result, err := s.ListTools(withCapture(ctx, c), params)
	raw := c.raw()
	if raw == nil {
		if err != nil {
			return "", err
		}
		// The SDK answered from its cache, as the newest version allows.
		if raw, err = json.Marshal(result); err != nil {
			return "", err
		}
	}
	var page struct {
		Tools      []json.RawMessage `json:"tools"`
		NextCursor string            `json:"nextCursor"`
	}
	if err := json.Unmarshal(raw, &page); err != nil {
		return "", problem{text: "its list of tools cannot be read", cause: err}
	}
	for _, raw := range page.Tools {
		l.add(raw, names)
	}
	return page.NextCursor, nil
}

// add takes one tool in, or leaves it out with a warning.
func (l *listing) add(raw json.RawMessage, names map[string]bool) {
	var t tool
	if err := json.Unmarshal(raw, &t); err != nil {
		// Annotations of the wrong type are hints that nobody can use; without
		// them the tool may still be good.
		var bare struct {
			Name         string          `json:"name"`
			Description  json.RawMessage `json:"description"`
			InputSchema  json.RawMessage `json:"inputSchema"`
			OutputSchema json.RawMessage `json:"outputSchema"`
		}
		if json.Unmarshal(raw, &bare) != nil || bare.Name == "" {
			l.warn("a tool is left out, because its definition cannot be read")
			return
		}
		t = tool{Name: bare.Name, InputSchema: bare.InputSchema, OutputSchema: bare.OutputSchema}
		_ = json.Unmarshal(bare.Description, &t.Description)
		l.warn("the tool %q has fields of the wrong type, which are ignored", sandbox.Clip(toolfn.Plain(t.Name, 80), 80))
	}
	switch {
	case t.Name == "":
		l.warn("a tool without a name is left out")
	case names[t.Name]:
		l.warn("the tool %q is listed more than once; the first is used", sandbox.Clip(toolfn.Plain(t.Name, 80), 80))
	case len(l.tools) < maxTools:
		names[t.Name] = true
		l.tools = append(l.tools, t)
	}
}

// effect reads the hints. A hint that is absent says nothing, whatever the
// protocol's default for it: a server that declares nothing is not trusted to
// read only, nor called destructive.
func (t *tool) effect() toolfn.Effect {
	is := func(hint *bool) bool { return hint != nil && *hint }
	e := toolfn.Effect{Idempotent: is(t.Annotations.Idempotent)}
	switch {
	case is(t.Annotations.ReadOnly):
		e.Impact = toolfn.Read
	case is(t.Annotations.Destructive):
		e.Impact = toolfn.Destructive
	case t.Annotations.ReadOnly != nil:
		e.Impact = toolfn.Write
	}
	return e
}
