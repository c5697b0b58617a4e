package module

import (
	"strings"
	"unicode"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// keywords are the words that no field may be called.
var keywords = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield") {
		keywords[w] = true
	}
}

// isIdentifier is str.isidentifier.
func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !(i > 0 && (unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))) {
			return false
		}
	}
	return s != ""
}

// fieldList reads the names of fields: one text or several.
func fieldList(t *thread, v value) ([]string, *exception) {
	if s, ok := textOf(v); ok {
		return strings.Fields(strings.ReplaceAll(s, ",", " ")), t.Charge(int64(len(s)))
	}
	items, x := t.Items(v)
	if x != nil {
		return nil, x
	}
	out := make([]string, len(items))
	for i, e := range items {
		if out[i], x = t.Str(e); x != nil {
			return nil, x
		}
	}
	return out, nil
}

// namedTuple is collections.namedtuple.
func namedTuple(t *thread, a []value) (value, *exception) {
	name, x := t.Str(a[0])
	if x != nil {
		return value{}, x
	}
	fields, x := fieldList(t, a[1])
	if x != nil {
		return value{}, x
	}
	rename, x := truth(t, a, 2, false)
	if x != nil {
		return value{}, x
	}
	if x := checkFields(t, name, fields, rename); x != nil {
		return value{}, x
	}
	var defaults []value
	if v, ok := optional(a, 3); ok {
		if defaults, x = t.Items(v); x != nil {
			return value{}, x
		}
		if len(defaults) > len(fields) {
			return raised(t.RaiseType("Got more default values than field names"))
		}
	}
	c, x := makeRecord(t, name, fields, defaults)
	if x != nil {
		return value{}, x
	}
	return c.Value(), nil
}

// makeRecord makes a program's record class.
func makeRecord(t *thread, name string, fields []string, defaults []value) (*class, *exception) {
	c, x := t.NewClass(object.ClassDef{Name: name, Qual: name, Bases: []value{object.TupleClass.Value()}, Attrs: object.NewNamespace()})
	if x != nil {
		return nil, x
	}
	// A class of a program in all but its methods, which are ours.
	c.Heap = false
	r := &record{class: c, fields: fields, defaults: defaults}
	r.setUp()
	d, x := t.Dict(len(defaults))
	if x != nil {
		return nil, x
	}
	for i, v := range defaults {
		if x := d.SetName(t, fields[len(fields)-len(defaults)+i], v); x != nil {
			return nil, x
		}
	}
	c.Attrs.Set("_field_defaults", d.Value())
	return c.Ready(), nil
}

// checkFields refuses or renames names that cannot be fields.
func checkFields(t *thread, name string, fields []string, rename bool) *exception {
	seen := map[string]bool{}
	if rename {
		for i, f := range fields {
			if !isIdentifier(f) || keywords[f] || strings.HasPrefix(f, "_") || seen[f] {
				fields[i] = "_" + itoa(i)
			}
			seen[fields[i]] = true
		}
		seen = map[string]bool{}
	}
	for _, f := range append([]string{name}, fields...) {
		if !isIdentifier(f) {
			return t.RaiseValue("Type names and field names must be valid identifiers: %s", quoted(t, f))
		}
		if keywords[f] {
			return t.RaiseValue("Type names and field names cannot be a keyword: %s", quoted(t, f))
		}
	}
	for _, f := range fields {
		if strings.HasPrefix(f, "_") && !rename {
			return t.RaiseValue("Field names cannot start with an underscore: %s", quoted(t, f))
		}
		if seen[f] {
			return t.RaiseValue("Encountered duplicate field name: %s", quoted(t, f))
		}
		seen[f] = true
	}
	return nil
}

// quoted is the repr of a text.
func quoted(t *thread, s string) string {
	r, x := t.Repr(object.NewStr(s))
	if x != nil {
		return s
	}
	return r
}
