package toolfn

import (
	"sync"
	"sync/atomic"

	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	observedRows   = 200 // rows that are looked at
	observedFields = 24  // fields of an object that are kept
	observedDepth  = 3   // levels of objects
	observedValues = 8   // distinct values up to which a field is a choice
	observedString = 40  // bytes of a string that can be a choice
)

// observed is what calls have shown of a function's result.
type observed struct {
	shape  atomic.Pointer[shape]
	settle atomic.Bool // the shape will not get better
	sample sync.Mutex  // held while discovery makes its one call
	tried  atomic.Bool // discovery has made it, whatever came of it
}

// Observe learns the shape of the result from a call that succeeded, where no
// output schema declares it. After the first result that shows something it does
// nothing. Work is bounded whatever the result's size.
func (f *ToolFn) Observe(result value.Value) {
	o := f.observed
	if o == nil || o.settle.Load() || f.Output != nil {
		return
	}
	sh := observe(result)
	if sh.tells() {
		o.settle.Store(true)
	} else if o.shape.Load() != nil {
		return
	}
	o.shape.Store(sh)
}

// tells reports whether a shape says more than that a list was empty.
func (sh *shape) tells() bool {
	switch sh.kind {
	case shapeList:
		return sh.elem != nil && sh.elem.kind != shapeUnknown
	case shapeScalar:
		return sh.scalar != typeNull
	case shapeUnknown:
		return false
	}
	return true
}

// observe gives the shape that a value has.
func observe(v value.Value) *shape { return observeAll([]value.Value{v}, 0) }

// observeAll gives the one shape that several values have.
func observeAll(values []value.Value, depth int) *shape {
	var objects []*value.Object
	var elements []value.Value
	var strings []value.Value
	var types typeSet
	lists := false
	for _, v := range values {
		switch v := v.(type) {
		case *value.Object:
			objects = append(objects, v)
		case []value.Value:
			lists = true
			elements = append(elements, sampleOf(v)...)
		case string:
			strings = append(strings, v)
			types |= typeString
		default:
			types |= narrow(typeOf(v))
		}
	}
	if types&typeNumber != 0 {
		types &^= typeInteger
	}
	var forms []*shape
	if len(objects) > 0 {
		forms = append(forms, observeObjects(objects, depth))
	}
	if lists {
		forms = append(forms, &shape{kind: shapeList, elem: observeAll(sampleOf(elements), depth)})
	}
	for _, w := range typeWords {
		if bit := typeBits[w]; types&bit != 0 {
			forms = append(forms, observeScalar(bit, strings))
		}
	}
	switch len(forms) {
	case 0:
		return &shape{kind: shapeUnknown}
	case 1:
		return forms[0]
	}
	return &shape{kind: shapeUnion, forms: forms}
}

// narrow gives the type of a value without the wider one it also has.
func narrow(t typeSet) typeSet {
	if t == typeInteger|typeNumber {
		return typeInteger
	}
	return t
}

// sampleOf gives at most observedRows elements, spread over the list.
func sampleOf(list []value.Value) []value.Value {
	if len(list) <= observedRows {
		return list
	}
	out := make([]value.Value, observedRows)
	for i := range out {
		out[i] = list[i*len(list)/observedRows]
	}
	return out
}

// observeScalar gives the shape of a scalar; strings that repeat among few are a
// choice.
func observeScalar(t typeSet, strings []value.Value) *shape {
	if t == typeString {
		if few := choices(strings); few != nil {
			return &shape{kind: shapeValues, values: few, partial: true}
		}
	}
	return &shape{kind: shapeScalar, scalar: t}
}

// choices gives the distinct strings if each of a few stands for many: values
// that look unique, long ones and a single one are no choice.
func choices(strings []value.Value) []value.Value {
	var few []value.Value
	seen := map[value.Value]bool{}
	for _, s := range strings {
		if len(s.(string)) > observedString || s == "" {
			return nil
		}
		if !seen[s] {
			seen[s] = true
			few = append(few, s)
		}
		if len(few) > observedValues {
			return nil
		}
	}
	if len(few) < 2 || len(strings) < 2*len(few) {
		return nil
	}
	return few
}

// observeObjects gives the union of the fields of several objects, a field
// optional if some lack it. Objects whose keys look like data are a map.
func observeObjects(objects []*value.Object, depth int) *shape {
	sh := &shape{kind: shapeObject}
	if depth >= observedDepth {
		return sh
	}
	var names []string
	index := map[string]int{}
	var columns [][]value.Value
	for _, o := range objects {
		for i := range min(o.Len(), 4*observedFields) {
			key := o.Key(i)
			j, ok := index[key]
			if !ok {
				if len(names) == 4*observedFields {
					continue
				}
				j = len(names)
				index[key] = j
				names = append(names, key)
				columns = append(columns, nil)
			}
			columns[j] = append(columns[j], o.At(i))
		}
	}
	if rest := mapOf(names, columns, depth); rest != nil {
		sh.rest = rest
		return sh
	}
	for j, name := range names {
		if j == observedFields {
			sh.hidden = len(names) - j
			break
		}
		sh.fields = append(sh.fields, field{name: name, optional: len(columns[j]) < len(objects), shape: observeAll(columns[j], depth+1)})
	}
	return sh
}

// mapOf gives the shape of a map's values if the keys are data rather than field
// names: many, or not spelt like names.
func mapOf(names []string, columns [][]value.Value, depth int) *shape {
	odd := 0
	for _, n := range names {
		if !ValidName(n) {
			odd++
		}
	}
	if 2*odd <= len(names) && len(names) <= 2*observedFields {
		return nil
	}
	var all []value.Value
	for _, c := range columns {
		all = append(all, c...)
	}
	return observeAll(sampleOf(all), depth+1)
}

// Returns writes the shape of the function's result in a style, and says whether
// it is only what calls have shown; "" if nothing is known.
func (f *ToolFn) Returns(s Style) (text string, isObserved bool) {
	sh, isObserved := f.resultShape()
	if sh == nil {
		return "", false
	}
	d := detail{depth: 4, fields: observedFields, values: observedValues}
	for {
		text := sh.print(&s, d)
		if len(text) <= returnsBytes || d.depth == 1 && d.fields <= 3 {
			return clipBytes(text, 2*returnsBytes), isObserved
		}
		if d.depth > 1 {
			d.depth--
		} else {
			d.fields /= 2
		}
	}
}

// returnsBytes bounds the text of a result's shape.
const returnsBytes = 1500
