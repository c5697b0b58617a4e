package dispatch

import "slices"

// mostRemarks bounds the remarks of one program.
const mostRemarks = 8

// Remark notes something that the program's result should tell, once.
func (r *Run) Remark(text string) {
	if len(r.remarks) < mostRemarks && !slices.Contains(r.remarks, text) {
		r.remarks = append(r.remarks, text)
	}
}

// Remarks lists what the program's result should tell beside its value: rows that
// could not be told apart, writes that may have missed some.
func (r *Run) Remarks() []string { return slices.Clone(r.remarks) }
