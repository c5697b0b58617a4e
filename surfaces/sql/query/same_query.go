package query

import (
	"reflect"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// sameQuery reports whether two queries are written the same, whatever their
// positions. It goes by the fields of all parts, so that a part that is added to a
// query is compared too.
func sameQuery(a, b *Query) bool { return alike(reflect.ValueOf(a), reflect.ValueOf(b)) }

// The types whose values are told apart by identity or by a rule of their own.
var (
	tableType    = reflect.TypeFor[*Table]()
	functionType = reflect.TypeFor[*pgcat.Function]()
	operatorType = reflect.TypeFor[*pgcat.Operator]()
	datumType    = reflect.TypeFor[vector.Datum]()
)

func alike(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Type() {
	case tableType, functionType, operatorType:
		return a.Pointer() == b.Pointer()
	case datumType:
		return sameDatum(a.Interface().(vector.Datum), b.Interface().(vector.Datum))
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return alike(a.Elem(), b.Elem())
	case reflect.Slice:
		return alikeLists(a, b)
	case reflect.Struct:
		return alikeFields(a, b)
	}
	return a.Equal(b)
}

func alikeLists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !alike(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func alikeFields(a, b reflect.Value) bool {
	for i := range a.NumField() {
		if a.Type().Field(i).Name != "At" && !alike(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
