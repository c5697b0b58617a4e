package pgregex

import (
	"unicode"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

type span struct{ low, high rune }

type class struct {
	name     string
	negative bool
}

// set is a set of characters.
type set struct {
	ranges     []span
	classes    []class
	negative   bool
	ignoreCase bool
}

func (s *set) has(r rune) bool {
	in := s.plain(r)
	if !in && s.ignoreCase {
		in = s.plain(unicode.ToLower(r)) || s.plain(unicode.ToUpper(r))
	}
	return in != s.negative
}

func (s *set) plain(r rune) bool {
	for _, x := range s.ranges {
		if r >= x.low && r <= x.high {
			return true
		}
	}
	for _, c := range s.classes {
		if inClass(c.name, r) != c.negative {
			return true
		}
	}
	return false
}

func isWord(r rune) bool { return r == '_' || isAlnum(r) }

func inClass(name string, r rune) bool {
	switch name {
	case "alnum":
		return isAlnum(r)
	case "alpha":
		return unicode.IsLetter(r)
	case "ascii":
		return r < 128
	case "blank":
		return r == ' ' || r == '\t' || r > 127 && unicode.Is(unicode.Zs, r)
	case "cntrl":
		return unicode.IsControl(r)
	case "digit":
		return isDigit(r)
	case "graph":
		return r > ' ' && r != 127 && unicode.IsGraphic(r) && !unicode.IsSpace(r)
	case "lower":
		return unicode.IsLower(r)
	case "print":
		return unicode.IsPrint(r) || r == ' '
	case "punct":
		return r > ' ' && (r < 127 || unicode.IsGraphic(r)) && !isAlnum(r) && !unicode.IsSpace(r)
	case "space":
		return r == ' ' || r >= '\t' && r <= '\r' || r > 127 && unicode.IsSpace(r)
	case "upper":
		return unicode.IsUpper(r)
	case "xdigit":
		return isDigit(r) || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
	case "word":
		return isWord(r)
	}
	return false
}

var classNames = map[string]bool{
	"alnum": true, "alpha": true, "ascii": true, "blank": true, "cntrl": true, "digit": true, "graph": true, "lower": true,
	"print": true, "punct": true, "space": true, "upper": true, "xdigit": true, "word": true,
}

// bracket reads […].
func (p *parser) bracket() (*set, *pgerr.Error) {
	p.at++
	s := p.fold(&set{})
	if p.more() && p.in[p.at] == '^' {
		p.at++
		s.negative = true
		s.ranges = append(s.ranges, p.notNewline()...)
	}
	for first := true; ; first = false {
		if !p.more() {
			return nil, errBracket
		}
		if p.in[p.at] == ']' && !first {
			p.at++
			return s, nil
		}
		if err := p.bracketItem(s, first); err != nil {
			return nil, err
		}
	}
}

func (p *parser) bracketItem(s *set, first bool) *pgerr.Error {
	if p.looksAt("[:") {
		name, err := p.bracketName(':')
		if err != nil {
			return err
		}
		if !classNames[name] {
			return errClass
		}
		if s.ignoreCase && (name == "lower" || name == "upper") {
			name = "alpha"
		}
		s.classes = append(s.classes, class{name: name})
		return nil
	}
	if !p.o.Extended && p.in[p.at] == '\\' && p.at+1 < len(p.in) {
		if c := p.classEscape(p.in[p.at+1]); c != nil {
			p.at += 2
			s.classes = append(s.classes, class{name: c.classes[0].name, negative: c.negative})
			return nil
		}
	}
	if p.in[p.at] == '-' && !first && !(p.at+1 < len(p.in) && p.in[p.at+1] == ']') {
		return errRange
	}
	low, err := p.bracketCharacter()
	if err != nil {
		return err
	}
	high := low
	if p.at+1 < len(p.in) && p.in[p.at] == '-' && p.in[p.at+1] != ']' {
		p.at++
		if p.looksAt("[:") || p.looksAt("[=") {
			return errRange
		}
		if high, err = p.bracketCharacter(); err != nil {
			return err
		}
		if high < low {
			return errRange
		}
	}
	s.ranges = append(s.ranges, span{low, high})
	return nil
}

// bracketName reads the name in [:name:], [.name.] or [=name=].
func (p *parser) bracketName(mark rune) (string, *pgerr.Error) {
	p.at += 2
	from := p.at
	for p.at+1 < len(p.in) {
		if p.in[p.at] == mark && p.in[p.at+1] == ']' {
			name := string(p.in[from:p.at])
			p.at += 2
			return name, nil
		}
		p.at++
	}
	return "", errBracket
}

func (p *parser) bracketCharacter() (rune, *pgerr.Error) {
	if !p.more() {
		return 0, errBracket
	}
	r := p.in[p.at]
	switch {
	case p.looksAt("[.") || p.looksAt("[="):
		name, err := p.bracketName(p.in[p.at+1])
		if err != nil {
			return 0, err
		}
		if runes := []rune(name); len(runes) == 1 {
			return runes[0], nil
		}
		return 0, errCollate
	case r == '\\' && !p.o.Extended:
		p.at++
		if !p.more() {
			return 0, errEscape
		}
		if !isAlnum(p.in[p.at]) {
			p.at++
			return p.in[p.at-1], nil
		}
		return p.character()
	}
	p.at++
	return r, nil
}
