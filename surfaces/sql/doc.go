// Package sql is the SQL surface: the tables of a workspace behind PostgreSQL's
// language. A statement is analysed whole; what it needs of each table is fetched
// through the dispatcher before it runs, every fetch once; then the engine answers
// it over the fetched rows, checking every condition again.
//
// The parser is PostgreSQL's own and needs cgo. A build without it has a Language
// that says so when a session is opened.
package sql
