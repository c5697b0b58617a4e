package reader

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// MaxDepth bounds how deep forms nest.
const MaxDepth = 200

// Options bound what is read.
type Options struct {
	// Data reads data and not a program, as read-string does: #() and the like are
	// not there.
	Data bool
	// Namespace is what :: stands for.
	Namespace string
}

// Read reads all forms of a text. A fault has its place and an excerpt.
func Read(source string, o Options) ([]*Form, *sandbox.Fault) {
	r := &reader{src: source, o: o}
	if r.o.Namespace == "" {
		r.o.Namespace = "user"
	}
	var forms []*Form
	for {
		f := r.next()
		if r.fault != nil {
			return nil, r.fault
		}
		if f == nil {
			return forms, nil
		}
		forms = append(forms, f)
	}
}

// First reads the first form of a text, nil where there is none.
func First(source string, o Options) (*Form, *sandbox.Fault) {
	r := &reader{src: source, o: o}
	f := r.next()
	return f, r.fault
}

// Unfence takes a program out of a markdown fence that stands around all of it.
func Unfence(source string) string {
	s := strings.TrimSpace(source)
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") || len(s) < 6 {
		return source
	}
	_, body, ok := strings.Cut(s, "\n")
	if !ok {
		return source
	}
	body = strings.TrimSuffix(body, "```")
	if strings.Contains(body, "```") {
		return source
	}
	return body
}

type opener struct {
	pos  int
	char byte // the closer that it waits for
}

type reader struct {
	src    string
	pos    int
	o      Options
	open   []opener
	lambda int // nesting of #()
	fault  *sandbox.Fault
}

func (r *reader) fail(at int, message, hint string) *Form {
	if r.fault == nil {
		f := &sandbox.Fault{Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: message, Hint: hint}
		r.fault = FaultAt(f, r.src, at)
	}
	return nil
}

// space skips blanks, commas and comments.
func (r *reader) space() {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '\f' || c == '\v':
			r.pos++
		case c == ';' || c == '#' && strings.HasPrefix(r.src[r.pos:], "#!"):
			r.line()
		case c >= utf8.RuneSelf:
			n := blank(r.src[r.pos:])
			if n == 0 {
				return
			}
			r.pos += n
		default:
			return
		}
	}
}

// blank is the length of a space outside of ASCII at the start of s: models and
// documents carry them, and a symbol with one inside helps nobody.
func blank(s string) int {
	switch c, n := utf8.DecodeRuneInString(s); c {
	case '\u00a0', '\u2002', '\u2003', '\u2009', '\u200b', '\u3000', '\ufeff', '\u2028', '\u2029':
		return n
	}
	return 0
}

func (r *reader) line() {
	if i := strings.IndexByte(r.src[r.pos:], '\n'); i >= 0 {
		r.pos += i + 1
		return
	}
	r.pos = len(r.src)
}

// next reads the next form; nil at the end of the text, or of the collection that
// is open, or on a fault.
func (r *reader) next() *Form {
	for r.fault == nil {
		r.space()
		if r.pos >= len(r.src) {
			if len(r.open) > 0 {
				return r.unclosed()
			}
			return nil
		}
		switch c := r.src[r.pos]; c {
		case '(', '[', '{':
			return r.collection(r.pos, c, 1)
		case ')', ']', '}':
			return r.closer(c)
		case '"':
			return r.text()
		case '\\':
			return r.char()
		case '\'':
			return r.prefixed(1, "quote")
		case '@':
			return r.prefixed(1, "deref")
		case '^':
			return r.meta(1)
		case '`', '~':
			return r.fail(r.pos, "there are no macros here, so "+string(c)+" has no use.", "Write a function with defn, or build the list with list and quote.")
		case '#':
			f, again := r.dispatch()
			if again {
				continue
			}
			return f
		default:
			return r.atom()
		}
	}
	return nil
}

func (r *reader) closer(c byte) *Form {
	if len(r.open) == 0 {
		return r.fail(r.pos, "there is a "+string(c)+" that closes nothing.", "Remove it, or open its form earlier.")
	}
	top := r.open[len(r.open)-1]
	if top.char != c {
		line, _ := Place(r.src, top.pos)
		return r.fail(r.pos, fmt.Sprintf("%c closes the %c of line %d, which needs %c.", c, r.src[top.pos], line, top.char),
			fmt.Sprintf("Close the inner form with %c first.", top.char))
	}
	return nil // the collection sees it
}

