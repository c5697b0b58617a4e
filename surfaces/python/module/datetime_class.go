package module

import (
	"math"
	"math/big"
	"time"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var _ = register("datetime", func(*Library) *object.Module {
	m := object.NewModule("datetime")
	for _, c := range []*class{dateClass, timeClass, datetimeClass, deltaClass, tzinfoClass, timezoneClass} {
		m.Set(c.ShortName(), c.Value())
	}
	return m.Set("UTC", utc).Set("MINYEAR", object.Int(1)).Set("MAXYEAR", object.Int(9999))
})

var utc = utcZone()

const (
	dateFields = "year month day"
	timeFields = "hour? minute? second? microsecond? tzinfo? * fold?"
)

// setDate reads year, month and day.
func (s *stamp) setDate(t *thread, a []value) *exception {
	for i, p := range []*int{&s.y, &s.m, &s.d} {
		if v, ok := given(a, i); ok {
			n, x := cint(t, v)
			if x != nil {
				return x
			}
			*p = n
		}
	}
	switch {
	case s.y < 1 || s.y > 9999:
		return t.RaiseValue("year %d is out of range", s.y)
	case s.m < 1 || s.m > 12:
		return t.RaiseValue("month must be in 1..12")
	case s.d < 1 || s.d > daysIn(s.y, s.m):
		return t.RaiseValue("day is out of range for month")
	}
	return nil
}

// setTime reads hour to fold.
func (s *stamp) setTime(t *thread, a []value) *exception {
	for i, p := range []*int{&s.h, &s.mi, &s.s, &s.us} {
		if v, ok := given(a, i); ok {
			n, x := cint(t, v)
			if x != nil {
				return x
			}
			*p = n
		}
	}
	if v, ok := given(a, 4); ok {
		if !v.IsNone() && !v.Class().IsSubclass(tzinfoClass) {
			return t.RaiseType("tzinfo argument must be None or of a tzinfo subclass, not type '%s'", nameOf(v))
		}
		if _, ours := object.NativeOf[*zone](v); !ours && !v.IsNone() {
			return t.RaiseType("tzinfo classes of one's own are not available: use timezone or zoneinfo.ZoneInfo")
		}
		s.tz = v
	}
	if v, ok := given(a, 5); ok {
		n, x := cint(t, v)
		if x != nil {
			return x
		}
		if n != 0 && n != 1 {
			return t.RaiseValue("fold must be either 0 or 1")
		}
		s.fold = n
	}
	switch {
	case s.h < 0 || s.h > 23:
		return t.RaiseValue("hour must be in 0..23")
	case s.mi < 0 || s.mi > 59:
		return t.RaiseValue("minute must be in 0..59")
	case s.s < 0 || s.s > 59:
		return t.RaiseValue("second must be in 0..59")
	case s.us < 0 || s.us > 999999:
		return t.RaiseValue("microsecond must be in 0..999999")
	}
	return nil
}

// give makes a value of a class or of a subclass of it.
func (s *stamp) give(t *thread, cls *class) (value, *exception) {
	if x := t.Alloc(160); x != nil {
		return value{}, x
	}
	return t.Wrap(cls, s.class, object.Box(s))
}

func asClass(v value) *class { c, _ := v.AsClass(); return c }

// fromTime makes a datetime of an instant in a zone.
func fromTime(now time.Time, c *class, tz value) *stamp {
	loc := time.UTC
	if z, ok := object.NativeOf[*zone](tz); ok {
		if loc = z.loc; loc == nil {
			loc = time.FixedZone("", int(z.micros/1000000))
		}
	}
	now = now.In(loc)
	s := &stamp{class: c, y: now.Year(), m: int(now.Month()), d: now.Day(), tz: object.None}
	if c == datetimeClass {
		s.h, s.mi, s.s, s.us, s.tz = now.Hour(), now.Minute(), now.Second(), now.Nanosecond()/1000, tz
		if off, ok := s.offset(); ok {
			if _, real := now.Zone(); int64(real)*1000000 != off {
				s.fold = 1
			}
		}
	}
	return s
}

// fromSeconds reads a timestamp, rounded to the microsecond, ties to even.
func fromSeconds(t *thread, v value) (time.Time, *exception) {
	var micros *big.Int
	if n, ok := object.BigOf(v); ok {
		micros = new(big.Int).Mul(n, big.NewInt(1000000))
	} else {
		f, x := mathFloat(t, v)
		if x != nil {
			return time.Time{}, x
		}
		if math.IsNaN(f) {
			return time.Time{}, t.RaiseValue("cannot convert float NaN to integer")
		}
		if math.IsInf(f, 0) {
			return time.Time{}, t.Raise(object.OverflowError, "cannot convert float infinity to integer")
		}
		whole, part := math.Modf(f)
		n, _ := big.NewFloat(whole).Int(nil)
		micros = n.Mul(n, big.NewInt(1000000))
		micros.Add(micros, big.NewInt(int64(math.RoundToEven(part*1e6))))
	}
	if !micros.IsInt64() || micros.Int64() < -62135596800000000 || micros.Int64() >= 253402300800000000 {
		sec := new(big.Int).Div(micros, big.NewInt(1000000))
		y := new(big.Int).Add(big.NewInt(1970), sec.Div(sec, big.NewInt(31556952)))
		return time.Time{}, t.RaiseValue("year %s is out of range", y)
	}
	return time.UnixMicro(micros.Int64()).UTC(), nil
}

func init() {
	setupZones()
	setupStamps()
}

func setupStamps() {
	isoCalendar.class.Name = "datetime.IsoCalendarDate"
	date := object.NewBuiltin("date", dateFields, func(t *thread, a []value) (value, *exception) {
		s := &stamp{class: dateClass, tz: object.None}
		return object.Box(s), s.setDate(t, a)
	})
	clock := object.NewBuiltin("time", timeFields, func(t *thread, a []value) (value, *exception) {
		s := &stamp{class: timeClass, tz: object.None}
		return object.Box(s), s.setTime(t, a)
	})
	both := object.NewBuiltin("datetime", dateFields+" "+timeFields, func(t *thread, a []value) (value, *exception) {
		s := &stamp{class: datetimeClass, tz: object.None}
		if x := s.setDate(t, a); x != nil {
			return value{}, x
		}
		return object.Box(s), s.setTime(t, a[min(3, len(a)):])
	})
	for c, b := range map[*class]*object.Builtin{dateClass: date, timeClass: clock, datetimeClass: both} {
		c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
			if c != timeClass {
				for i, n := range []string{"year", "month", "day"} {
					if i >= len(a)-len(names) && indexOf(names, n) < 0 {
						return raised(t.RaiseType("function missing required argument '%s' (pos %d)", n, i+1))
					}
				}
			}
			v, x := b.Call(t, a, names)
			if x != nil {
				return value{}, x
			}
			if x := t.Alloc(160); x != nil {
				return value{}, x
			}
			return t.Wrap(cls, c, v)
		}
		stampSlots(c)
		stampFields(c)
	}
	dateMethods(dateClass)
	datetimeMethods(datetimeClass)
	for c, r := range map[*class][2]*stamp{
		dateClass:     {{y: 1, m: 1, d: 1}, {y: 9999, m: 12, d: 31}},
		timeClass:     {{}, {h: 23, mi: 59, s: 59, us: 999999}},
		datetimeClass: {{y: 1, m: 1, d: 1}, {y: 9999, m: 12, d: 31, h: 23, mi: 59, s: 59, us: 999999}},
	} {
		for i, n := range []string{"min", "max"} {
			r[i].class, r[i].tz = c, object.None
			c.Attrs.Set(n, object.Box(r[i]))
		}
	}
	dateClass.Attrs.Set("resolution", object.Box(&delta{days: 1}))
	datetimeClass.Attrs.Set("resolution", object.Box(&delta{micros: 1}))
	dateClass.Ready()
	timeClass.Ready()
	datetimeClass.Ready()
}

