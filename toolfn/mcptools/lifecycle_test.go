package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/toolfn"
)

// failure gives the error of a call that must fail.
func failure(ctx context.Context, t *testing.T, cat *toolfn.Catalog, name, args string) *toolfn.CallError {
	t.Helper()
	v, err := call(ctx, t, cat, name, args)
	var failed *toolfn.CallError
	if !errors.As(err, &failed) {
		t.Fatalf("%s gave %s, %v; want an error of the call", name, show(v), err)
	}
	return failed
}

func wants(t *testing.T, cat *toolfn.Catalog, name, args, want string) {
	t.Helper()
	v, err := call(context.Background(), t, cat, name, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got := show(v); got != want {
		t.Fatalf("%s gave %s, want %s", name, got, want)
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not say %q", text, p)
		}
	}
}

// eventually waits for something that happens beside the test.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("it never came true that %s", what)
}

func names(cat *toolfn.Catalog) string {
	var list []string
	for _, f := range cat.All() {
		if f.Server != attachmentsGroup {
			list = append(list, f.Name)
		}
	}
	return strings.Join(list, " ")
}

func TestArgumentsArriveExact(t *testing.T) {
	const args = `{"z":9007199254740993,"a":{"ключ \u0000\"<&>":[1.5,1e400,-0,123456789012345678901234567890]},"_remote_tool_name":"danger","tool":"x","args":{},"name":"other","arguments":null}`
	s := &script{Tools: []string{"echo", "name"}}
	for way, spec := range s.everyWay() {
		t.Run(way, func(t *testing.T) {
			cat, _ := mount(t, spec(t))
			wants(t, cat, "t__echo", args, args)
			// No argument changes which tool is called.
			wants(t, cat, "t__name", args, `{"name":"name"}`)
		})
	}
}

func TestListing(t *testing.T) {
	tools := func(names ...string) []json.RawMessage {
		var list []json.RawMessage
		for _, n := range names {
			list = append(list, encode(map[string]any{"name": n, "inputSchema": map[string]string{"type": "object"}}))
		}
		return list
	}
	var fifty, more []string
	for i := range 50 {
		fifty = append(fifty, fmt.Sprintf("a%d", i))
		more = append(more, fmt.Sprintf("b%d", i))
	}
	for _, c := range []struct {
		name    string
		pages   []page
		want    int
		warning string
	}{
		{"three pages", []page{{tools("a"), "1"}, {tools("b"), "2"}, {tools("c"), ""}}, 3, ""},
		{"101 tools", []page{{tools(fifty...), "1"}, {tools(more...), "2"}, {tools("last"), ""}}, 101, ""},
		{"an empty page in the middle", []page{{tools("a"), "1"}, {nil, "2"}, {tools("c"), ""}}, 2, ""},
		{"a cursor that stays", []page{{tools("a"), "1"}, {tools("b"), "1"}}, 2, "repeats the cursor"},
		{"cursors in a circle", []page{{tools("a"), "1"}, {tools("b"), "2"}, {tools("c"), "1"}}, 3, "repeats the cursor"},
		{"a name twice", []page{{tools("a", "a", "b"), ""}}, 2, "more than once"},
		{"no tools", []page{{nil, ""}}, 0, ""},
		{"a tool that is none", []page{{append(tools("a"), json.RawMessage(`null`), json.RawMessage(`7`), json.RawMessage(`{"name":7}`)), ""}}, 1, "left out"},
		{"a hint of the wrong type", []page{{append(tools("a"), json.RawMessage(`{"name":"b","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}`)), ""}}, 2, "wrong type"},
		{"a schema that is none", []page{{append(tools("a"), json.RawMessage(`{"name":"b","inputSchema":"text"}`)), ""}}, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat, set := mount(t, (&script{Pages: c.pages}).inMemory(t))
			if got := len(strings.Fields(names(cat))); got != c.want {
				t.Errorf("%d tools, want %d: %s", got, c.want, names(cat))
			}
			if all := strings.Join(set.States()[0].Warnings, "\n"); !strings.Contains(all, c.warning) || c.warning == "" && all != "" {
				t.Errorf("warnings %q, want %q", all, c.warning)
			}
		})
	}
}

