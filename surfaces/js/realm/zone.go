package realm

import (
	"errors"
	"strings"
	"time"
	_ "time/tzdata" // a host without a zone database formats dates all the same
)

var errZone = errors.New("unknown zone")

// loadZone finds a zone by its IANA name. Names come from programs: anything that
// is not such a name is refused before the database is asked.
func loadZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" || strings.Contains(name, "..") || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00") {
		return nil, errZone
	}
	return time.LoadLocation(name)
}
