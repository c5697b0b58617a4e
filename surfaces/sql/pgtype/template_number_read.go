package pgtype

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// numberReader takes a number from a text by a template: it collects the sign and
// the digits, and the server's input of numbers does the rest.
type numberReader struct {
	numberLayout
	text      string
	at        int
	sign      byte // a blank before it is known
	digits    []byte
	pointRead bool
	wholeRead int
	afterRead int
}

// Number reads a number.
func (t *NumberTemplate) Number(text string) (Numeric, *pgerr.Error) {
	r := &numberReader{numberLayout: t.numberLayout, text: text, sign: ' '}
	if r.scientificForm {
		return Numeric{}, pgerr.New(pgerr.FeatureNotSupported, `"EEEE" not supported for input`)
	}
	if r.roman {
		return Numeric{}, pgerr.New(pgerr.FeatureNotSupported, `"RN" not supported for input`)
	}
	for i := range t.nodes {
		if r.ended() {
			break
		}
		n := &t.nodes[i]
		if n.kind != patternNode {
			r.at += characterLength(r.text[r.at:])
			continue
		}
		r.pattern(n.key.id)
	}
	return r.number()
}

func (r *numberReader) number() (Numeric, *pgerr.Error) {
	if n := len(r.digits); n > 0 && r.digits[n-1] == '.' {
		r.digits = r.digits[:n-1]
	}
	v, err := ParseNumeric(string(r.sign) + string(r.digits))
	if err != nil {
		return Numeric{}, err
	}
	// The server packs precision and scale, and unpacks what fits.
	precision := (r.before + r.shift + r.afterRead) & 0xFFFF
	scale := (r.afterRead&0x7FF ^ 1024) - 1024
	if v, err = v.Fit(precision, scale); err != nil || !r.multiplied {
		return v, err
	}
	power, err := NumericFromInt(10).PowInt(int32(-r.shift), 0)
	if err != nil {
		return Numeric{}, err
	}
	return v.Mul(power)
}

func (r *numberReader) ended() bool { return r.at >= len(r.text) }

// next gives the next character, 0 at the end.
func (r *numberReader) next() byte {
	if r.ended() {
		return 0
	}
	return r.text[r.at]
}

func (r *numberReader) pattern(id int) {
	switch id {
	case nineDigit, zeroDigit, decimalPoint, localePoint:
		r.digitPlace(id)
		r.at++
	case groupComma, localeGroup:
		// In fill mode a separator is looked for only within a number, and here the
		// reader never is.
		if !r.fill && r.next() == ',' {
			r.at++
		}
	case currencySign:
		r.skipOther(1)
	case ordinalUpper, ordinalLower:
		if !r.decimal {
			r.skipOther(2)
		}
	case minusSign:
		r.signIn("-")
	case plusSign:
		r.signIn("+")
	case bothSigns:
		r.signIn("-+")
	}
}

// signIn takes a sign, or passes over a character that is no part of a number.
func (r *numberReader) signIn(signs string) {
	if c := r.next(); c != 0 && strings.IndexByte(signs, c) >= 0 {
		r.sign = c
		r.at++
		return
	}
	r.skipOther(1)
}

// skipOther passes over characters that are no part of a number.
func (r *numberReader) skipOther(n int) {
	for ; n > 0 && !r.ended() && strings.IndexByte("0123456789.,+-", r.next()) < 0; n-- {
		r.at += characterLength(r.text[r.at:])
	}
}

// digitPlace takes a digit or a point, with a sign before the first or after the
// last. It stops on the last character that it takes.
func (r *numberReader) digitPlace(id int) {
	if r.next() == ' ' {
		r.at++
	}
	if r.ended() {
		return
	}
	if r.sign == ' ' && (id == zeroDigit || id == nineDigit) && r.wholeRead+r.afterRead == 0 {
		r.signBefore()
	}
	if r.ended() {
		return
	}
	read := false
	switch c := r.next(); {
	case isDigit(c):
		if r.pointRead && r.afterRead == r.after {
			return
		}
		r.digits = append(r.digits, c)
		if r.pointRead {
			r.afterRead++
		} else {
			r.wholeRead++
		}
		read = true
	case r.decimal && !r.pointRead && c == '.':
		r.digits = append(r.digits, '.')
		r.pointRead, read = true, true
	}
	if r.sign == ' ' && r.wholeRead+r.afterRead > 0 {
		r.signAfter(read)
	}
}

func (r *numberReader) signBefore() {
	c := r.next()
	locale := r.numberLayout.sign && r.signAt == signBefore
	switch {
	case c == '-' || c == '<' && r.angle && !locale:
		r.sign = '-'
		r.at++
	case c == '+':
		r.sign = '+'
		r.at++
	}
}

// signAfter takes a sign behind the last digit: S only right after it.
func (r *numberReader) signAfter(read bool) {
	switch {
	case r.numberLayout.sign && read && r.at+1 < len(r.text) && !isDigit(r.text[r.at+1]):
		if c := r.text[r.at+1]; c == '-' || c == '+' {
			r.sign = c
			r.at++
		}
	case !read && !r.numberLayout.sign && (r.plus || r.minus):
		if c := r.next(); c == '-' || c == '+' {
			r.sign = c
		}
	}
}
