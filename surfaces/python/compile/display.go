package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// element is a part of a display or of the arguments of a call.
type element struct {
	eval eval
	star bool
	at   syntax.Span
}

func (c *compiler) elements(list []syntax.Expr) (els []element, plain bool) {
	plain = true
	for _, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			c.nodes++
			els = append(els, element{c.expr(s.Value), true, s.Span})
			plain = false
			continue
		}
		els = append(els, element{eval: c.expr(e)})
	}
	return els, plain
}

// gather evaluates the elements onto the stack and gives them in a new slice, for
// which size bytes more are charged.
func (c *compiler) gather(list []syntax.Expr) func(f *frame) ([]value, *exception) {
	els, plain := c.elements(list)
	if !plain {
		return func(f *frame) ([]value, *exception) { return f.gatherStars(els) }
	}
	n := len(els)
	calm := true
	for _, e := range list {
		calm = calm && simple(e)
	}
	if calm {
		return func(f *frame) ([]value, *exception) {
			if x := f.t.Alloc(56 + 16*n); x != nil {
				return nil, x
			}
			out := make([]value, n)
			for i := range els {
				v, x := els[i].eval(f)
				if x != nil {
					return nil, x
				}
				out[i] = v
			}
			return out, nil
		}
	}
	return func(f *frame) ([]value, *exception) {
		if x := f.t.Alloc(56 + 16*n); x != nil {
			return nil, x
		}
		k := f.m.mark()
		out := make([]value, n)
		for i := range els {
			v, x := els[i].eval(f)
			if x != nil {
				f.m.release(k)
				return nil, x
			}
			out[i] = v
			f.m.hold(v)
		}
		f.m.release(k)
		return out, nil
	}
}

// gatherStars is gather where some elements are unpacked.
func (f *frame) gatherStars(els []element) ([]value, *exception) {
	l := object.NewList(nil)
	list, _ := l.List()
	k := f.m.mark()
	defer f.m.release(k)
	f.m.hold(l)
	for _, e := range els {
		v, x := e.eval(f)
		if x != nil {
			return nil, x
		}
		if e.star {
			x = f.spread(list, v)
		} else {
			x = list.Append(f.t, v)
		}
		if x != nil {
			return nil, f.at(x, e.at)
		}
	}
	return list.Items(), nil
}

// spread unpacks an iterable into a list.
func (f *frame) spread(list *object.List, v value) *exception {
	x := list.Extend(f.t, v)
	if x != nil && x.Is(object.TypeError) && len(x.Trace) == 0 {
		if _, y := f.t.Iter(v); y != nil && y.Is(object.TypeError) {
			return f.t.RaiseType("Value after * must be an iterable, not %s", v.Class().Name)
		}
	}
	return x
}

func (c *compiler) list(e *syntax.List) eval {
	g := c.gather(e.Elts)
	return func(f *frame) (value, *exception) {
		items, x := g(f)
		if x != nil {
			return value{}, x
		}
		return object.NewList(items), nil
	}
}

func (c *compiler) tuple(e *syntax.Tuple) eval {
	if v, ok := c.constantTuple(e); ok {
		return func(*frame) (value, *exception) { return v, nil }
	}
	g := c.gather(e.Elts)
	return func(f *frame) (value, *exception) {
		items, x := g(f)
		if x != nil {
			return value{}, x
		}
		return object.NewTuple(items), nil
	}
}

// constantTuple folds a tuple of literals.
func (c *compiler) constantTuple(e *syntax.Tuple) (value, bool) {
	items := make([]value, len(e.Elts))
	for i, x := range e.Elts {
		k, ok := constantOf(x)
		if !ok {
			return value{}, false
		}
		items[i] = c.constant(k)
	}
	c.nodes += int64(len(items))
	return object.NewTuple(items), true
}

// displayed is how many values CPython evaluates before it puts them into a set or
// a dict: an error of hashing one comes after the evaluation of the others.
const displayed = 30

func (c *compiler) set(e *syntax.Set) eval {
	els, plain := c.elements(e.Elts)
	first := 0 // how many are evaluated before the first is added
	for first < len(els) && !els[first].star {
		first++
	}
	if plain && len(els) > displayed {
		first = 0
	}
	at := e.Span
	return func(f *frame) (value, *exception) {
		k := f.m.mark()
		defer f.m.release(k)
		var small [displayed]value
		early := small[:0]
		for _, el := range els[:first] {
			v, x := el.eval(f)
			if x != nil {
				return value{}, x
			}
			f.m.hold(v)
			early = append(early, v)
		}
		s, x := f.t.Set(false)
		if x != nil {
			return value{}, x
		}
		f.m.hold(s.Value())
		for _, v := range early {
			if x := s.Add(f.t, v); x != nil {
				return value{}, f.at(x, at)
			}
		}
		for _, el := range els[first:] {
			v, x := el.eval(f)
			if x != nil {
				return value{}, x
			}
			if el.star {
				x = f.t.Each(v, func(w value) (bool, *exception) { return false, s.Add(f.t, w) })
			} else {
				x = s.Add(f.t, v)
			}
			if x != nil {
				return value{}, f.at(x, at)
			}
		}
		return s.Value(), nil
	}
}

// dictPair is an entry of a dict display; the key is nil for ** of a mapping.
type dictPair struct{ key, val eval }

