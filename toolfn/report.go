package toolfn

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	keptProblems = 16 // how many problems a report keeps
	listedNames  = 12 // how many keys or values one problem lists
)

// report gathers the problems of one walk.
type report struct {
	path     []string
	problems []Problem
	more     int
	optional bool // the value being checked stands under a key that may be left out
}

func (r *report) push(key string) {
	switch {
	case !ValidName(key):
		r.path = append(r.path, "["+quoted(key, 40)+"]")
	case len(r.path) == 0:
		r.path = append(r.path, key)
	default:
		r.path = append(r.path, "."+key)
	}
}

func (r *report) pushIndex(i int) { r.path = append(r.path, "["+strconv.Itoa(i)+"]") }

func (r *report) pop() { r.path = r.path[:len(r.path)-1] }

func (r *report) full() bool { return len(r.problems) >= keptProblems }

// add notes a problem at the current path.
func (r *report) add(p Problem) {
	if r.full() {
		r.more++
		return
	}
	p.Path = r.where()
	for i := range r.problems {
		have := &r.problems[i]
		if have.Path != p.Path || have.Kind != p.Kind {
			continue
		}
		if p.gathers() && have.gathers() {
			have.merge(p)
			return
		}
		if have.Message == p.Message {
			return
		}
	}
	r.problems = append(r.problems, p)
}

// where gives the current path, its middle left out if it is long.
func (r *report) where() string {
	const most = 8
	path := r.path
	if len(path) > most {
		path = append(append(append([]string(nil), path[:most/2]...), "…"), path[len(path)-most/2:]...)
	}
	return strings.Join(path, "")
}

// gathers reports whether a problem lists keys that are found one by one.
func (p *Problem) gathers() bool {
	return p.Message == "" && (p.Kind == UnknownKey || p.Kind == Missing)
}

// merge adds the keys of another problem of the same kind and place.
func (p *Problem) merge(q Problem) {
	for _, k := range q.Keys {
		if !containsString(p.Keys, k) {
			p.Keys = append(p.Keys, k)
		}
	}
	for k, kind := range q.kinds {
		if p.kinds == nil {
			p.kinds = map[string]string{}
		}
		p.kinds[k] = kind
	}
	for k, near := range q.Near {
		if p.Near == nil {
			p.Near = map[string]string{}
		}
		p.Near[k] = near
	}
}

// sorted gives the problems with their texts: unknown and missing keys first,
// because a misspelt key is the cause of what else is wrong.
func (r *report) sorted() []Problem {
	rank := map[ProblemKind]int{TooComplex: 0, UnknownKey: 1, Missing: 2}
	r.explained()
	for i := range r.problems {
		r.problems[i].finish()
	}
	sort.SliceStable(r.problems, func(i, j int) bool { return rankOf(rank, r.problems[i]) < rankOf(rank, r.problems[j]) })
	return r.problems
}

func rankOf(rank map[ProblemKind]int, p Problem) int {
	if n, ok := rank[p.Kind]; ok {
		return n
	}
	return len(rank) + 1
}

// explained drops the missing keys that a misspelt one stands for: to correct
// the spelling is all that is left to do.
func (r *report) explained() {
	kept := r.problems[:0]
	for _, p := range r.problems {
		if p.Kind == Missing && p.gathers() {
			if p.Keys = r.withoutMeant(p); len(p.Keys) == 0 {
				continue
			}
		}
		kept = append(kept, p)
	}
	r.problems = kept
}

func (r *report) withoutMeant(p Problem) []string {
	var keys []string
	for _, k := range p.Keys {
		meant := false
		for _, q := range r.problems {
			for _, near := range q.Near {
				meant = meant || q.Kind == UnknownKey && q.Path == p.Path && near == k
			}
		}
		if !meant {
			keys = append(keys, k)
		}
	}
	return keys
}

// finish writes the text of a problem that gathered keys.
func (p *Problem) finish() {
	switch {
	case !p.gathers():
	case p.Kind == UnknownKey:
		p.unknownText()
	default:
		p.missingText()
	}
}

// noun is what a key is called: an argument of the function, or a key of one.
func (p *Problem) noun() string {
	if p.Path == "" {
		return "argument"
	}
	return "key"
}

