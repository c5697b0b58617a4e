// Package held keeps the values of programs as they were when the program ended,
// for whoever reads a result later: small ones are copied at once, large ones are
// read where they lie and copied only if the session goes on while they are held.
//
// It knows no language: it works on the views of package elide.
package held
