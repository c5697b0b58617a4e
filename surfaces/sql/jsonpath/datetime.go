package jsonpath

import (
	"sync"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

var momentNames = map[pgtype.MomentKind]string{
	pgtype.MomentDate: "date", pgtype.MomentTime: "time without time zone", pgtype.MomentTimetz: "time with time zone",
	pgtype.MomentTimestamp: "timestamp without time zone", pgtype.MomentTimestamptz: "timestamp with time zone",
}

// castNames are the types in errors of conversions.
var castNames = map[pgtype.MomentKind]string{
	pgtype.MomentDate: "date", pgtype.MomentTime: "time", pgtype.MomentTimetz: "timetz",
	pgtype.MomentTimestamp: "timestamp", pgtype.MomentTimestamptz: "timestamptz",
}

// isoTemplates are the forms that are read without a template, in their order.
var isoTemplates = sync.OnceValue(func() []*pgtype.DateTemplate {
	var all []*pgtype.DateTemplate
	for _, text := range []string{
		"yyyy-mm-dd", "HH24:MI:SS.USTZ", "HH24:MI:SSTZ", "HH24:MI:SS.US", "HH24:MI:SS",
		"yyyy-mm-dd HH24:MI:SS.USTZ", "yyyy-mm-dd HH24:MI:SSTZ", `yyyy-mm-dd"T"HH24:MI:SS.USTZ`, `yyyy-mm-dd"T"HH24:MI:SSTZ`,
		"yyyy-mm-dd HH24:MI:SS.US", "yyyy-mm-dd HH24:MI:SS", `yyyy-mm-dd"T"HH24:MI:SS.US`, `yyyy-mm-dd"T"HH24:MI:SS`,
	} {
		if t, err := pgtype.NewExactTemplate(text); err == nil {
			all = append(all, t)
		}
	}
	return all
})

func (e *evaluator) datetime(i *item, v value, list *[]value) (status, *pgerr.Error) {
	if !v.is(pgtype.JSONString) {
		return e.fail(codeDatetimeArgument, "jsonpath item method .%s() can only be applied to a string", i.text)
	}
	if err := e.Charge(int64(len(v.json.Text)), 0); err != nil {
		return failed, err
	}
	m, s, err := e.moment(i, v.json.Text)
	if err != nil || s == failed {
		return s, err
	}
	if i.text != "datetime" {
		if m, s, err = e.convert(i, m, v.json.Text); err != nil || s == failed {
			return s, err
		}
	}
	if i.next == nil && list == nil {
		return found, nil
	}
	return e.next(i, value{moment: &m}, list)
}

func (e *evaluator) moment(i *item, text string) (pgtype.Moment, status, *pgerr.Error) {
	if i.left != nil {
		t, err := pgtype.NewExactTemplate(i.left.text)
		if err != nil {
			return pgtype.Moment{}, failed, err
		}
		m, err := t.Moment(text)
		if err != nil {
			s, err := e.failWith(err)
			return m, s, err
		}
		return m, found, nil
	}
	for _, a := range i.args {
		if _, bad := a.Int(32); bad != nil {
			s, err := e.fail(codeDatetimeArgument, "time precision of jsonpath item method .%s() is out of range for type integer", i.text)
			return pgtype.Moment{}, s, err
		}
	}
	for _, t := range isoTemplates() {
		if m, err := t.Moment(text); err == nil {
			return m, found, nil
		}
	}
	s, err := e.unrecognised(i, text)
	return pgtype.Moment{}, s, err
}

func (e *evaluator) unrecognised(i *item, text string) (status, *pgerr.Error) {
	err := pgerr.New(codeDatetimeArgument, "%s format is not recognized: \"%s\"", i.text, text)
	if i.text == "datetime" {
		err = err.WithHint("Use a datetime template argument to specify the input data format.")
	}
	return e.failWith(err)
}

var methodKinds = map[string]pgtype.MomentKind{
	"date": pgtype.MomentDate, "time": pgtype.MomentTime, "time_tz": pgtype.MomentTimetz,
	"timestamp": pgtype.MomentTimestamp, "timestamp_tz": pgtype.MomentTimestamptz,
}

// convert makes a moment one of the method's type, and rounds it.
func (e *evaluator) convert(i *item, m pgtype.Moment, text string) (pgtype.Moment, status, *pgerr.Error) {
	to := methodKinds[i.text]
	if m.Kind != to {
		if !convertible(m.Kind, to) {
			s, err := e.unrecognised(i, text)
			return m, s, err
		}
		var err *pgerr.Error
		if m, err = e.cast(m, to); err != nil {
			return m, failed, err
		}
	}
	if len(i.args) == 0 {
		return m, found, nil
	}
	precision, err := i.args[0].Int(32)
	if err != nil {
		return m, failed, err
	}
	digits := min(int(precision), 6)
	m.Time.Micros = pgtype.FitTime(m.Time.Micros, digits)
	if to == pgtype.MomentTimestamp || to == pgtype.MomentTimestamptz {
		m.Value, err = pgtype.FitTimestamp(m.Value, digits)
	} else if to == pgtype.MomentTime {
		m.Value = pgtype.FitTime(m.Value, digits)
	}
	return m, found, err
}

// convertible tells what .date() and the like accept.
func convertible(from, to pgtype.MomentKind) bool {
	dated := from == pgtype.MomentDate || from == pgtype.MomentTimestamp || from == pgtype.MomentTimestamptz
	switch to {
	case pgtype.MomentDate, pgtype.MomentTimestamp, pgtype.MomentTimestamptz:
		return dated
	case pgtype.MomentTime:
		return from != pgtype.MomentDate
	}
	return from == pgtype.MomentTime || from == pgtype.MomentTimestamptz
}

// needsZone refuses a conversion that depends on the session's zone, unless the
// caller allows it.
func (e *evaluator) needsZone(from, to pgtype.MomentKind) *pgerr.Error {
	if e.Zoned {
		return nil
	}
	return pgerr.New(pgerr.FeatureNotSupported, "cannot convert value from %s to %s without time zone usage", castNames[from], castNames[to]).
		WithHint("Use *_tz() function for time zone support.")
}

func (e *evaluator) cast(m pgtype.Moment, to pgtype.MomentKind) (pgtype.Moment, *pgerr.Error) {
	zoned := func(k pgtype.MomentKind) bool { return k == pgtype.MomentTimetz || k == pgtype.MomentTimestamptz }
	if zoned(m.Kind) != zoned(to) {
		if err := e.needsZone(m.Kind, to); err != nil {
			return m, err
		}
	}
	out := pgtype.Moment{Kind: to}
	ts := m.Value
	var err *pgerr.Error
	switch m.Kind {
	case pgtype.MomentDate:
		if to == pgtype.MomentTimestamptz {
			out.Value, err = pgtype.DateToTimestamptz(m.Value, e.Clock)
			out.East = e.east(out.Value)
			return out, err
		}
		out.Value, err = pgtype.DateToTimestamp(m.Value)
		return out, err
	case pgtype.MomentTime:
		out.Time = pgtype.TimeToTimetz(m.Value, e.Clock)
		return out, nil
	case pgtype.MomentTimetz:
		out.Value = m.Time.Micros
		return out, nil
	case pgtype.MomentTimestamptz:
		if to == pgtype.MomentTimetz {
			out.Time, _ = pgtype.TimestamptzTimetz(m.Value, e.Clock)
			return out, nil
		}
		if ts, err = pgtype.TimestamptzToTimestamp(m.Value, e.Clock); err != nil {
			return out, err
		}
	}
	switch to {
	case pgtype.MomentDate:
		out.Value, err = pgtype.TimestampDate(ts)
	case pgtype.MomentTime:
		out.Value, _ = pgtype.TimestampTime(ts)
	case pgtype.MomentTimestamp:
		out.Value = ts
	default:
		out.Value, err = pgtype.TimestampToTimestamptz(ts, e.Clock)
		out.East = e.east(out.Value)
	}
	return out, err
}

// east gives the session's offset at a moment.
func (e *evaluator) east(ts int64) int {
	t, _ := pgtype.TimestamptzTimetz(ts, e.Clock)
	return -int(t.Zone)
}

// compareMoments orders moments; times and dates do not compare.
func (e *evaluator) compareMoments(a, b pgtype.Moment) (order int, comparable bool, err *pgerr.Error) {
	timed := func(k pgtype.MomentKind) bool { return k == pgtype.MomentTime || k == pgtype.MomentTimetz }
	if timed(a.Kind) != timed(b.Kind) {
		return 0, false, nil
	}
	if a.Kind > b.Kind {
		order, comparable, err = e.compareMoments(b, a)
		return -order, comparable, err
	}
	if a.Kind != b.Kind && (b.Kind == pgtype.MomentTimetz || b.Kind == pgtype.MomentTimestamptz) {
		if err := e.needsZone(a.Kind, b.Kind); err != nil {
			return 0, false, err
		}
	}
	switch {
	case b.Kind == pgtype.MomentTimetz:
		if a.Kind == pgtype.MomentTime {
			a.Time = pgtype.TimeToTimetz(a.Value, e.Clock)
		}
		return pgtype.CompareTimetz(a.Time, b.Time), true, nil
	case a.Kind == b.Kind:
		switch {
		case a.Value < b.Value:
			return -1, true, nil
		case a.Value > b.Value:
			return 1, true, nil
		}
		return 0, true, nil
	case a.Kind == pgtype.MomentDate && b.Kind == pgtype.MomentTimestamp:
		return pgtype.CompareDateTimestamp(a.Value, b.Value), true, nil
	case a.Kind == pgtype.MomentDate:
		return pgtype.CompareDateTimestamptz(a.Value, b.Value, e.Clock), true, nil
	}
	return pgtype.CompareTimestampTimestamptz(a.Value, b.Value, e.Clock), true, nil
}
