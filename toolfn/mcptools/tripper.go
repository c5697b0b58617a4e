package mcptools

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// tripper sends a server's HTTP requests: it adds the configured headers, fills
// captures from responses, and bounds what a response may hold.
type tripper struct {
	next    http.RoundTripper
	origin  *url.URL // the only place the headers go to
	headers map[string]string
}

func newTripper(s *Spec) (*tripper, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	return &tripper{next: http.DefaultTransport.(*http.Transport).Clone(), origin: u, headers: s.Headers}, nil
}

func (t *tripper) close() { t.next.(*http.Transport).CloseIdleConnections() }

func (t *tripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme == t.origin.Scheme && req.URL.Host == t.origin.Host {
		req = req.Clone(req.Context())
		for name, v := range t.headers {
			req.Header.Set(name, v)
		}
	}
	c := captureOf(req.Context())
	resp, err := t.next.RoundTrip(req)
	if c != nil && (err == nil || !dialing(err)) {
		c.markSent()
	}
	if err != nil {
		return nil, err
	}
	var tap func([]byte) []byte
	if c != nil && req.Method != http.MethodDelete {
		c.mu.Lock()
		c.status, c.after = resp.StatusCode, retryAfter(resp)
		c.mu.Unlock()
		if resp.StatusCode/100 == 2 {
			tap = c.rewrite
		}
	}
	if media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";"); strings.TrimSpace(media) == "text/event-stream" {
		resp.Body = &events{r: bufio.NewReader(resp.Body), body: resp.Body, tap: tap}
	} else {
		resp.Body = &document{body: resp.Body, tap: tap}
		resp.ContentLength = -1
		resp.Header.Del("Content-Length")
	}
	return resp, nil
}

// retryAfter is how long a server asks to be left alone, 0 where it does not say.
func retryAfter(resp *http.Response) time.Duration {
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 && n < 3600 {
		return time.Duration(n) * time.Second
	}
	return 0
}

// rewrite takes the result out of a message's text and gives the text for the
// SDK.
func (c *capture) rewrite(data []byte) []byte {
	m, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return data
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return data
	}
	stand := c.take(r)
	if stand == r {
		return data
	}
	if data, err = jsonrpc.EncodeMessage(stand); err != nil {
		return nil
	}
	return data
}

var errBody = errors.New("the server sent a message longer than 64 MiB")

// document is a body that holds one message.
type document struct {
	body io.ReadCloser
	tap  func([]byte) []byte
	text *bytes.Reader
}

func (d *document) Read(p []byte) (int, error) {
	if d.text == nil {
		data, err := io.ReadAll(io.LimitReader(d.body, maxMessage+1))
		if err != nil {
			return 0, err
		}
		if len(data) > maxMessage {
			return 0, errBody
		}
		if d.tap != nil {
			data = d.tap(data)
		}
		d.text = bytes.NewReader(data)
	}
	return d.text.Read(p)
}

func (d *document) Close() error { return d.body.Close() }

// events is a body of server-sent events (HTML Living Standard, section 9.2),
// passed on event by event.
type events struct {
	r    *bufio.Reader
	body io.ReadCloser
	tap  func([]byte) []byte
	out  bytes.Buffer
	err  error
}

func (e *events) Read(p []byte) (int, error) {
	for e.out.Len() == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.event()
	}
	return e.out.Read(p)
}

func (e *events) Close() error { return e.body.Close() }

// event reads one event, and puts it into out with its data as the tap wants it.
func (e *events) event() {
	var other, data []byte
	has := false
	for {
		line, err := readLine(e.r, maxMessage)
		if errors.Is(err, errLong) || len(data)+len(other) > maxMessage {
			e.err = errBody
			return
		}
		text := bytes.TrimRight(line, "\r\n")
		if field, v, ok := bytes.Cut(text, []byte{':'}); ok && string(field) == "data" {
			if has {
				data = append(data, '\n')
			}
			has = true
			data = append(data, bytes.TrimPrefix(v, []byte{' '})...)
		} else {
			other = append(other, line...)
		}
		if err != nil {
			e.err = err
			break
		}
		if len(text) == 0 {
			break
		}
	}
	if has {
		if e.tap != nil && len(data) > 0 {
			data = e.tap(data)
		}
		for _, line := range bytes.Split(data, []byte{'\n'}) {
			e.out.WriteString("data: ")
			e.out.Write(line)
			e.out.WriteByte('\n')
		}
	}
	e.out.Write(other) // it ends with the empty line that ends the event
}
