package library

import (
	"errors"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// pattern is a regular expression.
type pattern struct {
	data.Head
	source  string
	program *regex.Program // for texts of ASCII
	names   map[string]int // of its groups
	wide    *regex.Program // for others, made when first needed
	matcher regex.Matcher
}

func (p *pattern) TypeName() string { return "a pattern" }
func (p *pattern) Printed() string  { return `#"` + p.source + `"` }

// Text is the pattern in str.
func (p *pattern) Text() string { return p.source }

// Pattern compiles a regular expression.
func Pattern(t *data.Thread, source string) value {
	program, java := compileJava(t, source, true)
	p := &pattern{source: source, program: program, names: java.names}
	if !java.wide {
		p.wide = program
	}
	return data.Box(p)
}

// compileJava makes a program of a pattern, for texts of ASCII or for others, and
// what was read of it.
func compileJava(t *data.Thread, source string, ascii bool) (*regex.Program, *javaPattern) {
	t.Charge(len(source))
	t.Alloc(8 * len(source))
	written, flags, java, err := translateJava(source, ascii)
	if err != nil {
		data.Throw("PatternSyntaxException", err.Error())
	}
	t.Alloc(8 * len(written))
	limits := regex.DefaultLimits()
	limits.Source, limits.Depth, limits.Meter = 1<<20, 1000, t.Meter
	program, _, err := regex.CompilePython(written, flags, false, limits)
	if err != nil {
		var f *sandbox.Fault
		if errors.As(err, &f) && f.Kind.Limit() {
			panic(f)
		}
		message := "the pattern is not valid."
		if f != nil {
			message = f.Message
		}
		data.Throw("PatternSyntaxException", message)
	}
	t.Alloc(200) // the program itself is charged
	return program, java
}

// programFor gives the program for a text.
func (p *pattern) programFor(t *data.Thread, s *subject) *regex.Program {
	if s.runes == nil {
		return p.program
	}
	if p.wide == nil {
		p.wide, _ = compileJava(t, p.source, false)
	}
	return p.wide
}

// subject is a text as the matcher reads it: places are characters of the input,
// which are bytes of an ASCII text and code points of any other.
type subject struct {
	text  string
	runes []rune // nil for an ASCII text
	in    regex.Input
}

func newSubject(t *data.Thread, v value, name string) *subject {
	s := text(t, name, v)
	x := &subject{text: s}
	if v.Unbox().(*data.Text).ASCII() {
		x.in = regex.ASCII(s)
		return x
	}
	t.Alloc(4 * len(s))
	x.runes = []rune(s)
	x.in = regex.Runes(x.runes)
	return x
}

func (s *subject) length() int {
	if s.runes == nil {
		return len(s.text)
	}
	return len(s.runes)
}

func (s *subject) slice(from, to int) string {
	if s.runes == nil {
		return s.text[from:to]
	}
	return string(s.runes[from:to])
}

// find gives the captures of the first match at or after a place, nil for none.
func (p *pattern) find(t *data.Thread, s *subject, at int) []int {
	captures, ok, err := p.matcher.Find(p.programFor(t, s), s.in, at, t.Meter)
	return found(captures, ok, err)
}

func found(captures []int, ok bool, err error) []int {
	if err != nil {
		panic(err)
	}
	if !ok {
		return nil
	}
	return captures
}

// groups gives a match as re-find does: the text, or a vector of it and its groups.
func (p *pattern) groups(t *data.Thread, s *subject, captures []int) value {
	n := p.program.Groups() + 1
	t.Alloc(64 * n)
	out := make([]value, n)
	for i := range out {
		if from, to := captures[2*i], captures[2*i+1]; from >= 0 {
			t.Alloc(to - from)
			out[i] = data.String(s.slice(from, to))
		}
	}
	if n == 1 {
		return out[0]
	}
	return data.VectorOf(out)
}

// each calls f for each match from the left until f gives false.
func (p *pattern) each(t *data.Thread, s *subject, f func(captures []int) bool) {
	at := 0
	for at <= s.length() {
		captures := p.find(t, s, at)
		if captures == nil {
			return
		}
		from, to := captures[0], captures[1]
		if !f(captures) {
			return
		}
		at = to
		if to == from {
			at++
		}
	}
}

// patterns are the functions on regular expressions.
func patterns() []*data.Native {
	return []*data.Native{
		fn("re-pattern", 1, 1, "(re-pattern s)", "a pattern of a text", func(t *data.Thread, a []value) value {
			if _, ok := a[0].Unbox().(*pattern); ok {
				return a[0]
			}
			return Pattern(t, text(t, "re-pattern", a[0]))
		}),
		fn("re-find", 2, 2, "(re-find #\"…\" s)", "the first match: its text, or a vector of it and its groups", func(t *data.Thread, a []value) value {
			p, s := patternOf(t, "re-find", a[0]), newSubject(t, a[1], "re-find")
			if c := p.find(t, s, 0); c != nil {
				return p.groups(t, s, c)
			}
			return data.Nil
		}),
		fn("re-matches", 2, 2, "(re-matches #\"…\" s)", "the match of the whole text, or nil", func(t *data.Thread, a []value) value {
			p, s := patternOf(t, "re-matches", a[0]), newSubject(t, a[1], "re-matches")
			captures, ok, err := p.matcher.MatchAll(p.programFor(t, s), s.in, 0, t.Meter)
			if c := found(captures, ok, err); c != nil {
				return p.groups(t, s, c)
			}
			return data.Nil
		}),
		fn("re-seq", 2, 2, "(re-seq #\"…\" s)", "all matches", func(t *data.Thread, a []value) value {
			p, s := patternOf(t, "re-seq", a[0]), newSubject(t, a[1], "re-seq")
			var out []value
			p.each(t, s, func(c []int) bool {
				out = added(t, out, p.groups(t, s, c))
				return true
			})
			return data.NewChunk(out, data.Nil)
		}),
		extra("re-quote", 1, 1, "(re-quote s)", "the text as a pattern that matches it", func(t *data.Thread, a []value) value {
			s := text(t, "re-quote", a[0])
			t.Alloc(2 * len(s))
			return data.String(regex.Quote(s))
		}),
	}
}

func patternOf(t *data.Thread, name string, v value) *pattern {
	p, ok := v.Unbox().(*pattern)
	if !ok {
		if s, isText := v.Text(); isText {
			_ = s
			data.ThrowHint("ClassCastException", name+" takes a pattern first, and got "+data.Describe(t, v)+".", "Write the pattern as #\"…\", or (re-pattern s).")
		}
		wants(t, name, "a pattern", v)
	}
	return p
}
