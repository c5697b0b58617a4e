// Package python is the Python surface: sessions whose programs are parsed by
// package syntax, run by package compile on the values of package object with the
// modules of package module, and reach capabilities through package dispatch and
// nothing else.
//
// A session owns what none of those knows: the names that outlive a program,
// capabilities and namespaces as values (capability, names), rows whose fields are
// attributes too (rows), calls that run side by side (flights, asyncio), what a
// fault says and where it points (faults, advice), and what a model is told besides
// the value (definitions).
package python
