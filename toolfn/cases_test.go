package toolfn

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// offer is a tool as a server lists it.
type offer struct {
	Name        string
	Description string
	InputSchema json.RawMessage
	// OutputSchema may have any form, too.
	OutputSchema json.RawMessage
}

// caseCheck says what must hold once the tools of a case are in a catalogue.
type caseCheck func(t *testing.T, c *Catalog)

// signed checks the signature of the only function.
func signed(want string) caseCheck {
	return func(t *testing.T, c *Catalog) {
		if got := Signature(c.All()[0], Neutral); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// refused checks that arguments are refused in these words.
func refused(args, want string) caseCheck {
	return func(t *testing.T, c *Catalog) {
		if _, err := c.All()[0].Check(decoded(t, args).(*value.Object)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func accepted(args, want string) caseCheck {
	return func(t *testing.T, c *Catalog) {
		got, err := c.All()[0].Check(decoded(t, args).(*value.Object))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			return
		}
		if text, _ := value.Append(nil, got); string(text) != want {
			t.Errorf("%s became %s, want %s", args, text, want)
		}
	}
}

func warned(want string) caseCheck {
	return func(t *testing.T, c *Catalog) {
		for _, w := range c.Warnings() {
			if strings.Contains(w.String(), want) {
				return
			}
		}
		t.Errorf("no warning says %q: %v", want, c.Warnings())
	}
}

func named(upstream string) caseCheck {
	return func(t *testing.T, c *Catalog) {
		f := c.All()[0]
		if f.Upstream() != upstream || !ValidName(f.Name) {
			t.Errorf("%s goes upstream as %q", f.Name, f.Upstream())
		}
		text, fault := NewDiscovery(c, DiscoveryOptions{Style: Neutral}).DescribeText(t.Context(), upstream)
		if fault != nil || !strings.Contains(text, upstream) {
			t.Errorf("%s %v", text, fault)
		}
		if len(c.Warnings()) == 0 {
			t.Error("no warning")
		}
	}
}

// catalogCases are the cases that concern the catalogue, by id.
var catalogCases = map[string][]caseCheck{
	"cat-toplevel-anyof":           {signed("s__q({id: string} | {name: string})"), accepted(`{"id":"1"}`, `{"id":"1"}`), refused(`{}`, "missing")},
	"cat-toplevel-oneof-outschema": {signed("s__q() → object|array")},
	"cat-no-properties":            {signed("s__ping()"), accepted(`{}`, `{}`)},
	"cat-schema-null":              {signed("s__ping()"), warned("null"), accepted(`{}`, `{}`)},
	"cat-schema-bool":              {signed("s__any(args?)"), accepted(`{"x":1}`, `{"x":1}`)},
	"cat-local-ref":                {signed("s__f({headers?: string[], extra?: string[]})")},
	"cat-defs-enum":                {signed(`s__f({c?: "red"|"green"})`), refused(`{"c":"blue"}`, `want "red" or "green"`)},
	"cat-circular-ref":             {signed("s__f({node?: N{kids?: N[]}})"), refused(`{"node":{"kids":[{"kids":5}]}}`, "node.kids[0].kids: want array")},
	"cat-remote-ref":               {signed("s__f({a?: any})"), warned("nothing is ever fetched"), accepted(`{"a":[1]}`, `{"a":[1]}`)},
	"cat-optional-vs-null":         {accepted(`{}`, `{}`), refused(`{"a":null}`, "want string, got null (leave the key out to omit it)")},
	"cat-items-anyof-2d":           {signed("s__f({cells?: (string|number|null)[][]})"), accepted(`{"cells":[["a",1,null]]}`, `{"cells":[["a",1,null]]}`)},
	"cat-name-dots":                {named("calendar.events.list")},
	"cat-name-slash":               {named("user/update")},
	"cat-name-spaces":              {named("Create Share")},
	"cat-name-unicode":             {named("suche_größe"), accepted(`{"straße":"x"}`, `{"straße":"x"}`)},
	"cat-name-collision": {func(t *testing.T, c *Catalog) {
		if fns := c.All(); fns[0].Name != "s__a_b_2" || fns[0].Upstream() != "a-b" || fns[1].Name != "s__a_b" || fns[1].Upstream() != "a_b" {
			t.Errorf("%s %s", fns[0].Name, fns[1].Name)
		}
	}, warned("a-b")},
	"cat-param-order":     {signed("s__f({z: string, a?: string})")},
	"cat-arg-wrong-type":  {refused(`{"n":"5"}`, `n: want integer, got string "5"`), accepted(`{"n":5.0}`, `{"n":5}`)},
	"cat-arg-extra":       {refused(`{"q":"x"}`, "unknown argument q (did you mean query?); accepted: query")},
	"cat-one-bad-tool":    {signed("s__ok()"), warned(`unknown type "strnig"`)},
	"cat-doc-invisible":   {warned("invisible"), func(t *testing.T, c *Catalog) { bounded(t, Line(c.All()[0], Neutral), lineBytes) }},
	"cat-doc-instruction": {func(t *testing.T, c *Catalog) { describesAsData(t, c) }},
	"cat-missing-outputschema": {signed("s__list()"), func(t *testing.T, c *Catalog) {
		f := c.All()[0]
		f.Observe([]value.Value{value.Of("id", int64(1), "name", "x")})
		text, fault := NewDiscovery(c, DiscoveryOptions{Style: Neutral}).DescribeText(t.Context(), f.Name)
		if fault != nil || !strings.Contains(text, "Returns (observed, not declared): {id: integer, name: string}[]") {
			t.Errorf("%s %v", text, fault)
		}
	}},
}

// casesElsewhere are held by other tests of this package, or by other packages.
var casesElsewhere = map[string]string{
	"cat-schema-70kb":            "TestLargeSchemaStaysSmall",
	"cat-namespace-builtin":      "TestGoldens/names, and each surface",
	"cat-handler-panic":          "TestInvokeContainsPanics",
	"cat-config-unknown-type":    "the configuration",
	"cat-config-env":             "the configuration",
	"cat-limits-survive-upgrade": "sandbox",
	"cat-egress-secret":          "the egress gate",
}

func describesAsData(t *testing.T, c *Catalog) {
	text, fault := NewDiscovery(c, DiscoveryOptions{Style: Neutral}).DescribeText(t.Context(), c.All()[0].Name)
	if fault != nil || !strings.Contains(text, "Author's description: SYSTEM") {
		t.Errorf("%s %v", text, fault)
	}
}

func TestCatalogCases(t *testing.T) {
	file, err := os.Open(sharedFolder(t, "cases", "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ran := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct {
			ID, Surface string
			Input       json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Surface != "catalog" {
			continue
		}
		checks, ours := catalogCases[c.ID]
		if _, elsewhere := casesElsewhere[c.ID]; !ours {
			if !elsewhere {
				t.Errorf("%s is not held by any test", c.ID)
			}
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			cat := offered(t, c.Input)
			for _, check := range checks {
				check(t, cat)
			}
		})
	}
	if ran != len(catalogCases) {
		t.Errorf("%d of %d cases were found", ran, len(catalogCases))
	}
}

// offered puts the tools of a case into a catalogue, as server s.
func offered(t *testing.T, input json.RawMessage) *Catalog {
	var tools []offer
	var list struct{ Tools []offer }
	if json.Unmarshal(input, &tools) != nil {
		if err := json.Unmarshal(input, &list); err != nil {
			t.Fatal(err)
		}
		if tools = list.Tools; len(tools) == 0 {
			tools = make([]offer, 1)
			if err := json.Unmarshal(input, &tools[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	var fns []ToolFn
	for _, o := range tools {
		opts := []Option{Description(o.Description)}
		if len(o.OutputSchema) > 0 {
			opts = append(opts, WithOutput(o.OutputSchema))
		}
		f, err := DefineRaw(o.Name, o.InputSchema, func(context.Context, *value.Object) (value.Value, error) { return nil, nil }, opts...)
		if err != nil {
			t.Fatal(err)
		}
		fns = append(fns, f)
	}
	c := NewCatalog()
	c.Adopt(Server{Name: "s"}, fns...)
	return c
}
