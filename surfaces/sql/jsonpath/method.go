package jsonpath

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// typeNames are what .type() gives.
func (v value) typeName() string {
	if v.moment != nil {
		return momentNames[v.moment.Kind]
	}
	return v.json.Kind.Name()
}

func (e *evaluator) method(i *item, v value, list *[]value) (status, *pgerr.Error) {
	switch i.text {
	case "type":
		return e.next(i, value{json: pgtype.JSONBFromText(v.typeName())}, list)
	case "size":
		return e.size(i, v, list)
	case "keyvalue":
		return e.keyValue(i, v, list)
	case "abs", "floor", "ceiling":
		if !v.is(pgtype.JSONNumber) {
			return e.fail(codeNonNumeric, "jsonpath item method .%s() can only be applied to a numeric value", i.text)
		}
		if i.next == nil && list == nil {
			return found, nil
		}
		n := v.json.Number
		switch i.text {
		case "abs":
			n = n.Abs()
		case "floor":
			n = n.Floor()
		default:
			n = n.Ceil()
		}
		return e.next(i, numberValue(n), list)
	case "boolean":
		return e.toBoolean(i, v, list)
	case "string":
		return e.toString(i, v, list)
	}
	if !v.is(pgtype.JSONNumber) && !v.is(pgtype.JSONString) {
		return e.fail(codeNonNumeric, "jsonpath item method .%s() can only be applied to a string or numeric value", i.text)
	}
	n, s, err := e.toNumber(i, v)
	if err != nil || s == failed {
		return s, err
	}
	return e.next(i, numberValue(n), list)
}

func (e *evaluator) size(i *item, v value, list *[]value) (status, *pgerr.Error) {
	size := 1
	switch {
	case v.is(pgtype.JSONArray):
		size = len(v.json.Items)
	case e.lax:
	case !e.ignore:
		return e.fail(codeArray, "jsonpath item method .%s() can only be applied to an array", i.text)
	default:
		return notFound, nil
	}
	return e.next(i, numberValue(pgtype.NumericFromInt(int64(size))), list)
}

// invalid is the error of a value that a method's type does not have.
func (e *evaluator) invalid(i *item, argument, typeName string) (pgtype.Numeric, status, *pgerr.Error) {
	s, err := e.fail(codeNonNumeric, "argument \"%s\" of jsonpath item method .%s() is invalid for type %s", argument, i.text, typeName)
	return pgtype.Numeric{}, s, err
}

func (e *evaluator) notFinite(i *item) (pgtype.Numeric, status, *pgerr.Error) {
	s, err := e.fail(codeNonNumeric, "NaN or Infinity is not allowed for jsonpath item method .%s()", i.text)
	return pgtype.Numeric{}, s, err
}

// text gives a number or string as text.
func (v value) text() string {
	if v.is(pgtype.JSONNumber) {
		return v.json.Number.String()
	}
	return v.json.Text
}

func (e *evaluator) toNumber(i *item, v value) (pgtype.Numeric, status, *pgerr.Error) {
	switch i.text {
	case "double":
		f, bad := pgtype.ParseFloat(v.text(), 64)
		switch {
		case bad != nil:
			return e.invalid(i, v.text(), "double precision")
		case math.IsInf(f, 0) || math.IsNaN(f):
			return e.notFinite(i)
		case v.is(pgtype.JSONNumber):
			return v.json.Number, found, nil
		}
		return pgtype.NumericFromFloat(f, 64), found, nil
	case "bigint":
		return e.toInteger(i, v, 64, "bigint")
	case "integer":
		return e.toInteger(i, v, 32, "integer")
	}
	n, bad := pgtype.ParseNumeric(v.text())
	switch {
	case bad != nil:
		return e.invalid(i, v.text(), "numeric")
	case !n.Finite():
		return e.notFinite(i)
	}
	if len(i.args) == 0 {
		return n, found, nil
	}
	return e.toDecimal(i, v, n)
}

func (e *evaluator) toInteger(i *item, v value, bits int, typeName string) (pgtype.Numeric, status, *pgerr.Error) {
	var n int64
	var bad *pgerr.Error
	if v.is(pgtype.JSONNumber) {
		n, bad = v.json.Number.Int(bits)
	} else {
		n, bad = pgtype.ParseInt(v.json.Text, bits)
	}
	if bad != nil {
		return e.invalid(i, v.text(), typeName)
	}
	return pgtype.NumericFromInt(n), found, nil
}

// toDecimal applies a precision and a scale, whose bounds are those of the type.
func (e *evaluator) toDecimal(i *item, v value, n pgtype.Numeric) (pgtype.Numeric, status, *pgerr.Error) {
	sizes := [2]int64{}
	for k, a := range i.args {
		size, bad := a.Int(32)
		if bad != nil {
			s, err := e.fail(codeNonNumeric, "%s of jsonpath item method .%s() is out of range for type integer", []string{"precision", "scale"}[k], i.text)
			return n, s, err
		}
		sizes[k] = size
	}
	const maxPrecision, minScale, maxScale = 1000, -1000, 1000
	precision, scale := sizes[0], sizes[1]
	switch {
	case precision < 1 || precision > maxPrecision:
		return n, failed, pgerr.New(pgerr.InvalidParameter, "NUMERIC precision %d must be between 1 and %d", precision, maxPrecision)
	case scale < minScale || scale > maxScale:
		return n, failed, pgerr.New(pgerr.InvalidParameter, "NUMERIC scale %d must be between %d and %d", scale, minScale, maxScale)
	}
	fitted, bad := n.Fit(int(precision), int(scale))
	if bad != nil {
		return e.invalid(i, v.text(), "numeric")
	}
	return fitted, found, nil
}

