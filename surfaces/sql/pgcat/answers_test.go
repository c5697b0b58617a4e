package pgcat

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// tally counts agreement and keeps the first differences.
type tally struct {
	total, agree int
	differences  []string
}

// compare leaves out what the server's grammar refuses before it resolves: the
// names of a few operators have no prefix form.
func (y *tally) compare(what, got, want string) {
	if want == "!"+string(pgerr.SyntaxError) {
		return
	}
	y.total++
	if got == want {
		y.agree++
		return
	}
	if len(y.differences) < 40 {
		y.differences = append(y.differences, fmt.Sprintf("%s: got %s, the server says %s", what, got, want))
	}
}

func answer(t OID, err *pgerr.Error) string {
	if err != nil {
		return "!" + string(err.SQLSTATE)
	}
	return strconv.Itoa(int(t))
}

func operatorAnswer(name string, given ...OID) string {
	r, err := Default().ResolveOperator(name, given...)
	return answer(r.ResultType, err)
}

func functionAnswer(name string, given ...OID) string {
	call := Call{Name: name, Types: given}
	r, err := Default().ResolveFunction(call)
	return answer(r.ResultType, err)
}

// TestTheServersAnswers resolves every operator and function of the catalogue over
// all pairs of the types that the file names, and compares with what a server
// answered (see generate/answers.mjs).
func TestTheServersAnswers(t *testing.T) {
	f, err := os.Open("testdata/answers.tsv.gz")
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
	var types []OID
	var operators, functions tally
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		answers := strings.Fields(cells[len(cells)-1])
		switch cells[0] {
		case "types":
			for _, a := range answers {
				types = append(types, number(a))
			}
		case "prefix":
			for i, want := range answers {
				operators.compare(cells[1]+" "+display(types[i]), operatorAnswer(cells[1], types[i]), want)
			}
		case "infix":
			left := number(cells[2])
			for i, want := range answers {
				operators.compare(display(left)+" "+cells[1]+" "+display(types[i]), operatorAnswer(cells[1], left, types[i]), want)
			}
		case "call":
			compareCalls(&functions, cells, types, answers)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	report(t, "operators", &operators)
	report(t, "functions", &functions)
}

func compareCalls(y *tally, cells []string, types []OID, answers []string) {
	name := cells[1]
	if len(cells) == 3 {
		y.compare(name+"()", functionAnswer(name), answers[0])
		for i, want := range answers[1:] {
			y.compare(name+"("+display(types[i])+")", functionAnswer(name, types[i]), want)
		}
		return
	}
	first := number(cells[2])
	for i, want := range answers {
		y.compare(name+"("+display(first)+", "+display(types[i])+")", functionAnswer(name, first, types[i]), want)
	}
}

func report(t *testing.T, what string, y *tally) {
	t.Helper()
	t.Logf("%s: %d of %d agree", what, y.agree, y.total)
	if y.total < 50_000 {
		t.Errorf("%s: only %d cases", what, y.total)
	}
	if y.agree != y.total {
		t.Errorf("%s: %d differ", what, y.total-y.agree)
	}
	for _, d := range y.differences {
		t.Error(d)
	}
}

func number(s string) OID {
	n, _ := strconv.Atoi(s)
	return OID(n)
}

func display(t OID) string { return Default().FormatType(t) }
