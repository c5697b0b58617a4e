package config

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn/mcptools"
	"github.com/polyglove/polyglove/toolfn/value"
)

// serverKeys are the entries of a server that are read.
var serverKeys = []string{"type", "command", "args", "env", "cwd", "url", "headers", "description", "disabled"}

func (r *reader) servers(servers *value.Object) {
	for name, v := range servers.All() {
		o, ok := v.(*value.Object)
		if !ok {
			r.warn("server %q is left out: want an object, got %s", shown(name), value.Kind(v))
			continue
		}
		e := &entry{env: r.env}
		spec, off := e.spec(name, o)
		if len(e.mistakes) > 0 {
			r.warn("server %q is left out: %s", shown(name), strings.Join(e.mistakes, "; "))
			continue
		}
		for _, w := range e.warnings {
			r.warn("server %q: %s", shown(name), w)
		}
		if !off {
			r.config.Servers = append(r.config.Servers, spec)
		}
	}
}

// entry reads one server.
type entry struct {
	env      func(string) (string, bool)
	secrets  []string
	mistakes []string
	warnings []string
}

func (e *entry) mistake(format string, args ...any) {
	e.mistakes = append(e.mistakes, fmt.Sprintf(format, args...))
}

func (e *entry) spec(name string, o *value.Object) (spec mcptools.Spec, off bool) {
	spec.Name = name
	for key := range o.All() {
		if !in(key, serverKeys) {
			e.warnings = append(e.warnings, unknownEntry(key))
		}
	}
	if v, ok := o.Get("disabled"); ok {
		if off, ok = v.(bool); !ok {
			e.mistake("disabled: want true or false, got %s", value.Kind(v))
		}
	}
	if off {
		return spec, true
	}
	kind := e.text(o, "type")
	spec.Command, spec.Dir = e.text(o, "command"), e.text(o, "cwd")
	spec.Args = e.texts(o, "args")
	spec.Env = e.table(o, "env")
	spec.URL = e.text(o, "url")
	spec.Headers = e.table(o, "headers")
	spec.Description = e.text(o, "description")
	e.transport(&spec, kind)
	spec.Secrets = e.secrets
	return spec, false
}

// unknownEntry tells what to write for an entry that other clients read.
func unknownEntry(key string) string {
	switch key {
	case "timeout":
		return `"timeout" is ignored, because clients differ about its unit; set polyglove.servers.NAME.call_ms`
	case "includeTools", "excludeTools", "disabledTools", "alwaysAllow", "autoApprove", "trust":
		return fmt.Sprintf("%q is ignored; set polyglove.servers.NAME.include and exclude, or polyglove.policy", key)
	}
	return unknown(key, serverKeys)
}

// transport checks that the entries fit the kind of server. A missing type is
// told from the entries: a command means stdio, a url means http.
func (e *entry) transport(spec *mcptools.Spec, kind string) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(kind)) {
	case "":
		if spec.Command != "" && spec.URL != "" {
			e.mistake("has both a command and a url; say which with type")
		}
	case "stdio":
		spec.URL, spec.Headers = "", nil
		if spec.Command == "" {
			e.mistake("type stdio needs a command")
		}
		return
	case "http", "streamablehttp":
		spec.Command, spec.Args, spec.Env = "", nil, nil
	case "sse":
		spec.Command, spec.Args, spec.Env = "", nil, nil
		spec.SSE = true
	default:
		e.mistake("type %q is unknown, known are stdio, http (the same as streamable-http) and sse", shown(kind))
		return
	}
	if kind != "" && spec.URL == "" {
		e.mistake("type %s needs a url", kind)
	}
	if kind == "" && spec.URL == "" && spec.Command == "" && len(e.mistakes) == 0 {
		e.mistake("needs a command or a url")
	}
}

func (e *entry) text(o *value.Object, key string) string {
	v, ok := o.Get(key)
	if !ok || v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		e.mistake("%s: want a text, got %s", key, value.Kind(v))
		return ""
	}
	return e.expand(key, s, key == "url")
}

func (e *entry) texts(o *value.Object, key string) []string {
	v, ok := o.Get(key)
	if !ok || v == nil {
		return nil
	}
	list, ok := v.([]value.Value)
	if !ok {
		e.mistake("%s: want a list of texts, got %s", key, value.Kind(v))
		return nil
	}
	texts := make([]string, 0, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			e.mistake("%s[%d]: want a text, got %s", key, i, value.Kind(v))
			continue
		}
		texts = append(texts, e.expand(fmt.Sprintf("%s[%d]", key, i), s, false))
	}
	return texts
}

func (e *entry) table(o *value.Object, key string) map[string]string {
	v, ok := o.Get(key)
	if !ok || v == nil {
		return nil
	}
	inner, ok := v.(*value.Object)
	if !ok {
		e.mistake("%s: want an object of texts, got %s", key, value.Kind(v))
		return nil
	}
	table := make(map[string]string, inner.Len())
	for name, v := range inner.All() {
		where := key + "." + shown(name)
		switch v := v.(type) {
		case string:
			table[name] = e.expand(where, v, true)
		case bool, int64, float64:
			data, err := value.Append(nil, v)
			if err != nil {
				e.mistake("%s: want a text, got %s", where, value.Kind(v))
				continue
			}
			table[name] = string(data)
		default:
			e.mistake("%s: want a text, got %s", where, value.Kind(v))
		}
	}
	return table
}

func (e *entry) expand(where, text string, secret bool) string {
	out, used, err := Expand(text, e.env)
	if err != nil {
		e.mistake("%s: %s", where, err)
		return ""
	}
	for _, u := range used {
		if secret || mcptools.LooksSecret(u.Name) {
			e.secrets = append(e.secrets, u.Value)
		}
	}
	return out
}

func in(key string, list []string) bool {
	for _, k := range list {
		if k == key {
			return true
		}
	}
	return false
}
