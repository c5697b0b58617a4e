package realm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
)

// inspectBudget bounds the text of one inspected value: no line that is kept is
// longer.
const inspectBudget = 8 << 10

// inspector shows values as Node's util.inspect does by default: depth 2, lines of
// 80, up to three levels on one line, 100 elements. It runs no code of the
// program, and its work is bounded by what it shows.
type inspector struct {
	r       *Realm
	left    int // bytes it may still write
	above   []*goja.Object
	current int // the level of the object last begun
	indent  int
	most    int
}

func (r *Realm) inspect(v goja.Value) string { return r.inspectAt(v, 2) }

// inspectAt shows a value with containers nested at most most levels deep.
func (r *Realm) inspectAt(v goja.Value, most int) string {
	x := inspector{r: r, left: inspectBudget, most: most}
	return x.value(v, 0, false)
}

// value shows a value; nested strings are quoted.
func (x *inspector) value(v goja.Value, level int, typed bool) string {
	x.r.Charge(2)
	text := x.show(v, level)
	x.left -= len(text)
	return text
}

func (x *inspector) show(v goja.Value, level int) string {
	switch o := v.(type) {
	case nil:
		return "undefined"
	case goja.String:
		return quoteText(clipString(o, max(16, min(x.left, inspectBudget))))
	case *goja.Symbol:
		return symbolText(o)
	case *goja.Object:
		return x.object(o, level)
	}
	switch {
	case goja.IsBigInt(v):
		return v.String() + "n"
	case goja.IsNumber(v) && v.ToFloat() == 0 && math.Signbit(v.ToFloat()):
		return "-0"
	}
	return v.String()
}

