//go:build cgo

package analyze_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/sqlgen"
)

// answer is what the server made of a statement.
type answer struct {
	SQL      string
	OK       bool
	Columns  []string
	Types    []string
	Params   []string
	SQLState string
	Message  string
	Detail   string
	Hint     string
	Position int
}

func readAnswers(t *testing.T) []answer {
	t.Helper()
	f, err := os.Open("testdata/answers.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	var out []answer
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

// schema holds the tables of generate/tables.sql.
type schema map[string]*query.Table

func (s schema) Table(name, table string) (*query.Table, error) {
	if name != "" && name != "public" {
		return nil, nil
	}
	if t := s[table]; t != nil {
		return t, nil
	}
	return nil, nil
}

func tables(t testing.TB) schema {
	t.Helper()
	text, err := os.ReadFile("generate/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	out := schema{}
	all := string(text)
	for _, t := range sqlgen.Tables(rand.New(rand.NewPCG(0, 0)), 0) {
		all += t.DDL() + ";\n"
	}
	for line := range strings.Lines(all) {
		if line = strings.TrimSpace(line); line != "" {
			x := readTable(t, line)
			out[x.Name] = x
		}
	}
	return out
}

// readTable reads a definition of the form create table name (column type [not null |
// primary key], …);
func readTable(t testing.TB, line string) *query.Table {
	t.Helper()
	line = strings.TrimPrefix(line, "create table ")
	name, rest, _ := strings.Cut(line, " (")
	out := &query.Table{Schema: "public", Name: name}
	rest = strings.TrimSuffix(rest, ");")
	rest = strings.ReplaceAll(rest, "(10,2)", "(10;2)")
	for i, c := range strings.Split(rest, ", ") {
		column, typ, _ := strings.Cut(strings.ReplaceAll(c, ";", ","), " ")
		typ, key := strings.CutSuffix(typ, " primary key")
		typ, notNull := strings.CutSuffix(typ, " not null")
		if key {
			out.Key = []int{i}
		}
		res, err := analysed("select null::"+typ, analyze.Options{Input: readWith(testEnv())})
		if err != nil {
			t.Fatal(err)
		}
		e := res.Query.Targets[0].Expr
		out.Columns = append(out.Columns, query.TableColumn{Name: column, Type: e.Type(), Mod: e.Typmod(), NotNull: key || notNull})
	}
	return out
}

// deviations are the statements of the recording that are answered otherwise on
// purpose.
var deviations = map[string]string{
	"select distinct case j when array(select dept from dept) then md5(by, f8, 5::numeric) end from num join pair on null >= a": "a list of a table's rows is one of records: tables define no types here",
	"select (row(1, 'a')).f2": "the server fails with an internal error",
}

// mayRefuse are the constructs of the recording that are not built.
var mayRefuse = []string{"XML", "JSON_TABLE", "the system column ctid", "FOR UPDATE", "ARRAY[…] as int2vector", "reading values of the type int2vector"}

// TestAnswers holds the analysis against what a PostgreSQL 17 made of the same
// statements: names and types of columns and parameters, or all of the error. See
// generate.
func TestAnswers(t *testing.T) {
	s := tables(t)
	agree, silent := 0, 0
	for _, a := range readAnswers(t) {
		got := ask(a.SQL, s)
		switch {
		case deviations[a.SQL] != "":
			if same(got, a) {
				t.Errorf("no longer a deviation: %s", a.SQL)
			}
		case got.SQLState == "0A000" && a.SQLState != "0A000" && slices.ContainsFunc(mayRefuse, func(m string) bool { return strings.HasPrefix(got.Message, m) }):
		case same(got, a):
			agree++
		default:
			silent++
			t.Errorf("%s\n  we: %s\n  pg: %s", a.SQL, got, a)
		}
	}
	if agree == 0 {
		t.Error("nothing was compared")
	}
	t.Logf("%d agree, %d differ", agree, silent)
}

func (a answer) String() string {
	if a.OK {
		return "(" + strings.Join(a.Columns, ", ") + ") (" + strings.Join(a.Types, ", ") + ") [" + strings.Join(a.Params, ", ") + "]"
	}
	return a.SQLState + " " + a.Message + " at " + itoa(a.Position) + " detail=" + a.Detail + " hint=" + a.Hint
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func same(a, b answer) bool {
	if a.OK != b.OK {
		return false
	}
	if a.OK {
		return slices.Equal(a.Columns, b.Columns) && slices.Equal(a.Types, b.Types) && slices.Equal(a.Params, b.Params)
	}
	return a.SQLState == b.SQLState && a.Message == b.Message && a.Position == b.Position && a.Hint == b.Hint && a.Detail == b.Detail
}

// ask analyses a statement and gives the answer in the server's form.
func ask(source string, s schema) answer {
	list, fault := guard.Parse(source, guard.DefaultLimits())
	if fault != nil {
		return failed(pgerr.From(fault))
	}
	if len(list) != 1 {
		return failed(pgerr.New("?????", "not one statement"))
	}
	res, err := analyze.Statement(source, list[0], analyze.Options{Schema: s, Input: readWith(testEnv())})
	if err != nil {
		return failed(asError(err))
	}
	out := answer{OK: true, Columns: []string{}, Types: []string{}, Params: []string{}}
	for _, c := range res.Query.Outputs() {
		if !c.Hidden {
			out.Columns = append(out.Columns, c.Name)
			out.Types = append(out.Types, analyze.ColumnType(res.Query, c.Expr))
		}
	}
	for _, p := range res.Params {
		out.Params = append(out.Params, pgcat.Default().FormatType(p))
	}
	return out
}

func failed(e *pgerr.Error) answer {
	return answer{SQLState: string(e.SQLSTATE), Message: e.Message, Detail: e.Detail, Hint: e.Hint, Position: e.Position}
}
