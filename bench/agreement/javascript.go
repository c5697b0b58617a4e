package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn/value"
)

// javascript replays JavaScript. The recordings are of Node; what JSON cannot say
// is tagged: {"$undefined": true}, {"$number": "NaN"}, {"$bigint": "1"},
// {"$map": [[key, value]]}, {"$set": []}, {"$hole": true},
// {"$typed": name, "data": []}, {"$error": …}.
type javascript struct{}

func (javascript) surface() surfaces.Language { return js.Language() }

func (l javascript) plain(v any) value.Value { return l.plainAt(v, 0) }

func (l javascript) plainAt(v any, depth int) value.Value {
	if depth > value.MaxDepth {
		return value.Of("$deep", true)
	}
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return value.Of("$number", numberText(v))
		}
		return v
	case []value.Value:
		list := make([]value.Value, len(v))
		for i, e := range v {
			list[i] = l.plainAt(e, depth+1)
		}
		return list
	case *value.Object:
		o := value.NewObject(v.Len())
		for k, e := range v.All() {
			o.Set(k, l.plainAt(e, depth+1))
		}
		return o
	case elide.Opaque:
		return opaque(v.Opaque())
	case elide.Text:
		return v.Prefix(v.Len())
	case elide.List:
		list := make([]value.Value, v.Len())
		for i := range list {
			list[i] = l.plainAt(v.Index(i), depth+1)
		}
		return list
	case elide.Map:
		o := value.NewObject(v.Len())
		for i := range v.Len() {
			k, e := v.Entry(i)
			o.Set(k, l.plainAt(e, depth+1))
		}
		return o
	}
	return v
}

// opaque turns the text of a value without readable content into its tag.
func opaque(text string) value.Value {
	switch text {
	case "undefined":
		return value.Of("$undefined", true)
	case "NaN", "Infinity", "-Infinity", "-0":
		return value.Of("$number", text)
	}
	if digits, ok := strings.CutSuffix(text, "n"); ok {
		if _, ok := new(big.Int).SetString(digits, 10); ok {
			return value.Of("$bigint", digits)
		}
	}
	return value.Of("$opaque", text)
}

func numberText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case f > 0:
		return "Infinity"
	}
	return "-Infinity"
}

// tag gives the name and the content of a tagged value.
func tag(v value.Value) (name string, content value.Value) {
	o, ok := v.(*value.Object)
	if !ok || o.Len() == 0 || !tags[o.Key(0)] {
		return "", nil
	}
	return o.Key(0), o.At(0)
}

// tags are the names that tag a value.
var tags = map[string]bool{
	"$undefined": true, "$number": true, "$bigint": true, "$map": true, "$set": true, "$hole": true, "$typed": true, "$error": true,
	"$opaque": true, "$absent": true, "$deep": true,
}

func (l javascript) compare(want, got value.Value) (string, bool) {
	c := &comparison{}
	c.values("", want, got)
	return c.difference, c.reordered
}

// comparison walks two values side by side and keeps the first difference.
type comparison struct {
	difference string
	reordered  bool
}

func (c *comparison) differ(path string, want, got value.Value) {
	if c.difference == "" {
		if path = strings.TrimPrefix(path, "."); path != "" {
			path += ": "
		}
		c.difference = fmt.Sprintf("%swant %s, got %s", path, brief(want), brief(got))
	}
}

func (c *comparison) values(path string, want, got value.Value) {
	if c.difference != "" {
		return
	}
	if name, content := tag(want); name != "" {
		c.tagged(path, name, content, want, got)
		return
	}
	if name, _ := tag(got); name == "$undefined" && want == nil && path == "" {
		return
	}
	switch w := want.(type) {
	case []value.Value:
		c.lists(path, w, got)
	case *value.Object:
		c.objects(path, w, got)
	default:
		if n, text := tag(got); n == "$number" && text == "-0" && value.Equal(want, int64(0)) {
			return
		}
		if n, digits := tag(got); n == "$bigint" && fmt.Sprint(want) == digits {
			return
		}
		if !value.Equal(want, got) {
			c.differ(path, want, got)
		}
	}
}

func (c *comparison) lists(path string, want []value.Value, got value.Value) {
	g, ok := got.([]value.Value)
	if !ok || len(g) != len(want) {
		c.differ(path, want, got)
		return
	}
	for i := range want {
		c.values(path+"["+strconv.Itoa(i)+"]", want[i], g[i])
	}
}

// objects compares member by member. A member that is undefined may be absent on
// either side.
func (c *comparison) objects(path string, want *value.Object, got value.Value) {
	g, ok := got.(*value.Object)
	if name, _ := tag(got); !ok || name != "" {
		c.differ(path, want, got)
		return
	}
	var order []string
	for k, w := range want.All() {
		v, has := g.Get(k)
		if !has {
			if !undefined(w) {
				c.differ(path+"."+k, w, value.Of("$absent", true))
			}
			continue
		}
		order = append(order, k)
		c.values(path+"."+k, w, v)
	}
	at := 0
	for k, v := range g.All() {
		if !want.Has(k) {
			if !undefined(v) {
				c.differ(path+"."+k, value.Of("$absent", true), v)
			}
			continue
		}
		if order[at] != k {
			c.reordered = true
		}
		at++
	}
}

