package elide

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/toolfn/value"
)

// javascript is the style the vectors are shown in.
var javascript = Style{
	ReadOn: func(path []Step, from, to int) string {
		s := "_"
		for _, p := range path {
			if p.IsIndex {
				s += fmt.Sprintf("[%d]", p.Index)
			} else {
				s += "." + p.Key
			}
		}
		return fmt.Sprintf("%s.slice(%d, %d)", s, from, to)
	},
	Hint: "use .length or .slice(0, n)",
}

// TestVectors renders what each line describes: a JSON text, or `make NAME N`.
func TestVectors(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			budget := 16 << 10
			d.MaybeScanArgs(t, "budget", &budget)
			o := Options{Style: javascript, Tabular: d.HasArg("tabular")}
			var v any
			switch d.Cmd {
			case "json":
				var err error
				if v, err = value.Decode([]byte(d.Input)); err != nil {
					t.Fatal(err)
				}
			case "make":
				v = build(t, d.Input)
			default:
				t.Fatalf("unknown command %s", d.Cmd)
			}
			r := New(o).Render(v, budget)
			if len(r.Text) > budget {
				t.Fatalf("%d bytes exceed the budget of %d", len(r.Text), budget)
			}
			if r.Text != "" {
				if _, err := value.Decode([]byte(r.Text)); err != nil {
					t.Fatalf("%s: not JSON: %v", r.Text, err)
				}
			}
			flags := ""
			for _, f := range []struct {
				on   bool
				name string
			}{{r.Elided, "elided"}, {r.Tight, "tight"}, {r.Tabular, "tabular"}, {r.Escaped > 0, "escaped"}} {
				if f.on {
					flags += " " + f.name
				}
			}
			return fmt.Sprintf("%s\n(%d bytes%s)\n", wrap(r.Text), len(r.Text), flags)
		})
	})
}

