package compile

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/polyglove/polyglove/sandbox"
)

// shared reports whether a variable lives on the scope object.
func (r *rewriter) shared(id *ast.Identifier) bool {
	if v := r.refs[id]; v != nil {
		return v.top
	}
	if r.options.Defined == nil {
		return false
	}
	_, ok := r.options.Defined(id.Name.String())
	return ok
}

// onScope gives the member of the scope object that a top-level name is.
func (r *rewriter) onScope(id *ast.Identifier) *ast.DotExpression {
	return &ast.DotExpression{Left: r.hook(hookScope, id.Idx), Identifier: *id}
}

// initial gives the member that a declaration of a top-level name writes.
func (r *rewriter) initial(id *ast.Identifier) ast.Expression {
	r.units++
	return &ast.DotExpression{Left: r.hook(hookInitial, id.Idx), Identifier: *id}
}

// name rewrites an identifier that is read or assigned.
func (r *rewriter) name(id *ast.Identifier) ast.Expression {
	if r.shared(id) {
		r.units++
		return r.onScope(id)
	}
	r.banned(id)
	return id
}

// banned refuses names that no program may use. Names that the program declares
// itself are its own, whatever they are called.
func (r *rewriter) banned(id *ast.Identifier) {
	name := id.Name.String()
	if r.refs[id] != nil {
		if name == "arguments" {
			r.bytes += bytesArguments
		}
		return
	}
	if b, ok := bannedNames[name]; ok {
		refuse(id.Idx, "'"+name+"' is not available.", b)
	}
}

// binding rewrites a target that declares names: they stay names.
func (r *rewriter) target(t ast.Expression) ast.Expression {
	return r.pattern(t, func(id *ast.Identifier) ast.Expression { return id })
}

// assignTarget rewrites a target that assigns to what exists.
func (r *rewriter) assignTarget(t ast.Expression) ast.Expression {
	return r.pattern(t, r.name)
}

func (r *rewriter) pattern(t ast.Expression, name func(*ast.Identifier) ast.Expression) ast.Expression {
	if t == nil {
		return nil
	}
	r.walk(t)
	defer func() { r.depth-- }()
	switch t := t.(type) {
	case *ast.Identifier:
		return name(t)
	case *ast.DotExpression, *ast.BracketExpression, *ast.PrivateDotExpression:
		return r.place(t)
	case *ast.AssignExpression:
		t.Left = r.pattern(t.Left, name)
		t.Right = r.expression(t.Right)
		if id := scopeName(t.Left); id != nil {
			t.Right = named(id.Name, t.Right)
		}
	case *ast.ArrayPattern:
		r.cost(int64(2*len(t.Elements)), 0)
		for i := range t.Elements {
			t.Elements[i] = r.pattern(t.Elements[i], name)
		}
		if t.Rest != nil {
			r.cost(2, bytesArray)
			r.rest(t.Rest)
			t.Rest = r.pattern(t.Rest, name)
		}
	case *ast.ObjectPattern:
		for i, p := range t.Properties {
			t.Properties[i] = r.patternProperty(p, name)
		}
		if t.Rest != nil {
			r.cost(4, bytesObject)
			r.rest(t.Rest)
			t.Rest = r.pattern(t.Rest, name)
		}
	default:
		refuse(t.Idx0(), "this cannot be assigned to.", "Assign to a name, a member or a destructuring pattern.")
	}
	return t
}

func (r *rewriter) patternProperty(p ast.Property, name func(*ast.Identifier) ast.Expression) ast.Property {
	r.cost(2, 0)
	switch p := p.(type) {
	case *ast.PropertyShort:
		r.member(p.Name.Name.String())
		r.openName(p.Name.Name.String(), p.Name.Idx, destructured)
		value := name(&p.Name)
		initializer := r.expression(p.Initializer)
		if value == ast.Expression(&p.Name) {
			p.Initializer = initializer
			return p
		}
		if initializer != nil {
			value = &ast.AssignExpression{Operator: token.ASSIGN, Left: value, Right: named(p.Name.Name, initializer)}
		}
		return &ast.PropertyKeyed{Key: &ast.StringLiteral{Idx: p.Name.Idx, Literal: string(p.Name.Name), Value: p.Name.Name}, Kind: ast.PropertyKindValue, Value: value}
	case *ast.PropertyKeyed:
		if s, ok := p.Key.(*ast.StringLiteral); ok {
			r.openName(s.Value.String(), s.Idx, destructured)
		}
		p.Key = r.memberKey(p.Key, p.Computed)
		p.Value = r.pattern(p.Value, name)
		return p
	}
	refuse(p.Idx0(), "this destructuring pattern is not available.", "")
	return nil
}

// place rewrites a member that is assigned, deleted or updated.
func (r *rewriter) place(e ast.Expression) ast.Expression {
	switch e := e.(type) {
	case *ast.DotExpression:
		name := e.Identifier.Name.String()
		r.member(name)
		if neverOwn[name] {
			r.openName(name, e.Identifier.Idx, assigned)
		}
		e.Left = r.expression(e.Left)
	case *ast.BracketExpression:
		if s, ok := e.Member.(*ast.StringLiteral); ok && neverOwn[s.Value.String()] {
			r.openName(s.Value.String(), s.Idx, assigned)
		}
		r.bytes += r.keyedBytes(e.Member)
		e.Left = r.expression(e.Left)
		e.Member = r.key(e.Member)
	case *ast.PrivateDotExpression:
		e.Left = r.expression(e.Left)
	}
	return e
}

