package main

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/oteltrace"
	"github.com/polyglove/polyglove/internal/config"
)

// tracing sends spans of programs and their calls to a collector.
type tracing struct {
	provider *sdk.TracerProvider
	tracer   dispatch.Tracer
}

// contentShown is how many bytes of a content the standard's own variable shows.
const contentShown = 2 << 10

// startTracing starts the tracing that a configuration or the standard variables
// of the environment ask for; nil if neither does. The configuration comes first.
//
//	OTEL_TRACES_EXPORTER=otlp, OTEL_EXPORTER_OTLP_ENDPOINT and
//	OTEL_EXPORTER_OTLP_TRACES_ENDPOINT switch it on
//	OTEL_SDK_DISABLED=true and OTEL_TRACES_EXPORTER=none switch it off
//	OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true shows contents
//
// The other variables of the OTLP exporter over HTTP, of the sampler, of the batches
// and of the resource mean what the OpenTelemetry specification says.
func startTracing(ctx context.Context, c config.Tracing, env func(string) string) (*tracing, error) {
	on, err := tracingWanted(c, env)
	if !on || err != nil {
		return nil, err
	}
	var o []otlptracehttp.Option
	if c.Endpoint != "" {
		o = append(o, otlptracehttp.WithEndpointURL(tracesAt(c.Endpoint)))
	}
	if len(c.Headers) > 0 {
		o = append(o, otlptracehttp.WithHeaders(c.Headers))
	}
	exporter, err := otlptracehttp.New(ctx, o...)
	if err != nil {
		return nil, err
	}
	return newTracing(ctx, c, env, exporter), nil
}

// tracingWanted reports whether spans are wanted. What the variables ask for and
// what is not built in is an error.
func tracingWanted(c config.Tracing, env func(string) string) (bool, error) {
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	if c.Endpoint != "" {
		return true, nil
	}
	on := env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	switch exporter := env("OTEL_TRACES_EXPORTER"); exporter {
	case "":
	case "none":
		return false, nil
	case "otlp":
		on = true
	default:
		return false, usageError("OTEL_TRACES_EXPORTER=%s: the exporters are otlp and none", clip(exporter))
	}
	protocol := env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if protocol == "" {
		protocol = env("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	if on && protocol != "" && protocol != "http/protobuf" {
		return false, usageError("the OTLP protocol %s is not built in; set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf and the endpoint to the collector's HTTP port, most often 4318", clip(protocol))
	}
	return on, nil
}

// tracesAt gives the URL for traces of a collector that is named without a path.
func tracesAt(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		return endpoint
	}
	return u.JoinPath("v1/traces").String()
}

func newTracing(ctx context.Context, c config.Tracing, env func(string) string, exporter sdk.SpanExporter) *tracing {
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attribute.String("service.name", "polyglove")), resource.WithFromEnv())
	if err != nil {
		about = resource.Default() // a variable that cannot be read costs no span
	}
	t := &tracing{provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))}
	var o []oteltrace.Option
	switch {
	case c.Content > 0:
		o = append(o, oteltrace.WithContent(c.Content))
	case strings.EqualFold(env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"), "true"):
		o = append(o, oteltrace.WithContent(contentShown))
	}
	t.tracer = oteltrace.New(t.provider, o...)
	return t
}

// lastSpans is how long the spans of the end are waited for.
const lastSpans = 5 * time.Second

// close sends what is left.
func (t *tracing) close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return errors.New("the last spans could not be sent: " + err.Error())
	}
	return nil
}

// traceOf puts the trace context of a client's request, which MCP has in _meta and
// HTTP in its headers, into the context.
func traceOf(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	carrier := propagation.MapCarrier{}
	if extra := req.GetExtra(); extra != nil {
		for _, key := range (propagation.TraceContext{}).Fields() {
			if v := extra.Header.Get(key); v != "" {
				carrier[key] = v
			}
		}
	}
	for _, key := range (propagation.TraceContext{}).Fields() {
		if v, ok := req.Params.Meta[key].(string); ok {
			carrier[key] = v
		}
	}
	return propagation.TraceContext{}.Extract(ctx, carrier)
}
