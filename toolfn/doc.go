// Package toolfn is the catalogue: functions ([ToolFn]) and tables
// ([ResourceTable]), their schemas, signatures and result shapes, and the
// discovery tiers over them.
//
// A capability comes in by [Define] (a Go function), [DefineRaw] (a JSON Schema
// and a handler) or [Catalog.Adopt] (everything that a server offers). A schema
// is compiled once, at registration; [ToolFn.Check] then holds a call's
// arguments against it before the call is made. [Discovery] is the one
// implementation of finding and describing functions, for programs and for
// native tools.
//
// The package knows no language, no transport and no policy: a [Style] is told
// how a language spells things, and calling a capability is the business of
// package dispatch alone.
package toolfn
