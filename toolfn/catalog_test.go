package toolfn

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

func plainFn(name string) ToolFn { return ToolFn{Name: name, Call: nothing} }

func TestRegisterIsAtomic(t *testing.T) {
	c := NewCatalog()
	if err := c.Register(plainFn("first")); err != nil {
		t.Fatal(err)
	}
	table := ResourceTable{Name: "Bad Name", Columns: []Column{{Name: "a", Type: "varchar"}, {Name: "a", Type: "text"}}}
	err := c.Register(plainFn("second"), plainFn("first"), plainFn("not-a-name"), plainFn("describe"), plainFn("third"), plainFn("third"), ToolFn{Name: "no_call"}, table)
	if err == nil {
		t.Fatal("registered")
	}
	for _, want := range []string{
		`"first" is already registered`, `"not-a-name"`, `call it "not_a_name"`, `"describe" has the name of a discovery function`, `"third" is already registered`,
		`"no_call" has no Call`, `table "Bad Name"`, `call it "bad_name"`, `unknown type "varchar"`, `column "a" appears twice`, "it has no verb",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %s: %v", want, err)
		}
	}
	if c.Len() != 1 || len(c.Tables()) != 0 {
		t.Errorf("%d functions and %d tables were added", c.Len()-1, len(c.Tables()))
	}
	if _, ok := c.Lookup("second"); ok {
		t.Error("second was added")
	}
}

func TestRegistrationErrorIsBounded(t *testing.T) {
	var items []Item
	for i := range 1000 {
		items = append(items, plainFn(fmt.Sprintf("bad-%d-%s", i, strings.Repeat("x", 500))))
	}
	err := NewCatalog().Register(items...)
	if err == nil || len(err.Error()) > 8000 || !strings.HasSuffix(err.Error(), "and 980 more") {
		t.Errorf("%d bytes: …%s", len(err.Error()), err.Error()[max(0, len(err.Error())-40):])
	}
}

func TestRegisteredFunctionsAreCopies(t *testing.T) {
	c := NewCatalog()
	f := plainFn("a__f")
	if err := c.Register(&f); err != nil {
		t.Fatal(err)
	}
	f.Description = "changed"
	got, _ := c.Lookup("a__f")
	if got.Description != "" || got.Server != "a" || got.Local() != "f" || got.Upstream() != "f" {
		t.Errorf("%+v", got)
	}
}

