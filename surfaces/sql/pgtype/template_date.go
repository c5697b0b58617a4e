package pgtype

// dateMode is the calendar that a pattern belongs to: one of months or one of ISO
// weeks, which do not mix.
type dateMode uint8

const (
	anyMode dateMode = iota
	gregorianMode
	isoWeekMode
)

// The patterns of dates and times; those that differ in case only are one.
const (
	dottedMeridian = iota // A.M. or P.M.
	meridian
	dottedEra // A.D. or B.C.
	era
	century
	dayName
	dayNameShort
	dayOfYear
	dayOfMonth
	dayOfWeek
	fraction1
	fraction2
	fraction3
	fraction4
	fraction5
	fraction6
	fixedMode // FX
	hour24
	hour12
	isoDayOfYear
	isoDayOfWeek
	isoWeekOfYear
	isoYear4
	isoYear3
	isoYear2
	isoYear1
	julianPattern
	minutePattern
	monthPattern
	monthName
	monthNameShort
	millisecondPattern
	offsetPattern
	quarterPattern
	romanMonth
	secondOfDay
	secondPattern
	zoneHourPattern
	zoneMinutePattern
	zonePattern
	microsecondPattern
	weekOfYear
	weekOfMonth
	yearComma
	year4
	year3
	year2
	year1
)