// keyedBytes is what assigning to a key may keep.
func (r *rewriter) keyedBytes(key ast.Expression) int64 {
	if r.level(key) >= numeric {
		return bytesIndexed
	}
	return bytesKeyed
}

// key rewrites the expression between the brackets of a member. A key that is
// known to be a number names no member that is closed; one that is a plain name is
// tested in place, which costs no call.
func (r *rewriter) key(k ast.Expression) ast.Expression {
	switch k := k.(type) {
	case *ast.StringLiteral:
		r.member(k.Value.String())
		return k
	case *ast.NumberLiteral:
		return r.expression(k)
	}
	known := r.level(k) >= numeric
	at := k.Idx0()
	id, plain := k.(*ast.Identifier)
	plain = plain && !r.shared(id) && r.refs[id] != nil
	k = r.expression(k)
	if known {
		return k
	}
	r.cost(2, 0)
	if plain {
		again := *id
		r.refs[&again] = r.refs[id]
		third := again
		return &ast.ConditionalExpression{
			Test:       &ast.BinaryExpression{Operator: token.STRICT_EQUAL, Left: r.hook(hookKeyTest, at), Right: id, Comparison: true},
			Consequent: r.call(hookKey, at, &again),
			Alternate:  &third,
		}
	}
	return r.call(hookKey, at, k)
}

// memberKey rewrites the key of a property in a literal, a pattern or a class.
func (r *rewriter) memberKey(k ast.Expression, computed bool) ast.Expression {
	switch k := k.(type) {
	case *ast.StringLiteral:
		r.member(k.Value.String())
		return k
	case *ast.NumberLiteral:
		return k
	case *ast.PrivateIdentifier:
		refuse(k.Idx, "a private name (#name) stands only in a class.", "Leave out the #.")
	}
	if !computed {
		refuse(k.Idx0(), "this property key is not available.", "")
	}
	return r.key(k)
}

func (r *rewriter) member(name string) { r.members[name] = true }

// ---- closed names

// neverOwn are closed names that no data holds under its own: assigning or
// defining one reaches the engine.
var neverOwn = map[string]bool{
	"__proto__": true, "__defineGetter__": true, "__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true,
	"prototype": true, "constructor": true,
}

// use says how a program reaches for a member, for the advice.
type use int

const (
	read use = iota
	called
	assigned
	destructured
)

// openName refuses a closed name.
func (r *rewriter) openName(name string, at file.Idx, how use) {
	advice, blocked := sandbox.JavaScript.Blocked(name)
	if !blocked {
		return
	}
	if advice == "" {
		switch {
		case how == called || how == assigned:
		case name == "constructor":
			advice = "Use instanceof, typeof or Array.isArray to tell kinds of values apart."
		}
	}
	if how == destructured {
		advice = "If it is a key of data, read it as a member: row." + name + "."
	}
	f := rejected("'"+name+"' cannot be reached from a program.", advice)
	f.Kind = sandbox.KindGate
	panic(stop{f, at})
}

// closedRead rewrites the reading of a closed name: from data it is a key like
// any other, so who holds it is asked when the program runs. On what the text
// shows to be no data it is refused at once.
func (r *rewriter) closedRead(left ast.Expression, name string, at file.Idx, how use) (ast.Expression, bool) {
	if _, blocked := sandbox.JavaScript.Blocked(name); !blocked {
		return nil, false
	}
	if how == called || (neverOwn[name] && name != "constructor" && name != "prototype") || !mayBeData(left) {
		r.openName(name, at, how)
	}
	return r.call(hookMember, at, r.expression(left), text(name, at)), true
}

// mayBeData reports whether the value of an expression may be a plain object that
// holds any key.
func mayBeData(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral, *ast.ArrayLiteral, *ast.StringLiteral,
		*ast.NumberLiteral, *ast.TemplateLiteral, *ast.RegExpLiteral, *ast.BooleanLiteral, *ast.SuperExpression, *ast.Optional:
		return false
	case *ast.ObjectLiteral:
		return len(e.Value) > 0
	case *ast.DotExpression:
		return mayBeData(e.Left)
	case *ast.BracketExpression:
		return mayBeData(e.Left)
	case *ast.CallExpression:
		return mayBeData(e.Callee)
	case *ast.Identifier:
		return true
	}
	return true
}

// named gives an anonymous function or class the name it would have as the
// initialiser of a variable of that name (ECMA-262 section 8.4.5).
func named(name unistring.String, e ast.Expression) ast.Expression {
	switch f := e.(type) {
	case *ast.ArrowFunctionLiteral:
	case *ast.FunctionLiteral:
		if f.Name != nil {
			return e
		}
	case *ast.ClassLiteral:
		if f.Name != nil {
			return e
		}
	default:
		return e
	}
	at := e.Idx0()
	return &ast.DotExpression{
		Left: &ast.ObjectLiteral{LeftBrace: at, RightBrace: at, Value: []ast.Property{
			&ast.PropertyKeyed{Key: &ast.StringLiteral{Idx: at, Literal: string(name), Value: name}, Kind: ast.PropertyKindValue, Value: e},
		}},
		Identifier: ast.Identifier{Name: name, Idx: at},
	}
}
