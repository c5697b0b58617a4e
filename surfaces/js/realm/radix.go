package realm

import (
	"math"
	"slices"
)

// radixText writes a number in a radix with the digits that V8 writes, because
// ECMA-262 leaves the precision open: the shortest fraction that tells the number
// from its neighbours, and zeros for what an integer does not hold.
func radixText(f float64, radix int) string {
	switch {
	case f != f || math.IsInf(f, 0):
		return numberText(f)
	case f == 0:
		return "0"
	}
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	base := float64(radix)
	negative := f < 0
	f = math.Abs(f)
	whole := math.Floor(f)
	rest := f - whole
	delta := math.Max(0.5*(math.Nextafter(f, math.Inf(1))-f), math.SmallestNonzeroFloat64)
	var fraction []byte
	for rest >= delta {
		rest *= base
		delta *= base
		digit := int(rest)
		fraction = append(fraction, byte(digit))
		rest -= float64(digit)
		if (rest > 0.5 || rest == 0.5 && digit&1 == 1) && rest+delta > 1 {
			i := len(fraction) - 1
			for i >= 0 && int(fraction[i])+1 == radix {
				i--
			}
			if fraction = fraction[:i+1]; i < 0 {
				whole++
			} else {
				fraction[i]++
			}
			break
		}
	}
	var text []byte
	for whole/base >= 1<<53 {
		whole /= base
		text = append(text, '0')
	}
	for {
		digit := math.Mod(whole, base)
		text = append(text, digits[int(digit)])
		if whole = (whole - digit) / base; whole <= 0 {
			break
		}
	}
	if negative {
		text = append(text, '-')
	}
	slices.Reverse(text)
	if len(fraction) > 0 {
		text = append(text, '.')
		for _, d := range fraction {
			text = append(text, digits[d])
		}
	}
	return string(text)
}
