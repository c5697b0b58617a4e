package pgtype

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The patterns of numbers.
const (
	groupComma = iota
	decimalPoint
	zeroDigit
	nineDigit
	blankZero // B
	currency  // C, which does nothing
	localePoint
	scientific // EEEE
	fillNumber // FM
	localeGroup
	currencySign // L
	minusSign    // MI
	plusSign     // PL
	angleSign    // PR
	romanUpper
	romanLower
	bothSigns // SG
	spelledNumber
	localeSign // S
	ordinalUpper
	ordinalLower
	shiftDigits // V
)

var numberSyntax = newSyntax(false, []pattern{
	{name: ",", id: groupComma},
	{name: ".", id: decimalPoint},
	{name: "0", id: zeroDigit},
	{name: "9", id: nineDigit},
	{name: "B", id: blankZero},
	{name: "C", id: currency},
	{name: "D", id: localePoint},
	{name: "EEEE", id: scientific},
	{name: "FM", id: fillNumber},
	{name: "G", id: localeGroup},
	{name: "L", id: currencySign},
	{name: "MI", id: minusSign},
	{name: "PL", id: plusSign},
	{name: "PR", id: angleSign},
	{name: "RN", id: romanUpper},
	{name: "SG", id: bothSigns},
	{name: "SP", id: spelledNumber},
	{name: "S", id: localeSign},
	{name: "TH", id: ordinalUpper},
	{name: "V", id: shiftDigits},
	{name: "b", id: blankZero},
	{name: "c", id: currency},
	{name: "d", id: localePoint},
	{name: "eeee", id: scientific},
	{name: "fm", id: fillNumber},
	{name: "g", id: localeGroup},
	{name: "l", id: currencySign},
	{name: "mi", id: minusSign},
	{name: "pl", id: plusSign},
	{name: "pr", id: angleSign},
	{name: "rn", id: romanLower},
	{name: "sg", id: bothSigns},
	{name: "sp", id: spelledNumber},
	{name: "s", id: localeSign},
	{name: "th", id: ordinalLower},
	{name: "v", id: shiftDigits},
})

// NumberTemplate is a template of to_char and to_number for numbers.
type NumberTemplate struct {
	nodes []templateNode
	numberLayout
}

// numberLayout is what the patterns ask for together.
type numberLayout struct {
	before, after  int // digits on both sides of the point
	shift          int // digits after V
	zeroFrom       int // how many digits stand before the first 0
	zeroTo         int // which digit the last 0 is; 0 without any
	signAt         signPlace
	beforeSign     int // digits before S
	decimal        bool
	zero           bool
	blank          bool
	fill           bool
	sign           bool // S
	angle          bool
	minus, plus    bool
	roman          bool
	multiplied     bool
	scientificForm bool
}

// signPlace is where S puts the sign.
type signPlace int8

const (
	noSign signPlace = iota
	signBefore
	signAfter
)

