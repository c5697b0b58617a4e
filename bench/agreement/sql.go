package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn/value"
)

// postgres replays SQL. The recordings are PostgreSQL's: rows as node's client reads
// them, or as the server's text.
type postgres struct{}

func (postgres) surface() surfaces.Language { return sql.Language() }

func (postgres) plain(v any) value.Value { return javascript{}.plain(v) }

func (postgres) printed(want, got string) bool { return want == got }

func (postgres) lenient(string) []reading { return nil }

var undefinedInSQL = regexp.MustCompile(`(?:relation|column) "?([^" ]+)"? (?:of relation \S+ )?does not exist`)

func (postgres) lacking(err string) string {
	if m := undefinedInSQL.FindStringSubmatch(err); m != nil {
		return m[1]
	}
	return ""
}

func (l postgres) compare(want, got value.Value) (string, bool) {
	w, ok := want.(*value.Object)
	if !ok || !w.Has("$table") {
		c := &comparison{}
		c.values("", want, got)
		return c.difference, c.reordered
	}
	fields, _ := w.Get("fields")
	names, _ := fields.([]value.Value)
	rows, _ := w.Get("rows")
	if o, ok := rows.(*value.Object); ok {
		known, _ := w.Get("reference")
		if list, ok := known.([]value.Value); ok {
			return described(value.Of("rows", list), got), true
		}
		return long(o, got), false
	}
	if w.Has("described") {
		return described(w, got), false
	}
	list, _ := rows.([]value.Value)
	if fields != nil && len(names) == 0 {
		return "", false // a statement without rows: what it did is compared by what is read later
	}
	have, ok := cells(got)
	if !ok || len(have) != len(list) {
		return fmt.Sprintf("want %d rows, got %s", len(list), brief(got)), false
	}
	if w.Has("any") {
		return "", true
	}
	if d := columnNames(names, got); d != "" {
		return d, false
	}
	return l.rows(list, have, w)
}

// rows compares rows as a bag, and then their order where the statement fixes it.
func (postgres) rows(want []value.Value, have [][]value.Value, w *value.Object) (string, bool) {
	used, inOrder := make([]bool, len(have)), true
	for i, x := range want {
		row, _ := x.([]value.Value)
		if !used[i] && sameRow(row, have[i]) {
			used[i] = true
			continue
		}
		inOrder = false
		at := -1
		for j := range have {
			if !used[j] && sameRow(row, have[j]) && !(j < len(want) && j != i && sameRow(rowAt(want, j), have[j])) {
				at = j
				break
			}
		}
		if at < 0 {
			return fmt.Sprintf("row %d: want %s, got %s", i+1, brief(x), brief(value.Value(have[i]))), false
		}
		used[at] = true
	}
	ordered, _ := w.Get("ordered")
	if !inOrder && ordered == true && !w.Has("ties") {
		return "the rows have another order", false
	}
	return "", !inOrder
}

func rowAt(rows []value.Value, i int) []value.Value {
	row, _ := rows[i].([]value.Value)
	return row
}

// cells gives the rows of a result without the names of their columns.
func cells(v value.Value) ([][]value.Value, bool) {
	list, ok := v.([]value.Value)
	if !ok {
		return nil, false
	}
	out := make([][]value.Value, len(list))
	for i, x := range list {
		o, ok := x.(*value.Object)
		if !ok {
			return nil, false
		}
		for k := range o.Len() {
			out[i] = append(out[i], o.At(k))
		}
	}
	return out, true
}

// columnNames compares the names of columns; the second of two of one name has a
// number here.
func columnNames(want []value.Value, got value.Value) string {
	list, _ := got.([]value.Value)
	if len(list) == 0 || len(want) == 0 {
		return ""
	}
	o, _ := list[0].(*value.Object)
	if o == nil || o.Len() != len(want) {
		return fmt.Sprintf("want the columns %s, got %s", brief(value.Value(want)), brief(list[0]))
	}
	for i, w := range want {
		name, _ := w.(string)
		if k := o.Key(i); k != name && !(strings.HasPrefix(k, name+"_") && slices.Contains(want[:i], w)) {
			return fmt.Sprintf("want the column %q, got %q", name, k)
		}
	}
	return ""
}

func sameRow(want, have []value.Value) bool {
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if !sameCell(want[i], have[i]) {
			return false
		}
	}
	return true
}

