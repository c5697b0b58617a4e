package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(outboxVariable); file != "" {
		outbox(file)
		return
	}
	testscript.Main(m, map[string]func(){"polyglove": main})
}

// TestScripts runs the command as a person does. The scripts in testdata/script
// are written in testscript's language, with two commands more: exits, which
// wants an exit status, and field, which reads the output as JSON.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "field": field, "jsonlines": jsonLines,
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// exits runs a command and wants a status: exits 2 polyglove run --nope
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// field compares a member of the standard output's n-th JSON line (1-based) with
// a text: field 1 error.kind name
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: field LINE PATH VALUE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	if n > len(lines) {
		ts.Fatalf("there are %d lines", len(lines))
	}
	d := json.NewDecoder(bytes.NewReader([]byte(lines[n-1])))
	d.UseNumber()
	var v any
	ts.Check(d.Decode(&v))
	for _, key := range strings.Split(args[1], ".") {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[key]
		case []any:
			i, err := strconv.Atoi(key)
			ts.Check(err)
			v = parent[i]
		default:
			v = nil
		}
	}
	got, ok := v.(string)
	if !ok {
		data, err := json.Marshal(v)
		ts.Check(err)
		got = string(data)
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %q, want %q", args[1], got, args[2])
	}
}

// jsonLines wants every line of the standard output to be one JSON value.
func jsonLines(ts *testscript.TestScript, neg bool, _ []string) {
	for i, line := range strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n") {
		if json.Valid([]byte(line)) == neg {
			ts.Fatalf("line %d: %s", i+1, fmt.Sprintf("%.200q", line))
		}
	}
}
