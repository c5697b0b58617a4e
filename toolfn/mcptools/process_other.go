//go:build !unix

package mcptools

import "os/exec"

func ownGroup(*exec.Cmd) {}

func terminate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
