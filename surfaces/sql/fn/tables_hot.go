package fn

// hotTables are the functions that nearly every query runs: comparisons and
// arithmetic of the common types, and the plain aggregates.
func hotTables() []table {
	return []table{{kernels: comparisonKernels()}, {kernels: arithmeticKernels()}}
}
