package jsonpath

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// The codes of SQL/JSON (ISO/IEC 9075-2 section 24.1, class 22).
const (
	codeDatetimeArgument pgerr.Code = "22031"
	codeSubscript        pgerr.Code = "22033"
	codeNonNumeric       pgerr.Code = "22036"
	codeSingleton        pgerr.Code = "22038"
	codeArray            pgerr.Code = "22039"
	codeMember           pgerr.Code = "2203A"
	codeNumber           pgerr.Code = "2203B"
	codeObject           pgerr.Code = "2203C"
)

// Options are what an evaluation depends on beside the path and the value.
type Options struct {
	Vars   *pgtype.JSONB // an object; nil for none
	Silent bool          // errors of the path's structure and of values give nothing
	Zoned  bool          // conversions may use the session's time zone
	Clock  pgtype.Clock
	Regex  RegexCompiler
	// Charge pays for work and memory; its error stops the evaluation.
	Charge func(work, bytes int64) *pgerr.Error
}

// value is a jsonb value or a moment.
type value struct {
	json   *pgtype.JSONB
	moment *pgtype.Moment
}

func numberValue(n pgtype.Numeric) value { return value{json: pgtype.JSONBFromNumber(n)} }

func (v value) is(k pgtype.JSONKind) bool { return v.json != nil && v.json.Kind == k }

// result gives the value as jsonb.
func (v value) result() *pgtype.JSONB {
	if v.moment != nil {
		return pgtype.JSONBFromText(string(pgtype.AppendMoment(nil, *v.moment)))
	}
	return v.json
}

// status is what an item made of a value.
type status uint8

const (
	found    status = iota
	notFound        // nothing, and no error
	failed          // an error that is not reported
)

// Query gives all values that the path finds; in silence those before an error.
func (p *Path) Query(v *pgtype.JSONB, o Options) ([]*pgtype.JSONB, *pgerr.Error) {
	var all []value
	if _, err := p.evaluate(v, o, &all); err != nil {
		return nil, err
	}
	values := make([]*pgtype.JSONB, len(all))
	for i, v := range all {
		values[i] = v.result()
	}
	return values, nil
}

// Exists reports whether the path finds anything; silenced tells that an error was
// passed over, so that it is not known.
func (p *Path) Exists(v *pgtype.JSONB, o Options) (exists, silenced bool, err *pgerr.Error) {
	s, err := p.evaluate(v, o, nil)
	return s == found, s == failed, err
}

func (p *Path) evaluate(v *pgtype.JSONB, o Options, all *[]value) (status, *pgerr.Error) {
	e := &evaluator{Options: o, lax: !p.strict, ignore: !p.strict, throw: !o.Silent, arraySize: -1, generated: 1}
	if o.Vars != nil {
		if o.Vars.Kind != pgtype.JSONObject {
			return failed, pgerr.New(pgerr.InvalidParameter, "\"vars\" argument is not an object").
				WithDetail("Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.")
		}
		e.generated++
	}
	e.root = value{json: v}
	e.current = e.root
	if !e.lax && all == nil {
		// Strict mode must see all values, to know that none is an error.
		var list []value
		s, err := e.item(p.root, e.root, &list)
		if err != nil || s == failed {
			return s, err
		}
		if len(list) == 0 {
			return notFound, nil
		}
		return found, nil
	}
	return e.item(p.root, e.root, all)
}

// evaluator is the state of an evaluation.
type evaluator struct {
	Options
	lax       bool
	ignore    bool // what is not there is passed over
	throw     bool
	root      value
	current   value // @
	arraySize int   // of the innermost subscripted array
	base      base
	generated int64
	offsets   map[*pgtype.JSONB]map[*pgtype.JSONB]int64
}

// fail reports an error, or passes it over in silence.
func (e *evaluator) fail(code pgerr.Code, format string, args ...any) (status, *pgerr.Error) {
	return e.failWith(pgerr.New(code, format, args...))
}

