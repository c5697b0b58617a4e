package module

import (
	"math/big"
	"time"
	_ "time/tzdata" // zoneinfo must not depend on the machine

	"github.com/polyglove/polyglove/surfaces/python/object"
)

func dateMethods(c *class) {
	c.ClassMethod("today", "", func(t *thread, a []value) (value, *exception) {
		cls := asClass(a[0])
		kind := dateClass
		if cls.IsSubclass(datetimeClass) {
			kind = datetimeClass
		}
		return fromTime(libraryOf(t).host.Clock(), kind, object.None).give(t, cls)
	})
	c.ClassMethod("fromordinal", "ordinal /", func(t *thread, a []value) (value, *exception) {
		n, x := integer(t, a[1])
		if x != nil {
			return value{}, x
		}
		if n < 1 || n > maxOrdinal {
			return raised(t.RaiseValue("ordinal must be >= 1"))
		}
		s := &stamp{class: dateClass, tz: object.None}
		if asClass(a[0]).IsSubclass(datetimeClass) {
			s.class = datetimeClass
		}
		s.y, s.m, s.d = civil(n)
		return s.give(t, asClass(a[0]))
	})
	c.ClassMethod("fromtimestamp", "timestamp /", func(t *thread, a []value) (value, *exception) {
		now, x := fromSeconds(t, a[1])
		if x != nil {
			return value{}, x
		}
		return fromTime(now, dateClass, object.None).give(t, asClass(a[0]))
	})
	c.ClassMethod("fromisocalendar", "year week day", func(t *thread, a []value) (value, *exception) {
		var f [3]int
		for i := range f {
			n, x := cint(t, a[1+i])
			if x != nil {
				return value{}, x
			}
			f[i] = n
		}
		y, w, d := f[0], f[1], f[2]
		switch {
		case y < 1 || y > 9999:
			return raised(t.RaiseValue("Year is out of range: %d", y))
		case w < 1 || w > 53 || w == 53 && !hasWeek53(y):
			return raised(t.RaiseValue("Invalid week: %d", w))
		case d < 1 || d > 7:
			return raised(t.RaiseValue("Invalid weekday: %d (range is [1, 7])", d))
		}
		s := &stamp{class: dateClass, tz: object.None}
		if asClass(a[0]).IsSubclass(datetimeClass) {
			s.class = datetimeClass
		}
		first := ordinal(y, 1, 4)
		s.y, s.m, s.d = civil(first - int64(weekday(first)) + int64((w-1)*7+d-1))
		return s.give(t, asClass(a[0]))
	})
	number := func(name string, f func(s *stamp) int64) {
		c.Method(name, "", func(_ *thread, a []value) (value, *exception) { return object.Int(f(selfStamp(a[0]))), nil })
	}
	number("toordinal", func(s *stamp) int64 { return ordinal(s.y, s.m, s.d) })
	number("weekday", func(s *stamp) int64 { return int64(weekday(ordinal(s.y, s.m, s.d))) })
	number("isoweekday", func(s *stamp) int64 { return int64(weekday(ordinal(s.y, s.m, s.d))) + 1 })
	c.Method("isocalendar", "", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		y, w, d := isoWeek(s.y, s.m, s.d)
		return isoCalendar.make(t, object.Int(int64(y)), object.Int(int64(w)), object.Int(int64(d)))
	})
	c.Method("ctime", "", func(t *thread, a []value) (value, *exception) {
		s, x := selfStamp(a[0]).format(t, "%a %b %e %H:%M:%S %Y")
		return str(t, s, x)
	})
	c.Own.Binary = stampBinary
}

func hasWeek53(y int) bool {
	_, w, _ := isoWeek(y, 12, 28)
	return w == 53
}

// stampBinary is the arithmetic of dates and datetimes.
func stampBinary(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
	s := selfStamp(v)
	if d, ok := deltaOf(w); ok && (op == object.Add || op == object.Sub && !swapped) {
		n := d.total()
		if s.class == dateClass {
			n.Mul(big.NewInt(d.days), bigDay)
		}
		if op == object.Sub {
			n.Neg(n)
			if s.class == dateClass {
				n.Mul(big.NewInt(-d.days), bigDay)
			}
		}
		r, x := s.at(t, n.Add(n, s.micros()))
		if x != nil {
			return value{}, x
		}
		return r.give(t, v.Class())
	}
	o, ok := object.NativeOf[*stamp](w)
	if !ok || op != object.Sub || swapped || o.class != s.class {
		return object.NotImplemented, nil
	}
	x1, aware1 := s.offset()
	x2, aware2 := o.offset()
	if aware1 != aware2 {
		return raised(t.RaiseType("can't subtract offset-naive and offset-aware datetimes"))
	}
	n := s.micros()
	n.Sub(n, o.micros())
	if aware1 && s.tz != o.tz {
		n.Sub(n, big.NewInt(x1-x2))
	}
	return deltaValue(t, n)
}

