package fn

// dateTables are the functions of dates, times, intervals and their formatting.
func dateTables() []table { return nil }
