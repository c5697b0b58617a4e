//go:build cgo

package sql

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// now is the time as statements see it: a running program's is journalled.
func (s *session) now() time.Time {
	if s.run != nil && s.run.calls != nil {
		return s.run.calls.Now()
	}
	return s.ws.Clock()
}

// Execute runs a program of one statement or several. Its result is that of the last
// one; an error ends it, and tells what had happened by then.
func (s *session) Execute(ctx context.Context, program string) *surfaces.Result {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Result{Fault: fault}
	}
	defer s.turn.Give()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.run = &execution{params: surfaces.Params(ctx)}
	defer func() { s.run = nil }()
	list, fault := s.parse(program)
	if fault != nil && s.tx == nil {
		return &surfaces.Result{Fault: fault, Usage: s.meter.Usage()}
	}
	s.run.calls = s.ws.Begin(s.meter, dispatch.Program{Language: languageName, Source: program})
	var v any
	s.run.calls.Host(func() {
		if fault == nil {
			v, fault = s.perform(program, list)
		}
		if fault != nil {
			s.failTransaction()
		}
		s.suspend()
	})
	return s.finish(v, fault)
}

// parse splits a program into its statements.
func (s *session) parse(program string) ([]guard.Statement, *sandbox.Fault) {
	limits := guard.DefaultLimits()
	limits.Bytes = s.limits.Source
	list, fault := guard.Parse(program, limits)
	if fault != nil {
		return nil, fault
	}
	if len(list) == 0 {
		return nil, &sandbox.Fault{
			Kind: sandbox.KindSyntax, Name: "ERROR 42601", Message: "the program is empty.",
			Hint: "Write a statement, such as SELECT * FROM information_schema.tables.",
		}
	}
	return list, nil
}

// perform runs the statements in their order and gives the value of the last.
func (s *session) perform(program string, list []guard.Statement) (v any, fault *sandbox.Fault) {
	defer func() {
		if x := recover(); x != nil {
			v, fault = nil, &sandbox.Fault{
				Kind: sandbox.KindInternal, Message: "the statement ran into a defect of the sandbox.",
				Hint: "Write it another way.", Cause: fmt.Errorf("%v", x),
			}
		}
	}()
	if s.tx != nil {
		if err := s.resumeTransaction(); err != nil {
			return nil, faultOf(program, err)
		}
	}
	var rows any // of the last statement that gave some
	for i, stmt := range list {
		s.run.line = 1 + strings.Count(program[:min(stmt.Offset, len(program))], "\n")
		got, err := s.statement(program, stmt)
		if err != nil {
			return nil, faultOf(program, err)
		}
		_, tag := got.(string)
		tag = tag || stmt.Kind == guard.Commit
		switch {
		case !tag:
			v, rows = got, got
		case rows == nil:
			v = got
		case i == len(list)-1:
			s.note(told(got) + ". The rows are those of an earlier statement, the last that gave any.")
		}
	}
	if err := s.meter.Err(); err != nil {
		return nil, faultOf(program, err)
	}
	return v, nil
}