// endless is a list that never ends: each page has a cursor of its own.
func TestListingIsBounded(t *testing.T) {
	var n atomic.Int64
	s := mcp.NewServer(&mcp.Implementation{Name: "endless"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "tools/list" {
				return next(ctx, method, req)
			}
			i := n.Add(1)
			return &mcp.ListToolsResult{NextCursor: fmt.Sprint("c", i), Tools: []*mcp.Tool{{Name: fmt.Sprint("t", i), InputSchema: json.RawMessage(`{"type":"object"}`)}}}, nil
		}
	})
	spec := Spec{Name: "endless", Dial: func(ctx context.Context) (mcp.Transport, error) {
		ours, theirs := mcp.NewInMemoryTransports()
		_, err := s.Connect(context.Background(), theirs, nil)
		return ours, err
	}}
	cat, set := mount(t, spec)
	if got := len(strings.Fields(names(cat))); got != maxPages {
		t.Errorf("%d tools, want %d", got, maxPages)
	}
	contains(t, strings.Join(set.States()[0].Warnings, "\n"), "more than 1000 pages")
}

func TestNamesAndEffects(t *testing.T) {
	tools := []json.RawMessage{
		json.RawMessage(`{"name":"list-issues","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`),
		json.RawMessage(`{"name":"list.issues","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"idempotentHint":true}}`),
		json.RawMessage(`{"name":"drop","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true}}`),
		json.RawMessage(`{"name":"quiet","inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"hidden","inputSchema":{"type":"object"}}`),
		json.RawMessage(`{"name":"old","inputSchema":{"type":"object"}}`),
	}
	spec := (&script{Pages: []page{{Tools: tools}}, Instructions: "Issues of the team.\nMore."}).inMemory(t)
	spec.Name, spec.Exclude, spec.Names = "my-server/v1", []string{"hid*"}, map[string]string{"old": "young"}
	cat, set := mount(t, spec)
	want := "my_server_v1__list_issues my_server_v1__list_issues_2 my_server_v1__drop my_server_v1__quiet my_server_v1__young"
	if got := names(cat); got != want {
		t.Errorf("names %s, want %s", got, want)
	}
	for name, effect := range map[string]toolfn.Effect{
		"list_issues":   {Impact: toolfn.Read},
		"list_issues_2": {Impact: toolfn.Write, Idempotent: true},
		"drop":          {Impact: toolfn.Destructive},
		"quiet":         {},
	} {
		if fn, _ := cat.Lookup("my_server_v1__" + name); fn.Effect != effect {
			t.Errorf("%s has effect %+v, want %+v", name, fn.Effect, effect)
		}
	}
	fn, _ := cat.Lookup("my_server_v1__list_issues_2")
	if fn.UpstreamName != "list.issues" {
		t.Errorf("upstream name %q", fn.UpstreamName)
	}
	if d := set.States()[0].Description; d != "Issues of the team." {
		t.Errorf("description %q", d)
	}
}

func TestCancelReachesTheServerOnce(t *testing.T) {
	s := &script{Tools: []string{"read_slow", "cancelled", "pid", "echo"}}
	for way, make := range s.everyWay() {
		if way == "http" {
			continue // one document an answer: the script cannot read while it answers
		}
		t.Run(way, func(t *testing.T) {
			s.mu.Lock()
			s.cancelled = nil
			s.mu.Unlock()
			cat, _ := mount(t, make(t))
			before, err := call(context.Background(), t, cat, "t__pid", "{}")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(50*time.Millisecond, cancel)
			began := time.Now()
			if _, err := call(ctx, t, cat, "t__read_slow", `{"ms":60000}`); err == nil {
				t.Fatal("a cancelled call gave a value")
			}
			if d := time.Since(began); d > 5*time.Second {
				t.Errorf("the call came back after %v", d)
			}
			var ids string
			eventually(t, "the server heard of it", func() bool {
				v, err := call(context.Background(), t, cat, "t__cancelled", "{}")
				if err != nil {
					t.Fatal(err)
				}
				ids = show(v)
				return ids != `{"ids":[]}`
			})
			time.Sleep(50 * time.Millisecond)
			if v, _ := call(context.Background(), t, cat, "t__cancelled", "{}"); strings.Count(show(v), ",") != 0 {
				t.Errorf("the server heard %s, want one id", show(v))
			}
			// The server is the same process, and answers.
			wants(t, cat, "t__pid", "{}", show(before))
			wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
		})
	}
}

