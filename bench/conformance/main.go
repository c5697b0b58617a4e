//go:build cgo

package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	path := flags.String("cases", "", "the file of answered statements, one JSON object a line")
	tables := flags.Bool("tables", false, "run the statements that name relations instead of those that stand alone")
	differences := flags.Int("differences", 0, "how many of the differences of each verdict and file to print")
	only := flags.String("file", "", "only the statements of this file")
	dir := flags.String("server", "", "a folder with @electric-sql/pglite: statements that stand alone and differ are put to it, and its answer counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path == "" {
		return fmt.Errorf("--cases is needed")
	}
	cases, err := readCases(*path)
	if err != nil {
		return err
	}
	r := newReport(*differences)
	var s *server
	if *dir != "" && !*tables {
		if s, err = startServer(*dir); err != nil {
			return err
		}
		defer s.close()
	}
	for _, group := range byFile(cases) {
		if *only == "" || group[0].File == *only {
			newReplay(*tables, s).run(group, r)
		}
	}
	return r.print(out)
}
