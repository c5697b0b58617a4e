package python

import (
	"errors"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// syntaxFault is the fault of a program that does not compile.
func syntaxFault(err error, source string) *sandbox.Fault {
	e, ok := compile.AsSyntaxError(err)
	if !ok {
		return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program could not be compiled.", Cause: err}
	}
	f := &sandbox.Fault{Kind: sandbox.KindSyntax, Name: e.Type, Message: e.Message, Hint: syntaxAdvice(e)}
	return f.At(source, e.Line, e.Column)
}

// habits are spellings of other languages, with Python's.
var habits = []struct{ wrote, advice string }{
	{"&lt;", "The program holds HTML entities: write < for &lt;."},
	{"&gt;", "The program holds HTML entities: write > for &gt;."},
	{"&amp;", "The program holds HTML entities: write & for &amp;."},
	{"&quot;", "The program holds HTML entities: write \" for &quot;."},
	{"&#39;", "The program holds HTML entities: write ' for &#39;."},
	{"===", "Python compares with ==."},
	{"!==", "Python compares with !=."},
	{"&&", "Python writes and."},
	{"||", "Python writes or."},
	{"=>", "Python writes lambda x: …."},
	{"?.", "Python has no ?.: use d.get(\"key\")."},
	{"++", "Python writes x += 1."},
	{"const ", "Python declares nothing: write name = value."},
	{"let ", "Python declares nothing: write name = value."},
	{"var ", "Python declares nothing: write name = value."},
	{"function ", "Python writes def name(arguments): and an indented body."},
	{"//", "Python's comments begin with #."},
	{"...", "Python spreads with * and **."},
	{"new ", "Python calls the class: Name(…)."},
}

// syntaxAdvice recognises another language's spelling in the line of an error.
func syntaxAdvice(e *syntax.Error) string {
	if strings.Contains(e.Message, "Perhaps") || strings.Contains(e.Message, "Did you mean") || strings.Contains(e.Message, "Maybe") {
		return ""
	}
	if e.Type == "TabError" || strings.Contains(e.Message, "inconsistent use of tabs") {
		return "Indent with spaces only."
	}
	for _, h := range habits {
		if strings.Contains(e.Text, h.wrote) {
			return h.advice
		}
	}
	return ""
}

// limitFault gives the fault of a limit, nil if there is none.
func limitFault(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// longestMessage is how many bytes of an error's text reach a model.
const longestMessage = 900

// longestName is how many bytes of an error's name reach a model.
const longestName = 100

// faultOf is the fault of what ended a program.
func (s *session) faultOf(x *exception) *sandbox.Fault {
	f := s.unplaced(x)
	p, line, column, ok := compile.Line(x)
	if !ok || f.Excerpt != "" {
		return f
	}
	g := *f
	return g.At(p.Source, line, column)
}

func (s *session) unplaced(x *exception) *sandbox.Fault {
	if x.Limit != nil {
		if f := limitFault(x.Limit); f != nil {
			return f
		}
		return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program could not be run.", Cause: x.Limit}
	}
	if f, ok := x.Detail.(*sandbox.Fault); ok {
		g := *f
		g.Fired = ""
		g.Name = sandbox.Clip(x.Cls.ShortName(), longestName)
		return &g
	}
	f := &sandbox.Fault{Kind: kindOfException(x), Name: sandbox.Clip(x.Cls.ShortName(), longestName)}
	f.Hint = s.advise(x)
	if f.Hint == "" {
		f.Hint = s.causeOf(x)
	}
	f.Message = elide.Middle(strings.ToValidUTF8(s.messageOf(x), "\uFFFD"), longestMessage)
	return f
}

// kindOfException classifies an exception for a host.
func kindOfException(x *exception) sandbox.Kind {
	switch {
	case x.Is(object.NameError):
		return sandbox.KindName
	case x.Is(object.TypeError), x.Is(object.AttributeError):
		return sandbox.KindType
	case x.Is(object.IndexError), x.Is(object.KeyError), x.Is(object.ValueError), x.Is(object.OverflowError), x.Is(object.ZeroDivisionError):
		return sandbox.KindRange
	case x.Is(object.SyntaxError):
		return sandbox.KindSyntax
	}
	return sandbox.KindThrown
}

// messageOf is str(e): its own __str__ may run, charged to the program.
func (s *session) messageOf(x *exception) string {
	text, y := s.machine.T.Str(x.Value())
	if y != nil {
		return "<exception str() failed>"
	}
	return text
}

// causeOf tells the exception from which another was raised.
func (s *session) causeOf(x *exception) string {
	word, from := "Caused by ", x.Cause
	if from == nil && !x.Suppress {
		word, from = "Raised while handling ", x.Context
	}
	if from == nil || from.Limit != nil {
		return ""
	}
	return s.sentence(word, from)
}

// sentence tells of another exception than the one that ended the program, with
// what to do about it.
func (s *session) sentence(word string, x *exception) string {
	text := word + sandbox.Clip(strings.ToValidUTF8(x.Describe(s.machine.T), "\uFFFD"), 300)
	hint := s.advise(x)
	if f, ok := x.Detail.(*sandbox.Fault); ok {
		hint = f.Hint
	}
	if hint == "" {
		return text
	}
	return strings.TrimSuffix(text, ".") + ". " + hint
}

// advise gives the next action for an exception, from what it knows of what was
// looked for and from what the session knows of the names.
func (s *session) advise(x *exception) string {
	switch d := x.Detail.(type) {
	case compile.MissingName:
		return s.unknownName(d.Name)
	case missingField:
		return d.hint()
	case missingFunction:
		return s.unknownFunction(d)
	case nearModule:
		return "Did you mean " + string(d) + "? Tools need no import."
	case object.MissingAttr:
		return s.missingAttribute(d)
	case compile.UnknownKeyword:
		if near, ok := sandbox.Nearest(d.Name, d.Known); ok {
			return "Did you mean " + near + "?"
		}
		return "It takes " + listNames(d.Known, 12) + "."
	}
	if x.Is(object.BaseExceptionGroup) {
		return s.firstOf(x)
	}
	return s.adviseByText(x)
}

// firstOf tells the first of the exceptions of a group, with what to do about it.
func (s *session) firstOf(x *exception) string {
	for range 8 {
		inner := x.Exceptions(s.machine.T)
		if len(inner) == 0 {
			return ""
		}
		if x = inner[0]; !x.Is(object.BaseExceptionGroup) {
			return s.sentence("The first in it is ", x)
		}
	}
	return ""
}

// adviseByText advises on what the text of an exception tells.
func (s *session) adviseByText(x *exception) string {
	if len(x.Args) == 0 || !x.Is(object.TypeError) {
		return ""
	}
	text, ok := object.StrOf(x.Args[0])
	if !ok {
		return ""
	}
	switch m := text.String(); {
	case strings.HasSuffix(m, "object is not callable"):
		for _, n := range s.names() {
			if _, builtin := object.Builtins().Get(n); builtin {
				return n + " is your value, not the builtin: `del " + n + "` brings the builtin back."
			}
		}
	case strings.Contains(m, "list indices must be integers or slices, not str"):
		return "It is a list: take one element, as in rows[0], or loop over it."
	case strings.HasPrefix(m, "string indices must be integers"):
		return "It is text, not a dict: a loop over a dict gives its keys, d.values() its values."
	case strings.Contains(m, "'coroutine' object"):
		return "Write await before the call of the async function."
	}
	return ""
}

// missingAttribute advises on an attribute that a value does not have.
func (s *session) missingAttribute(d object.MissingAttr) string {
	t := s.machine.T
	if dict, ok := object.DictOf(d.Object); ok {
		if _, has := dict.GetName(d.Name); has {
			return "A dict of the program's own: write " + "d[" + quote(d.Name) + "]."
		}
	}
	if l, ok := object.ListOf(d.Object); ok && l.Len() > 0 {
		if row, ok := object.DictOf(l.Items()[0]); ok {
			if _, has := row.GetName(d.Name); has {
				return "It is a list: take one element, as in rows[0]." + d.Name + ", or loop over it."
			}
		}
		if d.Name == "length" || d.Name == "size" {
			return "Write len(…)."
		}
	}
	if d.Object.IsNone() {
		return "The value is None: what made it gave nothing."
	}
	if d.Name == "length" {
		return "Write len(…)."
	}
	names, ok := attributesOf(t, d.Object)
	if !ok {
		return ""
	}
	if near, ok := sandbox.Nearest(d.Name, names); ok {
		return "Did you mean " + near + "?"
	}
	if word, ok := foreignMethods[d.Name]; ok {
		return word
	}
	return ""
}

// foreignMethods are methods of other languages, with what Python writes.
var foreignMethods = map[string]string{
	"push": "Write list.append(x).", "map": "Write [f(x) for x in xs].", "filter": "Write [x for x in xs if …].",
	"forEach": "Write for x in xs:.", "includes": "Write x in xs.", "contains": "Write x in xs.", "indexOf": "Write xs.index(x).",
	"toLowerCase": "Write s.lower().", "toUpperCase": "Write s.upper().", "trim": "Write s.strip().", "substring": "Write s[a:b].",
	"slice": "Write xs[a:b].", "concat": "Write a + b.", "reduce": "Write a loop or functools.reduce.", "has_key": "Write key in d.",
	"toString": "Write str(x).", "toFixed": "Write f\"{x:.2f}\".", "startsWith": "Write s.startswith(x).", "endsWith": "Write s.endswith(x).",
	"entries": "Write d.items().", "iteritems": "Write d.items().", "join": "Write \", \".join(xs).", "some": "Write any(… for x in xs).",
	"every": "Write all(… for x in xs).", "find": "Write next((x for x in xs if …), None).", "then": "The value is there already: use it.",
}

// attributesOf lists the public attributes of a value.
func attributesOf(t *thread, v pyValue) ([]string, bool) {
	dir, ok := object.Builtins().Get("dir")
	if !ok {
		return nil, false
	}
	list, x := t.Call(dir, v)
	if x != nil {
		return nil, false
	}
	l, ok := list.List()
	if !ok {
		return nil, false
	}
	var names []string
	for _, e := range l.Items() {
		if n, ok := object.StrOf(e); ok && !strings.HasPrefix(n.String(), "_") {
			names = append(names, n.String())
		}
	}
	return names, true
}

// unknownFunction advises on a function that a server does not have.
func (s *session) unknownFunction(d missingFunction) string {
	if near, ok := likely(d.name, d.of.order); ok {
		return "Did you mean " + d.of.name + "." + near + "? fns(" + quote(d.of.name) + ") lists what there is."
	}
	return d.of.name + " has " + listNames(d.of.order, 12) + "."
}

// unknownName is the advice for a name that nothing defines.
func (s *session) unknownName(n string) string {
	switch n {
	case "true", "false":
		return "Python writes " + strings.ToUpper(n[:1]) + n[1:] + "."
	case "null", "undefined", "nil":
		return "Python writes None."
	case "console":
		return "Python writes print(…)."
	}
	if n == "asyncio" || slices.Contains(module.Names(), n) {
		return "Write import " + n + " first."
	}
	if m, ok := homes[n]; ok {
		return "Write from " + m + " import " + n + " first."
	}
	if full := s.tails(n); len(full) > 0 {
		return "The function is " + strings.Join(full, " or ") + "."
	}
	if near, ok := sandbox.Nearest(n, s.visible(n)); ok {
		return "Did you mean " + near + "?"
	}
	if words := split(n); len(words) > 1 && s.ws.Catalog().Len() > 0 {
		return `search("` + strings.Join(words, " ") + `") finds functions.`
	}
	return ""
}

// homes are names that programs forget to import, with their modules.
var homes = map[string]string{
	"Counter": "collections", "defaultdict": "collections", "deque": "collections", "OrderedDict": "collections", "namedtuple": "collections",
	"datetime": "datetime", "timedelta": "datetime", "date": "datetime", "timezone": "datetime", "reduce": "functools", "partial": "functools",
	"lru_cache": "functools", "dataclass": "dataclasses", "field": "dataclasses", "Enum": "enum", "mean": "statistics", "median": "statistics",
	"groupby": "itertools", "chain": "itertools", "product": "itertools", "combinations": "itertools", "sqrt": "math", "ceil": "math", "floor": "math",
	"Decimal": "decimal", "Fraction": "fractions", "itemgetter": "operator", "Optional": "typing", "List": "typing", "Dict": "typing", "Any": "typing",
	"ZoneInfo": "zoneinfo", "sleep": "time", "gather": "asyncio",
}

// visible lists the names that a program could have meant by an unknown one.
func (s *session) visible(n string) []string {
	names := append([]string(nil), s.names()...)
	names = append(names, s.foreignNames()...)
	names = append(names, s.servers().order...)
	for _, b := range append(object.Builtins().Names(), builtinNames...) {
		if len(n) > 4 || len(b) == len(n) && b[0] == n[0] {
			names = append(names, b)
		}
	}
	for _, fn := range s.ws.Catalog().All() {
		names = append(names, fn.Name)
	}
	return names
}

// tails lists the functions whose unqualified name is the one given, as programs
// spell them.
func (s *session) tails(n string) []string {
	var full []string
	for _, fn := range s.ws.Catalog().All() {
		if fn.Local() == n && fn.Name != n {
			if full = append(full, spelling(fn)); len(full) == 3 {
				break
			}
		}
	}
	return full
}
