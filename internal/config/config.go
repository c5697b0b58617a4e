// Package config reads the configuration of the command: the mcpServers object
// that MCP clients share, with a polyglove section beside it.
//
//	{
//	  "mcpServers": {
//	    "github": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${GITHUB_TOKEN}"}},
//	    "files":  {"command": "mcp-server-filesystem", "args": ["${PROJECT:-.}"]}
//	  },
//	  "polyglove": {
//	    "language": "js", "frame": "workflow", "discovery": "auto",
//	    "limits": {"calls": 500, "wait_ms": 20000},
//	    "policy": {"read_only": false, "deny": ["github.delete_*"], "stage": ["@write"], "ask": ["@destructive"]},
//	    "servers": {"github": {"namespace": "gh", "include": ["list_*", "get_*"], "concurrency": 4, "rate_per_second": 10}}
//	  }
//	}
//
// A server entry that cannot be used is left out and named; the others work. A
// mistake in the polyglove section is an error, because what it says about
// limits and policy must never be silently absent.
package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Config is a configuration that has been read and checked.
type Config struct {
	Servers []mcptools.Spec // in the order of the file

	Language  string // "" where it is not set
	Frame     string // repl, program or workflow; "" where it is not set
	Discovery string // auto, full or progressive; "" where it is not set
	Actor     string // on whose behalf calls are made
	Limits    sandbox.Limits
	Policy    Policy
	// ServerLimits is what single servers may be asked at most, by their name here.
	ServerLimits map[string]dispatch.ServerLimit
	Journal      Journal
	Tracing      Tracing

	// Warnings name, one by one, what was left out or ignored. They hold no
	// secret.
	Warnings []string
}

// Default is the configuration of a run without a file.
func Default() *Config { return &Config{Limits: sandbox.DefaultLimits()} }

// Load reads a configuration file.
func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the configuration %s cannot be read: %w", path, errors.Unwrap(err))
	}
	c, err := Parse(data, os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("the configuration %s: %w", path, err)
	}
	return c, nil
}

// Parse reads a configuration. Variables are looked up with env. Every mistake
// is reported, not only the first.
func Parse(data []byte, env func(string) (string, bool)) (*Config, error) {
	decoded, err := value.Decode([]byte(strings.TrimPrefix(string(data), "\uFEFF")))
	if err != nil {
		return nil, err
	}
	root, ok := decoded.(*value.Object)
	if !ok {
		return nil, fmt.Errorf("want a JSON object, got %s", value.Kind(decoded))
	}
	r := &reader{config: Default(), env: env}
	r.root(root)
	if len(r.mistakes) > 0 {
		return nil, errors.New(strings.Join(r.mistakes, "\n"))
	}
	return r.config, nil
}

// reader walks a configuration.
type reader struct {
	config   *Config
	env      func(string) (string, bool)
	mistakes []string // any of them makes the configuration unusable
}

func (r *reader) warn(format string, args ...any) {
	r.config.Warnings = append(r.config.Warnings, fmt.Sprintf(format, args...))
}

func (r *reader) mistake(format string, args ...any) {
	r.mistakes = append(r.mistakes, fmt.Sprintf(format, args...))
}

func (r *reader) root(root *value.Object) {
	own, hasOwn := root.Get("polyglove")
	if servers, ok := root.Get("mcpServers"); ok {
		if o, ok := servers.(*value.Object); ok {
			r.servers(o)
		} else {
			r.mistake("mcpServers: want an object of servers, got %s", value.Kind(servers))
		}
	}
	if hasOwn {
		if o, ok := own.(*value.Object); ok {
			r.polyglove(o)
		} else {
			r.mistake("polyglove: want an object, got %s", value.Kind(own))
		}
	}
	known := []string{"mcpServers", "polyglove"}
	for key := range root.All() {
		if key == known[0] || key == known[1] || key == "$schema" {
			continue
		}
		// A client's file holds settings of the client's own, but a near name
		// of ours is a mistake that would switch something off.
		if near, ok := sandbox.Nearest(key, known); ok {
			r.mistake("%q is not an entry of a configuration; did you mean %q", shown(key), near)
			continue
		}
		r.warn("%q is ignored; the entries read here are mcpServers and polyglove", shown(key))
	}
}

// shown bounds a text of the file's in a message.
func shown(text string) string { return sandbox.Clip(text, 80) }

// unknown reports a key that has no meaning where it stands.
func unknown(key string, known []string) string {
	if near, ok := sandbox.Nearest(key, known); ok {
		return fmt.Sprintf("%q is unknown, did you mean %q", shown(key), near)
	}
	return fmt.Sprintf("%q is unknown, known are %s", shown(key), strings.Join(known, ", "))
}
