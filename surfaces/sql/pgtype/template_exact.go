package pgtype

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// exactSeparators are what may stand between the patterns of a template of the SQL
// standard (ISO/IEC 9075-2 section 9.52), beside quoted text.
const exactSeparators = "-./,':; "

// NewExactTemplate reads a template of the SQL standard, as JSON paths have it.
func NewExactTemplate(text string) (*DateTemplate, *pgerr.Error) {
	t := &DateTemplate{exact: true}
	for text != "" {
		// A quoted text is taken whole; elsewhere only a separator is no pattern.
		if text[0] == '"' {
			t.nodes, text = cutQuoted(t.nodes, text[1:])
			continue
		}
		suffix, rest := cutPrefix(text)
		if rest == "" {
			break
		}
		key := dateSyntax.find(rest)
		switch {
		case key != nil:
			rest = rest[len(key.name):]
			after, rest := cutPostfix(rest)
			t.nodes = append(t.nodes, templateNode{kind: patternNode, key: key, suffix: suffix | after})
			text = rest
			continue
		case rest[0] == '"':
			text = rest
			continue
		case strings.IndexByte(exactSeparators, rest[0]) < 0:
			return nil, pgerr.New(pgerr.InvalidDatetimeFormat, "invalid datetime format separator: \"%s\"", rest[:characterLength(rest)])
		}
		kind := separatorNode
		if rest[0] == ' ' {
			kind = spaceNode
		}
		t.nodes = append(t.nodes, templateNode{kind: kind, text: rest[:1]})
		text = rest[1:]
	}
	return t, nil
}

// MomentKind is the type of a moment that an exact template reads.
type MomentKind uint8

// The types, by what the template has: a date, a time, an offset.
const (
	MomentDate MomentKind = iota
	MomentTime
	MomentTimetz
	MomentTimestamp
	MomentTimestamptz
)

// Moment is a date, a time or both.
type Moment struct {
	Kind  MomentKind
	Value int64 // of all but a time with an offset
	Time  Timetz
	East  int // the offset in which a timestamp with time zone was written, in seconds
}

// Moment reads a text by an exact template. The template decides the type.
func (t *DateTemplate) Moment(text string) (Moment, *pgerr.Error) {
	m, r, err := t.readMoment(text)
	if err != nil {
		return Moment{}, err
	}
	dated, timed, zoned := t.has()
	precision := -1
	if r.fraction != 0 {
		precision = r.fraction
	}
	switch {
	case zoned && !timed && dated:
		return Moment{}, pgerr.New(pgerr.InvalidDatetimeFormat, "datetime format is zoned but not timed")
	case !dated && !timed:
		return Moment{}, pgerr.New(pgerr.InvalidDatetimeFormat, "datetime format is not dated and not timed")
	case !timed:
		d, err := dateOf(m, text)
		return Moment{Kind: MomentDate, Value: d}, err
	case !dated && zoned:
		east := r.east(m)
		return Moment{Kind: MomentTimetz, Time: Timetz{Micros: FitTime(m.timeMicros(), precision), Zone: int32(-east)}}, nil
	case !dated:
		return Moment{Kind: MomentTime, Value: FitTime(m.timeMicros(), precision)}, nil
	case !zoned:
		ts, ok := m.timestamp()
		if !ok {
			return Moment{}, errTimestampRange
		}
		ts, err := FitTimestamp(ts, precision)
		return Moment{Kind: MomentTimestamp, Value: ts}, err
	}
	east := r.east(m)
	ts, ok := m.instant(east)
	if !ok {
		return Moment{}, pgerr.New(pgerr.DatetimeOverflow, "timestamptz out of range")
	}
	ts, err = FitTimestamp(ts, precision)
	return Moment{Kind: MomentTimestamptz, Value: ts, East: east}, err
}

// has tells what the patterns of a template make.
func (t *DateTemplate) has() (dated, timed, zoned bool) {
	for i := range t.nodes {
		if t.nodes[i].kind != patternNode {
			continue
		}
		switch t.nodes[i].key.id {
		case fixedMode, isoWeekOfYear:
		case dottedMeridian, meridian, hour12, hour24, minutePattern, secondPattern, millisecondPattern, microsecondPattern, secondOfDay,
			fraction1, fraction2, fraction3, fraction4, fraction5, fraction6:
			timed = true
		case zonePattern, offsetPattern, zoneHourPattern, zoneMinutePattern:
			zoned = true
		default:
			dated = true
		}
	}
	return dated, timed, zoned
}

// AppendMoment writes a moment as JSON has it, in the form of ISO 8601.
func AppendMoment(dst []byte, m Moment) []byte {
	switch m.Kind {
	case MomentDate:
		return AppendDate(dst, m.Value)
	case MomentTime:
		return AppendTime(dst, m.Value)
	case MomentTimetz:
		return appendLongOffset(AppendTime(dst, m.Time.Micros), -int(m.Time.Zone))
	}
	if !FiniteTimestamp(m.Value) {
		return appendInfinity(dst, m.Value)
	}
	c := civilOf(m.Value + int64(m.East)*microsPerSecond)
	dst = c.appendTime(append(c.appendDate(dst), 'T'))
	if m.Kind == MomentTimestamptz {
		dst = appendLongOffset(dst, m.East)
	}
	return c.appendEra(dst)
}

// appendLongOffset writes an offset with its minutes.
func appendLongOffset(dst []byte, east int) []byte {
	n := len(dst)
	dst = appendOffset(dst, east)
	if len(dst)-n == len("+hh") {
		dst = append(dst, ":00"...)
	}
	return dst
}
