package elide

import "fmt"

// LineLimits bound captured output.
type LineLimits struct {
	Runes int // code points of one line
	Lines int // lines of one execute
	Bytes int // bytes of one execute
}

// DefaultLines are the limits of captured output.
func DefaultLines() LineLimits { return LineLimits{Runes: 2000, Lines: 50, Bytes: 8 << 10} }

// Lines collects output within its limits: the first lines are kept, the rest
// are counted. The zero value is not usable: see [NewLines].
type Lines struct {
	limits  LineLimits
	kept    []string
	bytes   int
	dropped int
}

// NewLines makes an empty collector.
func NewLines(l LineLimits) *Lines { return &Lines{limits: l} }

// Full reports whether a further line would be dropped, so that a caller need
// not build it.
func (l *Lines) Full() bool {
	return len(l.kept) >= l.limits.Lines || l.bytes >= l.limits.Bytes
}

// Add keeps a line, cut to the limits, or counts it as dropped.
func (l *Lines) Add(line string) {
	if l.Full() {
		l.dropped++
		return
	}
	if head, cut := prefix(line, l.limits.Runes); cut {
		line = fmt.Sprintf("%s… (%d chars total)", head, plainText(line).Len())
	}
	if room := l.limits.Bytes - l.bytes; len(line) > room {
		line = line[:floor(line, room)] + "…"
	}
	l.bytes += len(line) + 1
	l.kept = append(l.kept, line)
}

// Kept gives the lines, with a last one that counts what was dropped.
func (l *Lines) Kept() []string {
	if l.dropped == 0 {
		return l.kept
	}
	return append(l.kept[:len(l.kept):len(l.kept)], fmt.Sprintf("… (+%d more lines not shown)", l.dropped))
}
