package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestSieve(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	long := `{"a":"` + strings.Repeat("x", longestMessage) + `"}`
	for _, c := range []struct{ name, in, through, answered string }{
		{"a message", call, call, ""},
		{"a batch", "[" + strings.TrimSpace(call) + "]\n", "[" + strings.TrimSpace(call) + "]\n", ""},
		{"no end of line", strings.TrimSpace(call), strings.TrimSpace(call), ""},
		{"empty lines", "\n  \r\n" + call, "\n  \r\n" + call, ""},
		{"garbage", "hello\n" + call, call, "-32700"},
		{"half a message", "{\"a\":\n" + call, call, "-32700"},
		{"half a message at the end", `{"a":`, "", "-32700"},
		{"no message", "null\n5\n" + call, call, "-32600"},
		{"too deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "\n" + call, call, "-32700"},
		{"too long", long + "\n" + call, call, "-32600"},
		{"too long at the end", long, "", "-32600"},
		{"an empty batch", "[]\n" + call, call, "-32600"},
		{"no call and no answer", "{\"id\":1}\n" + call, call, "-32600"},
	} {
		var out bytes.Buffer
		got, err := io.ReadAll(newSieve(strings.NewReader(c.in), &out))
		if err != nil || string(got) != c.through {
			t.Errorf("%s: handed on %q, %v", c.name, got[:min(len(got), 100)], err)
		}
		if answered := out.String(); !strings.Contains(answered, c.answered) || (answered == "") != (c.answered == "") {
			t.Errorf("%s: answered %q", c.name, answered)
		}
	}
}
