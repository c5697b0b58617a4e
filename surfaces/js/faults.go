package js

import (
	"errors"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// put gives a fault the position and the excerpt of a spot, unless it has them.
func (at spot) put(f *sandbox.Fault) *sandbox.Fault {
	if at.program == nil || f.Excerpt != "" {
		return f
	}
	return f.At(at.program.Source, at.line, at.column)
}

// here is the place in a program of the call under way.
func (s *session) here() spot {
	s.frames = s.realm.Runtime().CaptureCallStack(4, s.frames[:0])
	return s.spotOf(s.frames)
}

// faultOf turns what the engine reports into the fault of the program.
func (s *session) faultOf(err error) *sandbox.Fault {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		_ = s.meter.Check() // the context's word, which the engine does not know
	}
	if f := asLimit(s.meter.Err()); f != nil {
		at := s.spotOf(stackOf(err))
		if at.program == nil {
			at = s.waitsAt() // between two steps of the program
		}
		return at.put(f)
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return s.spotOf(overflow.Stack()).put(sandbox.DepthFault())
	}
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		return s.thrownFault(thrown.Value(), s.thrownFrom(thrown))
	}
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return s.spotOf(stackOf(err)).put(f)
	}
	return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program could not be run.", Cause: err}
}

func asLimit(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// madeAt is where an error object was made.
func (s *session) madeAt(v goja.Value) spot {
	if ex := s.realm.Runtime().Try(func() { panic(v) }); ex != nil {
		return s.thrownFrom(ex)
	}
	return spot{}
}

// thrownFrom is where an exception came from. An error knows where it was made;
// one of a class of the program's was made in that class's constructor, and the
// place to show is where that was called.
func (s *session) thrownFrom(ex *goja.Exception) spot {
	frames := ex.Stack()
	for i := range frames {
		if at := s.spotOf(frames[i : i+1]); at.program != nil && at.place().callee() != "super" {
			return at
		}
	}
	return s.spotOf(frames)
}

// stackOf gives the frames that an error of the engine carries, or of a limit.
func stackOf(err error) []goja.StackFrame {
	var with interface{ Stack() []goja.StackFrame }
	if errors.As(err, &with) {
		return with.Stack()
	}
	return nil
}

// thrownFault is the fault of a value that the program threw, or that the engine
// threw at it, and that nobody caught.
func (s *session) thrownFault(v goja.Value, at spot) *sandbox.Fault {
	o, ok := v.(*goja.Object)
	if !ok || realm.Kind(v) != "error" {
		return at.put(s.thrownValue(v))
	}
	if f := s.realm.Fault(o); f != nil {
		g := *f
		g.Fired = ""
		return at.put(&g)
	}
	f := &sandbox.Fault{Kind: sandbox.KindThrown, Name: s.errorText(o, "name"), Message: s.errorText(o, "message")}
	switch f.Name {
	case "TypeError":
		f.Kind = sandbox.KindType
	case "RangeError":
		f.Kind = sandbox.KindRange
	case "ReferenceError":
		f.Kind = sandbox.KindName
	case "SyntaxError":
		f.Kind = sandbox.KindSyntax
	case "":
		f.Name = "Error"
	}
	f.Name = sandbox.Clip(f.Name, longestName)
	engine := f.Message
	f.Message = s.nothing(reword(engine, at.place()), at)
	f.Hint = s.advise(f, engine, at)
	if f.Hint == "" {
		f.Hint = s.causeOf(o)
	}
	f.Message = elide.Middle(f.Message, longestMessage)
	return at.put(f)
}

// causeOf tells the error that an error was made from.
func (s *session) causeOf(o *goja.Object) string {
	cause, ok := s.realm.Data(o, "cause").(*goja.Object)
	if !ok || realm.Kind(cause) != "error" {
		return ""
	}
	return "Caused by " + sandbox.Clip(s.errorText(cause, "name")+": "+reword(s.errorText(cause, "message"), s.madeAt(cause).place()), 300)
}

// nothing corrects a message that takes null for undefined, as far as the value
// is known: the engine does not say which of the two it was.
func (s *session) nothing(message string, at spot) string {
	for _, begins := range [...]string{"Cannot read properties of ", "Cannot set properties of "} {
		rest, ok := strings.CutPrefix(message, begins+"undefined")
		if !ok {
			continue
		}
		return begins + s.undefinedOrNull(ownerAt(at.place())) + rest
	}
	return message
}

// undefinedOrNull tells which of the two an expression gives.
func (s *session) undefinedOrNull(expression string) string {
	switch expression {
	case "undefined", "null":
		return expression
	}
	switch v := s.evaluate(expression); {
	case v == nil:
		return "undefined or null"
	case goja.IsNull(v):
		return "null"
	}
	return "undefined"
}

// longestName is how many bytes of an error's name reach a model.
const longestName = 100

// longestMessage is how many bytes of an error's text reach a model.
const longestMessage = 900

// thrownValue is the fault of a thrown value that is no Error.
func (s *session) thrownValue(v goja.Value) *sandbox.Fault {
	shown := s.peek.Render(s.realm.View(v), 400).Text
	return &sandbox.Fault{
		Kind: sandbox.KindThrown, Name: "Uncaught", Message: shown,
		Hint: "Throw an Error, so that it says where it came from: throw new Error(\"…\").",
	}
}

// errorText reads a member of an error that the program may have set to anything.
func (s *session) errorText(o *goja.Object, name string) string {
	text := ""
	_ = s.realm.Try(func() {
		if str, ok := o.Get(name).(goja.String); ok {
			text = str.String()
		}
	})
	return text
}

// advise gives the next action for an error of the engine's, from its words, the
// text of the program, and what the session knows of the names in it.
func (s *session) advise(f *sandbox.Fault, engine string, at spot) string {
	p := at.place()
	switch {
	case f.Kind == sandbox.KindName && strings.HasSuffix(engine, " is not defined"):
		name := strings.TrimSuffix(engine, " is not defined")
		return s.unknownName(name, p.source, p.callee() == name)
	case strings.HasSuffix(f.Message, " is not a function") && f.Message != engine:
		return s.notCallable(strings.TrimSuffix(f.Message, " is not a function"))
	case strings.HasPrefix(f.Message, "Cannot read properties of "):
		return s.undefinedRead(ownerAt(p))
	case strings.HasPrefix(f.Message, "Assignment to constant"):
		return "Declare it with let."
	case strings.Contains(f.Message, "before initialization"):
		return "Move the declaration above its first use."
	case strings.Contains(f.Message, "Cannot mix BigInt"):
		return "One side is an exact integer beyond 2^53; convert the other with BigInt(x), or this one with Number(x) if losing digits is fine."
	case strings.HasSuffix(f.Message, " is not iterable") && engine != f.Message:
		return s.notIterableAdvice(strings.TrimSuffix(f.Message, " is not iterable"))
	case strings.HasSuffix(f.Message, " is not a constructor") && engine != f.Message:
		if advice, ok := realm.Unavailable(strings.TrimSuffix(f.Message, " is not a constructor")); ok {
			return advice
		}
	}
	return ""
}

// ownerAt gives the expression whose member is read at a place: for a.b.c read at
// c, it is a.b.
func ownerAt(p place) string {
	at := p.at()
	if at < 0 {
		return ""
	}
	word := wordAt(p.source, at)
	if word != "" {
		at = strings.LastIndex(p.source[:min(len(p.source), at+len(word))], word)
	} else if at < len(p.source) && p.source[at] == '(' {
		receiver, _ := cutMember(before(p.source, at))
		return receiver
	}
	for at > 0 && (p.source[at-1] == '.' || p.source[at-1] == '?' || p.source[at-1] == '[') {
		at--
	}
	return before(p.source, at)
}

// notIterableAdvice advises on iterating a value that is known.
func (s *session) notIterableAdvice(path string) string {
	v := s.evaluate(path)
	if v == nil {
		return "Only arrays, strings, maps and sets are; use Object.entries(o) for an object."
	}
	if o, ok := v.(*goja.Object); ok && realm.Kind(v) == "object" {
		for _, k := range s.realm.OwnKeys(o, 100) {
			if realm.Kind(s.realm.Data(o, k)) == "array" {
				return path + " is an object; its list is " + path + "." + shortKey(k) + "."
			}
		}
		return path + " is an object; use Object.entries(" + path + ") or Object.values(" + path + ")."
	}
	return path + " is " + withArticle(realm.Kind(v)) + "."
}
