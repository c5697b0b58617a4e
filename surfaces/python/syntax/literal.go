package syntax

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// literalBuilder joins the adjacent string literals of one expression.
type literalBuilder struct {
	p         *parser
	values    []Expr
	text      strings.Builder
	textStart int32 // -1 while there is no text
	textEnd   int32
}

// strings parses adjacent string literals as one.
func (p *parser) strings() Expr {
	first := p.tok
	b := &literalBuilder{p: p, textStart: -1}
	formatted, isBytes, isText := false, false, false
	for p.tok.kind == stringToken || p.tok.kind == fstringStart {
		t := p.tok
		bytes := t.kind == stringToken && p.isBytes(t)
		isText = isText || !bytes
		isBytes = isBytes || bytes
		if t.kind == fstringStart {
			formatted = true
			b.formatted()
			continue
		}
		p.next()
		b.begin(t)
		b.literal(t, bytes)
	}
	if isBytes && isText {
		p.failAt(p.tok, "cannot mix bytes and nonbytes literals")
	}
	switch {
	case formatted:
		b.flush()
		return &JoinedStr{p.span(first.start), b.values}
	case isBytes:
		return &Constant{p.span(first.start), Bytes(b.text.String())}
	}
	return &Constant{p.span(first.start), b.text.String()}
}

func (p *parser) isBytes(t token) bool {
	for i := t.start; ; i++ {
		switch p.source[i] {
		case 'b', 'B':
			return true
		case '"', '\'':
			return false
		}
	}
}

// begin notes the place of a token whose text is added.
func (b *literalBuilder) begin(t token) {
	if b.textStart < 0 {
		b.textStart = t.start
	}
	b.textEnd = t.end
}

// flush makes a constant of the text so far.
func (b *literalBuilder) flush() {
	if b.text.Len() > 0 {
		b.values = append(b.values, &Constant{Span{b.textStart, b.textEnd}, b.text.String()})
		b.text.Reset()
	}
	b.textStart = -1
}

// literal adds the text of a plain literal.
func (b *literalBuilder) literal(t token, bytes bool) {
	s := b.p.text(t)
	quote := strings.IndexAny(s, `'"`)
	raw := strings.ContainsAny(s[:quote], "rR")
	width := 1
	if q := s[quote : quote+1]; len(s) >= quote+6 && strings.HasPrefix(s[quote:], q+q+q) {
		width = 3
	}
	body := s[quote+width : len(s)-width]
	if bytes {
		for i := range len(body) {
			if body[i] >= utf8.RuneSelf {
				b.p.failAt(t, "bytes can only contain ASCII literal characters")
			}
		}
	}
	b.unescape(body, raw, bytes, t)
}

// formatted parses one f-string.
func (b *literalBuilder) formatted() {
	p := b.p
	open := p.text(p.tok)
	raw := strings.ContainsAny(open, "rR")
	p.next()
	b.parts(raw, false)
	if p.tok.kind != fstringEnd {
		p.invalid()
	}
	p.next()
}

// parts parses literal text and replacement fields up to the end of an f-string
// or of a format specification.
func (b *literalBuilder) parts(raw, spec bool) {
	p := b.p
	for {
		switch {
		case p.tok.kind == fstringMiddle:
			t := p.tok
			p.next()
			b.begin(t)
			body := p.text(t)
			if !spec {
				body = collapseBraces(body, raw)
			}
			b.unescape(body, raw, false, t)
		case p.isOp('{'):
			b.field(raw)
		default:
			return
		}
	}
}

// field parses one replacement field.
func (b *literalBuilder) field(raw bool) {
	p := b.p
	p.enter()
	defer p.leave()
	open := p.tok
	p.next()
	v := &FormattedValue{Value: b.fieldExpression(), Conversion: -1}
	debug := p.isOp('=')
	if debug {
		p.next()
		if p.tok.start < open.end { // what follows is no token, and stands nowhere
			b.unclosedField(debug, v)
		}
		b.begin(token{start: open.end, end: p.tok.start})
		b.text.WriteString(p.source[open.end:p.tok.start])
	}
	if p.isOp('!') {
		v.Conversion = p.conversion()
	}
	if p.isOp(':') {
		v.Spec = b.spec(raw)
	}
	if debug && v.Conversion < 0 && v.Spec == nil {
		v.Conversion = 'r'
	}
	if !p.isOp('}') {
		b.unclosedField(debug, v)
	}
	b.flush()
	p.next()
	v.Span = p.span(open.start)
	b.values = append(b.values, v)
}

