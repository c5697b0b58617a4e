package compile

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

func quoted(s string) string { return strconv.Quote(s) }

// explain words the parser's complaint: what was meant where the text shows it,
// else what is wrong in plain words.
func (s *source) explain(p *parseProblem, sc *scan) *sandbox.Fault {
	d := &diagnosis{source: s, scan: sc, problem: p, index: tokenIndex(sc, p.at)}
	for _, look := range []func() *sandbox.Fault{
		d.module, d.entity, d.foreign, d.prose, d.awaitOutside, d.forAwait, d.pythonLine, d.wordOperator, d.objectBody, d.quoteInside, d.enum, d.jsx,
	} {
		if f := look(); f != nil {
			return f
		}
	}
	return s.fault(parserWords(p.message, d.here(), d.before()), p.at)
}

// foreignText looks for what explains that a text cannot even be cut into tokens.
func (s *source) foreignText(f *sandbox.Fault, offset int) *sandbox.Fault {
	d := &diagnosis{source: s, scan: &scan{}, problem: &parseProblem{at: offset}}
	for _, look := range []func() *sandbox.Fault{d.entity, d.fence, d.foreign, d.markup, d.jsx} {
		if g := look(); g != nil {
			return g
		}
	}
	return s.fault(f, offset)
}

// diagnosis is a look at one syntax error.
type diagnosis struct {
	*source
	*scan
	problem *parseProblem
	index   int // of the token at the problem
}

// tokenIndex gives the index of the first token that ends after an offset.
func tokenIndex(sc *scan, offset int) int {
	return sort.Search(len(sc.tokens), func(i int) bool { return int(sc.tokens[i].end) > offset })
}

func (d *diagnosis) token(i int) string {
	if i < 0 || i >= len(d.tokens) {
		return ""
	}
	return d.text[d.tokens[i].at:d.tokens[i].end]
}

func (d *diagnosis) here() string   { return sandbox.Clip(d.token(d.index), 40) }
func (d *diagnosis) before() string { return sandbox.Clip(d.token(d.index-1), 40) }

// line is the text of the line that holds an offset, without what is around it.
func (d *diagnosis) line(offset int) string {
	offset = min(offset, len(d.text))
	from := strings.LastIndexByte(d.text[:offset], '\n') + 1
	return strings.TrimSpace(d.text[from : offset+lineLength(d.text[offset:])])
}

func (d *diagnosis) at(i int, f *sandbox.Fault) *sandbox.Fault {
	return d.fault(f, int(d.tokens[i].at))
}

// module finds import and export anywhere outside a member.
func (d *diagnosis) module() *sandbox.Fault {
	for i := range d.tokens {
		word := d.token(i)
		if word != "import" && word != "export" || d.token(i-1) == "." || d.token(i-1) == "?." || d.token(i+1) == ":" {
			continue
		}
		if word == "export" {
			return d.at(i, rejected("'export' is not available: a program is no module.", "End the program with the value itself; top-level names stay defined for later programs."))
		}
		if d.token(i+1) == "." {
			return d.at(i, rejected("'import.meta' is not available: a program is no module.", "Remove it."))
		}
		return d.at(i, rejected("'import' is not available: everything a program may use is a global.", "Remove it; fns() lists the tools."))
	}
	return nil
}

var entities = regexp.MustCompile(`&(lt|gt|amp|quot|apos|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,5});`)

// entity finds a program that was escaped for HTML on its way.
func (d *diagnosis) entity() *sandbox.Fault {
	m := entities.FindStringIndex(d.text)
	if m == nil {
		return nil
	}
	return d.fault(syntax("the program is escaped for HTML: it holds "+d.text[m[0]:m[1]]+".", "Send the plain characters: <, >, &, \" and '."), m[0])
}

// fence finds a markdown fence inside the text.
func (d *diagnosis) fence() *sandbox.Fault {
	i := strings.Index(d.text, "```")
	if i < 0 {
		return nil
	}
	return d.fault(syntax("the text holds a markdown fence.", "Send only the code between the fences."), i)
}

var markupTag = regexp.MustCompile(`</?(code|pre|parameter|invoke|tool_call|function_calls|script|answer)\b[^>]*>`)