func TestTimeLimitOfAServer(t *testing.T) {
	spec := (&script{Tools: []string{"slow", "read_slow", "echo"}}).overStdio(t)
	spec.Call = 50 * time.Millisecond
	cat, _ := mount(t, spec)
	e := failure(context.Background(), t, cat, "t__slow", `{"ms":60000}`)
	if e.Code != "timeout" || !e.OutcomeUnknown {
		t.Errorf("%+v, want a time-out whose outcome is unknown", e)
	}
	if e := failure(context.Background(), t, cat, "t__read_slow", `{"ms":60000}`); e.OutcomeUnknown {
		t.Error("a read that timed out cannot have changed anything")
	}
	wants(t, cat, "t__echo", `{}`, `{}`)
}

func TestConnectingContextEndsNothing(t *testing.T) {
	s := &script{Tools: []string{"echo"}}
	for way, make := range s.everyWay() {
		t.Run(way, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			cat := toolfn.NewCatalog()
			set := Connect(ctx, cat, []Spec{make(t)})
			defer set.Close()
			cancel()
			time.Sleep(100 * time.Millisecond)
			wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
			if p := set.Problems(); p != nil {
				t.Error(p)
			}
		})
	}
}

func TestNoiseIsSkippedAndLogged(t *testing.T) {
	spec := (&script{Tools: []string{"echo"}, Noise: []string{"starting server...", `{"level":"info"}`, "[1, 2", "\x1b[31mred\x1b[0m", ""}}).overStdio(t)
	cat, set := mount(t, spec)
	wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
	contains(t, strings.Join(set.States()[0].Log, "\n"), "starting server...", `{"level":"info"}`)
}

func TestTextBeforeAMessageOnItsLine(t *testing.T) {
	for _, c := range []struct {
		line string
		want int
	}{
		{`Loading... {"jsonrpc":"2.0","id":1,"result":{}}`, 1},
		{`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"notifications/progress"}]`, 2},
		{`{"jsonrpc":"1.0","id":1}`, 0},
		{`{"jsonrpc":"2.0"`, 0},
		{``, 0},
	} {
		if got := len(decodeLine([]byte(c.line))); got != c.want {
			t.Errorf("%s: %d messages, want %d", c.line, got, c.want)
		}
	}
}

func TestServerDies(t *testing.T) {
	a, b := (&script{Tools: []string{"exit", "read_slow", "pid"}}).overStdio(t), (&script{Tools: []string{"echo"}}).overStdio(t)
	a.Name, b.Name = "frail", "steady"
	cat, _ := mount(t, a, b)
	first, _ := call(context.Background(), t, cat, "frail__pid", "{}")
	beside := make(chan *toolfn.CallError, 1)
	go func() { beside <- failure(context.Background(), t, cat, "frail__read_slow", `{"ms":60000}`) }()
	time.Sleep(50 * time.Millisecond)
	began := time.Now()
	e := failure(context.Background(), t, cat, "frail__exit", "{}")
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("the error came after %v", d)
	}
	contains(t, e.Message, `"frail"`, "exit status 3")
	if !e.OutcomeUnknown || e.Code != "server_lost" {
		t.Errorf("%+v", e)
	}
	contains(t, (<-beside).Message, `"frail"`, "exit status 3")
	wants(t, cat, "steady__echo", `{"v":1}`, `{"v":1}`)
	// It is started again, and the next call waits for that.
	second, err := call(context.Background(), t, cat, "frail__pid", "{}")
	if err != nil || show(first) == show(second) {
		t.Errorf("after the restart: %s, %v; before: %s", show(second), err, show(first))
	}
}

