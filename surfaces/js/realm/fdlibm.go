package realm

import (
	"math"
	"math/big"
)

// ECMA-262 leaves the last digit of the transcendental functions open, and V8
// computes them as fdlibm does. A program that prints compound interest shows the
// last digit, so these follow fdlibm too, where Go's math goes another way.
//
// fdlibm: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use,
// copy, modify, and distribute this software is freely granted, provided that
// this notice is preserved.

// high and low are the halves of a float's bits.
func high(x float64) int32 { return int32(math.Float64bits(x) >> 32) }
func low(x float64) uint32 { return uint32(math.Float64bits(x)) }

// withHigh replaces the high half, headOnly clears the low one.
func withHigh(x float64, h int32) float64 {
	return math.Float64frombits(uint64(uint32(h))<<32 | uint64(low(x)))
}
func headOnly(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ 0xFFFFFFFF) }

const (
	expP1 = 1.66666666666666019037e-01
	expP2 = -2.77777777770155933842e-03
	expP3 = 6.61375632143793436117e-05
	expP4 = -1.65339022054652515390e-06
	expP5 = 4.13813679705723846039e-08
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
	invLn = 1.44269504088896338700e+00
)

// fdExp is e to the x.
func fdExp(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case math.IsInf(x, -1):
		return 0
	case x > 7.09782712893383973096e+02:
		return math.Inf(1)
	case x < -7.45133219101941108420e+02:
		return 0
	}
	h := high(x) & 0x7fffffff
	hi, lo, k := 0.0, 0.0, 0
	switch {
	case h > 0x3fd62e42: // |x| > 0.5 ln2
		if h < 0x3FF0A2B2 { // |x| < 1.5 ln2
			if x == 1 {
				return math.E
			}
			hi, lo, k = x-ln2Hi, ln2Lo, 1
			if x < 0 {
				hi, lo, k = x+ln2Hi, -ln2Lo, -1
			}
		} else {
			half := 0.5
			if x < 0 {
				half = -0.5
			}
			k = int(float64(invLn*x) + half)
			t := float64(k)
			hi = x - float64(t*ln2Hi)
			lo = float64(t * ln2Lo)
		}
		x = hi - lo
	case h < 0x3e300000:
		return 1 + x
	}
	t := float64(x * x)
	c := x - float64(t*(expP1+float64(t*(expP2+float64(t*(expP3+float64(t*(expP4+float64(t*expP5)))))))))
	if k == 0 {
		return 1 - (float64(x*c)/(c-2) - x)
	}
	y := 1 - ((lo - float64(x*c)/(2-c)) - hi)
	return math.Ldexp(y, k)
}

const (
	powL1  = 5.99999999999994648725e-01
	powL2  = 4.28571428578550184252e-01
	powL3  = 3.33333329818377432918e-01
	powL4  = 2.72728123808534006489e-01
	powL5  = 2.30660745775561754067e-01
	powL6  = 2.06975017800338417784e-01
	lg2    = 6.93147180559945286227e-01
	lg2H   = 6.93147182464599609375e-01
	lg2L   = -1.90465429995776804525e-09
	ovt    = 8.0085662595372944372e-17
	cp     = 9.61796693925975554329e-01
	cpH    = 9.61796700954437255859e-01
	cpL    = -7.02846165095275826516e-09
	ivln2  = 1.44269504088896338700e+00
	ivln2H = 1.44269502162933349609e+00
	ivln2L = 1.92596299112661746887e-08
)

