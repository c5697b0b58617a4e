package reader

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// terminators end a token.
const terminators = "()[]{}\"; \t\n\r,\f\v`~@^"

func (r *reader) token() string {
	start := r.pos
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if strings.IndexByte(terminators, c) >= 0 {
			break
		}
		if c >= utf8.RuneSelf && blank(r.src[r.pos:]) > 0 {
			break
		}
		r.pos++
	}
	return r.src[start:r.pos]
}

// atom reads a number, keyword, symbol or constant.
func (r *reader) atom() *Form {
	start := r.pos
	text := r.token()
	f := &Form{Pos: start, End: r.pos}
	switch {
	case text == "nil":
	case text == "true":
		f.Value = data.True
	case text == "false":
		f.Value = data.False
	case text[0] == ':':
		return r.keyword(f, text)
	case numeric(text):
		return r.number(f, text)
	default:
		return r.symbol(f, text)
	}
	return f
}

func numeric(s string) bool {
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func (r *reader) keyword(f *Form, text string) *Form {
	name := text[1:]
	if strings.HasPrefix(name, ":") {
		name = name[1:]
		if !strings.Contains(name, "/") {
			name = r.o.Namespace + "/" + name
		}
	}
	if name == "" || strings.HasSuffix(name, ":") || strings.HasSuffix(name, "/") && name != "/" || strings.HasPrefix(name, "/") && name != "/" {
		return r.fail(f.Pos, text+" is no keyword.", "A keyword is a colon and a name: :state.")
	}
	f.Value = data.Keyword(name)
	return f
}

func (r *reader) symbol(f *Form, text string) *Form {
	if strings.HasSuffix(text, ":") || strings.HasSuffix(text, "/") && text != "/" {
		return r.fail(f.Pos, text+" is no name.", "In a map, keys are keywords: {:name value}.")
	}
	f.Value = data.Symbol(text)
	return f
}

// number reads an integer with an optional radix, a ratio or a double.
func (r *reader) number(f *Form, text string) *Form {
	if v, ok := ParseNumber(text); ok {
		f.Value = v
		return f
	}
	if strings.HasSuffix(text, "M") {
		return r.fail(f.Pos, "there are no decimals (M) here.", "Use a ratio such as 3/2, which is exact, or a double.")
	}
	return r.fail(f.Pos, sandbox.Clip(text, 40)+" is no number.", "A name may not begin with a digit.")
}

// ParseNumber reads a number as the language writes it.
func ParseNumber(text string) (data.Value, bool) {
	if v, ok := parseInteger(text); ok {
		return v, true
	}
	if over, under, ok := strings.Cut(text, "/"); ok {
		return parseRatio(over, under)
	}
	return parseDouble(text)
}

func parseInteger(text string) (data.Value, bool) {
	body := strings.TrimLeft(text, "+-")
	if len(text)-len(body) > 1 || body == "" {
		return data.Nil, false
	}
	negative := text[0] == '-'
	exact := strings.HasSuffix(body, "N")
	body = strings.TrimSuffix(body, "N")
	radix := 10
	switch lower := strings.ToLower(body); {
	case strings.HasPrefix(lower, "0x"):
		radix, body = 16, body[2:]
	case len(body) > 1 && body[0] == '0':
		radix, body = 8, body[1:]
	default:
		if before, after, ok := strings.Cut(lower, "r"); ok && before != "" {
			n, err := strconv.Atoi(before)
			if err != nil || n < 2 || n > 36 || exact {
				return data.Nil, false
			}
			radix, body = n, after
		}
	}
	if body == "" || body[0] == '-' || body[0] == '+' || strings.Contains(body, "_") {
		return data.Nil, false
	}
	n, ok := new(big.Int).SetString(body, radix)
	if !ok {
		return data.Nil, false
	}
	if negative {
		n.Neg(n)
	}
	if exact {
		return data.BigInt(n), true
	}
	return data.Integer(n), true
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func parseRatio(over, under string) (data.Value, bool) {
	if !digits(strings.TrimLeft(over, "+-")) || len(over)-len(strings.TrimLeft(over, "+-")) > 1 || !digits(under) {
		return data.Nil, false
	}
	n, _ := new(big.Int).SetString(strings.TrimPrefix(over, "+"), 10)
	d, _ := new(big.Int).SetString(under, 10)
	if d.Sign() == 0 {
		return data.Nil, false
	}
	r := new(big.Rat).SetFrac(n, d)
	if r.IsInt() {
		return data.Integer(new(big.Int).Set(r.Num())), true
	}
	return data.Rational(r), true
}

func parseDouble(text string) (data.Value, bool) {
	body := strings.TrimLeft(text, "+-")
	if len(text)-len(body) > 1 || !strings.ContainsAny(body, ".eE") || body == "" || body[0] < '0' || body[0] > '9' {
		return data.Nil, false
	}
	for i := 0; i < len(body); i++ {
		if strings.IndexByte("0123456789.eE+-", body[i]) < 0 {
			return data.Nil, false
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return data.Nil, false
	}
	return data.Float(f), true
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '"': '"', '\\': '\\'}

// text reads a string.
func (r *reader) text() *Form {
	start := r.pos
	var b strings.Builder
	var units []uint16
	flush := func() {
		if units != nil {
			b.WriteString(string(utf16.Decode(units)))
			units = nil
		}
	}
	for r.pos++; r.pos < len(r.src); {
		c := r.src[r.pos]
		switch {
		case c == '"':
			flush()
			r.pos++
			return &Form{Pos: start, End: r.pos, Value: data.String(b.String())}
		case c != '\\':
			flush()
			b.WriteByte(c)
			r.pos++
		case r.pos+1 >= len(r.src):
			r.pos++
		default:
			u, ok, n := r.escape()
			if !ok {
				return nil
			}
			r.pos += n
			units = append(units, u)
		}
	}
	return r.unterminated(start, "string")
}

func (r *reader) unterminated(start int, what string) *Form {
	line, _ := Place(r.src, start)
	return r.fail(start, "the "+what+" that begins on line "+strconv.Itoa(line)+" has no closing quote.", `End it with ", and write a quote inside as \".`)
}

// escape reads the escape at the position: a code unit and the bytes it takes.
func (r *reader) escape() (unit uint16, ok bool, n int) {
	c := r.src[r.pos+1]
	if e, known := escapes[c]; known {
		return uint16(e), true, 2
	}
	if c == 'u' && r.pos+6 <= len(r.src) {
		if u, err := strconv.ParseUint(r.src[r.pos+2:r.pos+6], 16, 16); err == nil {
			return uint16(u), true, 6
		}
	}
	if c >= '0' && c <= '7' {
		end := r.pos + 1
		for end < len(r.src) && end < r.pos+4 && r.src[end] >= '0' && r.src[end] <= '7' {
			end++
		}
		u, _ := strconv.ParseUint(r.src[r.pos+1:end], 8, 16)
		return uint16(u), true, end - r.pos
	}
	bad, _ := utf8.DecodeRuneInString(r.src[r.pos+1:])
	r.fail(r.pos, `\`+string(bad)+" is no escape in a string.", `There are \n \t \r \" \\ and \uXXXX; a pattern is written as #"…".`)
	return 0, false, 0
}

// regex reads a pattern, in which a backslash is its own; the position is at the
// quote.
func (r *reader) regex(start int) *Form {
	for i := r.pos + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '\\':
			i++
		case '"':
			f := &Form{Kind: Regex, Pos: start, End: i + 1, Value: data.String(r.src[r.pos+1 : i])}
			r.pos = i + 1
			return f
		}
	}
	return r.unterminated(start, "pattern")
}

var charNames = map[string]uint16{"newline": '\n', "space": ' ', "tab": '\t', "backspace": '\b', "formfeed": '\f', "return": '\r'}

// char reads a character.
func (r *reader) char() *Form {
	start := r.pos
	r.pos++
	if r.pos >= len(r.src) {
		return r.fail(start, `\ stands at the end of the program.`, `A character is written as \a.`)
	}
	_, n := utf8.DecodeRuneInString(r.src[r.pos:])
	from := r.pos
	r.pos += n
	if strings.IndexByte(terminators, r.src[from]) < 0 || n > 1 {
		r.token()
	}
	text := r.src[from:r.pos]
	c, ok := charOf(text)
	if !ok {
		return r.fail(start, `\`+sandbox.Clip(text, 20)+" is no character.", `A character is \a, \newline, \space, \tab or \uXXXX; longer texts are strings.`)
	}
	return &Form{Pos: start, End: r.pos, Value: data.Char(c)}
}

func charOf(text string) (uint16, bool) {
	if c, ok := charNames[text]; ok {
		return c, true
	}
	if c, n := utf8.DecodeRuneInString(text); n == len(text) && c < 0x10000 {
		return uint16(c), true
	}
	if text[0] == 'u' && len(text) == 5 {
		u, err := strconv.ParseUint(text[1:], 16, 16)
		return uint16(u), err == nil
	}
	if text[0] == 'o' && len(text) <= 4 {
		u, err := strconv.ParseUint(text[1:], 8, 8)
		return uint16(u), err == nil
	}
	return 0, false
}
