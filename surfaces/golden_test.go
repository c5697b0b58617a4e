package surfaces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestTexts holds every text that a mount shows a model. A chunk's arguments are
// the mount's options; `show` says what is shown.
func TestTexts(t *testing.T) {
	datadriven.Walk(t, "testdata/texts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			o, cat := MountOptions{Languages: []Language{toyA}}, testCatalog(t)
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "frame":
					o.Frame = Frame(a.Vals[0])
				case "discovery":
					o.Discovery = Discovery(a.Vals[0])
				case "tokens":
					fmt.Sscan(a.Vals[0], &o.CatalogTokens)
				case "roles":
					o.Roles = true
				case "look-only":
					o.LookOnly = true
				case "two":
					o.Languages = []Language{toyA, toyB}
				case "bare":
					o.NoExplain, o.NoDiscovery = true, true
				case "functions":
					n := 0
					fmt.Sscan(a.Vals[0], &n)
					cat = largeCatalog(t, n)
				default:
					return "unknown option " + a.Key
				}
			}
			m, err := Mount(workspace(t, cat), o)
			if err != nil {
				return err.Error()
			}
			return shown(d.Cmd, m)
		})
	})
}

func shown(what string, m *Mounted) string {
	var b strings.Builder
	switch what {
	case "preamble":
		fmt.Fprintf(&b, "%s\n", m.Preamble)
	case "tools":
		for _, t := range m.Tools {
			var schema bytes.Buffer
			if err := json.Indent(&schema, t.InputSchema, "", " "); err != nil {
				return err.Error()
			}
			fmt.Fprintf(&b, "%s\n%s\n%s\n\n", t.Name, t.Description, strings.Join(strings.Fields(schema.String()), " "))
		}
	case "names":
		for _, t := range m.Tools {
			fmt.Fprintln(&b, t.Name)
		}
	}
	return b.String()
}

// TestAnswers holds what tools answer. Each chunk calls one tool with the input
// below it, all of a file in one workspace.
func TestAnswers(t *testing.T) {
	datadriven.Walk(t, "testdata/answers", func(t *testing.T, path string) {
		ws := workspace(t, testCatalog(t))
		m := mounted(t, ws, MountOptions{})
		look := mounted(t, ws, MountOptions{Roles: true, LookOnly: true})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			input := d.Input
			for _, a := range d.CmdArgs {
				if a.Key == "program" {
					input = codeArgument(d.Input)
				}
			}
			var out Output
			switch {
			case d.Cmd == "unknown":
				name, args, _ := strings.Cut(d.Input, " ")
				out, _ = m.Unknown(name, json.RawMessage(args))
			case d.Cmd == "look":
				out = send(t, look, "execute_toy", input)
			default:
				out = send(t, m, d.Cmd, input)
			}
			text := out.Text + "\n"
			if out.Failed {
				text = "failed\n" + text
			}
			if out.Result != nil {
				text += string(ws.RendererOf(toyA).JSON(withoutUsage(out.Result))) + "\n"
			}
			return text
		})
	})
}

// withoutUsage leaves out what differs from machine to machine.
func withoutUsage(r *Result) *Result {
	c := *r
	c.Usage.Waited = 0
	return &c
}