func datetimeMethods(c *class) {
	c.ClassMethod("now", "tz?", func(t *thread, a []value) (value, *exception) {
		tz := object.None
		if v, ok := optional(a, 1); ok {
			tz = v
			if x := (&stamp{}).setTime(t, []value{{}, {}, {}, {}, v}); x != nil {
				return value{}, x
			}
		}
		return fromTime(libraryOf(t).host.Clock(), datetimeClass, tz).give(t, asClass(a[0]))
	})
	c.ClassMethod("utcnow", "", func(t *thread, a []value) (value, *exception) {
		return fromTime(libraryOf(t).host.Clock(), datetimeClass, object.None).give(t, asClass(a[0]))
	})
	c.ClassMethod("fromtimestamp", "timestamp tz?", func(t *thread, a []value) (value, *exception) {
		now, x := fromSeconds(t, a[1])
		if x != nil {
			return value{}, x
		}
		tz := object.None
		if v, ok := optional(a, 2); ok {
			tz = v
		}
		return fromTime(now, datetimeClass, tz).give(t, asClass(a[0]))
	})
	c.ClassMethod("utcfromtimestamp", "timestamp /", func(t *thread, a []value) (value, *exception) {
		now, x := fromSeconds(t, a[1])
		if x != nil {
			return value{}, x
		}
		return fromTime(now, datetimeClass, object.None).give(t, asClass(a[0]))
	})
	c.ClassMethod("combine", "date time tzinfo?", func(t *thread, a []value) (value, *exception) {
		d, ok := object.NativeOf[*stamp](a[1])
		if !ok || !d.hasDate() {
			return raised(t.RaiseType("combine() argument 1 must be datetime.date, not %s", nameOf(a[1])))
		}
		k, ok := object.NativeOf[*stamp](a[2])
		if !ok || k.class != timeClass {
			return raised(t.RaiseType("combine() argument 2 must be datetime.time, not %s", nameOf(a[2])))
		}
		s := *k
		s.Obj, s.class, s.y, s.m, s.d = object.Obj{}, datetimeClass, d.y, d.m, d.d
		if v, ok := given(a, 3); ok {
			s.tz = v
		}
		return s.give(t, asClass(a[0]))
	})
	c.ClassMethod("strptime", "date_string format /", func(t *thread, a []value) (value, *exception) {
		s, x := parseFormat(t, a[1], a[2])
		if x != nil {
			return value{}, x
		}
		return s.give(t, asClass(a[0]))
	})
	part := func(name string, class *class, keepZone bool) {
		c.Method(name, "", func(t *thread, a []value) (value, *exception) {
			s := *selfStamp(a[0])
			s.Obj, s.class = object.Obj{}, class
			if !keepZone {
				s.tz = object.None
			}
			if class == dateClass {
				s.h, s.mi, s.s, s.us, s.fold = 0, 0, 0, 0, 0
			} else {
				s.y, s.m, s.d = 0, 0, 0
			}
			return s.give(t, class)
		})
	}
	part("date", dateClass, false)
	part("time", timeClass, false)
	part("timetz", timeClass, true)
	c.Method("timestamp", "", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		off, _ := s.offset()
		n := s.micros()
		n.Sub(n, big.NewInt(off))
		n.Sub(n, new(big.Int).Mul(big.NewInt(719163), bigDay))
		return t.Binary(object.TrueDiv, object.Big(n), object.Int(1000000))
	})
	c.Method("astimezone", "tz?", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		tz := utc
		if v, ok := optional(a, 1); ok {
			tz = v
			if x := (&stamp{}).setTime(t, []value{{}, {}, {}, {}, v}); x != nil {
				return value{}, x
			}
		}
		off, _ := s.offset()
		n := s.micros()
		n.Sub(n, big.NewInt(off))
		day, rest := new(big.Int).DivMod(n, bigDay, new(big.Int))
		y, m, d := civil(day.Int64())
		now := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Add(time.Duration(rest.Int64()) * time.Microsecond)
		r := fromTime(now, datetimeClass, tz)
		if r.y < 1 || r.y > 9999 {
			return raised(t.Raise(object.OverflowError, "date value out of range"))
		}
		return r.give(t, a[0].Class())
	})
}

