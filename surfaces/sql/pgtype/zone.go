package pgtype

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Clock is what the meaning of a date or time may depend on beside its text: the
// moment at which the statement began, and the zone of the session.
type Clock struct {
	Now  int64          // microseconds since 2000-01-01 00:00 UTC
	Zone *time.Location // nil is UTC
}

// NewClock gives the clock of a statement.
func NewClock(now time.Time, zone *time.Location) Clock {
	return Clock{Now: now.UnixMicro() + unixEpochMicros, Zone: zone}
}

func (c Clock) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// local breaks the statement's moment down in the session's zone.
func (c Clock) local() (moment civil, offset int) {
	offset = offsetAt(c.zone(), unixSeconds(c.Now))
	return civilOf(c.Now + int64(offset)*microsPerSecond), offset
}

// zoneNameLimit is the longest name of a zone that the server looks up, in bytes.
const zoneNameLimit = 255

// zoneFile holds the zones of the server itself, so that neither the host nor the
// compiler's release decides what a local time means.
//
//go:embed zones.tsv.gz
var zoneFile []byte

// zoneTables are the zones and abbreviations by name in lower case.
type zoneTables struct {
	names         []string // of the zones, as they are spelled
	zones         map[string]zoneData
	abbreviations map[string]abbreviation
}

type zoneData struct {
	name string // as it is spelled
	file string // in base 64, or the name of a zone that is the same
}

// zoneTable unpacks the file at first use.
var zoneTable = sync.OnceValue(func() zoneTables {
	t := zoneTables{zones: map[string]zoneData{}, abbreviations: map[string]abbreviation{}}
	zones, abbreviations, _ := strings.Cut(unpack(zoneFile), "\n\n")
	for line := range strings.Lines(zones) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		t.names = append(t.names, name)
		t.zones[asciiLower(name)] = zoneData{name, file}
	}
	for line := range strings.Lines(abbreviations) {
		f := strings.Fields(line)
		a := abbreviation{daylight: len(f) == 3}
		if offset, err := strconv.Atoi(f[1]); err == nil {
			a.offset = offset
		} else {
			a.zone = f[1]
		}
		t.abbreviations[asciiLower(f[0])] = a
	}
	return t
})

// unpack cannot fail on the file that the package was built with; a test reads it.
func unpack(packed []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return ""
	}
	return string(text)
}

// ZoneNames gives the names of the IANA zones in alphabetical order.
func ZoneNames() []string { return slices.Clone(zoneTable().names) }

var loadedZones sync.Map // spelling → *time.Location

// LookupZone finds a zone as the server's time zone setting does: an IANA name in
// any case, or a POSIX rule such as XYZ-3 or EST5EDT,M3.2.0,M11.1.0.
func LookupZone(name string) (*time.Location, bool) {
	if len(name) > zoneNameLimit || name == "" {
		return nil, false
	}
	zone, known := zoneTable().zones[asciiLower(name)]
	switch {
	case !known && name[0] == ':':
		if zone, known = zoneTable().zones[asciiLower(name[1:])]; !known {
			return nil, false
		}
	case !known:
		return posixZone(asciiUpper(name))
	}
	return loadZone(zone)
}

func loadZone(z zoneData) (*time.Location, bool) {
	if z.name == "UTC" {
		return time.UTC, true
	}
	if zone, ok := loadedZones.Load(z.name); ok {
		return zone.(*time.Location), true
	}
	file := z.file
	if same, ok := zoneTable().zones[asciiLower(file)]; ok {
		file = same.file
	}
	data, err := base64.StdEncoding.DecodeString(file)
	if err != nil {
		return nil, false
	}
	zone, err := time.LoadLocationFromTZData(z.name, data)
	if err != nil {
		return nil, false
	}
	loadedZones.Store(z.name, zone)
	return zone, true
}

// abbreviation is a short name of an offset, or of a zone in which the name's
// meaning has changed over time.
type abbreviation struct {
	offset   int // seconds east of Greenwich
	daylight bool
	zone     string // when it is not fixed
}

