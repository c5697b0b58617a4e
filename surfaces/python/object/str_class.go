package object

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

func setupStr() {
	c := StrClass
	c.Own = Slots{
		Repr:     nativeRepr,
		Str:      func(t *Thread, v Value) (string, *Exception) { return t.Str(v.Base()) },
		Hash:     func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v.Base()) },
		Len:      func(t *Thread, v Value) (int, *Exception) { return t.Len(v.Base()) },
		Compare:  nativeCompare,
		Binary:   nativeBinary,
		Format:   nativeFormat,
		GetItem:  func(t *Thread, v, k Value) (Value, *Exception) { return t.GetItem(v.Base(), k) },
		Contains: func(t *Thread, v, w Value) (bool, *Exception) { return t.Contains(v.Base(), w) },
		Iter:     func(t *Thread, v Value) (Iterator, *Exception) { return t.Iter(v.Base()) },
	}
	c.New = newStr
	strTests(c)
	strCases(c)
	strSearch(c)
	strSplit(c)
	strLayout(c)
	strFormat(c)
	c.Ready()
}

var strSignature = NewBuiltin("str", "object? encoding? errors?", func(t *Thread, a []Value) (Value, *Exception) {
	v := Arg(a, 0)
	if Arg(a, 1).IsSet() || Arg(a, 2).IsSet() {
		b, ok := v.Bytes()
		if !ok {
			if _, isStr := StrOf(v); isStr {
				return Value{}, t.RaiseType("decoding str is not supported")
			}
			return Value{}, t.RaiseType("decoding to str: need a bytes-like object, %s found", v.Class().Name)
		}
		return t.decode(b.s, Arg(a, 1), Arg(a, 2))
	}
	if !v.IsSet() {
		return emptyStr, nil
	}
	return t.StrValue(v)
})

func newStr(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
	var v Value
	var x *Exception
	if cls == StrClass && len(args) == 1 && len(names) == 0 {
		return t.StrValue(args[0])
	}
	if v, x = strSignature.Call(t, args, names); x != nil {
		return Value{}, x
	}
	return t.Wrap(cls, StrClass, v)
}

// text0 adapts a function of the text alone.
func (c *Class) text0(name string, f func(t *Thread, s *Str) (Value, *Exception)) {
	c.Method(name, "", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		if x := t.Charge(int64(len(s.s) >> 4)); x != nil {
			return Value{}, x
		}
		return f(t, s)
	})
}

// isSpace is str.isspace of one code point.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0:
		return true
	}
	return r > 0x7f && unicode.Is(unicode.Z, r)
}

func isAlpha(r rune) bool { return unicode.IsLetter(r) }

func isDecimal(r rune) bool { return unicode.Is(unicode.Nd, r) }

// isDigitRune is str.isdigit: decimals and those that form no number, such as
// superscripts.
func isDigitRune(r rune) bool {
	if isDecimal(r) {
		return true
	}
	if r < 0x80 || !unicode.Is(unicode.No, r) {
		return false
	}
	switch {
	case r == 0xB2, r == 0xB3, r == 0xB9, r >= 0x1369 && r <= 0x1371, r == 0x19DA, r == 0x2070, r >= 0x2074 && r <= 0x2079, r >= 0x2080 && r <= 0x2089,
		r >= 0x2460 && r <= 0x2468, r >= 0x2474 && r <= 0x247C, r >= 0x2488 && r <= 0x2490, r == 0x24EA, r >= 0x24F5 && r <= 0x24FD, r == 0x24FF,
		r >= 0x2776 && r <= 0x277E, r >= 0x2780 && r <= 0x2788, r >= 0x278A && r <= 0x2792, r >= 0x10A40 && r <= 0x10A43, r >= 0x10E60 && r <= 0x10E68,
		r >= 0x11052 && r <= 0x1105A, r >= 0x1F100 && r <= 0x1F10A:
		return true
	}
	return false
}

