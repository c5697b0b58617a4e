package toolfn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// manyFunctions makes n functions over n/40 servers, with descriptions and
// schemas of the usual size.
func manyFunctions(tb testing.TB, n int) []Item {
	verbs := []string{"list", "get", "search", "create", "update", "delete", "export", "archive"}
	things := []string{"pull_requests", "invoices", "customers", "deployments", "alerts", "messages", "files", "calendar_events", "tickets", "pipelines", "secrets", "dashboards"}
	schema := json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","description":"Identifier of the record."},
		"state":{"type":"string","enum":["open","closed","archived"]},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},
		"labels":{"type":"array","items":{"type":"string"}}},"required":["id"],"additionalProperties":false}`)
	items := make([]Item, 0, n)
	for i := range n {
		verb, thing := verbs[i%len(verbs)], things[i/len(verbs)%len(things)]
		f, err := DefineRaw(fmt.Sprintf("server_%d__%s_%s_%d", i/40, verb, thing, i), schema, func(context.Context, *value.Object) (value.Value, error) { return nil, nil },
			Description(fmt.Sprintf("%s %s of workspace %d, filtered by state or label. Results are ordered by creation time descending; page through large accounts with limit.", verb, thing, i)))
		if err != nil {
			tb.Fatal(err)
		}
		items = append(items, f)
	}
	return items
}

func manyCatalog(tb testing.TB, n int) *Catalog {
	c := NewCatalog()
	if err := c.Register(manyFunctions(tb, n)...); err != nil {
		tb.Fatal(err)
	}
	return c
}

func BenchmarkRegister5000(b *testing.B) {
	items := manyFunctions(b, 5000)
	b.ReportAllocs()
	for b.Loop() {
		if err := NewCatalog().Register(items...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse5000 reads 5,000 schemas, which a gateway does before it
// registers.
func BenchmarkParse5000(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		manyFunctions(b, 5000)
	}
}

var benchQueries = []string{"pull requests", "create an invoice for a customer", "open calendar events not archived", "export", "deployment alerts state label page workspace"}

// BenchmarkSearch5000 compares a ranked search with a naive scan for substrings
// over the same functions.
func BenchmarkSearch5000(b *testing.B) {
	c := manyCatalog(b, 5000)
	c.Search("warm", 1, 0)
	b.Run("ranked", func(b *testing.B) {
		i := 0
		for b.Loop() {
			c.Search(benchQueries[i%len(benchQueries)], 10, 0)
			i++
		}
	})
	b.Run("substrings", func(b *testing.B) {
		i := 0
		for b.Loop() {
			naiveSearch(c, benchQueries[i%len(benchQueries)])
			i++
		}
	})
}

func BenchmarkIndex5000(b *testing.B) {
	c := manyCatalog(b, 5000)
	for b.Loop() {
		buildIndex(1, c.All(), nil)
	}
}

func BenchmarkFunctionRows5000(b *testing.B) {
	d := NewDiscovery(manyCatalog(b, 5000), DiscoveryOptions{Style: Neutral})
	for b.Loop() {
		d.FunctionRows("")
	}
}

// naiveSearch scores functions by the query words that their lower-cased text
// contains.
func naiveSearch(c *Catalog, query string) int {
	list := strings.Fields(strings.ToLower(query))
	best, at := 0, 0
	for i, f := range c.All() {
		text := strings.ToLower(f.Name + " " + f.Description + " " + f.Server)
		score := 0
		for _, w := range list {
			if strings.Contains(text, w) {
				score += len(w)
			}
		}
		if score > best {
			best, at = score, i
		}
	}
	return at
}

func BenchmarkCheck(b *testing.B) {
	c := manyCatalog(b, 1)
	f := c.All()[0]
	args := value.Of("id", "a-17", "state", "open", "limit", int64(5))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Check(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDefined(b *testing.B) {
	type in struct {
		ID    string `json:"id"`
		State string `json:"state,omitempty"`
		Limit int    `json:"limit,omitempty"`
	}
	type out struct {
		ID    string `json:"id"`
		Count int64  `json:"count"`
	}
	f, err := Define("f", func(_ context.Context, a in) (out, error) { return out{a.ID, int64(a.Limit)}, nil })
	if err != nil {
		b.Fatal(err)
	}
	args := value.Of("id", "a-17", "state", "open", "limit", int64(5))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Invoke(b.Context(), args); err != nil {
			b.Fatal(err)
		}
	}
}
