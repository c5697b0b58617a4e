// Package pgtype reads and writes the values of PostgreSQL's types as text exactly
// as PostgreSQL 17 does with its default settings (ISO dates in the order month,
// day, year; shortest floats; hexadecimal bytea), and computes with exact numerics,
// dates, times and intervals. What depends on the moment or on the session's time
// zone takes them as a [Clock]; the zones are those of the server's own build. It
// knows nothing of tables, expressions or the catalogue.
//
// Failures are *pgerr.Error with the server's code and words, without a position:
// who calls knows where the value stands.
package pgtype

//go:generate go run ../pgcat/generate generate/answers.mjs=testdata/answers.jsonl.gz
//go:generate go run ../pgcat/generate generate/zones.mjs=zones.tsv.gz
