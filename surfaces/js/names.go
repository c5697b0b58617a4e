package js

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn"
)

// namespaces is the catalogue as names: which server a program may name, and
// which functions it has. It is derived when a program first mentions a name
// that nothing else explains, and again when the catalogue has changed.
type namespaces struct {
	version uint64
	built   bool
	byName  map[string]*namespace
	order   []string
}

// namespace is one server's functions, by the name after the double underscore.
type namespace struct {
	name    string
	members map[string]*toolfn.ToolFn
	order   []string
}

// spaces gives the namespaces of the catalogue as it is now.
func (s *session) spaces() *namespaces {
	cat := s.ws.Catalog()
	if v := cat.Version(); !s.namespaces.built || s.namespaces.version != v {
		s.namespaces = deriveNamespaces(cat.All())
		s.namespaces.version = v
	}
	return &s.namespaces
}

func deriveNamespaces(all []*toolfn.ToolFn) namespaces {
	n := namespaces{built: true, byName: map[string]*namespace{}}
	flat := make(map[string]bool, len(all))
	for _, fn := range all {
		flat[fn.Name] = true
	}
	for _, fn := range all {
		before, after, ok := strings.Cut(fn.Name, "__")
		if !ok || before == "" || after == "" || flat[before] || taken(before) {
			continue
		}
		sp := n.byName[before]
		if sp == nil {
			sp = &namespace{name: before, members: map[string]*toolfn.ToolFn{}}
			n.byName[before] = sp
			n.order = append(n.order, before)
		}
		sp.members[after] = fn
		sp.order = append(sp.order, after)
	}
	return n
}

// taken reports a name that means something else in every program, so that no
// namespace can have it; its functions keep their flat names.
func taken(name string) bool {
	return realm.Offered(name) || slices.Contains(builtinNames, name)
}

// capabilityNamed gives the function that a spelling names: flat or qualified.
func (s *session) capabilityNamed(spelled string) (*toolfn.ToolFn, bool) {
	if fn, ok := s.ws.Catalog().Lookup(spelled); ok {
		return fn, true
	}
	before, after, ok := strings.Cut(spelled, ".")
	if !ok {
		return nil, false
	}
	sp := s.spaces().byName[before]
	if sp == nil {
		return nil, false
	}
	fn, ok := sp.members[after]
	return fn, ok
}

// global gives the value of a global name that is the session's own: a builtin, a
// capability, a namespace.
func (s *session) global(name string) goja.Value {
	if b := s.builtin(name); b != nil {
		return b
	}
	if fn, ok := s.ws.Catalog().Lookup(name); ok && !realm.Offered(name) {
		return s.capabilityOf(fn).object
	}
	if sp := s.spaces().byName[name]; sp != nil {
		return s.namespaceObject(name)
	}
	return nil
}

// capabilityOf gives the one function object of a catalogue function.
func (s *session) capabilityOf(fn *toolfn.ToolFn) *capability {
	c := s.byName[fn.Name]
	if c == nil || c.fn != fn {
		c = s.newCapability(fn)
		s.byName[fn.Name] = c
	}
	return c
}

// namespaceValue is the read-only object of a server's functions. It is dynamic,
// so that a server of hundreds of functions costs what a program uses of it.
type namespaceValue struct {
	s    *session
	name string
}

func (s *session) namespaceObject(name string) *goja.Object {
	return s.realm.Runtime().NewDynamicObject(&namespaceValue{s, name})
}

func (n *namespaceValue) members() *namespace {
	if sp := n.s.spaces().byName[n.name]; sp != nil {
		return sp
	}
	return &namespace{name: n.name}
}

// Get gives a function of the server.
func (n *namespaceValue) Get(name string) goja.Value {
	if fn := n.members().members[name]; fn != nil {
		return n.s.capabilityOf(fn).object
	}
	return nil
}

// Has reports whether the server has a function.
func (n *namespaceValue) Has(name string) bool { return n.members().members[name] != nil }

