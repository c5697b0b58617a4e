package elide

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Options configure a renderer. The zero value is not usable: see [New].
type Options struct {
	Limits  Limits
	Style   Style
	Tabular bool // show lists of like objects as a header and rows
}

// Renderer renders values. It holds no state and may be shared.
type Renderer struct {
	options Options
	ladder  []Limits
}

// New makes a renderer. A limit that is not positive takes its default.
func New(o Options) *Renderer {
	d := Default()
	fill := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	fill(&o.Limits.Items, d.Items)
	fill(&o.Limits.Runes, d.Runes)
	fill(&o.Limits.Keys, d.Keys)
	fill(&o.Limits.Depth, d.Depth)
	if o.Style.Hint == "" {
		o.Style.Hint = Neutral().Hint
	}
	return &Renderer{options: o, ladder: o.Limits.tighter()}
}

// Rendered is a value as text.
type Rendered struct {
	Text     string // JSON, at most the budget
	Elided   bool   // anything was left out
	Tight    bool   // the default limits did not fit the budget
	Tabular  bool   // a list is shown as {"columns": […], "rows": […]}
	Escaped  int    // control, bidirectional and invisible characters shown as escapes
	Estimate int64  // bytes the whole value would take, an estimate
}

// Render shows v in at most budget bytes. v is a [value.Value], a view of this
// package, or a Go integer.
func (r *Renderer) Render(v any, budget int) Rendered {
	for i, l := range r.ladder {
		w := &writer{options: &r.options, limits: l, budget: budget}
		if w.value(v, 0); w.full {
			continue
		}
		return Rendered{Text: string(w.out), Elided: w.elided, Tight: i > 0, Tabular: w.tabular, Escaped: w.escaped, Estimate: int64(len(w.out)) + w.missing}
	}
	return r.summary(v, budget)
}

// summary is what is shown of a value none of whose parts fit.
func (r *Renderer) summary(v any, budget int) Rendered {
	text := "… (too large to show)"
	if n, ok := length(v); ok {
		text = fmt.Sprintf("… (%d entries, too large to show — %s)", n, r.options.Style.Hint)
	}
	for _, t := range []string{text, "… (too large to show)", "…", ""} {
		if out := value.AppendString(nil, t); len(out) <= budget {
			return Rendered{Text: string(out), Elided: true, Tight: true}
		}
	}
	return Rendered{Elided: true, Tight: true}
}

// length gives the number of entries of a container.
func length(v any) (int, bool) {
	switch v := v.(type) {
	case []value.Value:
		return len(v), true
	case *value.Object:
		return v.Len(), true
	case List:
		return v.Len(), true
	case Map:
		return v.Len(), true
	}
	return 0, false
}

// writer is one attempt at one rung of the ladder.
type writer struct {
	options *Options
	limits  Limits
	budget  int
	out     []byte
	full    bool // the budget is exceeded; the attempt is void
	elided  bool
	tabular bool
	hinted  bool // a full hint has been given; later markers are brief
	escaped int
	spanned int   // numbers looked at for a range
	missing int64 // estimated bytes left out
	path    []Step
	open    []any // identities of the containers around the current value
}

// fits reports whether the attempt goes on.
func (w *writer) fits() bool {
	if len(w.out) > w.budget {
		w.full = true
	}
	return !w.full
}

func (w *writer) value(v any, depth int) {
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int64:
		w.out = strconv.AppendInt(w.out, v, 10)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case float64:
		w.out = value.AppendFloat(w.out, v)
	case *big.Int:
		w.bigInteger(v)
	case json.Number:
		w.digits(string(v))
	case string:
		w.text(plainText(v))
	case Opaque:
		w.opaque(v)
	case Text:
		w.text(v)
	case []value.Value:
		w.list(plainList(v), depth)
	case *value.Object:
		if v == nil {
			w.out = append(w.out, "null"...)
			break
		}
		w.object(plainObject{v}, depth)
	case List:
		w.list(v, depth)
	case Map:
		w.object(v, depth)
	default:
		w.string("#<value>")
	}
	w.fits()
}

