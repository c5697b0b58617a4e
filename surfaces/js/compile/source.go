package compile

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox"
)

// source is a program's text as given, and the same text with everything blanked
// that is not program: both have the same length and the same lines, so that an
// offset in one is an offset in the other.
type source struct {
	name  string
	given string
	text  string
	notes []string
	moved []move
}

// move says that text of the program from an offset on stands n bytes later in
// the text that is parsed.
type move struct{ from, n int }

const byteOrderMark = "\uFEFF"

// normalise blanks a byte order mark, a hashbang line and one surrounding
// markdown fence.
func normalise(given string) *source {
	s := &source{name: fileName, given: given, text: given}
	at := 0
	if strings.HasPrefix(s.text, byteOrderMark) {
		s.blank(0, len(byteOrderMark))
		at = len(byteOrderMark)
	}
	s.unfence()
	if strings.HasPrefix(s.text[at:], "#!") {
		s.blank(at, at+lineLength(s.text[at:]))
	}
	return s
}

// unfence blanks the two lines of a markdown fence around the whole program.
func (s *source) unfence() {
	from := len(s.text) - len(strings.TrimLeft(s.text, " \t\r\n"))
	to := len(strings.TrimRight(s.text, " \t\r\n"))
	if from+6 > to || !strings.HasPrefix(s.text[from:], "```") || !strings.HasSuffix(s.text[from:to], "```") {
		return
	}
	open := from + lineLength(s.text[from:])
	if open > to-3 {
		return
	}
	last := strings.LastIndexByte(s.text[:to], '\n')
	if last < open-1 || strings.TrimSpace(s.text[last+1:to]) != "```" || strings.ContainsRune(s.text[from+3:open], '`') {
		return
	}
	s.blank(from, open)
	s.blank(last+1, to)
	s.notes = append(s.notes, "The markdown fence around the program was ignored.")
}

// lineLength is the length of the text's first line without its end.
func lineLength(text string) int {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return i
	}
	return len(text)
}

// blank replaces a range with spaces, keeping line ends, so that nothing moves.
func (s *source) blank(from, to int) { s.text = blanked(s.text, from, to) }

func blanked(text string, from, to int) string {
	b := []byte(text)
	for i := from; i < to && i < len(b); i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}

// position gives line and column (1-based, in code points) of a byte offset.
func position(text string, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	line = 1 + strings.Count(text[:offset], "\n")
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return line, 1 + utf8.RuneCountInString(text[start:offset])
}

// original turns an offset in the parsed text into one in the given text.
func (s *source) original(offset int) int { return original(s.moved, offset) }

func original(moved []move, offset int) int {
	for i := len(moved) - 1; i >= 0; i-- {
		if m := moved[i]; offset > m.from {
			offset = max(m.from, offset-m.n)
		}
	}
	return offset
}

// place gives line and column of an offset in the parsed text.
func (s *source) place(offset int) (line, column int) {
	return position(s.given, s.original(offset))
}

// fault places a fault at an offset of the program.
func (s *source) fault(f *sandbox.Fault, offset int) *sandbox.Fault {
	line, column := s.place(offset)
	return f.At(s.given, line, column)
}

// syntax is the fault of a program that does not parse.
func syntax(message, hint string) *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: message, Hint: hint}
}

// rejected is the fault of a construct that parses and is not available.
func rejected(message, hint string) *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindRejected, Name: "SyntaxError", Message: message, Hint: hint}
}
