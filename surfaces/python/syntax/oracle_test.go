package syntax

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// python gives the CPython 3.12 to compare with: the one that PYTHON312 names,
// or one found in the usual places. Tests that need it skip without it.
func python(t *testing.T) string {
	t.Helper()
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
	t.Skip("no CPython 3.12 on this machine")
	return ""
}

type program struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

type answer struct {
	ID    string `json:"id"`
	Tree  string `json:"tree"`
	Error []any  `json:"error"`
	Skip  string `json:"skip"`
}

// ask has CPython parse programs.
func ask(t *testing.T, programs []program) map[string]answer {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, p := range programs {
		if err := enc.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python(t), "testdata/tree.py")
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	answers := map[string]answer{}
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		var a answer
		if err := json.Unmarshal(s.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers[a.ID] = a
	}
	return answers
}

var (
	anyPlace    = regexp.MustCompile(`@\d+:\d+-\d+:\d+`)
	stringPlace = regexp.MustCompile(`\((Constant|JoinedStr|FormattedValue)@\d+:\d+-\d+:\d+`)
)

// verdict compares our parse with CPython's.
func verdict(code string, want answer) string {
	m, err := Parse(code)
	if want.Skip != "" {
		return "skipped"
	}
	if want.Tree == "" {
		if err == nil {
			return "accepted, CPython rejects: " + fmt.Sprint(want.Error...)
		}
		return "both reject"
	}
	if err != nil {
		return "rejected, CPython accepts: " + err.Error()
	}
	got := tree(m)
	switch {
	case got == want.Tree:
		return "same"
	case stringPlace.ReplaceAllString(got, "($1") == stringPlace.ReplaceAllString(want.Tree, "($1"):
		return "same but for places of string parts"
	case anyPlace.ReplaceAllString(got, "") == anyPlace.ReplaceAllString(want.Tree, ""):
		return "same tree, other places\n" + difference(got, want.Tree)
	}
	return "other tree\n" + difference(got, want.Tree)
}

func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-100)
	return fmt.Sprintf("  got  …%s\n  want …%s", a[from:min(len(a), i+100)], b[from:min(len(b), i+100)])
}
