package regex

import (
	"strings"
	"unicode"
)

// property gives the characters of a Unicode property as written between the
// braces of \p{…}: Name, Name=Value (ECMA-262 22.2.1.10, tables 67 to 70), each
// in its long or short spelling and no other.
func property(text string) (charset, bool) {
	name, value, paired := strings.Cut(text, "=")
	if !paired {
		if s, ok := generalCategory(name); ok {
			return s, true
		}
		return binaryProperty(name)
	}
	switch name {
	case "General_Category", "gc":
		return generalCategory(value)
	case "Script", "sc":
		return script(value)
	case "Script_Extensions", "scx":
		return scriptExtensions(value)
	}
	return nil, false
}

// generalCategory gives a value of General_Category.
func generalCategory(name string) (charset, bool) {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	t, ok := unicode.Categories[name]
	if !ok {
		return nil, false
	}
	return fromTable(t), true
}

// script gives a value of Script.
func script(name string) (charset, bool) {
	t, ok := unicode.Scripts[name]
	if !ok {
		return nil, false
	}
	return fromTable(t), true
}

// scriptExtensions gives a value of Script_Extensions.
func scriptExtensions(string) (charset, bool) { return nil, false }

// binaryProperty gives a binary property.
func binaryProperty(name string) (charset, bool) {
	switch name {
	case "Any":
		return allChars, true
	case "ASCII":
		return charset{{0, 0x7F}}, true
	case "Assigned":
		return fromTable(unicode.Cn).invert(), true
	}
	t, ok := unicode.Properties[name]
	if !ok {
		return nil, false
	}
	return fromTable(t), true
}

// stringProperty gives a property whose members are strings, ECMA-262 table 71.
func stringProperty(string) ([]string, bool) { return nil, false }

// propertyHint says which property was probably meant.
func propertyHint(_, hint string) string { return hint }

var (
	idStart    = func() charset { return fromTable(unicode.L) }
	idContinue = func() charset { return fromTable(unicode.L) }
)
