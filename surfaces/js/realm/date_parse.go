package realm

import (
	"math"
	"strings"

	"github.com/dop251/goja"
)

// longestDate bounds the text that is looked at: no date is longer.
const longestDate = 256

// parseDate reads a date as V8's Date.parse does: the format of ECMA-262 section
// 21.4.1.32 first, then the lenient reading of every format people write. A text
// without a zone is UTC.
func (r *Realm) parseDate(s goja.String) float64 {
	if s.Length() > longestDate {
		return math.NaN()
	}
	text := trimSpace(s.String())
	if ms, ok := parseISO(text); ok {
		return timeClip(ms)
	}
	return timeClip(parseLegacy(text))
}

// scanner reads fixed-width numbers.
type scanner struct {
	text string
	at   int
}

func (s *scanner) digits(n int) (float64, bool) {
	if s.at+n > len(s.text) {
		return 0, false
	}
	v := 0.0
	for i := range n {
		c := s.text[s.at+i]
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + float64(c-'0')
	}
	s.at += n
	return v, true
}

func (s *scanner) skip(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) end() bool { return s.at == len(s.text) }

func parseISO(text string) (float64, bool) {
	s := scanner{text: text}
	f := fields{0, 0, 1, 0, 0, 0, 0}
	ok := false
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		s.at++
		if f[0], ok = s.digits(6); !ok || text[0] == '-' && f[0] == 0 {
			return 0, false
		}
		if text[0] == '-' {
			f[0] = -f[0]
		}
	} else if f[0], ok = s.digits(4); !ok {
		return 0, false
	}
	if s.skip('-') {
		if f[1], ok = s.digits(2); !ok || f[1] < 1 || f[1] > 12 {
			return 0, false
		}
		f[1]--
		if s.skip('-') {
			if f[2], ok = s.digits(2); !ok || f[2] < 1 || f[2] > 31 {
				return 0, false
			}
		}
	}
	if s.end() {
		return f.time(), true
	}
	if !s.skip('T') && !s.skip('t') {
		return 0, false
	}
	return s.clock(f)
}

// clock reads the part after T.
func (s *scanner) clock(f fields) (float64, bool) {
	ok := false
	if f[3], ok = s.digits(2); !ok || f[3] > 24 || !s.skip(':') {
		return 0, false
	}
	if f[4], ok = s.digits(2); !ok || f[4] > 59 {
		return 0, false
	}
	if s.skip(':') {
		if f[5], ok = s.digits(2); !ok || f[5] > 59 {
			return 0, false
		}
		if s.skip('.') {
			start := s.at
			for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
				s.at++
			}
			if f[6], ok = milliseconds(s.text[start:s.at]); !ok {
				return 0, false
			}
		}
	}
	if f[3] == 24 && f[4]+f[5]+f[6] > 0 {
		return 0, false
	}
	offset := 0.0
	switch {
	case s.skip('Z') || s.skip('z'):
	case s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-'):
		sign := 1.0
		if s.text[s.at] == '-' {
			sign = -1
		}
		s.at++
		h, ok := s.digits(2)
		if !ok || h > 23 {
			return 0, false
		}
		s.skip(':')
		m, ok := s.digits(2)
		if !ok || m > 59 {
			return 0, false
		}
		offset = sign * (h*60 + m)
	}
	if !s.end() {
		return 0, false
	}
	return f.time() - offset*60_000, true
}

// milliseconds reads the digits after a decimal point.
func milliseconds(digits string) (float64, bool) {
	if digits == "" {
		return 0, false
	}
	for len(digits) < 3 {
		digits += "0"
	}
	return float64(digits[0]-'0')*100 + float64(digits[1]-'0')*10 + float64(digits[2]-'0'), true
}

// tokenKind classifies what the lenient reading sees.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenNumber
	tokenWord
	tokenSymbol
	tokenSpace
)

type token struct {
	kind   tokenKind
	text   string
	number float64
}

