// Package toolfn is the catalogue: functions ([ToolFn]) and tables
// ([ResourceTable]), their schemas, signatures and result shapes, and the
// discovery tiers over them.
//
// It knows no language, no transport and no policy: calling a capability is the
// business of package dispatch alone.
package toolfn
