//go:build race

package js_test

// raceEnabled says that the race detector multiplies memory.
const raceEnabled = true
