package module

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // programs ask for it by name
	"crypto/sha1" //nolint:gosec // programs ask for it by name
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// hashNames are the algorithms, in order.
var hashNames = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512"}

var hashMakers = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
}

// digest is a hash object: what it has been fed, so that it can be copied.
type digest struct {
	object.Obj
	name string
	key  []byte // of an HMAC, nil for a plain hash
	data []byte
}

var digestClass = object.Define("HASH")

// Class is that of hash objects.
func (*digest) Class() *class { return digestClass }

// sum gives the digest of all that has been fed.
func (d *digest) sum(t *thread) ([]byte, *exception) {
	if x := t.Charge(int64(len(d.data)/16 + 64)); x != nil {
		return nil, x
	}
	h := hashMakers[d.name]()
	if d.key != nil {
		h = hmac.New(hashMakers[d.name], d.key)
	}
	h.Write(d.data)
	return h.Sum(nil), nil
}

// feed adds data.
func (d *digest) feed(t *thread, v value) *exception {
	b, ok := v.Bytes()
	if !ok {
		if _, isText := textOf(v); isText {
			return t.RaiseType("Strings must be encoded before hashing")
		}
		return t.RaiseType("object supporting the buffer API required")
	}
	if x := t.Alloc(2 * len(b.String())); x != nil {
		return x
	}
	d.data = append(d.data, b.String()...)
	return nil
}

func newDigest(t *thread, name string, data value, given bool) (value, *exception) {
	if x := t.Alloc(160); x != nil {
		return value{}, x
	}
	d := &digest{name: name}
	if given {
		if x := d.feed(t, data); x != nil {
			return value{}, x
		}
	}
	return object.Box(d), nil
}

var _ = register("hashlib", func(*Library) *object.Module {
	m := object.NewModule("hashlib")
	var names []value
	for _, n := range hashNames {
		names = append(names, object.Constant(n))
		m.Func(n, "string? * usedforsecurity?", func(t *thread, a []value) (value, *exception) {
			v, ok := given(a, 0)
			return newDigest(t, n, v, ok)
		})
	}
	m.Func("new", "name data? * usedforsecurity?", func(t *thread, a []value) (value, *exception) {
		s, ok := textOf(a[0])
		if !ok {
			return raised(t.RaiseType("name must be a string"))
		}
		if hashMakers[s] == nil {
			return raised(t.RaiseValue("unsupported hash type %s", s))
		}
		v, ok := given(a, 1)
		return newDigest(t, s, v, ok)
	})
	m.Set("algorithms_available", object.NewTuple(names)).Set("algorithms_guaranteed", object.NewTuple(names))
	return m
})

var _ = register("hmac", func(*Library) *object.Module {
	m := object.NewModule("hmac")
	m.Func("new", "key msg? digestmod?", func(t *thread, a []value) (value, *exception) { return newHMAC(t, a) })
	m.Func("digest", "key msg digest", func(t *thread, a []value) (value, *exception) {
		v, x := newHMAC(t, a)
		if x != nil {
			return value{}, x
		}
		return callMethod(t, v, "digest")
	})
	m.Func("compare_digest", "a b /", func(t *thread, a []value) (value, *exception) {
		same, x := t.Equal(a[0], a[1])
		return object.Bool(same), x
	})
	return m
})

// newHMAC is hmac.new.
func newHMAC(t *thread, a []value) (value, *exception) {
	key, ok := a[0].Bytes()
	if !ok {
		return raised(t.RaiseType("key: expected bytes or bytearray, but got '%s'", nameOf(a[0])))
	}
	mod, ok := given(a, 2)
	if !ok {
		return raised(t.RaiseType("Missing required argument 'digestmod'."))
	}
	name, isText := textOf(mod)
	if b, isFunc := mod.Builtin(); isFunc {
		name, isText = b.Name, true
	}
	if !isText || hashMakers[name] == nil {
		return raised(t.RaiseValue("unsupported hash type %s", name))
	}
	if x := t.Alloc(160 + len(key.String())); x != nil {
		return value{}, x
	}
	d := &digest{name: name, key: []byte(key.String())}
	if v, ok := optional(a, 1); ok {
		if x := d.feed(t, v); x != nil {
			return value{}, x
		}
	}
	return object.Box(d), nil
}

func init() {
	c := digestClass
	c.Module = "_hashlib"
	c.Final = true
	self := func(v value) *digest { return v.Native().(*digest) }
	c.Method("update", "obj /", func(t *thread, a []value) (value, *exception) { return object.None, self(a[0]).feed(t, a[1]) })
	c.Method("digest", "", func(t *thread, a []value) (value, *exception) {
		b, x := self(a[0]).sum(t)
		if x != nil {
			return value{}, x
		}
		return t.Data(string(b))
	})
	c.Method("hexdigest", "", func(t *thread, a []value) (value, *exception) {
		b, x := self(a[0]).sum(t)
		return str(t, hex.EncodeToString(b), x)
	})
	c.Method("copy", "", func(t *thread, a []value) (value, *exception) {
		d := self(a[0])
		return object.Box(&digest{name: d.name, key: d.key, data: append([]byte(nil), d.data...)}), t.Alloc(160 + len(d.data))
	})
	c.Getter("name", func(t *thread, v value) (value, *exception) {
		d := self(v)
		if d.key != nil {
			return t.Text("hmac-" + d.name)
		}
		return t.Text(d.name)
	})
	c.Getter("digest_size", func(_ *thread, v value) (value, *exception) {
		return object.Int(int64(hashMakers[self(v).name]().Size())), nil
	})
	c.Getter("block_size", func(_ *thread, v value) (value, *exception) {
		return object.Int(int64(hashMakers[self(v).name]().BlockSize())), nil
	})
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		return "<" + self(v).name + " _hashlib.HASH object @ 0x" + hex.EncodeToString([]byte{byte(t.ID(v) >> 8), byte(t.ID(v))}) + ">", nil
	}
	c.Own.Children = func(v value, _ func(value)) int { return 160 + cap(self(v).data) }
	c.Ready()
}