func (e *evaluator) toBoolean(i *item, v value, list *[]value) (status, *pgerr.Error) {
	var b bool
	var bad *pgerr.Error
	switch {
	case v.is(pgtype.JSONBool):
		b = v.json.Bool
	case v.is(pgtype.JSONNumber):
		var n int64
		n, bad = pgtype.ParseInt(v.text(), 32)
		b = n != 0
	case v.is(pgtype.JSONString):
		b, bad = parseBool(v.json.Text)
	default:
		return e.fail(codeNonNumeric, "jsonpath item method .%s() can only be applied to a boolean, string, or numeric value", i.text)
	}
	if bad != nil {
		_, s, err := e.invalid(i, v.text(), "boolean")
		return s, err
	}
	return e.next(i, value{json: pgtype.JSONBFromBool(b)}, list)
}

// parseBool is the reading of booleans without blanks around them.
func parseBool(text string) (bool, *pgerr.Error) {
	if text == "" || text[0] <= ' ' || text[len(text)-1] <= ' ' {
		return false, pgerr.New(pgerr.InvalidText, "")
	}
	return pgtype.ParseBool(text)
}

func (e *evaluator) toString(i *item, v value, list *[]value) (status, *pgerr.Error) {
	var text string
	switch {
	case v.moment != nil:
		text = string(pgtype.AppendMoment(nil, *v.moment))
	case v.is(pgtype.JSONString) || v.is(pgtype.JSONNumber):
		text = v.text()
	case v.is(pgtype.JSONBool):
		text = "false"
		if v.json.Bool {
			text = "true"
		}
	default:
		return e.fail(codeNonNumeric, "jsonpath item method .%s() can only be applied to a boolean, string, numeric, or datetime value", i.text)
	}
	if err := e.Charge(0, int64(len(text))); err != nil {
		return failed, err
	}
	return e.next(i, value{json: pgtype.JSONBFromText(text)}, list)
}

// base is what the numbers of .keyvalue() count from: an object that the path or
// the caller gave, or one that .keyvalue() made.
type base struct {
	container *pgtype.JSONB
	id        int64
}

// baseStep tells objects of one base from those of another.
const baseStep = 10_000_000_000

// keyValue gives an object of key, value and a number for each pair. The number
// tells the object: it is the offset at which the server's binary form has it.
func (e *evaluator) keyValue(i *item, v value, list *[]value) (status, *pgerr.Error) {
	if !v.is(pgtype.JSONObject) {
		return e.fail(codeObject, "jsonpath item method .%s() can only be applied to an object", i.text)
	}
	if len(v.json.Keys) == 0 {
		return notFound, nil
	}
	if i.next == nil && list == nil {
		return found, nil
	}
	offset, err := e.offset(v.json)
	if err != nil {
		return failed, err
	}
	id := pgtype.JSONBFromNumber(pgtype.NumericFromInt(e.base.id*baseStep + offset))
	s := notFound
	for n, key := range v.json.Keys {
		pair := pgtype.JSONBFromPairs([]string{"key", "value", "id"}, []*pgtype.JSONB{pgtype.JSONBFromText(key), v.json.Items[n], id})
		if err := e.Charge(1, pair.Size()); err != nil {
			return failed, err
		}
		saved := e.base
		e.base = base{container: pair, id: e.generated}
		e.generated++
		s, err = e.next(i, value{json: pair}, list)
		e.base = saved
		if stop(s, err, list) {
			return s, err
		}
	}
	return s, nil
}

// offset gives where an object stands in the base's binary form.
func (e *evaluator) offset(target *pgtype.JSONB) (int64, *pgerr.Error) {
	all, ok := e.offsets[e.base.container]
	if !ok {
		if err := e.Charge(e.base.container.Size()/32, e.base.container.Size()/4); err != nil {
			return 0, err
		}
		all = map[*pgtype.JSONB]int64{}
		placeContainer(e.base.container, 0, all)
		if e.offsets == nil {
			e.offsets = map[*pgtype.JSONB]map[*pgtype.JSONB]int64{}
		}
		e.offsets[e.base.container] = all
	}
	return all[target], nil
}

const wordBytes = 4

func aligned(n int64) int64 { return (n + wordBytes - 1) / wordBytes * wordBytes }

// placeContainer notes where a container and those in it begin, and gives where it
// ends: a header, a word for each key and each item, the keys, then the items.
func placeContainer(v *pgtype.JSONB, at int64, all map[*pgtype.JSONB]int64) int64 {
	at = aligned(at)
	if _, known := all[v]; !known {
		all[v] = at
	}
	at += wordBytes * int64(1+len(v.Keys)+len(v.Items))
	for _, k := range v.Keys {
		at += int64(len(k))
	}
	for _, item := range v.Items {
		switch item.Kind {
		case pgtype.JSONString:
			at += int64(len(item.Text))
		case pgtype.JSONNumber:
			at = aligned(at) + pgtype.StoredSize(item.Number)
		case pgtype.JSONArray, pgtype.JSONObject:
			at = placeContainer(item, at, all)
		}
	}
	return at
}
