package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// newHolder names this process among all that may share a store: its machine,
// its number there, and a part drawn at random, because numbers are used again.
func newHolder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	return fmt.Sprintf("%d %016x %s", os.Getpid(), rand.Uint64(), host)
}

// dead reports whether a holder is a process of this machine that is gone, so
// that nobody need wait for its lease to expire. A guess that is wrong is safe:
// the process that lost its lease cannot write any more.
func dead(holder string) bool {
	id, rest, _ := strings.Cut(holder, " ")
	_, host, ok := strings.Cut(rest, " ")
	here, err := os.Hostname()
	if !ok || err != nil || host != here {
		return false
	}
	pid, err := strconv.Atoi(id)
	if err != nil || pid <= 0 || pid == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
