package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// mount connects to one server and gives its catalogue.
func mount(t *testing.T, specs ...Spec) (*toolfn.Catalog, *Set) {
	t.Helper()
	cat := toolfn.NewCatalog()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	set := Connect(ctx, cat, specs)
	t.Cleanup(set.Close)
	return cat, set
}

// call calls a function of a catalogue with arguments given as JSON.
func call(ctx context.Context, t *testing.T, cat *toolfn.Catalog, name, args string) (value.Value, error) {
	t.Helper()
	fn, ok := cat.Lookup(name)
	if !ok {
		t.Fatalf("%s is not in the catalogue", name)
	}
	decoded, err := value.Decode([]byte(args))
	if err != nil {
		t.Fatal(err)
	}
	return fn.Call(ctx, decoded.(*value.Object))
}

func show(v value.Value) string {
	data, err := value.Append(nil, v)
	if err != nil {
		return "not plain data: " + err.Error()
	}
	return string(data)
}

var handle = regexp.MustCompile(`att_[a-z0-9]{16}`)

// TestResults reads results over every transport: what a program gets must not
// depend on how the server is reached.
func TestResults(t *testing.T) {
	datadriven.RunTest(t, "testdata/results", func(t *testing.T, d *datadriven.TestData) string {
		tool := map[string]any{"name": "it", "inputSchema": map[string]string{"type": "object"}}
		input := d.Input
		if schema, rest, ok := strings.Cut(input, "\n--\n"); ok {
			tool["outputSchema"] = json.RawMessage(schema)
			input = rest
		}
		s := &script{Pages: []page{{Tools: []json.RawMessage{encode(tool)}}}, Results: map[string]json.RawMessage{"it": json.RawMessage(input)}}
		got := map[string][]string{}
		for way, spec := range s.everyWay() {
			out := outcome(t, spec(t))
			got[out] = append(got[out], way)
		}
		var outs []string
		for out, ways := range got {
			if len(got) > 1 {
				sort.Strings(ways)
				out = fmt.Sprintf("%v: %s", ways, out)
			}
			outs = append(outs, out)
		}
		sort.Strings(outs)
		return strings.Join(outs, "")
	})
}

// outcome calls the tool and tells the value or the error, and what was kept
// beside it.
func outcome(t *testing.T, spec Spec) string {
	cat, set := mount(t, spec)
	defer set.Close()
	v, err := call(context.Background(), t, cat, "t__it", "{}")
	var b strings.Builder
	var failed *toolfn.CallError
	switch {
	case errors.As(err, &failed):
		fmt.Fprintf(&b, "error: %s\n", failed.Message)
		if failed.Code != "" {
			fmt.Fprintf(&b, "code: %s\n", failed.Code)
		}
		if failed.Details != nil {
			fmt.Fprintf(&b, "details: %s\n", show(failed.Details))
		}
		if failed.OutcomeUnknown {
			b.WriteString("outcome unknown\n")
		}
	case err != nil:
		fmt.Fprintf(&b, "another error: %v\n", err)
	default:
		b.WriteString(show(v) + "\n")
	}
	kept := set.attachments.All()
	for i := len(kept) - 1; i >= 0; i-- {
		x := kept[i]
		content, err := call(context.Background(), t, cat, "attachments__read", `{"handle":"`+x.Handle+`"}`)
		fmt.Fprintf(&b, "kept from %s: %s %v\n", x.From, show(content), err)
	}
	return handle.ReplaceAllString(b.String(), "att")
}
