package sandbox

import "unicode/utf8"

// Clip cuts text to at most most code points, the last of them an ellipsis if
// anything was cut.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most-1 {
			if utf8.RuneCountInString(text[i:]) == 1 {
				return text
			}
			return text[:i] + "…"
		}
		n++
	}
	return text
}
