package fn

// hotTables are the functions that nearly every query runs: comparisons and
// arithmetic of the common types, and the plain aggregates.
func hotTables() []table {
	return []table{
		{kernels: comparisonKernels()},
		{kernels: arithmeticKernels()},
		{kernels: numberInRangeKernels()},
		{aggregates: plainAggregates()},
	}
}

// plainAggregates are count, sum, avg, min, max and those of booleans.
func plainAggregates() map[string]NewAccumulator {
	all := map[string]NewAccumulator{
		"count()": newCounting, "count(any)": newCounting,
		"sum(int2)": newSumming(bigintSum), "sum(int4)": newSumming(bigintSum), "sum(int8)": newSumming(numericIntSum),
		"sum(numeric)": newNumericSumming(numericTotal),
		"sum(float4)":  newFloatSumming(32), "sum(float8)": newFloatSumming(64),
		"avg(int2)": newSumming(intAverage), "avg(int4)": newSumming(intAverage), "avg(int8)": newSumming(intAverage),
		"avg(numeric)": newNumericSumming(numericAverage),
		"avg(float4)":  newFloatAverage, "avg(float8)": newFloatAverage,
		"bool_and(bool)": newBoolAnd, "every(bool)": newBoolAnd, "bool_or(bool)": newBoolOr,
	}
	for _, t := range []string{
		"int2", "int4", "int8", "oid", "float4", "float8", "numeric", "text", "bpchar", "date", "time", "timetz",
		"timestamp", "timestamptz", "interval", "anyarray", "xid8",
	} {
		all["min("+t+")"], all["max("+t+")"] = newExtreme(-1), newExtreme(1)
	}
	return all
}