func (e *evaluator) failWith(err *pgerr.Error) (status, *pgerr.Error) {
	if e.throw {
		return failed, err
	}
	return failed, nil
}

// stop reports whether an item's outcome ends a loop over several.
func stop(s status, err *pgerr.Error, list *[]value) bool {
	return err != nil || s == failed || s == found && list == nil
}

// valueBytes is what a value found takes in a list.
const valueBytes = 32

// next goes on with what follows an item, or takes the value.
func (e *evaluator) next(i *item, v value, list *[]value) (status, *pgerr.Error) {
	if i.next != nil {
		return e.item(i.next, v, list)
	}
	return e.keep(v, list)
}

func (e *evaluator) keep(v value, list *[]value) (status, *pgerr.Error) {
	if list != nil {
		if err := e.Charge(1, valueBytes); err != nil {
			return failed, err
		}
		*list = append(*list, v)
	}
	return found, nil
}

// item evaluates an item; in lax mode arrays are unwrapped where it expects no
// array.
func (e *evaluator) item(i *item, v value, list *[]value) (status, *pgerr.Error) {
	return e.itemUnwrapping(i, v, list, e.lax)
}

func (e *evaluator) itemUnwrapping(i *item, v value, list *[]value, unwrap bool) (status, *pgerr.Error) {
	if err := e.Charge(1, 0); err != nil {
		return failed, err
	}
	switch {
	case i.kind <= variableItem:
		return e.literal(i, list)
	case i.kind >= andItem && i.kind <= existsItem:
		return e.boolean(i, v, list)
	case i.kind >= addItem && i.kind <= modItem:
		return e.binary(i, v, list)
	case i.kind == plusItem || i.kind == minusItem:
		return e.unary(i, v, list)
	}
	switch i.kind {
	case rootItem:
		saved := e.base
		e.base = base{container: e.root.json}
		s, err := e.next(i, e.root, list)
		e.base = saved
		return s, err
	case currentItem:
		return e.next(i, e.current, list)
	case lastItem:
		if i.next == nil && list == nil {
			return found, nil
		}
		return e.next(i, numberValue(pgtype.NumericFromInt(int64(e.arraySize-1))), list)
	case anyArrayItem:
		return e.anyArray(i, v, list)
	case indexItem:
		return e.index(i, v, list)
	case anyItem:
		return e.anyDepth(i, v, list)
	case anyKeyItem:
		switch {
		case v.is(pgtype.JSONObject):
			return e.children(i.next, v, list, descent{level: 1, first: 1, last: 1, unwrap: e.lax})
		case unwrap && v.is(pgtype.JSONArray):
			return e.unwrapped(i, v, list, false)
		case !e.ignore:
			return e.fail(codeObject, "jsonpath wildcard member accessor can only be applied to an object")
		}
		return notFound, nil
	case keyItem:
		return e.key(i, v, list, unwrap)
	}
	if unwrap && v.is(pgtype.JSONArray) && !(i.kind == methodItem && (i.text == "type" || i.text == "size")) {
		return e.unwrapped(i, v, list, false)
	}
	switch i.kind {
	case filterItem:
		saved := e.current
		e.current = v
		t, err := e.condition(i.left, v)
		e.current = saved
		if err != nil || t != isTrue {
			return notFound, err
		}
		return e.next(i, v, list)
	case datetimeItem:
		return e.datetime(i, v, list)
	}
	return e.method(i, v, list)
}

func (e *evaluator) literal(i *item, list *[]value) (status, *pgerr.Error) {
	if i.next == nil && list == nil && i.kind != variableItem {
		return found, nil
	}
	saved := e.base
	v, err := e.constant(i)
	if err != nil {
		return failed, err
	}
	s, err := e.next(i, v, list)
	e.base = saved
	return s, err
}

