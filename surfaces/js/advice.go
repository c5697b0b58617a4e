package js

import (
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/js/realm"
)

// idioms are members of other languages and libraries that programs reach for,
// and what JavaScript has instead.
var idioms = map[string]string{
	"contains": "includes(x)", "append": "push(x)", "extend": "push(...list)", "add": "push(x)", "strip": "trim()",
	"lower": "toLowerCase()", "upper": "toUpperCase()", "startswith": "startsWith(text)", "endswith": "endsWith(text)",
	"len": "length", "size": "length", "count": "length", "isEmpty": "length === 0", "is_empty": "length === 0",
	"first": "at(0)", "last": "at(-1)", "sum": "reduce((a, b) => a + b, 0)", "unique": "[...new Set(list)]", "uniq": "[...new Set(list)]",
	"groupBy": "Object.groupBy(list, fn)", "group_by": "Object.groupBy(list, fn)", "sortBy": "toSorted((a, b) => …)", "sort_by": "toSorted((a, b) => …)",
	"sorted": "toSorted()", "reversed": "toReversed()", "max": "Math.max(...list)", "min": "Math.min(...list)", "each": "forEach(fn)", "collect": "map(fn)",
	"select": "filter(fn)", "reject": "filter(x => !…)", "inject": "reduce(fn, start)", "any": "some(fn)", "all": "every(fn)", "items": "Object.entries(o)",
	"has_key": "Object.hasOwn(o, key)", "iteritems": "Object.entries(o)", "format": "a template: `…${x}…`", "replace_all": "replaceAll(a, b)",
	"pluck": "map(x => x.field)", "compact": "filter(Boolean)", "flatten": "flat()", "toList": "[...x]", "toArray": "[...x]", "to_s": "String(x)", "compareTo": "localeCompare(other)",
}

// notCallable advises on the call of something that is no function. path is what
// was called, as the program spells it.
func (s *session) notCallable(path string) string {
	receiver, name := cutMember(path)
	if name == "" {
		return s.notCallableName(path)
	}
	if sp := s.spaces().byName[receiver]; sp != nil {
		return s.noFunction(sp, name)
	}
	if v := s.evaluate(receiver); v != nil {
		return s.noMethod(receiver, name, v)
	}
	if c := s.calledIn(receiver); c != nil && c.guard != nil && len(c.guard.fields) > 0 && arrayOnly(name) {
		return c.shown + " returns an object with the fields " + listNames(c.guard.fields, 12) + "."
	}
	return anyMethod(name)
}

// cutMember splits the last member off a path: rows.map gives rows and map.
func cutMember(path string) (receiver, name string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 || strings.ContainsAny(path[i:], "()[]\"'` ") {
		return path, ""
	}
	return strings.TrimSuffix(path[:i], "?"), path[i+1:]
}

// notCallableName advises on calling a name of the session's that is no function.
func (s *session) notCallableName(name string) string {
	if v := s.scope.value(name); v != nil {
		return name + " is " + withArticle(realm.Kind(v)) + "."
	}
	if s.spaces().byName[name] != nil {
		return name + " is a namespace; call one of its functions: " + name + "." + s.spaces().byName[name].order[0] + "({ … })."
	}
	return ""
}

// noFunction advises on a function that a namespace does not have.
func (s *session) noFunction(sp *namespace, name string) string {
	if near, ok := likely(name, sp.order); ok {
		return "Did you mean " + sp.name + "." + near + "?"
	}
	if full := s.tails(name); len(full) > 0 {
		return "The function is " + strings.Join(full, " or ") + "."
	}
	return sp.name + " has " + listNames(sp.order, 12) + "."
}

// evaluate gives the value of a path of plain names, without running anything.
func (s *session) evaluate(path string) goja.Value {
	names := strings.Split(path, ".")
	if slices.Contains(names, "") || strings.ContainsAny(path, "()[]?\"'` ") {
		return nil
	}
	v := s.scope.value(names[0])
	for _, n := range names[1:] {
		o, ok := v.(*goja.Object)
		if !ok || realm.Kind(v) != "object" || !s.realm.Own(o, n) {
			return nil
		}
		v = s.realm.Data(o, n)
	}
	return v
}

