package realm

import (
	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collatorKey is what a comparison may vary by.
type collatorKey struct {
	numeric     bool
	sensitivity string
}

func stringLocaleCompare(r *Realm, s goja.String, c call) goja.Value {
	other := r.str(arg(c, 0))
	r.localeOf(arg(c, 1))
	key := collatorKey{sensitivity: "variant"}
	if given(c, 2) {
		o := r.optionsOf(c.Arguments[2])
		key.sensitivity = o.text("sensitivity", "variant", "base", "accent", "case", "variant")
		if v, ok := o.get("numeric"); ok {
			key.numeric = v.ToBoolean()
		}
	}
	return whole(r.collate(s, other, key))
}

// maxCollated bounds the strings that are compared in an order of letters, which
// cannot be stopped half-way.
const maxCollated = 16 << 10

// collate compares two strings as English readers sort them.
func (r *Realm) collate(a, b goja.String, key collatorKey) int {
	if a.StrictEquals(b) {
		return 0
	}
	if max(a.Length(), b.Length()) > maxCollated {
		r.rangeError("localeCompare takes strings of up to %d characters. Compare longer ones with < and >.", maxCollated)
	}
	n := int64(a.Length() + b.Length())
	r.Charge(n>>1 + 4)
	r.Alloc(n * 8)
	defer r.meter.Release(n * 8)
	return r.collator(key).CompareString(a.String(), b.String())
}

func (r *Realm) collator(key collatorKey) *collate.Collator {
	if c := r.collators[key]; c != nil {
		return c
	}
	var opts []collate.Option
	if key.numeric {
		opts = append(opts, collate.Numeric)
	}
	switch key.sensitivity {
	case "base":
		opts = append(opts, collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		opts = append(opts, collate.IgnoreCase)
	case "case":
		opts = append(opts, collate.IgnoreDiacritics)
	}
	c := collate.New(language.English, opts...)
	if r.collators == nil {
		r.collators = make(map[collatorKey]*collate.Collator)
	}
	r.collators[key] = c
	return c
}