// isNumeric is str.isnumeric of one code point.
func isNumeric(r rune) bool {
	if unicode.Is(unicode.N, r) {
		return true
	}
	return strings.ContainsRune("一二三四五六七八九十百千万億兆〇零壱弐参肆伍陸漆捌玖拾佰仟兩两", r)
}

func (c *Class) every(name string, f func(r rune) bool) {
	c.text0(name, func(_ *Thread, s *Str) (Value, *Exception) {
		for i := 0; i < len(s.s); {
			r, n := decodeRune(s.s[i:])
			if !f(r) {
				return False, nil
			}
			i += n
		}
		return Bool(s.s != ""), nil
	})
}

func strTests(c *Class) {
	c.every("isalpha", isAlpha)
	c.every("isdecimal", isDecimal)
	c.every("isdigit", isDigitRune)
	c.every("isnumeric", isNumeric)
	c.every("isalnum", func(r rune) bool { return isAlpha(r) || isNumeric(r) || isDigitRune(r) })
	c.every("isspace", isSpace)
	c.text0("isascii", func(_ *Thread, s *Str) (Value, *Exception) {
		for i := range len(s.s) {
			if s.s[i] >= 0x80 {
				return False, nil
			}
		}
		return True, nil
	})
	c.text0("isprintable", func(_ *Thread, s *Str) (Value, *Exception) {
		for i := 0; i < len(s.s); {
			r, n := decodeRune(s.s[i:])
			if !printable(r) {
				return False, nil
			}
			i += n
		}
		return True, nil
	})
	c.text0("isidentifier", func(_ *Thread, s *Str) (Value, *Exception) {
		for i, r := range s.s {
			if r != '_' && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) && (i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
				return False, nil
			}
		}
		return Bool(s.s != ""), nil
	})
	cased := func(name string, want, refuse func(rune) bool) {
		c.text0(name, func(_ *Thread, s *Str) (Value, *Exception) {
			any := false
			for _, r := range s.s {
				if refuse(r) || unicode.IsTitle(r) {
					return False, nil
				}
				any = any || want(r)
			}
			return Bool(any), nil
		})
	}
	cased("isupper", isUpper, isLower)
	cased("islower", isLower, isUpper)
	c.text0("istitle", func(_ *Thread, s *Str) (Value, *Exception) {
		any, inWord := false, false
		for _, r := range s.s {
			switch {
			case isUpper(r) || unicode.IsTitle(r):
				if inWord {
					return False, nil
				}
				any, inWord = true, true
			case isLower(r):
				if !inWord {
					return False, nil
				}
			default:
				inWord = false
			}
		}
		return Bool(any), nil
	})
}

func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }

func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// mapped charges for a changed text and makes it.
func (t *Thread) mapped(s *Str, f func(string) string) (Value, *Exception) {
	if x := t.Alloc(strSize + 2*len(s.s)); x != nil {
		return Value{}, x
	}
	return NewStr(f(s.s)), nil
}

// upperText is str.upper, with the special cases of Unicode such as ß.
func upperText(s string) string {
	if !hasHigh(s) {
		return strings.ToUpper(s)
	}
	return eachValid(s, cases.Upper(language.Und).String)
}

// lowerText is str.lower.
func lowerText(s string) string {
	if !hasHigh(s) {
		return strings.ToLower(s)
	}
	if len(s) > len("Σ") && strings.Contains(s, "Σ") {
		return lowerFrom(s, 0)
	}
	return eachValid(s, cases.Lower(language.Und).String)
}

// lowerFrom is the lower case of a text behind a byte, in the context of all of it.
func lowerFrom(s string, start int) string {
	var b strings.Builder
	for i := start; i < len(s); {
		_, n := decodeRune(s[i:])
		b.WriteString(lowerAt(s, i, n))
		i += n
	}
	return b.String()
}

