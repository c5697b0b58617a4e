package pgtype

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// answered turns a result into the form of the answers file.
func answered(text []byte, err *pgerr.Error) string {
	if err != nil {
		return "!" + string(err.SQLSTATE) + " " + err.Message + "|" + err.Detail
	}
	return string(text)
}

var sized = regexp.MustCompile(`^numeric\((\d+),(-?\d+)\)$`)

// roundTrip reads a text as a type and writes it back; false for a type it does
// not know.
func roundTrip(typeName, s string) (string, bool) {
	switch typeName {
	case "bool":
		v, err := ParseBool(s)
		if err != nil {
			return answered(nil, err), true
		}
		// A cast to text is a conversion of its own and spells the word out.
		return strconv.FormatBool(v), true
	case "int2", "int4", "int8":
		bits, _ := strconv.Atoi(typeName[3:])
		v, err := ParseInt(s, bits*8)
		return answered(strconv.AppendInt(nil, v, 10), err), true
	case "float4", "float8":
		bits, _ := strconv.Atoi(typeName[5:])
		v, err := ParseFloat(s, bits*8)
		return answered(AppendFloat(nil, v, bits*8), err), true
	case "uuid":
		v, err := ParseUUID(s)
		return answered(AppendUUID(nil, v), err), true
	case "bytea":
		v, err := ParseBytea(s)
		return answered(AppendBytea(nil, v), err), true
	case "varchar(3)", "varchar(3) explicit":
		v, err := FitVarchar(s, 3, strings.HasSuffix(typeName, "explicit"))
		return answered(fmt.Appendf(nil, "%d:%s", len(v), v), err), true
	case "char(3)", "char(3) explicit":
		v, err := FitBpchar(s, 3, strings.HasSuffix(typeName, "explicit"))
		return answered(fmt.Appendf(nil, "%d:%s", len(v), TrimBpchar(v)), err), true
	case "text[]":
		v, err := ParseArray(s)
		return answered(AppendArray(nil, v), err), true
	case "numeric":
		v, err := ParseNumeric(s)
		return answered(AppendNumeric(nil, v), err), true
	}
	m := sized.FindStringSubmatch(typeName)
	if m == nil {
		return "", false
	}
	precision, _ := strconv.Atoi(m[1])
	scale, _ := strconv.Atoi(m[2])
	v, err := ParseNumeric(s)
	if err == nil {
		v, err = v.Fit(precision, scale)
	}
	return answered(AppendNumeric(nil, v), err), true
}

func compute(t *testing.T, op string, operands []string) (string, bool) {
	t.Helper()
	var n [2]Numeric
	for i, s := range operands {
		v, err := ParseNumeric(s)
		if err != nil {
			t.Fatalf("operand %s: %v", s, err)
		}
		n[i] = v
	}
	a, b := n[0], n[1]
	exact := func(v Numeric) (string, bool) { return v.String(), true }
	maybe := func(v Numeric, err *pgerr.Error) (string, bool) { return answered(AppendNumeric(nil, v), err), true }
	switch op {
	case "+":
		return maybe(a.Add(b))
	case "-":
		return maybe(a.Sub(b))
	case "*":
		return maybe(a.Mul(b))
	case "/":
		return maybe(a.Div(b))
	case "%":
		return maybe(a.Mod(b))
	case "power":
		e, err := b.Int(32)
		if err != nil {
			return answered(nil, err), true
		}
		return maybe(a.PowInt(int32(e), b.Scale()))
	case "<":
		return strconv.FormatBool(CompareNumeric(a, b) < 0), true
	case "=":
		return strconv.FormatBool(CompareNumeric(a, b) == 0), true
	case "sqrt(x)":
		return maybe(a.Sqrt())
	case "round(x)":
		return exact(a.Round(0))
	case "round(x, 3)":
		return exact(a.Round(3))
	case "round(x, -2)":
		return exact(a.Round(-2))
	case "trunc(x, 2)":
		return exact(a.Trunc(2))
	case "trunc(x, -3)":
		return exact(a.Trunc(-3))
	case "floor(x)":
		return exact(a.Floor())
	case "ceil(x)":
		return exact(a.Ceil())
	case "-x":
		return exact(a.Neg())
	case "abs(x)":
		return exact(a.Abs())
	case "min_scale(x)":
		if !a.Finite() {
			return "NULL", true
		}
		return strconv.Itoa(a.MinScale()), true
	case "x::int4", "x::int8":
		bits, _ := strconv.Atoi(op[len("x::int"):])
		v, err := a.Int(bits * 8)
		return answered(strconv.AppendInt(nil, v, 10), err), true
	case "x::float8":
		v, err := a.Float(64)
		return answered(AppendFloat(nil, v, 64), err), true
	}
	return "", false
}

// TestTheServersAnswers compares with what a server answered (see
// generate/answers.mjs).
func TestTheServersAnswers(t *testing.T) {
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
	lines.Buffer(nil, 8<<20)
	total, wrong, unknown := 0, 0, 0
	for lines.Scan() {
		var row []*string
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		what, inputs, want := *row[0], row[1:len(row)-1], row[len(row)-1]
		texts := make([]string, len(inputs))
		for i, s := range inputs {
			texts[i] = *s
		}
		got, known := roundTrip(what, texts[0])
		if !known {
			got, known = compute(t, what, texts)
		}
		if !known {
			unknown++
			t.Errorf("no answer to %s %q", what, texts)
			continue
		}
		total++
		if got == *want {
			continue
		}
		if wrong++; wrong <= 40 {
			t.Errorf("%s %.80q: got %.150s, the server says %.150s", what, texts, got, *want)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d agree", total-wrong, total)
	if total < 10_000 {
		t.Errorf("only %d cases", total)
	}
}
