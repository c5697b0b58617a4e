package syntax

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Error is a program that does not parse, in CPython's words.
type Error struct {
	// Type is SyntaxError, IndentationError or TabError.
	Type    string
	Message string
	// Line and Column are 1-based, the column in code points, as CPython's
	// lineno and offset.
	Line, Column int
	// EndLine and EndColumn close the range, 0 where CPython gives none.
	EndLine, EndColumn int
	// Text is the source line.
	Text string

	start, end int32
}

// Error gives the error as the last line of a traceback.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Type, e.Message) }

// Lines finds lines and columns in a source text.
type Lines struct {
	source string
	starts []int32
}

// NewLines indexes the lines of a source text.
func NewLines(source string) *Lines {
	l := &Lines{source: source, starts: []int32{0}}
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\n':
			l.starts = append(l.starts, int32(i+1))
		case '\r':
			if i+1 >= len(source) || source[i+1] != '\n' {
				l.starts = append(l.starts, int32(i+1))
			}
		}
	}
	return l
}

// Line gives the 1-based line of a byte offset.
func (l *Lines) Line(offset int32) int {
	return sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > offset })
}

// Position gives the 1-based line and column of a byte offset, the column in
// code points.
func (l *Lines) Position(offset int32) (line, column int) {
	offset = max(0, min(offset, int32(len(l.source))))
	line = l.Line(offset)
	return line, utf8.RuneCountInString(l.source[l.starts[line-1]:offset]) + 1
}

// Text gives a line without its end.
func (l *Lines) Text(line int) string {
	if line < 1 || line > len(l.starts) {
		return ""
	}
	text := l.source[l.starts[line-1]:]
	if line < len(l.starts) {
		text = l.source[l.starts[line-1]:l.starts[line]]
	}
	return strings.TrimRight(text, "\r\n")
}

// place fills in lines and columns from the offsets.
func (e *Error) place(l *Lines) {
	e.Line, e.Column = l.Position(e.start)
	if e.end > e.start {
		e.EndLine, e.EndColumn = l.Position(e.end)
	}
	e.Text = l.Text(e.Line)
}
