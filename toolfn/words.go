package toolfn

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxIndexedText is how much of a description is searched, in bytes.
const maxIndexedText = 2000

// words splits text into the words that search compares: at white space and
// punctuation, where letters turn from lower to upper case, and between letters
// and digits; accents dropped, lower case, stemmed. Scripts written without
// spaces give pairs of neighbouring characters.
func words(text string) []string {
	var out []string
	for _, w := range split(fold(text)) {
		out = append(out, grams(w)...)
	}
	return out
}

// fold drops accents and compatibility forms, and keeps case for splitting.
func fold(text string) string {
	ascii := true
	for i := range len(text) {
		if text[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(unaccented.Replace(text)))
}

// split cuts text into lower-case words.
func split(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if i > 0 && len(word) > 0 && boundary(runes, i) {
			flush()
		}
		word = append(word, unicode.ToLower(r))
	}
	flush()
	return out
}

// boundary reports whether a new word begins at i: fooBar, HTTPServer, v2, 3d.
func boundary(r []rune, i int) bool {
	a, b := r[i-1], r[i]
	switch {
	case unicode.IsDigit(a) != unicode.IsDigit(b):
		return true
	case unicode.IsLower(a) && unicode.IsUpper(b):
		return true
	case unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(r) && unicode.IsLower(r[i+1]):
		return true
	}
	return false
}

// grams gives a word itself, or the pairs of a word in a script without spaces.
func grams(w string) []string {
	dense := false
	for _, r := range w {
		dense = unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
		break
	}
	if !dense {
		return []string{stem(w)}
	}
	runes := []rune(w)
	if len(runes) < 3 {
		return []string{w}
	}
	var out []string
	for i := range len(runes) - 1 {
		out = append(out, string(runes[i:i+2]))
	}
	return out
}

// stem takes off the endings of English plurals and verb forms, so far that the
// forms of one word meet; it need not be a word itself.
func stem(w string) string {
	switch {
	case len(w) == 3 && w[2] == 's' && !strings.ContainsAny(w, "aeiouy"): // prs, dbs, vms
		return w[:2]
	case len(w) < 4:
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s"):
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "ing") && hasVowel(w[:len(w)-3]):
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ed") && hasVowel(w[:len(w)-2]):
		w = undouble(w[:len(w)-2])
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		w = w[:len(w)-1]
	}
	return w
}

func hasVowel(s string) bool { return len(s) > 2 && strings.ContainsAny(s, "aeiouy") }

// undouble turns stopp into stop, and leaves call, pass and buzz.
func undouble(s string) string {
	n := len(s)
	if n > 2 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

// filler are words that say nothing about a function; they count only if a
// query has no other.
var filler = wordSet("a an the of to in on at by for from with and or not is are be it its this that these those my me i we our you your " +
	"any all some than more most no do does can could would should want need how what which who when where please into as if per via")

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[stem(w)] = true
	}
	return m
}
