package mcptools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// script is a server told what to answer, byte for byte. It does what no
// library lets a server do: send odd content, repeat cursors, print noise, die.
type script struct {
	Instructions string
	Pages        []page                     // the list of tools; the cursor is the page's number
	Tools        []string                   // one page of plain tools, if Pages is empty
	Results      map[string]json.RawMessage // what a tool answers
	Errors       map[string]json.RawMessage // protocol errors
	Noise        []string                   // lines printed at the start and before each answer
	Grow         bool                       // a tool appears after the first call, with a note
	Mute         bool                       // questions it does not know get no answer
	Hang         bool                       // nothing gets an answer
	Flood        bool                       // it prints without end
	Exit         int                        // it ends at once with this status
	Stderr       string                     // printed at the start

	mu        sync.Mutex
	calls     int
	cancelled []string
	running   map[string]chan struct{}
}

type page struct {
	Tools []json.RawMessage `json:"tools"`
	Next  string            `json:"nextCursor,omitempty"`
}

const scriptVariable = "POLYGLOVE_TEST_SCRIPT"

// TestMain makes the test binary a server when a test starts it as one.
func TestMain(m *testing.M) {
	if text := os.Getenv(scriptVariable); text != "" {
		s := &script{}
		if err := json.Unmarshal([]byte(text), s); err != nil {
			panic(err)
		}
		s.stdio()
		return
	}
	os.Exit(m.Run())
}

// reply answers one message. send is safe to call later and from any goroutine.
func (s *script) reply(m jsonrpc.Message, send func(jsonrpc.Message)) {
	req, ok := m.(*jsonrpc.Request)
	if !ok || s.Hang {
		return
	}
	if !req.IsCall() {
		if req.Method == "notifications/cancelled" {
			var p struct{ RequestID any }
			_ = json.Unmarshal(req.Params, &p)
			s.cancel(fmt.Sprint(p.RequestID))
		}
		return
	}
	result, err := s.answer(req, send)
	if result == nil && err == nil {
		return
	}
	r := &jsonrpc.Response{ID: req.ID, Result: result}
	if err != nil {
		r.Error = err
	}
	send(r)
}

func (s *script) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled = append(s.cancelled, id)
	if stop := s.running[id]; stop != nil {
		close(stop)
		delete(s.running, id)
	}
}

func (s *script) answer(req *jsonrpc.Request, send func(jsonrpc.Message)) (json.RawMessage, error) {
	switch req.Method {
	case "initialize":
		return encode(map[string]any{
			"protocolVersion": older, "serverInfo": map[string]string{"name": "script", "version": "1"},
			"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}, "resources": map[string]any{}},
			"instructions": s.Instructions,
		}), nil
	case "tools/list":
		return s.list(req)
	case "tools/call":
		return s.call(req, send)
	case "resources/read":
		return json.RawMessage(`{"contents":[{"uri":"x://linked","mimeType":"text/plain","text":"linked text"}]}`), nil
	case "ping":
		return json.RawMessage(`{}`), nil
	}
	if s.Mute {
		return nil, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "unknown method"}
}

func (s *script) list(req *jsonrpc.Request) (json.RawMessage, error) {
	var p struct{ Cursor string }
	_ = json.Unmarshal(req.Params, &p)
	if len(s.Pages) == 0 {
		return encode(s.plain()), nil
	}
	i, _ := strconv.Atoi(p.Cursor)
	return encode(s.Pages[i%len(s.Pages)]), nil
}

// plain is one page of the named tools.
func (s *script) plain() page {
	names := s.Tools
	s.mu.Lock()
	if s.Grow && s.calls > 0 {
		names = append(names[:len(names):len(names)], "grown")
	}
	s.mu.Unlock()
	p := page{Tools: []json.RawMessage{}}
	for _, n := range names {
		hint := "false"
		if strings.HasPrefix(n, "read") {
			hint = "true"
		}
		p.Tools = append(p.Tools, json.RawMessage(`{"name":`+strconv.Quote(n)+`,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":`+hint+`}}`))
	}
	return p
}