// dateSyntax lists the patterns so that a longer one comes before its beginning.
var dateSyntax = newSyntax(true, []pattern{
	{"A.D.", dottedEra, false, anyMode},
	{"A.M.", dottedMeridian, false, anyMode},
	{"AD", era, false, anyMode},
	{"AM", meridian, false, anyMode},
	{"B.C.", dottedEra, false, anyMode},
	{"BC", era, false, anyMode},
	{"CC", century, true, anyMode},
	{"DAY", dayName, false, anyMode},
	{"DDD", dayOfYear, true, gregorianMode},
	{"DD", dayOfMonth, true, gregorianMode},
	{"DY", dayNameShort, false, anyMode},
	{"Day", dayName, false, anyMode},
	{"Dy", dayNameShort, false, anyMode},
	{"D", dayOfWeek, true, gregorianMode},
	{"FF1", fraction1, true, anyMode},
	{"FF2", fraction2, true, anyMode},
	{"FF3", fraction3, true, anyMode},
	{"FF4", fraction4, true, anyMode},
	{"FF5", fraction5, true, anyMode},
	{"FF6", fraction6, true, anyMode},
	{"FX", fixedMode, false, anyMode},
	{"HH24", hour24, true, anyMode},
	{"HH12", hour12, true, anyMode},
	{"HH", hour12, true, anyMode},
	{"IDDD", isoDayOfYear, true, isoWeekMode},
	{"ID", isoDayOfWeek, true, isoWeekMode},
	{"IW", isoWeekOfYear, true, isoWeekMode},
	{"IYYY", isoYear4, true, isoWeekMode},
	{"IYY", isoYear3, true, isoWeekMode},
	{"IY", isoYear2, true, isoWeekMode},
	{"I", isoYear1, true, isoWeekMode},
	{"J", julianPattern, true, anyMode},
	{"MI", minutePattern, true, anyMode},
	{"MM", monthPattern, true, gregorianMode},
	{"MONTH", monthName, false, gregorianMode},
	{"MON", monthNameShort, false, gregorianMode},
	{"MS", millisecondPattern, true, anyMode},
	{"Month", monthName, false, gregorianMode},
	{"Mon", monthNameShort, false, gregorianMode},
	{"OF", offsetPattern, false, anyMode},
	{"P.M.", dottedMeridian, false, anyMode},
	{"PM", meridian, false, anyMode},
	{"Q", quarterPattern, true, anyMode},
	{"RM", romanMonth, false, gregorianMode},
	{"SSSSS", secondOfDay, true, anyMode},
	{"SSSS", secondOfDay, true, anyMode},
	{"SS", secondPattern, true, anyMode},
	{"TZH", zoneHourPattern, false, anyMode},
	{"TZM", zoneMinutePattern, true, anyMode},
	{"TZ", zonePattern, false, anyMode},
	{"US", microsecondPattern, true, anyMode},
	{"WW", weekOfYear, true, gregorianMode},
	{"W", weekOfMonth, true, gregorianMode},
	{"Y,YYY", yearComma, true, gregorianMode},
	{"YYYY", year4, true, gregorianMode},
	{"YYY", year3, true, gregorianMode},
	{"YY", year2, true, gregorianMode},
	{"Y", year1, true, gregorianMode},

	{"a.d.", dottedEra, false, anyMode},
	{"a.m.", dottedMeridian, false, anyMode},
	{"ad", era, false, anyMode},
	{"am", meridian, false, anyMode},
	{"b.c.", dottedEra, false, anyMode},
	{"bc", era, false, anyMode},
	{"cc", century, true, anyMode},
	{"day", dayName, false, anyMode},
	{"ddd", dayOfYear, true, gregorianMode},
	{"dd", dayOfMonth, true, gregorianMode},
	{"dy", dayNameShort, false, anyMode},
	{"d", dayOfWeek, true, gregorianMode},
	{"ff1", fraction1, true, anyMode},
	{"ff2", fraction2, true, anyMode},
	{"ff3", fraction3, true, anyMode},
	{"ff4", fraction4, true, anyMode},
	{"ff5", fraction5, true, anyMode},
	{"ff6", fraction6, true, anyMode},
	{"fx", fixedMode, false, anyMode},
	{"hh24", hour24, true, anyMode},
	{"hh12", hour12, true, anyMode},
	{"hh", hour12, true, anyMode},
	{"iddd", isoDayOfYear, true, isoWeekMode},
	{"id", isoDayOfWeek, true, isoWeekMode},
	{"iw", isoWeekOfYear, true, isoWeekMode},
	{"iyyy", isoYear4, true, isoWeekMode},
	{"iyy", isoYear3, true, isoWeekMode},
	{"iy", isoYear2, true, isoWeekMode},
	{"i", isoYear1, true, isoWeekMode},
	{"j", julianPattern, true, anyMode},
	{"mi", minutePattern, true, anyMode},
	{"mm", monthPattern, true, gregorianMode},
	{"month", monthName, false, gregorianMode},
	{"mon", monthNameShort, false, gregorianMode},
	{"ms", millisecondPattern, true, anyMode},
	{"of", offsetPattern, false, anyMode},
	{"p.m.", dottedMeridian, false, anyMode},
	{"pm", meridian, false, anyMode},
	{"q", quarterPattern, true, anyMode},
	{"rm", romanMonth, false, gregorianMode},
	{"sssss", secondOfDay, true, anyMode},
	{"ssss", secondOfDay, true, anyMode},
	{"ss", secondPattern, true, anyMode},
	{"tzh", zoneHourPattern, false, anyMode},
	{"tzm", zoneMinutePattern, true, anyMode},
	{"tz", zonePattern, false, anyMode},
	{"us", microsecondPattern, true, anyMode},
	{"ww", weekOfYear, true, gregorianMode},
	{"w", weekOfMonth, true, gregorianMode},
	{"y,yyy", yearComma, true, gregorianMode},
	{"yyyy", year4, true, gregorianMode},
	{"yyy", year3, true, gregorianMode},
	{"yy", year2, true, gregorianMode},
	{"y", year1, true, gregorianMode},
})

// DateTemplate is a template of to_char, to_date and to_timestamp.
type DateTemplate struct {
	nodes []templateNode
	exact bool // of the SQL standard: text must match as it stands
}

// NewDateTemplate reads a template; any text is one.
func NewDateTemplate(text string) *DateTemplate { return &DateTemplate{nodes: dateSyntax.cut(text)} }

var (
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	romanNames = [...]string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
)
