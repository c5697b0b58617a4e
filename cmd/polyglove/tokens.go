package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/tiktoken-go/tokenizer"

	"github.com/polyglove/polyglove/surfaces"
)

// counter counts tokens as a model does.
type counter struct{ codec tokenizer.Codec }

func newCounter() (*counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer is not usable: %w", err)
	}
	return &counter{codec}, nil
}

func (c *counter) count(text string) (int, error) { return c.codec.Count(text) }

// writeTokens compares the discovery modes with declaring every function.
func writeTokens(_ context.Context, in *inspection, w io.Writer) error {
	c, err := newCounter()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "mode\tpreamble\ttools\ttogether\t")
	for _, mode := range []surfaces.Discovery{surfaces.Auto, surfaces.Full, surfaces.Progressive} {
		o := in.gateway.mount
		o.Discovery = mode
		m, err := surfaces.Mount(in.ws, o)
		if err != nil {
			return err
		}
		preamble, err := c.count(m.Preamble)
		if err != nil {
			return err
		}
		tools := 0
		for _, tool := range m.Tools {
			n, err := c.declaration(tool.Name, tool.Description, tool.InputSchema)
			if err != nil {
				return err
			}
			tools += n
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t\n", mode, preamble, tools, preamble+tools)
	}
	all := 0
	for _, f := range in.gateway.catalog.All() {
		n, err := c.declaration(f.Name, f.Description, f.Input)
		if err != nil {
			return err
		}
		all += n
	}
	fmt.Fprintf(t, "every function a tool\t0\t%d\t%d\t\n", all, all)
	return t.Flush()
}

// declaration counts a tool as clients declare it to a model.
func (c *counter) declaration(name, description string, schema any) (int, error) {
	data, err := json.Marshal(struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Schema      any    `json:"input_schema"`
	}{name, description, schema})
	if err != nil {
		return 0, err
	}
	return c.count(string(data))
}
