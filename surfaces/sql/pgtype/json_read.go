package pgtype

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// jsonMaxDepth is how deep arrays and objects may be nested. The server stops at
// about this depth, where its stack ends.
const jsonMaxDepth = 6000

// JSONKind is what a JSON value is. The order is that of jsonb's kinds.
type JSONKind uint8

// The kinds of JSON values.
const (
	JSONNull JSONKind = iota
	JSONString
	JSONNumber
	JSONBool
	JSONArray
	JSONObject
)

// Name is the kind as json_typeof gives it.
func (k JSONKind) Name() string {
	return [...]string{"null", "string", "number", "boolean", "array", "object"}[k]
}

// JSONNode is a value of a JSON text, with where it stands, so that the json type
// can give parts of a text as they were written.
type JSONNode struct {
	Kind       JSONKind
	Start, End int         // in bytes of the text
	Keys       []string    // of an object, as written, quotes included
	Items      []*JSONNode // of an array or an object
}

// Text gives a part of the text as it was written.
func (n *JSONNode) Text(source string) string { return source[n.Start:n.End] }

type jsonToken uint8

const (
	tokenEnd jsonToken = iota
	tokenString
	tokenNumber
	tokenTrue
	tokenFalse
	tokenNull
	tokenPunctuation // one of {}[],:
)

// jsonReader reads a JSON text (RFC 8259) with the server's errors.
type jsonReader struct {
	text       string
	start, end int // of the current token
	token      jsonToken
	unescape   bool // escapes must stand for characters that a text can hold
	depth      int
}

// ReadJSON reads a JSON text into its parts. With unescape every string must be
// one that a text can hold, as jsonb wants it. It costs 64 bytes a node, which
// nobody keeps beyond the statement's step.
func ReadJSON(text string, unescape bool) (*JSONNode, *pgerr.Error) {
	r := &jsonReader{text: text, unescape: unescape}
	if err := r.next(); err != nil {
		return nil, err
	}
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.token != tokenEnd {
		return nil, r.expected("end of input")
	}
	return n, nil
}

func badJSON(detail string, args ...any) *pgerr.Error {
	return pgerr.New(pgerr.InvalidText, "invalid input syntax for type json").WithDetail(detail, args...)
}

func (r *jsonReader) expected(what string) *pgerr.Error {
	if r.token == tokenEnd {
		return badJSON("The input string ended unexpectedly.")
	}
	return badJSON("Expected %s, but found \"%s\".", what, r.text[r.start:r.end])
}

func (r *jsonReader) invalidToken() *pgerr.Error {
	return badJSON("Token \"%s\" is invalid.", r.text[r.start:r.end])
}

func (r *jsonReader) is(c byte) bool { return r.token == tokenPunctuation && r.text[r.start] == c }

func jsonWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// next reads the next token.
func (r *jsonReader) next() *pgerr.Error {
	i := r.end
	for i < len(r.text) && (r.text[i] == ' ' || r.text[i] == '\t' || r.text[i] == '\n' || r.text[i] == '\r') {
		i++
	}
	r.start, r.end = i, i
	if i == len(r.text) {
		r.token = tokenEnd
		return nil
	}
	switch c := r.text[i]; {
	case strings.IndexByte("{}[],:", c) >= 0:
		r.token, r.end = tokenPunctuation, i+1
		return nil
	case c == '"':
		r.token = tokenString
		return r.stringToken()
	case c == '-' || isDigit(c):
		r.token = tokenNumber
		return r.numberToken()
	}
	return r.word()
}

func (r *jsonReader) word() *pgerr.Error {
	for r.end < len(r.text) && jsonWordByte(r.text[r.end]) {
		r.end++
	}
	if r.end == r.start {
		r.end++
		return r.invalidToken()
	}
	switch r.text[r.start:r.end] {
	case "true":
		r.token = tokenTrue
	case "false":
		r.token = tokenFalse
	case "null":
		r.token = tokenNull
	default:
		return r.invalidToken()
	}
	return nil
}

func (r *jsonReader) digits() bool {
	from := r.end
	for r.end < len(r.text) && isDigit(r.text[r.end]) {
		r.end++
	}
	return r.end > from
}

func (r *jsonReader) peek() byte {
	if r.end < len(r.text) {
		return r.text[r.end]
	}
	return 0
}

func (r *jsonReader) numberToken() *pgerr.Error {
	if r.peek() == '-' {
		r.end++
	}
	ok := true
	if r.peek() == '0' {
		r.end++
	} else {
		ok = r.digits()
	}
	if r.peek() == '.' {
		r.end++
		ok = r.digits() && ok
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.end++
		if c := r.peek(); c == '+' || c == '-' {
			r.end++
		}
		ok = r.digits() && ok
	}
	for r.end < len(r.text) && jsonWordByte(r.text[r.end]) {
		r.end++
		ok = false
	}
	if !ok {
		return r.invalidToken()
	}
	return nil
}

// stringToken reads a string up to its end and checks the escapes.
func (r *jsonReader) stringToken() *pgerr.Error {
	high := rune(-1) // a surrogate that waits for its other half
	for i := r.start + 1; ; {
		if i >= len(r.text) {
			r.end = len(r.text)
			return r.invalidToken()
		}
		c := r.text[i]
		if c != '\\' {
			if high >= 0 {
				return errLowSurrogate
			}
			if c == '"' {
				r.end = i + 1
				return nil
			}
			if c < 0x20 {
				return badJSON("Character with value 0x%02x must be escaped.", c)
			}
			i++
			continue
		}
		size, unit, err := r.escape(i)
		if err != nil {
			return err
		}
		if r.unescape {
			if high, err = checkSurrogate(high, unit); err != nil {
				return err
			}
		}
		i += size
	}
}

