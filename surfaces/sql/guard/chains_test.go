//go:build cgo

package guard

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// chain makes a statement that nests n times.
type chain struct {
	name string
	make func(n int) string
}

func around(open, middle, shut string) func(int) string {
	return func(n int) string {
		return "select " + strings.Repeat(open, n) + middle + strings.Repeat(shut, n)
	}
}

func after(head, link string) func(int) string {
	return func(n int) string { return head + strings.Repeat(link, n) }
}

// chains are the ways to make the parser's tree high.
var chains = []chain{
	{"plus", after("select 1", "+1")},
	{"concat", after("select 'a'", "||'a'")},
	{"cast", after("select 1", "::int")},
	{"minus", around("- ", "1", "")},
	{"not", around("not ", "true", "")},
	{"operator", after("select 1", " operator(pg_catalog.+) 1")},
	{"collate", after("select 'a'", ` collate "C"`)},
	{"at time zone", after("select now()", " at time zone 'utc'")},
	{"at local", after("select now()", " at local")},
	{"is null", after("select 1", " is null")},
	{"isnull", after("select 1", " isnull")},
	{"union", after("select 1", " union select 1")},
	{"intersect", after("select 1", " intersect all select 1")},
	{"join", after("select * from t", " join t on true")},
	{"cross join", after("select * from t", " cross join t")},
	{"natural join", after("select * from t", " natural join t")},
	{"join, conditions last", func(n int) string {
		return "select * from t" + strings.Repeat(" join t", n) + strings.Repeat(" on true", n)
	}},
	{"and", after("select 1 where a", " and a")},
	{"or", after("select 1 where a", " or a")},
	{"and in parentheses", around("a and (", "a", ")")},
	{"between and not", around("1 between 1 and not ", "true", "")},
	{"is distinct from not", around("true is distinct from not ", "true", "")},
	{"keyword as a column", after("select t.select", " + t.select")},
	{"keyword and operator", around("- t.where + ", "1", "")},
	{"column named values", after("select values", " + values")},
	{"parentheses", around("(", "1", ")")},
	{"brackets", around("array[", "1", "]")},
	{"nested brackets", around("[", "1", "]")},
	{"case when", around("case when true then ", "1", " end")},
	{"case else", around("case when true then 1 else ", "1", " end")},
	{"case argument", around("case ", "1", " when 1 then 1 end")},
	{"function", around("f(", "1", ")")},
	{"row", around("row(", "1", ")")},
	{"subscript", after("select a", "[1]")},
	{"nested subscript", around("a[", "1", "]")},
	{"in", around("1 in (", "1", ")")},
	{"coalesce", around("coalesce(1, ", "1", ")")},
	{"cast function", around("cast(", "1", " as int)")},
	{"extract", around("extract(day from ", "a", ")")},
	{"exists", around("exists (select ", "1", ")")},
	{"sub-query", func(n int) string { return strings.Repeat("select (", n) + "select 1" + strings.Repeat(")", n) }},
	{"sub-query in from", func(n int) string {
		return strings.Repeat("select * from (", n) + "select 1" + strings.Repeat(") x", n)
	}},
	{"with", func(n int) string {
		return strings.Repeat("with a as (", n) + "select 1" + strings.Repeat(") select * from a", n)
	}},
	{"parentheses, then a chain", func(n int) string {
		// Each level holds a chain after its bracket: the heights add up.
		return "select " + strings.Repeat("(", n/50) + "1" + strings.Repeat(")"+strings.Repeat("+1", 50), n/50)
	}},
	{"any", around("1 = any (", "a", ")")},
	{"filter", around("sum(", "1", ") filter (where true)")},
	{"over", around("sum(", "1", ") over (order by 1)")},
	{"window", after("select 1", " + sum(1) over w")},
	{"within group", after("select 1", " + f(1) within group (order by 1)")},
	{"like", around("'a' like not ", "'a'", "")},
	{"group by", func(n int) string {
		return "select 1 from t group by " + strings.Repeat("rollup(", n) + "a" + strings.Repeat(")", n)
	}},
	{"grouping sets", func(n int) string {
		return "select 1 from t group by " + strings.Repeat("grouping sets(", n) + "a" + strings.Repeat(")", n)
	}},
	{"json", around("json_object('a': ", "1", ")")},
	{"xml", around("xmlelement(name a, ", "1", ")")},
	{"explain", func(n int) string { return strings.Repeat("explain ", n) + "select 1" }},
	{"lateral", func(n int) string {
		return strings.Repeat("select * from t, lateral (", n) + "select 1" + strings.Repeat(") x", n)
	}},
	{"type modifiers", around("1::numeric(", "1", ")")},
	{"function body", func(n int) string {
		return strings.Repeat("create function f() returns int begin atomic select 1; ", n) + strings.Repeat("end; ", n)
	}},
	{"quoted keywords", after(`select "select"`, ` + "select"`)},
	{"comments between", after("select 1", "/* ( */ + -- )\n 1")},
	{"unbalanced", after("select 1", ")+(1")},
	{"case labels", after("select 1 as case", ", - - - 1 as end, 1 as case")},
	{"insert, conflict", after("insert into t values (1) on conflict do update set a = 1", "+1")},
	{"update", after("update t set a = 1", "+1")},
	{"delete using", after("delete from t using t", " join t on true")},
	{"returning", after("delete from t returning 1", "+1")},
	{"order by", after("select 1 order by 1", "+1")},
	{"limit", after("select 1 limit 1", "+1")},
	{"values", after("values (1", "+1")},
}

