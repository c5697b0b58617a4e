package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/dispatch/store/postgres/pgtest"
)

// outboxVariable makes the test's binary an MCP server that writes each letter
// into a file before it answers.
const outboxVariable = "POLYGLOVE_TEST_OUTBOX"

func outbox(file string) {
	type letter struct {
		Text string `json:"text"`
	}
	type receipt struct {
		Number int64 `json:"number"`
	}
	var n atomic.Int64
	s := mcp.NewServer(&mcp.Implementation{Name: "outbox", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "send", Description: "Sends a letter."}, func(_ context.Context, req *mcp.CallToolRequest, l letter) (*mcp.CallToolResult, receipt, error) {
		if trace, ok := req.Params.Meta["traceparent"].(string); ok {
			_ = os.WriteFile(file+".trace", []byte(trace), 0o600)
		}
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, receipt{}, err
		}
		defer f.Close()
		_, err = fmt.Fprintln(f, l.Text)
		time.Sleep(time.Millisecond)
		return nil, receipt{n.Add(1)}, err
	})
	s.AddTool(&mcp.Tool{Name: "picture", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte("dots")}}}, nil
	})
	_ = s.Run(context.Background(), &mcp.StdioTransport{})
}

// kept is a gateway that is killed and started again over one journal.
type kept struct {
	t      *testing.T
	box    string
	config string
	flags  []string
}

func newKept(t *testing.T, flags ...string) *kept {
	t.Helper()
	dir := t.TempDir()
	k := &kept{t: t, box: filepath.Join(dir, "outbox"), config: filepath.Join(dir, "mcp.json"), flags: flags}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"box": map[string]any{"command": self, "env": map[string]string{outboxVariable: k.box}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(k.config, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return k
}

// configure adds the section of the command's own to the configuration.
func (k *kept) configure(section any) {
	k.t.Helper()
	data, err := os.ReadFile(k.config)
	if err != nil {
		k.t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		k.t.Fatal(err)
	}
	c["polyglove"] = section
	if data, err = json.Marshal(c); err == nil {
		err = os.WriteFile(k.config, data, 0o600)
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *kept) command(more ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	c := exec.Command(self)
	c.Args = append(append([]string{"polyglove", "serve", "--config", k.config}, k.flags...), more...)
	c.Env = append(os.Environ(), outboxVariable+"=")
	c.Stderr = os.Stderr
	return c
}

// start starts a gateway over the standard streams.
func (k *kept) start() (*exec.Cmd, *mcp.ClientSession) {
	k.t.Helper()
	c := k.command("--workspace", "ann")
	ctx, cancel := context.WithTimeout(k.t.Context(), 30*time.Second)
	defer cancel()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = c.Process.Kill(); _ = s.Close() })
	return c, s
}

// letters are what has been sent, each with how often.
func (k *kept) letters() map[string]int {
	k.t.Helper()
	data, err := os.ReadFile(k.box)
	if err != nil && !os.IsNotExist(err) {
		k.t.Fatal(err)
	}
	sent := map[string]int{}
	for _, l := range strings.Fields(string(data)) {
		sent[l]++
	}
	return sent
}

// The gateway dies in the middle of a program, again and again. The client finds
// its names, every letter was sent once, and of the one letter that may or may
// not have been sent it is told.
func killAgainAndAgain(t *testing.T, k *kept) {
	c, s := k.start()
	wantsText(t, s, `const base = 40; function add(x) { return base + x } let all = []; const first = box.send({text: "first"}); add(2)`, "42")
	letters := 1
	for round := range 4 {
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			_, _ = s.CallTool(context.Background(), &mcp.CallToolParams{Name: "execute_js", Arguments: map[string]string{
				"code": fmt.Sprintf(`let sent%d = 0; for (let i = 0; i < 190; i++) { all.push(box.send({text: "r%d-" + i}).number); sent%d++ } "whole"`, round, round, round),
			}})
		}()
		for deadline := time.Now().Add(20 * time.Second); len(k.letters()) < letters+10+rand.IntN(20) && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-killed
		_ = s.Close()
		time.Sleep(50 * time.Millisecond) // the letter box ends by itself

		c, s = k.start()
		text, failed := execute(t.Context(), t, s, fmt.Sprintf(`[add(2), first.number, sent%d, all.length]`, round))
		sent := k.letters()
		for l, n := range sent {
			if n != 1 {
				t.Errorf("%s was sent %d times", l, n)
			}
		}
		fresh := len(sent) - letters
		letters = len(sent)
		var known, total int
		if _, err := fmt.Sscanf(text, "[42,1,%d,%d]", &known, &total); err != nil || failed {
			t.Fatalf("round %d: the names are not back: %s", round, text)
		}
		unknown := strings.Contains(text, "Outcome not known")
		if known != fresh && !(unknown && known == fresh-1) {
			t.Errorf("round %d: %d letters were sent, the program knows of %d:\n%s", round, fresh, known, text)
		}
		if !strings.Contains(text, "interrupted because the process ended") || !strings.Contains(text, fmt.Sprintf("box__send ×%d", known)) {
			t.Errorf("round %d: the result does not say what happened:\n%s", round, text)
		}
		if again, _ := execute(t.Context(), t, s, `1`); strings.Contains(again, "interrupted") {
			t.Errorf("round %d: it is told twice:\n%s", round, again)
		}
	}
	wantsText(t, s, `box.send({text: "last"}); add(1)`, "41")
	if n := k.letters()["last"]; n != 1 {
		t.Errorf("the last letter was sent %d times", n)
	}
}

