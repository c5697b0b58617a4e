//go:build cgo

package analyze_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

// FuzzStatement feeds any text through the guard and the analysis: the outcome is a
// query all of whose expressions have types, or an error that is not one of ours.
func FuzzStatement(f *testing.F) {
	text, err := os.ReadFile("generate/statements.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f.Add(strings.TrimSpace(line))
	}
	r := rand.New(rand.NewPCG(1, 2))
	g := sqlgen.New(r, sqlgen.Tables(r, 0))
	for range 100 {
		f.Add(g.Statement())
	}
	s := tables(f)
	f.Fuzz(func(t *testing.T, source string) { checkStatement(t, source, s) })
}

func checkStatement(t *testing.T, source string, s schema) {
	list, fault := guard.Parse(source, guard.DefaultLimits())
	if fault != nil {
		return
	}
	for _, stmt := range list {
		switch stmt.Kind {
		case guard.Select, guard.Insert, guard.Update, guard.Delete:
		default:
			continue
		}
		res, err := analyze.Statement(source, stmt, analyze.Options{Schema: s, Input: readWith(testEnv())})
		if err != nil {
			if e := asError(err); e.SQLSTATE == "XX000" || e.SQLSTATE == "?????" {
				t.Errorf("%q: %s: %s", source, e.Message, e.Detail)
			}
			continue
		}
		query.WalkQuery(res.Query, func(e query.Expr, _ int) bool {
			if e.Type() == 0 || e.Type().Polymorphic() {
				t.Errorf("%q: %T has the type %d", source, e, e.Type())
			}
			return true
		})
	}
}

// TestChains holds statements that are as long as the guard lets through, in every
// direction in which a tree can grow.
func TestChains(t *testing.T) {
	repeat := func(head, part, tail string, n int) string { return head + strings.Repeat(part, n) + tail }
	statements := map[string]string{
		"sum":         repeat("select 1", "+1", "", 400),
		"text":        repeat("select 'a'", "||'a'", "", 400),
		"and":         repeat("select true", " and true", "", 20000),
		"parentheses": repeat("select ", "(", "1"+strings.Repeat(")", 200), 200),
		"case":        repeat("select ", "case when true then ", "1"+strings.Repeat(" end", 100), 100),
		"calls":       repeat("select ", "abs(", "1"+strings.Repeat(")", 200), 200),
		"sub-queries": repeat("select ", "(select ", "1"+strings.Repeat(")", 100), 100),
		"from":        repeat("select 1 from ", "(select 1 from ", "pair"+strings.Repeat(") x", 60), 60),
		"union":       repeat("select 1", " union select 1", "", 400),
		"joins":       repeat("select 1 from pair", " cross join (select 1) x", "", 2),
		"in":          repeat("select 1 in (0", ",1", ")", 60000),
		"values":      repeat("values (1)", ",(2)", "", 40000),
		"casts":       repeat("select 1", "::int", "", 400),
		"not":         repeat("select ", "not ", "true", 400),
		"arrays":      repeat("select ", "array[", "1"+strings.Repeat("]", 100), 100),
		"rows":        repeat("select ", "row(", "1"+strings.Repeat(")", 100), 100),
		"between":     repeat("select 1", " between 0 and 1", "", 1),
		"with":        repeat("with a as (select 1)", ", a as (select 1)", " select 1", 1),
	}
	between := "1"
	for range 20 {
		between = "(" + between + " between 0 and 1)::int"
	}
	statements["nested between"] = "select " + between
	s := tables(t)
	for name, source := range statements {
		list, fault := guard.Parse(source, guard.DefaultLimits())
		if fault != nil {
			t.Logf("%s: refused by the guard: %s", name, fault.Message)
			continue
		}
		_, err := analyze.Statement(source, list[0], analyze.Options{Schema: s, Input: readWith(testEnv())})
		if err == nil {
			continue
		}
		if e := asError(err); e.SQLSTATE == "XX000" || e.SQLSTATE == "?????" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