// fdPow is x to the y for finite, non-zero operands other than the ones that
// [pow] treats itself.
func fdPow(x, y float64) float64 {
	hx, hy := high(x), high(y)
	ix, iy := hx&0x7fffffff, hy&0x7fffffff
	sign := 1.0
	if hx < 0 {
		switch {
		case y != math.Trunc(y):
			return math.NaN()
		case math.Mod(y, 2) != 0:
			sign = -1
		}
	}
	ax := math.Abs(x)
	var t1, t2 float64
	if iy > 0x41e00000 { // |y| > 2**31
		if iy > 0x43f00000 {
			if ix <= 0x3fefffff {
				return extreme2(hy < 0)
			}
			if ix >= 0x3ff00000 {
				return extreme2(hy > 0)
			}
		}
		if ix < 0x3fefffff {
			return sign * extreme2(hy < 0)
		}
		if ix > 0x3ff00000 {
			return sign * extreme2(hy > 0)
		}
		t := ax - 1
		w := float64(t*t) * (0.5 - float64(t*(0.3333333333333333333333-float64(t*0.25))))
		u := ivln2H * t
		v := float64(t*ivln2L) - float64(w*ivln2)
		t1 = headOnly(u + v)
		t2 = v - (t1 - u)
	} else {
		t1, t2 = powLog(ax, ix)
	}
	y1 := headOnly(y)
	pl := float64((y-y1)*t1) + float64(y*t2)
	ph := float64(y1 * t1)
	z := pl + ph
	j, i := high(z), int32(low(z))
	switch {
	case j >= 0x40900000: // z >= 1024
		if (j-0x40900000)|i != 0 || pl+ovt > z-ph {
			return sign * math.Inf(1)
		}
	case j&0x7fffffff >= 0x4090cc00: // z <= -1075
		if (j-int32(-0x3f6f3400))|i != 0 || pl <= z-ph {
			return sign * 0
		}
	}
	return sign * powExp(ph, pl, j)
}

// extreme2 is infinity or zero.
func extreme2(infinite bool) float64 {
	if infinite {
		return math.Inf(1)
	}
	return 0
}

// powLog is log2 of ax in two parts.
func powLog(ax float64, ix int32) (t1, t2 float64) {
	n := int32(0)
	if ix < 0x00100000 {
		ax *= 1 << 53
		n -= 53
		ix = high(ax)
	}
	n += ix>>20 - 0x3ff
	j := ix & 0x000fffff
	ix = j | 0x3ff00000
	k := 0
	switch {
	case j <= 0x3988E:
	case j < 0xBB67A:
		k = 1
	default:
		n++
		ix -= 0x00100000
	}
	ax = withHigh(ax, ix)
	bp := [2]float64{1, 1.5}[k]
	dpH := [2]float64{0, 5.84962487220764160156e-01}[k]
	dpL := [2]float64{0, 1.35003920212974897128e-08}[k]
	u := ax - bp
	v := 1 / (ax + bp)
	ss := float64(u * v)
	sH := headOnly(ss)
	tH := math.Float64frombits(uint64(uint32((ix>>1|0x20000000)+0x00080000+int32(k)<<18)) << 32)
	tL := ax - (tH - bp)
	sL := float64(v * ((u - float64(sH*tH)) - float64(sH*tL)))
	s2 := float64(ss * ss)
	r := float64(float64(s2*s2) * (powL1 + float64(s2*(powL2+float64(s2*(powL3+float64(s2*(powL4+float64(s2*(powL5+float64(s2*powL6)))))))))))
	r += float64(sL * (sH + ss))
	s2 = float64(sH * sH)
	tH = headOnly(3 + s2 + r)
	tL = r - ((tH - 3) - s2)
	u = float64(sH * tH)
	v = float64(sL*tH) + float64(tL*ss)
	pH := headOnly(u + v)
	pL := v - (pH - u)
	zH := float64(cpH * pH)
	zL := float64(cpL*pH) + float64(pL*cp) + dpL
	t := float64(n)
	t1 = headOnly(((zH + zL) + dpH) + t)
	t2 = zL - (((t1 - t) - dpH) - zH)
	return t1, t2
}

// powExp is two to the power ph + pl.
func powExp(ph, pl float64, j int32) float64 {
	i := j & 0x7fffffff
	k := i>>20 - 0x3ff
	n := int32(0)
	if i > 0x3fe00000 {
		n = j + 0x00100000>>(k+1)
		k = (n&0x7fffffff)>>20 - 0x3ff
		t := math.Float64frombits(uint64(uint32(n&^(0x000fffff>>k))) << 32)
		n = (n&0x000fffff | 0x00100000) >> (20 - k)
		if j < 0 {
			n = -n
		}
		ph -= t
	}
	t := headOnly(pl + ph)
	u := float64(t * lg2H)
	v := float64((pl-(t-ph))*lg2) + float64(t*lg2L)
	z := u + v
	w := v - z + u // as V8 has it; fdlibm's v - (z - u) differs in the last digit
	t = float64(z * z)
	t1 := z - float64(t*(expP1+float64(t*(expP2+float64(t*(expP3+float64(t*(expP4+float64(t*expP5)))))))))
	r := float64(z*t1)/(t1-2) - (w + float64(z*w))
	z = 1 - (r - z)
	return math.Ldexp(z, int(n))
}

