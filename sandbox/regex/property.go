package regex

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/polyglove/polyglove/sandbox"
)

//go:generate go run gen_unicode.go -ucd /usr/share/unicode

// property gives the characters of a Unicode property as written between the
// braces of \p{…}: Name, or Name=Value, each in its long or short spelling and
// no other (ECMA-262 22.2.2.9, tables 67 to 70). The data is of unicode.Version.
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

// scriptName gives the long name of a script.
func scriptName(name string) string {
	if long, ok := scriptAliases[name]; ok {
		return long
	}
	return name
}

// script gives a value of Script.
func script(name string) (charset, bool) {
	name = scriptName(name)
	if name == "Unknown" {
		var all []charset
		for _, t := range unicode.Scripts {
			all = append(all, fromTable(t))
		}
		return union(all...).invert(), true
	}
	t, ok := unicode.Scripts[name]
	if !ok {
		return nil, false
	}
	return fromTable(t), true
}

// scriptExtensions gives a value of Script_Extensions: that of Script, except
// for the characters that have a list of scripts.
func scriptExtensions(name string) (charset, bool) {
	s, ok := script(name)
	if !ok {
		return nil, false
	}
	name = scriptName(name)
	var listed, added []charset
	for _, x := range scriptExtensionSets {
		spans := unpackSpans(x.spans)
		listed = append(listed, spans)
		for short := range strings.FieldsSeq(x.scripts) {
			if scriptName(short) == name {
				added = append(added, spans)
			}
		}
	}
	return union(append(added, s.subtract(union(listed...)))...), true
}

// binaryAliases are the short names of binary properties, ECMA-262 table 68,
// and the names of those that package unicode has.
var binaryAliases = map[string]string{
	"AHex": "ASCII_Hex_Digit", "Alpha": "Alphabetic", "Bidi_C": "Bidi_Control", "Bidi_M": "Bidi_Mirrored",
	"CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded", "CWCM": "Changes_When_Casemapped",
	"CWKCF": "Changes_When_NFKC_Casefolded", "CWL": "Changes_When_Lowercased", "CWT": "Changes_When_Titlecased",
	"CWU": "Changes_When_Uppercased", "DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated", "Dia": "Diacritic",
	"EBase": "Emoji_Modifier_Base", "EComp": "Emoji_Component", "EMod": "Emoji_Modifier", "EPres": "Emoji_Presentation",
	"ExtPict": "Extended_Pictographic", "Ext": "Extender", "Gr_Base": "Grapheme_Base", "Gr_Ext": "Grapheme_Extend",
	"Hex": "Hex_Digit", "IDC": "ID_Continue", "IDS": "ID_Start", "IDSB": "IDS_Binary_Operator",
	"IDST": "IDS_Trinary_Operator", "Ideo": "Ideographic", "Join_C": "Join_Control", "LOE": "Logical_Order_Exception",
	"Lower": "Lowercase", "NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space",
	"QMark": "Quotation_Mark", "RI": "Regional_Indicator", "SD": "Soft_Dotted", "STerm": "Sentence_Terminal",
	"Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph", "Upper": "Uppercase", "VS": "Variation_Selector",
	"XIDC": "XID_Continue", "XIDS": "XID_Start", "space": "White_Space",
}

// notInECMAScript are properties that package unicode has and ECMA-262 leaves
// out.
var notInECMAScript = []string{
	"Hyphen", "Other_Alphabetic", "Other_Default_Ignorable_Code_Point", "Other_Grapheme_Extend", "Other_ID_Continue",
	"Other_ID_Start", "Other_Lowercase", "Other_Math", "Other_Uppercase", "Prepended_Concatenation_Mark",
}

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
	if long, ok := binaryAliases[name]; ok {
		name = long
	}
	if packed, ok := derivedProperties[name]; ok {
		return unpackSpans(packed), true
	}
	t, ok := unicode.Properties[name]
	if !ok || name == "STerm" || slices.Contains(notInECMAScript, name) {
		return nil, false
	}
	return fromTable(t), true
}

// unpackSpans reads the distances between the bounds of spans.
func unpackSpans(packed string) charset {
	raw := []byte(packed)
	s := make(charset, 0, len(raw)/2)
	at := rune(0)
	for len(raw) > 0 {
		skip, n := binary.Uvarint(raw)
		more, m := binary.Uvarint(raw[n:])
		raw = raw[n+m:]
		lo := at + rune(skip)
		at = lo + rune(more)
		s = append(s, span{lo, at})
	}
	return s
}

// stringProperty gives a property whose members are strings, ECMA-262 table 71.
func stringProperty(name string) (chars charset, strs []string, ok bool) {
	if name != "RGI_Emoji" {
		d, ok := stringProperties[name]
		if !ok {
			return nil, nil, false
		}
		for s := range strings.FieldsSeq(d.strings) {
			strs = append(strs, wide([]rune(s)))
		}
		return unpackSpans(d.chars), strs, true
	}
	for _, part := range []string{
		"Basic_Emoji", "Emoji_Keycap_Sequence", "RGI_Emoji_Modifier_Sequence", "RGI_Emoji_Flag_Sequence",
		"RGI_Emoji_Tag_Sequence", "RGI_Emoji_ZWJ_Sequence",
	} {
		c, s, _ := stringProperty(part)
		chars, strs = union(chars, c), append(strs, s...)
	}
	return chars, strs, true
}

// propertyHint says which property was probably meant.
func propertyHint(name, hint string) string {
	var names []string
	add := func(n string) {
		// Two letters are near to too many names.
		if len(n) > 2 {
			names = append(names, n)
		}
	}
	prefix := ""
	if key, value, paired := strings.Cut(name, "="); paired {
		for s := range unicode.Scripts {
			add(s)
		}
		name, prefix = value, "Script="
		if key == "gc" || key == "General_Category" {
			names, prefix = nil, ""
		}
	} else if _, ok := unicode.Scripts[scriptName(name)]; ok {
		return `A script is written \p{Script=` + name + "}."
	}
	if prefix == "" {
		for n := range unicode.Categories {
			add(n)
		}
		for n := range unicode.CategoryAliases {
			add(n)
		}
		for _, n := range binaryAliases {
			add(n)
		}
	}
	// Nearest takes the first of equals, so the order must not be a map's.
	slices.Sort(names)
	if near, ok := sandbox.Nearest(name, names); ok {
		return `Did you mean \p{` + prefix + near + "}?"
	}
	return hint
}

// The characters of identifiers, ECMA-262 12.7.
var (
	idStart    = sync.OnceValue(func() charset { return unpackSpans(derivedProperties["ID_Start"]) })
	idContinue = sync.OnceValue(func() charset { return unpackSpans(derivedProperties["ID_Continue"]) })
)