func selfStamp(v value) *stamp { s, _ := object.NativeOf[*stamp](v); return s }

func stampSlots(c *class) {
	c.Own.Children = func(v value, visit func(value)) int { visit(v.Native().(*stamp).tz); return 160 }
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		name := v.Class().FullName()
		if v.Class().Heap {
			name = v.Class().Name
		}
		return selfStamp(v).repr(t, name)
	}
	c.Own.Str = func(_ *thread, v value) (string, *exception) { return selfStamp(v).iso(" ", "auto"), nil }
	c.Own.Format = func(t *thread, v value, spec string) (string, *exception) {
		if spec == "" {
			return t.Str(v)
		}
		return selfStamp(v).format(t, spec)
	}
	c.Own.Hash = func(t *thread, v value) (uint64, *exception) {
		s := selfStamp(v)
		n := s.micros()
		if off, ok := s.offset(); ok {
			n.Sub(n, big.NewInt(off))
		}
		return t.Hash(object.Big(n.Add(n, big.NewInt(int64(len(c.Qual))))))
	}
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		a := selfStamp(v)
		b, ok := object.NativeOf[*stamp](w)
		if !ok || a.class != b.class {
			if ok && a.hasDate() && b.hasDate() && op != object.Eq && op != object.Ne {
				return raised(t.RaiseType("can't compare datetime.datetime to datetime.date"))
			}
			return object.NotImplemented, nil
		}
		r, ok := compareStamps(a, b)
		if !ok {
			if op == object.Eq || op == object.Ne {
				return object.Bool(op == object.Ne), nil
			}
			return raised(t.RaiseType("can't compare offset-naive and offset-aware %ss", a.class.ShortName()))
		}
		return t.Compare(op, object.Int(int64(r)), object.Int(0))
	}
	c.Method("strftime", "format", func(t *thread, a []value) (value, *exception) {
		f, ok := textOf(a[1])
		if !ok {
			return raised(t.RaiseType("strftime() argument 1 must be str, not %s", nameOf(a[1])))
		}
		s, x := selfStamp(a[0]).format(t, f)
		return str(t, s, x)
	})
}

