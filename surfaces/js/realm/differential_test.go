package realm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// product writes every combination of a format and lists of its operands.
func product(format string, lists ...[]string) []string {
	out := []string{}
	var fill func(args []any, rest [][]string)
	fill = func(args []any, rest [][]string) {
		if len(rest) == 0 {
			out = append(out, fmt.Sprintf(format, args...))
			return
		}
		for _, x := range rest[0] {
			fill(append(args[:len(args):len(args)], x), rest[1:])
		}
	}
	fill(nil, lists)
	return out
}

func join(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func list(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// TestDifferential runs expressions through Node and through a realm: what a
// realm offers has to give what Node gives. It is skipped where there is no node.
func TestDifferential(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node here")
	}
	describe, err := os.ReadFile("testdata/describe.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range differential {
		t.Run(group.name, func(t *testing.T) {
			want := askNode(t, node, group.expressions)
			wrong := 0
			for i, src := range group.expressions {
				got := evaluate(t, string(describe), src)
				if same(got, want[i]) {
					continue
				}
				if wrong++; wrong <= 60 {
					t.Errorf("%s\n\tgot  %s\n\twant %s", src, got, want[i])
				}
			}
			t.Logf("%d of %d as in Node", len(group.expressions)-wrong, len(group.expressions))
		})
	}
}

// same compares two outcomes. The messages of errors are compared where the
// realm makes them; those of the engine's own instructions differ from V8's.
func same(got, want string) bool {
	if got == want {
		return true
	}
	for _, s := range []string{"throws TypeError: ", "throws ReferenceError: ", "throws SyntaxError: "} {
		if strings.HasPrefix(got, s) && strings.HasPrefix(want, s) && strings.Contains(want, "Cannot read properties of") {
			return true
		}
	}
	return false
}

func askNode(t *testing.T, node string, list []string) []string {
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/oracle.js", "testdata/describe.js")
	cmd.Env = append(os.Environ(), "TZ=UTC")
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var answers []string
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var s string
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, s)
	}
	if len(answers) != len(list) {
		t.Fatalf("%d answers to %d expressions", len(answers), len(list))
	}
	return answers
}

func evaluate(t *testing.T, describe, src string) string {
	s := newStage(t, limits())
	d, err := s.eval(describe)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.eval(src)
	if err != nil {
		text := show(v, err)
		return "throws " + strings.TrimPrefix(text, "THROWS ")
	}
	f, _ := goja.AssertFunction(d)
	out, err := f(goja.Undefined(), v)
	if err != nil {
		return "describe: " + show(out, err)
	}
	return out.String()
}
