package pgtype

import (
	"strings"
	"unicode/utf8"
)

// A template of to_char, to_date, to_timestamp or to_number is a list of patterns,
// which stand for a part of the value, and of text between them.

// nodeKind is what a piece of a template is.
type nodeKind uint8

const (
	patternNode   nodeKind = iota
	textNode               // one character
	separatorNode          // one that is neither letter, digit nor space
	spaceNode
)

type templateNode struct {
	kind   nodeKind
	text   string   // of what is no pattern
	key    *pattern // of a pattern
	suffix suffixes
}

// suffixes are modifiers before and after a pattern.
type suffixes uint8

const (
	fillMode     suffixes = 1 << iota // FM: no blanks or zeros that only fill
	upperOrdinal                      // TH
	lowerOrdinal                      // th
	spelled                           // SP, which does nothing
	localized                         // TM: names in the language of the locale, which is English

	ordinal = upperOrdinal | lowerOrdinal
)

func (n *templateNode) is(s suffixes) bool { return n.suffix&s != 0 }

// pattern is a word of a template.
type pattern struct {
	name  string
	id    int
	digit bool     // it stands for digits
	mode  dateMode // of dates
}

// syntax is what the words of templates for dates or for numbers are.
type syntax struct {
	patterns map[byte][]*pattern // by the first letter; the first that fits counts
	dates    bool
}

func newSyntax(dates bool, patterns []pattern) syntax {
	s := syntax{patterns: map[byte][]*pattern{}, dates: dates}
	for i := range patterns {
		first := patterns[i].name[0]
		s.patterns[first] = append(s.patterns[first], &patterns[i])
	}
	return s
}

func (s syntax) find(text string) *pattern {
	if text == "" {
		return nil
	}
	for _, p := range s.patterns[text[0]] {
		if strings.HasPrefix(text, p.name) {
			return p
		}
	}
	return nil
}

var prefixes = []struct {
	name string
	mark suffixes
}{{"FM", fillMode}, {"fm", fillMode}, {"TM", localized}, {"tm", localized}}

var postfixes = []struct {
	name string
	mark suffixes
}{{"TH", upperOrdinal}, {"th", lowerOrdinal}, {"SP", spelled}}

// cutPrefix takes a modifier from before a pattern.
func cutPrefix(text string) (suffixes, string) {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p.name) {
			return p.mark, text[len(p.name):]
		}
	}
	return 0, text
}

// cutPostfix takes a modifier from behind a pattern.
func cutPostfix(text string) (suffixes, string) {
	for _, p := range postfixes {
		if strings.HasPrefix(text, p.name) {
			return p.mark, text[len(p.name):]
		}
	}
	return 0, text
}

// cut splits a template. A modifier before what is no pattern is dropped.
func (s syntax) cut(text string) []templateNode {
	var nodes []templateNode
	for text != "" {
		var suffix suffixes
		if s.dates {
			suffix, text = cutPrefix(text)
		}
		if key := s.find(text); key != nil {
			text = text[len(key.name):]
			if s.dates {
				var after suffixes
				after, text = cutPostfix(text)
				suffix |= after
			}
			nodes = append(nodes, templateNode{kind: patternNode, key: key, suffix: suffix})
			continue
		}
		if text == "" {
			break
		}
		if text[0] == '"' {
			nodes, text = cutQuoted(nodes, text[1:])
			continue
		}
		if strings.HasPrefix(text, `\"`) {
			text = text[1:]
		}
		n := characterLength(text)
		kind := textNode
		switch {
		case s.dates && isPunctuation(text[0]):
			kind = separatorNode
		case isSpace(text[0]):
			kind = spaceNode
		}
		nodes = append(nodes, templateNode{kind: kind, text: text[:n]})
		text = text[n:]
	}
	return nodes
}

// cutQuoted takes text up to a quote; a backslash takes the next character as it
// is.
func cutQuoted(nodes []templateNode, text string) ([]templateNode, string) {
	for text != "" {
		if text[0] == '"' {
			return nodes, text[1:]
		}
		if text[0] == '\\' && len(text) > 1 {
			text = text[1:]
		}
		n := characterLength(text)
		nodes = append(nodes, templateNode{kind: textNode, text: text[:n]})
		text = text[n:]
	}
	return nodes, text
}

func characterLength(text string) int {
	if text == "" {
		return 0
	}
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// ordinalSuffix gives what makes an ordinal number of digits.
func ordinalSuffix(digits string, upper bool) string {
	last := digits[len(digits)-1]
	if len(digits) > 1 && digits[len(digits)-2] == '1' {
		last = 0
	}
	th := "th"
	switch last {
	case '1':
		th = "st"
	case '2':
		th = "nd"
	case '3':
		th = "rd"
	}
	if upper {
		return strings.ToUpper(th)
	}
	return th
}
