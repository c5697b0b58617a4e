// Package syntax turns Python 3.12 source into a syntax tree: the lexer, the
// parser for the grammar of the Python reference, and the errors, which carry
// CPython's own texts and places.
//
// It evaluates nothing and knows no value model. The work is bounded: by the size
// of the source, by how deep brackets, blocks and operators may nest, and by one
// pass without backtracking over more than a bracket.
package syntax
