// Package sqlgen makes random statements that are right: typed expressions, joins,
// aggregates, windows, set operations, sub-queries and WITH queries over three
// small tables with NULLs. Differential tests run them on the engine and on a
// PostgreSQL server and compare.
//
// What it makes is deterministic: no clock, no random function, no sums of floats,
// whose last digits depend on the order of the rows; a LIMIT comes with an ORDER
// BY of all columns.
package sqlgen
