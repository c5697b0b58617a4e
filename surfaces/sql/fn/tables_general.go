package fn

// generalTables are the functions of numbers, texts, json, arrays and the rest.
func generalTables() []table {
	return []table{
		{inputs: generalInputs(), outputs: generalOutputs()},
		{kernels: stringKernels()},
		{kernels: quotingKernels()},
		{kernels: mathKernels()},
		{kernels: numberCasts()},
		{kernels: buildingKernels()},
		{kernels: jsonKernels()},
		{kernels: changingKernels()},
		{sets: jsonSets()},
		{kernels: arrayKernels()},
		{sets: arraySets()},
		{kernels: encodingKernels()},
		{kernels: bitKernels()},
		{kernels: oddKernels(), spreads: spreadKernels()},
		{kernels: likeKernels()},
		{kernels: regexKernels()},
		{sets: regexSets()},
		{aggregates: statisticalAggregates()},
		{aggregates: collectingAggregates()},
		{aggregates: orderedSetAggregates()},
	}
}
