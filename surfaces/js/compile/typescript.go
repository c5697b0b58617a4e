package compile

import "github.com/polyglove/polyglove/sandbox"

const typesNote = "TypeScript types were ignored: write plain JavaScript."

// withoutTypes reads a program that does not parse as JavaScript without its
// TypeScript types. They are blanked token by token, so nothing moves.
func (s *source) withoutTypes(sc *scan, most int) (*tree, *scan) {
	e := &eraser{text: s.text, scan: sc, out: []byte(s.text)}
	if !e.erase() {
		return nil, nil
	}
	if e.fault != nil {
		panic(placed{s.fault(e.fault, e.faultAt)})
	}
	other := &source{name: s.name, given: s.given, text: string(e.out)}
	otherScan, fault := prescan(other, most)
	if fault != nil {
		return nil, nil
	}
	t, otherScan, problem := other.readPlain(otherScan)
	if problem != nil {
		return nil, nil
	}
	s.text, s.moved = other.text, other.moved
	s.notes = append(append(s.notes, typesNote), other.notes...)
	return t, otherScan
}

// placed carries a fault that has its position out of a reading.
type placed struct{ fault *sandbox.Fault }

// eraser blanks types. It knows TypeScript's grammar as far as tokens show it.
type eraser struct {
	*scan
	text    string
	out     []byte
	erased  bool
	fault   *sandbox.Fault
	faultAt int
}

func (e *eraser) at(i int) string {
	if i < 0 || i >= len(e.tokens) {
		return ""
	}
	return e.text[e.tokens[i].at:e.tokens[i].end]
}

func (e *eraser) isWord(i int) bool {
	return i >= 0 && i < len(e.tokens) && e.tokens[i].kind == tokenWord
}

func (e *eraser) newline(i int) bool { return i >= len(e.tokens) || e.tokens[i].newline }

// blank erases the tokens from i up to j.
func (e *eraser) blank(i, j int) {
	if i >= j || i >= len(e.tokens) {
		return
	}
	for k := int(e.tokens[i].at); k < int(e.tokens[j-1].end); k++ {
		if e.out[k] != '\n' && e.out[k] != '\r' {
			e.out[k] = ' '
		}
	}
	e.erased = true
}

// erase looks at every token once; false where there was nothing to erase.
func (e *eraser) erase() bool {
	for i := 0; i < len(e.tokens) && e.fault == nil; {
		i = max(i+1, e.step(i))
	}
	return e.erased || e.fault != nil
}

// statementBegins reports whether a statement may begin at a token.
func (e *eraser) statementBegins(i int) bool {
	switch e.at(i - 1) {
	case "", ";", "{", "}", ")":
		return true
	case "export":
		return e.statementBegins(i - 1)
	}
	return e.newline(i)
}

// step erases what begins at a token and gives where to go on.
func (e *eraser) step(i int) int {
	word := e.at(i)
	if e.isWord(i) && e.at(i-1) != "." && e.at(i-1) != "?." {
		switch word {
		case "interface", "declare", "type", "enum", "namespace", "abstract":
			if e.isWord(i+1) && !e.newline(i+1) && e.statementBegins(i) {
				return e.declaration(i)
			}
		case "export", "import":
			switch e.at(i + 1) {
			case "type", "interface", "declare":
				return e.moduleType(i)
			}
		case "const", "let", "var":
			if e.at(i+1) == "enum" && e.isWord(i+2) {
				return e.declaration(i + 1)
			}
			return e.declarators(i + 1)
		case "function":
			return e.functionHead(i + 1)
		case "class":
			return e.class(i)
		case "as", "satisfies":
			if e.operandEnds(i-1) && !e.newline(i) && e.at(i+1) != "(" && e.typeStarts(i+1) {
				end := e.skipType(i + 1)
				e.blank(i, end)
				return end
			}
		case "catch":
			if e.at(i+1) == "(" {
				e.parameters(i + 1)
			}
		}
		if e.at(i+1) == "<" && !prefixWord(word) {
			return e.typeArguments(i + 1)
		}
		return i + 1
	}
	switch word {
	case "!":
		if e.operandEnds(i-1) && !e.newline(i) && e.afterAssertion(i+1) {
			e.blank(i, i+1)
		}
	case "(":
		if m := int(e.match[i]); m >= 0 && e.arrowFollows(m+1) {
			e.parameters(i)
			e.returnType(m + 1)
		}
	case "<":
		if !e.operandEnds(i - 1) {
			if end := e.skipArguments(i); end > 0 && e.at(end) == "(" {
				e.blank(i, end)
				return end
			}
		}
	}
	return i + 1
}

