package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

// isTerminal reports whether a file is a person's terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// askOnTerminal asks the person at the terminal to approve calls. Without a
// terminal it is nil, and such calls are refused.
func askOnTerminal(w io.Writer) dispatch.Asker {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	answers := bufio.NewReader(tty)
	return func(ctx context.Context, q dispatch.Question) (dispatch.Answer, error) {
		fmt.Fprintf(tty, "%s\nCall it? [y]es, [a]ll of this program, [N]o: ", questionText(q))
		line, err := answers.ReadString('\n')
		if err != nil {
			return dispatch.Answer{}, err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return dispatch.Answer{Allow: true}, nil
		case "a", "all":
			return dispatch.Answer{Allow: true, Rest: true}, nil
		}
		return dispatch.Answer{Reason: "the person refused it"}, nil
	}
}

// askBatchOnTerminal asks the person at the terminal to approve a commit as a
// whole.
func askBatchOnTerminal() dispatch.BatchAsker {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	answers := bufio.NewReader(tty)
	return func(_ context.Context, b dispatch.Batch) (dispatch.BatchAnswer, error) {
		fmt.Fprintf(tty, "A commit would make %s\nMake all of it? [y]es, [N]o: ", b.Text(4_000))
		line, err := answers.ReadString('\n')
		if err != nil {
			return dispatch.BatchAnswer{}, err
		}
		yes := strings.EqualFold(strings.TrimSpace(line), "y") || strings.EqualFold(strings.TrimSpace(line), "yes")
		return dispatch.BatchAnswer{Allow: yes, Reason: "the person refused it"}, nil
	}
}

// askingBatch is the option to ask at the terminal, if there is one.
func askingBatch() []surfaces.Option {
	if ask := askBatchOnTerminal(); ask != nil {
		return []surfaces.Option{surfaces.WithAskBatch(ask)}
	}
	return nil
}

// argumentsShown renders the arguments of a call in question.
var argumentsShown = elide.New(elide.Options{})

// questionText shows the call that waits: the function, what it does, and the
// arguments.
func questionText(q dispatch.Question) string {
	text := fmt.Sprintf("%s (%s) with %s", q.Function.Name, q.Function.Effect.Impact, argumentsShown.Render(q.Args, 2_000).Text)
	if q.Reason != "" {
		text += "\n" + sandbox.Clip(q.Reason, 200)
	}
	return text
}
