package realm

import (
	"fmt"
	"math"

	"github.com/dop251/goja"
)

// date is a Date: an object of ours, because the engine's work in the zone of the
// host. The zone here is UTC.
type date struct {
	expando
	r  *Realm
	ms float64 // since the epoch, NaN for an invalid date
}

var _ goja.DynamicObject = (*date)(nil)

// Set adds a property.
func (d *date) Set(key string, v goja.Value) bool {
	if d.frozen {
		d.r.typeError("Cannot add property %s, object is not extensible", clipName(key))
	}
	d.r.Alloc(propBytes)
	return d.expando.Set(key, v)
}

const (
	msPerDay  = 86_400_000
	maxTime   = 8.64e15
	msPerHour = 3_600_000
)

// newDate makes a Date.
func (r *Realm) newDate(ms float64, proto *goja.Object) *goja.Object {
	r.Alloc(objectBytes)
	o := r.vm.NewDynamicObject(&date{r: r, ms: timeClip(ms)})
	if proto == nil {
		proto = r.proto(dateProto)
	}
	_ = o.SetPrototype(proto)
	return o
}

// timeClip is ECMA-262 TimeClip.
func timeClip(ms float64) float64 {
	if ms != ms || math.Abs(ms) > maxTime {
		return math.NaN()
	}
	return math.Trunc(ms) + 0
}

// fields are the parts of a time: year, month from 0, day, hours, minutes,
// seconds, milliseconds.
type fields [7]float64

// civil splits a time; it must not be NaN.
func civil(ms float64) (f fields, weekday int) {
	days := math.Floor(ms / msPerDay)
	in := ms - days*msPerDay
	weekday = int(math.Mod(math.Mod(days+4, 7)+7, 7))
	y, m, d := civilDay(int64(days))
	return fields{
		float64(y), float64(m - 1), float64(d), math.Floor(in / msPerHour), math.Floor(math.Mod(in, msPerHour) / 60_000),
		math.Floor(math.Mod(in, 60_000) / 1000), math.Mod(in, 1000),
	}, weekday
}

// civilDay gives the proleptic Gregorian date of a day since the epoch.
func civilDay(days int64) (y int64, m, d int) {
	days += 719_468
	era := days / 146_097
	if days < 0 {
		era = (days - 146_096) / 146_097
	}
	doe := days - era*146_097
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy-(153*mp+2)/5) + 1
	m = int(mp) + 3
	if m > 12 {
		m -= 12
	}
	y = yoe + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

// time is ECMA-262 MakeDate of fields, which may be out of their ranges.
func (f fields) time() float64 {
	for _, x := range f {
		if x != x || math.IsInf(x, 0) {
			return math.NaN()
		}
	}
	y := math.Trunc(f[0]) + math.Floor(math.Trunc(f[1])/12)
	m := math.Mod(math.Mod(math.Trunc(f[1]), 12)+12, 12)
	if math.Abs(y) > 400_000 {
		return math.NaN()
	}
	days := float64(dayOf(int64(y), int(m)+1)) + math.Trunc(f[2]) - 1
	return days*msPerDay + math.Trunc(f[3])*msPerHour + math.Trunc(f[4])*60_000 + math.Trunc(f[5])*1000 + math.Trunc(f[6])
}

