package compile

import (
	"context"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// engine is a runtime with the plainest hooks: enough to see what compiled
// programs do.
type engine struct {
	rt    *goja.Runtime
	hooks *Hooks
	meter *sandbox.Meter
	names map[string]*slot
}

// slot is one top-level name.
type slot struct {
	value    goja.Value
	constant bool
}

// scopeObject is the session's part: names that know whether they are initialised.
type scopeObject struct{ e *engine }

func (s scopeObject) Get(name string) goja.Value {
	b := s.e.names[name]
	if b == nil {
		panic(s.e.failure("ReferenceError", name+" is not defined"))
	}
	if b.value == nil {
		panic(s.e.failure("ReferenceError", "Cannot access '"+name+"' before initialization"))
	}
	return b.value
}

func (s scopeObject) Set(name string, v goja.Value) bool {
	s.Get(name)
	b := s.e.names[name]
	if b.constant {
		panic(s.e.rt.NewTypeError("Assignment to constant variable."))
	}
	b.value = v
	return true
}
func (s scopeObject) Has(string) bool    { return true }
func (s scopeObject) Delete(string) bool { return false }
func (s scopeObject) Keys() []string     { return nil }

// initialObject is the same for declarations.
type initialObject struct{ scopeObject }

func (s initialObject) Set(name string, v goja.Value) bool {
	s.e.names[name].value = v
	return true
}

func (e *engine) failure(kind, message string) goja.Value {
	o, err := e.rt.New(e.rt.Get(kind), e.rt.ToValue(message))
	if err != nil {
		panic(err)
	}
	return o
}

func newEngine(tb testing.TB) *engine {
	tb.Helper()
	e := &engine{rt: goja.New(), names: map[string]*slot{}}
	e.rt.SetMaxCallStackSize(2000)
	scope := e.rt.NewDynamicObject(scopeObject{e})
	if err := scope.SetPrototype(nil); err != nil {
		tb.Fatal(err)
	}
	initial := e.rt.NewDynamicObject(initialObject{scopeObject{e}})
	if err := initial.SetPrototype(nil); err != nil {
		tb.Fatal(err)
	}
	regexes := e.rt.Get("RegExp")
	e.hooks = NewHooks(e.rt, Hooks{
		Scope:   scope,
		Initial: initial,
		Spread:  func(v goja.Value) goja.Value { return v },
		Regex: func(pattern, flags string) goja.Value {
			o, err := e.rt.New(regexes, e.rt.ToValue(pattern), e.rt.ToValue(flags))
			if err != nil {
				panic(err)
			}
			return o
		},
		SetLength: func(o, n goja.Value) goja.Value {
			if err := o.(*goja.Object).Set("length", n); err != nil {
				panic(err)
			}
			return n
		},
		Key: func(k goja.Value) goja.Value {
			if _, blocked := sandbox.JavaScript.Blocked(k.String()); blocked {
				panic(e.rt.NewTypeError("closed: " + k.String()))
			}
			return k
		},
		Power:     e.arithmetic("(a,b)=>a**b"),
		ShiftLeft: e.arithmetic("(a,b)=>a<<b"),
		Start: func(fn goja.Value, args []goja.Value) goja.Value {
			f, ok := goja.AssertFunction(fn)
			if !ok {
				panic(e.rt.NewTypeError("not a function"))
			}
			v, err := f(goja.Undefined(), args...)
			if err != nil {
				panic(err)
			}
			p, resolve, _ := e.rt.NewPromise()
			if err := resolve(v); err != nil {
				panic(err)
			}
			return e.rt.ToValue(p)
		},
	})
	return e
}

func (e *engine) arithmetic(src string) func(a, b goja.Value) goja.Value {
	f, _ := goja.AssertFunction(must(e.rt.RunString(src)))
	return func(a, b goja.Value) goja.Value {
		if n, ok := b.Export().(*big.Int); ok && n.BitLen() > 16 {
			panic(e.failure("RangeError", "Maximum BigInt size exceeded"))
		}
		v, err := f(nil, a, b)
		if err != nil {
			panic(err)
		}
		return v
	}
}

func must(v goja.Value, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return v
}

func testLimits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Compute = time.Minute
	return l
}

// options as a session would give them.
func (e *engine) options() Options {
	return Options{
		Defined: func(name string) (bool, bool) {
			s, ok := e.names[name]
			return ok && s.constant, ok
		},
		Reserved: func(name string) (string, bool) {
			switch name {
			case "github":
				return "a namespace", true
			case "console", "Math", "undefined":
				return "a builtin", true
			}
			return "", false
		},
		Capability: func(s string) (string, bool, bool) {
			switch s {
			case "github.list", "github__list":
				return "github__list", true, true
			}
			if len(s) > 7 && s[:7] == "github." {
				return s, false, true
			}
			return "", false, false
		},
	}
}

// run executes a program and gives its completion value.
func (e *engine) run(ctx context.Context, p *Program, l sandbox.Limits) (goja.Value, error) {
	m, err := sandbox.NewMeter(ctx, l)
	if err != nil {
		return nil, err
	}
	e.meter = m
	e.hooks.SetMeter(m)
	e.rt.ClearInterrupt()
	for _, t := range p.Tops {
		old := e.names[t.Name]
		s := &slot{constant: t.Constant()}
		if t.Kind == Var || t.Kind == Function {
			s.value = goja.Undefined()
			if old != nil && t.Kind == Var {
				s.value = old.value
			}
		}
		e.names[t.Name] = s
	}
	f, err := p.Link(e.hooks)
	if err != nil {
		return nil, err
	}
	v, err := f(goja.Undefined())
	if err != nil {
		return nil, err
	}
	if promise, ok := v.Export().(*goja.Promise); ok {
		switch promise.State() {
		case goja.PromiseStateFulfilled:
			return promise.Result(), nil
		case goja.PromiseStateRejected:
			return nil, errors.New(promise.Result().String())
		default:
			return nil, errors.New("pending")
		}
	}
	return v, nil
}
