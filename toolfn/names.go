package toolfn

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxName is the longest name in bytes, so that a name fits into any message.
const maxName = 128

// Builtins are the discovery functions that every program has. No capability
// may take one of these names.
var builtins = []string{
	"search", "servers", "fns", "describe",
	"search_functions", "list_servers", "list_functions", "describe_function",
}

// Builtins lists the names of the discovery functions, the short ones first.
func Builtins() []string { return append([]string(nil), builtins...) }

func reserved(name string) bool {
	for _, b := range builtins {
		if b == name {
			return true
		}
	}
	return false
}

// ValidName reports whether a name matches [A-Za-z_][A-Za-z0-9_]* and is at most
// 128 bytes long.
func ValidName(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !identifierByte(c) || i == 0 && c <= '9' {
			return false
		}
	}
	return true
}

func identifierByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// unaccented spells letters that decompose into nothing simpler.
var unaccented = strings.NewReplacer(
	"ß", "ss", "ẞ", "SS", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "Ø", "O",
	"đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "ł", "l", "Ł", "L", "þ", "th", "Þ", "TH", "ı", "i")

// SafeName derives a name that ValidName accepts from any text: accents are
// dropped, each run of other characters becomes one underscore, a leading digit
// gets one. The same text always gives the same name; different texts may give
// the same one, which [Catalog.Adopt] tells apart with a suffix.
func SafeName(name string) string {
	if ValidName(name) {
		return name
	}
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(unaccented.Replace(name)) {
		switch {
		case r < 0x80 && identifierByte(byte(r)):
			if gap && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			gap = false
			b.WriteByte(byte(r))
		case unicode.Is(unicode.Mn, r): // an accent
		default:
			gap = true
		}
		if b.Len() >= maxName-8 {
			break
		}
	}
	s := b.String()
	switch {
	case strings.Trim(s, "_") == "":
		return "fn"
	case s[0] <= '9':
		return "_" + s
	}
	return s
}

// SafeNamespace derives the name of a server: as [SafeName], and without double
// or trailing underscores, because the first double underscore of a function's
// name ends its server.
func SafeNamespace(name string) string {
	s := SafeName(name)
	for strings.Contains(s, "__") {
		s = strings.ReplaceAll(s, "__", "_")
	}
	s = strings.TrimRight(s, "_")
	if s == "" || s == "fn" && name != "fn" {
		return "server"
	}
	return s
}

// free gives name, or name with the first of _2, _3, … that is not taken.
func free(name string, taken func(string) bool) string {
	if !taken(name) {
		return name
	}
	for i := 2; ; i++ {
		if s := fmt.Sprintf("%s_%d", name, i); !taken(s) {
			return s
		}
	}
}

// groupOf gives the server a function belongs to: the declared one, else what
// stands before the first double underscore of its name.
func groupOf(server, name string) string {
	if server != "" {
		return server
	}
	if before, after, ok := strings.Cut(name, "__"); ok && before != "" && after != "" {
		return before
	}
	return ""
}
