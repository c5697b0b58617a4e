package regex

import (
	"slices"
	"sync"
	"unicode"
)

// folding says which characters count as the same one.
type folding uint8

const (
	exact         folding = iota // none but the character itself
	upperFolding                 // same upper case: Canonicalize of ECMA-262 22.2.2.7.3 without u or v
	simpleFolding                // same simple case folding: Canonicalize with u or v
	pythonFolding                // same lower case, or lower cases with one upper case: Python's IGNORECASE
	asciiFolding                 // the same for ASCII letters only
)

// canonical gives one character that stands for all that count as the same.
func (f folding) canonical(r rune) rune {
	switch f {
	case upperFolding:
		return canonicalUpper(r)
	case simpleFolding:
		least := r
		for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
			least = min(least, x)
		}
		return least
	case pythonFolding:
		return canonicalPython(r)
	case asciiFolding:
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
	}
	return r
}

// canonicalUpper is toUppercase of one code unit, where that is one code unit
// and does not turn a character outside ASCII into one inside.
func canonicalUpper(r rune) rune {
	switch {
	case r < 'a':
		return r
	case r <= 'z':
		return r - ('a' - 'A')
	case r < 0x80 || r > 0xFFFF:
		return r
	case upperIsLonger(r):
		return r
	}
	if u := unicode.ToUpper(r); u >= 0x80 && u <= 0xFFFF {
		return u
	}
	return r
}

// upperIsLonger names the characters that have a simple upper case but whose
// full upper case (SpecialCasing.txt), the one that counts, is two characters:
// Greek with a subscript iota.
func upperIsLonger(r rune) bool {
	switch {
	case r >= 0x1F80 && r <= 0x1F87, r >= 0x1F90 && r <= 0x1F97, r >= 0x1FA0 && r <= 0x1FA7,
		r == 0x1FB3, r == 0x1FC3, r == 0x1FF3:
		return true
	}
	return false
}

// foldClasses are the sets of characters that count as the same one under a
// folding, each of at least two.
type foldClasses struct {
	members map[rune][]rune // by every member; in order
	all     [][]rune
	chars   []rune  // every member of any, in order
	class   []int32 // the place in all of each of chars
}

var (
	upperClasses  = sync.OnceValue(func() *foldClasses { return newFoldClasses(upperFolding) })
	pythonClasses = sync.OnceValue(func() *foldClasses { return newFoldClasses(pythonFolding) })
	asciiClasses  = sync.OnceValue(func() *foldClasses { return newFoldClasses(asciiFolding) })
	simpleClasses = sync.OnceValue(func() *foldClasses { return newFoldClasses(simpleFolding) })
)

// newFoldClasses groups every character that has a case by its canonical one.
func newFoldClasses(f folding) *foldClasses {
	var cased []rune
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			cased = append(cased, r)
			for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
				cased = append(cased, x)
			}
		}
	}
	slices.Sort(cased)
	cased = slices.Compact(cased)
	by := map[rune][]rune{}
	for _, r := range cased {
		c := f.canonical(r)
		by[c] = append(by[c], r)
	}
	k := &foldClasses{members: map[rune][]rune{}}
	places := map[rune]int32{}
	for _, r := range cased {
		class := by[f.canonical(r)]
		if len(class) < 2 {
			continue
		}
		k.members[r] = class
		if class[0] == r {
			places[f.canonical(r)] = int32(len(k.all))
			k.all = append(k.all, class)
		}
		k.chars = append(k.chars, r)
		k.class = append(k.class, places[f.canonical(r)])
	}
	return k
}

func (f folding) classes() *foldClasses {
	switch f {
	case upperFolding:
		return upperClasses()
	case pythonFolding:
		return pythonClasses()
	case asciiFolding:
		return asciiClasses()
	}
	return simpleClasses()
}

// same gives the characters that count as r, itself included, in order.
func (f folding) same(r rune) charset {
	if f != exact {
		if class := f.classes().members[r]; class != nil {
			return single(class...)
		}
	}
	return single(r)
}

// close adds to a set every character that counts as a member of it.
func (f folding) close(s charset) charset {
	if f == exact {
		return s
	}
	classes := f.classes()
	more := slices.Clone(s)
	add := func(class []rune) {
		for _, r := range class {
			more = append(more, span{r, r})
		}
	}
	if s.size() <= smallSet {
		for _, x := range s {
			for r := x.lo; r <= x.hi; r++ {
				add(classes.members[r])
			}
		}
		return normal(more)
	}
	touched := make([]bool, len(classes.all))
	for i, at := 0, 0; i < len(classes.chars) && at < len(s); {
		switch r := classes.chars[i]; {
		case r < s[at].lo:
			i++
		case r > s[at].hi:
			at++
		default:
			touched[classes.class[i]] = true
			i++
		}
	}
	for i, class := range classes.all {
		// A class that is in the set as a whole adds nothing.
		if touched[i] && slices.ContainsFunc(class, func(r rune) bool { return !s.has(r) }) {
			add(class)
		}
	}
	return normal(more)
}

// smallSet is up to how many characters it is quicker to look each of them up.
const smallSet = 512

// words are the characters of \w under a folding: WordCharacters of ECMA-262
// 22.2.2.7.3.
func (f folding) words() charset {
	if f == simpleFolding {
		return foldedWords()
	}
	return wordChars
}

var foldedWords = sync.OnceValue(func() charset { return simpleFolding.close(wordChars) })
