package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/internal/config"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// offered is a gateway over functions of the test's own.
func offered(t *testing.T, policy config.Policy, fns ...toolfn.ToolFn) *gateway {
	t.Helper()
	g := &gateway{catalog: toolfn.NewCatalog(), config: config.Default(), language: languages()[0], log: slog.New(slog.DiscardHandler)}
	g.config.Policy = policy
	g.mount = surfaces.MountOptions{Languages: languages()}
	g.catalog.Adopt(toolfn.Server{Name: "t", Description: "Things of the test."}, fns...)
	g.set = mcptools.Connect(context.Background(), g.catalog, nil)
	var err error
	if g.policy, err = policy.Build(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.close)
	return g
}

func function(name string, call func(ctx context.Context, args *value.Object) (value.Value, error)) toolfn.ToolFn {
	return toolfn.ToolFn{Name: name, Description: "Does " + name + ".", Call: call}
}

var seven = function("seven", func(context.Context, *value.Object) (value.Value, error) { return int64(7), nil })

// serving serves a gateway over HTTP.
func serving(t *testing.T, g *gateway, l *listener) (*host, string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := newHost(ctx, g)
	srv := httptest.NewServer(l.handler(h))
	t.Cleanup(func() {
		cancel()
		h.close()
		srv.CloseClientConnections()
		srv.Close()
	})
	return h, srv.URL + "/mcp"
}

// client connects to a server over HTTP.
func client(t *testing.T, url string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// execute runs a program and gives the text of the answer.
func execute(ctx context.Context, t *testing.T, s *mcp.ClientSession, code string) (string, bool) {
	t.Helper()
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "execute_js", Arguments: map[string]string{"code": code}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

func wantsText(t *testing.T, s *mcp.ClientSession, code, want string) {
	t.Helper()
	got, _ := execute(context.Background(), t, s, code)
	if first, _, _ := strings.Cut(got, "\n"); first != want {
		t.Errorf("%s gave %q, want %q", code, got, want)
	}
}

func TestEachClientHasAConversationOfItsOwn(t *testing.T) {
	_, url := serving(t, offered(t, config.Policy{}, seven), &listener{})
	one, two := client(t, url, nil), client(t, url, nil)
	wantsText(t, one, "let n = 1; n", "1")
	wantsText(t, one, "n + t.seven()", "8")
	if text, failed := execute(context.Background(), t, two, "n"); !failed || !strings.Contains(text, "ReferenceError") {
		t.Errorf("another client's name: %q", text)
	}
	wantsText(t, two, "let n = 5; n", "5")
	wantsText(t, one, "n", "1")
}

func TestManyClientsAtOnce(t *testing.T) {
	_, url := serving(t, offered(t, config.Policy{}, seven), &listener{})
	var group sync.WaitGroup
	for i := range 12 {
		group.Add(1)
		go func() {
			defer group.Done()
			s := client(t, url, nil)
			wantsText(t, s, fmt.Sprintf("let n = %d; n", i), fmt.Sprint(i))
			for j := range 5 {
				wantsText(t, s, fmt.Sprintf("n * t.seven() + %d", j), fmt.Sprint(i*7+j))
			}
		}()
	}
	group.Wait()
}

func TestAConversationEndsWithItsSession(t *testing.T) {
	h, url := serving(t, offered(t, config.Policy{}, seven), &listener{})
	s := client(t, url, nil)
	wantsText(t, s, "1", "1")
	live := func() int {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.live)
	}
	if live() != 1 {
		t.Errorf("%d conversations, want 1", live())
	}
	s.Close()
	for end := time.Now().Add(10 * time.Second); live() > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if live() != 0 {
		t.Errorf("%d conversations are left", live())
	}
}

func TestCallOfAFunctionAsATool(t *testing.T) {
	_, url := serving(t, offered(t, config.Policy{}, seven), &listener{})
	s := client(t, url, nil)
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "t__seven"})
	if err != nil || !r.IsError {
		t.Fatal(r, err)
	}
	if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "execute_js") || !strings.Contains(text, "t.seven()") {
		t.Errorf("the answer does not show the program: %s", text)
	}
	_, err = s.CallTool(context.Background(), &mcp.CallToolParams{Name: "zebra"})
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || !strings.Contains(rpc.Message, "execute_js") {
		t.Errorf("an unknown tool: %v", err)
	}
}

func TestClientsHearOfAChangedCatalogue(t *testing.T) {
	g := offered(t, config.Policy{}, seven)
	_, url := serving(t, g, &listener{})
	changed := make(chan struct{}, 8)
	s := client(t, url, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	wantsText(t, s, "t.seven()", "7")
	eight := function("eight", func(context.Context, *value.Object) (value.Value, error) { return int64(8), nil })
	g.catalog.Adopt(toolfn.Server{Name: "t", Description: "Things of the test."}, seven, eight)
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("the client did not hear of it")
	}
	wantsText(t, s, "t.eight()", "8")
}

