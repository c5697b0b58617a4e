// Package object is the value model of the Python surface: the values, their
// classes and methods, and the protocols by which programs use them (attributes,
// operators, iteration, calls, formatting), with the results and the exception
// texts of CPython 3.12.
//
// It knows no syntax: functions written in Python are [Function] values whose
// body the package compile supplies. It knows no tool and no module: the standard
// modules are built from [Class], [Builtin] and [Module] by their own packages.
//
// All work is charged to the [sandbox.Meter] of a [Thread] before it is done, and
// nothing recurses in Go without counting depth, because a Go stack overflow
// cannot be recovered from.
package object
