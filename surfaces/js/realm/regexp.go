package realm

import (
	"errors"
	"math"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/sandbox/regex"
)

// regexpObject is a regular expression: an object of ours, because the engine's
// patterns run where nothing can stop them.
type regexpObject struct {
	expando
	r         *Realm
	program   *regex.Program
	pattern   goja.String
	flags     string
	lastIndex goja.Value
}

var _ goja.DynamicObject = (*regexpObject)(nil)

// Get gives lastIndex and what a program added.
func (re *regexpObject) Get(key string) goja.Value {
	if key == "lastIndex" {
		return re.lastIndex
	}
	return re.expando.Get(key)
}

// Has reports an own property.
func (re *regexpObject) Has(key string) bool { return key == "lastIndex" || re.expando.Has(key) }

// Set writes an own property. The methods that other methods rely on cannot be
// replaced on one pattern.
func (re *regexpObject) Set(key string, v goja.Value) bool {
	if key == "lastIndex" && !re.frozen {
		re.lastIndex = v
		return true
	}
	if re.frozen || memberOf(regexpProto, key) != nil {
		re.r.typeError("Cannot assign to property '%s' of a regular expression.", clipName(key))
	}
	re.r.Alloc(propBytes)
	return re.expando.Set(key, v)
}

// Delete removes an own property.
func (re *regexpObject) Delete(key string) bool { return key != "lastIndex" && re.expando.Delete(key) }

func (re *regexpObject) has(flag byte) bool { return strings.IndexByte(re.flags, flag) >= 0 }

// regexOf gives the regular expression behind a value, nil for anything else.
func regexOf(v goja.Value) *regexpObject {
	if o, ok := v.(*goja.Object); ok && o.ExportType() == regexpType {
		re, _ := o.Export().(*regexpObject)
		return re
	}
	return nil
}

// regexKey tells compiled patterns apart.
type regexKey struct{ pattern, flags string }

// regexCache keeps the compiled patterns of a realm, up to keptRegexes.
type regexCache struct {
	programs map[regexKey]*regex.Program
	matcher  regex.Matcher
}

const keptRegexes = 64

// Regex makes the regular expression of a literal.
func (r *Realm) Regex(pattern, flags string) goja.Value {
	return r.newRegex(r.text(pattern), flags)
}

func (r *Realm) newRegex(pattern goja.String, flags string) *goja.Object {
	r.Alloc(objectBytes)
	re := &regexpObject{r: r, program: r.compiled(pattern, flags), pattern: pattern, flags: sortedFlags(flags), lastIndex: whole(0)}
	o := r.vm.NewDynamicObject(re)
	_ = o.SetPrototype(r.proto(regexpProto))
	return o
}

// sortedFlags puts flags in the order of RegExp.prototype.flags.
func sortedFlags(flags string) string {
	if len(flags) < 2 {
		return flags
	}
	var b strings.Builder
	for _, f := range "dgimsuvy" {
		if strings.ContainsRune(flags, f) {
			b.WriteRune(f)
		}
	}
	return b.String()
}

// compiled compiles a pattern or finds it compiled.
func (r *Realm) compiled(pattern goja.String, flags string) *regex.Program {
	text := pattern.String()
	key := regexKey{text, flags}
	if p := r.regexes.programs[key]; p != nil {
		return p
	}
	limits := regex.DefaultLimits()
	limits.Meter = r.meter
	var p *regex.Program
	var err error
	if len(text) == pattern.Length() {
		p, err = regex.Compile(text, flags, regex.ECMAScript, limits)
	} else {
		r.Alloc(int64(pattern.Length()) * 2)
		p, err = regex.CompileUTF16(units(pattern), flags, regex.ECMAScript, limits)
	}
	if err != nil {
		r.raise(err)
	}
	if r.regexes.programs == nil {
		r.regexes.programs = make(map[regexKey]*regex.Program)
	}
	if len(r.regexes.programs) >= keptRegexes {
		clear(r.regexes.programs)
	}
	if strings.ToValidUTF8(text, "") == text && !strings.ContainsRune(text, 0xFFFD) {
		r.regexes.programs[key] = p
	}
	return p
}

