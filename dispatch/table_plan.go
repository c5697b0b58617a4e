package dispatch

import (
	"errors"
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Later is a binding whose values are known only when the program runs: those of
// another table's rows, or of a sub-query.
type Later struct {
	Column string // of the table that is read
	From   string // what the values are, such as "distinct values of pulls.repo"
	AtMost int    // how many, 0 if unknown
}

// MissingKey is a column that a read must fix and a query does not.
type MissingKey struct {
	Column  string
	Example value.Value // a value that the column could have
	Enum    []value.Value
}

// SelectPlan says what a query would do.
type SelectPlan struct {
	Table string
	// Fault says why the query would be refused before anything is asked, nil if
	// it would not be. Of missing keys Missing tells more.
	Fault   *sandbox.Fault
	Missing []MissingKey
	// Never says that no row can match, so that nothing is asked.
	Never bool
	// Fetches is how many things the server is asked, one call a page; of these
	// Remembered are answered from memory. Of a plan with Later they are what is
	// asked for one combination of values, and MostFetches is the whole, -1 if
	// unknown.
	Fetches, Remembered, MostFetches int
	// Asks are the arguments of the calls, at most eight of them.
	Asks []*value.Object
	// Pushed and Here are the demands that the server is asked to meet and those
	// that are met only here; what is pushed is checked here as well.
	Pushed, Here []string
	// Later are the bindings that are not known yet.
	Later []Later
	// Limit is the number of rows that the server is told, 0 if none, and Ordered
	// whether it is told the order.
	Limit   int
	Ordered bool
	// Overlaid is how many writes of this workspace are laid over the rows.
	Overlaid   int
	Volatility toolfn.Volatility
	Verdict    Verdict
	Reason     string
}

// PlanSelect says what [Run.Select] would do now: by the same steps, up to the
// first call. Nothing is asked but the policy, nothing is recorded. Where values
// of some columns are known only later, they are named beside the query; for a
// statement over several tables each is planned in the order in which they would
// be read.
func (r *Run) PlanSelect(q Query, later ...Later) *SelectPlan {
	p := &SelectPlan{Table: q.Table, Later: later}
	s, err := r.checkTable(q)
	if err != nil {
		p.Fault = planFault(err)
		return p
	}
	p.Volatility = s.t.Volatility
	missing := s.missing()
	missing = without(missing, later)
	for _, name := range missing {
		c, _ := s.t.Column(name)
		p.Missing = append(p.Missing, MissingKey{Column: name, Example: exampleCell(c), Enum: c.Enum})
	}
	if len(missing) > 0 {
		p.Fault = missingKeys(s.t.ResourceTable, missing)
		return p
	}
	if p.Never = s.where.impossible(); p.Never {
		return p
	}
	d := r.decide(Request{
		Function: s.t.verbs[toolfn.Select], Args: value.Of("where", s.where.object()), Actor: r.program.Actor, Program: r.id,
		Language: r.program.Language, Line: q.Line, Table: s.t.ResourceTable, Verb: toolfn.Select,
	})
	p.Verdict, p.Reason = d.Verdict, d.Reason
	if d.Verdict == Stage || d.Verdict == Pass {
		p.Verdict = Allow // there is nothing to hold back in a read
	}
	asks, err := s.plan()
	if err != nil {
		p.Fault = planFault(err)
		return p
	}
	p.tell(s, asks)
	return p
}

// tell puts in what would be asked.
func (p *SelectPlan) tell(s *selecting, asks []ask) {
	p.Overlaid = len(s.pending)
	p.Fetches, p.MostFetches = len(asks), len(asks)
	for i := range asks {
		if len(p.Later) == 0 && s.remembers(asks[i]) {
			p.Remembered++
		}
		if i < 8 {
			p.Asks = append(p.Asks, asks[i].args())
		}
	}
	if len(asks) > 0 {
		p.Limit, p.Ordered = asks[0].first.limit, len(asks[0].first.order) > 0
		for _, b := range s.where {
			text := b.text()
			if passed := asks[0].passed.has(b.column.Name); passed == nil {
				p.Here = append(p.Here, text)
			} else if p.Pushed = append(p.Pushed, text); passed.span != nil && passed.text() != text {
				p.Pushed[len(p.Pushed)-1] = passed.text()
				p.Here = append(p.Here, text)
			}
		}
	}
	if rest := s.query.Where.Rest; rest != nil {
		p.Here = append(p.Here, rest.Text)
	}
	for _, l := range p.Later {
		c, ok := s.t.Column(l.Column)
		if !ok {
			p.Fault = unknownColumn(s.t.ResourceTable, l.Column)
			return
		}
		must := c.RequiredKey || c.Argument
		text := l.Column + " IN (" + l.From + ")"
		switch {
		case c.Pushdown >= toolfn.PushIn && !c.Argument:
			p.Pushed = append(p.Pushed, text)
		case must && l.AtMost > 0 && p.MostFetches >= 0:
			p.Pushed = append(p.Pushed, text)
			p.MostFetches *= l.AtMost
		case must:
			p.Pushed = append(p.Pushed, text)
			p.MostFetches = -1
		default:
			p.Here = append(p.Here, text)
		}
	}
}

// text writes a demand on a column as SQL does.
func (b *binding) text() string {
	name := b.column.Name
	var parts []string
	if b.span != nil {
		for _, r := range b.span.ranges(name) {
			parts = append(parts, name+" "+r.Op+" "+shownValue(r.Value))
		}
		for _, l := range b.span.likes {
			parts = append(parts, name+" LIKE "+shownValue(l.Pattern))
		}
		return enumerateAnd(parts)
	}
	if len(b.values) == 1 {
		return name + " = " + shownValue(b.values[0])
	}
	for _, v := range b.values {
		parts = append(parts, shownValue(v))
	}
	return name + " IN (" + enumerate(parts, 8) + ")"
}

func enumerateAnd(parts []string) string {
	text := ""
	for i, p := range parts {
		if i > 0 {
			text += " AND "
		}
		text += p
	}
	return text
}

func without(names []string, later []Later) []string {
	var out []string
	for _, name := range names {
		known := false
		for _, l := range later {
			known = known || l.Column == name
		}
		if !known {
			out = append(out, name)
		}
	}
	return out
}

func planFault(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return refusedStatement(err.Error(), "")
}

// exampleCell gives a value that a column could have.
func exampleCell(c *toolfn.Column) value.Value {
	if len(c.Enum) > 0 {
		return c.Enum[0]
	}
	switch c.Type {
	case "bigint", "numeric", "double precision":
		return int64(1)
	case "boolean":
		return true
	case "timestamptz":
		return "2026-01-31T09:30:00Z"
	case "date":
		return "2026-01-31"
	}
	return "…"
}

// remembers reports whether an ask would be answered from memory.
func (s *selecting) remembers(q ask) bool {
	if s.query.Fresh || s.t.Volatility == toolfn.Volatile {
		return false
	}
	version := s.t.version.Load()
	return s.run.reads.remembered(q.key, version) != nil || s.t.Volatility == toolfn.Immutable && s.run.d.tables.cache.holds(q.key, version)
}

// String tells the plan in a line or two.
func (p *SelectPlan) String() string {
	switch {
	case p.Fault != nil:
		return p.Table + ": " + p.Fault.Message
	case p.Never:
		return p.Table + ": no row can match; nothing is asked"
	case p.MostFetches < 0:
		return fmt.Sprintf("%s: one fetch for each of the values that are known only then", p.Table)
	case p.MostFetches > p.Fetches:
		return fmt.Sprintf("%s: at most %s", p.Table, plural(p.MostFetches, "fetch", "fetches"))
	}
	return fmt.Sprintf("%s: %s, %d from memory", p.Table, plural(p.Fetches, "fetch", "fetches"), p.Remembered)
}
