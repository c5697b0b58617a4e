package toolfn

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	start := -1         // of the current word
	var last, prev rune // the character before, and the one before that
	cut := func(end int) {
		if start >= 0 && end > start {
			out = append(out, strings.ToLower(text[start:end]))
		}
		start = -1
	}
	at := 0 // of last
	for i, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
		case start < 0:
			start = i
		case boundary(last, r):
			cut(i)
			start = i
		case unicode.IsUpper(prev) && unicode.IsUpper(last) && unicode.IsLower(r) && at > start && !pluralEnd(text[i:]): // HTTPServer
			cut(at)
			start = at
		}
		prev, last, at = last, r, i
	}
	cut(len(text))
	return out
}

// pluralEnd reports whether a text begins with an s that ends a word: PRs, IDs.
func pluralEnd(rest string) bool {
	if rest == "" || rest[0] != 's' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[1:])
	return len(rest) == 1 || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// boundary reports whether a new word begins with b after a: fooBar, v2, 3d.
func boundary(a, b rune) bool {
	return unicode.IsDigit(a) != unicode.IsDigit(b) || unicode.IsLower(a) && unicode.IsUpper(b)
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