// fdLog is the natural logarithm.
func fdLog(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return math.Log(x)
	}
	k := int32(0)
	hx := high(x)
	if hx < 0x00100000 {
		k = -54
		x *= 1 << 54
		hx = high(x)
	}
	k += hx>>20 - 1023
	hx &= 0x000fffff
	i := (hx + 0x95f64) & 0x100000
	x = withHigh(x, hx|(i^0x3ff00000))
	k += i >> 20
	f := x - 1
	dk := float64(k)
	hi, lo := float64(dk*ln2Hi), float64(dk*ln2Lo)
	if (0x000fffff & (2 + hx)) < 3 {
		if f == 0 {
			return hi + lo
		}
		r := float64(float64(f*f) * (0.5 - float64(0.33333333333333333*f)))
		if k == 0 {
			return f - r
		}
		return hi - ((r - lo) - f)
	}
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	t1 := float64(w * (3.999999999940941908e-01 + float64(w*(2.222219843214978396e-01+float64(w*1.531383769920937332e-01)))))
	t2 := float64(z * (6.666666666666735130e-01 + float64(w*(2.857142874366239149e-01+float64(w*(1.818357216161805012e-01+float64(w*1.479819860511658591e-01)))))))
	r := t2 + t1
	if (hx-0x6147a)|(0x6b851-hx) > 0 {
		hfsq := float64(0.5*f) * f
		if k == 0 {
			return f - (hfsq - float64(s*(hfsq+r)))
		}
		return hi - ((hfsq - (float64(s*(hfsq+r)) + lo)) - f)
	}
	if k == 0 {
		return f - float64(s*(f-r))
	}
	return hi - ((float64(s*(f-r)) - lo) - f)
}

// fdAsinh and fdAcosh are the inverse hyperbolic functions.
func fdAsinh(x float64) float64 {
	ix := high(x) & 0x7fffffff
	t := math.Abs(x)
	w := 0.0
	switch {
	case x != x || math.IsInf(x, 0) || ix < 0x3e300000:
		return x
	case ix > 0x41b00000:
		w = fdLog(t) + math.Ln2
	case ix > 0x40000000:
		w = fdLog(float64(2*t) + 1/(math.Sqrt(float64(x*x)+1)+t))
	default:
		t2 := float64(x * x)
		w = math.Log1p(t + t2/(1+math.Sqrt(1+t2)))
	}
	return math.Copysign(w, x)
}

func fdAcosh(x float64) float64 {
	switch {
	case !(x >= 1) || math.IsInf(x, 0):
		return math.Acosh(x)
	case x == 1:
		return 0
	case x >= 1<<28:
		return fdLog(x) + math.Ln2
	case x > 2:
		t := float64(x * x)
		return fdLog(float64(2*x) - 1/(x+math.Sqrt(t-1)))
	}
	t := x - 1
	return math.Log1p(t + math.Sqrt(float64(2*t)+float64(t*t)))
}

// fdLog10 is the logarithm to base 10.
func fdLog10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return math.Log10(x)
	}
	k := int32(0)
	hx := high(x)
	if hx < 0x00100000 {
		k = -54
		x *= 1 << 54
		hx = high(x)
	}
	if hx == 0x3ff00000 && low(x) == 0 {
		return 0
	}
	k += hx>>20 - 1023
	i := int32(uint32(k) & 0x80000000 >> 31)
	hx = hx&0x000fffff | (0x3ff-i)<<20
	y := float64(k + i)
	x = withHigh(x, hx)
	z := float64(y*3.69423907715893078616e-13) + float64(4.34294481903251816668e-01*fdLog(x))
	return z + float64(y*3.01029995663611771306e-01)
}

