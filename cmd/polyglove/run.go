package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

var runCommand = subcommand{
	name:  "run",
	about: "run a program: an argument, a file, standard input, or many in one session",
	usage: `run [flags] [PROGRAM | FILE]

Runs PROGRAM, the program in FILE, or the one on standard input, and prints its
value. An argument that names an existing file is a FILE; --file FILE says so
whatever it looks like, and - is standard input. With --batch, standard input holds one JSON object a line,
{"program": "..."}; all run in one session, and one result object a line comes
out. An "id" in a line stands in its result too.

Exit status: 0 if every program ran to its end, 1 if one failed, 2 if the
command line, the configuration or a batch line is wrong.

  polyglove run --demo 'github.list_pull_requests({state:"open"}).length'
  polyglove run --config mcp.json --json report.js
  polyglove run --config mcp.json --dry-run tidy.js`,
	flags: func(fs *flag.FlagSet) func(context.Context, []string, streams) (int, error) {
		var o options
		var r runner
		o.declare(fs)
		fs.StringVar(&r.file, "file", "", "run the program in `FILE`")
		fs.BoolVar(&r.batch, "batch", false, "run one program for each line of standard input")
		fs.BoolVar(&r.json, "json", false, "print the whole result as one JSON object, faults included")
		fs.BoolVar(&r.dry, "dry-run", false, "only try: reads run, every other call is checked and listed and not made")
		fs.BoolVar(&r.explain, "explain", false, "say what the program would do, and run nothing")
		return func(ctx context.Context, args []string, s streams) (int, error) { return r.run(ctx, &o, args, s) }
	},
}

// runner runs programs that are given whole.
type runner struct {
	file                 string
	batch, json, explain bool
	dry                  bool

	session  surfaces.Session
	renderer *surfaces.Renderer
	language surfaces.Language
}

func (r *runner) run(ctx context.Context, o *options, args []string, s streams) (int, error) {
	if err := r.check(args); err != nil {
		return exitUsage, err
	}
	program, err := r.program(args, s.in)
	if err != nil {
		return exitUsage, err
	}
	g, err := o.open(ctx, s.err)
	if err != nil {
		return exitUsage, err
	}
	defer g.close()
	ws, err := g.workspace(askOnTerminal(s.err), askingBatch()...)
	if err != nil {
		return exitUsage, err
	}
	defer ws.Close()
	if r.session, err = ws.Open(g.language); err != nil {
		return exitUsage, err
	}
	r.language, r.renderer = g.language, ws.RendererOf(g.language)
	if r.dry {
		ctx, _ = dispatch.DryRun(ctx)
	}
	if r.batch {
		return r.each(ctx, s)
	}
	if r.explain {
		plan := r.session.Explain(ctx, program)
		fmt.Fprintln(s.out, r.renderer.Plan(plan, g.language))
		return status(plan.Fault != nil), nil
	}
	result := r.session.Execute(ctx, program)
	r.print(result, s)
	if result.Fault != nil && len(args) == 1 && !r.json && strings.HasSuffix(args[0], ".js") && !isFile(args[0]) {
		fmt.Fprintf(s.err, "There is no file %s, so it was run as a program.\n", sandbox.Clip(args[0], 200))
	}
	return status(result.Fault != nil), nil
}

func status(failed bool) int {
	if failed {
		return exitFault
	}
	return exitOK
}

func (r *runner) check(args []string) error {
	switch {
	case len(args) > 1:
		return usageError("want one program, got %d arguments; put it in quotes", len(args))
	case r.batch && (len(args) > 0 || r.file != ""):
		return usageError("--batch reads programs from standard input only")
	case r.batch && r.explain:
		return usageError("--batch and --explain exclude each other")
	case r.dry && r.explain:
		return usageError("--dry-run and --explain exclude each other")
	case len(args) > 0 && r.file != "":
		return usageError("want a program or --file, not both")
	}
	return nil
}

// program gives the text to run.
func (r *runner) program(args []string, in io.Reader) (string, error) {
	file := r.file
	if file == "" && len(args) == 1 && isFile(args[0]) {
		file = args[0]
	}
	switch {
	case r.batch:
		return "", nil
	case file != "":
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("the program cannot be read: %w", err)
		}
		defer f.Close()
		return readProgram(f)
	case len(args) == 1 && args[0] != "-":
		return args[0], nil
	}
	if f, ok := in.(*os.File); ok && isTerminal(f) {
		return "", usageError("there is no program; give one, or use polyglove repl")
	}
	return readProgram(in)
}

// readProgram reads a program; far longer ones than any limit allows are not read.
func readProgram(in io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(in, longestLine+1))
	if err != nil {
		return "", fmt.Errorf("the program cannot be read: %w", err)
	}
	if len(data) > longestLine {
		return "", fmt.Errorf("the program is longer than %d bytes", longestLine)
	}
	return string(data), nil
}

// print writes a result for a person: what the program wrote and its value on
// the output, everything else on the error stream.
func (r *runner) print(res *surfaces.Result, s streams) {
	if r.json {
		fmt.Fprintf(s.out, "%s\n", r.renderer.JSON(res))
		return
	}
	for _, line := range res.Stdout {
		fmt.Fprintln(s.out, strings.TrimSuffix(line, "\n"))
	}
	if res.Fault == nil {
		fmt.Fprintln(s.out, r.renderer.Text(&surfaces.Result{Value: res.Value, DryRun: res.DryRun, Planned: res.Planned}))
		if len(res.Notes) > 0 {
			fmt.Fprintln(s.err, aside(r.renderer, &surfaces.Result{Notes: res.Notes}))
		}
		return
	}
	fmt.Fprintln(s.err, r.renderer.Text(&surfaces.Result{Fault: res.Fault, Notes: res.Notes, Called: res.Called, DryRun: res.DryRun, Planned: res.Planned}))
}

// aside renders the parts of a result that stand beside a value.
func aside(r *surfaces.Renderer, res *surfaces.Result) string {
	_, rest, _ := strings.Cut(r.Text(res), "\n")
	return rest
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
