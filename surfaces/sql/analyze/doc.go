// Package analyze turns a parsed statement into a typed [query.Query]: it resolves
// names, chooses operators and functions, writes out conversions and refuses what
// PostgreSQL 17 refuses, with the server's code, message, detail, hint and
// position (PostgreSQL 17 documentation, chapters 4, 7 and 10).
//
// Tables come from a [Schema]. The package reads the text of literals through the
// caller; it computes nothing itself and knows nothing of plans or rows. What
// PostgreSQL can do and this engine cannot is refused with 0A000 and its name.
//
// It needs the parser's tree, and so cgo; see package guard.
package analyze
