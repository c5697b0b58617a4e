package module

import (
	"unicode"

	unicodenorm "golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var _ = register("unicodedata", func(*Library) *object.Module {
	m := object.NewModule("unicodedata")
	forms := map[string]unicodenorm.Form{"NFC": unicodenorm.NFC, "NFD": unicodenorm.NFD, "NFKC": unicodenorm.NFKC, "NFKD": unicodenorm.NFKD}
	m.Func("normalize", "form unistr /", func(t *thread, a []value) (value, *exception) {
		form, s, x := formAndText(t, "normalize", a)
		if x != nil {
			return value{}, x
		}
		f, ok := forms[form]
		if !ok {
			return raised(t.RaiseValue("invalid normalization form"))
		}
		// No character becomes more than eighteen.
		if x := t.Alloc(6 * len(s)); x != nil {
			return value{}, x
		}
		return t.Text(f.String(s))
	})
	m.Func("is_normalized", "form unistr /", func(t *thread, a []value) (value, *exception) {
		form, s, x := formAndText(t, "is_normalized", a)
		if x != nil {
			return value{}, x
		}
		f, ok := forms[form]
		if !ok {
			return raised(t.RaiseValue("invalid normalization form"))
		}
		return object.Bool(f.IsNormalString(s)), nil
	})
	m.Func("category", "chr /", func(t *thread, a []value) (value, *exception) {
		r, x := oneRune(t, "category", a[0])
		return object.NewStr(runeCategory(r)), x
	})
	m.Func("combining", "chr /", func(t *thread, a []value) (value, *exception) {
		r, x := oneRune(t, "combining", a[0])
		return object.Int(int64(unicodenorm.NFD.PropertiesString(string(r)).CCC())), x
	})
	m.Func("east_asian_width", "chr /", func(t *thread, a []value) (value, *exception) {
		r, x := oneRune(t, "east_asian_width", a[0])
		kinds := map[width.Kind]string{
			width.Neutral: "N", width.EastAsianAmbiguous: "A", width.EastAsianWide: "W", width.EastAsianNarrow: "Na", width.EastAsianFullwidth: "F", width.EastAsianHalfwidth: "H",
		}
		return object.NewStr(kinds[width.LookupRune(r).Kind()]), x
	})
	for _, name := range []string{"digit", "decimal", "numeric"} {
		m.Func(name, "chr default? /", func(t *thread, a []value) (value, *exception) {
			r, x := oneRune(t, name, a[0])
			if x != nil {
				return value{}, x
			}
			if s := object.NormalDigits(string(r)); len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
				if name == "numeric" {
					return object.Float(float64(s[0] - '0')), nil
				}
				return object.Int(int64(s[0] - '0')), nil
			}
			if unicode.Is(unicode.N, r) {
				return raised(t.Raise(object.NotImplementedErr, "unicodedata.%s() knows only decimal digits here", name))
			}
			if v, ok := given(a, 1); ok {
				return v, nil
			}
			return raised(t.RaiseValue("not a %s%s", name, map[bool]string{true: " character"}[name == "numeric"]))
		})
	}
	return m
})

func formAndText(t *thread, name string, a []value) (form, text string, raised *exception) {
	form, ok := textOf(a[0])
	if !ok {
		return "", "", t.RaiseType("%s() argument 1 must be str, not %s", name, nameOf(a[0]))
	}
	text, ok = textOf(a[1])
	if !ok {
		return "", "", t.RaiseType("%s() argument 2 must be str, not %s", name, nameOf(a[1]))
	}
	return form, text, t.Charge(int64(len(text)))
}

func oneRune(t *thread, name string, v value) (rune, *exception) {
	s, ok := object.StrOf(v)
	if !ok || s.Len() != 1 {
		what := nameOf(v)
		if ok {
			what = "str"
		}
		return 0, t.RaiseType("%s() argument must be a unicode character, not %s", name, what)
	}
	return object.Runes(s.String())[0], nil
}

// runeCategory is the two letters of a character's general category.
func runeCategory(r rune) string {
	for _, n := range []string{
		"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co",
	} {
		if unicode.Is(unicode.Categories[n], r) {
			return n
		}
	}
	return "Cn"
}
