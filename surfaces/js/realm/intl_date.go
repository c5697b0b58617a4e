package realm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// dateStyle is how a date is written: the options of Intl.DateTimeFormat that
// programs use.
type dateStyle struct {
	locale                         locale
	weekday, month                 string // long, short, narrow; month also numeric, 2-digit
	year, day                      string // numeric, 2-digit
	hour, minute, second           string
	fraction                       int
	cycle                          string // h12, h23, h24
	zoneName                       string
	join                           string // between date and time
	zone                           *time.Location
	zoneTag                        string
	fullDate, longDate, mediumDate bool
}

// localeMethod is one of the three toLocale…String methods of Date.
func localeMethod(name string, date, clock bool) member {
	return dateMethod(name, 0, bare.ToValue("Invalid Date"), func(r *Realm, d *date_, c call) goja.Value {
		return r.newText(r.dateStyle(arg(c, 0), arg(c, 1), date, clock).format(d.ms))
	})
}

// date_ lets a parameter be called date.
type date_ = date

// dateStyle reads the arguments of a toLocale…String method; date and clock say
// what is written where the options ask for neither.
func (r *Realm) dateStyle(localesArg, opts goja.Value, date, clock bool) *dateStyle {
	o := r.optionsOf(opts)
	s := &dateStyle{locale: r.localeOf(localesArg), join: ", "}
	if s.locale.tag == "sv-SE" || s.locale.tag == "fr-FR" {
		s.join = " "
	}
	two := []string{"numeric", "2-digit"}
	name := []string{"long", "short", "narrow"}
	s.weekday = o.text("weekday", "", name...)
	s.year = o.text("year", "", two...)
	s.month = o.text("month", "", append(name, two...)...)
	s.day = o.text("day", "", two...)
	s.hour = o.text("hour", "", two...)
	s.minute = o.text("minute", "", two...)
	s.second = o.text("second", "", two...)
	s.fraction, _ = o.count("fractionalSecondDigits", 1, 3)
	s.zoneName = o.text("timeZoneName", "", "short", "long", "shortOffset", "longOffset")
	for _, refused := range []string{"era", "dayPeriod", "calendar", "numberingSystem"} {
		if _, ok := o.get(refused); ok {
			r.rangeError("The option %s is not available here.", refused)
		}
	}
	s.cycle = "h23"
	if s.locale.twelve {
		s.cycle = "h12"
	}
	s.cycle = o.text("hourCycle", s.cycle, "h11", "h12", "h23", "h24")
	if v, ok := o.get("hour12"); ok {
		s.cycle = "h23"
		if v.ToBoolean() {
			s.cycle = "h12"
		} else if s.locale.twelve {
			s.cycle = "h24" // what V8 takes for a locale with AM and PM
		}
	}
	r.zone(o, s)
	dateStyle := o.text("dateStyle", "", "full", "long", "medium", "short")
	timeStyle := o.text("timeStyle", "", "full", "long", "medium", "short")
	if dateStyle != "" || timeStyle != "" {
		if s.weekday+s.year+s.month+s.day+s.hour+s.minute+s.second != "" {
			r.typeError("Can't set option dateStyle or timeStyle together with single parts.")
		}
		s.preset(dateStyle, timeStyle)
		return s
	}
	s.defaults(date, clock)
	return s
}

// zone reads the time zone.
func (r *Realm) zone(o options, s *dateStyle) {
	s.zone, s.zoneTag = time.UTC, "UTC"
	v, ok := o.get("timeZone")
	if !ok {
		return
	}
	tag := clipString(r.str(v), 64)
	switch strings.ToUpper(tag) {
	case "UTC", "GMT", "ETC/UTC", "ETC/GMT":
		return
	}
	loc, err := loadZone(tag)
	if err != nil {
		r.rangeError("Invalid time zone specified: %s", clipName(tag))
	}
	s.zone, s.zoneTag = loc, tag
}

// preset applies dateStyle and timeStyle.
func (s *dateStyle) preset(date, clock string) {
	switch date {
	case "full":
		s.weekday, s.month, s.day, s.year, s.fullDate = "long", "long", "numeric", "numeric", true
	case "long":
		s.month, s.day, s.year, s.longDate = "long", "numeric", "numeric", true
	case "medium":
		s.month, s.day, s.year, s.mediumDate = "short", "numeric", "numeric", true
	case "short":
		s.month, s.day, s.year = "numeric", "numeric", "2-digit"
		if s.locale.order != "mdy" {
			s.month, s.day = "2-digit", "2-digit"
		}
		if s.locale.pad {
			s.year = "numeric"
		}
	}
	switch clock {
	case "full":
		s.hour, s.minute, s.second, s.zoneName = "numeric", "2-digit", "2-digit", "long"
	case "long":
		s.hour, s.minute, s.second, s.zoneName = "numeric", "2-digit", "2-digit", "short"
	case "medium":
		s.hour, s.minute, s.second = "numeric", "2-digit", "2-digit"
	case "short":
		s.hour, s.minute = "numeric", "2-digit"
	}
	if s.fullDate || s.longDate {
		s.join = " at "
	}
}

