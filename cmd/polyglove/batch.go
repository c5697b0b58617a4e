package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn/value"
)

// longestLine bounds one line of a batch. A program may be [sandbox.MaxSource]
// long, and each of its bytes six in JSON.
const longestLine = 8 * sandbox.MaxSource

// each runs one program for each line.
func (r *runner) each(ctx context.Context, s streams) (int, error) {
	in := bufio.NewReaderSize(s.in, 64<<10)
	worst := exitOK
	for n := 1; ; n++ {
		line, err := readLine(in)
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			worst = max(worst, r.line(ctx, n, line, s.out))
		}
		switch {
		case errors.Is(err, io.EOF):
			return worst, nil
		case err != nil:
			return exitUsage, fmt.Errorf("line %d: %w", n, err)
		case ctx.Err() != nil:
			return exitFault, fmt.Errorf("interrupted")
		}
	}
}

var errLongLine = fmt.Errorf("it is longer than %d bytes", longestLine)

// readLine reads one line with its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > longestLine {
			return nil, errLongLine
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// line runs the program of one line and writes its result.
func (r *runner) line(ctx context.Context, n int, line []byte, out io.Writer) int {
	program, id, fault := entry(line)
	if fault != nil {
		fault.Message = fmt.Sprintf("line %d: %s", n, fault.Message)
		r.object(&surfaces.Result{Fault: fault}, id, out)
		return exitUsage
	}
	res := r.session.Execute(ctx, program)
	r.object(res, id, out)
	return status(res.Fault != nil)
}

// entry takes a line apart.
func entry(line []byte) (program string, id value.Value, fault *sandbox.Fault) {
	wrong := func(format string, args ...any) (string, value.Value, *sandbox.Fault) {
		return "", id, &sandbox.Fault{Kind: sandbox.KindArgument, Message: fmt.Sprintf(format, args...) + ".", Hint: `Write {"program": "…"}, one object a line.`}
	}
	v, err := value.Decode(line)
	if err != nil {
		return wrong("%s", err)
	}
	o, ok := v.(*value.Object)
	if !ok {
		return wrong("want an object, got %s", value.Kind(v))
	}
	id, _ = o.Get("id")
	for key := range o.All() {
		if key != "program" && key != "id" {
			return wrong("%q is unknown, known are program and id", sandbox.Clip(key, 60))
		}
	}
	p, ok := o.Get("program")
	if !ok {
		return wrong("there is no program")
	}
	program, ok = p.(string)
	if !ok {
		return wrong("program is %s, want a string", value.Kind(p))
	}
	return program, id, nil
}

// object writes a result object, with the line's id first where it has one.
func (r *runner) object(res *surfaces.Result, id value.Value, out io.Writer) {
	text := r.renderer.JSON(res)
	if id != nil {
		if head, err := value.Append([]byte(`{"id":`), id); err == nil {
			text = append(append(head, ','), text[1:]...)
		}
	}
	fmt.Fprintf(out, "%s\n", text)
}
