package dispatch

import (
	"path"
	"strings"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Request is a call that is about to be made, as policy and approval see it: the
// inner function and its checked arguments, never the code tool.
type Request struct {
	Function *toolfn.ToolFn
	Args     *value.Object // must not be changed
	Actor    string
	Program  int64 // the program's ID in the journal
	Language string
	Line     int // where in the program; 0 where unknown
	// Table is set for a statement about a table, which is one request however
	// many calls it takes. Function then stands for the verb: it is named
	// TABLE.VERB and has the verb's effect. Args holds where: for each fixed
	// column the list of its values; set; and rows.
	Table *toolfn.ResourceTable
	Verb  toolfn.Verb
	// Committing says that the call was staged and is about to be made now. What
	// is only to be staged first has been.
	Committing bool
}

// Verdict is what policy says of a call.
type Verdict uint8

// The verdicts.
const (
	Pass  Verdict = iota // no opinion
	Allow                // make it
	Ask                  // ask the host first
	Stage                // put it on the list of pending effects; reads are made
	Deny                 // do not make it
)

// String gives the word: pass, allow, ask, stage, deny.
func (v Verdict) String() string {
	return [...]string{"pass", "allow", "ask", "stage", "deny"}[min(v, Deny)]
}

// Decision is a verdict with what the model is told when a call is refused.
type Decision struct {
	Verdict Verdict
	Reason  string // one clause: "only reads are allowed here"
	Hint    string // the next action, one sentence; "" is to go on without the call
	// Final says of Deny that the effect may not be staged either. Where firing
	// is denied and staging is not, a commit needs the host's approval.
	Final bool
}

// Policy decides on calls. It is asked for each call, with valid arguments, from
// several programs at once. It decides on what a function declares, never on
// what its text says. A policy that panics denies.
type Policy interface {
	Decide(Request) Decision
}

// PolicyFunc is a policy that is one function.
type PolicyFunc func(Request) Decision

// Decide calls f.
func (f PolicyFunc) Decide(r Request) Decision { return f(r) }

// AllowAll allows every call.
func AllowAll() Policy {
	return PolicyFunc(func(Request) Decision { return Decision{Verdict: Allow} })
}

// ReadOnly denies every function that is not declared to read only, a function
// that declares nothing among them. It has no opinion of reads.
func ReadOnly() Policy {
	return PolicyFunc(func(r Request) Decision {
		e := r.Function.Effect
		switch {
		case e.Reads():
			return Decision{}
		case e.Impact == toolfn.Unknown:
			return Decision{Verdict: Deny, Reason: "only reads are allowed here, and it does not declare what it changes"}
		}
		return Decision{Verdict: Deny, Reason: "only reads are allowed here, and it is declared as " + e.Impact.String()}
	})
}

// Rule is one line of a rule table.
type Rule struct {
	// Function is a name or a pattern over catalogue names as path.Match reads
	// it: github__*, *__delete_*. Empty matches every function.
	Function string
	// Impacts are the effects that the rule is about; none means all.
	Impacts []toolfn.Impact
	Verdict Verdict
	Reason  string
	Final   bool // see [Decision]
}

// Rules is a table of rules of which the first that matches decides; where none
// matches it has no opinion. When a staged effect is committed, rules that stage
// are passed over: a further rule may ask about it. A pattern that cannot be read
// is an error.
func Rules(rules ...Rule) (Policy, error) {
	for _, r := range rules {
		if _, err := path.Match(r.Function, ""); err != nil {
			return nil, patternError(r.Function)
		}
	}
	table := append([]Rule(nil), rules...)
	return PolicyFunc(func(q Request) Decision {
		for i := range table {
			if q.Committing && table[i].Verdict == Stage {
				continue
			}
			if table[i].matches(q.Function) {
				return Decision{Verdict: table[i].Verdict, Reason: table[i].Reason, Final: table[i].Final}
			}
		}
		return Decision{}
	}), nil
}

type patternError string

func (p patternError) Error() string { return "policy: the pattern " + string(p) + " cannot be read" }

func (r *Rule) matches(fn *toolfn.ToolFn) bool {
	if r.Function != "" && r.Function != fn.Name {
		if !strings.ContainsAny(r.Function, `*?[\`) {
			return false
		}
		if ok, _ := path.Match(r.Function, fn.Name); !ok {
			return false
		}
	}
	if len(r.Impacts) == 0 {
		return true
	}
	for _, i := range r.Impacts {
		if i == fn.Effect.Impact {
			return true
		}
	}
	return false
}

// First lets the first policy that has an opinion decide.
func First(policies ...Policy) Policy {
	return PolicyFunc(func(r Request) Decision {
		for _, p := range policies {
			if d := p.Decide(r); d.Verdict != Pass {
				return d
			}
		}
		return Decision{}
	})
}

// Strictest asks every policy and takes the strictest answer: deny before stage
// before ask before allow before pass, a final denial before another, the earlier
// of two equals.
func Strictest(policies ...Policy) Policy {
	return PolicyFunc(func(r Request) Decision {
		var strictest Decision
		for _, p := range policies {
			if d := p.Decide(r); d.Verdict > strictest.Verdict || d.Verdict == Deny && d.Final && !strictest.Final {
				strictest = d
			}
		}
		return strictest
	})
}
