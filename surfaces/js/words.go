package js

import (
	"regexp"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

// The engine words its own errors in its own way. Programs and models know the
// words of Node, and often switch on them, so a message of the engine's is
// replaced by what Node says at the same place, as far as the source tells.
//
// place is where the engine reports the error: the program's text and the
// position of the operation in it.
type place struct {
	source       string
	line, column int
}

// at gives the byte offset of the place, or -1.
func (p place) at() int {
	if p.source == "" || p.line < 1 {
		return -1
	}
	return offset(p.source, p.line, p.column)
}

// callee is the expression that is called at the place.
func (p place) callee() string {
	at := p.at()
	if at < 0 {
		return ""
	}
	// A call is reported at its parenthesis, a tagged template at its backquote, a
	// construction at the word new.
	rest := p.source[at:]
	if after, ok := strings.CutPrefix(rest, "new"); ok && after != "" && !identifierRune(rune(after[0])) {
		return constructed(after)
	}
	return before(p.source, at)
}

// constructed is what follows the word new, up to its arguments.
func constructed(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	end := strings.IndexFunc(text, func(r rune) bool { return !identifierRune(r) && r != '.' })
	if end < 0 {
		end = len(text)
	}
	return sandbox.Clip(text[:end], longestPath)
}

// rewording is one message of the engine's and what to say instead.
type rewording struct {
	pattern *regexp.Regexp
	say     func(m []string, p place) string
}

var rewordings = []rewording{
	{regexp.MustCompile(`^Cannot read property '(.*)' of (undefined or null|undefined|null)$`), func(m []string, p place) string {
		what := m[2]
		if what == "undefined or null" {
			what = "undefined"
		}
		return "Cannot read properties of " + what + " (reading '" + shortKey(m[1]) + "')"
	}},
	{regexp.MustCompile(`^Object has no member '(.*)'$`), func(m []string, p place) string {
		if c := p.callee(); c != "" {
			return c + " is not a function"
		}
		return shortKey(m[1]) + " is not a function"
	}},
	{regexp.MustCompile(`^Value is not an object: (?s:(.*))$`), notAFunction},
	{regexp.MustCompile(`^Not a function: (?s:(.*))$`), notAFunction},
	{regexp.MustCompile(`^Value is not a constructor$`), func(m []string, p place) string {
		if c := p.callee(); c != "" {
			return c + " is not a constructor"
		}
		return "the value after 'new' is not a constructor"
	}},
	{regexp.MustCompile(`^Value is not object coercible$`), func(m []string, p place) string {
		return "Cannot destructure a value that is undefined or null"
	}},
	{regexp.MustCompile(`^object is not iterable$`), notIterable},
	{regexp.MustCompile(`^No initial value$`), func([]string, place) string { return "Reduce of empty array with no initial value" }},
	{regexp.MustCompile(`^Class constructor cannot be invoked without 'new'$`), func(m []string, p place) string {
		if c := p.callee(); c != "" {
			return "Class constructor " + c + " cannot be invoked without 'new'"
		}
		return m[0]
	}},
	{regexp.MustCompile(`^RegExp doesn't have global flag set$`), func([]string, place) string {
		return "String.prototype.matchAll called with a non-global RegExp argument"
	}},
	{regexp.MustCompile(`^Cannot assign to read only property '(.*)'$`), func(m []string, p place) string {
		return "Cannot assign to read only property '" + shortKey(m[1]) + "' of object"
	}},
	{regexp.MustCompile(`^Malformed URI$`), func([]string, place) string { return "URI malformed" }},
}

// rewordable reports quickly whether a message may be one of the engine's.
func rewordable(message string) bool {
	for _, begins := range [...]string{"Cannot ", "Object has", "Value is", "Not a", "object is", "No initial", "Class constructor", "RegExp doesn't", "Malformed"} {
		if strings.HasPrefix(message, begins) {
			return true
		}
	}
	return false
}

// reword gives Node's words for a message of the engine's at a place.
func reword(message string, p place) string {
	if len(message) > 4000 {
		return message
	}
	if message == "Cannot convert undefined or null to object" {
		return reworded(setOnNothing(p), message)
	}
	for _, r := range rewordings {
		if m := r.pattern.FindStringSubmatch(message); m != nil {
			return r.say(m, p)
		}
	}
	return message
}

func reworded(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// setOnNothing tells an assignment to a member of undefined or null, which the
// engine words like a conversion.
func setOnNothing(p place) string {
	at := p.at()
	if at < 0 {
		return ""
	}
	name := wordAt(p.source, at)
	if name == "" {
		return ""
	}
	start := strings.LastIndex(p.source[:min(len(p.source), at+len(name))], name)
	dot := skipSpaceBack(p.source, max(0, start))
	if dot == 0 || p.source[dot-1] != '.' || !assigned(p.source[start+len(name):]) {
		return ""
	}
	return "Cannot set properties of undefined (setting '" + shortKey(name) + "')"
}

// assigned reports whether text begins with an assignment operator.
func assigned(text string) bool {
	text = strings.TrimLeft(text, " \t")
	i := strings.IndexByte(text, '=')
	return i >= 0 && i <= 4 && !strings.HasPrefix(text, "==") && !strings.HasPrefix(text, "=>") &&
		strings.Trim(text[:i], "+-*/%&|^<>?") == ""
}

// notAFunction words the call of a value that is none.
func notAFunction(m []string, p place) string {
	at := p.at()
	switch {
	case at < 0:
		return shortValue(m[1]) + " is not a function"
	case strings.HasPrefix(p.source[at:], "new"):
		return reworded(p.callee(), shortValue(m[1])) + " is not a constructor"
	case at < len(p.source) && (p.source[at] == '(' || p.source[at] == '`' || p.source[at] == '?'):
		return reworded(p.callee(), shortValue(m[1])) + " is not a function"
	}
	return shortValue(m[1]) + " is not a function"
}

// notIterable words the iteration of a value that cannot be iterated.
func notIterable(m []string, p place) string {
	if at := p.at(); at >= 0 {
		if name := wordAt(p.source, at); name != "" && !keyword(name) {
			return name + " is not iterable"
		}
	}
	return "the value is not iterable"
}

func keyword(name string) bool {
	switch name {
	case "for", "of", "const", "let", "var", "new", "return", "await", "in", "function":
		return true
	}
	return false
}

// shortKey bounds a key inside a message.
func shortKey(k string) string { return sandbox.Clip(k, 60) }

// shortValue bounds a value inside a message.
func shortValue(v string) string { return sandbox.Clip(v, 60) }
