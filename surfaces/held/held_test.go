package held_test

import (
	"fmt"
	"testing"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces/held"
)

// row is a container that a program may change.
type row struct{ items []any }

func (r *row) Len() int        { return len(r.items) }
func (r *row) Identity() any   { return r }
func (r *row) Index(i int) any { return r.items[i] }

// table is the same with names.
type table struct{ row }

func (t *table) Entry(i int) (string, any) { return fmt.Sprintf("k%d", i), t.items[i] }
func (t *table) Identity() any             { return t }

// Index hides that of row: a table is no list.
func (t *table) Index() {}

type secret struct{}

func (secret) Opaque() string { return "<secret>" }

func shown(v any) string { return elide.New(elide.Options{}).Render(v, 4096).Text }

func sample() (*row, *row) {
	inner := &row{items: []any{int64(1), "a"}}
	return &row{items: []any{inner, secret{}, &table{row{items: []any{int64(2), inner}}}}}, inner
}

const sampleText = `[[1,"a"],"<secret>",{"k0":2,"k1":[1,"a"]}]`

// A copy shows what was there, shares what was shared, and is not made of too much.
func TestCopy(t *testing.T) {
	v, inner := sample()
	c, ok := held.Copy(v, 100)
	if !ok || shown(c) != sampleText {
		t.Fatalf("%v %s", ok, shown(c))
	}
	inner.items[0] = int64(9)
	if shown(c) != sampleText {
		t.Errorf("it changed with its origin: %s", shown(c))
	}
	if _, ok := held.Copy(v, 5); ok {
		t.Error("a copy of more than its bound was made")
	}
	ring := &row{}
	ring.items = []any{ring}
	if c, ok := held.Copy(ring, 100); !ok || shown(c) != shown(ring) {
		t.Errorf("a ring is shown as %s", shown(c))
	}
}

// What is held shows the origin until it is detached, and from then on what was
// there, also through parts that were taken before.
func TestHold(t *testing.T) {
	v, inner := sample()
	h, seen := held.Hold(v)
	part := seen.(elide.List).Index(0)
	inner.items[0] = int64(7)
	if shown(part) != `[7,"a"]` {
		t.Errorf("before: %s", shown(part))
	}
	inner.items[0] = int64(1)
	h.Detach()
	inner.items = nil
	v.items = v.items[:1]
	if shown(seen) != sampleText || shown(part) != `[1,"a"]` {
		t.Errorf("after: %s, %s", shown(seen), shown(part))
	}
	h.Detach()
	if shown(seen) != sampleText {
		t.Errorf("twice: %s", shown(seen))
	}
}