func TestFailureIsIsolated(t *testing.T) {
	good := (&script{Tools: []string{"echo"}}).overStdio(t)
	good.Name = "good"
	missing := Spec{Name: "missing", Command: "no-such-command-anywhere"}
	hangs := (&script{Hang: true}).overStdio(t)
	hangs.Name, hangs.Start = "hangs", 300*time.Millisecond
	floods := (&script{Flood: true}).overStdio(t)
	floods.Name = "floods"
	dies := (&script{Exit: 7, Stderr: "fatal: no licence\n"}).overStdio(t)
	dies.Name = "dies"
	nowhere := Spec{Name: "nowhere", URL: "http://127.0.0.1:1/mcp"}
	both := Spec{Name: "both", Command: "x", URL: "http://127.0.0.1:1"}
	twice := good
	twice.Command = "x"
	cat, set := mount(t, missing, hangs, floods, good, dies, nowhere, both, twice)
	wants(t, cat, "good__echo", `{"v":1}`, `{"v":1}`)
	all := strings.Join(set.Problems(), "\n")
	contains(t, all,
		`server "missing" is not connected: the command "no-such-command-anywhere" was not found`,
		`server "hangs" is not connected: it did not answer within 300ms`,
		`server "floods" is not connected: it floods its output`,
		`server "dies" is not connected: it ended (exit status 7)`,
		`server "nowhere" is not connected: nothing answers at the address`,
		`server "both" is not connected: its configuration needs exactly one of`,
		`server "good" is not connected: its configuration has the name of another server`)
	for _, st := range set.States() {
		if st.Name == "dies" {
			contains(t, strings.Join(st.Log, "\n"), "fatal: no licence")
		}
	}
}

func TestOldServerThatLeavesQuestionsOpen(t *testing.T) {
	cat, _ := mount(t, (&script{Tools: []string{"echo"}, Mute: true}).overStdio(t))
	wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
}

func TestListChanges(t *testing.T) {
	s := &script{Tools: []string{"echo", "first"}, Grow: true}
	for _, way := range []string{"stdio", "memory"} {
		t.Run(way, func(t *testing.T) {
			cat, _ := mount(t, s.everyWay()[way](t))
			if _, ok := cat.Lookup("t__grown"); ok && way == "stdio" {
				t.Fatal("it is there too early")
			}
			wants(t, cat, "t__first", `{}`, `null`)
			eventually(t, "the new tool is in the catalogue", func() bool { _, ok := cat.Lookup("t__grown"); return ok })
		})
	}
}

func TestElicitationIsSaidToBeUnsupported(t *testing.T) {
	cat, _ := mount(t, (&script{Tools: []string{"elicit"}}).overStdio(t))
	e := failure(context.Background(), t, cat, "t__elicit", "{}")
	contains(t, e.Message, "not confirmed", "elicitation", "not supported")
}

func TestProtocolErrors(t *testing.T) {
	s := &script{Tools: []string{"bad", "url"}, Errors: map[string]json.RawMessage{
		"bad": json.RawMessage(`{"code":-32602,"message":"repo is required","data":{"field":"repo"}}`),
		"url": json.RawMessage(`{"code":-32042,"message":"visit the page"}`),
	}}
	for way, make := range s.everyWay() {
		t.Run(way, func(t *testing.T) {
			cat, _ := mount(t, make(t))
			e := failure(context.Background(), t, cat, "t__bad", "{}")
			if e.Code != "invalid_arguments" || e.Message != "repo is required" || show(e.Details) != `{"field":"repo"}` {
				t.Errorf("%+v", e)
			}
			if e := failure(context.Background(), t, cat, "t__url", "{}"); e.Code != "input_required" {
				t.Errorf("%+v", e)
			}
		})
	}
}

// gate is an HTTP server in front of a script that can be told to turn requests
// away.
type gate struct {
	inner  http.Handler
	mu     sync.Mutex
	status func(r *http.Request) int
	seen   []http.Header
	count  int
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.seen = append(g.seen, r.Header.Clone())
	g.count++
	status := 0
	if g.status != nil {
		status = g.status(r)
	}
	g.mu.Unlock()
	if status != 0 {
		w.WriteHeader(status)
		return
	}
	g.inner.ServeHTTP(w, r)
}

