package mcptools

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sort"
	"strings"
	"time"
)

// process is a server started as a child. It belongs to the set, not to a call:
// no call's context reaches it.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *os.File
	exited chan struct{} // closed when the child is gone
	err    error         // how it ended; read after exited
}

// inherited are the variables that every server gets.
var inherited = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_CACHE_HOME",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

func environment(extra map[string]string) []string {
	var env []string
	for _, name := range inherited {
		if _, ours := extra[name]; ours {
			continue
		}
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	names := make([]string, 0, len(extra))
	for name := range extra {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		env = append(env, name+"="+extra[name])
	}
	return env
}

func startProcess(s *Spec, log io.Writer) (*process, error) {
	cmd := exec.CommandContext(context.Background(), s.Command, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, environment(s.Env)
	cmd.Stderr = log
	cmd.WaitDelay = drain // a grandchild may hold the error stream open
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, startError(s, err)
	}
	// The pipe is ours and not exec's, which would close it at Wait and lose
	// what the server wrote last.
	out, in, err := os.Pipe()
	if err != nil {
		return nil, startError(s, err)
	}
	cmd.Stdout = in
	err = cmd.Start()
	in.Close()
	if err != nil {
		out.Close()
		return nil, startError(s, err)
	}
	p := &process{cmd: cmd, stdin: stdin, stdout: out, exited: make(chan struct{})}
	go func() {
		err := cmd.Wait()
		if errors.Is(err, exec.ErrWaitDelay) {
			err = nil
		}
		p.err = err
		close(p.exited)
	}()
	return p, nil
}

func startError(s *Spec, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		if s.Dir != "" {
			if _, e := os.Stat(s.Dir); e != nil {
				return problem{text: "its working directory does not exist: " + s.Dir, cause: err}
			}
		}
		return problem{text: "the command " + quoted(s.Command) + " was not found; install it or give its full path", cause: err}
	case errors.Is(err, fs.ErrPermission):
		return problem{text: "the command " + quoted(s.Command) + " may not be executed", cause: err}
	}
	return problem{text: "the command " + quoted(s.Command) + " did not start", cause: err}
}

// drain is how long what a dead server wrote last may take to be read.
const drain = 300 * time.Millisecond

// ending says how the child ended: "exit status 3", "signal: killed". It is to be
// asked after exited.
func (p *process) ending() string {
	if p.err == nil {
		return "exit status 0"
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return exit.Error()
	}
	return "its streams were lost"
}

// patience is how long a child may take to leave after each request to.
const patience = 2 * time.Second

// stop ends the child and all that it started: by the end of its input, which
// the protocol asks for first, then by a request, then by force.
func (p *process) stop() {
	_ = p.stdin.Close()
	for _, end := range []func(*exec.Cmd){nil, terminate, kill} {
		if end != nil {
			end(p.cmd)
		}
		select {
		case <-p.exited:
			kill(p.cmd) // whatever it left behind in its group
			return
		case <-time.After(patience):
		}
	}
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }

// problem is an error whose text may be shown; the cause is for the host.
type problem struct {
	text  string
	cause error
}

func (p problem) Error() string { return p.text }
func (p problem) Unwrap() error { return p.cause }