// fdLog2 is the logarithm to base 2.
func fdLog2(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return math.Log2(x)
	}
	k := int32(0)
	hx := high(x)
	if hx < 0x00100000 {
		k = -54
		x *= 1 << 54
		hx = high(x)
	}
	if hx == 0x3ff00000 && low(x) == 0 {
		return 0
	}
	k += hx>>20 - 1023
	hx &= 0x000fffff
	i := (hx + 0x95f64) & 0x100000
	x = withHigh(x, hx|(i^0x3ff00000))
	k += i >> 20
	y := float64(k)
	f := x - 1
	hfsq := float64(0.5 * float64(f*f))
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	t1 := float64(w * (3.999999999940941908e-01 + float64(w*(2.222219843214978396e-01+float64(w*1.531383769920937332e-01)))))
	t2 := float64(z * (6.666666666666735130e-01 + float64(w*(2.857142874366239149e-01+float64(w*(1.818357216161805012e-01+float64(w*1.479819860511658591e-01)))))))
	r := float64(s * (hfsq + (t2 + t1)))
	hi := headOnly(f - hfsq)
	lo := (f - hi) - hfsq + r
	const ivln2hi, ivln2lo = 1.44269504072144627571e+00, 1.67517131648865118353e-10
	valHi := float64(hi * ivln2hi)
	valLo := float64((lo+hi)*ivln2lo) + float64(lo*ivln2hi)
	w = y + valHi
	valLo += (y - w) + valHi
	return valLo + w
}

// fdCbrt is the cube root.
func fdCbrt(x float64) float64 {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x
	}
	hx := uint32(high(x)) & 0x7fffffff
	sign := uint32(high(x)) & 0x80000000
	var t float64
	if hx < 0x00100000 {
		t = x * (1 << 54)
		h := uint32(high(t)) & 0x7fffffff
		t = math.Float64frombits(uint64(sign|(h/3+696219795)) << 32)
	} else {
		t = math.Float64frombits(uint64(sign|(hx/3+715094163)) << 32)
	}
	r := float64(t*t) * (t / x)
	t = float64(t * ((1.87595182427177009643 + float64(r*(-1.88497979543377169875+float64(r*1.621429720105354466140)))) +
		float64(float64(float64(r*r)*r)*(-0.758397934778766047437+float64(r*0.145996192886612446982)))))
	t = math.Float64frombits((math.Float64bits(t) + 0x80000000) & 0xffffffffc0000000)
	s := float64(t * t)
	r = x / s
	w := t + t
	r = (r - t) / (w + r)
	return t + float64(t*r)
}

// fdSinh, fdCosh and fdTanh are the hyperbolic functions.
func fdSinh(x float64) float64 {
	h := 0.5
	if x < 0 {
		h = -0.5
	}
	ax := math.Abs(x)
	switch {
	case x != x || math.IsInf(x, 0):
		return x
	case ax < 22:
		if ax < 3.725290298461914e-9 {
			return x
		}
		t := math.Expm1(ax)
		if ax < 1 {
			return float64(h * (float64(2*t) - float64(t*t)/(t+1)))
		}
		return float64(h * (t + t/(t+1)))
	case ax < 709.7822265625:
		return h * fdExp(ax)
	case ax <= 710.4758600739439:
		w := fdExp(0.5 * ax)
		return float64(h*w) * w
	}
	return x * math.Inf(1)
}

func fdCosh(x float64) float64 {
	ax := math.Abs(x)
	ix := high(ax)
	switch {
	case x != x || math.IsInf(x, 0):
		return ax
	case ix < 0x3fd62e43:
		t := math.Expm1(ax)
		w := 1 + t
		if ix < 0x3c800000 {
			return w
		}
		return 1 + float64(t*t)/(w+w)
	case ix < 0x40360000:
		t := fdExp(ax)
		return float64(0.5*t) + 0.5/t
	case ix < 0x40862e42:
		return 0.5 * fdExp(ax)
	case ax <= 710.4758600739439:
		w := fdExp(0.5 * ax)
		return float64(0.5*w) * w
	}
	return math.Inf(1)
}

func fdTanh(x float64) float64 {
	ix := high(x) & 0x7fffffff
	if x != x {
		return x
	}
	z := 1.0
	if ix < 0x40360000 {
		if ix < 0x3e300000 {
			return x
		}
		if ix >= 0x3ff00000 {
			t := math.Expm1(2 * math.Abs(x))
			z = 1 - 2/(t+2)
		} else {
			t := math.Expm1(-2 * math.Abs(x))
			z = -t / (t + 2)
		}
	}
	if x < 0 {
		return -z
	}
	return z
}

// asinRatio is the rational approximation that asin and acos share.
func asinRatio(z float64) float64 {
	p := float64(z * (1.66666666666666657415e-01 + float64(z*(-3.25565818622400915405e-01+float64(z*(2.01212532134862925881e-01+
		float64(z*(-4.00555345006794114027e-02+float64(z*(7.91534994289814532176e-04+float64(z*3.47933107596021167570e-05)))))))))))
	q := 1 + float64(z*(-2.40339491173441421878e+00+float64(z*(2.02094576023350569471e+00+float64(z*(-6.88283971605453293030e-01+float64(z*7.70381505559019352791e-02)))))))
	return p / q
}

