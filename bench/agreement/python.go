package main

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
	"github.com/polyglove/polyglove/toolfn/value"
)

// cpython replays Python. The recordings are CPython's, with values as json.dumps
// writes them: tuples and sets as lists, keys as text. What JSON cannot say is
// recorded as repr, and compared with the text that stands for it here.
type cpython struct{}

func (cpython) surface() surfaces.Language { return python.Language() }

func (l cpython) plain(v any) value.Value { return l.plainAt(v, 0) }

func (l cpython) plainAt(v any, depth int) value.Value {
	if depth > value.MaxDepth {
		return value.Of("$deep", true)
	}
	switch v := v.(type) {
	case json.Number: // a whole float is spelled with its point
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return string(v)
		}
		return f
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return value.Of("$opaque", strconv.FormatFloat(v, 'g', -1, 64))
		}
		return v
	case []value.Value:
		list := make([]value.Value, len(v))
		for i, e := range v {
			list[i] = l.plainAt(e, depth+1)
		}
		return list
	case *value.Object:
		o := value.NewObject(v.Len())
		for k, e := range v.All() {
			o.Set(k, l.plainAt(e, depth+1))
		}
		return o
	case elide.Opaque:
		return value.Of("$opaque", v.Opaque())
	case elide.Text:
		return v.Prefix(v.Len())
	case elide.List:
		list := make([]value.Value, v.Len())
		for i := range list {
			list[i] = l.plainAt(v.Index(i), depth+1)
		}
		return list
	case elide.Map:
		o := value.NewObject(v.Len())
		for i := range v.Len() {
			k, e := v.Entry(i)
			o.Set(k, l.plainAt(e, depth+1))
		}
		return o
	}
	return v
}

func (cpython) compare(want, got value.Value) (string, bool) {
	if o, ok := want.(*value.Object); ok && o.Len() > 0 && o.Key(0) == "$repr" {
		text, _ := o.At(0).(string)
		if have := reprOf(got); brackets.Replace(have) != brackets.Replace(defaults.ReplaceAllString(text, "$1")) {
			return fmt.Sprintf("want %s, got %s", brief(text), brief(have)), false
		}
		return "", false
	}
	if o, ok := got.(*value.Object); ok && want == nil && o.Len() == 1 && o.Key(0) == "$opaque" && boundLast.MatchString(fmt.Sprint(o.At(0))) {
		return "", false
	}
	c := &comparison{}
	c.values("", untag(want), untag(got))
	return c.difference, c.reordered
}

// boundLast is what stands for the value of a program that has none and ends with a
// binding: a line on what it bound.
var boundLast = regexp.MustCompile(`^[\pL_][\pL\pN_]* is an? \w+: `)

// untag gives a text for what stands for a value without a form in JSON, which the
// recordings have as text too.
func untag(v value.Value) value.Value {
	switch v := v.(type) {
	case *value.Object:
		if v.Len() == 1 && v.Key(0) == "$opaque" {
			return v.At(0)
		}
		o := value.NewObject(v.Len())
		for k, e := range v.All() {
			o.Set(k, untag(e))
		}
		return o
	case []value.Value:
		list := make([]value.Value, len(v))
		for i, e := range v {
			list[i] = untag(e)
		}
		return list
	}
	return v
}

// defaults finds the display of a defaultdict, which is a dict in a value here.
var defaults = regexp.MustCompile(`defaultdict\(<class '\w+'>, (\{[^{}]*\})\)`)

// brackets makes tuples and lists alike: a value here does not tell them apart.
var brackets = strings.NewReplacer("[", "(", "]", ")", ",)", ")")

