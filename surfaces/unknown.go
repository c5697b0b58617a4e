package surfaces

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Unknown answers a call of a tool that does not exist. If the name is that of a
// function, as models call functions as if they were tools, the answer is the
// program to send instead. False means that the name is like nothing here; the
// answer then lists the tools.
func (m *Mounted) Unknown(name string, args json.RawMessage) (Output, bool) {
	if f, ok := m.mount.functionNamed(name); ok {
		return m.mount.steer(f, args), true
	}
	if near, ok := sandbox.Nearest(name, m.toolNames()); ok {
		return Output{Failed: true, Text: fmt.Sprintf("There is no tool %s. Did you mean %s?", clipName(name), near)}, true
	}
	return Output{Failed: true, Text: fmt.Sprintf("There is no tool %s. The tools are %s.", clipName(name), enumerate(m.toolNames()))}, false
}

func (m *Mounted) toolNames() []string {
	var names []string
	for _, t := range m.Tools {
		names = append(names, t.Name)
	}
	return names
}

// functionNamed finds the function that a tool name means: in any spelling that
// discovery knows, or behind a prefix of the runtime's.
func (m *mount) functionNamed(name string) (*toolfn.ToolFn, bool) {
	if len(name) > 300 {
		return nil, false
	}
	d := m.ws.Discovery(m.lead().language)
	tries := []string{name, strings.TrimPrefix(name, "functions."), strings.ReplaceAll(name, ".", "__"), afterLast(name, "/"), afterLast(name, ":")}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		_, rest, _ = strings.Cut(rest, "__")
		tries = append(tries, rest)
	}
	for _, t := range tries {
		if f, fault := d.Find(t); fault == nil {
			return f, true
		}
	}
	return nil, false
}

func afterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

// steer shows the program that makes the call.
func (m *mount) steer(f *toolfn.ToolFn, raw json.RawMessage) Output {
	r := m.lead()
	code := r.language.Signatures().Skeleton(f)
	if v, err := value.Decode(raw); err == nil {
		if args, ok := v.(*value.Object); ok && args.Len() > 0 {
			code = r.language.CallForm(f.Name, args)
		}
	}
	text := fmt.Sprintf("%s is not a tool but a function that programs call; nothing was called. Call %s with\n%s", f.Name, r.tool, codeArgument(code))
	if most := m.ws.limits.Output; len(text) > most {
		text = fmt.Sprintf("%s is not a tool but a function that programs call; nothing was called. Call it inside a program, with %s.", f.Name, r.tool)
		text = elide.Middle(text, most)
	}
	return Output{Failed: true, Text: text}
}
