// Package regex is a backtracking regular-expression engine that cannot hang:
// every step is charged to a sandbox.Meter, no Go call nests with the pattern
// or the input, and the backtrack stack is charged before it grows.
//
// A pattern goes through a front end, one per dialect, into a tree that knows
// no dialect; the tree is compiled into a Program; a Matcher runs a Program over
// an Input. Programs are immutable and may be shared between goroutines. A
// Matcher holds scratch memory and serves one goroutine at a time.
//
//	p, err := regex.Compile(`(\d+)-(\d+)`, "g", regex.ECMAScript, regex.DefaultLimits())
//	var x regex.Matcher
//	captures, ok, err := x.Exec(p, regex.ASCII("10-20"), 0, meter)
//
// The dialect built now is that of ECMA-262 2024 with Annex B.
package regex
