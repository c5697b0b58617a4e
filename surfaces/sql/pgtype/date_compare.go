package pgtype

// CompareDateTimestamp orders a date, as the moment of its beginning, and a
// timestamp. A date that no timestamp reaches is beyond all but the infinite.
func CompareDateTimestamp(d, ts int64) int {
	begin, err := DateToTimestamp(d)
	if err != nil {
		return beyond(d > 0, ts)
	}
	return compareInt64(begin, ts)
}

// CompareDateTimestamptz is the same in the session's zone.
func CompareDateTimestamptz(d, ts int64, clock Clock) int {
	begin, err := DateToTimestamptz(d, clock)
	if err != nil {
		return beyond(d > 0, ts)
	}
	return compareInt64(begin, ts)
}

// CompareTimestampTimestamptz orders a timestamp, as the session's zone shows it,
// and a moment.
func CompareTimestampTimestamptz(ts, moment int64, clock Clock) int {
	at, err := TimestampToTimestamptz(ts, clock)
	if err != nil {
		return beyond(ts > 0, moment)
	}
	return compareInt64(at, moment)
}

// beyond orders what lies outside the range of timestamps.
func beyond(after bool, ts int64) int {
	if after && ts != TimestampInfinity || !after && ts == TimestampNegInfinity {
		return 1
	}
	return -1
}

func compareInt64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
