//go:build cgo

package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed ask.mjs
var askScript []byte

// server is a PostgreSQL 17 that runs under node, from the package
// @electric-sql/pglite. Where the recorded answer is another release's, its word
// counts.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	path string
}

// startServer starts one from a folder in whose node_modules the package is.
func startServer(dir string) (*server, error) {
	f, err := os.CreateTemp(dir, "ask-*.mjs")
	if err != nil {
		return nil, err
	}
	path := f.Name()
	_, err = f.Write(askScript)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	s := &server{cmd: exec.Command("node", filepath.Base(path)), path: path}
	s.cmd.Dir, s.cmd.Stderr = dir, os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, 64<<20)
	return s, s.cmd.Start()
}

func (s *server) close() {
	s.in.Close()
	_ = s.cmd.Wait()
	os.Remove(s.path)
}

// ask gives a statement the server's own answer.
func (s *server) ask(c answered) (answered, error) {
	line, err := json.Marshal(c.SQL)
	if err != nil {
		return c, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return c, err
	}
	if !s.out.Scan() {
		return c, errors.Join(errors.New("the server is gone"), s.out.Err())
	}
	now := answered{File: c.File, Kind: c.Kind, SQL: c.SQL, Rels: c.Rels}
	return now, json.Unmarshal(s.out.Bytes(), &now)
}
