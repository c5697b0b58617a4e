// Package data holds the values of the Lisp surface: Clojure's, immutable, with
// Clojure's equality, hashes, orderings and printed forms (Clojure 1.11). The
// iteration order of maps and sets is Clojure's too, because programs show it.
//
// Operations that can grow take a [Thread], charge it before they allocate, and
// stop by a panic with a [*Thrown] or a [*sandbox.Fault]; only the evaluator
// recovers them. Nothing here knows syntax, the library or the catalogue.
package data
