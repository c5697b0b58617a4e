package jsonpath

import (
	"math"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// kind is what an item of a path is.
type kind uint8

const (
	nullItem kind = iota
	stringItem
	numberItem
	boolItem
	variableItem
	rootItem
	currentItem
	lastItem

	andItem
	orItem
	notItem
	unknownItem
	equalItem
	unequalItem
	lessItem
	greaterItem
	lessEqualItem
	greaterEqualItem
	startsItem
	regexItem
	existsItem

	addItem
	subItem
	mulItem
	divItem
	modItem
	plusItem
	minusItem

	keyItem
	anyKeyItem
	anyArrayItem
	indexItem
	anyItem
	filterItem
	methodItem
	decimalItem
	datetimeItem
)

// item is a node of a path. Accessors follow one another by next.
type item struct {
	kind        kind
	next        *item
	left, right *item  // operands; the operand of one alone and the condition of a filter are left
	text        string // a key, string, variable, method or pattern
	number      pgtype.Numeric
	truth       bool
	indexes     []subscript
	first, last uint32 // levels of .**
	flags       regexFlags
	args        []pgtype.Numeric // of methods
}

type subscript struct{ from, to *item }

// anyLevel is the level "last" of .**.
const anyLevel = math.MaxUint32

// Path is a path. It is immutable.
type Path struct {
	strict bool
	root   *item
	size   int64
}

// Size is what the path takes, in bytes.
func (p *Path) Size() int64 { return p.size }

// maxItems bounds the pieces of a path, whose evaluation nests as deep.
const maxItems = 5000

// Parse reads a path. matchRegex compiles a pattern, so that a bad one is an error
// here.
func Parse(text string, compile RegexCompiler) (*Path, *pgerr.Error) {
	p := &parser{lexer: lexer{text: text}, compile: compile}
	if err := p.advance(); err != nil {
		return nil, err
	}
	path := &Path{size: 200 * int64(len(text))}
	if p.token.is("strict") || p.token.is("lax") {
		path.strict = p.token.is("strict")
		if err := p.advance(); err != nil {
			return nil, err
		}
	} else if p.token.kind == endToken {
		return nil, pgerr.New(pgerr.InvalidText, "invalid input syntax for type %s: \"%s\"", "jsonpath", text)
	}
	root, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.token.kind != endToken {
		return nil, p.unexpected()
	}
	if err := checkScope(root, 0, false); err != nil {
		return nil, err
	}
	path.root = root
	return path, nil
}

type parser struct {
	lexer   lexer
	token   token
	compile RegexCompiler
	items   int
}

func (p *parser) advance() (err *pgerr.Error) {
	p.token, err = p.lexer.next()
	return err
}

// unexpected is the error of a token that does not fit.
func (p *parser) unexpected() *pgerr.Error {
	if p.token.near == "" {
		return pgerr.New(pgerr.SyntaxError, "syntax error at end of jsonpath input")
	}
	return pgerr.New(pgerr.SyntaxError, "syntax error at or near \"%s\" of jsonpath input", p.token.near)
}

func (p *parser) expect(text string) *pgerr.Error {
	if !p.token.is(text) {
		return p.unexpected()
	}
	return p.advance()
}

// take counts an item.
func (p *parser) take(i *item) (*item, *pgerr.Error) {
	if p.items++; p.items > maxItems {
		return nil, pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").
			WithHint("Shorten the path: it has more than %d parts.", maxItems)
	}
	return i, nil
}

// predicate reports whether an item is a condition.
func (i *item) predicate() bool { return i.next == nil && i.kind >= andItem && i.kind <= existsItem }

func (p *parser) or() (*item, *pgerr.Error) { return p.logical("||", orItem, p.and) }

func (p *parser) and() (*item, *pgerr.Error) { return p.logical("&&", andItem, p.comparison) }

func (p *parser) logical(sign string, k kind, operand func() (*item, *pgerr.Error)) (*item, *pgerr.Error) {
	left, err := operand()
	for err == nil && p.token.is(sign) {
		if !left.predicate() {
			return nil, p.unexpected()
		}
		if err = p.advance(); err != nil {
			return nil, err
		}
		var right *item
		if right, err = operand(); err != nil {
			return nil, err
		}
		if !right.predicate() {
			return nil, p.unexpected()
		}
		left, err = p.take(&item{kind: k, left: left, right: right})
	}
	return left, err
}

var comparisons = map[string]kind{
	"==": equalItem, "!=": unequalItem, "<": lessItem, ">": greaterItem, "<=": lessEqualItem, ">=": greaterEqualItem,
}

// comparison reads a condition or an expression.
func (p *parser) comparison() (*item, *pgerr.Error) {
	if p.token.is("!") {
		return p.negation()
	}
	left, err := p.sum()
	if err != nil || left.predicate() {
		return left, err
	}
	if p.token.kind == signToken {
		if k, ok := comparisons[p.token.text]; ok {
			if err := p.advance(); err != nil {
				return nil, err
			}
			right, err := p.expression(p.sum)
			if err != nil {
				return nil, err
			}
			return p.take(&item{kind: k, left: left, right: right})
		}
	}
	switch {
	case p.token.is("starts"):
		return p.startsWith(left)
	case p.token.is("like_regex"):
		return p.likeRegex(left)
	}
	return left, nil
}

// expression reads an operand that must not be a condition.
func (p *parser) expression(read func() (*item, *pgerr.Error)) (*item, *pgerr.Error) {
	i, err := read()
	if err == nil && i.predicate() {
		err = p.unexpected()
	}
	return i, err
}

// negation reads ! before a condition in parentheses, or before exists.
func (p *parser) negation() (*item, *pgerr.Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	var condition *item
	var err *pgerr.Error
	switch {
	case p.token.is("exists"):
		condition, err = p.primary()
	case p.token.is("("):
		condition, err = p.enclosed()
	default:
		return nil, p.unexpected()
	}
	if err != nil {
		return nil, err
	}
	if !condition.predicate() {
		return nil, p.unexpected()
	}
	return p.take(&item{kind: notItem, left: condition})
}

func (p *parser) startsWith(left *item) (*item, *pgerr.Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.expect("with"); err != nil {
		return nil, err
	}
	right := &item{kind: stringItem, text: p.token.text}
	switch p.token.kind {
	case stringToken:
	case variableToken:
		right.kind = variableItem
	default:
		return nil, p.unexpected()
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	return p.take(&item{kind: startsItem, left: left, right: right})
}

func (p *parser) likeRegex(left *item) (*item, *pgerr.Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.kind != stringToken {
		return nil, p.unexpected()
	}
	i := &item{kind: regexItem, left: left, text: p.token.text}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.is("flag") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.token.kind != stringToken {
			return nil, p.unexpected()
		}
		flags := p.token.text
		if err := p.advance(); err != nil {
			return nil, err
		}
		var err *pgerr.Error
		if i.flags, err = readFlags(flags); err != nil {
			return nil, err
		}
	}
	if err := i.checkRegex(p.compile); err != nil {
		return nil, err
	}
	return p.take(i)
}

func (p *parser) sum() (*item, *pgerr.Error) {
	return p.arithmetic(map[string]kind{"+": addItem, "-": subItem}, p.product)
}

func (p *parser) product() (*item, *pgerr.Error) {
	return p.arithmetic(map[string]kind{"*": mulItem, "/": divItem, "%": modItem}, p.signed)
}

func (p *parser) arithmetic(operators map[string]kind, operand func() (*item, *pgerr.Error)) (*item, *pgerr.Error) {
	left, err := operand()
	for err == nil && p.token.kind == signToken {
		k, ok := operators[p.token.text]
		if !ok {
			break
		}
		if left.predicate() {
			return nil, p.unexpected()
		}
		if err = p.advance(); err != nil {
			return nil, err
		}
		var right *item
		if right, err = p.expression(operand); err != nil {
			return nil, err
		}
		left, err = p.take(&item{kind: k, left: left, right: right})
	}
	return left, err
}

// signed reads + and - before an operand; of a number they make another number.
func (p *parser) signed() (*item, *pgerr.Error) {
	if !p.token.is("+") && !p.token.is("-") {
		return p.primary()
	}
	minus := p.token.is("-")
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.items++; p.items > maxItems {
		return p.take(nil)
	}
	operand, err := p.expression(p.signed)
	if err != nil {
		return nil, err
	}
	if operand.kind == numberItem && operand.next == nil {
		if minus {
			operand = &item{kind: numberItem, number: operand.number.Neg()}
		}
		return operand, nil
	}
	k := plusItem
	if minus {
		k = minusItem
	}
	return p.take(&item{kind: k, left: operand})
}

// primary reads a value, an expression or condition in parentheses, or exists,
// with its accessors.
func (p *parser) primary() (*item, *pgerr.Error) {
	switch {
	case p.token.is("("):
		return p.parenthesised()
	case p.token.is("exists"):
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.expect("("); err != nil {
			return nil, err
		}
		operand, err := p.expression(p.or)
		if err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		return p.take(&item{kind: existsItem, left: operand})
	}
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	return p.accessors(value)
}

// enclosed reads what stands in parentheses.
func (p *parser) enclosed() (*item, *pgerr.Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.items++; p.items > maxItems {
		return p.take(nil)
	}
	inner, err := p.or()
	if err != nil {
		return nil, err
	}
	return inner, p.expect(")")
}

func (p *parser) parenthesised() (*item, *pgerr.Error) {
	inner, err := p.enclosed()
	if err != nil {
		return nil, err
	}
	if inner.predicate() && p.token.is("is") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.expect("unknown"); err != nil {
			return nil, err
		}
		return p.take(&item{kind: unknownItem, left: inner})
	}
	if !p.accessorNext() {
		return inner, nil
	}
	return p.accessors(inner)
}