// eachValid applies f to the parts of a text between its lone surrogates, which
// have no case.
func eachValid(s string, f func(string) string) string {
	if utf8.ValidString(s) {
		return f(s)
	}
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		if r >= 0xD800 && r <= 0xDFFF {
			b.WriteString(f(s[start:i]))
			b.WriteString(s[i : i+n])
			start = i + n
		}
		i += n
	}
	b.WriteString(f(s[start:]))
	return b.String()
}

func hasHigh(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return true
		}
	}
	return false
}

func titleRune(r rune) string {
	if r < 0x80 {
		return string(unicode.ToUpper(r))
	}
	if r >= 0xD800 && r <= 0xDFFF {
		return runeText(r)
	}
	return cases.Title(language.Und, cases.NoLower).String(string(r))
}

// lowerAt is the lower case of the code point at a byte of a text: a sigma at the
// end of a word has a form of its own.
func lowerAt(s string, i, n int) string {
	if s[i:i+n] != "Σ" {
		return lowerText(s[i : i+n]) // of one code point, which is not looked at again
	}
	cased := func(next func() (rune, bool)) bool {
		for {
			r, ok := next()
			switch {
			case !ok:
				return false
			case !caseIgnorable(r):
				return isUpper(r) || isLower(r) || unicode.IsTitle(r)
			}
		}
	}
	before, after := s[:i], s[i+n:]
	back := func() (rune, bool) {
		if before == "" {
			return 0, false
		}
		r, size := utf8.DecodeLastRuneInString(before)
		before = before[:len(before)-size]
		return r, true
	}
	ahead := func() (rune, bool) {
		if after == "" {
			return 0, false
		}
		r, size := decodeRune(after)
		after = after[size:]
		return r, true
	}
	if cased(back) && !cased(ahead) {
		return "ς"
	}
	return "σ"
}

// caseIgnorable is the property Case_Ignorable of the Unicode standard.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xB7, 0x387, 0x55F, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

func titleText(s string) string {
	var b strings.Builder
	inWord := false
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		letter := isUpper(r) || isLower(r) || unicode.IsTitle(r)
		switch {
		case letter && inWord:
			b.WriteString(lowerAt(s, i, n))
		case letter:
			b.WriteString(titleRune(r))
		default:
			b.WriteString(s[i : i+n])
		}
		inWord = letter
		i += n
	}
	return b.String()
}

