// Package sandbox holds what keeps a program inside its bounds, in any language:
// limits and the meter that enforces them, the gate that closes host members, the
// fault form in which every failure is told, and spelling suggestions.
//
// It knows no language and imports nothing of this module.
package sandbox
