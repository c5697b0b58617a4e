package pgcat

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Call is a function call as written.
type Call struct {
	Name     string   // folded, without a schema
	Types    []OID    // of the arguments, in the call's order
	Names    []string // of the last arguments, when they are named
	Variadic bool     // the last argument is marked VARIADIC

	Star        bool // f(*)
	Over        bool // followed by OVER
	WithinGroup bool // followed by WITHIN GROUP, whose expressions are the last arguments
	// Unchecked leaves it to the caller to refuse a function of the wrong kind.
	Unchecked bool
}

// ResolvedFunction is what a call means: a function, or a cast written as one.
type ResolvedFunction struct {
	*Function
	Cast       OID   // the target type, when the call is a cast; Function is nil then
	ArgTypes   []OID // what each argument of the call is to be converted to
	ResultType OID
	// Numbers maps each argument of the call to the function's argument; nil when
	// they are in order.
	Numbers []int
	// Expanded is how many of the last arguments form the variadic array; 0 when
	// the call gives an array itself or the function takes none. A function that
	// is variadic in "any" takes them one by one.
	Expanded int
	// Defaults is how many arguments are left to their defaults.
	Defaults int
}

// ResolveFunction chooses a function. The error is the server's, 42883, 42725 or
// that of a polymorphic type.
func (c *Catalog) ResolveFunction(call Call) (ResolvedFunction, *pgerr.Error) {
	all := c.candidates(call)
	best := exactCandidate(all, call.Types)
	ambiguous := false
	if best == nil {
		if target := c.castFunction(call); target != 0 {
			return ResolvedFunction{Cast: target, ArgTypes: call.Types, ResultType: target}, nil
		}
		best, ambiguous = c.choose(call.Types, all)
	}
	if best == nil || best.clashes || misplacedVariadic(call, best) {
		return ResolvedFunction{}, c.functionError(call, ambiguous || best != nil && best.clashes)
	}
	return c.resolved(call, best)
}

func exactCandidate(all []*candidate, given []OID) *candidate {
	for _, x := range all {
		if slices.Equal(x.args, given) {
			return x
		}
	}
	return nil
}

// misplacedVariadic reports whether a VARIADIC array is named as another argument
// than the last.
func misplacedVariadic(call Call, x *candidate) bool {
	n := len(call.Types)
	return call.Variadic && len(call.Names) > 0 && n > 0 && x.numbers[n-1] != n-1
}

// castFunction gives the type that a call of one argument casts to: the name is a
// type's, and the cast does nothing or goes through text.
func (c *Catalog) castFunction(call Call) OID {
	if len(call.Types) != 1 || len(call.Names) > 0 {
		return 0
	}
	t := c.typeNames[call.Name]
	if t == nil || t.Kind == 'c' {
		return 0
	}
	source := call.Types[0]
	if source == Unknown {
		return t.OID
	}
	switch c.Path(t.OID, source, Explicit).Kind {
	case Relabel:
		return t.OID
	case ThroughText:
		if source != Record || t.Category != 'S' {
			return t.OID
		}
	}
	return 0
}

// candidates lists the ways in which the functions of the name take as many
// arguments as the call has, one for each list of argument types.
func (c *Catalog) candidates(call Call) []*candidate {
	var all []*candidate
	for _, f := range c.byFunction[call.Name] {
		if x := candidateOf(f, call); x != nil {
			all = addDistinct(all, x, len(call.Types))
		}
	}
	return all
}

func candidateOf(f *Function, call Call) *candidate {
	n := len(call.Types)
	if len(call.Names) > 0 {
		return namedCandidate(f, call)
	}
	expand := f.Variadic != 0 && !call.Variadic && len(f.Args) <= n
	switch {
	case expand:
		args := slices.Clone(f.Args[:len(f.Args)-1])
		for len(args) < n {
			args = append(args, f.Variadic)
		}
		return &candidate{args: args, function: f, expanded: n - len(f.Args) + 1}
	case call.Variadic && f.Variadic == 0:
		return nil
	case len(f.Args) == n:
		return &candidate{args: f.Args, function: f}
	case len(f.Args) > n && n+f.Defaults >= len(f.Args):
		return &candidate{args: f.Args[:n], function: f, defaults: len(f.Args) - n}
	}
	return nil
}

// namedCandidate matches a call with named arguments, which never expand a
// variadic one.
func namedCandidate(f *Function, call Call) *candidate {
	n := len(call.Types)
	if f.Variadic != 0 && !call.Variadic || f.Variadic == 0 && call.Variadic || n > len(f.Args) || f.names == nil {
		return nil
	}
	taken := make([]bool, len(f.Args))
	numbers := make([]int, 0, n)
	for i := range n - len(call.Names) {
		taken[i] = true
		numbers = append(numbers, i)
	}
	for _, name := range call.Names {
		i := slices.Index(f.names, name)
		if i < 0 || taken[i] {
			return nil
		}
		taken[i] = true
		numbers = append(numbers, i)
	}
	for i, t := range taken {
		if !t && i < len(f.Args)-f.Defaults {
			return nil
		}
	}
	args := make([]OID, n)
	for i, number := range numbers {
		args[i] = f.Args[number]
	}
	return &candidate{args: args, function: f, defaults: len(f.Args) - n, numbers: numbers}
}