// operandEnds reports whether an operand may end at a token.
func (e *eraser) operandEnds(i int) bool {
	if i < 0 {
		return false
	}
	switch e.tokens[i].kind {
	case tokenWord:
		return !prefixWord(e.at(i))
	case tokenNumber, tokenString, tokenRegex:
		return true
	case tokenTemplate:
		return e.text[e.tokens[i].end-1] == '`'
	}
	switch e.at(i) {
	case ")", "]", "}":
		return true
	}
	return false
}

// afterAssertion reports whether a token may follow the non-null operator.
func (e *eraser) afterAssertion(i int) bool {
	switch e.at(i) {
	case ".", "[", "(", ")", "]", "}", ",", ";", "?.", "=", "+", "-", "*", "/", "<", ">", ":", "", "===", "!==", "&&", "||", "??", "?":
		return true
	}
	return e.newline(i) || e.at(i) == "as"
}

// declaration erases interface, type, declare and abstract.
func (e *eraser) declaration(i int) int {
	switch e.at(i) {
	case "enum", "namespace":
		e.faultAt = int(e.tokens[i].at)
		e.fault = rejected("'"+e.at(i)+"' is TypeScript and is not available.", "Use a plain object: const Colour = { Red: \"red\", Blue: \"blue\" }.")
		return i + 1
	case "abstract":
		e.blank(i, i+1)
		return i + 1
	case "interface":
		for j := i + 1; j < len(e.tokens); j++ {
			if e.at(j) == "{" && e.match[j] >= 0 {
				e.blank(i, int(e.match[j])+1)
				return int(e.match[j]) + 1
			}
		}
	case "type":
		j := i + 2
		if e.at(j) == "<" {
			j = max(j, e.skipArguments(j))
		}
		if e.at(j) == "=" {
			return e.blankStatement(i, e.skipType(j+1))
		}
	case "declare":
		j := i + 1
		for j < len(e.tokens) && e.at(j) != ";" && !(e.newline(j) && j > i+1) {
			if e.match[j] > int32(j) {
				j = int(e.match[j])
			}
			j++
		}
		return e.blankStatement(i, j)
	}
	return i + 1
}

// moduleType erases export before a type, and import type … from ….
func (e *eraser) moduleType(i int) int {
	if e.at(i) == "export" {
		e.blank(i, i+1)
		return i + 1
	}
	j := i + 1
	for j < len(e.tokens) && e.at(j) != ";" && (!e.newline(j) || j == i+1) {
		if m := int(e.match[j]); m > j {
			j = m
		}
		j++
	}
	return e.blankStatement(i, j)
}

func (e *eraser) blankStatement(from, to int) int {
	if e.at(to) == ";" {
		to++
	}
	e.blank(from, to)
	return to
}

// declarators erases the annotations of const, let and var.
func (e *eraser) declarators(i int) int {
	switch {
	case e.at(i) == "{" || e.at(i) == "[":
		i = int(e.match[i]) + 1
	case e.isWord(i):
		i++
	}
	if e.at(i) == "!" && e.at(i+1) == ":" {
		e.blank(i, i+1)
		i++
	}
	if e.at(i) != ":" {
		return i
	}
	end := e.skipType(i + 1)
	e.blank(i, end)
	return end
}

// functionHead erases type parameters, parameter types and the return type of a
// function; i is after the word function.
func (e *eraser) functionHead(i int) int {
	if e.at(i) == "*" {
		i++
	}
	if e.isWord(i) {
		i++
	}
	return e.method(i)
}

// method is functionHead from the type parameters on; it gives where the body is.
func (e *eraser) method(i int) int {
	if e.at(i) == "<" {
		if end := e.skipArguments(i); end > 0 {
			e.blank(i, end)
			i = end
		}
	}
	if e.at(i) != "(" || e.match[i] < 0 {
		return i
	}
	e.parameters(i)
	return e.returnType(int(e.match[i]) + 1)
}

