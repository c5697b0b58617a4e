package sandbox

import "strings"

// Nearest gives the candidate that a misspelt name most likely meant: the one
// at the smallest edit distance, ignoring case, within ⌊len/3⌋+1 and at most 3
// edits; the first on a tie. A name of one letter has no near name, because
// every other letter would be as near.
func Nearest(name string, candidates []string) (string, bool) {
	low := strings.ToLower(name)
	length := len([]rune(low))
	if length < 2 || length > 100 {
		return "", false
	}
	bound := min(length/3+1, 3)
	best, found := "", false
	for _, c := range candidates {
		if c == name || len(c) > 100 || len([]rune(c)) < 2 {
			continue
		}
		if d := editDistance(low, strings.ToLower(c), bound); d <= bound {
			best, found, bound = c, true, d-1
			if bound < 0 {
				break
			}
		}
	}
	return best, found
}

// editDistance is the number of insertions, deletions, substitutions and swaps
// of neighbours between two names, or most+1 once it must exceed most.
func editDistance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > most || len(y)-len(x) > most {
		return most + 1
	}
	before, prev := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i, r := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		low := row[0]
		for j, s := range y {
			cost := 1
			if r == s {
				cost = 0
			}
			row[j+1] = min(prev[j+1]+1, row[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && r == y[j-1] && x[i-1] == s {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			low = min(low, row[j+1])
		}
		if low > most {
			return most + 1
		}
		before, prev = prev, row
	}
	return prev[len(y)]
}
