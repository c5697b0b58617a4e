// Package reader turns the text of a Lisp program into forms with positions
// (Clojure's reader, as far as the surface has it). The whole text is read before
// anything runs; nesting is bounded; what the surface does not have is refused by
// name with the alternative.
package reader
