package module

import (
	"strconv"

	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// match is re.Match.
type match struct {
	object.Obj
	re       *pattern
	in       *haystack
	spans    []int
	last     int
	pos, end int
}

// Class is re.Match.
func (*match) Class() *class { return matchClass }

var matchClass = defineIn("re", "Match")

// index finds a group by number or name.
func (m *match) index(t *thread, v value) (int, *exception) {
	if s, ok := textOf(v); ok {
		for _, n := range m.re.program.Names() {
			if n.Name == s {
				return n.Groups[0], nil
			}
		}
		return 0, t.Raise(object.IndexError, "no such group")
	}
	i, x := t.Index(v)
	if x != nil {
		if x.Limit != nil {
			return 0, x
		}
		return 0, t.Raise(object.IndexError, "no such group")
	}
	n, ok := i.Int()
	if !ok || n < 0 || int(n) > m.re.program.Groups() {
		return 0, t.Raise(object.IndexError, "no such group")
	}
	return int(n), nil
}

// group gives what a group matched.
func (m *match) group(t *thread, i int, otherwise value) (value, *exception) {
	from, to := m.spans[2*i], m.spans[2*i+1]
	if from < 0 || to < 0 {
		return otherwise, nil
	}
	return m.in.slice(t, from, to)
}

// groups gives all of them.
func (m *match) groups(t *thread, otherwise value) ([]value, *exception) {
	n := m.re.program.Groups()
	if x := t.Alloc(16 * n); x != nil {
		return nil, x
	}
	out := make([]value, n)
	for i := range out {
		v, x := m.group(t, i+1, otherwise)
		if x != nil {
			return nil, x
		}
		out[i] = v
	}
	return out, nil
}

// found is what findall gives for a match.
func (m *match) found(t *thread) (value, *exception) {
	switch m.re.program.Groups() {
	case 0:
		return m.group(t, 0, value{})
	case 1:
		empty, x := m.in.make(t, "")
		if x != nil {
			return value{}, x
		}
		return m.group(t, 1, empty)
	}
	empty, x := m.in.make(t, "")
	if x != nil {
		return value{}, x
	}
	all, x := m.groups(t, empty)
	if x != nil {
		return value{}, x
	}
	return t.Tuple(all...)
}

// expand fills a replacement text.
func (m *match) expand(parts []regex.TemplatePart, b []byte) []byte {
	for _, p := range parts {
		switch {
		case p.Group < 0 && m.in.bytes:
			for _, r := range p.Text {
				b = append(b, byte(r))
			}
		case p.Group < 0:
			b = append(b, object.FromRunes(p.Text)...)
		case m.spans[2*p.Group] >= 0:
			b = append(b, m.in.cut(m.spans[2*p.Group], m.spans[2*p.Group+1])...)
		}
	}
	return b
}

func init() {
	c := matchClass
	c.Module = "re"
	self := func(v value) *match { return v.Native().(*match) }
	c.Final = true
	c.Own.Children = func(v value, visit func(value)) int {
		m := self(v)
		visit(m.in.v)
		visit(object.Box(m.re))
		return 160 + 8*len(m.spans) + 4*len(m.in.runes)
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		m := self(v)
		g, x := m.group(t, 0, object.None)
		if x != nil {
			return "", x
		}
		s, x := t.Repr(g)
		if r := []rune(s); len(r) > 50 {
			s = string(r[:50])
		}
		return "<re.Match object; span=(" + strconv.Itoa(m.spans[0]) + ", " + strconv.Itoa(m.spans[1]) + "), match=" + s + ">", x
	}
	c.Own.GetItem = func(t *thread, v, key value) (value, *exception) {
		i, x := self(v).index(t, key)
		if x != nil {
			return value{}, x
		}
		return self(v).group(t, i, object.None)
	}
	c.Method("group", "*args", func(t *thread, a []value) (value, *exception) {
		m := self(a[0])
		if len(a) == 1 {
			return m.group(t, 0, object.None)
		}
		var out []value
		for _, v := range a[1:] {
			i, x := m.index(t, v)
			if x != nil {
				return value{}, x
			}
			g, x := m.group(t, i, object.None)
			if x != nil {
				return value{}, x
			}
			out = append(out, g)
		}
		if len(out) == 1 {
			return out[0], nil
		}
		return t.Tuple(out...)
	})
	c.Method("groups", "default?", func(t *thread, a []value) (value, *exception) {
		otherwise := object.None
		if v, ok := given(a, 1); ok {
			otherwise = v
		}
		all, x := self(a[0]).groups(t, otherwise)
		if x != nil {
			return value{}, x
		}
		return t.Tuple(all...)
	})
	c.Method("groupdict", "default?", func(t *thread, a []value) (value, *exception) {
		m := self(a[0])
		otherwise := object.None
		if v, ok := given(a, 1); ok {
			otherwise = v
		}
		d, x := t.Dict(0)
		if x != nil {
			return value{}, x
		}
		for _, n := range m.re.program.Names() {
			v, x := m.group(t, n.Groups[0], otherwise)
			if x != nil {
				return value{}, x
			}
			if x := d.SetName(t, n.Name, v); x != nil {
				return value{}, x
			}
		}
		return d.Value(), nil
	})
	place := func(name string, give func(t *thread, from, to int) (value, *exception)) {
		c.Method(name, "group? /", func(t *thread, a []value) (value, *exception) {
			m, i := self(a[0]), 0
			if v, ok := given(a, 1); ok {
				var x *exception
				if i, x = m.index(t, v); x != nil {
					return value{}, x
				}
			}
			return give(t, m.spans[2*i], m.spans[2*i+1])
		})
	}
	place("start", func(_ *thread, from, _ int) (value, *exception) { return object.Int(int64(from)), nil })
	place("end", func(_ *thread, _, to int) (value, *exception) { return object.Int(int64(to)), nil })
	span := func(t *thread, from, to int) (value, *exception) {
		return t.Tuple(object.Int(int64(from)), object.Int(int64(to)))
	}
	place("span", span)
	c.Method("expand", "template", func(t *thread, a []value) (value, *exception) {
		m := self(a[0])
		r, x := m.re.replacement(t, a[1])
		if x != nil {
			return value{}, x
		}
		s := string(m.expand(r.parts, nil))
		if x := t.Alloc(len(s)); x != nil {
			return value{}, x
		}
		return m.in.make(t, s)
	})
	get := func(name string, f func(t *thread, m *match) (value, *exception)) {
		c.Getter(name, func(t *thread, v value) (value, *exception) { return f(t, self(v)) })
	}
	get("string", func(_ *thread, m *match) (value, *exception) { return m.in.v, nil })
	get("re", func(_ *thread, m *match) (value, *exception) { return object.Box(m.re), nil })
	get("pos", func(_ *thread, m *match) (value, *exception) { return object.Int(int64(m.pos)), nil })
	get("endpos", func(_ *thread, m *match) (value, *exception) { return object.Int(int64(m.end)), nil })
	get("lastindex", func(_ *thread, m *match) (value, *exception) {
		if m.last == 0 {
			return object.None, nil
		}
		return object.Int(int64(m.last)), nil
	})
	get("lastgroup", func(_ *thread, m *match) (value, *exception) {
		for _, n := range m.re.program.Names() {
			if n.Groups[0] == m.last {
				return object.NewStr(n.Name), nil
			}
		}
		return object.None, nil
	})
	get("regs", func(t *thread, m *match) (value, *exception) {
		var all []value
		for i := 0; i < len(m.spans); i += 2 {
			v, x := span(t, m.spans[i], m.spans[i+1])
			if x != nil {
				return value{}, x
			}
			all = append(all, v)
		}
		return t.Tuple(all...)
	})
	c.Ready()
}
