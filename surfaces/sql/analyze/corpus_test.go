//go:build cgo

package analyze_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// recorded is a statement with a server's answer.
type recorded struct {
	File     string
	N        int
	SQL      string
	OK       bool
	Kind     string
	Rels     []string
	Columns  []string
	Types    []string
	SQLState string
	Message  string
	Detail   string
	Hint     string
	Position int
}

func readWith(env *fn.Env) analyze.Input {
	return func(t pgcat.OID, text string, typmod int32) (any, *pgerr.Error) {
		in, ok := fn.InputOf(t)
		if !ok {
			return nil, pgerr.New(pgerr.FeatureNotSupported, "reading values of the type %s is not supported", pgcat.Default().FormatType(t))
		}
		return in(env, text, typmod)
	}
}

// outside finds a file that accompanies the repository, or skips the test.
func outside(t *testing.T, path ...string) string {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "..", "..", "shared"}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skip("no corpus here")
	}
	return name
}

func readRecorded(t *testing.T, name string) []recorded {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	var out []recorded
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func analysed(source string, o analyze.Options) (*analyze.Result, error) {
	list, fault := guard.Parse(source, guard.DefaultLimits())
	if fault != nil {
		return nil, fault
	}
	if len(list) != 1 {
		return nil, errors.New("not one statement")
	}
	return analyze.Statement(source, list[0], o)
}

func asError(err error) *pgerr.Error {
	if e := pgerr.From(err); e != nil {
		return e
	}
	return pgerr.New("?????", "%s", err.Error())
}