func TestApprovalIsAskedOfTheClient(t *testing.T) {
	var sent []string
	var mu sync.Mutex
	send := function("send", func(_ context.Context, args *value.Object) (value.Value, error) {
		to, _ := args.Get("to")
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, fmt.Sprint(to))
		return true, nil
	})
	_, url := serving(t, offered(t, config.Policy{Ask: []string{"t.send"}}, send), &listener{})
	var asked []string
	s := client(t, url, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = append(asked, r.Params.Message)
		if strings.Contains(r.Params.Message, "ann") {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"all": false}}, nil
		}
		return &mcp.ElicitResult{Action: "decline"}, nil
	}})
	text, failed := execute(context.Background(), t, s, `for (const to of ["ann", "bob"]) t.send({to, body: "x"})`)
	if !failed || !strings.Contains(text, "refused") {
		t.Errorf("the answer was %q", text)
	}
	if len(asked) != 2 || !strings.Contains(asked[0], "t__send") || !strings.Contains(asked[0], `"to":"ann"`) {
		t.Errorf("the client was asked %q", asked)
	}
	if fmt.Sprint(sent) != "[ann]" {
		t.Errorf("sent to %v", sent)
	}
	// A client that cannot ask has the call refused.
	dumb := client(t, url, nil)
	if text, failed := execute(context.Background(), t, dumb, `t.send({to: "eve"})`); !failed || !strings.Contains(text, "approval") {
		t.Errorf("the answer was %q", text)
	}
}

func TestTheEndOfTheGatewayEndsPrograms(t *testing.T) {
	started := make(chan struct{})
	wait := function("wait", func(ctx context.Context, _ *value.Object) (value.Value, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	g := offered(t, config.Policy{}, wait)
	life, end := context.WithCancel(context.Background())
	h := newHost(life, g)
	srv := httptest.NewServer((&listener{}).handler(h))
	defer srv.Close()
	s := client(t, srv.URL+"/mcp", nil)
	done := make(chan string, 1)
	go func() {
		text, _ := execute(context.Background(), t, s, "t.wait()")
		done <- text
	}()
	<-started
	end()
	select {
	case text := <-done:
		if !strings.Contains(text, "cancelled") {
			t.Errorf("the program ended with %q", text)
		}
	case <-time.After(10 * time.Second):
		t.Error("the program did not end")
	}
	h.close()
	srv.CloseClientConnections()
}

func TestDoorOverHTTP(t *testing.T) {
	_, url := serving(t, offered(t, config.Policy{}, seven), &listener{token: "open-sesame"})
	post := func(change func(*http.Request)) int {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		change(req)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	bearer := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"no token":      {func(*http.Request) {}, http.StatusUnauthorized},
		"a wrong token": {bearer("open-sesam"), http.StatusUnauthorized},
		"the token":     {bearer("open-sesame"), http.StatusOK},
		"another site": {func(r *http.Request) {
			bearer("open-sesame")(r)
			r.Header.Set("Origin", "https://elsewhere.example")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, http.StatusForbidden},
		"another host": {func(r *http.Request) { bearer("open-sesame")(r); r.Host = "elsewhere.example" }, http.StatusForbidden},
	} {
		if got := post(c.change); got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}
}

func TestToolsSayWhatTheyMayDo(t *testing.T) {
	for _, c := range []struct {
		policy   config.Policy
		readOnly bool
	}{{config.Policy{}, false}, {config.Policy{ReadOnly: true}, true}, {config.Policy{ReadOnly: true, Allow: []string{"t.seven"}}, false}} {
		_, url := serving(t, offered(t, c.policy, seven), &listener{})
		list, err := client(t, url, nil).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			reads := tool.Annotations != nil && tool.Annotations.ReadOnlyHint
			if want := c.readOnly || !strings.HasPrefix(tool.Name, "execute_"); reads != want {
				t.Errorf("%+v: %s says that it only reads: %v, want %v", c.policy, tool.Name, reads, want)
			}
		}
	}
}

func TestArgumentsOfAToolArriveExact(t *testing.T) {
	var got string
	echo := function("echo", func(_ context.Context, args *value.Object) (value.Value, error) {
		data, err := value.Append(nil, args)
		got = string(data)
		return args, err
	})
	_, url := serving(t, offered(t, config.Policy{}, echo), &listener{})
	s := client(t, url, nil)
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "execute_js", Arguments: json.RawMessage(`{"code":"t.echo({id: 9007199254740993n, \"é<&>\": 1.5})"}`)})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":9007199254740993,"é<&>":1.5}`
	if got != want {
		t.Errorf("the function got %s, want %s", got, want)
	}
	if text := r.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(text, want) {
		t.Errorf("the client got %s, want %s", text, want)
	}
}