const (
	pio2Hi = 1.57079632679489655800e+00
	pio2Lo = 6.12323399573676603587e-17
)

func fdAcos(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case x == 1:
		return 0
	case x == -1:
		return math.Pi
	case !(ax < 1):
		return math.NaN()
	case ax < 0.5:
		if high(ax) <= 0x3c600000 {
			return pio2Hi + pio2Lo
		}
		r := asinRatio(float64(x * x))
		return pio2Hi - (x - (pio2Lo - float64(x*r)))
	case x < 0:
		z := float64((1 + x) * 0.5)
		s := math.Sqrt(z)
		w := float64(asinRatio(z)*s) - pio2Lo
		return math.Pi - float64(2*(s+w))
	}
	z := float64((1 - x) * 0.5)
	s := math.Sqrt(z)
	df := headOnly(s)
	c := (z - float64(df*df)) / (s + df)
	w := float64(asinRatio(z)*s) + c
	return float64(2 * (df + w))
}

func fdAsin(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case ax == 1:
		return float64(x*pio2Hi) + float64(x*pio2Lo)
	case !(ax < 1):
		return math.NaN()
	case ax < 0.5:
		if high(ax) < 0x3e400000 {
			return x
		}
		return x + float64(x*asinRatio(float64(x*x)))
	}
	w := 1 - ax
	t := float64(w * 0.5)
	r := asinRatio(t)
	s := math.Sqrt(t)
	if high(ax) >= 0x3FEF3333 {
		t = pio2Hi - (float64(2*(s+float64(s*r))) - pio2Lo)
	} else {
		w = headOnly(s)
		c := (t - float64(w*w)) / (s + w)
		p := float64(float64(2*s)*r) - (pio2Lo - float64(2*c))
		q := 7.85398163397448278999e-01 - float64(2*w)
		t = 7.85398163397448278999e-01 - (p - q)
	}
	if x < 0 {
		return -t
	}
	return t
}

var (
	atanHi = [4]float64{4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01, 1.57079632679489655800e+00}
	atanLo = [4]float64{2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, 6.12323399573676603587e-17}
	atanT  = [11]float64{
		3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01, 9.09088713343650656196e-02,
		-7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02,
	}
)

func fdAtan(x float64) float64 {
	if x != x {
		return x
	}
	ix := high(x) & 0x7fffffff
	if ix >= 0x44100000 {
		return math.Copysign(atanHi[3]+atanLo[3], x)
	}
	id := -1
	v := x
	if ix < 0x3fdc0000 {
		if ix < 0x3e400000 {
			return x
		}
	} else {
		v = math.Abs(x)
		switch {
		case ix < 0x3fe60000:
			id, v = 0, (2*v-1)/(2+v)
		case ix < 0x3ff30000:
			id, v = 1, (v-1)/(v+1)
		case ix < 0x40038000:
			id, v = 2, (v-1.5)/(1+float64(1.5*v))
		default:
			id, v = 3, -1/v
		}
	}
	z := float64(v * v)
	w := float64(z * z)
	s1 := float64(z * (atanT[0] + float64(w*(atanT[2]+float64(w*(atanT[4]+float64(w*(atanT[6]+float64(w*(atanT[8]+float64(w*atanT[10])))))))))))
	s2 := float64(w * (atanT[1] + float64(w*(atanT[3]+float64(w*(atanT[5]+float64(w*(atanT[7]+float64(w*atanT[9])))))))))
	if id < 0 {
		return v - float64(v*(s1+s2))
	}
	z = atanHi[id] - ((float64(v*(s1+s2)) - atanLo[id]) - v)
	if x < 0 {
		return -z
	}
	return z
}

func fdAtan2(y, x float64) float64 {
	if x != x || y != y || x == 0 || y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Atan2(y, x)
	}
	if x == 1 {
		return fdAtan(y)
	}
	const piLo = 1.2246467991473531772e-16
	k := (high(y)&0x7fffffff - high(x)&0x7fffffff) >> 20
	z := 0.0
	negative := x < 0
	switch {
	case k > 60:
		z, negative = math.Pi/2+0.5*piLo, false
		if x < 0 {
			return math.Copysign(z, y)
		}
	case x < 0 && k < -60:
		z = 0
	default:
		z = fdAtan(math.Abs(y / x))
	}
	switch {
	case !negative:
		return math.Copysign(z, y)
	case y > 0:
		return math.Pi - (z - piLo)
	}
	return (z - piLo) - math.Pi
}

