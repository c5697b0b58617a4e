package attacks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Attack is one file of programs and what must happen.
type Attack struct {
	Name     string
	Expect   []string // the words of its first line
	Programs []string // run in one session, in order
}

// comments begin the lines that are not for the language, by the file's ending.
var comments = map[string]string{".js": "//", ".py": "#"}

// separator stands behind a comment's beginning between the programs of one session.
const separator = "---\n"

// Read reads one attack.
func Read(path string) (Attack, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Attack{}, err
	}
	comment, ok := comments[filepath.Ext(path)]
	if !ok {
		return Attack{}, fmt.Errorf("%s: no language has this ending", path)
	}
	a, err := parse(string(data), comment)
	a.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if err != nil {
		return a, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func parse(text, comment string) (Attack, error) {
	first, rest, _ := strings.Cut(text, "\n")
	words, ok := strings.CutPrefix(first, comment+" expect: ")
	if !ok {
		return Attack{}, fmt.Errorf("the first line says nothing of what must happen")
	}
	a := Attack{Programs: strings.Split(rest, comment+separator)}
	for _, w := range strings.Split(strings.TrimSpace(words), "|") {
		switch {
		case w == "reject", w == "error", w == "budget", w == "safe":
		case strings.HasPrefix(w, "value:"):
			if _, err := value.Decode([]byte(w[len("value:"):])); err != nil {
				return a, fmt.Errorf("%q: %w", w, err)
			}
		default:
			return a, fmt.Errorf("%q is no word for an end", w)
		}
		a.Expect = append(a.Expect, w)
	}
	return a, nil
}

// End is how one program ended.
type End struct {
	Word  string // reject, error, budget or value
	Kind  string // the fault's kind, "" for a value
	Text  string // the value as JSON, or the fault's text
	Calls int    // capability calls that fired
}

// Judge says what is wrong with how the programs of an attack ended; "" if
// nothing is.
func (a Attack) Judge(ends []End) string {
	if len(ends) != len(a.Programs) {
		return fmt.Sprintf("%d of %d programs ended", len(ends), len(a.Programs))
	}
	met := false
	for _, e := range ends {
		if strings.Contains(e.Text, "PWNED") && e.Word == "value" {
			return "a value says PWNED"
		}
		if leaks.MatchString(e.Text) {
			return "the text shows the host: " + leaks.FindString(e.Text)
		}
		if e.Word == "reject" && e.Calls > 0 {
			return "refused after a call had fired"
		}
		for _, w := range a.Expect {
			met = met || e.meets(w)
		}
	}
	if !met {
		last := ends[len(ends)-1]
		return fmt.Sprintf("want %s, got %s %s %s", strings.Join(a.Expect, "|"), last.Word, last.Kind, last.Text)
	}
	return ""
}

// leaks matches what no text for a program may show: Go files, goroutines,
// packages, addresses.
var leaks = regexp.MustCompile(`\w\.go:\d+|goroutine \d+|runtime error|github\.com/|0xc0[0-9a-f]{6}|goja|/root/|/home/`)

func (e End) meets(word string) bool {
	switch {
	case word == "safe":
		return true
	case word == "error":
		return e.Word == "error" || e.Word == "reject"
	case strings.HasPrefix(word, "value:"):
		want, err := value.Decode([]byte(word[len("value:"):]))
		got, err2 := value.Decode([]byte(e.Text))
		return e.Word == "value" && err == nil && err2 == nil && value.Equal(want, got)
	}
	return e.Word == word
}