// dayOf is the day since the epoch of the first of a month.
func dayOf(y int64, m int) int64 {
	if m <= 2 {
		y--
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yoe := y - era*400
	mp := int64((m + 9) % 12)
	doy := (153*mp + 2) / 5
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146_097 + doe - 719_468
}

// thisDate is the date a method was called on.
func (r *Realm) thisDate(c call) *date {
	if o, ok := c.This.(*goja.Object); ok {
		if d, ok := dynamic(o).(*date); ok {
			return d
		}
	}
	r.typeError("this is not a Date object.")
	return nil
}

// dateMethod is a method whose result for an invalid date is given.
func dateMethod(name string, length int, invalid goja.Value, f func(r *Realm, d *date, c call) goja.Value) member {
	return method(name, length, func(r *Realm, c call) goja.Value {
		d := r.thisDate(c)
		if d.ms != d.ms && invalid != nil {
			return invalid
		}
		return f(r, d, c)
	})
}

// partNames are the parts that have a getter and a setter, in the order of fields.
var partNames = [7]string{"FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"}

func dateMethods() []member {
	invalid := bare.ToValue("Invalid Date")
	text := func(name string, f func(ms float64) string) member {
		return dateMethod(name, 0, invalid, func(r *Realm, d *date, _ call) goja.Value { return r.newText(f(d.ms)) })
	}
	value := func(name string) member {
		return dateMethod(name, 0, nil, func(_ *Realm, d *date, _ call) goja.Value { return number(d.ms) })
	}
	list := []member{
		value("getTime"), value("valueOf"),
		text("toString", fullText), text("toDateString", dayText), text("toTimeString", clockText), text("toUTCString", utcText),
		text("toGMTString", utcText),
		dateMethod("toISOString", 0, nil, func(r *Realm, d *date, _ call) goja.Value {
			if d.ms != d.ms {
				r.rangeError("Invalid time value")
			}
			return r.newText(isoText(d.ms))
		}),
		dateMethod("toJSON", 1, goja.Null(), func(r *Realm, d *date, _ call) goja.Value { return r.newText(isoText(d.ms)) }),
		dateMethod("getTimezoneOffset", 0, goja.NaN(), func(*Realm, *date, call) goja.Value { return whole(0) }),
		dateMethod("getYear", 0, goja.NaN(), func(_ *Realm, d *date, _ call) goja.Value {
			f, _ := civil(d.ms)
			return number(f[0] - 1900)
		}),
		dateMethod("setTime", 1, nil, func(r *Realm, d *date, c call) goja.Value {
			return d.assign(timeClip(r.num(arg(c, 0))))
		}),
		localeMethod("toLocaleString", true, true),
		localeMethod("toLocaleDateString", true, false),
		localeMethod("toLocaleTimeString", false, true),
	}
	for _, zone := range []string{"", "UTC"} {
		list = append(list, dateMethod("get"+zone+"Day", 0, goja.NaN(), func(_ *Realm, d *date, _ call) goja.Value {
			_, weekday := civil(d.ms)
			return whole(weekday)
		}))
		for i, part := range partNames {
			list = append(list, dateMethod("get"+zone+part, 0, goja.NaN(), func(_ *Realm, d *date, _ call) goja.Value {
				f, _ := civil(d.ms)
				return number(f[i])
			}))
			list = append(list, setter("set"+zone+part, i))
		}
	}
	return list
}

// setter sets a part and, with more arguments, the parts after it: of the day up
// to the day, of the clock up to milliseconds.
func setter(name string, first int) member {
	last := 6
	if first <= 2 {
		last = 2
	}
	return dateMethod(name, last-first+1, nil, func(r *Realm, d *date, c call) goja.Value {
		args := []float64{math.NaN()}
		for i := first; i <= last && i-first < len(c.Arguments); i++ {
			v := r.num(c.Arguments[i-first])
			if i == first {
				args[0] = v
			} else {
				args = append(args, v)
			}
		}
		ms := d.ms
		if ms != ms {
			if first != 0 {
				return goja.NaN()
			}
			ms = 0
		}
		f, _ := civil(ms)
		copy(f[first:], args)
		return d.assign(timeClip(f.time()))
	})
}

func (d *date) assign(ms float64) goja.Value {
	d.ms = ms
	return number(ms)
}

func dateStatics() []member {
	return []member{
		method("now", 0, func(r *Realm, _ call) goja.Value { return number(r.now()) }),
		method("parse", 1, func(r *Realm, c call) goja.Value { return number(r.parseDate(r.str(arg(c, 0)))) }),
		method("UTC", 7, func(r *Realm, c call) goja.Value { return number(timeClip(r.argFields(c.Arguments).time())) }),
	}
}

func (r *Realm) now() float64 {
	ms := r.options.Now().UnixMilli()
	if err := r.meter.Err(); err != nil { // the reading is none
		r.stop(err)
	}
	return float64(ms)
}

// argFields reads the arguments of new Date(y, m, …): years 0 to 99 are of the
// twentieth century.
func (r *Realm) argFields(args []goja.Value) fields {
	f := fields{math.NaN(), 0, 1, 0, 0, 0, 0}
	for i := 0; i < len(args) && i < len(f); i++ {
		f[i] = r.num(args[i])
	}
	if y := math.Trunc(f[0]); y >= 0 && y <= 99 {
		f[0] = 1900 + y
	}
	return f
}

func (r *Realm) dateConstructor() goja.Value {
	p := r.proto(dateProto)
	r.reach("toString")
	r.reach("valueOf")
	r.reach("toJSON")
	_ = p.DefineDataPropertySymbol(goja.SymToPrimitive, r.Function("[Symbol.toPrimitive]", 1, r.datePrimitive), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return r.constructor("Date", 7, p, func(c goja.ConstructorCall) *goja.Object {
		return r.newDate(r.dateFor(c.Arguments), c.This.Prototype())
	})
}

// dateFor is the time of new Date(...).
func (r *Realm) dateFor(args []goja.Value) float64 {
	switch len(args) {
	case 0:
		return r.now()
	case 1:
		if o, ok := args[0].(*goja.Object); ok {
			if d, ok := dynamic(o).(*date); ok {
				return d.ms
			}
		}
		v := r.primitive(args[0])
		if s, ok := v.(goja.String); ok {
			return r.parseDate(s)
		}
		return r.num(v)
	}
	return r.argFields(args).time()
}

// datePrimitive is Date.prototype[Symbol.toPrimitive]: text unless a number is
// asked for.
func (r *Realm) datePrimitive(c call) goja.Value {
	o, ok := c.This.(*goja.Object)
	if !ok {
		r.typeError("Date.prototype[Symbol.toPrimitive] called on a value that is no object")
	}
	names := [2]string{"toString", "valueOf"}
	if s, ok := arg(c, 0).(goja.String); ok && s.String() == "number" {
		names[0], names[1] = names[1], names[0]
	}
	for _, name := range names {
		if f := callable(o.Get(name)); f != nil {
			if v := filled(f(call{This: o})); !isObject(v) {
				return v
			}
		}
	}
	r.typeError("Cannot convert object to primitive value")
	return nil
}

var (
	dayNames   = [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthNames = [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

// yearText writes a year as toString does: at least four digits.
func yearText(y float64) string {
	if y < 0 {
		return fmt.Sprintf("-%04d", int64(-y))
	}
	return fmt.Sprintf("%04d", int64(y))
}

func dayText(ms float64) string {
	f, weekday := civil(ms)
	return fmt.Sprintf("%s %s %02d %s", dayNames[weekday][:3], monthNames[int(f[1])][:3], int(f[2]), yearText(f[0]))
}

func clockText(ms float64) string {
	f, _ := civil(ms)
	return fmt.Sprintf("%02d:%02d:%02d GMT+0000 (Coordinated Universal Time)", int(f[3]), int(f[4]), int(f[5]))
}

func fullText(ms float64) string { return dayText(ms) + " " + clockText(ms) }

func utcText(ms float64) string {
	f, weekday := civil(ms)
	return fmt.Sprintf("%s, %02d %s %s %02d:%02d:%02d GMT", dayNames[weekday][:3], int(f[2]), monthNames[int(f[1])][:3], yearText(f[0]),
		int(f[3]), int(f[4]), int(f[5]))
}

func isoText(ms float64) string {
	f, _ := civil(ms)
	year := fmt.Sprintf("%04d", int64(f[0]))
	if f[0] < 0 {
		year = fmt.Sprintf("-%06d", int64(-f[0]))
	} else if f[0] > 9999 {
		year = fmt.Sprintf("+%06d", int64(f[0]))
	}
	return fmt.Sprintf("%s-%02d-%02dT%02d:%02d:%02d.%03dZ", year, int(f[1])+1, int(f[2]), int(f[3]), int(f[4]), int(f[5]), int(f[6]))
}
