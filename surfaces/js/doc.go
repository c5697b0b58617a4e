// Package js is the JavaScript surface: sessions whose programs are compiled by
// package compile, run in a realm of package realm, and reach capabilities
// through package dispatch and nothing else.
//
// A session owns what neither of those knows: the names that outlive a program
// (scope), capabilities and namespaces as values (capability, names), calls that
// run side by side and the promises for them (flights), what a fault says and
// where it points (faults, words, advice), and what a model is told besides the
// value (definitions, guard).
package js
