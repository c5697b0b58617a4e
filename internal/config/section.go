package config

import (
	"fmt"
	"strings"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// The entries of the polyglove section and of its parts.
var (
	sectionKeys = []string{"language", "frame", "discovery", "actor", "limits", "policy", "journal", "tracing", "servers"}
	policyKeys  = []string{"read_only", "allow", "deny", "ask", "stage"}
	serverOwn   = []string{"namespace", "description", "include", "exclude", "rename", "start_ms", "call_ms", "tables", "concurrency", "rate_per_second", "burst", "idempotency_keys"}
)

// The words that frame and discovery take.
var (
	Frames      = []string{"repl", "program", "workflow"}
	Discoveries = []string{"auto", "full", "progressive"}
)

func (r *reader) polyglove(o *value.Object) {
	for key, v := range o.All() {
		switch key {
		case "language":
			r.config.Language = r.text(key, v)
		case "frame":
			r.config.Frame = r.word(key, v, Frames)
		case "discovery":
			r.config.Discovery = r.word(key, v, Discoveries)
		case "actor":
			r.config.Actor = r.text(key, v)
		case "limits":
			r.limits(v)
		case "policy":
			r.policy(v)
		case "journal":
			r.journal(v)
		case "tracing":
			r.tracing(v)
		case "servers":
			r.ownServers(v)
		default:
			r.mistake("polyglove: %s", unknown(key, sectionKeys))
		}
	}
}

func (r *reader) text(where string, v value.Value) string {
	s, ok := v.(string)
	if !ok {
		r.mistake("polyglove.%s: want a text, got %s", where, value.Kind(v))
	}
	return s
}

func (r *reader) word(where string, v value.Value, words []string) string {
	s := r.text(where, v)
	if s != "" && !in(s, words) {
		r.mistake("polyglove.%s: %s", where, unknown(s, words))
	}
	return s
}

func (r *reader) object(where string, v value.Value) *value.Object {
	o, ok := v.(*value.Object)
	if !ok {
		r.mistake("polyglove.%s: want an object, got %s", where, value.Kind(v))
	}
	return o
}

func (r *reader) list(where string, v value.Value) []string {
	list, ok := v.([]value.Value)
	if !ok {
		r.mistake("polyglove.%s: want a list of texts, got %s", where, value.Kind(v))
		return nil
	}
	texts := make([]string, 0, len(list))
	for i, v := range list {
		texts = append(texts, r.text(fmt.Sprintf("%s[%d]", where, i), v))
	}
	return texts
}

// limits sets limits by name. A limit that is unknown or not positive is a
// mistake: neither a typing error nor a zero can switch one off.
func (r *reader) limits(v value.Value) {
	for name, v := range r.object("limits", v).All() {
		n, ok := v.(int64)
		if !ok {
			r.mistake("polyglove.limits.%s: want a whole number, got %s", shown(name), value.Kind(v))
			continue
		}
		if err := r.config.Limits.Set(name, n); err != nil {
			r.mistake("polyglove.limits: %s", err)
		}
	}
	if err := r.config.Limits.Validate(); err != nil {
		r.mistake("polyglove.%s", err)
	}
}

func (r *reader) policy(v value.Value) {
	p := &r.config.Policy
	for key, v := range r.object("policy", v).All() {
		switch key {
		case "read_only":
			b, ok := v.(bool)
			if !ok {
				r.mistake("polyglove.policy.read_only: want true or false, got %s", value.Kind(v))
			}
			p.ReadOnly = b
		case "allow":
			p.Allow = r.list("policy.allow", v)
		case "deny":
			p.Deny = r.list("policy.deny", v)
		case "ask":
			p.Ask = r.list("policy.ask", v)
		case "stage":
			p.Stage = r.list("policy.stage", v)
		default:
			r.mistake("polyglove.policy: %s", unknown(key, policyKeys))
		}
	}
	if _, err := p.Build(); err != nil {
		r.mistake("polyglove.policy: %s", err)
	}
}

// ownServers applies what the section says about single servers.
func (r *reader) ownServers(v value.Value) {
	var names []string
	for i := range r.config.Servers {
		names = append(names, r.config.Servers[i].Name)
	}
	for name, v := range r.object("servers", v).All() {
		o := r.object("servers."+shown(name), v)
		if o == nil {
			continue
		}
		// Read it whole even where the server itself is missing, so that a
		// mistake is found before the server comes back.
		spare := mcptools.Spec{}
		spec := &spare
		for i := range r.config.Servers {
			if r.config.Servers[i].Name == name {
				spec = &r.config.Servers[i]
			}
		}
		if spec == &spare {
			if near, ok := sandbox.Nearest(name, names); ok {
				r.mistake("polyglove.servers: there is no server %q, did you mean %q", shown(name), near)
			} else {
				r.warn("polyglove.servers: there is no server %q", shown(name))
			}
		}
		r.ownServer(spec, name, "servers."+shown(name), o)
	}
}

func (r *reader) ownServer(spec *mcptools.Spec, name, where string, o *value.Object) {
	var limit dispatch.ServerLimit
	defer func() {
		if limit != (dispatch.ServerLimit{}) {
			if r.config.ServerLimits == nil {
				r.config.ServerLimits = map[string]dispatch.ServerLimit{}
			}
			r.config.ServerLimits[name] = limit
		}
	}()
	for key, v := range o.All() {
		at := where + "." + key
		switch key {
		case "namespace":
			spec.Namespace = r.text(at, v)
		case "description":
			spec.Description = r.text(at, v)
		case "include":
			spec.Include = r.patterns(at, v)
		case "exclude":
			spec.Exclude = r.patterns(at, v)
		case "rename":
			names := r.object(at, v)
			spec.Names = make(map[string]string, names.Len())
			for upstream, v := range names.All() {
				spec.Names[upstream] = r.text(at+"."+shown(upstream), v)
			}
		case "start_ms":
			spec.Start = r.duration(at, v)
		case "call_ms":
			spec.Call = r.duration(at, v)
		case "tables":
			r.tables(spec, at, v)
		case "concurrency":
			limit.Concurrency = int(r.count(at, v))
		case "burst":
			limit.Burst = int(r.count(at, v))
		case "rate_per_second":
			limit.Rate = r.rate(at, v)
		case "idempotency_keys":
			b, ok := v.(bool)
			if !ok {
				r.mistake("polyglove.%s: want true or false, got %s", at, value.Kind(v))
			}
			spec.IdempotencyKeys = b
		default:
			r.mistake("polyglove.%s: %s", where, unknown(key, serverOwn))
		}
	}
}

func (r *reader) patterns(where string, v value.Value) []string {
	list := r.list(where, v)
	for _, p := range list {
		if err := checkPattern(p); err != nil {
			r.mistake("polyglove.%s: %s", where, err)
		}
	}
	return list
}

func (r *reader) duration(where string, v value.Value) time.Duration {
	n, ok := v.(int64)
	if !ok || n <= 0 || n > int64(24*time.Hour/time.Millisecond) {
		r.mistake("polyglove.%s: want milliseconds as a whole number of at least 1 and at most a day", where)
		return 0
	}
	return time.Duration(n) * time.Millisecond
}

func (r *reader) rate(where string, v value.Value) float64 {
	switch n := v.(type) {
	case int64:
		if n > 0 {
			return float64(n)
		}
	case float64:
		if n > 0 && n < 1e9 {
			return n
		}
	}
	r.mistake("polyglove.%s: want a number above 0", where)
	return 0
}

// The reserved mark of an effect in a policy's list.
const effectMark = "@"

func isEffect(pattern string) (string, bool) { return strings.CutPrefix(pattern, effectMark) }