func (t token) is(symbol string) bool { return t.kind == tokenSymbol && t.text == symbol }

// tokens splits a text.
func tokens(text string) []token {
	var list []token
	for i := 0; i < len(text); {
		j := i
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			n := 0.0
			for j < len(text) && text[j] >= '0' && text[j] <= '9' {
				if n < 1e9 {
					n = n*10 + float64(text[j]-'0')
				}
				j++
			}
			list = append(list, token{tokenNumber, text[i:j], n})
		case letter(c):
			for j < len(text) && letter(text[j]) {
				j++
			}
			list = append(list, token{kind: tokenWord, text: strings.ToLower(text[i:j])})
		case c == ' ' || c >= '\t' && c <= '\r':
			j++
			list = append(list, token{kind: tokenSpace})
		default:
			j++
			list = append(list, token{kind: tokenSymbol, text: text[i:j]})
		}
		i = j
	}
	return list
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// legacy is the state of the lenient reading.
type legacy struct {
	list []token
	at   int

	day      []float64
	month    int // named, from 1; 0 for none
	clock    []float64
	final    bool // no more parts of the clock may follow
	half     float64
	hasHalf  bool
	zoneSign float64 // 0 for no zone
	zoneHour float64 // NaN: none yet
	zoneMin  float64
}

func (p *legacy) peek() token {
	if p.at < len(p.list) {
		return p.list[p.at]
	}
	return token{}
}

func (p *legacy) skip(symbol string) bool {
	if p.peek().is(symbol) {
		p.at++
		return true
	}
	return false
}

// expectsClock reports whether a number can be the next part of a clock.
func (p *legacy) expectsClock(n float64) bool {
	if p.final {
		return false
	}
	switch len(p.clock) {
	case 1, 2:
		return n < 60
	case 3:
		return n < 1000
	}
	return false
}

func (p *legacy) addClock(n float64) bool {
	if len(p.clock) >= 4 {
		return false
	}
	p.clock = append(p.clock, n)
	return true
}

// zones are the names with a fixed offset, in hours.
var zones = map[string]float64{
	"ut": 0, "utc": 0, "z": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
}

func monthOf(word string) int {
	if len(word) < 3 {
		return 0
	}
	for i, name := range monthNames {
		if strings.EqualFold(name[:3], word[:3]) {
			return i + 1
		}
	}
	return 0
}

func parseLegacy(text string) float64 {
	p := legacy{list: tokens(text), zoneHour: math.NaN(), zoneMin: math.NaN()}
	seen := false // a number
	for p.at < len(p.list) {
		t := p.list[p.at]
		p.at++
		ok := true
		switch {
		case t.kind == tokenNumber:
			seen = true
			ok = p.number(t)
		case t.kind == tokenWord:
			ok = p.word(t.text, seen)
		case (t.is("+") || t.is("-")) && (p.zoneUTC() || len(p.clock) > 0):
			seen = true
			ok = p.offset(t.text)
		case (t.is("+") || t.is("-") || t.is(")")) && seen:
			ok = false
		case t.is("("):
			p.parenthesis()
		}
		if !ok {
			return math.NaN()
		}
	}
	return p.time()
}

func (p *legacy) zoneUTC() bool { return p.zoneSign != 0 && p.zoneHour == 0 && p.zoneMin == 0 }

func (p *legacy) number(t token) bool {
	n := t.number
	switch {
	case p.skip(":"):
		if p.skip(":") {
			return p.addClock(n) && p.addClock(0)
		}
		if !p.addClock(n) {
			return false
		}
		p.skip(".")
		return true
	case p.peek().is(".") && p.expectsClock(n):
		p.at++
		p.addClock(n)
		t := p.peek()
		if t.kind != tokenNumber {
			return false
		}
		p.at++
		ms, _ := milliseconds(t.text)
		for len(p.clock) < 3 {
			p.clock = append(p.clock, 0)
		}
		p.final = true
		p.clock = append(p.clock[:3], ms)
		return true
	case p.zoneSign != 0 && p.zoneHour == p.zoneHour && p.zoneMin != p.zoneMin && n < 60:
		p.zoneMin = n
		return true
	case p.expectsClock(n):
		p.addClock(n)
		p.final = true
		next := p.peek()
		return next.kind == tokenEnd || next.kind == tokenSpace || next.kind == tokenWord && next.text == "z" || next.is("+") || next.is("-")
	}
	p.skip(".")
	if len(p.day) >= 3 {
		return false
	}
	p.day = append(p.day, n)
	p.skip("-")
	return true
}

