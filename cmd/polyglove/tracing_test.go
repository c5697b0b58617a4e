package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// span is what a test looks at of one that a collector was sent.
type span struct{ service, name, trace, id, parent, content string }

// gathering is a collector.
type gathering struct {
	mu    sync.Mutex
	spans []span
	path  string
	token string
}

func (g *gathering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var req collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &req); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.path, g.token = r.URL.Path, r.Header.Get("Authorization")
	for _, of := range req.ResourceSpans {
		service := ""
		for _, a := range of.Resource.Attributes {
			if a.Key == "service.name" {
				service = a.Value.GetStringValue()
			}
		}
		for _, in := range of.ScopeSpans {
			for _, s := range in.Spans {
				own := span{service: service, name: s.Name, trace: hex(s.TraceId), id: hex(s.SpanId), parent: hex(s.ParentSpanId)}
				for _, a := range s.Attributes {
					if strings.HasPrefix(a.Key, "gen_ai.tool.call.") {
						own.content += a.Value.GetStringValue() + "|"
					}
				}
				g.spans = append(g.spans, own)
			}
		}
	}
}

func hex(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, c := range b {
		s.WriteByte(digits[c>>4])
		s.WriteByte(digits[c&15])
	}
	return s.String()
}

// named waits for a span.
func (g *gathering) named(t *testing.T, name string) span {
	t.Helper()
	for range 400 {
		g.mu.Lock()
		for _, s := range g.spans {
			if s.name == name {
				g.mu.Unlock()
				return s
			}
		}
		g.mu.Unlock()
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("no span %s came, only %+v", name, g.spans)
	return span{}
}

// A gateway sends the spans of a program and of its calls under the trace of the
// client's request, as its configuration or the environment says.
func TestTracing(t *testing.T) {
	const traceID, parentID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for _, c := range []struct {
		name, config string // of the polyglove section; URL stands for the collector
		env          []string
		service      string
		content      bool
	}{
		{"environment", `{}`, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=URL", "OTEL_EXPORTER_OTLP_HEADERS=Authorization=token", "OTEL_SERVICE_NAME=desk"}, "desk", false},
		{"configuration", `{"tracing": {"endpoint": "URL", "headers": {"Authorization": "token"}, "content_bytes": 100}}`, nil, "polyglove", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &gathering{}
			srv := httptest.NewServer(g)
			defer srv.Close()
			k := newKept(t)
			k.configure(json.RawMessage(strings.ReplaceAll(c.config, "URL", srv.URL)))
			cmd := k.command()
			cmd.Env = append(cmd.Env, "OTEL_BSP_SCHEDULE_DELAY=20")
			for _, v := range c.env {
				cmd.Env = append(cmd.Env, strings.ReplaceAll(v, "URL", srv.URL))
			}
			s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "execute_js", Arguments: json.RawMessage(`{"code": "box.send({text: \"hush\"}).number"}`),
				Meta: mcp.Meta{"traceparent": "00-" + traceID + "-" + parentID + "-01"},
			})
			if err != nil || res.IsError {
				t.Fatal(err, res)
			}
			program, letter := g.named(t, "execute_tool execute_js"), g.named(t, "execute_tool box__send")
			if program.trace != traceID || program.parent != parentID || letter.trace != traceID || letter.parent != program.id || program.service != c.service {
				t.Errorf("the spans are %+v and %+v", program, letter)
			}
			if passed, err := os.ReadFile(k.box + ".trace"); err != nil || string(passed) != "00-"+traceID+"-"+letter.id+"-01" {
				t.Errorf("the server was passed %s, %v", passed, err)
			}
			if shown := strings.Contains(program.content+letter.content, "hush"); shown != c.content {
				t.Errorf("contents are shown: %t, in %+v and %+v", shown, program, letter)
			}
			if g.path != "/v1/traces" || g.token != "token" {
				t.Errorf("the collector was asked at %s with %q", g.path, g.token)
			}
		})
	}
}
