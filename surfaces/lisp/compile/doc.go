// Package compile turns the forms of a Lisp program into Go closures and runs
// them. Names become slots, captured values, vars or library functions when the
// program is compiled; a name that nothing defines is found then, before anything
// has run.
//
// A frame's slots live on the thread's stack. Locals are immutable, so a function
// value copies what it captures, and no frame outlives its call.
package compile
