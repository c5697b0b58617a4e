package config

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// environment is what the configurations of the tests see.
func environment(name string) (string, bool) {
	v, ok := map[string]string{"TOKEN": "s3cr3t-token", "HOME": "/home/ann", "EMPTY": ""}[name]
	return v, ok
}

// TestConfigurations reads configurations and tells what became of them.
func TestConfigurations(t *testing.T) {
	datadriven.RunTest(t, "testdata/configurations", func(t *testing.T, d *datadriven.TestData) string {
		c, err := Parse([]byte(d.Input), environment)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		return describe(c)
	})
}

func describe(c *Config) string {
	var b strings.Builder
	for _, s := range c.Servers {
		fmt.Fprintf(&b, "server %s:", s.Name)
		field := func(name string, v any) {
			if text := fmt.Sprint(v); text != "" && text != "[]" && text != "map[]" && text != "false" && text != "0s" {
				fmt.Fprintf(&b, " %s=%s", name, text)
			}
		}
		field("command", s.Command)
		field("args", s.Args)
		field("env", s.Env)
		field("dir", s.Dir)
		field("url", s.URL)
		field("headers", s.Headers)
		field("sse", s.SSE)
		field("namespace", s.Namespace)
		field("description", s.Description)
		field("include", s.Include)
		field("exclude", s.Exclude)
		field("names", s.Names)
		field("start", s.Start)
		field("call", s.Call)
		field("keys", s.IdempotencyKeys)
		sort.Strings(s.Secrets)
		field("secrets", s.Secrets)
		b.WriteString("\n")
	}
	if c.Language+c.Frame+c.Discovery+c.Actor != "" {
		fmt.Fprintf(&b, "language %q frame %q discovery %q actor %q\n", c.Language, c.Frame, c.Discovery, c.Actor)
	}
	set, standard := reflect.ValueOf(c.Limits), reflect.ValueOf(sandbox.DefaultLimits())
	for i := range set.NumField() {
		if v := set.Field(i).Interface(); v != standard.Field(i).Interface() {
			fmt.Fprintf(&b, "limit %s %v\n", set.Type().Field(i).Name, v)
		}
	}
	if p := fmt.Sprintf("%+v", c.Policy); p != fmt.Sprintf("%+v", Policy{}) {
		fmt.Fprintf(&b, "policy %s\n", p)
	}
	if len(c.ServerLimits) > 0 {
		fmt.Fprintf(&b, "server limits %+v\n", c.ServerLimits)
	}
	if c.Journal != (Journal{}) {
		fmt.Fprintf(&b, "journal %+v\n", c.Journal)
	}
	if t := c.Tracing; t.Endpoint != "" || t.Headers != nil || t.Content != 0 {
		fmt.Fprintf(&b, "tracing %+v\n", t)
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"plain $TOKEN":      "plain $TOKEN",
		"${TOKEN}":          "s3cr3t-token",
		"a ${HOME}/${X:-b}": "a /home/ann/b",
		"${EMPTY}":          "",
		"${EMPTY:-full}":    "full",
		"${env:TOKEN}":      "s3cr3t-token",
		"${X:-}":            "",
		"${X:-${TOKEN}":     "${TOKEN",
	} {
		got, _, err := Expand(text, environment)
		if err != nil || got != want {
			t.Errorf("%s gave %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"${MISSING}":     "MISSING is not set",
		"${input:token}": "is not a variable",
		"${TOKEN":        "no closing brace",
		"${}":            "is not a variable",
		"${1A}":          "is not a variable",
	} {
		if got, _, err := Expand(text, environment); err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%s gave %q, %v; want an error with %q", text, got, err, want)
		}
	}
}

func TestPolicy(t *testing.T) {
	fn := func(name string, i toolfn.Impact) *toolfn.ToolFn {
		return &toolfn.ToolFn{Name: name, Effect: toolfn.Effect{Impact: i}}
	}
	for _, c := range []struct {
		policy Policy
		fn     *toolfn.ToolFn
		want   dispatch.Verdict
	}{
		{Policy{}, fn("a__b", toolfn.Write), dispatch.Pass},
		{Policy{ReadOnly: true}, fn("a__b", toolfn.Read), dispatch.Pass},
		{Policy{ReadOnly: true}, fn("a__b", toolfn.Write), dispatch.Deny},
		{Policy{ReadOnly: true}, fn("a__b", toolfn.Unknown), dispatch.Deny},
		{Policy{ReadOnly: true, Allow: []string{"a.b"}}, fn("a__b", toolfn.Write), dispatch.Allow},
		{Policy{ReadOnly: true, Allow: []string{"a.*"}, Deny: []string{"*.b"}}, fn("a__b", toolfn.Write), dispatch.Deny},
		{Policy{Ask: []string{"@destructive"}}, fn("a__b", toolfn.Destructive), dispatch.Ask},
		{Policy{Ask: []string{"@destructive"}}, fn("a__b", toolfn.Write), dispatch.Pass},
		{Policy{Ask: []string{"a__*"}, Allow: []string{"a__b"}}, fn("a__b", toolfn.Read), dispatch.Ask},
		{Policy{Deny: []string{"a__b"}, Ask: []string{"a__b"}}, fn("a__b", toolfn.Read), dispatch.Deny},
	} {
		p, err := c.policy.Build()
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(dispatch.Request{Function: c.fn}).Verdict; got != c.want {
			t.Errorf("%+v says %s of %s (%s), want %s", c.policy, got, c.fn.Name, c.fn.Effect.Impact, c.want)
		}
	}
}

func TestEntriesThatMatchNothing(t *testing.T) {
	cat := toolfn.NewCatalog()
	cat.Adopt(toolfn.Server{Name: "github"}, toolfn.ToolFn{Name: "delete_repo", Call: func(context.Context, *value.Object) (value.Value, error) { return nil, nil }})
	got := Policy{Deny: []string{"github.delete_repos", "@write", "github.*"}, Ask: []string{"jira.x"}}.Unmatched(cat)
	want := []string{
		`polyglove.policy.deny: "github.delete_repos" matches no function, did you mean "github.delete_repo"`,
		`polyglove.policy.ask: "jira.x" matches no function`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	if _, err := Load("/no/such/file.json"); err == nil || !strings.Contains(err.Error(), "/no/such/file.json") {
		t.Error(err)
	}
	if Default().Limits != sandbox.DefaultLimits() {
		t.Error("the default limits are not those of the sandbox")
	}
}