func TestKilledGatewayFile(t *testing.T) {
	killAgainAndAgain(t, newKept(t, "--journal", filepath.Join(t.TempDir(), "journal.db")))
}

// What survives a kill and no more survives a kill.
func TestKilledGatewayRelaxedFile(t *testing.T) {
	k := newKept(t)
	k.configure(map[string]any{"journal": map[string]any{"store": filepath.Join(t.TempDir(), "journal.db"), "survives": "kill"}})
	killAgainAndAgain(t, k)
}

func TestKilledGatewayDatabase(t *testing.T) {
	killAgainAndAgain(t, newKept(t, "--journal", pgtest.Start(t)))
}

// Attachments are gone with the process, and the model is told so when it had some.
func TestAttachmentsAreGoneAfterARestart(t *testing.T) {
	k := newKept(t, "--journal", filepath.Join(t.TempDir(), "journal.db"))
	again := func(s *mcp.ClientSession, code string) string {
		t.Helper()
		text, _ := execute(t.Context(), t, s, code)
		return text
	}
	c, s := k.start()
	again(s, `const n = box.send({text: "x"}).number`)
	_ = c.Process.Kill()
	c, s = k.start()
	if text := again(s, `const p = box.picture(); attachments.read({handle: p.handle}).base64`); strings.Contains(text, "gone") || !strings.Contains(text, "ZG90cw==") {
		t.Errorf("without an attachment before: %s", text)
	}
	_ = c.Process.Kill()
	_, s = k.start()
	text := again(s, `p.mime`)
	if !strings.Contains(text, attachmentsGone) {
		t.Errorf("nobody says so: %s", text)
	}
	if text := again(s, `attachments.read({handle: p.handle})`); !strings.Contains(text, "Call the function that gave it again") || strings.Contains(text, attachmentsGone) {
		t.Errorf("reading it gives %s", text)
	}
	if text := again(s, `attachments.read({handle: box.picture().handle}).base64`); !strings.Contains(text, "ZG90cw==") {
		t.Errorf("as the advice says: %s", text)
	}
}

// named adds a header to every request.
type named string

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(workspaceHeader, string(n))
	return http.DefaultTransport.RoundTrip(r)
}

var servingAt = regexp.MustCompile(`http://\S+/mcp`)

// listen starts a gateway over HTTP and gives a way to connect to it.
func (k *kept) listen() (*exec.Cmd, func() *mcp.ClientSession) {
	k.t.Helper()
	c := k.command("--http", "127.0.0.1:0", "--journal-lease", "1s")
	c.Stderr = nil
	out, err := c.StderrPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(out)
	url := ""
	for url == "" && lines.Scan() {
		url = servingAt.FindString(lines.Text())
	}
	if url == "" {
		k.t.Fatal("the gateway does not serve")
	}
	go func() {
		for lines.Scan() {
			fmt.Fprintln(os.Stderr, lines.Text())
		}
	}()
	return c, func() *mcp.ClientSession {
		k.t.Helper()
		ctx, cancel := context.WithTimeout(k.t.Context(), 30*time.Second)
		defer cancel()
		s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
			&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: named("team/ann")}}, nil)
		if err != nil {
			k.t.Fatal(err)
		}
		return s
	}
}

// Two gateways share a database. When the one that has a workspace is gone, the
// other takes it over; when it was only paused, it cannot do anything in it any
// more.
func TestTwoGatewaysOverOneDatabase(t *testing.T) {
	k := newKept(t, "--journal", pgtest.Start(t))
	one, connectOne := k.listen()
	two, connectTwo := k.listen()
	s1 := connectOne()
	wantsText(t, s1, `const x = 41; const sent = box.send({text: "one"}); x + 1`, "42")

	if err := one.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s2 := connectTwo()
	wantsText(t, s2, `box.send({text: "two"}); x + sent.number`, "42")
	t.Logf("taken over from a paused gateway after %v, with a lease of 1 s", time.Since(began).Round(10*time.Millisecond))

	if err := one.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	text, failed := execute(t.Context(), t, s1, `box.send({text: "three"})`)
	if !failed || !strings.Contains(text, "another process has taken over this workspace") || k.letters()["three"] != 0 {
		t.Errorf("the paused gateway went on: %q, letters %v", text, k.letters())
	}

	if err := two.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, connectThree := k.listen()
	s3 := connectThree()
	wantsText(t, s3, `box.send({text: "four"}); x + sent.number`, "42")
	for _, l := range []string{"one", "two", "four"} {
		if n := k.letters()[l]; n != 1 {
			t.Errorf("%s was sent %d times", l, n)
		}
	}
}

// A client whose connection broke comes back with a new session to the same
// gateway, and finds its workspace as it was.
func TestClientComesBackToItsWorkspace(t *testing.T) {
	k := newKept(t, "--journal", filepath.Join(t.TempDir(), "journal.db"))
	_, connect := k.listen()
	one := connect()
	wantsText(t, one, `let n = 1; n`, "1")
	two := connect()
	wantsText(t, two, `++n`, "2")
	if _, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute_js", Arguments: map[string]string{"code": "n"}}); err == nil || !strings.Contains(err.Error(), "in use by another session") {
		t.Errorf("the old session gave %v", err)
	}
	for n := 3; n < 30; n++ { // it is back before the gateway has let go of the workspace
		_ = two.Close()
		two = connect()
		wantsText(t, two, `++n`, strconv.Itoa(n))
	}
}
