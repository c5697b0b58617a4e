package pgtype

import (
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The bounds of the server's arrays.
const (
	arrayMaxDimensions = 6
	arrayMaxElements   = 134217727
)

// Dimension is the lower bound and the length of one dimension.
type Dimension struct{ Lower, Length int }

// ArrayText is an array whose elements are still text, in row-major order; nil is
// NULL. An empty array has no dimensions.
type ArrayText struct {
	Dimensions []Dimension
	Elements   []*string
}

// ParseArray reads the text of an array of any type but box, whose delimiter is a
// semicolon.
func ParseArray(s string) (ArrayText, *pgerr.Error) {
	p := arrayReader{text: s, rest: skipSpace(s)}
	declared, err := p.declaredDimensions()
	if err != nil {
		return ArrayText{}, err
	}
	if err := p.begin(declared != nil); err != nil {
		return ArrayText{}, err
	}
	if err := p.body(); err != nil {
		return ArrayText{}, err
	}
	if skipSpace(p.rest) != "" {
		return ArrayText{}, p.malformed("Junk after closing right brace.")
	}
	return p.result(declared)
}

func skipSpace(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

// arrayReader reads the braces with a stack of its own, as deep as an array can
// be, so that no text makes it recurse.
type arrayReader struct {
	text     string // the whole, for errors
	rest     string
	elements []*string

	lengths []int // of each level, once it has ended; -1 before
	counts  []int // of the open levels
	leaves  int   // the level at which elements stand; 0 before the first
}

func (p *arrayReader) malformed(detail string, args ...any) *pgerr.Error {
	return pgerr.New(pgerr.InvalidText, "malformed array literal: \"%s\"", p.text).WithDetail(detail, args...)
}

func (p *arrayReader) mismatched() *pgerr.Error {
	return p.malformed("Multidimensional arrays must have sub-arrays with matching dimensions.")
}

func (p *arrayReader) begin(declared bool) *pgerr.Error {
	if strings.HasPrefix(p.rest, "{") {
		return nil
	}
	if declared {
		return p.malformed("Array contents must start with \"{\".")
	}
	return p.malformed("Array value must start with \"{\" or dimension information.")
}

// declaredDimensions reads [l:u][u]…=, or nothing.
func (p *arrayReader) declaredDimensions() ([]Dimension, *pgerr.Error) {
	var out []Dimension
	for {
		p.rest = skipSpace(p.rest)
		if !strings.HasPrefix(p.rest, "[") {
			break
		}
		p.rest = p.rest[1:]
		if len(out) >= arrayMaxDimensions {
			return nil, errTooManyDimensions
		}
		d, err := p.declaredDimension()
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	if out == nil {
		return nil, nil
	}
	if !strings.HasPrefix(p.rest, "=") {
		return nil, p.malformed("Missing \"%s\" after array dimensions.", "=")
	}
	p.rest = skipSpace(p.rest[1:])
	return out, nil
}

var (
	errTooManyDimensions = pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions exceeds the maximum allowed (%d)", arrayMaxDimensions)
	errTooManyElements   = pgerr.New(pgerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", arrayMaxElements)
)

func (p *arrayReader) declaredDimension() (Dimension, *pgerr.Error) {
	lower, upper := 1, 0
	n, ok, err := p.bound()
	if err != nil {
		return Dimension{}, err
	}
	if !ok {
		return Dimension{}, p.malformed("\"[\" must introduce explicitly-specified array dimensions.")
	}
	upper = n
	if strings.HasPrefix(p.rest, ":") {
		p.rest = p.rest[1:]
		lower = n
		if upper, ok, err = p.bound(); err != nil {
			return Dimension{}, err
		}
		if !ok {
			return Dimension{}, p.malformed("Missing array dimension value.")
		}
	}
	if !strings.HasPrefix(p.rest, "]") {
		return Dimension{}, p.malformed("Missing \"%s\" after array dimensions.", "]")
	}
	p.rest = p.rest[1:]
	if upper < lower {
		return Dimension{}, pgerr.New(pgerr.ArraySubscript, "upper bound cannot be less than lower bound")
	}
	if upper == 1<<31-1 {
		return Dimension{}, pgerr.New(pgerr.ProgramLimitExceeded, "array upper bound is too large: %d", upper)
	}
	if upper-lower+1 > arrayMaxElements {
		return Dimension{}, errTooManyElements
	}
	return Dimension{lower, upper - lower + 1}, nil
}

func (p *arrayReader) bound() (n int, ok bool, err *pgerr.Error) {
	i := 0
	if i < len(p.rest) && (p.rest[i] == '-' || p.rest[i] == '+') {
		i++
	}
	start := i
	for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
		i++
	}
	if i == start {
		return 0, false, nil
	}
	v, convErr := strconv.ParseInt(p.rest[:i], 10, 32)
	if convErr != nil {
		return 0, false, pgerr.New(pgerr.ProgramLimitExceeded, "array bound is out of integer range")
	}
	p.rest = p.rest[i:]
	return int(v), true, nil
}

// expectation is what may come next inside braces.
type expectation int

const (
	anything  expectation = iota // after an opening brace
	element                      // after a comma
	separator                    // after an element or a closing brace
)

func (p *arrayReader) body() *pgerr.Error {
	expect := anything
	for {
		p.rest = skipSpace(p.rest)
		if p.rest == "" {
			return p.malformed("Unexpected end of input.")
		}
		var err *pgerr.Error
		switch c := p.rest[0]; {
		case c == '{':
			if expect == separator {
				return p.malformed("Unexpected \"%c\" character.", c)
			}
			err, expect = p.openLevel(), anything
		case c == '}':
			if expect == element {
				return p.malformed("Unexpected \"%c\" character.", c)
			}
			if err = p.closeLevel(); err == nil && len(p.counts) == 0 {
				return nil
			}
			expect = separator
		case c == ',':
			if expect != separator {
				return p.malformed("Unexpected \"%c\" character.", c)
			}
			p.rest, expect = p.rest[1:], element
		default:
			err = p.element(expect)
			expect = separator
		}
		if err != nil {
			return err
		}
	}
}

func (p *arrayReader) openLevel() *pgerr.Error {
	p.rest = p.rest[1:]
	if len(p.counts) >= arrayMaxDimensions {
		return errTooManyDimensions
	}
	p.counts = append(p.counts, 0)
	if len(p.counts) > len(p.lengths) {
		if p.leaves != 0 {
			return p.mismatched()
		}
		p.lengths = append(p.lengths, -1)
	}
	return nil
}

// closeLevel checks that all levels of a depth are as long as the first.
func (p *arrayReader) closeLevel() *pgerr.Error {
	p.rest = p.rest[1:]
	depth := len(p.counts)
	n := p.counts[depth-1]
	p.counts = p.counts[:depth-1]
	switch {
	case p.lengths[depth-1] < 0:
		p.lengths[depth-1] = n
	case p.lengths[depth-1] != n:
		return p.mismatched()
	}
	if depth > 1 {
		p.counts[depth-2]++
	}
	return nil
}

func (p *arrayReader) element(expect expectation) *pgerr.Error {
	text, quoted, err := p.word()
	if err != nil {
		return err
	}
	if expect == separator {
		return p.malformed("Unexpected array element.")
	}
	if p.leaves == 0 {
		p.leaves = len(p.counts)
		if p.leaves != len(p.lengths) {
			return p.mismatched()
		}
	}
	if p.leaves != len(p.counts) {
		return p.mismatched()
	}
	if !quoted && strings.EqualFold(text, "NULL") {
		p.elements = append(p.elements, nil)
	} else {
		p.elements = append(p.elements, &text)
	}
	if len(p.elements) > arrayMaxElements {
		return errTooManyElements
	}
	p.counts[len(p.counts)-1]++
	return nil
}

// word reads one element, quoted or not. A backslash takes the next character as
// it is, and makes an unquoted word one that is not NULL.
func (p *arrayReader) word() (text string, quoted bool, err *pgerr.Error) {
	if p.rest[0] == '"' {
		text, err = p.quotedWord()
		return text, true, err
	}
	var b strings.Builder
	keep := 0 // the length up to the last character that is no space
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"':
			return "", false, p.malformed("Incorrectly quoted array element.")
		case '{', '}', ',':
			p.rest = p.rest[i:]
			return b.String()[:keep], quoted, nil
		case '\\':
			if i++; i == len(p.rest) {
				return "", false, p.malformed("Unexpected end of input.")
			}
			b.WriteByte(p.rest[i])
			keep, quoted = b.Len(), true
		default:
			b.WriteByte(c)
			if !isSpace(c) {
				keep = b.Len()
			}
		}
	}
	return "", false, p.malformed("Unexpected end of input.")
}

func (p *arrayReader) quotedWord() (string, *pgerr.Error) {
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '\\':
			if i++; i == len(p.rest) {
				return "", p.malformed("Unexpected end of input.")
			}
			b.WriteByte(p.rest[i])
		case '"':
			p.rest = skipSpace(p.rest[i+1:])
			if p.rest != "" && !strings.ContainsRune(",}{", rune(p.rest[0])) {
				return "", p.malformed("Incorrectly quoted array element.")
			}
			return b.String(), nil
		default:
			b.WriteByte(c)
		}
	}
	return "", p.malformed("Unexpected end of input.")
}