func swapText(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		switch {
		case isUpper(r):
			b.WriteString(lowerAt(s, i, n))
		case isLower(r):
			b.WriteString(upperText(s[i : i+n]))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func capitalText(s string) string {
	if s == "" {
		return ""
	}
	r, n := decodeRune(s)
	if strings.Contains(s[n:], "Σ") {
		return titleRune(r) + lowerFrom(s, n)
	}
	return titleRune(r) + lowerText(s[n:])
}

func strCases(c *Class) {
	for name, f := range map[string]func(string) string{
		"upper": upperText, "lower": lowerText, "title": titleText, "swapcase": swapText, "capitalize": capitalText,
		"casefold": func(s string) string {
			if !hasHigh(s) {
				return strings.ToLower(s)
			}
			return eachValid(s, cases.Fold().String)
		},
	} {
		c.text0(name, func(t *Thread, s *Str) (Value, *Exception) { return t.mapped(s, f) })
	}
}

// wantStr gives the text of an argument that must be a string.
func (t *Thread) wantStr(v Value, format string) (*Str, *Exception) {
	if s, ok := StrOf(v); ok {
		return s, nil
	}
	if v.IsNone() && strings.Contains(format, "argument") {
		return nil, t.RaiseType(format, "None")
	}
	return nil, t.RaiseType(format, v.Class().Name)
}

// span gives the bytes from start to end of a method's optional arguments; ok is
// false if start lies behind the end.
func (t *Thread) span(s *Str, start, end Value) (from, to int, ok bool, raised *Exception) {
	n := s.Len()
	i, x := t.bound(start, 0, n)
	if x != nil {
		return 0, 0, false, x
	}
	j, x := t.bound(end, n, n)
	if x != nil {
		return 0, 0, false, x
	}
	j = min(j, n)
	if i > j {
		return 0, 0, false, nil
	}
	return s.offset(i), s.offset(j), true, nil
}

// bound reads a start or end argument; it may lie behind the end.
func (t *Thread) bound(v Value, omitted, n int) (int, *Exception) {
	if !v.IsSet() || v.IsNone() {
		return omitted, nil
	}
	i, x := t.sliceIndex(v)
	if x != nil {
		return 0, x
	}
	if i < 0 {
		i = max(0, i+n)
	}
	return i, nil
}

func (t *Thread) strContains(s *Str, w Value) (bool, *Exception) {
	sub, ok := StrOf(w)
	if !ok {
		return false, t.RaiseType("'in <string>' requires string as left operand, not %s", w.Class().Name)
	}
	if x := t.Charge(int64(len(s.s) >> 5)); x != nil {
		return false, x
	}
	return strings.Contains(s.s, sub.s), nil
}

func strSearch(c *Class) {
	find := func(name string, last, must bool) {
		c.Method(name, "sub start? end? /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			sub, x := t.wantStr(a[1], "must be str, not %s")
			if x != nil {
				return Value{}, x
			}
			if x := t.Charge(int64(len(s.s) >> 4)); x != nil {
				return Value{}, x
			}
			from, to, ok, x := t.span(s, Arg(a, 2), Arg(a, 3))
			if x != nil {
				return Value{}, x
			}
			at := -1
			if ok && last {
				at = strings.LastIndex(s.s[from:to], sub.s)
			} else if ok {
				at = strings.Index(s.s[from:to], sub.s)
			}
			if at < 0 {
				if must {
					return Value{}, t.RaiseValue("substring not found")
				}
				return Int(-1), nil
			}
			return Int(int64(countTo(s, from+at))), nil
		})
	}
	find("find", false, false)
	find("rfind", true, false)
	find("index", false, true)
	find("rindex", true, true)
	c.Method("count", "sub start? end? /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		sub, x := t.wantStr(a[1], "must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		if x := t.Charge(int64(len(s.s) >> 4)); x != nil {
			return Value{}, x
		}
		from, to, ok, x := t.span(s, Arg(a, 2), Arg(a, 3))
		if x != nil || !ok {
			return Int(0), x
		}
		if sub.s == "" {
			return Int(int64(countRunes(s.s[from:to]) + 1)), nil
		}
		return Int(int64(strings.Count(s.s[from:to], sub.s))), nil
	})
	affix := func(name string, test func(s, fix string) bool) {
		c.Method(name, "affix start? end? /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			from, to, ok, x := t.span(s, Arg(a, 2), Arg(a, 3))
			if x != nil {
				return Value{}, x
			}
			fixes := []Value{a[1]}
			u, isTuple := TupleOf(a[1])
			if isTuple {
				fixes = u.items
			}
			for _, f := range fixes {
				fix, isStr := StrOf(f)
				if !isStr && isTuple {
					return Value{}, t.RaiseType("tuple for %s must only contain str, not %s", name, f.Class().Name)
				}
				if !isStr {
					return Value{}, t.RaiseType("%s first arg must be str or a tuple of str, not %s", name, f.Class().Name)
				}
				if ok && test(s.s[from:to], fix.s) {
					return True, nil
				}
			}
			return False, nil
		})
	}
	affix("startswith", strings.HasPrefix)
	affix("endswith", strings.HasSuffix)
}

// countTo gives the code points before a byte.
func countTo(s *Str, byteAt int) int {
	if s.isASCII() {
		return byteAt
	}
	return countRunes(s.s[:byteAt])
}

