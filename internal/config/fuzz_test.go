package config

import (
	"strings"
	"testing"
)

// FuzzParse reads any configuration: an error or a configuration, never a panic,
// limits that are valid, and never the text of an unset variable in a server.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers":{"a":{"command":"${MISSING}","args":["${TOKEN}"],"env":{"K":"${X:-y}"}}}}`,
		`{"mcpServers":{"a":{"url":"http://x/","headers":{"A":"Bearer ${TOKEN}"},"type":"sse"}},"polyglove":{"limits":{"fuel":5},"policy":{"deny":["a.*","@write"]}}}`,
		`{"polyglove":{"servers":{"a":{"include":["["],"rename":{"a":"b"},"call_ms":1}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data, environment)
		if err != nil {
			return
		}
		if err := c.Limits.Validate(); err != nil {
			t.Error(err)
		}
		for _, s := range c.Servers {
			for _, text := range append([]string{s.Command, s.URL}, s.Args...) {
				if strings.Contains(text, "${MISSING}") {
					t.Errorf("server %q would get %q", s.Name, text)
				}
			}
		}
	})
}
