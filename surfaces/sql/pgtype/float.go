package pgtype

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// AppendFloat writes a float of 32 or 64 bits: the shortest text that reads back
// as the same value, with an exponent outside 1e-4 to 1e6 (32 bits) or 1e15.
func AppendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	text := shortest(f, bits)
	mantissa, exponent, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exponent)
	largest := 15
	if bits == 32 {
		largest = 6
	}
	if e < -4 || e >= largest {
		return appendScientific(dst, mantissa, e)
	}
	return appendFixed(dst, mantissa, e)
}

func appendScientific(dst []byte, mantissa string, e int) []byte {
	dst = append(append(dst, mantissa...), 'e')
	sign := byte('+')
	if e < 0 {
		sign, e = '-', -e
	}
	dst = append(dst, sign)
	if e < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(e), 10)
}

// appendFixed moves the point of d.ddd by e places.
func appendFixed(dst []byte, mantissa string, e int) []byte {
	if strings.HasPrefix(mantissa, "-") {
		dst, mantissa = append(dst, '-'), mantissa[1:]
	}
	digits := strings.Replace(mantissa, ".", "", 1)
	if e < 0 {
		dst = append(dst, "0."...)
		dst = append(dst, strings.Repeat("0", -e-1)...)
		return append(dst, digits...)
	}
	if len(digits) <= e+1 {
		dst = append(dst, digits...)
		return append(dst, strings.Repeat("0", e+1-len(digits))...)
	}
	dst = append(dst, digits[:e+1]...)
	return append(append(dst, '.'), digits[e+1:]...)
}

// shortest gives the shortest scientific form. The server's algorithm does not
// take a form that lies exactly half way to a neighbour, although reading would
// round it back; such a form can only arise among large integers.
func shortest(f float64, bits int) string {
	text := strconv.FormatFloat(f, 'e', -1, bits)
	for precision := digitsOf(text); precision <= 17 && halfway(f, text, bits); precision++ {
		text = trimZeros(strconv.FormatFloat(f, 'e', precision, bits))
	}
	return text
}

// digitsOf counts the digits after the first one.
func digitsOf(scientific string) int {
	mantissa, _, _ := strings.Cut(scientific, "e")
	return max(len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "-"))-1, 0)
}

func trimZeros(scientific string) string {
	mantissa, e, _ := strings.Cut(scientific, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "e" + e
}

func halfway(f float64, text string, bits int) bool {
	if math.Abs(f) < 1<<23 || bits == 64 && math.Abs(f) < 1<<52 {
		return false
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	for _, n := range neighbours(f, bits) {
		if math.IsInf(n, 0) {
			continue
		}
		middle := new(big.Rat).Add(new(big.Rat).SetFloat64(f), new(big.Rat).SetFloat64(n))
		if middle.Quo(middle, big.NewRat(2, 1)).Cmp(exact) == 0 {
			return true
		}
	}
	return false
}

func neighbours(f float64, bits int) [2]float64 {
	if bits == 32 {
		x := float32(f)
		return [2]float64{
			float64(math.Nextafter32(x, float32(math.Inf(1)))),
			float64(math.Nextafter32(x, float32(math.Inf(-1)))),
		}
	}
	return [2]float64{math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1))}
}

// shortFloat writes a float with at most six digits, as messages show it.
func shortFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'g', 6, 64)
}

// twoDigitFloat is shortFloat with a leading zero for one digit.
func twoDigitFloat(f float64) string {
	if text := shortFloat(f); len(text) > 1 {
		return text
	}
	return "0" + shortFloat(f)
}
