//go:build race

package dispatch

// slowdown divides the number of random histories under the race detector.
const slowdown = 20
