package elide

// Step is one step of the way from the root of a value to a part of it.
type Step struct {
	Key     string
	Index   int
	IsIndex bool
}

// Style spells what the markers advise in one language.
type Style struct {
	// ReadOn says how a program reads elements from..to of the list at path, the
	// root being the last result; "" where it cannot be said briefly.
	ReadOn func(path []Step, from, to int) string
	// Hint is the advice where ReadOn has none.
	Hint string
}

// Neutral is a style that names no language.
func Neutral() Style {
	return Style{Hint: "count it, take a small slice, or keep it in a variable"}
}
