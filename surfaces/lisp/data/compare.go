package data

import (
	"strings"
	"unicode/utf16"
)

// Compare is compare: nil before all, numbers by value, texts and characters by
// their code units, keywords and symbols by namespace and name, vectors by length
// and then element by element. Other pairs are an error.
func Compare(t *Thread, a, b Value) int {
	if a == b {
		switch a.Kind() {
		case KindNil, KindBool, KindInt, KindFloat, KindChar, KindBig, KindRatio, KindString, KindKeyword, KindSymbol, KindVector:
			return 0
		}
	}
	ka, kb := a.Kind(), b.Kind()
	switch {
	case ka == KindNil:
		return -1
	case kb == KindNil:
		return 1
	case a.IsNumber() && b.IsNumber():
		order, _ := CompareNumbers(a, b)
		return order
	case ka != kb:
		mismatch(t, a, b)
	}
	switch ka {
	case KindBool, KindChar:
		return int(a.n) - int(b.n)
	case KindString:
		return CompareTexts(t, a.text().S, b.text().S)
	case KindKeyword, KindSymbol:
		return compareNames(t, a.Named(), b.Named())
	case KindVector:
		return compareVectors(t, a.asVector(), b.asVector())
	}
	mismatch(t, a, b)
	return 0
}

func mismatch(t *Thread, a, b Value) {
	ThrowHint("ClassCastException", Describe(t, a)+" and "+Describe(t, b)+" cannot be compared.",
		"Sort by values of one kind: (sort-by :key coll), or (sort-by str coll) for texts.")
}

// CompareTexts orders texts by UTF-16 code units. The result is Java's: the
// difference of the first units that differ, or of the lengths.
func CompareTexts(t *Thread, a, b string) int {
	t.Charge(min(len(a), len(b)) >> 5)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) && i == len(b) {
		return 0
	}
	if ascii(a) && ascii(b) {
		if i < len(a) && i < len(b) {
			return int(a[i]) - int(b[i])
		}
		return len(a) - len(b)
	}
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for j := range min(len(x), len(y)) {
		if x[j] != y[j] {
			return int(x[j]) - int(y[j])
		}
	}
	return len(x) - len(y)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func compareNames(t *Thread, a, b *Name) int {
	if a.Space != b.Space {
		switch {
		case a.Space == "":
			return -1
		case b.Space == "":
			return 1
		}
		if c := strings.Compare(a.Space, b.Space); c != 0 {
			return CompareTexts(t, a.Space, b.Space)
		}
	}
	return CompareTexts(t, a.Name, b.Name)
}

func compareVectors(t *Thread, a, b *Vector) int {
	if a.n != b.n {
		return compareInts(int64(a.n), int64(b.n))
	}
	t.Enter()
	defer t.Leave()
	for i := range a.n {
		t.Charge(1)
		if c := Compare(t, a.At(i), b.At(i)); c != 0 {
			return c
		}
	}
	return 0
}