func TestChangesAreTold(t *testing.T) {
	c := NewCatalog()
	var told []string
	cancel := c.OnChange(func(ch Change) { told = append(told, fmt.Sprintf("%d +%v -%v", ch.Version, ch.Added, ch.Removed)) })
	if err := c.Register(plainFn("f")); err != nil {
		t.Fatal(err)
	}
	c.Adopt(Server{Name: "s"}, plainFn("a"), plainFn("b"))
	c.Adopt(Server{Name: "s"}, plainFn("b"))
	c.Withdraw("s")
	c.Withdraw("s")
	cancel()
	if err := c.Register(plainFn("g")); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 +[f] -[]", "2 +[s__a s__b] -[]", "3 +[s__b] -[s__a s__b]", "4 +[] -[s__b]"}
	if fmt.Sprint(told) != fmt.Sprint(want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if c.Version() != 5 {
		t.Errorf("version %d", c.Version())
	}
}

// TestAdoptLeavesOthersAlone adopts a server whose name the host has used for
// functions of its own.
func TestAdoptLeavesOthersAlone(t *testing.T) {
	c := NewCatalog()
	if err := c.Register(plainFn("git__log"), plainFn("other")); err != nil {
		t.Fatal(err)
	}
	c.Adopt(Server{Name: "git"}, plainFn("log"), plainFn("diff"))
	var names []string
	for _, f := range c.All() {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "git__log other git__log_2 git__diff" {
		t.Errorf("%s", got)
	}
	c.Withdraw("git")
	if c.Len() != 2 {
		t.Errorf("%d functions are left", c.Len())
	}
}

func TestInvokeContainsPanics(t *testing.T) {
	for name, c := range map[string]struct {
		raise any
		want  string
	}{
		"text":    {"boom", "f failed: boom"},
		"runtime": {fmt.Errorf("secret /path/file.go"), "f failed: an internal error of the function"},
	} {
		f := ToolFn{Name: "f", Call: func(context.Context, *value.Object) (value.Value, error) { panic(c.raise) }}
		_, err := f.Invoke(t.Context(), value.NewObject(0))
		call, ok := err.(*CallError)
		if !ok || call.Error() != c.want || !call.OutcomeUnknown {
			t.Errorf("%s: %#v", name, err)
			continue
		}
		p, ok := call.Unwrap().(*Panic)
		if !ok || len(p.Stack) == 0 || !strings.Contains(p.Error(), "catalog_test.go") {
			t.Errorf("%s: the host sees %v", name, call.Unwrap())
		}
	}
}

// TestHammer registers, adopts, withdraws, searches and checks at the same time.
func TestHammer(t *testing.T) {
	c := NewCatalog()
	if err := c.Register(manyFunctions(t, 200)...); err != nil {
		t.Fatal(err)
	}
	d := NewDiscovery(c, DiscoveryOptions{Style: Neutral, Sample: func(context.Context, *ToolFn) (value.Value, error) {
		return []value.Value{value.Of("a", int64(1))}, nil
	}})
	var work sync.WaitGroup
	each := func(do func(i int)) {
		for g := range 4 {
			work.Add(1)
			go func() {
				defer work.Done()
				for i := range 30 {
					do(g*1000 + i)
				}
			}()
		}
	}
	each(func(i int) {
		if err := c.Register(plainFn(fmt.Sprintf("new__f%d", i))); err != nil {
			t.Error(err)
		}
	})
	each(func(i int) {
		c.Adopt(Server{Name: fmt.Sprintf("srv-%d", i%3)}, plainFn("list-a"), plainFn("list_a"), ToolFn{Name: "read", Call: nothing, Effect: Effect{Impact: Read}})
		if i%5 == 0 {
			c.Withdraw(fmt.Sprintf("srv-%d", i%3))
		}
	})
	each(func(i int) {
		for _, h := range c.Search("list invoices a", 10, 0).Hits {
			if _, err := h.Function.Check(value.Of("id", "x")); err != nil && len(h.Function.Input.Properties) > 0 {
				t.Error(err)
			}
		}
		d.ServersText()
		if _, fault := d.FunctionsText(""); fault != nil {
			t.Error(fault)
		}
		for _, g := range c.Servers() {
			for _, f := range g.Functions {
				f.Observe([]value.Value{value.Of("a", "x")})
				if f.Effect.Reads() {
					if _, fault := d.DescribeText(t.Context(), f.Name); fault != nil && !strings.HasPrefix(f.Name, "srv") {
						t.Error(fault)
					}
				}
			}
		}
		c.Namespaces(nil)
		c.Warnings()
	})
	stop := c.OnChange(func(Change) { c.Len() })
	work.Wait()
	stop()
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":                           "plain text",
		"  two \n lines\t":                     "two lines",
		"list\U000e0041\u200b\u202e files":     "list files",
		"\u202eabc":                            "abc",
		"a\u200db\ufe0f\u00adc":                "abc",
		"\u3164\u2800x":                        "x",
		"über 日本":                              "über 日本",
		"bad \xff byte":                        "bad \uFFFD byte",
		"":                                     "",
		strings.Repeat("ab ", 20):              "ab ab ab ab ab ab ab ab ab…",
		strings.Repeat("ö", 28):                strings.Repeat("ö", 28),
		strings.Repeat("ö", 29):                strings.Repeat("ö", 27) + "…",
		strings.Repeat("\u200b", 5000) + "end": "…",
	} {
		if got := Plain(in, 28); got != want {
			t.Errorf("Plain(%.40q) = %q, want %q", in, got, want)
		}
	}
}