// raise throws an error of a part that speaks in faults.
func (r *Realm) raise(err error) {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		r.Throw(f)
	}
	r.typeError("%s", err.Error())
}

// subject is a text made ready for matching.
type subject struct {
	text  goja.String
	input regex.Input
}

func (r *Realm) subject(s goja.String) subject {
	if text, ok := asciiOf(s); ok {
		return subject{s, regex.ASCII(text)}
	}
	n := int64(s.Length())
	r.Alloc(2 * n)
	list := units(s)
	r.meter.Release(2 * n)
	return subject{s, regex.UTF16(list)}
}

// find looks for a match at or after at. The captures are the caller's.
func (r *Realm) find(re *regexpObject, s subject, at int, fixed bool) []int {
	var captures []int
	var ok bool
	var err error
	if fixed {
		captures, ok, err = r.regexes.matcher.MatchAt(re.program, s.input, at, r.meter)
	} else {
		captures, ok, err = r.regexes.matcher.Exec(re.program, s.input, at, r.meter)
	}
	if err != nil {
		r.raise(err)
	}
	if !ok {
		return nil
	}
	return append([]int(nil), captures...)
}

// builtinExec is ECMA-262 RegExpBuiltinExec up to the captures.
func (r *Realm) builtinExec(re *regexpObject, s subject) []int {
	at := 0
	stateful := re.has('g') || re.has('y')
	if stateful {
		f := math.Max(0, r.integer(re.lastIndex))
		if f > float64(s.text.Length()) {
			re.setLast(0)
			return nil
		}
		at = int(f)
	}
	captures := r.find(re, s, at, false)
	switch {
	case captures == nil && stateful:
		re.setLast(0)
	case captures != nil && stateful:
		re.setLast(captures[1])
	}
	return captures
}

func (re *regexpObject) setLast(i int) {
	if re.frozen {
		re.r.typeError("Cannot assign to read only property 'lastIndex' of object '[object RegExp]'")
	}
	re.lastIndex = whole(i)
}

// result makes the array that exec gives.
func (r *Realm) result(re *regexpObject, s subject, captures []int) *goja.Object {
	m := r.match(re, s, captures)
	values := make([]goja.Value, len(captures)/2)
	r.Alloc(int64(len(values))*(stringBytes+elemBytes) + arrayBytes + 4*propBytes)
	for i := range values {
		values[i] = m.group(i)
	}
	o := r.makeArray(values)
	r.put(o, "index", whole(captures[0]))
	r.put(o, "input", s.text)
	groups := m.groups
	if groups == nil {
		groups = goja.Undefined()
	}
	r.put(o, "groups", groups)
	if re.has('d') {
		r.put(o, "indices", r.indices(re, captures))
	}
	return o
}

// match gives captures a groups object if the pattern has names.
func (r *Realm) match(re *regexpObject, s subject, captures []int) match {
	m := match{text: s.text, captures: captures}
	names := re.program.Names()
	if len(names) == 0 {
		return m
	}
	m.groups = r.namedGroups(names, func(i int) (goja.Value, bool) { return m.group(i), captures[2*i] >= 0 })
	return m
}

// namedGroups makes the object of the named captures.
func (r *Realm) namedGroups(names []regex.Name, group func(i int) (goja.Value, bool)) goja.Value {
	r.Alloc(objectBytes + int64(len(names))*propBytes)
	o := r.vm.CreateObject(nil)
	for _, n := range names {
		v := goja.Undefined()
		for _, i := range n.Groups {
			if g, ok := group(i); ok {
				v = g
			}
		}
		r.put(o, n.Name, v)
	}
	return o
}

// indices makes the array of bounds that the flag d asks for.
func (r *Realm) indices(re *regexpObject, captures []int) goja.Value {
	pair := func(i int) (goja.Value, bool) {
		if captures[2*i] < 0 {
			return goja.Undefined(), false
		}
		return r.newArray([]goja.Value{whole(captures[2*i]), whole(captures[2*i+1])}), true
	}
	values := make([]goja.Value, len(captures)/2)
	for i := range values {
		values[i], _ = pair(i)
	}
	o := r.newArray(values)
	groups := goja.Undefined()
	if names := re.program.Names(); len(names) > 0 {
		groups = r.namedGroups(names, pair)
	}
	r.put(o, "groups", groups)
	return o
}

