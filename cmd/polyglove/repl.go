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

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

var replCommand = subcommand{
	name:        "repl",
	about:       "a console for a person, with history, completion and several lines",
	interactive: true,
	usage:       "repl [flags]\n\n" + replHelp,
	flags: func(fs *flag.FlagSet) func(context.Context, []string, streams) (int, error) {
		var o options
		o.declare(fs)
		return func(ctx context.Context, args []string, s streams) (int, error) {
			if len(args) > 0 {
				return exitUsage, usageError("takes no arguments, got %q", args[0])
			}
			g, err := o.open(ctx, s.err)
			if err != nil {
				return exitUsage, err
			}
			defer g.close()
			return converse(ctx, g, s)
		}
	},
}

// replHelp is what .help prints too.
const replHelp = `A console: what is typed runs in one session. A program goes on while a bracket
or a quotation mark is open, in Python while a block is, and after a line that ends in a backslash;
an empty line ends it in any case. Tab completes names. Ctrl-C stops the program that
runs, or drops what was typed; Ctrl-D leaves.

  .help      these lines            .defs      what the session has defined
  .servers   the servers            .explain PROGRAM   what it would do
  .pending   effects that wait      .try PROGRAM       run it without its effects
  .exit      leave

Without a terminal it reads programs in the same way and prints no prompts.`

// console is a person's conversation.
type console struct {
	gateway  *gateway
	ws       *surfaces.Workspace
	session  surfaces.Session
	renderer *surfaces.Renderer
	editor   editor
	streams  streams
	colour   bool
	failed   bool
}

// editor reads lines from a person or a pipe.
type editor interface {
	// line reads one line, without its end. The error is io.EOF at the end, or
	// errDropped where the person gave the input up.
	line(prompt string) (string, error)
	// remember keeps a line for the history.
	remember(line string)
	close()
}

var errDropped = errors.New("dropped")

func converse(ctx context.Context, g *gateway, s streams) (int, error) {
	c := &console{gateway: g, streams: s}
	in, isFile := s.in.(*os.File)
	out, _ := s.out.(*os.File)
	person := isFile && isTerminal(in) && out != nil && isTerminal(out)
	ask := askOnTerminal(s.err)
	if !person {
		ask = nil
	}
	var err error
	var more []surfaces.Option
	if person {
		more = askingBatch()
	}
	if c.ws, err = g.workspace(ask, more...); err != nil {
		return exitUsage, err
	}
	defer c.leave()
	if c.session, err = c.ws.Open(g.language); err != nil {
		return exitUsage, err
	}
	c.renderer = c.ws.RendererOf(g.language)
	if person {
		c.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		c.editor = newTerminal(completer{c.session, g.catalog}.complete)
		fmt.Fprintf(s.out, "polyglove: %s, %d functions of %d servers. .help helps, Ctrl-D leaves.\n", g.language.Title(), g.catalog.Len(), len(g.catalog.Servers()))
	} else {
		c.editor = newPipe(s.in)
	}
	defer c.editor.close()
	for ctx.Err() == nil {
		program, err := c.read()
		if errors.Is(err, errDropped) {
			continue
		}
		if program != "" && !c.do(ctx, program) {
			break
		}
		if err != nil {
			break
		}
	}
	return status(c.failed && !person), nil
}

// read reads one program, of as many lines as it takes.
func (c *console) read() (string, error) {
	var lines []string
	prompt := c.gateway.language.Name() + "> "
	for {
		line, err := c.editor.line(prompt)
		if errors.Is(err, errDropped) {
			return "", err
		}
		if strings.TrimSpace(line) != "" {
			c.editor.remember(line)
		}
		more := strings.HasSuffix(line, `\`) && err == nil
		if more {
			line = strings.TrimSuffix(line, `\`)
		}
		lines = append(lines, line)
		text := strings.TrimSpace(strings.Join(lines, "\n"))
		ended := strings.TrimSpace(line) == "" && !more
		if err != nil || ended || !more && !c.unfinished(text) {
			return text, err
		}
		prompt = strings.Repeat(".", len(c.gateway.language.Name())) + "> "
	}
}

// unfinished reports whether a program goes on in the next line, by the language's
// own word where it has one.
func (c *console) unfinished(text string) bool {
	if l, ok := c.gateway.language.(interface{ Unfinished(text string) bool }); ok && !strings.HasPrefix(text, ".") {
		return l.Unfinished(text)
	}
	return unfinished(text)
}

// do runs what was typed. False means that the person leaves.
func (c *console) do(ctx context.Context, text string) bool {
	if word, rest, _ := strings.Cut(text, " "); consoleCommand(word) {
		switch word {
		case ".exit", ".quit":
			return false
		case ".help":
			fmt.Fprintln(c.streams.out, replHelp)
			return true
		case ".defs":
			for _, d := range c.session.Defs() {
				fmt.Fprintf(c.streams.out, "%s: %s\n", d.Name, d.Summary)
			}
			return true
		case ".servers":
			fmt.Fprintln(c.streams.out, c.ws.Discovery(c.gateway.language).ServersText())
			return true
		case ".pending":
			for _, p := range c.ws.Pending() {
				fmt.Fprintf(c.streams.out, "%d: %s\n", p.ID, c.gateway.language.CallForm(p.Function, p.Args))
			}
			return true
		case ".try":
			tried, _ := dispatch.DryRun(ctx)
			c.show(c.session.Execute(tried, rest))
			return true
		case ".explain":
			fmt.Fprintln(c.streams.out, c.renderer.Plan(c.session.Explain(ctx, rest), c.gateway.language))
			return true
		}
		c.unknown(word)
		return true
	}
	// Ctrl-C stops the program, not the console.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	c.show(c.session.Execute(ctx, text))
	return true
}

// leave ends the conversation. What is still pending is lost with it, so the
// person is told.
func (c *console) leave() {
	if n := len(c.ws.Pending()); n > 0 {
		fmt.Fprintf(c.streams.err, "polyglove: %d pending and never made\n", n)
	}
	c.ws.Close()
}

// consoleCommand tells a command of the console from a program such as .5 + 1.
func consoleCommand(word string) bool {
	return len(word) > 1 && word[0] == '.' && word[1] >= 'a' && word[1] <= 'z'
}

func (c *console) unknown(word string) {
	known := []string{".help", ".defs", ".servers", ".pending", ".try", ".explain", ".exit"}
	c.failed = true
	line := "There is no command " + sandbox.Clip(word, 40)
	if near, ok := sandbox.Nearest(word, known); ok {
		line += ", did you mean " + near
	}
	fmt.Fprintln(c.streams.out, c.paint(line+"."))
}

func (c *console) show(res *surfaces.Result) {
	if res.Fault == nil {
		fmt.Fprintln(c.streams.out, c.renderer.Text(res))
		return
	}
	c.failed = true
	fmt.Fprintln(c.streams.out, c.paint(c.renderer.Text(res)))
}

// The colours of a fault: the first line, and the excerpt with its caret.
const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func (c *console) paint(text string) string {
	if !c.colour {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = red + line + plain
		case i <= 2 && strings.HasPrefix(line, " "):
			lines[i] = yellow + line + plain
		}
	}
	return strings.Join(lines, "\n")
}

// pipe reads lines where there is no person.
type pipe struct{ in *lineReader }

func newPipe(in io.Reader) *pipe { return &pipe{newLineReader(in)} }

func (p *pipe) line(string) (string, error) { return p.in.next() }
func (p *pipe) remember(string)             {}
func (p *pipe) close()                      {}
