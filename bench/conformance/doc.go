// Command conformance holds the SQL engine against statements that a real
// PostgreSQL has answered, file by file, and prints how many it answers in the
// same way, how many it refuses by name and how many differ:
//
//	go run ./bench/conformance --cases FILE [--tables] [--server DIR] [--differences 20]
//
// A case is a JSON object a line: file, sql, ok, and the server's columns, types
// and rows as text, or its sqlstate, message, hint and position. A statement that
// names no relation stands alone; with --tables those that do are run too, after
// the tables of their file have been made and filled by the statements before
// them.
package main
