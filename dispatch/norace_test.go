//go:build !race

package dispatch

const slowdown = 1
