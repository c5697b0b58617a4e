package toolfn

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Honours is what a table's server does with a column beside comparing it for
// equality, as a set. Whatever it declares, rows are compared again when they
// arrive; a declaration decides only what is asked for. It must hold for the
// comparisons of PostgreSQL in the C collation: text by code points, moments by
// time, nulls never.
type Honours uint8

// The members of Honours.
const (
	HonoursGreater Honours = 1 << iota // column > value
	HonoursAtLeast                     // column >= value
	HonoursLess                        // column < value
	HonoursAtMost                      // column <= value
	HonoursPrefix                      // column LIKE 'text%'
	HonoursLike                        // column LIKE any pattern
	HonoursOrder                       // ORDER BY column, either way
)

// HonoursRange is every comparison of a range.
const HonoursRange = HonoursGreater | HonoursAtLeast | HonoursLess | HonoursAtMost

// honourWords are the members in order, as they are told.
var honourWords = []string{">", ">=", "<", "<=", "prefix", "like", "order"}

// HonourWords lists the words for the members of [Honours]: > >= < <= prefix
// like order.
func HonourWords() []string { return append([]string(nil), honourWords...) }

// HonoursOf gives the member for a word of [HonourWords].
func HonoursOf(word string) (Honours, bool) {
	for i, w := range honourWords {
		if w == word {
			return 1 << i, true
		}
	}
	return 0, false
}

// Words lists the members.
func (h Honours) Words() []string {
	var words []string
	for i, w := range honourWords {
		if h&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// String gives the words, separated by spaces.
func (h Honours) String() string { return strings.Join(h.Words(), " ") }

// Does is all that a column declares: Honours, with the comparisons of a range if
// its Pushdown is PushRange, and prefixes if any pattern is honoured.
func (c *Column) Does() Honours {
	h := c.Honours
	if c.Pushdown >= PushRange {
		h |= HonoursRange
	}
	if h&HonoursLike != 0 {
		h |= HonoursPrefix
	}
	return h
}

// Range is a conjunct that compares a column with a value; Op is >, >=, < or <=.
// It holds for no null.
type Range struct {
	Column string
	Op     string
	Value  value.Value
}

// OrderKey is one column that rows are ordered by.
type OrderKey struct {
	Column     string
	Desc       bool
	NullsFirst bool
}

// String writes the key as SQL does, without the place of nulls.
func (k OrderKey) String() string {
	if k.Desc {
		return k.Column + " desc"
	}
	return k.Column
}

// Like is a conjunct that matches a text column with a pattern as SQL's LIKE
// does: % is any text, _ one character, \ takes the next character as it is.
type Like struct {
	Column  string
	Pattern string
}

// Valid reports whether the pattern can be matched: PostgreSQL refuses one that
// ends with the escape character.
func (l Like) Valid() bool {
	escaped := false
	for _, c := range l.Pattern {
		escaped = c == '\\' && !escaped
	}
	return !escaped
}

// Prefix gives the text with which every match begins; only says that nothing
// else is asked of a match.
func (l Like) Prefix() (text string, only bool) {
	var b strings.Builder
	escaped := false
	for i, c := range l.Pattern {
		switch {
		case escaped:
			escaped = false
			b.WriteRune(c)
		case c == '\\':
			escaped = true
		case c == '%':
			return b.String(), i == len(l.Pattern)-1
		case c == '_':
			return b.String(), false
		default:
			b.WriteRune(c)
		}
	}
	return b.String(), false
}

// Matches reports whether a text matches, in at most len(s)·len(Pattern) steps.
func (l Like) Matches(s string) bool {
	text, pat := []rune(s), likeRunes(l.Pattern)
	i, j, star, mark := 0, 0, -1, 0
	for i < len(text) {
		switch {
		case j < len(pat) && pat[j].any:
			star, mark = j, i
			j++
		case j < len(pat) && (pat[j].one || pat[j].r == text[i]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = mark, star+1
		default:
			return false
		}
	}
	for j < len(pat) && pat[j].any {
		j++
	}
	return j == len(pat)
}

// likeRune is one element of a pattern.
type likeRune struct {
	r        rune
	any, one bool
}

func likeRunes(pattern string) []likeRune {
	out := make([]likeRune, 0, len(pattern))
	escaped := false
	for _, c := range pattern {
		switch {
		case escaped:
			escaped = false
			out = append(out, likeRune{r: c})
		case c == '\\':
			escaped = true
		case c == '%':
			out = append(out, likeRune{any: true})
		case c == '_':
			out = append(out, likeRune{one: true})
		default:
			out = append(out, likeRune{r: c})
		}
	}
	return out
}
