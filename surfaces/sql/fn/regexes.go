package fn

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgregex"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// regexKey names a compiled expression in a statement's scratch space.
type regexKey struct {
	pattern string
	options pgregex.Options
}

// regexCache holds the expressions of a statement, the latest ones only.
type regexCache struct {
	compiled map[regexKey]*pgregex.Regex
	order    []regexKey
	last     regexKey
	regex    *pgregex.Regex
}

type regexCacheKey struct{}

const cachedRegexes = 32

// regex compiles an expression, or finds it among those that the statement used.
func (e *Env) regex(pattern string, o pgregex.Options) (*pgregex.Regex, *pgerr.Error) {
	if e.Scratch == nil {
		e.Scratch = map[any]any{}
	}
	cache, ok := e.Scratch[regexCacheKey{}].(*regexCache)
	if !ok {
		cache = &regexCache{compiled: map[regexKey]*pgregex.Regex{}}
		e.Scratch[regexCacheKey{}] = cache
	}
	key := regexKey{pattern, o}
	if cache.regex != nil && cache.last == key {
		return cache.regex, nil
	}
	r, ok := cache.compiled[key]
	if !ok {
		if err := e.Charge(int64(16 * (len(pattern) + 4))); err != nil {
			return nil, err
		}
		if err := e.Alloc(int64(200*len(pattern) + 1000)); err != nil {
			return nil, err
		}
		var err *pgerr.Error
		if r, err = pgregex.Compile(pattern, o); err != nil {
			return nil, err
		}
		if err := e.Alloc(r.Size()); err != nil {
			return nil, err
		}
		if len(cache.order) >= cachedRegexes {
			delete(cache.compiled, cache.order[0])
			cache.order = slices.Delete(cache.order, 0, 1)
		}
		cache.compiled[key] = r
		cache.order = append(cache.order, key)
	}
	cache.last, cache.regex = key, r
	return r, nil
}

// runes gives the characters of a text for a search.
func (e *Env) runes(s string) ([]rune, *pgerr.Error) {
	if err := e.Alloc(int64(4 * len(s))); err != nil {
		return nil, err
	}
	return []rune(s), nil
}

// searched turns the error of a search into one of a function.
func searched(err error) *pgerr.Error {
	if err == nil {
		return nil
	}
	if p := pgerr.From(err); p != nil {
		return p
	}
	return errStopped
}

// regexFlags reads a function's flags.
func regexFlags(flags string) (o pgregex.Options, global bool, err *pgerr.Error) {
	for _, r := range flags {
		if r == 'g' {
			global = true
			continue
		}
		if !o.Set(r) {
			return o, false, pgerr.New(pgerr.InvalidParameter, "invalid regular expression option: \"%c\"", r)
		}
	}
	return o, global, nil
}

// notGlobal refuses the flag g.
func notGlobal(function, flags string) (pgregex.Options, *pgerr.Error) {
	o, global, err := regexFlags(flags)
	if err == nil && global {
		err = pgerr.New(pgerr.InvalidParameter, "%s does not support the \"global\" option", function+"()")
	}
	return o, err
}

func regexTest(ignoreCase, want bool) Kernel {
	return Binary(func(e *Env, s, pattern string) (bool, *pgerr.Error) {
		ok, err := e.regexMatch(s, pattern, pgregex.Options{IgnoreCase: ignoreCase})
		return ok == want, err
	})
}

func (e *Env) regexMatch(s, pattern string, o pgregex.Options) (bool, *pgerr.Error) {
	r, err := e.regex(pattern, o)
	if err != nil {
		return false, err
	}
	mark := e.Mark()
	text, err := e.runes(s)
	if err != nil {
		return false, err
	}
	ok, stopped := r.Match(text, e.Meter)
	e.Drop(mark)
	return ok, searched(stopped)
}

// search is a text in which an expression is looked for.
type regexSearch struct {
	e     *Env
	regex *pgregex.Regex
	text  []rune
}

func (e *Env) search(s, pattern string, o pgregex.Options) (*regexSearch, *pgerr.Error) {
	r, err := e.regex(pattern, o)
	if err != nil {
		return nil, err
	}
	text, err := e.runes(s)
	return &regexSearch{e, r, text}, err
}

