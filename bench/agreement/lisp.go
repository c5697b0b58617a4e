package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp"
	"github.com/polyglove/polyglove/toolfn/value"
)

// clojure replays Lisp. The recordings are of Clojure; what JSON cannot say is
// tagged: {"$kw": "name"}, {"$set": []}, {"$ratio": "1/2"}, {"$num": …},
// {"$decimal": …}, {"$sym": …}, {"$char": …}, {"$var": …}, {"$class": …}.
type clojure struct{}

func (clojure) surface() surfaces.Language { return lisp.Language() }

func (clojure) plain(v any) value.Value { return javascript{}.plain(v) }

func (clojure) compare(want, got value.Value) (string, bool) {
	c := &lispComparison{}
	c.values("", want, got)
	return c.difference, c.reordered
}

// lispComparison walks two values side by side and keeps the first difference.
type lispComparison struct{ comparison }

// lispTag gives the name and the content of a tagged value.
func lispTag(v value.Value) (name string, content value.Value) {
	o, ok := v.(*value.Object)
	if !ok || o.Len() == 0 || !strings.HasPrefix(o.Key(0), "$") {
		return "", nil
	}
	return o.Key(0), o.At(0)
}

func (c *lispComparison) values(path string, want, got value.Value) {
	if c.difference != "" {
		return
	}
	if name, content := lispTag(want); name != "" {
		c.tagged(path, name, content, want, got)
		return
	}
	switch w := want.(type) {
	case []value.Value:
		g, ok := got.([]value.Value)
		if !ok || len(g) != len(w) {
			c.differ(path, want, got)
			return
		}
		for i := range w {
			c.values(fmt.Sprintf("%s[%d]", path, i), w[i], g[i])
		}
	case *value.Object:
		c.objects(path, w, got)
	default:
		if !value.Equal(want, got) && !sameNumber(want, got) {
			c.differ(path, want, got)
		}
	}
}

// sameNumber compares numbers that were written in two ways.
func sameNumber(want, got value.Value) bool {
	if n, content := lispTag(got); n == "$number" || n == "$bigint" {
		return fmt.Sprint(want) == fmt.Sprint(content)
	}
	return false
}

// ours compares what functions of the surface itself return, whose shape is ours: of
// a write what it did, of a commit how much, of a table its columns.
func (c *lispComparison) ours(path string, want *value.Object, got value.Value) bool {
	same := func(keys ...string) {
		g, ok := got.(*value.Object)
		for _, k := range keys {
			w, _ := want.Get(k)
			var v value.Value
			if ok {
				v, _ = g.Get(k)
			}
			c.values(path+"."+k, w, v)
		}
	}
	switch {
	case want.Has("op") && want.Has("resource") && want.Has("fired"):
		same("op", "resource", "fired", "count")
	case want.Has("usage") && want.Has("columns"):
		same("name", "ops")
		w, _ := want.Get("columns")
		g, ok := got.(*value.Object)
		if !ok {
			return false
		}
		v, _ := g.Get("columns")
		c.values(path+".columns", names(w), names(v))
	case want.Len() == 1 && want.Has("committed"):
		if _, ok := got.([]value.Value); !ok {
			return false
		}
	case want.Has("staged") && want.Has("value"):
		same("value")
	default:
		return false
	}
	return true
}

// names lists the names of rows.
func names(rows value.Value) value.Value {
	var out []value.Value
	list, _ := rows.([]value.Value)
	for _, r := range list {
		if o, ok := r.(*value.Object); ok {
			n, _ := o.Get("name")
			out = append(out, n)
		}
	}
	return out
}

func (c *lispComparison) objects(path string, want *value.Object, got value.Value) {
	if c.ours(path, want, got) {
		return
	}
	g, ok := got.(*value.Object)
	if name, _ := lispTag(got); !ok || name != "" || g.Len() != want.Len() {
		c.differ(path, want, got)
		return
	}
	i := 0
	for k, w := range want.All() {
		v, has := g.Get(k)
		if !has {
			c.differ(path+"."+k, w, value.Of("$absent", true))
			return
		}
		if g.Key(i) != k {
			c.reordered = true
		}
		i++
		c.values(path+"."+k, w, v)
	}
}

func (c *lispComparison) tagged(path, name string, content, want, got value.Value) {
	same := false
	switch name {
	case "$kw", "$sym", "$char", "$ratio", "$decimal":
		same = value.Equal(content, got)
	case "$num":
		same = sameNumber(content, got) || value.Equal(content, got) || fmt.Sprint(content) == fmt.Sprint(got)
	case "$set":
		c.set(path, content, got)
		return
	case "$var", "$class", "$fn", "$object":
		same = true // how an object without content shows is ours to shape
	}
	if !same {
		c.differ(path, want, got)
	}
}

// set compares without order.
func (c *lispComparison) set(path string, content, got value.Value) {
	w, _ := content.([]value.Value)
	g, ok := got.([]value.Value)
	if !ok || len(w) != len(g) {
		c.differ(path, content, got)
		return
	}
	used := make([]bool, len(g))
	for _, x := range w {
		found := false
		for i, y := range g {
			one := &lispComparison{}
			if one.values("", x, y); !used[i] && one.difference == "" {
				used[i], found = true, true
				break
			}
		}
		if !found {
			c.differ(path, content, got)
			return
		}
	}
}

func (clojure) printed(want, got string) bool {
	return strings.TrimSpace(want) == strings.TrimSpace(got)
}

func (clojure) lenient(string) []reading { return nil }

var unresolved = regexp.MustCompile(`Unable to resolve symbol: (\S+)`)

func (clojure) lacking(err string) string {
	if m := unresolved.FindStringSubmatch(err); m != nil {
		return m[1]
	}
	return ""
}
