package fn

import "maps"

// dateTables are the functions of dates, times, intervals and their formatting, the
// hashes, and SQL/JSON paths.
func dateTables() []table {
	kernels := map[string]Kernel{}
	for _, part := range []map[string]Kernel{
		dateArithmetic(), intervalArithmetic(), dateConversions(), datePartKernels(), dateConstructors(),
		dateComparisons(), overlapsKernels(), inRangeKernels(), clockKernels(), templateKernels(), hashKernels(), uuidTimeKernels(),
	} {
		maps.Copy(kernels, part)
	}
	return []table{{
		kernels: kernels, aggregates: intervalAggregates(), sets: dateSeries(),
		inputs: dateInputs(), outputs: dateOutputs(),
	}, pathTable()}
}
