// Package guard stands between a text and PostgreSQL's parser. It bounds the size
// and the nesting of a text before it is parsed, because the parser is C code whose
// tree walks recurse: a stack overflow there ends the process and cannot be caught.
// It splits the text into statements, lets through the kinds that the SQL surface
// runs, and refuses every other by its name and with what to do instead.
//
// The guard knows the grammar and nothing of tables, types or execution.
//
// The parser needs cgo. A build without it has [Available] false and a [Parse]
// that says so; the rest of the module builds as usual.
package guard
