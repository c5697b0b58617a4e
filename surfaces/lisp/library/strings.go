package library

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// clojureString is the namespace of the functions on texts.
const clojureString = "clojure.string/"

// texts are the functions of clojure.string, and those on texts in clojure.core.
// The ones whose names clojure.core does not have are there without the namespace
// too, because programs write (upper-case s).
func texts() []*data.Native {
	spaced := []*data.Native{
		fn("upper-case", 1, 1, "(str/upper-case s)", "the text in capitals", cased("upper-case", upper)),
		fn("lower-case", 1, 1, "(str/lower-case s)", "the text in small letters", cased("lower-case", lower)),
		fn("capitalize", 1, 1, "(str/capitalize s)", "the text with a capital first and small letters after", cased("capitalize", capitalize)),
		fn("trim", 1, 1, "(str/trim s)", "the text without blanks around it", cased("trim", func(s string) string { return strings.TrimFunc(s, javaBlank) })),
		fn("triml", 1, 1, "(str/triml s)", "the text without blanks before it", cased("triml", func(s string) string { return strings.TrimLeftFunc(s, javaBlank) })),
		fn("trimr", 1, 1, "(str/trimr s)", "the text without blanks after it", cased("trimr", func(s string) string { return strings.TrimRightFunc(s, javaBlank) })),
		fn("trim-newline", 1, 1, "(str/trim-newline s)", "the text without line ends after it", cased("trim-newline", func(s string) string { return strings.TrimRight(s, "\r\n") })),
		fn("blank?", 1, 1, "(str/blank? s)", "whether the text is nil, empty or blank", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.True
			}
			s := text(t, "blank?", a[0])
			t.Charge(len(s) >> 4)
			return data.Bool(strings.TrimFunc(s, javaBlank) == "")
		}),
		fn("includes?", 2, 2, "(str/includes? s part)", "whether the text contains a part", searching("includes?", strings.Contains)),
		fn("starts-with?", 2, 2, "(str/starts-with? s part)", "whether the text begins with a part", searching("starts-with?", strings.HasPrefix)),
		fn("ends-with?", 2, 2, "(str/ends-with? s part)", "whether the text ends with a part", searching("ends-with?", strings.HasSuffix)),
		fn("index-of", 2, 3, "(str/index-of s part)", "where a part begins, nil if nowhere", indexOf),
		fn("last-index-of", 2, 3, "(str/last-index-of s part)", "where a part begins for the last time, nil if nowhere", lastIndexOf),
		fn("split", 2, 3, "(str/split s #\"…\")", "the parts between the matches", split),
		fn("split-lines", 1, 1, "(str/split-lines s)", "the lines", func(t *data.Thread, a []value) value {
			return split(t, []value{a[0], lineEnd(t)})
		}),
		fn("join", 1, 2, "(str/join sep coll)", "the elements as one text", join),
		fn("replace", 3, 3, "(str/replace s from to)", "the text with all matches replaced", func(t *data.Thread, a []value) value { return replace(t, a, true) }),
		fn("replace-first", 3, 3, "(str/replace-first s from to)", "the text with the first match replaced", func(t *data.Thread, a []value) value { return replace(t, a, false) }),
		fn("reverse", 1, 1, "(str/reverse s)", "the text from its end", cased("str/reverse", reversed)),
		fn("escape", 2, 2, "(str/escape s {\\a \"b\"})", "the text with characters replaced", escape),
		fn("re-quote-replacement", 1, 1, "(str/re-quote-replacement s)", "a replacement that stands for itself", cased("re-quote-replacement", func(s string) string {
			return strings.NewReplacer(`\`, `\\`, `$`, `\$`).Replace(s)
		})),
	}
	var all []*data.Native
	for _, n := range spaced {
		full := *n
		full.Head = data.Head{}
		full.Name = clojureString + n.Name
		all = append(all, &full)
		switch n.Name {
		case "reverse", "replace", "re-quote-replacement":
			continue // clojure.core has its own, or nobody writes it bare
		}
		bare := *n
		bare.Head = data.Head{}
		bare.Extra = true
		all = append(all, &bare)
	}
	return append(all,
		fn("subs", 2, 3, "(subs s start) or (subs s start end)", "a part of a text", subs),
		fn("name", 1, 1, "(name x)", "the name of a keyword or symbol", func(t *data.Thread, a []value) value {
			if a[0].Kind() == data.KindString {
				return a[0]
			}
			if n := a[0].Named(); n != nil {
				return data.String(n.Name)
			}
			wants(t, "name", "a keyword, symbol or string", a[0])
			return data.Nil
		}),
		fn("namespace", 1, 1, "(namespace k)", "the namespace of a keyword or symbol", func(t *data.Thread, a []value) value {
			n := a[0].Named()
			if n == nil {
				wants(t, "namespace", "a keyword or symbol", a[0])
			}
			if n.Space == "" {
				return data.Nil
			}
			return data.String(n.Space)
		}),
		fn("keyword", 1, 2, "(keyword s)", "the keyword of a name", func(t *data.Thread, a []value) value { return naming(t, "keyword", data.Keyword, a) }),
		fn("symbol", 1, 2, "(symbol s)", "the symbol of a name", func(t *data.Thread, a []value) value { return naming(t, "symbol", data.Symbol, a) }),
		fn("parse-long", 1, 1, "(parse-long s)", "the integer that a text writes, nil if none", func(t *data.Thread, a []value) value {
			s := parsed(t, "parse-long", a[0])
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil || strings.Contains(s, "_") {
				return data.Nil
			}
			return data.Int(n)
		}),
		fn("parse-double", 1, 1, "(parse-double s)", "the number that a text writes, nil if none", func(t *data.Thread, a []value) value {
			return parseDouble(parsed(t, "parse-double", a[0]))
		}),
		fn("parse-boolean", 1, 1, "(parse-boolean s)", "true or false, nil if the text is neither", func(t *data.Thread, a []value) value {
			switch parsed(t, "parse-boolean", a[0]) {
			case "true":
				return data.True
			case "false":
				return data.False
			}
			return data.Nil
		}),
	)
}

// parsed gives the text that a parse function reads.
func parsed(t *data.Thread, name string, v value) string {
	s, ok := v.Text()
	if !ok {
		data.ThrowHint("IllegalArgumentException", name+" reads a string, and got "+data.Describe(t, v)+".", "A number needs no parsing.")
	}
	return s
}

// parseDouble reads what Java's Double.parseDouble reads, without its suffixes.
func parseDouble(s string) value {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" {
		return data.Nil
	}
	switch body {
	case "NaN", "Infinity":
	default:
		body = strings.TrimRight(body, "dDfF")
		for i := 0; i < len(body); i++ {
			if strings.IndexByte("0123456789.eE+-", body[i]) < 0 {
				return data.Nil
			}
		}
		s = s[:len(s)-len(strings.TrimLeft(s, "+-"))] + body
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && f-f == 0 {
		return data.Nil
	}
	return data.Float(f)
}

func javaBlank(r rune) bool {
	switch r {
	case '\u00a0', '\u2007', '\u202f':
		return false // Java's isWhitespace leaves those out that do not break
	case '\x1c', '\x1d', '\x1e', '\x1f':
		return true
	}
	return r == '\t' || r == '\n' || r == '\v' || r == '\f' || r == '\r' || unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
}

func capitalize(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return upper(s[:n]) + lower(s[n:])
}

// upper and lower map by the whole of Unicode's rules, as Java does: ß becomes SS.
func upper(s string) string { return cases.Upper(language.Und).String(s) }

func lower(s string) string { return cases.Lower(language.Und).String(s) }

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// cased is a function of one text; the result is charged before it is made.
func cased(name string, f func(string) string) func(t *data.Thread, a []value) value {
	return func(t *data.Thread, a []value) value {
		s := charText(t, name, a[0])
		t.Alloc(2*len(s) + 48)
		return data.String(f(s))
	}
}

// charText takes a character for a text of it; keywords are refused with the way.
func charText(t *data.Thread, name string, v value) string {
	if c, ok := v.Char(); ok {
		return data.CharText(c)
	}
	if v.IsKeyword() {
		data.ThrowHint("ClassCastException", name+" needs a string, and got "+data.Describe(t, v)+".", "Write ("+name+" (name k)).")
	}
	return text(t, name, v)
}

func searching(name string, f func(s, part string) bool) func(t *data.Thread, a []value) value {
	return func(t *data.Thread, a []value) value {
		s := text(t, name, a[0])
		part := charText(t, name, a[1])
		t.Charge((len(s) + len(part)) >> 4)
		return data.Bool(f(s, part))
	}
}

func indexOf(t *data.Thread, a []value) value {
	s := text(t, "index-of", a[0])
	x := a[0].Unbox().(*data.Text)
	from := 0
	if len(a) == 3 {
		from = x.Offset(int(min(max(0, integer(t, "index-of", a[2])), int64(x.Length()))))
	}
	t.Charge(len(s) >> 4)
	i := strings.Index(s[from:], charText(t, "index-of", a[1]))
	if i < 0 {
		return data.Nil
	}
	return data.Int(int64(x.Position(from + i)))
}

func lastIndexOf(t *data.Thread, a []value) value {
	s := text(t, "last-index-of", a[0])
	x := a[0].Unbox().(*data.Text)
	part := charText(t, "last-index-of", a[1])
	end := len(s)
	if len(a) == 3 {
		end = min(len(s), x.Offset(int(min(max(-1, integer(t, "last-index-of", a[2])), int64(x.Length()))))+len(part))
	}
	t.Charge(len(s) >> 4)
	i := strings.LastIndex(s[:end], part)
	if i < 0 {
		return data.Nil
	}
	return data.Int(int64(x.Position(i)))
}

func lineEnd(t *data.Thread) value { return Pattern(t, `\r?\n`) }

// split gives the parts of a text between matches as Java's split does: trailing
// empty parts are dropped, unless a limit is given.
func split(t *data.Thread, a []value) value {
	s := text(t, "split", a[0])
	limit := int64(0)
	if len(a) == 3 {
		limit = integer(t, "split", a[2])
	}
	sep := a[1]
	if part, ok := sep.Text(); ok {
		if part == "" {
			data.ThrowHint("ClassCastException", "split takes a pattern, and got an empty string.", "Write (map str s) for the characters.")
		}
		sep = Pattern(t, quoted(part)) // a text separates as itself
	}
	p := patternOf(t, "split", sep)
	x := newSubject(t, a[0], "split")
	var parts []value
	at := 0
	p.each(t, x, func(c []int) bool {
		if limit > 0 && int64(len(parts)) == limit-1 {
			return false
		}
		if c[1] == 0 || c[0] == c[1] && c[0] >= x.length() {
			return true // an empty match at the start or end separates nothing
		}
		t.Alloc(c[0] - at + 64)
		parts = added(t, parts, data.String(x.slice(at, c[0])))
		at = c[1]
		return true
	})
	if len(parts) == 0 {
		return data.VectorOf([]value{a[0]})
	}
	t.Alloc(len(s) + 64)
	parts = append(parts, data.String(x.slice(at, x.length())))
	if limit == 0 {
		for len(parts) > 0 && parts[len(parts)-1].Unbox().(*data.Text).S == "" {
			parts = parts[:len(parts)-1]
		}
	}
	return data.VectorOf(parts)
}

func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$#&-~ `, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// join takes the separator first; the collection first is understood too, since no
// separator is a collection.
func join(t *data.Thread, a []value) value {
	sep, coll := "", a[len(a)-1]
	if len(a) == 2 {
		if coll.Kind() == data.KindString && a[0].Kind() != data.KindString && data.Seqable(a[0]) && !a[0].IsNil() {
			sep, coll = text(t, "join", coll), a[0]
		} else {
			sep = data.Str(t, a[0])
		}
	}
	var out []byte
	first := true
	for it := data.Iterate(t, coll); it.Next(); {
		s := data.Str(t, it.Value)
		if need := len(out) + len(s) + len(sep); need > cap(out) {
			t.Alloc(need)
			grown := make([]byte, len(out), 2*need)
			copy(grown, out)
			out = grown
		}
		if !first {
			out = append(out, sep...)
		}
		first = false
		out = append(out, s...)
	}
	t.Alloc(len(out) + 48)
	return data.String(string(out))
}

func replace(t *data.Thread, a []value, all bool) value {
	s := text(t, "replace", a[0])
	switch from := a[1]; {
	case from.Kind() == data.KindString:
		return replaceText(t, s, text(t, "replace", from), text(t, "replace", a[2]), all)
	case from.Kind() == data.KindChar:
		return replaceText(t, s, charText(t, "replace", from), charText(t, "replace", a[2]), all)
	}
	p := patternOf(t, "replace", a[1])
	x := newSubject(t, a[0], "replace")
	by := replacement(t, p, a[2])
	var out []byte
	at := 0
	p.each(t, x, func(c []int) bool {
		before, with := x.slice(at, c[0]), by(t, x, c)
		t.Alloc(len(before) + len(with))
		out = append(append(out, before...), with...)
		at = c[1]
		return all
	})
	rest := x.slice(at, x.length())
	t.Alloc(len(out) + len(rest) + 48)
	return data.String(string(append(out, rest...)))
}

func replaceText(t *data.Thread, s, from, to string, all bool) value {
	n := 1
	if all {
		n = strings.Count(s, from)
	}
	t.Charge(len(s) >> 4)
	t.Alloc(len(s) + n*len(to) + 48)
	if all {
		return data.String(strings.ReplaceAll(s, from, to))
	}
	return data.String(strings.Replace(s, from, to, 1))
}

// replacement gives what stands in the place of a match: what a function gives for
// it, or a text in which $1 is a group.
func replacement(t *data.Thread, p *pattern, v value) func(t *data.Thread, s *subject, c []int) string {
	template, ok := v.Text()
	if !ok {
		return func(t *data.Thread, s *subject, c []int) string {
			kept := append([]int(nil), c...)
			return text(t, "replace", t.Call1(v, p.groups(t, s, kept)))
		}
	}
	if !strings.ContainsAny(template, `$\`) {
		return func(*data.Thread, *subject, []int) string { return template }
	}
	return func(t *data.Thread, s *subject, c []int) string { return expandTemplate(t, p, s, c, template) }
}

// expandTemplate is Matcher.appendReplacement: \x is x, $n a group.
func expandTemplate(t *data.Thread, p *pattern, s *subject, c []int, template string) string {
	var out []byte
	for i := 0; i < len(template); i++ {
		switch template[i] {
		case '\\':
			if i++; i == len(template) {
				data.Throw("IllegalArgumentException", "character to be escaped is missing")
			}
			out = append(out, template[i])
		case '$':
			n, used := groupNumber(p, template[i+1:])
			i += used
			if c[2*n] >= 0 {
				g := s.slice(c[2*n], c[2*n+1])
				t.Alloc(len(g))
				out = append(out, g...)
			}
		default:
			out = append(out, template[i])
		}
	}
	return string(out)
}

func groupNumber(p *pattern, s string) (n, used int) {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexByte(s, '}'); end > 0 {
			if n, ok := p.names[s[1:end]]; ok {
				return n, end + 1
			}
			data.Throw("IllegalArgumentException", "No group with name "+s[:end+1])
		}
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		data.ThrowHint("IllegalArgumentException", "Illegal group reference", `Write a dollar sign as \\$.`)
	}
	n, used = int(s[0]-'0'), 1
	if n > p.program.Groups() {
		data.Throw("IndexOutOfBoundsException", "No group "+strconv.Itoa(n))
	}
	for used < len(s) && s[used] >= '0' && s[used] <= '9' && n*10+int(s[used]-'0') <= p.program.Groups() {
		n = n*10 + int(s[used]-'0')
		used++
	}
	return n, used
}

func escape(t *data.Thread, a []value) value {
	s := text(t, "escape", a[0])
	var out []byte
	for _, r := range data.Chars(s) {
		c, _ := r.Char()
		part := data.CharText(c)
		if v := t.Call1(a[1], r); v.Truthy() {
			part = data.Str(t, v)
		}
		t.Alloc(len(part))
		out = append(out, part...)
	}
	return data.String(string(out))
}

func subs(t *data.Thread, a []value) value {
	s := text(t, "subs", a[0])
	x := a[0].Unbox().(*data.Text)
	length := int64(x.Length())
	from, to := integer(t, "subs", a[1]), length
	if len(a) == 3 {
		to = integer(t, "subs", a[2])
	}
	if from < 0 || to > length || from > to {
		data.ThrowHint("StringIndexOutOfBoundsException", "begin "+strconv.FormatInt(from, 10)+", end "+strconv.FormatInt(to, 10)+", length "+strconv.FormatInt(length, 10),
			"Bound the end with (min n (count s)).")
	}
	part := s[x.Offset(int(from)):x.Offset(int(to))]
	t.Alloc(48)
	return data.String(part)
}

// naming is keyword and symbol.
func naming(t *data.Thread, name string, make func(text string) value, a []value) value {
	t.Alloc(96)
	if len(a) == 2 {
		if a[0].IsNil() {
			return make(text(t, name, a[1]))
		}
		return make(text(t, name, a[0]) + "/" + text(t, name, a[1]))
	}
	switch v := a[0]; v.Kind() {
	case data.KindString:
		s, _ := v.Text()
		return make(s)
	case data.KindKeyword, data.KindSymbol:
		return make(v.Named().Full())
	case data.KindNil:
		if name == "keyword" {
			return data.Nil
		}
	default:
		if name == "keyword" {
			return data.Nil
		}
	}
	wants(t, name, "a string", a[0])
	return data.Nil
}
