// Package otlp sends the spans of package oteltrace to an OpenTelemetry collector,
// by OTLP over HTTP. It is apart from that package, so that whoever has a provider
// of his own pays for no exporter.
package otlp

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/polyglove/polyglove/dispatch/oteltrace"
	"github.com/polyglove/polyglove/elide"
)

// Settings are what a host decides. They come before the environment.
type Settings struct {
	// Service is the name under which spans are shown, unless the environment says
	// another.
	Service string
	// Endpoint is the URL of a collector, with or without the path for traces; ""
	// leaves it to the environment.
	Endpoint string
	// Headers are sent along.
	Headers map[string]string
	// Content is how many bytes of each content are shown; 0 leaves it to the
	// environment.
	Content int
	// Report is told of spans that could not be sent. It is the process's, as the
	// library has it; nil leaves what the process has.
	Report func(error)
}

// contentShown is how many bytes of a content the standard's own variable shows.
const contentShown = 2 << 10

// Export is a running export of spans.
type Export struct {
	provider *sdk.TracerProvider
	tracer   *oteltrace.Tracer
}

// Start starts the export that the settings or the standard variables of the
// environment ask for; nil if neither does.
//
//	OTEL_TRACES_EXPORTER=otlp, OTEL_EXPORTER_OTLP_ENDPOINT and
//	OTEL_EXPORTER_OTLP_TRACES_ENDPOINT switch it on
//	OTEL_SDK_DISABLED=true and OTEL_TRACES_EXPORTER=none switch it off
//	OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true shows contents
//
// The other variables of the OTLP exporter over HTTP, of the sampler, of the batches
// and of the resource mean what the OpenTelemetry specification says.
func Start(ctx context.Context, s Settings, env func(string) string) (*Export, error) {
	on, err := wanted(s, env)
	if !on || err != nil {
		return nil, err
	}
	var o []otlptracehttp.Option
	if s.Endpoint != "" {
		o = append(o, otlptracehttp.WithEndpointURL(tracesAt(s.Endpoint)))
	}
	if len(s.Headers) > 0 {
		o = append(o, otlptracehttp.WithHeaders(s.Headers))
	}
	exporter, err := otlptracehttp.New(ctx, o...)
	if err != nil {
		return nil, err
	}
	if s.Report != nil {
		otel.SetErrorHandler(otel.ErrorHandlerFunc(s.Report))
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attribute.String("service.name", s.Service)), resource.WithFromEnv())
	if err != nil {
		about = resource.Default() // a variable that cannot be read costs no span
	}
	e := &Export{provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))}
	var shows []oteltrace.Option
	switch {
	case s.Content > 0:
		shows = append(shows, oteltrace.WithContent(s.Content))
	case strings.EqualFold(env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"), "true"):
		shows = append(shows, oteltrace.WithContent(contentShown))
	}
	e.tracer = oteltrace.New(e.provider, shows...)
	return e, nil
}

// wanted reports whether spans are wanted. What the variables ask for and what is
// not built in is an error.
func wanted(s Settings, env func(string) string) (bool, error) {
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	if s.Endpoint != "" {
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
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER=%s: the exporters are otlp and none", elide.Middle(exporter, 60))
	}
	protocol := env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if protocol == "" {
		protocol = env("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	if on && protocol != "" && protocol != "http/protobuf" {
		return false, fmt.Errorf("the OTLP protocol %s is not built in; set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf and the endpoint to the collector's HTTP port, most often 4318", elide.Middle(protocol, 60))
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

// Tracer makes the spans.
func (e *Export) Tracer() *oteltrace.Tracer { return e.tracer }

// lastSpans is how long the spans of the end are waited for.
const lastSpans = 5 * time.Second

// Close sends what is left. It may be called on nil.
func (e *Export) Close() error {
	if e == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	if err := e.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("the last spans could not be sent: %w", err)
	}
	return nil
}
