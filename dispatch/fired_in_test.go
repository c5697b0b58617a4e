package dispatch

import (
	"testing"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// What a recorded program had done is told as it would have been when it ran: with
// the arguments of functions, and with the rows and keys of tables.
func TestFiredIn(t *testing.T) {
	list := func(vs ...value.Value) []value.Value { return vs }
	call := func(function string, o Outcome, args *value.Object) CallRecord {
		return CallRecord{Function: function, Outcome: o, Args: args, Effect: toolfn.Effect{Impact: toolfn.Write}}
	}
	for _, c := range []struct {
		name string
		call CallRecord
		want string
	}{
		{"a function", call("mail__send", Done, value.Of("to", "ann")), `Already happened, do not repeat: mail__send (to: "ann").`},
		{"one that was about to be", call("mail__send", Intended, value.Of("to", "ann")), `Outcome not known, look before you repeat: mail__send (to: "ann").`},
		{"a function with rows", call("mail__send", Done, value.Of("rows", list(value.Of("to", "ann")), "n", int64(1))), `Already happened, do not repeat: mail__send (n: 1).`},
		{"no arguments", call("mail__send", Done, nil), `Already happened, do not repeat: mail__send.`},
		{"rows", call("issues.insert", Intended, value.Of("rows", list(value.Of("title", "a"), value.Of("title", "b")))), `Outcome not known, look before you repeat: issues.insert (rows: 2, title: "a").`},
		{"one row", call("issues.insert", Intended, value.Of("rows", list(value.Of("title", "a")))), `Outcome not known, look before you repeat: issues.insert (title: "a").`},
		{"keys", call("issues.delete", Intended, value.Of("where", value.Of("id", list(int64(7), int64(8))))), `Outcome not known, look before you repeat: issues.delete (keys: 2).`},
		{"a key", call("issues.delete", Intended, value.Of("where", value.Of("id", list(int64(7))))), `Outcome not known, look before you repeat: issues.delete (id: 7).`},
		{"a key and what was set", call("issues.update", Done, value.Of("set", value.Of("state", "done"), "where", value.Of("id", list(int64(7))))), `Already happened, do not repeat: issues.update (id: 7, state: "done").`},
		{"nothing that fired", call("mail__send", NotAttempted, nil), "It had called nothing."},
	} {
		if got := FiredIn(&Past{Calls: []CallRecord{c.call}}); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
