// Command polyglove puts one code tool in front of any number of MCP servers.
//
//	polyglove run      run programs
//	polyglove repl     a console for a person
//	polyglove serve    an MCP server in front of the configured ones
//	polyglove inspect  what is configured, and what it costs in a model's context
//
// Each subcommand explains itself with --help.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/polyglove/polyglove/sandbox"
)

// The exit statuses.
const (
	exitOK    = 0
	exitFault = 1 // a program failed
	exitUsage = 2 // the command line or the configuration is wrong
)

func main() { os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// streams are where a subcommand reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// subcommand is one of the command's verbs.
type subcommand struct {
	name, about, usage string
	interactive        bool // it handles interrupts itself
	// flags declares the flags and gives the function to call once they are
	// parsed.
	flags func(*flag.FlagSet) func(ctx context.Context, args []string, s streams) (int, error)
}

func subcommands() []subcommand {
	return []subcommand{runCommand, replCommand, serveCommand, inspectCommand}
}

// errUsage marks an error of the command line.
var errUsage = errors.New("usage")

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

// command runs a command line and gives its exit status.
func command(args []string, in io.Reader, out, err io.Writer) int {
	if len(args) == 0 {
		overview(err)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			return command([]string{args[1], "--help"}, in, out, err)
		}
		overview(out)
		return exitOK
	case "version", "-version", "--version":
		fmt.Fprintln(out, version())
		return exitOK
	}
	var names []string
	for _, c := range subcommands() {
		if c.name == args[0] {
			return c.run(args[1:], streams{in, out, err})
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(err, "polyglove: unknown command %q", sandbox.Clip(args[0], 60))
	if near, ok := sandbox.Nearest(args[0], names); ok {
		fmt.Fprintf(err, ", did you mean %s", near)
	}
	fmt.Fprintln(err, "\nRun polyglove --help for the commands.")
	return exitUsage
}

func overview(w io.Writer) {
	fmt.Fprint(w, "polyglove puts one code tool in front of any number of MCP servers.\n\nUsage: polyglove COMMAND [flags]\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.about)
	}
	fmt.Fprint(w, "\nRun polyglove COMMAND --help for the flags, polyglove --version for the version.\n")
}

// run parses the flags and runs the subcommand until it ends or a person
// interrupts it.
func (c subcommand) run(args []string, s streams) int {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	do := c.flags(fs)
	rest, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		c.help(s.out, fs)
		return exitOK
	}
	status := exitUsage
	if err == nil {
		signals := []os.Signal{syscall.SIGTERM}
		if !c.interactive {
			signals = append(signals, os.Interrupt)
		}
		ctx, stop := signal.NotifyContext(context.Background(), signals...)
		defer stop()
		// A second signal ends the process at once.
		context.AfterFunc(ctx, stop)
		status, err = do(ctx, rest, s)
	}
	if err != nil {
		text := strings.TrimPrefix(err.Error(), errUsage.Error()+": ")
		fmt.Fprintf(s.err, "polyglove %s: %s\n", c.name, text)
		if errors.Is(err, errUsage) {
			fmt.Fprintf(s.err, "Run polyglove %s --help for how it is used.\n", c.name)
		}
		if status == exitOK {
			status = exitUsage
		}
	}
	return status
}

// parse takes flags wherever they stand: before, between and after the other
// arguments, up to a double dash.
func parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usageError("%s", nearestFlag(fs, err))
		}
		taken := len(args) - fs.NArg()
		if fs.NArg() == 0 || taken > 0 && args[taken-1] == "--" {
			return append(rest, fs.Args()...), nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// nearestFlag adds the nearest flag to the error of an unknown one.
func nearestFlag(fs *flag.FlagSet, err error) string {
	text := strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag --", 1)
	name, ok := strings.CutPrefix(text, "unknown flag --")
	if !ok {
		return text
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near, ok := sandbox.Nearest(strings.TrimLeft(name, "-"), names); ok {
		text += ", did you mean --" + near
	}
	return text
}

func (c subcommand) help(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: polyglove %s\n\nFlags:\n", c.usage)
	fs.VisitAll(func(f *flag.Flag) {
		kind, about := flag.UnquoteUsage(f)
		head := "--" + f.Name
		if kind != "" {
			head += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			about += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  %-20s %s\n", head, about)
	})
}
