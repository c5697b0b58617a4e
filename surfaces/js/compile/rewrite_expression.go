package compile

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

func (r *rewriter) expressions(list []ast.Expression) {
	for i := range list {
		list[i] = r.argument(list[i])
	}
}

// argument rewrites an element or an argument, which may be spread.
func (r *rewriter) argument(e ast.Expression) ast.Expression {
	if s, ok := e.(*ast.SpreadElement); ok {
		s.Expression = r.call(hookSpread, s.Expression.Idx0(), r.expression(s.Expression))
		return s
	}
	return r.expression(e)
}

// discarded rewrites an expression whose value nobody uses.
func (r *rewriter) discarded(e ast.Expression) ast.Expression {
	r.unused = e
	return r.expression(e)
}

func (r *rewriter) expression(e ast.Expression) ast.Expression {
	if e == nil {
		return nil
	}
	r.walk(e)
	defer func() { r.depth-- }()
	switch e := e.(type) {
	case *ast.Identifier:
		return r.name(e)
	case *ast.NumberLiteral:
		return r.numberLiteral(e)
	case *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.ThisExpression, *ast.SuperExpression:
	case *ast.ArrayLiteral:
		r.cost(2, bytesArray+bytesElement*int64(len(e.Value)))
		r.expressions(e.Value)
	case *ast.ObjectLiteral:
		r.objectLiteral(e)
	case *ast.AssignExpression:
		return r.assign(e)
	case *ast.BinaryExpression:
		return r.binary(e)
	case *ast.BracketExpression:
		return r.bracket(e)
	case *ast.DotExpression:
		return r.dot(e)
	case *ast.PrivateDotExpression:
		e.Left = r.expression(e.Left)
	case *ast.CallExpression:
		r.crossed.calls++
		return r.callExpression(e)
	case *ast.NewExpression:
		r.crossed.calls++
		r.cost(unitsNew, bytesNew)
		e.Callee = r.expression(e.Callee)
		r.expressions(e.ArgumentList)
	case *ast.ConditionalExpression:
		e.Test = r.expression(e.Test)
		e.Consequent = r.branchExpression(e.Consequent)
		e.Alternate = r.branchExpression(e.Alternate)
	case *ast.OptionalChain:
		e.Expression = r.expression(e.Expression)
	case *ast.Optional:
		e.Expression = r.expression(e.Expression)
	case *ast.FunctionLiteral:
		r.function(e)
	case *ast.ArrowFunctionLiteral:
		r.arrow(e)
	case *ast.ClassLiteral:
		r.class(e)
	case *ast.RegExpLiteral:
		return r.regex(e)
	case *ast.SequenceExpression:
		for i := range e.Sequence {
			e.Sequence[i] = r.expression(e.Sequence[i])
		}
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			r.crossed.calls++
		}
		return r.template(e)
	case *ast.UnaryExpression:
		return r.unary(e)
	case *ast.YieldExpression:
		r.crossed.yields++
		if e.Delegate {
			r.crossed.calls++
			r.cost(unitsGenerator, 0)
		}
		e.Argument = r.expression(e.Argument)
	case *ast.AwaitExpression:
		return r.await(e)
	case *ast.MetaProperty:
		refuse(e.Idx, "new.target is not available.", "Pass what it would tell as an argument.")
	case *ast.PrivateIdentifier:
		refuse(e.Idx, "'#"+e.Name.String()+"' stands alone here.", "Write this.#"+e.Name.String()+", or #"+e.Name.String()+" in object.")
	default:
		refuse(e.Idx0(), "this expression is not available.", "")
	}
	return e
}

// numberLiteral keeps the digits of an integer that no Number holds: it is the
// BigInt it spells, so that it equals the same digits from a tool. A BigInt is
// wrapped, so that the engine does no arithmetic on it while it compiles.
func (r *rewriter) numberLiteral(e *ast.NumberLiteral) ast.Expression {
	if exact := exactInteger(e); exact != nil {
		e.Value = exact
		r.big = true
	}
	if _, ok := e.Value.(*big.Int); ok {
		r.bytes += bytesBigInt
		return &ast.SequenceExpression{Sequence: []ast.Expression{e}}
	}
	return e
}

