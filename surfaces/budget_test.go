package surfaces

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// anything makes a result of every part out of a few numbers and a text, from
// nothing at all to far too much of everything.
func anything(text string, seed uint64) *Result {
	n := func(most int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed>>33) % (most + 1)
	}
	long := func() string { return strings.Repeat(text, n(1)*n(1000)+n(2)) }
	res := &Result{Usage: sandbox.Usage{Fuel: int64(n(1 << 30))}}
	for range n(1) * n(400) {
		res.Stdout = append(res.Stdout, long())
	}
	for range n(1) * n(60) {
		res.Defined = append(res.Defined, Def{Name: long(), Kind: "object", Summary: long()})
	}
	for range n(1) * n(60) {
		res.Called = append(res.Called, dispatch.Tally{Name: long(), Calls: n(1000), Effect: "read", Failed: n(2), Unknown: n(2)})
	}
	for range n(1) * n(40) {
		res.Notes = append(res.Notes, long())
	}
	if n(2) == 0 {
		res.Fault = &sandbox.Fault{Kind: sandbox.KindThrown, Name: long(), Message: long(), Hint: long(), Fired: long(), Line: n(3), Column: 1, Excerpt: long() + "\n^"}
	}
	rows := make([]value.Value, n(1)*n(600))
	for i := range rows {
		rows[i] = value.Of("id", int64(i), "text", long(), text, []value.Value{long(), nil, 1.5})
	}
	res.Value = []value.Value{long(), rows, int64(n(1000)), value.Of("rows", rows)}[n(3)]
	return res
}

// FuzzBudget proves that no result exceeds its budget in either form, whatever
// it holds, and that no form is ever broken text.
func FuzzBudget(f *testing.F) {
	for i, text := range []string{"x", "é", "a \"quoted\" \\ line\n", "\x1b[31m\u202e\u200b", "😀", "\xff\xfe", ""} {
		for seed := range uint64(6) {
			f.Add(text, seed*7919+uint64(i), uint16(seed*911))
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, budget uint16) {
		if len(text) > 200 {
			return
		}
		most := max(int(budget), sandbox.MinOutput)
		r := NewRenderer(most, elide.Neutral(), seed%2 == 0)
		res := anything(text, seed)
		got := r.Text(res)
		if len(got) > most {
			t.Errorf("the text takes %d bytes of %d", len(got), most)
		}
		if got == "" {
			t.Error("the text is empty")
		}
		for _, c := range got {
			if c != '\n' && hidden(c) {
				t.Errorf("%q gets through", c)
				break
			}
		}
		if !utf8.ValidString(got) || !utf8.Valid(r.JSON(res)) {
			t.Errorf("not UTF-8: %q", got)
		}
		whole := r.JSON(res)
		if len(whole) > most {
			t.Errorf("the object takes %d bytes of %d", len(whole), most)
		}
		var parts map[string]any
		if err := json.Unmarshal(whole, &parts); err != nil {
			t.Errorf("the object is not JSON: %v: %s", err, whole)
		}
		if _, ok := parts["value"]; ok != (res.Fault == nil) {
			t.Errorf("value is there: %v, fault %v", ok, res.Fault)
		}
		if _, ok := parts["error"]; ok != (res.Fault != nil) {
			t.Errorf("error is there: %v, fault %v", ok, res.Fault)
		}
	})
}

// A large value must not push out what the model needs in order to act.
func TestValueLeavesRoomForTheRest(t *testing.T) {
	rows := make([]value.Value, 5000)
	for i := range rows {
		rows[i] = value.Of("id", int64(i), "body", strings.Repeat("word ", 40))
	}
	res := &Result{
		Value: rows, Stdout: []string{"printed"}, Notes: []string{"a note"}, Defined: []Def{{Name: "rows", Summary: "array of 5000"}},
		Called: []dispatch.Tally{{Name: "f", Calls: 1, Effect: "write"}},
	}
	r := NewRenderer(2048, elide.Neutral(), false)
	text := r.Text(res)
	for _, want := range []string{"printed", "note: a note", "rows: array of 5000", "called: f (write)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if len(text) < 1500 {
		t.Errorf("only %d of 2048 bytes are used", len(text))
	}
}

// What the value does not need is there for the output.
func TestOutputTakesWhatIsLeft(t *testing.T) {
	var lines []string
	for range 60 {
		lines = append(lines, strings.Repeat("x", 100))
	}
	text := NewRenderer(8192, elide.Neutral(), false).Text(&Result{Value: int64(1), Stdout: lines})
	if strings.Count(text, "\n") < 60 || strings.Contains(text, "more lines") {
		t.Errorf("%d bytes for 60 lines:\n%s", len(text), text)
	}
	text = NewRenderer(2048, elide.Neutral(), false).Text(&Result{Value: int64(1), Stdout: lines})
	if !strings.Contains(text, "more lines)") {
		t.Errorf("nothing says that lines are missing:\n%s", text)
	}
}
