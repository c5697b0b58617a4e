package fn

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// textLimit is how many bytes a text may have at most, as in the server.
const textLimit = 1<<30 - 5

var (
	errTooLong           = pgerr.New(pgerr.ProgramLimitExceeded, "requested length too large")
	errNegativeSubstring = pgerr.New(pgerr.SubstringError, "negative substring length not allowed")
)

// textFunction is a function of one text whose result is not longer than its
// argument times a factor.
func textFunction(factor int64, f func(s string) string) Kernel {
	return Unary(func(e *Env, s string) (string, *pgerr.Error) {
		if err := e.Alloc(int64(len(s)) * factor); err != nil {
			return "", err
		}
		return f(s), nil
	})
}

func countText(f func(s string) int) Kernel {
	return Unary(func(_ *Env, s string) (int64, *pgerr.Error) { return int64(f(s)), nil })
}

func identity[T any](_ *Env, v T) (T, *pgerr.Error) { return v, nil }

func stringKernels() map[string]Kernel {
	all := map[string]Kernel{
		"textlen":        countText(utf8.RuneCountInString),
		"bpcharlen":      countText(func(s string) int { return utf8.RuneCountInString(pgtype.TrimBpchar(s)) }),
		"textoctetlen":   countText(func(s string) int { return len(s) }),
		"bpcharoctetlen": countText(func(s string) int { return len(s) }),
		"byteaoctetlen":  countText(func(s string) int { return len(s) }),

		"bit_length(text)":  countText(func(s string) int { return 8 * len(s) }),
		"bit_length(bytea)": countText(func(s string) int { return 8 * len(s) }),

		"lower":   textFunction(3, strings.ToLower),
		"upper":   textFunction(3, strings.ToUpper),
		"initcap": textFunction(3, initcap),

		"lpad(text,int4,text)": Ternary(func(e *Env, s string, n int64, fill string) (string, *pgerr.Error) { return pad(e, s, n, fill, true) }),
		"rpad(text,int4,text)": Ternary(func(e *Env, s string, n int64, fill string) (string, *pgerr.Error) { return pad(e, s, n, fill, false) }),
		"lpad(text,int4)":      Binary(func(e *Env, s string, n int64) (string, *pgerr.Error) { return pad(e, s, n, " ", true) }),
		"rpad(text,int4)":      Binary(func(e *Env, s string, n int64) (string, *pgerr.Error) { return pad(e, s, n, " ", false) }),

		"text_substr":                  Ternary(substring),
		"text_substr_no_len":           Binary(substringFrom),
		"textpos":                      Binary(func(_ *Env, s, part string) (int64, *pgerr.Error) { return position(s, part), nil }),
		"textoverlay":                  Quaternary(overlay),
		"byteaoverlay":                 Quaternary(overlayBytes),
		"text_left":                    Binary(left),
		"text_right":                   Binary(right),
		"text_reverse":                 textFunction(1, reverse),
		"text_starts_with":             Binary(func(_ *Env, s, p string) (bool, *pgerr.Error) { return strings.HasPrefix(s, p), nil }),
		"textcat":                      Binary(concatenate),
		"byteacat":                     Binary(concatenate),
		"repeat":                       Binary(repeat),
		"replace_text":                 Ternary(replace),
		"translate":                    Ternary(translate),
		"split_part":                   Ternary(splitPart),
		"ascii":                        Unary(func(_ *Env, s string) (int64, *pgerr.Error) { return firstRune(s), nil }),
		"chr":                          Unary(chr),
		"bytea_substr":                 Ternary(substringBytes),
		"bytea_substr_no_len":          Binary(substringBytesFrom),
		"byteapos":                     Binary(func(_ *Env, s, part string) (int64, *pgerr.Error) { return int64(strings.Index(s, part) + 1), nil }),
		"textoverlay_no_len":           Ternary(overlayAll),
		"byteaoverlay_no_len":          Ternary(overlayBytesAll),
		"text_char":                    Unary(func(_ *Env, s string) (int64, *pgerr.Error) { return pgtype.ParseChar(s), nil }),
		"char_text":                    Unary(func(_ *Env, c int64) (string, *pgerr.Error) { return string(pgtype.AppendChar(nil, c)), nil }),
		"char_bpchar":                  Unary(func(_ *Env, c int64) (string, *pgerr.Error) { return string(pgtype.AppendChar(nil, c)), nil }),
		"chartoi4":                     Unary(func(_ *Env, c int64) (int64, *pgerr.Error) { return int64(int8(c)), nil }),
		"i4tochar":                     Unary(intToChar),
		"rtrim1":                       Unary(func(_ *Env, s string) (string, *pgerr.Error) { return pgtype.TrimBpchar(s), nil }),
		"ltrim1":                       Unary(func(_ *Env, s string) (string, *pgerr.Error) { return strings.TrimLeft(s, " "), nil }),
		"btrim1":                       Unary(func(_ *Env, s string) (string, *pgerr.Error) { return strings.Trim(s, " "), nil }),
		"ltrim":                        Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trim(s, set, true, false), nil }),
		"rtrim":                        Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trim(s, set, false, true), nil }),
		"btrim":                        Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trim(s, set, true, true), nil }),
		"bytealtrim":                   Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trimBytes(s, set, true, false), nil }),
		"byteartrim":                   Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trimBytes(s, set, false, true), nil }),
		"byteatrim":                    Binary(func(_ *Env, s, set string) (string, *pgerr.Error) { return trimBytes(s, set, true, true), nil }),
		"name_text":                    Unary(identity[string]),
		"name_bpchar":                  Unary(identity[string]),
		"text_name":                    Unary(func(_ *Env, s string) (string, *pgerr.Error) { return cutName(s), nil }),
		"bpchar_name":                  Unary(func(_ *Env, s string) (string, *pgerr.Error) { return pgtype.TrimBpchar(cutName(s)), nil }),
		"booltext":                     Unary(boolText),
		"bpchar":                       Ternary(fitBpchar),
		"varchar":                      Ternary(fitVarchar),
		"nameconcatoid":                Binary(nameWithOID),
		"text_concat":                  Rowwise(concatAll),
		"text_concat_ws":               Rowwise(concatWith),
		"text_larger":                  Binary(func(_ *Env, a, b string) (string, *pgerr.Error) { return max(a, b), nil }),
		"text_smaller":                 Binary(func(_ *Env, a, b string) (string, *pgerr.Error) { return min(a, b), nil }),
		"textanycat(text,anynonarray)": textAndAny(false),
		"anytextcat(anynonarray,text)": textAndAny(true),
		"unistr":                       Unary(unistr),
		"parse_ident":                  Binary(parseIdent),
	}
	return all
}

