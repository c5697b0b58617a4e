package mcptools

import (
	"bytes"
	"strings"
	"sync"
)

// tail keeps the last lines of what a server writes to its error stream, and of
// what it writes to its output without being a message. It is bounded whatever
// the server does.
type tail struct {
	clean func(string) string
	tell  func(line string) // each whole line, already cleaned; may be nil

	mu    sync.Mutex
	lines []string
	size  int
	part  []byte
}

const (
	tailBytes = 32 << 10
	tailLine  = 2 << 10
)

// Write takes a piece of the stream. It never fails, so that a server's error
// stream never blocks.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte{'\n'})
		t.mu.Lock()
		if room := tailLine - len(t.part); room > 0 {
			t.part = append(t.part, line[:min(room, len(line))]...)
		}
		if whole {
			done := string(t.part)
			t.part = t.part[:0]
			t.mu.Unlock()
			t.add(done)
		} else {
			t.mu.Unlock()
		}
		p = rest
	}
	return n, nil
}

// add keeps one line.
func (t *tail) add(line string) {
	line = strings.TrimRight(line, "\r")
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(line) > tailLine {
		line = line[:tailLine]
	}
	line = t.clean(strings.ToValidUTF8(line, "\uFFFD"))
	t.mu.Lock()
	t.lines = append(t.lines, line)
	t.size += len(line)
	for t.size > tailBytes {
		t.size -= len(t.lines[0])
		t.lines = t.lines[1:]
	}
	t.mu.Unlock()
	if t.tell != nil {
		t.tell(line)
	}
}

// last gives the last n lines.
func (t *tail) last(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	if len(t.part) > 0 {
		lines = append(lines[:len(lines):len(lines)], t.clean(strings.ToValidUTF8(string(t.part), "\uFFFD")))
	}
	return append([]string(nil), lines[max(0, len(lines)-n):]...)
}
