package pgtype

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// posixPrefix begins the names of zones that follow a rule.
const posixPrefix = "posix:"

// defaultRules are those of a POSIX zone with daylight saving time that names none.
const defaultRules = ",M3.2.0,M11.1.0"

// posixZone reads a rule as the TZ variable of POSIX 1003.1 section 8.3 has it. The
// offset counts westward, and the name may be empty, which the server allows.
func posixZone(rule string) (*time.Location, bool) {
	name, rest, ok := posixName(rule)
	if !ok || rest == "" {
		return nil, false
	}
	standard, rest, ok := posixOffset(rest)
	if !ok {
		return nil, false
	}
	if rest == "" {
		return time.FixedZone(name, -standard), true
	}
	daylightName, rest, ok := posixName(rest)
	if !ok || daylightName == "" {
		return nil, false
	}
	daylight := standard - 3600
	if rest != "" && rest[0] != ',' && rest[0] != ';' {
		if daylight, rest, ok = posixOffset(rest); !ok {
			return nil, false
		}
	}
	if rest == "" {
		rest = defaultRules
	}
	rules, ok := posixRules(rest)
	if !ok {
		return nil, false
	}
	return ruledZone(name, standard, daylightName, daylight, rules)
}

// posixName splits a name, in angle brackets or up to the first digit, sign or
// comma, from what follows.
func posixName(s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, "<") {
		name, rest, ok = strings.Cut(s[1:], ">")
		return name, rest, ok
	}
	end := strings.IndexAny(s, "0123456789,-+")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], true
}

// posixOffset reads [+-]hh[:mm[:ss]] and gives seconds.
func posixOffset(s string) (seconds int, rest string, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	seconds, rest, ok = posixTime(s)
	if negative {
		seconds = -seconds
	}
	return seconds, rest, ok
}

func posixTime(s string) (seconds int, rest string, ok bool) {
	for i, limit := range [3]int{24*7 - 1, 59, 60} {
		n, after, ok := posixNumber(s, 0, limit)
		if !ok {
			return 0, "", false
		}
		seconds += n * [3]int{3600, 60, 1}[i]
		s = after
		if i == 2 || !strings.HasPrefix(s, ":") {
			break
		}
		s = s[1:]
	}
	return seconds, s, true
}

func posixNumber(s string, low, high int) (n int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if n = n*10 + int(s[i]-'0'); n > high {
			return 0, "", false
		}
	}
	return n, s[i:], i > 0 && n >= low
}

// posixRules reads ,start,end and gives both in the spelling of RFC 8536. Rules so
// near to each other that their order may change from year to year are refused:
// what they mean is nobody's intention, and libraries differ.
func posixRules(s string) (rules string, ok bool) {
	start, from, rest, ok := posixRule(s[1:])
	if !ok || !strings.HasPrefix(rest, ",") {
		return "", false
	}
	end, to, rest, ok := posixRule(rest[1:])
	return "," + start + "," + end, ok && rest == "" && from.apart(to)
}

// span is a range of days of the year.
type span struct{ first, last int }

// apart reports whether two spans are days from each other, round the year too.
func (s span) apart(t span) bool {
	const near, year = 3, 365
	gap := func(a, b span) int { return floorMod(b.first-a.last, year) }
	length := (s.last - s.first) + (t.last - t.first)
	return gap(s, t) > near && gap(t, s) > near && gap(s, t)+gap(t, s)+length == year
}

func posixRule(s string) (rule string, days span, rest string, ok bool) {
	var n, month, week, day int
	switch {
	case strings.HasPrefix(s, "J"):
		n, rest, ok = posixNumber(s[1:], 1, 365)
		rule = fmt.Sprintf("J%d", n)
		days = span{n, n}
	case strings.HasPrefix(s, "M"):
		month, rest, ok = posixNumber(s[1:], 1, 12)
		if !ok || !strings.HasPrefix(rest, ".") {
			return "", days, "", false
		}
		week, rest, ok = posixNumber(rest[1:], 1, 5)
		if !ok || !strings.HasPrefix(rest, ".") {
			return "", days, "", false
		}
		day, rest, ok = posixNumber(rest[1:], 0, 6)
		rule = fmt.Sprintf("M%d.%d.%d", month, week, day)
		if ok {
			days = weekDays(month, week)
		}
	default:
		n, rest, ok = posixNumber(s, 0, 365)
		rule = fmt.Sprint(n)
		days = span{n, n + 1}
	}
	if !ok || !strings.HasPrefix(rest, "/") {
		return rule, days, rest, ok
	}
	at, rest, ok := posixOffset(rest[1:])
	shift := floorDiv(at, secondsPerDay)
	return rule + "/" + posixClock(at), span{days.first + shift, days.last + shift}, rest, ok
}

// weekDays gives the days of the year that a weekday of a week of a month may be.
func weekDays(month, week int) span {
	first := julianDay(2001, month, 1) - julianDay(2001, 1, 1) + 1
	if week == 5 {
		last := first + monthLength(2001, month) - 1
		return span{last - 6, last}
	}
	return span{first + 7*(week-1), first + 7*week - 1}
}

func posixClock(seconds int) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, seconds/3600, seconds/60%60, seconds%60)
}

// ruledZone makes a zone of two alternating offsets, given in seconds to the west.
// It goes through the file format of zones (RFC 8536), whose footer is such a rule:
// the library reads rules nowhere else. One change in the far past leaves every
// later moment to the footer.
func ruledZone(name string, standard int, daylightName string, daylight int, rules string) (*time.Location, bool) {
	footer := fmt.Sprintf("<%s>%s<%s>%s%s", footerName(name, "STD"), posixClock(standard), footerName(daylightName, "DST"), posixClock(daylight), rules)
	header := func(changes, types, letters int) []byte {
		b := append([]byte("TZif2"), make([]byte, 15)...)
		for _, n := range []int{0, 0, 0, changes, types, letters} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	data := append(header(0, 0, 0), header(1, 1, 4)...)
	longAgo := int64(-1) << 40
	data = binary.BigEndian.AppendUint64(data, uint64(longAgo))
	data = append(data, 0)
	data = binary.BigEndian.AppendUint32(data, uint32(int32(-standard)))
	data = append(data, 0, 0, 'S', 'T', 'D', 0)
	data = append(data, "\n"+footer+"\n"...)
	zone, err := time.LoadLocationFromTZData(posixPrefix+name, data)
	return zone, err == nil
}

// footerName gives a name that a footer can carry: of three letters or more.
func footerName(name, otherwise string) string {
	if len(name) < 3 || strings.ContainsAny(name, "<>\n") {
		return otherwise
	}
	return name
}
