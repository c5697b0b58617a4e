package dispatch

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// peekedAs gives what a note may tell of a call's arguments: of a write to a table
// its first row and how many there are, or the key and what was set.
func peekedAs(function string, args *value.Object) *value.Object {
	if args == nil {
		return value.NewObject(0)
	}
	if !strings.Contains(function, ".") { // no function of a catalogue has a dot in its name
		return args
	}
	o := value.NewObject(4)
	rows, _ := args.Get("rows")
	if list, ok := rows.([]value.Value); ok && len(list) > 0 {
		row, _ := list[0].(*value.Object)
		if len(list) == 1 {
			return row
		}
		o.Set("rows", int64(len(list)))
		addTo(o, row)
		return o
	}
	where, _ := args.Get("where")
	columns, _ := where.(*value.Object)
	for k, v := range columns.All() {
		switch list, ok := v.([]value.Value); {
		case ok && len(list) == 1:
			o.Set(k, list[0])
		case ok && !o.Has("keys"):
			o.Set("keys", int64(len(list)))
		case !ok:
			o.Set(k, v)
		}
	}
	set, _ := args.Get("set")
	values, _ := set.(*value.Object)
	addTo(o, values)
	return o
}

func addTo(o, more *value.Object) {
	for k, v := range more.All() {
		if !o.Has(k) {
			o.Set(k, v)
		}
	}
}
