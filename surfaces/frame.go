package surfaces

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
)

// Frame is how the code tool presents itself to the model. It changes names and
// words only: sessions, effects, errors and limits are the same. Models write
// differently under each: a console invites small steps, a workflow one complete
// program.
type Frame string

// The frames.
const (
	Repl     Frame = "repl"
	Program  Frame = "program"
	Workflow Frame = "workflow"
)

// Frames lists the frames, the default first.
func Frames() []Frame { return []Frame{Repl, Program, Workflow} }

// ParseFrame reads a frame's name; "" is the default, Repl.
func ParseFrame(name string) (Frame, error) {
	if name == "" {
		return Repl, nil
	}
	var names []string
	for _, f := range Frames() {
		if string(f) == name {
			return f, nil
		}
		names = append(names, string(f))
	}
	if near, ok := sandbox.Nearest(name, names); ok {
		return "", fmt.Errorf("unknown frame %q, did you mean %q", name, near)
	}
	return "", fmt.Errorf("unknown frame %q, the frames are repl, program and workflow", name)
}

// ToolName is the name of a tool in this frame: execute_js, execute_js_program,
// explain_js_workflow.
func (f Frame) ToolName(verb, language string) string {
	name := verb + "_" + language
	if f == Program || f == Workflow {
		name += "_" + string(f)
	}
	return name
}