// wordLimit is how much of a word the server compares.
const wordLimit = 10

func clipWord(word string) string { return word[:min(len(word), wordLimit)] }

// findAbbreviation looks a word in lower case up.
func findAbbreviation(word string) (abbreviation, bool) {
	a, ok := zoneTable().abbreviations[clipWord(word)]
	return a, ok
}

func unixSeconds(ts int64) int64 {
	s := ts / microsPerSecond
	if ts%microsPerSecond < 0 {
		s--
	}
	return s - unixEpochDays*secondsPerDay
}

// offsetAt gives the seconds east of Greenwich of a zone at a moment, in seconds
// since 1970.
func offsetAt(zone *time.Location, unix int64) int {
	if zone == time.UTC {
		return 0
	}
	unix += cycleShift(zone, unix)
	_, offset := time.Unix(unix, 0).In(zone).Zone()
	return offset
}

// cycleShift gives the seconds of so many cycles of 400 years as lead from a
// moment before 1970 to one after. The rules of a POSIX zone, which the library
// applies to later moments only, repeat with these cycles.
func cycleShift(zone *time.Location, unix int64) int64 {
	const cycle = 146097 * secondsPerDay
	if unix >= 0 || !strings.HasPrefix(zone.String(), posixPrefix) {
		return 0
	}
	return (-unix + cycle - 1) / cycle * cycle
}

// offsetOf gives the offset of a zone at a local date and time, and the moment
// that they are. A local time that a change of the clock leaves out takes the
// offset from before the change, one that comes twice that from after.
func offsetOf(zone *time.Location, c *civil) (offset int, unix int64) {
	if !validJulian(c.year, c.month) {
		return 0, 0
	}
	local := int64(julianDay(c.year, c.month, c.day)-unixEpochJulian)*secondsPerDay +
		int64((c.hour*60+c.minute)*60+c.second)
	if zone == time.UTC {
		return 0, local
	}
	// No two changes are closer than two days: the one that matters, if any, is the
	// first after the day before.
	shift := cycleShift(zone, local-secondsPerDay)
	local += shift
	earlier := time.Unix(local-secondsPerDay, 0).In(zone)
	_, before := earlier.Zone()
	_, end := earlier.ZoneBounds()
	if end.IsZero() {
		return before, local - int64(before) - shift
	}
	change := end.Unix()
	_, after := end.Zone()
	early, late := local-int64(before), local-int64(after)
	switch {
	case early < change && late < change, early > late && (early <= change || late < change):
		return before, early - shift
	}
	return after, late - shift
}

// fixedOffset gives the offset of a zone that has never had another.
func fixedOffset(zone *time.Location) (int, bool) {
	if zone == time.UTC {
		return 0, true
	}
	t := time.Unix(0, 0).In(zone)
	_, offset := t.Zone()
	for range maxChanges {
		_, end := t.ZoneBounds()
		if end.IsZero() {
			break
		}
		if _, o := end.Zone(); o != offset {
			return 0, false
		}
		t = end
	}
	t = time.Unix(0, 0).In(zone)
	for range maxChanges {
		start, _ := t.ZoneBounds()
		if start.IsZero() {
			break
		}
		t = start.Add(-time.Second)
		if _, o := t.Zone(); o != offset {
			return 0, false
		}
	}
	return offset, true
}

// maxChanges bounds a walk over the changes of a zone; none has had as many, and
// a rule that goes on forever repeats itself.
const maxChanges = 1000

