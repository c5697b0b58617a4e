package main

import "testing"

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a", false},
		{"a", "a\nb", false},
		{"a\nb\nc", "a\n… (+2 more lines not shown)", true},
		{"a", "a\n… (+2 more lines not shown)", false},
		{"abcdef\nb", "abc… (6 chars total)\nb", true},
		{"abcdef\nb", "abx… (6 chars total)\nb", false},
		{"a…b", "a…b", true},
	} {
		if follows(c.want, c.got) != c.same {
			t.Errorf("%q and %q", c.want, c.got)
		}
	}
}
