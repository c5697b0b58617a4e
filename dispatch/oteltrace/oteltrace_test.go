package oteltrace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// traced runs a program of three calls and gives its spans, the program's last.
func traced(t *testing.T, opts ...Option) (spans tracetest.SpanStubs, metas []map[string]any) {
	t.Helper()
	cat := toolfn.NewCatalog()
	add := func(name string, impact toolfn.Impact, err error) {
		e := cat.Register(toolfn.ToolFn{Name: name, Effect: toolfn.Effect{Impact: impact}, Call: func(ctx context.Context, _ *value.Object) (value.Value, error) {
			metas = append(metas, Meta(ctx))
			return value.Of("secret", "hush"), err
		}})
		if e != nil {
			t.Fatal(e)
		}
	}
	add("t__read", toolfn.Read, nil)
	add("t__fails", toolfn.Write, errors.New("hush, it failed"))
	add("t__write", toolfn.Write, nil)
	out := tracetest.NewInMemoryExporter()
	p := sdk.NewTracerProvider(sdk.WithSyncer(out))
	d, err := dispatch.New(cat, dispatch.WithTracer(New(p, opts...)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := sandbox.NewMeter(t.Context(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	r := d.Begin(m, dispatch.Program{Language: "js", Source: "hush()", Actor: "ann", Frame: "repl"})
	_, _ = r.Call(dispatch.Call{Function: "t__read", Args: value.Of("password", "hush"), Line: 3})
	_, _ = r.Call(dispatch.Call{Function: "t__fails"})
	f, err := r.Start(dispatch.Call{Function: "t__read"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Wait(); err != nil {
		t.Fatal(err)
	}
	r.End(&sandbox.Fault{Kind: sandbox.KindThrown})
	return out.GetSpans(), metas
}

func get(s tracetest.SpanStub, key string) string {
	for _, a := range s.Attributes {
		if a.Key == attribute.Key(key) {
			return a.Value.String()
		}
	}
	return ""
}

func TestSpans(t *testing.T) {
	spans, metas := traced(t)
	var names []string
	for _, s := range spans {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, ", "); got != "execute_tool t__read, execute_tool t__fails, execute_tool t__read, execute_tool execute_js" {
		t.Fatalf("spans are %s", got)
	}
	program := spans[3]
	for i, s := range spans[:3] {
		if s.Parent.SpanID() != program.SpanContext.SpanID() {
			t.Errorf("%s is not below the program", s.Name)
		}
		want := fmt.Sprintf("00-%s-%s-01", s.SpanContext.TraceID(), s.SpanContext.SpanID())
		if metas[i]["traceparent"] != want {
			t.Errorf("the server is told %v, want %s", metas[i], want)
		}
	}
	for _, c := range []struct {
		span      tracetest.SpanStub
		key, want string
	}{
		{spans[0], "gen_ai.operation.name", "execute_tool"},
		{spans[0], "gen_ai.tool.name", "t__read"},
		{spans[0], "polyglove.effect", "read"},
		{spans[0], "code.line.number", "3"},
		{spans[0], "polyglove.outcome", "done"},
		{spans[1], "error.type", "capability"},
		{spans[1], "polyglove.outcome", "failed"},
		{program, "gen_ai.tool.name", "execute_js"},
		{program, "error.type", "thrown"},
		{program, "enduser.id", "ann"},
	} {
		if got := get(c.span, c.key); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.key, c.span.Name, got, c.want)
		}
	}
	if text := fmt.Sprintf("%+v", spans); strings.Contains(text, "hush") {
		t.Errorf("content is there that nobody asked for: %s", text)
	}
}

func TestContentOnRequest(t *testing.T) {
	spans, _ := traced(t, WithContent(200))
	for i, want := range map[int]string{0: "gen_ai.tool.call.arguments", 2: "gen_ai.tool.call.result", 3: "gen_ai.tool.call.arguments"} {
		if got := get(spans[i], want); !strings.Contains(got, "hush") || len(got) > 200 {
			t.Errorf("%s of %s is %q", want, spans[i].Name, got)
		}
	}
}

func TestNoTraceNoMeta(t *testing.T) {
	if m := Meta(context.Background()); m != nil {
		t.Errorf("got %v", m)
	}
	if trace.SpanContextFromContext(context.Background()).IsValid() {
		t.Error("there is a span")
	}
}
