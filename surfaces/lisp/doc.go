// Package lisp is the Lisp surface: a small Clojure over the tables and functions of
// a workspace. The packages below it read, compile and run programs; this one is
// the session: what programs define, what they call, and what reaches a model.
package lisp
