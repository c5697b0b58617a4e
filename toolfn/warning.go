package toolfn

import "strings"

// Warning is something that was put right or left out while the catalogue took
// in a function, a table or a schema. None of them stops the rest from working.
type Warning struct {
	Server  string // the group, "" if there is none
	Name    string // the function or table, "" if the warning is about the server
	Path    string // where in the schema: "filter.state"; "" for the whole
	Message string // one sentence
}

// String gives the warning in one line.
func (w Warning) String() string {
	var b strings.Builder
	switch {
	case w.Name != "":
		b.WriteString(w.Name + ": ")
	case w.Server != "":
		b.WriteString(w.Server + ": ")
	}
	if w.Path != "" {
		b.WriteString(w.Path + ": ")
	}
	b.WriteString(w.Message)
	return b.String()
}