// thisRegex is the pattern a method was called on.
func (r *Realm) thisRegex(c call, name string) *regexpObject {
	if re := regexOf(c.This); re != nil {
		return re
	}
	r.typeError("Method RegExp.prototype.%s called on incompatible receiver %s", name, r.describe(c.This))
	return nil
}

func regexpMethods() []member {
	list := []member{
		method("exec", 1, func(r *Realm, c call) goja.Value {
			re := r.thisRegex(c, "exec")
			s := r.subject(r.str(arg(c, 0)))
			captures := r.builtinExec(re, s)
			if captures == nil {
				return goja.Null()
			}
			return r.result(re, s, captures)
		}),
		method("test", 1, func(r *Realm, c call) goja.Value {
			re := r.thisRegex(c, "test")
			return boolean(r.builtinExec(re, r.subject(r.str(arg(c, 0)))) != nil)
		}),
		method("toString", 0, func(r *Realm, c call) goja.Value {
			re := r.thisRegex(c, "toString")
			return r.newText(re.literal())
		}),
		getter("source", func(r *Realm, c call) goja.Value {
			return r.newText(regex.EscapeSource(r.thisRegex(c, "source").pattern.String()))
		}),
		getter("flags", func(r *Realm, c call) goja.Value { return r.text(r.thisRegex(c, "flags").flags) }),
	}
	for name, flag := range flagNames {
		list = append(list, getter(name, func(r *Realm, c call) goja.Value { return boolean(r.thisRegex(c, name).has(flag)) }))
	}
	return list
}

var flagNames = map[string]byte{
	"global": 'g', "ignoreCase": 'i', "multiline": 'm', "dotAll": 's', "unicode": 'u', "unicodeSets": 'v', "sticky": 'y', "hasIndices": 'd',
}

// literal is the pattern as a program writes it.
func (re *regexpObject) literal() string {
	return "/" + regex.EscapeSource(re.pattern.String()) + "/" + re.flags
}

func regexpStatics() []member { return nil }

func (r *Realm) regexpConstructor() goja.Value {
	return r.constructor("RegExp", 2, r.proto(regexpProto), func(c goja.ConstructorCall) *goja.Object {
		flags, flagged := "", len(c.Arguments) > 1 && !goja.IsUndefined(c.Arguments[1])
		if flagged {
			flags = r.str(c.Arguments[1]).String()
		}
		pattern := emptyText
		if v := c.Argument(0); !goja.IsUndefined(v) {
			if re := regexOf(v); re != nil {
				pattern = re.pattern
				if !flagged {
					flags = re.flags
				}
			} else {
				pattern = r.str(v)
			}
		}
		o := r.newRegex(pattern, flags)
		if p := c.This.Prototype(); p != r.protos[regexpProto] {
			_ = o.SetPrototype(p)
		}
		return o
	})
}

// toRegex makes a pattern of the argument of match, matchAll and search.
func (r *Realm) toRegex(v goja.Value, flags string) *regexpObject {
	if re := regexOf(v); re != nil {
		return re
	}
	pattern := emptyText
	if v != nil && !goja.IsUndefined(v) {
		pattern = r.str(v)
	}
	return regexOf(r.newRegex(pattern, flags))
}

// advance is the next place to look after an empty match.
func (re *regexpObject) advance(s goja.String, i int) int {
	if i < s.Length() && re.program.CodePoints() {
		return i + pointWidth(s, i)
	}
	return i + 1
}

// eachMatch visits the matches of a global pattern, or the one of another.
func (r *Realm) eachMatch(re *regexpObject, s subject, visit func(captures []int)) {
	if !re.has('g') {
		if captures := r.builtinExec(re, s); captures != nil {
			visit(captures)
		}
		return
	}
	re.setLast(0)
	for at := 0; at <= s.text.Length(); {
		captures := r.find(re, s, at, false)
		if captures == nil {
			break
		}
		visit(captures)
		if at = captures[1]; captures[1] == captures[0] {
			at = re.advance(s.text, at)
		}
	}
}

