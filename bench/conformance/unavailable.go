//go:build !cgo

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "conformance: SQL needs the parser of PostgreSQL, and that needs cgo: build with CGO_ENABLED=1")
	os.Exit(1)
}
