package surfaces

import "github.com/polyglove/polyglove/toolfn/value"

// NoRows reports whether a result has no rows: null, an empty list, or an object all
// of whose lists are empty and which has one.
func NoRows(v value.Value) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []value.Value:
		return len(v) == 0
	case *value.Object:
		lists := false
		for _, e := range v.All() {
			if l, ok := e.([]value.Value); ok {
				if len(l) > 0 {
					return false
				}
				lists = true
			}
		}
		return lists
	}
	return false
}
