package module

import (
	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// replacement is what takes the place of a match.
type replacement struct {
	fn    value
	parts []regex.TemplatePart
}

// replacement reads the argument of sub: a function or a text with references.
func (p *pattern) replacement(t *thread, v value) (replacement, *exception) {
	text, isBytes, ok := subject(v)
	if !ok {
		if t.Callable(v) {
			return replacement{fn: v}, nil
		}
		return replacement{}, t.RaiseType("decoding to str: need a bytes-like object, %s found", nameOf(v))
	}
	if isBytes != p.bytes {
		if p.bytes {
			return replacement{}, t.RaiseType("sequence item 1: expected a bytes-like object, str found")
		}
		return replacement{}, t.RaiseType("sequence item 1: expected str instance, bytes found")
	}
	if p.hasTemplate && p.templateText == text {
		return replacement{parts: p.template}, nil
	}
	runes, x := subjectRunes(t, text, isBytes)
	if x != nil {
		return replacement{}, x
	}
	parts, err := p.program.ParsePythonTemplate(runes)
	if err != nil {
		return replacement{}, patternError(t, v, err)
	}
	p.template, p.templateText, p.hasTemplate = parts, text, true
	return replacement{parts: parts}, nil
}

// sub replaces matches and counts them.
func (p *pattern) sub(t *thread, a []value) (text value, n int64, raised *exception) {
	h, x := p.search(t, a[1])
	if x != nil {
		return value{}, 0, x
	}
	r, x := p.replacement(t, a[0])
	if x != nil {
		return value{}, 0, x
	}
	most := int64(0)
	if v, ok := given(a, 2); ok {
		if most, x = integer(t, v); x != nil {
			return value{}, 0, x
		}
	}
	defer t.Built(t.Building())
	var b []byte
	at, charged := 0, 0
	x = p.each(t, h, 0, h.n, func(m *match) (bool, *exception) {
		b = append(b, h.cut(at, m.spans[0])...)
		if r.fn.IsSet() {
			s, x := t.Call(r.fn, object.Box(m))
			if x != nil {
				return true, x
			}
			if b, x = h.appendValue(t, b, s); x != nil {
				return true, x
			}
		} else {
			b = m.expand(r.parts, b)
		}
		at = m.spans[1]
		n++
		if len(b) > charged {
			if x := t.Build(2 * (len(b) - charged)); x != nil {
				return true, x
			}
			charged = len(b)
		}
		return n == most, nil
	})
	if x != nil {
		return value{}, 0, x
	}
	if n == 0 {
		return h.v.Base(), 0, nil
	}
	b = append(b, h.cut(at, h.n)...)
	text, x = h.make(t, string(b))
	return text, n, x
}

// appendValue appends what a replacement function gave.
func (h *haystack) appendValue(t *thread, b []byte, v value) ([]byte, *exception) {
	s, isBytes, ok := subject(v)
	if v.IsNone() {
		return b, nil
	}
	if !ok || isBytes != h.bytes {
		want := "str"
		if h.bytes {
			want = "a bytes-like object"
		}
		return b, t.RaiseType("sequence item 0: expected %s instance, %s found", want, nameOf(v))
	}
	return append(b, s...), nil
}

// split cuts the text at matches, whose groups stand between the parts.
func (p *pattern) split(t *thread, a []value) (value, *exception) {
	h, x := p.search(t, a[0])
	if x != nil {
		return value{}, x
	}
	most, n := int64(0), int64(0)
	if v, ok := given(a, 1); ok {
		if most, x = integer(t, v); x != nil {
			return value{}, x
		}
	}
	out, x := t.List(nil)
	if x != nil {
		return value{}, x
	}
	l, _ := out.List()
	defer t.Unpin(t.Pin(out))
	at := 0
	add := func(from, to int) *exception {
		s, x := h.slice(t, from, to)
		if x != nil {
			return x
		}
		return l.Append(t, s)
	}
	if most >= 0 {
		x = p.each(t, h, 0, h.n, func(m *match) (bool, *exception) {
			if x := add(at, m.spans[0]); x != nil {
				return true, x
			}
			groups, x := m.groups(t, object.None)
			if x != nil {
				return true, x
			}
			for _, g := range groups {
				if x := l.Append(t, g); x != nil {
					return true, x
				}
			}
			at = m.spans[1]
			n++
			return n == most, nil
		})
		if x != nil {
			return value{}, x
		}
	}
	return out, add(at, h.n)
}

func (p *pattern) findAll(t *thread, a []value) (value, *exception) {
	h, x := p.search(t, a[0])
	if x != nil {
		return value{}, x
	}
	pos, end, x := bounds(t, a, 1, h.n)
	if x != nil {
		return value{}, x
	}
	out, x := t.List(nil)
	if x != nil {
		return value{}, x
	}
	l, _ := out.List()
	defer t.Unpin(t.Pin(out))
	return out, p.each(t, h, pos, end, func(m *match) (bool, *exception) {
		v, x := m.found(t)
		if x != nil {
			return true, x
		}
		return false, l.Append(t, v)
	})
}

// matchIter is what finditer gives: matches as they are asked for.
type matchIter struct {
	object.Obj
	p       *pattern
	h       *haystack
	how     finder
	at, end int
	pos     int
	done    bool
}

var matchIterClass = object.Define("callable_iterator")

// Class is callable_iterator.
func (*matchIter) Class() *class { return matchIterClass }

// Next gives the next match.
func (it *matchIter) Next(t *thread) (value, *exception) {
	if it.done {
		return value{}, nil
	}
	m, x := it.p.find(t, it.h, it.how, it.at, it.end)
	if x != nil || m == nil {
		it.done = true
		return value{}, x
	}
	m.pos = it.pos
	it.at, it.how = m.spans[1], (*regex.Matcher).Find
	if m.spans[0] == m.spans[1] {
		it.how = (*regex.Matcher).FindNext
	}
	return object.Box(m), nil
}

// one looks for one match.
func (p *pattern) one(t *thread, how finder, a []value) (value, *exception) {
	h, x := p.search(t, a[0])
	if x != nil {
		return value{}, x
	}
	pos, end, x := bounds(t, a, 1, h.n)
	if x != nil {
		return value{}, x
	}
	if pos > end {
		return object.None, nil
	}
	m, x := p.find(t, h, how, pos, end)
	if x != nil || m == nil {
		return object.None, x
	}
	m.pos = pos
	return object.Box(m), nil
}

// regexOperation is a function of re that a pattern has as a method too.
type regexOperation struct {
	name, sig string
	run       func(t *thread, p *pattern, a []value) (value, *exception)
	// module is the signature in the module, behind the pattern, and flags the
	// place of flags= in it.
	module string
	flags  int
}

var regexOperations = []regexOperation{
	{"search", "string pos? endpos?", func(t *thread, p *pattern, a []value) (value, *exception) {
		return p.one(t, (*regex.Matcher).Find, a)
	}, "string flags?", 1},
	{"match", "string pos? endpos?", func(t *thread, p *pattern, a []value) (value, *exception) {
		return p.one(t, (*regex.Matcher).MatchAt, a)
	}, "string flags?", 1},
	{"fullmatch", "string pos? endpos?", func(t *thread, p *pattern, a []value) (value, *exception) {
		return p.one(t, (*regex.Matcher).MatchAll, a)
	}, "string flags?", 1},
	{"findall", "string pos? endpos?", func(t *thread, p *pattern, a []value) (value, *exception) { return p.findAll(t, a) }, "string flags?", 1},
	{"finditer", "string pos? endpos?", func(t *thread, p *pattern, a []value) (value, *exception) {
		h, x := p.search(t, a[0])
		if x != nil {
			return value{}, x
		}
		pos, end, x := bounds(t, a, 1, h.n)
		if x != nil {
			return value{}, x
		}
		return object.Box(&matchIter{p: p, h: h, how: (*regex.Matcher).Find, at: pos, pos: pos, end: end, done: pos > end}), t.Alloc(120)
	}, "string flags?", 1},
	{"split", "string maxsplit?", func(t *thread, p *pattern, a []value) (value, *exception) { return p.split(t, a) }, "string maxsplit? flags?", 2},
	{"sub", "repl string count?", func(t *thread, p *pattern, a []value) (value, *exception) {
		v, _, x := p.sub(t, a)
		return v, x
	}, "repl string count? flags?", 3},
	{"subn", "repl string count?", func(t *thread, p *pattern, a []value) (value, *exception) {
		v, n, x := p.sub(t, a)
		if x != nil {
			return value{}, x
		}
		return t.Tuple(v, object.Int(n))
	}, "repl string count? flags?", 3},
}

var _ = register("re", func(l *Library) *object.Module {
	m := object.NewModule("re")
	for _, o := range regexOperations {
		m.Func(o.name, "pattern "+o.module, func(t *thread, a []value) (value, *exception) {
			p, x := compilePattern(t, a[0], object.Arg(a, o.flags+1))
			if x != nil {
				return value{}, x
			}
			return o.run(t, p, a[1:min(len(a), o.flags+1)])
		})
	}
	m.Func("compile", "pattern flags?", func(t *thread, a []value) (value, *exception) {
		p, x := compilePattern(t, a[0], object.Arg(a, 1))
		if x != nil {
			return value{}, x
		}
		return object.Box(p), nil
	})
	m.Func("escape", "pattern", func(t *thread, a []value) (value, *exception) {
		s, isBytes, ok := subject(a[0])
		if !ok {
			return raised(t.RaiseType("decoding to str: need a bytes-like object, %s found", nameOf(a[0])))
		}
		if x := t.Alloc(2 * len(s)); x != nil {
			return value{}, x
		}
		if isBytes {
			return t.Data(escapeText(s))
		}
		return t.Text(escapeText(s))
	})
	m.Func("purge", "", func(*thread, []value) (value, *exception) { return object.None, nil })
	m.Set("error", regexError.Value()).Set("Pattern", patternClass.Value()).Set("Match", matchClass.Value()).Set("RegexFlag", regexFlags.Value())
	for _, f := range flagNames {
		flag := object.NewInstance(regexFlags, object.Int(f.bit))
		m.Set(f.name, flag)
		if f.short != "" {
			m.Set(f.short, flag)
		}
	}
	m.Set("NOFLAG", object.NewInstance(regexFlags, object.Int(0)))
	return m
})

func init() {
	matchIterClass.Own.Children = func(v value, visit func(value)) int {
		it := v.Native().(*matchIter)
		visit(it.h.v)
		return 160 + 4*len(it.h.runes)
	}
	object.ReadyIterator(matchIterClass)
	regexError.Module = "re"
	regexError.Ready()
	c := patternClass
	c.Module = "re"
	c.Final = true
	self := func(v value) *pattern { return v.Native().(*pattern) }
	for _, o := range regexOperations {
		c.Method(o.name, o.sig, func(t *thread, a []value) (value, *exception) { return o.run(t, self(a[0]), a[1:]) })
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) { return patternText(t, self(v)) }
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		q, ok := w.Native().(*pattern)
		if !ok || op != object.Eq && op != object.Ne {
			return object.NotImplemented, nil
		}
		p := self(v)
		same, x := t.Equal(p.source, q.source)
		return object.Bool((same && p.flags == q.flags && p.bytes == q.bytes) == (op == object.Eq)), x
	}
	c.Own.Hash = func(t *thread, v value) (uint64, *exception) {
		h, x := t.Hash(self(v).source)
		return h*31 + uint64(self(v).flags), x
	}
	c.Own.Children = func(v value, visit func(value)) int {
		visit(self(v).source)
		return 200 + int(self(v).program.Bytes())
	}
	get := func(name string, f func(t *thread, p *pattern) (value, *exception)) {
		c.Getter(name, func(t *thread, v value) (value, *exception) { return f(t, self(v)) })
	}
	get("pattern", func(_ *thread, p *pattern) (value, *exception) { return p.source, nil })
	get("flags", func(_ *thread, p *pattern) (value, *exception) { return object.Int(int64(p.flags)), nil })
	get("groups", func(_ *thread, p *pattern) (value, *exception) { return object.Int(int64(p.program.Groups())), nil })
	get("groupindex", func(t *thread, p *pattern) (value, *exception) {
		d, x := t.Dict(0)
		if x != nil {
			return value{}, x
		}
		for _, n := range p.program.Names() {
			if x := d.SetName(t, n.Name, object.Int(int64(n.Groups[0]))); x != nil {
				return value{}, x
			}
		}
		return d.Value(), nil
	})
	c.Ready()
}