func stringMatch(r *Realm, text goja.String, c call) goja.Value {
	re := r.toRegex(arg(c, 0), "")
	s := r.subject(text)
	if !re.has('g') {
		captures := r.builtinExec(re, s)
		if captures == nil {
			return goja.Null()
		}
		return r.result(re, s, captures)
	}
	var list []goja.Value
	r.Alloc(arrayBytes)
	r.eachMatch(re, s, func(captures []int) {
		r.Alloc(stringBytes + 2*elemBytes)
		list = append(list, text.Substring(captures[0], captures[1]))
	})
	if list == nil {
		return goja.Null()
	}
	return r.makeArray(list)
}

func stringMatchAll(r *Realm, text goja.String, c call) goja.Value {
	given := regexOf(arg(c, 0))
	if given != nil && !given.has('g') {
		r.typeError("String.prototype.matchAll called with a non-global RegExp argument")
	}
	re := r.toRegex(arg(c, 0), "g")
	s := r.subject(text)
	at := int(math.Min(math.Max(0, r.integer(re.lastIndex)), float64(text.Length()+1)))
	return r.iterator("RegExp String Iterator", func() (goja.Value, bool) {
		captures := r.find(re, s, at, false)
		if captures == nil {
			return nil, false
		}
		if at = captures[1]; captures[1] == captures[0] {
			at = re.advance(text, at)
		}
		return r.result(re, s, captures), true
	})
}

func stringSearch(r *Realm, text goja.String, c call) goja.Value {
	re := r.toRegex(arg(c, 0), "")
	captures := r.find(re, r.subject(text), 0, re.has('y'))
	if captures == nil {
		return whole(-1)
	}
	return whole(captures[0])
}

func (r *Realm) replaceRegex(text goja.String, re *regexpObject, with goja.Value) goja.Value {
	write := r.replacement(with)
	s := r.subject(text)
	b := builder{r: r}
	from, found := 0, false
	if re.has('g') {
		// The matches are found before the first replacement is made, as ECMA-262
		// says: a function that changes the pattern changes nothing here.
		var all [][]int
		r.eachMatch(re, s, func(captures []int) {
			r.Alloc(int64(len(captures))*8 + 48)
			all = append(all, captures)
		})
		for _, captures := range all {
			found = true
			b.add(text.Substring(from, captures[0]))
			write(&b, r.match(re, s, captures))
			from = captures[1]
		}
	} else if captures := r.builtinExec(re, s); captures != nil {
		found = true
		b.add(text.Substring(0, captures[0]))
		write(&b, r.match(re, s, captures))
		from = captures[1]
	}
	if !found {
		return text
	}
	b.add(text.Substring(from, text.Length()))
	return b.value()
}

func (r *Realm) splitRegex(text goja.String, re *regexpObject, limit uint32) goja.Value {
	if limit == 0 {
		return r.newArray(nil)
	}
	s := r.subject(text)
	n := text.Length()
	if n == 0 {
		if r.find(re, s, 0, true) != nil {
			return r.newArray(nil)
		}
		return r.newArray([]goja.Value{text})
	}
	var list []goja.Value
	add := func(v goja.Value) bool {
		r.Alloc(stringBytes + 2*elemBytes)
		list = append(list, v)
		return uint32(len(list)) < limit
	}
	r.Alloc(arrayBytes)
	from, at := 0, 0
	for at < n {
		captures := r.find(re, s, at, re.has('y'))
		if captures == nil {
			if !re.has('y') {
				break
			}
			at = re.advance(text, at)
			continue
		}
		if captures[0] >= n {
			break
		}
		if captures[1] == from || captures[1] == captures[0] && captures[0] == from {
			at = re.advance(text, max(at, captures[0]))
			continue
		}
		if captures[0] == captures[1] && captures[1] >= n {
			break
		}
		if !add(text.Substring(from, captures[0])) {
			return r.makeArray(list)
		}
		from = captures[1]
		m := match{text: text, captures: captures}
		for i := 1; i < len(captures)/2; i++ {
			if !add(m.group(i)) {
				return r.makeArray(list)
			}
		}
		if at = from; captures[0] == captures[1] {
			at = re.advance(text, at)
		}
	}
	add(text.Substring(from, n))
	return r.makeArray(list)
}
