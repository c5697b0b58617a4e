package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
)

// terminal is the editor of a person's terminal.
type terminal struct {
	state   *liner.State
	history string // the file; "" where there is none
}

func newTerminal(complete func(string) []string) *terminal {
	t := &terminal{state: liner.NewLiner()}
	t.state.SetCtrlCAborts(true)
	t.state.SetMultiLineMode(true)
	t.state.SetTabCompletionStyle(liner.TabPrints)
	t.state.SetWordCompleter(func(line string, pos int) (head string, completions []string, tail string) {
		runes := []rune(line)
		head, word := cutWord(string(runes[:pos]))
		return head, complete(word), string(runes[pos:])
	})
	if dir, err := os.UserConfigDir(); err == nil {
		t.history = filepath.Join(dir, "polyglove", "history")
		if f, err := os.Open(t.history); err == nil {
			_, _ = t.state.ReadHistory(f) // a damaged history is no reason not to start
			f.Close()
		}
	}
	return t
}

func (t *terminal) line(prompt string) (string, error) {
	line, err := t.state.Prompt(prompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", errDropped
	case err != nil:
		return "", io.EOF
	}
	return line, nil
}

func (t *terminal) remember(line string) { t.state.AppendHistory(line) }

// close gives the terminal back and keeps the history, readable for its owner
// alone.
func (t *terminal) close() {
	defer t.state.Close()
	if t.history == "" || os.MkdirAll(filepath.Dir(t.history), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(t.history, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = t.state.WriteHistory(f)
}

// lineReader reads lines of any length that fits into memory sensibly.
type lineReader struct{ r *bufio.Reader }

func newLineReader(in io.Reader) *lineReader { return &lineReader{bufio.NewReader(in)} }

func (l *lineReader) next() (string, error) {
	line, err := readLine(l.r)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", io.EOF
	}
	return strings.TrimRight(string(line), "\r\n"), err
}
