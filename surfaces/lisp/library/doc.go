// Package library holds the functions of the Lisp surface: those of clojure.core,
// clojure.string, clojure.set and clojure.walk that programs reach for, and a few of
// our own. One table serves calls, usage texts, suggestions and explain.
package library
