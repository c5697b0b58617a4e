package mcptools

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkServer is a server made with the SDK, which speaks every version of the
// protocol.
func sdkServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{Instructions: "Echoes."})
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: r.Params.Arguments, Content: []mcp.Content{}}, nil
	})
	return s
}

// TestTransportsOfTheSDK reaches a server of the SDK's over every transport: the
// newest version of the protocol, the sessions of the last, and the old events.
func TestTransportsOfTheSDK(t *testing.T) {
	// Not 1e400 here: the SDK's own server refuses a call over the newest version
	// whose arguments it cannot decode into floats.
	const args = `{"z":9007199254740993,"a":[-0,123456789012345678901234567890],"é\"":null}`
	get := func(*http.Request) *mcp.Server { return sdkServer() }
	for name, c := range map[string]struct {
		handler http.Handler
		sse     bool
	}{
		"streamable":          {mcp.NewStreamableHTTPHandler(get, nil), false},
		"streamable document": {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true}), false},
		"stateless":           {mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}), false},
		"sse":                 {mcp.NewSSEHandler(get, nil), true},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(c.handler)
			defer srv.Close()
			defer srv.CloseClientConnections()
			cat, set := mount(t, Spec{Name: "t", URL: srv.URL, SSE: c.sse})
			if p := set.Problems(); p != nil {
				t.Fatal(p)
			}
			wants(t, cat, "t__echo", args, args)
			wants(t, cat, "t__echo", args, args)
			if d := set.States()[0].Description; d != "Echoes." {
				t.Errorf("description %q", d)
			}
			set.Close()
		})
	}
	t.Run("memory", func(t *testing.T) {
		cat, _ := mount(t, Spec{Name: "t", Dial: func(context.Context) (mcp.Transport, error) {
			ours, theirs := mcp.NewInMemoryTransports()
			_, err := sdkServer().Connect(context.Background(), theirs, nil)
			return ours, err
		}})
		wants(t, cat, "t__echo", args, args)
	})
}