// exactInteger gives the integer that a literal spells in decimal digits if a
// Number cannot hold it.
func exactInteger(e *ast.NumberLiteral) *big.Int {
	const most = 1<<53 - 1
	if n, ok := e.Value.(int64); ok && n >= -most && n <= most {
		return nil
	}
	if _, ok := e.Value.(*big.Int); ok || len(e.Literal) > 100 || strings.Trim(e.Literal, "0123456789") != "" {
		return nil
	}
	n, ok := new(big.Int).SetString(e.Literal, 10)
	if !ok {
		return nil
	}
	f, exact := new(big.Float).SetInt(n).Float64()
	if exact == big.Exact && f < 1<<53 {
		return nil
	}
	// A round number such as 100000000000000000000 is what a Number holds.
	if back, _ := big.NewFloat(f).Int(nil); back.Cmp(n) == 0 {
		return nil
	}
	return n
}

func (r *rewriter) objectLiteral(e *ast.ObjectLiteral) {
	if len(e.Value) == 0 {
		r.cost(2, bytesEmptyObject)
	} else {
		r.cost(2, bytesObject+bytesProperty*int64(len(e.Value)))
	}
	for i, p := range e.Value {
		r.units++
		switch p := p.(type) {
		case *ast.PropertyShort:
			r.member(p.Name.Name.String())
			if v := r.name(&p.Name); v != ast.Expression(&p.Name) {
				e.Value[i] = &ast.PropertyKeyed{Key: &ast.StringLiteral{Idx: p.Name.Idx, Literal: string(p.Name.Name), Value: p.Name.Name}, Kind: ast.PropertyKindValue, Value: v}
			}
		case *ast.PropertyKeyed:
			if isText(p.Key, "__proto__") && !p.Computed {
				r.openName("__proto__", p.Idx0(), assigned)
			}
			r.out.Accessors = r.out.Accessors || p.Kind == ast.PropertyKindGet || p.Kind == ast.PropertyKindSet
			p.Key = r.memberKey(p.Key, p.Computed)
			p.Value = r.expression(p.Value)
		case *ast.SpreadElement:
			p.Expression = r.call(hookSpread, p.Expression.Idx0(), r.expression(p.Expression))
		default:
			refuse(p.Idx0(), "this property is not available.", "")
		}
	}
}

func (r *rewriter) regex(e *ast.RegExpLiteral) ast.Expression {
	r.cost(4, bytesRegex)
	checkRegex(e)
	return r.call(hookRegex, e.Idx,
		&ast.StringLiteral{Idx: e.Idx, Literal: e.Literal, Value: unistring.NewFromString(e.Pattern)},
		&ast.StringLiteral{Idx: e.Idx, Literal: e.Flags, Value: unistring.NewFromString(e.Flags)})
}

func (r *rewriter) template(e *ast.TemplateLiteral) ast.Expression {
	if e.Tag != nil {
		r.cost(4, bytesTagged)
		e.Tag = r.callee(e.Tag)
	}
	many := len(e.Expressions) > fewPieces && e.Tag == nil
	charge := e.Tag == nil && len(e.Expressions) > 0
	short := true
	for i, x := range e.Expressions {
		known := r.level(x) >= numeric
		short = short && known
		e.Expressions[i] = r.expression(x)
		if many && !known {
			e.Expressions[i] = r.call(hookPiece, x.Idx0(), e.Expressions[i])
		}
	}
	r.bytes += bytesTemplate
	if !charge || short {
		return e
	}
	return r.call(hookText, e.OpenQuote, e)
}

// fewPieces is how many texts may be joined before their sum is charged: the sum
// of so many, each of which has been charged, is bounded by so many times the limit.
const fewPieces = 4

func (r *rewriter) unary(e *ast.UnaryExpression) ast.Expression {
	switch e.Operator {
	case token.INCREMENT, token.DECREMENT:
		if id, ok := e.Operand.(*ast.Identifier); ok {
			e.Operand = r.name(id)
			return e
		}
		if isLength(e.Operand) {
			return r.stepLength(e)
		}
		r.units++
		e.Operand = r.place(e.Operand)
		return e
	case token.DELETE:
		return r.delete(e)
	case token.TYPEOF:
		if id, ok := e.Operand.(*ast.Identifier); ok {
			e.Operand = r.typeofName(id)
			return e
		}
	}
	e.Operand = r.expression(e.Operand)
	return e
}