// unclosed tells which form is open at the end, and offers the text that closes it
// where that makes the whole readable.
func (r *reader) unclosed() *Form {
	if r.o.Data {
		return r.fail(r.open[0].pos, "EOF while reading", "")
	}
	var open []opener // without the prefixes, which nothing closes
	for _, o := range r.open {
		if o.char != 0 {
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return r.fail(r.open[0].pos, "the program ends after a prefix.", "Put a form after it, or remove it.")
	}
	var closers strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		closers.WriteByte(open[i].char)
	}
	first, last := open[0], open[len(open)-1]
	line, _ := Place(r.src, first.pos)
	message := fmt.Sprintf("the form that begins on line %d is not closed: %d missing at the end of the program.", line, len(open))
	if len(open) == 1 {
		message = fmt.Sprintf("the %s that begins on line %d is not closed.", opening(r.src, first.pos), line)
	}
	hint := "Check where each form is meant to end."
	text := strings.TrimRight(r.src, " \t\r\n,") + closers.String()
	if _, fault := Read(text, r.o); fault == nil && !endsInComment(r.src) {
		hint = "If nothing else is missing, end the program with: " + tail(text)
	}
	at := last.pos
	if len(open) > 1 {
		at = first.pos
	}
	return r.fail(at, message, hint)
}

func endsInComment(src string) bool {
	last := src[strings.LastIndexByte(strings.TrimRight(src, " \t\r\n"), '\n')+1:]
	return strings.Contains(last, ";")
}

// tailLength is how much of a closed program is offered, in bytes.
const tailLength = 100

func tail(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if len(last) <= tailLength {
		return strings.TrimSpace(last)
	}
	n := len(last) - tailLength
	for !utf8.RuneStart(last[n]) {
		n++
	}
	return "…" + last[n:]
}

func opening(src string, pos int) string {
	end := min(len(src), pos+20)
	for end > pos && end < len(src) && !utf8.RuneStart(src[end]) {
		end--
	}
	text := src[pos:end]
	if i := strings.IndexAny(text, " \n\t"); i > 0 {
		text = text[:i]
	}
	return text
}

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}', '#': '}'}

var kinds = map[byte]Kind{'(': List, '[': Vector, '{': Map, '#': Set}

// collection reads forms up to the closer of the opener c, whose text is n bytes.
func (r *reader) collection(start int, c byte, n int) *Form {
	if len(r.open) >= MaxDepth {
		return r.fail(start, fmt.Sprintf("forms are nested more than %d deep.", MaxDepth), "Split the expression with let or defn.")
	}
	r.pos = start + n
	r.open = append(r.open, opener{pos: start + n - 1, char: closers[c]})
	f := &Form{Kind: kinds[c], Pos: start}
	for {
		item := r.next()
		if r.fault != nil {
			return nil
		}
		if item == nil {
			break // at the closer
		}
		f.Items = append(f.Items, item)
	}
	r.pos++
	f.End = r.pos
	r.open = r.open[:len(r.open)-1]
	if f.Kind == Map {
		return r.checkMap(f)
	}
	return f
}

func (r *reader) set(start int) *Form {
	f := r.collection(start, '#', 2)
	if f == nil {
		return nil
	}
	for i := 1; i < len(f.Items) && i < 200; i++ {
		if duplicate(f.Items, i, 1) >= 0 {
			return r.fail(f.Items[i].Pos, "the set literal has "+r.src[f.Items[i].Pos:f.Items[i].End]+" twice.", "Keep one of the two, or write (set [...]).")
		}
	}
	return f
}

func (r *reader) checkMap(f *Form) *Form {
	if len(f.Items)%2 != 0 {
		last := f.Items[len(f.Items)-1]
		if r.o.Data {
			return r.fail(last.Pos, "Map literal must contain an even number of forms", "")
		}
		return r.fail(last.Pos, "a map literal needs a value for each key, and the last of its "+fmt.Sprint(len(f.Items))+" forms has none.",
			"Write {:key value …}; for a set write #{…}.")
	}
	for i := 0; i < len(f.Items); i += 2 {
		if i > 0 && len(f.Items) < 200 {
			if j := duplicate(f.Items, i, 2); j >= 0 {
				return r.fail(f.Items[i].Pos, "the map literal has the key "+r.src[f.Items[i].Pos:f.Items[i].End]+" twice.", "Keep one of the two.")
			}
		}
	}
	return f
}

