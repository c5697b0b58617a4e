package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// record is a tuple class with named fields, as collections.namedtuple makes it
// and the modules use it.
type record struct {
	class    *class
	fields   []string
	defaults []value // of the last fields
}

// newRecord makes a record class of a module's own.
func newRecord(mod, name string, fields ...string) *record {
	c := object.Define(name, object.TupleClass)
	c.Module = mod
	r := &record{class: c, fields: fields}
	r.setUp()
	c.Ready()
	return r
}

// make makes a record of values.
func (r *record) make(t *thread, values ...value) (value, *exception) {
	v, x := t.Tuple(values...)
	if x != nil {
		return value{}, x
	}
	return t.Extend(r.class, v)
}

// setUp gives the class its constructor, fields and methods.
func (r *record) setUp() {
	c := r.class
	c.Detail = r
	for i, f := range r.fields {
		c.Attrs.Set(f, object.Box(&recordField{i: i}))
	}
	c.Attrs.Set("_fields", fieldNames(r.fields))
	c.Attrs.Set("__match_args__", fieldNames(r.fields))
	c.Attrs.Set("__slots__", object.NewTuple(nil))
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		values, x := r.bind(t, a, names)
		if x != nil {
			return value{}, x
		}
		v, x := t.Tuple(values...)
		if x != nil {
			return value{}, x
		}
		return t.Extend(cls, v)
	}
	c.Own.Repr = r.repr
	c.Method("_asdict", "", func(t *thread, a []value) (value, *exception) {
		u, _ := object.TupleOf(a[0])
		d, x := t.Dict(len(r.fields))
		if x != nil {
			return value{}, x
		}
		for i, f := range r.fields {
			if x := d.SetName(t, f, u.Items()[i]); x != nil {
				return value{}, x
			}
		}
		return d.Value(), nil
	})
	replace := object.NewRaw("_replace", func(t *thread, a []value, names []string) (value, *exception) { return r.replace(t, a, names) })
	replace.Method = true
	c.Add(replace)
	c.ClassMethod("_make", "iterable /", func(t *thread, a []value) (value, *exception) {
		items, x := t.Items(a[1])
		if x != nil {
			return value{}, x
		}
		if len(items) != len(r.fields) {
			return raised(t.RaiseType("Expected %d arguments, got %d", len(r.fields), len(items)))
		}
		cls, _ := a[0].AsClass()
		v, x := t.Tuple(items...)
		if x != nil {
			return value{}, x
		}
		return t.Extend(cls, v)
	})
}

func fieldNames(fields []string) value {
	names := make([]value, len(fields))
	for i, f := range fields {
		names[i] = object.Constant(f)
	}
	return object.NewTuple(names)
}

// bind gives a value for each field, as a function with these parameters does.
func (r *record) bind(t *thread, a []value, names []string) ([]value, *exception) {
	params := parameters{function: r.class.Name + ".__new__", self: "_cls", names: r.fields}
	params.defaults = make([]value, len(r.fields))
	copy(params.defaults[len(r.fields)-len(r.defaults):], r.defaults)
	return params.bind(t, a, names)
}

func (r *record) repr(t *thread, v value) (string, *exception) {
	u, ok := object.TupleOf(v)
	if !ok {
		return object.Object.Own.Repr(t, v)
	}
	parts := make([]string, 0, len(r.fields))
	for i, f := range r.fields {
		if i >= len(u.Items()) {
			break
		}
		s, x := t.Repr(u.Items()[i])
		if x != nil {
			return "", x
		}
		parts = append(parts, f+"="+s)
	}
	return v.Class().Name + "(" + strings.Join(parts, ", ") + ")", t.Charge(int64(len(parts)))
}

func (r *record) replace(t *thread, a []value, names []string) (value, *exception) {
	u, _ := object.TupleOf(a[0])
	if len(a)-len(names) != 1 {
		return raised(t.RaiseType("%s._replace() takes 1 positional argument but %d were given", r.class.Name, len(a)-len(names)))
	}
	values := append([]value(nil), u.Items()...)
	var unknown []string
	for i, n := range names {
		at := indexOf(r.fields, n)
		if at < 0 {
			unknown = append(unknown, "'"+n+"'")
			continue
		}
		values[at] = a[1+i]
	}
	if len(unknown) > 0 {
		return raised(t.RaiseValue("Got unexpected field names: [%s]", strings.Join(unknown, ", ")))
	}
	v, x := t.Tuple(values...)
	if x != nil {
		return value{}, x
	}
	return t.Extend(a[0].Class(), v)
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// recordField reads one field.
type recordField struct {
	object.Obj
	i int
}

var recordFieldClass = object.Define("_tuplegetter")

// Class is collections._tuplegetter.
func (*recordField) Class() *class { return recordFieldClass }

// Bind reads the field of a record.
func (f *recordField) Bind(t *thread, self value, _ *class) (value, *exception) {
	if !self.IsSet() {
		return object.Box(f), nil
	}
	u, ok := object.TupleOf(self)
	if !ok || f.i >= len(u.Items()) {
		return raised(t.Raise(object.IndexError, "tuple index out of range"))
	}
	return u.Items()[f.i], nil
}

// Store refuses to change a field.
func (*recordField) Store(t *thread, _, v value) *exception {
	if !v.IsSet() {
		return t.Raise(object.AttributeError, "can't delete attribute")
	}
	return t.Raise(object.AttributeError, "can't set attribute")
}

func init() {
	recordFieldClass.Module = "collections"
	recordFieldClass.Ready()
}
