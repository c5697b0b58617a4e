package mcptools

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/toolfn/value"
)

// FuzzResult reads whatever a server may send as a result: it is a value or an
// error of the call, never a panic, and a value can be written as JSON.
func FuzzResult(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"{\"a\":1}"}]}`,
		`{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"hologram"}]}`,
		`{"isError":true,"content":[],"structuredContent":{"code":"E","error":{"code":3}}}`,
		`{"content":[{"type":"resource","resource":{"uri":"x","blob":"AA=="}},{"type":"resource_link","uri":"y","size":1e9}]}`,
		`{"structuredContent":{"result":[1]},"content":null}`,
		`{"resultType":"input_required"}`, `[]`, `null`, `{"toolResult":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := &reader{function: "t.it", keep: NewAttachments()}
		v, err := r.read(raw)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a text")
			}
			return
		}
		if _, err := value.Append(nil, v); err != nil {
			t.Errorf("the value cannot be written: %v", err)
		}
	})
}

// FuzzEvents passes event streams through the tap: without a tap a reader sees
// the same events, whatever pieces they come in.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: {\"a\":1}\n\n", "event: message\nid: 1\ndata: a\ndata: b\n\n: comment\n\n", "data:x", "data\n\n", "\r\ndata: y\r\n\r\n", "retry: 5\n\n",
	} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, stream string, piece int) {
		e := &events{r: bufio.NewReader(strings.NewReader(stream)), body: io.NopCloser(nil)}
		var out bytes.Buffer
		buf := make([]byte, 1+piece&15)
		for {
			n, err := e.Read(buf)
			out.Write(buf[:n])
			if err != nil {
				break
			}
		}
		if got, want := dataOf(out.String()), dataOf(stream); got != want {
			t.Errorf("%q became %q: data %q, want %q", stream, out.String(), got, want)
		}
	})
}

// dataOf gives the data of the events that end with an empty line.
func dataOf(stream string) string {
	var all, event []string
	lines := strings.Split(stream, "\n")
	for i, line := range lines {
		if i == len(lines)-1 {
			break // no newline after it
		}
		line = strings.TrimRight(line, "\r")
		if v, ok := strings.CutPrefix(line, "data:"); ok {
			event = append(event, strings.TrimPrefix(v, " "))
		}
		if line == "" && event != nil {
			all = append(all, strings.Join(event, "\n"))
			event = nil
		}
	}
	return strings.Join(all, "\x00")
}