func (c *compiler) dict(e *syntax.Dict) eval {
	pairs := make([]dictPair, len(e.Values))
	constant := true
	for i := range e.Values {
		if e.Keys[i] != nil {
			pairs[i].key = c.expr(e.Keys[i])
			k, ok := constantOf(e.Keys[i])
			if ok {
				if s, ok := c.constant(k).Str(); ok {
					s.Hash()
				}
			}
			constant = constant && ok
		} else {
			constant = false
		}
		pairs[i].val = c.expr(e.Values[i])
	}
	at := e.Span
	return func(f *frame) (value, *exception) {
		d, x := f.t.Dict(len(pairs))
		if x != nil {
			return value{}, x
		}
		if len(pairs) == 0 {
			return d.Value(), nil
		}
		k := f.m.mark()
		f.m.hold(d.Value())
		if constant {
			x = f.addConstantKeys(d, pairs)
		} else {
			x = f.addPairs(d, pairs, at)
		}
		f.m.release(k)
		return d.Value(), x
	}
}

// addConstantKeys fills a dict whose keys are literals: nothing can go wrong with
// them, so each pair is added at once.
func (f *frame) addConstantKeys(d *object.Dict, pairs []dictPair) *exception {
	for _, p := range pairs {
		k, x := p.key(f)
		if x != nil {
			return x
		}
		v, x := p.val(f)
		if x != nil {
			return x
		}
		if x := d.Set(f.t, k, v); x != nil {
			return x
		}
	}
	return nil
}

// addPairs fills a dict as CPython does: up to 17 pairs are evaluated before they
// are added, and ** ends such a run.
func (f *frame) addPairs(d *object.Dict, pairs []dictPair, at syntax.Span) *exception {
	for len(pairs) > 0 {
		if pairs[0].key == nil {
			v, x := pairs[0].val(f)
			if x != nil {
				return x
			}
			if x := f.t.MergeMapping(d, v); x != nil {
				return f.at(x, at)
			}
			pairs = pairs[1:]
			continue
		}
		n := 0
		for n < len(pairs) && n < 17 && pairs[n].key != nil {
			n++
		}
		if x := f.addRun(d, pairs[:n], at); x != nil {
			return x
		}
		pairs = pairs[n:]
	}
	return nil
}

func (f *frame) addRun(d *object.Dict, pairs []dictPair, at syntax.Span) *exception {
	k := f.m.mark()
	defer f.m.release(k)
	var all [2 * 17]value
	for i, p := range pairs {
		for j, e := range [2]eval{p.key, p.val} {
			v, x := e(f)
			if x != nil {
				return x
			}
			f.m.hold(v)
			all[2*i+j] = v
		}
	}
	for i := range pairs {
		if x := d.Set(f.t, all[2*i], all[2*i+1]); x != nil {
			return f.at(x, at)
		}
	}
	return nil
}

// joined compiles an f-string.
func (c *compiler) joined(e *syntax.JoinedStr) eval {
	type part struct {
		text string
		eval func(f *frame) (string, *exception)
	}
	var parts []part
	for _, v := range e.Values {
		if k, ok := constantOf(v); ok {
			c.nodes++
			parts = append(parts, part{text: k.Value.(string)})
			continue
		}
		parts = append(parts, part{eval: c.formatted(v.(*syntax.FormattedValue))})
	}
	return func(f *frame) (value, *exception) {
		var small [128]byte
		buf := small[:0]
		mark := f.t.Building()
		for i := range parts {
			p := &parts[i]
			s := p.text
			if p.eval != nil {
				var x *exception
				if s, x = p.eval(f); x != nil {
					f.t.Built(mark)
					return value{}, x
				}
			}
			if len(buf)+len(s) > cap(buf) {
				if x := f.t.Build(len(buf) + 2*len(s)); x != nil {
					f.t.Built(mark)
					return value{}, x
				}
			}
			buf = append(buf, s...)
		}
		f.t.Built(mark)
		if x := f.t.Alloc(56 + len(buf)); x != nil {
			return value{}, x
		}
		return object.NewStr(string(buf)), nil
	}
}

// formatted compiles a replacement field to its text.
func (c *compiler) formatted(e *syntax.FormattedValue) func(f *frame) (string, *exception) {
	v := c.expr(e.Value)
	at := e.Span
	conversion := ""
	if e.Conversion > 0 {
		conversion = string(rune(e.Conversion))
	}
	spec := func(*frame) (string, *exception) { return "", nil }
	if e.Spec != nil {
		spec = c.specText(e.Spec)
	}
	return func(f *frame) (string, *exception) {
		r, x := v(f)
		if x != nil {
			return "", x
		}
		if conversion != "" {
			if r, x = f.t.Convert(r, conversion); x != nil {
				return "", f.at(x, at)
			}
		}
		s, x := spec(f)
		if x != nil {
			return "", x
		}
		out, x := f.t.Format(r, s)
		if x != nil {
			return "", f.at(x, at)
		}
		return out, nil
	}
}

// specText compiles a format specification, which may have fields of its own.
func (c *compiler) specText(e syntax.Expr) func(f *frame) (string, *exception) {
	j, ok := e.(*syntax.JoinedStr)
	if ok && len(j.Values) == 1 {
		if k, ok := constantOf(j.Values[0]); ok {
			s := k.Value.(string)
			return func(*frame) (string, *exception) { return s, nil }
		}
	}
	v := c.expr(e)
	return func(f *frame) (string, *exception) {
		r, x := v(f)
		if x != nil {
			return "", x
		}
		s, _ := r.Str()
		return s.String(), nil
	}
}