func (p *arrayReader) result(declared []Dimension) (ArrayText, *pgerr.Error) {
	if len(p.elements) == 0 {
		if declared != nil {
			return ArrayText{}, p.malformed("Specified array dimensions do not match array contents.")
		}
		return ArrayText{}, nil
	}
	out := ArrayText{Elements: p.elements, Dimensions: make([]Dimension, len(p.lengths))}
	for i, n := range p.lengths {
		out.Dimensions[i] = Dimension{1, n}
	}
	if declared == nil {
		return out, nil
	}
	if len(declared) != len(out.Dimensions) {
		return ArrayText{}, p.malformed("Specified array dimensions do not match array contents.")
	}
	for i, d := range declared {
		if d.Length != out.Dimensions[i].Length {
			return ArrayText{}, p.malformed("Specified array dimensions do not match array contents.")
		}
	}
	out.Dimensions = declared
	return out, nil
}

// AppendArray writes an array; its lower bounds only where one is not 1.
func AppendArray(dst []byte, a ArrayText) []byte {
	if len(a.Elements) == 0 {
		return append(dst, "{}"...)
	}
	dst = appendBounds(dst, a.Dimensions)
	for i, e := range a.Elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBraces(dst, '{', boundaries(a.Dimensions, i))
		dst = appendElement(dst, e)
		dst = appendBraces(dst, '}', boundaries(a.Dimensions, i+1))
	}
	return dst
}

