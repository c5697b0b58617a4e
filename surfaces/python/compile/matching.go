package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// pattern tests a value and binds the names of the pattern as it goes.
type pattern func(f *frame, v value) (bool, *exception)

// matchCase is one case.
type matchCase struct {
	pattern pattern
	guard   func(f *frame) (bool, *exception)
	body    exec
}

func (c *compiler) cases(s *syntax.Match) []matchCase {
	out := make([]matchCase, len(s.Cases))
	for i, k := range s.Cases {
		out[i].pattern = c.pattern(k.Pattern)
		if k.Guard != nil {
			out[i].guard = c.condition(k.Guard)
		}
		out[i].body = c.block(k.Body)
	}
	return out
}

func (c *compiler) match(s *syntax.Match) exec {
	subject := c.expr(s.Subject)
	cases := c.cases(s)
	return func(f *frame) (signal, *exception) {
		v, x := subject(f)
		if x != nil {
			return next, x
		}
		k := f.m.mark()
		f.m.hold(v)
		i, x := f.pick(v, cases)
		f.m.release(k)
		if x != nil || i < 0 {
			return next, x
		}
		return cases[i].body(f)
	}
}

// pick finds the first case that takes a value, -1 if none does.
func (f *frame) pick(v value, cases []matchCase) (int, *exception) {
	for i := range cases {
		ok, x := cases[i].pattern(f, v)
		if x != nil {
			return -1, x
		}
		if ok && cases[i].guard != nil {
			if ok, x = cases[i].guard(f); x != nil {
				return -1, x
			}
		}
		if ok {
			return i, nil
		}
	}
	return -1, nil
}

func (c *compiler) pattern(p syntax.Pattern) pattern {
	c.nodes++
	switch p := p.(type) {
	case *syntax.MatchValue:
		want := c.expr(p.Value)
		at := syntax.Place(p)
		return func(f *frame, v value) (bool, *exception) {
			w, x := want(f)
			if x != nil {
				return false, x
			}
			r, x := f.t.Compare(object.Eq, v, w)
			if x != nil {
				return false, f.at(x, at)
			}
			return f.t.Truth(r)
		}
	case *syntax.MatchSingleton:
		want := object.None
		if b, ok := p.Value.(bool); ok {
			want = object.Bool(b)
		}
		return func(_ *frame, v value) (bool, *exception) { return v == want, nil }
	case *syntax.MatchAs:
		return c.matchAs(p)
	case *syntax.MatchOr:
		var list []pattern
		for _, q := range p.Patterns {
			list = append(list, c.pattern(q))
		}
		return func(f *frame, v value) (bool, *exception) {
			for _, q := range list {
				if ok, x := q(f, v); ok || x != nil {
					return ok, x
				}
			}
			return false, nil
		}
	case *syntax.MatchSequence:
		return c.matchSequence(p)
	case *syntax.MatchMapping:
		return c.matchMapping(p)
	case *syntax.MatchClass:
		return c.matchClass(p)
	}
	c.reject(p, "this pattern is not available")
	return nil
}

// capture compiles binding a name of a pattern; "" binds nothing.
func (c *compiler) captureName(name string) func(f *frame, v value) {
	if name == "" {
		return func(*frame, value) {}
	}
	return c.store(c.resolve(name))
}

func (c *compiler) matchAs(p *syntax.MatchAs) pattern {
	store := c.captureName(p.Name)
	if p.Pattern == nil {
		return func(f *frame, v value) (bool, *exception) {
			store(f, v)
			return true, nil
		}
	}
	inner := c.pattern(p.Pattern)
	return func(f *frame, v value) (bool, *exception) {
		ok, x := inner(f, v)
		if ok && x == nil {
			store(f, v)
		}
		return ok, x
	}
}

// isSequence reports whether a value matches sequence patterns: a string is none.
func isSequence(v value) bool {
	switch v.Base().Kind() {
	case object.KindList, object.KindTuple, object.KindRange:
		return true
	}
	return object.SequenceLike(v)
}

func (c *compiler) matchSequence(p *syntax.MatchSequence) pattern {
	star := -1
	var list []pattern
	var rest func(f *frame, v value)
	for i, q := range p.Patterns {
		if s, ok := q.(*syntax.MatchStar); ok {
			star = i
			rest = c.captureName(s.Name)
			continue
		}
		list = append(list, c.pattern(q))
	}
	at := syntax.Place(p)
	return func(f *frame, v value) (bool, *exception) {
		if !isSequence(v) {
			return false, nil
		}
		n, x := f.t.Len(v)
		if x != nil {
			return false, f.at(x, at)
		}
		if n < len(list) || star < 0 && n != len(list) {
			return false, nil
		}
		items, x := f.t.Items(v)
		if x != nil {
			return false, f.at(x, at)
		}
		for i, q := range list {
			j := i
			if star >= 0 && i >= star {
				j = len(items) - len(list) + i
			}
			if ok, x := q(f, items[j]); !ok || x != nil {
				return false, x
			}
		}
		if star >= 0 {
			l, x := f.t.List(append([]value(nil), items[star:len(items)-len(list)+star]...))
			if x != nil {
				return false, x
			}
			rest(f, l)
		}
		return true, nil
	}
}

