package regex

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

// ecmascriptFlags are the flags of a regular expression literal, ECMA-262
// 22.2.3.4. d and g change nothing here: they are about what the caller makes
// of a match.
type ecmascriptFlags struct {
	ignoreCase, multiline, dotAll, unicode, sets, sticky bool
}

// codePoints reports whether a character is a code point.
func (f ecmascriptFlags) codePoints() bool { return f.unicode || f.sets }

// folding is how characters are compared.
func (f ecmascriptFlags) folding() folding {
	switch {
	case !f.ignoreCase:
		return exact
	case f.codePoints():
		return simpleFolding
	}
	return upperFolding
}

// modify sets one of the flags that a group may change.
func (f *ecmascriptFlags) modify(flag rune, on bool) {
	switch flag {
	case 'i':
		f.ignoreCase = on
	case 'm':
		f.multiline = on
	case 's':
		f.dotAll = on
	}
}

// parseECMAScriptFlags reads flags, each at most once and not u with v.
func parseECMAScriptFlags(flags string) (f ecmascriptFlags, ok bool) {
	for i, c := range flags {
		if strings.ContainsRune(flags[:i], c) {
			return f, false
		}
		switch c {
		case 'd', 'g':
		case 'i':
			f.ignoreCase = true
		case 'm':
			f.multiline = true
		case 's':
			f.dotAll = true
		case 'u':
			f.unicode = true
		case 'v':
			f.sets = true
		case 'y':
			f.sticky = true
		default:
			return f, false
		}
	}
	return f, !(f.unicode && f.sets)
}

// sortFlags puts flags in the order in which they are shown.
func sortFlags(flags string) string {
	b := []byte(flags)
	slices.Sort(b)
	return string(b)
}

func badFlags(flags string) error {
	text := "Invalid flags supplied to RegExp constructor '" + sandbox.Clip(flags, 40) + "'"
	return &sandbox.Fault{
		Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: text,
		Hint:  "The flags are d, g, i, m, s, u, v and y, each at most once, and u not together with v.",
		Cause: &SyntaxError{Flags: flags, Text: text},
	}
}
