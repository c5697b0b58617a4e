package lisp

import (
	"errors"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// resolve gives what the catalogue, the session's own functions and the other
// languages of the workspace have under a name.
func (s *session) resolve(n string) (data.Value, bool) {
	if v := s.ws.Catalog().Version(); s.callables == nil || s.version != v {
		s.callables, s.version = map[string]data.Value{}, v
	}
	if v, ok := s.callables[n]; ok {
		return v, true
	}
	v, ok := s.find(n)
	if ok && n != lastValue {
		s.callables[n] = v
	}
	if !ok {
		return s.foreign(n)
	}
	return v, ok
}

func (s *session) find(n string) (data.Value, bool) {
	if n == lastValue {
		return s.last, true
	}
	if fn, ok := s.functionNamed(n); ok {
		return s.capability(fn), true
	}
	if t, ok := s.tableNamed(n); ok {
		return s.table(t), true
	}
	if b := s.builtin(n); b != nil {
		return b.Function(), true
	}
	if s.isServer(n) {
		return s.namespace(n), true
	}
	return data.Nil, false
}

// owns reports whether a name is a function's or table's own, or that of what every
// program needs. The other names of the session's functions are everyday words,
// which programs may take, and each has a long name.
func (s *session) owns(n string) bool {
	cat := s.ws.Catalog()
	if _, ok := cat.Lookup(n); ok {
		return true
	}
	if _, ok := cat.Table(n); ok {
		return true
	}
	switch n {
	case "insert!", "update!", "delete!", "commit!", "rollback!", lastValue:
		return true
	}
	return false
}

// functionNamed gives the function that a spelling names: flat or qualified, with
// underscores or with the hyphens that Lisp names have.
func (s *session) functionNamed(n string) (*toolfn.ToolFn, bool) {
	cat := s.ws.Catalog()
	for _, spelling := range spellings(n) {
		if fn, ok := cat.Lookup(spelling); ok {
			return fn, true
		}
	}
	return nil, false
}

func spellings(n string) []string {
	out := []string{n}
	if space, local, ok := strings.Cut(n, "/"); ok {
		out = []string{space + "__" + local}
	}
	if strings.Contains(n, "-") {
		out = append(out, strings.ReplaceAll(out[0], "-", "_"))
	}
	return out
}

func (s *session) isServer(n string) bool {
	g, ok := s.ws.Catalog().Server(n)
	return ok && g != nil
}

// namespace is a server as a function: (github :list_pull_requests {…}).
func (s *session) namespace(n string) data.Value {
	f := &data.Native{Name: n, Min: 1, Max: 2, Usage: "(" + n + " :function {…})"}
	f.Run = func(t *data.Thread, a []data.Value) data.Value {
		local := a[0].Named()
		if local == nil {
			data.ThrowHint("IllegalArgumentException", n+" is a namespace: it takes the function's name as a keyword.", "Write ("+n+"/function {…}).")
		}
		fn, ok := s.functionNamed(n + "/" + local.Name)
		if !ok {
			data.ThrowHint("IllegalArgumentException", n+" has no function "+sandbox.Clip(local.Name, 60)+".", s.nearFunction(n+"__"+local.Name))
		}
		return s.call(t, fn, append([]data.Value(nil), a[1:]...))
	}
	return f.Function()
}

// capability is a function of the catalogue as programs call it.
func (s *session) capability(fn *toolfn.ToolFn) data.Value {
	shown := spelled(fn.Name)
	f := &data.Native{Name: shown, Max: -1, Usage: "(" + shown + " {…})"}
	f.Run = func(t *data.Thread, a []data.Value) data.Value { return s.call(t, fn, a) }
	return f.Function()
}

// call makes a call of the catalogue's function.
func (s *session) call(t *data.Thread, fn *toolfn.ToolFn, a []data.Value) data.Value {
	s.mayCall(spelled(fn.Name))
	args := s.arguments(t, fn, a)
	at := s.machine.Place(t.At)
	v, err := s.run.calls.Call(dispatch.Call{Function: fn.Name, Args: args, Line: at.Line, Column: at.Column})
	if err != nil {
		throw(err)
	}
	if surfaces.NoRows(v) {
		s.emptyRead(callText(spelled(fn.Name), args))
	}
	return s.bring(t, v, s.rows(spelled(fn.Name), v))
}

// mayCall throws unless a program is running: a lazy part of a result must not fire
// anything when it is shown.
func (s *session) mayCall(what string) {
	if s.run == nil || s.run.ended || s.run.calls == nil {
		data.Throw("IllegalStateException", what+" cannot be called outside of a running program.")
	}
}

// throw raises the fault of a call: limits as what no program can catch.
func throw(err error) {
	f := asFault(err)
	if f.Kind.Limit() {
		panic(f)
	}
	panic(&data.Thrown{Value: data.Box(&data.Exception{Class: "ExceptionInfo", Message: f.Message, Hint: f.Hint, Fault: f, Data: failure(f)})})
}

func asFault(err error) *sandbox.Fault {
	var refused *toolfn.Refusal
	var f *sandbox.Fault
	if errors.As(err, &f) && errors.As(f.Cause, &refused) {
		g := *f
		g.Hint = refused.Hint(signatures()) // the call as programs write it
		return &g
	}
	if errors.As(err, &f) {
		return f
	}
	return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the call could not be made.", Cause: err}
}

// failure is what (ex-data e) gives of a call that failed.
func failure(f *sandbox.Fault) data.Value {
	t := data.Unmetered()
	word := dispatch.OutcomeOf(f).String()
	if dispatch.OutcomeOf(f) == dispatch.Refused {
		word = "not made"
	}
	m := data.MapOf(t, data.Keyword("kind"), data.String(string(f.Kind)), data.Keyword("outcome"), data.String(word))
	var ce *toolfn.CallError
	if errors.As(f.Cause, &ce) {
		if ce.Code != "" {
			m = m.With(t, data.Keyword("code"), data.String(ce.Code))
		}
		m = m.With(t, data.Keyword("retryable"), data.Bool(ce.Retryable))
	}
	return m.Value()
}

// arguments reads what a program passed: one map, keys and values in turn, or one
// value where it can only be one parameter.
func (s *session) arguments(t *data.Thread, fn *toolfn.ToolFn, a []data.Value) *value.Object {
	shown := spelled(fn.Name)
	switch {
	case len(a) == 0 || len(a) == 1 && a[0].IsNil():
		return nil
	case len(a) == 1 && a[0].Kind() == data.KindMap:
		return send(t, a[0]).(*value.Object)
	case len(a)%2 == 0 && a[0].IsKeyword():
		m := data.MapOf(t, a...)
		args := send(t, m.Value()).(*value.Object)
		s.note("(" + shown + " :key value …) was read as " + callText(shown, args) + ".")
		return args
	case len(a) == 1:
		if name, ok := fn.SoleParameter(); ok && !data.Seqable(a[0]) || ok && a[0].Kind() == data.KindString {
			args := value.Of(name, send(t, a[0]))
			s.note("(" + shown + " x) was read as " + callText(shown, args) + ".")
			return args
		}
	}
	data.ThrowHint("IllegalArgumentException", shown+" takes one map of named arguments.", "Write "+skeleton(fn)+"; (describe \""+fn.Name+"\") shows its parameters.")
	return nil
}

func skeleton(fn *toolfn.ToolFn) string {
	names, required := fn.Parameters()
	shown := spelled(fn.Name)
	if len(names) == 0 {
		return "(" + shown + ")"
	}
	var b strings.Builder
	b.WriteString("(" + shown + " {")
	for i, n := range names[:max(1, required)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(keyText(n) + " …")
	}
	return b.String() + "})"
}

// mostEmpty bounds the empty reads that are told.
const mostEmpty = 5

func (s *session) emptyRead(call string) {
	if len(s.run.empty) < mostEmpty && !slices.Contains(s.run.empty, call) {
		s.run.empty = append(s.run.empty, call)
	}
}

// source is what rows of one function or table are known to have, and what programs
// asked them for in vain.
type source struct {
	name   string
	keys   map[string]bool
	missed []string
	row    *data.Row
}

// rows gives the mark for the rows of a result.
func (s *session) rows(name string, v value.Value) *data.Row {
	switch v.(type) {
	case []value.Value, *value.Object:
	default:
		return nil
	}
	var src *source
	for _, x := range s.run.misses {
		if x.name == name {
			src = x
		}
	}
	if src == nil {
		src = &source{name: name, keys: map[string]bool{}}
		src.row = &data.Row{Missed: src.miss}
		s.run.misses = append(s.run.misses, src)
	}
	src.learn(v, 0)
	return src.row
}

const mostMissed = 20

func (src *source) miss(key data.Value) {
	n := key.Named().Full()
	if len(src.missed) < mostMissed && !slices.Contains(src.missed, n) {
		src.missed = append(src.missed, n)
	}
}

// mostLearned bounds the rows whose keys are looked at.
const mostLearned = 5000

func (src *source) learn(v value.Value, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case []value.Value:
		var last *value.Keys
		for _, x := range v[:min(len(v), mostLearned)] {
			if o, ok := x.(*value.Object); ok && o.Keys() == last {
				continue
			} else if ok {
				last = o.Keys()
			}
			src.learn(x, depth+1)
		}
	case *value.Object:
		for k, e := range v.All() {
			src.keys[k] = true
			src.learn(e, depth+1)
		}
	}
}

// guardNotes tells of keys that were read and that no row has.
func (s *session) guardNotes() {
	for _, src := range s.run.misses {
		for _, n := range src.missed {
			if src.keys[n] {
				continue
			}
			var known []string
			for k := range src.keys {
				known = append(known, k)
			}
			slices.Sort(known)
			text := "No row of " + src.name + " has :" + sandbox.Clip(n, 60) + "."
			if near, ok := sandbox.Nearest(n, known); ok {
				text += " Did you mean :" + near + "?"
			}
			if len(known) > 0 {
				text += " Rows have " + keywordList(known, 20) + "."
			}
			s.note(text)
		}
	}
}

func keywordList(names []string, most int) string {
	var b strings.Builder
	for i, n := range names {
		if i == most {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(keyText(n))
	}
	return b.String()
}
