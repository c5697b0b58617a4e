// Package compile turns the syntax tree of a Python program into Go closures and
// runs them. Names become slots, cells or globals when the program is compiled;
// common shapes of expressions get closures of their own.
//
// Fuel is charged by the block: every run of simple statements pays for all its
// nodes before it begins, and every iteration and call pays again, so the same
// program always uses the same fuel. Generators resume from a state that their
// frame holds; no goroutine is involved, so none can leak.
package compile