const childEnv = "GUARD_TEST_CHILD"

// TestMain lets the test binary serve as a child that parses one chain, so that a
// death of the parser is a result and not the end of the tests.
func TestMain(m *testing.M) {
	spec := os.Getenv(childEnv)
	if spec == "" {
		os.Exit(m.Run())
	}
	parts := strings.SplitN(spec, ":", 3)
	n, _ := strconv.Atoi(parts[0])
	depth, _ := strconv.Atoi(parts[1])
	for _, c := range chains {
		if parts[2] == "*" || c.name == parts[2] {
			_, fault := Parse(c.make(n), Limits{Bytes: 64 << 20, Depth: depth, Statements: 1 << 20})
			fmt.Printf("%s: %v\n", c.name, fault != nil)
		}
	}
	os.Exit(0)
}

func child(t *testing.T, n, depth int, name string) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%d:%s", childEnv, n, depth, name))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestNoChainEndsTheProcess runs every chain at sizes from what is accepted to
// more than the parser survives.
func TestNoChainEndsTheProcess(t *testing.T) {
	for _, n := range []int{60, 120, 240, 490, 1000, 30_000} {
		out, err := child(t, n, 0, "*")
		if err != nil {
			t.Fatalf("chains of %d: %v\n%s", n, err, out[max(0, len(out)-2000):])
		}
		if got := strings.Count(out, "\n"); got != len(chains) {
			t.Errorf("chains of %d: %d answers for %d chains", n, got, len(chains))
		}
	}
}

// TestTheBoundIsNeeded shows that the parser does end the process without it, and
// with how much room the default stays below.
func TestTheBoundIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	for _, name := range []string{"plus", "union"} {
		if out, err := child(t, 200_000, 1<<30, name); err == nil {
			t.Errorf("%s: the parser survived 200,000 levels: %s", name, out)
		}
		if out, err := child(t, 4*DefaultLimits().Depth, 1<<30, name); err != nil {
			t.Errorf("%s: the parser did not survive four times the bound: %v %s", name, err, out)
		}
	}
}

// TestLongAndFlat shows what the bound does not refuse.
func TestLongAndFlat(t *testing.T) {
	for name, src := range map[string]string{
		"in list":       "select 1 where a in (0" + strings.Repeat(", 1", 5000) + ")",
		"values":        "insert into t values (0, 'x')" + strings.Repeat(", (1, 'y' || 'z')", 5000),
		"and of equals": "select 1 where a = 1" + strings.Repeat(" and b = 1 + 2", 5000),
		"or of between": "select 1 where a = 1" + strings.Repeat(" or b between 1 and 2", 5000),
		"case of many":  "select case x" + strings.Repeat(" when 1 then 'a' || 'b'", 5000) + " end",
		"columns":       "select 1" + strings.Repeat(", a + b * c as d", 5000),
		"joins":         "select * from t" + strings.Repeat(" left join u on t.a = u.a and t.b = u.b", 100),
		"unions":        "select 1, 2" + strings.Repeat(" union all select 1, 2", 400),
		"sum":           "select 1" + strings.Repeat(" + 1", 400),
	} {
		t.Run(name, func(t *testing.T) {
			if _, fault := Parse(src, Limits{}); fault != nil {
				t.Error(fault)
			}
		})
	}
}
