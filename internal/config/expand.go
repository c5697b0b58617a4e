package config

import (
	"fmt"
	"strings"
)

// Variable is a variable of the environment that an expansion used.
type Variable struct{ Name, Value string }

// Expand replaces ${NAME} and ${NAME:-default} in a text, as a POSIX shell does
// (XCU 2.6.2): the default also stands for an empty variable. ${env:NAME} is
// ${NAME}. An unset variable without a default is an error that names it, and
// the text is not used; nothing else after a dollar sign has a meaning.
func Expand(text string, env func(string) (string, bool)) (out string, used []Variable, err error) {
	var b strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			b.WriteString(text)
			return b.String(), used, nil
		}
		b.WriteString(text[:i])
		text = text[i+2:]
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return "", nil, fmt.Errorf("${%s has no closing brace", shown(text))
		}
		name, fallback, hasFallback := strings.Cut(text[:end], ":-")
		name = strings.TrimPrefix(name, "env:")
		text = text[end+1:]
		if !variableName(name) {
			return "", nil, fmt.Errorf("${%s} is not a variable that can be used here; write ${NAME} or ${NAME:-default}", shown(name))
		}
		v, ok := env(name)
		switch {
		case hasFallback && v == "":
			b.WriteString(fallback)
			continue
		case !ok:
			return "", nil, fmt.Errorf("the variable %s is not set; set it, or write ${%s:-default}", name, name)
		}
		b.WriteString(v)
		used = append(used, Variable{name, v})
	}
}

func variableName(s string) bool {
	for i, r := range s {
		if r != '_' && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && !(i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != ""
}
