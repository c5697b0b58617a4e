package pgcat

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ResolvedOperator is the operator that an expression means.
type ResolvedOperator struct {
	*Operator
	ArgTypes   []OID // what each operand is to be converted to
	ResultType OID
}

// ResolveOperator chooses an operator by its name and the types of its one or two
// operands; Unknown stands for a quoted literal or NULL. The error is the
// server's, 42883 or 42725.
func (c *Catalog) ResolveOperator(name string, given ...OID) (ResolvedOperator, *pgerr.Error) {
	op, ambiguous := c.findOperator(name, given)
	if op == nil {
		return ResolvedOperator{}, c.operatorError(name, given, ambiguous)
	}
	args, result, err := c.Concrete(given, op.Args, op.Result)
	return ResolvedOperator{op, args, result}, err
}

func (c *Catalog) findOperator(name string, given []OID) (op *Operator, ambiguous bool) {
	exact := exactOperands(given)
	var all []*candidate
	for _, o := range c.byOperator[name] {
		if len(o.Args) != len(given) {
			continue
		}
		if slices.Equal(o.Args, exact) {
			return o, false
		}
		all = append(all, &candidate{args: o.Args, operator: o})
	}
	best, ambiguous := c.choose(given, all)
	if best == nil {
		return nil, ambiguous
	}
	return best.operator, false
}

// exactOperands takes an unknown operand to have the type of the other one.
func exactOperands(given []OID) []OID {
	if len(given) != 2 {
		return given
	}
	left, right := given[0], given[1]
	if left == Unknown {
		left = right
	} else if right == Unknown {
		right = left
	}
	return []OID{left, right}
}

func (c *Catalog) operatorError(name string, given []OID, ambiguous bool) *pgerr.Error {
	signature := name + " " + c.FormatType(given[len(given)-1])
	if len(given) == 2 {
		signature = c.FormatType(given[0]) + " " + signature
	}
	if ambiguous {
		return pgerr.New(pgerr.AmbiguousFunction, "operator is not unique: %s", signature).
			WithHint("Could not choose a best candidate operator. You might need to add explicit type casts.")
	}
	e := pgerr.New(pgerr.UndefinedFunction, "operator does not exist: %s", signature)
	if len(given) == 1 {
		return e.WithHint("No operator matches the given name and argument type. You might need to add an explicit type cast.")
	}
	return e.WithHint("No operator matches the given name and argument types. You might need to add explicit type casts.")
}
