package fn

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/jsonpath"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

var (
	pathSeed  = flag.Uint64("pathseed", 1, "seed of the random paths")
	pathCount = flag.Int("paths", 4000, "random paths to ask the server")
)

// pathQuestion is a path and a value; without a value the path is written back.
type pathQuestion struct{ Path, Value, Mode string }

const pathVars = `{"x": 1, "s": "ab", "o": {"k": [1, 2]}}`

func (q pathQuestion) sql() string {
	literal := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch q.Mode {
	case "text":
		return "select " + literal(q.Path) + "::jsonpath::text"
	case "exists":
		return fmt.Sprintf("select jsonb_path_exists(%s, %s, %s)::text", literal(q.Value), literal(q.Path), literal(pathVars))
	case "match":
		return fmt.Sprintf("select (jsonb %s @@ %s)::text", literal(q.Value), literal(q.Path))
	}
	return fmt.Sprintf("select array(select v::text from jsonb_path_query_tz(%s, %s, %s, %t) v)::text", literal(q.Value), literal(q.Path), literal(pathVars), q.Mode == "silent")
}

func (q pathQuestion) ours(t *testing.T) string {
	e := testEnv(t)
	answer, err := q.answer(e)
	if err != nil {
		return "!" + string(err.SQLSTATE) + " " + err.Message + "|" + err.Detail + "|" + err.Hint
	}
	return answer
}

func (q pathQuestion) answer(e *Env) (string, *pgerr.Error) {
	path, err := e.parsePath(q.Path)
	if err != nil {
		return "", err
	}
	if q.Mode == "text" {
		return path.String(), nil
	}
	v, err := e.parseJSONB(q.Value)
	if err != nil {
		return "", err
	}
	vars, _ := e.parseJSONB(pathVars)
	args := []vector.Datum{{Type: pgcat.JSONB, Value: v}, {Type: pgcat.JSONPath, Value: path}}
	o := jsonpath.Options{Vars: vars}
	switch q.Mode {
	case "exists":
		return truthText(pathExists(e, args, o))
	case "match":
		return truthText(pathMatch(e, args, jsonpath.Options{Silent: true}))
	}
	o.Silent, o.Zoned = q.Mode == "silent", true
	values, err := pathQuery(e, args, o)
	if err != nil {
		return "", err
	}
	var texts pgtype.ArrayText
	for _, v := range values {
		s := string(pgtype.AppendJSONB(nil, v))
		texts.Elements = append(texts.Elements, &s)
	}
	if len(values) > 0 {
		texts.Dimensions = []pgtype.Dimension{{Lower: 1, Length: len(values)}}
	}
	return string(pgtype.AppendArray(nil, texts)), nil
}

func truthText(v any, err *pgerr.Error) (string, *pgerr.Error) {
	if v == nil {
		return "NULL", err
	}
	return fmt.Sprint(v), err
}

// pathWriter makes paths at random.
type pathWriter struct{ *rand.Rand }

func (w pathWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w pathWriter) path() string {
	s := w.pick("", "", "", "strict ", "lax ")
	if w.IntN(4) == 0 {
		s += w.condition(2)
	} else {
		s += w.expression(2)
	}
	if w.IntN(8) == 0 {
		i := w.IntN(len(s) + 1)
		s = s[:i] + w.pick("(", ")", ".", "[", "]", "@", "\"", "1", "a", "$", "?", "\\", "/*", "last", "==", " ", "*") + s[i:]
	}
	return s
}

func (w pathWriter) primary(depth int) string {
	return w.pick("$", "$", "$", "$", "@", "1", "2.5", "-3", "0x1F", "1_000", "1e2", ".5", "\"ab\"", "\"2023-08-15\"", "\"12:34:56+05:30\"", "null", "true", "$x", "$s", "$o", "$nope", "last", "\"a\\u0041\\n\"", "(1)", "($)")
}

func (w pathWriter) accessor(depth int) string {
	switch w.IntN(12) {
	case 0, 1, 2:
		return "." + w.pick("a", "b", "c", "\"a b\"", "size", "to", "is", "k")
	case 3:
		return "[" + w.pick("*", "0", "1", "last", "0 to last", "0,1", "-1", "1.7", "\"a\"", "last - 1", "$x", "@.a", "1 to 0") + "]"
	case 4:
		return w.pick(".*", ".**", ".**{1}", ".**{2 to last}", ".**{last}", ".**{1 to 2}", "[*]")
	case 5, 6:
		if depth > 0 {
			return " ? (" + w.condition(depth-1) + ")"
		}
	case 7:
		return "." + w.pick("date", "time", "time_tz", "timestamp", "timestamp_tz", "datetime") + "(" + w.pick("", "", "", "2", "9", "\"yyyy-mm-dd\"", "\"HH24:MI:SSTZH:TZM\"") + ")"
	}
	return "." + w.pick("abs", "size", "type", "floor", "double", "ceiling", "keyvalue", "bigint", "boolean", "integer", "number", "string", "decimal") + "(" + w.pick("", "", "", "", "", "4,1", "2", "-1", "1,2,3") + ")"
}

