package realm

import "github.com/dop251/goja"

func (r *Realm) jsonNamespace() goja.Value { return r.namespace("JSON") }

func jsonMembers() []member {
	return []member{
		method("parse", 2, jsonParse),
		method("stringify", 3, jsonStringify),
	}
}

// maxJSONDepth bounds the nesting of JSON in both directions, because each level
// costs the host's stack.
const maxJSONDepth = 512