func (e *evaluator) constant(i *item) (value, *pgerr.Error) {
	switch i.kind {
	case nullItem:
		return value{json: pgtype.JSONBNull}, nil
	case boolItem:
		return value{json: pgtype.JSONBFromBool(i.truth)}, nil
	case numberItem:
		return numberValue(i.number), nil
	case stringItem:
		return value{json: pgtype.JSONBFromText(i.text)}, nil
	}
	if e.Vars != nil {
		if v, ok := field(e.Vars, i.text); ok {
			e.base = base{container: e.Vars, id: 1}
			return value{json: v}, nil
		}
	}
	return value{}, pgerr.New(pgerr.UndefinedObject, "could not find jsonpath variable \"%s\"", i.text)
}

// field finds a key of an object.
func field(object *pgtype.JSONB, key string) (*pgtype.JSONB, bool) {
	low, high := 0, len(object.Keys)
	for low < high {
		middle := (low + high) / 2
		k := object.Keys[middle]
		switch {
		case k == key:
			return object.Items[middle], true
		case len(k) < len(key) || len(k) == len(key) && k < key:
			low = middle + 1
		default:
			high = middle
		}
	}
	return nil, false
}

func (e *evaluator) key(i *item, v value, list *[]value, unwrap bool) (status, *pgerr.Error) {
	switch {
	case v.is(pgtype.JSONObject):
		if child, ok := field(v.json, i.text); ok {
			return e.next(i, value{json: child}, list)
		}
		if !e.ignore {
			return e.fail(codeMember, "JSON object does not contain key \"%s\"", i.text)
		}
	case unwrap && v.is(pgtype.JSONArray):
		return e.unwrapped(i, v, list, false)
	case !e.ignore:
		return e.fail(codeMember, "jsonpath member accessor can only be applied to an object")
	}
	return notFound, nil
}

func (e *evaluator) anyArray(i *item, v value, list *[]value) (status, *pgerr.Error) {
	switch {
	case v.is(pgtype.JSONArray):
		return e.unwrapped(i.next, v, list, e.lax)
	case e.lax:
		return e.next(i, v, list)
	case !e.ignore:
		return e.fail(codeArray, "jsonpath wildcard array accessor can only be applied to an array")
	}
	return notFound, nil
}

// unwrapped evaluates an item, or takes the value when it is nil, for each element
// of an array.
func (e *evaluator) unwrapped(i *item, v value, list *[]value, unwrap bool) (status, *pgerr.Error) {
	return e.children(i, v, list, descent{level: 1, first: 1, last: 1, unwrap: unwrap})
}

// descent says which levels below a value are visited.
type descent struct {
	level, first, last uint32
	ignore             bool // what is not there is passed over
	unwrap             bool
}

// wanted reports whether values of the level count; {last} asks for the leaves.
func (d descent) wanted(v *pgtype.JSONB) bool {
	leaf := v.Kind != pgtype.JSONArray && v.Kind != pgtype.JSONObject
	return d.level >= d.first || d.first == anyLevel && d.last == anyLevel && leaf
}

func (e *evaluator) children(i *item, v value, list *[]value, d descent) (status, *pgerr.Error) {
	s := notFound
	if d.level > d.last {
		return s, nil
	}
	for _, child := range v.json.Items {
		if d.wanted(child) {
			var err *pgerr.Error
			if s, err = e.child(i, value{json: child}, list, d); stop(s, err, list) {
				return s, err
			}
		}
		if d.level < d.last && (child.Kind == pgtype.JSONArray || child.Kind == pgtype.JSONObject) {
			deeper := d
			deeper.level++
			var err *pgerr.Error
			if s, err = e.children(i, value{json: child}, list, deeper); stop(s, err, list) {
				return s, err
			}
		}
	}
	return s, nil
}

