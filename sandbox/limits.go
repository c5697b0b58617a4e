package sandbox

import (
	"fmt"
	"strings"
	"time"
)

// Limits bound one session. Every field must be positive: a zero is a mistake,
// never "off", because a limit that a typing error can switch off is no limit.
type Limits struct {
	// Fuel is the number of work units one execute may spend. A unit is about
	// one evaluated syntax node; natives charge in proportion to their work.
	Fuel int64
	// Memory is the number of bytes one execute may allocate, charged before
	// the allocation happens.
	Memory int64
	// Retained is the number of bytes that a session's definitions may hold
	// between executes.
	Retained int64
	// Depth is how deep calls may nest in one execute.
	Depth int
	// Compute is the wall-clock time one execute may compute. Time spent
	// waiting for a capability is not counted.
	Compute time.Duration
	// Wait is the time that one capability call may take.
	Wait time.Duration
	// Calls is the number of capability calls one execute may make.
	Calls int
	// Concurrency is the number of read calls that may be under way at once.
	Concurrency int
	// Source is the largest program, in bytes.
	Source int
	// Output is the budget of one result's text, in bytes.
	Output int
}

// DefaultLimits are the limits used where a host sets none.
func DefaultLimits() Limits {
	return Limits{
		Fuel:        10_000_000,
		Memory:      64 << 20,
		Retained:    64 << 20,
		Depth:       1_000,
		Compute:     10 * time.Second,
		Wait:        60 * time.Second,
		Calls:       200,
		Concurrency: 8,
		Source:      64 << 10,
		Output:      16 << 10,
	}
}

// limit pairs a limit's configuration name with its value.
type limit struct {
	name  string
	value int64
	set   func(*Limits, int64)
}

func (l Limits) all() []limit {
	return []limit{
		{"fuel", l.Fuel, func(l *Limits, n int64) { l.Fuel = n }},
		{"memory", l.Memory, func(l *Limits, n int64) { l.Memory = n }},
		{"retained", l.Retained, func(l *Limits, n int64) { l.Retained = n }},
		{"depth", int64(l.Depth), func(l *Limits, n int64) { l.Depth = int(n) }},
		{"compute_ms", milliseconds(l.Compute), func(l *Limits, n int64) { l.Compute = time.Duration(n) * time.Millisecond }},
		{"wait_ms", milliseconds(l.Wait), func(l *Limits, n int64) { l.Wait = time.Duration(n) * time.Millisecond }},
		{"calls", int64(l.Calls), func(l *Limits, n int64) { l.Calls = int(n) }},
		{"concurrency", int64(l.Concurrency), func(l *Limits, n int64) { l.Concurrency = int(n) }},
		{"source", int64(l.Source), func(l *Limits, n int64) { l.Source = int(n) }},
		{"output", int64(l.Output), func(l *Limits, n int64) { l.Output = int(n) }},
	}
}

// milliseconds rounds up, so that only a duration of nothing is zero.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// Ceilings on limits whose value becomes a size of the host's own stack or
// heap: beyond them a program could harm the host whatever the meter says.
const (
	MaxDepth  = 5_000
	MaxSource = 1 << 20
	MaxOutput = 16 << 20
	MinOutput = 512
)

// Validate reports every limit that is not usable, in one error.
func (l Limits) Validate() error {
	var bad []string
	for _, x := range l.all() {
		if x.value <= 0 {
			bad = append(bad, fmt.Sprintf("%s is %d, want at least 1", x.name, x.value))
		}
	}
	over := func(name string, v, most int) {
		if v > most {
			bad = append(bad, fmt.Sprintf("%s is %d, want at most %d", name, v, most))
		}
	}
	over("depth", l.Depth, MaxDepth)
	over("source", l.Source, MaxSource)
	over("output", l.Output, MaxOutput)
	if l.Output > 0 && l.Output < MinOutput {
		bad = append(bad, fmt.Sprintf("output is %d, want at least %d", l.Output, MinOutput))
	}
	if len(bad) > 0 {
		return fmt.Errorf("limits: %s", strings.Join(bad, "; "))
	}
	return nil
}

// Set changes one limit by its configuration name. An unknown name is an error
// that names the nearest, so that a misspelt limit is never silently off.
func (l *Limits) Set(name string, n int64) error {
	var names []string
	for _, x := range l.all() {
		if x.name == name {
			if n <= 0 {
				return fmt.Errorf("limit %s is %d, want at least 1", name, n)
			}
			x.set(l, n)
			return nil
		}
		names = append(names, x.name)
	}
	if near, ok := Nearest(name, names); ok {
		return fmt.Errorf("unknown limit %q, did you mean %q", name, near)
	}
	return fmt.Errorf("unknown limit %q, the limits are %s", name, strings.Join(names, ", "))
}