var (
	errHighSurrogate = badJSON("Unicode high surrogate must not follow a high surrogate.")
	errLowSurrogate  = badJSON("Unicode low surrogate must follow a high surrogate.")
	errJSONZero      = pgerr.New(pgerr.UntranslatableCharacter, "unsupported Unicode escape sequence").
				WithDetail("\\u0000 cannot be converted to text.")
)

// checkSurrogate checks a code unit of a \u escape (-1 of another escape) after a
// high surrogate, or -1. It gives the high surrogate that waits now.
func checkSurrogate(high, unit rune) (rune, *pgerr.Error) {
	switch {
	case unit >= 0xD800 && unit < 0xDC00:
		if high >= 0 {
			return -1, errHighSurrogate
		}
		return unit, nil
	case unit >= 0xDC00 && unit < 0xE000:
		if high < 0 {
			return -1, errLowSurrogate
		}
		return -1, nil
	case high >= 0:
		return -1, errLowSurrogate
	case unit == 0:
		return -1, errJSONZero
	}
	return -1, nil
}

// escape reads an escape at a place: its length and, of a \u escape, its unit.
func (r *jsonReader) escape(at int) (size int, unit rune, err *pgerr.Error) {
	if at+1 >= len(r.text) {
		r.end = len(r.text)
		return 0, 0, r.invalidToken()
	}
	c := r.text[at+1]
	if c != 'u' {
		if strings.IndexByte(`"\/bfnrt`, c) < 0 {
			_, n := utf8.DecodeRuneInString(r.text[at+1:])
			return 0, 0, badJSON("Escape sequence \"\\%s\" is invalid.", r.text[at+1:at+1+n])
		}
		return 2, -1, nil
	}
	for i := at + 2; i < at+6; i++ {
		if i >= len(r.text) {
			r.end = len(r.text)
			return 0, 0, r.invalidToken()
		}
		if !digitOf(r.text[i], 16) {
			return 0, 0, badJSON("\"\\u\" must be followed by four hexadecimal digits.")
		}
	}
	n, _ := strconv.ParseUint(r.text[at+2:at+6], 16, 32)
	return 6, rune(n), nil
}

var errJSONTooDeep = pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").
	WithHint("Nest the JSON value at most %d levels deep.", jsonMaxDepth)

func (r *jsonReader) value() (*JSONNode, *pgerr.Error) {
	n := &JSONNode{Start: r.start, End: r.end}
	switch {
	case r.is('{'), r.is('['):
		if r.depth++; r.depth > jsonMaxDepth {
			return nil, errJSONTooDeep
		}
		var err *pgerr.Error
		if r.is('{') {
			n.Kind, err = JSONObject, r.object(n)
		} else {
			n.Kind, err = JSONArray, r.array(n)
		}
		r.depth--
		return n, err
	case r.token == tokenString:
		n.Kind = JSONString
	case r.token == tokenNumber:
		n.Kind = JSONNumber
	case r.token == tokenTrue, r.token == tokenFalse:
		n.Kind = JSONBool
	case r.token == tokenNull:
		n.Kind = JSONNull
	default:
		return nil, r.expected("JSON value")
	}
	return n, r.next()
}

func (r *jsonReader) array(n *JSONNode) *pgerr.Error {
	if err := r.next(); err != nil {
		return err
	}
	if !r.is(']') {
		for {
			item, err := r.value()
			if err != nil {
				return err
			}
			n.Items = append(n.Items, item)
			if !r.is(',') {
				break
			}
			if err := r.next(); err != nil {
				return err
			}
		}
	}
	if !r.is(']') {
		return r.expected("\",\" or \"]\"")
	}
	n.End = r.end
	return r.next()
}

func (r *jsonReader) object(n *JSONNode) *pgerr.Error {
	if err := r.next(); err != nil {
		return err
	}
	switch {
	case r.token == tokenString:
		for {
			if err := r.field(n); err != nil {
				return err
			}
			if !r.is(',') {
				break
			}
			if err := r.next(); err != nil {
				return err
			}
		}
	case !r.is('}'):
		return r.expected("string or \"}\"")
	}
	if !r.is('}') {
		return r.expected("\",\" or \"}\"")
	}
	n.End = r.end
	return r.next()
}

func (r *jsonReader) field(n *JSONNode) *pgerr.Error {
	if r.token != tokenString {
		return r.expected("string")
	}
	key := r.text[r.start:r.end]
	if err := r.next(); err != nil {
		return err
	}
	if !r.is(':') {
		return r.expected("\":\"")
	}
	if err := r.next(); err != nil {
		return err
	}
	item, err := r.value()
	n.Keys, n.Items = append(n.Keys, key), append(n.Items, item)
	return err
}

// UnquoteJSON gives what a JSON string stands for. Escapes that no text can hold
// are errors.
func UnquoteJSON(quoted string) (string, *pgerr.Error) {
	body := quoted[1 : len(quoted)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body, nil
	}
	r := &jsonReader{text: quoted, unescape: true}
	if err := r.stringToken(); err != nil {
		return "", err
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			out = append(out, body[i])
			i++
			continue
		}
		size, unit, _ := r.escape(i + 1)
		switch {
		case unit < 0:
			out = append(out, plainEscape(body[i+1]))
		case unit >= 0xD800 && unit < 0xDC00:
			low, _ := strconv.ParseUint(body[i+8:i+12], 16, 32)
			out = utf8.AppendRune(out, 0x10000+(unit-0xD800)<<10+rune(low)-0xDC00)
			size += 6
		default:
			out = utf8.AppendRune(out, unit)
		}
		i += size
	}
	return string(out), nil
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// AppendJSONString writes a text as a JSON string, as the server does.
func AppendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20:
			dst = append(dst, c)
		default:
			dst = appendControl(dst, c)
		}
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
