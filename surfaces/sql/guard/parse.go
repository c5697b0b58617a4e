//go:build cgo

package guard

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Available reports whether this build can parse SQL.
const Available = true

// Statement is one statement of a text. Positions in its tree are bytes of the
// whole text, from 0; [pgerr.Character] turns them into what a server reports.
type Statement struct {
	Kind   Kind
	Text   string // without the semicolon and without surrounding space
	Offset int    // of Text in the whole text, in bytes
	Node   *pg.Node
}

// Parse bounds, splits, parses and sorts a text. An empty text, or one of
// comments alone, has no statements. The fault's cause is a *[pgerr.Error]: the
// server's own code, message and position for what the server would refuse too,
// and 0A000 or 54000 for what is refused here.
func Parse(source string, limits Limits) ([]Statement, *sandbox.Fault) {
	statements, err := parse(source, limits.orDefault())
	if err != nil {
		return nil, err.Fault(source)
	}
	return statements, nil
}

func parse(source string, limits Limits) ([]Statement, *pgerr.Error) {
	if err := checkText(source, limits.Bytes); err != nil {
		return nil, err
	}
	if err := redirectClient(source); err != nil {
		return nil, err
	}
	scanned, scanErr := pg.Scan(source)
	if scanErr != nil {
		return nil, firstError(source, scanErr, limits)
	}
	if err := checkTokens(source, scanned.Tokens, limits); err != nil {
		return nil, err
	}
	tree, parseErr := pg.Parse(source)
	if parseErr != nil {
		return nil, advise(source, parserError(parseErr))
	}
	return sortStatements(source, tree.Stmts, scanned.Tokens)
}

// firstError gives the error that the server reports for a text with a token that
// cannot be read: one of the grammar may come before it. The tokens up to there are
// bounded like all others, so that the parser may see them.
func firstError(source string, scanErr error, limits Limits) *pgerr.Error {
	e := parserError(scanErr)
	if e.Position <= 0 {
		return e
	}
	end := 0
	for range e.Position - 1 {
		_, size := utf8.DecodeRuneInString(source[end:])
		end += size
	}
	scanned, err := pg.Scan(source[:end])
	if err != nil {
		return e
	}
	if refused := checkTokens(source, scanned.Tokens, limits); refused != nil {
		return refused
	}
	if _, err := pg.Parse(source); err != nil {
		return advise(source, parserError(err))
	}
	return e
}

// checkText refuses what the parser must not see: C ends a string at a zero byte,
// and would parse a part of the text in silence.
func checkText(source string, limit int) *pgerr.Error {
	if len(source) > limit {
		return pgerr.New(pgerr.ProgramLimitExceeded, "the statement has %d bytes, more than the %d that are allowed", len(source), limit).
			WithHint("Pass long values as parameters, or insert in several smaller statements.")
	}
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRuneInString(source[i:])
		if r == 0 || r == utf8.RuneError && size <= 1 {
			return pgerr.New(pgerr.NotInRepertoire, "invalid byte sequence for encoding \"UTF8\": %s", badBytes(source[i:]))
		}
		i += size
	}
	return nil
}

// badBytes prints the bytes that the server would print: as many as the first one
// announces, as far as the text reaches.
func badBytes(s string) string {
	n := 1
	switch b := s[0]; {
	case b >= 0xf0 && b < 0xf8:
		n = 4
	case b >= 0xe0 && b < 0xf0:
		n = 3
	case b >= 0xc0 && b < 0xe0:
		n = 2
	}
	var b strings.Builder
	for i := range min(n, len(s)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "0x%02x", s[i])
	}
	return b.String()
}

func checkTokens(source string, tokens []*pg.ScanToken, limits Limits) *pgerr.Error {
	if err := refuseByKeyword(source, tokens); err != nil {
		return err
	}
	statements := 1
	for _, t := range tokens {
		if t.Token == pg.Token_ASCII_59 {
			statements++
		}
	}
	if statements > limits.Statements {
		return pgerr.New(pgerr.ProgramLimitExceeded, "the text has %d statements, more than the %d that are allowed", statements, limits.Statements).
			WithHint("Send fewer statements at a time; one INSERT takes many rows after VALUES.")
	}
	if h := Height(tokens); h > limits.Depth {
		return pgerr.New(pgerr.StatementTooComplex, "the statement nests about %d levels deep, more than the %d that are allowed", h, limits.Depth).
			WithHint("Replace a long chain of operators by IN (…), = ANY (ARRAY[…]), concat(…), a VALUES list or a WITH query; a list costs one level however long it is.")
	}
	return nil
}

// parserError gives a failure of the parser its code. The parser reports none, so
// it follows from the message.
func parserError(err error) *pgerr.Error {
	var p *parser.Error
	if !errors.As(err, &p) {
		// The tree could not be read back: a defect or a limit of the decoder.
		return pgerr.New(pgerr.StatementTooComplex, "the statement cannot be read").WithHint("Write it in simpler parts.")
	}
	e := pgerr.New(codeOf(p.Message), "%s", p.Message)
	e.Position = p.Cursorpos
	e.Hint = hintOf(p.Message)
	if p.Message == "invalid Unicode escape" && p.Funcname == "str_udeescape" {
		// The same words for U&'…' as for E'…', under another code.
		e.SQLSTATE, e.Hint = pgerr.SyntaxError, `Unicode escapes must be \XXXX or \+XXXXXX.`
	}
	return e
}

// codes are the messages of the grammar whose code is not that of a syntax error.
var codes = []struct {
	part string
	code pgerr.Code
}{
	{"invalid Unicode surrogate pair", pgerr.SyntaxError},
	{"invalid byte sequence", pgerr.NotInRepertoire},
	{"unsafe use of \\' in a string literal", pgerr.NonstandardEscape},
	{"invalid escape string", pgerr.InvalidEscapeSequence},
	{"invalid Unicode escape value", pgerr.SyntaxError},
	{"invalid Unicode escape character", pgerr.SyntaxError},
	{"invalid Unicode escape", pgerr.InvalidEscapeSequence},
	{"not yet implemented", pgerr.FeatureNotSupported},
	{"is not implemented", pgerr.FeatureNotSupported},
	{"unrecognized", pgerr.SyntaxError},
	{"frame start cannot be", pgerr.WindowingError},
	{"frame end cannot be", pgerr.WindowingError},
	{"frame starting from", pgerr.WindowingError},
	{"precision for type float must be", pgerr.InvalidParameter},
	{"memory exhausted", pgerr.StatementTooComplex},
}

func codeOf(message string) pgerr.Code {
	for _, c := range codes {
		if strings.Contains(message, c.part) {
			return c.code
		}
	}
	return pgerr.SyntaxError
}

// hintOf gives the hint that the server adds to a message of its grammar.
func hintOf(message string) string {
	switch {
	case strings.HasPrefix(message, "LIMIT #,# syntax"):
		return "Use separate LIMIT and OFFSET clauses."
	case message == "invalid Unicode escape":
		return `Unicode escapes must be \uXXXX or \UXXXXXXXX.`
	case strings.HasPrefix(message, "unsafe use of \\'"):
		return "Use '' to write quotes in strings. \\' is insecure in client-only encodings."
	}
	return ""
}
