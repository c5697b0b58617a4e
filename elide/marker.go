package elide

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// moreItems is the marker for the elements of a list that are not shown. The
// first one says how to read on; the others are brief.
func (w *writer) moreItems(l List, n, shown int) string {
	text := fmt.Sprintf("… (+%d more of %d total", n-shown, n)
	if r := w.span(l, n); r != "" {
		text += ", " + r
	}
	if w.hinted {
		return text + ")"
	}
	w.hinted = true
	return text + " — " + w.readOn(shown, n) + ")"
}

// pathLimit is the longest advice, in bytes, that is worth its tokens.
const pathLimit = 100

func (w *writer) readOn(from, n int) string {
	if f := w.options.Style.ReadOn; f != nil {
		if s := f(w.path, from, min(n, from+w.options.Limits.Items)); s != "" && len(s) <= pathLimit {
			return s + " reads on"
		}
	}
	return w.options.Style.Hint
}

// spanLimit is how many numbers one rendering looks at for their range.
const spanLimit = 4096

// span gives the range of a list of numbers, "" for any other list or one that
// is too long to look at.
func (w *writer) span(l List, n int) string {
	if w.spanned += n; w.spanned > spanLimit {
		return ""
	}
	var low, high any
	for i := range n {
		v := l.Index(i)
		if !isNumber(v) {
			return ""
		}
		if i == 0 || less(v, low) {
			low = v
		}
		if i == 0 || less(high, v) {
			high = v
		}
	}
	return fmt.Sprintf("min %s, max %s", number(low), number(high))
}

func isNumber(v any) bool {
	switch v := v.(type) {
	case int64, float64:
		return true
	case *big.Int:
		return v.BitLen() <= 256
	}
	return false
}

func less(a, b any) bool {
	x, okx := a.(int64)
	y, oky := b.(int64)
	if okx && oky {
		return x < y
	}
	return toFloat(a) < toFloat(b)
}

func toFloat(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	}
	return 0
}

func number(v any) string {
	text, err := value.Append(nil, v)
	if err != nil {
		return "?"
	}
	return string(text)
}

// tooDeepList is the marker for a list below the last level that is shown. It
// names the fields of its objects, which is what one would look for next.
func tooDeepList(l List, n int) string {
	text := fmt.Sprintf("… (%d items, too deep", n)
	if n > 0 {
		if f := fields(l.Index(0)); f != "" {
			text += "; fields: " + f
		}
	}
	return text + ")"
}

// fieldLimit is how many field names a marker gives.
const fieldLimit = 12

func fields(v any) string {
	m, ok := asMap(v)
	if !ok {
		return ""
	}
	var names []string
	for i := range min(m.Len(), fieldLimit) {
		key, _ := m.Entry(i)
		if head, cut := prefix(key, 30); cut {
			key = head + "…"
		}
		names = append(names, key)
	}
	if m.Len() > fieldLimit {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

func asMap(v any) (Map, bool) {
	switch v := v.(type) {
	case *value.Object:
		if v == nil {
			return nil, false
		}
		return plainObject{v}, true
	case Map:
		return v, true
	}
	return nil, false
}
