package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/polyglove/polyglove/bench/world"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "agreement:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("agreement", flag.ContinueOnError)
	lang := flags.String("lang", "js", "the language: js, lisp, python or sql")
	corpus := flags.String("corpus", "", "the file of recorded programs, one JSON object a line")
	dir := flags.String("world", "", "the directory of the recorded organisation")
	asLines := flags.Bool("json", false, "print a line a program instead of those that need attention")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *corpus == "" || *dir == "" {
		return fmt.Errorf("both --corpus and --world are needed")
	}
	r, err := newReplay(*lang, *dir)
	if err != nil {
		return err
	}
	programs, err := read(*corpus, *lang)
	if err != nil {
		return err
	}
	judged, err := r.all(programs)
	if err != nil {
		return err
	}
	if *asLines {
		if err := lines(out, judged); err != nil {
			return err
		}
		table(os.Stderr, judged)
		return nil
	}
	table(out, judged)
	list(out, judged)
	for _, id := range stale(judged, r.listed) {
		_, _ = fmt.Fprintf(out, "%s is listed as a divergence, but is none\n", id)
	}
	return nil
}

func newReplay(lang, dir string) (*replay, error) {
	l, err := languageOf(lang)
	if err != nil {
		return nil, err
	}
	listed, err := divergences(lang)
	if err != nil {
		return nil, err
	}
	return &replay{dir: dir, lang: l, listed: listed, worlds: map[organisation]*world.World{}}, nil
}
