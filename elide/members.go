package elide

import "strings"

// scanLimit is how many keys are looked at when not all can be shown.
const scanLimit = 400

// chooseMembers picks which members of an object are shown, as positions in
// order: all if they fit; else those that tell one object from another (ids,
// names, titles, keys, numbers) before the rest.
func chooseMembers(m Map, n, most int) []int {
	chosen := make([]int, 0, min(n, most))
	if n <= most {
		for i := range n {
			chosen = append(chosen, i)
		}
		return chosen
	}
	scan := min(n, scanLimit)
	telling := make([]bool, scan)
	left := most
	for i := range scan {
		if key, _ := m.Entry(i); tells(key) && left > 0 {
			telling[i] = true
			left--
		}
	}
	for i := range scan {
		if telling[i] {
			chosen = append(chosen, i)
		} else if left > 0 {
			chosen = append(chosen, i)
			left--
		}
	}
	return chosen
}

func tells(key string) bool {
	switch strings.ToLower(key) {
	case "id", "key", "name", "title", "number", "uuid", "code", "slug", "count", "total", "error":
		return true
	}
	return false
}
