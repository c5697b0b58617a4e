package syntax

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalName gives the NFKC form of an identifier.
func normalName(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFKC.String(s)
		}
	}
	return s
}
