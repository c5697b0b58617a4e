package module

import (
	"math"
	"math/big"
	"time"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// structTime is time.struct_time: a broken-down time, in UTC as all local time is.
var structTime = newRecord("time", "struct_time", "tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")

func init() {
	c := structTime.class
	c.Name = "time.struct_time"
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		if len(a) != 1 || len(names) > 0 {
			return raised(t.RaiseType("structseq() takes a sequence of nine integers"))
		}
		items, x := t.Items(a[0])
		if x != nil {
			return value{}, x
		}
		if len(items) < 9 {
			return raised(t.RaiseType("time.struct_time() takes an at least 9-sequence (%d-sequence given)", len(items)))
		}
		v, x := t.Tuple(items[:9]...)
		if x != nil {
			return value{}, x
		}
		return t.Extend(cls, v)
	}
	c.Getter("tm_zone", func(*thread, value) (value, *exception) { return object.Constant("UTC"), nil })
	c.Getter("tm_gmtoff", func(*thread, value) (value, *exception) { return object.Int(0), nil })
	c.Ready()
	dateClass.Method("timetuple", "", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		return brokenDown(t, s, s.isDST())
	})
	datetimeClass.Method("utctimetuple", "", func(t *thread, a []value) (value, *exception) {
		s := selfStamp(a[0])
		if off, ok := s.offset(); ok {
			n := s.micros()
			moved, x := s.at(t, n.Sub(n, big.NewInt(off)))
			if x != nil {
				return value{}, x
			}
			s = moved
		}
		return brokenDown(t, s, 0)
	})
}

// isDST is the last field of a time: -1 where it is not known.
func (s *stamp) isDST() int64 {
	z, ok := object.NativeOf[*zone](s.tz)
	if !ok || !s.hasTime() || z.loc == nil {
		return -1
	}
	off, _ := z.lookup(s)
	if time.Date(s.y, time.Month(s.m), s.d, s.h, s.mi, s.s, 0, z.loc).IsDST() && off != 0 {
		return 1
	}
	return 0
}

// brokenDown makes a struct_time of a date or datetime.
func brokenDown(t *thread, s *stamp, dst int64) (value, *exception) {
	day := ordinal(s.y, s.m, s.d)
	var out []value
	for _, n := range []int64{
		int64(s.y), int64(s.m), int64(s.d), int64(s.h), int64(s.mi), int64(s.s), int64(weekday(day)), day - ordinal(s.y, 1, 1) + 1, dst,
	} {
		out = append(out, object.Int(n))
	}
	return structTime.make(t, out...)
}

// timeFunctions are the functions of time that work on broken-down times.
func timeFunctions(m *object.Module, now func() time.Time) {
	at := func(t *thread, v value) (*stamp, *exception) {
		if !v.IsSet() || v.IsNone() {
			return fromTime(now(), datetimeClass, utc), nil
		}
		f, x := mathFloat(t, v)
		if x != nil {
			return nil, x
		}
		if math.IsNaN(f) || math.Abs(f) > 2.5e11 {
			return nil, t.Raise(object.OverflowError, "timestamp out of range for platform time_t")
		}
		return fromTime(time.Unix(int64(math.Floor(f)), 0), datetimeClass, utc), nil
	}
	for _, name := range []string{"gmtime", "localtime"} {
		m.Func(name, "seconds? /", func(t *thread, a []value) (value, *exception) {
			s, x := at(t, object.Arg(a, 0))
			if x != nil {
				return value{}, x
			}
			return brokenDown(t, s, 0)
		})
	}
	m.Func("mktime", "tuple /", func(t *thread, a []value) (value, *exception) {
		s, x := stampOfStruct(t, a[0])
		if x != nil {
			return value{}, x
		}
		return object.Float(float64((ordinal(s.y, s.m, s.d)-719163)*86400 + s.clock()/1000000)), nil
	})
	const plain = "%a %b %e %H:%M:%S %Y"
	m.Func("ctime", "seconds? /", func(t *thread, a []value) (value, *exception) {
		s, x := at(t, object.Arg(a, 0))
		if x != nil {
			return value{}, x
		}
		text, x := s.format(t, plain)
		return str(t, text, x)
	})
	given := func(t *thread, v value) (*stamp, *exception) {
		if v.IsSet() {
			return stampOfStruct(t, v)
		}
		return at(t, value{})
	}
	m.Func("asctime", "tuple? /", func(t *thread, a []value) (value, *exception) {
		s, x := given(t, object.Arg(a, 0))
		if x != nil {
			return value{}, x
		}
		text, x := s.format(t, plain)
		return str(t, text, x)
	})
	m.Func("strftime", "format tuple? /", func(t *thread, a []value) (value, *exception) {
		f, ok := textOf(a[0])
		if !ok {
			return raised(t.RaiseType("strftime() argument 1 must be str, not %s", nameOf(a[0])))
		}
		s, x := given(t, object.Arg(a, 1))
		if x != nil {
			return value{}, x
		}
		text, x := s.format(t, f)
		return str(t, text, x)
	})
	m.Func("strptime", "string format? /", func(t *thread, a []value) (value, *exception) {
		f := object.Arg(a, 1)
		if !f.IsSet() {
			f = object.Constant("%a %b %d %H:%M:%S %Y")
		}
		parse, x := t.GetAttr(datetimeClass.Value(), "strptime")
		if x != nil {
			return value{}, x
		}
		v, x := t.Call(parse, a[0], f)
		if x != nil {
			return value{}, x
		}
		return brokenDown(t, selfStamp(v), -1)
	})
	m.Set("struct_time", structTime.class.Value()).Set("timezone", object.Int(0)).Set("tzname", object.NewTuple([]value{object.Constant("UTC"), object.Constant("UTC")}))
}

// stampOfStruct reads a broken-down time.
func stampOfStruct(t *thread, v value) (*stamp, *exception) {
	u, ok := object.TupleOf(v)
	if !ok {
		return nil, t.RaiseType("Tuple or struct_time argument required")
	}
	if len(u.Items()) != 9 {
		return nil, t.RaiseType("function takes exactly 9 arguments (%d given)", len(u.Items()))
	}
	var f [6]int
	for i := range f {
		n, x := t.IndexInt(u.Items()[i])
		if x != nil {
			return nil, x
		}
		f[i] = int(n)
	}
	if f[0] < 1 || f[0] > 9999 || f[1] < 1 || f[1] > 12 || f[2] < 1 || f[2] > 31 || f[3] < 0 || f[3] > 23 || f[4] < 0 || f[4] > 59 || f[5] < 0 || f[5] > 61 {
		return nil, t.RaiseValue("the broken-down time is out of range")
	}
	at := time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, time.UTC)
	return fromTime(at, datetimeClass, utc), nil
}
