// Package module holds the standard modules that a Python program may import:
// those that compute and reach nothing outside, with the results and the texts of
// CPython 3.12.
//
// A module is built for a session when it is first imported. Classes written in Go
// are made once and shared by all sessions; what changes, such as the state of
// random, belongs to the session's [Library]. Modules that programs derive from or
// that mostly call the program's own code are written in Python, in lib, and run
// by the session's evaluator. The clock and the seed come from the host, so that a
// program can be run again with the same result.
//
// Every function charges the meter of its thread before it works or allocates.
package module
