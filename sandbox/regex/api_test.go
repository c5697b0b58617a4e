package regex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

func TestWhereASearchBegins(t *testing.T) {
	p, sticky := mustCompile(t, "a", ""), mustCompile(t, "a", "y")
	m := testMeter(t, sandbox.DefaultLimits())
	var x Matcher
	in := ASCII("bab a")
	for _, c := range []struct {
		name string
		call func() ([]int, bool, error)
		want int // -1: no match
	}{
		{"the first", func() ([]int, bool, error) { return x.Exec(p, in, 0, m) }, 1},
		{"the next", func() ([]int, bool, error) { return x.Exec(p, in, 2, m) }, 4},
		{"at the end", func() ([]int, bool, error) { return x.Exec(p, in, 5, m) }, -1},
		{"behind the end", func() ([]int, bool, error) { return x.Exec(p, in, 6, m) }, -1},
		{"before the start", func() ([]int, bool, error) { return x.Exec(p, in, -1, m) }, -1},
		{"sticky elsewhere", func() ([]int, bool, error) { return x.Exec(sticky, in, 0, m) }, -1},
		{"sticky here", func() ([]int, bool, error) { return x.Exec(sticky, in, 1, m) }, 1},
		{"found although sticky", func() ([]int, bool, error) { return x.Find(sticky, in, 0, m) }, 1},
		{"at one place only", func() ([]int, bool, error) { return x.MatchAt(p, in, 0, m) }, -1},
		{"at that place", func() ([]int, bool, error) { return x.MatchAt(p, in, 1, m) }, 1},
	} {
		captures, ok, err := c.call()
		got := -1
		if ok {
			got = captures[0]
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", c.name, got, err, c.want)
		}
	}
}

func TestInputs(t *testing.T) {
	p := mustCompile(t, "é(.)", "u")
	m := testMeter(t, sandbox.DefaultLimits())
	var x Matcher
	text := "aé😀b"
	for _, c := range []struct {
		name string
		in   Input
		want string
		part string
	}{
		{"UTF-16", Text(text), "[1 4 2 4]", "é😀"},
		{"code points", Runes([]rune(text)), "[1 3 2 3]", "é😀"},
	} {
		captures, _, err := x.Exec(p, c.in, 0, m)
		if got := fmt.Sprint(captures); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
		if got := c.in.Slice(captures[0], captures[1]); got != c.part {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if n := (Input{}).Len(); n != 0 {
		t.Errorf("the zero input has %d units", n)
	}
	if _, ok, err := x.Exec(mustCompile(t, "^$", ""), Input{}, 0, m); !ok || err != nil {
		t.Errorf("the zero input: %v, %v", ok, err)
	}
}

func TestProgramTells(t *testing.T) {
	p := mustCompile(t, `foo(?<b>\d)(?:(?<a>x)|(?<a>y))`, "gvy")
	want := []Name{{"b", []int{1}}, {"a", []int{2, 3}}}
	if got := p.Names(); !slices.EqualFunc(got, want, func(a, b Name) bool { return a.Name == b.Name && slices.Equal(a.Groups, b.Groups) }) {
		t.Errorf("names %v", got)
	}
	if p.Groups() != 3 || !p.Sticky() || !p.CodePoints() || p.LiteralPrefix() != "foo" || p.Bytes() <= 0 {
		t.Errorf("%d groups, sticky %v, code points %v, prefix %q, %d bytes", p.Groups(), p.Sticky(), p.CodePoints(), p.LiteralPrefix(), p.Bytes())
	}
}

func TestSyntaxErrorTellsWhere(t *testing.T) {
	_, err := Compile("a😀(b", "u", ECMAScript, DefaultLimits())
	var bad *SyntaxError
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	if bad.Offset != 3 || bad.Text != "Unterminated group" || bad.Pattern != "a😀(b" || bad.Flags != "u" {
		t.Errorf("%+v", bad)
	}
	_, err = CompileUTF16([]uint16{0xD800, '['}, "", ECMAScript, DefaultLimits())
	if !errors.As(err, &bad) || bad.Offset != 1 {
		t.Errorf("%+v", bad)
	}
}

var sources = []string{"", "a", "/", "a/b", "[/]", "[a[/]/", `\/`, `\\/`, "\n", "\\\n", "\r", "\\\r", "\u2028", "\u2029", "\\\u2028", "[\n]", `\[/`, "(?:)", "é😀"}

func TestEscapeSource(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on this machine to compare with")
	}
	raw, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0,'utf8')).map(s => new RegExp(s).source)))`)
	cmd.Stdin = bytes.NewReader(raw)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, s := range sources {
		if got := EscapeSource(s); got != want[i] {
			t.Errorf("%q: %q, want %q", s, got, want[i])
		}
	}
}

func TestQuote(t *testing.T) {
	m := testMeter(t, sandbox.DefaultLimits())
	var x Matcher
	text := `a.b*c+(d)[e]{f}^$|\/-é😀` + "\n"
	for _, flags := range []string{"", "u", "v", "i"} {
		p, err := Compile("^"+Quote(text)+"$", flags, ECMAScript, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := x.Exec(p, Text(text), 0, m); !ok || err != nil {
			t.Errorf("%s: %v, %v", flags, ok, err)
		}
	}
}

func ExampleMatcher_Exec() {
	p, err := Compile(`(?<user>[\w.]+)@(?<host>[\w.]+)`, "", ECMAScript, DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _ := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	text := "write to ada@example.org"
	var x Matcher
	captures, ok, err := x.Exec(p, ASCII(text), 0, m)
	fmt.Println(ok, err)
	for _, n := range p.Names() {
		g := n.Groups[0]
		fmt.Println(n.Name, text[captures[2*g]:captures[2*g+1]])
	}
	// Output:
	// true <nil>
	// user ada
	// host example.org
}
