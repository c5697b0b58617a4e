//go:build cgo

package analyze_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

func testEnv() *fn.Env {
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		panic(err)
	}
	return &fn.Env{Meter: m, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func TestRegressStatements(t *testing.T) {
	name := outside(t, "cases", "postgres-regress.jsonl")
	agree, refused, differ := 0, 0, 0
	for _, r := range readRecorded(t, name) {
		if r.Kind != "SelectStmt" || len(r.Rels) > 0 {
			continue
		}
		o := analyze.Options{Input: readWith(testEnv())}
		res, err := analysed(r.SQL, o)
		if err != nil {
			e := asError(err)
			switch {
			case e.SQLSTATE == pgerr.FeatureNotSupported && r.SQLState != "0A000":
				refused++
				t.Logf("0A000 %s: %s", clip(r.SQL), e.Message)
			case !r.OK && string(e.SQLSTATE) == r.SQLState && e.Message == r.Message && e.Position == r.Position && e.Hint == r.Hint:
				agree++
			default:
				differ++
				t.Logf("DIFFER %s/%d %s\n  we: %s %s %d hint=%s\n  pg: ok=%v %s %s %d hint=%s", r.File, r.N, clip(r.SQL), e.SQLSTATE, e.Message, e.Position, e.Hint, r.OK, r.SQLState, r.Message, r.Position, r.Hint)
			}
			continue
		}
		var names, types []string
		for _, c := range res.Query.Outputs() {
			if !c.Hidden {
				names = append(names, c.Name)
				types = append(types, analyze.TypeText(c.Expr.Type(), c.Expr.Typmod()))
			}
		}
		switch {
		case !r.OK && r.Position > 0 && strings.HasPrefix(r.SQLState, "42"):
			differ++
			t.Logf("MISSED %s/%d %s\n  pg: %s %s %d", r.File, r.N, clip(r.SQL), r.SQLState, r.Message, r.Position)
		case r.OK && !(slices.Equal(names, r.Columns) && sameTypes(types, r.Types)):
			differ++
			t.Logf("COLUMNS %s/%d %s\n  we: %v %v\n  pg: %v %v", r.File, r.N, clip(r.SQL), names, types, r.Columns, r.Types)
		default:
			agree++
		}
	}
	t.Logf("%d agree, %d refused, %d differ", agree, refused, differ)
}

func sameTypes(a, b []string) bool {
	for i := range a {
		a[i], _, _ = strings.Cut(a[i], "(")
	}
	for i := range b {
		b[i], _, _ = strings.Cut(b[i], "(")
	}
	return slices.Equal(a, b)
}

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 160 {
		return s[:160]
	}
	return s
}
