package data

import "unicode/utf16"

// Hash is the hash by which maps and sets order their elements: Clojure's hasheq,
// equal for equal values. Sequences are hashed once; a value that is shared is not
// walked twice where it keeps its hash.
func Hash(t *Thread, v Value) uint32 {
	switch v.Kind() {
	case KindNil:
		return 0
	case KindBool:
		if v.n != 0 {
			return 1231
		}
		return 1237
	case KindInt, KindFloat, KindBig, KindRatio:
		return hashNumber(v)
	case KindChar:
		return uint32(v.n)
	case KindString:
		return v.text().hashed(t)
	case KindKeyword, KindSymbol:
		return v.Named().hashed(v.Kind() == KindKeyword)
	case KindMap:
		return v.asMap().hashed(t)
	case KindSet:
		return v.asSet().hashed(t)
	case KindVector:
		return v.asVector().hashed(t)
	case KindList, KindCons, KindLazy, KindChunk, KindRange:
		return hashSequence(t, v)
	}
	return hashObject(v)
}

// hashObject is the hash of a value that is equal only to itself: any stable
// number serves, since the order of such values is the platform's accident.
func hashObject(v Value) uint32 { return 42 }

// hashInt is the Murmur3 hash of a 32-bit integer.
func hashInt(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return finish(mixH1(0, mixK1(n)), 4)
}

// javaHash is String.hashCode.
func javaHash(s string) uint32 {
	var h uint32
	for _, r := range s {
		if r < 0x10000 {
			h = 31*h + uint32(r)
			continue
		}
		high, low := utf16.EncodeRune(r)
		h = 31*(31*h+uint32(high)) + uint32(low)
	}
	return h
}

func (x *Text) hashed(t *Thread) uint32 {
	if x.hash == 0 {
		t.Charge(len(x.S) >> 4)
		x.hash = hashInt(javaHash(x.S))
	}
	return x.hash
}

// hashChars is Murmur3 over the characters of a text.
func hashChars(s string) uint32 {
	units := utf16.Encode([]rune(s))
	var h uint32
	for i := 1; i < len(units); i += 2 {
		h = mixH1(h, mixK1(uint32(units[i-1])|uint32(units[i])<<16))
	}
	if len(units)%2 == 1 {
		h ^= mixK1(uint32(units[len(units)-1]))
	}
	return finish(h, 2*len(units))
}

func (n *Name) hashed(keyword bool) uint32 {
	if n.hash == 0 {
		var space uint32
		if n.Space != "" {
			space = javaHash(n.Space)
		}
		h := combine(hashChars(n.Name), space)
		if keyword {
			h += 0x9e3779b9
		}
		n.hash = h
	}
	return n.hash
}

// combine is Util.hashCombine.
func combine(seed, hash uint32) uint32 {
	return seed ^ (hash + 0x9e3779b9 + seed<<6 + uint32(int32(seed)>>2))
}

// ordered accumulates the hash of a sequence.
type ordered struct {
	h uint32
	n int
}

func newOrdered() ordered { return ordered{h: 1} }

func (o *ordered) add(h uint32) { o.h = 31*o.h + h; o.n++ }

func (o *ordered) sum() uint32 { return mixCollection(o.h, o.n) }

func mixCollection(h uint32, n int) uint32 { return finish(mixH1(0, mixK1(h)), n) }

func hashSequence(t *Thread, v Value) uint32 {
	t.Enter()
	defer t.Leave()
	o := newOrdered()
	for it := Iterate(t, v); it.Next(); {
		o.add(Hash(t, it.Value))
	}
	return o.sum()
}
