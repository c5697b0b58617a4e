package dispatch

import (
	"context"

	"github.com/polyglove/polyglove/toolfn"
)

type dryRunKey struct{}

// DryReport is what a program that only tried would have done.
type DryReport struct {
	Made    []Pending // effects that it would have made, in order; their ID is 0 if they would have been at once
	Pending []Pending // effects that it would have left pending
}

// DryRun gives a context in which programs only try: reads run, every other call
// is checked and noted and not made. What is pending stays as it is. The report
// is filled in when a program ends.
func DryRun(ctx context.Context) (context.Context, *DryReport) {
	report := &DryReport{}
	return context.WithValue(ctx, dryRunKey{}, report), report
}

// DryReportOf gives the report of a context in which programs only try, nil for
// any other.
func DryReportOf(ctx context.Context) *DryReport {
	report, _ := ctx.Value(dryRunKey{}).(*DryReport)
	return report
}

type byHostKey struct{}

// ByHost gives a context for runs that are the host's own acts: what policy would
// ask the host about is approved.
func ByHost(ctx context.Context) context.Context {
	return context.WithValue(ctx, byHostKey{}, true)
}

// trial is what a program that only tries would have done.
type trial struct {
	list   *pendingList // the workspace's, as the program would have left it
	made   []Pending
	report *DryReport
}

// try makes the run one that only tries, if its context says so.
func (r *Run) try() {
	if report := DryReportOf(r.ctx); report != nil {
		r.trial = &trial{list: r.d.pending.copy(), report: report}
	}
	r.byHost, _ = r.ctx.Value(byHostKey{}).(bool)
}

// number notes an effect that would have been made at once. It has no number,
// because it was never pending.
func (t *trial) number(e *entry) { t.made = append(t.made, e.Pending) }

// DryRun reports whether the program only tries.
func (r *Run) DryRun() bool { return r.trial != nil }

// Planned lists the effects that a program which only tries would have made, in
// order, and those that it would have left pending.
func (r *Run) Planned() (made, pending []Pending) {
	if r.trial == nil {
		return nil, nil
	}
	for _, p := range r.trial.list.pending() {
		if p.Program == r.id {
			pending = append(pending, p)
		}
	}
	return r.trial.made, pending
}

// report fills in what the program would have done.
func (r *Run) report() {
	if r.trial != nil {
		r.trial.report.Made, r.trial.report.Pending = r.Planned()
	}
}

// mayBeStaged reports whether an effect that is denied can reach the host's
// approval by way of the list.
func (r *Run) mayBeStaged(fn *toolfn.ToolFn, d Decision) bool {
	return !d.Final && !r.d.noStaging && !fn.Effect.Reads() && (r.d.ask != nil || r.d.askBatch != nil)
}
