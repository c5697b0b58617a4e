package main

// verdict is what a comparison comes to. The order is from best to worst; a
// program gets the worst of its calls.
type verdict int

const (
	agree      verdict = iota // the same value, the same printed lines, the same effects
	agreeError                // both fail
	lenient                   // a listed leniency admits it, and the value is right
	lostState                 // both fail on a name that a missing program defined
	reprOnly                  // the same content, printed in another form
	diverges                  // listed: the surface means to differ
	refused                   // the real language succeeds, we give an error
	lax                       // the real language fails, we give a value
	silent                    // a different value, and no error
)

var verdictNames = [...]string{
	"agree", "agree-error", "lenient", "lost-state", "repr-only", "divergence", "refused", "lax", "SILENT",
}

// String gives the name in the table.
func (v verdict) String() string { return verdictNames[v] }

// meaning explains a verdict in the table.
var meaning = [...]string{
	"same value, same printed lines, same effects",
	"both fail",
	"accepted by a listed leniency, and the value is right",
	"both fail on a name that a missing program defined",
	"same content, printed in another form",
	"listed with its reason",
	"an error where the real language succeeds",
	"a value where the real language fails",
	"another value than the real language's, without an error",
}

// fine reports whether a verdict needs no attention.
func (v verdict) fine() bool { return v < refused }

// judgement is the verdict on one program.
type judgement struct {
	id      string
	verdict verdict
	call    int // the call that decided
	got     string
	want    string
	err     string
	why     string
}

// worse keeps the worse of two judgements on one program.
func (j judgement) worse(k judgement) judgement {
	if k.verdict > j.verdict {
		return k
	}
	return j
}
