package realm

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Shape decides the prototypes of imported objects, so that a host can watch what
// a program reads of a result. A nil Shape leaves objects as they are.
type Shape interface {
	// Proto gives the prototype of an object with these keys; nil keeps
	// Object.prototype. The realm puts Object.prototype behind it.
	Proto(keys *value.Keys) *goja.Object
	// Member gives the shape of what lies under a key, for arrays of their
	// elements; nil for none.
	Member(key string) Shape
}

// Import makes a value of the realm of plain data. Integers keep every digit. It
// charges before it allocates, and ends the program beyond a limit: call it inside
// a native or [Realm.Try].
func (r *Realm) Import(v value.Value) goja.Value { return r.importValue(v, nil, 0) }

// ImportShaped is Import with prototypes of the host's.
func (r *Realm) ImportShaped(v value.Value, s Shape) goja.Value { return r.importValue(v, s, 0) }

// ImportFrozen is ImportShaped of what a program may read and not change.
func (r *Realm) ImportFrozen(v value.Value, s Shape) goja.Value {
	r.freezing = true
	defer func() { r.freezing = false }()
	return r.importValue(v, s, 0)
}

func (r *Realm) shielded(o *goja.Object) goja.Value {
	if r.freezing {
		return r.restrict(call{Arguments: []goja.Value{o}}, "freeze")
	}
	return o
}

func (r *Realm) importValue(v value.Value, s Shape, depth int) goja.Value {
	if depth > value.MaxDepth {
		r.rangeError("The value is nested more than %d levels deep.", value.MaxDepth)
	}
	r.Charge(1)
	switch x := v.(type) {
	case nil:
		return goja.Null()
	case bool:
		return boolean(x)
	case int64:
		if x >= -maxSafe && x <= maxSafe {
			r.Alloc(numberBytes)
			return r.vm.ToValue(x)
		}
		return r.bigValue(big.NewInt(x))
	case *big.Int:
		return r.exact(x)
	case float64:
		r.Alloc(numberBytes)
		return number(x)
	case json.Number:
		return r.rounded(x)
	case string:
		r.Alloc(int64(len(x)) + stringBytes)
		return r.vm.ToValue(x)
	case []value.Value:
		return r.importArray(x, s, depth)
	case *value.Object:
		return r.importObject(x, s, depth)
	}
	r.typeError("A value that is not plain data cannot reach a program.")
	return nil
}

// rounded imports a decimal with more digits than a Number has.
func (r *Realm) rounded(n json.Number) goja.Value {
	f, _ := strconv.ParseFloat(string(n), 64)
	if math.IsInf(f, 0) {
		r.note("The number " + clipName(string(n)) + " is beyond what JavaScript numbers hold and became " + numberText(f) + ".")
	} else {
		r.note("The number " + clipName(string(n)) + " has more digits than JavaScript numbers hold and was rounded to " + numberText(f) + ".")
	}
	return number(f)
}

func (r *Realm) importArray(list []value.Value, s Shape, depth int) goja.Value {
	r.Alloc(arrayBytes + int64(len(list))*2*elemBytes)
	values := make([]goja.Value, len(list))
	for i, e := range list {
		values[i] = r.importValue(e, s, depth+1)
	}
	r.meter.Release(int64(len(list)) * elemBytes)
	return r.shielded(r.makeArray(values))
}

func (r *Realm) importObject(from *value.Object, s Shape, depth int) goja.Value {
	n := from.Len()
	r.Alloc(objectBytes + int64(n)*propBytes)
	o := r.vm.NewObject()
	if s != nil {
		if p := s.Proto(from.Keys()); p != nil {
			_ = o.SetPrototype(p)
		}
	}
	for i := range n {
		key := from.Key(i)
		var under Shape
		if s != nil && container(from.At(i)) {
			under = s.Member(key)
		}
		r.put(o, key, r.importValue(from.At(i), under, depth+1))
	}
	return r.shielded(o)
}

func container(v value.Value) bool {
	switch v.(type) {
	case []value.Value, *value.Object:
		return true
	}
	return false
}
