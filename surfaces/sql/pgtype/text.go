package pgtype

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// FitVarchar applies the length of a varchar(n), in characters. What is too long
// is an error unless only spaces would be lost, or the cast is explicit, which
// cuts.
func FitVarchar(s string, limit int, explicit bool) (string, *pgerr.Error) {
	return cutTo(s, limit, explicit, "character varying")
}

// FitBpchar applies the length of a char(n): it cuts as [FitVarchar] does and pads
// with spaces.
func FitBpchar(s string, length int, explicit bool) (string, *pgerr.Error) {
	s, err := cutTo(s, length, explicit, "character")
	if err != nil {
		return "", err
	}
	return s + strings.Repeat(" ", max(0, length-utf8.RuneCountInString(s))), nil
}

// TrimBpchar drops the spaces at the end, which do not count in a char(n) when it
// is compared or becomes text.
func TrimBpchar(s string) string { return strings.TrimRight(s, " ") }

func cutTo(s string, limit int, explicit bool, typeName string) (string, *pgerr.Error) {
	if len(s) <= limit {
		return s, nil
	}
	n := 0
	for i := range s {
		if n == limit {
			if !explicit && strings.Trim(s[i:], " ") != "" {
				return "", pgerr.New(pgerr.StringTruncation, "value too long for type %s(%d)", typeName, limit)
			}
			return s[:i], nil
		}
		n++
	}
	return s, nil
}
