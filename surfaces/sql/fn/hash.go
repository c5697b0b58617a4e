package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// hashKernels are the server's hash functions, which programs call to draw stable
// samples: hashtext(id) % 10. Those of 64 bits take a seed.
func hashKernels() map[string]Kernel {
	all := map[string]Kernel{}
	hashOf(all, "hashint2", "hashint2extended", hash32)
	hashOf(all, "hashint4", "hashint4extended", hash32)
	hashOf(all, "hashoid", "hashoidextended", hash32)
	hashOf(all, "hashchar", "hashcharextended", hashChar)
	hashOf(all, "hashint8", "hashint8extended", hash64)
	hashOf(all, "time_hash", "time_hash_extended", hash64)
	hashOf(all, "timestamp_hash", "timestamp_hash_extended", hash64)
	hashOf(all, "hashfloat4", "hashfloat4extended", pgtype.HashFloat)
	hashOf(all, "hashfloat8", "hashfloat8extended", pgtype.HashFloat)
	hashOf(all, "hashtext", "hashtextextended", hashText)
	hashOf(all, "hashname", "hashnameextended", hashText)
	hashOf(all, "uuid_hash", "uuid_hash_extended", hashText)
	hashOf(all, "hashbpchar", "hashbpcharextended", hashBpchar)
	hashOf(all, "hash_numeric", "hash_numeric_extended", pgtype.HashNumeric)
	hashOf(all, "interval_hash", "interval_hash_extended", pgtype.HashInterval)
	hashOf(all, "timetz_hash", "timetz_hash_extended", func(v any, seed uint64) uint64 { return pgtype.HashTimetz(v.(pgtype.Timetz), seed) })
	hashCombined(all, "hash_array", "hash_array_extended", hashArray)
	hashCombined(all, "hash_record", "hash_record_extended", hashRecord)
	return all
}

func hash32(n int64, seed uint64) uint64      { return pgtype.HashUint32(uint32(n), seed) }
func hash64(n int64, seed uint64) uint64      { return pgtype.HashInt64(n, seed) }
func hashText(s string, seed uint64) uint64   { return pgtype.HashBytes(s, seed) }
func hashBpchar(s string, seed uint64) uint64 { return hashText(pgtype.TrimBpchar(s), seed) }
func hashChar(n int64, seed uint64) uint64    { return hash32(int64(int8(n)), seed) }
func signedHash(h uint64) int64               { return int64(int32(uint32(h))) }

// hashOf enters the hash of 32 bits and the one with a seed.
func hashOf[T any](all map[string]Kernel, name, extended string, hash func(v T, seed uint64) uint64) {
	all[name] = Unary(func(_ *Env, v T) (int64, *pgerr.Error) { return signedHash(hash(v, 0)), nil })
	all[extended] = Binary(func(_ *Env, v T, seed int64) (int64, *pgerr.Error) { return int64(hash(v, uint64(seed))), nil })
}

// hashCombined enters the hashes of values made of others.
func hashCombined(all map[string]Kernel, name, extended string, hash func(e *Env, v any, seed uint64, seeded bool) (uint64, *pgerr.Error)) {
	all[name] = Unary(func(e *Env, v any) (int64, *pgerr.Error) {
		h, err := hash(e, v, 0, false)
		return signedHash(h), err
	})
	all[extended] = Binary(func(e *Env, v any, seed int64) (int64, *pgerr.Error) {
		h, err := hash(e, v, uint64(seed), true)
		return int64(h), err
	})
}

// combine adds a part's hash, 0 for NULL. Without a seed everything has 32 bits.
func combine(sum, part uint64, seeded bool) uint64 {
	sum = sum<<5 - sum + part
	if !seeded {
		sum = uint64(uint32(sum))
	}
	return sum
}

func hashArray(e *Env, v any, seed uint64, seeded bool) (uint64, *pgerr.Error) {
	a := v.(*vector.Array)
	if err := e.Charge(int64(a.Len())); err != nil {
		return 0, err
	}
	sum := uint64(1)
	for i := range a.Len() {
		part, err := hashDatum(e, a.At(i), seed, seeded)
		if err != nil {
			return 0, err
		}
		sum = combine(sum, part, seeded)
	}
	return sum, nil
}

func hashRecord(e *Env, v any, seed uint64, seeded bool) (uint64, *pgerr.Error) {
	var sum uint64
	for _, f := range v.(*vector.Record).Fields {
		part, err := hashDatum(e, f, seed, seeded)
		if err != nil {
			return 0, err
		}
		sum = combine(sum, part, seeded)
	}
	return sum, nil
}

// hashDatum hashes a part by its type.
func hashDatum(e *Env, d vector.Datum, seed uint64, seeded bool) (uint64, *pgerr.Error) {
	if d.Null() {
		return 0, nil
	}
	var h uint64
	switch v := d.Value.(type) {
	case bool:
		if v {
			h = 1
		}
		h = pgtype.HashUint32(uint32(h), seed)
	case int64:
		h = hashWhole(d.Type, v, seed)
	case float64:
		h = pgtype.HashFloat(v, seed)
	case pgtype.Numeric:
		h = pgtype.HashNumeric(v, seed)
	case pgtype.Interval:
		h = pgtype.HashInterval(v, seed)
	case pgtype.Timetz:
		h = pgtype.HashTimetz(v, seed)
	case string:
		if d.Type == pgcat.Bpchar {
			v = pgtype.TrimBpchar(v)
		}
		h = hashText(v, seed)
	case *vector.Array:
		return hashArray(e, v, seed, seeded)
	case *vector.Record:
		return hashRecord(e, v, seed, seeded)
	default:
		return 0, pgerr.New(pgerr.FeatureNotSupported, "hashing values of type %s is not supported", pgcat.Default().FormatType(d.Type))
	}
	if !seeded {
		h = uint64(uint32(h))
	}
	return h, nil
}

// hashWhole hashes what is kept as an integer.
func hashWhole(t pgcat.OID, n int64, seed uint64) uint64 {
	switch t {
	case pgcat.Int8, pgcat.Time, pgcat.Timestamp, pgcat.Timestamptz:
		return hash64(n, seed)
	case pgcat.Char:
		return hashChar(n, seed)
	}
	return hash32(n, seed)
}
