package toolfn

import (
	"encoding/json"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// checkSteps bounds the work of one check: a schema that branches at every level
// can ask for more work than the arguments are worth.
const checkSteps = 2_000_000

// Check checks arguments against the function's schema, JSON Schema 2020-12
// without formats, and returns them as the call should get them: the same
// object, or a copy in which whole floats are integers where an integer is
// wanted. An unknown argument is refused unless the schema lets it in. nil
// stands for no arguments. The error is a *[sandbox.Fault] of KindArgument whose
// cause is a *[Refusal].
//
// On a registered function the check of valid arguments allocates nothing.
func (f *ToolFn) Check(args *value.Object) (*value.Object, error) {
	c := f.contract
	if c == nil {
		c = compile(f.Input)
	}
	if args == nil {
		args = &emptyArguments
	}
	w := walker{left: checkSteps}
	if w.check(c.root, args) {
		if args == &emptyArguments {
			args = value.NewObject(0)
		}
		if w.whole {
			return normalise(c.root, args).(*value.Object), nil
		}
		return args, nil
	}
	return nil, f.refuse(c, args, w.left < 0)
}

var emptyArguments = *value.NewObject(0)

// walker walks over schema and value together. Without a report it stops at the
// first problem; with one it goes on and notes each.
type walker struct {
	left   int
	whole  bool // a whole float stands where an integer is wanted
	report *report
}

// check reports whether v satisfies n.
func (w *walker) check(n *node, v value.Value) bool {
	if w.left--; w.left < 0 {
		return false
	}
	if n.never && w.report == nil {
		return false
	}
	if n.never {
		return w.fail(Problem{Kind: WrongForm, Message: "no value is accepted here, got " + described(v), Got: described(v)})
	}
	t := typeOf(v)
	if n.types != 0 && !w.typed(n, t, v) {
		return false
	}
	ok := true
	if (n.enum != nil || n.fixed) && !w.listed(n, v) {
		if ok = false; w.report == nil {
			return false
		}
	}
	if !w.part(n, t, v) {
		if ok = false; w.report == nil {
			return false
		}
	}
	return w.logic(n, v) && ok
}

// typed checks the type.
func (w *walker) typed(n *node, t typeSet, v value.Value) bool {
	if n.types&t != 0 {
		if t == typeInteger|typeNumber && n.types&typeNumber == 0 {
			if _, isInt := v.(int64); !isInt {
				w.noteWhole(v)
			}
		}
		return true
	}
	return w.report != nil && w.wrongType(n, v)
}

func (w *walker) noteWhole(v value.Value) {
	switch v.(type) {
	case float64, json.Number:
		w.whole = true
	}
}

// typeOf gives the types that a value belongs to: a whole number is an integer
// and a number (JSON Schema 2020-12, 4.2.3).
func typeOf(v value.Value) typeSet {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case int64, *big.Int:
		return typeInteger | typeNumber
	case float64:
		if v == math.Trunc(v) && !math.IsInf(v, 0) {
			return typeInteger | typeNumber
		}
		return typeNumber
	case json.Number:
		if _, whole := wholeNumber(v); whole {
			return typeInteger | typeNumber
		}
		return typeNumber
	case string:
		return typeString
	case []value.Value:
		return typeArray
	case *value.Object:
		return typeObject
	}
	return 0
}

// listed checks enum and const.
func (w *walker) listed(n *node, v value.Value) bool {
	if n.fixed && !value.Equal(n.value, v) {
		return w.report != nil && w.notConst(n, v)
	}
	if n.enum == nil {
		return true
	}
	if s, ok := v.(string); ok && n.words {
		for _, e := range n.enum {
			if e.(string) == s {
				return true
			}
		}
	} else if contains(n.enum, v) {
		return true
	}
	return w.report != nil && w.notInEnum(n, v)
}