// markup finds tags that surround a program.
func (d *diagnosis) markup() *sandbox.Fault {
	m := markupTag.FindStringIndex(d.text)
	if m == nil {
		return nil
	}
	return d.fault(syntax("the text holds the tag "+sandbox.Clip(d.text[m[0]:m[1]], 40)+", which is no JavaScript.", "Send only the code."), m[0])
}

var (
	sqlStart   = regexp.MustCompile(`(?i)^\s*(select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|create\s+table\s)`)
	shellStart = regexp.MustCompile(`^\s*(\$\s+\w|(npm|npx|curl|node|cd|ls|cat|echo|pip|python3?|git|sudo)\s+[\w./~-])`)
)

// foreign finds a program in another language by how it begins.
func (d *diagnosis) foreign() *sandbox.Fault {
	start := len(d.text) - len(strings.TrimLeft(d.text, " \t\r\n"))
	switch {
	case sqlStart.MatchString(clipBytes(d.text, 4000)):
		return d.fault(syntax("the program is SQL; JavaScript is expected here.", "Call the tools as functions and use filter, map and reduce; fns() lists them."), start)
	case shellStart.MatchString(clipBytes(d.text, 200)):
		return d.fault(syntax("the program is a shell command; JavaScript is expected here.", "Call the tools as functions; fns() lists them."), start)
	}
	return nil
}

func clipBytes(s string, n int) string { return s[:min(n, len(s))] }

// pythonLines are lines that only Python has, each with what JavaScript writes.
var pythonLines = []struct {
	pattern *regexp.Regexp
	hint    string
}{
	{regexp.MustCompile(`^(async\s+)?def\s+\w+\s*\(`), "Write function name(…) { … }."},
	{regexp.MustCompile(`^elif\b`), "Write else if (…) { … }."},
	{regexp.MustCompile(`^(if|while|elif)\b[^{]*:\s*(#.*)?$`), "Put the condition in parentheses and the body in braces: if (…) { … }."},
	{regexp.MustCompile(`^for\s+\w+(\s*,\s*\w+)*\s+in\b`), "Write for (const x of xs) { … }."},
	{regexp.MustCompile(`^(else|try|finally)\s*:`), "Put the body in braces."},
	{regexp.MustCompile(`^except\b`), "Write catch (e) { … }."},
	{regexp.MustCompile(`^from\s+\w+.*\bimport\b`), "Remove it: everything available is a global."},
	{regexp.MustCompile(`^(print)\s+\S`), "Write console.log(…)."},
	{regexp.MustCompile(`\blambda\b[^:]*:`), "Write an arrow function: x => …."},
	{regexp.MustCompile(`^#`), "Begin a comment with //."},
	{regexp.MustCompile(`[\[(]\s*[^\[\]]+\s+for\s+[\w, ]+\s+(in|of)\s`), "Write xs.filter(x => …).map(x => …)."},
	{regexp.MustCompile(`(^|[^\w.])[fr]b?["']`), "Write a template literal: `text ${value}`."},
	{regexp.MustCompile(`\bfor\s*\(\s*\w+\s+(of|in)\s.*\bif\s*\(`), "Write xs.filter(x => …).map(x => …)."},
	{regexp.MustCompile(`\bnot\s+(in\b|\w)`), "Write !x, or !xs.includes(x)."},
}

func (d *diagnosis) pythonLine() *sandbox.Fault {
	line := d.line(d.problem.at)
	if len(line) > 1000 {
		return nil
	}
	for _, p := range pythonLines {
		if p.pattern.MatchString(line) {
			return d.fault(syntax("this line is Python, not JavaScript.", p.hint), d.problem.at)
		}
	}
	return nil
}

// wordOperator finds and, or and not between operands.
func (d *diagnosis) wordOperator() *sandbox.Fault {
	for _, i := range []int{d.index, d.index - 1} {
		if i < 1 || i >= len(d.tokens) {
			continue
		}
		sign := map[string]string{"and": "&&", "or": "||", "not": "!", "is": "===", "then": "{"}[d.token(i)]
		if sign != "" && d.tokens[i].kind == tokenWord && d.token(i-1) != "." {
			return d.at(i, syntax("'"+d.token(i)+"' is not an operator in JavaScript.", "Write "+sign+"."))
		}
	}
	return nil
}