func initcap(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		switch {
		case inWord:
			r = unicode.ToLower(r)
		default:
			r = unicode.ToUpper(r)
		}
		inWord = unicode.IsLetter(r) || unicode.IsDigit(r)
		return r
	}, s)
}

// runeOffset gives the byte where the n-th character begins, from 0; the end of
// the text when it is shorter.
func runeOffset(s string, n int64) int {
	if n <= 0 {
		return 0
	}
	if n >= int64(len(s)) {
		// There are no more characters than bytes, but there may be fewer.
		if n > int64(len(s)) {
			return len(s)
		}
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// substringSpan turns a start and a length, both from 1 and possibly out of the text, into
// characters to skip and to take.
func substringSpan(from, length int64) (skip, take int64, err *pgerr.Error) {
	if length < 0 {
		return 0, 0, errNegativeSubstring
	}
	end := from + length
	start := max(from, 1)
	return start - 1, max(end-start, 0), nil
}

func substring(_ *Env, s string, from, length int64) (string, *pgerr.Error) {
	skip, take, err := substringSpan(from, length)
	if err != nil || take == 0 {
		return "", err
	}
	s = s[runeOffset(s, skip):]
	return s[:runeOffset(s, take)], nil
}

func substringFrom(_ *Env, s string, from int64) (string, *pgerr.Error) {
	return s[runeOffset(s, max(from, 1)-1):], nil
}

func substringBytes(_ *Env, s string, from, length int64) (string, *pgerr.Error) {
	skip, take, err := substringSpan(from, length)
	if err != nil || skip >= int64(len(s)) {
		return "", err
	}
	return s[skip:min(skip+take, int64(len(s)))], nil
}

func substringBytesFrom(_ *Env, s string, from int64) (string, *pgerr.Error) {
	return s[min(max(from, 1)-1, int64(len(s))):], nil
}

// position gives where a part begins, in characters from 1; 0 where it is not.
func position(s, part string) int64 {
	i := strings.Index(s, part)
	if i < 0 {
		return 0
	}
	return int64(utf8.RuneCountInString(s[:i])) + 1
}

func left(_ *Env, s string, n int64) (string, *pgerr.Error) {
	if n < 0 {
		n = max(int64(utf8.RuneCountInString(s))+n, 0)
	}
	return s[:runeOffset(s, n)], nil
}

func right(_ *Env, s string, n int64) (string, *pgerr.Error) {
	if n == math.MinInt32 {
		return s, nil // whose negation is itself in 32 bits
	}
	if n < 0 {
		n = -n
	} else {
		n = max(int64(utf8.RuneCountInString(s))-n, 0)
	}
	return s[runeOffset(s, n):], nil
}

func reverse(s string) string {
	out := make([]byte, len(s))
	at := len(s)
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		at -= n
		copy(out[at:], s[i:i+n])
		i += n
	}
	return string(out)
}

func concatenate(e *Env, a, b string) (string, *pgerr.Error) {
	if len(a)+len(b) > textLimit {
		return "", errTooLong
	}
	if err := e.Alloc(int64(len(a) + len(b))); err != nil {
		return "", err
	}
	return a + b, nil
}

func repeat(e *Env, s string, n int64) (string, *pgerr.Error) {
	n = max(n, 0)
	if int64(len(s))*n > textLimit {
		return "", errTooLong
	}
	if err := e.Alloc(int64(len(s)) * n); err != nil {
		return "", err
	}
	return strings.Repeat(s, int(n)), nil
}

// pad fills a text up to a length on one side, or cuts it to the length at its end.
func pad(e *Env, s string, length int64, fill string, atLeft bool) (string, *pgerr.Error) {
	length = max(length, 0)
	if length > textLimit/4 {
		return "", errTooLong
	}
	have := int64(utf8.RuneCountInString(s))
	if have >= length || fill == "" {
		return s[:runeOffset(s, length)], nil
	}
	missing := length - have
	size := int64(utf8.RuneCountInString(fill))
	whole, rest := missing/size, missing%size
	if err := e.Alloc(int64(len(s)) + (whole+1)*int64(len(fill))); err != nil {
		return "", err
	}
	filling := strings.Repeat(fill, int(whole)) + fill[:runeOffset(fill, rest)]
	if atLeft {
		return filling + s, nil
	}
	return s + filling, nil
}

func replace(e *Env, s, from, to string) (string, *pgerr.Error) {
	if from == "" || s == "" {
		return s, nil
	}
	n := strings.Count(s, from)
	if n == 0 {
		return s, nil
	}
	size := int64(len(s)) + int64(n)*int64(len(to)-len(from))
	if size > textLimit {
		return "", errTooLong
	}
	if err := e.Alloc(size); err != nil {
		return "", err
	}
	return strings.ReplaceAll(s, from, to), nil
}

func translate(e *Env, s, from, to string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(len(s)) * 4); err != nil {
		return "", err
	}
	replacement := map[rune]rune{}
	target := []rune(to)
	for i, r := range []rune(from) {
		if _, ok := replacement[r]; ok {
			continue
		}
		replacement[r] = -1
		if i < len(target) {
			replacement[r] = target[i]
		}
	}
	return strings.Map(func(r rune) rune {
		if to, ok := replacement[r]; ok {
			return to
		}
		return r
	}, s), nil
}