// sameCell compares a cell with the recorded one, which may be the server's text.
func sameCell(want, have value.Value) bool {
	if value.Equal(want, have) {
		return true
	}
	switch w := want.(type) {
	case nil:
		return false
	case []value.Value:
		h, ok := have.([]value.Value)
		return ok && sameRow(w, h)
	case *value.Object:
		h, ok := have.(*value.Object)
		if !ok || h.Len() != w.Len() {
			return false
		}
		for k, x := range w.All() {
			if y, ok := h.Get(k); !ok || !sameCell(x, y) {
				return false
			}
		}
		return true
	case string:
		return sameText(w, have)
	}
	a, okA := figure(want)
	b, okB := figure(have)
	return okA && okB && (a.Cmp(b) == 0 || closeTo(a, b, have))
}

// closeTo allows what a client loses that reads numbers as doubles.
func closeTo(a, b *big.Rat, have value.Value) bool {
	x, _ := a.Float64()
	y, _ := b.Float64()
	_, exact := have.(int64)
	return !exact && x == y
}

// figure gives a number, also one that is written as text.
func figure(v value.Value) (*big.Rat, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v), true
	case *big.Int:
		return new(big.Rat).SetInt(v), true
	case float64:
		r := new(big.Rat)
		return r, r.SetFloat64(v) != nil
	case json.Number:
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}

// sameText compares a value with the text that the server prints for it.
func sameText(want string, have value.Value) bool {
	switch h := have.(type) {
	case bool:
		return want == "t" && h || want == "f" && !h
	case string:
		a, okA := moment(want)
		b, okB := moment(h)
		return okA && okB && a.Equal(b)
	case []value.Value, *value.Object:
		if v, err := value.Decode([]byte(want)); err == nil {
			return sameCell(v, have)
		}
		list, ok := have.([]value.Value)
		return ok && sameArray(want, list)
	case float64:
		f, err := strconv.ParseFloat(want, 64)
		return err == nil && f == h
	}
	a, okA := new(big.Rat).SetString(want)
	b, okB := figure(have)
	return okA && okB && a.Cmp(b) == 0
}

// sameArray compares a list with the server's text of an array of one dimension.
func sameArray(want string, have []value.Value) bool {
	if !strings.HasPrefix(want, "{") || !strings.HasSuffix(want, "}") {
		return false
	}
	parts := elements(want[1 : len(want)-1])
	if len(parts) != len(have) {
		return false
	}
	for i, p := range parts {
		if p == "NULL" && have[i] == nil {
			continue
		}
		if p = unquoted(p); p != fmt.Sprint(have[i]) && !sameText(p, have[i]) {
			return false
		}
	}
	return true
}

// elements splits the text of an array.
func elements(text string) (parts []string) {
	if text == "" {
		return nil
	}
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

func unquoted(p string) string {
	if len(p) < 2 || p[0] != '"' {
		return p
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(p[1 : len(p)-1])
}

// moments are the forms in which times are recorded and given.
var moments = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999-07", "2006-01-02 15:04:05.999999"}

func moment(text string) (time.Time, bool) {
	for _, layout := range moments {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// long compares rows that were recorded by the hash of their JSON, in their order.
func long(o *value.Object, got value.Value) string {
	have, ok := cells(got)
	if !ok {
		return "want rows, got " + brief(got)
	}
	list := make([]value.Value, len(have))
	for i, row := range have {
		list[i] = row
	}
	n, _ := o.Get("__long__")
	hash, _ := o.Get("sha256")
	if d := digestOf(list); value.Value(int64(d.length)) != n || d.sha256 != hash {
		return fmt.Sprintf("the rows' JSON has length %d, want %v, or another hash", d.length, n)
	}
	return ""
}

// typeWords are the recorder's words for types that the server prints otherwise.
var typeWords = map[value.Value]value.Value{"timestamptz": "timestamp with time zone", "memory": "postgres"}

// described compares what is said of the catalogue: the same rows, in the columns
// that both have.
func described(w *value.Object, got value.Value) string {
	rows, _ := w.Get("rows")
	want, _ := rows.([]value.Value)
	have, ok := got.([]value.Value)
	if !ok || len(have) != len(want) {
		return fmt.Sprintf("want %d rows, got %s", len(want), brief(got))
	}
	left := slices.Clone(have)
	for _, x := range want {
		at := slices.IndexFunc(left, func(y value.Value) bool { return sameDescription(x, y) })
		if at < 0 {
			return "want the row " + brief(x) + ", got " + brief(got)
		}
		left = slices.Delete(left, at, at+1)
	}
	return ""
}

func sameDescription(want, have value.Value) bool {
	w, ok := want.(*value.Object)
	h, ok2 := have.(*value.Object)
	if !ok || !ok2 {
		return false
	}
	for k, x := range w.All() {
		y, has := h.Get(k)
		if k == "is_nullable" && x == "YES" {
			continue // here NO says too what an insert must give, and what a key is
		}
		if t, ok := typeWords[x]; ok {
			x = t
		}
		if has && x != nil && !sameCell(x, y) {
			return false
		}
	}
	return true
}