// each calls f with the matches one after the other until it says stop. Where a
// match is empty the next search begins a character later. Degenerate ones are
// those that are empty at the end of the text or right after another.
func (s *regexSearch) each(from int, degenerate bool, f func(spans []pgregex.Span) (stop bool, err *pgerr.Error)) *pgerr.Error {
	previous := 0
	for from <= len(s.text) {
		spans, stopped := s.regex.Find(s.text, from, s.e.Meter)
		if stopped != nil {
			return searched(stopped)
		}
		if spans == nil {
			return nil
		}
		whole := spans[0]
		if degenerate || whole.From < len(s.text) && whole.To > previous {
			if stop, err := f(spans); stop || err != nil {
				return err
			}
		}
		previous, from = whole.To, whole.To
		if whole.From == whole.To {
			from++
		}
	}
	return nil
}

// part gives a piece of the text.
func (s *regexSearch) part(x pgregex.Span) (any, *pgerr.Error) {
	if x.From < 0 {
		return nil, nil
	}
	if err := s.e.Alloc(int64(4 * (x.To - x.From))); err != nil {
		return nil, err
	}
	return string(s.text[x.From:x.To]), nil
}

// groupsOf gives what a match is as an array: its groups, or the whole.
func (s *regexSearch) groupsOf(spans []pgregex.Span) (any, *pgerr.Error) {
	if s.regex.Groups() > 0 {
		spans = spans[1:]
	}
	values := make([]vector.Datum, len(spans))
	for i, x := range spans {
		v, err := s.part(x)
		if err != nil {
			return nil, err
		}
		values[i] = vector.Datum{Type: pgcat.Text, Value: v}
	}
	return anyOf(s.e.buildArray(pgcat.Text, values, 1))
}

func textArg(args []vector.Datum, i int) string {
	if i < len(args) {
		return args[i].Value.(string)
	}
	return ""
}

func intArg(args []vector.Datum, i int, otherwise int64) int64 {
	if i < len(args) {
		return args[i].Value.(int64)
	}
	return otherwise
}

func substringRegex(e *Env, s, pattern string) (Opt[string], *pgerr.Error) {
	x, err := e.search(s, pattern, pgregex.Options{})
	if err != nil {
		return None[string](), err
	}
	out := None[string]()
	err = x.each(0, true, func(spans []pgregex.Span) (bool, *pgerr.Error) {
		n := 0
		if len(spans) > 1 {
			n = 1
		}
		v, err := x.part(spans[n])
		if v != nil {
			out = Some(v.(string))
		}
		return true, err
	})
	return out, err
}

func regexpMatch(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	o, global, err := regexFlags(textArg(args, 2))
	if err != nil {
		return nil, err
	}
	if global {
		return nil, pgerr.New(pgerr.InvalidParameter, "%s does not support the \"global\" option", "regexp_match()").
			WithHint("Use the regexp_matches function instead.")
	}
	x, err := e.search(args[0].Value.(string), args[1].Value.(string), o)
	if err != nil {
		return nil, err
	}
	var out any
	err = x.each(0, true, func(spans []pgregex.Span) (_ bool, err *pgerr.Error) {
		out, err = x.groupsOf(spans)
		return true, err
	})
	return out, err
}

func regexpMatches(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
	o, global, err := regexFlags(textArg(args, 2))
	if err != nil {
		return err
	}
	x, err := e.search(args[0].Value.(string), args[1].Value.(string), o)
	if err != nil {
		return err
	}
	return x.each(0, true, func(spans []pgregex.Span) (bool, *pgerr.Error) {
		v, err := x.groupsOf(spans)
		if err != nil {
			return true, err
		}
		return !global, out.add(e, v)
	})
}

func (e *Env) splitRegex(function string, args []vector.Datum) ([]vector.Datum, *pgerr.Error) {
	o, err := notGlobal(function, textArg(args, 2))
	if err != nil {
		return nil, err
	}
	x, err := e.search(args[0].Value.(string), args[1].Value.(string), o)
	if err != nil {
		return nil, err
	}
	var parts []vector.Datum
	at := 0
	add := func(to int) *pgerr.Error {
		v, err := x.part(pgregex.Span{From: at, To: to})
		parts = append(parts, vector.Datum{Type: pgcat.Text, Value: v})
		if err == nil {
			err = e.Alloc(40)
		}
		return err
	}
	err = x.each(0, false, func(spans []pgregex.Span) (bool, *pgerr.Error) {
		err := add(spans[0].From)
		at = spans[0].To
		return false, err
	})
	if err == nil {
		err = add(len(x.text))
	}
	return parts, err
}

func splitToArray(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	parts, err := e.splitRegex("regexp_split_to_array", args)
	if err != nil {
		return nil, err
	}
	return anyOf(e.buildArray(pgcat.Text, parts, 1))
}

