// Package pgcat holds what PostgreSQL 17 knows about types, casts, operators and
// functions, as data taken from a real server, and the rules by which the server
// chooses among them (PostgreSQL 17 documentation, chapter 10, "Type Conversion").
//
// The catalogue is immutable, decoded on first use and shared by all. It says what
// exists and what it returns, not whether this engine can compute it.
package pgcat

//go:generate go run ./generate