// stepLength rewrites a.length++ where nobody uses the value before.
func (r *rewriter) stepLength(e *ast.UnaryExpression) ast.Expression {
	op := token.PLUS
	if e.Operator == token.DECREMENT {
		op = token.MINUS
	}
	if e.Postfix && e != r.unused {
		refuse(e.Idx0(), "using the old length while changing it is not available.", "Write a.length = n in a statement of its own.")
	}
	one := &ast.NumberLiteral{Idx: e.Idx0(), Literal: "1", Value: int64(1)}
	return r.updateLength(e.Idx0(), lengthOwner(e.Operand), e.Operand, op, one)
}

// typeofName lets a program ask for any name: what it may not use is undefined.
func (r *rewriter) typeofName(id *ast.Identifier) ast.Expression {
	r.units++
	if _, banned := bannedNames[id.Name.String()]; banned && r.refs[id] == nil && !r.shared(id) {
		return void(id.Idx)
	}
	return r.name(id)
}

func (r *rewriter) delete(e *ast.UnaryExpression) ast.Expression {
	switch o := e.Operand.(type) {
	case *ast.DotExpression, *ast.BracketExpression:
		e.Operand = r.place(o)
		return e
	case *ast.OptionalChain:
		e.Operand = r.expression(o)
		return e
	case *ast.Identifier:
		refuse(e.Idx, "delete works on members, not on names.", "Use del('"+o.Name.String()+"') to free a top-level name, or assign undefined.")
	}
	refuse(e.Idx, "delete works on members only.", "Write delete object.key.")
	return nil
}

// isLength reports whether an expression is the length of something.
func isLength(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.DotExpression:
		return e.Identifier.Name == "length"
	case *ast.BracketExpression:
		return isText(e.Member, "length")
	}
	return false
}

// ---- assignment

func (r *rewriter) assign(e *ast.AssignExpression) ast.Expression {
	if isLength(e.Left) {
		return r.assignLength(e)
	}
	if id, ok := e.Left.(*ast.Identifier); ok && e.Operator == token.EXPONENT {
		// x **= y as x = x ** y, which goes through the hook.
		again := *id
		if v := r.refs[id]; v != nil {
			r.refs[&again] = v
		}
		e.Operator, e.Right = token.ASSIGN, &ast.BinaryExpression{Operator: token.EXPONENT, Left: &again, Right: e.Right}
	}
	level := r.level(e)
	product := r.unboundedProduct(e.Operator, e.Left, e.Right)
	outer := r.rests
	r.rests = nil
	e.Left = r.assignTarget(e.Left)
	mine := r.rests
	r.rests = nil
	e.Right = r.expression(e.Right)
	r.rests = mine
	defer func() { r.rests = outer }()
	if id := scopeName(e.Left); id != nil {
		e.Right = named(id.Name, e.Right)
	}
	switch {
	case e.Operator == token.PLUS && level == anything:
		return r.call(hookText, e.Idx0(), e)
	case product:
		if most := growth[e.Operator]; most > 0 {
			e.Right = r.call(hookSmall, e.Right.Idx0(), e.Right, &ast.NumberLiteral{Idx: e.Right.Idx0(), Literal: strconv.Itoa(most), Value: int64(most)})
		}
		return r.call(hookProduct, e.Idx0(), e)
	}
	return r.chargeAssign(e)
}

// growth bounds the BigInt on the right of an operation that assigns, so that what
// it builds before its length is checked stays small.
var growth = map[token.Token]int{token.EXPONENT: 64, token.SHIFT_LEFT: 1 << 16}

// scopeName gives the top-level name that a rewritten target stands for.
func scopeName(e ast.Expression) *ast.Identifier {
	if d, ok := e.(*ast.DotExpression); ok {
		if o, ok := d.Left.(*ast.Identifier); ok && (o.Name == hookScope || o.Name == hookInitial) {
			return &d.Identifier
		}
	}
	return nil
}

// assignLength rewrites an assignment to length, which the runtime charges. An
// operation on it reads it first, so its owner must be a plain name.
func (r *rewriter) assignLength(e *ast.AssignExpression) ast.Expression {
	r.member("length")
	owner := lengthOwner(e.Left)
	if e.Operator == token.ASSIGN {
		return r.call(hookLength, e.Idx0(), r.expression(owner), r.expression(e.Right))
	}
	return r.updateLength(e.Idx0(), owner, e.Left, e.Operator, e.Right)
}

func (r *rewriter) updateLength(at file.Idx, owner, length ast.Expression, op token.Token, by ast.Expression) ast.Expression {
	id, ok := owner.(*ast.Identifier)
	if !ok {
		refuse(at, "changing the length of an expression is not available.", "Give the array a name: const a = …; a.length = n.")
	}
	again := *id
	if v := r.refs[id]; v != nil {
		r.refs[&again] = v
	}
	return r.call(hookLength, at, r.expression(&again), r.expression(&ast.BinaryExpression{Operator: op, Left: length, Right: by}))
}