// quoteText quotes a string as Node does: single quotes unless the text has some.
func quoteText(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			quote = '"'
		} else if !strings.Contains(s, "`") && !strings.Contains(s, "${") {
			quote = '`'
		}
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, c := range s {
		switch {
		case c == rune(quote) || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\b':
			b.WriteString(`\b`)
		case c == '\f':
			b.WriteString(`\f`)
		case c == '\v':
			b.WriteString(`\v`)
		case c < ' ' || c == 0x7f:
			b.WriteString(`\x` + strings.ToUpper(string([]byte{hexDigits[c>>4], hexDigits[c&15]})))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

func (x *inspector) object(o *goja.Object, level int) string {
	for _, a := range x.above {
		if a == o {
			return "[Circular *1]"
		}
	}
	r := x.r
	if t := o.ExportType(); t != nil && t.Implements(opaqueType) {
		return o.Export().(elide.Opaque).Opaque()
	}
	switch objectKind(o) {
	case "function":
		return x.withMembers(o, r.functionText(o), level)
	case "class":
		return x.withMembers(o, r.classText(o), level)
	case "error":
		return x.error(o, level)
	case "date":
		if d := dynamic(o).(*date); d.ms == d.ms {
			return isoText(d.ms)
		}
		return "Invalid Date"
	case "regexp":
		return dynamic(o).(*regexpObject).literal()
	}
	switch o.ClassName() {
	case "String":
		return "[String: " + quoteText(clipString(r.str(o), 1000)) + "]"
	case "Number", "Boolean":
		return "[" + o.ClassName() + ": " + o.String() + "]"
	}
	switch d := dynamic(o).(type) {
	case *statics:
		return "Object [" + d.owner + "] {}"
	case *iterator:
		return "Object [" + d.name + "] {}"
	}
	if name := engineIterator(o); name != "" {
		return "Object [" + name + "] {}"
	}
	if level > x.most && r.Length(o) > 0 {
		return x.stub(o)
	}
	return x.container(o, level)
}

// stub stands for a container that is nested too deep.
func (x *inspector) stub(o *goja.Object) string {
	switch kind := objectKind(o); kind {
	case "array":
		return "[Array]"
	case "map", "set", "promise":
		return "[" + strings.ToUpper(kind[:1]) + kind[1:] + "]"
	}
	name := x.r.instanceName(o)
	if name == "" {
		return "[Object: null prototype]"
	}
	return "[" + name + "]"
}

// instanceName is the name of an object's class, "" for an object without one.
func (r *Realm) instanceName(o *goja.Object) string {
	if o.Prototype() == nil {
		return ""
	}
	return r.typeName(o)
}

func (r *Realm) functionText(o *goja.Object) string {
	kind := "Function"
	if p := o.Prototype(); p != nil && p != r.protos[functionProto] && p.Prototype() == r.protos[functionProto] && !isDynamic(p) {
		kind = "AsyncFunction"
	}
	name := ""
	if s, ok := r.data(o, "name").(goja.String); ok {
		name = clipName(clipString(s, 80))
	}
	if name == "" {
		return "[" + kind + " (anonymous)]"
	}
	return "[" + kind + ": " + name + "]"
}

func isDynamic(o *goja.Object) bool { return o.ExportType() == staticsType }

func (r *Realm) classText(o *goja.Object) string {
	text := "[class " + r.plainName(o)
	if p := o.Prototype(); p != nil && isFunction(p) && p != r.protos[functionProto] {
		text += " extends " + r.plainName(p)
	}
	return text + "]"
}

// withMembers shows own enumerable properties after a base text, if there are
// any.
func (x *inspector) withMembers(o *goja.Object, base string, level int) string {
	if level > x.most {
		return base
	}
	keys := x.r.OwnKeys(o, maxArray)
	if len(keys) == 0 {
		return base
	}
	x.begin(o, level)
	parts := x.properties(o, keys, level)
	x.finish()
	return x.layout(parts, base, "{", "}", level, false, nil)
}

func (x *inspector) error(o *goja.Object, level int) string {
	base := x.r.errorLine(o)
	if stackless := level > 0; stackless {
		base = "[" + base + "]"
	}
	keys := x.r.OwnKeys(o, 20)
	var parts []string
	x.begin(o, level)
	if level <= x.most {
		parts = x.properties(o, keys, level)
		if cause := x.r.data(o, "cause"); cause != nil && x.r.Own(o, "cause") {
			parts = append(parts, "[cause]: "+x.value(cause, level+1, true))
		}
		if list := x.r.data(o, "errors"); list != nil && x.r.Own(o, "errors") {
			parts = append(parts, "[errors]: "+x.value(list, level+1, true))
		}
	}
	x.finish()
	if len(parts) == 0 {
		return base
	}
	return x.layout(parts, base, "{", "}", level, false, nil)
}

func (x *inspector) begin(o *goja.Object, level int) {
	x.above = append(x.above, o)
	x.current = level
}

func (x *inspector) finish() { x.above = x.above[:len(x.above)-1] }

// maxShown is how many elements of a container are shown.
const maxShown = 100

func (x *inspector) container(o *goja.Object, level int) string {
	if x.r.Length(o) == 0 && objectKind(o) != "promise" {
		// What is empty does not count as a level.
		was := x.current
		defer func() { x.current = was }()
	}
	x.begin(o, level)
	defer x.finish()
	r := x.r
	switch objectKind(o) {
	case "array":
		prefix := ""
		if name := r.instanceName(o); name != "Array" {
			prefix = name + "(" + strconv.Itoa(length(o)) + ") "
		}
		parts, values := x.elements(o, level)
		return x.layout(parts, "", prefix+"[", "]", level, true, values)
	case "set":
		parts := x.setParts(o, level)
		return x.layout(parts, "", "Set("+strconv.Itoa(r.size(o))+") {", "}", level, false, nil)
	case "map":
		parts := x.mapParts(o, level)
		return x.layout(parts, "", "Map("+strconv.Itoa(r.size(o))+") {", "}", level, false, nil)
	case "promise":
		p, _ := r.Promise(o)
		part := "<pending>"
		switch p.State() {
		case goja.PromiseStateFulfilled:
			part = x.value(p.Result(), level+1, true)
		case goja.PromiseStateRejected:
			part = "<rejected> " + x.value(p.Result(), level+1, true)
		}
		return x.layout([]string{part}, "", "Promise {", "}", level, false, nil)
	}
	prefix := ""
	switch name := r.instanceName(o); name {
	case "Object":
	case "":
		prefix = "[Object: null prototype] "
	default:
		prefix = name + " "
	}
	parts := x.properties(o, r.OwnKeys(o, maxArray), level)
	for _, s := range o.Symbols() {
		parts = append(parts, "["+symbolText(s)+"]: "+x.value(o.GetSymbol(s), level+1, true))
	}
	return x.layout(parts, "", prefix+"{", "}", level, false, nil)
}

// elements shows the elements of an array; holes are counted.
func (x *inspector) elements(o *goja.Object, level int) (parts []string, values []goja.Value) {
	n := length(o)
	i := 0
	for i < n && len(parts) < maxShown && x.left > 0 {
		v := x.r.data(o, strconv.Itoa(i))
		if v == nil {
			from := i
			for i < n && i < from+maxArray && x.r.data(o, strconv.Itoa(i)) == nil {
				if i++; i&1023 == 0 {
					x.r.Charge(256)
				}
			}
			parts = append(parts, "<"+strconv.Itoa(i-from)+" empty item"+plural(i-from)+">")
			values = append(values, nil)
			continue
		}
		x.indent += 2
		parts = append(parts, x.value(v, level+1, true))
		x.indent -= 2
		values = append(values, v)
		i++
	}
	if i < n {
		parts = append(parts, "... "+strconv.Itoa(n-i)+" more item"+plural(n-i))
	}
	if extra := len(x.r.OwnKeys(o, maxArray)); extra > n {
		keys := x.r.OwnKeys(o, maxArray)
		parts = append(parts, x.properties(o, keys[n:], level)...)
	}
	return parts, values
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (x *inspector) setParts(o *goja.Object, level int) []string {
	var parts []string
	next := x.r.stepper(o)
	n := x.r.size(o)
	for len(parts) < min(n, maxShown) && x.left > 0 {
		v, ok := next()
		if !ok {
			break
		}
		x.indent += 2
		parts = append(parts, x.value(v, level+1, true))
		x.indent -= 2
	}
	if more := n - len(parts); more > 0 {
		parts = append(parts, "... "+strconv.Itoa(more)+" more item"+plural(more))
	}
	return parts
}

func (x *inspector) mapParts(o *goja.Object, level int) []string {
	var parts []string
	next := x.r.stepper(o)
	n := x.r.size(o)
	for len(parts) < min(n, maxShown) && x.left > 0 {
		v, ok := next()
		if !ok {
			break
		}
		e := v.(*goja.Object)
		x.indent += 2
		parts = append(parts, x.value(e.Get("0"), level+1, true)+" => "+x.value(e.Get("1"), level+1, true))
		x.indent -= 2
	}
	if more := n - len(parts); more > 0 {
		parts = append(parts, "... "+strconv.Itoa(more)+" more item"+plural(more))
	}
	return parts
}

// properties shows own properties by key.
func (x *inspector) properties(o *goja.Object, keys []string, level int) []string {
	var parts []string
	for i, key := range keys {
		if x.left <= 0 {
			parts = append(parts, "... "+strconv.Itoa(len(keys)-i)+" more propert"+map[bool]string{true: "y", false: "ies"}[len(keys)-i == 1])
			break
		}
		x.indent += 2
		shown := x.r.accessor(o, key)
		if shown == "" {
			shown = x.value(x.r.data(o, key), level+1, true)
		}
		parts = append(parts, keyName(key)+": "+shown)
		x.indent -= 2
	}
	return parts
}

// keyName shows a key, quoted unless it is an identifier.
func keyName(key string) string {
	if key == "" {
		return "''"
	}
	for i, c := range key {
		ok := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9'
		if !ok {
			return quoteText(clipRunes(key, 200))
		}
	}
	return clipRunes(key, 200)
}

func clipRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}

const lineWidth = 80

// layout puts the parts of a container on one line if they are few and short,
// else on a line each, long arrays in columns: Node's reduceToSingleString.
func (x *inspector) layout(parts []string, base, open, closing string, level int, isArray bool, values []goja.Value) string {
	if base != "" {
		open = base + " " + open
	}
	if len(parts) == 0 {
		return open + closing
	}
	entries := len(parts)
	if isArray && entries > 6 {
		parts = x.columns(parts, values)
	}
	if x.current-level < 3 && entries == len(parts) {
		start := len(parts) + x.indent + len([]rune(open)) + 10
		if total := width(parts) + start; total+len(parts) <= lineWidth && !strings.Contains(strings.Join(parts, ""), "\n") && !strings.Contains(base, "\n") {
			return open + " " + strings.Join(parts, ", ") + " " + closing
		}
	}
	pad := "\n" + strings.Repeat(" ", x.indent)
	return open + pad + "  " + strings.Join(parts, ","+pad+"  ") + pad + closing
}

func width(parts []string) int {
	n := 0
	for _, p := range parts {
		n += displayWidth(p)
	}
	return n
}

// columns lays the elements of a long array out in columns: Node's
// groupArrayElements.
func (x *inspector) columns(parts []string, values []goja.Value) []string {
	total, longest := 0, 0
	n := len(parts)
	if n > 1 && strings.HasPrefix(parts[n-1], "... ") {
		n--
	}
	const separator = 2
	lengths := make([]int, n)
	for i := range n {
		w := displayWidth(parts[i])
		lengths[i] = w
		total += w + separator
		longest = max(longest, w)
	}
	actual := longest + separator
	if !(actual*3+x.indent < lineWidth && (float64(total)/float64(actual) > 5 || longest <= 6)) {
		return parts
	}
	bias := math.Sqrt(float64(actual) - float64(total)/float64(len(parts)))
	biased := math.Max(float64(actual)-3-bias, 1)
	columns := int(math.Min(
		math.Min(roundHalfUp(math.Sqrt(2.5*biased*float64(n))/biased), math.Floor(float64(lineWidth-x.indent)/float64(actual))),
		12, // four a level that fits on one line
	))
	if columns <= 1 {
		return parts
	}
	var widths []int
	for i := range columns {
		w := 0
		for j := i; j < n; j += columns {
			w = max(w, lengths[j])
		}
		widths = append(widths, w+separator)
	}
	right := len(values) > 0
	for _, v := range values[:min(n, len(values))] {
		if v == nil || !goja.IsNumber(v) && !goja.IsBigInt(v) {
			right = false
			break
		}
	}
	var rows []string
	for i := 0; i < n; i += columns {
		to := min(i+columns, n)
		var b strings.Builder
		j := i
		for ; j < to-1; j++ {
			cell := parts[j] + ", "
			space := strings.Repeat(" ", max(0, widths[j-i]-displayWidth(cell)))
			if right {
				b.WriteString(space + cell)
			} else {
				b.WriteString(cell + space)
			}
		}
		if right {
			b.WriteString(strings.Repeat(" ", max(0, widths[j-i]-separator-displayWidth(parts[j]))) + parts[j])
		} else {
			b.WriteString(parts[j])
		}
		rows = append(rows, b.String())
	}
	return append(rows, parts[n:]...)
}