// pieces charges for the parts of a split and makes the list.
func (t *Thread) pieces(parts []string) (Value, *Exception) {
	n := 0
	for _, p := range parts {
		n += strSize + len(p)
	}
	if x := t.Alloc(listSize + n + valueSize*len(parts)); x != nil {
		return Value{}, x
	}
	items := make([]Value, len(parts))
	for i, p := range parts {
		items[i] = NewStr(p)
	}
	return NewList(items), nil
}

// countFields counts runs of ASCII whitespace: about as many parts will there be.
func countFields(s string) int {
	n, space := 1, true
	for i := range len(s) {
		sp := s[i] <= ' '
		if sp && !space {
			n++
		}
		space = sp
	}
	return n
}

// fields splits at runs of whitespace, at most n times (from the right if right).
func fields(s string, n int, right bool) []string {
	var out []string
	if n < 0 {
		return strings.FieldsFunc(s, isSpace)
	}
	if !right {
		s = strings.TrimLeftFunc(s, isSpace)
		for ; n > 0 && s != ""; n-- {
			i := strings.IndexFunc(s, isSpace)
			if i < 0 {
				return append(out, s)
			}
			out = append(out, s[:i])
			s = strings.TrimLeftFunc(s[i:], isSpace)
		}
		if s != "" {
			out = append(out, s) // with the space at its end
		}
		return out
	}
	s = strings.TrimRightFunc(s, isSpace)
	for ; n > 0 && s != ""; n-- {
		i := strings.LastIndexFunc(s, isSpace)
		if i < 0 {
			out = append(out, s)
			s = ""
			break
		}
		_, size := decodeRune(s[i:])
		out = append(out, s[i+size:])
		s = strings.TrimRightFunc(s[:i], isSpace)
	}
	if s != "" {
		out = append(out, s) // with the space at its beginning
	}
	reverseStrings(out)
	return out
}

func reverseStrings(s []string) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// splitRight splits at a separator from the right, at most n times.
func splitRight(s, sep string, n int) []string {
	var out []string
	for ; n != 0; n-- {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		out = append(out, s[i+len(sep):])
		s = s[:i]
	}
	out = append(out, s)
	reverseStrings(out)
	return out
}

// splitLines splits at the line boundaries that str knows.
func splitLines(s string, keep bool) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		switch r {
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029, '\r':
			end := i + n
			if r == '\r' && end < len(s) && s[end] == '\n' {
				end++
			}
			if keep {
				out = append(out, s[start:end])
			} else {
				out = append(out, s[start:i])
			}
			start, i = end, end
			continue
		}
		i += n
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func strSplit(c *Class) {
	split := func(name string, right bool) {
		c.Method(name, "sep? maxsplit?", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			n := -1
			if v := Arg(a, 2); v.IsSet() {
				i, x := t.IndexInt(v)
				if x != nil {
					return Value{}, x
				}
				n = int(max(i, -1))
			}
			if x := t.Charge(int64(len(s.s) >> 3)); x != nil {
				return Value{}, x
			}
			sep := Arg(a, 1)
			if !sep.IsSet() || sep.IsNone() {
				if x := t.Alloc(16 * countFields(s.s)); x != nil {
					return Value{}, x
				}
				return t.pieces(fields(s.s, n, right))
			}
			p, x := t.wantStr(sep, "must be str or None, not %s")
			if x != nil {
				return Value{}, x
			}
			if p.s == "" {
				return Value{}, t.RaiseValue("empty separator")
			}
			if x := t.Alloc(16 * strings.Count(s.s, p.s)); x != nil {
				return Value{}, x
			}
			if right {
				return t.pieces(splitRight(s.s, p.s, n))
			}
			if n >= 0 {
				n++
			}
			return t.pieces(strings.SplitN(s.s, p.s, n))
		})
	}
	split("split", false)
	split("rsplit", true)
	c.Method("splitlines", "keepends?", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		keep := false
		if v := Arg(a, 1); v.IsSet() {
			var x *Exception
			if keep, x = t.Truth(v); x != nil {
				return Value{}, x
			}
		}
		if x := t.Charge(int64(len(s.s) >> 3)); x != nil {
			return Value{}, x
		}
		return t.pieces(splitLines(s.s, keep))
	})
	partition := func(name string, find func(s, sep string) int, last bool) {
		c.Method(name, "sep /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			sep, x := t.wantStr(a[1], "must be str, not %s")
			if x != nil {
				return Value{}, x
			}
			if sep.s == "" {
				return Value{}, t.RaiseValue("empty separator")
			}
			if x := t.Alloc(3*strSize + len(s.s)); x != nil {
				return Value{}, x
			}
			i := find(s.s, sep.s)
			switch {
			case i >= 0:
				return t.Tuple(NewStr(s.s[:i]), a[1], NewStr(s.s[i+len(sep.s):]))
			case last:
				return t.Tuple(emptyStr, emptyStr, a[0])
			}
			return t.Tuple(a[0], emptyStr, emptyStr)
		})
	}
	partition("partition", strings.Index, false)
	partition("rpartition", strings.LastIndex, true)
	c.Method("join", "iterable /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		return t.Join(s.s, a[1])
	})
	c.Method("replace", "old new count? /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		from, x := t.wantStr(a[1], "replace() argument 1 must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		to, x := t.wantStr(a[2], "replace() argument 2 must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		n := int64(-1)
		if v := Arg(a, 3); v.IsSet() {
			if n, x = t.IndexInt(v); x != nil {
				return Value{}, x
			}
		}
		return t.replace(a[0], s, from.s, to.s, n)
	})
}

