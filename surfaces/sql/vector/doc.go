// Package vector holds the values of a query in columns of one type, each with a
// bitmap of its NULLs: the form in which the executor moves rows and functions
// compute. It compares and hashes values as the default operators of their types
// do (PostgreSQL 17's btree and hash operator classes, collation "C"). It knows
// nothing of functions, expressions or tables.
//
// Nothing here charges a meter: who makes a column charges for it first, by
// [Bytes] and by the size of what it puts in.
package vector
