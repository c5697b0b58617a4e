package dispatch

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// FuzzFiredNote holds the note to its bound and to what happened, whatever the
// names, arguments and outcomes.
func FuzzFiredNote(f *testing.F) {
	f.Add("send", "to", "ann", uint16(3), uint16(2), uint64(0x1234567))
	f.Add(strings.Repeat("long", 40), strings.Repeat("k", 200), strings.Repeat("\x00é", 200), uint16(200), uint16(40), uint64(7))
	f.Fuzz(func(t *testing.T, name, key, text string, calls, functions uint16, bits uint64) {
		r := &Run{}
		effects := 0
		for i := range int(functions) % 64 {
			fn := &toolfn.ToolFn{Name: toolfn.SafeName(name) + string(rune('a'+i%26)), Effect: toolfn.Effect{Impact: toolfn.Impact(bits >> (i % 32) & 3)}}
			for c := range int(calls) % 300 {
				o := []Outcome{Done, Failed, Unsettled}[(bits>>(c%60))%3]
				r.tally(fn, o, value.Of(key, text, "n", int64(c)))
				if o == Done && !fn.Effect.Reads() {
					effects++
				}
			}
		}
		note := r.FiredNote()
		if len(note) > mostNote {
			t.Errorf("%d bytes", len(note))
		}
		if strings.ContainsAny(note, "\n\x00") {
			t.Errorf("more than one line, or something unprintable: %q", note)
		}
		if utf8.ValidString(name+key+text) && !utf8.ValidString(note) {
			t.Errorf("cut inside a character: %q", note)
		}
		if told := strings.HasPrefix(note, "Already "); told != (effects > 0) {
			t.Errorf("%d effects, note %q", effects, note)
		}
	})
}