// part checks what applies to the value's own type only.
func (w *walker) part(n *node, t typeSet, v value.Value) bool {
	switch {
	case n.object != nil && t == typeObject:
		return w.object(n.object, v.(*value.Object))
	case n.list != nil && t == typeArray:
		return w.items(n.list, v.([]value.Value))
	case n.text != nil && t == typeString:
		return w.string(n.text, v.(string))
	case n.number != nil && t&typeNumber != 0:
		return w.number(n.number, v)
	}
	return true
}

func (w *walker) object(o *objectRules, v *value.Object) bool {
	ok, found := true, 0
	for i := range v.Len() {
		key := v.Key(i)
		j := o.find(key)
		if j >= 0 {
			if o.props[j].required {
				found++
			}
			if w.report != nil {
				w.report.optional = !o.props[j].required
			}
			if !w.under(o.props[j].node, key, v.At(i)) {
				ok = false
			}
		}
		if !w.rest(o, key, v, i, j >= 0) {
			ok = false
		}
		if !ok && w.report == nil {
			return false
		}
	}
	if found < o.needCount || len(o.unnamed) > 0 && !hasAll(v, o.unnamed) {
		if w.report == nil || !w.missing(o, v) {
			return false
		}
	}
	if v.Len() < o.min || o.max >= 0 && v.Len() > o.max {
		return w.report != nil && w.wrongCount(v.Len(), o.min, o.max, "key")
	}
	return w.dependencies(o, v) && ok
}

// find gives the index of a property, or -1.
func (o *objectRules) find(key string) int {
	if o.index != nil {
		if j, ok := o.index[key]; ok {
			return j
		}
		return -1
	}
	for j := range o.props {
		if o.props[j].name == key {
			return j
		}
	}
	return -1
}

// rest checks a key against what applies beside the properties.
func (w *walker) rest(o *objectRules, key string, v *value.Object, i int, named bool) bool {
	ok := true
	if o.names != nil && !w.under(o.names, key, key) {
		ok = false
	}
	for _, p := range o.patterns {
		if p.re.MatchString(key) {
			named = true
			ok = w.under(p.node, key, v.At(i)) && ok
		}
	}
	switch {
	case named:
	case o.closed || o.strict && !o.lets(key):
		return w.report != nil && w.unknown(o, key)
	case o.additional != nil:
		return w.under(o.additional, key, v.At(i)) && ok
	case o.guarded && w.misspelt(o, key, v):
		return w.report != nil && w.unknown(o, key)
	}
	return ok
}

// lets reports whether a schema that is combined with this one names the key.
func (o *objectRules) lets(key string) bool {
	for _, p := range o.lenient {
		if p.re.MatchString(key) {
			return true
		}
	}
	return containsString(o.others, key)
}

func (w *walker) under(n *node, key string, v value.Value) bool {
	if w.report == nil {
		return w.check(n, v)
	}
	w.report.push(key)
	ok := w.check(n, v)
	w.report.pop()
	return ok
}

func hasAll(o *value.Object, names []string) bool {
	for _, n := range names {
		if !o.Has(n) {
			return false
		}
	}
	return true
}

func (w *walker) dependencies(o *objectRules, v *value.Object) bool {
	ok := true
	for i := range o.needs {
		d := &o.needs[i]
		if !v.Has(d.key) {
			continue
		}
		if d.node != nil {
			ok = w.check(d.node, v) && ok
		} else if !hasAll(v, d.names) {
			ok = w.report != nil && w.dependent(d, v) && ok
		}
		if !ok && w.report == nil {
			return false
		}
	}
	return ok
}

func (w *walker) items(l *listRules, v []value.Value) bool {
	if len(v) < l.min || l.max >= 0 && len(v) > l.max {
		return w.report != nil && w.wrongCount(len(v), l.min, l.max, "element")
	}
	ok := true
	for i, e := range v {
		n := l.rest
		if i < len(l.prefix) {
			n = l.prefix[i]
		}
		if n == nil {
			continue
		}
		if !w.at(n, i, e) {
			if ok = false; w.report == nil || w.report.full() {
				return false
			}
		}
	}
	if l.unique && !w.distinct(v) {
		return false
	}
	return (l.contains == nil || w.contains(l, v)) && ok
}

