package regex

import (
	"strconv"
	"strings"
)

// TemplatePart is a piece of a replacement text: literal characters, or if Group
// is not negative what that group matched.
type TemplatePart struct {
	Text  []rune
	Group int
}

// ParsePythonTemplate parses the replacement text of Pattern.sub and
// Match.expand. The error is a *PythonError of kind "error" or "IndexError".
func (p *Program) ParsePythonTemplate(source []rune) (parts []TemplatePart, err error) {
	s := &python{src: source, limits: DefaultLimits()}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case badPython:
			parts, err = nil, &PythonError{Kind: x.kind, Text: x.text, Pattern: source, At: x.at}
		default:
			panic(x)
		}
	}()
	var text []rune
	flush := func() {
		if len(text) > 0 {
			parts = append(parts, TemplatePart{Text: text, Group: -1})
			text = nil
		}
	}
	group := func(index, before int) {
		if index > p.groups {
			s.fail("invalid group reference "+strconv.Itoa(index), before)
		}
		flush()
		parts = append(parts, TemplatePart{Group: index})
	}
	s.advance()
	for t := s.get(); t != nil; t = s.get() {
		if len(t) == 1 {
			text = append(text, t[0])
			continue
		}
		switch c := t[1]; {
		case c == 'g':
			group(s.templateName(p))
		case c == '0':
			n, _ := strconv.ParseInt("0"+string(s.while(2, octalDigits)), 8, 32)
			text = append(text, rune(n)&0xFF)
		case isDigit(c):
			digits := []rune{c}
			if len(s.next) == 1 && isDigit(s.next[0]) {
				digits = append(digits, s.get()...)
				if isOctal(digits[0]) && isOctal(digits[1]) && len(s.next) == 1 && isOctal(s.next[0]) {
					text = append(text, s.octal(append(digits, s.get()...)))
					continue
				}
			}
			n, _ := strconv.Atoi(string(digits))
			group(n, len(digits))
		default:
			if i := strings.IndexRune("abfnrtv\\", c); i >= 0 {
				text = append(text, rune("\a\b\f\n\r\t\v\\"[i]))
				continue
			}
			if isASCIILetter(c) {
				s.fail("bad escape \\"+string(c), 2)
			}
			text = append(text, t...)
		}
	}
	flush()
	return parts, nil
}

// templateName parses what follows \g, and tells how many characters before the
// current place it stands.
func (p *python) templateName(of *Program) (index, before int) {
	if !p.match('<') {
		p.fail("missing <", 0)
	}
	name := p.until('>', "group name")
	if n, numeric := decimalName(name); numeric {
		if n >= maxPythonGroups {
			p.fail("invalid group reference "+string(name), len(name)+1)
		}
		return n, len(name) + 1
	}
	p.checkName(name)
	for _, n := range of.names {
		if n.Name == string(name) {
			return n.Groups[0], len(name) + 1
		}
	}
	p.raise("IndexError", "unknown group name "+pyQuote(name), -1)
	return 0, 0
}