// replace is str.replace, charged for what it will give.
func (t *Thread) replace(self Value, s *Str, from, to string, n int64) (Value, *Exception) {
	if x := t.Charge(int64(len(s.s) >> 4)); x != nil {
		return Value{}, x
	}
	count := int64(strings.Count(s.s, from))
	if from == "" {
		count = int64(s.Len() + 1)
	}
	if n >= 0 {
		count = min(count, n)
	}
	if count == 0 {
		return self.Base(), nil
	}
	if x := t.room(count, max(1, len(to))); x != nil {
		return Value{}, x
	}
	if x := t.Alloc(strSize + len(s.s)); x != nil {
		return Value{}, x
	}
	return NewStr(strings.Replace(s.s, from, to, int(count))), nil
}

// Join is sep.join(iterable).
func (t *Thread) Join(sep string, v Value) (Value, *Exception) {
	if !iterable(v) && v.Class().slots.Next == nil {
		return Value{}, t.RaiseType("can only join an iterable")
	}
	items, x := t.Peek(v)
	if x != nil {
		return Value{}, x
	}
	if len(items) == 1 && items[0].isKind(KindStr) {
		return items[0], nil
	}
	n := 0
	for i, e := range items {
		s, ok := StrOf(e)
		if !ok {
			return Value{}, t.RaiseType("sequence item %d: expected str instance, %s found", i, e.Class().Name)
		}
		n += len(s.s) + len(sep)
	}
	if x := t.Charge(int64(len(items) >> 1)); x != nil {
		return Value{}, x
	}
	if x := t.Alloc(strSize + n); x != nil {
		return Value{}, x
	}
	var b strings.Builder
	b.Grow(n)
	for i, e := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, _ := StrOf(e)
		b.WriteString(s.s)
	}
	return NewStr(b.String()), nil
}