// noMethod advises on a method that a known value does not have.
func (s *session) noMethod(path, name string, v goja.Value) string {
	kind := realm.Kind(v)
	switch kind {
	case "undefined", "null":
		return path + " is " + kind + "."
	case "object":
		return s.noObjectMethod(path, name, v.(*goja.Object))
	case "function", "class":
		return path + " is " + withArticle(kind) + "; call it first: " + path + "(…)." + name
	}
	if what, ok := idioms[name]; ok {
		return path + " is " + withArticle(kind) + "; use " + what + "."
	}
	if near, ok := sandbox.Nearest(name, realm.Members(kind)); ok {
		return "Did you mean " + near + "?"
	}
	if own := slices.Contains(realm.Members(kind), name); own {
		return path + "." + name + " is a property, not a method: leave out the parentheses."
	}
	return path + " is " + withArticle(kind) + "."
}

// noObjectMethod advises on calling something of a plain object: most often it
// was taken for a list.
func (s *session) noObjectMethod(path, name string, o *goja.Object) string {
	keys := s.realm.OwnKeys(o, 100)
	if arrayOnly(name) {
		for _, k := range keys {
			if realm.Kind(s.realm.Data(o, k)) == "array" {
				return path + " is an object; its list is " + path + "." + shortKey(k) + "."
			}
		}
		return path + " is an object, not a list: use Object.values(" + path + ") or Object.entries(" + path + ")."
	}
	if slices.Contains(keys, name) {
		return path + "." + name + " is " + withArticle(realm.Kind(s.realm.Data(o, name))) + ", not a function."
	}
	if near, ok := likely(name, keys); ok {
		return "Did you mean " + path + "." + shortKey(near) + "?"
	}
	if what, ok := idioms[name]; ok {
		return "Use " + what + "."
	}
	if len(keys) == 0 {
		return path + " is an empty object."
	}
	return path + " has " + listNames(keys, 12) + "."
}

// arrayOnly reports a method that lists have and plain objects have not.
func arrayOnly(name string) bool {
	return slices.Contains(realm.Members("array"), name) && !slices.Contains(realm.Members("object"), name)
}

// anyMethod advises on a method of a value that is not known any more.
func anyMethod(name string) string {
	for _, kind := range []string{"array", "string", "number", "date", "map", "set", "regexp", "promise"} {
		if slices.Contains(realm.Members(kind), name) {
			return "Only " + plurals[kind] + " have " + name + "."
		}
	}
	var all []string
	for _, kind := range []string{"array", "string", "number", "date", "map", "set", "regexp"} {
		all = append(all, realm.Members(kind)...)
	}
	if near, ok := sandbox.Nearest(name, all); ok {
		return "Did you mean " + near + "?"
	}
	if what, ok := idioms[name]; ok {
		return "Use " + what + "."
	}
	return ""
}

var plurals = map[string]string{"array": "arrays", "string": "strings", "number": "numbers", "date": "dates", "map": "maps", "set": "sets", "regexp": "patterns", "promise": "promises"}

// calledIn gives the capability whose call an expression is, as in
// github.list_pull_requests({…}).
func (s *session) calledIn(expr string) *capability {
	i := strings.IndexByte(expr, '(')
	if i <= 0 {
		return nil
	}
	fn, ok := s.capabilityNamed(strings.TrimPrefix(expr[:i], "await "))
	if !ok {
		return nil
	}
	return s.byName[fn.Name]
}

// withArticle gives a kind of value with its article.
func withArticle(kind string) string {
	switch kind {
	case "undefined", "null":
		return kind
	case "array", "object", "error":
		return "an " + kind
	case "regexp":
		return "a pattern"
	}
	return "a " + kind
}

// undefinedRead advises on reading a member of undefined or null: source and
// offset say where; path is what was undefined.
func (s *session) undefinedRead(path string) string {
	if path == "" {
		return ""
	}
	if receiver, name := cutMember(path); name != "" {
		for _, g := range s.missed {
			for _, m := range g.misses {
				if m.field == name && !g.known[name] {
					near, _ := likely(name, g.fields)
					return g.remark(m, near)
				}
			}
		}
		return path + " is not there: " + receiver + " has no '" + shortKey(name) + "' here. Check it first, or read on with " + path + "?."
	}
	if fn, ok := s.capabilityNamed(path); ok {
		return "Call it: " + spelling(fn) + "({ … })."
	}
	return ""
}
