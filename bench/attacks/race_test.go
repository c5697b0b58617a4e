//go:build unix && race

package attacks

// slower: the race detector keeps shadow memory and slows programs down, so that
// neither figure says anything about the sandbox.
const slower = true
