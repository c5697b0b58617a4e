// Package oteltrace makes OpenTelemetry spans of programs and their calls, in the
// semantic conventions for generative AI: one execute_tool span for a program and
// one below it for each call that it makes. Arguments, results and sources are
// left out unless they are asked for.
//
//	surfaces.WithTracer(oteltrace.New(otel.GetTracerProvider()))
package oteltrace

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// scope names this instrumentation.
const scope = "github.com/polyglove/polyglove/dispatch/oteltrace"

// Tracer makes spans. It is a [dispatch.ProgramTracer] and a
// [dispatch.ResultTracer].
type Tracer struct {
	tracer  trace.Tracer
	content int // bytes of each content shown; 0 for none
}

// Option sets something up in [New].
type Option func(*Tracer)

// WithContent adds what a program passes and gets, and its source, each in at
// most so many bytes. It may hold what nobody should keep.
func WithContent(most int) Option { return func(t *Tracer) { t.content = most } }

// New makes a tracer of a provider's.
func New(p trace.TracerProvider, opts ...Option) *Tracer {
	t := &Tracer{tracer: p.Tracer(scope)}
	for _, o := range opts {
		o(t)
	}
	return t
}

// StartProgram begins the span of a program.
func (t *Tracer) StartProgram(ctx context.Context, p dispatch.ProgramRecord) (context.Context, func(*sandbox.Fault)) {
	name := "execute_" + p.Language
	ctx, span := t.tracer.Start(ctx, "execute_tool "+name, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", name),
		attribute.String("gen_ai.tool.type", "function"),
		attribute.Int64("polyglove.program.id", p.ID),
		attribute.String("polyglove.program.frame", p.Frame),
	))
	if t.content > 0 && span.IsRecording() {
		span.SetAttributes(attribute.String("gen_ai.tool.call.arguments", elide.Middle(p.Source, t.content)))
	}
	if p.Actor != "" {
		span.SetAttributes(attribute.String("enduser.id", p.Actor))
	}
	return ctx, func(f *sandbox.Fault) {
		if f != nil {
			span.SetAttributes(attribute.String("error.type", string(f.Kind)))
			span.SetStatus(codes.Error, string(f.Kind))
		}
		span.End()
	}
}

// StartCall begins the span of a call.
func (t *Tracer) StartCall(ctx context.Context, r dispatch.Request) (context.Context, func(dispatch.Outcome, error)) {
	ctx, span := t.tracer.Start(ctx, "execute_tool "+r.Function.Name, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", r.Function.Name),
		attribute.String("gen_ai.tool.type", "function"),
		attribute.String("polyglove.effect", r.Function.Effect.Impact.String()),
		attribute.Int("code.line.number", r.Line),
	))
	if t.content > 0 && span.IsRecording() {
		span.SetAttributes(attribute.String("gen_ai.tool.call.arguments", t.text(r.Args)))
	}
	return ctx, func(o dispatch.Outcome, err error) {
		span.SetAttributes(attribute.String("polyglove.outcome", o.String()))
		if err != nil {
			span.SetAttributes(attribute.String("error.type", kindOf(err)))
			// The text is the server's and may hold what it was passed.
			description := ""
			if t.content > 0 {
				description = elide.Middle(err.Error(), t.content)
			}
			span.SetStatus(codes.Error, description)
		}
		span.End()
	}
}

// CallResult adds what a call gave to its span.
func (t *Tracer) CallResult(ctx context.Context, v value.Value) {
	if span := trace.SpanFromContext(ctx); t.content > 0 && span.IsRecording() {
		span.SetAttributes(attribute.String("gen_ai.tool.call.result", t.text(v)))
	}
}

func (t *Tracer) text(v value.Value) string {
	return elide.New(elide.Options{}).Render(v, t.content).Text
}

func kindOf(err error) string {
	if f, ok := err.(*sandbox.Fault); ok {
		return string(f.Kind)
	}
	return "_OTHER"
}

// Meta is the trace context of a call for the _meta of an MCP request, in the W3C
// form (traceparent, tracestate); nil if there is no trace. It is for
// mcptools.WithMeta.
func Meta(ctx context.Context) map[string]any {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	if len(carrier) == 0 {
		return nil
	}
	meta := make(map[string]any, len(carrier))
	for k, v := range carrier {
		meta[k] = v
	}
	return meta
}

// Extract puts the trace context that came with a request, in the same form, into
// a context. get gives a field of it, "" if it is not there.
func Extract(ctx context.Context, get func(key string) string) context.Context {
	carrier := propagation.MapCarrier{}
	for _, key := range (propagation.TraceContext{}).Fields() {
		if v := get(key); v != "" {
			carrier[key] = v
		}
	}
	return propagation.TraceContext{}.Extract(ctx, carrier)
}
