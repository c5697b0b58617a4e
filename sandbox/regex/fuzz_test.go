package regex

import (
	"errors"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// FuzzRegex: no pattern and no subject makes the engine panic, spend more than
// its budget, keep memory charged, or give bounds outside the subject; and the
// memo changes no answer.
func FuzzRegex(f *testing.F) {
	for _, a := range attacks {
		f.Add(a.pattern, a.flags, sandbox.Clip(a.subject, 60))
	}
	for _, s := range []string{`(?<a>.)\k<a>`, `[\w--\d]`, `\p{RGI_Emoji}`, `(?i:a(?-i:b))`, `[^]`, `\c\x\u`, `(?<=(a)\1)b`, `x{2,3}?`} {
		f.Add(s, "v", "aab😀")
		f.Add(s, "", "aab😀")
		f.Add(s, "iu", "aab😀")
	}
	limits := sandbox.DefaultLimits()
	limits.Fuel, limits.Memory = 200_000, 4<<20
	f.Fuzz(func(t *testing.T, pattern, flags, subject string) {
		l := DefaultLimits()
		l.Meter = testMeter(t, limits)
		p, err := Compile(pattern, flags, ECMAScript, l)
		var fault *sandbox.Fault
		if err != nil {
			if !errors.As(err, &fault) || fault.Kind != sandbox.KindSyntax && !fault.Kind.Limit() {
				t.Fatalf("%v", err)
			}
			return
		}
		in := Text(subject)
		var first []int
		for i, eager := range []bool{false, true} {
			x := Matcher{eager: eager}
			m := testMeter(t, limits)
			captures, ok, err := x.Exec(p, in, 0, m)
			if err != nil {
				if !errors.As(err, &fault) || !fault.Kind.Limit() {
					t.Fatalf("%v", err)
				}
				return
			}
			if m.Usage().Fuel > limits.Fuel || m.Usage().Memory != 0 {
				t.Fatalf("usage %+v", m.Usage())
			}
			if ok {
				checkBounds(t, captures, in.Len())
			}
			if i == 0 {
				first = append(first, captures...)
				continue
			}
			if len(first) != len(captures) {
				t.Fatalf("%v, with a memo %v", first, captures)
			}
			for j := range first {
				if first[j] != captures[j] {
					t.Fatalf("%v, with a memo %v", first, captures)
				}
			}
		}
	})
}

func checkBounds(t *testing.T, captures []int, length int) {
	t.Helper()
	for i := 0; i < len(captures); i += 2 {
		from, to := captures[i], captures[i+1]
		if (from < 0) != (to < 0) || from > to || to > length {
			t.Fatalf("bounds %v in %d units", captures, length)
		}
	}
}
