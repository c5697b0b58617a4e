// Package dispatch is the one door to a capability. Every call, from any
// language, passes it, in this order:
//
//	look up → check arguments → policy → ceiling → approval → journal the
//	intention → call under a time limit → classify → copy the result in →
//	tally → journal the outcome
//
// What is refused before the call has not fired and is in no tally. A call that
// fired is done, failed, or of unknown outcome; only a read can never be of
// unknown outcome, because it changes nothing. [Run.FiredNote] tells a model
// which is which.
//
// A [Run] is the account of one program and belongs to the program's goroutine.
// Handlers run on other goroutines, so that one that ignores its context can be
// given up: a program waits no longer than its limits say, whatever a handler
// does. Results are copied, and charged to the program's meter before they are.
package dispatch
