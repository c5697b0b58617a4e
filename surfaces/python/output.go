package python

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/elide"
)

// output gathers what a program prints, line by line and within bounds.
type output struct {
	lines   *elide.Lines
	open    strings.Builder // the line that has not ended
	dropped int             // code points of it beyond what is kept
}

// longestLine is how many bytes of one line are kept until it ends: more than is
// ever shown of one.
const longestLine = 64 << 10

func newOutput() *output { return &output{lines: elide.NewLines(elide.DefaultLines())} }

// Print takes text that need not be a line.
func (o *output) Print(text string) {
	for {
		line, rest, ended := strings.Cut(text, "\n")
		o.add(line)
		if !ended {
			return
		}
		o.end()
		text = rest
	}
}

func (o *output) add(text string) {
	if room := longestLine - o.open.Len(); len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		room = max(room, 0)
		o.dropped += utf8.RuneCountInString(text[room:])
		text = text[:room]
	}
	o.open.WriteString(text)
}

func (o *output) end() {
	line := o.open.String()
	if o.dropped > 0 {
		line = overlong(line, o.dropped)
	}
	o.lines.Add(line)
	o.open.Reset()
	o.dropped = 0
}

// overlong is the beginning of a line of which not all was kept.
func overlong(line string, dropped int) string {
	total := utf8.RuneCountInString(line) + dropped
	marker := fmt.Sprintf("… (%d chars total)", total)
	most := elide.DefaultLines().Runes - utf8.RuneCountInString(marker)
	for i := range line {
		if most--; most < 0 {
			return line[:i] + marker
		}
	}
	return line + marker
}

// Kept gives the lines that are kept.
func (o *output) Kept() []string {
	if o.open.Len() > 0 || o.dropped > 0 {
		o.end()
	}
	return o.lines.Kept()
}