func strLayout(c *Class) {
	trim := func(name string, left, right bool) {
		c.Method(name, "chars? /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			if x := t.Charge(int64(len(s.s) >> 4)); x != nil {
				return Value{}, x
			}
			in := isSpace
			if v := Arg(a, 1); v.IsSet() && !v.IsNone() {
				set, ok := StrOf(v)
				if !ok {
					return Value{}, t.RaiseType("%s arg must be None or str", name)
				}
				in = func(r rune) bool { return strings.ContainsRune(set.s, r) }
			}
			out := s.s
			if left {
				out = strings.TrimLeftFunc(out, in)
			}
			if right {
				out = strings.TrimRightFunc(out, in)
			}
			if len(out) == len(s.s) {
				return a[0].Base(), nil
			}
			return t.Text(out)
		})
	}
	trim("strip", true, true)
	trim("lstrip", true, false)
	trim("rstrip", false, true)
	justify := func(name string, align byte) {
		c.Method(name, "width fillchar? /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := StrOf(a[0])
			width, x := t.IndexInt(a[1])
			if x != nil {
				return Value{}, x
			}
			fill := " "
			if v := Arg(a, 2); v.IsSet() {
				f, ok := StrOf(v)
				if !ok {
					return Value{}, t.RaiseType("The fill character must be a unicode character, not %s", v.Class().Name)
				}
				if f.Len() != 1 {
					return Value{}, t.RaiseType("The fill character must be exactly one character long")
				}
				fill = f.s
			}
			return t.justify(s, width, fill, align)
		})
	}
	justify("ljust", '<')
	justify("rjust", '>')
	justify("center", '^')
	c.Method("zfill", "width /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		width, x := t.IndexInt(a[1])
		if x != nil {
			return Value{}, x
		}
		n := width - int64(s.Len())
		if n <= 0 {
			return a[0].Base(), nil
		}
		if x := t.room(n+int64(len(s.s)), 1); x != nil {
			return Value{}, x
		}
		sign, rest := "", s.s
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			sign, rest = rest[:1], rest[1:]
		}
		return NewStr(sign + strings.Repeat("0", int(n)) + rest), nil
	})
	c.Method("expandtabs", "tabsize?", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		size := int64(8)
		if v := Arg(a, 1); v.IsSet() {
			var x *Exception
			if size, x = t.IndexInt(v); x != nil {
				return Value{}, x
			}
		}
		if x := t.room(int64(strings.Count(s.s, "\t")+1), int(max(1, min(size, maxWidth)))); x != nil {
			return Value{}, x
		}
		return t.Text(expandTabs(s.s, size))
	})
	c.Method("removeprefix", "prefix /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		p, x := t.wantStr(a[1], "removeprefix() argument must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		return t.Text(strings.TrimPrefix(s.s, p.s))
	})
	c.Method("removesuffix", "suffix /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		p, x := t.wantStr(a[1], "removesuffix() argument must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		return t.Text(strings.TrimSuffix(s.s, p.s))
	})
	c.Method("translate", "table /", strTranslate)
	c.StaticMethod("maketrans", "x y? z? /", strMakeTrans)
	c.Method("encode", "encoding? errors?", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		return t.encode(s.s, Arg(a, 1), Arg(a, 2))
	})
}

func expandTabs(s string, size int64) string {
	var b strings.Builder
	column := int64(0)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\t':
			if size > 0 {
				n := size - column%size
				b.WriteString(strings.Repeat(" ", int(n)))
				column += n
			}
		default:
			b.WriteByte(c)
			if c == '\n' || c == '\r' {
				column = 0
			} else if c&0xC0 != 0x80 {
				column++
			}
		}
	}
	return b.String()
}

// justify pads on the sides; centred text has the odd space where CPython puts it.
func (t *Thread) justify(s *Str, width int64, fill string, align byte) (Value, *Exception) {
	total := width - int64(s.Len())
	if total <= 0 {
		return s.init(), nil
	}
	if x := t.room(total, len(fill)); x != nil {
		return Value{}, x
	}
	if x := t.Alloc(strSize + len(s.s)); x != nil {
		return Value{}, x
	}
	left := int64(0)
	switch align {
	case '>':
		left = total
	case '^':
		left = total/2 + total&width&1
	}
	return NewStr(strings.Repeat(fill, int(left)) + s.s + strings.Repeat(fill, int(total-left))), nil
}