func (e *evaluator) child(i *item, v value, list *[]value, d descent) (status, *pgerr.Error) {
	if i == nil {
		return e.keep(v, list)
	}
	saved := e.ignore
	e.ignore = e.ignore || d.ignore
	s, err := e.itemUnwrapping(i, v, list, d.unwrap)
	e.ignore = saved
	return s, err
}

func (e *evaluator) anyDepth(i *item, v value, list *[]value) (status, *pgerr.Error) {
	s := notFound
	if i.first == 0 {
		saved := e.ignore
		e.ignore = true
		var err *pgerr.Error
		s, err = e.next(i, v, list)
		e.ignore = saved
		if err != nil || s == found && list == nil {
			return s, err
		}
	}
	if v.is(pgtype.JSONArray) || v.is(pgtype.JSONObject) {
		return e.children(i.next, v, list, descent{level: 1, first: i.first, last: i.last, ignore: true, unwrap: e.lax})
	}
	return s, nil
}

func (e *evaluator) index(i *item, v value, list *[]value) (status, *pgerr.Error) {
	array := v.is(pgtype.JSONArray)
	if !array && !e.lax {
		if !e.ignore {
			return e.fail(codeArray, "jsonpath array accessor can only be applied to an array")
		}
		return notFound, nil
	}
	size := 1
	if array {
		size = len(v.json.Items)
	}
	saved := e.arraySize
	e.arraySize = size
	s, err := e.subscripts(i, v, list, size, array)
	e.arraySize = saved
	return s, err
}

func (e *evaluator) subscripts(i *item, v value, list *[]value, size int, array bool) (status, *pgerr.Error) {
	result := notFound
	for _, sub := range i.indexes {
		from, s, err := e.subscript(sub.from, v)
		if err != nil || s == failed {
			return s, err
		}
		to := from
		if sub.to != nil {
			if to, s, err = e.subscript(sub.to, v); err != nil || s == failed {
				return s, err
			}
		}
		result = notFound
		if !e.ignore && (from < 0 || from > to || to >= size) {
			return e.fail(codeSubscript, "jsonpath array subscript is out of bounds")
		}
		for n := max(from, 0); n <= min(to, size-1); n++ {
			element := v
			if array {
				element = value{json: v.json.Items[n]}
			}
			if i.next == nil && list == nil {
				return found, nil
			}
			if result, err = e.next(i, element, list); stop(result, err, list) {
				return result, err
			}
		}
	}
	return result, nil
}

func (e *evaluator) subscript(i *item, v value) (int, status, *pgerr.Error) {
	var list []value
	s, err := e.item(i, v, &list)
	if err != nil || s == failed {
		return 0, s, err
	}
	if len(list) != 1 || !list[0].is(pgtype.JSONNumber) {
		s, err = e.fail(codeSubscript, "jsonpath array subscript is not a single numeric value")
		return 0, s, err
	}
	n, bad := list[0].json.Number.Trunc(0).Int(32)
	if bad != nil {
		s, err = e.fail(codeSubscript, "jsonpath array subscript is out of integer range")
	}
	return int(n), s, err
}

// operands gives the values of an operand; in lax mode with arrays unwrapped.
func (e *evaluator) operands(i *item, v value, unwrap bool, list *[]value) (status, *pgerr.Error) {
	if !unwrap || !e.lax {
		return e.item(i, v, list)
	}
	var all []value
	s, err := e.item(i, v, &all)
	if err != nil || s == failed {
		return s, err
	}
	for _, v := range all {
		if v.is(pgtype.JSONArray) {
			if _, err := e.unwrapped(nil, v, list, false); err != nil {
				return failed, err
			}
		} else if _, err := e.keep(v, list); err != nil {
			return failed, err
		}
	}
	return found, nil
}

// quietly gives the values of an operand of a condition, where an error makes the
// condition unknown.
func (e *evaluator) quietly(i *item, v value, unwrap bool, list *[]value) (status, *pgerr.Error) {
	saved := e.throw
	e.throw = false
	s, err := e.operands(i, v, unwrap, list)
	e.throw = saved
	return s, err
}

