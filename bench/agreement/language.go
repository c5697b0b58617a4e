package main

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn/value"
)

// language is what the replay has to know of a language.
type language interface {
	// surface opens sessions.
	surface() surfaces.Language
	// plain turns a result's value into data in the recordings' form, with tags
	// for what JSON cannot say.
	plain(v any) value.Value
	// compare says how a value differs from the recorded one, in one line; "" if
	// it does not. Order alone is reported as reordered.
	compare(want, got value.Value) (difference string, reordered bool)
	// printed reports whether two printed texts have the same content in another
	// form.
	printed(want, got string) bool
	// lenient gives programs that the real language takes and that mean what a
	// listed leniency makes of this one, the likeliest first, each with the
	// leniency's name.
	lenient(program string) []reading
	// lacking gives the name that an error calls undefined, "" for other errors.
	lacking(err string) string
}

// reading is a program as a leniency reads it.
type reading struct {
	leniency string
	program  string
}

// languageOf gives a language by its short name.
func languageOf(name string) (language, error) {
	switch name {
	case "js":
		return javascript{}, nil
	case "lisp":
		return clojure{}, nil
	case "python":
		return cpython{}, nil
	case "sql":
		return postgres{}, nil
	}
	return nil, fmt.Errorf("there is no language %q to replay, there are js, lisp, python and sql", name)
}
