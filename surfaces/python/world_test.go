package python_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shop is a small catalogue for tests: a bookshop with orders, readers and a
// letter box. Its effects are recorded.
type shop struct {
	mu     sync.Mutex
	sent   []string
	orders []value.Value
	under  atomic.Int32 // reads under way
	peak   atomic.Int32
}

func newShop() *shop {
	s := &shop{}
	keys := value.NewKeys("id", "reader", "title", "copies", "state")
	rows := [][]value.Value{
		{"A-1", "ann", "Emma", int64(1), "open"},
		{"A-2", "bob", "Dracula", int64(3), "sent"},
		{"A-3", "ann", "Walden", int64(2), "open"},
		{"A-4", "cy", "Ulysses", int64(1), "lost"},
	}
	for _, r := range rows {
		s.orders = append(s.orders, value.NewRow(keys, r))
	}
	return s
}

func schema(required string, properties ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range properties {
		name, kind, _ := strings.Cut(p, " ")
		s.Properties[name] = &jsonschema.Schema{Type: kind}
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	if required != "" {
		s.Required = strings.Split(required, " ")
	}
	return s
}

func text(args *value.Object, key string) string {
	v, _ := args.Get(key)
	t, _ := v.(string)
	return t
}

func (s *shop) read() func() {
	n := s.under.Add(1)
	for {
		p := s.peak.Load()
		if n <= p || s.peak.CompareAndSwap(p, n) {
			break
		}
	}
	return func() { s.under.Add(-1) }
}

// catalog registers the shop's functions.
func (s *shop) catalog() *toolfn.Catalog {
	read, write := toolfn.Effect{Impact: toolfn.Read}, toolfn.Effect{Impact: toolfn.Write}
	fn := func(name, about string, e toolfn.Effect, in *jsonschema.Schema, call func(context.Context, *value.Object) (value.Value, error)) toolfn.ToolFn {
		return toolfn.ToolFn{Name: name, Description: about, Effect: e, Input: in, Call: call}
	}
	cat := toolfn.NewCatalog()
	err := cat.Register(
		fn("shop__list_orders", "Lists orders.", read, schema("", "state string", "reader string"), func(_ context.Context, a *value.Object) (value.Value, error) {
			defer s.read()()
			out := []value.Value{}
			for _, o := range s.orders {
				row := o.(*value.Object)
				if w := text(a, "state"); w != "" && text(row, "state") != w {
					continue
				}
				if w := text(a, "reader"); w != "" && text(row, "reader") != w {
					continue
				}
				out = append(out, row)
			}
			return out, nil
		}),
		fn("shop__get_order", "Gives one order.", read, schema("id", "id string"), func(ctx context.Context, a *value.Object) (value.Value, error) {
			defer s.read()()
			for _, o := range s.orders {
				if text(o.(*value.Object), "id") == text(a, "id") {
					return o, nil
				}
			}
			return nil, &toolfn.CallError{Code: "not_found", Message: "there is no order " + text(a, "id"), Details: value.Of("id", text(a, "id"))}
		}),
		fn("shop__page", "Gives a page of orders.", read, schema("", "token string"), func(context.Context, *value.Object) (value.Value, error) {
			return value.Of("items", s.orders[:2], "next", "p2"), nil
		}),
		fn("post__send", "Sends a letter.", write, schema("to body", "to string", "body string"), func(_ context.Context, a *value.Object) (value.Value, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.sent = append(s.sent, text(a, "to")+": "+text(a, "body"))
			return value.Of("sent", true), nil
		}),
		fn("post__fail", "Always fails.", write, schema("", "why string"), func(_ context.Context, a *value.Object) (value.Value, error) {
			return nil, fmt.Errorf("the letter box is full")
		}),
		fn("sums__add", "Adds.", read, schema("a b", "a integer", "b integer"), func(_ context.Context, a *value.Object) (value.Value, error) {
			x, _ := a.Get("a")
			y, _ := a.Get("b")
			return x.(int64) + y.(int64), nil
		}),
		fn("sums__exact", "Gives a large integer.", read, schema(""), func(context.Context, *value.Object) (value.Value, error) {
			return value.Of("id", int64(9007199254740993)), nil
		}),
		fn("echo", "Gives back what it gets.", read, nil, func(_ context.Context, a *value.Object) (value.Value, error) { return a, nil }),
		fn("slow__wait", "Waits.", read, schema("ms", "ms integer"), func(ctx context.Context, a *value.Object) (value.Value, error) {
			defer s.read()()
			ms, _ := a.Get("ms")
			select {
			case <-time.After(time.Duration(ms.(int64)) * time.Millisecond):
				return ms, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}),
	)
	if err != nil {
		panic(err)
	}
	return cat
}
