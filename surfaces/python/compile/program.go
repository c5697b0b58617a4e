package compile

import (
	"errors"
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// Program is a compiled program, bound to the machine it was compiled for.
type Program struct {
	Source string
	Module *syntax.Module
	Scopes *syntax.Scopes

	m     *Machine
	space *space
	code  *code
	// waits are the names under which it reaches the functions of asyncio that wait,
	// starts the calls whose values go straight to what waits for them.
	waits  map[string]bool
	starts map[*syntax.Call]bool
}

// Options are how a program may differ from a module of CPython.
type Options struct {
	// TopLevel accepts return and await outside functions.
	TopLevel bool
}

// Compile compiles a program. The error is a *[syntax.Error].
func (m *Machine) Compile(source string, o Options) (p *Program, err error) {
	return m.compile(source, m.main, o)
}

func (m *Machine) compile(source string, in *space, o Options) (p *Program, err error) {
	module, err := syntax.Parse(source)
	if err != nil {
		return nil, err
	}
	scopes, err := syntax.Analyze(module)
	if err != nil {
		return nil, err
	}
	if err := syntax.Check(module, scopes, syntax.Leniency{TopLevel: o.TopLevel}); err != nil {
		return nil, err
	}
	p = &Program{Source: source, Module: module, Scopes: scopes, m: m, space: in}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*unsupported)
			if !ok {
				panic(r)
			}
			p, err = nil, e.syntaxError(module.Lines)
		}
	}()
	c := &compiler{m: m, program: p}
	p.code = c.module(module)
	return p, nil
}

// unsupported is a construct that the evaluator does not have.
type unsupported struct {
	at      syntax.Span
	message string
}

func (u *unsupported) syntaxError(lines *syntax.Lines) error {
	e := &syntax.Error{Type: "SyntaxError", Message: u.message}
	e.Line, e.Column = lines.Position(u.at.Start)
	e.EndLine, e.EndColumn = lines.Position(u.at.End)
	e.Text = lines.Text(e.Line)
	return e
}

// AsSyntaxError gives the error of a program that does not compile.
func AsSyntaxError(err error) (*syntax.Error, bool) {
	var e *syntax.Error
	ok := errors.As(err, &e)
	return e, ok
}

// Outcome is how a program ended.
type Outcome struct {
	// Value is that of the last expression statement that ran, or of a return at
	// the top level; unset if there was neither.
	Value object.Value
	// Returned reports that a return at the top level ended the program.
	Returned bool
	// Raised is the exception that ended the program, nil if none did. A limit has
	// its Limit set.
	Raised *object.Exception
}

// Run runs the program. [Machine.Begin] must have been called. It never panics: a
// defect of ours ends the program as a limit does, with a fault of KindInternal.
func (p *Program) Run() (out Outcome) {
	m := p.m
	defer func() {
		if r := recover(); r != nil {
			f := &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the evaluator failed; the program has ended.", Cause: fmt.Errorf("%v", r)}
			out = Outcome{Raised: &object.Exception{Limit: m.T.Meter.Fail(f)}}
			m.Begin(m.T.Meter)
		}
	}()
	if g := m.main.globals["__doc__"]; g != nil {
		g.value = object.None
		if doc, ok := docstring(p.Module.Body); ok {
			g.value = object.NewStr(doc)
		}
	}
	k := m.mark()
	f := m.enter(p.code)
	clear(f.slots)
	if n := p.code.ncells; n > 0 {
		f.cells = make([]*cell, n)
	}
	sig, x := p.code.body(f)
	out = Outcome{Value: f.last, Raised: x}
	if x == nil && sig == returns {
		out.Value, out.Returned = f.ret, true
	}
	m.leave(f)
	m.release(k)
	if x == nil {
		if y := m.T.Meter.Err(); y != nil {
			out.Raised = &object.Exception{Limit: y}
		}
	}
	return out
}

// Line gives the line and column of the innermost place of an exception that lies
// in a program of the session, not in a module, with that program; ok is false if
// there is none.
func Line(x *object.Exception) (p *Program, line, column int, ok bool) {
	for _, place := range x.Trace {
		if p, ok := place.Program.(*Program); ok && p.space == p.m.main {
			line, column := p.Module.Lines.Position(place.Start)
			return p, line, column, true
		}
	}
	return nil, 0, 0, false
}