func splitToTable(e *Env, args []vector.Datum, out *collected) *pgerr.Error {
	parts, err := e.splitRegex("regexp_split_to_table", args)
	for _, p := range parts {
		if err != nil {
			return err
		}
		err = out.add(e, p.Value)
	}
	return err
}

func badValue(name string, v int64) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameter, "invalid value for parameter \"%s\": %d", name, v)
}

// replaceRegex replaces the n-th match from a place on, or all for 0.
func (e *Env) replaceRegex(s, pattern, by string, o pgregex.Options, from int64, n int64) (any, *pgerr.Error) {
	x, err := e.search(s, pattern, o)
	if err != nil {
		return nil, err
	}
	var out growing
	at, count := 0, int64(0)
	appendText := func(from, to int) *pgerr.Error {
		part := string(x.text[from:to])
		if err := out.room(e, len(part)); err != nil {
			return err
		}
		out.text = append(out.text, part...)
		return nil
	}
	err = x.each(int(min(from, int64(len(x.text))+1)), true, func(spans []pgregex.Span) (bool, *pgerr.Error) {
		if count++; n > 0 && count != n {
			return false, nil
		}
		if err := appendText(at, spans[0].From); err != nil {
			return true, err
		}
		at = spans[0].To
		return n > 0, x.expand(&out, by, spans, appendText)
	})
	if err == nil {
		err = appendText(at, len(x.text))
	}
	return string(out.text), err
}

// expand appends a replacement: \1 to \9 and \& stand for parts of the match.
func (x *regexSearch) expand(out *growing, by string, spans []pgregex.Span, part func(from, to int) *pgerr.Error) *pgerr.Error {
	if err := out.room(x.e, len(by)); err != nil {
		return err
	}
	for i := 0; i < len(by); i++ {
		if by[i] != '\\' || i+1 == len(by) {
			out.text = append(out.text, by[i])
			continue
		}
		n := -1
		switch c := by[i+1]; {
		case c >= '1' && c <= '9':
			n = int(c - '0')
		case c == '&':
			n = 0
		case c == '\\':
			out.text = append(out.text, '\\')
			i++
			continue
		default:
			out.text = append(out.text, '\\')
			continue
		}
		i++
		if n < len(spans) && spans[n].From >= 0 {
			if err := part(spans[n].From, spans[n].To); err != nil {
				return err
			}
			if err := out.room(x.e, len(by)-i); err != nil {
				return err
			}
		}
	}
	return nil
}

// regexpReplace is regexp_replace(text, pattern, by [, flags]).
func regexpReplace(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	flags := textArg(args, 3)
	if flags != "" && flags[0] >= '0' && flags[0] <= '9' {
		return nil, pgerr.New(pgerr.InvalidParameter, "invalid regular expression option: \"%s\"", flags[:1]).
			WithHint("If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.")
	}
	o, global, err := regexFlags(flags)
	if err != nil {
		return nil, err
	}
	n := int64(1)
	if global {
		n = 0
	}
	return e.replaceRegex(textArg(args, 0), textArg(args, 1), textArg(args, 2), o, 0, n)
}

// regexpReplaceFrom is regexp_replace(text, pattern, by, start [, n [, flags]]).
func regexpReplaceFrom(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	start, n := intArg(args, 3, 1), intArg(args, 4, 1)
	if start <= 0 {
		return nil, badValue("start", start)
	}
	if n < 0 {
		return nil, badValue("n", n)
	}
	o, _, err := regexFlags(textArg(args, 5))
	if err != nil {
		return nil, err
	}
	return e.replaceRegex(textArg(args, 0), textArg(args, 1), textArg(args, 2), o, start-1, n)
}

func regexpCount(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	start := intArg(args, 2, 1)
	if start <= 0 {
		return nil, badValue("start", start)
	}
	o, err := notGlobal("regexp_count", textArg(args, 3))
	if err != nil {
		return nil, err
	}
	x, err := e.search(textArg(args, 0), textArg(args, 1), o)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	err = x.each(int(start-1), true, func([]pgregex.Span) (bool, *pgerr.Error) { n++; return false, nil })
	return n, err
}

// nth finds the n-th match from a place on; nil where there is none.
func (s *regexSearch) nth(from, n int64) (found []pgregex.Span, err *pgerr.Error) {
	err = s.each(int(min(from, int64(len(s.text))+1)), true, func(spans []pgregex.Span) (bool, *pgerr.Error) {
		if n--; n == 0 {
			found = spans
		}
		return n == 0, nil
	})
	return found, err
}

