// Package fn computes: the functions, aggregates and set-returning functions of
// the catalogue on columns, and the text forms of each type. What a function is,
// how it is chosen and whether it is strict is in pgcat; a function of the
// catalogue that is not found here has not been built, and who calls it says so
// with 0A000.
//
// A kernel is registered under the name of the server's C function (pg_proc's
// prosrc: "int4pl"), which several catalogue entries may share, or under a
// signature of internal type names ("lpad(text,int4)"), which wins.
package fn