func stampFields(c *class) {
	get := func(name string, f func(s *stamp) int) {
		c.Getter(name, func(_ *thread, v value) (value, *exception) { return object.Int(int64(f(selfStamp(v)))), nil })
	}
	var all []string
	if c != timeClass {
		get("year", func(s *stamp) int { return s.y })
		get("month", func(s *stamp) int { return s.m })
		get("day", func(s *stamp) int { return s.d })
		all = append(all, "year?", "month?", "day?")
	}
	if c != dateClass {
		get("hour", func(s *stamp) int { return s.h })
		get("minute", func(s *stamp) int { return s.mi })
		get("second", func(s *stamp) int { return s.s })
		get("microsecond", func(s *stamp) int { return s.us })
		get("fold", func(s *stamp) int { return s.fold })
		c.Getter("tzinfo", func(_ *thread, v value) (value, *exception) { return selfStamp(v).tz, nil })
		zoneMethods(c)
	}
	sig := ""
	for _, n := range all {
		sig += n + " "
	}
	if c != dateClass {
		sig += timeFields
	}
	c.Method("replace", sig, func(t *thread, a []value) (value, *exception) {
		s := *selfStamp(a[0])
		s.Obj = object.Obj{}
		args := a[1:]
		if c != timeClass {
			if x := s.setDate(t, args[:min(3, len(args))]); x != nil {
				return value{}, x
			}
			args = args[min(3, len(args)):]
		}
		if c != dateClass {
			if x := s.setTime(t, args); x != nil {
				return value{}, x
			}
		}
		return s.give(t, a[0].Class())
	})
	iso := "sep? timespec?"
	if c == dateClass {
		iso = ""
	} else if c == timeClass {
		iso = "timespec?"
	}
	c.Method("isoformat", iso, func(t *thread, a []value) (value, *exception) {
		sep, spec := "T", "auto"
		args := a[1:]
		if c == datetimeClass {
			if v, ok := given(args, 0); ok {
				sep, _ = textOf(v)
				if runeCount(sep) != 1 {
					return raised(t.RaiseType("isoformat() argument 1 must be a unicode character, not %s", nameOf(v)))
				}
			}
			args = args[min(1, len(args)):]
		}
		if v, ok := given(args, 0); ok {
			spec, _ = textOf(v)
		}
		switch spec {
		case "auto", "hours", "minutes", "seconds", "milliseconds", "microseconds":
		default:
			return raised(t.RaiseValue("Unknown timespec value"))
		}
		return t.Text(selfStamp(a[0]).iso(sep, spec))
	})
	c.ClassMethod("fromisoformat", "date_string /", func(t *thread, a []value) (value, *exception) {
		text, ok := textOf(a[1])
		if !ok {
			return raised(t.RaiseType("fromisoformat: argument must be str"))
		}
		s, ok := parseISO(text, c)
		if !ok {
			return raised(t.RaiseValue("Invalid isoformat string: %s", quoted(t, text)))
		}
		if x := s.check(t); x != nil {
			return value{}, x
		}
		return s.give(t, asClass(a[0]))
	})
}

// check refuses fields that are out of range.
func (s *stamp) check(t *thread) *exception {
	if s.hasDate() {
		if x := s.setDate(t, nil); x != nil {
			return x
		}
	}
	if s.hasTime() {
		return s.setTime(t, nil)
	}
	return nil
}

func zoneMethods(c *class) {
	c.Method("utcoffset", "", func(t *thread, a []value) (value, *exception) {
		off, ok := selfStamp(a[0]).offset()
		if !ok {
			return object.None, nil
		}
		return deltaValue(t, big.NewInt(off))
	})
	c.Method("tzname", "", func(t *thread, a []value) (value, *exception) {
		n, ok := selfStamp(a[0]).zoneName()
		if !ok {
			return object.None, nil
		}
		return t.Text(n)
	})
	c.Method("dst", "", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		z, ok := object.NativeOf[*zone](s.tz)
		if !ok || z.loc == nil || !s.hasDate() {
			return object.None, nil
		}
		off, _ := z.lookup(s)
		local := (ordinal(s.y, s.m, s.d)-719163)*86400 + s.clock()/1000000
		saving := int64(0)
		if time.Unix(local-int64(off), 0).In(z.loc).IsDST() {
			saving = 3600 * 1000000
		}
		return deltaValue(t, big.NewInt(saving))
	})
}