// wrap breaks long text so that the files stay readable.
func wrap(s string) string {
	const width = 160
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == width {
			b.WriteString("⏎\n")
			n = 0
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// build makes a value from a small description: NAME N [TEXT].
func build(t *testing.T, input string) any {
	var name, text string
	var n int
	if _, err := fmt.Sscan(input, &name, &n, &text); err != nil && text != "" {
		t.Fatal(err)
	}
	switch name {
	case "numbers":
		l := make([]value.Value, n)
		for i := range l {
			l[i] = int64(i * 7 % 1000)
		}
		return l
	case "string":
		return strings.Repeat(text, n)
	case "nested":
		var v value.Value = "leaf"
		for range n {
			v = []value.Value{v}
		}
		return v
	case "nested-objects":
		var v value.Value = "leaf"
		for range n {
			v = value.Of("in", v)
		}
		return v
	case "keys":
		o := value.NewObject(n)
		for i := range n {
			o.Set(fmt.Sprintf("k%d", i), int64(i))
		}
		return o
	case "record-keys":
		o := value.NewObject(n)
		for i := range n {
			o.Set(fmt.Sprintf("k%d", i), int64(i))
		}
		o.Set("id", "last")
		return o
	case "rows":
		l := make([]value.Value, n)
		for i := range l {
			l[i] = value.Of("id", int64(i), "title", strings.Repeat(text, 20), "tags", []value.Value{"a", "b"})
		}
		return l
	case "cycle":
		o := value.NewObject(1)
		o.Set("n", int64(1))
		o.Set("self", o)
		return o
	case "shared":
		var v value.Value = "x"
		for range n {
			v = []value.Value{v, v}
		}
		return v
	case "key":
		return value.Of(strings.Repeat(text, n), int64(1))
	case "bigint":
		return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	case "nonfinite":
		return []value.Value{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e21, 0.1}
	case "lazy":
		return endless(n)
	case "opaque":
		return []any{function{}, function{}}
	}
	t.Fatalf("unknown value %s", name)
	return nil
}

// endless is a list that counts how often it is read.
type endless int

func (e endless) Len() int        { return int(e) }
func (e endless) Index(i int) any { return value.Of("id", int64(i), "inner", endless(e/2)) }

type function struct{}

func (function) Opaque() string { return "#<fn>" }

// counting counts the reads of a list of lists.
type counting struct {
	n     int
	reads *int
}

func (c counting) Len() int { return c.n }
func (c counting) Index(i int) any {
	*c.reads++
	return counting{c.n, c.reads}
}

func TestWorkIsBoundedByTheBudget(t *testing.T) {
	reads := 0
	r := New(Options{}).Render(counting{1 << 30, &reads}, 16<<10)
	if !r.Elided || reads > 200_000 {
		t.Fatalf("%d elements were read to write %d bytes", reads, len(r.Text))
	}
}

func TestMiddle(t *testing.T) {
	for n := range 200 {
		text := strings.Repeat("é", 300)
		got := Middle(text, n)
		if len(got) > n {
			t.Fatalf("%d bytes for a limit of %d", len(got), n)
		}
		if strings.ContainsRune(got, '\uFFFD') || !validUTF8(got) {
			t.Fatalf("limit %d cuts a code point: %q", n, got)
		}
	}
	if got := Middle("short", 100); got != "short" {
		t.Fatalf("got %q", got)
	}
}

func validUTF8(s string) bool { return strings.ToValidUTF8(s, "?") == s }

func TestLines(t *testing.T) {
	l := NewLines(LineLimits{Runes: 10, Lines: 3, Bytes: 40})
	for _, s := range []string{"a", strings.Repeat("é", 11), "c", "d", "e"} {
		l.Add(s)
	}
	got := strings.Join(l.Kept(), "\n")
	want := "a\n" + strings.Repeat("é", 10) + "… (11 chars tot…"
	if !strings.HasPrefix(got, "a\n"+strings.Repeat("é", 10)+"…") || !strings.HasSuffix(got, "more lines not shown)") {
		t.Fatalf("got %q, want it to begin with %q", got, want)
	}
	l = NewLines(DefaultLines())
	for range 1000 {
		l.Add(strings.Repeat("x", 5000))
	}
	total := 0
	for _, s := range l.Kept() {
		total += len(s)
	}
	if total > 9<<10 {
		t.Fatalf("%d bytes were kept", total)
	}
}

// FuzzBudget makes an arbitrary value from bytes and shows it in an arbitrary
// budget: the text is never longer, is JSON, and is whole unless marked.
func FuzzBudget(f *testing.F) {
	f.Add([]byte{5, 200, 3, 1, 2, 3}, uint16(512), false)
	f.Add([]byte("[[[[[[[[[[{{{{{{{{ssssssssss"), uint16(64), true)
	f.Add([]byte{4, 255, 4, 255, 4, 255, 4, 255, 3, 255, 255}, uint16(16384), true)
	f.Fuzz(func(t *testing.T, data []byte, budget uint16, tabular bool) {
		g := &generator{data: data, nodes: 5000}
		v := g.value(0)
		r := New(Options{Style: javascript, Tabular: tabular}).Render(v, int(budget))
		if len(r.Text) > int(budget) {
			t.Fatalf("%d bytes exceed the budget of %d", len(r.Text), budget)
		}
		if budget < 2 {
			return
		}
		back, err := value.Decode([]byte(r.Text))
		if err != nil {
			t.Fatalf("not JSON: %v\n%s", err, r.Text)
		}
		if r.Elided || r.Tabular {
			return
		}
		whole, err := value.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := value.Decode(whole)
		if err != nil {
			t.Fatal(err)
		}
		if !value.Equal(back, want) {
			t.Fatalf("shown without a marker, yet changed:\n%s\n%s", r.Text, whole)
		}
	})
}

type generator struct {
	data  []byte
	nodes int
}

func (g *generator) byte() byte {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return b
}

func (g *generator) value(depth int) value.Value {
	if g.nodes--; g.nodes < 0 || depth > 40 {
		return nil
	}
	switch g.byte() % 8 {
	case 0:
		return nil
	case 1:
		return int64(g.byte()) << (g.byte() % 56)
	case 2:
		return math.Float64frombits(uint64(g.byte())<<56 | uint64(g.byte())<<48 | uint64(g.byte()))
	case 3:
		n := int(g.byte()) * int(g.byte()%20)
		return strings.Repeat(string(rune(g.byte())*rune(g.byte())), n)
	case 4, 5:
		l := make([]value.Value, g.byte())
		for i := range l {
			l[i] = g.value(depth + 1)
		}
		return l
	case 6:
		n := int(g.byte())
		o := value.NewObject(n)
		for i := range n {
			o.Set(fmt.Sprintf("%s%d", strings.Repeat("k", int(g.byte())), i%7), g.value(depth+1))
		}
		return o
	}
	return new(big.Int).Lsh(big.NewInt(int64(g.byte())), uint(g.byte())*64)
}