func (w *walker) at(n *node, i int, v value.Value) bool {
	if w.report == nil {
		return w.check(n, v)
	}
	w.report.pushIndex(i)
	w.report.optional = false
	ok := w.check(n, v)
	w.report.pop()
	return ok
}

// distinct checks uniqueItems: scalars by their JSON text, anything else pair by
// pair, charged to the steps.
func (w *walker) distinct(v []value.Value) bool {
	seen := make(map[value.Value]bool, len(v))
	var others []value.Value
	for i, e := range v {
		twice := false
		switch e := e.(type) {
		case nil, bool, int64, string:
			twice = seen[e]
			seen[e] = true
		default:
			w.left -= len(others)
			if w.left < 0 {
				return false
			}
			twice = contains(others, e) || isNumber(e) && containsNumber(v[:i], e)
			others = append(others, e)
		}
		if twice {
			return w.report != nil && w.repeated(i, e)
		}
	}
	return true
}

func isNumber(v value.Value) bool { return typeOf(v)&typeNumber != 0 }

func containsNumber(list []value.Value, v value.Value) bool {
	for _, e := range list {
		if isNumber(e) && value.Equal(e, v) {
			return true
		}
	}
	return false
}

func (w *walker) contains(l *listRules, v []value.Value) bool {
	n := 0
	for _, e := range v {
		if w.satisfies(l.contains, e) {
			n++
		}
	}
	if n < l.minContains || l.maxContains >= 0 && n > l.maxContains {
		return w.report != nil && w.wrongContains(n, l)
	}
	return true
}

// satisfies checks without reporting.
func (w *walker) satisfies(n *node, v value.Value) bool {
	r := w.report
	w.report = nil
	ok := w.check(n, v)
	w.report = r
	return ok
}

func (w *walker) string(r *textRules, s string) bool {
	if r.min > 0 || r.max >= 0 {
		// A string has at most as many code points as bytes.
		if n := len(s); n < r.min || r.max >= 0 && n > r.max || r.min > 0 {
			n = utf8.RuneCountInString(s)
			if n < r.min || r.max >= 0 && n > r.max {
				return w.report != nil && w.wrongLength(n, r, s)
			}
		}
	}
	if r.pattern != nil && !r.pattern.MatchString(s) {
		return w.report != nil && w.noMatch(r, s)
	}
	return true
}

// logic checks the combinations.
func (w *walker) logic(n *node, v value.Value) bool {
	ok := true
	if n.ref != nil && !w.check(n.ref, v) {
		if ok = false; w.report == nil {
			return false
		}
	}
	for _, m := range n.all {
		if !w.check(m, v) {
			if ok = false; w.report == nil {
				return false
			}
		}
	}
	if n.any != nil && !w.anyOf(n, v) || n.one != nil && !w.oneOf(n, v) {
		return false
	}
	if n.not != nil && w.satisfies(n.not, v) {
		return w.report != nil && w.forbidden(n, v)
	}
	if n.cond != nil {
		if w.satisfies(n.cond, v) {
			return (n.then == nil || w.check(n.then, v)) && ok
		}
		return (n.els == nil || w.check(n.els, v)) && ok
	}
	return ok
}

func (w *walker) anyOf(n *node, v value.Value) bool {
	for _, m := range n.any {
		if w.satisfies(m, v) {
			return true
		}
	}
	return w.report != nil && w.noForm(n.any, v)
}

func (w *walker) oneOf(n *node, v value.Value) bool {
	hits := 0
	for _, m := range n.one {
		if w.satisfies(m, v) {
			hits++
		}
	}
	switch {
	case hits == 1:
		return true
	case w.report == nil:
		return false
	case hits == 0:
		return w.noForm(n.one, v)
	}
	return w.severalForms(n.one, v, hits)
}

// misspelt reports whether a key that an open object does not name looks like a
// misspelt property; comparing spellings is charged.
func (w *walker) misspelt(o *objectRules, key string, v *value.Object) bool {
	w.left -= len(o.props)
	return o.misspelt(key, v) != ""
}
