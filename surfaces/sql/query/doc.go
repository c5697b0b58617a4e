// Package query is the form of an analysed statement: every name resolved, every
// type known, every conversion written out, as PostgreSQL 17's parse analysis
// leaves a statement before planning. Nothing in it is optimised: conjuncts,
// joins and relations are as they were written, with their positions.
//
// It holds data only. It knows the catalogue and the values of constants; it
// does not know the grammar, the executor, or where a table's rows come from.
//
// Positions are bytes of the source, from 0; -1 is none.
package query
