package pgtype

// wordKind is the role of a word in a date, time or interval.
type wordKind uint8

const (
	unknownWord wordKind = iota
	reservedWord
	monthWord
	weekdayWord
	meridianWord
	eraWord
	unitWord
	isoTimeWord      // the t between a date and a time
	daylightWord     // dst after a zone
	zoneWord         // a fixed offset
	daylightZoneWord // a fixed offset in summer
	changingZoneWord // an abbreviation whose meaning changes
	ignoredWord
	agoWord
)

type word struct {
	kind  wordKind
	value int
}

// The values of reserved words.
const (
	valueNow = iota + 1
	valueYesterday
	valueToday
	valueTomorrow
	valueMidnightUTC
	valueEpoch
	valueInfinity
	valueNegInfinity
)

// unit is a unit of time, or a field that is extracted.
type unit uint8

const (
	noUnit unit = iota
	unitMicrosecond
	unitMillisecond
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitQuarter
	unitYear
	unitDecade
	unitCentury
	unitMillennium
	unitJulian
	unitWeekday
	unitISOWeekday
	unitDayOfYear
	unitISOYear
	unitEpoch
	unitZone
	unitZoneHour
	unitZoneMinute
	unitISOTime // not a unit: the t that announces a time
)

const (
	am = iota
	pm
)

const (
	anno = iota
	beforeChrist
)

// dateWords are the words of dates and times, cut as the server cuts them.
var dateWords = map[string]word{
	"+infinity": {reservedWord, valueInfinity}, "infinity": {reservedWord, valueInfinity}, "-infinity": {reservedWord, valueNegInfinity},
	"now": {reservedWord, valueNow}, "today": {reservedWord, valueToday}, "tomorrow": {reservedWord, valueTomorrow},
	"yesterday": {reservedWord, valueYesterday}, "allballs": {reservedWord, valueMidnightUTC}, "epoch": {reservedWord, valueEpoch},
	"ad": {eraWord, anno}, "bc": {eraWord, beforeChrist}, "am": {meridianWord, am}, "pm": {meridianWord, pm},
	"at": {ignoredWord, 0}, "on": {ignoredWord, 0}, "t": {isoTimeWord, int(unitISOTime)}, "dst": {daylightWord, 3600},

	"jan": {monthWord, 1}, "january": {monthWord, 1}, "feb": {monthWord, 2}, "february": {monthWord, 2}, "mar": {monthWord, 3}, "march": {monthWord, 3},
	"apr": {monthWord, 4}, "april": {monthWord, 4}, "may": {monthWord, 5}, "jun": {monthWord, 6}, "june": {monthWord, 6}, "jul": {monthWord, 7},
	"july": {monthWord, 7}, "aug": {monthWord, 8}, "august": {monthWord, 8}, "sep": {monthWord, 9}, "sept": {monthWord, 9}, "september": {monthWord, 9},
	"oct": {monthWord, 10}, "october": {monthWord, 10}, "nov": {monthWord, 11}, "november": {monthWord, 11}, "dec": {monthWord, 12}, "december": {monthWord, 12},

	"sun": {weekdayWord, 0}, "sunday": {weekdayWord, 0}, "mon": {weekdayWord, 1}, "monday": {weekdayWord, 1}, "tue": {weekdayWord, 2}, "tues": {weekdayWord, 2},
	"tuesday": {weekdayWord, 2}, "wed": {weekdayWord, 3}, "weds": {weekdayWord, 3}, "wednesday": {weekdayWord, 3}, "thu": {weekdayWord, 4}, "thur": {weekdayWord, 4},
	"thurs": {weekdayWord, 4}, "thursday": {weekdayWord, 4}, "fri": {weekdayWord, 5}, "friday": {weekdayWord, 5}, "sat": {weekdayWord, 6}, "saturday": {weekdayWord, 6},

	"d": {unitWord, int(unitDay)}, "dow": {unitWord, int(unitWeekday)}, "doy": {unitWord, int(unitDayOfYear)}, "h": {unitWord, int(unitHour)},
	"isodow": {unitWord, int(unitISOWeekday)}, "isoyear": {unitWord, int(unitISOYear)}, "j": {unitWord, int(unitJulian)}, "jd": {unitWord, int(unitJulian)},
	"julian": {unitWord, int(unitJulian)}, "m": {unitWord, int(unitMonth)}, "mm": {unitWord, int(unitMinute)}, "s": {unitWord, int(unitSecond)}, "y": {unitWord, int(unitYear)},
}

// unitWords are the units of intervals and fields.
var unitWords = map[string]word{
	"@": {ignoredWord, 0}, "ago": {agoWord, 0},
	"us": {unitWord, int(unitMicrosecond)}, "usec": {unitWord, int(unitMicrosecond)}, "usecs": {unitWord, int(unitMicrosecond)},
	"useconds": {unitWord, int(unitMicrosecond)}, "microsecon": {unitWord, int(unitMicrosecond)},
	"ms": {unitWord, int(unitMillisecond)}, "msec": {unitWord, int(unitMillisecond)}, "msecs": {unitWord, int(unitMillisecond)},
	"mseconds": {unitWord, int(unitMillisecond)}, "millisecon": {unitWord, int(unitMillisecond)},
	"s": {unitWord, int(unitSecond)}, "sec": {unitWord, int(unitSecond)}, "second": {unitWord, int(unitSecond)}, "seconds": {unitWord, int(unitSecond)}, "secs": {unitWord, int(unitSecond)},
	"m": {unitWord, int(unitMinute)}, "min": {unitWord, int(unitMinute)}, "mins": {unitWord, int(unitMinute)}, "minute": {unitWord, int(unitMinute)}, "minutes": {unitWord, int(unitMinute)},
	"h": {unitWord, int(unitHour)}, "hour": {unitWord, int(unitHour)}, "hours": {unitWord, int(unitHour)}, "hr": {unitWord, int(unitHour)}, "hrs": {unitWord, int(unitHour)},
	"d": {unitWord, int(unitDay)}, "day": {unitWord, int(unitDay)}, "days": {unitWord, int(unitDay)},
	"w": {unitWord, int(unitWeek)}, "week": {unitWord, int(unitWeek)}, "weeks": {unitWord, int(unitWeek)},
	"mon": {unitWord, int(unitMonth)}, "mons": {unitWord, int(unitMonth)}, "month": {unitWord, int(unitMonth)}, "months": {unitWord, int(unitMonth)},
	"qtr": {unitWord, int(unitQuarter)}, "quarter": {unitWord, int(unitQuarter)},
	"y": {unitWord, int(unitYear)}, "year": {unitWord, int(unitYear)}, "years": {unitWord, int(unitYear)}, "yr": {unitWord, int(unitYear)}, "yrs": {unitWord, int(unitYear)},
	"dec": {unitWord, int(unitDecade)}, "decs": {unitWord, int(unitDecade)}, "decade": {unitWord, int(unitDecade)}, "decades": {unitWord, int(unitDecade)},
	"c": {unitWord, int(unitCentury)}, "cent": {unitWord, int(unitCentury)}, "century": {unitWord, int(unitCentury)}, "centuries": {unitWord, int(unitCentury)},
	"mil": {unitWord, int(unitMillennium)}, "mils": {unitWord, int(unitMillennium)}, "millennia": {unitWord, int(unitMillennium)}, "millennium": {unitWord, int(unitMillennium)},
	"timezone": {unitWord, int(unitZone)}, "timezone_h": {unitWord, int(unitZoneHour)}, "timezone_m": {unitWord, int(unitZoneMinute)},
}

func findWord(words map[string]word, text string) word { return words[clipWord(text)] }