// addDistinct adds a candidate unless one with the same arguments is better: one
// that expands nothing, then one that needs fewer defaults.
func addDistinct(all []*candidate, x *candidate, n int) []*candidate {
	for i, y := range all {
		if !slices.Equal(x.args[:n], y.args[:n]) {
			continue
		}
		switch {
		case y.expanded == 0 && x.expanded > 0:
		case y.expanded > 0 && x.expanded == 0:
			all[i] = x
		case x.defaults < y.defaults:
			all[i] = x
		case x.defaults == y.defaults:
			y.clashes = true
		}
		return all
	}
	return append(all, x)
}

func (c *Catalog) resolved(call Call, x *candidate) (ResolvedFunction, *pgerr.Error) {
	f := x.function
	if err := c.misuse(f, call); err != nil {
		return ResolvedFunction{}, err
	}
	if call.Variadic && f.Variadic == Any {
		if last := call.Types[len(call.Types)-1]; c.ElementOf(last) == 0 {
			return ResolvedFunction{}, pgerr.New(pgerr.DatatypeMismatch, "VARIADIC argument must be an array")
		}
	}
	args, result, err := c.Concrete(call.Types, x.args, f.Result)
	if err != nil {
		return ResolvedFunction{}, err
	}
	return ResolvedFunction{
		Function: f, ArgTypes: args, ResultType: result,
		Numbers: x.numbers, Expanded: x.expanded, Defaults: x.defaults,
	}, nil
}

// functionError is the server's error of a call that means nothing or too much.
func (c *Catalog) functionError(call Call, ambiguous bool) *pgerr.Error {
	signature := c.Signature(call)
	if ambiguous {
		return pgerr.New(pgerr.AmbiguousFunction, "function %s is not unique", signature).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	}
	return pgerr.New(pgerr.UndefinedFunction, "function %s does not exist", signature).
		WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
}

// Signature prints a call as error messages do: f(integer, x => text).
func (c *Catalog) Signature(call Call) string {
	var b strings.Builder
	b.WriteString(call.Name + "(")
	positional := len(call.Types) - len(call.Names)
	for i, t := range call.Types {
		if i > 0 {
			b.WriteString(", ")
		}
		if i >= positional {
			b.WriteString(call.Names[i-positional] + " => ")
		}
		b.WriteString(c.FormatType(t))
	}
	return b.String() + ")"
}

// misuse refuses a chosen function in a place of another kind, with the server's
// words: a window function without OVER, an ordered-set aggregate without WITHIN
// GROUP, OVER or WITHIN GROUP on what is neither, a procedure.
func (c *Catalog) misuse(f *Function, call Call) *pgerr.Error {
	wrong := func(format string, args ...any) *pgerr.Error {
		return pgerr.New(pgerr.WrongObjectType, format, args...)
	}
	if call.Unchecked {
		return nil
	}
	facts := c.aggregates[f.OID]
	ordered := f.Kind == Aggregate && facts != nil && facts.Kind != 'n'
	switch {
	case f.Kind == Procedure:
		return wrong("%s is a procedure", c.Signature(call)).WithHint("To call a procedure, use CALL.")
	case f.Kind == Window && !call.Over:
		return wrong("window function %s requires an OVER clause", call.Name)
	case f.Kind == Window && call.WithinGroup:
		return wrong("window function %s cannot have WITHIN GROUP", call.Name)
	case ordered && !call.WithinGroup:
		return wrong("WITHIN GROUP is required for ordered-set aggregate %s", call.Name)
	case f.Kind == Aggregate && !ordered && call.WithinGroup:
		return wrong("%s is not an ordered-set aggregate, so it cannot have WITHIN GROUP", call.Name)
	case f.Kind == Aggregate && !ordered && len(call.Types) == 0 && !call.Star:
		return wrong("%s(*) must be used to call a parameterless aggregate function", call.Name)
	case f.Kind == Ordinary && call.Star:
		return wrong("%s(*) specified, but %s is not an aggregate function", call.Name, call.Name)
	case f.Kind == Ordinary && call.WithinGroup:
		return wrong("WITHIN GROUP specified, but %s is not an aggregate function", call.Name)
	case f.Kind == Ordinary && call.Over:
		return wrong("OVER specified, but %s is not a window function nor an aggregate function", call.Name)
	}
	return nil
}
