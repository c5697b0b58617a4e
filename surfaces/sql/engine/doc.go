// Package engine is PostgreSQL's SELECT, INSERT, UPDATE and DELETE over tables in
// memory, on its own: open a [DB], register tables from plain Go rows, iterators
// or columns, and query them with parameters. Results carry PostgreSQL's types,
// names and texts; errors are PostgreSQL's, a *[pgerr.Error] with SQLSTATE and
// position. What is not built is refused with 0A000.
//
// A statement sees the tables as they were when it began, and changes them as a
// whole or not at all. Limits on work and memory hold for every statement. The
// package registers the database/sql driver "polyglove" (see [Connector]).
//
// Parsing needs cgo; without it every statement is refused with the reason.
package engine
