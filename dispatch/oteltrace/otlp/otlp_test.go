package otlp

import (
	"strings"
	"testing"
)

func TestOffUnlessAskedFor(t *testing.T) {
	for _, c := range []struct {
		name     string
		endpoint string
		env      map[string]string
		on       bool
		mistake  string
	}{
		{"nothing", "", nil, false, ""},
		{"setting", "http://c:4318", nil, true, ""},
		{"endpoint", "", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, true, ""},
		{"endpoint of traces", "", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/x"}, true, ""},
		{"exporter", "", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true, ""},
		{"none", "", map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, false, ""},
		{"disabled", "http://c:4318", map[string]string{"OTEL_SDK_DISABLED": "true"}, false, ""},
		{"another exporter", "", map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, false, "the exporters are otlp and none"},
		{"another protocol", "", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, "4318"},
		{"a protocol for nothing", "", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := func(name string) string { return c.env[name] }
			e, err := Start(t.Context(), Settings{Endpoint: c.endpoint}, env)
			if (e != nil) != c.on || (err != nil) != (c.mistake != "") || err != nil && !strings.Contains(err.Error(), c.mistake) {
				t.Errorf("got %v, %v", e, err)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTracesAt(t *testing.T) {
	for endpoint, want := range map[string]string{
		"http://c:4318":            "http://c:4318/v1/traces",
		"http://c:4318/":           "http://c:4318/v1/traces",
		"https://c/otlp/v1/traces": "https://c/otlp/v1/traces",
	} {
		if got := tracesAt(endpoint); got != want {
			t.Errorf("%s: %s", endpoint, got)
		}
	}
}
