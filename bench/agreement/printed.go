package main

import "strings"

// marker begins what an elided line says of what was left out.
const marker = "…"

// follows reports whether our printed text is the recorded one, or as much of it
// as the budget for printed lines holds, with a mark where something is left out.
func follows(want, got string) bool {
	if want == got {
		return true
	}
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range lines {
		if i == len(lines)-1 && strings.HasPrefix(line, marker) {
			return i < len(wanted) // the rest was dropped
		}
		if i >= len(wanted) {
			return false
		}
		head, _, cut := strings.Cut(line, marker)
		if line != wanted[i] && !(cut && head != "" && strings.HasPrefix(wanted[i], head)) {
			return false
		}
	}
	return len(lines) == len(wanted)
}
