package config

import (
	"net/url"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Tracing says where spans of programs and their calls go.
type Tracing struct {
	// Endpoint is the URL of an OpenTelemetry collector (OTLP over HTTP); "" leaves
	// it to the environment's OTEL_ variables.
	Endpoint string
	// Headers are sent along, such as a token.
	Headers map[string]string
	// Content is how many bytes of each program, argument and result are shown; 0 for
	// none.
	Content int
}

var tracingKeys = []string{"endpoint", "headers", "content_bytes"}

// mostContent bounds what a span shows of one thing.
const mostContent = 64 << 10

// tracing reads a text, which is the endpoint, or an object.
func (r *reader) tracing(v value.Value) {
	if _, ok := v.(string); ok {
		v = value.Of("endpoint", v)
	}
	t := &r.config.Tracing
	for key, v := range r.object("tracing", v).All() {
		at := "tracing." + key
		switch key {
		case "endpoint":
			t.Endpoint = r.expanded(at, v)
			if u, err := url.Parse(t.Endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				r.mistake("polyglove.%s: want the http:// or https:// URL of a collector, such as http://localhost:4318", at)
			}
		case "headers":
			t.Headers = map[string]string{}
			for name, v := range r.object(at, v).All() {
				t.Headers[name] = r.expanded(at+"."+shown(name), v)
			}
		case "content_bytes":
			n, ok := v.(int64)
			if !ok || n < 0 || n > mostContent {
				r.mistake("polyglove.%s: want a whole number from 0 to %d", at, mostContent)
				continue
			}
			t.Content = int(n)
		default:
			r.mistake("polyglove.tracing: %s", unknown(key, tracingKeys))
		}
	}
}

// expanded reads a text with variables of the environment in it.
func (r *reader) expanded(at string, v value.Value) string {
	text, _, err := Expand(r.text(at, v), r.env)
	if err != nil {
		r.mistake("polyglove.%s: %s", at, err)
	}
	return text
}
