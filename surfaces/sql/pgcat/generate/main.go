// Command generate writes catalog.tsv.gz: the types, casts, operators, functions,
// aggregates and orderings of PostgreSQL 17, asked of a real server. It also
// writes testdata/answers.tsv.gz: what that server makes of every operator and
// function over pairs of types. The server is a pinned build that runs under node,
// in a temporary folder; node and npm must be on the path. With arguments it asks
// instead what they say: script.mjs=target.gz, from the current folder.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// server is the build that is asked.
const server = "@electric-sql/pglite@0.3.16"

//go:embed dump.mjs answers.mjs
var scripts embed.FS

// product is a script and the file that it makes.
type product struct {
	source []byte
	target string
}

// products gives what the arguments ask for, or the package's own.
func products(args []string) ([]product, error) {
	read := os.ReadFile
	if len(args) == 0 {
		read = scripts.ReadFile
		args = []string{"dump.mjs=catalog.tsv.gz", "answers.mjs=testdata/answers.tsv.gz"}
	}
	var out []product
	for _, a := range args {
		script, target, _ := strings.Cut(a, "=")
		source, err := read(script)
		if err != nil {
			return nil, err
		}
		out = append(out, product{source, target})
	}
	return out, nil
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "pgcat")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := command(dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", server); err != nil {
		return err
	}
	asked, err := products(os.Args[1:])
	if err != nil {
		return err
	}
	for _, p := range asked {
		if err := produce(dir, p); err != nil {
			return err
		}
	}
	return nil
}

func produce(dir string, p product) error {
	path := filepath.Join(dir, "script.mjs")
	if err := os.WriteFile(path, p.source, 0o600); err != nil {
		return err
	}
	text, err := command(dir, "node", path)
	if err != nil {
		return err
	}
	packed, err := pack(text)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, %d packed\n", p.target, len(text), len(packed))
	return os.WriteFile(p.target, packed, 0o644)
}

func command(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// pack compresses without a time stamp, so that the same catalogue gives the same
// bytes.
func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
