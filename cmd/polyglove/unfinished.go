package main

// unfinished reports whether a program plainly goes on: a bracket, a template or
// a comment is open. It is a guess for a person's convenience, made without a
// parser; an empty line ends a program whatever it says.
func unfinished(text string) bool {
	var open []byte // the brackets that are open, and ` for a template
	for i := 0; i < len(text); i++ {
		inTemplate := len(open) > 0 && open[len(open)-1] == '`'
		switch c := text[i]; {
		case inTemplate && c == '\\':
			i++
		case inTemplate && c == '`':
			open = open[:len(open)-1]
		case inTemplate && c == '$' && i+1 < len(text) && text[i+1] == '{':
			open = append(open, '{')
			i++
		case inTemplate:
		case c == '`':
			open = append(open, '`')
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			end := i + 2
			for end+1 < len(text) && (text[end] != '*' || text[end+1] != '/') {
				end++
			}
			if end+1 >= len(text) {
				return true
			}
			i = end + 1
		case c == '(' || c == '[' || c == '{':
			open = append(open, c)
		case c == ')' || c == ']' || c == '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return len(open) > 0
}