// Set refuses: a capability cannot be replaced.
func (n *namespaceValue) Set(name string, _ goja.Value) bool {
	n.s.realm.Throw(&sandbox.Fault{
		Kind: sandbox.KindType, Name: "TypeError",
		Message: "Cannot assign to '" + shortKey(name) + "' of " + n.name + ": it is read-only.", Hint: "Use a variable of your own.",
	})
	return false
}

// Delete refuses.
func (n *namespaceValue) Delete(name string) bool {
	n.s.realm.Throw(&sandbox.Fault{
		Kind: sandbox.KindType, Name: "TypeError",
		Message: "Cannot delete '" + shortKey(name) + "' of " + n.name + ": it is read-only.",
	})
	return false
}

// Keys lists the server's functions.
func (n *namespaceValue) Keys() []string { return n.members().order }

// Opaque names the namespace wherever a value is shown.
func (n *namespaceValue) Opaque() string { return "#<namespace " + n.name + ">" }

// reserved says what a name stands for that a program may not declare at its top
// level.
func (s *session) reserved(name string) (what string, ok bool) {
	switch {
	case realm.Offered(name):
		return "a builtin", true
	case s.yields(name): // it is not the builtin's here
	case slices.Contains(shadowable, name) || name == lastValue:
		return "", false
	case slices.Contains(builtinNames, name):
		return "a builtin", true
	}
	if _, ok := s.ws.Catalog().Lookup(name); ok {
		return "a function", true
	}
	if s.spaces().byName[name] != nil {
		return "a namespace", true
	}
	return "", false
}

// visible lists the names that a program could have meant by an unknown one, in
// the order in which a suggestion prefers them. What is called may be a builtin,
// and so may a capitalised name; any other unknown value is most likely a
// definition that was lost or misspelt.
func (s *session) visible(name, source string, called bool) []string {
	names := append([]string(nil), s.scope.order...)
	names = append(names, s.foreignNames()...)
	for _, m := range declarations.FindAllStringSubmatch(source, 500) {
		names = append(names, m[1]+m[2])
	}
	names = append(names, s.spaces().order...)
	if called {
		names = append(names, closeTo(name, builtinNames)...)
	}
	if called || unicode.IsUpper([]rune(name)[0]) {
		names = append(names, closeTo(name, realm.GlobalNames())...)
	}
	for _, fn := range s.ws.Catalog().All() {
		names = append(names, fn.Name)
	}
	return names
}

// closeTo leaves of builtin names those that a short name can be a slip of: with
// the same first letter. Two edits turn most words of four letters into another.
func closeTo(name string, builtins []string) (near []string) {
	for _, b := range builtins {
		if len(name) > 5 || len(b) > 5 || strings.EqualFold(name[:1], b[:1]) && (len(b) != len(name) || oneApart(name, b)) {
			near = append(near, b)
		}
	}
	return near
}

// oneApart reports whether two names of one length differ in one place, or in two
// neighbours that changed places.
func oneApart(a, b string) bool {
	n := 0
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	if n != 2 {
		return n < 2
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i]
		}
	}
	return false
}

// declarations finds the names that a text declares, roughly: enough to suggest.
var declarations = regexp.MustCompile(`\b(?:const|let|var|function|class)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s*=>`)

// unknownName is the advice for a name that nothing defines.
func (s *session) unknownName(name, source string, called bool) string {
	if name == "" {
		return ""
	}
	if advice, ok := realm.Unavailable(name); ok {
		return advice
	}
	if full := s.tails(name); len(full) > 0 {
		return "The function is " + strings.Join(full, " or ") + "."
	}
	if near, ok := sandbox.Nearest(name, s.visible(name, source, called)); ok {
		return "Did you mean " + near + "?"
	}
	if words := split(name); len(words) > 1 && s.ws.Catalog().Len() > 0 {
		return `search("` + strings.Join(words, " ") + `") finds functions.`
	}
	return ""
}

// tails lists the functions whose unqualified name is the one given, as programs
// spell them.
func (s *session) tails(name string) []string {
	var full []string
	for _, fn := range s.ws.Catalog().All() {
		if fn.Local() == name && fn.Name != name {
			if full = append(full, spelling(fn)); len(full) == 3 {
				break
			}
		}
	}
	return full
}