// reduce gives x modulo π/2 in two parts, between -π/4 and π/4, and the quadrant.
func reduce(x float64) (n int, y0, y1 float64) {
	if math.Abs(x) < 1<<20 {
		return reduceMedium(x)
	}
	const bits = 1300
	b := new(big.Float).SetPrec(bits).SetFloat64(x)
	q := new(big.Float).SetPrec(bits).Quo(b, halfPi)
	if x < 0 {
		q.Sub(q, big.NewFloat(0.5))
	} else {
		q.Add(q, big.NewFloat(0.5))
	}
	k, _ := q.Int(nil)
	rest := b.Sub(b, new(big.Float).SetPrec(bits).Mul(new(big.Float).SetPrec(bits).SetInt(k), halfPi))
	y0, _ = rest.Float64()
	rest.Sub(rest, new(big.Float).SetFloat64(y0))
	y1, _ = rest.Float64()
	return int(new(big.Int).And(k, big.NewInt(3)).Int64()), y0, y1
}

// halfPi is π/2 with the 1,300 bits that the largest argument needs.
var halfPi = func() *big.Float {
	// Machin: π/4 = 4 atan(1/5) − atan(1/239)
	const bits = 1400
	atanInverse := func(n int64) *big.Float {
		sum := new(big.Float).SetPrec(bits)
		power := new(big.Float).SetPrec(bits).Quo(big.NewFloat(1).SetPrec(bits), new(big.Float).SetPrec(bits).SetInt64(n))
		square := new(big.Float).SetPrec(bits).SetInt64(n * n)
		for k := int64(1); k < 1100; k += 2 {
			term := new(big.Float).SetPrec(bits).Quo(power, new(big.Float).SetPrec(bits).SetInt64(k))
			if k%4 == 1 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, square)
		}
		return sum
	}
	four := new(big.Float).SetPrec(bits).SetInt64(4)
	quarter := new(big.Float).SetPrec(bits).Sub(new(big.Float).SetPrec(bits).Mul(four, atanInverse(5)), atanInverse(239))
	return quarter.Mul(quarter, big.NewFloat(2).SetPrec(bits))
}()

const (
	pio2a  = 1.57079632673412561417e+00
	pio2aT = 6.07710050650619224932e-11
	pio2b  = 6.07710050630396597660e-11
	pio2bT = 2.02226624879595063154e-21
	pio2c  = 2.02226624871116645580e-21
	pio2cT = 8.47842766036889956997e-32
)

func reduceMedium(x float64) (n int, y0, y1 float64) {
	t := math.Abs(x)
	ix := high(t)
	if ix <= 0x3fe921fb {
		return 0, x, 0
	}
	k := int(float64(t*6.36619772367581382433e-01) + 0.5)
	fn := float64(k)
	r := t - float64(fn*pio2a)
	w := float64(fn * pio2aT)
	y0 = r - w
	j := ix >> 20
	if i := j - (high(y0) >> 20 & 0x7ff); i > 16 {
		t = r
		w = float64(fn * pio2b)
		r = t - w
		w = float64(fn*pio2bT) - ((t - r) - w)
		y0 = r - w
		if i = j - (high(y0) >> 20 & 0x7ff); i > 49 {
			t = r
			w = float64(fn * pio2c)
			r = t - w
			w = float64(fn*pio2cT) - ((t - r) - w)
			y0 = r - w
		}
	}
	y1 = (r - y0) - w
	if x < 0 {
		return -k & 3, -y0, -y1
	}
	return k & 3, y0, y1
}

func kernelSin(x, y float64) float64 {
	if high(x)&0x7fffffff < 0x3e400000 {
		return x
	}
	z := float64(x * x)
	v := float64(z * x)
	r := 8.33333333332248946124e-03 + float64(z*(-1.98412698298579493134e-04+float64(z*(2.75573137070700676789e-06+float64(z*(-2.50507602534068634195e-08+float64(z*1.58969099521155010221e-10)))))))
	const s1 = -1.66666666666666324348e-01
	if y == 0 {
		return x + float64(v*(s1+float64(z*r)))
	}
	return x - ((float64(z*(float64(0.5*y)-float64(v*r))) - y) - float64(v*s1))
}