// awaitOutside finds await in a function that is not async: the parser takes the
// word for a name there.
func (d *diagnosis) awaitOutside() *sandbox.Fault {
	for _, i := range []int{d.index - 1, d.index} {
		if d.token(i) == "await" && i > 0 && d.token(i-1) != "for" && d.token(i-1) != "." {
			return d.at(i, syntax("await is only valid in an async function or at the top level.",
				"Write async before the function, or leave the await out: a tool call gives its value at once."))
		}
	}
	return nil
}

func (d *diagnosis) forAwait() *sandbox.Fault {
	for _, i := range []int{d.index - 1, d.index} {
		if d.token(i) == "await" && d.token(i-1) == "for" {
			return d.at(i-1, rejected("for await is not available.", "Write for (const x of xs) { const v = await x; … }."))
		}
	}
	return nil
}

var sentence = regexp.MustCompile(`^[A-Z][a-z']+(,? [A-Za-z'’]+){2,}.*[.:!]?$`)

// prose finds a text that explains itself in words before the code.
func (d *diagnosis) prose() *sandbox.Fault {
	if f := d.fence(); f != nil {
		return f
	}
	line := d.line(d.problem.at)
	if len(line) < 500 && sentence.MatchString(line) && !strings.ContainsAny(line, "=(){}[];") {
		return d.fault(syntax("this line is prose, not JavaScript.", "Send only the code; begin a comment with //."), d.problem.at)
	}
	return d.markup()
}

// quoteInside finds a string that a quote inside it has ended: two operands side
// by side, the first a string.
func (d *diagnosis) quoteInside() *sandbox.Fault {
	i := d.index
	if i < 1 || i >= len(d.tokens) || d.tokens[i-1].kind != tokenString || d.tokens[i].newline {
		return nil
	}
	if k := d.tokens[i].kind; k != tokenWord && k != tokenNumber && k != tokenString {
		return nil
	}
	quote := d.text[d.tokens[i-1].at : d.tokens[i-1].at+1]
	return d.at(i, syntax("the string before "+quoted(d.here())+" ends too early: a quote inside it closed it, or a comma is missing.",
		"Write \\"+quote+" for a quote inside the string, or put the text in backticks."))
}

// objectBody finds an object that an arrow function was meant to give, and that is
// its body instead.
func (d *diagnosis) objectBody() *sandbox.Fault {
	if d.here() != ":" && d.here() != "," {
		return nil
	}
	i := d.index - 1
	for i >= 0 && !(d.match[i] > int32(i)) {
		if m := d.match[i]; m >= 0 {
			i = int(m)
		}
		i--
	}
	if d.token(i) != "{" || d.token(i-1) != "=>" {
		return nil
	}
	return d.at(i, syntax("after => a brace begins a block, not an object.", "Put the object in parentheses: x => ({ … })."))
}

func (d *diagnosis) enum() *sandbox.Fault {
	if d.here() != "enum" && d.before() != "enum" {
		return nil
	}
	return d.fault(rejected("'enum' is not available.", "Use a plain object: const Colour = { Red: \"red\", Blue: \"blue\" }."), d.problem.at)
}

var jsxTag = regexp.MustCompile(`<[A-Za-z][\w.]*(\s[^<>]*)?/?>`)

func (d *diagnosis) jsx() *sandbox.Fault {
	if (d.here() == "<" || len(d.tokens) == 0) && jsxTag.MatchString(d.line(d.problem.at)) {
		return d.fault(syntax("JSX is not available.", "Build a string or plain data."), d.problem.at)
	}
	return nil
}

