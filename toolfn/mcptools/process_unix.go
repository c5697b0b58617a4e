//go:build unix

package mcptools

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a process group of its own: a package runner
// starts the real server as its child, and both must go.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
