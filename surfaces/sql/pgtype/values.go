package pgtype

// Interval is a span of time as the server stores it: three parts that do not
// convert into one another.
type Interval struct {
	Months, Days int32
	Micros       int64
}

// Timetz is a time of day with a zone.
type Timetz struct {
	Micros int64 // since midnight, local
	Zone   int32 // seconds west of Greenwich
}