func (b *literalBuilder) fieldExpression() Expr {
	p := b.p
	switch {
	case p.isOp('}'), p.isOp('!'), p.isOp(':'), p.isOp('='):
		p.failAt(p.tok, "f-string: valid expression required before '%s'", p.text(p.tok))
	case p.isKw(kwYield):
		return p.yield()
	case p.tok.kind == errorToken:
		p.invalid()
	case !startsExpression(p.tok) && !p.isOp('*'):
		p.failAt(p.tok, "f-string: expecting a valid expression after '{'")
	}
	return p.starExpressions()
}

// conversion parses !s, !r or !a.
func (p *parser) conversion() int {
	mark := p.tok
	p.next()
	if p.tok.kind != name {
		p.fail(mark.start, mark.end, "f-string: invalid conversion character")
	}
	word := p.text(p.tok)
	if p.tok.start != mark.end {
		p.fail(p.tok.start, p.tok.end, "f-string: conversion type must come right after the exclamanation mark")
	}
	if word != "s" && word != "r" && word != "a" {
		p.failAt(p.tok, "f-string: invalid conversion character '%s': expected 's', 'r', or 'a'", word)
	}
	p.next()
	return int(word[0])
}

func (b *literalBuilder) spec(raw bool) Expr {
	p := b.p
	start := p.tok.start
	p.next()
	inner := &literalBuilder{p: p, textStart: -1}
	inner.parts(raw, true)
	inner.flush()
	return &JoinedStr{Span{start, p.tok.start}, inner.values}
}

// unclosedField tells what a replacement field lacks.
func (b *literalBuilder) unclosedField(debug bool, v *FormattedValue) {
	p := b.p
	if p.tok.kind == errorToken {
		p.invalid()
	}
	switch {
	case p.tok.kind == fstringEnd || p.tok.kind == fstringMiddle:
		p.failAt(p.tok, "f-string: expecting '}'")
	case v.Conversion >= 0 && !debug:
		p.failAt(p.tok, "f-string: expecting ':' or '}'")
	case debug:
		p.failAt(p.tok, "f-string: expecting '!', or ':', or '}'")
	}
	p.failAt(p.tok, "f-string: expecting '=', or '!', or ':', or '}'")
}

// collapseBraces halves doubled braces, save inside \N{…}.
func collapseBraces(s string, raw bool) string {
	if !strings.ContainsAny(s, "{}") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if !raw && s[i] == '\\' && strings.HasPrefix(s[i:], `\N{`) {
			if j := strings.IndexByte(s[i:], '}'); j >= 0 {
				b.WriteString(s[i : i+j+1])
				i += j
				continue
			}
		}
		if !raw && s[i] == '\\' && i+1 < len(s) && s[i+1] != '{' && s[i+1] != '}' {
			b.WriteString(s[i : i+2])
			i++
			continue
		}
		b.WriteByte(s[i])
		if (s[i] == '{' || s[i] == '}') && i+1 < len(s) && s[i+1] == s[i] {
			i++
		}
	}
	return b.String()
}

// unescape adds the text that a literal's body denotes.
func (b *literalBuilder) unescape(s string, raw, bytes bool, t token) {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if raw || strings.IndexByte(s, '\\') < 0 {
		b.text.WriteString(s)
		return
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.text.WriteByte(s[i])
			continue
		}
		i++
		i = b.escape(s, i, bytes, t)
	}
}