func regexpInstr(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	start, n, after, sub := intArg(args, 2, 1), intArg(args, 3, 1), intArg(args, 4, 0), intArg(args, 6, 0)
	switch {
	case start <= 0:
		return nil, badValue("start", start)
	case n <= 0:
		return nil, badValue("n", n)
	case after != 0 && after != 1:
		return nil, badValue("endoption", after)
	case sub < 0:
		return nil, badValue("subexpr", sub)
	}
	o, err := notGlobal("regexp_instr", textArg(args, 5))
	if err != nil {
		return nil, err
	}
	x, err := e.search(textArg(args, 0), textArg(args, 1), o)
	if err != nil {
		return nil, err
	}
	spans, err := x.nth(start-1, n)
	if err != nil || spans == nil || sub >= int64(len(spans)) || spans[sub].From < 0 {
		return int64(0), err
	}
	if after == 1 {
		return int64(spans[sub].To) + 1, nil
	}
	return int64(spans[sub].From) + 1, nil
}

func regexpSubstr(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	start, n, sub := intArg(args, 2, 1), intArg(args, 3, 1), intArg(args, 5, 0)
	switch {
	case start <= 0:
		return nil, badValue("start", start)
	case n <= 0:
		return nil, badValue("n", n)
	case sub < 0:
		return nil, badValue("subexpr", sub)
	}
	o, err := notGlobal("regexp_substr", textArg(args, 4))
	if err != nil {
		return nil, err
	}
	x, err := e.search(textArg(args, 0), textArg(args, 1), o)
	if err != nil {
		return nil, err
	}
	spans, err := x.nth(start-1, n)
	if err != nil || spans == nil || sub >= int64(len(spans)) {
		return nil, err
	}
	return x.part(spans[sub])
}

func regexKernels() map[string]Kernel {
	all := map[string]Kernel{
		"textregexeq": regexTest(false, true), "textregexne": regexTest(false, false),
		"texticregexeq": regexTest(true, true), "texticregexne": regexTest(true, false),
		"nameregexeq": regexTest(false, true), "nameregexne": regexTest(false, false),
		"nameicregexeq": regexTest(true, true), "nameicregexne": regexTest(true, false),

		"textregexsubstr": BinaryNull(substringRegex),
		"substring(text,text,text)": TernaryNull(func(e *Env, s, pattern, escape string) (Opt[string], *pgerr.Error) {
			regex, err := similarToRegex(e, pattern, escape)
			if err != nil {
				return None[string](), err
			}
			return substringRegex(e, s, regex)
		}),
		"textregexreplace_noopt": Rowwise(regexpReplace), "textregexreplace": Rowwise(regexpReplace),
		"textregexreplace_extended": Rowwise(regexpReplaceFrom), "textregexreplace_extended_no_flags": Rowwise(regexpReplaceFrom),
		"textregexreplace_extended_no_n": Rowwise(regexpReplaceFrom),
		"regexp_match":                   Rowwise(regexpMatch), "regexp_match_no_flags": Rowwise(regexpMatch),
		"regexp_split_to_array": Rowwise(splitToArray), "regexp_split_to_array_no_flags": Rowwise(splitToArray),
		"regexp_like_no_flags": Binary(func(e *Env, s, p string) (bool, *pgerr.Error) { return e.regexMatch(s, p, pgregex.Options{}) }),
		"regexp_like": Ternary(func(e *Env, s, p, flags string) (bool, *pgerr.Error) {
			o, err := notGlobal("regexp_like", flags)
			if err != nil {
				return false, err
			}
			return e.regexMatch(s, p, o)
		}),
	}
	for _, suffix := range []string{"", "_no_flags", "_no_start"} {
		all["regexp_count"+suffix] = Rowwise(regexpCount)
	}
	for _, suffix := range []string{"", "_no_subexpr", "_no_flags", "_no_endoption", "_no_n", "_no_start"} {
		all["regexp_instr"+suffix] = Rowwise(regexpInstr)
	}
	for _, suffix := range []string{"", "_no_subexpr", "_no_flags", "_no_n", "_no_start"} {
		all["regexp_substr"+suffix] = Rowwise(regexpSubstr)
	}
	return all
}

func regexSets() map[string]SetKernel {
	return map[string]SetKernel{
		"regexp_matches": setOf(regexpMatches), "regexp_matches_no_flags": setOf(regexpMatches),
		"regexp_split_to_table": setOf(splitToTable), "regexp_split_to_table_no_flags": setOf(splitToTable),
	}
}