func lengthOwner(e ast.Expression) ast.Expression {
	switch l := e.(type) {
	case *ast.DotExpression:
		return l.Left
	case *ast.BracketExpression:
		return l.Left
	}
	return nil
}

// ---- operators

// unboundedProduct reports whether an operation may build a BigInt much longer
// than its operands.
func (r *rewriter) unboundedProduct(op token.Token, left, right ast.Expression) bool {
	switch op {
	case token.MULTIPLY, token.EXPONENT, token.SHIFT_LEFT:
		return r.level(left) < number && r.level(right) < number
	}
	return false
}

func (r *rewriter) binary(e *ast.BinaryExpression) ast.Expression {
	if _, ok := e.Left.(*ast.PrivateIdentifier); ok {
		e.Right = r.expression(e.Right)
		return e
	}
	if e.Operator == token.PLUS {
		return r.sum(e)
	}
	r.comparison(e)
	r.mixedCoalesce(e)
	product := r.unboundedProduct(e.Operator, e.Left, e.Right)
	logical := e.Operator == token.LOGICAL_AND || e.Operator == token.LOGICAL_OR || e.Operator == token.COALESCE
	left := r.expression(e.Left)
	var right ast.Expression
	if logical {
		right = r.branchExpression(e.Right)
	} else {
		right = r.expression(e.Right)
	}
	if logical && constant(left) {
		// The engine evaluates constant operands of && || ?? while it compiles, at a
		// cost exponential in the depth.
		left = &ast.SequenceExpression{Sequence: []ast.Expression{left}}
	}
	e.Left, e.Right = left, right
	if !product && e.Operator != token.EXPONENT {
		return e
	}
	switch e.Operator {
	case token.EXPONENT:
		// Of Numbers too: the engine's power differs from V8's in the last digit.
		return r.call(hookPower, e.Idx0(), left, right)
	case token.SHIFT_LEFT:
		return r.call(hookShift, e.Idx0(), left, right)
	}
	return r.call(hookProduct, e.Idx0(), e)
}

func constant(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return true
	case *ast.UnaryExpression:
		return constant(e.Operand)
	case *ast.BinaryExpression:
		return constant(e.Left) && constant(e.Right)
	}
	return false
}

// sum rewrites a chain of + from its left end, so that a long one costs no depth
// twice, and charges for the text it may build: at the end, and within whenever
// more than a few operands of unknown length have been added since the last
// charge.
func (r *rewriter) sum(e *ast.BinaryExpression) ast.Expression {
	var chain []*ast.BinaryExpression
	for {
		chain = append(chain, e)
		l, ok := e.Left.(*ast.BinaryExpression)
		if !ok || l.Operator != token.PLUS {
			break
		}
		e = l
	}
	depth := r.depth
	if r.depth += len(chain); r.depth > mostDepth {
		refuse(e.Idx0(), "the sum is too long.", "Collect the parts in an array and join it.")
	}
	level := r.level(e.Left)
	acc := r.expression(e.Left)
	open := 1
	for i := len(chain) - 1; i >= 0; i-- {
		n := chain[i]
		r.units++
		right := r.level(n.Right)
		if _, literal := n.Right.(*ast.StringLiteral); !literal && right < numeric {
			open++
		}
		n.Left, n.Right = acc, r.expression(n.Right)
		acc = n
		if level >= numeric && right >= numeric {
			level = max(level, right)
			continue
		}
		level = anything
		if i == 0 || open > fewPieces {
			acc = r.call(hookText, n.Idx0(), acc)
			open = 1
		}
	}
	r.depth = depth
	return acc
}

// comparison refuses a < b < c, which the engine's parser reads as a < (b < c)
// and which nobody means.
func (r *rewriter) comparison(e *ast.BinaryExpression) {
	if !relational(e.Operator) {
		return
	}
	right, ok := e.Right.(*ast.BinaryExpression)
	if !ok || !relational(right.Operator) || r.parenthesised(right) {
		return
	}
	refuse(right.Idx0(), "comparisons cannot be chained.", "Write a < b && b < c.")
}

