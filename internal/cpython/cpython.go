// Package cpython finds a CPython 3.12 for the tests that compare with it, and has
// it answer many questions in one process.
package cpython

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// find looks once: it starts an interpreter for each candidate.
var find = sync.OnceValue(func() string {
	candidates := []string{os.Getenv("PYTHON312"), "python3.12"}
	if home, err := os.UserHomeDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions/3.12.*/bin/python"))
		candidates = append(candidates, found...)
	}
	for _, c := range candidates {
		if c == "" {
			continue
		}
		out, err := exec.Command(c, "-c", "import sys; print(sys.version_info[:2])").Output()
		if err == nil && strings.TrimSpace(string(out)) == "(3, 12)" {
			return c
		}
	}
	return ""
})

// Find gives the CPython 3.12 to compare with: the one that PYTHON312 names, or
// one found in the usual places; "" if there is none.
func Find() string { return find() }

// Need is Find that skips the test where there is none.
func Need(t testing.TB) string {
	t.Helper()
	bin := Find()
	if bin == "" {
		t.Skip("no CPython 3.12 on this machine")
	}
	return bin
}

// Ask runs a script and gives its answers: it reads the questions as lines of
// JSON and prints an answer to each as a line of JSON.
func Ask[Q, A any](t testing.TB, script string, questions []Q) []A {
	t.Helper()
	var in, stderr bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(Need(t), script)
	cmd.Stdin, cmd.Stderr = &in, &stderr
	cmd.Env = append(os.Environ(), "TZ=UTC", "PYTHONHASHSEED=0")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var answers []A
	s := bufio.NewScanner(bytes.NewReader(raw))
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		var a A
		if err := json.Unmarshal(s.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("CPython answered %d of %d: %s", len(answers), len(questions), stderr.String())
	}
	return answers
}