// enter guards a container against cycles and depth; leave must follow if it
// reports true.
func (w *writer) enter(v any, depth int, tooDeep string) bool {
	if depth >= w.limits.Depth {
		w.elided = true
		w.string(tooDeep)
		return false
	}
	id := identity(v)
	for _, o := range w.open {
		if id != nil && o == id {
			w.elided = true
			w.string("… (cycle)")
			return false
		}
	}
	w.open = append(w.open, id)
	return true
}

func (w *writer) leave() { w.open = w.open[:len(w.open)-1] }

func identity(v any) any {
	switch v := v.(type) {
	case Identity:
		return v.Identity()
	case plainObject:
		return v.o
	}
	return nil // a Go slice of plain data cannot hold itself unless an object does
}

func (w *writer) list(l List, depth int) {
	n := l.Len()
	if !w.enter(l, depth, tooDeepList(l, n)) {
		w.missing += int64(n) * 16
		return
	}
	defer w.leave()
	if w.options.Tabular && w.table(l, n, depth) {
		return
	}
	shown := min(n, w.limits.Items)
	start := len(w.out)
	w.out = append(w.out, '[')
	for i := range shown {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.step(Step{Index: i, IsIndex: true}, l.Index(i), depth+1)
		if w.full {
			return
		}
	}
	w.more(l, n, shown, len(w.out)-start)
	w.out = append(w.out, ']')
}

// more writes the marker for the elements of a list that are not shown.
func (w *writer) more(l List, n, shown, bytes int) {
	if shown == n {
		return
	}
	w.elided = true
	w.missing += int64(bytes) / int64(max(1, shown)) * int64(n-shown)
	if shown > 0 {
		w.out = append(w.out, ',')
	}
	w.string(w.moreItems(l, n, shown))
}

// step writes a part of a container with the way to it extended.
func (w *writer) step(s Step, v any, depth int) {
	w.path = append(w.path, s)
	w.value(v, depth)
	w.path = w.path[:len(w.path)-1]
}

func (w *writer) object(m Map, depth int) {
	n := m.Len()
	if !w.enter(m, depth, "… (nested value, too deep)") {
		w.missing += int64(n) * 24
		return
	}
	defer w.leave()
	start := len(w.out)
	w.out = append(w.out, '{')
	chosen := chooseMembers(m, n, w.limits.Keys)
	for i, at := range chosen {
		key, v := m.Entry(at)
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.key(key)
		w.step(Step{Key: key}, v, depth+1)
		if w.full {
			return
		}
	}
	if len(chosen) < n {
		w.elided = true
		w.missing += int64(len(w.out)-start) / int64(max(1, len(chosen))) * int64(n-len(chosen))
		w.out = append(w.out, `,"…":`...)
		w.string(fmt.Sprintf("(+%d more keys of %d)", n-len(chosen), n))
	}
	w.out = append(w.out, '}')
}

func (w *writer) key(k string) {
	if head, cut := prefix(k, keyRunes); cut {
		w.elided = true
		k = head + "…"
	}
	w.string(k)
	w.out = append(w.out, ':')
}

// plainText, plainList and plainObject view plain data.
type plainText string

// countLimit is the size in bytes up to which code points are counted.
const countLimit = 1 << 20

func (s plainText) Len() int {
	if len(s) > countLimit {
		return len(s)
	}
	return utf8.RuneCountInString(string(s))
}

func (s plainText) Prefix(n int) string {
	head, _ := prefix(string(s), n)
	return head
}

type plainList []value.Value

func (l plainList) Len() int        { return len(l) }
func (l plainList) Index(i int) any { return l[i] }

type plainObject struct{ o *value.Object }

func (p plainObject) Len() int                  { return p.o.Len() }
func (p plainObject) Entry(i int) (string, any) { return p.o.Key(i), p.o.At(i) }