func kernelCos(x, y float64) float64 {
	ix := high(x) & 0x7fffffff
	if ix < 0x3e400000 {
		return 1
	}
	z := float64(x * x)
	r := float64(z * (4.16666666666666019037e-02 + float64(z*(-1.38888888888741095749e-03+float64(z*(2.48015872894767294178e-05+
		float64(z*(-2.75573143513906633035e-07+float64(z*(2.08757232129817482790e-09+float64(z*-1.13596475577881948265e-11)))))))))))
	if ix < 0x3FD33333 {
		return 1 - (float64(0.5*z) - (float64(z*r) - float64(x*y)))
	}
	qx := 0.28125
	if ix <= 0x3fe90000 {
		qx = math.Float64frombits(uint64(uint32(ix-0x00200000)) << 32)
	}
	hz := float64(0.5*z) - qx
	return (1 - qx) - (hz - (float64(z*r) - float64(x*y)))
}

var tanT = [13]float64{
	3.33333333333334091986e-01, 1.33333333333201242699e-01, 5.39682539762260521377e-02, 2.18694882948595424599e-02, 8.86323982359930005737e-03,
	3.59207910759131235356e-03, 1.45620945432529025516e-03, 5.88041240820264096874e-04, 2.46463134818469906812e-04, 7.81794442939557092300e-05,
	7.14072491382608190305e-05, -1.85586374855275456654e-05, 2.59073051863633712884e-05,
}

func kernelTan(x, y float64, iy int) float64 {
	hx := high(x)
	ix := hx & 0x7fffffff
	if ix < 0x3e300000 {
		if iy == 1 {
			return x
		}
		z := headOnly(x + y)
		v := y - (z - x)
		a := -1 / (x + y)
		t := headOnly(a)
		s := 1 + float64(t*z)
		return t + float64(a*(s+float64(t*v)))
	}
	if ix >= 0x3FE59428 {
		if hx < 0 {
			x, y = -x, -y
		}
		z := 7.85398163397448278999e-01 - x
		w := 3.06161699786838301793e-17 - y
		x, y = z+w, 0
	}
	z := float64(x * x)
	w := float64(z * z)
	r := tanT[1] + float64(w*(tanT[3]+float64(w*(tanT[5]+float64(w*(tanT[7]+float64(w*(tanT[9]+float64(w*tanT[11])))))))))
	v := float64(z * (tanT[2] + float64(w*(tanT[4]+float64(w*(tanT[6]+float64(w*(tanT[8]+float64(w*(tanT[10]+float64(w*tanT[12])))))))))))
	s := float64(z * x)
	r = y + float64(z*(float64(s*(r+v))+y))
	r += float64(tanT[0] * s)
	w = x + r
	if ix >= 0x3FE59428 {
		v = float64(iy)
		return float64(1-hx>>30&2) * (v - float64(2*(x-(float64(w*w)/(w+v)-r))))
	}
	if iy == 1 {
		return w
	}
	z = headOnly(w)
	v = r - (z - x)
	a := -1 / w
	t := headOnly(a)
	s = 1 + float64(t*z)
	return t + float64(a*(s+float64(t*v)))
}

func fdSin(x float64) float64 {
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	if high(x)&0x7fffffff <= 0x3fe921fb {
		return kernelSin(x, 0)
	}
	n, y0, y1 := reduce(x)
	switch n {
	case 0:
		return kernelSin(y0, y1)
	case 1:
		return kernelCos(y0, y1)
	case 2:
		return -kernelSin(y0, y1)
	}
	return -kernelCos(y0, y1)
}

func fdCos(x float64) float64 {
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	if high(x)&0x7fffffff <= 0x3fe921fb {
		return kernelCos(x, 0)
	}
	n, y0, y1 := reduce(x)
	switch n {
	case 0:
		return kernelCos(y0, y1)
	case 1:
		return -kernelSin(y0, y1)
	case 2:
		return -kernelCos(y0, y1)
	}
	return kernelSin(y0, y1)
}

func fdTan(x float64) float64 {
	if x != x || math.IsInf(x, 0) {
		return math.NaN()
	}
	if high(x)&0x7fffffff <= 0x3fe921fb {
		return kernelTan(x, 0, 1)
	}
	n, y0, y1 := reduce(x)
	return kernelTan(y0, y1, 1-(n&1)<<1)
}
