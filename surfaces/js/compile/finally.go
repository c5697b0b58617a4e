package compile

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// A generator that is told to end (a loop over it breaks, or return is called)
// runs its finally blocks. The engine loses its place if a native function throws
// there and the program catches it, in the block or in anything it calls: the
// program then ends early without a word. Such a block is therefore run by a hook,
// as a function of its own. One that yields, returns or jumps out cannot be; it is
// refused if it also calls something.

// crossings counts what a function's own code has that matters to a finally block.
type crossings struct {
	yields, calls int
}

// finallyBlock rewrites the finally block of a try.
func (r *rewriter) finallyBlock(b *ast.BlockStatement) {
	if !r.generator {
		r.statements(b.List)
		return
	}
	leaves := leavesAny(b.List, target{})
	before := r.crossed
	r.statements(b.List)
	yields, calls := r.crossed.yields > before.yields, r.crossed.calls > before.calls
	switch {
	case !calls:
	case leaves || yields:
		refuse(b.LeftBrace, "in a generator, a finally block that yields, returns or jumps out cannot also call something.",
			"Do the calls in the finally block, and yield or return after the try statement.")
	default:
		at := b.LeftBrace
		body := &ast.BlockStatement{LeftBrace: at, List: b.List, RightBrace: b.RightBrace}
		run := &ast.ArrowFunctionLiteral{Start: at, ParameterList: &ast.ParameterList{Opening: at, Closing: at}, Body: body}
		b.List = []ast.Statement{&ast.ExpressionStatement{Expression: r.call(hookApart, at, run)}}
	}
}

// target is what break and continue may go to without leaving a block.
type target struct {
	breaks, continues bool
	labels            []string
}

func (t target) has(label string) bool {
	for _, l := range t.labels {
		if l == label {
			return true
		}
	}
	return false
}

// leavesAny reports whether a statement of a list can leave the block by return,
// break or continue.
func leavesAny(list []ast.Statement, t target) bool {
	for _, s := range list {
		if leaves(s, t) {
			return true
		}
	}
	return false
}

func leaves(s ast.Statement, t target) bool {
	loop := target{breaks: true, continues: true, labels: t.labels}
	switch s := s.(type) {
	case *ast.ReturnStatement:
		return true
	case *ast.BranchStatement:
		switch {
		case s.Label != nil:
			return !t.has(s.Label.Name.String())
		case s.Token == token.BREAK:
			return !t.breaks
		}
		return !t.continues
	case *ast.BlockStatement:
		return leavesAny(s.List, t)
	case *ast.IfStatement:
		return leaves(s.Consequent, t) || s.Alternate != nil && leaves(s.Alternate, t)
	case *ast.LabelledStatement:
		t.labels = append(t.labels[:len(t.labels):len(t.labels)], s.Label.Name.String())
		return leaves(s.Statement, t)
	case *ast.WhileStatement:
		return leaves(s.Body, loop)
	case *ast.DoWhileStatement:
		return leaves(s.Body, loop)
	case *ast.ForStatement:
		return leaves(s.Body, loop)
	case *ast.ForInStatement:
		return leaves(s.Body, loop)
	case *ast.ForOfStatement:
		return leaves(s.Body, loop)
	case *ast.SwitchStatement:
		t.breaks = true
		for _, c := range s.Body {
			if leavesAny(c.Consequent, t) {
				return true
			}
		}
	case *ast.TryStatement:
		return leaves(s.Body, t) || s.Catch != nil && leaves(s.Catch.Body, t) || s.Finally != nil && leaves(s.Finally, t)
	}
	return false
}

// triesAtOnce is how many try statements may be under way at once before the
// engine's list of them grows: more than any program has.
const triesAtOnce = 2048

// makeRoom grows the engine's list of the try statements under way. While an
// exception travels, the engine holds on to an entry of the list and ends the
// iterators of the loops that are left; if what runs then makes the list grow, the
// exception is lost.
func (h *Hooks) makeRoom(n int) {
	if n > 0 {
		h.rt.Try(func() { h.makeRoom(n - 1) })
	}
}