// messages are what the parser and the compiler say, and what is shown for it.
var messages = []struct{ prefix, message, hint string }{
	{"Unexpected end of input", "the program ends in the middle of something.", "Close what is open: a bracket, a string or a statement."},
	{"Invalid left-hand side in assignment", "the left side of the assignment cannot be assigned to.", "Assign to a name or a member; compare with ===."},
	{"Invalid left-hand side in for", "the left side of of or in cannot be assigned to.", "Write for (const x of xs)."},
	{"Invalid destructuring", "this destructuring pattern is not valid.", "Use names, defaults and nested patterns: const { a, b: { c } = {} } = o."},
	{"Invalid binding rest", "after ... in an object pattern a name must stand.", "Write { a, ...rest }."},
	{"Rest element must be last", "the rest element must be the last.", "Move ...rest to the end."},
	{"Rest parameter must be last", "the rest parameter must be the last.", "Move ...rest to the end."},
	{"Comma is not allowed here", "no comma may follow the rest element.", "Remove the comma."},
	{"Illegal break statement", "break stands outside a loop or switch.", "Use return to leave a function; some, every, find or for…of where a callback should stop early."},
	{"Illegal continue statement", "continue stands outside a loop.", "Use return in a callback."},
	{"Undefined label", "no such label encloses this statement.", "Put the label before the loop: outer: for (…)."},
	{"Missing initializer in destructuring", "a destructuring declaration needs a value.", "Write const { a } = value."},
	{"Missing initializer in const", "a const declaration needs a value.", "Give it one, or write let."},
	{"Missing catch or finally", "try needs a catch or a finally.", "Write try { … } catch (e) { … }."},
	{"Lexical declaration cannot appear", "a declaration cannot stand here without braces.", "Put braces around it."},
	{"Malformed arrow function parameter", "the parameters of the arrow function are not valid.", "Write (a, b) => …."},
	{"Unary operator used immediately before exponent", "a sign directly before ** is ambiguous.", "Write (-x) ** 2 or -(x ** 2)."},
	{"Logical expressions and coalesce", "?? cannot be mixed with && or || without parentheses.", "Write (a ?? b) || c."},
	{"Illegal newline after throw", "what is thrown must stand on the line of throw.", "Write throw new Error(…) on one line."},
	{"Illegal await-expression", "await cannot stand in a parameter list.", "Await in the body."},
	{"Yield expression not allowed", "yield cannot stand in a parameter list.", "Yield in the body."},
	{"Illegal numeric literal", "this is not a valid number.", "Numbers look like 42, 1_000, 0.5, 1e3, 0xff or 10n."},
	{"Only one underscore", "an underscore in a number must stand between two digits.", "Write 1_000."},
	{"Already saw a default", "a switch has one default only.", "Remove the second."},
	{"Invalid template literal on optional chain", "a template cannot follow ?. in a chain.", "Call the function with parentheses."},
	{"A class may only have one constructor", "a class has one constructor.", "Merge the two."},
	{"Class constructor may not", "a class's constructor is a plain method.", "Write constructor(…) { … }."},
	{"Classes may not have a field named", "a class has no field named constructor.", "Rename it."},
	{"Getter must not have", "a getter has no parameters.", "Write get name() { … }."},
	{"Setter must have exactly one", "a setter has one parameter.", "Write set name(value) { … }."},
	{"'super' keyword unexpected", "super cannot stand here.", "Use super(…) in a constructor of a class that extends another, or super.method(…) in a method."},
	{"Illegal return statement", "return cannot stand here.", "Use it in a function or at the top level."},
	{"Invalid regular expression: missing /", "a regular expression is not closed on its line.", "Close it with /."},
	{"Unexpected strict mode reserved word", "this word is reserved and cannot be a name.", "Choose another name."},
	{"Assignment to eval or arguments", "eval and arguments cannot be declared or assigned.", "Choose another name."},
	{"let is disallowed as a lexically bound name", "let cannot be a name.", "Choose another name."},
	{"Duplicate parameter name", "two parameters have the same name.", "Rename one."},
	{"Illegal 'use strict' directive", "\"use strict\" cannot stand in a function with such parameters.", "Remove it: programs are strict already."},
	{"Delete of an unqualified identifier", "delete works on members, not on names.", "Assign undefined to the name."},
	{"Maximum nesting level", "functions are nested too deeply.", "Give the inner functions names with const."},
	{"In strict mode code, functions can only be declared", "a function declaration cannot stand here without braces.", "Put braces around it."},
	{"Async functions can only be declared", "a function declaration cannot stand here without braces.", "Put braces around it."},
	{"Generators can only be declared", "a function declaration cannot stand here without braces.", "Put braces around it."},
	{"Illegal continue statement:", "continue names a label that is before no loop.", "Put the label before the loop."},
	{"Octal literals", "a number with a leading 0 is not valid.", "Drop the zero, or write 0o777."},
	{"Keyword must not contain escaped", "a keyword cannot be written with escapes.", "Write the keyword itself."},
	{"invalid escape", "an escape in a string is not valid.", "Write \\\\ for a backslash, \\u0041 or \\x41 for a character."},
	{"Octal escape", "octal escapes are not valid here.", "Write \\x41 or \\u0041."},
	{"\\8 and \\9", "\\8 and \\9 are not valid in a template.", "Write \\\\8 for a backslash and a digit."},
	{"Invalid UTF-8", "the program is not valid UTF-8.", "Remove the bytes."},
}