func (s *script) call(req *jsonrpc.Request, send func(jsonrpc.Message)) (json.RawMessage, error) {
	var p struct {
		Name      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal(req.Params, &p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.calls++
	calls := s.calls
	s.mu.Unlock()
	if e, ok := s.Errors[p.Name]; ok {
		rpc := &jsonrpc.Error{}
		_ = json.Unmarshal(e, rpc)
		return nil, rpc
	}
	switch p.Name {
	case "exit":
		os.Exit(3)
	case "echo", "read_echo":
		return structured(p.Arguments), nil
	case "name":
		return structured(encode(map[string]string{"name": p.Name})), nil
	case "pid":
		return structured(encode(map[string]int{"pid": os.Getpid()})), nil
	case "cancelled":
		s.mu.Lock()
		defer s.mu.Unlock()
		return structured(encode(map[string]any{"ids": append([]string{}, s.cancelled...)})), nil
	case "slow", "read_slow":
		s.slow(req, p.Arguments, send)
		return nil, nil
	case "elicit":
		id, _ := jsonrpc.MakeID("ask-" + strconv.Itoa(calls))
		send(&jsonrpc.Request{ID: id, Method: "elicitation/create", Params: json.RawMessage(`{"message":"sure?","requestedSchema":{"type":"object"}}`)})
		time.Sleep(50 * time.Millisecond)
		return json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"not confirmed"}]}`), nil
	}
	if s.Grow && calls == 1 {
		defer send(&jsonrpc.Request{Method: "notifications/tools/list_changed"})
	}
	if r, ok := s.Results[p.Name]; ok {
		return r, nil
	}
	return json.RawMessage(`{"content":[]}`), nil
}

// slow answers later, unless it is cancelled.
func (s *script) slow(req *jsonrpc.Request, args json.RawMessage, send func(jsonrpc.Message)) {
	var p struct{ MS int }
	_ = json.Unmarshal(args, &p)
	stop := make(chan struct{})
	s.mu.Lock()
	if s.running == nil {
		s.running = map[string]chan struct{}{}
	}
	s.running[fmt.Sprint(req.ID.Raw())] = stop
	s.mu.Unlock()
	go func() {
		select {
		case <-time.After(time.Duration(p.MS) * time.Millisecond):
			send(&jsonrpc.Response{ID: req.ID, Result: structured(encode(map[string]int{"ms": p.MS}))})
		case <-stop:
		}
	}()
}

func structured(v json.RawMessage) json.RawMessage {
	return json.RawMessage(`{"content":[],"structuredContent":` + string(v) + `}`)
}

func encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// stdio serves over the standard streams.
func (s *script) stdio() {
	fmt.Fprint(os.Stderr, s.Stderr)
	if s.Exit != 0 {
		os.Exit(s.Exit)
	}
	for s.Flood {
		fmt.Println(strings.Repeat("noise ", 1000))
	}
	var mu sync.Mutex
	noise := func() {
		for _, line := range s.Noise {
			fmt.Println(line)
		}
	}
	noise()
	send := func(m jsonrpc.Message) {
		mu.Lock()
		defer mu.Unlock()
		noise()
		data, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(data))
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if m, e := jsonrpc.DecodeMessage(line); e == nil {
			s.reply(m, send)
		}
		if err != nil {
			return
		}
	}
}

// The three ways to reach a script.

func (s *script) overStdio(t *testing.T) Spec {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The race detector would sleep for a second at each server's end.
	return Spec{Name: "t", Command: exe, Env: map[string]string{scriptVariable: string(encode(s)), "GORACE": "atexit_sleep_ms=0", "GOCOVERDIR": t.TempDir()}}
}

func (s *script) inMemory(*testing.T) Spec {
	return Spec{Name: "t", Dial: func(context.Context) (mcp.Transport, error) {
		ours, theirs := mcp.NewInMemoryTransports()
		c, err := theirs.Connect(context.Background())
		if err != nil {
			return nil, err
		}
		go func() {
			defer c.Close()
			for {
				m, err := c.Read(context.Background())
				if err != nil {
					return
				}
				s.reply(m, func(m jsonrpc.Message) { _ = c.Write(context.Background(), m) })
			}
		}()
		return ours, nil
	}}
}

// overHTTP serves answers as documents, or as events where events is set.
func (s *script) overHTTP(events bool) func(*testing.T) Spec {
	return func(t *testing.T) Spec {
		srv := httptest.NewServer(s.handler(events))
		t.Cleanup(srv.Close)
		return Spec{Name: "t", URL: srv.URL}
	}
}

func (s *script) handler(events bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, _ := io.ReadAll(r.Body)
		m, err := jsonrpc.DecodeMessage(body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		req, ok := m.(*jsonrpc.Request)
		if !ok || !req.IsCall() {
			s.reply(m, nil)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if req.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "one")
		}
		answers := make(chan []byte, 8)
		s.reply(m, func(m jsonrpc.Message) {
			data, _ := jsonrpc.EncodeMessage(m)
			answers <- data
		})
		w.Header().Set("Content-Type", "application/json")
		if events {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
		}
		for {
			var data []byte
			select {
			case data = <-answers:
			case <-r.Context().Done():
				return
			}
			if events {
				// Split over two data lines where JSON allows it, as servers may.
				i := bytes.IndexByte(data, ',') + 1
				fmt.Fprintf(w, ": comment\nevent: message\ndata: %s\ndata: %s\n\n", data[:i], data[i:])
				w.(http.Flusher).Flush()
			} else if _, err := w.Write(data); err != nil {
				return
			}
			if m, err := jsonrpc.DecodeMessage(data); err == nil {
				if _, done := m.(*jsonrpc.Response); done {
					return
				}
			}
		}
	}
}

// everyWay are the transports that a test of results runs over.
func (s *script) everyWay() map[string]func(*testing.T) Spec {
	return map[string]func(*testing.T) Spec{
		"stdio": s.overStdio, "memory": s.inMemory, "http": s.overHTTP(false), "events": s.overHTTP(true),
	}
}
