// Package elide renders any value as JSON text within a byte budget: the one
// renderer behind every door through which text reaches a model.
//
// A value is first shown with limits for each level ([Limits]); if that does not
// fit, again with tighter ones, never by cutting serialised text. Markers say
// what was left out and how to read on. The work is bounded by the budget, not
// by the value: containers are read element by element through [List] and [Map].
//
// The package knows no language; a [Style] spells how a program reads on.
package elide