func (p *parser) accessorNext() bool { return p.token.is(".") || p.token.is("[") || p.token.is("?") }

// value reads a scalar, $, @ or last.
func (p *parser) value() (*item, *pgerr.Error) {
	i := &item{text: p.token.text}
	t := p.token
	switch {
	case t.kind == stringToken:
		i.kind = stringItem
	case t.kind == variableToken:
		i.kind = variableItem
	case t.kind == integerToken || t.kind == numberToken:
		n, err := pgtype.ParseNumeric(t.text)
		if err != nil {
			return nil, err
		}
		i = &item{kind: numberItem, number: n}
	case t.is("null"):
		i.kind = nullItem
	case t.is("true"), t.is("false"):
		i.kind, i.truth = boolItem, t.is("true")
	case t.is("$"):
		i.kind = rootItem
	case t.is("@"):
		i.kind = currentItem
	case t.is("last"):
		i.kind = lastItem
	default:
		return nil, p.unexpected()
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	return p.take(i)
}

// accessors chains what follows a value to it.
func (p *parser) accessors(head *item) (*item, *pgerr.Error) {
	tail := head
	for tail.next != nil {
		tail = tail.next
	}
	for p.accessorNext() {
		next, err := p.accessor()
		if err == nil {
			next, err = p.take(next)
		}
		if err != nil {
			return nil, err
		}
		tail.next = next
		tail = next
	}
	return head, nil
}

func (p *parser) accessor() (*item, *pgerr.Error) {
	sign := p.token.text
	if err := p.advance(); err != nil {
		return nil, err
	}
	switch sign {
	case "[":
		return p.index()
	case "?":
		if err := p.expect("("); err != nil {
			return nil, err
		}
		condition, err := p.or()
		if err != nil {
			return nil, err
		}
		if !condition.predicate() {
			return nil, p.unexpected()
		}
		return &item{kind: filterItem, left: condition}, p.expect(")")
	}
	return p.member()
}

// member reads what follows a point.
func (p *parser) member() (*item, *pgerr.Error) {
	t := p.token
	switch {
	case t.is("*"):
		return &item{kind: anyKeyItem}, p.advance()
	case t.is("**"):
		return p.anyLevels()
	case t.kind != nameToken && t.kind != stringToken:
		return nil, p.unexpected()
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if t.kind == nameToken && p.token.is("(") && methods[t.word] {
		return p.method(t.word)
	}
	return &item{kind: keyItem, text: t.text}, nil
}

// anyLevels reads .** and its levels.
func (p *parser) anyLevels() (*item, *pgerr.Error) {
	i := &item{kind: anyItem, last: anyLevel}
	if err := p.advance(); err != nil || !p.token.is("{") {
		return i, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err *pgerr.Error
	if i.first, err = p.level(); err != nil {
		return nil, err
	}
	i.last = i.first
	if p.token.is("to") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if i.last, err = p.level(); err != nil {
			return nil, err
		}
	}
	return i, p.expect("}")
}

func (p *parser) level() (uint32, *pgerr.Error) {
	switch {
	case p.token.is("last"):
		return anyLevel, p.advance()
	case p.token.kind != integerToken:
		return 0, p.unexpected()
	}
	n, err := pgtype.ParseInt(p.token.text, 32)
	if err != nil {
		return 0, err
	}
	return uint32(n), p.advance()
}

// index reads subscripts.
func (p *parser) index() (*item, *pgerr.Error) {
	if p.token.is("*") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		return &item{kind: anyArrayItem}, p.expect("]")
	}
	i := &item{kind: indexItem}
	for {
		from, err := p.expression(p.sum)
		if err != nil {
			return nil, err
		}
		s := subscript{from: from}
		if p.token.is("to") {
			if err := p.advance(); err != nil {
				return nil, err
			}
			if s.to, err = p.expression(p.sum); err != nil {
				return nil, err
			}
		}
		i.indexes = append(i.indexes, s)
		if !p.token.is(",") {
			return i, p.expect("]")
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

// methods are the item methods.
var methods = map[string]bool{
	"abs": true, "size": true, "type": true, "floor": true, "double": true, "ceiling": true, "keyvalue": true, "bigint": true, "boolean": true,
	"date": true, "integer": true, "number": true, "string": true, "decimal": true, "datetime": true, "time": true, "time_tz": true,
	"timestamp": true, "timestamp_tz": true,
}

// method reads the arguments of a method, which stands before its parenthesis.
func (p *parser) method(name string) (*item, *pgerr.Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	i := &item{kind: methodItem, text: name}
	switch name {
	case "decimal":
		i.kind = decimalItem
		return p.decimalArguments(i)
	case "datetime":
		i.kind = datetimeItem
		if p.token.kind == stringToken {
			i.left = &item{kind: stringItem, text: p.token.text}
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
	case "date":
		i.kind = datetimeItem
	case "time", "time_tz", "timestamp", "timestamp_tz":
		i.kind = datetimeItem
		if p.token.kind == integerToken {
			n, err := pgtype.ParseNumeric(p.token.text)
			if err == nil {
				err = p.advance()
			}
			if err != nil {
				return nil, err
			}
			i.args = []pgtype.Numeric{n}
		}
	}
	return i, p.expect(")")
}

// decimalArguments reads a precision and a scale.
func (p *parser) decimalArguments(i *item) (*item, *pgerr.Error) {
	for !p.token.is(")") {
		if len(i.args) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		minus := p.token.is("-")
		if minus || p.token.is("+") {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		if p.token.kind != integerToken {
			return nil, p.unexpected()
		}
		n, err := pgtype.ParseNumeric(p.token.text)
		if err == nil {
			err = p.advance()
		}
		if err != nil {
			return nil, err
		}
		if minus {
			n = n.Neg()
		}
		i.args = append(i.args, n)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if len(i.args) > 2 {
		return nil, pgerr.New(pgerr.SyntaxError, "invalid input syntax for type %s", "jsonpath").
			WithDetail(".decimal() can only have an optional precision[,scale].")
	}
	return i, nil
}

// checkScope refuses @ outside a filter and last outside a subscript.
func checkScope(i *item, filters int, inSubscript bool) *pgerr.Error {
	for ; i != nil; i = i.next {
		inner := filters
		switch {
		case i.kind == currentItem && filters == 0:
			return pgerr.New(pgerr.SyntaxError, "@ is not allowed in root expressions")
		case i.kind == lastItem && !inSubscript:
			return pgerr.New(pgerr.SyntaxError, "LAST is allowed only in array subscripts")
		case i.kind == filterItem:
			inner++
		}
		for _, part := range []*item{i.left, i.right} {
			if err := checkScope(part, inner, inSubscript); err != nil {
				return err
			}
		}
		for _, s := range i.indexes {
			for _, part := range []*item{s.from, s.to} {
				if err := checkScope(part, filters, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Regex flags of like_regex, after XQuery.
type regexFlags uint8

const (
	flagIgnoreCase regexFlags = 1 << iota
	flagDotAll
	flagMultiline
	flagExtended
	flagQuote
)

var flagLetters = []struct {
	letter byte
	flag   regexFlags
}{{'i', flagIgnoreCase}, {'s', flagDotAll}, {'m', flagMultiline}, {'x', flagExtended}, {'q', flagQuote}}

func readFlags(text string) (regexFlags, *pgerr.Error) {
	var flags regexFlags
next:
	for _, c := range text {
		for _, f := range flagLetters {
			if c == rune(f.letter) {
				flags |= f.flag
				continue next
			}
		}
		return 0, pgerr.New(pgerr.SyntaxError, "invalid input syntax for type %s", "jsonpath").
			WithDetail("Unrecognized flag character %s in LIKE_REGEX predicate.", strconv.Quote(string(c)))
	}
	return flags, nil
}

// Regex says how a pattern of like_regex is matched.
type Regex struct {
	Pattern    string
	Literal    bool // the pattern is text
	IgnoreCase bool
	// AnyMatchesNewline and Lines are XQuery's flags s and m: without s a point does
	// not match a newline; with m, ^ and $ match at every line.
	AnyMatchesNewline, Lines bool
}

// RegexCompiler gives what matches a pattern.
type RegexCompiler func(r Regex) (func(text string) (bool, *pgerr.Error), *pgerr.Error)

func (i *item) regex() Regex {
	return Regex{
		Pattern: i.text, Literal: i.flags&flagQuote != 0, IgnoreCase: i.flags&flagIgnoreCase != 0,
		AnyMatchesNewline: i.flags&flagDotAll != 0, Lines: i.flags&flagMultiline != 0,
	}
}

func (i *item) checkRegex(compile RegexCompiler) *pgerr.Error {
	if i.flags&flagExtended != 0 && i.flags&flagQuote == 0 {
		return pgerr.New(pgerr.FeatureNotSupported, "XQuery \"x\" flag (expanded regular expressions) is not implemented")
	}
	_, err := compile(i.regex())
	return err
}