// parserWords says in plain words what the parser found: here is the token it
// stopped at, before the one in front of it.
func parserWords(message, here, before string) *sandbox.Fault {
	for _, m := range messages {
		if strings.HasPrefix(message, m.prefix) {
			return syntax(m.message, m.hint)
		}
	}
	if here == "" {
		return syntax("the program ends in the middle of something.", "Close what is open: a bracket, a string or a statement.")
	}
	switch {
	case strings.HasSuffix(message, "has already been declared"):
		return syntax(lowerFirst(strings.TrimPrefix(message, "Identifier "))+".", "Rename one of the two, or assign to it without const or let.")
	case strings.HasPrefix(message, "Private field"):
		return syntax(lowerFirst(message)+".", "Declare it in the class: #name = value;")
	case !strings.HasPrefix(message, "Unexpected"):
		return syntax(lowerFirst(strings.TrimSuffix(message, "."))+".", "Look at what stands before it.")
	}
	switch {
	case here[0] == '"' || here[0] == '\'':
		if strings.HasSuffix(message, "ILLEGAL") {
			return syntax("an escape in this string is not valid.", "Write \\\\ for a backslash, \\u0041 or \\x41 for a character.")
		}
	case isDigit(here[0]) && strings.HasSuffix(message, "ILLEGAL"):
		return syntax("this is not a valid number.", "Numbers look like 42, 1_000, 0.5, 1e3, 0xff or 10n.")
	case before == "function" || before == "class":
		return syntax("a "+before+" needs a name here.", "Give it one, or assign it: const f = "+before+" ….")
	}
	switch here {
	case ")", "]", "}", ",", ";":
		return syntax("'"+here+"' is not expected here.", "An expression is missing before it, or a bracket or comma is misplaced.")
	case ":":
		return syntax("':' is not expected here.", "If an object is meant, put it in parentheses: ({ key: value }).")
	case "=>":
		return syntax("'=>' is not expected here.", "Write the parameters before it: (a, b) => ….")
	case "else":
		return syntax("'else' follows no if.", "Put braces around the statements of the if, and no semicolon after them.")
	case "=":
		return syntax("'=' is not expected here.", "Compare with ===, or write a colon in an object: { name: value }.")
	}
	if reservedWords[here] {
		return syntax("'"+here+"' is a reserved word and is not expected here.", "If it is a name, choose another; if a statement, end the one before it.")
	}
	hint := "A comma, an operator, a bracket or a semicolon is missing before it."
	if before == "" {
		hint = "Look at how the program begins."
	}
	return syntax("'"+here+"' is not expected here.", hint)
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

var reservedWords = map[string]bool{
	"break": true, "case": true, "catch": true, "class": true, "const": true, "continue": true, "default": true, "delete": true, "do": true,
	"extends": true, "finally": true, "for": true, "function": true, "if": true, "in": true, "instanceof": true, "new": true, "return": true,
	"super": true, "switch": true, "this": true, "throw": true, "try": true, "typeof": true, "var": true, "void": true, "while": true,
	"enum": true, "implements": true, "interface": true, "let": true, "package": true, "private": true, "protected": true, "public": true, "static": true,
}

// compilerWords says in plain words what the engine's compiler found.
func compilerWords(message string) *sandbox.Fault { return parserWords(message, "?", "?") }