func (e *eraser) returnType(i int) int {
	if e.at(i) != ":" {
		return i
	}
	end := e.skipReturn(i + 1)
	e.blank(i, end)
	return end
}

// skipReturn skips a return type, which may be a predicate: x is T, asserts x is T.
func (e *eraser) skipReturn(i int) int {
	if e.at(i) == "asserts" && e.isWord(i+1) {
		i++
	}
	end := e.skipType(i)
	if e.at(end) == "is" {
		end = e.skipType(end + 1)
	}
	return end
}

// arrowFollows reports whether => or a return type and => come next.
func (e *eraser) arrowFollows(i int) bool {
	if e.at(i) == "=>" {
		return true
	}
	return e.at(i) == ":" && e.typeStarts(i+1) && e.at(e.skipReturn(i+1)) == "=>"
}

// modifiers stand before a parameter or a member of a class.
var modifiers = map[string]bool{"public": true, "private": true, "protected": true, "readonly": true, "override": true, "abstract": true, "declare": true}

// parameters erases types in a parameter list; i is its opening parenthesis.
func (e *eraser) parameters(i int) {
	end := int(e.match[i])
	for j := i + 1; j < end; {
		j = e.parameter(i, j, end)
	}
}

// parameter erases the types of one parameter and gives where the next begins.
func (e *eraser) parameter(open, j, end int) int {
	for modifiers[e.at(j)] && (e.isWord(j+1) || e.at(j+1) == "{" || e.at(j+1) == "[") {
		if e.at(open-1) == "constructor" {
			e.faultAt = int(e.tokens[j].at)
			e.fault = rejected("parameter properties are TypeScript and are not available.", "Assign in the body: this."+e.at(j+1)+" = "+e.at(j+1)+";")
			return end
		}
		e.blank(j, j+1)
		j++
	}
	if e.at(j) == "..." {
		j++
	}
	if e.at(j) == "{" || e.at(j) == "[" {
		j = int(e.match[j])
	}
	j++
	if e.at(j) == "?" {
		e.blank(j, j+1)
		j++
	}
	if e.at(j) == ":" {
		stop := min(e.skipType(j+1), end)
		e.blank(j, stop)
		j = stop
	}
	for j < end && e.at(j) != "," {
		if m := int(e.match[j]); m > j {
			e.step(j)
			e.within(j, m)
			j = m + 1
			continue
		}
		j = max(j+1, e.step(j))
	}
	return j + 1
}

// within erases what stands in a default value.
func (e *eraser) within(from, to int) {
	for k := from + 1; k < to; {
		k = max(k+1, e.step(k))
	}
}

// class erases the types in a class's head and of its members.
func (e *eraser) class(i int) int {
	j := i + 1
	if e.isWord(j) && e.at(j) != "extends" && e.at(j) != "implements" {
		j++
	}
	for j < len(e.tokens) && e.at(j) != "{" {
		switch {
		case e.at(j) == "<":
			end := e.skipArguments(j)
			if end <= 0 {
				return j
			}
			e.blank(j, end)
			j = end
		case e.at(j) == "implements":
			k := j
			for k < len(e.tokens) && e.at(k) != "{" {
				k++
			}
			e.blank(j, k)
			j = k
		default:
			j++
		}
	}
	if e.at(j) == "{" && e.match[j] >= 0 {
		e.members(j)
	}
	return j + 1
}

// members erases the types of a class's members; the bodies of methods are left to
// the walk over all tokens.
func (e *eraser) members(open int) {
	end := int(e.match[open])
	for j := open + 1; j < end; {
		if e.at(j) == ";" {
			j++
			continue
		}
		j = e.memberOf(j, end)
	}
}

