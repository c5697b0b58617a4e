package pgtype

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The server that is asked is PostgreSQL 17 as the npm package
// @electric-sql/pglite@0.3.16 builds it, under node.
var (
	serverDir = flag.String("server", os.Getenv("POLYGLOVE_PGLITE"), "folder in whose node_modules @electric-sql/pglite is installed; random questions are asked there")
	questions = flag.Int("questions", 2000, "random questions of each kind to ask the server")
	seed      = flag.Uint64("seed", 1, "seed of the random questions")
	record    = flag.Bool("record", false, "write the server's answers into testdata")
)

// server is a running one.
type server struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

// startServer skips the test when there is no server.
func startServer(t *testing.T) *server {
	t.Helper()
	if *serverDir == "" {
		t.Skip("no server: set POLYGLOVE_PGLITE")
	}
	script, err := os.ReadFile("testdata/ask.mjs")
	if err != nil {
		t.Fatal(err)
	}
	// Modules are found from where the script stands.
	path := filepath.Join(*serverDir, fmt.Sprintf("ask-%d.mjs", os.Getpid()))
	if err := os.WriteFile(path, script, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", path)
	cmd.Dir, cmd.Stderr = *serverDir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
		os.Remove(path)
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	return &server{in, lines}
}

// ask gives the answers to statements, each with the session's time zone.
func (s *server) ask(t *testing.T, asked [][2]string) []string {
	t.Helper()
	var all []string
	for len(asked) > 0 {
		n := min(len(asked), 1000)
		line, err := json.Marshal(asked[:n])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.in.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
		if !s.out.Scan() {
			t.Fatalf("the server is gone: %v", s.out.Err())
		}
		var answers []string
		if err := json.Unmarshal(s.out.Bytes(), &answers); err != nil {
			t.Fatal(err)
		}
		all = append(all, answers...)
		asked = asked[n:]
	}
	return all
}

// question is a kind of question, its inputs, and the session's time zone.
type question struct {
	Zone   string
	What   string
	Inputs []string
}

// kind is how a question is put to the server and answered here.
type kind struct {
	sql    string // with $1, $2… for the inputs, as literals
	answer func(c Clock, in []string) (string, *pgerr.Error)
}

func (q question) statement(k kind) string {
	var literals []string
	for i, in := range q.Inputs {
		literals = append(literals, fmt.Sprintf("$%d", i+1), "e'"+strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(in)+"'")
	}
	return strings.NewReplacer(literals...).Replace(k.sql)
}

// attempt answers; an operand that cannot be read panics with its error.
func (k kind) attempt(c Clock, in []string) (answer string, err *pgerr.Error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *pgerr.Error:
			err = e
		default:
			panic(e)
		}
	}()
	return k.answer(c, in)
}

func (q question) ours(t *testing.T, k kind) string {
	zone, ok := LookupZone(q.Zone)
	if !ok {
		t.Fatalf("zone %s", q.Zone)
	}
	text, err := k.attempt(Clock{Zone: zone}, q.Inputs)
	if err != nil {
		return "!" + string(err.SQLSTATE) + " " + err.Message + "|" + err.Detail + "|" + err.Hint
	}
	return text
}

// excused are centuries and years so large that the server's 32 bits wrap before it
// looks at them: it then names another error, or none.
func excused(q question, got, want string) bool {
	if q.What != "to_date" && q.What != "to_timestamp" || len(q.Inputs) < 2 || !strings.HasPrefix(got, "!22008") {
		return false
	}
	template := strings.ToUpper(q.Inputs[1])
	return longNumber.MatchString(q.Inputs[0]) &&
		(strings.Contains(template, "CC") || strings.Contains(template, "Y,YYY") || strings.Contains(template, "WW"))
}

var longNumber = regexp.MustCompile(`\d{7}`)

// check compares, and reports the first differences.
type check struct{ total, wrong int }

func (c *check) add(t *testing.T, q question, k kind, want string) {
	t.Helper()
	c.total++
	if got := q.ours(t, k); got != want && !excused(q, got, want) {
		if c.wrong++; c.wrong <= 40 {
			t.Errorf("%s %.120q in %s: got %.200s, the server says %.200s", q.What, q.Inputs, q.Zone, got, want)
		}
	}
}

// compareWithServer asks a running server and, to record, writes its answers.
func compareWithServer(t *testing.T, kinds map[string]kind, asked []question, file string) {
	s := startServer(t)
	statements := make([][2]string, len(asked))
	for i, q := range asked {
		statements[i] = [2]string{q.Zone, q.statement(kinds[q.What])}
	}
	var c check
	answers := s.ask(t, statements)
	for i, q := range asked {
		c.add(t, q, kinds[q.What], answers[i])
	}
	t.Logf("%d of %d agree", c.total-c.wrong, c.total)
	if *record {
		writeAnswers(t, file, asked, answers)
	}
}

func writeAnswers(t *testing.T, file string, asked []question, answers []string) {
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for i, q := range asked {
		if err := enc.Encode([]any{q.Zone, q.What, q.Inputs, answers[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// compareWithFile compares with recorded answers.
func compareWithFile(t *testing.T, kinds map[string]kind, file string, atLeast int) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(z)
	var c check
	for lines.More() {
		var q question
		var answer string
		row := []any{&q.Zone, &q.What, &q.Inputs, &answer}
		if err := lines.Decode(&row); err != nil {
			t.Fatal(err)
		}
		k, ok := kinds[q.What]
		if !ok {
			t.Fatalf("no such kind: %s", q.What)
		}
		c.add(t, q, k, answer)
	}
	t.Logf("%d of %d agree", c.total-c.wrong, c.total)
	if c.total < atLeast {
		t.Errorf("only %d cases", c.total)
	}
}
