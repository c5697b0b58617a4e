package fn

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// reserved are the key words that cannot be names without quotes: all of pg_get_keywords
// but the unreserved ones.
var reserved = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(reservedWords) {
		all[w] = true
	}
	return all
}()

// quoteIdentifier writes a name so that SQL reads it back.
func quoteIdentifier(s string) string {
	plain := s != "" && !reserved[s]
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			plain = false
		}
	}
	if plain {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// quoteLiteral writes a text as a literal; one with a backslash as E'…'.
func quoteLiteral(s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

func quotingKernels() map[string]Kernel {
	literal := textFunction(2, quoteLiteral)
	return map[string]Kernel{
		"quote_ident":   textFunction(2, quoteIdentifier),
		"quote_literal": literal,
		"quote_nullable": UnaryOpt(func(e *Env, s Opt[string]) (Opt[string], *pgerr.Error) {
			if s.Null {
				return Some("NULL"), nil
			}
			if err := e.Alloc(int64(2*len(s.Value) + 3)); err != nil {
				return s, err
			}
			return Some(quoteLiteral(s.Value)), nil
		}),
		"quote_literal(anyelement)":  Rowwise(quoteAny),
		"quote_nullable(anyelement)": Rowwise(quoteAny),
	}
}

func quoteAny(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	if args[0].Null() {
		return "NULL", nil
	}
	text, err := e.castText(args[0])
	if err != nil {
		return nil, err
	}
	return anyOf(quoteLiteral(text), e.Alloc(int64(2*len(text)+3)))
}

// unistr turns \XXXX, \+XXXXXX, \uXXXX and \UXXXXXXXX into characters.
func unistr(e *Env, s string) (string, *pgerr.Error) {
	if err := e.Alloc(int64(len(s))); err != nil {
		return "", err
	}
	var out strings.Builder
	high := rune(0)
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			if high != 0 {
				return "", errSurrogatePair
			}
			out.WriteByte(s[i])
			i++
			continue
		}
		if strings.HasPrefix(s[i:], `\\`) {
			if high != 0 {
				return "", errSurrogatePair
			}
			out.WriteByte('\\')
			i += 2
			continue
		}
		r, n := unicodeEscape(s[i:])
		if n == 0 {
			return "", pgerr.New(pgerr.SyntaxError, "invalid Unicode escape").
				WithHint("Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.")
		}
		i += n
		switch {
		case r == 0 || r > utf8.MaxRune:
			return "", pgerr.New(pgerr.InvalidParameter, "invalid Unicode code point: %04X", r)
		case high != 0:
			if r < 0xDC00 || r > 0xDFFF {
				return "", errSurrogatePair
			}
			out.WriteRune(0x10000 + (high-0xD800)<<10 + r - 0xDC00)
			high = 0
		case r >= 0xD800 && r < 0xDC00:
			high = r
		case r >= 0xDC00 && r < 0xE000:
			return "", errSurrogatePair
		default:
			out.WriteRune(r)
		}
	}
	if high != 0 {
		return "", errSurrogatePair
	}
	return out.String(), nil
}

var errSurrogatePair = pgerr.New(pgerr.SyntaxError, "invalid Unicode surrogate pair")

// unicodeEscape reads an escape: its character and its length, 0 when it is none.
func unicodeEscape(s string) (r rune, length int) {
	digits, skip := 4, 1
	if len(s) > 1 {
		switch s[1] {
		case 'u':
			skip = 2
		case '+':
			digits, skip = 6, 2
		case 'U':
			digits, skip = 8, 2
		}
	}
	if len(s) < skip+digits {
		return 0, 0
	}
	for _, c := range []byte(s[skip : skip+digits]) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return 0, 0
		}
	}
	n, _ := strconv.ParseUint(s[skip:skip+digits], 16, 32)
	if n > utf8.MaxRune {
		n = utf8.MaxRune + 1
	}
	return rune(n), skip + digits
}

// parseIdent splits a qualified name into its parts, folded where not quoted.
func parseIdent(e *Env, s string, strict bool) (any, *pgerr.Error) {
	if err := e.Alloc(int64(4*len(s) + 64)); err != nil {
		return nil, err
	}
	notValid := func(detail string, args ...any) *pgerr.Error {
		err := pgerr.New(pgerr.InvalidParameter, "string is not a valid identifier: \"%s\"", s)
		if detail == "" {
			return err
		}
		return err.WithDetail(detail, args...)
	}
	const spaces = " \t\n\r\f\v"
	var parts []vector.Datum
	rest := strings.TrimLeft(s, spaces)
	afterDot := false
	for {
		missing := true
		if strings.HasPrefix(rest, `"`) {
			end := closingQuote(rest)
			if end < 0 {
				return nil, notValid("String has unclosed double quotes.")
			}
			part := strings.ReplaceAll(rest[1:end], `""`, `"`)
			if part == "" {
				return nil, notValid("Quoted identifier must not be empty.")
			}
			parts = append(parts, vector.Datum{Type: pgcat.Text, Value: part})
			rest, missing = rest[end+1:], false
		} else if n := identifierLength(rest); n > 0 {
			parts = append(parts, vector.Datum{Type: pgcat.Text, Value: foldASCII(rest[:n])})
			rest, missing = rest[n:], false
		}
		if missing {
			switch {
			case strings.HasPrefix(rest, "."):
				return nil, notValid("No valid identifier before \".\".")
			case afterDot:
				return nil, notValid("No valid identifier after \".\".")
			}
			return nil, notValid("")
		}
		rest = strings.TrimLeft(rest, spaces)
		if !strings.HasPrefix(rest, ".") {
			break
		}
		afterDot, rest = true, strings.TrimLeft(rest[1:], spaces)
	}
	if rest != "" && strict {
		return nil, notValid("")
	}
	return vector.ArrayOf(pgcat.Text, parts), nil
}

func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		return i
	}
	return -1
}

func identifierLength(s string) int {
	for i := range len(s) {
		c := s[i]
		start := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !start && (i == 0 || !(c >= '0' && c <= '9' || c == '$')) {
			return i
		}
	}
	return len(s)
}

func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