// duplicate finds an earlier atom that equals the one at i.
func duplicate(items []*Form, i, step int) int {
	if items[i].Kind != Atom {
		return -1
	}
	for j := 0; j < i; j += step {
		if items[j].Kind == Atom && sameAtom(items[j].Value, items[i].Value) {
			return j
		}
	}
	return -1
}

func sameAtom(a, b data.Value) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	if n := a.Named(); n != nil {
		return n.Full() == b.Named().Full()
	}
	x, ok := a.Text()
	y, _ := b.Text()
	return ok && x == y
}

func (r *reader) prefixed(n int, name string) *Form {
	start := r.pos
	r.pos += n
	inner := r.operand(start, r.src[start:r.pos])
	if inner == nil {
		return nil
	}
	f := &Form{Kind: List, Pos: start, End: inner.End}
	f.Items = []*Form{{Kind: Atom, Pos: start, End: start + n, Value: data.Symbol(name)}, inner}
	return f
}

// operand reads the form after a prefix.
func (r *reader) operand(start int, prefix string) *Form {
	if len(r.open) >= MaxDepth {
		return r.fail(start, fmt.Sprintf("forms are nested more than %d deep.", MaxDepth), "Split the expression with let or defn.")
	}
	r.open = append(r.open, opener{pos: start, char: 0})
	defer func() {
		if n := len(r.open); n > 0 && r.open[n-1].char == 0 {
			r.open = r.open[:n-1]
		}
	}()
	r.space()
	if r.pos >= len(r.src) || strings.IndexByte(")]}", r.src[r.pos]) >= 0 {
		return r.fail(start, prefix+" stands before nothing.", "Put a form after it, or remove it.")
	}
	return r.next()
}

func (r *reader) meta(n int) *Form {
	start := r.pos
	r.pos += n
	meta := r.operand(start, "^")
	if meta == nil {
		return nil
	}
	f := r.operand(start, "^")
	if f == nil {
		return nil
	}
	f.Meta = meta
	return f
}

// dispatch reads what begins with #. again says that the form was discarded.
func (r *reader) dispatch() (f *Form, again bool) {
	start := r.pos
	if start+1 >= len(r.src) {
		return r.fail(start, "# stands at the end of the program.", "Remove it."), false
	}
	switch c := r.src[start+1]; c {
	case '{':
		return r.set(start), false
	case '_':
		r.pos += 2
		return r.operand(start, "#_"), r.fault == nil
	case '"':
		r.pos++
		return r.regex(start), false
	case '(':
		return r.anonymous(start), false
	case '\'':
		return r.prefixed(2, "var"), false
	case '^':
		return r.meta(2), false
	case '#':
		return r.symbolic(start), false
	case '?':
		return r.fail(start, "reader conditionals are not available here.", "Write the Clojure branch itself."), false
	case '=':
		return r.fail(start, "#= is not available here.", "Write the form itself."), false
	}
	return r.tagged(start), false
}

func (r *reader) tagged(start int) *Form {
	r.pos++
	tag := r.token()
	if r.o.Data {
		return r.fail(start, "No reader function for tag "+sandbox.Clip(tag, 40), "")
	}
	return r.fail(start, "the reader tag #"+sandbox.Clip(tag, 40)+" is not available here.", "Write the value as a string or a map.")
}

func (r *reader) symbolic(start int) *Form {
	r.pos += 2
	name := r.token()
	f := &Form{Pos: start, End: r.pos}
	switch name {
	case "Inf":
		f.Value = data.Float(inf)
	case "-Inf":
		f.Value = data.Float(-inf)
	case "NaN":
		f.Value = data.Float(nan)
	default:
		return r.fail(start, "##"+sandbox.Clip(name, 20)+" is no number.", "There are ##Inf, ##-Inf and ##NaN.")
	}
	return f
}

func (r *reader) anonymous(start int) *Form {
	if r.o.Data {
		return r.fail(start, "#( is a function and no data.", "Use a list.")
	}
	if r.lambda > 0 {
		return r.fail(start, "#() may not stand inside another #().", "Write the inner or the outer one as (fn [x] …).")
	}
	r.lambda++
	f := r.collection(start, '(', 2)
	r.lambda--
	if f != nil {
		f.Kind = Lambda
	}
	return f
}