func (g *gate) set(status func(*http.Request) int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.status, g.count = status, 0
}

func (g *gate) requests() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.count
}

func gated(t *testing.T, s *script) (*gate, Spec) {
	g := &gate{inner: s.handler(false)}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	return g, Spec{Name: "t", URL: srv.URL, Headers: map[string]string{"Authorization": "Bearer s3cr3t-token"}}
}

func only(method string, status int) func(*http.Request) int {
	return func(r *http.Request) int {
		if r.Method == method {
			return status
		}
		return 0
	}
}

func TestHTTPStatus(t *testing.T) {
	g, spec := gated(t, &script{Tools: []string{"echo", "read_echo"}})
	cat, _ := mount(t, spec)
	wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
	if h := g.seen[0].Get("Authorization"); h != "Bearer s3cr3t-token" {
		t.Errorf("the server saw %q", h)
	}
	for _, c := range []struct {
		status  int
		tool    string
		code    string
		tries   int
		unknown bool
	}{
		{http.StatusUnauthorized, "echo", "auth_expired", 1, false},
		{http.StatusTooManyRequests, "read_echo", "rate_limited", maxTries, false},
		{http.StatusTooManyRequests, "echo", "rate_limited", 1, false},
		{http.StatusServiceUnavailable, "read_echo", "unavailable", maxTries, false},
		{http.StatusBadGateway, "echo", "unavailable", 1, true},
	} {
		t.Run(fmt.Sprint(c.status, c.tool), func(t *testing.T) {
			g.set(only(http.MethodPost, c.status))
			e := failure(context.Background(), t, cat, "t__"+c.tool, "{}")
			if e.Code != c.code || e.OutcomeUnknown != c.unknown {
				t.Errorf("%+v, want %s", e, c.code)
			}
			if c.status != http.StatusUnauthorized && g.requests() != c.tries {
				t.Errorf("%d requests, want %d", g.requests(), c.tries)
			}
			if strings.Contains(e.Message, "s3cr3t") {
				t.Errorf("a secret in %q", e.Message)
			}
			g.set(nil)
			// It recovers, whatever was turned away.
			wants(t, cat, "t__echo", `{"v":2}`, `{"v":2}`)
		})
	}
}

func TestUnauthorisedFirstConnectIsTriedTwice(t *testing.T) {
	g, spec := gated(t, &script{Tools: []string{"echo"}})
	g.set(func(*http.Request) int { return http.StatusUnauthorized })
	cat, set := mount(t, spec)
	contains(t, strings.Join(set.Problems(), ""), "401")
	g.set(nil)
	eventually(t, "it is connected", func() bool { _, ok := cat.Lookup("t__echo"); return ok })
}

func TestSessionLost(t *testing.T) {
	g, spec := gated(t, &script{Tools: []string{"echo", "read_echo"}})
	cat, _ := mount(t, spec)
	lose := func() {
		lost := false
		g.set(func(r *http.Request) int {
			if r.Header.Get("Mcp-Session-Id") != "" && !lost {
				lost = true
				return http.StatusNotFound
			}
			return 0
		})
	}
	lose()
	wants(t, cat, "t__read_echo", `{"v":1}`, `{"v":1}`) // renewed and repeated, unseen
	lose()
	e := failure(context.Background(), t, cat, "t__echo", `{"v":1}`)
	contains(t, e.Message, "session lost, not retried")
	if e.OutcomeUnknown {
		t.Error("the server did not run the call")
	}
	wants(t, cat, "t__echo", `{"v":2}`, `{"v":2}`)
}

func TestHeadersStayWithTheServer(t *testing.T) {
	var other http.Header
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		other = r.Header.Clone()
		w.WriteHeader(http.StatusTeapot)
	}))
	defer elsewhere.Close()
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer here.Close()
	_, set := mount(t, Spec{Name: "moved", URL: here.URL, Headers: map[string]string{"X-Api-Key": "s3cr3t-key"}})
	if len(set.Problems()) != 1 {
		t.Error(set.Problems())
	}
	if other == nil || other.Get("X-Api-Key") != "" {
		t.Errorf("the other host saw %v", other)
	}
}