func (e *eraser) memberOf(j, end int) int {
	for e.isWord(j) && (modifiers[e.at(j)] || e.at(j) == "static" || e.at(j) == "async" || e.at(j) == "get" || e.at(j) == "set") &&
		(e.isWord(j+1) || e.at(j+1) == "[" || e.at(j+1) == "*" || e.tokens[j+1].kind == tokenString) {
		if modifiers[e.at(j)] {
			e.blank(j, j+1)
		}
		j++
	}
	if e.at(j) == "*" {
		j++
	}
	if m := int(e.match[j]); m > j {
		j = m
	}
	j++
	if e.at(j) == "?" || e.at(j) == "!" {
		e.blank(j, j+1)
		j++
	}
	if e.at(j) == "(" || e.at(j) == "<" {
		body := e.method(j)
		if e.at(body) == "{" && e.match[body] >= 0 {
			return int(e.match[body]) + 1
		}
		return body + 1
	}
	if e.at(j) == ":" {
		stop := e.skipType(j + 1)
		e.blank(j, stop)
		j = stop
	}
	for j < end && e.at(j) != ";" && !(e.newline(j) && e.operandEnds(j-1)) {
		if m := int(e.match[j]); m > j {
			j = m
		}
		j++
	}
	return j
}

// typeArguments erases <…> between a name and the parenthesis of a call.
func (e *eraser) typeArguments(i int) int {
	end := e.skipArguments(i)
	if end <= 0 {
		return i
	}
	switch e.at(end) {
	case "(", "`", "":
		e.blank(i, end)
		return end
	}
	return i
}

// ---- types

// typeStarts reports whether a type may begin at a token.
func (e *eraser) typeStarts(i int) bool {
	if i >= len(e.tokens) {
		return false
	}
	switch e.tokens[i].kind {
	case tokenWord, tokenString, tokenNumber, tokenTemplate:
		return true
	}
	switch e.at(i) {
	case "{", "[", "(", "|", "&", "-":
		return true
	}
	return false
}

// typePrefixes stand before a type.
var typePrefixes = map[string]bool{"keyof": true, "typeof": true, "readonly": true, "unique": true, "infer": true, "new": true}

// skipType gives the index after the type that begins at a token.
func (e *eraser) skipType(i int) int {
	if e.at(i) == "|" || e.at(i) == "&" {
		i++
	}
	for {
		i = e.skipOne(i)
		switch e.at(i) {
		case "|", "&":
			i++
			continue
		case "extends":
			i++
			continue
		case "?":
			// A conditional type: only after extends, which no other place has.
			return i
		}
		return i
	}
}

// skipOne skips a type without | and &.
func (e *eraser) skipOne(i int) int {
	for e.isWord(i) && typePrefixes[e.at(i)] {
		i++
	}
	if i >= len(e.tokens) {
		return i
	}
	switch {
	case e.at(i) == "(":
		m := int(e.match[i])
		if m < 0 {
			return i
		}
		i = m + 1
		if e.at(i) == "=>" {
			return e.skipReturn(i + 1)
		}
	case e.at(i) == "<":
		if end := e.skipArguments(i); end > 0 {
			return e.skipOne(end)
		}
		return i
	case e.at(i) == "{" || e.at(i) == "[":
		if e.match[i] < 0 {
			return i
		}
		i = int(e.match[i]) + 1
	case e.at(i) == "-":
		i += 2
	case e.tokens[i].kind == tokenTemplate:
		for i < len(e.tokens) && !(e.tokens[i].kind == tokenTemplate && e.text[e.tokens[i].end-1] == '`') {
			i++
		}
		i++
	case e.typeStarts(i):
		i++
		for e.at(i) == "." && e.isWord(i+1) {
			i += 2
		}
		if e.at(i) == "<" {
			if end := e.skipArguments(i); end > 0 {
				i = end
			}
		}
	default:
		return i
	}
	for e.at(i) == "[" && e.match[i] >= 0 && !e.newline(i) {
		i = int(e.match[i]) + 1
	}
	return i
}

// skipArguments skips <…> and gives the index after it, or 0 where what stands
// there is no list of types. A token of several > closes several lists.
func (e *eraser) skipArguments(i int) int {
	depth := 0
	for ; i < len(e.tokens); i++ {
		t := e.at(i)
		switch {
		case t == "<":
			depth++
		case t == ">" || t == ">>" || t == ">>>":
			if depth -= len(t); depth == 0 {
				return i + 1
			}
			if depth < 0 {
				return 0
			}
		case t == "(" || t == "[" || t == "{":
			if e.match[i] < 0 {
				return 0
			}
			i = int(e.match[i])
		case t == "," || t == "|" || t == "&" || t == "." || t == "=" || t == "=>" || t == "?" || t == ":":
		case e.tokens[i].kind == tokenPunct:
			return 0
		}
	}
	return 0
}
