package realm

import "github.com/dop251/goja"

// expando holds the properties that a program adds to an object of ours, in the
// order of their insertion.
type expando struct {
	keys   []string
	values map[string]goja.Value
	frozen bool
}

// Get reads a property, nil if there is none.
func (e *expando) Get(key string) goja.Value { return e.values[key] }

// Has reports a property.
func (e *expando) Has(key string) bool { return e.values[key] != nil }

// Set writes a property.
func (e *expando) Set(key string, v goja.Value) bool {
	if e.frozen {
		return false
	}
	if e.values[key] == nil {
		if e.values == nil {
			e.values = make(map[string]goja.Value)
		}
		e.keys = append(e.keys, key)
	}
	e.values[key] = v
	return true
}

// Delete removes a property.
func (e *expando) Delete(key string) bool {
	if e.values[key] == nil {
		return true
	}
	if e.frozen {
		return false
	}
	delete(e.values, key)
	for i, k := range e.keys {
		if k == key {
			e.keys = append(e.keys[:i:i], e.keys[i+1:]...)
			break
		}
	}
	return true
}

// Keys lists the properties in order.
func (e *expando) Keys() []string { return append([]string(nil), e.keys...) }