func (p *legacy) word(word string, seen bool) bool {
	if (word == "am" || word == "pm") && len(p.clock) > 0 {
		p.hasHalf = true
		if word == "pm" {
			p.half = 12
		}
		return true
	}
	if m := monthOf(word); m > 0 {
		p.month = m
		p.skip("-")
		return true
	}
	if hours, ok := zones[word]; ok && seen {
		p.zoneSign, p.zoneHour, p.zoneMin = 1, hours, 0
		if hours < 0 {
			p.zoneSign, p.zoneHour = -1, -hours
		}
		return true
	}
	return !seen && p.peek().kind != tokenNumber
}

func (p *legacy) offset(sign string) bool {
	p.zoneSign = 1
	if sign == "-" {
		p.zoneSign = -1
	}
	n, width := 0.0, 0
	if t := p.peek(); t.kind == tokenNumber {
		p.at++
		n, width = t.number, len(t.text)
	}
	switch {
	case p.peek().is(":"):
		p.zoneHour, p.zoneMin = n, math.NaN()
	case width == 1 || width == 2:
		p.zoneHour, p.zoneMin = n, 0
	case width == 3 || width == 4:
		p.zoneHour, p.zoneMin = math.Floor(n/100), math.Mod(n, 100)
	default:
		return false
	}
	return true
}

// parenthesis skips a comment.
func (p *legacy) parenthesis() {
	depth := 1
	for depth > 0 && p.at < len(p.list) {
		if t := p.list[p.at]; t.is("(") {
			depth++
		} else if t.is(")") {
			depth--
		}
		p.at++
	}
}

func isDay(n float64) bool { return n >= 1 && n <= 31 }

// time puts the parts together.
func (p *legacy) time() float64 {
	if len(p.day) == 0 {
		return math.NaN()
	}
	for len(p.day) < 3 {
		p.day = append(p.day, 1)
	}
	var year, month, day float64
	switch {
	case p.month > 0:
		month = float64(p.month)
		if !isDay(p.day[0]) {
			year, day = p.day[0], p.day[1]
		} else {
			day, year = p.day[0], p.day[1]
		}
	case !isDay(p.day[0]):
		year, month, day = p.day[0], p.day[1], p.day[2]
	default:
		month, day, year = p.day[0], p.day[1], p.day[2]
	}
	switch {
	case year >= 0 && year <= 49:
		year += 2000
	case year >= 50 && year <= 99:
		year += 1900
	}
	if month < 1 || month > 12 || !isDay(day) {
		return math.NaN()
	}
	for len(p.clock) < 4 {
		p.clock = append(p.clock, 0)
	}
	h, m, s, ms := p.clock[0], p.clock[1], p.clock[2], p.clock[3]
	if p.hasHalf {
		if h > 12 {
			return math.NaN()
		}
		h = math.Mod(h, 12) + p.half
	}
	if h > 23 || m > 59 || s > 59 || ms > 999 {
		if h != 24 || m+s+ms > 0 {
			return math.NaN()
		}
	}
	t := fields{year, month - 1, day, h, m, s, ms}.time()
	if p.zoneSign != 0 {
		hour, minute := p.zoneHour, p.zoneMin
		if hour != hour {
			hour = 0
		}
		if minute != minute {
			minute = 0
		}
		t -= p.zoneSign * (hour*60 + minute) * 60_000
	}
	return t
}
