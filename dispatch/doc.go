// Package dispatch is the one door to a capability. Every call, from any
// language, is validated, passes policy, is made under a time limit, normalised,
// tallied and journalled here and nowhere else.
package dispatch
