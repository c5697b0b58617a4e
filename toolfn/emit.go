package toolfn

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"sort"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// emitter turns a Go value of one type into plain data as encoding/json would
// write it, save that a nil slice is an empty array and a nil map an empty
// object: whoever counts the result should get 0, not an error.
type emitter func(v reflect.Value) (value.Value, error)

func emitterOf(t reflect.Type) emitter {
	switch t {
	case typeObjectPointer, typeJSONNumber, typeRawMessage, reflect.PointerTo(typeBigInt):
		return emitPlain
	case typeBigInt:
		return emitBig
	case typeBytes:
		return emitBytes
	}
	if writesItself(t) || writesItself(reflect.PointerTo(t)) {
		return emitJSON
	}
	switch t.Kind() {
	case reflect.Interface:
		return emitInterface
	case reflect.Bool:
		return func(v reflect.Value) (value.Value, error) { return v.Bool(), nil }
	case reflect.String:
		return func(v reflect.Value) (value.Value, error) { return v.String(), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value) (value.Value, error) { return v.Int(), nil }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(v reflect.Value) (value.Value, error) {
			return value.FromBig(new(big.Int).SetUint64(v.Uint())), nil
		}
	case reflect.Float64:
		return func(v reflect.Value) (value.Value, error) { return v.Float(), nil }
	case reflect.Pointer:
		return emitPointer(emitterOf(t.Elem()))
	case reflect.Slice, reflect.Array:
		return emitList(emitterOf(t.Elem()))
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !writesItself(t.Key()) {
			return emitMap(emitterOf(t.Elem()))
		}
	case reflect.Struct:
		if fields, ok := plainFields(t); ok {
			return emitStruct(fields)
		}
	}
	return emitJSON
}

func writesItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// emitPlain is for what package value knows as it is.
func emitPlain(v reflect.Value) (value.Value, error) { return value.From(v.Interface()) }

// emitInterface emits what an interface holds. Its type is only known now, so it
// goes the general way, which ends for types that contain themselves.
func emitInterface(v reflect.Value) (value.Value, error) {
	if v.IsNil() {
		return nil, nil
	}
	return value.From(v.Interface())
}

func emitJSON(v reflect.Value) (value.Value, error) {
	data, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	return value.Decode(data)
}

func emitBig(v reflect.Value) (value.Value, error) {
	n := v.Interface().(big.Int)
	return value.FromBig(new(big.Int).Set(&n)), nil
}

func emitBytes(v reflect.Value) (value.Value, error) {
	return base64.StdEncoding.EncodeToString(v.Bytes()), nil
}

func emitPointer(elem emitter) emitter {
	return func(v reflect.Value) (value.Value, error) {
		if v.IsNil() {
			return nil, nil
		}
		return elem(v.Elem())
	}
}

func emitList(elem emitter) emitter {
	return func(v reflect.Value) (value.Value, error) {
		list := make([]value.Value, v.Len())
		for i := range list {
			var err error
			if list[i], err = elem(v.Index(i)); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
}

func emitMap(elem emitter) emitter {
	return func(v reflect.Value) (value.Value, error) {
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		o := value.NewObject(len(keys))
		for _, k := range keys {
			x, err := elem(v.MapIndex(k))
			if err != nil {
				return nil, err
			}
			o.Set(k.String(), x)
		}
		return o, nil
	}
}

// emitStruct gives an object; those that leave nothing out share their keys.
func emitStruct(fields []plainField) emitter {
	names := make([]string, len(fields))
	whole := true
	for i, f := range fields {
		names[i] = f.name
		whole = whole && !f.omitEmpty && !f.omitZero
	}
	if !whole {
		return emitSparse(fields)
	}
	keys := value.NewKeys(names...)
	return func(v reflect.Value) (value.Value, error) {
		vals := make([]value.Value, len(fields))
		for i := range fields {
			var err error
			if vals[i], err = fields[i].emit(v.FieldByIndex(fields[i].index)); err != nil {
				return nil, err
			}
		}
		return value.NewRow(keys, vals), nil
	}
}

func emitSparse(fields []plainField) emitter {
	return func(v reflect.Value) (value.Value, error) {
		o := value.NewObject(len(fields))
		for i := range fields {
			f := &fields[i]
			x := v.FieldByIndex(f.index)
			if f.omitZero && isZero(x) || f.omitEmpty && isEmptyValue(x) {
				continue
			}
			e, err := f.emit(x)
			if err != nil {
				return nil, err
			}
			o.Set(f.name, e)
		}
		return o, nil
	}
}

// isZero is what omitzero leaves out: by the type's own IsZero where it has one.
func isZero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		return z.IsZero()
	}
	return v.IsZero()
}

// isEmptyValue is what omitempty leaves out, as encoding/json has it.
func isEmptyValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// withoutNullLists takes null out of the types of lists: [emitter] never gives
// it for one.
func withoutNullLists(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" && s.Types[1] == "array" {
		s.Type, s.Types = "array", nil
	}
	for _, p := range s.Properties {
		withoutNullLists(p)
	}
	withoutNullLists(s.Items)
	withoutNullLists(s.AdditionalProperties)
}