func (w pathWriter) operand(depth int) string {
	s := w.primary(depth)
	for range w.IntN(4) {
		s += w.accessor(depth)
	}
	return s
}

func (w pathWriter) expression(depth int) string {
	s := w.operand(depth)
	if depth > 0 && w.IntN(4) == 0 {
		s = w.pick("", "", "-", "+", "(") + s
		if s[0] == '(' {
			s += ")" + w.pick("", w.accessor(0))
		}
		s += w.pick(" + ", " - ", " * ", " / ", " % ", "-") + w.expression(depth-1)
	}
	return s
}

func (w pathWriter) condition(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		switch w.IntN(4) {
		case 0:
			return "!(" + w.condition(depth-1) + ")"
		case 1:
			return "(" + w.condition(depth-1) + ") is unknown"
		case 2:
			return "(" + w.condition(depth-1) + ")" + w.pick(" && ", " || ") + w.condition(depth-1)
		}
		return w.condition(depth-1) + w.pick(" && ", " || ") + w.condition(depth-1)
	}
	left := w.pick("@", "@", w.operand(0))
	switch w.IntN(8) {
	case 0:
		return left + " starts with " + w.pick("\"a\"", "$s", "\"\"", "1")
	case 1:
		return left + " like_regex " + w.pick("\"^a\"", "\"a.*\" flag \"i\"", "\"[\"", "\"B\" flag \"iq\"", "\"a\" flag \"z\"", "\".\" flag \"sx\"")
	case 2:
		return "exists (" + w.expression(0) + ")"
	}
	return left + w.pick(" == ", " != ", " <> ", " < ", " > ", " <= ", " >= ") + w.expression(0)
}

func (w pathWriter) value(depth int) string {
	if depth == 0 || w.IntN(3) == 0 {
		return w.pick("null", "true", "1", "2.50", "-3", "\"ab\"", "\"12\"", "\"x\"", "\"2023-08-15 12:34:56+05:30\"", "\"12:34:56.789\"", "\"2023-08-15T12:34:56\"", "\"2023-08-15\"", "\"t\"", "{}", "[]", "1e30", "12345678901")
	}
	var parts []string
	for range w.IntN(4) {
		if depth%2 == 0 {
			parts = append(parts, w.pick("\"a\"", "\"b\"", "\"c\"", "\"a b\"", "\"k\"")+": "+w.value(depth-1))
		} else {
			parts = append(parts, w.value(depth-1))
		}
	}
	if depth%2 == 0 {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func pathQuestions(seed uint64, n int) []pathQuestion {
	w := pathWriter{rand.New(rand.NewPCG(seed, 9))}
	var all []pathQuestion
	for range n {
		path := w.path()
		all = append(all, pathQuestion{path, "", "text"})
		value := w.value(2 + w.IntN(3))
		for _, mode := range []string{"query", "silent", "exists", "match"} {
			all = append(all, pathQuestion{path, value, mode})
		}
	}
	return all
}

const pathAnswers = "testdata/paths.jsonl.gz"

// TestRandomPaths asks a server and, to record, writes its answers.
func TestRandomPaths(t *testing.T) {
	s := startServer(t)
	asked := pathQuestions(*pathSeed, *pathCount)
	statements := make([]string, len(asked))
	for i, q := range asked {
		statements[i] = q.sql()
	}
	answers := s.ask(t, statements)
	comparePaths(t, asked, answers)
	if !*record {
		return
	}
	f, err := os.Create(pathAnswers)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	enc := json.NewEncoder(z)
	for i, q := range asked {
		if err := enc.Encode([]string{q.Path, q.Value, q.Mode, answers[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func comparePaths(t *testing.T, asked []pathQuestion, answers []string) {
	wrong := 0
	for i, q := range asked {
		if got := q.ours(t); got != answers[i] {
			if wrong++; wrong <= 30 {
				t.Errorf("%s %q of %q: got %.250s, the server says %.250s", q.Mode, q.Path, q.Value, got, answers[i])
			}
		}
	}
	t.Logf("%d of %d agree", len(asked)-wrong, len(asked))
}

// TestRecordedPaths compares with what the server answered once.
func TestRecordedPaths(t *testing.T) {
	f, err := os.Open(pathAnswers)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var asked []pathQuestion
	var answers []string
	for lines := json.NewDecoder(z); lines.More(); {
		var row [4]string
		if err := lines.Decode(&row); err != nil {
			t.Fatal(err)
		}
		asked, answers = append(asked, pathQuestion{row[0], row[1], row[2]}), append(answers, row[3])
	}
	comparePaths(t, asked, answers)
	if len(asked) < 5000 {
		t.Errorf("only %d cases", len(asked))
	}
}
