//go:build cgo

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// verdict says how an answer compares with the server's.
type verdict int

const (
	agree      verdict = iota
	refused            // by name, with 0A000 or as a statement that is not run
	needs              // something that an earlier statement, which is not run here, made or set
	otherError         // both fail, with other words
	fails              // an error where the server answers
	order              // the same rows in another order, where ORDER BY may leave it open
	differs            // another answer without an error: the worst
	verdicts
)

func (v verdict) String() string {
	return [...]string{"agree", "refused", "needs", "other error", "fails", "order", "DIFFERS"}[v]
}

// judge compares an answer. The second value says what the difference is.
func judge(c answered, r *engine.Result, err error) (verdict, string) {
	if err != nil {
		return judgeError(c, err)
	}
	if !c.OK {
		return differs, fmt.Sprintf("an answer, the server says %s %s", c.SQLState, c.Message)
	}
	return judgeRows(c, r)
}

func judgeError(c answered, err error) (verdict, string) {
	e := pgerr.From(err)
	if e == nil {
		return fails, err.Error()
	}
	said := fmt.Sprintf("%s %s", e.SQLSTATE, e.Message)
	switch {
	case e.SQLSTATE == pgerr.FeatureNotSupported && string(e.SQLSTATE) != c.SQLState:
		return refused, said
	case c.OK:
		return fails, said
	case string(e.SQLSTATE) != c.SQLState || e.Message != c.Message:
		return otherError, fmt.Sprintf("%s, the server says %s %s", said, c.SQLState, c.Message)
	case c.Position != 0 && e.Position != c.Position:
		return otherError, fmt.Sprintf("%s at %d, the server says at %d", said, e.Position, c.Position)
	}
	return agree, ""
}

func judgeRows(c answered, r *engine.Result) (verdict, string) {
	var columns, types []string
	for _, x := range r.Columns {
		columns, types = append(columns, x.Name), append(types, x.Type)
	}
	if !slices.Equal(columns, c.Columns) {
		return differs, fmt.Sprintf("columns %q, the server says %q", columns, c.Columns)
	}
	if !slices.Equal(types, withoutLengths(c.Types)) {
		return differs, fmt.Sprintf("types %q, the server says %q", types, c.Types)
	}
	if len(columns) == 0 {
		return agree, "" // rows without columns cannot be told apart
	}
	ours := rowsOf(r)
	theirs := make([]string, len(c.Rows))
	for i, row := range c.Rows {
		theirs[i] = line(row)
	}
	if !strings.Contains(strings.ToLower(c.SQL), "order by") {
		slices.Sort(ours)
		slices.Sort(theirs)
	}
	if slices.Equal(ours, theirs) {
		return agree, ""
	}
	if a, b := slices.Sorted(slices.Values(ours)), slices.Sorted(slices.Values(theirs)); slices.Equal(a, b) {
		return order, fmt.Sprintf("order %.300q, the server says %.300q", ours, theirs)
	}
	return differs, fmt.Sprintf("rows %.300q, the server says %.300q", ours, theirs)
}

// withoutLengths drops what stands in parentheses, as in numeric(10,2).
func withoutLengths(types []string) []string {
	var out []string
	for _, t := range types {
		before, rest, found := strings.Cut(t, "(")
		if found {
			_, after, _ := strings.Cut(rest, ")")
			t = before + after
		}
		out = append(out, t)
	}
	return out
}

func rowsOf(r *engine.Result) []string {
	out := make([]string, r.Len())
	for i := range out {
		row := make([]*string, len(r.Columns))
		for j := range row {
			if text, ok := r.Text(i, j); ok {
				row[j] = &text
			}
		}
		out[i] = line(row)
	}
	return out
}

// line writes a row so that rows can be compared and read.
func line(row []*string) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteString(" | ")
		}
		if cell == nil {
			b.WriteString("∅")
		} else {
			b.WriteString(*cell)
		}
	}
	return b.String()
}