// abbreviationOffset gives the offset that an abbreviation in capitals means in a
// zone at a moment: as it was last used there, or else as it is first used later.
func abbreviationOffset(zone *time.Location, name string, unix int64) (int, bool) {
	moment := time.Unix(unix, 0).In(zone)
	t := moment
	for range maxChanges {
		if n, offset := t.Zone(); n == name {
			return offset, true
		}
		start, _ := t.ZoneBounds()
		if start.IsZero() {
			break
		}
		t = start.Add(-time.Second)
	}
	t = moment
	for range maxChanges {
		_, end := t.ZoneBounds()
		if end.IsZero() {
			break
		}
		t = end
		if n, offset := t.Zone(); n == name {
			return offset, true
		}
	}
	return 0, false
}

// namedOffset gives the offset of an abbreviation whose meaning changes, at a
// local date and time.
func namedOffset(zone *time.Location, name string, c *civil) int {
	offset, unix := offsetOf(zone, c)
	if o, ok := abbreviationOffset(zone, asciiUpper(name), unix); ok {
		return o
	}
	return offset
}

// Zone is what a name of a zone in a program stands for: an IANA zone, an
// abbreviation whose meaning changes, or a fixed offset.
type Zone struct {
	location     *time.Location // nil when the offset is fixed
	abbreviation string         // of a changing meaning, in lower case
	offset       int            // seconds east of Greenwich
}

// ParseZone reads the name of a zone as AT TIME ZONE does: an abbreviation, an
// IANA name, or a POSIX rule.
func ParseZone(name string) (Zone, *pgerr.Error) {
	name = name[:min(len(name), zoneNameLimit)]
	lower := asciiLower(name)
	if a, ok := findAbbreviation(lower[:min(len(lower), identifierLimit)]); ok {
		if a.zone == "" {
			return Zone{offset: a.offset}, nil
		}
		zone, ok := LookupZone(a.zone)
		if ok {
			return Zone{location: zone, abbreviation: lower}, nil
		}
	}
	zone, ok := LookupZone(name)
	if !ok {
		return Zone{}, errUnknownZone(name)
	}
	return Zone{location: zone}, nil
}

// identifierLimit is the longest name that the server keeps, in bytes.
const identifierLimit = 63

func errUnknownZone(name string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameter, "time zone \"%s\" not recognized", name)
}

// offsetAt gives the offset at a moment.
func (z Zone) offsetAt(ts int64) int {
	switch {
	case z.location == nil:
		return z.offset
	case z.abbreviation == "":
		return offsetAt(z.location, unixSeconds(ts))
	}
	if o, ok := abbreviationOffset(z.location, asciiUpper(z.abbreviation), unixSeconds(ts)); ok {
		return o
	}
	return offsetAt(z.location, unixSeconds(ts))
}

// offsetOf gives the offset at a local date and time.
func (z Zone) offsetOf(c *civil) int {
	switch {
	case z.location == nil:
		return z.offset
	case z.abbreviation == "":
		offset, _ := offsetOf(z.location, c)
		return offset
	}
	return namedOffset(z.location, z.abbreviation, c)
}

// showIn breaks a finite moment down as a zone shows it. That may be a day before
// the first that a timestamp can have.
func showIn(zone *time.Location, ts int64) (moment civil, offset int) {
	offset = offsetAt(zone, unixSeconds(ts))
	return civilOf(ts + int64(offset)*microsPerSecond), offset
}

// asLocation gives the zone itself: of an abbreviation that changes, the zone that
// it belongs to.
func (z Zone) asLocation() *time.Location {
	if z.location == nil {
		return time.FixedZone("", z.offset)
	}
	return z.location
}

func asciiLower(s string) string { return mapASCII(s, 'A', 'Z', 'a'-'A') }

func asciiUpper(s string) string { return mapASCII(s, 'a', 'z', 'A'-'a') }

// mapASCII shifts the letters of a range, and leaves other bytes alone.
func mapASCII(s string, from, to byte, by int) string {
	for i := range len(s) {
		if s[i] < from || s[i] > to {
			continue
		}
		b := []byte(s)
		for j := i; j < len(b); j++ {
			if b[j] >= from && b[j] <= to {
				b[j] = byte(int(b[j]) + by)
			}
		}
		return string(b)
	}
	return s
}