// reprOf writes a value as CPython's repr writes a tuple of such: enough for the
// values that are recorded as repr.
func reprOf(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return object.QuoteStr(v)
	case float64:
		return object.FloatText(v)
	case []value.Value:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = reprOf(e)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *value.Object:
		if v.Len() == 1 && v.Key(0) == "$opaque" {
			return fmt.Sprint(v.At(0))
		}
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = object.QuoteStr(v.Key(i)) + ": " + reprOf(v.At(i))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// printed compares with the members of sets in any order: here they keep that of
// their addition.
func (cpython) printed(want, got string) bool { return sortedContent(want) == sortedContent(got) }

func sortedContent(s string) string {
	return inBraces.ReplaceAllStringFunc(s, func(set string) string {
		parts := strings.Split(strings.Trim(set, "{}"), ", ")
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	})
}

// inBraces finds the display of a set: braces without a colon.
var inBraces = regexp.MustCompile(`\{[^{}:]*\}`)

var undefinedInPython = regexp.MustCompile(`name '([\pL_][\pL\pN_]*)' is not defined`)

func (cpython) lacking(err string) string {
	if m := undefinedInPython.FindStringSubmatch(err); m != nil {
		return m[1]
	}
	return ""
}

func (cpython) lenient(program string) []reading {
	var all []reading
	for _, keep := range []func(string) bool{func(string) bool { return false }, isMethod} {
		if text, ok := fieldsAsItems(program, keep); ok {
			all = append(all, reading{"a field of a row read as an attribute", text})
		}
	}
	if text, ok := lastAssigned(program); ok {
		all = append(all, reading{"the value of the last assignment", text})
	}
	if text, ok := returnAsValue(program); ok {
		all = append(all, reading{"a return at the top level", text})
	}
	return all
}

// isMethod reports a name that dicts, lists or texts have a method of.
func isMethod(name string) bool {
	for _, c := range []*object.Class{object.DictClass, object.ListClass, object.StrClass} {
		if _, ok := c.Lookup(name); ok {
			return true
		}
	}
	return false
}

// fieldsAsItems writes attributes as subscripts, save those that are called and
// those to be kept.
func fieldsAsItems(program string, keep func(name string) bool) (string, bool) {
	m, err := syntax.Parse(program)
	if err != nil {
		return "", false
	}
	type edit struct {
		at, end int32
		text    string
	}
	var edits []edit
	called := map[syntax.Node]bool{}
	m.Walk(func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Call:
			called[n.Func] = true
			if a, ok := n.Func.(*syntax.Attribute); ok {
				called[a] = true
			}
		case *syntax.Attribute:
			if called[n] || keep(n.Attr) {
				break
			}
			at := syntax.Place(n.Value).End
			for at < n.End && program[at] != '.' { // parentheses close behind the value
				at++
			}
			edits = append(edits, edit{at, n.End, "[" + object.QuoteStr(n.Attr) + "]"})
		}
		return true
	})
	if len(edits) == 0 {
		return "", false
	}
	slices.SortFunc(edits, func(a, b edit) int { return int(a.at - b.at) })
	var b strings.Builder
	last := int32(0)
	for _, e := range edits {
		if e.at < last {
			return "", false
		}
		b.WriteString(program[last:e.at] + e.text)
		last = e.end
	}
	b.WriteString(program[last:])
	return b.String(), true
}

// lastAssigned adds the name that the last statement binds.
func lastAssigned(program string) (string, bool) {
	m, err := syntax.Parse(program)
	if err != nil || len(m.Body) == 0 {
		return "", false
	}
	var target syntax.Expr
	switch s := m.Body[len(m.Body)-1].(type) {
	case *syntax.Assign:
		target = s.Targets[len(s.Targets)-1]
	case *syntax.AugAssign:
		target = s.Target
	case *syntax.AnnAssign:
		target = s.Target
	}
	n, ok := target.(*syntax.Name)
	if !ok {
		return "", false
	}
	return program + "\n" + n.ID, true
}

// returnAsValue turns the returns at the top level into expressions.
func returnAsValue(program string) (string, bool) {
	m, err := syntax.Parse(program)
	if err != nil || len(m.Body) == 0 {
		return "", false
	}
	r, ok := m.Body[len(m.Body)-1].(*syntax.Return)
	if !ok || r.Value == nil {
		return "", false
	}
	at := syntax.Place(r)
	return program[:at.Start] + "(" + program[syntax.Place(r.Value).Start:at.End] + ")", true
}