// logs collects what is logged.
type logs struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	const secret = "sk-live-0123456789"
	spec := (&script{Exit: 1, Stderr: "refused the key " + secret + "\nand " + secret[:10] + "\n", Noise: []string{secret}}).overStdio(t)
	spec.Env["API_KEY"] = secret
	var out logs
	cat := toolfn.NewCatalog()
	set := Connect(context.Background(), cat, []Spec{spec}, WithLogger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	defer set.Close()
	st := set.States()[0]
	all := fmt.Sprint(st, set.Problems())
	out.mu.Lock()
	all += out.text.String()
	out.mu.Unlock()
	if strings.Contains(all, secret) {
		t.Errorf("a secret in %s", all)
	}
	contains(t, all, "refused the key •••")
}

func TestHostVariablesAreNotPassedOn(t *testing.T) {
	t.Setenv("HOST_SECRET_OF_THE_TEST", "x")
	for _, v := range environment(map[string]string{"OWN": "1", "HOME": "/elsewhere"}) {
		if strings.HasPrefix(v, "HOST_SECRET") || strings.HasPrefix(v, "HOME=") && v != "HOME=/elsewhere" {
			t.Errorf("a server would see %s", v)
		}
	}
}

func TestConversationsDoNotShareAttachments(t *testing.T) {
	s := &script{Tools: []string{"pic"}, Results: map[string]json.RawMessage{"pic": json.RawMessage(`{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`)}}
	cat, _ := mount(t, s.inMemory(t))
	one, two := WithAttachments(context.Background(), NewAttachments()), WithAttachments(context.Background(), NewAttachments())
	v, err := call(one, t, cat, "t__pic", "{}")
	if err != nil {
		t.Fatal(err)
	}
	h := handle.FindString(show(v))
	if _, err := call(one, t, cat, "attachments__read", `{"handle":"`+h+`"}`); err != nil {
		t.Error(err)
	}
	if _, err := call(two, t, cat, "attachments__read", `{"handle":"`+h+`"}`); err == nil {
		t.Error("another conversation read it")
	}
	if v, _ := call(two, t, cat, "attachments__list", `{}`); show(v) != "[]" {
		t.Errorf("another conversation lists %s", show(v))
	}
}

func TestAttachmentsAreBounded(t *testing.T) {
	a := NewAttachments()
	for range 3 * maxAttachments {
		a.Add(Attachment{Kind: "image", Data: make([]byte, 10)})
	}
	if n := len(a.All()); n != maxAttachments {
		t.Errorf("%d are kept, want %d", n, maxAttachments)
	}
	for range 5 {
		a.Add(Attachment{Kind: "image", Data: make([]byte, maxAttachmentBytes/2)})
	}
	if n := len(a.All()); n != 2 {
		t.Errorf("%d large ones are kept, want 2", n)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	s := &script{Tools: []string{"echo", "exit"}}
	for range 3 {
		near := s.inMemory(t)
		near.Name = "near"
		cat, set := mount(t, s.overStdio(t), near)
		wants(t, cat, "t__echo", `{"v":1}`, `{"v":1}`)
		wants(t, cat, "near__echo", `{"v":1}`, `{"v":1}`)
		failure(context.Background(), t, cat, "t__exit", "{}")
		set.Close()
	}
	eventually(t, "the goroutines are gone", func() bool { return runtime.NumGoroutine() <= before+2 })
}

func TestManyCallsAtOnce(t *testing.T) {
	s := &script{Tools: []string{"echo"}}
	for way, make := range s.everyWay() {
		t.Run(way, func(t *testing.T) {
			cat, _ := mount(t, make(t))
			var group sync.WaitGroup
			for g := range 16 {
				group.Add(1)
				go func() {
					defer group.Done()
					for i := range 25 {
						args := fmt.Sprintf(`{"g":%d,"i":%d}`, g, i)
						v, err := call(context.Background(), t, cat, "t__echo", args)
						if err != nil || show(v) != args {
							t.Errorf("%s gave %s, %v", args, show(v), err)
							return
						}
					}
				}()
			}
			group.Wait()
		})
	}
}