func setupZones() {
	tzinfoClass.Ready()
	c := timezoneClass
	c.Final = true
	build := object.NewBuiltin("timezone", "offset name?", func(t *thread, a []value) (value, *exception) {
		d, ok := deltaOf(a[0])
		if !ok {
			return raised(t.RaiseType("timezone() argument 1 must be datetime.timedelta, not %s", nameOf(a[0])))
		}
		n := d.total()
		if n.CmpAbs(bigDay) >= 0 {
			return raised(t.RaiseValue("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not datetime.timedelta(%s).", d.repr()))
		}
		z := &zone{micros: n.Int64()}
		if v, ok := given(a, 1); ok {
			if z.name, ok = textOf(v); !ok {
				return raised(t.RaiseType("timezone() argument 2 must be str, not %s", nameOf(v)))
			}
		}
		if z.micros == 0 && z.name == "" {
			return utc, nil
		}
		return object.Box(z), t.Alloc(64)
	})
	c.New = func(t *thread, _ *class, a []value, names []string) (value, *exception) {
		return build.Call(t, a, names)
	}
	self := func(v value) *zone { z, _ := object.NativeOf[*zone](v); return z }
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		z := self(v)
		if z == self(utc) {
			return "datetime.timezone.utc", nil
		}
		d, x := newDelta(t, big.NewInt(z.micros))
		if x != nil {
			return "", x
		}
		text := "datetime.timezone(datetime.timedelta(" + d.repr() + ")"
		if z.name != "" {
			text += ", " + quoted(t, z.name)
		}
		return text + ")", nil
	}
	c.Own.Str = func(_ *thread, v value) (string, *exception) { return self(v).title(), nil }
	c.Own.Compare = func(_ *thread, op object.Cmp, v, w value) (value, *exception) {
		o, ok := object.NativeOf[*zone](w)
		if !ok || o.loc != nil || op != object.Eq && op != object.Ne {
			return object.NotImplemented, nil
		}
		return object.Bool((self(v).micros == o.micros) == (op == object.Eq)), nil
	}
	c.Own.Hash = func(t *thread, v value) (uint64, *exception) { return t.Hash(object.Int(self(v).micros)) }
	c.Method("utcoffset", "dt /", func(t *thread, a []value) (value, *exception) { return deltaValue(t, big.NewInt(self(a[0]).micros)) })
	c.Method("tzname", "dt /", func(t *thread, a []value) (value, *exception) { return t.Text(self(a[0]).title()) })
	c.Method("dst", "dt /", func(*thread, []value) (value, *exception) { return object.None, nil })
	c.Attrs.Set("utc", utc)
	c.Ready()

	z := zoneClass
	z.Name = "zoneinfo.ZoneInfo"
	z.Final = true
	z.New = func(t *thread, _ *class, a []value, _ []string) (value, *exception) {
		if len(a) != 1 {
			return raised(t.RaiseType("ZoneInfo() takes exactly one argument, the key of a zone"))
		}
		key, ok := textOf(a[0])
		if !ok {
			return raised(t.RaiseType("expected str, bytes or os.PathLike object, not %s", nameOf(a[0])))
		}
		return libraryOf(t).zone(t, key)
	}
	z.Own.Repr = func(t *thread, v value) (string, *exception) {
		return "zoneinfo.ZoneInfo(key=" + quoted(t, self(v).name) + ")", nil
	}
	z.Own.Str = func(_ *thread, v value) (string, *exception) { return self(v).name, nil }
	z.Getter("key", func(t *thread, v value) (value, *exception) { return t.Text(self(v).name) })
	z.Ready()
	zoneNotFound.Module = "zoneinfo"
	zoneNotFound.Ready()
}

var zoneNotFound = object.Define("ZoneInfoNotFoundError", object.KeyError)

// zone gives a zone of the database; equal keys are one value.
func (l *Library) zone(t *thread, key string) (value, *exception) {
	if v, ok := l.zones[key]; ok {
		return v, nil
	}
	loc, err := time.LoadLocation(key)
	if err != nil || key == "" || key == "Local" {
		return raised(object.NewException(zoneNotFound, object.NewStr("No time zone found with key "+key)))
	}
	if x := t.Alloc(8192); x != nil {
		return value{}, x
	}
	if l.zones == nil {
		l.zones = map[string]value{}
	}
	v := object.Box(&zone{name: key, loc: loc})
	l.zones[key] = v
	return v, nil
}

var _ = register("zoneinfo", func(*Library) *object.Module {
	return object.NewModule("zoneinfo").Set("ZoneInfo", zoneClass.Value()).Set("ZoneInfoNotFoundError", zoneNotFound.Value())
})