func (e *evaluator) binary(i *item, v value, list *[]value) (status, *pgerr.Error) {
	var left, right []value
	if s, err := e.operands(i.left, v, true, &left); err != nil || s == failed {
		return s, err
	}
	if s, err := e.operands(i.right, v, true, &right); err != nil || s == failed {
		return s, err
	}
	for n, side := range [][]value{left, right} {
		if len(side) != 1 || !side[0].is(pgtype.JSONNumber) {
			return e.fail(codeSingleton, "%s operand of jsonpath operator %s is not a single numeric value",
				[]string{"left", "right"}[n], operatorSigns[i.kind])
		}
	}
	a, b := left[0].json.Number, right[0].json.Number
	if err := e.Charge((a.Size()+b.Size())/8, a.Size()+b.Size()); err != nil {
		return failed, err
	}
	var n pgtype.Numeric
	var err *pgerr.Error
	switch i.kind {
	case addItem:
		n, err = a.Add(b)
	case subItem:
		n, err = a.Sub(b)
	case mulItem:
		n, err = a.Mul(b)
	case divItem:
		n, err = a.Div(b)
	default:
		n, err = a.Mod(b)
	}
	if err != nil {
		return e.failWith(err)
	}
	if i.next == nil && list == nil {
		return found, nil
	}
	return e.next(i, numberValue(n), list)
}

func (e *evaluator) unary(i *item, v value, list *[]value) (status, *pgerr.Error) {
	var all []value
	if s, err := e.operands(i.left, v, true, &all); err != nil || s == failed {
		return s, err
	}
	result := notFound
	quick := list == nil && i.next == nil
	for _, v := range all {
		switch {
		case v.is(pgtype.JSONNumber) && quick:
			return found, nil
		case !v.is(pgtype.JSONNumber) && quick:
			continue
		case !v.is(pgtype.JSONNumber):
			return e.fail(codeNumber, "operand of unary jsonpath operator %s is not a numeric value", operatorSigns[i.kind])
		}
		n := v.json.Number
		if i.kind == minusItem {
			n = n.Neg()
		}
		s, err := e.next(i, numberValue(n), list)
		if err != nil || s == failed {
			return s, err
		}
		if s == found {
			if list == nil {
				return found, nil
			}
			result = found
		}
	}
	return result, nil
}

// truth is the value of a condition.
type truth uint8

