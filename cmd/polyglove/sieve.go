package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// sieve lets the messages of a client through, one a line, and answers what is
// none as JSON-RPC 2.0 section 5.1 has it. Without it one line of garbage would
// end the connection.
type sieve struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being handed on
}

// longestMessage bounds one message of a client: a program may be [longestLine]
// bytes long, and what stands around it is short.
const longestMessage = longestLine + 1<<20

func newSieve(in io.Reader, out io.Writer) *sieve {
	return &sieve{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Read hands on the next line that is a message.
func (s *sieve) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		line, err := s.line()
		switch {
		case errors.Is(err, errLongMessage):
			s.answer(-32600, err.Error())
		case len(bytes.TrimSpace(line)) > 0 && !json.Valid(line):
			s.answer(-32700, "the line is not JSON; send one JSON-RPC message a line")
		case len(bytes.TrimSpace(line)) > 0 && !message(line):
			s.answer(-32600, "the line is no JSON-RPC message")
		default:
			s.rest = line
		}
		if err != nil && !errors.Is(err, errLongMessage) && len(s.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

var errLongMessage = fmt.Errorf("the message is longer than %d bytes", longestMessage)

// line reads one line with its end. What is too long is read to its end and not
// kept.
func (s *sieve) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := s.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestMessage; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLongMessage
		default:
			return line, err
		}
	}
}

// message reports whether a line of JSON is a message, or a batch of them.
func message(line []byte) bool {
	line = bytes.TrimSpace(line)
	var batch []json.RawMessage
	if line[0] != '[' {
		batch = append(batch, line)
	} else if json.Unmarshal(line, &batch) != nil {
		return false
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return false
		}
	}
	return len(batch) > 0
}

func (s *sieve) answer(code int, message string) {
	text, _ := json.Marshal(message)
	fmt.Fprintf(s.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", code, text)
}

// whole keeps writes apart, so that two lines never mix.
type whole struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *whole) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}
