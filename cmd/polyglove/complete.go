package main

import (
	"sort"
	"strings"
	"unicode"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
)

// completer knows the names that a program can use.
type completer struct {
	session surfaces.Session
	catalog *toolfn.Catalog
}

// cutWord cuts a line before the dotted name that it ends with.
func cutWord(line string) (head, word string) {
	i := strings.LastIndexFunc(line, func(r rune) bool {
		return r != '.' && r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if i < 0 {
		return "", line
	}
	_, size := lastRune(line[i:])
	return line[:i+size], line[i+size:]
}

func lastRune(s string) (rune, int) {
	for i, r := range s {
		if i == 0 {
			return r, len(string(r))
		}
	}
	return 0, 0
}

// complete gives the names that a word may become, in alphabetical order.
func (c completer) complete(word string) []string {
	var names []string
	add := func(name string) {
		if strings.HasPrefix(name, word) && name != word {
			names = append(names, name)
		}
	}
	if !strings.Contains(word, ".") {
		for _, b := range toolfn.Builtins() {
			add(b + "(")
		}
		for _, d := range c.session.Defs() {
			add(d.Name)
		}
	}
	for _, g := range c.catalog.Servers() {
		if g.Name == toolfn.Ungrouped {
			for _, f := range g.Functions {
				add(f.Name + "(")
			}
			continue
		}
		if !strings.Contains(word, ".") {
			add(g.Name + ".")
			continue
		}
		for _, f := range g.Functions {
			add(g.Name + "." + f.Local() + "(")
		}
	}
	sort.Strings(names)
	return names
}
