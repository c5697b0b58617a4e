//go:build unix && !race

package attacks

const slower = false