func (p *Problem) unknownText() {
	var b strings.Builder
	b.WriteString(plural("unknown "+p.noun(), len(p.Keys)) + " ")
	for i, k := range p.Keys {
		if i == listedNames {
			fmt.Fprintf(&b, " and %d more", len(p.Keys)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(shownKey(k))
		if near, ok := p.Near[k]; ok {
			b.WriteString(" (did you mean " + shownKey(near) + "?)")
		}
	}
	if len(p.Accepted) > 0 {
		b.WriteString("; accepted: " + strings.Join(shownKeys(p.Accepted), ", "))
		if p.More > 0 {
			fmt.Fprintf(&b, " and %d more", p.More)
		}
	}
	p.Message = b.String()
	if len(p.Keys) > listedNames {
		p.Keys = p.Keys[:listedNames]
	}
}

func (p *Problem) missingText() {
	names := p.Keys
	rest := ""
	if len(names) > listedNames {
		rest = fmt.Sprintf(" and %d more", len(names)-listedNames)
		names = names[:listedNames]
	}
	shown := shownKeys(names)
	for i, n := range names {
		if kind, ok := p.kinds[n]; ok {
			shown[i] += " (" + kind + ")"
		}
	}
	p.Message = plural("missing required "+p.noun(), len(p.Keys)) + " " + strings.Join(shown, ", ") + rest
	p.Keys = names
}

func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func shownKeys(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = shownKey(k)
	}
	return out
}

func shownKey(k string) string {
	if ValidName(k) && len(k) <= 60 {
		return k
	}
	return quoted(k, 40)
}

// fail notes a problem if there is a report, and is always false.
func (w *walker) fail(p Problem) bool {
	if w.report != nil {
		w.report.add(p)
	}
	return false
}

func (w *walker) wrongType(n *node, v value.Value) bool {
	if len(n.enum) > 0 {
		return w.notInEnum(n, v)
	}
	want := typeList(n.types)
	got := described(v)
	msg := "want " + want + ", got " + got
	if v == nil && w.report.optional {
		msg += " (leave the key out to omit it)"
	}
	return w.fail(Problem{Kind: WrongType, Want: want, Got: got, Message: msg})
}

// typeList names the types of a set: "string or integer".
func typeList(t typeSet) string {
	var words []string
	for _, w := range typeWords {
		if t&typeBits[w] != 0 {
			words = append(words, w)
		}
	}
	return alternatives(words)
}

func alternatives(words []string) string {
	switch n := len(words); n {
	case 0:
		return "any value"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

func (w *walker) notConst(n *node, v value.Value) bool {
	want := literal(n.value, 60)
	got := described(v)
	return w.fail(Problem{Kind: WrongValue, Want: want, Got: got, Message: "want " + want + ", got " + got, Accepted: []string{want}})
}

func (w *walker) notInEnum(n *node, v value.Value) bool {
	p := Problem{Kind: WrongValue, Got: described(v)}
	for i, e := range n.enum {
		if i == listedNames {
			p.More = len(n.enum) - i
			break
		}
		p.Accepted = append(p.Accepted, literal(e, 40))
	}
	p.Want = alternatives(p.Accepted)
	if p.More > 0 {
		p.Want = strings.Join(p.Accepted, ", ") + fmt.Sprintf(" or one of %d more", p.More)
	}
	p.Message = "want " + p.Want + ", got " + p.Got
	if near, ok := nearestValue(n.enum, v); ok {
		p.Near = map[string]string{"": near}
		p.Message += " (did you mean " + quoted(near, 40) + "?)"
	}
	return w.fail(p)
}

// nearestValue gives the allowed string that a wrong one most likely meant.
func nearestValue(enum []value.Value, v value.Value) (string, bool) {
	s, ok := v.(string)
	if !ok {
		return "", false
	}
	var words []string
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == ' ' || r == '-' || r == '_' {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	for _, e := range enum {
		if word, ok := e.(string); ok {
			if fold(word) == fold(s) {
				return word, true
			}
			words = append(words, word)
		}
	}
	return sandbox.Nearest(s, words)
}

func (w *walker) missing(o *objectRules, v *value.Object) bool {
	p := Problem{Kind: Missing}
	for _, name := range o.required {
		if !v.Has(name) {
			p.Keys = append(p.Keys, name)
			p.want(name, o)
		}
	}
	if len(p.Keys) == 0 {
		return true
	}
	return w.fail(p)
}

// want notes the type of a missing key.
func (p *Problem) want(name string, o *objectRules) {
	j := o.find(name)
	if j < 0 {
		return
	}
	if t := o.props[j].node.wanted(); t != 0 {
		if p.kinds == nil {
			p.kinds = map[string]string{}
		}
		p.kinds[name] = typeList(narrow(t))
	}
}

func (w *walker) unknown(o *objectRules, key string) bool {
	p := Problem{Kind: UnknownKey, Keys: []string{key}, Accepted: o.accepted}
	if near, ok := sandbox.Nearest(key, o.accepted); ok {
		p.Near = map[string]string{key: near}
	} else if near, ok := partOf(key, o.accepted); ok {
		p.Near = map[string]string{key: near}
	}
	if len(p.Accepted) > listedNames {
		p.More = len(p.Accepted) - listedNames
		p.Accepted = p.Accepted[:listedNames]
	}
	return w.fail(p)
}

// partOf gives the only accepted name that begins with the key, contains it as a
// word, or is contained in it as one: q → query, repository → repo.
func partOf(key string, accepted []string) (string, bool) {
	low := strings.ToLower(key)
	found, n := "", 0
	for _, a := range accepted {
		la := strings.ToLower(a)
		if la != low && low != "" && la != "" && (strings.HasPrefix(la, low) || strings.HasPrefix(low, la) && len(la) > 1 || hasWord(la, low) || hasWord(low, la)) {
			found = a
			n++
		}
	}
	return found, n == 1
}

func hasWord(name, word string) bool {
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if w == word {
			return true
		}
	}
	return false
}

func (w *walker) dependent(d *dependency, v *value.Object) bool {
	var absent []string
	for _, n := range d.names {
		if !v.Has(n) {
			absent = append(absent, n)
		}
	}
	if len(absent) > listedNames {
		absent = absent[:listedNames]
	}
	return w.fail(Problem{
		Kind: Missing, Keys: absent,
		Message: shownKey(d.key) + " also needs " + strings.Join(shownKeys(absent), ", "),
	})
}

func (w *walker) wrongCount(n, least, most int, noun string) bool {
	want := countRange(least, most, noun)
	got := fmt.Sprint(n)
	return w.fail(Problem{Kind: WrongRange, Want: want, Got: got, Message: "want " + want + ", got " + got})
}

func countRange(least, most int, noun string) string {
	switch {
	case most < 0:
		return fmt.Sprintf("at least %d %s", least, plural(noun, least))
	case least <= 0:
		return fmt.Sprintf("at most %d %s", most, plural(noun, most))
	case least == most:
		return fmt.Sprintf("exactly %d %s", most, plural(noun, most))
	}
	return fmt.Sprintf("%d to %d %ss", least, most, noun)
}

func (w *walker) repeated(i int, e value.Value) bool {
	return w.fail(Problem{Kind: WrongForm, Got: described(e), Message: fmt.Sprintf("want elements that differ, but element %d repeats %s", i, described(e))})
}

func (w *walker) wrongContains(n int, l *listRules) bool {
	want := countRange(l.minContains, l.maxContains, "element") + " of the required form"
	return w.fail(Problem{Kind: WrongForm, Want: want, Got: fmt.Sprint(n), Message: fmt.Sprintf("want %s, got %d", want, n)})
}

func (w *walker) wrongLength(n int, r *textRules, s string) bool {
	want := countRange(r.min, r.max, "character")
	return w.fail(Problem{Kind: WrongRange, Want: want, Got: fmt.Sprint(n), Message: fmt.Sprintf("want %s, got %d (%s)", want, n, described(s))})
}

func (w *walker) noMatch(r *textRules, s string) bool {
	want := "text matching " + Plain(r.pattern.String(), 80)
	if r.written != "" {
		want = "text matching " + Plain(r.written, 80)
	}
	return w.fail(Problem{Kind: WrongForm, Want: want, Got: described(s), Message: "want " + want + ", got " + described(s)})
}

func (w *walker) outOfRange(r *numberRules, v value.Value) bool {
	var ends []string
	if r.min.value != nil {
		ends = append(ends, endWord(r.min.exclusive, "more than ", "at least ")+literal(r.min.value, 40))
	}
	if r.max.value != nil {
		ends = append(ends, endWord(r.max.exclusive, "less than ", "at most ")+literal(r.max.value, 40))
	}
	want := strings.Join(ends, " and ")
	got := literal(v, 40)
	return w.fail(Problem{Kind: WrongRange, Want: want, Got: got, Message: "want " + want + ", got " + got})
}

func endWord(exclusive bool, open, closed string) string {
	if exclusive {
		return open
	}
	return closed
}

func (w *walker) notMultiple(r *numberRules, v value.Value) bool {
	want := "a multiple of " + literal(r.multipleOf, 40)
	got := literal(v, 40)
	return w.fail(Problem{Kind: WrongRange, Want: want, Got: got, Message: "want " + want + ", got " + got})
}

func (w *walker) forbidden(n *node, v value.Value) bool {
	if o := n.not.object; o != nil && len(o.required) > 0 {
		keys := shownKeys(o.required[:min(len(o.required), listedNames)])
		msg := strings.Join(keys, " and ") + " are not accepted together"
		if len(keys) == 1 {
			msg = keys[0] + " is not accepted here"
		}
		return w.fail(Problem{Kind: WrongForm, Got: described(v), Message: msg})
	}
	want := "another value, because the schema excludes this one"
	switch {
	case n.not.types != 0:
		want = "any type but " + typeList(n.not.types)
	case n.not.fixed:
		want = "anything but " + literal(n.not.value, 60)
	case len(n.not.enum) > 0:
		words := make([]string, 0, listedNames)
		for _, e := range n.not.enum[:min(len(n.not.enum), listedNames)] {
			words = append(words, literal(e, 40))
		}
		want = "anything but " + alternatives(words)
	}
	return w.fail(Problem{Kind: WrongForm, Want: want, Got: described(v), Message: "want " + want + ", got " + described(v)})
}

func (w *walker) severalForms(forms []*node, v value.Value, hits int) bool {
	return w.fail(Problem{
		Kind: WrongForm, Got: described(v),
		Message: fmt.Sprintf("%s fits %d of %d forms of which exactly one must fit", described(v), hits, len(forms)),
	})
}

// noForm says why none of several forms fits: what they want if they differ by
// type, else what is wrong with the one that comes closest.
func (w *walker) noForm(forms []*node, v value.Value) bool {
	t := typeOf(v)
	var near []*node
	var types typeSet
	typed := true
	for _, f := range forms {
		ft := f.wanted()
		types |= ft
		typed = typed && ft != 0
		if ft == 0 || ft&t != 0 {
			near = append(near, f)
		}
	}
	if len(near) == 0 && typed {
		return w.wrongType(&node{types: types}, v)
	}
	best := w.closest(near, v)
	if best == nil {
		return w.fail(Problem{Kind: WrongForm, Got: described(v), Message: "no accepted form fits " + described(v)})
	}
	before := len(w.report.problems)
	w.check(best, v)
	if len(w.report.problems) > before && len(near) > 1 {
		p := &w.report.problems[before]
		p.finish()
		p.Message += fmt.Sprintf(" (the closest of %d forms)", len(forms))
	}
	return false
}

// wanted gives the types that a node asks for, through references; 0 is any.
func (n *node) wanted() typeSet {
	for i := 0; n != nil && i < 16; i++ {
		switch {
		case n.types != 0:
			return n.types
		case n.fixed:
			return typeOf(n.value)
		case len(n.enum) > 0:
			var t typeSet
			for _, e := range n.enum {
				t |= typeOf(e)
			}
			return t
		}
		n = n.ref
	}
	return 0
}

// closest gives the form with the fewest problems; one whose fixed properties
// fit comes before any other, because those tell forms apart.
func (w *walker) closest(forms []*node, v value.Value) *node {
	var best *node
	least := 0
	for _, f := range forms {
		sub := walker{left: w.left, report: &report{}}
		sub.check(f, v)
		w.left = sub.left
		score := 0
		for _, p := range sub.report.problems {
			score++
			if p.Kind == WrongValue {
				score += 100
			}
		}
		score += sub.report.more
		if best == nil || score < least {
			best, least = f, score
		}
		if w.left < 0 {
			break
		}
	}
	return best
}