// told gives what a statement without rows did in a few words.
func told(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	list, _ := v.([]value.Value)
	return "COMMIT: " + counted(len(list), "change was", "changes were") + " made"
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// faultOf turns an error of the engine, the door or the meter into a fault with its
// place.
func faultOf(program string, err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	if e := pgerr.From(err); e != nil {
		return e.Fault(program)
	}
	return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the statement could not be run.", Cause: err}
}

// statement runs one statement.
func (s *session) statement(program string, stmt guard.Statement) (any, error) {
	switch stmt.Kind {
	case guard.Begin, guard.Commit, guard.Rollback:
		return s.control(stmt.Kind)
	}
	called, err := s.functions(program, stmt)
	if err != nil {
		return nil, err
	}
	e := s.db.Environment(s.meter)
	t := &tables{s: s, scans: map[*query.Table]*scan{}, called: called}
	p, err := engine.Prepare(e, program, stmt, t, s.run.params)
	if err != nil {
		return nil, s.tellTables(tellColumns(err, t.scans))
	}
	if err := checkWrites(p.Query, t.scans); err != nil {
		return nil, err
	}
	target(p.Query, t.scans)
	needs, err := s.fetch(p, t.scans)
	if err != nil {
		return nil, err
	}
	r, err := p.Run()
	if err != nil {
		return nil, err
	}
	w, err := s.fire(p.Query, t.scans, needs)
	if err != nil {
		return nil, err
	}
	if w == nil {
		return s.rows(p, r)
	}
	return s.changed(p, r, w, t.scans)
}

// changed gives the result of a statement that has changed rows: its tag, or the rows
// of RETURNING with the tag as a note.
func (s *session) changed(p *engine.Prepared, r *engine.Result, w *written, scans map[*query.Table]*scan) (any, error) {
	tag := s.tag(w)
	if len(p.Query.Outputs()) == 0 {
		return tag, nil
	}
	s.note(tag + ".")
	if p.Query.Kind == query.Select {
		return s.rows(p, r)
	}
	r, err := s.returning(p, r, w, scans)
	if err != nil {
		return nil, err
	}
	return s.rows(p, r)
}

// rows gives a result as a list of rows with the names of its columns.
func (s *session) rows(p *engine.Prepared, r *engine.Result) (any, error) {
	names := s.columnNames(r)
	keys := value.NewKeys(names...)
	if err := s.meter.Alloc(int64(r.Len()) * int64(48+32*len(names))); err != nil {
		return nil, err
	}
	out := make([]value.Value, r.Len())
	for i := range out {
		vals := make([]value.Value, len(names))
		for c := range names {
			v, err := plain(p.Env, r.Datum(i, c))
			if err != nil {
				return nil, err
			}
			vals[c] = v
		}
		out[i] = value.NewRow(keys, vals)
	}
	if len(out) == 0 {
		s.emptyNote()
	}
	return value.Value(out), nil
}

// columnNames gives the names of a result's columns, told apart where two are the
// same: a row shows each under a name of its own.
func (s *session) columnNames(r *engine.Result) []string {
	seen := map[string]bool{}
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		name := c.Name
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s_%d", c.Name, n)
		}
		if name != c.Name {
			s.note("Two columns are named " + sandbox.Clip(c.Name, 60) + "; the later one is shown as " + sandbox.Clip(name, 60) + ". Name them with AS.")
		}
		seen[name] = true
		names[i] = name
	}
	return names
}

// mostEmpty bounds the empty reads that are told.
const mostEmpty = 5

func (s *session) emptyRead(table string, b toolfn.Bindings) {
	var parts []string
	for _, c := range b.Columns() {
		var values []string
		for _, v := range b.All(c) {
			values = append(values, sandbox.Clip(literal(v), 60))
		}
		switch len(values) {
		case 1:
			parts = append(parts, c+" = "+values[0])
		default:
			parts = append(parts, c+" IN ("+sandbox.Clip(strings.Join(values, ", "), 120)+")")
		}
	}
	text := table
	if len(parts) > 0 {
		text += " WHERE " + strings.Join(parts, " AND ")
	}
	if len(s.run.empty) < mostEmpty {
		s.run.empty = append(s.run.empty, text)
	}
}

// emptyNote tells which reads returned nothing when the result is nothing too.
func (s *session) emptyNote() {
	if len(s.run.empty) > 0 {
		s.note("No rows: " + strings.Join(s.run.empty, "; ") + " has none. Look at the values with SELECT DISTINCT, or drop a condition.")
	}
}

// finish makes the result: the value, the notes and the account.
func (s *session) finish(v any, fault *sandbox.Fault) *surfaces.Result {
	r := s.run
	res := &surfaces.Result{Fault: fault}
	if fault == nil {
		res.Value = v
	}
	surfaces.Attest(r.calls, res.Defined)
	r.calls.End(res.Fault)
	res.Called = r.calls.Called()
	if res.Fault != nil {
		f := *res.Fault
		f.Fired = r.calls.FiredNote()
		res.Fault = &f
	}
	res.Notes, res.Usage = append(r.notes, r.calls.Remarks()...), s.meter.Usage()
	return res
}
