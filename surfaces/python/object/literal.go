package object

import "strings"

// QuoteStr writes a string literal as repr does. It charges nothing: the text must
// be short.
func QuoteStr(s string) string {
	var b strings.Builder
	quoteStr(&b, s, false)
	return b.String()
}

// FloatText writes a float as repr does.
func FloatText(f float64) string { return floatRepr(f) }