func splitPart(_ *Env, s, separator string, n int64) (string, *pgerr.Error) {
	if n == 0 {
		return "", pgerr.New(pgerr.InvalidParameter, "field position must not be zero")
	}
	if s == "" {
		return "", nil
	}
	if separator == "" {
		if n == 1 || n == -1 {
			return s, nil
		}
		return "", nil
	}
	if n < 0 {
		n += int64(strings.Count(s, separator)) + 2
		if n <= 0 {
			return "", nil
		}
	}
	for ; n > 1; n-- {
		i := strings.Index(s, separator)
		if i < 0 {
			return "", nil
		}
		s = s[i+len(separator):]
	}
	s, _, _ = strings.Cut(s, separator)
	return s, nil
}

func firstRune(s string) int64 {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return int64(r)
}

func chr(_ *Env, n int64) (string, *pgerr.Error) {
	switch {
	case n < 0:
		return "", pgerr.New(pgerr.InvalidParameter, "character number must be positive")
	case n == 0:
		return "", pgerr.New(pgerr.ProgramLimitExceeded, "null character not permitted")
	case n > unicode.MaxRune:
		return "", pgerr.New(pgerr.ProgramLimitExceeded, "requested character too large for encoding: %d", uint32(n))
	case n >= 0xD800 && n < 0xE000:
		return "", pgerr.New(pgerr.ProgramLimitExceeded, "requested character not valid for encoding: %d", n)
	}
	return string(rune(n)), nil
}

func intToChar(_ *Env, n int64) (int64, *pgerr.Error) {
	if n < -128 || n > 127 {
		return 0, pgerr.New(pgerr.NumericOutOfRange, "\"char\" out of range")
	}
	return int64(uint8(n)), nil
}

