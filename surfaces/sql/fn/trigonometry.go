package fn

import "math"

// The functions of the C library that the Go library has as exact.
var (
	lnOf    = lnExact
	log10Of = log10Exact
	asinhOf = math.Asinh
	acoshOf = math.Acosh
	atanhOf = math.Atanh
)

// sinQuarter gives the sine of 0 to 90 degrees, exact at 0, 30 and 90: by the sine
// up to 30 and by the cosine above, each scaled so that it is exact at its end.
func sinQuarter(x float64) float64 {
	if x <= 30 {
		return sin30(x)
	}
	return cos60(90 - x)
}

func cosQuarter(x float64) float64 {
	if x <= 60 {
		return cos60(x)
	}
	return sin30(90 - x)
}

// radian is one degree; a variable, so that products with it are rounded as the
// server rounds them.
var radian = math.Pi / 180

func sin30(x float64) float64 { return sinOf(x*radian) / sinOf(30*radian) / 2 }

func cos60(x float64) float64 {
	return 1 - (1-cosOf(x*radian))/(1-cosOf(60*radian))/2
}

// fold takes degrees to 0..90 and gives the signs of sine and cosine there.
func foldDegrees(x float64) (folded, sine, cosine float64) {
	x = math.Mod(x, 360)
	sine, cosine = 1, 1
	if x < 0 {
		x, sine = -x, -sine
	}
	if x > 180 {
		x, sine = 360-x, -sine
	}
	if x > 90 {
		x, cosine = 180-x, -cosine
	}
	return x, sine, cosine
}

func sinDegrees(x float64) float64 {
	x, s, _ := foldDegrees(x)
	return s * sinQuarter(x)
}

func cosDegrees(x float64) float64 {
	x, _, c := foldDegrees(x)
	return c * cosQuarter(x)
}

func tanDegrees(x float64) float64 {
	x, s, c := foldDegrees(x)
	v := s * c * (sinQuarter(x) / cosQuarter(x) / (sinQuarter(45) / cosQuarter(45)))
	if v == 0 {
		return 0
	}
	return v
}

func cotDegrees(x float64) float64 {
	x, s, c := foldDegrees(x)
	v := s * c * (cosQuarter(x) / sinQuarter(x) / (cosQuarter(45) / sinQuarter(45)))
	if v == 0 {
		return 0
	}
	return v
}

// asinQuarter gives the arc of 0..1 in degrees, exact at 0, 0.5 and 1.
func asinQuarter(x float64) float64 {
	if x <= 0.5 {
		return asinOf(x) / asinOf(0.5) * 30
	}
	return 90 - acosOf(x)/acosOf(0.5)*60
}

func acosQuarter(x float64) float64 {
	if x <= 0.5 {
		return 90 - asinOf(x)/asinOf(0.5)*30
	}
	return acosOf(x) / acosOf(0.5) * 60
}

func asinDegrees(x float64) float64 {
	if x >= 0 {
		return asinQuarter(x)
	}
	return -asinQuarter(-x)
}

func acosDegrees(x float64) float64 {
	if x >= 0 {
		return acosQuarter(x)
	}
	return 90 + asinQuarter(-x)
}
