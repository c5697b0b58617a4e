package surfaces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// role is one code tool: a language under a frame.
type role struct {
	language Language
	frame    Frame
	tool     string
	explain  string // the name of its explain tool, "" if there is none
	reads    bool   // only functions that are declared to read
	other    string // the tool for what this one may not do
}

// codeTool is the tool that runs programs.
func (m *mount) codeTool(r role) Tool {
	return Tool{
		Name:        r.tool,
		Description: m.describeCodeTool(r),
		InputSchema: codeSchema(r.language, m.tries(r)),
		Call: func(ctx context.Context, input json.RawMessage) (Output, error) {
			return m.execute(ctx, r, input)
		},
	}
}

// execute runs one program and renders its result.
func (m *mount) execute(ctx context.Context, r role, input json.RawMessage) (Output, error) {
	s, err := m.ws.Open(r.language)
	if err != nil {
		return Output{}, err
	}
	p, fault := readProgram(r.tool, r.language, input, m.ws.limits.Source, m.tries(r))
	if fault != nil {
		return m.output(r.language, &Result{Fault: fault}), nil
	}
	ctx = context.WithValue(ctx, frameKey{}, r.frame)
	if r.reads {
		ctx = dispatch.Restrict(ctx, lookOnly(r.other))
	}
	if p.params != nil {
		ctx = WithParams(ctx, p.params)
	}
	if p.dry {
		ctx, _ = dispatch.DryRun(ctx)
	}
	res := contained(func() *Result { return s.Execute(ctx, p.code) })
	if p.note != "" {
		res.Notes = append([]string{p.note}, res.Notes...)
	}
	return m.output(r.language, res), nil
}

func (m *mount) output(l Language, res *Result) Output {
	return Output{Text: m.renderers[l.Name()].Text(res), Failed: res.Fault != nil, Result: res}
}

// contained runs an execute so that a defect of a language's cannot take the
// host down.
func contained(run func() *Result) (res *Result) {
	defer func() {
		if p := recover(); p != nil {
			res = brokenResult(fmt.Errorf("the session panicked: %v", p))
		}
	}()
	if res = run(); res == nil {
		res = brokenResult(errors.New("the session gave no result"))
	}
	return res
}

func brokenResult(cause error) *Result {
	return &Result{Fault: &sandbox.Fault{
		Kind: sandbox.KindInternal, Cause: cause,
		Message: "the program could not be run because of a defect in this tool.",
		Hint:    "Write it in another way; look with a read whether anything it should have done has happened.",
	}}
}

// lookOnly is the policy of a tool that only looks.
func lookOnly(other string) dispatch.Policy {
	return dispatch.PolicyFunc(func(r dispatch.Request) dispatch.Decision {
		if r.Function.Effect.Reads() {
			return dispatch.Decision{}
		}
		return dispatch.Decision{Verdict: dispatch.Deny, Reason: "this tool only looks", Hint: "Call it in a program for " + other + ".", Final: true}
	})
}

// explainTool is the tool that says what a program would do.
func (m *mount) explainTool(r role) Tool {
	return Tool{
		Name:        r.explain,
		Description: m.describeExplainTool(r),
		InputSchema: codeSchema(r.language, false),
		Call: func(ctx context.Context, input json.RawMessage) (Output, error) {
			s, err := m.ws.Open(r.language)
			if err != nil {
				return Output{}, err
			}
			p, fault := readProgram(r.explain, r.language, input, m.ws.limits.Source, true)
			if fault != nil {
				return m.output(r.language, &Result{Fault: fault}), nil
			}
			if p.params != nil {
				ctx = WithParams(ctx, p.params)
			}
			plan := containedPlan(func() *Plan { return s.Explain(ctx, p.code) })
			text := m.renderers[r.language.Name()].Plan(plan, r.language)
			return Output{Text: text, Failed: plan.Fault != nil}, nil
		},
	}
}

func containedPlan(explain func() *Plan) (plan *Plan) {
	defer func() {
		if p := recover(); p != nil {
			plan = &Plan{Fault: brokenResult(fmt.Errorf("the session panicked: %v", p)).Fault}
		}
	}()
	if plan = explain(); plan == nil {
		plan = &Plan{Fault: brokenResult(errors.New("the session gave no plan")).Fault}
	}
	return plan
}

// Plan is what a program would do, for a model, in at most the budget.
func (r *Renderer) Plan(plan *Plan, l Language) string {
	p := page{left: r.budget}
	if plan.Fault != nil {
		p.fault(plan.Fault, r.budget)
		p.line("Nothing was run.")
		return strings.Join(p.lines, "\n")
	}
	tail := page{left: p.left / 4}
	tail.notes(plan.Notes)
	if len(plan.Calls) == 0 {
		tail.line("It calls no function. Nothing was run.")
	} else {
		tail.line("Nothing was run.")
	}
	p.left -= tail.size()
	calls := &block{heading: "It would call:", more: "more calls"}
	for _, c := range plan.Calls {
		calls.lines = append(calls.lines, plannedText(c, l.CallForm))
	}
	p.block(calls, p.left)
	p.lines = append(p.lines, tail.lines...)
	return strings.Join(p.lines, "\n")
}

// plannedText is one line: the call, its effect, where, and under which
// conditions.
func plannedText(c PlannedCall, spell func(string, *value.Object) string) string {
	text := sandbox.Clip(visible(spell(c.Function, c.Args)), 400)
	parts := []string{c.Effect}
	if c.Effect == "unknown" {
		parts[0] = "unknown effect"
	}
	if len(c.Computed) > 0 {
		parts = append(parts, "computed: "+sandbox.Clip(visible(strings.Join(c.Computed, ", ")), 200))
	}
	if c.Staged {
		parts = append(parts, "staged, left pending")
	}
	if c.InLoop {
		parts = append(parts, "in a loop")
	}
	if c.Conditional {
		parts = append(parts, "only in some cases")
	}
	if c.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", c.Line))
	}
	text += "  [" + strings.Join(parts, "; ") + "]"
	if c.Problem != "" {
		text += " PROBLEM: " + sandbox.Clip(visible(c.Problem), 300)
	}
	return text
}