// NewNumberTemplate reads a template; patterns that do not go together are an
// error.
func NewNumberTemplate(text string) (*NumberTemplate, *pgerr.Error) {
	t := &NumberTemplate{nodes: numberSyntax.cut(text)}
	for _, n := range t.nodes {
		if n.kind != patternNode {
			continue
		}
		if err := t.take(n.key.id); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func badTemplate(message string) *pgerr.Error { return pgerr.New(pgerr.SyntaxError, "%s", message) }

// take notes what a pattern asks for.
func (l *numberLayout) take(id int) *pgerr.Error {
	if l.scientificForm && id != scientific {
		return badTemplate(`"EEEE" must be the last pattern used`)
	}
	switch id {
	case nineDigit, zeroDigit:
		return l.takeDigit(id)
	case blankZero:
		l.blank = l.blank || l.before == 0 && l.after == 0 && !l.zero
	case localePoint, decimalPoint:
		if l.decimal {
			return badTemplate("multiple decimal points")
		}
		if l.multiplied {
			return badTemplate(`cannot use "V" and decimal point together`)
		}
		l.decimal = true
	case fillNumber:
		l.fill = true
	case localeSign, minusSign, plusSign, bothSigns, angleSign:
		return l.takeSign(id)
	case romanUpper, romanLower:
		l.roman = true
	case shiftDigits:
		if l.decimal {
			return badTemplate(`cannot use "V" and decimal point together`)
		}
		l.multiplied = true
	case scientific:
		if l.scientificForm {
			return badTemplate(`cannot use "EEEE" twice`)
		}
		if l.blank || l.fill || l.sign || l.angle || l.minus || l.plus || l.roman || l.multiplied {
			return badTemplate(`"EEEE" is incompatible with other formats`).
				WithDetail(`"EEEE" may only be used together with digit and decimal point patterns.`)
		}
		l.scientificForm = true
	}
	return nil
}

func (l *numberLayout) takeDigit(id int) *pgerr.Error {
	if l.angle {
		return badTemplate(map[int]string{nineDigit: `"9" must be ahead of "PR"`, zeroDigit: `"0" must be ahead of "PR"`}[id])
	}
	if id == nineDigit && l.multiplied {
		l.shift++
		return nil
	}
	if id == zeroDigit && !l.zero && !l.decimal {
		l.zero, l.zeroFrom = true, l.before
	}
	if l.decimal {
		l.after++
	} else {
		l.before++
	}
	if id == zeroDigit {
		l.zeroTo = l.before + l.after
	}
	return nil
}

func (l *numberLayout) takeSign(id int) *pgerr.Error {
	switch id {
	case localeSign:
		if l.sign {
			return badTemplate(`cannot use "S" twice`)
		}
		if l.plus || l.minus || l.angle {
			return badTemplate(`cannot use "S" and "PL"/"MI"/"SG"/"PR" together`)
		}
		l.sign = true
		if l.decimal {
			l.signAt = signAfter
		} else {
			l.signAt, l.beforeSign = signBefore, l.before
		}
	case angleSign:
		if l.sign || l.plus || l.minus {
			return badTemplate(`cannot use "PR" and "S"/"PL"/"MI"/"SG" together`)
		}
		l.angle = true
	default:
		if l.sign {
			return badTemplate(`cannot use "S" and "` + map[int]string{minusSign: "MI", plusSign: "PL", bothSigns: "SG"}[id] + `" together`)
		}
		l.minus = l.minus || id != plusSign
		l.plus = l.plus || id != minusSign
	}
	return nil
}

// numberWriter writes the digits of a number into a template.
type numberWriter struct {
	numberLayout
	out      []byte
	digits   string // without the sign
	at       int    // the next digit
	negative bool
	blanks   int // places before the first digit
	place    int // of the pattern among those of digits
	places   int // the place of the last digit
	signDone bool
	inNumber bool // a digit was written last
	relevant int  // the last digit after the point that is shown in fill mode; -1 without
	end      int  // where the text ends before its time; -1 if it does not
	err      *pgerr.Error
}

// write puts digits into the template. blanks is how many places stand before the
// first digit.
func (t *NumberTemplate) write(l numberLayout, digits string, negative bool, blanks int) (string, *pgerr.Error) {
	if l.scientificForm {
		return digits, nil
	}
	if l.roman {
		// A Roman number has no sign, and but for FM nothing else counts.
		l = numberLayout{roman: true, fill: l.fill}
	}
	w := &numberWriter{numberLayout: l, digits: digits, negative: negative, blanks: blanks, relevant: -1, end: -1}
	w.prepare()
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.kind != patternNode {
			w.out = append(w.out, n.text...)
			continue
		}
		if w.pattern(n.key.id); w.err != nil {
			return "", w.err
		}
	}
	if w.end >= 0 {
		w.out = w.out[:w.end]
	}
	return string(w.out), nil
}

func (w *numberWriter) prepare() {
	if w.plus || w.minus {
		// MI, PL and SG write the sign themselves; PL alone leaves the minus.
		w.signDone = w.minus
	} else {
		if !w.negative && w.fill {
			w.angle = false
		}
		w.signDone = !w.negative && w.fill && !w.sign
		if w.signAt == signBefore && w.before == w.beforeSign {
			w.signAt = signAfter
		}
	}
	w.places = w.after + w.before - 1
	if w.fill && w.decimal {
		w.relevant = w.lastRelevant()
	}
	if !w.signDone && w.blanks == 0 {
		w.places++
	}
}

// lastRelevant gives the last digit after the point that is not 0, or that a 0 of
// the template asks for.
func (w *numberWriter) lastRelevant() int {
	point := strings.IndexByte(w.digits, '.')
	if point < 0 {
		return -1
	}
	last := point
	for i := point + 1; i < len(w.digits); i++ {
		if w.digits[i] != '0' {
			last = i
		}
	}
	if w.zeroTo > w.blanks {
		last = max(last, min(len(w.digits)-1, w.zeroTo-w.blanks))
	}
	return last
}

// digit gives the next digit, 0 at the end.
func (w *numberWriter) digit() byte {
	if w.at < len(w.digits) {
		return w.digits[w.at]
	}
	return 0
}

// relevantPoint reports that nothing after the point is shown.
func (w *numberWriter) relevantPoint() bool { return w.relevant >= 0 && w.digits[w.relevant] == '.' }

// hiddenZero reports whether the next digit is the 0 before a point, which 9.9
// does not show.
func (w *numberWriter) hiddenZero() bool {
	return !w.zero && w.at == 0 && w.digit() == '0' && w.after != 0
}

func (w *numberWriter) pattern(id int) {
	switch id {
	case nineDigit, zeroDigit, decimalPoint, localePoint:
		if !w.roman {
			w.digitPlace(id)
		}
	case groupComma, localeGroup:
		switch {
		case w.inNumber:
			w.out = append(w.out, ',')
		case !w.fill:
			w.out = append(w.out, ' ')
		}
	case currencySign:
		w.out = append(w.out, ' ')
	case romanUpper, romanLower:
		w.romanNumber(id)
	case ordinalUpper, ordinalLower:
		w.ordinal(id == ordinalUpper)
	case minusSign:
		w.signOf(w.negative, '-')
	case plusSign:
		w.signOf(!w.negative && !w.roman, '+')
	case bothSigns:
		if w.roman {
			w.endHere()
		}
		w.out = append(w.out, w.signByte())
	}
}

func (w *numberWriter) ordinal(upper bool) {
	switch {
	case w.roman || w.digits[0] == '#' || w.negative || w.decimal:
	case !isDigit(w.digits[len(w.digits)-1]):
		w.err = pgerr.New(pgerr.InvalidText, "\"%s\" is not a number", w.digits)
	default:
		w.out = append(w.out, ordinalSuffix(w.digits, upper)...)
	}
}

// endHere ends the text where the server writes the byte that ends its strings.
func (w *numberWriter) endHere() {
	if w.end < 0 {
		w.end = len(w.out)
	}
}

func (w *numberWriter) signByte() byte {
	if w.negative {
		return '-'
	}
	return '+'
}

func (w *numberWriter) signOf(shown bool, sign byte) {
	switch {
	case shown:
		w.out = append(w.out, sign)
	case !w.fill:
		w.out = append(w.out, ' ')
	}
}

func (w *numberWriter) romanNumber(id int) {
	text := w.digits[w.at:]
	if id == romanLower {
		text = asciiLower(text)
	}
	if !w.fill {
		w.out = append(w.out, strings.Repeat(" ", max(0, romanWidth-len(text)))...)
	}
	w.out = append(w.out, text...)
}

// digitPlace writes a digit, a point, or what stands in its place, with the sign
// before the first and after the last.
func (w *numberWriter) digitPlace(id int) {
	w.inNumber = false
	if !w.signDone && (w.place >= w.blanks || w.zero && w.zeroFrom == w.place) && (!w.hiddenZero() || w.relevantPoint()) {
		w.leadingSign()
	}
	zeros := w.zero && w.zeroFrom <= w.place
	switch {
	case w.place < w.blanks && !zeros:
		if !w.fill {
			w.out = append(w.out, ' ')
		}
	case w.place < w.blanks:
		w.out = append(w.out, '0')
		w.inNumber = true
	default:
		w.digitOrPoint(id)
	}
	end := w.places
	if w.blanks != 0 {
		end++
	}
	if w.decimal {
		end++
	}
	if w.relevant >= 0 && w.relevant == w.at {
		end = w.place
	}
	if w.place+1 == end {
		w.trailingSign()
	}
	w.place++
}

func (w *numberWriter) leadingSign() {
	switch {
	case w.sign:
		if w.signAt == signBefore {
			w.out = append(w.out, w.signByte())
			w.signDone = true
		}
		return
	case w.angle && w.negative:
		w.out = append(w.out, '<')
	case w.angle:
		w.out = append(w.out, ' ')
	case w.negative:
		w.out = append(w.out, '-')
	case !w.fill:
		w.out = append(w.out, ' ')
	}
	w.signDone = true
}

func (w *numberWriter) trailingSign() {
	switch {
	case w.signDone && w.angle && w.negative:
		w.out = append(w.out, '>')
	case w.signDone && w.angle:
		w.out = append(w.out, ' ')
	case w.sign && w.signAt == signAfter:
		w.out = append(w.out, w.signByte())
	}
}

// digitOrPoint writes what is next in the number.
func (w *numberWriter) digitOrPoint(id int) {
	next := w.digit()
	switch {
	case next == '.':
		if !w.relevantPoint() || w.fill {
			w.out = append(w.out, '.')
		}
	case w.relevant >= 0 && w.at > w.relevant && id != zeroDigit:
	case w.hiddenZero():
		if !w.fill {
			w.out = append(w.out, ' ')
		} else if w.relevantPoint() {
			w.out = append(w.out, '0')
		}
	case next != 0:
		w.out = append(w.out, next)
		w.inNumber = true
	default:
		// The digits are used up, as those of a float may be: the server's text ends
		// here.
		w.inNumber = true
		w.endHere()
	}
	if next != 0 {
		w.at++
	}
}
