package syntax

import "strings"

// indentation reads the blanks at the start of a line and emits what they open
// or close. It reports whether the line turned out blank, so that another line
// start follows.
func (lx *lexer) indentation() (again bool) {
	column, alt := lx.measure()
	c := lx.at(lx.pos)
	switch {
	case lx.pos >= len(lx.source):
		return false
	case c == '#' || c == '\n' || c == '\r':
		return lx.skipLine()
	case c == '\\':
		// The line goes on below; its indentation counts from here.
		if i := lx.pos + 1; lx.at(i) == '\n' || lx.at(i) == '\r' && lx.at(i+1) == '\n' {
			lx.continuation()
			if lx.err != nil {
				return false
			}
			inner, innerAlt := lx.measure()
			if column == 0 {
				column, alt = inner, innerAlt
			}
			if d := lx.at(lx.pos); d == '\n' || d == '\r' || d == '#' {
				return lx.skipLine()
			}
		}
	}
	lx.block(column, alt)
	return false
}

// measure skips blanks and gives the column, with tabs to multiples of 8 and
// with tabs as one column.
func (lx *lexer) measure() (column, alt int) {
	for ; ; lx.pos++ {
		switch lx.at(lx.pos) {
		case ' ':
			column++
			alt++
		case '\t':
			column = (column/8 + 1) * 8
			alt++
		case '\f':
			column, alt = 0, 0
		default:
			return column, alt
		}
	}
}

// skipLine skips to the next line and reports whether there is one.
func (lx *lexer) skipLine() bool {
	for lx.pos < len(lx.source) {
		c := lx.source[lx.pos]
		lx.pos++
		if c == '\n' || c == '\r' && lx.at(lx.pos) != '\n' {
			return true
		}
	}
	return false
}

// block compares a line's column with the open blocks.
func (lx *lexer) block(column, alt int) {
	top := len(lx.columns) - 1
	at := lx.pos
	switch {
	case column == lx.columns[top]:
		if alt != lx.alt[top] {
			lx.inconsistentTabs()
		}
	case column > lx.columns[top]:
		if alt <= lx.alt[top] {
			lx.inconsistentTabs()
			return
		}
		if len(lx.columns) >= maxIndents {
			lx.fail(at, at, "IndentationError", "too many levels of indentation")
			return
		}
		lx.columns = append(lx.columns, column)
		lx.alt = append(lx.alt, alt)
		lx.emit(indent, 0, at, at)
	default:
		for column < lx.columns[len(lx.columns)-1] {
			lx.columns = lx.columns[:len(lx.columns)-1]
			lx.alt = lx.alt[:len(lx.alt)-1]
			lx.emit(dedent, 0, at, at)
		}
		switch top := len(lx.columns) - 1; {
		case column != lx.columns[top]:
			end := lx.lineEnd(at)
			lx.fail(end, end, "IndentationError", "unindent does not match any outer indentation level")
		case alt != lx.alt[top]:
			lx.inconsistentTabs()
		}
	}
}

func (lx *lexer) inconsistentTabs() {
	start := strings.LastIndexByte(lx.source[:lx.pos], '\n') + 1
	lx.fail(start, start, "TabError", "inconsistent use of tabs and spaces in indentation")
}

func (lx *lexer) lineEnd(at int) int {
	for at < len(lx.source) && lx.source[at] != '\n' && lx.source[at] != '\r' {
		at++
	}
	return at
}
