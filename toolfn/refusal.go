package toolfn

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// ProblemKind classifies what is wrong with an argument.
type ProblemKind string

// The kinds of problem.
const (
	Missing    ProblemKind = "missing"   // required arguments are absent
	UnknownKey ProblemKind = "unknown"   // arguments that the function does not take
	WrongType  ProblemKind = "type"      // including null where it is not allowed
	WrongValue ProblemKind = "value"     // not one of the allowed values
	WrongRange ProblemKind = "range"     // a number, length or count out of bounds
	WrongForm  ProblemKind = "form"      // a pattern or a combination of schemas
	TooComplex ProblemKind = "too large" // the check would cost too much
)

// Problem is one thing that is wrong with the arguments of a call.
type Problem struct {
	Kind ProblemKind
	// Path leads to the argument: "filter.labels[2]"; "" is the arguments as a whole.
	Path string
	// Message is the problem in words, without the path, at most a few hundred bytes.
	Message string
	// Want is what is accepted: "integer", `"open" or "closed"`.
	Want string
	// Got is what was given: `string "5"`, null.
	Got string
	// Keys are the missing or unknown keys, all of them up to a dozen.
	Keys []string
	// Near is the name or value that was most likely meant, by key or for the value.
	Near map[string]string
	// Accepted lists accepted keys or values, at most a dozen, and More how many
	// there are beyond.
	Accepted []string
	More     int

	kinds map[string]string // the type of each missing key
}

// String gives the problem with its path.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Refusal is a call that was refused because of its arguments, before anything
// happened.
type Refusal struct {
	Function *ToolFn
	Problems []Problem
	More     int // problems that were found and are not listed
}

// Error gives the refusal in one line.
func (r *Refusal) Error() string { return r.Text() }

// shownProblems is how many problems one refusal tells: more would not be acted
// on at once.
const shownProblems = 3

// Text gives the problems in one sentence that names the function.
func (r *Refusal) Text() string {
	lines := make([]string, 0, shownProblems)
	for i, p := range r.Problems {
		if i == shownProblems {
			break
		}
		lines = append(lines, strings.TrimSuffix(p.String(), "."))
	}
	text := r.Function.Name + ": " + strings.Join(lines, "; ")
	if more := len(r.Problems) - len(lines) + r.More; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text + "."
}

// Hint says what to do next, in the spelling of a style.
func (r *Refusal) Hint(s Style) string {
	if len(r.Problems) > 0 && r.Problems[0].Kind == TooComplex {
		return "Pass less at once."
	}
	return "Call it as " + s.Skeleton(r.Function) + "; " + s.describing(r.Function) + " shows every argument."
}

// reportSteps bounds the work of saying what is wrong.
const reportSteps = 200_000

// refuse walks again, this time to say what is wrong. tooMuch says that the walk
// without a report ran out of steps.
func (f *ToolFn) refuse(c *contract, args *value.Object, tooMuch bool) *sandbox.Fault {
	rep := &report{}
	if tooMuch {
		rep.add(Problem{Kind: TooComplex, Message: "the arguments are too large to be checked"})
	} else {
		(&walker{left: reportSteps, report: rep}).check(c.root, args)
	}
	if len(rep.problems) == 0 { // the walk found too much to look into
		rep.add(Problem{Kind: WrongForm, Message: "the arguments do not fit the schema"})
	}
	r := &Refusal{Function: f, Problems: rep.sorted(), More: rep.more}
	return &sandbox.Fault{Kind: sandbox.KindArgument, Message: r.Text(), Hint: r.Hint(Neutral), Cause: r}
}
