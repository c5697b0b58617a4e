//go:build cgo

package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// TestLargeStatements runs statements as large as a host may let through. Each ends
// with rows or with an error that says what to do.
func TestLargeStatements(t *testing.T) {
	const size = 10 << 20
	db := engine.Open(engine.Options{Source: size + 1000})
	rows := [][]any{{1, "a"}, {2, "b"}, {99_999, "c"}}
	if err := db.Register(engine.TableSpec{Name: "t", Columns: []engine.Column{{Name: "id", Type: "int"}, {Name: "s", Type: "text"}}}, slices.Values(rows)); err != nil {
		t.Fatal(err)
	}
	list := func(part string, n int) string { return strings.Repeat(part, n) }
	for name, c := range map[string]struct {
		sql  string
		want string // the first value, or the code of the error
	}{
		"IN of numbers":       {"select count(*) from t where id in (0" + list(", 1", 100_000) + ", 2)", "2"},
		"IN of texts":         {"select count(*) from t where s in ('x'" + list(", 'y'", 60_000) + ", 'a')", "1"},
		"NOT IN":              {"select count(*) from t where id not in (0" + list(", 1", 30_000) + ")", "2"},
		"VALUES":              {"select sum(x) from (values (1)" + list(", (2)", 40_000) + ") v(x)", "80001"},
		"INSERT":              {"insert into t values (3, 'd')" + list(", (4, 'e')", 20_000), "INSERT 0 20001"},
		"a long text":         {"select length('" + list("x", 9<<20) + "')", "9437184"},
		"AND":                 {"select count(*) from t where id > 0" + list(" and id > 0", 10_000), "3"},
		"OR":                  {"select count(*) from t where id < 0" + list(" or id = 1", 10_000), "1"},
		"targets":             {"select 1" + list(", 1", 1600), "1"},
		"too many targets":    {"select 1" + list(", 1", 1700), "54011"},
		"concat":              {"select length(concat('a'" + list(", 'b'", 90) + "))", "91"},
		"a chain":             {"select 1" + list(" + 1", 400), "401"},
		"too long a chain":    {"select 1" + list(" + 1", 50_000), "54001"},
		"unions":              {"select count(*) from (select 1" + list(" union all select 1", 300) + ") u", "301"},
		"nested sub-queries":  {"select " + list("(select ", 100) + "1" + list(")", 100), "1"},
		"joins":               {"select count(*) from t a1" + joins(12), "3"},
		"a case of many arms": {"select case 5000" + list(" when 1 then 2", 20_000) + " when 5000 then 7 end", "7"},
	} {
		start := time.Now()
		s := db.Session()
		if _, err := s.Query(context.Background(), "begin"); err != nil {
			t.Fatal(err)
		}
		res, err := s.Query(context.Background(), c.sql)
		got := ""
		switch {
		case err != nil:
			if e := pgerr.From(err); e != nil {
				got = string(e.SQLSTATE)
			} else {
				got = err.Error()
			}
		case len(res.Columns) == 0:
			got = res.Tag
		default:
			got, _ = res.Text(0, 0)
		}
		if got != c.want {
			t.Errorf("%s: got %s (%v), want %s", name, got, err, c.want)
		}
		t.Logf("%s: %d bytes in %v", name, len(c.sql), time.Since(start).Round(time.Millisecond))
	}
}

func joins(n int) string {
	var b strings.Builder
	for i := 2; i <= n; i++ {
		b.WriteString(" join t a")
		b.WriteString(itoa(i))
		b.WriteString(" using (id)")
	}
	return b.String()
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