// escape adds what the escape sequence at s[i] denotes, i being behind the
// backslash, and gives the offset of its last byte.
func (b *literalBuilder) escape(s string, i int, bytes bool, t token) int {
	switch c := s[i]; c {
	case '\n':
	case '\\', '\'', '"':
		b.text.WriteByte(c)
	case 'a':
		b.text.WriteByte('\a')
	case 'b':
		b.text.WriteByte('\b')
	case 'f':
		b.text.WriteByte('\f')
	case 'n':
		b.text.WriteByte('\n')
	case 'r':
		b.text.WriteByte('\r')
	case 't':
		b.text.WriteByte('\t')
	case 'v':
		b.text.WriteByte('\v')
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n, j := 0, i
		for ; j < i+3 && j < len(s) && s[j] >= '0' && s[j] <= '7'; j++ {
			n = n*8 + int(s[j]-'0')
		}
		b.rune(rune(n), bytes)
		return j - 1
	case 'x':
		return b.hexEscape(s, i, 2, bytes, t)
	case 'u', 'U', 'N':
		if !bytes {
			switch c {
			case 'u':
				return b.hexEscape(s, i, 4, bytes, t)
			case 'U':
				return b.hexEscape(s, i, 8, bytes, t)
			}
			return b.named(s, i, t)
		}
		fallthrough
	default:
		b.text.WriteByte('\\')
		b.text.WriteByte(c)
	}
	return i
}

// rune adds a code point, or a byte to a bytes literal.
func (b *literalBuilder) rune(r rune, bytes bool) {
	switch {
	case bytes:
		b.text.WriteByte(byte(r))
	case r >= 0xD800 && r <= 0xDFFF:
		// A lone surrogate in the form that UTF-8 would give it.
		b.text.Write([]byte{0xED, byte(0x80 | r>>6&0x3f), byte(0x80 | r&0x3f)})
	default:
		b.text.WriteRune(r)
	}
}

func (b *literalBuilder) hexEscape(s string, i, width int, bytes bool, t token) int {
	j := i + 1
	for j < len(s) && j <= i+width && isHexadecimal(s[j]) {
		j++
	}
	if j != i+1+width {
		if bytes {
			b.p.failAt(t, "(value error) invalid \\x escape at position %d", i-1)
		}
		form := map[byte]string{'x': "\\xXX", 'u': "\\uXXXX", 'U': "\\UXXXXXXXX"}[s[i]]
		b.decodeError(t, i-1, j-1, "truncated "+form+" escape")
	}
	n, _ := strconv.ParseUint(s[i+1:j], 16, 32)
	if n > 0x10FFFF {
		b.decodeError(t, i-1, j-1, "illegal Unicode character")
	}
	b.rune(rune(n), bytes)
	return j - 1
}

func (b *literalBuilder) decodeError(t token, from, to int, reason string) {
	where := "position " + itoa(from)
	if to > from {
		where = "bytes in position " + itoa(from) + "-" + itoa(to)
	}
	b.p.failAt(t, "(unicode error) 'unicodeescape' codec can't decode %s: %s", where, reason)
}

// named adds the character that \N{NAME} names.
func (b *literalBuilder) named(s string, i int, t token) int {
	if i+1 >= len(s) || s[i+1] != '{' {
		b.decodeError(t, i-1, i, "malformed \\N character escape")
	}
	j := strings.IndexByte(s[i:], '}')
	if j < 3 {
		b.decodeError(t, i-1, len(s)-1, "malformed \\N character escape")
	}
	r, ok := runeNamed(s[i+2 : i+j])
	if !ok {
		b.decodeError(t, i-1, i+j, "unknown Unicode character name")
	}
	b.text.WriteRune(r)
	return i + j
}

// runesByName indexes the characters by their Unicode names.
var runesByName = sync.OnceValue(func() map[string]rune {
	m := make(map[string]rune, 40_000)
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if name := runenames.Name(r); name != "" && name[0] != '<' {
			m[name] = r
		}
	}
	return m
})

// runeNamed finds a character by its Unicode name, case ignored.
func runeNamed(name string) (rune, bool) {
	r, ok := runesByName()[strings.ToUpper(name)]
	return r, ok
}