func (c *compiler) matchMapping(p *syntax.MatchMapping) pattern {
	keys := c.exprs(p.Keys)
	list := make([]pattern, len(p.Patterns))
	for i, q := range p.Patterns {
		list[i] = c.pattern(q)
	}
	rest := c.captureName(p.Rest)
	wantRest := p.Rest != ""
	at := syntax.Place(p)
	return func(f *frame, v value) (bool, *exception) {
		d, ok := object.DictOf(v)
		if !ok {
			if !object.MappingLike(v) {
				return false, nil
			}
			return f.matchOtherMapping(v, keys, list, rest, wantRest)
		}
		left := object.NewDict()
		if wantRest {
			if x := f.t.MergeMapping(left, d.Value()); x != nil {
				return false, x
			}
		}
		for i, k := range keys {
			key, x := k(f)
			if x != nil {
				return false, x
			}
			w, ok, x := d.Get(f.t, key)
			if x != nil {
				return false, f.at(x, at)
			}
			if !ok {
				return false, nil
			}
			if ok, x := list[i](f, w); !ok || x != nil {
				return false, x
			}
			if wantRest {
				if _, _, x := left.Delete(f.t, key); x != nil {
					return false, x
				}
			}
		}
		if wantRest {
			rest(f, left.Value())
		}
		return true, nil
	}
}

// matchOtherMapping matches a mapping that is no dict, by its method get.
func (f *frame) matchOtherMapping(v value, keys []eval, list []pattern, rest func(f *frame, v value), wantRest bool) (bool, *exception) {
	get, x := f.t.GetAttr(v, "get")
	if x != nil {
		return false, x
	}
	missing, x := f.t.NewInstance(object.Object)
	if x != nil {
		return false, x
	}
	left := object.NewDict()
	if wantRest {
		if x := f.t.MergeMapping(left, v); x != nil {
			return false, x
		}
	}
	for i, k := range keys {
		key, x := k(f)
		if x != nil {
			return false, x
		}
		w, x := f.t.Call(get, key, missing)
		if x != nil || w.Is(missing) {
			return false, x
		}
		if ok, x := list[i](f, w); !ok || x != nil {
			return false, x
		}
		if wantRest {
			if _, _, x := left.Delete(f.t, key); x != nil {
				return false, x
			}
		}
	}
	if wantRest {
		rest(f, left.Value())
	}
	return true, nil
}

func (c *compiler) matchClass(p *syntax.MatchClass) pattern {
	class := c.expr(p.Class)
	var pos, kw []pattern
	for _, q := range p.Patterns {
		pos = append(pos, c.pattern(q))
	}
	for _, q := range p.KeywordPatterns {
		kw = append(kw, c.pattern(q))
	}
	at := syntax.Place(p)
	names := p.KeywordNames
	return func(f *frame, v value) (bool, *exception) {
		cv, x := class(f)
		if x != nil {
			return false, x
		}
		k, ok := cv.AsClass()
		if !ok {
			return false, f.at(f.t.RaiseType("called match pattern must be a class"), at)
		}
		if ok, x := f.t.IsInstance(v, cv); !ok || x != nil {
			return false, x
		}
		if ok, x := f.matchPositional(k, v, pos); !ok || x != nil {
			if x != nil {
				x = f.at(x, at)
			}
			return false, x
		}
		for i, n := range names {
			if positionalName(k, n, len(pos)) {
				return false, f.at(f.t.RaiseType("%s() got multiple sub-patterns for attribute '%s'", k.Name, n), at)
			}
			w, ok, x := f.t.FindAttr(v, n)
			if x != nil && (!x.Is(object.AttributeError) || object.IsGate(x)) {
				return false, f.at(x, at)
			}
			if !ok {
				return false, nil
			}
			if ok, x := kw[i](f, w); !ok || x != nil {
				return false, x
			}
		}
		return true, nil
	}
}

// positionalName reports whether an attribute is one of those that the first n
// positional patterns of a class match.
func positionalName(k *object.Class, name string, n int) bool {
	args, _ := k.Lookup("__match_args__")
	u, ok := args.Tuple()
	if !ok {
		return false
	}
	for i, v := range u.Items() {
		if s, ok := object.StrOf(v); i < n && ok && s.String() == name {
			return true
		}
	}
	return false
}

// matchPositional matches the positional patterns of a class: by __match_args__, or
// the value itself for the built-in classes.
func (f *frame) matchPositional(k *object.Class, v value, pos []pattern) (bool, *exception) {
	if len(pos) == 0 {
		return true, nil
	}
	args, ok := k.Lookup("__match_args__")
	if !ok {
		if object.MatchesItself(k) {
			if len(pos) > 1 {
				return false, f.t.RaiseType("%s() accepts 1 positional sub-pattern (%d given)", k.Name, len(pos))
			}
			return pos[0](f, v)
		}
		return false, f.t.RaiseType("%s() accepts 0 positional sub-patterns (%d given)", k.Name, len(pos))
	}
	t, ok := args.Tuple()
	if !ok {
		return false, f.t.RaiseType("%s.__match_args__ must be a tuple (got %s)", k.Name, args.Class().Name)
	}
	if len(pos) > len(t.Items()) {
		n := len(t.Items())
		return false, f.t.RaiseType("%s() accepts %d positional sub-pattern%s (%d given)", k.Name, n, plural(n), len(pos))
	}
	for i, p := range pos {
		s, ok := object.StrOf(t.Items()[i])
		if !ok {
			return false, f.t.RaiseType("__match_args__ elements must be strings (got %s)", t.Items()[i].Class().Name)
		}
		w, ok, x := f.t.FindAttr(v, s.String())
		if x != nil && (!x.Is(object.AttributeError) || object.IsGate(x)) {
			return false, x
		}
		if !ok {
			return false, nil
		}
		if ok, x := p(f, w); !ok || x != nil {
			return false, x
		}
	}
	return true, nil
}