// mixedCoalesce refuses a ?? b && c, which the parser lets pass where b begins with
// a parenthesis.
func (r *rewriter) mixedCoalesce(e *ast.BinaryExpression) {
	if e.Operator != token.COALESCE {
		return
	}
	right, ok := e.Right.(*ast.BinaryExpression)
	if ok && right.Operator == token.LOGICAL_AND && !r.parenthesised(right) {
		f := parserWords("Logical expressions and coalesce", "", "")
		panic(stop{f, right.Idx0()})
	}
}

func relational(op token.Token) bool {
	switch op {
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL, token.INSTANCEOF, token.IN:
		return true
	}
	return false
}

// parenthesised reports whether an expression stands in parentheses of its own:
// the token before it opens one that closes after it.
func (r *rewriter) parenthesised(e ast.Expression) bool {
	from, to := at(e.Idx0()), at(e.Idx1())
	i := r.tokenAt(from) - 1
	for ; i >= 0 && r.src.text[r.scan.tokens[i].at] == '('; i-- {
		if m := r.scan.match[i]; m >= 0 && int(r.scan.tokens[m].at) >= to {
			return true
		}
	}
	return false
}

// tokenAt gives the index of the first token at or after an offset.
func (r *rewriter) tokenAt(offset int) int {
	lo, hi := 0, len(r.scan.tokens)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(r.scan.tokens[mid].at) < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// ---- members and calls

func (r *rewriter) dot(e *ast.DotExpression) ast.Expression {
	name := e.Identifier.Name.String()
	r.member(name)
	if d, ok := e.Left.(*ast.DotExpression); ok && name == "name" && d.Identifier.Name == "constructor" {
		return r.call(hookClass, d.Identifier.Idx, r.expression(d.Left))
	}
	if x, closed := r.closedRead(e.Left, name, e.Identifier.Idx, read); closed {
		return x
	}
	e.Left = r.expression(e.Left)
	return e
}

func (r *rewriter) bracket(e *ast.BracketExpression) ast.Expression {
	if s, ok := e.Member.(*ast.StringLiteral); ok {
		r.member(s.Value.String())
		if x, closed := r.closedRead(e.Left, s.Value.String(), s.Idx, read); closed {
			return x
		}
	}
	e.Left = r.expression(e.Left)
	e.Member = r.key(e.Member)
	return e
}

// callee rewrites what is called. A top-level name is read from the scope object
// without becoming a method of it.
func (r *rewriter) callee(e ast.Expression) ast.Expression {
	switch c := e.(type) {
	case *ast.DotExpression:
		r.openName(c.Identifier.Name.String(), c.Identifier.Idx, called)
	case *ast.BracketExpression:
		if s, ok := c.Member.(*ast.StringLiteral); ok {
			r.openName(s.Value.String(), s.Idx, called)
		}
	case *ast.Optional:
		c.Expression = r.callee(c.Expression)
		return c
	}
	x := r.expression(e)
	if scopeName(x) != nil {
		zero := &ast.NumberLiteral{Idx: x.Idx0(), Literal: "0", Value: int64(0)}
		return &ast.SequenceExpression{Sequence: []ast.Expression{zero, x}}
	}
	return x
}

func (r *rewriter) callExpression(e *ast.CallExpression) ast.Expression {
	r.units += 2
	r.refuseEager(e)
	r.site(e)
	if r.starts[e] {
		return r.startCall(e)
	}
	r.markStarts(e)
	e.Callee = r.callee(e.Callee)
	iterating := iterates(e.Callee)
	if iterating {
		r.loops++
	}
	r.expressions(e.ArgumentList)
	if iterating {
		r.loops--
	}
	return e
}

// iterating are methods that call their argument many times.
var iterating = map[unistring.String]bool{
	"map": true, "filter": true, "forEach": true, "reduce": true, "reduceRight": true, "flatMap": true, "find": true, "findIndex": true,
	"findLast": true, "findLastIndex": true, "some": true, "every": true, "sort": true, "toSorted": true, "from": true, "replace": true, "replaceAll": true,
}

func iterates(callee ast.Expression) bool {
	d, ok := callee.(*ast.DotExpression)
	return ok && iterating[d.Identifier.Name]
}

func (r *rewriter) await(e *ast.AwaitExpression) ast.Expression {
	if r.functions == 0 {
		r.out.Async = true
		e.Argument = r.expression(e.Argument)
		return e
	}
	r.cost(unitsAwait, bytesAwait)
	r.startable(e.Argument)
	e.Argument = r.expression(e.Argument)
	return e
}
