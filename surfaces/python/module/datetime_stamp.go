package module

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// stamp is a date, a time or a datetime, by its class.
type stamp struct {
	object.Obj
	class        *class
	y, m, d      int
	h, mi, s, us int
	tz           value // None, or a timezone
	fold         int
}

var (
	dateClass     = defineIn("datetime", "date")
	timeClass     = defineIn("datetime", "time")
	datetimeClass = defineIn("datetime", "datetime", dateClass)
	tzinfoClass   = defineIn("datetime", "tzinfo")
	timezoneClass = defineIn("datetime", "timezone", tzinfoClass)
	zoneClass     = defineIn("zoneinfo", "ZoneInfo", tzinfoClass)
	isoCalendar   = newRecord("datetime", "IsoCalendarDate", "year", "week", "weekday")
)

// Class is date, time or datetime.
func (s *stamp) Class() *class { return s.class }

// zone is a fixed offset or a zone of the database.
type zone struct {
	object.Obj
	micros int64
	name   string // "" where it is made of the offset
	loc    *time.Location
}

// Class is timezone or ZoneInfo.
func (z *zone) Class() *class {
	if z.loc != nil {
		return zoneClass
	}
	return timezoneClass
}

var utcZone = func() value { z := &zone{}; return object.Box(z) }

func (s *stamp) hasDate() bool { return s.class != timeClass }
func (s *stamp) hasTime() bool { return s.class != dateClass }

// micros counts microseconds since the year 1 began, without the offset.
func (s *stamp) micros() *big.Int {
	n := new(big.Int)
	if s.hasDate() {
		n.Mul(big.NewInt(ordinal(s.y, s.m, s.d)), bigDay)
	}
	return n.Add(n, big.NewInt(s.clock()))
}

// clock counts microseconds since midnight.
func (s *stamp) clock() int64 {
	return int64(s.h*3600+s.mi*60+s.s)*1000000 + int64(s.us)
}

// at makes a datetime or date of microseconds.
func (s *stamp) at(t *thread, n *big.Int) (*stamp, *exception) {
	day, rest := new(big.Int).DivMod(n, bigDay, new(big.Int))
	if !day.IsInt64() || day.Int64() < 1 || day.Int64() > maxOrdinal {
		return nil, t.Raise(object.OverflowError, "date value out of range")
	}
	c := *s
	c.Obj = object.Obj{}
	c.y, c.m, c.d = civil(day.Int64())
	c.setClock(rest.Int64())
	return &c, t.Alloc(160)
}

func (s *stamp) setClock(us int64) {
	if s.class == dateClass {
		return
	}
	sec := us / 1000000
	s.h, s.mi, s.s, s.us, s.fold = int(sec/3600), int(sec/60%60), int(sec%60), int(us%1000000), 0
}

// offset gives the offset from UTC in microseconds; ok is false for naive ones.
func (s *stamp) offset() (int64, bool) {
	z, ok := object.NativeOf[*zone](s.tz)
	if !ok {
		return 0, false
	}
	if z.loc == nil {
		return z.micros, true
	}
	if !s.hasDate() {
		return 0, false
	}
	off, _ := z.lookup(s)
	return int64(off) * 1000000, true
}

// lookup gives the offset in seconds and the name that a zone has at a local time:
// at a time that happens twice, or never, fold chooses.
func (z *zone) lookup(s *stamp) (seconds int, name string) {
	local := (ordinal(s.y, s.m, s.d)-719163)*86400 + s.clock()/1000000
	of := func(unix int64) (int, string) {
		n, o := time.Unix(unix, 0).In(z.loc).Zone()
		return o, n
	}
	before, nb := of(local - 86400)
	after, na := of(local + 86400)
	if before == after {
		return of(local - int64(before))
	}
	o1, _ := of(local - int64(before))
	o2, _ := of(local - int64(after))
	switch ok1, ok2 := o1 == before, o2 == after; {
	case ok1 == ok2 && s.fold == 0, ok1 && !ok2:
		return before, nb
	}
	return after, na
}

// offsetText is +HH:MM, with seconds where there are any.
func offsetText(micros int64, colon string) string {
	sign := "+"
	if micros < 0 {
		sign, micros = "-", -micros
	}
	sec := micros / 1000000
	text := fmt.Sprintf("%s%02d%s%02d", sign, sec/3600, colon, sec/60%60)
	if sec%60 != 0 || micros%1000000 != 0 {
		text += fmt.Sprintf("%s%02d", colon, sec%60)
	}
	if us := micros % 1000000; us != 0 {
		text += fmt.Sprintf(".%06d", us)
	}
	return text
}

// zoneName is tzname().
func (s *stamp) zoneName() (string, bool) {
	z, ok := object.NativeOf[*zone](s.tz)
	if !ok {
		return "", false
	}
	if z.loc != nil {
		if !s.hasDate() {
			return "", false
		}
		_, n := z.lookup(s)
		return n, true
	}
	return z.title(), true
}

func (z *zone) title() string {
	switch {
	case z.name != "":
		return z.name
	case z.micros == 0:
		return "UTC"
	}
	return "UTC" + offsetText(z.micros, ":")
}

// iso is isoformat(); spec is the finest unit shown, "auto" for as many as needed.
func (s *stamp) iso(sep, spec string) string {
	var b strings.Builder
	if s.hasDate() {
		fmt.Fprintf(&b, "%04d-%02d-%02d", s.y, s.m, s.d)
		if !s.hasTime() {
			return b.String()
		}
		b.WriteString(sep)
	}
	if spec == "auto" {
		spec = "seconds"
		if s.us != 0 {
			spec = "microseconds"
		}
	}
	fmt.Fprintf(&b, "%02d", s.h)
	if spec != "hours" {
		fmt.Fprintf(&b, ":%02d", s.mi)
		if spec != "minutes" {
			fmt.Fprintf(&b, ":%02d", s.s)
		}
	}
	switch spec {
	case "milliseconds":
		fmt.Fprintf(&b, ".%03d", s.us/1000)
	case "microseconds":
		fmt.Fprintf(&b, ".%06d", s.us)
	}
	if off, ok := s.offset(); ok {
		b.WriteString(offsetText(off, ":"))
	}
	return b.String()
}

// repr is the constructor's call.
func (s *stamp) repr(t *thread, name string) (string, *exception) {
	if s.class == dateClass {
		return fmt.Sprintf("%s(%d, %d, %d)", name, s.y, s.m, s.d), nil
	}
	text := name + "("
	if s.hasDate() {
		text += fmt.Sprintf("%d, %d, %d, ", s.y, s.m, s.d)
	}
	text += fmt.Sprintf("%d, %d", s.h, s.mi)
	if s.s != 0 || s.us != 0 {
		text += fmt.Sprintf(", %d", s.s)
	}
	if s.us != 0 {
		text += fmt.Sprintf(", %d", s.us)
	}
	if s.fold != 0 {
		text += ", fold=1"
	}
	if !s.tz.IsNone() {
		r, x := t.Repr(s.tz)
		if x != nil {
			return "", x
		}
		text += ", tzinfo=" + r
	}
	return text + ")", nil
}

// compareStamps orders two of one kind; ok is false where they cannot be ordered.
func compareStamps(a, b *stamp) (c int, ok bool) {
	x, aware := a.offset()
	y, aware2 := b.offset()
	if aware != aware2 {
		return 0, false
	}
	p, q := a.micros(), b.micros()
	return p.Sub(p, big.NewInt(x)).Cmp(q.Sub(q, big.NewInt(y))), true
}