func strTranslate(t *Thread, a []Value) (Value, *Exception) {
	s, _ := StrOf(a[0])
	if x := t.Charge(int64(len(s.s))); x != nil {
		return Value{}, x
	}
	defer t.Built(t.Building())
	var out []byte
	for i := 0; i < len(s.s); {
		r, n := decodeRune(s.s[i:])
		v, x := t.GetItem(a[1], Int(int64(r)))
		switch {
		case x != nil && x.Is(LookupError):
			out = append(out, s.s[i:i+n]...)
		case x != nil:
			return Value{}, x
		case v.IsNone():
		default:
			if k, ok := StrOf(v); ok {
				if x := t.Build(2 * len(k.s)); x != nil {
					return Value{}, x
				}
				out = append(out, k.s...)
				break
			}
			code, ok := v.Int()
			if !ok {
				return Value{}, t.RaiseType("character mapping must return integer, None or str")
			}
			if code < 0 || code > utf8.MaxRune {
				return Value{}, t.RaiseValue("character mapping must be in range(0x110000)")
			}
			out = appendRune(out, rune(code))
		}
		i += n
	}
	return t.Text(string(out))
}

func strMakeTrans(t *Thread, a []Value) (Value, *Exception) {
	d, x := t.Dict(0)
	if x != nil {
		return Value{}, x
	}
	if len(a) == 1 {
		src, ok := DictOf(a[0])
		if !ok {
			return Value{}, t.RaiseType("if you give only one argument to maketrans it must be a dict")
		}
		for _, e := range src.entries {
			if !e.key.IsSet() {
				continue
			}
			k := e.key
			if s, ok := StrOf(k); ok {
				if s.Len() != 1 {
					return Value{}, t.RaiseValue("string keys in translate table must be of length 1")
				}
				r, _ := decodeRune(s.s)
				k = Int(int64(r))
			} else if !isInteger(k) {
				return Value{}, t.RaiseType("keys in translate table must be strings or integers")
			}
			if x := d.Set(t, k, e.val); x != nil {
				return Value{}, x
			}
		}
		return d.Value(), nil
	}
	from, x := t.wantStr(a[0], "maketrans() argument 1 must be str, not %s")
	if x != nil {
		return Value{}, x
	}
	to, x := t.wantStr(a[1], "maketrans() argument 2 must be str, not %s")
	if x != nil {
		return Value{}, x
	}
	if from.Len() != to.Len() {
		return Value{}, t.RaiseValue("the first two maketrans arguments must have equal length")
	}
	target := runes(to.s)
	for i, r := range runes(from.s) {
		if x := d.Set(t, Int(int64(r)), Int(int64(target[i]))); x != nil {
			return Value{}, x
		}
	}
	if v := Arg(a, 2); v.IsSet() {
		gone, x := t.wantStr(v, "maketrans() argument 3 must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		for _, r := range runes(gone.s) {
			if x := d.Set(t, Int(int64(r)), None); x != nil {
				return Value{}, x
			}
		}
	}
	return d.Value(), nil
}

func strFormat(c *Class) {
	b := NewRaw("format", func(t *Thread, a []Value, names []string) (Value, *Exception) {
		s, _ := StrOf(a[0])
		pos := a[1 : len(a)-len(names)]
		kw := a[len(a)-len(names):]
		if pos == nil {
			pos = []Value{}
		}
		out, x := t.formatTemplate(s.s, pos, func(name string) (Value, *Exception) {
			for i, n := range names {
				if n == name {
					return kw[i], nil
				}
			}
			return Value{}, NewException(KeyError, NewStr(name))
		})
		if x != nil {
			return Value{}, x
		}
		return t.Text(out)
	})
	b.Method = true
	c.Add(b)
	c.Method("format_map", "mapping /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := StrOf(a[0])
		out, x := t.formatTemplate(s.s, nil, func(name string) (Value, *Exception) { return t.GetItem(a[1], NewStr(name)) })
		if x != nil {
			return Value{}, x
		}
		return t.Text(out)
	})
}