// defaults fills in what is written without options.
func (s *dateStyle) defaults(date, clock bool) {
	hasDate := s.weekday+s.year+s.month+s.day != ""
	hasClock := s.hour+s.minute+s.second != "" || s.fraction > 0
	if date && !clock && !hasDate || date && clock && !hasDate && !hasClock {
		s.year, s.month, s.day = "numeric", "numeric", "numeric"
	}
	if clock && !date && !hasClock || date && clock && !hasDate && !hasClock {
		s.hour, s.minute, s.second = "numeric", "numeric", "numeric"
	}
	if s.month == "long" {
		s.join = " at "
	}
}

// format writes a time.
func (s *dateStyle) format(ms float64) string {
	t := time.UnixMilli(int64(ms)).In(s.zone)
	_, offset := t.Zone()
	f, weekday := civil(ms + float64(offset)*1000)
	date, clock := s.dateText(f, weekday), s.clockText(f)
	if s.zoneName != "" {
		zone := s.zoneText(t, offset)
		switch {
		case clock != "":
			clock += " " + zone
		default:
			date += ", " + zone
		}
	}
	switch {
	case date == "":
		return clock
	case clock == "":
		return date
	}
	return date + s.join + clock
}

func pad(f float64, style string) string {
	if style == "2-digit" {
		return fmt.Sprintf("%02d", int64(math.Mod(f, 100)))
	}
	return strconv.FormatInt(int64(f), 10)
}

// nameIn gives a name in a width.
func nameIn(name, style string) string {
	switch style {
	case "short":
		return name[:3]
	case "narrow":
		return name[:1]
	}
	return name
}

func (s *dateStyle) dateText(f fields, weekday int) string {
	year, day := "", ""
	if s.year != "" {
		y := f[0]
		if y <= 0 {
			y = 1 - y // before the common era, which is not named
		}
		year = pad(y, s.year)
	}
	if s.day != "" {
		day = pad(f[2], s.day)
	}
	week := ""
	if s.weekday != "" {
		week = nameIn(dayNames[weekday], s.weekday)
	}
	switch s.month {
	case "long", "short", "narrow":
		return s.namedDate(week, nameIn(monthNames[int(f[1])], s.month), day, year)
	}
	month := ""
	if s.month != "" {
		style := s.month
		if s.locale.pad && (day != "" || year != "" && s.locale.order != "mdy") {
			style = "2-digit"
		}
		month = pad(f[1]+1, style)
	}
	if day != "" && s.locale.pad && month != "" {
		day = pad(f[2], "2-digit")
	}
	var parts []string
	for _, c := range s.locale.order {
		switch part := map[rune]string{'y': year, 'm': month, 'd': day}[c]; {
		case part != "":
			parts = append(parts, part)
		}
	}
	text := strings.Join(parts, s.locale.between)
	switch {
	case week == "":
		return text
	case text == "":
		return week
	case month == "" && year == "":
		return day + " " + week
	}
	return week + ", " + text
}

// namedDate writes a date with the name of the month.
func (s *dateStyle) namedDate(week, month, day, year string) string {
	text := month
	if s.locale.dayFirst {
		if day != "" {
			text = day + " " + text
		}
		if year != "" {
			text += " " + year
		}
		if week != "" {
			if year == "" {
				return week + " " + text
			}
			return week + ", " + text
		}
		return text
	}
	if day != "" {
		text += " " + day
	}
	if year != "" {
		if day != "" {
			text += ","
		}
		text += " " + year
	}
	if week != "" {
		text = week + ", " + text
	}
	return text
}

// halfSpace stands before AM and PM.
const halfSpace = " "

func (s *dateStyle) clockText(f fields) string {
	var parts []string
	half := ""
	if s.hour != "" {
		h := f[3]
		style := s.hour
		switch s.cycle {
		case "h12", "h11":
			half = halfSpace + "AM"
			if h >= 12 {
				half = halfSpace + "PM"
			}
			if h = math.Mod(h, 12); h == 0 && s.cycle == "h12" {
				h = 12
			}
			if s.locale.tag == "en-CA" || s.locale.tag == "en-IN" {
				half = strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(half)
				if s.locale.tag == "en-IN" {
					half = strings.ReplaceAll(half, ".", "")
				}
			}
		case "h24":
			style = "2-digit"
			if h == 0 {
				h = 24
			}
		default:
			if s.locale.tag != "es-ES" {
				style = "2-digit"
			}
		}
		parts = append(parts, pad(h, style))
	}
	if s.minute != "" {
		style := s.minute
		if s.hour != "" || s.second != "" {
			style = "2-digit"
		}
		parts = append(parts, pad(f[4], style))
	}
	if s.second != "" || s.fraction > 0 {
		style := s.second
		if s.minute != "" {
			style = "2-digit"
		}
		text := pad(f[5], style)
		if s.fraction > 0 {
			text += "." + fmt.Sprintf("%03d", int(f[6]))[:s.fraction]
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ":") + half
}

// zoneText names the zone.
func (s *dateStyle) zoneText(t time.Time, offset int) string {
	if offset == 0 && s.zone == time.UTC {
		switch s.zoneName {
		case "long":
			return "Coordinated Universal Time"
		case "short":
			return "UTC"
		}
		return "GMT"
	}
	if s.zoneName == "short" {
		if name, _ := t.Zone(); strings.HasPrefix(s.zoneTag, "America/") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			return name
		}
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	text := fmt.Sprintf("GMT%c%d", sign, offset/3600)
	if m := offset % 3600 / 60; m > 0 {
		text += fmt.Sprintf(":%02d", m)
	}
	return text
}