func undefined(v value.Value) bool {
	name, _ := tag(v)
	return name == "$undefined"
}

// tagged compares with a recorded value that JSON cannot say.
func (c *comparison) tagged(path, name string, content, want, got value.Value) {
	gotName, gotContent := tag(got)
	same := false
	switch name {
	case "$undefined", "$hole":
		same = got == nil || gotName == "$undefined" || gotName == "$hole"
	case "$number":
		same = gotName == "$number" && gotContent == content || content == "-0" && value.Equal(got, int64(0))
	case "$bigint":
		same = gotName == "$bigint" && gotContent == content || integerText(got) == content
	case "$set", "$typed":
		if name == "$typed" {
			content, _ = want.(*value.Object).Get("data")
		}
		if list, ok := content.([]value.Value); ok {
			if gotName == name {
				got = gotContent
			}
			c.lists(path, list, got)
			return
		}
	case "$map":
		c.maps(path, content, want, got)
		return
	case "$error":
		same = gotName == "$opaque" || gotName == "$error"
	}
	if !same {
		c.differ(path, want, got)
	}
}

// maps compares a Map with what we make of one: an object with its keys as text,
// or a list of pairs.
func (c *comparison) maps(path string, content, want, got value.Value) {
	pairs, _ := content.([]value.Value)
	switch g := got.(type) {
	case []value.Value:
		c.lists(path, pairs, g)
	case *value.Object:
		o := value.NewObject(len(pairs))
		for _, p := range pairs {
			pair, _ := p.([]value.Value)
			if len(pair) != 2 {
				c.differ(path, want, got)
				return
			}
			o.Set(keyText(pair[0]), pair[1])
		}
		c.objects(path, o, g)
	default:
		c.differ(path, want, got)
	}
}

func keyText(v value.Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, _ := value.Append(nil, v)
	return string(text)
}

func integerText(v value.Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case json.Number:
		return string(v)
	}
	return ""
}

// printed compares letters and digits only: console.log shows an object as JSON
// here and in an inspector's form there.
func (javascript) printed(want, got string) bool { return letters(want) == letters(got) }

var notContent = regexp.MustCompile(`[^\pL\pN]+`)

func letters(s string) string { return notContent.ReplaceAllString(s, "") }

var undefinedName = regexp.MustCompile(`['"‘“]?([\pL_$][\pL\pN_$]*)['"’”]? is not defined`)

func (javascript) lacking(err string) string {
	if m := undefinedName.FindStringSubmatch(err); m != nil {
		return m[1]
	}
	return ""
}

func (javascript) lenient(program string) []reading {
	var all []reading
	all = append(all, trailingObject(program)...)
	all = append(all, topLevelReturn(program)...)
	all = append(all, lastDeclaration(program)...)
	all = append(all, lastPrinted(program)...)
	text := strings.TrimRight(strings.TrimSpace(program), "; \n")
	return append(all, reading{"a program that is one function", "await (" + text + ")()"})
}

// trailingObject puts the braces that end a program into parentheses.
func trailingObject(program string) []reading {
	text := strings.TrimRight(program, "; \t\n")
	if !strings.HasSuffix(text, "}") {
		return nil
	}
	var all []reading
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] != '{' {
			continue
		}
		before := strings.TrimRight(text[:i], " \t\n")
		if before == "" || strings.ContainsRune(";}", rune(before[len(before)-1])) || startsLine(text, i) {
			all = append(all, reading{"a trailing object", text[:i] + ";(" + text[i:] + ")"})
		}
	}
	return all
}

func startsLine(text string, i int) bool {
	return strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) == ""
}

var returnLine = regexp.MustCompile(`(?m)(^|;)[ \t]*return\b`)

// topLevelReturn turns the last return into an expression.
func topLevelReturn(program string) []reading {
	at := returnLine.FindAllStringIndex(program, -1)
	if at == nil {
		return nil
	}
	last := at[len(at)-1]
	rest := strings.TrimRight(program[last[1]:], "; \t\n")
	return []reading{{"a return at the top level", program[:last[0]] + ";(" + rest + ")"}}
}

var declared = regexp.MustCompile(`(?m)^(?:async )?(?:const|let|var|class|function\*?)\s+([\pL_$][\pL\pN_$]*)`)

// lastDeclaration adds the name that the last declaration binds.
func lastDeclaration(program string) []reading {
	names := declared.FindAllStringSubmatch(program, -1)
	if names == nil {
		return nil
	}
	return []reading{{"the value of the last declaration", program + "\n;" + names[len(names)-1][1]}}
}

var printedLine = regexp.MustCompile(`(?m)^[ \t]*console\.(?:log|info|warn|error)\((.*)\);?\s*$`)

// lastPrinted adds what the last console.log printed.
func lastPrinted(program string) []reading {
	lines := printedLine.FindAllStringSubmatch(program, -1)
	if lines == nil {
		return nil
	}
	return []reading{{"the value that was printed last", program + "\n;(" + lines[len(lines)-1][1] + ")"}}
}

// brief spells a value in at most about 200 bytes.
func brief(v value.Value) string {
	text, err := value.Append(nil, v)
	if err != nil {
		return err.Error()
	}
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return string(text)
}