func trim(s, set string, atLeft, atRight bool) string {
	in := func(r rune) bool { return strings.ContainsRune(set, r) }
	if atLeft {
		s = strings.TrimLeftFunc(s, in)
	}
	if atRight {
		s = strings.TrimRightFunc(s, in)
	}
	return s
}

func trimBytes(s, set string, atLeft, atRight bool) string {
	for atLeft && s != "" && strings.IndexByte(set, s[0]) >= 0 {
		s = s[1:]
	}
	for atRight && s != "" && strings.IndexByte(set, s[len(s)-1]) >= 0 {
		s = s[:len(s)-1]
	}
	return s
}

func boolText(_ *Env, v bool) (string, *pgerr.Error) {
	if v {
		return "true", nil
	}
	return "false", nil
}

// fitBpchar and fitVarchar apply the length of a declared type, which the typmod
// holds.
func fitBpchar(e *Env, s string, typmod int64, explicit bool) (string, *pgerr.Error) {
	if typmod < 4 {
		return s, nil
	}
	if err := e.Alloc(typmod + int64(len(s))); err != nil {
		return "", err
	}
	return pgtype.FitBpchar(s, int(typmod-4), explicit)
}

func fitVarchar(_ *Env, s string, typmod int64, explicit bool) (string, *pgerr.Error) {
	if typmod < 4 {
		return s, nil
	}
	return pgtype.FitVarchar(s, int(typmod-4), explicit)
}

func overlaySpan(from, length int64) *pgerr.Error {
	switch {
	case from <= 0:
		return errNegativeSubstring
	case from+length > 1<<31-1:
		return errIntegerRange
	}
	return nil
}

func overlay(e *Env, s, by string, from, length int64) (string, *pgerr.Error) {
	if err := overlaySpan(from, length); err != nil {
		return "", err
	}
	if err := e.Alloc(int64(2*len(s) + len(by))); err != nil {
		return "", err
	}
	return s[:runeOffset(s, from-1)] + by + s[runeOffset(s, max(from+length-1, 0)):], nil
}

func overlayAll(e *Env, s, by string, from int64) (string, *pgerr.Error) {
	return overlay(e, s, by, from, int64(utf8.RuneCountInString(by)))
}

func overlayBytes(e *Env, s, by string, from, length int64) (string, *pgerr.Error) {
	if err := overlaySpan(from, length); err != nil {
		return "", err
	}
	if err := e.Alloc(int64(2*len(s) + len(by))); err != nil {
		return "", err
	}
	size := int64(len(s))
	return s[:min(from-1, size)] + by + s[min(max(from+length-1, 0), size):], nil
}

func overlayBytesAll(e *Env, s, by string, from int64) (string, *pgerr.Error) {
	return overlayBytes(e, s, by, from, int64(len(by)))
}

func nameWithOID(_ *Env, name string, oid int64) (string, *pgerr.Error) {
	suffix := "_" + string(appendInt(nil, oid))
	for len(name)+len(suffix) > nameLength {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return name + suffix, nil
}

func appendInt(dst []byte, n int64) []byte {
	return pgtype.AppendNumeric(dst, pgtype.NumericFromInt(n))
}

// concatAll is concat: the outputs of all arguments that are not NULL.
func concatAll(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	return anyOf(joinTexts(e, "", args))
}

// concatWith is concat_ws: NULL when the separator is.
func concatWith(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() {
		return nil, nil
	}
	return anyOf(joinTexts(e, args[0].Value.(string), args[1:]))
}

func joinTexts(e *Env, separator string, args []vector.Datum) (string, *pgerr.Error) {
	parts := make([]string, 0, len(args))
	size := 0
	for _, a := range args {
		if a.Null() {
			continue
		}
		text, err := e.textOf(a)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
		size += len(text) + len(separator)
	}
	if size > textLimit {
		return "", errTooLong
	}
	if err := e.Alloc(int64(size)); err != nil {
		return "", err
	}
	return strings.Join(parts, separator), nil
}

// textAndAny is || of a text and a value of any other type that is no array.
func textAndAny(anyFirst bool) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		texts := [2]string{}
		for i, a := range args {
			text, err := e.castText(a)
			if err != nil {
				return nil, err
			}
			texts[i] = text
		}
		return anyOf(concatenate(e, texts[0], texts[1]))
	})
}

// castText gives what a cast to text makes of a value that is not NULL: booleans
// are spelt out, and the spaces at the end of a char(n) go.
func (e *Env) castText(d vector.Datum) (string, *pgerr.Error) {
	switch d.Type {
	case pgcat.Bool:
		return boolText(e, d.Value.(bool))
	case pgcat.Bpchar:
		return pgtype.TrimBpchar(d.Value.(string)), nil
	}
	return e.textOf(d)
}