const (
	isFalse truth = iota
	isTrue
	isUnknown
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

// boolean takes a condition as a value.
func (e *evaluator) boolean(i *item, v value, list *[]value) (status, *pgerr.Error) {
	t, err := e.condition(i, v)
	if err != nil {
		return failed, err
	}
	if i.next == nil && list == nil {
		return found, nil
	}
	result := pgtype.JSONBNull
	if t != isUnknown {
		result = pgtype.JSONBFromBool(t == isTrue)
	}
	return e.next(i, value{json: result}, list)
}

func (e *evaluator) condition(i *item, v value) (truth, *pgerr.Error) {
	if err := e.Charge(1, 0); err != nil {
		return isUnknown, err
	}
	switch i.kind {
	case andItem, orItem:
		left, err := e.condition(i.left, v)
		decided, neutral := isFalse, isTrue
		if i.kind == orItem {
			decided, neutral = isTrue, isFalse
		}
		if err != nil || left == decided {
			return left, err
		}
		right, err := e.condition(i.right, v)
		if right == neutral {
			right = left
		}
		return right, err
	case notItem:
		t, err := e.condition(i.left, v)
		if t == isUnknown {
			return t, err
		}
		return truthOf(t == isFalse), err
	case unknownItem:
		t, err := e.condition(i.left, v)
		return truthOf(t == isUnknown), err
	case existsItem:
		return e.exists(i, v)
	case startsItem:
		return e.predicate(i.left, i.right, v, false, startsWith)
	case regexItem:
		match, err := e.Regex(i.regex())
		if err != nil {
			return isUnknown, err
		}
		return e.predicate(i.left, nil, v, false, func(left, _ value) (truth, *pgerr.Error) {
			if !left.is(pgtype.JSONString) {
				return isUnknown, nil
			}
			ok, err := match(left.json.Text)
			return truthOf(ok), err
		})
	}
	return e.predicate(i.left, i.right, v, true, func(left, right value) (truth, *pgerr.Error) {
		return e.compare(i.kind, left, right)
	})
}

func (e *evaluator) exists(i *item, v value) (truth, *pgerr.Error) {
	var list []value
	all := &list
	if e.lax {
		all = nil
	}
	s, err := e.quietly(i.left, v, false, all)
	switch {
	case err != nil:
		return isUnknown, err
	case s == failed:
		return isUnknown, nil
	case e.lax:
		return truthOf(s == found), nil
	}
	return truthOf(len(list) > 0), nil
}

// predicate tests every pair of the operands' values. In lax mode one pair that
// holds is enough; in strict mode one that is unknown makes the whole unknown.
func (e *evaluator) predicate(left, right *item, v value, unwrapRight bool, test func(left, right value) (truth, *pgerr.Error)) (truth, *pgerr.Error) {
	var a []value
	b := []value{{}}
	if s, err := e.quietly(left, v, true, &a); err != nil || s == failed {
		return isUnknown, err
	}
	if right != nil {
		b = nil
		if s, err := e.quietly(right, v, unwrapRight, &b); err != nil || s == failed {
			return isUnknown, err
		}
	}
	result := isFalse
	for _, x := range a {
		for _, y := range b {
			if err := e.Charge(1, 0); err != nil {
				return isUnknown, err
			}
			t, err := test(x, y)
			if err != nil {
				return isUnknown, err
			}
			switch {
			case t == isTrue && e.lax, t == isUnknown && !e.lax:
				return t, nil
			case t != isFalse:
				result = t
			}
		}
	}
	return result, nil
}

func startsWith(whole, beginning value) (truth, *pgerr.Error) {
	if !whole.is(pgtype.JSONString) || !beginning.is(pgtype.JSONString) {
		return isUnknown, nil
	}
	return truthOf(strings.HasPrefix(whole.json.Text, beginning.json.Text)), nil
}

// compare orders scalars of one kind. null is different from everything else.
func (e *evaluator) compare(k kind, a, b value) (truth, *pgerr.Error) {
	order := 0
	switch {
	case a.moment != nil && b.moment != nil:
		var comparable bool
		var err *pgerr.Error
		if order, comparable, err = e.compareMoments(*a.moment, *b.moment); err != nil || !comparable {
			return isUnknown, err
		}
	case a.is(pgtype.JSONNull) != b.is(pgtype.JSONNull):
		return truthOf(k == unequalItem), nil
	case a.moment != nil || b.moment != nil || a.json.Kind != b.json.Kind:
		return isUnknown, nil
	default:
		switch a.json.Kind {
		case pgtype.JSONArray, pgtype.JSONObject:
			return isUnknown, nil
		case pgtype.JSONBool:
			if a.json.Bool != b.json.Bool {
				order = -1
				if a.json.Bool {
					order = 1
				}
			}
		case pgtype.JSONNumber:
			order = pgtype.CompareNumeric(a.json.Number, b.json.Number)
		case pgtype.JSONString:
			order = strings.Compare(a.json.Text, b.json.Text)
		}
	}
	return truthOf(holds(k, order)), nil
}

func holds(k kind, order int) bool {
	switch k {
	case equalItem:
		return order == 0
	case unequalItem:
		return order != 0
	case lessItem:
		return order < 0
	case greaterItem:
		return order > 0
	case lessEqualItem:
		return order <= 0
	}
	return order >= 0
}
