package realm

import (
	"strings"

	"github.com/dop251/goja"
)

func stringSplit(r *Realm, s goja.String, c call) goja.Value {
	limit := uint32(1<<32 - 1)
	if re := regexOf(arg(c, 0)); re != nil {
		if given(c, 1) {
			limit = toUint32(r.num(c.Arguments[1]))
		}
		return r.splitRegex(s, re, limit)
	}
	if given(c, 1) {
		limit = toUint32(r.num(c.Arguments[1]))
	}
	sep := goja.String(nil)
	if given(c, 0) {
		sep = r.str(c.Arguments[0])
	}
	if limit == 0 {
		return r.newArray(nil)
	}
	if sep == nil {
		return r.newArray([]goja.Value{s})
	}
	if sep.Length() == 0 {
		return r.splitUnits(s, limit)
	}
	var list []goja.Value
	add := func(v goja.Value) bool {
		r.Alloc(stringBytes + 2*elemBytes)
		list = append(list, v)
		return uint32(len(list)) < limit
	}
	r.Alloc(arrayBytes)
	r.pieces(s, sep, add)
	return r.makeArray(list)
}

// pieces visits the parts of a string between separators.
func (r *Realm) pieces(s, sep goja.String, add func(goja.Value) bool) {
	text, plain := asciiOf(s)
	word, wordPlain := asciiOf(sep)
	if plain && wordPlain {
		for {
			i := r.indexText(text, word, 0)
			if i < 0 {
				add(r.text(text))
				return
			}
			if !add(r.text(text[:i])) {
				return
			}
			text = text[i+len(word):]
		}
	}
	from := 0
	for {
		i := r.index(s, sep, from)
		if i < 0 {
			add(s.Substring(from, s.Length()))
			return
		}
		if !add(s.Substring(from, i)) {
			return
		}
		from = i + sep.Length()
	}
}

// splitUnits splits into single units.
func (r *Realm) splitUnits(s goja.String, limit uint32) goja.Value {
	n := s.Length()
	if uint64(n) > uint64(limit) {
		n = int(limit)
	}
	r.Alloc(int64(n) * (stringBytes + elemBytes))
	list := make([]goja.Value, n)
	p := r.pace()
	for i := range list {
		p.step(2)
		list[i] = s.Substring(i, i+1)
	}
	p.end()
	return r.newArray(list)
}

// replaceIn is replace and replaceAll.
func (r *Realm) replaceIn(s goja.String, c call, all bool) goja.Value {
	if re := regexOf(arg(c, 0)); re != nil {
		if all && !re.has('g') {
			r.typeError("String.prototype.replaceAll called with a non-global RegExp argument")
		}
		return r.replaceRegex(s, re, arg(c, 1))
	}
	needle := r.str(arg(c, 0))
	with := r.replacement(arg(c, 1))
	b := builder{r: r}
	from, at := 0, 0
	for {
		i := r.index(s, needle, at)
		if i < 0 {
			break
		}
		b.add(s.Substring(from, i))
		with(&b, match{text: s, captures: []int{i, i + needle.Length()}})
		from = i + needle.Length()
		if at = from; needle.Length() == 0 {
			at++
		}
		if !all || at > s.Length() {
			break
		}
	}
	if b.n == 0 && from == 0 && at == 0 {
		return s
	}
	b.add(s.Substring(from, s.Length()))
	return b.value()
}

// match is one place where a pattern was found.
type match struct {
	text     goja.String
	captures []int      // pairs of bounds, -1 where a capture took no part
	groups   goja.Value // the groups object, nil if the pattern has no names
}

// group gives a capture, undefined if it took no part.
func (m match) group(i int) goja.Value {
	if 2*i+1 >= len(m.captures) || m.captures[2*i] < 0 {
		return goja.Undefined()
	}
	return m.text.Substring(m.captures[2*i], m.captures[2*i+1])
}

// replacement gives the function that writes what stands for a match: a function
// of the program's, or text with $-patterns.
func (r *Realm) replacement(v goja.Value) func(b *builder, m match) {
	if isFunction(v) {
		f := r.callback(v)
		return func(b *builder, m match) {
			args := make([]goja.Value, 0, len(m.captures)/2+3)
			for i := range len(m.captures) / 2 {
				args = append(args, m.group(i))
			}
			args = append(args, whole(m.captures[0]), m.text)
			if m.groups != nil {
				args = append(args, m.groups)
			}
			b.add(r.str(f(call{This: goja.Undefined(), Arguments: args})))
		}
	}
	text := r.str(v)
	plain := text.String()
	if !strings.Contains(plain, "$") {
		return func(b *builder, _ match) {
			r.Charge(1)
			b.add(text)
		}
	}
	return func(b *builder, m match) {
		r.Charge(1)
		substitute(b, text, m)
	}
}

// substitute is ECMA-262 GetSubstitution.
func substitute(b *builder, text goja.String, m match) {
	n := text.Length()
	from := 0
	flush := func(to int) { b.add(text.Substring(from, to)) }
	for i := 0; i < n-1; i++ {
		if text.CharAt(i) != '$' {
			continue
		}
		start, end := m.captures[0], m.captures[1]
		width := 2
		var part goja.Value
		switch c := text.CharAt(i + 1); {
		case c == '$':
			flush(i + 1)
			i++
			from = i + 1
			continue
		case c == '&':
			part = m.text.Substring(start, end)
		case c == '`':
			part = m.text.Substring(0, start)
		case c == '\'':
			part = m.text.Substring(end, m.text.Length())
		case c >= '0' && c <= '9':
			k, w := groupNumber(text, i+1, len(m.captures)/2-1)
			if k == 0 {
				continue
			}
			part, width = m.group(k), w+1
		case c == '<' && m.groups != nil:
			j := i + 2
			for j < n && text.CharAt(j) != '>' {
				j++
			}
			if j == n {
				continue
			}
			part, width = goja.Undefined(), j-i+1
			if g, ok := m.groups.(*goja.Object); ok {
				part = filled(g.Get(text.Substring(i+2, j).String()))
			}
		default:
			continue
		}
		flush(i)
		if s, ok := part.(goja.String); ok {
			b.add(s)
		} else if !goja.IsUndefined(part) {
			b.add(b.r.str(part))
		}
		i += width - 1
		from = i + 1
	}
	flush(n)
}

// groupNumber reads $n or $nn at i: the longest that names a capture.
func groupNumber(text goja.String, i, groups int) (k, width int) {
	one := int(text.CharAt(i) - '0')
	if i+1 < text.Length() {
		if d := text.CharAt(i + 1); d >= '0' && d <= '9' {
			if two := one*10 + int(d-'0'); two >= 1 && two <= groups {
				return two, 2
			}
		}
	}
	if one >= 1 && one <= groups {
		return one, 1
	}
	return 0, 0
}