func appendBounds(dst []byte, dimensions []Dimension) []byte {
	usual := true
	for _, d := range dimensions {
		usual = usual && d.Lower == 1
	}
	if usual {
		return dst
	}
	for _, d := range dimensions {
		dst = strconv.AppendInt(append(dst, '['), int64(d.Lower), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(d.Lower+d.Length-1), 10)
		dst = append(dst, ']')
	}
	return append(dst, '=')
}

// boundaries counts the levels that begin, or end, before the i-th element.
func boundaries(dimensions []Dimension, i int) int {
	n := 0
	for size, d := 1, len(dimensions)-1; d >= 0; d-- {
		size *= dimensions[d].Length
		if i%size != 0 {
			break
		}
		n++
	}
	return n
}

func appendBraces(dst []byte, brace byte, n int) []byte {
	for range n {
		dst = append(dst, brace)
	}
	return dst
}

func appendElement(dst []byte, e *string) []byte {
	if e == nil {
		return append(dst, "NULL"...)
	}
	if !needsQuotes(*e) {
		return append(dst, *e...)
	}
	dst = append(dst, '"')
	for i := range len(*e) {
		if c := (*e)[i]; c == '"' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, (*e)[i])
	}
	return append(dst, '"')
}

func needsQuotes(s string) bool {
	if s == "" || strings.EqualFold(s, "NULL") {
		return true
	}
	for i := range len(s) {
		if c := s[i]; isSpace(c) || strings.IndexByte(`"\{},`, c) >= 0 {
			return true
		}
	}
	return false
}
