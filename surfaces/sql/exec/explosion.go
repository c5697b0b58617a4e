package exec

import (
	"fmt"
	"strconv"

	"github.com/polyglove/polyglove/sandbox"
)

// joinCount is how much a join has paired, for the message when a limit stops it.
type joinCount struct {
	name        string // "a and b"
	conditions  bool   // it has a condition at all
	equalities  bool   // some of it are equalities
	left, right int64  // rows of the sides
	pairs       int64
}

// charge spends fuel for pairs; running out of it is told as the join's doing.
func (j *join) charge(x *run, n int64) error {
	return x.env.Meter.Charge(n)
}

// explosive is how many times more rows than it read a join must have made before
// it is named as the cause.
const explosive = 8

// blame tells a fault of a limit as the work of the join that made most of it.
func blame(joins []*joinCount, err error) error {
	fault, ok := err.(*sandbox.Fault)
	if !ok || fault.Kind != sandbox.KindFuel && fault.Kind != sandbox.KindMemory && fault.Kind != sandbox.KindDeadline {
		return err
	}
	var worst *joinCount
	for _, j := range joins {
		if j.pairs > explosive*(j.left+j.right) && (worst == nil || j.pairs > worst.pairs) {
			worst = j
		}
	}
	if worst == nil {
		return err
	}
	told := *fault
	told.Message = fmt.Sprintf("the join of %s paired %s rows and was not done when the limit was reached: %s",
		worst.name, thousands(worst.pairs), fault.Message)
	told.Hint = worst.advice()
	told.Cause = fault
	return &told
}

func (j *joinCount) advice() string {
	switch {
	case !j.conditions:
		return "The join has no condition: add ON with the columns that belong together, or filter both sides first."
	case !j.equalities:
		return "The join's condition compares no column for equality: add one, or filter both sides first."
	}
	return "The join's columns have many rows of the same value on both sides: add a condition, filter first, or group one side before joining."
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
