package compile

import (
	"errors"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// handler is one catch of a try.
type handler struct {
	class string
	slot  int
	body  node
}

func compileTry(c *compiler, f *reader.Form, s *scope, _ *target) node {
	saved := c.fn.slots
	var body []*reader.Form
	var handlers []handler
	var finally node
	for _, x := range f.Items[1:] {
		switch x.Head() {
		case "catch":
			handlers = append(handlers, c.handler(x, s))
		case "finally":
			finally = c.body(x.Items[1:], s, nil)
		default:
			if len(handlers) > 0 || finally != nil {
				c.bad(f, "only catch and finally may follow them in a try.")
			}
			body = append(body, x)
		}
	}
	run := c.body(body, s, nil)
	c.fn.slots = saved
	return func(f *frame) value { return f.m.try(f, run, handlers, finally) }
}

func (c *compiler) handler(x *reader.Form, s *scope) handler {
	if len(x.Items) < 3 || x.Items[2].Symbol() == "" {
		c.reject(x, sandbox.KindSyntax, "catch takes a class and a name.", "Write (catch Exception e …).")
	}
	class := x.Items[1].Symbol()
	if class == "" {
		class = "Exception" // (catch :default e …)
	}
	class = class[strings.LastIndexByte(class, '.')+1:]
	slot := c.fn.slot()
	body := c.body(x.Items[3:], s.with(c.fn, x.Items[2].Symbol(), slot), nil)
	return handler{class: class, slot: slot, body: body}
}

// try runs a body with its handlers and what finally runs. Limits pass: neither
// catch nor finally sees them.
func (m *Machine) try(f *frame, body node, handlers []handler, finally node) (v value) {
	if finally != nil {
		mark, top := m.T.Mark(), m.top
		defer func() {
			x := recover()
			if x != nil {
				if limit(x) {
					panic(x)
				}
				m.T.Restore(mark)
				m.top = top
			}
			m.discard(finally(f))
			if x != nil {
				panic(x)
			}
		}()
	}
	v, thrown := m.attempt(f, body)
	if thrown == nil {
		return v
	}
	for _, h := range handlers {
		if catches(h.class, thrown.Value) {
			f.slots[h.slot] = thrown.Value
			return h.body(f)
		}
	}
	panic(thrown)
}

// attempt runs a body and gives the exception that ended it.
func (m *Machine) attempt(f *frame, body node) (v value, thrown *data.Thrown) {
	mark, top := m.T.Mark(), m.top
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		if thrown = exception(x); thrown == nil {
			panic(x)
		}
		m.T.Restore(mark)
		m.top = top
	}()
	return body(f), nil
}

// limit reports whether a panic is one that no program sees.
func limit(x any) bool { return exception(x) == nil }

// exception gives what a program can catch: what was thrown, and the failure of a
// call. Limits and defects of ours are none.
func exception(x any) *data.Thrown {
	if t, ok := x.(*data.Thrown); ok {
		return t
	}
	err, ok := x.(error)
	if !ok {
		return nil
	}
	var f *sandbox.Fault
	if !errors.As(err, &f) || f.Kind.Limit() || f.Kind == sandbox.KindInternal || f.Kind == sandbox.KindGate {
		return nil
	}
	return &data.Thrown{Value: data.Box(&data.Exception{Class: "ExceptionInfo", Message: f.Message, Hint: f.Hint, Fault: f})}
}

// kinds tells of each class of exceptions those above it, nearest first.
var kinds = map[string][]string{
	"ArithmeticException":             {"RuntimeException"},
	"ClassCastException":              {"RuntimeException"},
	"NullPointerException":            {"RuntimeException"},
	"IllegalStateException":           {"RuntimeException"},
	"UnsupportedOperationException":   {"RuntimeException"},
	"IllegalArgumentException":        {"RuntimeException"},
	"IndexOutOfBoundsException":       {"RuntimeException"},
	"StringIndexOutOfBoundsException": {"IndexOutOfBoundsException", "RuntimeException"},
	"ArityException":                  {"IllegalArgumentException", "RuntimeException"},
	"NumberFormatException":           {"IllegalArgumentException", "RuntimeException"},
	"PatternSyntaxException":          {"IllegalArgumentException", "RuntimeException"},
	"ExceptionInfo":                   {"RuntimeException"},
	"StackOverflowError":              {"Error"},
	"AssertionError":                  {"Error"},
}

// catches reports whether a handler of a class takes what was thrown.
func catches(class string, v value) bool {
	if class == "Throwable" {
		return true
	}
	e, ok := v.Unbox().(*data.Exception)
	if !ok {
		return class == "Exception"
	}
	if class == e.Class {
		return true
	}
	above := kinds[e.Class]
	for _, k := range above {
		if k == class {
			return true
		}
	}
	isError := len(above) > 0 && above[0] == "Error"
	return class == "Exception" && !isError
}
