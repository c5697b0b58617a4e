package regex

import (
	"errors"

	"github.com/polyglove/polyglove/sandbox"
)

// Limits bound one compilation. Every number must be positive.
type Limits struct {
	// Source is the longest pattern, in UTF-16 code units or code points.
	Source int
	// Depth is how deep groups and classes may nest.
	Depth int
	// Size is the largest program, in instructions and character ranges.
	Size int
	// Meter, where given, is charged for the work and the memory of compiling
	// before they are spent. It should be given whenever a program under
	// limits decides the pattern.
	Meter *sandbox.Meter
}

// DefaultLimits are limits that every pattern written by hand keeps.
func DefaultLimits() Limits {
	return Limits{Source: 32 << 10, Depth: 200, Size: 200_000}
}

// maxDepth is the deepest nesting that the recursive walks over a tree are
// allowed to see, whatever a host configures.
const maxDepth = 1000

func (l Limits) validate() error {
	if l.Source <= 0 || l.Depth <= 0 || l.Size <= 0 {
		return errors.New("regex limits: source, depth and size must be positive")
	}
	if l.Depth > maxDepth {
		return errors.New("regex limits: depth must be at most 1000")
	}
	return nil
}

// charge spends work and memory on the meter, if there is one.
func (l Limits) charge(units, bytes int64) error {
	if l.Meter == nil {
		return nil
	}
	if err := l.Meter.Charge(units); err != nil {
		return err
	}
	return l.Meter.Alloc(bytes)
}

// used is the memory charged to the meter.
func (l Limits) used() int64 {
	if l.Meter == nil {
		return 0
	}
	return l.Meter.Usage().Memory
}

// release gives memory back to the meter.
func (l Limits) release(bytes int64) {
	if l.Meter != nil && bytes > 0 {
		l.Meter.Release(bytes)
	}
}
